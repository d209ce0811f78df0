"""A dissection puzzle: what it derives from its polygons, and what it refuses."""

import copy
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.polygons import Isometry
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions, tiling_of

SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
UNIT = ((0, 0), (1, 0), (1, 1), (0, 1))
TRIANGLE = ((0, 0), (2, 0), (0, 2))
DOMINO = ((0, 0), (2, 0), (2, 1), (0, 1))
HALF = Fraction(1, 2)
#: A quarter turn is a lattice motion, the turn of the 3-4-5 triangle is not.
TILT = Isometry(Fraction(3, 5), Fraction(-4, 5), Fraction(4, 5), Fraction(3, 5), 7, 7)
QUARTER = Isometry(0, -1, 1, 0, 3, 3)


def test_the_step_is_the_greatest_common_divisor_of_all_differences():
    assert str(DissectionPuzzle(SQUARE, (TRIANGLE, TRIANGLE)).lattice) == "multiples of 2"
    third = tuple((x + Fraction(1, 3), y) for x, y in TRIANGLE)
    puzzle = DissectionPuzzle(SQUARE, (third, tuple((x, y + HALF) for x, y in TRIANGLE)))
    assert str(puzzle.lattice) == "multiples of 1/6"
    assert puzzle.in_lattice_units(puzzle.pieces[0]) == ((2, 0), (14, 0), (2, 12))


@pytest.mark.parametrize(("motions", "number"), [(Motions.ANY, 8), (Motions.LATTICE, 4)])
def test_symmetries_of_a_tilted_square(motions, number):
    """Its mirrors lie at an angle, so that on the lattice only its quarter turns are allowed."""
    square, triangle = TILT(SQUARE), TILT(TRIANGLE)
    found = DissectionPuzzle(square, (triangle, triangle), motions).symmetries
    assert len(found) == number
    assert found[0] == (1, 0, 0, 1, 0, 0)
    assert all(motion(square) == square for motion in found)


@pytest.mark.parametrize(
    ("motions", "classes"), [(Motions.ANY, ((0, 2, 3), (1, 4))), (Motions.LATTICE, ((0, 2), (1, 4), (3,)))]
)
def test_classes_are_of_pieces_that_can_change_places(motions, classes):
    pieces = (TRIANGLE, DOMINO, QUARTER(TRIANGLE), TILT(TRIANGLE), DOMINO[1:] + DOMINO[:1])
    puzzle = DissectionPuzzle(((0, 0), (10, 0), (10, 1), (0, 1)), pieces, motions)
    assert puzzle.classes == classes
    assert all(piece in puzzle.classes[number] for piece, number in enumerate(puzzle.class_of))


def test_mirror_images_take_the_places_of_pieces_that_do_not_flip():
    """Right triangles of both kinds, one piece that is its own mirror image, and one without a mirror image."""
    right, left, square = ((0, 0), (1, 0), (0, 2)), ((0, 0), (2, 0), (0, 1)), UNIT
    target = ((0, 0), (3, 0), (3, 1), (0, 1))
    puzzle = DissectionPuzzle(target, (right, left, square), no_flip=(2, 1, 0, 0))
    assert puzzle.no_flip == (0, 1, 2)
    assert (puzzle.classes, puzzle.flips, puzzle.mirror_of) == (((0,), (1,), (2,)), (False, False, True), (1, 0, 2))
    assert len(puzzle.symmetries) == 4
    assert puzzle.mirror_kinds(puzzle.classes) == (1, 0, 2)
    one = replace(puzzle, no_flip=(0,))
    assert (one.classes, one.mirror_of, len(one.symmetries)) == (((0,), (1,), (2,)), (None, 1, 2), 2)
    assert one.mirror_kinds(one.classes) == (0, 1, 2)
    assert DissectionPuzzle(target, (right, left, square)).classes == ((0, 1), (2,))
    alike = replace(puzzle, pieces=(right, right, square))
    assert (alike.classes, alike.mirror_of) == (((0, 1), (2,)), (None, None, 2))


@pytest.mark.parametrize("number", [np.int8, np.int64, sympy.Integer, lambda c: sympy.Rational(c, 1)])
def test_numbers_of_other_packages_become_exact_ones(number):
    square, triangle = ([(number(50 * x), number(50 * y)) for x, y in polygon] for polygon in (SQUARE, TRIANGLE))
    puzzle = DissectionPuzzle(square, (triangle, triangle))
    assert {type(c) for polygon in (puzzle.target, *puzzle.pieces) for point in polygon for c in point} <= {
        int,
        Fraction,
    }
    assert puzzle.area == 2500 * DissectionPuzzle(SQUARE, (TRIANGLE, TRIANGLE)).area


