"""The checker of tilings against a brute force, and against everything that can be wrong with a tiling."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jigsat as js
from brute_force_lattice import overlap
from dissections import dissections_with_holes, orientations
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.polygons import Isometry, convex_hull, double_area
from jigsat.csp.puzzles.check_tiling import TilingChecker, check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions

HALF = Fraction(1, 2)
UNIT = ((0, 0), (1, 0), (1, 1), (0, 1))
L_SHAPE = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
TILT = Isometry(Fraction(3, 5), Fraction(-4, 5), Fraction(4, 5), Fraction(3, 5), 0, 0)
#: Nine squares; the fifth is in the middle.
NINE = DissectionPuzzle(((0, 0), (3, 0), (3, 3), (0, 3)), (UNIT,) * 9)
OSTOMACHION = read_puzzle("ostomachion")
POINTS = st.tuples(st.integers(-3, 9), st.integers(-3, 9))
CONVEX = st.lists(POINTS, min_size=3, max_size=6).map(convex_hull).filter(lambda hull: len(hull) > 2)


def at(polygon, x, y):
    return tuple((a + x, b + y) for a, b in polygon)


CELLS = tuple(at(UNIT, column, row) for row in range(3) for column in range(3))


def problems(puzzle, tiling):
    return list(check_tiling(puzzle, tuple(tiling)).problems)


def images(puzzle, tiling):
    """The tiling under the target's symmetries and all exchanges of congruent pieces."""
    orders = product(*(permutations(members) for members in puzzle.classes))
    places = [{p: q for m, o in zip(puzzle.classes, order, strict=True) for p, q in zip(m, o, strict=True)}
              for order in orders]  # fmt: skip
    return {
        tuple(motion(tiling[place[piece]]) for piece in range(len(tiling)))
        for motion in puzzle.symmetries
        for place in places
    }


def all_on_the_lattice(puzzle):
    """Every tiling on the lattice: one placement after the other, judged by the checker alone."""
    judge = TilingChecker(puzzle)
    span = range(int(min(min(point) for point in puzzle.target)), int(max(max(point) for point in puzzle.target)) + 1)
    found = []

    def extend(placed):
        if len(placed) == len(puzzle.pieces):
            found.append(tuple(placed))
            return
        for image, x, y in product(orientations(puzzle.pieces[len(placed)]), span, span):
            tiling = (*placed, at(image, x, y), *puzzle.pieces[len(placed) + 1 :])
            later = set(range(len(placed) + 2, len(puzzle.pieces) + 1))
            if all(later & set(fault.pieces) for fault in judge(tiling).faults):
                extend([*placed, at(image, x, y)])

    extend([])
    return [tiling for tiling in found if judge(tiling).is_solution]


@given(CONVEX, CONVEX, st.sampled_from((1, -1)), st.sampled_from((1, -1)))
def test_pieces_overlap_if_they_have_an_area_in_common(one, other, way, other_way):
    """The third piece makes up the area of a target that holds everything; vertices may come in either order."""
    frame = ((-50, -50), (50, -50), (50, 50), (-50, 50))
    rest = 100 - Fraction(double_area(one) + double_area(other), 200)
    last = ((0, 0), (100, 0), (100, rest), (0, rest))
    tiling = (one[::way], other[::other_way], at(last, -50, -1000))
    found = problems(DissectionPuzzle(frame, (one, other, last)), tiling)
    assert ("pieces 1 and 2 overlap" in found) == (overlap(one, other) > 0)


@given(CONVEX)
def test_a_piece_lies_inside_if_its_whole_area_does(polygon):
    """The target is an L of two rectangles."""
    bars = ((-2, -2), (8, -2), (8, 3), (-2, 3)), ((-2, 3), (3, 3), (3, 8), (-2, 8))
    target = ((-2, -2), (8, -2), (8, 3), (3, 3), (3, 8), (-2, 8))
    rest = Fraction(150 - double_area(polygon), 20)
    assume(rest > 0)
    other = ((0, 0), (10, 0), (10, rest), (0, rest))
    found = problems(DissectionPuzzle(target, (polygon, other)), (polygon, other))
    inside = sum(overlap(polygon, bar) for bar in bars) == double_area(polygon)
    assert ("piece 1 does not lie inside the target" not in found) == inside


