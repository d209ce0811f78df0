"""What becomes of the solutions of engines: their number, which of them are the same, which are shown.

A full board is a row of candidates, one per square.  In a search over types it is a picture, which represents all ways
to number its pieces; in a search over single pieces it is one arrangement.  A tiling is a row of placements.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from math import factorial, perm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..puzzles.board import TURNED_OVER, Arrangement, Placement, after, turned
from ..puzzles.check_board import Verdict, check
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.symmetry import Anchor, Candidates, Symmetries, packed
from .request import Goal
from .result import Status, status_of_count

#: Boards as rows of candidates, or tilings as rows of placements.
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
    - `pictures_met`: the pictures among the rows added; 0 if `count` determines them.
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
        self.count = self.canonical_count = self.pictures_met = 0
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
            if not self.found.even:
                self.pictures_met += int(self._is_labelled(rows).sum())
        else:
            turns = self.found.board if self._anchor else 1
            self.pictures_met += turns * len(rows)
            self.count += turns * sum(weight * number for weight, number in self._weights(rows))
        self.canonical_count += int(canonical.sum())

    def is_canonical(self, rows: Rows) -> NDArray[np.bool_]:
        """Which of the rows represent their orbits: exactly one of each orbit does."""
        canonical = np.ones(len(rows), dtype=bool)
        if not self._by_type:
            canonical &= self._is_labelled(rows)
        if self.found.board > 1 and self._anchor is None:
            canonical &= self._is_least_turn(rows)
        return canonical

    def _is_labelled(self, rows: Rows) -> NDArray[np.bool_]:
        """Which rows of single pieces have identical ones in the order of their numbers, turned as little as possible.

        There is one such row for each picture.
        """
        of_type, index, least_turn = (column[rows] for column in self._member)
        return (least_turn & (index == _occurrences(of_type, len(self.found.types)))).all(axis=1)

    def _is_least_turn(self, rows: Rows) -> NDArray[np.bool_]:
        """Which pictures come first among the turns of the board, compared square by square."""
        squares = rows.shape[1]
        # Pieces that show the same may differ in how they may be turned.
        groups = {kind.rotations: number for number, kind in enumerate(self._candidates.kinds)}
        pictures = np.empty((len(rows), squares * min(len(groups), 2)), dtype=np.uint64)
        pictures[:, self._squares] = packed(self._candidates.sides + 1)[rows]
        if len(groups) > 1:
            group_of = np.array([groups[kind.rotations] for kind in self._candidates.kinds], dtype=np.uint64)
            pictures[:, squares + self._squares] = group_of[self._candidates.of_type[rows]]
        least = np.ones(len(rows), dtype=bool)
        for move in self.found.moves[1:]:
            there, targets = np.empty_like(pictures), np.array(move.targets)
            there[:, targets] = _turned_words(pictures[:, :squares], move.rotation)
            if len(groups) > 1:
                there[:, squares + targets] = pictures[:, squares:]
            first = np.argmax(pictures != there, axis=1)[:, None]
            least &= (np.take_along_axis(pictures, first, 1) <= np.take_along_axis(there, first, 1))[:, 0]
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
        at = start[of_type] + occurrences
        return piece_at[at], self._candidates.rotations[at, self._candidates.turns[rows]]


def _turned_words(words: NDArray[np.uint64], rotation: int) -> NDArray[np.uint64]:
    """Packed sides after a rotation from 0 to 7."""
    lane = np.uint64(0xFFFF)
    if rotation >= TURNED_OVER:
        right, left = words >> np.uint64(16) & lane, words >> np.uint64(48)
        words = words & np.uint64(0x0000_FFFF_0000_FFFF) | left << np.uint64(16) | right << np.uint64(48)
    shift = np.uint64(16 * (rotation % 4))
    return words << shift | words >> (np.uint64(64) - shift) if shift else words


def _members(found: Symmetries, candidates: Candidates, *, by_type: bool) -> tuple[NDArray[np.int64], ...]:
    """For a search over single pieces, for each candidate: its type, its index there, whether its turn is the least."""
    columns = np.zeros((3, len(candidates.of_type)), dtype=np.int64)
    if not by_type:
        place_in_type = {piece: index for kind in found.types for index, piece in enumerate(kind.pieces)}
        for row, (single, turns) in enumerate(zip(candidates.of_type, candidates.turns, strict=True)):
            (piece,) = candidates.kinds[single].pieces
            of_type = found.type_of_piece[piece]
            kind = found.types[of_type]
            number = place_in_type[piece]
            columns[:, row] = of_type, number, turns == kind.rotation(number, after(turns, kind.offsets[number]))
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


def certain(
    puzzle: EdgeMatchingPuzzle,
    solution: Arrangement,
    slips: Sequence[int] = (),
    order: Sequence[int] = (),
    frame_slips: Sequence[int] = (),
) -> Verdict:
    """The checker's verdict on a board that an engine found; raises AssertionError if it is not a solution."""
    verdict = check(puzzle, solution, slips, order if slips or frame_slips else (), frame_slips)
    if not verdict.is_solution:
        raise AssertionError(f"the search found an invalid solution: {verdict.problems[0]}")
    return verdict


