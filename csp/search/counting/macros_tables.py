"""Half-rows as pieces: every way to fill one, and the tables in which a search by rows looks them up.

Rows are filled from the bottom up, each as a left and a right half.  A *macro* fills a half: the pieces in it, as a
number (see `Uses`); the *word* of colours that it needs below; the word that it offers above, in the form that the
macro above needs; and the *cut*, the colour between the halves, as the right half shows it.

Squares whose side on the border, whose fixed neighbours and whose own piece, if that is fixed, are the same are alike;
halves of alike squares have the same macros, which are made once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import distinct
from ...base.bit_words import FEWEST_GROUPS
from ...base.errors import EngineError
from ...puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP, Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import Anchor, Asked, Candidates, Fits, PieceType, Symmetries, find_candidates
from .macros_kernel import ALL_MACROS, CHUNK, MEMBERS, SIX
from .methods import MACRO_PIECES
from .two_by_two import joined

_CLASSES = ("inner", "strip", "edge", "end", "single", "corner")


class Uses:
    """How the pieces that are used are written into one number, so that those of disjoint sets can be added.

    A single piece has a bit.  Two identical pieces share two bits, a lower and an upper one: how many of them are used.

    - `kinds`: the types, of one or two pieces each; the bits are in this order.

    Attributes:
    - `of_kind`: the number that stands for one piece of each type.
    - `lower`, `others`: the lower bits of pairs, and all other bits.
    """

    def __init__(self, kinds: Sequence[PieceType]) -> None:
        sizes = np.array([len(kind.pieces) for kind in kinds], dtype=np.uint64)
        first = np.cumsum(sizes) - sizes
        self.of_kind = np.uint64(1) << first
        self.lower = np.bitwise_or.reduce(self.of_kind[sizes == 2], initial=np.uint64(0))
        self.others = np.uint64((1 << int(sizes.sum())) - 1) & ~self.lower

    @property
    def exchanges(self) -> int:
        """The number of ways to exchange the pieces of pairs, all of which are used."""
        return 2 ** int(self.lower).bit_count()

    def apart(self, one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Whether there are enough pieces for both."""
        both = one + other
        return ((one & other & self.others) | (both & both >> np.uint64(1) & self.lower)) == 0

    def excluded(self, pieces: NDArray[np.uint64], bit: int) -> NDArray[np.bool_]:
        """Which of some sets of pieces need a piece that is no longer there if `bit` is set in what is used."""
        place = np.uint64(bit)
        if self.lower >> place & np.uint64(1):
            return (pieces >> place & np.uint64(2)) != 0
        if bit and self.lower >> place - np.uint64(1) & np.uint64(1):
            return (pieces >> place - np.uint64(1) & np.uint64(3)) != 0
        return (pieces >> place & np.uint64(1)) != 0


def in_pairs(found: Symmetries, *, paired: bool) -> Iterator[PieceType]:
    """The free pieces as types of one piece or, where `paired`, of two identical ones."""
    most = 2 if paired else 1
    for name in _CLASSES:
        for kind in found.types:
            if kind.piece_class == name:
                for at in range(0, len(kind.pieces), most):
                    some = slice(at, at + most)
                    yield replace(kind, pieces=kind.pieces[some], offsets=kind.offsets[some])


#: The memory limit of the tables, in bytes.
MOST_BYTES = 1 << 30
# The bytes of a possible macro, and of an actual one including those to put it into a list.
_LEAST_BYTES, _SORTING_BYTES = 64, 160
# The bytes of a chunk without its cuts; the shortest list takes one chunk.
_CHUNK_BYTES = 8 * (2 * CHUNK + 2 * MEMBERS)
# The bits of the kernel's records for the number of a chunk or of a right word.
_MOST_NUMBERED = 1 << 24
#: The largest number of macros that fit one word: the kernel's output for a state depends on it.
MOST_IN_LIST = 4096


class HalfRows(NamedTuple):
    """The macros of a half, one entry each: pieces, codes of the words, colours at the cut."""

    pieces: NDArray[np.uint64]
    needs: NDArray[np.int64]
    offers: NDArray[np.int64]
    cuts: NDArray[np.int64]

    def taken(self, which: NDArray[np.bool_]) -> "HalfRows":
        """Some of them."""
        return HalfRows(self.pieces[which], self.needs[which], self.offers[which], self.cuts[which])


