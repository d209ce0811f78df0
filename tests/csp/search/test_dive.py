"""Dives: the kernel against the plain search, what they find against what is possible, limits and seeds."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.slips import checked_frame_slips, checked_slips, permitted_prefix
from jigsat.csp.puzzles.symmetry import find_candidates, single_pieces
from jigsat.csp.search import dive as dive
from jigsat.csp.search import dive_tables as dive_tables
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.dive import Dive, default_slips
from jigsat.csp.search.dive_tables import Descent, early_quota
from jigsat.csp.search.shared_tree import DEEPER, EXHAUSTED, ROWS_FULL
from jigsat.estimators.owen.best_slips import best_slips
from property_tests import examples
from strategies import puzzles

ENGINE = Dive()
SIZES = [(1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (3, 4), (4, 3), (5, 1), (4, 4)]
ORDERS = ("rowscan", "colscan", "rowscan2:1", "zig_zag")


def planted(size=6, colors=6, seed=1):
    return deal_edge_matching(size, size, 3, colors, seed=seed).puzzle


@examples(60)
@given(puzzles(sizes=SIZES), st.data())
def test_a_dive_without_quota_walks_the_tree_of_the_plain_search(puzzle, data):
    """Wrong keys, passes, or lists thinned of what is still needed would show as other numbers at some depth."""
    slips, frame_slips = (
        tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=most)))) for most in (4, 2)
    )
    name = data.draw(st.sampled_from(ORDERS))
    levels = data.draw(st.lists(st.integers(1, len(puzzle.board)), unique=True))
    assume(assert_same_tree(puzzle, name, slips, frame_slips, levels, data.draw(st.sampled_from((1, 7, 100_000)))))


def assert_same_tree(puzzle, name, slips, frame_slips, levels, budget):
    """That a dive without colours to use up early walks the tree of the plain search; False if that takes too long."""
    fixed = len(puzzle.fixed)
    options = Options(order=name, symmetry=False, slips=slips, frame_slips=frame_slips, bound=False)
    expected = Backtrack().run(puzzle, Goal.COUNT, Limits(nodes=100_000), options)
    _, order = find_order(puzzle, name)
    placed, before = permitted_prefix(puzzle, order[:fixed], slips, frame_slips)
    if not (expected.complete and placed == fixed < len(order)):
        return False
    candidates = find_candidates(puzzle, single_pieces(puzzle))
    arrays = checked_slips(puzzle, slips), before, checked_frame_slips(puzzle, frame_slips)
    tables = dive_tables.dive_tables(puzzle, candidates, order, *arrays)
    levels = [0, *sorted(level for level in levels if level < tables.depths)]
    tables = replace(tables, levels=np.array(levels, dtype=np.uint64))
    descent = Descent(tables, len(levels), frozenset({1, 2}))
    boards, deep = set(), 0
    while (code := descent.advance(budget, deep)) != EXHAUSTED:
        if code == ROWS_FULL:
            boards.add(tuple(descent.row().tolist()))
        if code == DEEPER:
            deep = len(descent.row())
    assert descent.nodes.tolist() == list(expected.nodes_by_depth[fixed:])
    assert len(boards) == expected.count
    return True


@examples(60)
@given(puzzles(sizes=SIZES), st.data())
def test_fewer_slips_from_now_on(puzzle, data):
    """Every time a board is found, only better ones are asked for: the last is the best.  Pieces taken off must be
    free again, and no branch with few invalid joins may be lost.
    """
    slips, frame_slips = (
        tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), min_size=least, max_size=most))))
        for least, most in ((1, 5), (0, 2))
    )
    options = Options(order="rowscan", symmetry=False, slips=slips, frame_slips=frame_slips)
    expected = Backtrack().run(puzzle, Goal.BEST, Limits(nodes=200_000), options)
    _, order = find_order(puzzle, "rowscan")
    placed, before = permitted_prefix(puzzle, order[: len(puzzle.fixed)], slips, frame_slips)
    assume(expected.complete and placed == len(puzzle.fixed) < len(order))
    candidates = find_candidates(puzzle, single_pieces(puzzle))
    arrays = checked_slips(puzzle, slips), before, checked_frame_slips(puzzle, frame_slips)
    tables = dive_tables.dive_tables(puzzle, candidates, order, *arrays)
    descent = Descent(tables, data.draw(st.integers(0, 9)))
    deep, score = 0, None
    run = dive._DiveRace(puzzle, Limits(), options)
    while (code := descent.advance(1_000_000, deep)) != EXHAUSTED:
        deep = len(descent.row())
        if code == ROWS_FULL:
            pieces = descent.row() // 4
            turns = descent.row() % 4
            board = [None] * len(puzzle.board)
            for square, piece, rotation in puzzle.fixed:
                board[square] = Placement(piece, rotation)
            for square, piece, turn in zip(run.order[run.fixed :], pieces, turns, strict=True):
                kind = candidates.kinds[piece]
                board[square] = Placement(kind.pieces[0], (int(turn) - kind.offsets[0]) % 4)
            found = puzzle.score(board)
            assert score is None or found > score
            score = found
            if score == puzzle.max_score:
                break
            descent.allow(puzzle.max_score - score - 1)
    assert score == (expected.best_score if expected.solutions else None)


def test_slips_are_kept_to(monkeypatch):
    """The boards handed on for completion have no more invalid joins than the array allows at their depth."""
    puzzle, seen = planted(8), []

    def judge(puzzle, arrangement, seed, **_):
        placed = len(arrangement) - arrangement.count(None)
        joins = [j for j in puzzle.board.joins() if arrangement[j.first] and arrangement[j.second]]
        invalid = len(joins) - puzzle.score(arrangement)
        seen.append((placed, invalid))

    monkeypatch.setattr(dive, "complete", judge)
    monkeypatch.setattr(dive, "_PATIENCE", 50_000)
    slips = (30, 35, 40)
    monkeypatch.setattr(dive, "default_slips", lambda puzzle: slips)
    ENGINE.run(puzzle, Goal.BEST, Limits(nodes=500_000))
    assert any(invalid for _, invalid in seen)
    assert all(invalid <= sum(depth <= placed for depth in slips) for placed, invalid in seen)


def test_a_quota_is_kept_to():
    """Wherever a dive is stopped, its board has used the quota of sides of the early colours at each of its depths."""
    puzzle = planted(8, colors=8)
    run = dive._DiveRace(puzzle, Limits(), Options())
    color = max(puzzle.inner_sides())
    early = frozenset({color})
    need = early_quota(puzzle, early, 0.8)
    assert need.max() > 10
    descent, deepest = Descent(run.tables, 3, early, need), 0
    for _ in range(400):
        descent.advance(37, 64)
        row = descent.row()
        deepest = max(deepest, len(row))
        board = run.board(row)
        used = [board[square] for square in run.order[: len(row)]]
        assert None not in used
        sides = np.cumsum([puzzle.pieces[placed.piece].count(color) for placed in used])
        assert (sides >= need[: len(row)]).all()
    assert deepest > 30


def test_the_default_slips():
    """The best array found, and more at the last depths; on smaller boards the published array, in proportion."""
    puzzle = read_squares("eternity2")
    slips, (order, _) = default_slips(puzzle), ENGINE.order_of(puzzle, Options())
    assert (order, slips[:20]) == ("rowscan2", best_slips(puzzle, 20, ("rowscan", "rowscan2")).slips)
    assert slips[20:] == (253, 253, 254, 254, 255, 255, 256, 256)
    small = default_slips(planted(4))
    assert small == (12, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15, 15)


def test_orders_that_look_up_or_to_the_right_are_refused():
    with pytest.raises(EngineError, match="rowscan, colscan"):
        ENGINE.run(planted(), Goal.BEST, options=Options(order="spiral_in"))