def status_of_best(best: Arrangement | None, *, complete: bool) -> Status:
    """The status of a search for the best score that has found this full board, or no board (None)."""
    if best is None:
        return Status.UNSATISFIABLE if complete else Status.UNKNOWN
    return Status.OPTIMAL if complete else Status.FEASIBLE


class Harvest:
    """Counts the full boards of a search, and yields the wanted number of them as solutions.

    - `tally`: counts rows of candidates.
    - `goal`, `most`: the goal, and the number of wanted solutions; None for all.
    - `symmetry`: whether the search breaks symmetries: then one solution of each orbit is yielded.
    - `checked`: is called with each solution; raises AssertionError if it is invalid.

    Attributes:
    - `yielded`: how many solutions have been yielded.
    - `full`: whether the wanted number is reached.
    """

    def __init__(
        self, tally: Tally, goal: Goal, most: int | None, *, symmetry: bool, checked: Callable[[Arrangement], object]
    ) -> None:
        self._tally, self._goal, self._most, self._checked = tally, goal, most, checked
        # Any solution will do when only one is wanted.
        self._select = symmetry and goal is not Goal.SOLVE
        self.yielded = 0
        self.full = False

    def take(self, rows: Rows) -> Iterator[Arrangement]:
        """Count full boards and yield the solutions among them, up to the wanted number."""
        canonical = self._tally.is_canonical(rows)
        shown = np.flatnonzero(canonical) if self._select else np.arange(len(rows))
        if self._most is not None and self._goal is not Goal.COUNT and len(shown) >= self._most - self.yielded:
            shown = shown[: self._most - self.yielded]
            rows = rows[: shown[-1] + 1 if len(shown) else 0]
            self.full = True
        self._tally.add(rows, canonical[: len(rows)])
        if self._goal is Goal.COUNT:
            return
        for solution in self._tally.arrangements(rows[shown]):
            self._checked(solution)
            self.yielded += 1
            yield solution

    @property
    def state(self) -> list[int]:
        """What was counted and yielded, as JSON data for `begin_with`."""
        return [self._tally.count, self._tally.canonical_count, self.yielded, self._tally.pictures_met]

    def begin_with(self, state: list[int]) -> None:
        """Add what an earlier search has counted and yielded."""
        self._tally.count, self._tally.canonical_count, self.yielded, self._tally.pictures_met = state
        self.full = self._most is not None and self.yielded >= self._most

    def include(self, rows: Rows) -> None:
        """Count a solution that was found before, with all rows that it has in this search."""
        self._tally.add(rows, self._tally.is_canonical(rows))
        self.yielded += 1
        self.full = self._most is not None and self.yielded >= self._most

    def counts(self) -> tuple[int, int]:
        """`count` and `canonical_count` so far."""
        # No orbit is larger than the product: an incomplete search may imply more orbits than it has met.
        orbits = -(-self._tally.count // self._tally.found.product)
        return self._tally.count, max(self._tally.canonical_count, orbits)

    def pictures(self) -> int:
        """The number of pictures so far."""
        pictures = self._tally.found.pictures(self._tally.count)
        return self._tally.pictures_met if pictures is None else pictures

    def conclusion(self, count: int, *, exhausted: bool) -> tuple[Status, bool]:
        """The status of the search so far, and whether its goal is reached."""
        complete = exhausted or (self._goal is Goal.SOLVE and self.yielded > 0)
        return status_of_count(count, complete=complete), complete


class TilingTally:
    """Counts rows of placements.

    A row has a placement for each piece, the pieces kind by kind: either the kinds are the puzzle's classes, and the
    placements of a class are a set; or every piece is a kind.  Further kinds, of numbers that no piece has, do not
    count: what they place follows from the pieces.

    - `kinds`: the pieces by kind.
    - `anchor`: the kind, of one piece, that breaks the target's symmetries: the rows have it in one placement of each
      orbit. None if they are not broken.
    - `images`: the images of placements under the target's symmetries: for n placements an array of shape (symmetries,
      n).
    - `looks`: maps placements to numbers that are equal for congruent pieces in the same place.  Between two calls the
      numbers may differ, but not their order.
    - `first_over`: from this number on, placements are those of pieces that are left over.

    Attributes:
    - `count`, `canonical_count`, `picture_count`: tilings, orbits of tilings, and tilings by pieces without numbers.
    """

    def __init__(
        self,
        puzzle: DissectionPuzzle,
        kinds: tuple[tuple[int, ...], ...],
        anchor: int | None,
        images: Callable[[Rows], Rows],
        looks: Callable[[Rows], Rows],
        first_over: int | None = None,
    ) -> None:
        self._puzzle, self.kinds = puzzle, kinds
        self._images, self._looks, self._first_over = images, looks, first_over
        self.count = self.canonical_count = self.picture_count = 0
        slots = np.array([piece for members in kinds for piece in members], dtype=np.int64)
        number = len(puzzle.pieces)
        self._by_piece = sum(members[0] < number for members in kinds) == number
        # Numbers that no piece has follow those of the pieces.
        self.slot_of_piece = np.argsort(slots)[:number]
        self._anchor = None if anchor is None else sum(len(members) for members in kinds[:anchor])
        # The symmetries that exchange kinds, and the row entry that each entry of such an image comes from.
        self._moved: list[tuple[int, NDArray[np.int64]]] = []
        classes = tuple(range(len(puzzle.classes)))
        for row, (moved, pieces) in enumerate(zip(puzzle.moved_kinds(puzzle.classes), puzzle.exchanges, strict=True)):
            if moved != classes:
                from_slot = np.arange(len(slots))
                from_slot[self.slot_of_piece[list(pieces)]] = self.slot_of_piece
                self._moved.append((row, from_slot))
        # The row entries of the members of each class, in any order of the kinds.
        self._class_slots = [self.slot_of_piece[list(members)] for members in puzzle.classes]

    @cached_property
    def product(self) -> int:
        """The target's symmetries times the exchanges of congruent pieces: the size of a full orbit."""
        return len(self._puzzle.symmetries) * self._exchanges

    @cached_property
    def _exchanges(self) -> int:
        return prod(factorial(len(members)) for members in self._puzzle.classes)

    def add(self, rows: Rows) -> NDArray[np.bool_]:
        """Count rows; return which of them are canonical: one of each orbit."""
        if not len(rows):
            return np.zeros(0, dtype=np.bool_)
        images = self._images(rows.ravel()).reshape(-1, *rows.shape)
        for row, from_slot in self._moved:
            images[row] = images[row][:, from_slot]
        looks = self._looks(images[:, :, : len(self.slot_of_piece)].ravel()).reshape(*images.shape[:2], -1)
        labelled = np.ones(len(rows), dtype=np.bool_)
        for some in self._class_slots:
            if self._by_piece:
                # The identity comes first among the symmetries.  Only pieces that are left over look alike.
                labelled &= (np.diff(looks[0][:, some], axis=1) >= 0).all(axis=1)
            looks[:, :, some] = np.sort(looks[:, :, some], axis=2)
        if self._anchor is None:
            reached = np.ones(images.shape[:2], dtype=np.bool_)
            orbits = np.ones(len(rows), dtype=np.int64)
        else:
            placed = images[:, :, self._anchor]
            reached = placed == placed[0]
            orbits = len(images) // reached.sum(axis=0)
        canonical = labelled & ~(reached & _less(looks, looks[0])).any(axis=0)
        self.count += int(orbits.sum()) if self._by_piece else self._numbered(rows, orbits)
        self.canonical_count += int(canonical.sum())
        self.picture_count += int(orbits[labelled].sum())
        return canonical

    def _numbered(self, rows: Rows, orbits: NDArray[np.int64]) -> int:
        """The number of tilings by numbered pieces of some rows, each counted as often as `orbits` says."""
        if self._first_over is None:
            return int(orbits.sum()) * self._exchanges
        over = rows >= self._first_over
        left = np.stack([over[:, slots].sum(axis=1) for slots in self._class_slots], axis=1)
        different, which = np.unique(left, axis=0, return_inverse=True)
        # To exchange two pieces that are left over makes no difference.
        return sum(
            int(orbits[which.reshape(-1) == at].sum()) * (self._exchanges // prod(map(factorial, numbers)))
            for at, numbers in enumerate(different.tolist())
        )


def _less(rows: Rows, than: Rows) -> NDArray[np.bool_]:
    """Which rows (the last axis) precede the others in lexicographic order."""
    different = rows != than
    at = different.argmax(axis=-1)[..., None]
    return (
        np.take_along_axis(rows, at, -1)[..., 0] < np.take_along_axis(np.broadcast_to(than, rows.shape), at, -1)[..., 0]
    )


def identity_of(
    puzzle: EdgeMatchingPuzzle | DissectionPuzzle, *, every: bool, turnable: bool = True
) -> Callable[[Any], Any]:
    """A function whose values are equal for the same solutions, and different for others.

    - `every`: whether every arrangement is a solution of its own; otherwise all arrangements of a symmetry class are
      the same.
    - `turnable`: for puzzles of squares: whether symmetries of the board make no difference.
    """
    if isinstance(puzzle, DissectionPuzzle):
        return _tilings(puzzle, every=every)
    if every:
        return _numbered
    key = picture_keys(puzzle, turnable=turnable)
    return lambda board: _digest(key(board))


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _numbered(board: Arrangement) -> bytes:
    return _digest(np.array([(-1, 0) if placed is None else placed for placed in board], dtype=np.int32).tobytes())


def picture_keys(puzzle: EdgeMatchingPuzzle, *, turnable: bool = True) -> Callable[[Arrangement], bytes]:
    """A function that gives the same key to full boards that look the same, perhaps after a symmetry of the board.

    Boards look the same if each square shows the same sides.  With `turnable` false symmetries make another board.
    """
    looks = [[turned(sides, rotation) for rotation in range(8)] for sides in puzzle.pieces]
    shown, columns = np.array(looks, dtype=np.int32), 4
    groups = np.array([len(puzzle.rotations(piece)) for piece in range(len(puzzle.pieces))], dtype=np.int32)
    if groups.min() < groups.max():
        # Pieces that show the same may differ in how they may be turned: the last column.
        column = np.broadcast_to(groups[:, None, None], (*shown.shape[:2], 1))
        shown, columns = np.concatenate((shown, column), axis=2), 5
    moves = puzzle.moves if turnable else puzzle.moves[:1]
    ways = [(np.array([*turned((0, 1, 2, 3), move.rotation), 4])[:columns], np.argsort(move.targets)) for move in moves]

    def key(arrangement: Arrangement) -> bytes:
        pieces, rotations = np.array(arrangement, dtype=np.int64).T
        sides = shown[pieces, rotations]
        return min(sides[source][:, order].tobytes() for order, source in ways)

    return key


def _tilings(puzzle: DissectionPuzzle, *, every: bool) -> Callable[[Tiling], Any]:
    """The polygons of a tiling, or for a class those of all its images, with the classes of their pieces."""
    if every:
        return tuple
    images: dict[Any, list[Any]] = {}
    classes = [[puzzle.class_of[piece] for piece in pieces] for pieces in puzzle.exchanges]

    def all_images(tiling: Tiling) -> frozenset[Any]:
        placed = [(piece, polygon) for piece, polygon in enumerate(tiling) if polygon is not None]
        for _, polygon in placed:
            if polygon not in images:
                images[polygon] = [motion(polygon) for motion in puzzle.symmetries]
        return frozenset(
            frozenset((of_piece[piece], images[polygon][which]) for piece, polygon in placed)
            for which, of_piece in enumerate(classes)
        )

    return all_images
