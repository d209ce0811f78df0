"""The three symmetries of an edge-matching puzzle, their factor, and how a search breaks them.

There are three moves: turning the whole board (if there are no fixed pieces), turning a piece that looks the same after
a turn, and exchanging pieces that look the same.  `count` is the number of arrangements of numbered pieces,
`canonical_count` the number of orbits under these moves.

An arrangement without its piece numbers is a *picture*: the four sides that each square shows.  A picture does not
change under the last two symmetries, so a search over piece types finds each picture once.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PuzzleError
from .board import BORDER, border_mask_of, opposite, turned
from .edge_matching import EdgeMatchingPuzzle, Sides, piece_class


@dataclass(frozen=True)
class PieceType:
    """A set of all free pieces that look the same in some rotation."""

    #: The least of the four turns of the sides.
    sides: Sides
    #: The pieces (0-based) of this type.
    pieces: tuple[int, ...]
    #: For each piece the number of turns that map `sides` to the piece.
    offsets: tuple[int, ...]
    #: How many of the four turns look alike: 1, 2 or 4.
    order: int

    @property
    def piece_class(self) -> str:
        return piece_class(self.sides)


@dataclass(frozen=True)
class Anchor:
    """A unique piece and its squares; after a suitable turn of the board it lies on one of them.

    Each square comes with the turns of the type's sides that are needed there.  Squares and turns together hold exactly
    one placement of each orbit under turns of the board.
    """

    piece_type: PieceType
    squares: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Symmetries:
    """The symmetries of a puzzle's solutions."""

    #: How many turns of the board are symmetries: 4, 2, or 1 with fixed pieces.
    board: int
    #: The free pieces by type, in the order of their first pieces.
    types: tuple[PieceType, ...]
    #: The classes whose free pieces are all needed, so that every solution uses all of them.
    used_up: frozenset[str]
    #: Whether every orbit of solutions must be as large as `product`; otherwise this is known only after the search.
    regular: bool

    @cached_property
    def identical(self) -> int:
        """The number of ways to permute identical pieces."""
        sizes = Counter(len(kind.pieces) for kind in self.types)
        return prod(factorial(size) ** number for size, number in sizes.items())

    @cached_property
    def symmetric(self) -> int:
        """The number of ways to turn symmetric pieces."""
        return prod(kind.order ** len(kind.pieces) for kind in self.types)

    @property
    def product(self) -> int:
        """The theory's factor: board x identical pieces x symmetric pieces."""
        return self.board * self.identical * self.symmetric

    @property
    def even(self) -> bool:
        """Whether every picture stands for the same number of arrangements: `identical` x `symmetric`."""
        # A type that need not be used completely is used more often in some pictures than in others.
        return all(k.piece_class in self.used_up or (len(k.pieces) == 1 and k.order == 1) for k in self.types)

    @cached_property
    def type_of_piece(self) -> dict[int, int]:
        """The type (its index) of each free piece."""
        return {piece: index for index, kind in enumerate(self.types) for piece in kind.pieces}


@lru_cache(maxsize=32)
def symmetries(puzzle: EdgeMatchingPuzzle, *, turnable: bool = True) -> Symmetries:
    """The symmetries of a puzzle; they do not move fixed pieces.

    Turning the board is not a symmetry if there are fixed pieces, or if the search treats squares differently
    (`turnable` is false).
    """
    types = _piece_types(puzzle)
    board = puzzle.board.turns() if turnable and not puzzle.fixed else 1
    squares = Counter(puzzle.board.square_class(square) for square in puzzle.free_squares)
    pieces: Counter[str] = Counter()
    for kind in types:
        pieces[kind.piece_class] += len(kind.pieces)
    used_up = frozenset(name for name in squares if pieces[name] <= squares[name])
    half_turn = board > 1 and _may_survive_a_half_turn(puzzle, types, squares)
    found = Symmetries(board, types, used_up, not half_turn)
    return found if found.even else replace(found, regular=False)


def region_symmetries(puzzle: EdgeMatchingPuzzle) -> Symmetries:
    """The symmetries of the ways to fill some squares: identical and symmetric pieces; the board is not turned."""
    types = _piece_types(puzzle)
    return Symmetries(1, types, frozenset(), all(len(kind.pieces) == kind.order == 1 for kind in types))


def single_pieces(puzzle: EdgeMatchingPuzzle) -> tuple[PieceType, ...]:
    """Every free piece as a type of its own."""
    fixed = {fixed.piece for fixed in puzzle.fixed}
    return tuple(PieceType(sides, (piece,), (0,), 1) for piece, sides in enumerate(puzzle.pieces) if piece not in fixed)


