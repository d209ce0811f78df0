"""Dissections with square roots: all engines, the judges, certificates and pictures, against plain recursion."""

from fractions import Fraction
from itertools import product
from math import factorial
from random import Random

import pytest

import jigsat as js
from jigsat.csp.base.errors import EngineError, PuzzleError
from jigsat.csp.files.instances import format_instance, parse_instance
from jigsat.csp.geometry.exact_numbers import parse, surd
from jigsat.csp.puzzles.check_tiling import TilingChecker, check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions

HALF, SINE = Fraction(1, 2), parse("1/2*sqrt(3)")
SIXTHS = ((1, 0), (HALF, SINE), (-HALF, SINE), (-1, 0), (-HALF, -SINE), (HALF, -SINE))
ENGINES = ("backtrack", "cpsat", "sat:cadical195")


def at(i, j):
    return i + j * HALF, j * SINE


def on_lattice(*points):
    return tuple(at(i, j) for i, j in points)


TRIANGLE, LARGE = on_lattice((0, 0), (1, 0), (0, 1)), on_lattice((0, 0), (2, 0), (0, 2))
LOZENGE, TRAPEZIUM = on_lattice((0, 0), (1, 0), (1, 1), (0, 1)), on_lattice((0, 0), (2, 0), (1, 1), (0, 1))
# A half of an equilateral triangle of side 2: with angles of 30, 60 and 90 degrees.
HALVED = on_lattice((0, 0), (1, 0), (-1, 2))
AREAS = {TRIANGLE: 1, LARGE: 4, LOZENGE: 2, TRAPEZIUM: 3, HALVED: 2}


def hexagon(a, b, c):
    return on_lattice((0, 0), (a, 0), (a, b), (a - c, b + c), (-c, b + c), (-c, c))


def all_tilings(puzzle, box):
    """Every tiling with lattice motions, judged by the checker alone: pieces turned by numbers, placed everywhere."""
    judge = TilingChecker(puzzle)

    def places(piece):
        shapes = set()
        for (c, s), flip in product(SIXTHS, (1, -1)):
            turned = [(c * x - s * flip * y, s * x + c * flip * y) for x, y in piece]
            shapes.add(tuple((x - turned[0][0], y - turned[0][1]) for x, y in turned))
        for shape, i, j in product(shapes, box, box):
            x, y = at(i, j)
            yield tuple((x + u, y + v) for u, v in shape)

    def alone(number, place):
        tiling = (*puzzle.pieces[:number], place, *puzzle.pieces[number + 1 :])
        return not any(number + 1 in fault.pieces and len(fault.pieces) == 1 for fault in judge(tiling).faults)

    def extend(placed):
        if len(placed) == len(puzzle.pieces):
            return int(judge(tuple(placed)).is_solution)
        found = 0
        for place in fitting[len(placed)]:
            tiling = (*placed, place, *puzzle.pieces[len(placed) + 1 :])
            faults = [fault.pieces for fault in judge(tiling).faults if fault.pieces]
            if all(max(pieces) > len(placed) + 1 for pieces in faults):
                found += extend([*placed, place])
        return found

    distinct = [{frozenset(place): place for place in places(piece)}.values() for piece in puzzle.pieces]
    fitting = [[place for place in some if alone(number, place)] for number, some in enumerate(distinct)]
    return extend([])


@pytest.mark.parametrize(("sides", "boxes"), [((1, 1, 1), 2), ((2, 1, 1), 3), ((2, 2, 1), 6), ((2, 2, 2), 20)])
def test_lozenges_in_a_hexagon(sides, boxes):
    """As many as plane partitions in a box (MacMahon 1916)."""
    a, b, c = sides
    number = a * b + b * c + c * a
    puzzle = DissectionPuzzle(hexagon(*sides), (LOZENGE,) * number, Motions.LATTICE)
    assert len(puzzle.symmetries) == (12 if a == b == c else 4)
    assert js.count(puzzle, engine="backtrack").count == boxes * factorial(number)


