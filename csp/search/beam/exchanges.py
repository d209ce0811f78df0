"""Full boards improved by exchanges of two pieces, thousands of boards a second.

A beam fills each square once.  On most of its boards some pieces of the last squares, or one of them and an earlier
one, can change places so that fewer joins are invalid.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import inlined_kernel, inner_kernel, kernel
from ...base.seeded_random import below, scrambled
from ...base.stop import never
from ...puzzles.board import Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import packed
from .routes import MANY_COLORS, BeamLists, BeamTables

_PAIRS = tuple(combinations(range(4), 2))
# The sides of an empty square, which fit nothing, and no candidate; no square, and the end of a list.
_NOTHING, _NOWHERE, _END = np.uint64(2**64 - 1), np.uint32(0xFFFFFFFF), np.uint32(0xFFFFFFFF)
_0, _1, _2, _4, _16 = (np.uint64(number) for number in (0, 1, 2, 4, 16))
_LANE = np.uint64(0xFFFF)
#: The number of exchanges that are tried on a board.
TRIES = 2_000
# The number of boards that are improved between two looks at whether to stop.
_SLICE = 64


class Squares(NamedTuple):
    """The squares: whether the piece of each may be exchanged, and its neighbours by side if so."""

    is_free: NDArray[np.bool_]
    beside: NDArray[np.uint64]


class Pieces(NamedTuple):
    """Candidates as in `BeamTables`, and the first and the last candidate of each one's type."""

    sides: NDArray[np.uint64]
    mates: NDArray[np.uint64]
    first_bit: NDArray[np.uint64]
    last_bit: NDArray[np.uint64]
    first: NDArray[np.uint64]
    last: NDArray[np.uint64]


class Lists(NamedTuple):
    """The candidates that fit two sides: these sides, and their `BeamLists`."""

    sides: NDArray[np.uint64]
    of_pair: tuple[BeamLists, ...]


class Exchanges:
    """Exchanges of pieces inside the board, where any join may be invalid: slip arrays are not considered."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, tables: BeamTables) -> None:
        board = puzzle.board
        is_free, beside = np.zeros(len(board), dtype=np.bool_), np.zeros((len(board), 4), dtype=np.uint64)
        for square in puzzle.free_squares:
            is_free[square] = board.border_mask(square) == 0
            for join in board.joins_of(square):
                beside[square, join.side] = join.second
        self._squares = Squares(is_free, beside)
        # What fixed pieces show.
        self._shown = np.zeros(len(board), dtype=np.uint64)
        for fixed in puzzle.fixed:
            sides = np.full((1, 4), 0xFFFF, dtype=np.int64)
            shown = puzzle.shown(Placement(fixed.piece, fixed.rotation))
            for join in board.joins_of(fixed.square):
                sides[0, join.side] = tables.color(board, fixed.square, join.side, shown[join.side])
            self._shown[fixed.square] = packed(sides)[0]
        of_type = tables.candidates.of_type
        first, last = (np.searchsorted(of_type, of_type, side) for side in ("left", "right"))
        fits = tables.sides, tables.mates, tables.first_bit, tables.last_bit
        self._pieces = Pieces(*fits, first.astype(np.uint64), (last - 1).astype(np.uint64))
        is_possible = is_free.sum() > 1 and tables.colors <= MANY_COLORS
        pairs = np.array(_PAIRS, dtype=np.uint64)
        self._lists = Lists(pairs, tuple(tables.lists(0, pair) for pair in _PAIRS)) if is_possible else None
        self._bits, self._colors = tables.bits, tables.colors

    def improve(
        self,
        squares: Sequence[int],
        rows: NDArray[np.int64],
        invalid: NDArray[np.int64],
        seed: int,
        must_stop: Callable[[], bool] = never,
        tries: int = TRIES,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Boards with at most as many invalid joins as some full ones.

        Parameters
        ----------
        squares : sequence of int
            The free squares, in the order of the rows.
        rows : array of int, shape (boards, squares)
            The candidates of full boards.
        invalid : array of int, shape (boards,)
            The number of invalid joins of each.
        seed : int
            The random seed.
        must_stop : callable, optional
            Asked every millisecond or so; once it returns true, the other boards stay as they are.
        tries : int, optional
            The number of exchanges that are tried on each board.

        Returns
        -------
        rows : array of int, shape (boards, squares)
            The candidates of the boards, in the same order.
        invalid : array of int, shape (boards,)
            The number of invalid joins of each.
        """
        if self._lists is None:
            return rows, invalid
        boards = np.full((len(rows), len(self._shown)), _NOWHERE, dtype=np.uint32)
        boards[:, list(squares)] = rows
        left = invalid.copy()
        random, number = scrambled(np.array([seed], dtype=np.uint64)) | _1, boards.shape[1]
        # Other threads have their own.
        shown = self._shown.copy()
        room = np.empty(self._bits, np.uint32), np.empty(number, np.uint64), np.empty(number, np.uint64)
        # Without boards, too, the kernel is compiled or loaded.
        for begin in range(0, max(len(rows), 1), _SLICE):
            if must_stop():
                break
            end = min(begin + _SLICE, len(rows))
            exchange(
                np.uint64(begin), np.uint64(end), np.uint64(tries), self._squares, self._pieces, self._lists,
                np.uint64(self._colors), shown, boards, left, random, *room,
            )  # fmt: skip
        return boards[:, list(squares)].astype(np.int64), left


