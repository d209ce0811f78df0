"""A strip to measure the kerf of a machine, and pairs of pieces to choose how tightly they fit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...csp.base.errors import JigsatError
from .family import Cut
from .loose_pieces import LoosePiece, drawn, refuse_overlaps, spots_of
from .paper import CUT, ENGRAVE, FACT, FOOT, LINE, NOTES, RULE, Item, Path, Sheet, Text, foot, label
from .sizes import Measures, orientations, sheet_size, shown
from .tabs import SIDE, flattened, outline

if TYPE_CHECKING:
    from shapely.geometry import Polygon

# The strip in mm, and the number of its parts.
_HEIGHT, _PARTS = 12.0, 10
#: The gaps between the pairs of pieces, in mm.
FITS = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2)
_GAP, _STEPS = 4.0, 24
# The number of pairs in a row if there is room.
_ACROSS = 2


class _Pairs(NamedTuple):
    """The pieces of all pairs, two in a row for each gap, and the width and height of the largest one."""

    pieces: tuple[LoosePiece, ...]
    width: float
    height: float

    def size(self, across: int) -> tuple[float, float]:
        """Width and height of all pairs with `across` of them in a row; without pairs both are 0."""
        columns, rows = min(2 * across, len(self.pieces)), -(-len(self.pieces) // (2 * across))
        return max(columns * (self.width + _GAP) - _GAP, 0.0), rows * (self.height + _GAP)


def strip_sheet(title: str, cut: Cut | None, measures: Measures) -> Sheet:
    """The sheet; without curves it has no pairs of pieces."""
    pairs = _Pairs((), 0.0, 0.0) if cut is None or not cut.tabs else _pairs(cut, measures)
    lines = [f"Cut the strip, push its {_PARTS} parts together, measure their length:", "kerf = (100 mm - length) / 10"]
    if pairs.pieces:
        gaps = ", ".join(f"{number}: {fit:+.2f}" for number, fit in enumerate(FITS, start=1))
        lines += [f"Pairs for a kerf of {measures.kerf:g} mm; their gaps in mm:", gaps]
    page, across = _page(pairs, len(lines) * LINE, measures)
    margin = measures.margin
    items: list[Item] = [*_comb(margin)]
    top = margin + _HEIGHT + _GAP
    items += _laid(pairs, across, (margin, top))
    refuse_overlaps(*_closed(items))
    top += pairs.size(across)[1]
    items += (Text(NOTES, (margin, top + FACT + i * LINE), line, FACT) for i, line in enumerate(lines))
    items += foot(title, "kerf test", (margin, top + len(lines) * LINE), page[0] - 2 * margin)
    return Sheet("strip", "kerf test strip", *page, tuple(items))


def _page(pairs: _Pairs, text: float, measures: Measures) -> tuple[tuple[float, float], int]:
    """The size of the sheet, and the number of pairs in a row; `text` is the height of the text."""
    above = _HEIGHT + _GAP + text
    if measures.page is None:
        width, height = pairs.size(_ACROSS)
        return sheet_size(width, above + height, measures), _ACROSS
    for page in orientations(measures):
        room = page[0] - 2 * measures.margin, page[1] - 2 * measures.margin - FOOT - above
        for across in (_ACROSS, *range(_ACROSS + 1, len(FITS) + 1), 1):
            width, height = pairs.size(across)
            if width <= room[0] and height <= room[1]:
                return page, across
    width, height = pairs.size(_ACROSS)
    needed = max(width, RULE) + 2 * measures.margin, above + height + FOOT + 2 * measures.margin
    raise JigsatError(f"page of {shown(*measures.page)}: too small for the test strip, which needs {shown(*needed)}")


def _comb(margin: float) -> list[Path]:
    """The strip and the lines between its parts."""
    right, bottom = margin + RULE, margin + _HEIGHT
    inner = (margin + RULE * part / _PARTS for part in range(1, _PARTS))
    rim = ((margin, margin), (right, margin), (right, bottom), (margin, bottom))
    lines = [Path(CUT, ((x, margin), (x, bottom)), straight=True) for x in inner]
    return [*lines, Path(CUT, rim, closed=True, straight=True)]


def _pairs(cut: Cut, measures: Measures) -> _Pairs:
    """Two fitting pieces for each gap, with its number on both."""
    connector = min(cut.tabs)
    halves = [_half(cut, sides, measures.size) for sides in ((0, connector, 0, 0), (0, 0, 0, -connector))]
    pieces = tuple(
        LoosePiece(number, drawn(half, replace(measures, fit=fit), f"pair {number}"), _numbered(number, measures.size))
        for number, fit in enumerate(FITS, start=1)
        for half in halves
    )
    boxes = [piece.shape.bounds for piece in pieces]
    return _Pairs(pieces, max(box[2] - box[0] for box in boxes), max(box[3] - box[1] for box in boxes))


def _laid(pairs: _Pairs, across: int, corner: tuple[float, float]) -> Iterator[Path]:
    """The pieces of the pairs in rows."""
    for index, piece in enumerate(pairs.pieces):
        row, column = divmod(index, 2 * across)
        left, top, *_ = piece.shape.bounds
        by = corner[0] + column * (pairs.width + _GAP) - left, corner[1] + row * (pairs.height + _GAP) - top
        for path in (Path(CUT, spots_of(piece.shape.exterior), closed=True, straight=True), *piece.label):
            yield path.moved(*by)


def _closed(items: Sequence[Item]) -> tuple[list["Polygon"], list[str]]:
    """The closed paths to cut as shapes, with their names."""
    from shapely.geometry import Polygon

    found = [Polygon(item.points) for item in items if isinstance(item, Path) and item.layer is CUT and item.closed]
    return found, ["the strip", *(f"a piece of pair {number // 2 + 1}" for number in range(len(found) - 1))]


def _numbered(number: int, size: float) -> tuple[Path, ...]:
    height, middle = 0.12 * size, size / 2
    paths = label(number, dotted=False)
    return tuple(Path(ENGRAVE, tuple((middle + x * height, middle + y * height) for x, y in path)) for path in paths)


def _half(cut: Cut, sides: Sequence[int], size: float):
    from shapely.geometry import Polygon

    return Polygon(flattened(outline(sides, cut.tabs), _STEPS) * (size / SIDE))
