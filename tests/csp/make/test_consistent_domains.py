"""Counting the solutions of jigsaws by consistent domains, against another search."""

from random import Random

import pytest

from jigsat.api.make import make_jigsaw
from jigsat.csp.base.stop import StoppedError, never
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.make.consistent_domains import count_by_domains
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.check_board import appearance
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule


def planted(random, rows, columns, types):
    """A jigsaw whose joins have random connectors of that many types."""
    board = Board(rows, columns)
    sides = [[0] * 4 for _ in range(rows * columns)]
    for join in board.joins():
        color = random.choice([-1, 1]) * random.randint(1, types)
        sides[join.first][join.side], sides[join.second][join.side ^ 2] = color, -color
    turns = [random.randrange(4) for _ in sides]
    pieces = tuple(tuple(own[(side + turn) % 4] for side in range(4)) for own, turn in zip(sides, turns, strict=True))
    return EdgeMatchingPuzzle(rows, columns, pieces, Rule.OPPOSITE, name="planted")


def test_the_same_solutions_as_by_another_search():
    """Catches solutions that are lost, or found twice."""
    random, numbers = Random(1), []
    for rows, columns, types in [(2, 3, 2), (3, 3, 3), (3, 4, 2), (3, 5, 2), (4, 4, 2), (4, 4, 3)] * 12:
        puzzle = planted(random, rows, columns, types)
        counted = count_by_domains(puzzle, 10**6, never)
        if counted is not None:
            result = find_engine("most-constrained").run(puzzle, Goal.ALL, Limits(), Options())
            looks = {appearance(puzzle, board) for board in result.solutions}
            assert {appearance(puzzle, board) for board in counted.solutions} == looks
            assert (counted.count, len(counted.solutions), counted.ended_by) == (result.count, len(looks), None)
            numbers.append(len(looks))
    assert len(numbers) > 20
    assert max(numbers) == 4


def test_limits():
    """Catches counts that are given as exact, and searches that cannot be stopped."""
    puzzle = read_puzzle("perfect-5x5")
    one, none = count_by_domains(puzzle, 1, never), count_by_domains(puzzle, 3, never, choices=-1)
    assert one is not None
    assert (len(one.solutions), one.count, one.ended_by) == (1, None, "solutions")
    assert none is not None
    assert (none.solutions, none.count, none.ended_by) == ((), None, "nodes")
    with pytest.raises(StoppedError):
        count_by_domains(read_puzzle("perfect-31x31"), 3, lambda: True)


def test_pieces_that_look_alike_are_left_to_other_searches():
    """Catches orbits that are counted several times."""
    corner = (0, 1, -1, 0)
    assert count_by_domains(EdgeMatchingPuzzle(2, 2, (corner,) * 4, Rule.OPPOSITE, name="alike"), 3, never) is None


@pytest.mark.slow
def test_a_size_that_the_plain_search_does_not_reach():
    """Catches 50x51 without an end."""
    jigsaw = make_jigsaw(50, 51, seed=1)
    assert len(jigsaw.assemblies) == 2
    assert jigsaw.known == {"count": 4, "canonical_count": 2}
