"""Sheets of an edge-matching puzzle to print: its pieces in a grid, their backs, the board, its colours, solutions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, sqrt

from ...csp.base.errors import JigsatError, UsageError, plural
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ..svg.palette import Look, looks
from .paper import CUT, FACT, LINE, NOTES, NUMBERS, OUTLINES, PICTURE, RULE, Item, Path, Sheet, Spot, Text, foot, label
from .sizes import Measures, Page, laid_out, orientations, sheet_size, shown
from .tabs import curves_of

#: The kinds of sheets, in their order.
SQUARE_SHEETS = ("cut", "back", "board", "legend", "assemblies")
# The units of motifs in a side.
_SIDE = 100
# The heights of digits and of letters on squares, as parts of a side, and the width of the rim of the board.
_DIGIT, _NAME, _RIM = 0.2, 0.16, 0.06
# The side of a swatch in mm, and the width of an entry of the legend.
_SWATCH, _ENTRY = 12.0, 60.0


@dataclass(frozen=True)
class SquarePieces:
    """The puzzle, its measures and the title of the sheets."""

    puzzle: EdgeMatchingPuzzle
    measures: Measures
    title: str
    numbered: bool = True

    @cached_property
    def looks(self) -> dict[int, Look]:
        return looks(self.puzzle)

    def sheets(self, kinds: Sequence[str], boards: Sequence[Arrangement]) -> list[Sheet]:
        """The sheets of these kinds; each back follows its front, as duplex printers need it."""
        fronts = self._fronts("back" in kinds) if {"cut", "back"} & {*kinds} else []
        if "cut" not in kinds:
            fronts = [sheet for sheet in fronts if sheet.name.startswith("back")]
        board = self._boards(None, "board") if "board" in kinds else []
        legend = [self._legend()] if "legend" in kinds else []
        solved = []
        for number, arrangement in enumerate(boards if "assemblies" in kinds else (), start=1):
            solved += self._boards(arrangement, f"solution-{number}" if len(boards) > 1 else "solution")
        return [*fronts, *board, *legend, *solved]

    def _fronts(self, with_backs: bool) -> list[Sheet]:
        """The pieces in rows in the order of their numbers, without gaps between them."""
        page, across, down = self._grid()
        count, each = len(self.puzzle.pieces), across * down
        pages = ceil(count / each)
        sheets = []
        for index in range(pages):
            pieces = range(index * each, min((index + 1) * each, count))
            name = "" if pages == 1 else f"-{index + 1}"
            ends = f"pieces {pieces[0] + 1} to {pieces[-1] + 1}"
            sheets.append(self._grid_sheet(f"cut{name}", ends, page, across, pieces, self._front))
            if with_backs:
                sheets.append(self._grid_sheet(f"back{name}", f"back of {ends}", page, across, pieces, self._back))
        return sheets

    def _grid(self) -> tuple[Page, int, int]:
        """The page that needs the fewest sheets, and the pieces in a row and in a column."""
        count, size, measures = len(self.puzzle.pieces), self.measures.size, self.measures
        if measures.page is None:
            across = max(ceil(sqrt(count)), min(count, ceil(RULE / size)))
            down = ceil(count / across)
            return sheet_size(across * size, down * size, measures), across, down
        ways = [
            (page, floor(room[0] / size + 1e-9), floor(room[1] / size + 1e-9)) for page, room in orientations(measures)
        ]
        page, across, down = min(ways, key=lambda way: -way[1] * way[2])
        if not across * down:
            raise JigsatError(f"page of {shown(*measures.page)}: too small for a piece of {size:g} mm")
        across = min(across, count)
        return page, across, min(down, ceil(count / across))

    def _grid_sheet(
        self, name: str, about: str, page: Page, across: int, pieces: range, draw: Callable[[int, Spot], Iterator[Item]]
    ) -> Sheet:
        size, margin = self.measures.size, self.measures.margin
        left, rows = (page[0] - across * size) / 2, ceil(len(pieces) / across)
        items: list[Item] = []
        for number, piece in enumerate(pieces):
            row, column = divmod(number, across)
            # The back of a sheet that is turned over like the page of a book.
            column = column if draw == self._front else across - 1 - column
            items += draw(piece, (left + (column + 0.5) * size, margin + (row + 0.5) * size))
        if draw == self._front:
            items += _lines(len(pieces), across, (left, margin), size)
        facts = f"{about}, sides of {size:g} mm"
        items += foot(self.title, facts, (margin, margin + rows * size), page[0] - 2 * margin)
        return Sheet(name, about, *page, tuple(items))

    def _front(self, piece: int, middle: Spot) -> Iterator[Item]:
        yield from self._piece(self.puzzle.shown(Placement(piece, 0)), middle)

    def _back(self, piece: int, middle: Spot) -> Iterator[Item]:
        """The number of a piece, or what it shows when it is turned over, with its number in the middle."""
        over = [rotation for rotation in self.puzzle.rotations(piece) if rotation >= 4]
        if over:
            yield from self._piece(self.puzzle.shown(Placement(piece, over[0])), middle)
        if self.numbered:
            yield from self._number(piece, middle, halo=bool(over))

    def _number(self, piece: int, middle: Spot, *, halo: bool) -> Iterator[Item]:
        height = _DIGIT * self.measures.size * min(1, 3 / len(str(piece + 1)))
        if halo:
            reach = 0.16 * self.measures.size * max(1, len(str(piece + 1)) / 2)
            yield Path(PICTURE, _box(middle, reach, 0.75 * height), closed=True, straight=True, fill="#ffffff")
        for path in label(piece + 1, dotted=False):
            yield Path(NUMBERS, tuple((middle[0] + x * height, middle[1] + y * height) for x, y in path))

    def _piece(self, sides: Sides, middle: Spot) -> Iterator[Item]:
        for side, color in enumerate(sides):
            yield from _triangle(self.looks[color], side, middle, self.measures.size)

    def _boards(self, arrangement: Arrangement | None, name: str) -> list[Sheet]:
        """The board with its squares, and on them the fixed pieces or those of a solution."""
        puzzle, measures = self.puzzle, self.measures
        layout = laid_out(puzzle.board, measures, 0)
        sheets = []
        for index, block in enumerate(layout.blocks):
            left, top = (layout.width - block.columns * measures.size) / 2, measures.margin
            items: list[Item] = []
            for square in range(len(puzzle.board)):
                row, column = puzzle.board.place(square)
                row, column = row - block.row, column - block.column
                if 0 <= row < block.rows and 0 <= column < block.columns:
                    middle = left + (column + 0.5) * measures.size, top + (row + 0.5) * measures.size
                    items += self._square(square, arrangement, middle)
            number = f" {index + 1} of {len(layout.blocks)}" if len(layout.blocks) > 1 else ""
            about = f"{name.replace('-', ' ')}{number}"
            bottom = top + block.rows * measures.size
            facts = ", ".join(filter(None, (about, "true to scale", puzzle.form)))
            items += foot(self.title, facts, (measures.margin, bottom), layout.width - 2 * measures.margin)
            end = f"-{index + 1}" if number else ""
            sheets.append(Sheet(f"{name}{end}", about, layout.width, layout.height, tuple(items)))
        return sheets

    def _square(self, square: int, arrangement: Arrangement | None, middle: Spot) -> Iterator[Item]:
        size, board = self.measures.size, self.puzzle.board
        placed = (arrangement or self.puzzle.fixed_board)[square]
        yield Path(OUTLINES, _box(middle, size / 2, size / 2), closed=True, straight=True)
        if placed is not None:
            yield from self._piece(self.puzzle.shown(placed), middle)
            yield from self._number(placed.piece, middle, halo=True)
            return
        down = middle[1] + _NAME * size / 3
        yield Text(NOTES, (middle[0], down), board.name(square), _NAME * size, "middle")
        rim = self.puzzle.rim
        for side in range(4):
            if board.neighbour(square, side) is None and isinstance(rim, int):
                # What the outer sides of the pieces show there.
                edge = [(-50, 0), (50, 0), (50 - _RIM * 50, _RIM * _SIDE), (-50 + _RIM * 50, _RIM * _SIDE)]
                spots = tuple(_spot(x, y, side, middle, size) for x, y in edge)
                yield Path(PICTURE, spots, closed=True, straight=True, fill=self.looks[rim].background)

    def _legend(self) -> Sheet:
        """Each colour with its number or name, and the one that fits onto it."""
        puzzle, margin = self.puzzle, self.measures.margin
        colors = [color for color in self.looks if 0 < color <= puzzle.mate(color)]
        width = max(RULE, (self.measures.page or (0,))[0] - 2 * margin)
        across = max(int(width / _ENTRY), 1)
        step = _SWATCH + LINE
        items: list[Item] = []
        for number, color in enumerate(colors):
            row, column = divmod(number, across)
            left, top = margin + column * _ENTRY, margin + row * step
            middle = left + _SWATCH / 2, top
            mate = puzzle.mate(color)
            items += _triangle(self.looks[color], 2, middle, _SWATCH)
            items += _triangle(self.looks[mate], 0, (middle[0], top + _SWATCH), _SWATCH)
            words = puzzle.color_name(color) if mate == color else f"{puzzle.color_name(color)} –"
            items.append(Text(NOTES, (left + _SWATCH + 2, top + FACT), words, FACT))
            if mate != color:
                items.append(Text(NOTES, (left + _SWATCH + 2, top + FACT + LINE), puzzle.color_name(mate), FACT))
        height = ceil(len(colors) / across) * step
        page = self.measures.page or sheet_size(width, height, self.measures)
        what = "what fits onto what" if puzzle.mates else "colours: equal ones fit"
        items += foot(self.title, f"legend, {what}", (margin, margin + height), width)
        about = f"legend, {plural(len(colors), 'pair' if puzzle.mates else 'colour', str)}"
        return Sheet("legend", about, *page, tuple(items))


def kinds_of(puzzle: EdgeMatchingPuzzle, listed: Sequence[str] | None, *, numbers: bool, solved: bool) -> list[str]:
    """The kinds of sheets to make, in their order: those asked for, or what is useful."""
    if listed is None:
        left_out = {*(() if numbers or puzzle.flip else ("back",)), *(() if solved else ("assemblies",))}
        if not puzzle.color_names and not puzzle.mates:
            left_out.add("legend")
        return [kind for kind in SQUARE_SHEETS if kind not in left_out]
    for kind in listed:
        if kind not in SQUARE_SHEETS:
            raise UsageError(f"unknown kind {kind!r}, choose from {', '.join(SQUARE_SHEETS)}", "sheets")
    return [kind for kind in SQUARE_SHEETS if kind in listed]


def _lines(count: int, across: int, corner: Spot, size: float) -> Iterator[Path]:
    """The lines along which pieces in rows are cut apart, each once, from end to end."""
    (left, top), rows, last = corner, ceil(count / across), count - (ceil(count / across) - 1) * across
    for row in range(rows + 1):
        squares = last if row == rows else min(across, count)
        y = top + row * size
        yield Path(CUT, ((left, y), (left + squares * size, y)), straight=True)
    for column in range(min(across, count) + 1):
        x, high = left + column * size, rows if column <= last else rows - 1
        yield Path(CUT, ((x, top), (x, top + high * size)), straight=True)


def _triangle(look: Look, side: int, middle: Spot, size: float) -> Iterator[Path]:
    """The triangle between a side and the centre of a piece, with its motif."""
    corners = tuple(_spot(x, y, side, middle, size) for x, y in ((-50, 0), (50, 0), (0, 50)))
    yield Path(PICTURE, corners, closed=True, straight=True, fill=look.background)
    for curve in curves_of(look.motif):
        yield Path(PICTURE, tuple(_spot(x, y, side, middle, size) for x, y in curve), closed=True, fill=look.ink)


def _spot(x: float, y: float, side: int, middle: Spot, size: float) -> Spot:
    """A point below the upper side, which is (-50, 0) to (50, 0), after quarter turns about the centre of the piece."""
    x, y = x, y - _SIDE / 2
    for _ in range(side):
        x, y = -y, x
    return middle[0] + x * size / _SIDE, middle[1] + y * size / _SIDE


def _box(middle: Spot, across: float, down: float) -> tuple[Spot, ...]:
    x, y = middle
    return (x - across, y - down), (x + across, y - down), (x + across, y + down), (x - across, y + down)