@kernel
def exchange(
    first, end, tries, squares, pieces, lists, colors, shown, boards, invalid, random, square_of, bit_of, wrong
):  # fmt: skip
    """Exchange pieces on some boards, which have a candidate for each free square; count their invalid joins.

    A try moves a piece that fits two sides of a square with an invalid join there, and the piece of this square to
    where the other one was, turned as it fits best.  It is undone if more joins are invalid than before.

    ``shown`` has the sides on all squares, 16 bits each, ``square_of`` and ``bit_of`` where the piece of each bit lies
    and which one lies on each square, and ``wrong`` the free squares with an invalid join.
    """
    for i in range(first, end):
        place(i, squares, pieces, shown, boards, square_of, bit_of)
        number = list_wrong(i, squares, pieces, shown, boards, wrong)
        for _ in range(tries):
            if number == _0:
                break
            a = wrong[below(number, random)]
            w = fitting_two(a, squares, lists, colors, shown, random)
            if w == _NOTHING:
                continue
            bit = pieces.first_bit[w] + below(pieces.last_bit[w] - pieces.first_bit[w] + _1, random)
            if square_of[bit] == _NOWHERE:
                continue
            b = np.uint64(square_of[bit])
            if b == a or not squares.is_free[b]:
                continue
            hand = np.uint64(boards[i, a])
            # A square that shows nothing has no valid join, so that a join between the two counts once.
            valid = joined(a, hand, squares, pieces, shown)
            shown[a] = _NOTHING
            valid += joined(b, np.uint64(boards[i, b]), squares, pieces, shown)
            shown[b] = _NOTHING
            valid_then = joined(a, w, squares, pieces, shown)
            shown[a] = pieces.sides[w]
            turned, most = best_turned(b, hand, squares, pieces, shown, random)
            if valid_then + most < valid:
                shown[a], shown[b] = pieces.sides[hand], pieces.sides[np.uint64(boards[i, b])]
                continue
            shown[b] = pieces.sides[turned]
            invalid[i] -= np.int64(valid_then + most - valid)
            boards[i, a], boards[i, b] = w, turned
            other = bit_of[a]
            bit_of[a], bit_of[b] = bit, other
            square_of[bit], square_of[other] = a, b
            number = list_wrong(i, squares, pieces, shown, boards, wrong)


@inner_kernel
def place(i, squares, pieces, shown, boards, square_of, bit_of):
    """Write what the squares of a board show, and which pieces they have."""
    square_of[:] = _NOWHERE
    for square in range(np.uint64(boards.shape[1])):
        if boards[i, square] == _NOWHERE:
            continue
        w = np.uint64(boards[i, square])
        bit = pieces.first_bit[w]
        while square_of[bit] != _NOWHERE:
            bit += _1
        square_of[bit], bit_of[square], shown[square] = square, bit, pieces.sides[w]


@inner_kernel
def list_wrong(i, squares, pieces, shown, boards, wrong):
    """List the free squares with an invalid join; return their number."""
    number = _0
    for square in range(np.uint64(len(wrong))):
        if squares.is_free[square] and joined(square, np.uint64(boards[i, square]), squares, pieces, shown) < _4:
            wrong[number] = square
            number += _1
    return number


@inlined_kernel
def joined(square, w, squares, pieces, shown):
    """The number of valid joins of a candidate on a square."""
    valid = _0
    for side in range(_4):
        sides = shown[squares.beside[square, side]]
        if (pieces.mates[w] >> (_16 * side)) & _LANE == (sides >> (_16 * (side ^ _2))) & _LANE:
            valid += _1
    return valid


@inner_kernel
def fitting_two(square, squares, lists, colors, shown, random):
    """One of the candidates that fit two sides of a square; _NOTHING if no candidate does."""
    pair = below(np.uint64(len(lists.sides)), random)
    one, other = lists.sides[pair, _0], lists.sides[pair, _1]
    key = (shown[squares.beside[square, one]] >> (_16 * (one ^ _2))) & _LANE
    key = key * colors + ((shown[squares.beside[square, other]] >> (_16 * (other ^ _2))) & _LANE)
    starts, entries = lists.of_pair[pair]
    at = np.uint64(starts[key])
    number = _0
    while entries[at + number] != _END:
        number += _1
    return np.uint64(entries[at + below(number, random)]) if number > _0 else _NOTHING


@inner_kernel
def best_turned(square, w, squares, pieces, shown, random):
    """How a piece, given by one of its candidates, fits a square best, any of the best ways; and its valid joins."""
    number = pieces.last[w] - pieces.first[w] + _1
    offset, most, best = below(number, random), _0, w
    for turn in range(number):
        turned = pieces.first[w] + (turn + offset) % number
        valid = joined(square, turned, squares, pieces, shown)
        if turn == _0 or valid > most:
            best, most = turned, valid
    return best, most
