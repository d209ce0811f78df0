"""The frames of a board, cut into halves for the method `frames`: their words, and which pairs a frame shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import scrambled
from ...engines.request import FramesCut
from ...puzzles.board import BORDER
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import PieceType, Symmetries, color_indices
from . import frames_kernel as kernel

# Keys and words are numbers of 64 bits, and one number marks an empty entry.
_MOST_KEYS = 2**63
#: The memory limit.
MOST_BYTES = 2**30
# The largest number of rows of pieces that are listed for the last squares of a half, and of their lists.
_MOST_ROWS = 1 << 18


@dataclass(frozen=True)
class Half:
    """The first squares of the inside, row by row from its top left, and the stretch of the frame around them.

    The lower half has the same form after a turn of the board by 180 degrees.
    """

    #: The number of inner squares, and of columns.
    squares: int
    columns: int
    #: The number of edge pieces of the stretch on the left, below the corner, and on the right.
    left: int
    right: int

    @property
    def edges(self) -> int:
        return self.left + self.columns + self.right

    @property
    def pieces_of_frame(self) -> int:
        return self.edges + 2

    @property
    def stepped(self) -> bool:
        """Whether the last row is not full, so that the cut has a step."""
        return self.squares % self.columns != 0

    @property
    def cut(self) -> int:
        """The number of colours along the cut."""
        return self.columns + self.stepped

    def joins(self) -> list[int]:
        """The number of joins of the first 0, 1, ... squares with each other and the frame above them."""
        return [*accumulate((2 + (square % self.columns == 0) for square in range(1, self.squares + 1)), initial=0)]

    def rim_joins(self) -> list[int]:
        """The number of those joins that are joins with the frame."""
        rim = (
            (square < self.columns) + (square % self.columns == 0) + (square % self.columns == self.columns - 1)
            for square in range(self.squares)
        )
        return [*accumulate(rim, initial=0)]


def filled_together(half: Half, candidates: int, colors: int) -> int:
    """How many of the last squares of a half are filled together, from lists of rows: 3 or 2, or 0 without such lists.

    These squares are in one row.  `candidates` is the number of inner pieces in all orientations, `colors` that of the
    inner colours.
    """
    column = (half.squares - 1) % half.columns
    for squares in (3, 2):
        rows, lists = candidates**squares // colors ** (squares - 1), colors ** (squares + 2)
        if column >= squares - 1 and half.squares > squares and max(rows, lists) <= _MOST_ROWS:
            return squares
    return 0


def inside_of(puzzle: EdgeMatchingPuzzle) -> tuple[int, int]:
    """The rows and columns of the inside."""
    return puzzle.rows - 2, puzzle.columns - 2


def halves_of(puzzle: EdgeMatchingPuzzle, columns: int, squares: int) -> tuple[Half, Half]:
    """The upper half, with the given number of squares, of an inside with the given columns, and the lower half."""

    def half(number: int) -> Half:
        return Half(number, columns, -(-number // columns), number // columns)

    return half(squares), half(prod(inside_of(puzzle)) - squares)


def middle(puzzle: EdgeMatchingPuzzle) -> FramesCut:
    """The cut through the middle of the inside, across its longer side, without predictions."""
    return FramesCut(min(inside_of(puzzle)), -(-prod(inside_of(puzzle)) // 2))


def why_too_big(puzzle: EdgeMatchingPuzzle, found: Symmetries, halves: tuple[Half, Half]) -> str | None:
    """Why the keys and words of halves do not fit into 64 bits, or None if they do."""
    colors, frame_colors = (len(color_indices(puzzle, of)) for of in (puzzle.inner_sides(), puzzle.frame_sides()))
    inner = prod(len(kind.pieces) + 1 for kind in found.types if kind.piece_class == "inner")
    frame = prod(len(kind.pieces) + 1 for kind in found.types if kind.piece_class in ("corner", "edge"))
    words = colors ** max(half.edges for half in halves)
    if max(words, inner * colors ** halves[0].cut, frame * frame_colors**2 << 24) < _MOST_KEYS:
        return None
    return f"{len(found.types)} different pieces and {colors} colours inside are too many for numbers of 64 bits"


def anchor_of(found: Symmetries) -> PieceType | None:
    """The corner piece that always lies in the upper half, if there is one; on a square board it comes first."""
    return next((kind for kind in found.types if kind.piece_class == "corner" and len(kind.pieces) == 1), None)


def facing(kind: PieceType) -> int:
    """The colour that an edge piece shows to the inside."""
    return kind.sides[(kind.sides.index(BORDER) + 2) % 4]


def ends_of(kind: PieceType) -> tuple[int, int]:
    """The colours with which an edge or corner piece begins and ends, clockwise along the frame."""
    # The last of the border sides, clockwise: what follows it is the end.
    last = next(side for side in range(4) if kind.sides[side] == BORDER != kind.sides[(side + 1) % 4])
    borders = kind.sides.count(BORDER)
    return kind.sides[last - borders], kind.sides[(last + 1) % 4]


Numbers = NDArray[np.uint64]

_SLICE_NODES = 10_000_000
_ROOM = 1 << 18
# The largest number of bytes of a half while its word is numbered, and of a pair while it is made.
_BYTES_OF_HALF, _BYTES_OF_PAIR = 128, 24


@dataclass(frozen=True)
class WordPairs:
    """The frames of a board, described by what they show to the inside."""

    #: The different words of the halves; one array if the halves are alike.
    upper_words: Numbers
    lower_words: Numbers
    #: Shape (n, 2): an upper and a lower word (their indices) that make a frame, ordered by the upper one.  The words
    #: are in a fixed pseudorandom order, the same on every machine.
    pairs: Numbers
    #: The number of frames of each pair, as arrangements of types.
    frames: Numbers
    #: Pieces placed in the searches for the halves, by their depths.
    nodes: Numbers


def listed(rows: Iterable[tuple[int, int]], keys: int, end: int) -> tuple[Numbers, Numbers]:
    """Lists of words by their keys, one after the other, each ended by `end`; and where those of all keys start."""
    lists: list[list[int]] = [[] for _ in range(keys)]
    for key, word in rows:
        lists[key].append(word)
    words = [word for of_key in lists for word in (*of_key, end)]
    starts = np.cumsum([0, *(len(of_key) + 1 for of_key in lists)])[:-1]
    return np.array(words, dtype=np.uint64), starts.astype(np.uint64)


def find_frames(
    puzzle: EdgeMatchingPuzzle, found: Symmetries, halves: tuple[Half, Half], letters: dict[int, int]
) -> WordPairs:
    """All frames; with an anchor, one of each orbit under turns of the board.

    Raises EngineError if there are too many.
    """
    upper_half, lower_half = halves
    ring = _Ring(puzzle, found, letters)
    upper_keys, upper_words, upper_nodes = ring.halves(upper_half, upper=True)
    lower_keys, lower_words, lower_nodes = ring.halves(lower_half, upper=False, others=len(upper_keys))
    if upper_half == lower_half:
        numbers, distinct = _numbered(np.concatenate((upper_words, lower_words)))
        upper, lower = np.split(numbers, [len(upper_words)])
        upper_words = lower_words = distinct
    else:
        upper, upper_words = _numbered(upper_words)
        lower, lower_words = _numbered(lower_words)
    words = max(len(upper_words), len(lower_words))
    if words * int(ring.keys) >= 1 << 64:
        raise EngineError(f"method frames: {words} possible words of halves of frames do not fit into 64 bits")
    pairs, frames = _paired(ring, (upper, upper_keys), (lower, lower_keys), len(upper_words), len(lower_words))
    nodes = np.zeros(max(len(upper_nodes), len(lower_nodes)), dtype=np.uint64)
    nodes[: len(upper_nodes)] += upper_nodes
    nodes[: len(lower_nodes)] += lower_nodes
    if upper_half == lower_half:
        upper_words, pairs = _used(upper_words, pairs)
        return WordPairs(upper_words, upper_words, pairs, frames, nodes)
    upper_words, above = _used(upper_words, pairs[:, 0])
    lower_words, below = _used(lower_words, pairs[:, 1])
    return WordPairs(upper_words, lower_words, np.stack((above, below), axis=1), frames, nodes)


def _paired(
    ring: "_Ring", uppers: tuple[Numbers, Numbers], lowers: tuple[Numbers, Numbers], upper_words: int, lower_words: int
) -> tuple[Numbers, Numbers]:
    """The words that belong to frames, and to how many, given the words (their numbers) and keys of the halves."""
    number = np.uint64(max(lower_words, 1))
    upper, times = np.unique(uppers[0] * ring.keys + uppers[1], return_counts=True)
    lower, lower_times = np.unique(lowers[1] * number + lowers[0], return_counts=True)
    first, after = _ranges(lower // number, ring.completing(upper % ring.keys))
    fitting = after > first
    room = min(int((after - first).sum()), upper_words * lower_words)
    most = MOST_BYTES // _BYTES_OF_PAIR
    if room > most:
        raise EngineError(f"method frames: about {room} frames; at most {most} can be listed")
    pairs, frames = np.empty((room, 2), dtype=np.uint64), np.empty(room, dtype=np.uint64)
    sums, touched = np.zeros((2, lower_words), dtype=np.uint64)
    written = int(kernel.pair_up(
        upper[fitting] // ring.keys, _unsigned(times[fitting]), _unsigned(first[fitting]), _unsigned(after[fitting]),
        lower % number, _unsigned(lower_times), sums, touched, pairs, frames,
    ))  # fmt: skip
    return pairs[:written], frames[:written]


def _unsigned(numbers: NDArray[np.int64]) -> Numbers:
    return numbers.astype(np.uint64)


def _ranges(keys: Numbers, wanted: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each wanted value, the beginning and the end of the equal entries in an ascending array."""
    order = np.argsort(wanted)
    ranges = np.empty((2, len(wanted)), dtype=np.int64)
    # In ascending order the searches go through memory in order, too, which is several times as fast.
    ranges[0, order] = np.searchsorted(keys, wanted[order], "left")
    ranges[1, order] = np.searchsorted(keys, wanted[order], "right")
    return ranges[0], ranges[1]