class Cell(NamedTuple):
    """The constraints of a square; `fixed` is the fixed piece there, with its rotation."""

    asked: Asked
    fixed: Placement | None


class Fitting(NamedTuple):
    """The candidates of a cell: their pieces, and shape (n, 4), the colours they show and those that fit."""

    pieces: NDArray[np.uint64]
    sides: NDArray[np.int64]
    mates: NDArray[np.int64]


class MacroLists(NamedTuple):
    """The macros of one side, as the kernel reads them: macros, chunks, members, cuts, splits."""

    macros: NDArray[np.uint64]
    chunks: NDArray[np.uint32]
    members: NDArray[np.uint64]
    cuts: NDArray[np.uint64]
    splits: NDArray[np.uint64]


class MacroTables(NamedTuple):
    """The tables of the kernel; the first row is listed instead."""

    #: Every way to fill the first row: its pieces; left word plus 2^32 times right word.
    first_pieces: NDArray[np.uint64]
    first_words: NDArray[np.uint64]
    #: The number of ways to fill its left half.
    first_halves: int
    #: Where the tables of the left and the right half of each row start.
    bases: NDArray[np.uint64]
    #: A number that is higher than any cut in a row.
    cut_ends: NDArray[np.uint64]
    #: The number of sixes of bits that hold all that exclude macros of the left and of the right half of each row.
    groups: NDArray[np.uint64]
    #: The tables of each side.
    left: MacroLists
    right: MacroLists
    #: The numbers of left words, of right words, and of cuts.
    words: tuple[int, int, int]
    #: How sets of pieces are written.
    uses: Uses

    @property
    def bytes(self) -> int:
        """The total memory."""
        return sum(array.nbytes for array in (self.first_pieces, self.first_words, *self.left, *self.right))