def _piece_types(puzzle: EdgeMatchingPuzzle) -> tuple[PieceType, ...]:
    fixed = {fixed.piece for fixed in puzzle.fixed}
    members: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for piece, sides in enumerate(puzzle.pieces):
        if piece not in fixed:
            # The piece turned back by `offset` is the least of its turns.
            least, offset = min((turned(sides, -offset), offset) for offset in range(4))
            members.setdefault(least, []).append((piece, offset))
    types = []
    for sides, found in members.items():
        order = sum(turned(sides, turns) == sides for turns in range(4))
        up, right, down, left = sides
        pieces, offsets = zip(*found, strict=True)
        types.append(PieceType((up, right, down, left), pieces, offsets, order))
    return tuple(types)


def _may_survive_a_half_turn(puzzle: EdgeMatchingPuzzle, types: tuple[PieceType, ...], squares: Counter[str]) -> bool:
    """Whether a picture could be invariant under a turn by 180 degrees (which follows from invariance under any turn).

    Such a picture has each type in pairs, except for a symmetric piece on the centre of a board with a centre.
    """
    center = len(puzzle.board) // 2 if puzzle.rows % 2 and puzzle.columns % 2 else None
    center_class = None if center is None else puzzle.board.square_class(center)
    for name, needed in squares.items():
        of_class = [kind for kind in types if kind.piece_class == name]
        pairs = sum(len(kind.pieces) // 2 for kind in of_class)
        if name != center_class:
            possible = 2 * pairs >= needed
        else:
            # Taking the centre piece from a type of even number costs a pair.
            spared = (pairs - (len(kind.pieces) % 2 == 0) for kind in of_class if kind.order > 1)
            possible = any(2 * left >= needed - 1 for left in spared)
        if not possible:
            return False
    return True


def find_anchors(puzzle: EdgeMatchingPuzzle, found: Symmetries, order: tuple[int, ...]) -> tuple[Anchor, ...]:
    """The pieces that can break the symmetry of turning the board; empty without such turns or pieces.

    Such a piece is the only one of its type, not symmetric, and in every solution; corner pieces are preferred, then
    edge pieces (fewer squares to try).  Its squares are the first square of its class in the search order, and the
    first one of each other orbit of squares under turns.
    """
    if found.board == 1:
        return ()
    for name in ("corner", "edge", "end", "strip", "inner"):
        if name in found.used_up:
            kinds = [k for k in found.types if k.piece_class == name and len(k.pieces) == 1 and k.order == 1]
            if kinds:
                return tuple(Anchor(kind, tuple(_domain(puzzle, found.board, kind, order))) for kind in kinds)
    return ()


def _domain(puzzle: EdgeMatchingPuzzle, turns_of_board: int, kind: PieceType, order: tuple[int, ...]):
    board = puzzle.board
    step = 4 // turns_of_board
    seen: set[int] = set()
    for square in order:
        if square in seen or board.square_class(square) != kind.piece_class:
            continue
        orbit = {board.turned_square(square, step * turn) for turn in range(turns_of_board)}
        seen |= orbit
        mask = board.border_mask(square)
        fitting = [turns for turns in range(4) if border_mask_of(turned(kind.sides, turns)) == mask]
        # A square that turns of the board do not move (the centre): then they exchange the piece's own turns.
        kept = range(4) if len(orbit) == turns_of_board else range(step)
        yield square, tuple(turns for turns in fitting if turns in kept)


# Types and colours have 16 bits each in a kernel's words.
MAX_TYPES = 0xFFFE
MAX_COLORS = 0xFFFF


@dataclass(frozen=True)
class Candidates:
    """All candidates of a search, as arrays with one entry per candidate."""

    #: The piece types of the search: identical pieces share a type, or each piece has its own.
    kinds: tuple[PieceType, ...]
    #: The type (its index) and the rotation of its sides.
    of_type: NDArray[np.int64]
    turns: NDArray[np.int64]
    #: Shape (n, 4): the colours shown, and the colours that fit onto them, as indices; -1 for the border.
    sides: NDArray[np.int64]
    mates: NDArray[np.int64]
    #: The index of each colour and of each mate of a colour.
    color_index: dict[int, int]

    @property
    def colors(self) -> int:
        return len(self.color_index)

    @cached_property
    def borders(self) -> NDArray[np.int64]:
        """The border sides of each candidate, as bits: it fits squares with exactly these sides on the border."""
        return ((self.sides < 0) << np.arange(4)).sum(axis=1)

    def with_borders(self, borders: int) -> NDArray[np.int64]:
        """The indices of the candidates that have exactly these border sides."""
        return np.flatnonzero(self.borders == borders)


class Asked(NamedTuple):
    """The constraints on a candidate of a square: `facing_fixed` has sides, colours, and whether these must match."""

    borders: int
    facing_fixed: tuple[tuple[int, int, bool], ...]
    is_anchor_square: bool


class Fits:
    """Which candidates fit a square, by the border, the fixed pieces and the anchor.

    The anchor may lie only on its square number `choice`, in the rotations given there.
    """

    def __init__(
        self, puzzle: EdgeMatchingPuzzle, candidates: Candidates, anchor: Anchor | None = None, choice: int = 0
    ) -> None:
        self._puzzle, self._candidates = puzzle, candidates
        self._anchor_square, turns = (None, ()) if anchor is None else anchor.squares[choice]
        self._is_anchor = self._lies_as_anchor = np.zeros(len(candidates.of_type), dtype=bool)
        if anchor is not None:
            anchor_type = [kind.pieces for kind in candidates.kinds].index(anchor.piece_type.pieces)
            self._is_anchor = candidates.of_type == anchor_type
            self._lies_as_anchor = self._is_anchor & np.isin(candidates.turns, turns)

    def asked(self, square: int, broken: tuple[int, ...] = ()) -> Asked:
        """The constraints on a square whose `broken` sides must not match the fixed pieces that they face."""
        puzzle, facing_fixed = self._puzzle, []
        for _, side, neighbour in puzzle.board.joins_of(square):
            placed = puzzle.fixed_board[neighbour]
            if placed is not None:
                wanted = puzzle.mate(puzzle.shown(placed)[opposite(side)])
                facing_fixed.append((side, self._candidates.color_index.get(wanted, -1), side not in broken))
        return Asked(puzzle.board.border_mask(square), tuple(facing_fixed), square == self._anchor_square)

    def fitting(self, asked: Asked) -> NDArray[np.bool_]:
        """Which candidates fit."""
        fits = self._candidates.borders == asked.borders
        for side, color, matching in asked.facing_fixed:
            fits &= (self._candidates.sides[:, side] == color) == matching
        return fits & (self._lies_as_anchor if asked.is_anchor_square else ~self._is_anchor)


def find_candidates(puzzle: EdgeMatchingPuzzle, kinds: tuple[PieceType, ...], *, repeat_turns: bool) -> Candidates:
    """All orientations of the types; equal ones only once unless `repeat_turns`.

    Raises PuzzleError if there are more types or colours than 16 bits can number.
    """
    color_index = color_indices(puzzle, (color for sides in puzzle.pieces for color in sides))
    if len(kinds) > MAX_TYPES or len(color_index) > MAX_COLORS:
        raise PuzzleError(
            f"{len(kinds)} different pieces and {len(color_index)} colours; the limits are {MAX_TYPES} and {MAX_COLORS}"
        )
    mate_index = {color: color_index[puzzle.mate(color)] for color in color_index}
    color_index_or_border = {BORDER: -1, **color_index}
    mate_index_or_border = {BORDER: -1, **mate_index}
    rows = [
        (index, turns, turned(kind.sides, turns))
        for index, kind in enumerate(kinds)
        for turns in range(4 if repeat_turns else 4 // kind.order)
    ]
    return Candidates(
        kinds,
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([[color_index_or_border[color] for color in row[2]] for row in rows], dtype=np.int64).reshape(-1, 4),
        np.array([[mate_index_or_border[color] for color in row[2]] for row in rows], dtype=np.int64).reshape(-1, 4),
        color_index,
    )


def color_indices(puzzle: EdgeMatchingPuzzle, sides: Iterable[int]) -> dict[int, int]:
    """Indices for the colours of some sides and for all colours that match them."""
    colors = set(sides) - {BORDER}
    return {color: index for index, color in enumerate(sorted(colors | {puzzle.mate(color) for color in colors}))}


def packed(sides: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Four numbers of at most 16 bits in one word, shape (n, 4) to (n,): side s in the bits from 16 s on."""
    return np.bitwise_or.reduce(sides.astype(np.uint64) << np.arange(0, 64, 16, dtype=np.uint64), axis=1)


def lists_by_key(
    members: NDArray[np.int64], keys: NDArray[np.int64], end: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Concatenated lists of numbers, each followed by `end`: the keys that occur, and where their lists start."""
    by_key = np.argsort(keys, kind="stable")
    found, first, number = np.unique(keys[by_key], return_index=True, return_counts=True)
    # Each earlier list has an end mark, too.
    return found, first + np.arange(len(found)), np.insert(members[by_key], first + number, end)
