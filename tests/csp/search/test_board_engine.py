"""An engine that is a generator of boards: limits, seeds, and boards that are not solutions."""

from random import Random

import pytest

from jigsat import read
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.engines.result import Status
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.board_engine import BoardEngine

TWO = EdgeMatchingPuzzle(1, 2, [[0, 1, 0, 0], [0, 0, 0, 1]])
RIGHT = (Placement(0, 0), Placement(1, 0))


class Shuffle(BoardEngine):
    """Random boards."""

    name = "shuffle"

    def boards(self, puzzle, seed):
        random = Random(seed)
        while True:
            pieces = random.sample(range(len(puzzle.pieces)), len(puzzle.board))
            yield tuple(Placement(piece, random.randrange(4)) for piece in pieces)


class Listed(BoardEngine):
    """The boards that the test gives."""

    name = "listed"

    def __init__(self, *listed):
        self.listed = listed

    def boards(self, puzzle, seed):
        yield from self.listed


def test_the_first_solution_is_the_answer():
    wrong = (Placement(1, 0), Placement(0, 0))
    result = Listed(wrong, RIGHT, wrong).run(TWO, Goal.SOLVE)
    assert (result.status, result.complete, result.solutions) == (Status.SATISFIABLE, True, (RIGHT,))
    assert (result.nodes_by_depth, result.best_score, result.method) == ((2, 2), 1, "board by board")


def test_no_more_boards_prove_nothing():
    result = Listed((Placement(0, 1), Placement(1, 0))).run(TWO, Goal.SOLVE)
    assert (result.status, result.complete, result.ended_by) == (Status.UNKNOWN, False, "restarts")


@pytest.mark.parametrize(
    ("limits", "ended_by", "nodes"),
    [
        (Limits(nodes=72), "nodes", 72),
        (Limits(nodes=73), "nodes", 108),
        (Limits(seconds=0), "time", 0),
        (Limits(solutions=0), "solutions", 0),
    ],
)
def test_limits_hold_between_two_boards(limits, ended_by, nodes):
    result = Shuffle().run(read("puzzle-a"), Goal.SOLVE, limits)
    assert (result.status, result.ended_by, result.nodes) == (Status.UNKNOWN, ended_by, nodes)
