"""Kernels of the lattice model: overlaps of placements, the wedges that they cover, and the search for tilings.

Figures are unions of convex parts with integer vertices in counter-clockwise order: arrays `x` and `y` with one part a
row, `size`, the number of its vertices, and `first`, the first part of each figure and finally the number of all parts.
Coordinates are below 10^6, so that no product overflows.
"""

import numpy as np

from ...base.bit_words import lowest, ones
from ...base.compiled import copy_numbers, inlined_kernel, inner_kernel, kernel, separate_kernel
from ..shared_tree import BUDGET, BUDGET_SPENT, DEPTH, EXHAUSTED, FLOOR, ROWS_FULL, RUNNING, WRITTEN

_0, _1, _6, _8, _63 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(8), np.uint64(63)

# Of the cursor of the search.
FRESH, CURSOR_SIZE = 1, 5


@separate_kernel
def _apart(x, y, size, a, other_x, other_y, other_size, b):
    """Whether polygon b of the others lies on the outer side of the line along an edge of polygon a."""
    for i in range(size[a]):
        j = i + 1 if i + 1 < size[a] else 0
        left, bottom = x[a, i], y[a, i]
        dx, dy = x[a, j] - left, y[a, j] - bottom
        beyond = True
        for k in range(other_size[b]):
            if dx * (other_y[b, k] - bottom) - dy * (other_x[b, k] - left) > 0:
                beyond = False
                break
        if beyond:
            return True
    return False


@separate_kernel
def _disjoint(x, y, size, a, other_x, other_y, other_size, b):
    """Whether two convex polygons have no inner point in common: then an edge of one of them separates them."""
    return _apart(x, y, size, a, other_x, other_y, other_size, b) or _apart(
        other_x, other_y, other_size, b, x, y, size, a
    )


@inner_kernel
def _figures_disjoint(x, y, size, first, f, g):
    """Whether two figures have no inner point in common."""
    for a in range(first[f], first[f + _1]):
        for b in range(first[g], first[g + _1]):
            if not _disjoint(x, y, size, a, x, y, size, b):
                return False
    return True


# Whether two figures have an inner point in common depends only on their shapes and on how far apart they are.  Those
# of shape s are numbers starts[s] up to starts[s + 1] in the order of `members`, from left to right.  `known` has room
# for the moves of one shape against another one that let their boxes overlap: 0 is not known yet, 1 disjoint, 2 not.
@kernel
def clear_overlaps(x, y, size, first, members, left, bottom, width, height, starts, known, matrix):
    """Clear the bits of pairs of figures that have an inner point in common; boxes are in the order of members."""
    for s in range(np.uint64(len(width))):
        for t in range(s, np.uint64(len(width))):
            columns, rows = np.uint64(width[s] + width[t] - 1), np.uint64(height[s] + height[t] - 1)
            fits = columns * rows <= np.uint64(len(known))
            for i in range(columns * rows if fits else _0):
                known[i] = 0
            begin = starts[t]
            for m in range(starts[s], starts[s + _1]):
                a = members[m]
                least_x, least_y = left[m] - width[t] + 1, bottom[m] - height[t] + 1
                while begin < starts[t + _1] and left[begin] < least_x:
                    begin += _1
                for n in range(max(begin, m) if s == t else begin, starts[t + _1]):
                    # A negative number becomes a large one.
                    i, j = np.uint64(left[n] - least_x), np.uint64(bottom[n] - least_y)
                    if i >= columns:
                        break
                    if j >= rows:
                        continue
                    b, at = members[n], i * rows + j if fits else _0
                    if not fits or known[at] == 0:
                        known[at] = 1 if _figures_disjoint(x, y, size, first, a, b) else 2
                    if known[at] == 2:
                        matrix[a, b >> _6] &= ~(_1 << (b & _63))
                        matrix[b, a >> _6] &= ~(_1 << (a & _63))


@kernel
def transpose(rows, columns):
    """Set the bits of the transposed matrix."""
    for i in range(len(rows)):
        word, bit = i >> 6, np.uint64(1) << np.uint64(i & 63)
        for w in range(rows.shape[1]):
            bits = rows[i, w]
            while bits:
                low = bits & (~bits + _1)
                bits ^= low
                columns[(np.uint64(w) << _6) | lowest(low), word] |= bit


@kernel
def keep_disjoint(x, y, size, first, other_x, other_y, other_size, free):
    """Set `free` to False for figures that have an inner point in common with one of the others but the first."""
    for f in range(len(first) - 1):
        for a in range(first[f], first[f + 1]):
            for b in range(1, len(other_size)):
                if free[f] and not _disjoint(x, y, size, a, other_x, other_y, other_size, b):
                    free[f] = False