@pytest.mark.parametrize("name", [pytest.param("four-triangles", marks=pytest.mark.slow), "l-shape"])
def test_a_brute_force_finds_the_known_numbers_of_tilings(name):
    puzzle = replace(read_puzzle(name), motions=Motions.LATTICE)
    tilings = set(all_on_the_lattice(puzzle))
    assert len(tilings) == puzzle.known["count"]
    orbits = {frozenset(images(puzzle, tiling)) for tiling in tilings}
    assert len(orbits) == puzzle.known["canonical_count"]
    assert set().union(*orbits) == tilings


def test_every_image_of_a_tiling_is_one():
    assert OSTOMACHION.motions is Motions.LATTICE
    found = images(OSTOMACHION, OSTOMACHION.pieces)
    assert len(found) == 32
    for puzzle in (OSTOMACHION, replace(OSTOMACHION, motions=Motions.ANY)):
        judge = TilingChecker(puzzle)
        assert all(judge(tiling).is_solution for tiling in found)
        assert all(judge(tuple(polygon[::-1] for polygon in tiling)).is_solution for tiling in found)


def test_pieces_that_are_no_congruent_ones_do_not_change_places():
    tiling = list(OSTOMACHION.pieces)
    tiling[3], tiling[4] = tiling[4], tiling[3]
    assert problems(OSTOMACHION, tiling) == [
        "piece 4 has a different shape in the puzzle",
        "piece 5 has a different shape in the puzzle",
    ]


def test_overlaps_name_both_pieces():
    assert problems(NINE, (*CELLS[:8], CELLS[0])) == ["pieces 1 and 9 overlap"]
    shifted = at(UNIT, Fraction(1, 10**30), 0)
    assert problems(NINE, (shifted, *CELLS[1:])) == ["pieces 1 and 2 overlap"]


def test_a_piece_of_another_shape_leaves_a_gap():
    smaller = ((0, 0), (1, 0), (1, 1 - Fraction(1, 10**30)), (0, 1))
    shape, area = problems(NINE, (smaller, *CELLS[1:]))
    assert shape == "piece 1 has a different shape in the puzzle"
    assert area == "the areas of the polygons do not add up to that of the target"


@pytest.mark.parametrize(
    "polygon",
    [
        ((0, 0), (1, 0), (1 + Fraction(3, 5), Fraction(4, 5)), (Fraction(3, 5), Fraction(4, 5))),
        ((0, 0), (1, 0), (0, 1), (1, 1)),
        ((0, 0), (1, 0), (0, 1)),
        ((0, 0), (1, 0), (1, HALF), (1, 1), (0, 1)),
        ((0, 0), (1, 0), (1, 1), (1, 1)),
    ],
)
def test_another_shape(polygon):
    """A rhombus of equal sides, the square's corners in another order, and other numbers of them."""
    assert problems(NINE, CELLS) == []
    assert "piece 1 has a different shape in the puzzle" in problems(NINE, (polygon, *CELLS[1:]))


@pytest.mark.parametrize(
    "polygon", [at(UNIT, 7, 7), at(UNIT, -1, 0), at(UNIT, HALF, -HALF), at(UNIT, -Fraction(1, 10**30), 0), TILT(UNIT)]
)
def test_outside_the_target(polygon):
    assert "piece 1 does not lie inside the target" in problems(NINE, (polygon, *CELLS[1:]))


# All vertices of the first lie in the L; the third is its notch.
@pytest.mark.parametrize(
    ("polygon", "inside"),
    [
        (((2, 0), (2, 1), (1, 2), (0, 2)), False),
        (((1, HALF), (2, HALF), (2, 2), (1, 2)), False),
        (((1, 1), (2, 1), (2, 2), (1, 2)), False),
        (((0, 0), (2, 0), (2, 1), (0, 1)), True),
        (((0, 0), (1, 0), (1, 2), (0, 2)), True),
        (((0, 0), (2, 0), (0, 2)), True),
        (((0, 0), (2, 0), (2, Fraction(1, 1000)), (0, 2)), False),
    ],
)
def test_a_target_that_is_not_convex(polygon, inside):
    rest = 3 - Fraction(double_area(polygon), 2)
    other = ((0, 0), (1, 0), (1, rest), (0, rest))
    found = problems(DissectionPuzzle(L_SHAPE, (polygon, other)), (polygon, other))
    assert ("piece 1 does not lie inside the target" not in found) == inside


