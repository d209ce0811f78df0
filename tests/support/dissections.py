"""Small dissections made by hypothesis, each with at least one tiling."""

from fractions import Fraction
from itertools import permutations

from hypothesis import reject
from hypothesis import strategies as st

from brute_force_lattice import double_area
from jigsat.csp.geometry.polygons import corners, cross, edges
from jigsat.csp.geometry.polygons import double_area as exact_double_area
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions

L_SHAPE = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
TRAPEZIUM = ((0, 0), (4, 0), (3, 2), (0, 2))


def cut(polygon, start, end):
    """The two parts of a convex polygon cut between two of its boundary's lattice points."""
    points = []
    for (x, y), (u, v) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        points.append((x, y))
        for point in (start, end):
            on = (u - x) * (point[1] - y) == (v - y) * (point[0] - x)
            inside = min(x, u) <= point[0] <= max(x, u) and min(y, v) <= point[1] <= max(y, v)
            if on and inside and point not in ((x, y), (u, v)):
                points.append(point)
    one, other = sorted((points.index(start), points.index(end)))
    return points[one : other + 1], points[other:] + points[: one + 1]


def boundary(polygon):
    """The lattice points on the boundary."""
    return sorted(
        {
            (px, py)
            for (x, y), (u, v) in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
            for px in range(min(x, u), max(x, u) + 1)
            for py in range(min(y, v), max(y, v) + 1)
            if (u - x) * (py - y) == (v - y) * (px - x)
        }
    )


def straightened(polygon):
    """The polygon without vertices that lie on a line with their neighbours."""
    n = len(polygon)
    return [polygon[i] for i in range(n) if double_area([polygon[i - 1], polygon[i], polygon[(i + 1) % n]]) != 0]


@st.composite
def dissections(draw, most=5):
    """A small target cut into a few convex pieces along lattice points, so that there is at least one tiling.

    Some of them may not be turned over.
    """
    target = draw(
        st.sampled_from([((0, 0), (w, 0), (w, h), (0, h)) for w in (1, 2, 3) for h in (1, 2, 3)] + [TRAPEZIUM])
    )
    pieces = [list(target)]
    for _ in range(draw(st.integers(0, most - 1))):
        piece = pieces.pop(draw(st.integers(0, len(pieces) - 1)))
        points = boundary(piece)
        parts = cut(piece, *draw(st.permutations(points))[:2])
        parts = [straightened(part) for part in parts if len(part) > 2]
        if len(parts) == 2 and all(len(part) > 2 for part in parts):
            pieces += parts
        else:
            pieces.append(piece)
    return DissectionPuzzle(
        target, tuple(tuple(piece) for piece in pieces), Motions.LATTICE, no_flip=draw(not_flipped(len(pieces)))
    )


@st.composite
def not_flipped(draw, pieces):
    """The pieces that may not be turned over: none, all or some."""
    which = draw(st.sampled_from(["none", "all", "some"]))
    some = st.lists(st.integers(0, pieces - 1), unique=True)
    return tuple(draw(some)) if which == "some" else tuple(range(pieces if which == "all" else 0))


def labelled(puzzle, tiling):
    """The tilings that exchanging congruent pieces makes of one."""
    found = [tiling]
    for members in puzzle.classes:
        found = [
            tuple(one[order[members.index(i)]] if i in members else one[i] for i in range(len(one)))
            for one in found
            for order in permutations(members)
        ]
    return set(found)


def moved(puzzle, motion, tiling):
    """The tiling that a symmetry of the target makes of one; a reflection exchanges pieces that are mirror images."""
    images = tuple(motion(polygon) for polygon in tiling)
    return tuple(images[piece] for piece in puzzle.mirror_of) if motion.is_reflection else images


@st.composite
def cut_puzzles(draw, most=4):
    """A convex polygon cut by lines, and its pieces as they lay: a puzzle and a tiling of it."""
    width, height = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    target = ((0, 0), (width, 0), (width, height), (0, height))
    if draw(st.booleans()):
        target = target[:3] if draw(st.booleans()) else ((0, 0), (width + 1, 0), (width, height), (0, height))
    pieces = [target]
    for _ in range(draw(st.integers(1, most - 1))):
        polygon = pieces.pop(draw(st.integers(0, len(pieces) - 1)))
        marks = [
            mark
            for a, b in edges(polygon)
            for mark in (a, tuple(Fraction(p + q, 2) for p, q in zip(a, b, strict=True)))
        ]
        i, j = sorted(draw(st.lists(st.integers(0, len(marks) - 1), min_size=2, max_size=2, unique=True)))
        halves = (marks[i : j + 1], marks[j:] + marks[: i + 1])
        halves = [tuple(b for a, b, c in corners(half) if cross(a, b, c)) for half in halves]
        if any(len(half) < 3 or exact_double_area(half) == 0 for half in halves):
            reject()
        pieces += halves
    tilted = draw(st.booleans())
    if tilted:
        # By the angle of the triangle 3-4-5.
        target = tuple((3 * x - 4 * y, 4 * x + 3 * y) for x, y in target)
        pieces = [tuple((3 * x - 4 * y, 4 * x + 3 * y) for x, y in piece) for piece in pieces]
    puzzle = DissectionPuzzle(target, tuple(pieces), no_flip=draw(not_flipped(len(pieces))))
    return puzzle, puzzle.pieces
