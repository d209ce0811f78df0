"""The scrambles of docs/papers/exactly_two.md, by the formulas of the page."""

from typing import NamedTuple

import numpy as np

#: Columns and rows from a square to the next one across its sides up, right, down, left.
ACROSS, DOWNWARDS = np.array((0, 1, 0, -1)), np.array((-1, 0, 1, 0))


class Scramble(NamedTuple):
    """Where the piece of each square goes, (rows, columns) each: its new column and row, and quarter turns."""

    x: np.ndarray
    y: np.ndarray
    turns: np.ndarray


class OddParameters(NamedTuple):
    shift: int
    reflections: np.ndarray
    exchange: np.ndarray


def odd_scramble(rows, columns, parameters) -> Scramble:
    y, x = np.indices((rows, columns))
    (i, j), k, half = (x // 2, y // 2), columns // 2, rows // 2
    reflection, exchanged = np.array(parameters.reflections)[j], np.array([*parameters.exchange, 0])[j]
    which = [(x % 2 == 0) & (y % 2 == 0), (x % 2 == 1) & (y % 2 == 1), x % 2 == 1]
    to_x = np.select(which, [x, 2 * ((i + parameters.shift) % k) + 1, 2 * ((reflection - i) % k) + 1], 2 * (k - i))
    to_y = np.select(which, [y, y, 2 * (half - j)], 2 * exchanged + 1)
    return Scramble(to_x, to_y, np.where(which[0] | which[1], 0, 2))


def good_parameters(rows) -> OddParameters:
    """Those of corollary 1: the exchange sends no j to l - 1 - j."""
    half = rows // 2
    exchange, middle = np.arange(half), half // 2
    if half % 2:
        exchange[0], exchange[middle] = middle, 0
    return OddParameters(1, np.zeros(half + 1, int), exchange)


def depths(length):
    """The distances of rows or columns from the nearer border."""
    return np.minimum(np.arange(length), np.arange(length)[::-1])


def geometry(rows, columns):
    """Shape (rows, columns) each: depths u and v, and the number of the half, 0 or 1, that the quadrant belongs to."""
    y, x = np.indices((rows, columns))
    u, v = np.broadcast_arrays(depths(columns), depths(rows)[:, None])
    return u, v, 1 * ((x >= columns // 2) ^ (y >= rows // 2))


def mirrored_scramble(rows, columns, kind) -> Scramble:
    """Even squares by their kind; odd ones outside the middle exchanged as in a mirror; the middle is left in place."""
    y, x = np.indices((rows, columns))
    u, v, half = geometry(rows, columns)
    even = (u + v) % 2 == 0
    rest = ~even & (u < columns // 2 - 1) & (v < rows // 2 - 1)
    turn = np.where(u == 0, 2, 0)
    # The first of a mirrored pair goes to the second; that goes back, or to the opposite of the first.
    back = (half == 0) | ((kind + kind[:, ::-1] + turn) % 2 == 0)
    turned = (even & (kind == 1)) | (rest & ~back)  # and then to the opposite square
    mirror = rest & back
    to_x = np.where(mirror | (turned & even), columns - 1 - x, x)
    to_y = np.where(turned, rows - 1 - y, y)
    return Scramble(to_x, to_y, np.select([turned & rest, turned, mirror], [(2 - turn) % 4, 2, turn], 0))


def even_scramble(rows, columns) -> Scramble:
    """The scramble of corollary 2."""
    u, _, half = geometry(rows, columns)
    form, partner, lengths = mirrored_scramble(rows, columns, (u + half) % 2), partners(rows, columns), (rows, columns)
    for depth in range(max(lengths) // 2 - 2, -1, -2):
        near, far = arms(rows, columns, depth)
        other = arms(rows, columns, partner.get(depth, depth))[1]
        for i in range(4):
            if depth > min(lengths) // 2 - 2:
                if lengths[i % 2] == max(lengths):
                    _move(form, near[i], far[i], 2)
                    _move(form, far[i], near[(i + 2) % 4], 0)
            else:
                direction = 1 if depth in partner else -1
                _move(form, near[i], near[(i + 1) % 4], 1)
                _move(form, far[i], other[(i + direction) % 4], direction)
    return form


def partners(rows, columns):
    """The depths of the two middles that corollary 2 pairs: the innermost one first; a single one is left alone."""
    common = list(range(min(rows, columns) // 2 - 2, 0, -2))
    if len(common) % 2:
        common.pop(1)
    pairs = list(zip(common[::2], common[1::2], strict=True))
    return dict(pairs) | {b: a for a, b in pairs}


def arms(rows, columns, depth):
    """The squares C_0 to C_3 and K_0 to K_3 of a depth in the middle columns and rows."""
    circles = []
    for beyond in (0, 1):
        top = columns // 2 - 1 + beyond, depth
        right = columns - 1 - depth, rows // 2 - 1 + beyond
        circles.append([top, right] + [(columns - 1 - x, rows - 1 - y) for x, y in (top, right)])
    return circles


def _move(form, square, target, turns):
    x, y = square
    form.x[y, x], form.y[y, x], form.turns[y, x] = *target, turns % 4


def scramble_of(rows, columns, arrangement) -> Scramble:
    """An arrangement of the package."""
    form = Scramble(*(np.zeros((rows, columns), np.int64) for _ in range(3)))
    for square, (piece, turns) in enumerate(arrangement):
        y, x = divmod(square, columns)
        _move(form, (piece % columns, piece // columns), (x, y), turns)
    return form
