"""Small dissections made by hypothesis, each with at least one tiling."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from hypothesis import reject
from hypothesis import strategies as st

from brute_force_lattice import double_area
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.geometry.polygons import LATTICE_MOTIONS, Isometry, corners, cross, edges
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


def outline(cells):
    """The boundary of a union of cells, counter-clockwise; None if it is not one simple polygon."""
    sides = {side for cell in cells for side in edges(cell)}
    following = {a: b for a, b in sides if (b, a) not in sides}
    boundary = [(a, b) for a, b in sides if (b, a) not in sides]
    way = [min(following)]
    while following[way[-1]] != way[0] and len(way) < len(following):
        way.append(following[way[-1]])
    return straightened(way) if len(way) == len(following) == len(boundary) else None


def grids(choose, width, height):
    """The unit squares of a rectangle, some of them cut along a diagonal; `choose` takes one of several."""
    cells = []
    for x in range(width):
        for y in range(height):
            a, b, c, d = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
            cuts = [[(a, b, c, d)], [(a, b, c, d)], [(a, b, c), (a, c, d)], [(a, b, d), (b, c, d)]]
            cells += choose(cuts)
    return cells


def joined(choose, groups, most):
    """Cells joined along sides to at most `most` groups with simple outlines; None if there is no way on."""
    groups = [[group] for group in groups]
    while len(groups) > most:
        pairs = [
            (i, j) for j in range(len(groups)) for i in range(j)
            if {side[::-1] for cell in groups[i] for side in edges(cell)} & {s for c in groups[j] for s in edges(c)}
            and outline(groups[i] + groups[j]) is not None
        ]  # fmt: skip
        if not pairs:
            return None
        i, j = choose(pairs)
        groups[i] += groups.pop(j)
    return groups


@st.composite
def dissections_with_holes(draw, most=4):
    """A rectangle with at most two holes, cut into a few pieces, convex or not: there is at least one tiling."""
    puzzle = pierced(lambda some: draw(st.sampled_from(some)), most)
    if puzzle is None:
        reject()
    return replace(puzzle, no_flip=draw(not_flipped(len(puzzle.pieces))))


def pierced(choose, most):
    """The same by choices of one thing of several, all pieces turned over or not; None if the choices lead nowhere."""
    width, height = choose([(1, 2), (2, 2), (3, 2), (3, 3), (4, 3)])
    cells = grids(choose, width, height)
    rim = {side for cell in cells for side in edges(cell) if not _is_inner(side, width, height)}
    inner = [cell for cell in cells if not rim & set(edges(cell))]
    taken = list(dict.fromkeys(choose(inner) for _ in range(choose(range(5))))) if inner else []
    holes, left = joined(choose, taken, 2), [cell for cell in cells if cell not in taken]
    groups = None if holes is None else joined(choose, left, most)
    if groups is None:
        return None
    target = ((0, 0), (width, 0), (width, height), (0, height))
    pieces, outlines = (tuple(tuple(outline(group)) for group in some) for some in (groups, holes))
    try:
        return DissectionPuzzle(target, pieces, Motions.LATTICE, holes=outlines)
    except PuzzleError:  # two holes with a common side
        return None


def _is_inner(side, width, height):
    (x, y), (u, v) = side
    return not (x == u and x in (0, width)) and not (y == v and y in (0, height))


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


def orientations(polygon, *, flip=True):
    """The polygon after each of the eight lattice motions, those that look alike once, each with least x and y 0.

    Without `flip` it is not turned over.
    """
    found = set()
    for a, b, c, d in LATTICE_MOTIONS if flip else LATTICE_MOTIONS[:4]:
        image = Isometry(a, b, c, d, 0, 0)(polygon)
        left, bottom = min(x for x, _ in image), min(y for _, y in image)
        found.add(tuple((x - left, y - bottom) for x, y in image))
    return tuple(sorted(found))


def box(x, y, width=1, height=1):
    """A rectangle from its lower left corner on."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def tilings_of(puzzle):
    """All tilings, one of each orbit, as the native search finds them."""
    return find_engine("backtrack", kind="dissection").run(puzzle, Goal.ALL).solutions
