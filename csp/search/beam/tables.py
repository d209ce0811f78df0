"""The tables of the beam's kernels: colours that distinguish the frame, and the candidates by their colours."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...base.errors import PuzzleError
from ...puzzles.board import MET_WAY, Board, way_along_border
from ...puzzles.candidates import MAX_COLORS, Candidates, find_candidates, lists_by_key, packed
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import symmetries

_END = 0xFFFFFFFF
#: Ends a run of candidates that are one piece.
LAST = np.uint32(1 << 31)


@dataclass(frozen=True)
class BeamLists:
    """Candidates by the colours that some of their sides must fit."""

    #: Where a key's list starts in `entries`; a key is made of colours, the first one being the most significant.
    index: NDArray[np.uint32]
    #: The lists one after the other, each ended by 0xFFFFFFFF.
    entries: NDArray[np.uint32]


@dataclass(frozen=True)
class Runs:
    """Candidates by the colour that one side must fit, and by piece, so that used pieces cost nothing."""

    #: Shape (colours, words): the bits of the pieces that fit.
    masks: NDArray[np.uint64]
    #: Shape (colours, bits): where the candidates of a piece start in `entries`.
    starts: NDArray[np.uint32]
    #: Candidates; the top bit marks the last one of a piece.
    entries: NDArray[np.uint32]
    #: The colours that they show, and that fit onto these, on the other sides.
    colors: NDArray[np.uint64]


class BeamTables:
    """The data of a puzzle that are the same in every beam.

    A side along the frame fits only a side along the same border in the opposite direction.  So a colour counts as two
    colours there, and the needs of the frame are known by direction.

    Attributes:
    - `candidates`: what may be placed: each type of piece, turned in each way that changes it.
    - `colors`: the number of colours that are distinguished in this way.
    - `sides`, `mates`: the colours of the four sides of each candidate and those that fit onto them, 16 bits each;
      0xFFFF for the border.
    - `mate_of`: the colour that fits onto each.
    - `bits`: each piece has a bit; those that look alike follow each other and are used from the first on.
    - `first_bit`, `last_bit`: the bits of a candidate's piece and of those that look like it.
    - `unused`: the number of sides of all pieces that fit onto each colour.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self.candidates = candidates = find_candidates(puzzle, symmetries(puzzle).types, repeat_turns=False)
        self._sides, self._mates, self._numbers = _told_apart(candidates)
        sides = self._sides
        # The last one is for sides of fixed pieces that nothing fits.
        self.colors = int(self._numbers.max()) + 2
        if self.colors > MAX_COLORS:
            raise PuzzleError(
                f"{self.colors} colours (those along the frame count twice); at most {MAX_COLORS} are supported"
            )
        self.sides, self.mates = packed(sides & 0xFFFF), packed(self._mates & 0xFFFF)
        self.mate_of = np.zeros(self.colors, dtype=np.uint64)
        self.mate_of[sides[sides >= 0]] = self._mates[sides >= 0]
        # Some fit onto a colour that no piece shows.
        self.mate_of[self._mates[sides >= 0]] = sides[sides >= 0]
        pieces = np.array([len(kind.pieces) for kind in candidates.kinds], dtype=np.int64)
        ends = np.cumsum(pieces)
        self.bits = int(pieces.sum())
        self.words = max(1, -(-self.bits // 64))
        self.first_bit = (ends - pieces)[candidates.of_type].astype(np.uint64)
        self.last_bit = (ends - 1)[candidates.of_type].astype(np.uint64)
        one_of_each = np.unique(candidates.of_type, return_index=True)[1]
        fitting = self._mates[one_of_each]
        shown = fitting >= 0
        number = np.broadcast_to(pieces[:, None], shown.shape)[shown]
        self.unused = np.bincount(fitting[shown], number, self.colors).astype(np.int64)
        self.lists, self.runs, self.masks = cache(self._lists), cache(self._runs), cache(self._masks)

    def color(self, board: Board, square: int, side: int, shown: int) -> int:
        """The number in these tables of a colour that a fixed piece shows on a side."""
        way = way_along_border(board.border_mask(square), side)
        number = int(self._numbers[way, self.candidates.color_index[shown]])
        return number if number >= 0 else self.colors - 1

    def _lists(self, borders: int, keyed: tuple[int, ...]) -> BeamLists:
        """The candidates with these borders (a bit mask), by the colours that their `keyed` sides must fit."""
        rows = self.candidates.with_borders(borders)
        keys = np.zeros(len(rows), dtype=np.int64)
        for side in keyed:
            keys = keys * self.colors + self._mates[rows, side]
        found, first, lists = lists_by_key(rows, keys, _END)
        entries = np.append(lists, _END).astype(np.uint32)
        # The last list is empty.
        index = np.full(self.colors ** len(keyed), len(entries) - 1, dtype=np.uint32)
        index[found] = first
        return BeamLists(index, entries)

    def _masks(self, borders: int, sides: tuple[int, ...]) -> NDArray[np.uint64]:
        """The bits of the pieces with these borders, by the colours that two sides must fit."""
        rows = self.candidates.with_borders(borders)
        masks = np.zeros((self.colors**2, self.words), dtype=np.uint64)
        for row in rows:
            key = self._mates[row, sides[0]] * self.colors + self._mates[row, sides[1]]
            for bit in range(int(self.first_bit[row]), int(self.last_bit[row]) + 1):
                masks[key, bit // 64] |= np.uint64(1 << bit % 64)
        return masks

    def _runs(self, borders: int, side: int) -> Runs:
        """The candidates with these borders, by the colour that `side` must fit."""
        rows = self.candidates.with_borders(borders)
        color, bit = self._mates[rows, side], self.last_bit[rows].astype(np.int64)
        by_piece = np.lexsort((bit, color))
        entries, color, bit = rows[by_piece].astype(np.uint32), color[by_piece], bit[by_piece]
        masks = np.zeros((self.colors, self.words), dtype=np.uint64)
        starts = np.zeros((self.colors, 64 * self.words), dtype=np.uint32)
        if len(entries):
            changes = np.append(True, (np.diff(color) != 0) | (np.diff(bit) != 0))
            entries[np.append(changes[1:], True)] |= LAST
            first = np.flatnonzero(changes)
            starts[color[first], bit[first]] = first
            bits = np.uint64(1) << (bit[first] % 64).astype(np.uint64)
            np.bitwise_or.at(masks, (color[first], bit[first] // 64), bits)
        others = [other for other in range(4) if other != side and not borders >> other & 1]
        colors = np.union1d(self._sides[rows][:, others], self._mates[rows][:, others])
        return Runs(masks, starts, entries, colors.astype(np.uint64))


def _told_apart(candidates: Candidates) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The sides and mates of all candidates, and the numbers of all colours, shape (ways, colours)."""
    border = candidates.sides < 0
    way = np.roll(border, -1, axis=1) + 2 * np.roll(border, 1, axis=1)
    mate_way = np.array(MET_WAY)[way]
    numbers = np.full((4, candidates.colors + 1), -1, dtype=np.int64)
    numbers[way[~border], candidates.sides[~border]] = 0
    numbers[mate_way[~border], candidates.mates[~border]] = 0
    used = numbers == 0
    numbers[used] = np.arange(used.sum())
    return (
        np.where(border, -1, numbers[way, candidates.sides]),
        np.where(border, -1, numbers[mate_way, candidates.mates]),
        numbers,
    )