class Cells:
    """The squares of a puzzle and their candidates, with upper bounds of the number of macros.

    - `puzzle`, `found`: the puzzle and its symmetries.
    - `anchor`, `choice`: the piece that breaks the turns of the board, if any, and the number of its square.
    - `paired`: whether identical pieces are taken in pairs, which halves the number of boards for each pair.

    Attributes:
    - `uses`: how sets of pieces are written.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        found: Symmetries,
        anchor: Anchor | None = None,
        choice: int = 0,
        *,
        paired: bool = False,
    ) -> None:
        self.puzzle = puzzle
        kinds = tuple(in_pairs(found, paired=paired))
        self.uses = Uses(kinds)
        self._candidates: Candidates = find_candidates(puzzle, kinds)
        self._bits = self.uses.of_kind[self._candidates.of_type]
        self._fits = Fits(puzzle, self._candidates, anchor, choice)
        self._fitting: dict[Cell, Fitting] = {}
        self.middle = (puzzle.columns + 1) // 2

    @property
    def colors(self) -> int:
        return self._candidates.colors

    @property
    def mates(self) -> NDArray[np.int64]:
        """For each digit of a word's code, a colour's index plus 1, that of its mate."""
        index, mate = self._candidates.color_index, self.puzzle.mate
        return np.array([0, *(index[mate(color)] + 1 for color in sorted(index, key=lambda color: index[color]))])

    def digits(self, codes: NDArray[np.int64], length: int) -> NDArray[np.int64]:
        """The digits of words' codes, which are colours from left to right; shape (n, length)."""
        return codes[:, None] // (self.colors + 1) ** np.arange(length)[::-1] % (self.colors + 1)

    def code(self, digits: NDArray[np.int64]) -> NDArray[np.int64]:
        """The codes of words with these digits."""
        return digits @ (self.colors + 1) ** np.arange(digits.shape[1])[::-1]

    def half(self, row: int, side: int) -> tuple[Cell, ...]:
        """The cells of the left (0) or right (1) half of a row, rows being numbered from the bottom."""
        columns = range(self.middle) if side == 0 else range(self.middle, self.puzzle.columns)
        above = self.puzzle.rows - 1 - row
        squares = (self.puzzle.board.square(above, column) for column in columns)
        return tuple(Cell(self._fits.asked(square), self.puzzle.fixed_board[square]) for square in squares)

    def fitting(self, cell: Cell) -> Fitting:
        """The candidates of a cell."""
        if cell not in self._fitting:
            self._fitting[cell] = self._find(cell)
        return self._fitting[cell]

    def _find(self, cell: Cell) -> Fitting:
        of = self._candidates
        if cell.fixed is not None:
            index, shown = of.color_index, self.puzzle.shown(cell.fixed)
            sides = np.array([[-1 if color == BORDER else index[color] for color in shown]])
            mates = np.array([[-1 if color == BORDER else index[self.puzzle.mate(color)] for color in shown]])
            fits = np.array([all(sides[0, side] == color for side, color, _ in cell.asked.facing_fixed)])
            return Fitting(np.zeros(1, dtype=np.uint64)[fits], sides[fits], mates[fits])
        fits = self._fits.fitting(cell.asked)
        return Fitting(self._bits[fits], of.sides[fits], of.mates[fits])

    def most_macros(self, cells: tuple[Cell, ...]) -> int:
        """An upper bound of the number of ways to fill cells: pieces may be in more than one of them."""
        ways = np.ones(1, dtype=object)
        for number, cell in enumerate(cells):
            fitting = self.fitting(cell)
            each = ways[fitting.sides[:, LEFT]] if number else np.ones(len(fitting.pieces), dtype=object)
            ways = np.zeros(self.colors + 1, dtype=object)
            np.add.at(ways, fitting.mates[:, RIGHT], each)
        return int(ways.sum())

    def macros(self, cells: tuple[Cell, ...]) -> HalfRows:
        """Every way to fill adjacent cells."""
        first = self.fitting(cells[0])
        pieces, needs, offers = first.pieces, first.sides[:, DOWN] + 1, first.mates[:, UP] + 1
        right = first.mates[:, RIGHT]
        cut = first.sides[:, LEFT] if not cells[0].asked.borders >> LEFT & 1 else None
        for cell in cells[1:]:
            fitting = self.fitting(cell)
            here, there = joined(right, fitting.sides[:, LEFT])
            apart = self.uses.apart(pieces[here], fitting.pieces[there])
            here, there = here[apart], there[apart]
            pieces = pieces[here] + fitting.pieces[there]
            needs = needs[here] * (self.colors + 1) + fitting.sides[there, DOWN] + 1
            offers = offers[here] * (self.colors + 1) + fitting.mates[there, UP] + 1
            right = fitting.mates[there, RIGHT]
            cut = None if cut is None else cut[here]
        return HalfRows(pieces, needs, offers, right if cut is None else cut)


def check_size(choices: list[Cells]) -> None:
    """Raise EngineError if there could be too many half-rows, without making them."""
    number = 0
    for cells in choices:
        if (cells.colors + 1) ** cells.middle >= 1 << 62:
            what = f"half a row has {cells.middle} squares of {cells.colors} colours"
            raise EngineError(f"method macros: {what}; its words do not fit into 62 bits")
        halves = {cells.half(row, side) for row in range(cells.puzzle.rows) for side in (0, 1)}
        bottom = cells.half(0, 0) + cells.half(0, 1)
        number += sum(map(cells.most_macros, halves)) + cells.most_macros(bottom)
    _refuse_bytes(f"half-rows can be filled in up to {number} ways", number * _LEAST_BYTES, 0)


def _refuse_bytes(what: str, size: int, taken: int) -> None:
    """Raise EngineError if `size` more bytes would exceed the limit."""
    if taken + size > MOST_BYTES:
        mib = f"{-(-(taken + size) >> 20)} MiB of tables"
        raise EngineError(f"method macros: {what}, {mib}; the limit is {MOST_BYTES >> 20} MiB")


def build_macro_tables(choices: list[Cells], taken: int = 0) -> list[MacroTables]:
    """The tables of a search by rows, for each position of its anchor; `taken` bytes are already in use.

    Raises EngineError if the tables would be too large, or exceed the numbers of the kernel.
    """
    check_size(choices)
    all_tables: list[MacroTables] = []
    for cells in choices:
        all_tables.append(_build(cells, taken + sum(tables.bytes for tables in all_tables)))
    return all_tables


