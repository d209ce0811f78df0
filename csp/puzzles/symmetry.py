"""The three symmetries of an edge-matching puzzle, their factor, and how a search breaks them.

There are three moves: turning the whole board (if there are no fixed pieces), turning a piece that looks the same after
a turn, and exchanging pieces that look the same.  `count` is the number of arrangements of numbered pieces,
`canonical_count` the number of orbits under these moves.  Where all pieces may be turned over, the board may be turned
over, too; where they may not be turned, it may not be turned.  A board whose ends meet may be shifted.

An arrangement without its piece numbers is a *picture*: the four sides that each square shows.  A picture does not
change under the last two symmetries, so a search over piece types finds each picture once.  `picture_count` is the
number of pictures.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PuzzleError
from .board import BORDER, TURNED_OVER, Move, after, opposite, turned, undone
from .edge_matching import EdgeMatchingPuzzle, Sides, piece_class

_UNDONE = tuple(map(undone, range(8)))


@dataclass(frozen=True)
class PieceType:
    """A set of all free pieces that may be turned alike and look the same in some rotation."""

    #: The least of the pieces' looks.
    sides: Sides
    #: The pieces (0-based) of this type.
    pieces: tuple[int, ...]
    #: For each piece the rotation that makes it of `sides`.
    offsets: tuple[int, ...]
    #: How many of the rotations of a piece look alike: 1, 2 or 4; up to 8 if it may be turned over.
    order: int
    #: The rotations of `sides` that give different looks, the least ones.
    turns: tuple[int, ...]
    #: All rotations in which its pieces may lie.
    rotations: tuple[int, ...]
    #: The class of its pieces.
    piece_class: str

    def rotation(self, number: int, turns: int) -> int:
        """The least rotation of piece `number` of the type in which it looks as `sides` does after `turns`."""
        wanted, offset = turned(self.sides, turns), undone(self.offsets[number])
        if self.order == 1:
            return after(turns, offset)
        return min(after(turn, offset) for turn in self.rotations if turned(self.sides, turn) == wanted)

    def turns_of(self, number: int, rotation: int) -> int | None:
        """Which of `turns` looks as piece `number` of the type does in a rotation; None if none does."""
        found = after(rotation, self.offsets[number])
        if self.order > 1:
            shown = turned(self.sides, found)
            return next((turn for turn in self.turns if turned(self.sides, turn) == shown), None)
        return found if found in self.turns else None


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

    #: The symmetries of the board, the identity first; only this with fixed pieces.
    moves: tuple[Move, ...]
    #: The free pieces by type, in the order of their first pieces.
    types: tuple[PieceType, ...]
    #: The classes whose free pieces are all needed, so that every solution uses all of them.
    used_up: frozenset[str]
    #: Whether every orbit of solutions must be as large as `product`; otherwise this is known only after the search.
    regular: bool

    @property
    def board(self) -> int:
        """How many symmetries of the board there are: for a framed square 4, for a rectangle 2, with fixed pieces 1."""
        return len(self.moves)

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

    def pictures(self, count: int) -> int | None:
        """How many pictures a number of arrangements are; None if not all stand for the same number."""
        return count // (self.identical * self.symmetric) if self.even else None

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
    moves = puzzle.moves if turnable else puzzle.moves[:1]
    squares = Counter(map(puzzle.square_class, puzzle.free_squares))
    pieces: Counter[str] = Counter()
    for kind in types:
        pieces[kind.piece_class] += len(kind.pieces)
    used_up = frozenset(name for name in squares if pieces[name] <= squares[name])
    found = Symmetries(moves, types, used_up, not _may_survive(puzzle, types, moves))
    return found if found.even else replace(found, regular=False)


def region_symmetries(puzzle: EdgeMatchingPuzzle) -> Symmetries:
    """The symmetries of the ways to fill some squares: identical and symmetric pieces; the board is not turned."""
    types = _piece_types(puzzle)
    alone = all(len(kind.pieces) == kind.order == 1 for kind in types)
    return Symmetries(puzzle.moves[:1], types, frozenset(), alone)


def single_pieces(puzzle: EdgeMatchingPuzzle) -> tuple[PieceType, ...]:
    """Every free piece as a type of its own, all of whose rotations count."""
    fixed = {fixed.piece for fixed in puzzle.fixed}
    return tuple(single_piece(puzzle, piece) for piece in range(len(puzzle.pieces)) if piece not in fixed)


def single_piece(puzzle: EdgeMatchingPuzzle, piece: int) -> PieceType:
    """A piece as a type of its own, all of whose rotations count."""
    rotations = puzzle.rotations(piece)
    return PieceType(puzzle.pieces[piece], (piece,), (0,), 1, rotations, rotations, puzzle.piece_classes[piece])


def _piece_types(puzzle: EdgeMatchingPuzzle) -> tuple[PieceType, ...]:
    fixed = {fixed.piece for fixed in puzzle.fixed}
    members: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
    for piece, sides in enumerate(puzzle.pieces):
        if piece not in fixed:
            rotations = puzzle.rotations(piece)
            # The piece turned back by `offset` is the least of its looks.
            least, offset = min([(turned(sides, _UNDONE[offset]), offset) for offset in rotations])
            members.setdefault((least, rotations), []).append((piece, offset))
    types = []
    for (sides, rotations), found in members.items():
        looks: dict[tuple[int, ...], int] = {}
        for turns in rotations:
            looks.setdefault(turned(sides, turns), turns)
        name = piece_class(sides) if puzzle.is_framed and BORDER in sides else "inner"
        pieces, offsets = zip(*found, strict=True)
        order = len(rotations) // len(looks)
        types.append(PieceType(sides, pieces, offsets, order, tuple(looks.values()), rotations, name))
    return tuple(types)


def _may_survive(puzzle: EdgeMatchingPuzzle, types: tuple[PieceType, ...], moves: tuple[Move, ...]) -> bool:
    """Whether a picture could be invariant under a symmetry of the board; a doubtful answer is yes.

    Such a picture has each type in pairs on the squares that move, and symmetric pieces on those that do not.
    """
    every = np.arange(len(puzzle.board))
    turns_alone = [move.rotation for move in moves] == [0, 1, 2, 3]
    # What is invariant under a quarter turn is so under the half turn.
    for move in moves[2:3] if turns_alone else moves[1:]:
        targets = np.array(move.targets)
        still = every[targets == every].tolist()
        needed, kept = (Counter(map(puzzle.square_class, squares)) for squares in (puzzle.free_squares, still))
        suffices = _pairs_suffice if (targets[targets] == every).all() else _rings_suffice
        if all(suffices([k for k in types if k.piece_class == name], needed[name], kept[name]) for name in needed):
            return True
    return False


def _rings_suffice(kinds: list[PieceType], squares: int, still: int) -> bool:
    """Whether pieces of one class may fill squares of which all but `still` move in rings of one type each."""
    return sum(len(kind.pieces) for kind in kinds if len(kind.pieces) > 1) + still >= squares


def _pairs_suffice(kinds: list[PieceType], squares: int, still: int) -> bool:
    """Whether pieces of one class may fill squares of which all but `still` come in pairs with the same type."""
    pairs = sum(len(kind.pieces) // 2 for kind in kinds)
    if not still:
        return 2 * pairs >= squares
    # Taking a piece for a square that stays from a type of even number costs a pair.
    spared = (pairs - (len(kind.pieces) % 2 == 0) for kind in kinds if kind.order > 1)
    return any(2 * left >= squares - still for left in spared)


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
                return tuple(Anchor(kind, tuple(_domain(puzzle, found.moves, kind, order))) for kind in kinds)
    return ()


def _domain(puzzle: EdgeMatchingPuzzle, moves: tuple[Move, ...], kind: PieceType, order: tuple[int, ...]):
    board = puzzle.board
    seen: set[int] = set()
    for square in order:
        if square in seen or puzzle.square_class(square) != kind.piece_class:
            continue
        seen.update(move.targets[square] for move in moves)
        mask = board.border_mask(square)
        # Symmetries that do not move the square exchange the piece's own turns.
        still = [move.rotation for move in moves if move.targets[square] == square]
        kept = [turns for turns in kind.turns if turns == min(after(rotation, turns) for rotation in still)]
        shown = ((turns, turned(kind.sides, turns)) for turns in kept)
        yield (
            square,
            tuple(
                turns
                for turns, sides in shown
                if all(puzzle.side_fits(sides[side], on_border=bool(mask >> side & 1)) for side in range(4))
            ),
        )


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
    #: What lies on the border: the index of a colour, -1 for the border side, None for anything.
    rim: int | None = -1

    @property
    def colors(self) -> int:
        return len(self.color_index)

    @cached_property
    def is_classic(self) -> bool:
        """Whether border sides lie on the border of the board and nowhere else, and all pieces turn and do not flip."""
        return self.rim == -1 and all(kind.rotations == (0, 1, 2, 3) for kind in self.kinds)

    @cached_property
    def borders(self) -> NDArray[np.int64]:
        """The border sides of each candidate, as bits."""
        return ((self.sides < 0) << np.arange(4)).sum(axis=1)

    def fitting(self, borders: int) -> NDArray[np.bool_]:
        """Which candidates fit a square with these sides on the border."""
        if self.rim is None:
            return (self.borders & ~borders) == 0
        if self.rim < 0:
            return self.borders == borders
        on_border = (borders >> np.arange(4) & 1).astype(bool)
        return (self.sides[:, on_border] == self.rim).all(axis=1)

    def with_borders(self, borders: int) -> NDArray[np.int64]:
        """The indices of the candidates that fit a square with these sides on the border."""
        return np.flatnonzero(self.fitting(borders))

    @cached_property
    def rotations(self) -> NDArray[np.int64]:
        """The rotation of each piece of all types, in their order, by the turns of its type's sides: shape (n, 8)."""
        offsets = np.array([offset for kind in self.kinds for offset in kind.offsets], dtype=np.int64)
        sizes = [len(kind.pieces) for kind in self.kinds]
        looks = np.array([len(kind.rotations) // kind.order for kind in self.kinds], dtype=np.int64)
        found = (np.arange(8) - offsets[:, None]) % np.repeat(looks, sizes)[:, None]
        at = 0
        for kind in self.kinds:
            if kind.rotations[-1] >= TURNED_OVER:
                for number in range(len(kind.pieces)):
                    for turns in kind.turns:
                        found[at + number, turns] = kind.rotation(number, turns)
            at += len(kind.pieces)
        return found


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
        fits = self._candidates.fitting(asked.borders)
        for side, color, matching in asked.facing_fixed:
            fits &= (self._candidates.sides[:, side] == color) == matching
        return fits & (self._lies_as_anchor if asked.is_anchor_square else ~self._is_anchor)


def find_candidates(puzzle: EdgeMatchingPuzzle, kinds: tuple[PieceType, ...]) -> Candidates:
    """All turns of the types that give different looks; those of single pieces, all turns.

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
    rows = [(index, turns, turned(kind.sides, turns)) for index, kind in enumerate(kinds) for turns in kind.turns]
    return Candidates(
        kinds,
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([[color_index_or_border[color] for color in row[2]] for row in rows], dtype=np.int64).reshape(-1, 4),
        np.array([[mate_index_or_border[color] for color in row[2]] for row in rows], dtype=np.int64).reshape(-1, 4),
        color_index,
        color_index_or_border.get(puzzle.rim, len(color_index)) if isinstance(puzzle.rim, int) else None,
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