def test_on_the_lattice_pieces_keep_to_it():
    domino = ((0, 0), (2, 0), (2, 1), (0, 1))
    puzzle = DissectionPuzzle(((0, 0), (3, 0), (3, 2), (0, 2)), (domino, domino, domino), Motions.LATTICE)
    upright = ((0, 0), (1, 0), (1, 2), (0, 2))
    assert problems(puzzle, (upright, at(domino, 1, 0), at(domino, 1, 1))) == []
    for polygon, what in (
        (TILT(domino), "is not turned by a multiple of 90 degrees"),
        (at(domino, HALF, 0), "has a vertex that is not a lattice point"),
        (at(domino, 0, parse("sqrt(2)")), "has a vertex that is not a lattice point"),
    ):
        assert f"piece 1 {what}" in problems(puzzle, (polygon, domino, domino))
        free = replace(puzzle, motions=Motions.ANY)
        assert not any(what in problem for problem in problems(free, (polygon, domino, domino)))


def test_the_lattice_is_as_fine_as_the_coordinates():
    thirds = tuple((x + Fraction(1, 3), y) for x, y in UNIT)
    puzzle = DissectionPuzzle(((0, 0), (1, 0), (1, 1), (0, 1)), (thirds,), Motions.LATTICE)
    assert problems(puzzle, (at(UNIT, Fraction(2, 3), Fraction(1, 3)),)) == ["piece 1 does not lie inside the target"]
    assert problems(puzzle, (at(UNIT, HALF, 0),)) == ["piece 1 has a vertex that is not a lattice point"]
    assert problems(puzzle, (UNIT,)) == []


def diamond(x):
    """A square of side 1 on its corner, with its leftmost one at (x, 3/2)."""
    half = parse("1/2*sqrt(2)")
    y = Fraction(3, 2)
    return ((x, y), (x + half, y - half), (x + half + half, y), (x + half, y + half))


def test_irrational_coordinates_are_judged_exactly():
    """A turned square in the middle overlaps four neighbours, but not the four at the corners; their boxes overlap."""
    middle = diamond(parse("3/2-1/2*sqrt(2)"))
    wanted = [f"pieces {one} and {other} overlap" for one, other in ((2, 5), (4, 5), (5, 6), (5, 8))]
    assert problems(NINE, (*CELLS[:4], middle, *CELLS[5:])) == wanted
    touching, nearly = diamond(1), diamond(1 - Fraction(1, 10**40))
    assert "pieces 4 and 5 overlap" not in problems(NINE, (*CELLS[:4], touching, *CELLS[5:]))
    assert "pieces 4 and 5 overlap" in problems(NINE, (*CELLS[:4], nearly, *CELLS[5:]))
    outside = diamond(Fraction(-1, 10**40))
    for polygon, inside in ((diamond(0), True), (outside, False)):
        found = problems(NINE, (polygon, *CELLS[1:]))
        assert ("piece 1 does not lie inside the target" not in found) == inside
    wrong = (*middle[:3], (middle[3][0], middle[3][1] + Fraction(1, 10**40)))
    assert "piece 5 has a different shape in the puzzle" in problems(NINE, (*CELLS[:4], wrong, *CELLS[5:]))


def test_an_unfinished_tiling_is_judged_as_one():
    """Catches missing pieces that are faults one by one, and faults of the others that are overlooked."""
    puzzle = read_puzzle("tangram")
    first, *others = puzzle.pieces
    moved = tuple((x + 1, y) for x, y in first)
    judge = TilingChecker(puzzle)
    for laid, faults in (((None,) * 7, ()), ((first, *[None] * 6), ()), ((moved, *others), ("overlap", "inside"))):
        missing = laid.count(None)
        problems = judge(laid, partial=True).problems
        assert all(any(fault in problem for problem in problems) for fault in faults)
        assert bool(problems) == bool(faults)
        if missing:
            assert judge(laid).problems == (f"{7 - missing} of 7 pieces lie on the target",)
            assert js.check(puzzle, laid, partial=True).accepted == (True,)