def random_puzzles():
    random = Random(5)
    targets = [(LARGE, 4), (hexagon(1, 1, 1), 6), (TRAPEZIUM, 3), (hexagon(1, 1, 1), 6)] * 2
    for number, (target, area) in enumerate(targets):
        pieces, left = [], area
        while left:
            piece = random.choice([piece for piece, size in AREAS.items() if size <= left and piece != target])
            pieces.append(piece)
            left -= AREAS[piece]
        no_flip = tuple(i for i in range(len(pieces)) if number % 2 and random.random() < 0.5)
        yield DissectionPuzzle(target, tuple(pieces), Motions.LATTICE, no_flip=no_flip)


SAMPLES = [
    pytest.param(puzzle, marks=[pytest.mark.slow] * (number > 0), id=str(number))
    for number, puzzle in enumerate(random_puzzles())
]


@pytest.mark.parametrize("puzzle", SAMPLES)
def test_engines_equal_plain_recursion(puzzle):
    count = all_tilings(puzzle, range(-2, 3))
    assert [js.count(puzzle, engine=engine).count for engine in ENGINES] == [count] * 3


def test_a_rectangle_turns_by_halves():
    """Two rectangles of sides 1 and sqrt(2) lie side by side in two ways, and never across."""
    root = surd({2: 1})
    piece = ((0, 0), (1, 0), (1, root), (0, root))
    puzzle = DissectionPuzzle(((0, 0), (2, 0), (2, root), (0, root)), (piece, piece), Motions.LATTICE)
    assert [js.count(puzzle, engine=engine).count for engine in ENGINES] == [2, 2, 2]
    assert js.count(puzzle, motions="any").count == 2
    upright = ((0, 0), (root, 0), (root, 2), (0, 2))
    with pytest.raises(PuzzleError, match=r"the x coordinates have multiples of 1 and sqrt\(2\)"):
        DissectionPuzzle(upright, (piece, piece), Motions.LATTICE)


def test_the_judge_knows_turns_and_points():
    puzzle = DissectionPuzzle(LOZENGE, (TRIANGLE, TRIANGLE), Motions.LATTICE)
    other = on_lattice((1, 0), (1, 1), (0, 1))
    assert check_tiling(puzzle, (TRIANGLE, other)).is_solution
    shifted = tuple((x + HALF, y) for x, y in TRIANGLE)
    upright = tuple((-y, x) for x, y in TRIANGLE)
    faults = check_tiling(puzzle, (shifted, upright)).problems
    assert "piece 1 has a vertex that is not a lattice point" in faults
    assert "piece 2 is not turned by a multiple of 60 degrees" in faults


@pytest.mark.slow
def test_calissons_from_file_to_certificate(tmp_path):
    puzzle = js.read("calissons")
    assert parse_instance(format_instance(puzzle), "again") == puzzle
    result = js.solve(puzzle, all=True)
    assert len(result.solutions) == 6
    assert all(js.check(puzzle, result.solutions).accepted)
    assert js.draw(puzzle, result.solutions[0]).svg.startswith("<")
    proof = tmp_path / "calissons.drat"
    counted = js.count(puzzle, engine="sat:cadical195", proof=proof)
    assert (counted.count, counted.canonical_count) == (20 * factorial(12), 6)
    assert js.verify(puzzle, f"{proof}.json").holds
    forms = js.forms(puzzle)
    assert [(len(form.target), form.canonical_count) for form in forms.forms] == [(4, 1), (4, 1), (4, 1), (6, 6)]


def test_golden_numbers_have_no_lattice():
    """A triangle with sides in different fields is cut into two: judged, but not searched, for it has other angles."""
    phi, height = parse("1/2+1/2*sqrt(5)"), 2
    half, whole = ((0, 0), (phi, 0), (0, height)), ((-1, 0), (phi, 0), (0, height))
    puzzle = DissectionPuzzle(whole, (half, ((-1, 0), (0, 0), (0, height))))
    assert check_tiling(puzzle, puzzle.pieces).is_solution
    with pytest.raises(EngineError, match="needs rational coordinates, or rational multiples of one number"):
        js.count(puzzle)
    with pytest.raises(PuzzleError, match=r"multiples of 1 and sqrt\(5\), so that the vertices lie on no lattice"):
        puzzle.with_motions("lattice")
