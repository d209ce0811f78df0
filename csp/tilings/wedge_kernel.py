"""The kernels of the search for tilings by wedges, column by column.

A *wedge* is the sector between two neighbouring directions of edges at a lattice point.  A tiling covers each wedge of
the target once.  Conversely, placements that cover each wedge once, and have no lattice point outside, are a tiling:
across a line, the number of pieces that cover a point could change only where an edge begins or ends, and that is a
lattice point, near which it does not.  So no test for overlaps is needed.

Data layout.  The wedges of a point are the bits of `words` words, counter-clockwise from the direction (0, -1) on;
``grid`` has the open ones of all points, a column after the other, those of a point one after the other.  A shape is a
piece, or pieces that lie together, in one orientation: the words ``masks[t]`` at ``offsets[t]`` from its least point
(in lexicographic order), for t from ``first[s]`` up to ``first[s + 1]``.  Shapes whose first wedge there is number w
are ``of_wedge[starts[w]]`` up to ``of_wedge[starts[w + 1]]``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.compiled import kernel, separate_kernel
from ..search.shared_tree import BUDGET_SPENT, EXHAUSTED, ROWS_FULL

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

#: The cursor: depth, nodes left, rows written.
DEPTH, BUDGET, WRITTEN, CURSOR_SIZE = range(4)

_1, _6 = np.uint64(1), np.uint64(6)


class WedgeShapes(NamedTuple):
    """The constant tables."""

    first: Integers
    offsets: Integers
    masks: Words
    kind: Integers
    starts: Integers
    of_wedge: Integers
    # The number of words of a point.
    words: Integers


class Level(NamedTuple):
    """The state of a search."""

    grid: Words  #: The open wedges; the last word is never 0
    unplaced: Integers  #: The number of shapes of each kind that are left
    #: For each depth the first open word, and the position in `of_wedge` of the next shape to try and where they end;
    #: a next position of -1 at a new depth.
    at: Integers
    next: Integers
    end: Integers
    cursor: Integers  #: Where the search is; its entries have names above


@kernel
def mark_wedges(polygon, bisectors, left, bottom, on, marked):
    """Set the wedges of a convex polygon at the points from (left, bottom) on; shape (columns, rows, words).

    A point on an edge has those wedges that are on the polygon's side of it; `on` has room for a flag of each edge.
    """
    n = len(polygon)
    for i in range(marked.shape[0]):
        for j in range(marked.shape[1]):
            x, y = left + i, bottom + j
            inside = True
            for e in range(n):
                f = e + 1 if e + 1 < n else 0
                dx, dy = polygon[f, 0] - polygon[e, 0], polygon[f, 1] - polygon[e, 1]
                side = dx * (y - polygon[e, 1]) - dy * (x - polygon[e, 0])
                inside = inside and side >= 0
                on[e] = side == 0
            if not inside:
                continue
            for w in range(len(bisectors)):
                covered = True
                for e in range(n):
                    f = e + 1 if e + 1 < n else 0
                    dx, dy = polygon[f, 0] - polygon[e, 0], polygon[f, 1] - polygon[e, 1]
                    covered = covered and not (on[e] and dx * bisectors[w, 1] - dy * bisectors[w, 0] < 0)
                if covered:
                    marked[i, j, w >> 6] |= _1 << np.uint64(w & 63)


@separate_kernel
def _fits(shapes, grid, at, s):
    """Whether all wedges of a shape are open, with its least point at a word's point."""
    for t in range(shapes.first[s], shapes.first[s + 1]):
        if grid[at + shapes.offsets[t]] & shapes.masks[t] != shapes.masks[t]:
            return False
    return True


@separate_kernel
def _flip(shapes, level, at, s, number):
    """Place a shape, or take it away: its wedges change, and so does the number of shapes that are left."""
    for t in range(shapes.first[s], shapes.first[s + 1]):
        level.grid[at + shapes.offsets[t]] ^= shapes.masks[t]
    level.unplaced[shapes.kind[s]] += number


# A depth-first search.  The first open wedge, column by column and from the bottom up, is covered by a shape that has
# its least point there: what is left of it and below is covered.  Invariant between two steps: the shapes
# of_wedge[next[d] - 1] at depths d below `cursor[DEPTH]` lie, and their wedges are not open.
@kernel
def search_by_wedges(shapes, level, rows):
    """Go on until the tree is exhausted, the budget is spent, or `rows` are full: a word and a shape for each depth."""
    cursor, grid, words = level.cursor, level.grid, shapes.words[0]
    depths = rows.shape[1]
    while True:
        d = cursor[DEPTH]
        at = level.at[d]
        if level.next[d] < 0:
            while grid[at] == 0:
                at += 1
            word, wedge = at % words, np.int64(0)
            bits = grid[at]
            while bits & _1 == 0:
                bits >>= _1
                wedge += 1
            wedge += word << 6
            at -= word
            level.at[d] = at
            level.next[d], level.end[d] = shapes.starts[wedge], shapes.starts[wedge + 1]
        if cursor[BUDGET] == 0:
            return BUDGET_SPENT
        i, end = level.next[d], level.end[d]
        while i < end and not (
            level.unplaced[shapes.kind[shapes.of_wedge[i]]] > 0 and _fits(shapes, grid, at, shapes.of_wedge[i])
        ):
            i += 1
        level.next[d] = i + 1
        if i == end:
            if d == 0:
                level.next[d] = end
                return EXHAUSTED
            cursor[DEPTH] = d - 1
            _flip(shapes, level, level.at[d - 1], shapes.of_wedge[level.next[d - 1] - 1], 1)
            continue
        cursor[BUDGET] -= 1
        if d + 1 < depths:
            _flip(shapes, level, at, shapes.of_wedge[i], -1)
            cursor[DEPTH] = d + 1
            level.at[d + 1], level.next[d + 1] = at, -1
            continue
        written = cursor[WRITTEN]
        for e in range(depths):
            rows[written, e, 0], rows[written, e, 1] = level.at[e], shapes.of_wedge[level.next[e] - 1]
        cursor[WRITTEN] = written + 1
        if written + 1 == len(rows):
            return ROWS_FULL
