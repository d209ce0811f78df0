"""The trials of races: beams and dives by number, with all boards of at least a score."""

from collections import Counter

import pytest

from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.engines.tallies import picture_keys
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.slips import anywhere
from jigsat.csp.search.beam.exchanges import Exchanges
from jigsat.csp.search.best_score_race import Wanted

PUZZLES = {
    "edge-matching": deal_edge_matching(6, 6, 3, 7, seed=1).puzzle,
    "with fixed pieces": deal_edge_matching(6, 6, 3, 7, seed=2, clues=3).puzzle,
    "not square": deal_edge_matching(4, 7, 3, 5, seed=3).puzzle,
    "jigsaw": read_squares("perfect-5x5"),
}


def race(puzzle, engine="beam", width=100, seed=0):
    return find_engine(engine).race(puzzle, NO_LIMITS, Options(width=width, seed=seed), Stop())


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("engine", ["beam", "dive"])
def test_a_trial_is_a_function_of_its_number(name, engine):
    puzzle, width = PUZZLES[name], 100 if engine == "beam" else None
    one, other = race(puzzle, engine, width), race(puzzle, engine, width)
    forward = [one.trial(number, Wanted(0, adapted=False), number % len(one.ways)) for number in range(3)]
    backward = [other.trial(number, Wanted(0, adapted=False), number % len(one.ways)) for number in (2, 1, 0)]
    assert forward == backward[::-1]
    for trial in forward:
        assert trial.score == max((found.score for found in trial.boards), default=None)
        for found in trial.boards:
            verdict = check(puzzle, found.board, anywhere(puzzle), range(len(puzzle.board)))
            assert (verdict.is_solution, verdict.score) == (True, found.score)


def test_a_beam_hands_out_all_boards_of_its_last_layer(monkeypatch):
    """Those that differ in the last squares only are not merged; exchanges add some; none is handed out twice."""
    puzzle = PUZZLES["edge-matching"]
    found = race(puzzle).trial(0, Wanted(0, adapted=False), 0).boards
    best = max(one.score for one in found)
    assert race(puzzle).trial(0, Wanted(), 0).boards == tuple(one for one in found if one.score >= best - 2)
    assert race(puzzle).trial(0, Wanted(61), 0).boards == ()
    monkeypatch.setattr(Exchanges, "improve", lambda self, squares, rows, invalid, *others: (rows, invalid))
    layer = race(puzzle).trial(0, Wanted(0, adapted=False), 0).boards
    assert sorted(Counter(one.score for one in layer).items()) == [(52, 3), (53, 3), (54, 1)]
    assert {*layer} < {*found}
    assert len({*map(picture_keys(puzzle), (one.board for one in found))}) == len(found)


def test_a_wide_beam_finds_all_boards_of_a_small_puzzle():
    """All solutions, however they differ before the last square: here none can be merged."""
    puzzle = read_squares("perfect-5x5")
    trial = race(puzzle, width=20_000).trial(0, Wanted(puzzle.max_score, adapted=False), 0)
    key = picture_keys(puzzle)
    solutions = find_engine("backtrack").run(puzzle, Goal.ALL, Limits()).solutions
    assert {key(one.board) for one in trial.boards} == set(map(key, solutions))
    assert len(solutions) == 2
    assert trial.exhaustive