def test_a_checker_judges_anew_what_lies_elsewhere_or_is_another_piece():
    """What is remembered of a polygon must not be taken for another piece in the same place."""
    domino = ((0, 0), (2, 0), (2, 1), (0, 1))
    puzzle = DissectionPuzzle(((0, 0), (3, 0), (3, 1), (0, 1)), (domino, UNIT))
    judge = TilingChecker(puzzle)
    assert judge((domino, at(UNIT, 2, 0))).is_solution
    assert judge((at(domino, 1, 0), UNIT)).is_solution
    assert not judge((at(UNIT, 2, 0), domino)).is_solution
    assert not judge((domino, UNIT)).is_solution
    assert not judge((at(domino, 1, 0), at(UNIT, 2, 0))).is_solution


def test_a_tiling_has_a_polygon_for_each_piece():
    with pytest.raises(ValueError, match="8 polygons for 9 pieces"):
        check_tiling(NINE, CELLS[:8])


TRIANGLE = ((0, 0), (1, 0), (0, 1))


@pytest.mark.parametrize("way", [1, -1])
def test_two_pieces_in_one_place_overlap_in_either_order_of_their_vertices(way):
    puzzle = DissectionPuzzle(UNIT, (TRIANGLE, TRIANGLE))
    assert problems(puzzle, (TRIANGLE[::way],) * 2) == ["pieces 1 and 2 overlap"]
    assert problems(puzzle, (TRIANGLE[::way], ((1, 0), (1, 1), (0, 1))[::way])) == []


@pytest.mark.parametrize("target", [((0, 0), (0, -1), (1, 0)), ((0, 0), (1, 0), (0, -1))])
def test_a_target_holds_itself(target):
    assert problems(DissectionPuzzle(target, (target,)), (target,)) == []


def test_lattice_points_may_be_reached_by_other_turns():
    """3, 4 and 4, 3 are as far from the origin, and so are 0, 25 and 7, 24: all distances are right, and one edge."""
    here, there = ((0, 0), (3, 4), (0, 25)), ((0, 0), (4, 3), (7, 24))
    puzzle = DissectionPuzzle(here, (here,), Motions.LATTICE)
    assert "piece 1 is not turned by a multiple of 90 degrees" in problems(puzzle, (there,))
    assert problems(puzzle, (here,)) == []


def test_a_piece_may_equal_itself_after_another_turn():
    """This triangle does, reflected in the line to 2, 1: that it lies unturned is as true."""
    isosceles = ((0, 0), (5, 0), (3, 4))
    assert problems(DissectionPuzzle(isosceles, (isosceles,), Motions.LATTICE), (isosceles,)) == []


@pytest.mark.parametrize("way", [1, -1])
def test_irrational_coordinates_may_be_small(way):
    """Then areas, and how far a point lies from a line, are less than 1."""
    small = tuple((Fraction(x, 20), Fraction(y, 20)) for x, y in UNIT)
    rest = ((0, 0), (1, 0), (1, Fraction(399, 400)), (0, Fraction(399, 400)))
    half = parse("1/40*sqrt(2)")
    puzzle = DissectionPuzzle(UNIT, (small, rest))
    for x, inside in ((0, True), (1, False), (-2 * half, False), (1 - 2 * half, True)):
        turned = ((x, HALF), (x + half, HALF - half), (x + half + half, HALF), (x + half, HALF + half))[::way]
        found = problems(puzzle, (turned, rest))
        assert ("piece 1 does not lie inside the target" not in found) == inside
        assert not any("shape" in problem or "areas" in problem for problem in found)


