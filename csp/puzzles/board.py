"""The board: squares, sides, rotations, placements.

Squares are numbered row by row from the top left, from 0; their names are a letter and a number, ``A1`` at the top
left.  Sides come in the order up, right, down, left; a rotation is a number of clockwise quarter turns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import index
from typing import NamedTuple, TypeVar

from ..base.errors import PuzzleError, UsageError, shortened

UP, RIGHT, DOWN, LEFT = range(4)
SIDE_NAMES = ("up", "right", "down", "left")
BORDER = 0
#: The largest colour or connector.
MAX_COLOR = 2**31 - 1
MAX_LENGTH = 1024

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_T = TypeVar("_T")

# The least of the four turns of a border mask (bit i: side i is on the border) determines the class of a square.
_CLASS_OF_MASK = {0: "inner", 1: "edge", 3: "corner", 5: "strip", 7: "end", 15: "single"}
PIECE_CLASSES = tuple(_CLASS_OF_MASK.values())


class Placement(NamedTuple):
    """A piece (0-based) on a square, and its rotation."""

    piece: int
    rotation: int


#: The placement on each square, row by row from the top left; None for an empty square.
Arrangement = tuple[Placement | None, ...]


class Join(NamedTuple):
    """Two facing sides: side `side` of square `first` meets the opposite side of square `second`."""

    first: int
    side: int
    second: int


def opposite(side: int) -> int:
    """The side that faces `side` across a join."""
    return (side + 2) % 4


def turned(sides: Sequence[_T], rotation: int) -> tuple[_T, ...]:
    """Four items, one per side, after `rotation` clockwise quarter turns.

    >>> turned("URDL", 1)
    ('L', 'U', 'R', 'D')
    """
    r = rotation % 4
    return (*sides[4 - r :], *sides[: 4 - r])


@cache
def border_class(mask: int) -> str:
    """The class of a square or piece with borders on the sides in the bit mask `mask`.

    ``inner``, ``edge`` and ``corner`` have 0, 1 and 2 adjacent borders; on boards with one row or column there are
    also ``strip`` (2 opposite ones), ``end`` (3) and ``single`` (4).
    """
    turns = [(mask << r | mask >> (4 - r)) & 15 for r in range(4)]
    return _CLASS_OF_MASK[min(turns)]


def border_mask_of(sides: Sequence[int]) -> int:
    """The border sides of a piece, as bits."""
    return sum(1 << side for side in range(4) if sides[side] == BORDER)


#: By how a side runs along the borders, as `way_along_border` has it: how the side that it meets does.
MET_WAY = (0, 2, 1, 3)


def way_along_border(borders: int, side: int) -> int:
    """How a side runs along the borders in a bit mask: 0 not at all, 1 and 2 one way or the other, 3 between two."""
    return (borders >> (side + 1) % 4 & 1) + 2 * (borders >> (side + 3) % 4 & 1)


def letters(row: int) -> str:
    """The letters of a row: A, B, ..., Z, AA, AB, ... for 0, 1, ..."""
    text = ""
    row += 1
    while row:
        row, letter = divmod(row - 1, 26)
        text = chr(ord("A") + letter) + text
    return text


@dataclass(frozen=True)
class Board:
    """A rectangular grid of squares; raises PuzzleError if `rows` or `columns` is not between 1 and 1024."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        for name, length in (("rows", self.rows), ("columns", self.columns)):
            if not 1 <= length <= MAX_LENGTH:
                raise PuzzleError(f"{name} must lie between 1 and {MAX_LENGTH}, not {length}")

    def __len__(self) -> int:
        return self.rows * self.columns

    def square(self, row: int, column: int) -> int:
        """The number of the square in that row and column, both 0-based."""
        return row * self.columns + column

    def name(self, square: int) -> str:
        """The name of a square.

        >>> Board(16, 16).name(135)
        'I8'
        """
        row, column = divmod(square, self.columns)
        return f"{letters(row)}{column + 1}"

    def parse(self, name: str) -> int:
        """The square of that name; raises PuzzleError if it is not on this board."""
        match = re.fullmatch(r"([A-Z]{1,3})([1-9][0-9]{0,5})", name)
        if not match:
            raise PuzzleError(
                f"{shortened(name)!r} is not the name of a square; squares are named A1 (top left), A2, ..., B1, ..."
            )
        row = 0
        for letter in match[1]:
            row = row * 26 + ord(letter) - ord("A") + 1
        row, column = row - 1, int(match[2]) - 1
        if row >= self.rows or column >= self.columns:
            last = self.name(len(self) - 1)
            raise PuzzleError(
                f"square {name} is not on the {self.rows}x{self.columns} board, whose last square is {last}"
            )
        return self.square(row, column)

    def ranges(self, squares: Iterable[int]) -> str:
        """The names of squares as text, rectangles as ranges.

        >>> Board(4, 4).ranges([0, 1, 4, 5, 15])
        'A1:B2,D4'
        """
        chosen, names = {*squares}, list[str]()
        while chosen:
            first = min(chosen)
            top, left = divmod(first, self.columns)
            right, bottom = left, top
            while right + 1 < self.columns and self.square(top, right + 1) in chosen:
                right += 1
            while chosen.issuperset(self.square(bottom + 1, column) for column in range(left, right + 1)):
                bottom += 1
            for row in range(top, bottom + 1):
                chosen.difference_update(self.square(row, column) for column in range(left, right + 1))
            last = self.square(bottom, right)
            names.append(self.name(first) if first == last else f"{self.name(first)}:{self.name(last)}")
        return ",".join(names)

    def neighbour(self, square: int, side: int) -> int | None:
        """The square across that side, or None beyond the border."""
        row, column = divmod(square, self.columns)
        row, column = row + _STEPS[side][0], column + _STEPS[side][1]
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self.square(row, column)
        return None

    def border_mask(self, square: int) -> int:
        """The sides of a square that lie on the border, as bits."""
        row, column = divmod(square, self.columns)
        last_row, last_column = self.rows - 1, self.columns - 1
        return (row == 0) | (column == last_column) << 1 | (row == last_row) << 2 | (column == 0) << 3

    def square_class(self, square: int) -> str:
        """The class of the pieces that can lie on a square."""
        return border_class(self.border_mask(square))

    @property
    def join_count(self) -> int:
        """The number of joins."""
        return self.rows * (self.columns - 1) + self.columns * (self.rows - 1)

    def joins_of(self, square: int) -> Iterator[Join]:
        """The joins of a square, which is the first of each."""
        row, column = divmod(square, self.columns)
        if row > 0:
            yield Join(square, UP, square - self.columns)
        if column < self.columns - 1:
            yield Join(square, RIGHT, square + 1)
        if row < self.rows - 1:
            yield Join(square, DOWN, square + self.columns)
        if column > 0:
            yield Join(square, LEFT, square - 1)

    def joins(self) -> Iterator[Join]:
        """Every join once, row by row: first the one to the right, then the one below."""
        for square in range(len(self)):
            if (square + 1) % self.columns:
                yield Join(square, RIGHT, square + 1)
            if square + self.columns < len(self):
                yield Join(square, DOWN, square + self.columns)

    def is_frame_join(self, join: Join) -> bool:
        """Whether a join runs between two frame squares along the same stretch of border."""
        mask = self.border_mask(join.first) & self.border_mask(join.second)
        return bool(mask & (1 << (join.side + 1) % 4 | 1 << (join.side + 3) % 4))

    def turns(self) -> int:
        """The number of turns of the board that map it onto itself: 4 for a square board, otherwise 2."""
        return 4 if self.rows == self.columns else 2

    def quarter_turns(self) -> range:
        """The turns of the board that map it onto itself, in quarter turns."""
        return range(0, 4, 4 // self.turns())

    def turned_square(self, square: int, quarter_turns: int) -> int:
        """The square that a square moves to when the whole board is turned clockwise onto itself.

        Two quarter turns are possible on every board, one or three on square boards only.
        """
        rows, columns = self.rows, self.columns
        row, column = divmod(square, columns)
        for _ in range(quarter_turns % 4):
            row, column, rows, columns = column, rows - 1 - row, columns, rows
        return self.square(row, column)

    def turned_arrangement(self, arrangement: Arrangement, quarter_turns: int) -> Arrangement:
        """An arrangement after the whole board is turned clockwise onto itself, as for `turned_square`."""
        turned: list[Placement | None] = [None] * len(self)
        for square, placed in enumerate(arrangement):
            if placed is not None:
                there = self.turned_square(square, quarter_turns)
                turned[there] = Placement(placed.piece, (placed.rotation + quarter_turns) % 4)
        return tuple(turned)


def checked_board(rows: int, columns: int) -> Board:
    """A board of that size; raises UsageError if the size is invalid."""
    try:
        return Board(index(rows), index(columns))
    except PuzzleError as error:
        raise UsageError(str(error)) from error


def board_text(arrangement: Sequence[Placement | None], columns: int) -> str:
    """A board as text: piece numbers, and rotations as quarter turns after the slash.

    >>> print(board_text((Placement(0, 1), None), 2))
         1   2
      A 1/1   .
    """
    cells = ["." if placed is None else f"{placed.piece + 1}/{placed.rotation}" for placed in arrangement]
    width = max(len(cell) for cell in (*cells, str(columns)))
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    margin = len(letters(len(rows) - 1))
    lines = [" " * (margin + 2) + " ".join(f"{column + 1:>{width}}" for column in range(columns))]
    lines += [
        f"  {letters(i):>{margin}}" + " ".join(["", *(f"{cell:>{width}}" for cell in row)])
        for i, row in enumerate(rows)
    ]
    return "\n".join(lines)
