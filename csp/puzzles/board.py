"""The board: squares, sides, rotations, placements.

Squares are numbered row by row from the top left, from 0; their names are a letter and a number, ``A1`` at the top
left.  Sides come in the order up, right, down, left.  A rotation is a number of clockwise quarter turns; with 4 added
the piece is turned over first, about its vertical axis.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from operator import index
from typing import NamedTuple, TypeVar

from ..base.errors import PuzzleError, UsageError, shortened

UP, RIGHT, DOWN, LEFT = range(4)
SIDE_NAMES = ("up", "right", "down", "left")
BORDER = 0
#: The largest colour or connector.
MAX_COLOR = 2**31 - 1
MAX_LENGTH = 1024
#: Rotations from this number on turn a piece over first.
TURNED_OVER = 4
#: Which ends of a board meet: none; those of the rows, so that it is a cylinder; both, so that it is a torus.
WRAPS = ("none", "columns", "both")
# A join between two squares must be the only one between them.
_LEAST_AROUND = 3

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_T = TypeVar("_T")

# The least of the four turns of a border mask (bit i: side i is on the border) determines the class of a square.
_CLASS_OF_MASK = {0: "inner", 1: "edge", 3: "corner", 5: "strip", 7: "end", 15: "single"}
PIECE_CLASSES = tuple(_CLASS_OF_MASK.values())


class Placement(NamedTuple):
    """A piece (0-based) on a square, and its rotation."""

    piece: int
    rotation: int

    @property
    def number(self) -> int:
        """The number of the piece in files and output, which count from 1."""
        return self.piece + 1


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
    """Four items, one per side, in a rotation; from 4 to 7 they are turned over first.

    >>> turned("URDL", 1), turned("URDL", 4)
    (('L', 'U', 'R', 'D'), ('U', 'L', 'D', 'R'))
    """
    if rotation >= TURNED_OVER:
        sides = (sides[0], sides[3], sides[2], sides[1])
    r = rotation % 4
    return (*sides[4 - r :], *sides[: 4 - r])


def after(rotation: int, earlier: int) -> int:
    """The one rotation that does what `rotation` does after `earlier`, both from 0 to 7.

    >>> turned(turned("URDL", 5), 6) == turned("URDL", after(6, 5))
    True
    """
    quarters = rotation - earlier if rotation >= TURNED_OVER else rotation + earlier
    return quarters % 4 + TURNED_OVER * ((rotation >= TURNED_OVER) != (earlier >= TURNED_OVER))


def undone(rotation: int) -> int:
    """The rotation that undoes a rotation from 0 to 7."""
    return rotation if rotation >= TURNED_OVER else -rotation % 4


def side_after(side: int, rotation: int) -> int:
    """Which side a side becomes in a rotation from 0 to 7."""
    return ((-side if rotation >= TURNED_OVER else side) + rotation) % 4


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


class Move(NamedTuple):
    """A symmetry of a board: the rotation of the pieces, and where each square goes."""

    rotation: int
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """A grid of squares.

    Parameters
    ----------
    rows, columns
        Its size.
    shape
        Rows of ``#`` for squares and ``.`` for places without one; empty if all places are squares.
    wrap
        Which ends meet: ``"none"``, ``"columns"`` (the last column and the first one), or ``"both"``.

    Raises
    ------
    PuzzleError
        If `rows` or `columns` is not between 1 and 1024, the shape is not as large, has other characters or no square,
        or a wrapped board has fewer than three squares in that direction.
    """

    rows: int
    columns: int
    shape: tuple[str, ...] = ()
    wrap: str = "none"

    def __post_init__(self) -> None:
        for name, length in (("rows", self.rows), ("columns", self.columns)):
            if not 1 <= length <= MAX_LENGTH:
                raise PuzzleError(f"{name} must lie between 1 and {MAX_LENGTH}, not {length}")
        if self.wrap not in WRAPS:
            raise PuzzleError(f"wrap: unknown {shortened(repr(self.wrap))}; choose from {', '.join(WRAPS)}")
        for name, length, wraps in (("rows", self.rows, self._wraps[0]), ("columns", self.columns, self._wraps[1])):
            if wraps and length < _LEAST_AROUND:
                raise PuzzleError(f"wrap: {self.wrap} needs at least {_LEAST_AROUND} {name}, not {length}")
        if self.shape:
            self._check_shape()

    def _check_shape(self) -> None:
        size = f"{self.rows} rows of {self.columns} characters"
        if len(self.shape) != self.rows:
            raise PuzzleError(f"squares: {len(self.shape)} rows instead of {size}")
        for number, row in enumerate(self.shape, start=1):
            if len(row) != self.columns or {*row} - {"#", "."}:
                raise PuzzleError(f"squares: row {number} is {shortened(row)!r}; a shape has {size}, # or . each")
        if not any("#" in row for row in self.shape):
            raise PuzzleError("squares: there is no #, so the board has no square")
        if all("." not in row for row in self.shape):
            object.__setattr__(self, "shape", ())

    def __len__(self) -> int:
        return len(self.places) if self.shape else self.rows * self.columns

    @property
    def _wraps(self) -> tuple[bool, bool]:
        """Whether the ends of columns meet (from the last row to the first), and those of rows."""
        return self.wrap == "both", self.wrap != "none"

    @property
    def is_plain(self) -> bool:
        """Whether it is a full rectangle with four edges."""
        return not self.shape and self.wrap == "none"

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The row and column of each square, both 0-based."""
        every = ((row, column) for row in range(self.rows) for column in range(self.columns))
        return tuple(place for place in every if not self.shape or self.shape[place[0]][place[1]] == "#")

    @cached_property
    def _number_at(self) -> dict[tuple[int, int], int]:
        return {place: square for square, place in enumerate(self.places)}

    def place(self, square: int) -> tuple[int, int]:
        """The row and column of a square, both 0-based."""
        return self.places[square] if self.shape else divmod(square, self.columns)

    def square(self, row: int, column: int) -> int:
        """The number of the square in that row and column, both 0-based; raises KeyError for a gap."""
        return self._number_at[row, column] if self.shape else row * self.columns + column

    def square_at(self, row: int, column: int) -> int | None:
        """The square in a row and column, which may lie round the ends that meet; None for a gap."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            row = row % self.rows if self._wraps[0] else row
            column = column % self.columns if self._wraps[1] else column
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                return None
        return self._number_at.get((row, column)) if self.shape else row * self.columns + column

    def name(self, square: int) -> str:
        """The name of a square.

        >>> Board(16, 16).name(135)
        'I8'
        """
        row, column = self.place(square)
        return f"{letters(row)}{column + 1}"

    def index(self, square: int | str) -> int:
        """The number of a square that has a number or a name; raises PuzzleError if no square has that name."""
        return self.parse(square) if isinstance(square, str) else square

    @property
    def text(self) -> str:
        """What messages call the board."""
        return f"{self.rows}x{self.columns} board"

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
            last = f"{letters(self.rows - 1)}{self.columns}"
            raise PuzzleError(f"square {name} is not on the {self.text}, whose last square is {last}")
        if self.shape and (row, column) not in self._number_at:
            raise PuzzleError(f"there is no square {name} on this board: it is a gap in its shape")
        return self.square(row, column)

    def ranges(self, squares: Iterable[int]) -> str:
        """The names of squares as text, rectangles as ranges.

        >>> Board(4, 4).ranges([0, 1, 4, 5, 15])
        'A1:B2,D4'
        """
        chosen, names = {self.place(square) for square in squares}, list[str]()
        while chosen:
            top, left = min(chosen)
            right, bottom = left, top
            while (top, right + 1) in chosen:
                right += 1
            while chosen.issuperset((bottom + 1, column) for column in range(left, right + 1)):
                bottom += 1
            for row in range(top, bottom + 1):
                chosen.difference_update((row, column) for column in range(left, right + 1))
            first, last = self.name(self.square(top, left)), self.name(self.square(bottom, right))
            names.append(first if first == last else f"{first}:{last}")
        return ",".join(names)

    def neighbour(self, square: int, side: int) -> int | None:
        """The square across that side, or None beyond the border."""
        row, column = self.place(square)
        return self.square_at(row + _STEPS[side][0], column + _STEPS[side][1])

    def border_mask(self, square: int) -> int:
        """The sides of a square that lie on the border, as bits."""
        if not self.is_plain:
            return sum(1 << side for side in range(4) if self.neighbour(square, side) is None)
        row, column = divmod(square, self.columns)
        last_row, last_column = self.rows - 1, self.columns - 1
        return (row == 0) | (column == last_column) << 1 | (row == last_row) << 2 | (column == 0) << 3

    def square_class(self, square: int) -> str:
        """The class of the pieces that can lie on a square."""
        return border_class(self.border_mask(square))

    @cached_property
    def join_count(self) -> int:
        """The number of joins."""
        if not self.is_plain:
            return sum(1 for _ in self.joins())
        return self.rows * (self.columns - 1) + self.columns * (self.rows - 1)

    def joins_of(self, square: int) -> tuple[Join, ...]:
        """The joins of a square, which is the first of each."""
        return _joins_of(self, square)

    def joins(self) -> Iterator[Join]:
        """Every join once, row by row: first the one to the right, then the one below."""
        for square in range(len(self)):
            for side in (RIGHT, DOWN):
                neighbour = self.neighbour(square, side)
                if neighbour is not None:
                    yield Join(square, side, neighbour)

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
        """The square that a square of a plain board moves to when the whole board is turned clockwise.

        After one quarter turn or three, it is one of a board with rows in place of columns.
        """
        rows, columns = self.rows, self.columns
        row, column = divmod(square, columns)
        for _ in range(quarter_turns % 4):
            row, column, rows, columns = column, rows - 1 - row, columns, rows
        return row * columns + column

    def turned_arrangement(self, arrangement: Arrangement, quarter_turns: int) -> Arrangement:
        """An arrangement after the whole plain board is turned clockwise onto itself, as for `turned_square`."""
        return moved(self.moves(quarter_turns % 4)[0], arrangement)

    def moves(self, rotation: int) -> tuple[Move, ...]:
        """The symmetries of the board that turn the pieces by a rotation, the identity first.

        There are several on wrapped boards, which may also be shifted.
        """
        # Imported here: files are read without NumPy.
        import numpy as np

        size = (self.rows, self.columns)
        if rotation % 2 and (self.rows != self.columns if self.is_plain else self._wraps[0] != self._wraps[1]):
            return ()
        if self.is_plain:
            grid = np.arange(len(self)).reshape(size)
            grid = np.rot90(np.fliplr(grid) if rotation >= TURNED_OVER else grid, -rotation % 4)
            targets = np.empty(len(self), dtype=np.int64)
            targets[grid.ravel()] = np.arange(len(self))
            return (Move(rotation, tuple(targets.tolist())),)
        if rotation % 2 and self._wraps[0] and self.rows != self.columns:
            return ()
        places = np.array(self.places)
        carried = np.array([_carried(place, rotation) for place in self.places])
        least = places.min(axis=0) - carried.min(axis=0)
        shifts = [range(size[axis]) if self._wraps[axis] else [least[axis]] for axis in (0, 1)]
        there, found = {*self.places}, []
        around = [size[axis] if self._wraps[axis] else MAX_LENGTH**2 for axis in (0, 1)]
        for shift in product(*shifts):
            moved = list(map(tuple, ((carried + shift) % around).tolist()))
            if there == {*moved}:
                found.append(Move(rotation, tuple(self.square(*place) for place in moved)))
        return tuple(sorted(found, key=lambda move: move.targets))


# Searches and their predictions ask for the same joins again and again; the largest boards have four million of them.
@lru_cache(maxsize=2**14)
def _joins_of(board: Board, square: int) -> tuple[Join, ...]:
    beside = ((side, board.neighbour(square, side)) for side in range(4))
    return tuple(Join(square, side, neighbour) for side, neighbour in beside if neighbour is not None)


def _carried(place: tuple[int, int], rotation: int) -> tuple[int, int]:
    """Where a rotation about the origin carries a place."""
    row, column = place
    if rotation >= TURNED_OVER:
        column = -column
    for _ in range(rotation % 4):
        row, column = column, -row
    return row, column


def combined(then: Move, before: Move) -> Move:
    """The symmetry of a board that does `before`, and then `then`."""
    return Move(after(then.rotation, before.rotation), tuple(then.targets[square] for square in before.targets))


def moved(move: Move, arrangement: Arrangement) -> Arrangement:
    """An arrangement after a symmetry of its board."""
    there: list[Placement | None] = [None] * len(arrangement)
    for target, placed in zip(move.targets, arrangement, strict=True):
        if placed is not None:
            there[target] = Placement(placed.piece, after(move.rotation, placed.rotation))
    return tuple(there)


def left_over(arrangement: Sequence[Placement | None], pieces: int) -> tuple[int, ...]:
    """Those of a number of pieces that are not on a board."""
    laid = {placed.piece for placed in arrangement if placed is not None}
    return tuple(piece for piece in range(pieces) if piece not in laid)


def checked_board(rows: int, columns: int) -> Board:
    """A board of that size; raises UsageError if the size is invalid."""
    try:
        return Board(index(rows), index(columns))
    except PuzzleError as error:
        raise UsageError(str(error)) from error


def board_text(arrangement: Sequence[Placement | None], board: Board) -> str:
    """A board as text: piece numbers, and rotations after the slash.

    >>> print(board_text((Placement(0, 1), None), Board(1, 2)))
         1   2
      A 1/1   .
    """
    cells = [[""] * board.columns for _ in range(board.rows)]
    for square, placed in enumerate(arrangement):
        row, column = board.place(square)
        cells[row][column] = "." if placed is None else f"{placed.piece + 1}/{placed.rotation}"
    width = max(len(cell) for cell in (*(cell for row in cells for cell in row), str(board.columns)))
    margin = len(letters(board.rows - 1))
    lines = [" " * (margin + 2) + " ".join(f"{column + 1:>{width}}" for column in range(board.columns))]
    lines += [
        f"  {letters(i):>{margin}}" + " ".join(["", *(f"{cell:>{width}}" for cell in row)]).rstrip()
        for i, row in enumerate(cells)
    ]
    return "\n".join(lines)