def test_a_piece_that_may_not_be_turned_over():
    """A turned piece is one, a reflected piece is not; pieces that are their own mirror images never are."""
    triangle, square = ((0, 0), (2, 0), (0, 1)), ((0, 0), (1, 0), (1, 1), (0, 1))
    other = ((2, 0), (2, 1), (0, 1))
    puzzle = DissectionPuzzle(((0, 0), (2, 0), (2, 1), (0, 1)), (triangle, other), no_flip=(1,))
    assert problems(puzzle, (triangle, other)) == []
    reflected = tuple(tuple((2 - x, y) for x, y in polygon) for polygon in (triangle, other))
    assert problems(puzzle, reflected) == ["piece 2 is turned over, which the puzzle does not allow"]
    assert problems(replace(puzzle, no_flip=()), reflected) == []
    assert problems(DissectionPuzzle(square, (square,), no_flip=(0,)), (square[::-1],)) == []


BOARD = ((0, 0), (4, 0), (4, 4), (0, 4))
MIDDLE = ((1, 1), (3, 1), (3, 3), (1, 3))
AROUND = (
    L_SHAPE,
    ((2, 0), (4, 0), (4, 2), (3, 2), (3, 1), (2, 1)),
    ((0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (0, 4)),
    ((3, 2), (4, 2), (4, 4), (2, 4), (2, 3), (3, 3)),
)


def test_pieces_that_are_not_convex_round_a_hole():
    """Four corners lie right; one is not convex the wrong way round, covers the hole, or lies over another one."""
    puzzle = DissectionPuzzle(BOARD, (L_SHAPE,) * 4, holes=(MIDDLE,))
    assert problems(puzzle, AROUND) == []
    inwards = ((0, 1), (1, 1), (1, 0), (2, 0), (2, 2), (0, 2))
    assert problems(puzzle, (inwards, *AROUND[1:])) == ["piece 1 does not lie inside the target"]
    assert "piece 1 does not lie inside the target" in problems(puzzle, (TILT(L_SHAPE), *AROUND[1:]))
    assert problems(puzzle, (AROUND[1], *AROUND[1:])) == ["pieces 1 and 2 overlap"]
    other = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 3))
    assert "piece 1 has a different shape in the puzzle" in problems(puzzle, (other, *AROUND[1:]))
    whole = DissectionPuzzle(BOARD, (*(L_SHAPE,) * 4, MIDDLE))
    assert problems(whole, (*AROUND, MIDDLE)) == []
    assert problems(whole, (*AROUND, at(MIDDLE, 1, 0))) == [f"pieces {i} and 5 overlap" for i in (2, 4)]


def test_one_piece_in_the_notch_of_another():
    """A part of a union is outside of it; two corners interlock."""
    puzzle = DissectionPuzzle(((0, 0), (3, 0), (3, 2), (0, 2)), (L_SHAPE, L_SHAPE))
    interlocked = (L_SHAPE, ((1, 1), (2, 1), (2, 0), (3, 0), (3, 2), (1, 2)))
    assert problems(puzzle, interlocked) == []
    assert problems(puzzle, (L_SHAPE, at(L_SHAPE, 1, 0))) == ["pieces 1 and 2 overlap"]
    assert problems(puzzle, (L_SHAPE, at(L_SHAPE, 1, 1))) == ["piece 2 does not lie inside the target"]


@given(dissections_with_holes(), st.data())
def test_the_checker_and_common_areas_agree(puzzle, data):
    """Any placements near the target: the fault of each is what the oracle's areas say."""
    tiling = []
    for piece in puzzle.pieces:
        image = data.draw(st.sampled_from(orientations(piece)))
        tiling.append(at(image, data.draw(st.integers(-1, 3)), data.draw(st.integers(-1, 2))))
    found = set(problems(replace(puzzle, no_flip=()), tiling))
    for i, polygon in enumerate(tiling, start=1):
        parts, holes = (sum(overlap(one, polygon) for one in some) for some in (puzzle.parts, puzzle.holes))
        assert (f"piece {i} does not lie inside the target" in found) == (parts - holes < double_area(polygon))
        for j, other in enumerate(tiling[: i - 1], start=1):
            assert (f"pieces {j} and {i} overlap" in found) == (overlap(polygon, other) > 0)
