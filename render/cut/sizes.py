"""Sizes that users choose, in mm, and the distribution of pieces to pages."""

import re
from dataclasses import dataclass
from itertools import accumulate, product
from math import ceil

from ...csp.base.errors import JigsatError, UsageError, shortened
from ...csp.puzzles.board import Board
from .family import Family
from .paper import FOOT, RULE

#: Width and height.
Page = tuple[float, float]
#: Papers, and the beds of laser cutters, by name: width and height.
PAGES = {
    "a0": (841.0, 1189.0), "a1": (594.0, 841.0), "a2": (420.0, 594.0), "a3": (297.0, 420.0), "a4": (210.0, 297.0),
    "a5": (148.0, 210.0), "a6": (105.0, 148.0),
    "letter": (215.9, 279.4), "legal": (215.9, 355.6), "tabloid": (279.4, 431.8),
    "k40": (300.0, 200.0), "beamo": (300.0, 210.0), "glowforge": (495.0, 279.0),
}  # fmt: skip
#: The longest page, which is the limit of PDF readers, and the shortest one.
LONGEST, SHORTEST = 5000.0, 20.0
# 1,000 may be one or a thousand.
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_LENGTH = re.compile(r"([+-]?(?:[0-9]{1,9}[.,]?[0-9]{0,9}|[.,][0-9]{1,9})(?:e-[0-9]{1,2})?)\s*(mm|cm|in|)")
_UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4}
_LARGEST_SIZE, _WIDEST_MARGIN, _WIDEST_KERF = 1000.0, 100.0, 5.0
_WIDEST_FIT, _WIDEST_BLEED = 1.0, 50.0
#: The least width of a part of a piece between its cuts.
LEAST_NECK = 1.0
#: The largest distance in mm of an outline from the exact one, apart from the rounding of coordinates.
ACCURACY = 0.005


@dataclass(frozen=True)
class Measures:
    """The measures of a cut jigsaw, in mm; raises JigsatError if one of them is out of range."""

    size: float = 25.0  #: The length of a piece's side
    page: Page | None = None  #: Width and height of a page; None for sheets as large as needed
    margin: float = 10.0  #: The empty margin of a sheet
    kerf: float = 0.15  #: The width of the cut
    #: The gap between two pieces after cutting, negative for pieces that press together; None for curves that are drawn
    #: along the middle of the cut, so that the gap is the kerf.
    fit: float | None = None
    bleed: float = 3.0  #: How far a printed picture extends beyond the edge of the board

    def __post_init__(self) -> None:
        if not 0 < self.size <= _LARGEST_SIZE:
            raise JigsatError(f"size {self.size:g}: must be greater than 0 and at most {_LARGEST_SIZE:g} mm")
        if not 0 <= self.margin <= _WIDEST_MARGIN:
            raise JigsatError(f"margin {self.margin:g}: must be from 0 to {_WIDEST_MARGIN:g} mm")
        if not 0 <= self.kerf < _WIDEST_KERF:
            raise JigsatError(f"kerf {self.kerf:g}: must be at least 0 and less than {_WIDEST_KERF:g} mm")
        if self.fit is not None and not -_WIDEST_FIT <= self.fit <= _WIDEST_FIT:
            raise JigsatError(f"fit {self.fit:g}: must be from -{_WIDEST_FIT:g} to {_WIDEST_FIT:g} mm")
        if not 0 <= self.bleed <= _WIDEST_BLEED:
            raise JigsatError(f"bleed {self.bleed:g}: must be from 0 to {_WIDEST_BLEED:g} mm")
        if self.page is not None and not all(SHORTEST <= length <= LONGEST for length in self.page):
            raise JigsatError(f"page {shown(*self.page)}: must measure {SHORTEST:g} to {LONGEST:g} mm each way")

    @property
    def gap(self) -> float:
        """The gap between two pieces after cutting, in mm."""
        return self.kerf if self.fit is None else self.fit


def page_of(text: str) -> Page:
    """Parse a page: a name, or width and height in mm, as in 300x200; raises JigsatError if it is neither."""
    name = text.strip().lower()
    if name in PAGES:
        return PAGES[name]
    try:
        width, height = map(millimetres, re.split("[x×]", name))
        if width <= 0 or height <= 0:
            raise ValueError
    except ValueError:
        names = ", ".join(PAGES)
        why = f"must be WIDTHxHEIGHT in mm, as in 300x200, or one of {names}"
        raise JigsatError(f"page {shortened(text)!r}: {why}") from None
    return width, height


def millimetres(text: str) -> float:
    """Parse a length, in mm unless it has another unit; the decimal mark is a point or a comma.

    Examples
    --------
    >>> millimetres("0,15"), millimetres("-0.15 mm"), millimetres("2.5cm"), millimetres("1in")
    (0.15, -0.15, 25.0, 25.4)
    """
    match = _LENGTH.fullmatch(text.strip().lower().replace("\u2212", "-"))
    if match is None:
        raise ValueError(f"{shortened(text)!r} is not a length in mm")
    if _THOUSANDS.fullmatch(match[1]):
        raise ValueError(f"{shortened(text)!r} may be a thousand times another length; omit the comma or the zeros")
    return float(match[1].replace(",", ".")) * _UNITS[match[2] or "mm"]