def sides_of(cells: Cells, taken: int = 0) -> "tuple[Side, Side]":
    """All half-rows, on the left and on the right; raises EngineError if one chunk for each list is too much."""
    rows = cells.puzzle.rows
    halves = [[cells.half(row, side) for row in range(rows)] for side in (0, 1)]
    made = {half: cells.macros(half) for half in {*halves[0], *halves[1]}}
    lists = sum(len(distinct(made[half].needs)) for half in {*halves[0][1:], *halves[1][1:]})
    number = sum(len(each.pieces) for each in made.values())
    _refuse_bytes(f"half-rows make {lists} lists", lists * _CHUNK_BYTES + number * _SORTING_BYTES, taken)
    # The most frequent cuts first: those of the middle rows come together.
    colors, number = np.unique(np.concatenate([made[half].cuts for half in made]), return_counts=True)
    cuts = colors[np.argsort(-number, kind="stable")]
    left, right = (Side([made[half] for half in of_side], cuts, cells.uses) for of_side in halves)
    return left, right


def _build(cells: Cells, taken: int) -> MacroTables:
    rows = range(cells.puzzle.rows)
    left, right = sides_of(cells, taken)
    bases = np.array([side.base(row) for row in rows for side in (left, right)], dtype=np.uint64)
    first_pieces, first_words = first_row(left.rows[0], right.rows[0], cells.uses)
    for side in (left, right):
        side.refuse()
    size = left.bytes() + right.bytes() + len(first_pieces) * _SORTING_BYTES
    _refuse_bytes(f"lists of half-rows take {left.chunks + right.chunks} chunks", size, taken)
    return MacroTables(
        first_pieces,
        first_words,
        len(left.rows[0].pieces),
        bases,
        np.array([max(left.cut_end(row), right.cut_end(row)) for row in rows], dtype=np.uint64),
        np.array([side.groups(row) for row in rows for side in (left, right)], dtype=np.uint64),
        left.lists(),
        right.lists(),
        (len(left.words), len(right.words), left.number_of_cuts),
        cells.uses,
    )


