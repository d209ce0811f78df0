"""Counts the full boards that an engine finds, and the arrangements that they represent.

A full board is a row of candidates, one per square.  In a search over types it is a picture, which represents all ways
to number its pieces; in a search over single pieces it is one arrangement.
"""

from collections.abc import Iterator
from math import perm, prod

import numpy as np
from numpy.typing import NDArray

from ...puzzles.board import Arrangement, Placement
from ...puzzles.candidates import Candidates, packed
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import Anchor, Symmetries

Rows = NDArray[np.int64]


class Tally:
    """Classifies rows and adds up what they represent.

    - `puzzle`, `found`: the puzzle and its symmetries.
    - `candidates`, `squares`: the candidates of the search, and the square of each entry of a row: all squares without
      a fixed piece.
    - `anchor`: the piece that broke the symmetry of turning the board, if any.
    - `by_type`: whether types or single pieces were searched.

    Attributes:
    - `count`, `canonical_count`: arrangements and orbits so far.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        found: Symmetries,
        candidates: Candidates,
        squares: tuple[int, ...],
        anchor: Anchor | None,
        *,
        by_type: bool,
    ) -> None:
        self.count = self.canonical_count = 0
        self._puzzle, self.found, self._candidates = puzzle, found, candidates
        self._squares = np.array(squares, dtype=np.int64)
        self._anchor, self._by_type = anchor, by_type
        self._member = _members(found, candidates, by_type=by_type)

    def regular(self, rows: int) -> tuple[int, int]:
        """`count` and `canonical_count` of a number of rows if all orbits have one size.

        An orbit that was searched only in part counts as one.
        """
        found = self.found
        if self._by_type:
            rows *= found.identical * found.symmetric * (found.board if self._anchor else 1)
        return rows, -(-rows // found.product)

    def add(self, rows: Rows, canonical: NDArray[np.bool_]) -> None:
        """Count the given rows; `canonical` marks the canonical ones."""
        if not self._by_type:
            self.count += len(rows)
        else:
            turns = self.found.board if self._anchor else 1
            self.count += turns * sum(weight * number for weight, number in self._weights(rows))
        self.canonical_count += int(canonical.sum())

    def is_canonical(self, rows: Rows) -> NDArray[np.bool_]:
        """Which of the rows represent their orbits: exactly one of each orbit does."""
        canonical = np.ones(len(rows), dtype=bool)
        if not self._by_type:
            # The identical pieces in the order of their numbers, each turned as little as possible.
            of_type, index, least_turn = (column[rows] for column in self._member)
            canonical &= (least_turn & (index == _occurrences(of_type, len(self.found.types)))).all(axis=1)
        if self.found.board > 1 and self._anchor is None:
            canonical &= self._is_least_turn(rows)
        return canonical

    def _is_least_turn(self, rows: Rows) -> NDArray[np.bool_]:
        """Which pictures come first among the turns of the board, compared square by square."""
        pictures = np.empty(rows.shape, dtype=np.uint64)
        pictures[:, self._squares] = packed(self._candidates.sides + 1)[rows]
        least = np.ones(len(rows), dtype=bool)
        board = self._puzzle.board
        for quarter_turns in range(4 // self.found.board, 4, 4 // self.found.board):
            target = [board.turned_square(square, quarter_turns) for square in range(len(board))]
            shift = np.uint64(16 * quarter_turns)
            turned = np.empty_like(pictures)
            turned[:, target] = pictures << shift | pictures >> (np.uint64(64) - shift)
            first = np.argmax(pictures != turned, axis=1)[:, None]
            least &= (np.take_along_axis(pictures, first, 1) <= np.take_along_axis(turned, first, 1))[:, 0]
        return least

    def _weights(self, rows: Rows) -> Iterator[tuple[int, int]]:
        """Pairs: a number of arrangements that a picture represents, and the number of such pictures."""
        kinds = self.found.types
        several = [index for index, kind in enumerate(kinds) if len(kind.pieces) > 1 or kind.order > 1]
        of_type = self._candidates.of_type[rows]
        used = np.array([(of_type == index).sum(axis=1) for index in several]).reshape(len(several), len(rows))
        for uses, number in zip(*np.unique(used.T, axis=0, return_counts=True), strict=True):
            pairs = [(kinds[index], int(use)) for index, use in zip(several, uses, strict=True)]
            yield prod(perm(len(kind.pieces), use) * kind.order**use for kind, use in pairs), int(number)

    def arrangements(self, rows: Rows) -> Iterator[Arrangement]:
        """The arrangements of full rows, with pieces of one type numbered by their squares, and turned minimally.

        So a picture is the same arrangement for every search order.
        """
        pieces, rotations = np.empty((2, len(rows), len(self._puzzle.board)), dtype=np.int64)
        for fixed in self._puzzle.fixed:
            pieces[:, fixed.square], rotations[:, fixed.square] = fixed.piece, fixed.rotation
        pieces[:, self._squares], rotations[:, self._squares] = self._numbered(rows)
        for of_leaf, turns in zip(pieces.tolist(), rotations.tolist(), strict=True):
            yield tuple(map(Placement, of_leaf, turns))

    def partial_board(self, row: Rows, fixed: tuple[int, ...]) -> Arrangement:
        """The board with the pieces of some fixed squares and the candidates of an incomplete row."""
        board: list[Placement | None] = [None] * len(self._puzzle.board)
        for square, piece, rotation in self._puzzle.fixed:
            if square in fixed:
                board[square] = Placement(piece, rotation)
        pieces, rotations = self._numbered(row[None])
        for square, piece, rotation in zip(self._squares[: len(row)], pieces[0], rotations[0], strict=True):
            board[square] = Placement(int(piece), int(rotation))
        return tuple(board)

    def _numbered(self, rows: Rows) -> tuple[Rows, Rows]:
        """Pieces and rotations in place of candidates."""
        of_type = self._candidates.of_type[rows]
        kinds = self._candidates.kinds
        by_square = np.argsort(self._squares[: rows.shape[1]])
        occurrences = np.empty_like(of_type)
        occurrences[:, by_square] = _occurrences(of_type[:, by_square], len(kinds))
        start = np.cumsum([0, *(len(kind.pieces) for kind in kinds)])[:-1]
        piece_at = np.array([piece for kind in kinds for piece in kind.pieces], dtype=np.int64)
        offset_at = np.array([offset for kind in kinds for offset in kind.offsets], dtype=np.int64)
        at = start[of_type] + occurrences
        turns = np.array([4 // kind.order for kind in kinds], dtype=np.int64)[of_type]
        return piece_at[at], (self._candidates.turns[rows] - offset_at[at]) % turns


def _members(found: Symmetries, candidates: Candidates, *, by_type: bool) -> tuple[NDArray[np.int64], ...]:
    """For a search over single pieces, for each candidate: its type, its index there, whether its turn is the least."""
    columns = np.zeros((3, len(candidates.of_type)), dtype=np.int64)
    if not by_type:
        place_in_type = {piece: index for kind in found.types for index, piece in enumerate(kind.pieces)}
        for row, (single, turns) in enumerate(zip(candidates.of_type, candidates.turns, strict=True)):
            (piece,) = candidates.kinds[single].pieces
            of_type = found.type_of_piece[piece]
            columns[:, row] = of_type, place_in_type[piece], turns < 4 // found.types[of_type].order
    return columns[0], columns[1], columns[2].astype(bool)


def _occurrences(of_type: Rows, types: int) -> Rows:
    """How often the type of each entry occurs before it in its row."""
    seen = np.zeros((len(of_type), types), dtype=np.int32)
    before = np.empty(of_type.shape, dtype=np.int64)
    every = np.arange(len(of_type))
    for depth in range(of_type.shape[1]):
        before[:, depth] = seen[every, of_type[:, depth]]
        seen[every, of_type[:, depth]] += 1
    return before
