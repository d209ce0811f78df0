"""The domains of all models of an edge-matching puzzle: the possible placements, and the seams between them.

A *placement* is a candidate (a piece type in an orientation) on a square.  A *seam* is the place where two sides meet;
it has the colour that the first of its squares shows there.  If a join may be invalid, its two squares have a seam
each, and a third variable is true if they do not match.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import PuzzleError
from ...csp.base.stop import StoppedError, never, watched
from ...csp.engines.tallies import Rows, Tally
from ...csp.puzzles.board import Arrangement, Join, after, moved, opposite, undone
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import Slips, allowed, format_slips, restrict_nothing
from ...csp.puzzles.symmetry import (
    Anchor,
    Symmetries,
    find_anchors,
    find_candidates,
    single_piece,
    single_pieces,
    symmetries,
)

Indices = NDArray[np.int64]
# The rotation of a piece, by the turns of the sides of its type and the rotation that makes it of them.
_ROTATIONS = np.array([[after(turns, undone(offset)) for offset in range(8)] for turns in range(8)])
_SQUARES_A_LINE = 50


@dataclass(frozen=True)
class LooseJoin:
    """A join that may be invalid: its two seams, how many pieces lie when it is made, whether it is along the frame."""

    join: Join
    first: int
    second: int
    depth: int
    along_frame: bool


class Domains:
    """The placements that are possible, and the seams between them.

    - `order`, `slips`: a search order, and the slip array along it; without slips every inner join must be valid.
    - `frame_slips`: the slip array of the joins along the frame, along the same order; without it all of these must be
      valid.
    - `symmetry`: whether to leave out what symmetries make of other boards: identical pieces are one type then,
      symmetric ones are turned as little as possible, and a unique piece lies in one quarter or half of the board only.
    - `prune`: whether to leave out placements that no neighbour can match.

    Attributes:
    - `found`, `anchor`: the symmetries, and the piece that breaks the turns of the board.
    - `candidates`: the free types in their orientations, then the fixed pieces.
    - `fixed_from`: the first candidate that is a fixed piece.
    - `square`, `candidate`: for each placement, ordered by both: where, what.
    - `seam`: shape (squares, 4): the seam on each side, -1 on the border.
    - `loose`: the joins that may be invalid, in the order in which they are made.
    - `color`: shape (placements, 4): the colour (its index) that a placement gives to each of its seams, -1 on the
      border.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        order: tuple[int, ...],
        slips: Slips = (),
        frame_slips: Slips = (),
        *,
        symmetry: bool = False,
        prune: bool = True,
        must_stop: Callable[[], bool] = never,
    ) -> None:
        self.puzzle, self.order, self.slips, self.symmetry = puzzle, order, slips, symmetry
        self.frame_slips = frame_slips
        turnable = restrict_nothing(puzzle, slips, order, frame_slips)
        self.found: Symmetries = symmetries(puzzle, turnable=turnable)
        kinds = self.found.types if symmetry else single_pieces(puzzle)
        fixed = tuple(single_piece(puzzle, f.piece) for f in puzzle.fixed)
        self._free = find_candidates(puzzle, kinds)
        self.candidates = find_candidates(puzzle, kinds + fixed)
        self.fixed_from = len(self._free.of_type)
        anchors = find_anchors(puzzle, self.found, order) if symmetry else ()
        self.anchor: Anchor | None = anchors[0] if anchors else None
        self.seam, self.loose = self._seams()
        self.square, self.candidate = self._placements(must_stop)
        if prune:
            self._prune(must_stop)

    def tally(self) -> Tally:
        """Counts full boards, given as rows of candidates on the squares that hold no fixed piece."""
        return Tally(self.puzzle, self.found, self._free, self.puzzle.free_squares, self.anchor, by_type=self.symmetry)

    @cached_property
    def of_type(self) -> Indices:
        """For each placement its type."""
        return self.candidates.of_type[self.candidate]

    @cached_property
    def color(self) -> Indices:
        return self._colors(self.square, self.candidate)

    @property
    def seams(self) -> int:
        """The number of seams."""
        return int(self.seam.max(initial=-1)) + 1

    def units(self, copy: Indices | int = 0) -> tuple[Indices, Indices, Indices]:
        """Take all placements of a type (and copy, 0 to 7) on a square as one.

        Returns the unit of each placement, and the square and the type of each unit.
        """
        key = (self.square * len(self.candidates.kinds) + self.of_type) * 8 + copy
        _, first, unit_of = np.unique(key, return_index=True, return_inverse=True)
        return unit_of, self.square[first], self.of_type[first]

    def copies(self, kind: int) -> tuple[int, int]:
        """How many pieces of a type are on the board: at least, at most."""
        kind_ = self.candidates.kinds[kind]
        number = len(kind_.pieces)
        needed = kind >= len(self._free.kinds) or kind_.piece_class in self.found.used_up
        return number if needed else 0, number

    def colors_of(self, seam: int) -> Indices:
        """The colours that a seam can have."""
        return np.flatnonzero(self.possible[seam])

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Shape (seams, colours): which colours a seam can have, as far as one of its squares goes."""
        first, second = self._shown_on(self.square, self.color)
        return (first | second)[:-1, :-1]

    @cached_property
    def mates(self) -> Indices:
        """For each colour the index of the one that fits onto it."""
        index = self.candidates.color_index
        mates = np.empty(len(index), dtype=np.int64)
        for color, number in index.items():
            mates[number] = index[self.puzzle.mate(color)]
        return mates

    @property
    def slips_bind(self) -> bool:
        """Whether the slip arrays keep any of the joins that may be invalid from being so."""
        return bool(self.bounds)

    @cached_property
    def bounds(self) -> list[tuple[list[int], int]]:
        """Joins that may be invalid (indices in `loose`), and how many of them may at most be so, where that binds."""
        return [
            ([index for index, _ in joins[:made]], quota)
            for joins in self.quotas
            for made, (_, quota) in enumerate(joins, start=1)
            if quota < made and (made == len(joins) or joins[made][1] > quota)
        ]

    @cached_property
    def quotas(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The inner joins that may be invalid, and those along the frame: index in `loose`, and quota.

        The quota is the number of joins of that kind, up to that one, that may be invalid.
        """
        return tuple(
            tuple((i, allowed(array, one.depth)) for i, one in enumerate(self.loose) if one.along_frame == along)
            for along, array in ((False, self.slips), (True, self.frame_slips))
        )

    @cached_property
    def black(self) -> NDArray[np.bool_]:
        """Which squares are black on a checkerboard whose top left square is."""
        return np.array([sum(place) % 2 == 0 for place in self.puzzle.board.places])

    @property
    def is_checkered(self) -> bool:
        """Whether each black square meets white ones only; not so if ends meet after an odd number of squares."""
        black = self.black
        return all(black[join.first] != black[join.second] for join in self.puzzle.board.joins())

    def times(self, colors: Collection[int]) -> list[int]:
        """For each type how many of its sides have one of these colours (indices)."""
        index = self.candidates.color_index
        return [sum(color != 0 and index[color] in colors for color in kind.sides) for kind in self.candidates.kinds]

    def placement(self, piece: int, square: int, rotation: int) -> int | None:
        """The placement of a piece on a square in a rotation (all 0-based); None if it is not possible.

        Raises PuzzleError if there is no such piece, square or rotation.
        """
        members = self.placements_of(piece, square)
        most = 7 if self.puzzle.flip else 3
        if not 0 <= rotation <= most:
            raise PuzzleError(f"rotation {rotation} is not between 0 and {most}")
        kind = self.candidates.kinds[self._kind_of[piece]]
        turns = kind.turns_of(kind.pieces.index(piece), rotation)
        found = members[self.candidates.turns[self.candidate[members]] == turns]
        return int(found[0]) if len(found) else None

    def located(self, square: int | str, piece: int) -> tuple[int, int]:
        """A square and a piece by their indices; with the name of a square, the piece is numbered from 1.

        Raises PuzzleError if there is no such square or piece.
        """
        if not isinstance(square, str):
            return square, piece
        if not 0 < piece <= len(self.puzzle.pieces):
            raise PuzzleError(f"{square}: there is no piece {piece} among {len(self.puzzle.pieces)}, numbered from 1")
        return self.puzzle.board.parse(square), piece - 1

    def placements_of_solution(self, board: Arrangement) -> list[list[int]]:
        """The placements of a full board, one a square, and, with symmetry broken, of those that turning it makes.

        Symmetry breaking leaves one of them, or several where no piece is there to break the turns of the board.
        Raises PuzzleError if the board is of another size or has an empty square, or there is no such piece or
        rotation.
        """
        if len(board) != len(self.puzzle.board):
            raise PuzzleError(f"the board has {len(board)} squares, but that of the puzzle {len(self.puzzle.board)}")
        full = tuple(placed for placed in board if placed is not None)
        if len(full) < len(board):
            raise PuzzleError(f"the board is not full: {self.puzzle.board.name(board.index(None))} is empty")
        found = []
        for move in self.found.moves if self.symmetry else self.found.moves[:1]:
            turned = moved(move, full)
            there = [self.placement(p.piece, square, p.rotation) for square, p in enumerate(turned) if p is not None]
            if None not in there:
                found.append([placement for placement in there if placement is not None])
        return found

    def placements_of(self, piece: int, square: int) -> Indices:
        """The placements of a piece on a square.  Raises as `placement` does."""
        self._check(square)
        if not 0 <= piece < len(self.puzzle.pieces):
            raise PuzzleError(f"there is no piece {piece} among {len(self.puzzle.pieces)}, numbered from 0")
        start, end = np.searchsorted(self.square, [square, square + 1])
        return start + np.flatnonzero(self.of_type[start:end] == self._kind_of[piece])

    def seam_color(self, square: int, side: int, color: int) -> tuple[int, int]:
        """The seam on a side of a square, and the colour's index there; -1 if it does not exist.

        Raises PuzzleError if there is no such square or side.
        """
        self._check(square, side)
        index = self.candidates.color_index.get(color, -1)
        return int(self.seam[square, side]), int(self.seen(square, side, index))

    def seen(self, square: Indices | int, side: int, color: Indices | int) -> Indices:
        """The colour of a seam when a square shows a colour there (indices; -1 stays -1)."""
        mates = np.append(self.mates, -1)
        return np.where(self.second[square, side], mates[color], color)

    def loose_at(self, square: int, side: int) -> int | None:
        """The index of a join that may be invalid.  Raises as `seam_color` does."""
        self._check(square, side)
        return self._loose_index.get((square, side))

    def rows(self, there: NDArray[np.bool_]) -> Rows:
        """Candidates of the free squares from true placements: shape (n, placements) to (n, free squares)."""
        free = self.candidate < self.fixed_from
        placements = np.nonzero(there[:, free])[1].reshape(len(there), len(self.puzzle.free_squares))
        return self.candidate[free][placements]

    def name_of_piece(self, copy: int = 0) -> tuple[Indices, Indices]:
        """For each placement the first piece of its type, or another one of them, and that piece's rotation."""
        pieces, rotations = self.name_of_candidate(copy)
        return pieces[self.candidate], rotations[self.candidate]

    def name_of_candidate(self, copy: int = 0) -> tuple[Indices, Indices]:
        """The same for each candidate; of a type of fewer pieces the last one."""
        kinds, of_type = self.candidates.kinds, self.candidates.of_type
        numbers = [min(copy, len(kind.pieces) - 1) for kind in kinds]
        pieces = np.array([kind.pieces[n] for kind, n in zip(kinds, numbers, strict=True)], dtype=np.int64)
        offsets = np.array([kind.offsets[n] for kind, n in zip(kinds, numbers, strict=True)], dtype=np.int64)
        # Not the least rotations that look the same: certificates have these.
        return pieces[of_type], _ROTATIONS[self.candidates.turns, offsets[of_type]]

    def meaning(self, *, numbered: bool = False) -> Iterator[str]:
        """What exported files say of order, slips, fixed pieces, and what became of the symmetries.

        - `numbered`: whether identical pieces have different numbers in the solutions of the file.
        """
        name = self.puzzle.board.name
        for start in range(0, len(self.order), _SQUARES_A_LINE):
            yield f"order {' '.join(map(name, self.order[start : start + _SQUARES_A_LINE]))}"
        yield f"slips {format_slips(self.slips) or 'none'}"
        if self.frame_slips:
            yield f"frame_slips {format_slips(self.frame_slips)}"
        for square, piece, rotation in self.puzzle.fixed:
            yield f"fixed {name(square)} piece {piece + 1} turned {rotation}"
        yield f"symmetry {'broken' if self.symmetry else 'kept'}"
        # For how many arrangements a solution stands, where it is the same for all.
        factor = (self.tally().regular(1)[0] if self.found.regular else None) if self.symmetry else 1
        if factor != 1:
            yield "WARNING: symmetry is broken: of the boards that turning the board, exchanging identical pieces and"
            file = "only some are solutions of this file.  The number of"
            yield f"WARNING: turning symmetric ones make of each other {file}"
            several = f"arrangements is {factor} times the number of solutions"
            times = several if factor else "solutions does not determine that of arrangements"
            same = "" if numbered else "  Identical pieces have the number of the first."
            yield f"WARNING: {times}.{same}"

    def _check(self, square: int, side: int = 0) -> None:
        if not 0 <= square < len(self.puzzle.board):
            raise PuzzleError(f"square number {square} is not on the {self.puzzle.board.text}")
        if not 0 <= side <= 3:
            raise PuzzleError(f"side {side} is not 0 (up), 1 (right), 2 (down) or 3 (left)")

    @cached_property
    def _kind_of(self) -> dict[int, int]:
        return {piece: index for index, kind in enumerate(self.candidates.kinds) for piece in kind.pieces}

    @cached_property
    def _loose_index(self) -> dict[tuple[int, int], int]:
        found = {}
        for index, (first, side, second) in enumerate(one.join for one in self.loose):
            found[first, side] = found[second, opposite(side)] = index
        return found

    def _seams(self) -> tuple[Indices, tuple[LooseJoin, ...]]:
        board = self.puzzle.board
        depth = {square: number for number, square in enumerate(self.order, start=1)}
        seam = np.full((len(board), 4), -1, dtype=np.int64)
        loose = []
        number = 0
        for join in board.joins():
            first, side, second = join
            seam[first, side] = number
            along = self.puzzle.is_frame_join(join)
            if self.frame_slips if along else self.slips:
                number += 1
                loose.append(LooseJoin(join, number - 1, number, max(depth[first], depth[second]), along))
            seam[second, opposite(side)] = number
            number += 1
        return seam, tuple(sorted(loose, key=lambda one: one.depth))

    def _placements(self, must_stop: Callable[[], bool]) -> tuple[Indices, Indices]:
        """What fits the border, the fixed pieces and the anchor."""
        board = self.puzzle.board
        squares, candidates = [], []
        at_fixed = {fixed.square: fixed for fixed in self.puzzle.fixed}
        for square in watched(range(len(board)), must_stop):
            if square in at_fixed:
                kind = len(self._free.kinds) + self.puzzle.fixed.index(at_fixed[square])
                is_it = (self.candidates.of_type == kind) & (self.candidates.turns == at_fixed[square].rotation)
                fitting = np.flatnonzero(is_it)
            else:
                fitting = self._free.with_borders(board.border_mask(square))
            squares.append(np.full(len(fitting), square, dtype=np.int64))
            candidates.append(fitting)
        square, candidate = np.concatenate(squares), np.concatenate(candidates)
        keep = self._anchored(square, candidate)
        return square[keep], candidate[keep]

    def _anchored(self, square: Indices, candidate: Indices) -> NDArray[np.bool_]:
        if self.anchor is None:
            return np.ones(len(square), dtype=bool)
        kind = self.candidates.kinds.index(self.anchor.piece_type)
        is_anchor = self.candidates.of_type[candidate] == kind
        allowed_there = np.zeros(len(square), dtype=bool)
        for place, turns in self.anchor.squares:
            allowed_there |= (square == place) & np.isin(self.candidates.turns[candidate], turns)
        return ~is_anchor | allowed_there

    def _colors(self, square: Indices, candidate: Indices) -> Indices:
        """The colour that each placement gives to its seams: what the first of the two squares shows there."""
        sides, mates = self.candidates.sides[candidate], self.candidates.mates[candidate]
        return np.where(self.seam[square] < 0, -1, np.where(self.second[square], mates, sides))

    @cached_property
    def second(self) -> NDArray[np.bool_]:
        """Shape (squares, 4): whether a square is the second one of its seam there."""
        second = np.zeros(self.seam.shape, dtype=bool)
        seen = np.zeros(self.seams, dtype=bool)
        for square, seams in enumerate(self.seam):
            for side, seam in enumerate(seams):
                if seam >= 0:
                    second[square, side] = seen[seam]
                    seen[seam] = True
        return second

    def _shown_on(self, square: Indices, color: Indices) -> NDArray[np.bool_]:
        """Shape (2, seams + 1, colours + 1): which colours each of its squares can give to a seam.

        The last row and column are those of the border, which index -1 finds.
        """
        shown = np.zeros((2, self.seams + 1, self.candidates.colors + 1), dtype=bool)
        for side in range(4):
            shown[self.second[square, side].astype(np.int64), self.seam[square, side], color[:, side]] = True
        return shown

    def _prune(self, must_stop: Callable[[], bool]) -> None:
        """Leave out placements that no neighbour can match, and those that their loss leaves without one."""
        two_squares = np.zeros(self.seams + 1, dtype=bool)
        two_squares[self.seam[self.second]] = True
        while True:
            if must_stop():
                raise StoppedError
            color = self._colors(self.square, self.candidate)
            first, second = self._shown_on(self.square, color)
            possible = first & (second | ~two_squares[:, None])
            possible[-1, -1] = True
            keep = possible[self.seam[self.square], color].all(axis=1)
            if keep.all():
                return
            self.square, self.candidate = self.square[keep], self.candidate[keep]