@pytest.mark.parametrize(
    ("target", "pieces", "message"),
    [
        (SQUARE, (UNIT,) * 2001, "2001 pieces: a dissection has 1 to 2000"),
        (SQUARE[:2], (UNIT,) * 4, "target: 2 vertices; a polygon has 3 to 2000"),
        (SQUARE, (UNIT, tuple((i, i * i) for i in range(2001))), "piece 2: 2001 vertices; a polygon has 3 to 2000"),
        (SQUARE, (TRIANGLE, TRIANGLE, TRIANGLE), "the total area of the pieces is 6, but that of the target is 4"),
        (((0, 0), (4, 0), (2, 0), (2, 2)), (UNIT,), r"target: degenerate at \(4, 0\), which lies on a line"),
        (SQUARE, (((0, 0), (parse("sqrt(2)"), 0), (0, 1)),), r"pieces is 1/2\*sqrt\(2\), but that of the target"),
        (SQUARE, (((0, 0), (parse("1/1000001*sqrt(2)"), 0), (0, 1)),), "piece 1: vertex 2 has a coordinate, or"),
        (SQUARE, (((0, 0), (1, 0), (0, Fraction(1, 10**6 + 1))),), "piece 1: vertex 3 has a coordinate, or a denomin"),
        (SQUARE, (((0, 0), (1, 0), (0, 0.5)),), "piece 1, vertex 3: coordinates must be exact, .*; 0.5 is not"),
        (((0, 0), (True, 0), (0, 1)), (UNIT,), "target, vertex 2: coordinates must be exact, .*; True is not"),
        (((0, 0), (2, 0), (0, "2")), (UNIT,), "target, vertex 3: coordinates must be exact, .*; '2' is not"),
        ((0, 1, 2), (UNIT,), r"target: \(0, 1, 2\) is not a list of points \(x, y\)"),
    ],
)
def test_what_is_no_dissection_is_refused(target, pieces, message):
    with pytest.raises(PuzzleError, match=message):
        DissectionPuzzle(target, pieces)


BOARD = ((0, 0), (4, 0), (4, 4), (0, 4))
MIDDLE = ((1, 1), (3, 1), (3, 3), (1, 3))


def test_holes_may_touch_each_other_and_the_rim_in_points():
    """The order in which they are given makes no difference."""
    low, high = ((0, 1), (1, 1), (2, 2)), ((2, 2), (3, 2), (3, 3), (2, 3))
    bar = ((0, 0), (29 * HALF, 0), (29 * HALF, 1), (0, 1))
    one, other = (DissectionPuzzle(BOARD, (bar,), holes=holes) for holes in ((low, high), (high, low)))
    assert one == other


@pytest.mark.parametrize(
    ("holes", "message"),
    [
        ((((1, 1), (2, 1)),), "hole 1: 2 vertices; a polygon has 3 to 2000"),
        ((MIDDLE, ((0, 0), (1, 1), (0, 1), (1, 0))), "hole 2: crosses itself"),
        ((tuple((x + 2, y) for x, y in MIDDLE),), "hole 1: not inside the target"),
        ((((0, 0), (1, 0), (1, 1), (0, 1)),), "hole 1: has a part of an edge in common with the target; cut it out of"),
        ((BOARD,), "hole 1: has a part of an edge in common with the target"),
        ((MIDDLE, ((2, 2), (3, 2), (Fraction(5, 2), 3))), "hole 2: overlaps hole 1 or has a part of an edge in common"),
        ((((1, 1), (2, 1), (2, 3), (1, 3)), ((2, 2), (3, 2), (3, 3), (2, 3))), "hole 2: overlaps hole 1 or has a part"),
        ((MIDDLE,), "the total area of the pieces is 16, but that of the target without its holes is 12"),
    ],
)
def test_what_is_no_hole_is_refused(holes, message):
    with pytest.raises(PuzzleError, match=message):
        DissectionPuzzle(BOARD, (BOARD,), holes=holes)


def test_a_tiling_that_knows_its_puzzle_is_its_tuple():
    """Catches tilings that differ from what they are compared with, and puzzles that get lost on the way."""
    puzzle = DissectionPuzzle(SQUARE, (TRIANGLE, TRIANGLE))
    polygons = (TRIANGLE, ((2, 0), (2, 2), (0, 2)))
    tiling = tiling_of(puzzle, polygons)
    assert tiling == polygons
    assert hash(tiling) == hash(polygons)
    for copied in (pickle.loads(pickle.dumps(tiling)), copy.deepcopy(tiling)):
        assert (copied, copied.puzzle) == (polygons, puzzle)
    assert tiling_of(puzzle, tiling) is tiling
