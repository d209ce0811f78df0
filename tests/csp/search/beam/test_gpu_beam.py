"""A beam on a GPU finds what a beam on a processor finds; without a GPU, Numba's simulator runs the kernels."""

import random
from functools import cache

import pytest

from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from simulated_beams import BeamCase, beams
from small_puzzles import SMALL_PUZZLES
from strategies import mixed_jigsaw

MADE = deal_edge_matching(3, 3, 2, 2, seed=1)
LARGER = deal_edge_matching(4, 4, 3, 4, seed=2).puzzle
#: More pieces than a word has bits, each twice, and more colours than a word has bytes.
TWICE = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4 + tuple((0, i, i + 1, 0) for i in range(2, 60)) * 2)


@cache
def puzzles():
    chance = random.Random(7)
    connectors = [chance.choice((1, -1, 2, -2, 3)) for _ in range(17)]
    half = MADE.puzzle.with_fixed([placed if i % 3 == 0 else None for i, placed in enumerate(MADE.solution)])
    return [MADE.puzzle, half, mixed_jigsaw(chance, 3, 3, connectors), TWICE, *SMALL_PUZZLES.values()]


@pytest.mark.slow
def test_wide_beams_keep_the_same_boards(simulated):
    """Where nothing is dropped: as many boards in each layer, and as good ones."""
    cases = [BeamCase(puzzle, number % 8, 1000) for number, puzzle in enumerate(puzzles())]
    cases += [BeamCase(MADE.puzzle, 1, 1000, slips=slips) for slips in ((5, 7, 7), ())]
    for case, (expected, found) in zip(cases, beams(cases, simulated), strict=True):
        assert found.is_exhaustive
        assert expected.is_exhaustive
        assert (found.numbers, found.invalid) == (expected.numbers, expected.invalid)
        for here, there in ((found.potentials, expected.potentials), (found.hopes, expected.hopes)):
            for one, other in zip(here, there, strict=True):
                assert one == pytest.approx(other, abs=0.01)
        if found.best and found.numbers:
            assert case.puzzle.score(found.best) == case.puzzle.max_score - found.invalid[0]


def test_narrow_beams_keep_the_best(simulated):
    """No child that is dropped has a better score than one that is kept, and the beam is filled."""
    cases = [BeamCase(MADE.puzzle, width=width) for width in (1, 7, 30)]
    cases += [BeamCase(LARGER, width=40, constants={"_SAMPLES": ((30, 4), (0, 1))})]
    full = 0
    for _, found in beams(cases, simulated):
        assert not found.is_exhaustive
        for children, kept, width, least, most in found.cut:
            assert kept <= width
            assert kept == width or most is None
            assert None in (least, most) or least >= most
            full += kept == width < children
    assert full >= 5


@pytest.mark.slow
def test_boards_depend_on_the_seed_alone(simulated):
    """Not on how many threads there are, which write children in another order."""
    cases = [
        BeamCase(LARGER, width=20, seed=seed, threads=threads) for seed, threads in ((1, 1), (1, 3), (1, 8), (2, 3))
    ]
    first, *same, other = [found for _, found in beams(cases, simulated)]
    assert all(outcome == first for outcome in same)
    assert other.potentials != first.potentials


def test_a_buffer_that_is_too_small(simulated):
    """If a sample was misleading, all children are counted, and fewer are written."""
    constants = {"_SAMPLES": ((2, 1 << 20), (0, 1)), "_LEAST_ROOM": 8}
    ((_, found),) = beams([BeamCase(LARGER, width=25, constants=constants)], simulated)
    assert any(width == kept for _, kept, width, _, _ in found.cut)
    assert all(children <= 1.3 * 25 for children, *_ in found.cut)