@kernel
def write_covered_wedges(x, y, size, first, points, bisectors, covers):
    """Set the bits of the figures that cover the wedge at each point around each bisector, a row each.

    At a point on its boundary a part covers what lies to the left of all edges through the point, or on them.
    """
    sectors = len(bisectors)
    for f in range(len(first) - 1):
        word, bit = f >> 6, np.uint64(1) << np.uint64(f & 63)
        for a in range(first[f], first[f + 1]):
            for p in range(len(points)):
                has_point, ax, ay, bx, by = _lines_through(x, y, size, a, points, p)
                for s in range(sectors if has_point else 0):
                    u, v = bisectors[s, 0], bisectors[s, 1]
                    if ax * v - ay * u >= 0 and bx * v - by * u >= 0:
                        covers[p * sectors + s, word] |= bit


@inner_kernel
def _lines_through(x, y, size, a, points, p):
    """Whether a convex polygon has a point, inside or on its boundary, and its edges on lines through it, at most two.

    If there are less, their vectors are zero.
    """
    ax = ay = bx = by = 0
    for i in range(size[a]):
        j = i + 1 if i + 1 < size[a] else 0
        dx, dy = x[a, j] - x[a, i], y[a, j] - y[a, i]
        side = dx * (points[p, 1] - y[a, i]) - dy * (points[p, 0] - x[a, i])
        if side < 0:
            return False, ax, ay, bx, by
        if side == 0 and ax == 0 and ay == 0:
            ax, ay = dx, dy
        elif side == 0 and ax * dy - ay * dx != 0:  # not another part of the same line
            bx, by = dx, dy
    return True, ax, ay, bx, by


@separate_kernel
def _add_up(left, covered, planes):
    """Count the candidates of the first wedges: in bits 0 to 2 of their planes up to 7, in plane 3 whether more.

    Adding a row of bits to bit-sliced counters takes a few instructions for 64 wedges.
    """
    planes[:] = _0
    one_plane, two_plane, four_plane, more_plane = planes[0], planes[1], planes[2], planes[3]
    for w in range(len(left)):
        bits = left[w]
        while bits:
            low = bits & (~bits + _1)
            bits ^= low
            row = covered[(np.uint64(w) << _6) | lowest(low)]
            for v in range(len(one_plane)):
                twos = one_plane[v] & row[v]
                one_plane[v] ^= row[v]
                fours = two_plane[v] & twos
                two_plane[v] ^= twos
                more_plane[v] |= four_plane[v] & fours
                four_plane[v] ^= fours


@inner_kernel
def _fewest(open_wedges, planes):
    """A wedge with the fewest candidates, and their number; no wedge if all have more than 7."""
    best, fewest = np.uint64(0), _8
    for v in range(planes.shape[1]):
        few = open_wedges[v] & ~planes[3, v]
        for number in range(fewest):
            bits = few
            for plane in range(3):
                bits &= planes[plane, v] if number >> plane & 1 else ~planes[plane, v]
            if bits:
                best, fewest = (np.uint64(v) << _6) | lowest(bits), np.uint64(number)
                break
        if fewest == 0:
            break
    return best, fewest


@inner_kernel
def _fewest_of_many(left, open_wedges, covers):
    """The same by counting one by one; without open wedges, the largest possible number."""
    best, fewest = np.uint64(0), ~_0
    for v in range(len(open_wedges)):
        bits = open_wedges[v]
        while bits:
            low = bits & (~bits + _1)
            bits ^= low
            wedge = (np.uint64(v) << _6) | lowest(low)
            number = _0
            for w in range(len(left)):
                number += ones(left[w] & covers[wedge, w])
            if number < fewest:
                best, fewest = wedge, number
    return best, fewest


@inlined_kernel
def lay(placed, tables, left, open_wedges, unplaced):
    """Update candidates, open wedges and unplaced pieces after a placement."""
    unplaced[tables.kind[placed]] -= _1
    used_up = unplaced[tables.kind[placed]] == _0
    for w in range(len(left)):
        bits = left[w] & tables.disjoint[placed, w]
        left[w] = bits & ~tables.kind_rows[tables.kind[placed], w] if used_up else bits
    for w in range(len(open_wedges)):
        open_wedges[w] &= ~tables.covered[placed, w]


@inner_kernel
def _is_zero(words):
    """Whether no bit is set."""
    found = _0
    for w in range(len(words)):
        found |= words[w]
    return found == _0


@inner_kernel
def _lacks_none(unplaced, needed):
    """Whether no piece of a kind that is needed is left."""
    lacking = _0
    for kind in range(len(unplaced)):
        lacking |= unplaced[kind] * needed[kind]
    return lacking == _0


