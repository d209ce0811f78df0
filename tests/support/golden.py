"""Polygons with sides at multiples of 3 degrees, and small dissections into golden triangles."""

from hypothesis import strategies as st

from dissections import not_flipped
from jigsat.csp.geometry.directions import unit
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.polygons import convex_hull, counterclockwise
from jigsat.csp.puzzles.dissection import DissectionPuzzle

PHI = parse("1/2+1/2*sqrt(5)")


def towards(length, degrees):
    """The point at this distance from the origin in this direction."""
    cos, sin = unit(degrees // 3 % 120)
    return length * cos, length * sin


def way(*steps):
    """The polygon whose sides have these lengths and directions."""
    points = [(0, 0)]
    for length, degrees in steps:
        dx, dy = towards(length, degrees)
        points.append((points[-1][0] + dx, points[-1][1] + dy))
    assert points.pop() == (0, 0)
    return counterclockwise(tuple(points))


def regular(n):
    return way(*((1, 360 * i // n) for i in range(n)))


def rhomb(degrees):
    """The rhombus of side 1 with this angle."""
    return way((1, 0), (1, degrees), (1, 180), (1, 180 + degrees))


#: Golden triangles, of 36, 72 and 72 degrees and of 108, 36 and 36, each with the apex first.
ACUTE, GNOMON = ((0, 0), (PHI, 0), towards(PHI, 36)), ((0, 0), (1, 0), towards(1, 108))


def _halves(apex, one, other, is_acute):
    """A golden triangle cut into two, again with the apex first, and whether they are acute."""
    start = apex if is_acute else one
    cut = tuple(a + (b - a) * (PHI - 1) for a, b in zip(start, other, strict=True))
    if is_acute:
        return [(one, other, cut, True), (cut, apex, one, False)]
    return [(one, apex, cut, True), (cut, apex, other, False)]


def _starts():
    a, b, c, d, e = (counterclockwise(regular(5))[i] for i in range(5))
    x, y, z, w = counterclockwise(rhomb(72))
    return [
        [(*ACUTE, True)],
        [(*GNOMON, False)],
        [(a, c, d, True), (b, a, c, False), (e, d, a, False)],
        [(y, x, z, False), (w, z, x, False)],
    ]


@st.composite
def golden_puzzles(draw, most=4):
    """Golden triangles that make a larger one, a pentagon or a rhombus, where they lie; some must not turn over."""
    parts = draw(st.sampled_from([start for start in _starts() if len(start) <= most]))
    target = counterclockwise(convex_hull([point for part in parts for point in part[:3]]))
    for _ in range(draw(st.integers(0, most - len(parts)))):
        apex, one, other, is_acute = parts.pop(draw(st.integers(0, len(parts) - 1)))
        if draw(st.booleans()):
            one, other = other, one
        parts += _halves(apex, one, other, is_acute)
    pieces = tuple(counterclockwise(part[:3]) for part in parts)
    return DissectionPuzzle(target, pieces, no_flip=draw(not_flipped(len(pieces))))
