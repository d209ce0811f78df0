"""The rest of a dissection: its tilings are those of the whole with the laid pieces where they are."""

from random import Random

import pytest

import jigsat as js
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.puzzles.rest_of_tiling import rest_of_tiling

# Gaps, a cell that is left free, spare pieces, pieces that may not be turned or turned over, and a hole.
CELLS = js.DissectionPuzzle(
    ["#####", "##.##", "#####"], [["##"], ["##"], ["##", "#."], ["###"], ["##", ".#"], ["#"]], cells="squares",
    leave=True, spare=(0, 5), no_turn=(1,), no_flip=(4,),
)  # fmt: skip
NAMED = js.DissectionPuzzle(
    ["###", "###", "###"], [["##"], ["##", "#."], ["###"], ["#"], ["##"]], cells="squares", leave="B2", spare=(3, 4)
)
TRIANGLES = js.DissectionPuzzle(["#####", "#####"], [["##"], ["###"], ["##"], ["#", "#"], ["#"]], cells="triangles")
QUICK = [js.read("tangram"), js.read("perigal"), js.read("nineteen-forms-3"), CELLS, NAMED, TRIANGLES]
LONG = [js.read(name) for name in ("ostomachion", "pentominoes-6x10", "pentominoes-8x8", "longram")]


def left(puzzle, tiling):
    """The number of tilings that have these pieces."""
    try:
        rest = rest_of_tiling(puzzle, tiling)
    except PuzzleError:
        return 0
    return 1 if rest is None else js.count(rest).count


@pytest.mark.parametrize(
    "puzzle", [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in LONG)], ids=lambda puzzle: puzzle.name
)
def test_the_ways_left_are_the_listed_tilings_that_agree(puzzle):
    """Catches ends of the rest's rim that are joined wrongly, a coarser lattice, and pieces that lose what they may."""
    random, number = Random(7), len(puzzle.pieces)
    tilings = js.solve(puzzle, all=True, symmetry=False).solutions
    assert tilings
    places = [{tiling[piece] for tiling in tilings} - {None} for piece in range(number)]
    for _ in range(20):
        kept = random.sample(range(number), random.randint(0, number))
        one = random.choice(tilings)
        laid = [one[piece] if piece in kept else None for piece in range(number)]
        if kept and random.random() < 0.3:
            # A move that the tiling does not have.
            piece = random.choice(kept)
            laid[piece] = random.choice(sorted(places[piece]))
        if puzzle.leave is True and None not in (laid[piece] for piece in range(number) if piece not in puzzle.spare):
            # What lies there is a solution, whatever else may be laid.
            continue
        if puzzle.spare and all(laid[piece] == one[piece] for piece in range(number)):
            continue
        agree = sum(
            all(place in (None, other) for place, other in zip(laid, tiling, strict=True)) for tiling in tilings
        )
        assert left(puzzle, tuple(laid)) == agree
