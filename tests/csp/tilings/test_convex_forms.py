"""Convex forms: no candidate is missing, none is there twice, and published numbers of tileable forms come out."""

from itertools import combinations, product
from math import gcd

import pytest

from dissections import L_SHAPE, orientations
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.polygons import convex_hull, counterclockwise, double_area
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.convex_forms import FormClass
from jigsat.csp.tilings.tile_forms import solved_forms

SMALL_TRIANGLE, UNIT_SQUARE = ((0, 0), (1, 0), (0, 1)), ((0, 0), (1, 0), (1, 1), (0, 1))
LONG_TRIANGLE = ((0, 0), (2, 0), (0, 1))
RECTANGLE = ((0, 0), (3, 0), (3, 1), (0, 1))
# Areas 1/2, 1/2, 1 and 1; the long sides of the long triangle's kind are one alone, so they are always on the rim.
TINY = {
    "even": DissectionPuzzle(((0, 0), (2, 0), (2, 1), (0, 1)), (SMALL_TRIANGLE, SMALL_TRIANGLE, UNIT_SQUARE)),
    "odd": DissectionPuzzle(RECTANGLE, (SMALL_TRIANGLE, SMALL_TRIANGLE, UNIT_SQUARE, LONG_TRIANGLE)),
    "seam": DissectionPuzzle(RECTANGLE, (UNIT_SQUARE, LONG_TRIANGLE, LONG_TRIANGLE)),
    # Pieces that are not convex: two edges of one of them may be on one side.
    "angle": DissectionPuzzle(((0, 0), (2, 0), (2, 2), (0, 2)), (L_SHAPE, SMALL_TRIANGLE, SMALL_TRIANGLE)),
    "dart": DissectionPuzzle(((0, 0), (3, 0), (0, 3)), (((0, 0), (3, 0), (1, 1), (0, 3)), ((3, 0), (0, 3), (1, 1)))),
    "notch": DissectionPuzzle(
        ((0, 0), (3, 0), (3, 2), (0, 2)),
        (((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)), UNIT_SQUARE),
    ),
}
# The seam is the bottom of a slot: of the two ways to join the pieces there, one is an overlap.
SLOT = DissectionPuzzle(
    ((0, 0), (3, 0), (3, 3), (0, 3)),
    (((0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 2), (1, 3), (0, 3)), ((1, 2), (2, 1), (2, 3), (1, 3))),
)


