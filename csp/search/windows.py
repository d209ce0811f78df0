"""A window: some free squares of a board, and the search for its best completions."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.bit_words import as_words, set_bits
from ..base.errors import PuzzleError
from ..base.seeded_random import Chance
from ..puzzles.board import BORDER, MET_WAY, Arrangement, Placement, opposite, turned
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.symmetry import symmetries
from . import window_kernel as kernel
from .shared_tree import EXHAUSTED


class WindowTables:
    """The pieces in all rotations, and the squares.

    A side along the frame fits only a side along the same border in the opposite direction; so a colour counts as
    another colour there.

    Attributes:
    - `colors`: the number of colours that are distinguished in this way.
    - `own`, `wanted`: shape (pieces, 4, 4): the colours of a piece's sides in each rotation, and the colours that fit
      onto them; UNKNOWN for the border.
    - `borders`: shape (pieces, 4): the border sides in each rotation, as bits.
    - `mate`: the colour that fits onto each.
    - `looks`, `turns`: of each free piece a number that is the same for pieces that look alike, and the number of its
      rotations that look different.
    - `all_different`: whether no two free pieces look alike.
    - `fixed_pieces`, `fixed_squares`: the pieces that are fixed, and their squares.
    - `neighbour`, `square_borders`, `along_frame`: of each square its neighbours (-1 beyond the border), its sides on
      the border, and its sides that meet another square of the frame along the border, as bits.
    - `joins`: the first square, its side, and the second square of each join, shape (3, joins).
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self.puzzle, board = puzzle, puzzle.board
        sides = np.array([[turned(piece, r) for r in range(4)] for piece in puzzle.pieces], dtype=np.int64)
        mates = sides if puzzle.mate(1) == 1 else -sides
        border = sides == BORDER
        self.borders = (border << np.arange(4)).sum(axis=2)
        # `way_along_border` of all sides.
        way = np.roll(border, -1, axis=2) + 2 * np.roll(border, 1, axis=2)
        span = int(np.abs(sides).max()) + 1
        own, wanted = 2 * span * way + sides, 2 * span * np.array(MET_WAY)[way] + mates
        found, numbers = np.unique(np.concatenate((own[~border], wanted[~border])), return_inverse=True)
        self.colors = len(found)
        if self.colors >= kernel.UNKNOWN:
            raise PuzzleError(f"{self.colors} colours; at most {kernel.UNKNOWN - 1} are supported")
        half = len(numbers) // 2
        self.own, self.wanted = np.full_like(sides, kernel.UNKNOWN), np.full_like(sides, kernel.UNKNOWN)
        self.own[~border], self.wanted[~border] = numbers[:half], numbers[half:]
        self.mate = np.zeros(self.colors, dtype=np.int64)
        self.mate[numbers[:half]] = numbers[half:]
        self.mate[numbers[half:]] = numbers[:half]
        types = symmetries(puzzle).types
        self.looks, self.turns = np.zeros((2, len(sides)), dtype=np.int64)
        for number, kind in enumerate(types):
            self.looks[[*kind.pieces]], self.turns[[*kind.pieces]] = number, len(kind.turns)
        self.all_different = all(len(kind.pieces) == 1 for kind in types)
        self.fixed_pieces = np.array([fixed.piece for fixed in puzzle.fixed], dtype=np.int64)
        self.fixed_squares = frozenset(fixed.square for fixed in puzzle.fixed)
        neighbours = [[board.neighbour(square, side) for side in range(4)] for square in range(len(board))]
        self.neighbour = np.array([[-1 if q is None else q for q in row] for row in neighbours], dtype=np.int64)
        self.square_borders = np.array([board.border_mask(square) for square in range(len(board))], dtype=np.int64)
        self.along_frame = np.zeros(len(board), dtype=np.int64)
        joins = list(board.joins())
        self.joins = np.array([(join.first, join.side, join.second) for join in joins], dtype=np.int64).reshape(-1, 3).T
        for join in joins:
            if board.is_frame_join(join):
                self.along_frame[join.first] |= 1 << join.side
                self.along_frame[join.second] |= 1 << opposite(join.side)

    def placed(self, board: Sequence[Placement | None]) -> NDArray[np.int32]:
        """A board as an array of shape (2, squares): pieces, -1 for an empty square, and their rotations."""
        rows = [(-1, 0) if placed is None else (placed.piece, placed.rotation) for placed in board]
        return np.array(rows, dtype=np.int32).reshape(-1, 2).T

    def board(self, placed: NDArray[np.int32]) -> Arrangement:
        """The board that an array of `placed` stands for."""
        return tuple(Placement(piece, turn) if piece >= 0 else None for piece, turn in placed.T.tolist())


