"""The geometric search in fields of square roots: golden triangles, rhombi in regular polygons, lozenges."""

from dataclasses import replace
from itertools import combinations, pairwise
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from brute_force_dissection import all_tilings
from dissections import dissections_with_holes
from golden import ACUTE, GNOMON, PHI, golden_puzzles, regular, rhomb, way
from jigsat.csp.base.errors import EngineError
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.shared_tree import BUDGET_SPENT, EXHAUSTED
from jigsat.csp.search.tilings.any_angle import GeometricWalk
from property_tests import examples


@examples(60, quick=2)
@given(golden_puzzles(most=3))
def test_golden_triangles_equal_brute_force(puzzle):
    every = all_tilings(puzzle)
    assert puzzle.pieces in every
    assert js.count(puzzle).count == len(every)
    result = js.solve(puzzle, all=True, symmetry=False)
    assert {tuple(tiling) for tiling in result.solutions} == every
    assert all(js.check(puzzle, result.solutions).accepted)


LARGE = tuple((PHI * x, PHI * y) for x, y in ACUTE)


@pytest.mark.parametrize(
    ("target", "pieces", "count"),
    [
        # Cut from either end of its base.
        (LARGE, (ACUTE, tuple((PHI * x, PHI * y) for x, y in GNOMON)), 2),
        # The gnomon of the same cuts is cut from either end in its turn; there are two acute pieces.
        (LARGE, (ACUTE, ACUTE, GNOMON), 4 * 2),
        # A diagonal of the rhombus, and two of the pentagon; like pieces are exchanged.
        (rhomb(72), (GNOMON, GNOMON), 1 * 2),
        (regular(5), (ACUTE, GNOMON, GNOMON), 5 * 2),
    ],
)
def test_golden_triangles(target, pieces, count):
    assert js.count(DissectionPuzzle(target, pieces)).count == count


def _rhombic_tilings(order, before=None):
    """How many tilings by rhombi of side 1 a regular polygon has whose sides have these directions, and opposite ones.

    From one half of the boundary to the other, each rhombus swaps two neighbours, and any two directions meet once.  A
    tiling is a class of words of swaps, those that commute in any order: it has one word of layers of swaps, where each
    swap is next to one of the layer before or repeats it (Cartier and Foata 1969).
    """
    swaps = [i for i in range(len(order) - 1) if order[i] < order[i + 1]]
    if not swaps:
        return 1
    total = 0
    for size in range(1, len(swaps) + 1):
        for layer in combinations(swaps, size):
            apart = all(b - a > 1 for a, b in pairwise(layer))
            if apart and (before is None or all(any(abs(i - j) < 2 for j in before) for i in layer)):
                after = list(order)
                for i in layer:
                    after[i], after[i + 1] = after[i + 1], after[i]
                total += _rhombic_tilings(tuple(after), layer)
    return total


@pytest.mark.parametrize(
    ("n", "rhombi", "canonical"),
    [
        (4, {45: 4, 90: 2}, 1),
        pytest.param(5, {36: 5, 72: 5}, 6, marks=pytest.mark.slow),
        pytest.param(6, {30: 6, 60: 6, 90: 3}, 43, marks=pytest.mark.slow),
    ],
)
def test_rhombi_in_a_regular_polygon(n, rhombi, canonical):
    """8, 62 and 908 tilings (OEIS A006245), in the fields of sqrt(2), sqrt(5) with the nested root, and sqrt(3)."""
    pieces = [rhomb(angle) for angle, number in rhombi.items() for _ in range(number)]
    result = js.count(DissectionPuzzle(regular(2 * n), tuple(pieces)))
    assert result.count == _rhombic_tilings(tuple(range(n))) * prod(map(factorial, rhombi.values()))
    assert result.canonical_count == canonical


def test_a_stopped_search_continues():
    """Positions of the search are numbers of children, which do not depend on the field."""
    puzzle = js.read("decagon")
    walk = GeometricWalk(puzzle, by_class=True, break_symmetry=False)
    walk.make_room(1000)
    assert walk.advance(300) == BUDGET_SPENT
    found, rest = walk.solutions().tolist(), walk.rest()
    for place in rest:
        other = walk.twin()
        other.make_room(1000)
        other.begin_at(place)
        assert other.advance(10**6) == EXHAUSTED
        found += other.solutions().tolist()
    assert len(found) == len({tuple(row) for row in found}) == 62


@pytest.mark.slow
def test_directions_in_the_largest_field():
    """A hexagon with sides at 0, 21 and 60 degrees has two tilings by its three rhombi, each turned by half a turn."""
    hexagon = way(*((1, degrees) for degrees in (0, 21, 60, 180, 201, 240)))
    puzzle = DissectionPuzzle(hexagon, (rhomb(21), rhomb(39), rhomb(60)))
    result = js.solve(puzzle, all=True, symmetry=False)
    assert len(result.solutions) == 2
    assert all(js.check(puzzle, result.solutions).accepted)


def test_any_motions_find_the_tilings_on_a_lattice():
    calissons = js.read("calissons")
    assert js.count(calissons, motions="any").count == js.count(calissons).count == 20 * factorial(12)
    longram = js.read("longram")
    assert js.count(longram, motions="any").count == js.count(longram).count == 40


@examples(60, quick=4)
@given(dissections_with_holes(most=4), st.sampled_from(["sqrt(2)", "1+sqrt(3)", "1/2+1/2*sqrt(5)", "sqrt(5+sqrt(5))"]))
def test_a_similar_puzzle_has_as_many_tilings(puzzle, text):
    """Holes and pieces that are not convex; rational coordinates are searched in another way."""
    puzzle, scale = replace(puzzle, motions=Motions.ANY), parse(text)
    target, holes, pieces = (
        tuple(tuple((x * scale, y * scale) for x, y in polygon) for polygon in polygons)
        for polygons in (puzzle.parts, puzzle.holes, puzzle.pieces)
    )
    similar = replace(puzzle, target=target, holes=holes, pieces=pieces)
    here, there = js.count(puzzle), js.count(similar)
    assert (here.count, here.canonical_count) == (there.count, there.canonical_count)


def test_other_directions_are_refused():
    """The diagonal of a rectangle of sides 1 and sqrt(2)."""
    root = parse("sqrt(2)")
    half = ((0, 0), (1, 0), (0, root))
    puzzle = DissectionPuzzle(((0, 0), (1, 0), (1, root), (0, root)), (half, half))
    with pytest.raises(EngineError, match="or rational multiples of one number, or edges at multiples of 3 degrees"):
        js.count(puzzle)
