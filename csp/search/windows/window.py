"""A window: some free squares of a board, and the search for its best completions."""

from collections.abc import Iterable, Sequence

import numpy as np

from ...base.errors import PuzzleError
from ...base.seeded_random import Chance
from ...puzzles.board import Placement
from ..codes import EXHAUSTED
from .kernel import (
    BUDGET,
    CURSOR_SIZE,
    LEVELS,
    OPEN,
    UNKNOWN,
    WRITTEN,
    WindowData,
    WindowState,
    choose_square,
    search_window,
    valid_at_most,
)
from .tables import WindowTables

#: The free squares are bits of a word, which has a bit for no square, too.
MOST_SQUARES = 63


class Window:
    """The free squares of a board and the pieces that are not elsewhere.

    Parameters
    ----------
    tables
        The data of the puzzle.
    board
        A full or partial board.  Empty squares that are not free stay empty.
    squares
        The free squares, at most 63; pieces on them are taken off.
    seed
        Of several completions the seed determines which is found first.
    loose_frame
        Whether joins along the frame may be invalid.

    Attributes
    ----------
    key
        What the window's completions depend on: its squares, its pieces, and what its neighbours show.
    nodes
        The number of pieces placed by all searches so far.

    Raises
    ------
    PuzzleError
        If a free square does not exist or has a fixed piece, or there are too many.
    """

    def __init__(
        self,
        tables: WindowTables,
        board: Sequence[Placement | None],
        squares: Iterable[int],
        seed: int = 0,
        *,
        loose_frame: bool = False,
    ) -> None:
        self.squares = tuple(sorted({*squares}))
        _check(tables, self.squares)
        self._board, self.nodes = board, 0
        free = np.array(self.squares, dtype=np.int64)
        # Of each square its number among the free ones; the last entry stands for no square.
        number = np.full(len(board) + 1, len(free), dtype=np.int64)
        number[free] = np.arange(len(free))
        need = _needs(tables, board, free, number)
        elsewhere = {fixed.piece for fixed in tables.puzzle.fixed}
        elsewhere |= {placed.piece for q, placed in enumerate(board) if placed is not None and number[q] == len(free)}
        pieces = [piece for piece in range(len(tables.looks)) if piece not in elsewhere]
        self.key = (self.squares, tuple(pieces), need.tobytes())
        order = np.array(Chance(seed).shuffled(pieces) if seed else pieces, dtype=np.int64)
        which, turn = np.nonzero(np.arange(4) < tables.turns[order][:, None])
        self._placements = [Placement(*row) for row in zip(order[which].tolist(), turn.tolist(), strict=True)]
        neighbour = number[tables.neighbour[free]]
        self._data, shown = _window_data(tables, free, neighbour, order, which, turn, loose_frame=loose_frame)
        joins = int((neighbour < len(free)).sum()) // 2 + int((need != UNKNOWN).sum())
        self._state = _window_state(tables, self._data, need, shown, tables.own[order, 0], joins)
        self._cursor = np.zeros(CURSOR_SIZE, dtype=np.uint64)
        self._rows = np.zeros((0, len(free)), dtype=np.uint16)
        self._over = True

    @property
    def joins(self) -> int:
        """The number of joins of the window."""
        return int(self._state.joins[0])

    def begin(self, most: int, wanted: int = 1) -> None:
        """Begin a search for completions with at most `most` invalid joins, `wanted` of them at a time.

        All pieces that an earlier search has left on the board are taken off.
        """
        cursor, data, state = self._cursor, self._data, self._state
        if not self._over:
            state.level[:], state.top[:], state.untried[:] = 0, 0, 0
            search_window(*data, *state, cursor, self._rows)
        cursor[:] = 0
        cursor[OPEN] = (1 << len(self.squares)) - 1
        state.left[0] = most
        self._rows = np.zeros((wanted, len(self.squares)), dtype=np.uint16)
        self._over = (
            not self.squares
            or state.joins[0] > state.matchable[0] + np.uint64(most)
            or not choose_square(
                np.uint64(0), data.must, data.domain, data.fitting,
                state.need, state.unused, state.left,
                state.square, state.level, state.top, state.untried, state.number, cursor,
            )
        )  # fmt: skip

    def advance(self, budget: int) -> int:
        """Continue the search by at most `budget` nodes; return the kernel's code."""
        if self._over:
            return EXHAUSTED
        cursor = self._cursor
        cursor[BUDGET], cursor[WRITTEN] = budget, 0
        code = search_window(*self._data, *self._state, cursor, self._rows)
        self.nodes += budget - int(cursor[BUDGET])
        self._over = code == EXHAUSTED
        return code

    def found(self) -> list[list[Placement | None]]:
        """The boards that the last call of `advance` has found."""
        boards = []
        for row in self._rows[: int(self._cursor[WRITTEN])].tolist():
            board = list(self._board)
            for square, candidate in zip(self.squares, row, strict=True):
                board[square] = self._placements[candidate]
            boards.append(board)
        return boards