def steps(polygon):
    """The slope of each side, and how many lattice steps it is long."""
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        dx, dy = abs(x1 - x0), abs(y1 - y0)
        common = gcd(dx, dy)
        yield tuple(sorted((dx // common, dy // common))), common


def all_polygons(puzzle, vertices, side):
    """All convex lattice polygons in a square that have the right area and sides along the pieces' edges."""
    slopes = {slope for piece in puzzle.pieces for slope, _ in steps(piece)}
    found = set()
    for points in combinations(product(range(side), repeat=2), vertices):
        hull = convex_hull(points)
        if len(hull) == vertices and double_area(hull) == double_area(puzzle.target):
            polygon = counterclockwise(hull)
            if all(slope in slopes for slope, _ in steps(polygon)):
                found.add(orientations(polygon)[0])
    return found


def tilings(puzzle, target):
    """How many tilings a target has, counted without a look at its rim."""
    moved = DissectionPuzzle(target, puzzle.pieces, Motions.LATTICE)
    result = find_engine("backtrack", kind="dissection").run(moved, Goal.COUNT)
    return result.count, result.canonical_count


@pytest.mark.some_cases(6)
@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("vertices", [3, 4, 5])
def test_no_form_is_missing(name, vertices):
    # Would catch a side, a direction or a length that the search for outlines leaves out, and a rim refuted in error.
    puzzle = TINY[name]
    counted = {target: tilings(puzzle, target) for target in all_polygons(puzzle, vertices, 5 if vertices > 3 else 8)}
    expected = {target: counts for target, counts in counted.items() if counts[0]}
    form_class = FormClass(puzzle, vertices, seams=True)
    candidates = list(form_class.candidates())
    assert len(set(candidates)) == len(candidates)
    solved = solved_forms(form_class, candidates)
    found = {form.target: (form.count, form.canonical_count) for form in solved if form.count}
    # What is too long for the square of the comparison is not expected.
    assert expected == {target: counts for target, counts in found.items() if target in counted}
    assert all(max(max(point) for point in target) > 4 for target in found if target not in counted)


def test_no_slanted_side_is_refuted_by_colours():
    """The integral along an edge changes its rule at whole numbers of both coordinates."""
    pieces = [[(2, 0), (3, 0), (3, 2), (0, 2)], [(0, 2), (0, 0), (1, 0)], [(1, 0), (2, 0), (0, 2)]]
    puzzle = DissectionPuzzle(((0, 0), (3, 0), (3, 2), (0, 2)), pieces, Motions.LATTICE)
    form_class = FormClass(puzzle, 4, seams=True)
    forms = {form.target: form for form in solved_forms(form_class, list(form_class.candidates()))}
    slanted = forms[(0, 0), (1, 0), (5, 2), (0, 2)]
    assert (slanted.count, slanted.reason) == (1, None)
    for target, form in forms.items():
        assert (form.count > 0) == (tilings(puzzle, target)[0] > 0)


def _solved(form_class, **options):
    return list(solved_forms(form_class, list(form_class.candidates()), **options))


def test_seams_are_left_out_unless_asked_for():
    puzzle = TINY["seam"]
    # Two pieces alone have edges of slope 2:1: left out, no form may show them, and some do when asked for.
    hidden, shown = ({f.target for f in _solved(FormClass(puzzle, 4, seams=s)) if f.count} for s in (False, True))
    assert [slope.step for slope in FormClass(puzzle, 4).left_out] == [(2, 1)]
    assert hidden == {target for target in shown if all(slope != (1, 2) for slope, _ in steps(target))}
    assert hidden < shown


def test_a_seam_in_a_slot():
    hidden, shown = ({f.target for f in _solved(FormClass(SLOT, seams=s)) if f.count} for s in (False, True))
    assert hidden == shown == {SLOT.target}


def test_ostomachion_has_three_seams():
    left_out = FormClass(read_puzzle("ostomachion"), 4).left_out
    assert sorted(tuple(piece + 1 for piece, _ in slope.edges) for slope in left_out) == [(1, 2), (4, 5), (12, 14)]
    assert not FormClass(read_puzzle("ostomachion"), 4, seams=True).left_out


@pytest.mark.parametrize(("name", "expected"), [("ostomachion", [16, 32, 1194]), ("ostomachion-11", [8, 16, 597])])
def test_ostomachion_makes_three_triangles(name, expected):
    puzzle = read_puzzle(name)
    forms = _solved(FormClass(puzzle, 3))
    assert sorted(form.canonical_count for form in forms) == expected


@pytest.mark.slow
def test_ostomachion_makes_58_tetragons():
    # The square is among them, with its famous number.
    puzzle = read_puzzle("ostomachion")
    counts = {form.target: form.count for form in _solved(FormClass(puzzle, 4))}
    assert len(counts) == 121
    assert sum(count > 0 for count in counts.values()) == 58
    assert counts[puzzle.target] == 17152


def test_a_stop_ends_the_forms():
    puzzle = read_puzzle("tangram")
    asked = []

    def must_stop():
        asked.append(True)
        return len(asked) > 2

    assert len(_solved(FormClass(puzzle, 4), must_stop=must_stop)) <= 2
    assert _solved(FormClass(puzzle, 4), must_stop=lambda: True) == []


def test_convex_polyaboloes():
    """Their numbers (OEIS A245676): the candidates of n right isosceles triangles, if their sides are free."""
    triangle = ((0, 0), (1, 0), (0, 1))
    numbers = []
    for n in range(1, 17):
        puzzle = DissectionPuzzle(((0, 0), (n, 0), (0, 1)), (triangle,) * n)
        numbers.append(len(list(FormClass(puzzle, seams=True, any_lengths=True).candidates())))
    assert numbers == [1, 3, 2, 6, 3, 7, 5, 11, 5, 10, 7, 14, 7, 16, 11, 20]


def test_twenty_candidates_of_the_tangram():
    # Wang and Hsiung 1942.  Thirteen can be tiled.
    form_class = FormClass(read_puzzle("tangram"), any_lengths=True)
    reasons = {form.target: form.reason for form in _solved(form_class) if not form.count}
    assert len(list(form_class.candidates())) == 20
    assert reasons == {
        ((0, 0), (1, 0), (9, 8), (8, 8)): "lengths",
        ((0, 0), (1, 0), (1, 8), (0, 8)): "colouring",
        ((0, 0), (1, 1), (1, 8), (0, 9)): "colouring",
        ((0, 0), (1, 1), (1, 9), (0, 8)): "colouring",
        ((0, 1), (1, 0), (5, 4), (4, 5)): "search",
        ((0, 0), (2, 0), (5, 3), (5, 5)): "search",
        ((0, 0), (2, 0), (6, 4), (4, 4)): "search",
    }
