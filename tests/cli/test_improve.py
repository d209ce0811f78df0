"""`jigsat improve`: what it writes, what it goes on from, what it refuses, and what is left after Ctrl-C."""

import json
import os
import random
import re
import signal
import threading

import pytest

import jigsat as js
from command_line import run
from jigsat.api import improve as improving
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.stop import Stop
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from mixed_boards import mixed_board

MADE = deal_edge_matching(6, 6, 3, 6, clues=1, seed=1, name="made")
PUZZLE = MADE.puzzle
POOR = mixed_board(PUZZLE, random.Random(1))


@pytest.fixture
def boards(here):
    """Files with a puzzle and a board to improve."""
    js.save(PUZZLE, "made.json")
    js.write(PUZZLE, [POOR], "poor.json")


@pytest.mark.usefixtures("boards")
def test_the_record_and_the_file_have_the_best_board(capsys):
    options = ("--node-limit=50000", "--seed=3", "--window=9")
    status, out, err = run(capsys, "improve", "made.json", "poor.json", *options, "-o", "better.json", "--json")
    assert (status, err) == (0, "")
    record, (board,) = json.loads(out), js.read_solutions("better.json", PUZZLE)
    assert record["score_before"] == PUZZLE.score(POOR) < record["best_score"] == PUZZLE.score(board)
    assert [record[key] for key in ("instance", "kind", "max_score", "seed", "threads")] == [
        "made", "edge-matching", 60, 3, 1,
    ]  # fmt: skip
    assert record["options"] == {"engine": "native", "window": 9, "loose_frame": False}
    assert record["windows"].keys() == {"tried", "proved", "gained", "moved"}
    same = js.improve(PUZZLE, POOR, node_limit=50_000, seed=3, window=9)
    assert same.best_board == board
    assert {**same.record(), "seconds": record["seconds"]} == record
    # In words; a better board in the file is the one to go on from.
    status, out, _ = run(capsys, "improve", "made.json", "poor.json", "--node-limit=1", "-o", "better.json")
    assert status == 0
    score = record["best_score"]
    assert re.match(rf"made: score {score} of 60, nothing gained in .*; the node limit was reached\.", out)


@pytest.mark.usefixtures("boards")
def test_a_board_without_invalid_joins_is_left_as_it_is(capsys):
    js.write(PUZZLE, [POOR, MADE.solution], "both.json")
    status, out, err = run(capsys, "improve", "made.json", "both.json", "-o", "-")
    assert (status, json.loads(out)["solutions"]) == (0, [js.improve(PUZZLE, MADE.solution).record()["best_board"]])
    assert re.match("made: score 60 of 60, nothing gained in .*; all joins are valid", err)


def test_empty_squares_are_filled_first():
    half = tuple(placed if (q + q // 6) % 2 else None for q, placed in enumerate(MADE.solution))
    found = js.improve(PUZZLE, half, node_limit=100_000)
    assert None not in found.best_board
    # Those of the fixed piece, which is on the board in any case.
    assert found.score_before == 3
    corner = (MADE.solution[0], *(None,) * 35)
    assert js.improve(PUZZLE, corner, time_limit=0).best_board[0] == MADE.solution[0]


def test_a_loose_frame_is_filled_too():
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (0, 3, 4, 0), (0, 5, 6, 0), (0, 7, 8, 0)))
    corner = (Placement(0, 0), None, None, None)
    with pytest.raises(InstanceError, match="all joins along the frame are valid; --loose-frame permits others"):
        js.improve(puzzle, corner)
    found = js.improve(puzzle, corner, loose_frame=True, node_limit=100)
    assert (None in found.best_board, found.best_score) == (False, 0)


def test_cp_sat_fills_windows_too():
    board = [*MADE.solution]
    one, other = (q for q in (7, 28) if PUZZLE.fixed_board[q] is None)
    board[one], board[other] = board[other], board[one]
    found = js.improve(PUZZLE, tuple(board), engine="cpsat", window=6, seed=1, time_limit=60)
    assert (found.best_score, found.windows.nodes, found.ended_by) == (60, 0, None)


def test_ctrl_c_ends_a_window_of_cp_sat():
    """Not its time limit."""
    puzzle, pressed = js.read("meta12"), threading.Event()
    stop = Stop(None, pressed.is_set)
    threading.Timer(0.3, pressed.set).start()
    found = improving._cp_sat(puzzle, stop, 0)(mixed_board(puzzle, random.Random(1)), frozenset(range(144)))
    assert (found[1], stop.ended_by) == (False, "interrupt")


@pytest.mark.usefixtures("boards")
def test_ctrl_c_leaves_the_best_board(capsys, monkeypatch):
    """Pressed when the first better board is written."""
    write, boards = improving.write, []

    def interrupted(puzzle, solutions, path):
        boards.extend(solutions)
        write(puzzle, solutions, path)
        if len(boards) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(improving, "write", interrupted)
    status, out, err = run(capsys, "improve", "made.json", "poor.json", "-o", "better.json", "--time-limit=1d")
    assert (status, err) == (130, "")
    assert re.match("made: score .* gained in .*; interrupted", out)
    assert js.read_solutions("better.json", PUZZLE) == boards[-1:]
    assert PUZZLE.score(boards[-1]) > PUZZLE.score(POOR)