def shown(width: float, height: float) -> str:
    """A size as text, such as ``210 x 297 mm``."""
    return f"{round(width, 1):g} x {round(height, 1):g} mm"


def check_neck(name: str, measures: Measures, family: Family) -> None:
    """Raise UsageError if tabs would break off, because the narrowest neck is too narrow."""
    needed = LEAST_NECK + max(measures.gap, 0)
    if measures.size * family.neck < needed:
        least = ceil(10 * needed / family.neck) / 10
        loss = f"kerf of {measures.kerf:g}" if measures.fit is None else f"gap of {measures.gap:g}"
        short = f"sides of {measures.size:g} mm are too short for necks of {LEAST_NECK:g} mm with a"
        raise UsageError(f"{name}: {short} {loss} mm; give {least:g} or more", "size")


@dataclass(frozen=True)
class Block:
    """The pieces of a page: the first row and column (0-based), and the numbers of rows and columns."""

    row: int
    column: int
    rows: int
    columns: int

    def squares(self, board: Board) -> str:
        """The name of the block."""
        first = board.name(board.square(self.row, self.column))
        last = board.name(board.square(self.row + self.rows - 1, self.column + self.columns - 1))
        return f"squares {first} to {last}" if first != last else f"square {first}"


@dataclass(frozen=True)
class Layout:
    """The size of the pages, and a block for each of them."""

    width: float
    height: float
    blocks: tuple[Block, ...]


def laid_out(board: Board, measures: Measures, reach: float) -> Layout:
    """Divide a board into the fewest pages, with blocks of about the same numbers of rows and columns.

    Along the edges between blocks, tabs reach out by up to `reach`, in mm.
    """
    if measures.page is None:
        width, height = sheet_size(board.columns * measures.size, board.rows * measures.size, measures)
        return Layout(width, height, (Block(0, 0, board.rows, board.columns),))
    layouts = []
    for page, room in orientations(measures):
        across = _parts(board.columns, measures.size, room[0], reach)
        down = _parts(board.rows, measures.size, room[1], reach)
        if across and down:
            layouts.append(Layout(*page, _blocks(down, across)))
    if not layouts:
        across, down = (measures.size + min(count - 1, 2) * reach for count in (board.columns, board.rows))
        needed = shown(max(across, RULE) + 2 * measures.margin, down + 2 * measures.margin + FOOT)
        what = f"a piece with its tabs, the margins of {measures.margin:g} mm and the ruler"
        raise JigsatError(f"page of {shown(*measures.page)}: too small for {what}, which need {needed}")
    return min(layouts, key=lambda layout: len(layout.blocks))


def sheet_size(width: float, height: float, measures: Measures) -> Page:
    """The size of a sheet for a drawing of that size, with its foot and margins; refuses what is too large."""
    size = max(width, RULE) + 2 * measures.margin, height + FOOT + 2 * measures.margin
    if max(size) > LONGEST:
        most = f"the limit is {LONGEST:g} mm: give a page, or a smaller size"
        raise JigsatError(f"a single sheet would measure {shown(*size)}, and {most}")
    return size


def page_for(width: float, height: float, measures: Measures, what: str, how: str = "") -> Page:
    """The size of the sheet for a single drawing with its foot; `what` names it, and `how` says what would help."""
    if measures.page is None:
        return sheet_size(width, height, measures)
    for page, room in orientations(measures):
        if width <= room[0] and height <= room[1]:
            return page
    needed = shown(max(width, RULE) + 2 * measures.margin, height + FOOT + 2 * measures.margin)
    raise JigsatError(f"page of {shown(*measures.page)}: too small for {what}, which needs {needed}{how}")


def orientations(measures: Measures) -> list[tuple[Page, Page]]:
    """The page, as given and rotated, and the room above its foot, where there is some, and room for the ruler."""
    assert measures.page is not None
    beside, below = 2 * measures.margin, 2 * measures.margin + FOOT
    pages = dict.fromkeys([measures.page, (measures.page[1], measures.page[0])])
    found = [(page, (page[0] - beside, page[1] - below)) for page in pages]
    found = [(page, room) for page, room in found if room[0] >= RULE and room[1] > 0]
    if not found:
        least = shown(RULE + beside, below)
        needs = f"the ruler of {RULE} mm and margins of {measures.margin:g} mm need a page larger than {least}"
        raise JigsatError(f"page of {shown(*measures.page)}: too small: {needs}")
    return found


def _parts(count: int, size: float, room: float, reach: float) -> list[int] | None:
    """Distribute `count` squares in a row to pages, as evenly as possible; None if there is no room."""
    # The most squares of a part by the number of its edges where tabs reach out: one at either end, else two.
    alone, end, inner = (max(int((room - edges * reach + 1e-9) / size), 0) for edges in range(3))
    if count <= alone:
        return [count]
    for number in range(2, count + 1):
        if -(-count // number) <= (end if number == 2 else inner):
            return [count // number + (part < count % number) for part in range(number)]
        outer = count - (number - 2) * inner
        if outer <= 2 * end:
            return [outer - outer // 2, *[inner] * (number - 2), outer // 2]
    return None


def _blocks(down: list[int], across: list[int]) -> tuple[Block, ...]:
    rows = zip(accumulate(down, initial=0), down, strict=False)
    columns = zip(accumulate(across, initial=0), across, strict=False)
    return tuple(Block(row, column, r, c) for (row, r), (column, c) in product(rows, columns))
