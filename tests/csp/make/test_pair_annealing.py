"""Annealed pairs of scrambles: what the kernel measures is what plain code finds, and there are 3-perfect jigsaws."""

from collections import Counter
from pathlib import Path

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.annealing import Wish
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.make.pair_annealing import PIECE_WEIGHT, anneal_pair, group
from jigsat.csp.make.pair_kernel import MOST_ODD, ODD_WEIGHT, SHARED_WEIGHT
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import (
    connector_classes,
    jigsaw_from_assemblies,
    original,
    quality,
    shared_joins_of_pairs,
)


def assemblies(found, board):
    return original(board), found.arrangement, found.third


def height(found, board, max_use):
    """What annealing lowers, by other code; None if signs contradict each other."""
    three = assemblies(found, board)
    found = connector_classes(board, three)
    shared = sum(shared_joins_of_pairs(board, three).values())
    cost = sum(max(0, use - max_use) for use in found.uses) + SHARED_WEIGHT * shared
    cost += sum(ODD_WEIGHT * min(found.uses[number - 1], MOST_ODD) for number in found.self_mating)
    if found.self_mating:
        return None
    pieces = quality(jigsaw_from_assemblies(board.rows, board.columns, three))
    return cost + PIECE_WEIGHT * (sum(len(equal) - 1 for equal in pieces.duplicates) + len(pieces.symmetric))


@pytest.mark.parametrize("steps", [0, 100, 20_000])
@pytest.mark.parametrize(
    ("rows", "columns", "symmetry"), [(5, 5, ("d222", "d777")), (5, 7, ("d222",)), (7, 5, ()), (4, 6, ())]
)
def test_heights_are_those_of_plain_code(rows, columns, symmetry, steps):
    found = anneal_pair(Wish(rows, columns, 4), 3, symmetry=symmetry, steps=steps)
    assert found.energy == height(found, Board(rows, columns), 4)


@pytest.mark.parametrize(
    ("size", "seed", "uses"), [(7, 5, {3: 28}), pytest.param(9, 9016, {3: 28, 4: 12, 6: 2}, marks=pytest.mark.slow)]
)
def test_a_jigsaw_with_exactly_three_solutions(size, seed, uses):
    """7x7 is 3-perfect: 28 connectors, each on three joins, matched in three ways without a common join."""
    found = anneal_pair(Wish(size, size, 6), seed, symmetry=("d222", "d777"))
    jigsaw = jigsaw_from_assemblies(size, size, assemblies(found, Board(size, size)))
    measured = quality(jigsaw)
    assert found.energy == 0
    assert Counter(measured.uses.values()) == uses
    assert measured.shared == {(0, 1): 0, (0, 2): 0, (1, 2): 0}
    assert (measured.duplicates, measured.symmetric) == ((), ())
    counted = find_engine("most-constrained").run(jigsaw, Goal.COUNT)
    assert (counted.complete, counted.canonical_count) == (True, 3)


@pytest.mark.slow
def test_an_8x8_jigsaw_with_exactly_three_solutions():
    """On even boards pieces keep to the colour of their square on a checkerboard."""
    made = search_jigsaw(JigsawWishes(8, 8, 3, disjoint=True, seed=2))
    assert (made.solutions, made.faults) == (3, ())
    assert Counter(made.quality.uses.values()) == {3: 16, 6: 6, 7: 4}
    assert set(made.quality.shared.values()) == {0}
    for assembly in made.puzzle.assemblies:
        assert assembly is not None
        assert len({(piece // 8 + piece + square // 8 + square) % 2 for square, (piece, _) in enumerate(assembly)}) == 1
    for engine in ("most-constrained", "backtrack"):
        counted = find_engine(engine).run(made.puzzle, Goal.COUNT)
        assert (counted.complete, counted.canonical_count) == (True, 3)


def test_an_11x11_jigsaw_with_exactly_three_solutions():
    """The one that `research/three_solutions.py` finds in a minute."""
    jigsaw = read_squares(str(Path(__file__).with_name("three_disjoint") / "11x11.json"))
    measured = quality(jigsaw)
    assert Counter(measured.uses.values()) == {3: 16, 5: 12, 6: 14, 7: 4}
    assert measured.shared == {(0, 1): 0, (0, 2): 0, (1, 2): 0}
    assert (measured.duplicates, measured.symmetric) == ((), ())
    for engine in ("most-constrained", "backtrack"):
        counted = find_engine(engine).run(jigsaw, Goal.COUNT)
        assert (counted.complete, counted.canonical_count) == (True, 3)


@pytest.mark.parametrize("text", ["d22", "x222", "d262", "d829", "d111"])
def test_other_words_are_no_symmetries(text):
    with pytest.raises(PuzzleError, match="is not a symmetry of pairs of scrambles of a 5x7 board"):
        group(Board(5, 7), (text,))
