"""The nodes of a puzzle that has a solution: against models with fixed pieces, and against searches."""

from math import exp
from pathlib import Path
from statistics import fmean

import pytest

from jigsat import count, read
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import named_order
from jigsat.estimators.owen.best_order import best_order
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.square_ways import SquareWays


def test_the_search_leaves_the_solution_at_every_depth():
    """The boards that follow the first squares of a solution are those of the model with these pieces fixed."""
    dealt = deal_edge_matching(4, 5, 2, 6, seed=4)
    puzzle, order = dealt.puzzle, named_order(dealt.puzzle, "rowscan")
    estimate = Complexity(puzzle).estimate(order)
    boards = estimate.nodes_by_depth
    expected = [float(number) for number in boards]
    # Half a turn of the board is a solution, too; a Poisson distribution without 0 has the mean S / (1 - e^-S).
    chance = float(boards[-1] / 2)
    sure = 2 * (chance / (1 - exp(-chance)) - chance)
    classes = [puzzle.board.square_class(square) for square in order]
    for at, name in enumerate(classes):
        kept = [None] * len(order)
        for square in order[: at + 1]:
            kept[square] = dealt.solution[square]
        follow = Complexity(puzzle.with_fixed(tuple(kept))).estimate(order).nodes_by_depth
        choices = (puzzle.class_sizes()[name][0] - classes[:at].count(name)) * (4 if name == "inner" else 1)
        by_chance = boards[at] / (boards[at - 1] if at else 1) / choices
        for depth in range(at, len(order)):
            expected[depth] += sure * float((1 - by_chance) * follow[depth])
    assert [10**log for log in estimate.nodes_with_solution] == pytest.approx(expected, rel=1e-9)


def test_searches_have_as_many_nodes():
    """The mean over puzzles that were made with a solution; in all puzzles there are a fifth less."""
    found, with_solution, by_chance = [], [], []
    for seed in range(60):
        puzzle = deal_edge_matching(5, 5, 3, 14, seed=seed).puzzle
        estimate = Complexity(puzzle).estimate("spiral_in", symmetry=True)
        found.append(count(puzzle, order="spiral_in").nodes)
        with_solution.append(10**estimate.log_nodes_with_solution)
        by_chance.append(float(estimate.nodes))
    assert fmean(found) == pytest.approx(fmean(with_solution), rel=0.1)
    assert fmean(by_chance) < 0.82 * fmean(found)


BOARD = read(Path(__file__).with_name("board-16-53-19.json"))


def test_no_square_of_the_best_order_has_many_fillings_beside_the_solution():
    """Long after the last board that is expected by chance: here, another order had 26 million boards of 203 pieces."""
    result = count(BOARD, order="best", time_limit=60)
    (way,) = SquareWays(BOARD, Goal.COUNT, Limits(), Options(order="best")).ways("backtrack")
    assert result.complete
    assert result.count == 4
    assert way.nodes.interval[0] < result.nodes < way.nodes.interval[1]
    assert max(result.nodes_by_depth[100:]) < 100
    assert max(best_order(BOARD).estimate.nodes_with_solution[100:]) < 2
