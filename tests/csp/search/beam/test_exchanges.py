"""Exchanges of pieces on full boards: what they leave alone, what they count, and that they repair a board."""

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from jigsat.csp.engines.tallies import Tally
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import fixed_first
from jigsat.csp.puzzles.slips import between_fixed
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search.beam.beam_search import Beam
from jigsat.csp.search.beam.exchanges import Exchanges
from jigsat.csp.search.beam.routes import BeamTables
from jigsat.csp.search.beam.setting import Setting, beam_orders
from property_tests import examples
from strategies import puzzles


def full_boards(puzzle, width, seed):
    """The full boards of a beam: the free squares, rows of candidates, invalid joins, and what makes boards of rows."""
    tables, order = BeamTables(puzzle), fixed_first(puzzle, beam_orders(puzzle)[0])
    setting = Setting(puzzle, tables, order, None, between_fixed(puzzle, ())[1]._replace(inner=0))
    beam = Beam(setting, width, seed)
    while beam.number and not beam.is_full:
        if beam.depth == len(setting.free) - 1:
            beam.tell_apart()
        beam.extend()
    if not (beam.number and beam.is_full):
        reject()
    tally = Tally(puzzle, symmetries(puzzle), tables.candidates, setting.free, None, by_type=True)
    return tables, setting.free, beam.rows(np.arange(beam.number)), beam.invalid.astype(np.int64), tally


@examples(40)
@given(puzzles(), st.integers(0, 99))
def test_exchanges_lose_no_join_and_count_right(puzzle, seed):
    """With pieces that look alike, fixed pieces, and connectors; the frame stays as it is."""
    tables, squares, rows, invalid, tally = full_boards(puzzle, 20, seed)
    improved, left = Exchanges(puzzle, tables).improve(squares, rows, invalid, seed)
    assert (left <= invalid).all()
    boards = zip(tally.arrangements(rows), tally.arrangements(improved), invalid - left, strict=True)
    for before, after, gained in boards:
        assert puzzle.score(after) - puzzle.score(before) == gained
        assert sorted(one.piece for one in after) == sorted(one.piece for one in before)
        assert all(after[fixed.square] == (fixed.piece, fixed.rotation) for fixed in puzzle.fixed)
        for square, (one, other) in enumerate(zip(before, after, strict=True)):
            if puzzle.board.border_mask(square):
                assert puzzle.shown(one) == puzzle.shown(other)


@pytest.mark.parametrize("seed", range(3))
def test_two_exchanged_pieces_are_put_back(seed):
    """One of them was turned, too.  Most copies of the board are repaired; others end where no exchange helps."""
    made = deal_edge_matching(8, 8, 4, 9, seed=seed)
    puzzle, solution = made.puzzle, made.solution
    tables, board = BeamTables(puzzle), list(solution)
    first, second = puzzle.board.square(2, 2), puzzle.board.square(5, 4)
    board[first], board[second] = board[second]._replace(rotation=(board[second].rotation + 1) % 4), board[first]
    invalid = np.array([puzzle.max_score - puzzle.score(tuple(board))])
    assert invalid[0] > 4
    rows = np.array([[candidate_of(puzzle, tables.candidates, placed) for placed in board]] * 9)
    improved, left = Exchanges(puzzle, tables).improve(range(len(board)), rows, invalid.repeat(9), seed)
    assert sorted(left)[:5] == [0] * 5
    repaired = [candidate_of(puzzle, tables.candidates, placed) for placed in solution]
    assert repaired in improved[left == 0].tolist()


def candidate_of(puzzle, candidates, placed):
    """The number of the candidate that a placed piece is."""
    shown = [-1 if side == 0 else candidates.color_index[side] for side in puzzle.shown(placed)]
    kind = next(number for number, kind in enumerate(candidates.kinds) if placed.piece in kind.pieces)
    return np.flatnonzero((candidates.of_type == kind) & (candidates.sides == shown).all(axis=1))[0]
