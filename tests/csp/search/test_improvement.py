"""Boards improved window by window: never worse, no fixed piece moved, what is proved, limits, seeds, threads."""

import random
import threading
import time
from collections import Counter
from itertools import pairwise

from hypothesis import given, reject
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.stop import Stop
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.improvement import improve_board, invalid_joins_of
from jigsat.csp.search.windows import WindowTables
from mixed_boards import invalid_joins, mixed_board
from property_tests import examples
from strategies import puzzles


def improved(puzzle, board, nodes=20_000, largest=6, seed=1, **options):
    stop = options.pop("stop", Stop())
    return improve_board(WindowTables(puzzle), board, stop, largest=largest, seed=seed, nodes=nodes, **options)


@examples(200, quick=15)
@given(puzzles(), st.integers(0, 2**32), st.booleans())
def test_a_board_never_gets_worse_and_fixed_pieces_stay(puzzle, seed, loose_frame):
    """Pieces at random at first, also along the frame; each better board that is kept is better than the one before."""
    board = mixed_board(puzzle, random.Random(seed))
    if board is None:
        reject()
    every, kept = range(len(board)), [board]
    found, windows, _ = improved(puzzle, board, 500, seed=seed, loose_frame=loose_frame, keep=kept.append)
    assert found == kept[-1]
    assert not check(puzzle, found).faults
    numbers = [invalid_joins(puzzle, one, every) for one in kept]
    assert all(after[0] < before[0] for before, after in pairwise(numbers))
    assert windows.gained == len(kept) - 1
    assert windows.proved <= windows.tried


def test_invalid_joins_are_those_of_the_check():
    puzzle = read("eternity2")
    board = mixed_board(puzzle, random.Random(1))
    tables = WindowTables(puzzle)
    assert len(invalid_joins_of(tables, tables.placed(board))) == puzzle.max_score - check(puzzle, board).score


def test_a_seed_and_a_node_limit_give_the_same_board_again():
    puzzle = read("meta10")
    board = mixed_board(puzzle, random.Random(1))
    runs = [improved(puzzle, board, 200_000, largest=12, seed=seed) for seed in (5, 5, 6)]
    assert runs[0] == runs[1] != runs[2]
    assert (runs[0][1].nodes, runs[0][2]) == (200_000, "nodes")


def test_threads_share_the_nodes_and_the_best_board():
    puzzle = read("meta10")
    board = mixed_board(puzzle, random.Random(1))
    found, windows, ended_by = improved(puzzle, board, 100_001, largest=12, threads=2)
    assert (windows.nodes, ended_by) == (100_000, "nodes")
    assert puzzle.score(found) > puzzle.score(board)


def test_a_walk_without_nodes_ends_although_its_limit_is_never_reached():
    """Two pieces that cannot match: after the only window no piece is placed any more."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0), (0, 0, 0, 2)))
    board = (Placement(0, 0), Placement(1, 0))
    for nodes, stop in ((5, Stop()), (None, Stop(20.0)), (None, Stop())):
        found, windows, ended_by = improved(puzzle, board, nodes, stop=stop)
        assert (found, windows.nodes, ended_by) == (board, 2, "restarts")


def test_ctrl_c_counts_although_another_walk_has_ended_before(monkeypatch):
    """The first one has nothing left to try when the second one is interrupted."""
    monkeypatch.setattr("jigsat.csp.search.improvement._IDLE", 3)
    made, both, steps = deal_edge_matching(8, 8, 4, 6, seed=1), threading.Barrier(2, timeout=60), Counter()
    stop = Stop(None, lambda: steps["work_0"] == 3)

    def solver(board, squares):
        walk = threading.current_thread().name
        if not steps[walk]:
            both.wait()
        steps[walk] += 1
        while walk == "work_1" and stop.ended_by is None:
            time.sleep(0.01)
        return None, False

    board = mixed_board(made.puzzle, random.Random(1))
    assert improved(made.puzzle, board, None, threads=2, solver=solver, stop=stop)[2] == "interrupt"
