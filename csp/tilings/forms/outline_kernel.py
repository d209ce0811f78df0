"""The kernel of the search for convex outlines: side by side, counter-clockwise, from a first side on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import kernel, lean_kernel
from ...search.slices import BUDGET_SPENT, EXHAUSTED, ROWS_FULL

Integers = NDArray[np.int64]

#: The cursor: vertices of the chain, nodes left, rows written.
SIZE, BUDGET, WRITTEN, CURSOR_SIZE = range(4)


class Sides(NamedTuple):
    """What the sides of outlines may be."""

    #: The directions in the order of their angles, the first side's first: a primitive vector and its slope.
    x: Integers
    y: Integers
    slope: Integers
    #: The lengths of sides of slope s, ascending, are ``lengths[first[s]]`` up to ``lengths[first[s + 1]]``.
    first: Integers
    lengths: Integers
    #: Whether a side of a slope may have a length; shape (slopes, longest + 1).
    is_length: NDArray[np.bool_]
    #: For each slope the total length of all edges; -1 if sides need not consist of edges.
    totals: Integers
    #: Twice the area, and the number of vertices or 0 for any; one number each.
    double_area: Integers
    vertices: Integers


class Chain(NamedTuple):
    """The sides so far."""

    #: The vertices, and for each twice the area between the chain up to there and its chord.
    x: Integers
    y: Integers
    area: Integers
    #: For each vertex the direction that is next, and the position of its next length; -1 for a new direction, and -2
    #: for a new vertex.
    direction: Integers
    length: Integers
    #: The total length of the chain's sides by slope.
    used: Integers
    #: Where the search is; its entries have names above.
    cursor: Integers


@lean_kernel
def _gcd(a, b):
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


@lean_kernel
def _is_bounded(sides, chain, last, direction):
    """Whether the lines along the first side and a direction meet too early for the area."""
    first_x, first_y, x, y = sides.x[0], sides.y[0], sides.x[direction], sides.y[direction]
    turn = x * first_y - y * first_x
    if turn <= 0:
        return False
    beyond = (chain.x[last] * y - chain.y[last] * x) * (chain.x[last] * first_y - chain.y[last] * first_x)
    return chain.area[last] * turn + abs(beyond) < sides.double_area[0] * turn


@lean_kernel
def _close(sides, chain, last, number, gain, row_x, row_y):
    """Write the outline that is closed by two more sides, the first with the given direction; False if none is."""
    wanted = sides.double_area[0] - chain.area[last]
    length = wanted // gain
    if length * gain != wanted or length == 0:
        return False
    slope = sides.slope[number]
    x, y = chain.x[last] + sides.x[number] * length, chain.y[last] + sides.y[number] * length
    last_length = _gcd(x, y)
    found = -1
    for other in range(number + 1, len(sides.x)):
        if sides.x[other] * last_length == -x and sides.y[other] * last_length == -y:
            found = other
    if found < 0:
        return False
    last_slope, longest = sides.slope[found], sides.is_length.shape[1]
    if length >= longest or last_length >= longest:
        return False
    if not (sides.is_length[slope, length] and sides.is_length[last_slope, last_length]):
        return False
    for s in range(len(sides.totals)):
        # What is not on the rim lies inside, edge to edge.
        hidden = sides.totals[s] - chain.used[s] - length * (s == slope) - last_length * (s == last_slope)
        if sides.totals[s] >= 0 and (hidden < 0 or hidden % 2):
            return False
    for v in range(last + 1):
        row_x[v], row_y[v] = chain.x[v], chain.y[v]
    row_x[last + 1], row_y[last + 1] = x, y
    return True


# A depth-first search.  Invariant between two steps: the chain has `cursor[SIZE]` vertices; all outlines that begin
# with it have been written, except those with the next lengths of the next directions at its vertices.
@lean_kernel
def find_outlines(sides, chain, rows_x, rows_y, sizes):
    """Go on until all outlines are found, the budget is spent, or the rows are full."""
    cursor, directions, vertices = chain.cursor, len(sides.x), sides.vertices[0]
    while True:
        last = cursor[SIZE] - 1
        if chain.length[last] == -2:
            if cursor[BUDGET] == 0:
                return BUDGET_SPENT
            cursor[BUDGET] -= 1
            chain.length[last] = -1
            if _is_bounded(sides, chain, last, chain.direction[last] - 1):
                chain.direction[last] = directions
        number = chain.direction[last]
        # Each of the remaining sides needs its own direction.
        is_over = number >= directions - max(vertices - last - 1, 1)
        gain = np.int64(0)
        if not is_over:
            gain = chain.x[last] * sides.y[number] - chain.y[last] * sides.x[number]
        if is_over or gain <= 0:
            if last == 1:
                return EXHAUSTED
            cursor[SIZE] -= 1
            before = last - 1
            chain.used[sides.slope[chain.direction[before]]] -= sides.lengths[chain.length[before] - 1]
            continue
        slope = sides.slope[number]
        if chain.length[last] == -1:
            may_close = vertices in (0, last + 2)
            chain.length[last] = sides.first[slope] if vertices != last + 2 else sides.first[slope + 1]
            written = cursor[WRITTEN]
            if may_close and _close(sides, chain, last, number, gain, rows_x[written], rows_y[written]):
                sizes[written] = last + 2
                cursor[WRITTEN] += 1
                if cursor[WRITTEN] == len(sizes):
                    return ROWS_FULL
        at = chain.length[last]
        is_too_long = at == sides.first[slope + 1]
        if not is_too_long:
            length, most = sides.lengths[at], sides.totals[slope] - chain.used[slope]
            is_too_long = (sides.totals[slope] >= 0 and length > most) or (
                chain.area[last] + gain * length >= sides.double_area[0]
            )
        if is_too_long:
            chain.direction[last], chain.length[last] = number + 1, -1
            continue
        length = sides.lengths[at]
        chain.length[last] = at + 1
        chain.used[slope] += length
        cursor[SIZE] += 1
        chain.x[last + 1] = chain.x[last] + sides.x[number] * length
        chain.y[last + 1] = chain.y[last] + sides.y[number] * length
        chain.area[last + 1] = chain.area[last] + gain * length
        chain.direction[last + 1], chain.length[last + 1] = number + 1, -2


@kernel
def normalise(rows_x, rows_y, sizes, number, motions):
    """Replace outlines by the least of their images: each with least coordinates 0, from its least vertex on.

    Images are compared as sequences of vertices; `motions` has a row a, b, c, d for each motion.
    """
    best, image = np.zeros((2, rows_x.shape[1], 2), dtype=np.int64)
    for row in range(number):
        n = sizes[row]
        for m in range(len(motions)):
            a, b, c, d = motions[m]
            flipped = a * d < b * c
            first = 0
            for v in range(n):
                w = n - 1 - v if flipped else v
                image[v, 0] = a * rows_x[row, w] + b * rows_y[row, w]
                image[v, 1] = c * rows_x[row, w] + d * rows_y[row, w]
            left, bottom = image[0, 0], image[0, 1]
            for v in range(1, n):
                left, bottom = min(left, image[v, 0]), min(bottom, image[v, 1])
                if (image[v, 0], image[v, 1]) < (image[first, 0], image[first, 1]):
                    first = v
            is_less = m == 0
            for v in range(n):
                w = first + v if first + v < n else first + v - n
                x, y = image[w, 0] - left, image[w, 1] - bottom
                if not is_less and (x, y) > (best[v, 0], best[v, 1]):
                    break
                is_less = is_less or (x, y) < (best[v, 0], best[v, 1])
                if is_less:
                    best[v, 0], best[v, 1] = x, y
        for v in range(n):
            rows_x[row, v], rows_y[row, v] = best[v, 0], best[v, 1]