def _check(tables: WindowTables, squares: Sequence[int]) -> None:
    board = tables.puzzle.board
    if len(squares) > MOST_SQUARES:
        raise PuzzleError(f"window: {len(squares)} squares; at most {MOST_SQUARES} are supported")
    for square in squares:
        if not 0 <= square < len(board):
            raise PuzzleError(f"window: square number {square} is not on the {board.rows}x{board.columns} board")
        if tables.puzzle.fixed_board[square] is not None:
            raise PuzzleError(f"window: the piece on {board.name(square)} is fixed")


def _needs(tables: WindowTables, board: Sequence[Placement | None], free: np.ndarray, number: np.ndarray) -> np.ndarray:
    """The colours that the neighbours of the free squares need, shape (squares, 4)."""
    need = np.full((len(free), 4), UNKNOWN, dtype=np.int64)
    for i, beside in enumerate(tables.neighbour[free].tolist()):
        for side, square in enumerate(beside):
            placed = board[square] if square >= 0 else None
            if placed is not None and number[square] == len(free):
                need[i, side] = tables.wanted[placed.piece, placed.rotation, side ^ 2]
    return need


def _window_data(
    tables: WindowTables,
    free: np.ndarray,
    neighbour: np.ndarray,
    order: np.ndarray,
    which: np.ndarray,
    turn: np.ndarray,
    *,
    loose_frame: bool,
) -> tuple[WindowData, np.ndarray]:
    """What does not change, and which pieces may be placed at first."""
    own, wanted = tables.own[order[which], turn], tables.wanted[order[which], turn]
    words = max(1, -(-len(which) // 64))
    twin, shown = _twins(tables.looks[order])
    bits = np.zeros((len(order) + 1, words), dtype=np.uint64)
    _set_bits(bits, which, np.arange(len(which)))
    fitting = np.zeros((4 * tables.colors, words), dtype=np.uint64)
    candidate, side = np.nonzero(own != UNKNOWN)
    _set_bits(fitting, 4 * own[candidate, side] + side, candidate)
    must = np.zeros_like(free) if loose_frame else tables.along_frame[free]
    domain = tables.borders[order[which], turn] == tables.square_borders[free][:, None]
    data = WindowData(
        neighbour.astype(np.uint8).ravel(), must.astype(np.uint8), _packed(domain, words), fitting,
        own.astype(np.uint16).ravel(), wanted.astype(np.uint16).ravel(), tables.mate.astype(np.uint16),
        which.astype(np.uint16), twin.astype(np.uint16), bits,
    )  # fmt: skip
    return data, shown


def _window_state(
    tables: WindowTables, data: WindowData, need: np.ndarray, shown: np.ndarray, own: np.ndarray, joins: int
) -> WindowState:
    """The state before a search."""
    k, words = len(data.must), data.domain.shape[1]
    sides, opened = (
        np.bincount(colors[colors != UNKNOWN], minlength=tables.colors).astype(np.int64) for colors in (own, need)
    )
    depths = [np.zeros(k + 1, dtype=np.uint64) for _ in range(3)]
    depths[0][0], depths[1][0] = joins, _matchable(data.mate, sides, opened)
    return WindowState(
        need.astype(np.uint16).ravel(), np.bitwise_or.reduce(data.bits[:-1][shown], axis=0), sides, opened,
        depths[0], depths[1], depths[2],
        np.zeros(k + 1, dtype=np.uint8), np.zeros(k + 1, dtype=np.uint8), np.zeros(k + 1, dtype=np.uint8),
        np.zeros(k + 1, dtype=np.uint16),
        np.zeros((LEVELS * (k + 1), words), dtype=np.uint64), np.zeros(LEVELS * (k + 1), dtype=np.uint64),
    )  # fmt: skip


def _twins(looks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each piece the next one that looks like it (their number for the last one), and which are the first ones."""
    twin, shown, last = np.full(len(looks) + 1, len(looks)), np.ones(len(looks), dtype=bool), dict[int, int]()
    for piece, look in enumerate(looks.tolist()):
        if look in last:
            twin[last[look]], shown[piece] = piece, False
        last[look] = piece
    return twin, shown


def _set_bits(words: np.ndarray, row: np.ndarray, bit: np.ndarray) -> None:
    np.bitwise_or.at(words, (row, bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))


def _packed(truths: np.ndarray, words: int) -> np.ndarray:
    """Truth values as bits of words, row by row."""
    packed = np.zeros((len(truths), 64 * words), dtype=np.uint8)
    packed[:, : truths.shape[1]] = truths
    return np.packbits(packed, axis=1, bitorder="little").view(np.uint64)


def _matchable(mate: np.ndarray, sides: np.ndarray, opened: np.ndarray) -> int:
    """The number of joins that the colours allow to be valid."""
    # A colour and its mate are counted once.
    counted = [color for color, other in enumerate(mate.tolist()) if color <= other]
    return sum(int(valid_at_most(np.uint64(color), mate, sides, opened)) for color in counted)
