"""The distribution of pieces to pages, and the foot of each page: its title, and a ruler to check the scale."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, product

from ...csp.base.errors import JigsatError
from ...csp.puzzles.board import Board
from ..svg.svg import fitting, harmless
from .paper import NOTES, Item, Path, Spot, Text
from .sizes import LONGEST, Measures, shown

#: The length of the ruler, for which each page must have room.
RULE = 100
#: The height of a foot, including the gap above it.
FOOT = 24.0
#: Font sizes, and the distance between lines.
TITLE, FACT, LINE = 4.0, 3.0, 4.5
_GAP, _TICKS = 5.0, {10: 4.0, 5: 2.5}


def foot(name: str, facts: str, corner: Spot, width: float) -> Iterator[Item]:
    """The foot of a sheet, with its upper left corner at `corner`."""
    left, top = corner
    top += _GAP + TITLE * 0.75
    yield Text(NOTES, (left, top), fitting(harmless(name), width, TITLE), TITLE, bold=True)
    yield Text(NOTES, (left, top + LINE), fitting(harmless(facts), width, FACT), FACT)
    yield from _rule(left, top + LINE + 3.0)


def _rule(left: float, top: float) -> Iterator[Item]:
    yield Path(NOTES, ((left, top), (left + RULE, top)), straight=True)
    for at in range(0, RULE + 1, 5):
        height = _TICKS[10 if at % 10 == 0 else 5]
        yield Path(NOTES, ((left + at, top), (left + at, top + height)), straight=True)
    bottom = top + _TICKS[10] + FACT
    yield Text(NOTES, (left, bottom), "0", FACT)
    yield Text(NOTES, (left + RULE, bottom), f"{RULE} mm: measure it", FACT, "end")


def least_width(measures: Measures) -> float:
    """The width of the narrowest sheet that has room for the ruler."""
    return RULE + 2 * measures.margin


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

    Raises JigsatError if a page is too small for a piece, or a sheet becomes too large.
    """
    if measures.page is None:
        width, height = sheet_size(board.columns * measures.size, board.rows * measures.size, measures)
        return Layout(width, height, (Block(0, 0, board.rows, board.columns),))
    layouts = []
    for width, height in orientations(measures):
        across = _parts(board.columns, measures.size, width - 2 * measures.margin, reach)
        down = _parts(board.rows, measures.size, height - 2 * measures.margin - FOOT, reach)
        if across and down:
            layouts.append(Layout(width, height, _blocks(down, across)))
    if not layouts:
        across, down = (measures.size + min(count - 1, 2) * reach for count in (board.columns, board.rows))
        width = max(across + 2 * measures.margin, least_width(measures))
        needed = shown(width, down + 2 * measures.margin + FOOT)
        what = f"a piece with its tabs, the margins of {measures.margin:g} mm and the ruler"
        raise JigsatError(f"page of {shown(*measures.page)}: too small for {what}, which need {needed}")
    return min(layouts, key=lambda layout: len(layout.blocks))


def sheet_size(width: float, height: float, measures: Measures) -> tuple[float, float]:
    """The size of a sheet for a drawing of that size, with its foot and margins.

    Raises JigsatError if it is larger than the largest page.
    """
    size = max(width, RULE) + 2 * measures.margin, height + FOOT + 2 * measures.margin
    if max(size) > LONGEST:
        most = f"the limit is {LONGEST:g} mm: give a page, or a smaller size"
        raise JigsatError(f"a single sheet would measure {shown(*size)}, and {most}")
    return size


def orientations(measures: Measures) -> list[tuple[float, float]]:
    """The page, as given and rotated, if it has room for the ruler and something above it.

    Raises JigsatError if neither orientation has room.
    """
    assert measures.page is not None
    width, height = measures.page
    least = least_width(measures), FOOT + 2 * measures.margin
    pages = dict.fromkeys([(width, height), (height, width)])
    fitting = [page for page in pages if page[0] >= least[0] and page[1] > least[1]]
    if not fitting:
        needs = f"the ruler of {RULE} mm and margins of {measures.margin:g} mm need a page larger than {shown(*least)}"
        raise JigsatError(f"page of {shown(width, height)}: too small: {needs}")
    return fitting


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