@inner_kernel
def choose_wedge(left, open_wedges, covers, covered, planes):
    """An open wedge with the fewest remaining candidates, and their number."""
    _add_up(left, covered, planes)
    wedge, fewest = _fewest(open_wedges, planes)
    if fewest == _8:
        wedge, fewest = _fewest_of_many(left, open_wedges[: planes.shape[1]], covers)
        if fewest == ~_0:
            wedge, fewest = _fewest_of_many(left, open_wedges, covers)
    return wedge, fewest


# Exact cover by placements.  `disjoint` has for each placement those that are disjoint from it, `covers` for each wedge
# the placements that cover it, and `covered` for each placement the wedges that it covers, all as bits.  The first
# wedges, as many as `planes` has bits, are examined first; the others only if all of these are covered.  A row of
# `left` holds the candidates at a depth: the placements that are disjoint from all that lie, and of kinds that still
# have pieces to place (`unplaced`).  A row of `open_wedges` holds the wedges that are not covered yet.  A node chooses
# a wedge with the fewest candidates and tries them one after the other: `untried` holds those that are left to be
# tried, `options` and `tried` how many there are and how many have been tried, `chosen` the placement at each depth.
# Invariant: at depth d, the placements chosen[0..d-1] are pairwise disjoint, and each covered wedge is covered by one
# of them; every tiling that contains them and lies ahead contains one out of untried[d].
# If not all pieces are needed, a tiling is complete as soon as no wedge is open; the rest of its row is -1.
@kernel
def search_lattice(tables, left, untried, open_wedges, unplaced, chosen, tried, options, nodes, planes, cursor, rows):
    """Continue the search until it is exhausted below the floor, the budget is spent, or the rows are full."""
    deepest = np.uint64(len(nodes))
    depth, fresh, budget, written = cursor[DEPTH], cursor[FRESH], cursor[BUDGET], _0
    code = RUNNING
    while code == RUNNING:
        if fresh:
            fresh = _0
            wedge, fewest = choose_wedge(left[depth], open_wedges[depth], tables.covers, tables.covered, planes)
            options[depth], tried[depth] = fewest, _0
            for w in range(untried.shape[1]):
                untried[depth, w] = left[depth, w] & tables.covers[wedge, w]
        if budget == _0:
            code = BUDGET_SPENT
            break
        w = np.uint64(0)
        while w < untried.shape[1] and untried[depth, w] == _0:
            w += _1
        if w == untried.shape[1]:
            if depth == cursor[FLOOR]:
                code = EXHAUSTED
            else:
                depth -= _1
            continue
        low = untried[depth, w] & (~untried[depth, w] + _1)
        untried[depth, w] ^= low
        placed = (w << _6) | lowest(low)
        tried[depth] += _1
        chosen[depth] = placed
        nodes[depth] += 1
        budget -= _1
        if depth + _1 == deepest and tables.all_needed[0]:
            copy_numbers(rows[written], chosen)
            written += _1
            if written == len(rows):
                code = ROWS_FULL
            continue
        copy_numbers(left[depth + _1], left[depth])
        copy_numbers(open_wedges[depth + _1], open_wedges[depth])
        copy_numbers(unplaced[depth + _1], unplaced[depth])
        depth += _1
        lay(placed, tables, left[depth], open_wedges[depth], unplaced[depth])
        fresh = _1
        if not tables.all_needed[0] and _is_zero(open_wedges[depth]):
            if _lacks_none(unplaced[depth], tables.needed):
                rows[written] = -1
                copy_numbers(rows[written, :depth], chosen[:depth])
                written += _1
                if written == len(rows):
                    code = ROWS_FULL
            depth -= _1
            fresh = _0
    cursor[DEPTH], cursor[FRESH], cursor[BUDGET], cursor[WRITTEN] = depth, fresh, budget, written
    return code


@kernel
def visit_lattice(tables, left, open_wedges, unplaced, nodes, depth, wanted, planes, numbers, children):
    """Count the children of nodes, which are rows of placements; child number `wanted` of each, if any, is written.

    `left`, `open_wedges` and `unplaced` have two rows: that of the root, and one to work with.
    """
    for n in range(len(nodes)):
        copy_numbers(left[1], left[0])
        copy_numbers(open_wedges[1], open_wedges[0])
        copy_numbers(unplaced[1], unplaced[0])
        for d in range(depth):
            lay(nodes[n, d], tables, left[1], open_wedges[1], unplaced[1])
        wedge, fewest = choose_wedge(left[1], open_wedges[1], tables.covers, tables.covered, planes)
        numbers[n] = fewest
        before = -1
        for w in range(left.shape[1]):
            bits = left[1, w] & tables.covers[wedge, w]
            while bits and before < wanted[n]:
                low = bits & (~bits + _1)
                bits ^= low
                before += 1
                children[n] = (np.uint64(w) << _6) | lowest(low)