def _used(words: Numbers, numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The words that are used, in their order, and the renumbered array."""
    used = np.zeros(len(words), dtype=bool)
    used[numbers] = True
    return words[used], (np.cumsum(used, dtype=np.uint64) - np.uint64(1))[numbers]


class _Ring:
    """The edge and corner pieces as lists, and the search through them.

    Attributes:
    - `keys`: the number of possible keys.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, found: Symmetries, letters: dict[int, int]) -> None:
        self._square = puzzle.rows == puzzle.columns
        self._kinds = [kind for kind in found.types if kind.piece_class in ("corner", "edge")]
        anchor = anchor_of(found)
        self._anchor = kernel.NONE if anchor is None else self._kinds.index(anchor)
        self._letters = len(letters)
        colors = color_indices(puzzle, puzzle.frame_sides())
        self._colors = len(colors)

        def row(number: int, kind: PieceType) -> tuple[int, int]:
            begin, end = ends_of(kind)
            is_corner = kind.piece_class == "corner"
            letter = 0 if is_corner else letters[puzzle.mate(facing(kind))]
            return is_corner * len(colors) + colors[begin], number | colors[puzzle.mate(end)] << 16 | letter << 32

        rows = [row(number, kind) for number, kind in enumerate(self._kinds)]
        self._pieces, self._index = listed(rows, 2 * len(colors), len(self._kinds))
        weights = np.cumprod([1, *(len(kind.pieces) + 1 for kind in self._kinds)], dtype=np.uint64)
        self._weight, self._uses = weights[:-1], weights[-1]
        self.keys = np.uint64(len(colors) ** 2) * self._uses

    def completing(self, keys: Numbers) -> Numbers:
        """The keys of the halves that make frames of those with the keys given."""
        ends, used = np.divmod(keys, self._uses)
        begin, end = np.divmod(ends, np.uint64(self._colors))
        return (end * np.uint64(self._colors) + begin) * self._uses + (self._uses - np.uint64(1) - used)

    def halves(self, half: Half, *, upper: bool, others: int = 0) -> tuple[Numbers, Numbers, Numbers]:
        """The keys and words of all halves of frames, and the nodes of their search by depth.

        The anchor belongs to the upper half, and on a square board lies on its first corner: this selects one frame of
        each orbit under turns of the board.

        Raises EngineError if they are too many, given the number of `others`.
        """
        depths = half.pieces_of_frame
        kind, digit = np.zeros((2, depths), dtype=np.uint64)
        corners = [half.left, half.left + half.columns + 1]
        kind[corners] = 1
        digit[kind == 0] = np.array([self._letters**i for i in range(half.edges)], dtype=np.uint64)
        only = np.full(depths, kernel.NONE, dtype=np.uint64)
        available = np.array([len(kind.pieces) for kind in self._kinds] + [1], dtype=np.uint8)
        if self._anchor != kernel.NONE:
            if not upper:
                available[self._anchor] = 0
            elif self._square:
                only[corners[0]] = self._anchor
        begin, used, word, chosen, nodes = np.zeros((5, depths), dtype=np.uint64)
        cursor = np.zeros(4, dtype=np.uint64)
        cursor[kernel.RING_POSITION] = self._index[int(kind[0]) * self._colors]
        ring = kernel.RingPieces(self._pieces, self._index, self._weight, self._uses, np.uint64(self._colors))
        state = kernel.RingState(available, begin, used, word, chosen, nodes, cursor)
        found = []
        number, most = others, MOST_BYTES // _BYTES_OF_HALF
        stopped = None
        while stopped != kernel.EXHAUSTED:
            keys, words = np.empty((2, _ROOM), dtype=np.uint64)
            cursor[kernel.RING_WRITTEN], cursor[kernel.RING_BUDGET] = 0, _SLICE_NODES
            stopped = kernel.lay_halves(ring, kernel.RingPlaces(kind, only, digit), state, keys, words)
            number += int(cursor[kernel.RING_WRITTEN])
            if number > most:
                raise EngineError(f"method frames: more than {most} halves of frames, the limit")
            found.append((keys[: cursor[kernel.RING_WRITTEN]].copy(), words[: cursor[kernel.RING_WRITTEN]].copy()))
        keys, words = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return keys, words, nodes


def _numbered(words: Numbers) -> tuple[Numbers, Numbers]:
    """The numbers of words, and the different words by number, in a fixed pseudorandom order."""
    places = 1 << max(2 * len(words) - 1, 1).bit_length()
    distinct, numbers = np.empty((2, len(words)), dtype=np.uint64)
    slots, number = np.full(places, kernel.EMPTY), np.empty(places, dtype=np.uint64)
    different = int(kernel.number_words(words, slots, number, numbers, distinct))
    order = np.argsort(scrambled(distinct[:different]))
    place = np.empty(different, dtype=np.uint64)
    place[order] = np.arange(different, dtype=np.uint64)
    return place[numbers], distinct[order]