#: The free squares are bits of a word, which has a bit for no square, too.
MOST_SQUARES = 63

_TURNS = np.arange(4)


class Window:
    """The free squares of a board and the pieces that are not elsewhere.

    - `placed`: a full or partial board, as `WindowTables.placed` makes it.  Empty squares that are not free stay empty.
    - `squares`: the free squares, at most 63; pieces on them are taken off.
    - `seed`: of several completions the seed determines which is found first.
    - `loose_frame`: whether joins along the frame may be invalid.

    Attributes:
    - `key`: what the window's completions depend on: its squares, its pieces, and what its neighbours show.
    - `nodes`: the number of pieces placed by all searches so far.

    Raises PuzzleError if a free square does not exist or has a fixed piece, or there are too many squares or pieces.
    """

    def __init__(
        self,
        tables: WindowTables,
        placed: NDArray[np.int32],
        squares: Iterable[int],
        seed: int = 0,
        *,
        loose_frame: bool = False,
    ) -> None:
        self.squares = tuple(sorted({*squares}))
        _check(tables, self.squares)
        self._placed, self.nodes = placed, 0
        free = np.array(self.squares, dtype=np.int64)
        # Of each square its number among the free ones; the last entry stands for no square.
        number = np.full(len(tables.neighbour) + 1, len(free), dtype=np.int64)
        number[free] = np.arange(len(free))
        need = _needs(tables, placed, free, number)
        unused = np.ones(len(tables.looks) + 1, dtype=bool)
        unused[placed[0, number[:-1] == len(free)]] = unused[tables.fixed_pieces] = unused[-1] = False
        pieces = np.flatnonzero(unused)
        self.key = (self.squares, pieces.tobytes(), need.tobytes())
        order = np.array(Chance(seed).shuffled(pieces.tolist()), dtype=np.int64) if seed else pieces
        which, turn = np.nonzero(tables.turns[order][:, None] > _TURNS)
        if len(which) >= kernel.UNKNOWN:
            raise PuzzleError(f"window: {len(pieces)} unused pieces; at most {kernel.UNKNOWN // 4} are supported")
        self._pieces, self._turns = order[which], turn
        neighbour = number[tables.neighbour[free]]
        self._data, shown = _window_data(tables, free, neighbour, order, which, turn, loose_frame=loose_frame)
        joins = int((neighbour < len(free)).sum()) // 2 + int((need != kernel.UNKNOWN).sum())
        self._state = _window_state(tables, self._data, need, shown, tables.own[order, 0], joins)
        self._cursor = np.zeros(kernel.CURSOR_SIZE, dtype=np.uint64)
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
            cursor[kernel.WRITTEN] = 0
            kernel.search_window(data, state, cursor, self._rows)
        cursor[:] = 0
        cursor[kernel.OPEN] = (1 << len(self.squares)) - 1
        state.left[0] = most
        self._rows = np.zeros((wanted, len(self.squares)), dtype=np.uint16)
        self._over = (
            not self.squares
            or state.joins[0] > state.matchable[0] + np.uint64(most)
            or not kernel.choose_square(np.uint64(0), data, state, cursor)
        )

    def advance(self, budget: int) -> int:
        """Continue the search by at most `budget` nodes; return the kernel's code."""
        if self._over:
            return EXHAUSTED
        cursor = self._cursor
        cursor[kernel.BUDGET], cursor[kernel.WRITTEN] = budget, 0
        code = kernel.search_window(self._data, self._state, cursor, self._rows)
        self.nodes += budget - int(cursor[kernel.BUDGET])
        self._over = code == EXHAUSTED
        return code

    def found(self) -> list[NDArray[np.int32]]:
        """The boards that the last call of `advance` has found, as arrays."""
        boards, squares = [], list(self.squares)
        for row in self._rows[: int(self._cursor[kernel.WRITTEN])]:
            board = self._placed.copy()
            board[0, squares], board[1, squares] = self._pieces[row], self._turns[row]
            boards.append(board)
        return boards