class Side:
    """The tables of one side, shared by rows that are alike; words are numbered for all rows.

    Words and cuts of `rows` are numbers.  The last row offers no word, and its number has no meaning.
    """

    def __init__(self, rows: list[HalfRows], cuts: NDArray[np.int64], uses: Uses) -> None:
        self.uses = uses
        self.words = distinct(np.concatenate([row.offers for row in rows[:-1]] + [row.needs for row in rows[1:]]))
        number = np.argsort(cuts)
        numbered = {id(row): self._numbered(row, cuts, number) for row in rows}
        self.rows = [numbered[id(row)] for row in rows]
        self._tables = list({id(row): row for row in self.rows[1:]}.values())
        self.number_of_cuts = len(cuts)
        table = np.repeat(np.arange(len(self._tables)), [len(each.pieces) for each in self._tables])
        self._word = table * len(self.words) + np.concatenate([each.needs for each in self._tables])
        parts = self._word * len(cuts) + np.concatenate([each.cuts for each in self._tables])
        self._place = _places(self._word, parts)
        self.chunks = 1 + int(self._place.max(initial=-1)) // CHUNK

    def _numbered(self, row: HalfRows, cuts: NDArray[np.int64], number: NDArray[np.int64]) -> HalfRows:
        """Macros by word and cut, both as numbers."""
        needs, offers = (np.searchsorted(self.words, codes) for codes in (row.needs, row.offers))
        of_cut = number[np.searchsorted(cuts, row.cuts, sorter=number)]
        order = np.lexsort((of_cut, needs))
        return HalfRows(row.pieces[order], needs[order], offers[order], of_cut[order])

    def base(self, row: int) -> int:
        """Where the table of a row starts; the first row has no table."""
        return 0 if row == 0 else [id(table) for table in self._tables].index(id(self.rows[row])) * len(self.words)

    def cut_end(self, row: int) -> int:
        """A number that is higher than any cut in a row."""
        return 1 + int(self.rows[row].cuts.max(initial=-1))

    def groups(self, row: int) -> int:
        """The number of sixes of bits that hold all that exclude macros of a row."""
        pieces = np.bitwise_or.reduce(self.rows[row].pieces, initial=np.uint64(0))
        last = int(pieces | (pieces & self.uses.lower) << np.uint64(1)).bit_length()
        return max(FEWEST_GROUPS, -(-last // SIX))

    def bytes(self) -> int:
        """The memory of the lists while they are made."""
        chunk = _CHUNK_BYTES + 8 * (self.number_of_cuts + 2)
        word = 8 + 8 + 4
        lists = len(self._tables) * len(self.words) + 1
        return self.chunks * chunk + lists * word + len(self._word) * _SORTING_BYTES

    def refuse(self) -> None:
        """Raise EngineError for numbers that are too large for the kernel."""
        most = int(np.unique(self._word, return_counts=True)[1].max(initial=0))
        for number, what, limit in (
            (most, "half-rows fit the same colours", MOST_IN_LIST),
            (len(self.words), "different words are along half-rows", _MOST_NUMBERED),
            (self.chunks, "chunks are in the lists", _MOST_NUMBERED),
        ):
            if number > limit:
                raise EngineError(f"method macros: {number} {what}; the limit is {limit}")

    def lists(self) -> MacroLists:
        """All lists, in the form of the kernel."""
        pieces, _, offers, cuts = (np.concatenate(column) for column in zip(*self._tables, strict=True))
        place, parts, number = self._place, self.number_of_cuts, self.chunks
        chunk, half, bit = place // CHUNK, place // 64 % 2, np.uint64(1) << (place % 64).astype(np.uint64)
        words = np.zeros(number, dtype=np.int64)
        words[chunk] = self._word
        first = np.searchsorted(words, np.arange(len(self._tables) * len(self.words) + 1))
        members = np.zeros(2 * MEMBERS * number, dtype=np.uint64)
        of_chunk = 2 * MEMBERS * chunk + half
        np.bitwise_or.at(members, of_chunk + 2 * ALL_MACROS, bit)
        for piece in range(MACRO_PIECES):
            out = np.flatnonzero(self.uses.excluded(pieces, piece))
            np.bitwise_or.at(members, of_chunk[out] + 2 * piece, bit[out])
        # Kernels read eight cuts at a time, so the array must extend beyond the last one.
        of_cuts = np.zeros(number * parts + 8, dtype=np.uint64)
        np.bitwise_or.at(of_cuts, chunk * parts + cuts, bit)
        splits = np.full(number, parts, dtype=np.uint64)
        upper = half > 0
        np.minimum.at(splits, chunk[upper], cuts[upper].astype(np.uint64))
        macros = np.zeros((number * CHUNK, 2), dtype=np.uint64)
        macros[place, 0], macros[place, 1] = pieces, offers
        return MacroLists(macros.ravel(), first.astype(np.uint32), members, of_cuts, splits)


def _places(word: NDArray[np.int64], part: NDArray[np.int64]) -> NDArray[np.int64]:
    """The index of each macro; those of one part (a word and a cut) are adjacent and in one half of a chunk.

    A part that is larger than a half goes into several chunks.  Macros come ordered by word and part.
    """
    half = CHUNK // 2
    _, first, number = np.unique(part, return_index=True, return_counts=True)
    place = np.empty(len(part), dtype=np.int64)
    free, at = 0, -1
    for start, length, of_word in zip(first.tolist(), number.tolist(), word[first].tolist(), strict=True):
        if of_word != at:
            free, at = -(-free // CHUNK) * CHUNK, of_word
        for offset in range(0, length, half):
            size = min(half, length - offset)
            if offset > 0:
                free = -(-free // CHUNK) * CHUNK
            elif free % half + size > half:
                free = -(-free // half) * half
            place[start + offset : start + offset + size] = np.arange(free, free + size)
            free += size
    return place


def first_row(left: HalfRows, right: HalfRows, uses: Uses) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Every way to fill the first row with these halves, numbered as those of `Side`: pieces and words."""
    here, there = joined(left.cuts, right.cuts)
    apart = uses.apart(left.pieces[here], right.pieces[there])
    here, there = here[apart], there[apart]
    words = left.offers[here].astype(np.uint64) | right.offers[there].astype(np.uint64) << np.uint64(32)
    return left.pieces[here] + right.pieces[there], words