def _check(tables: WindowTables, squares: Sequence[int]) -> None:
    board = tables.puzzle.board
    if len(squares) > MOST_SQUARES:
        raise PuzzleError(f"window: {len(squares)} squares; at most {MOST_SQUARES} are supported")
    for square in squares:
        if not 0 <= square < len(board):
            raise PuzzleError(f"window: square number {square} is not on the {board.rows}x{board.columns} board")
        if square in tables.fixed_squares:
            raise PuzzleError(f"window: the piece on {board.name(square)} is fixed")


def _needs(tables: WindowTables, placed: np.ndarray, free: np.ndarray, number: np.ndarray) -> np.ndarray:
    """The colours that the neighbours of the free squares need, shape (squares, 4)."""
    beside = tables.neighbour[free]
    piece = placed[0, beside]
    known = (beside >= 0) & (piece >= 0) & (number[beside] == len(free))
    return np.where(known, tables.wanted[piece, placed[1, beside], _TURNS ^ 2], kernel.UNKNOWN)


def _window_data(
    tables: WindowTables,
    free: np.ndarray,
    neighbour: np.ndarray,
    order: np.ndarray,
    which: np.ndarray,
    turn: np.ndarray,
    *,
    loose_frame: bool,
) -> tuple[kernel.WindowData, np.ndarray]:
    """What does not change, and which pieces may be placed at first."""
    own, wanted = tables.own[order[which], turn], tables.wanted[order[which], turn]
    words = max(1, -(-len(which) // 64))
    twin, shown = _twins(tables.looks[order], all_different=tables.all_different)
    bits = np.zeros((len(order) + 1, words), dtype=np.uint64)
    set_bits(bits, which, np.arange(len(which)))
    fitting = np.zeros((4 * tables.colors, words), dtype=np.uint64)
    candidate, side = np.nonzero(own != kernel.UNKNOWN)
    set_bits(fitting, 4 * own[candidate, side] + side, candidate)
    must = np.zeros_like(free) if loose_frame else tables.along_frame[free]
    domain = tables.borders[order[which], turn] == tables.square_borders[free][:, None]
    data = kernel.WindowData(
        neighbour.astype(np.uint8).ravel(), must.astype(np.uint8), as_words(domain), fitting,
        own.astype(np.uint16).ravel(), wanted.astype(np.uint16).ravel(), tables.mate.astype(np.uint16),
        which.astype(np.uint16), twin.astype(np.uint16), bits,
    )  # fmt: skip
    return data, shown


def _window_state(
    tables: WindowTables, data: kernel.WindowData, need: np.ndarray, shown: np.ndarray, own: np.ndarray, joins: int
) -> kernel.WindowState:
    """The state before a search."""
    k, words = len(data.must), data.domain.shape[1]
    sides, opened = (
        np.bincount(colors[colors != kernel.UNKNOWN], minlength=tables.colors).astype(np.int64)
        for colors in (own, need)
    )
    depths = [np.zeros(k + 1, dtype=np.uint64) for _ in range(3)]
    depths[0][0], depths[1][0] = joins, kernel.all_valid_at_most(data.mate, sides, opened)
    return kernel.WindowState(
        need.astype(np.uint16).ravel(), np.bitwise_or.reduce(data.bits[:-1][shown], axis=0), sides, opened,
        depths[0], depths[1], depths[2],
        np.zeros(k + 1, dtype=np.uint8), np.zeros(k + 1, dtype=np.uint8), np.zeros(k + 1, dtype=np.uint8),
        np.zeros(k + 1, dtype=np.uint16),
        np.zeros((kernel.LEVELS * (k + 1), words), dtype=np.uint64), np.zeros(kernel.LEVELS * (k + 1), dtype=np.uint64),
    )  # fmt: skip


def _twins(looks: np.ndarray, *, all_different: bool) -> tuple[np.ndarray, np.ndarray]:
    """For each piece the next one that looks like it (their number for the last one), and which are the first ones."""
    twin, shown, last = np.full(len(looks) + 1, len(looks)), np.ones(len(looks), dtype=bool), dict[int, int]()
    for piece, look in enumerate([] if all_different else looks.tolist()):
        if look in last:
            twin[last[look]], shown[piece] = piece, False
        last[look] = piece
    return twin, shown
