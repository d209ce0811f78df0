"""A strip to measure the kerf of a machine, and pairs of pieces to choose how tightly they fit."""

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from ..svg.tiling import laid_in_rows
from .family import Cut
from .loose_pieces import LoosePiece, drawn, refuse_overlaps, spots_of
from .paper import CUT, ENGRAVE, FACT, LINE, NOTES, RULE, Item, Path, Sheet, Text, foot, label
from .sizes import Measures, orientations, page_for
from .tabs import SIDE, flattened, outline

if TYPE_CHECKING:
    pass

# The strip in mm, and the number of its parts.
_HEIGHT, _PARTS = 12.0, 10
#: The gaps between the pairs of pieces, in mm.
FITS = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2)
_GAP, _STEPS = 4.0, 24
# The number of pairs in a row if there is room.
_ACROSS = 2


def strip_sheet(title: str, cut: Cut | None, measures: Measures) -> Sheet:
    """The sheet; without curves it has no pairs of pieces."""
    from shapely.geometry import Polygon

    pairs = [] if cut is None or not cut.tabs else _pairs(cut, measures)
    lines = [f"Cut the strip, push its {_PARTS} parts together, measure their length:", "kerf = (100 mm - length) / 10"]
    if pairs:
        gaps = ", ".join(f"{number}: {fit:+.2f}" for number, fit in enumerate(FITS, start=1))
        lines += [f"Pairs for a kerf of {measures.kerf:g} mm; their gaps in mm:", gaps]
    boxes = [piece.shape.bounds for piece in pairs]
    width, height = (max((box[axis + 2] - box[axis] for box in boxes), default=-_GAP) for axis in (0, 1))
    pair = 2 * (width + _GAP) - _GAP, height
    others = _HEIGHT + _GAP + len(lines) * LINE
    rooms = [(2 * pair[0] + _GAP, inf)] if measures.page is None else [room for _, room in orientations(measures)]
    ways = [(room, laid_in_rows([pair] * (len(pairs) // 2), room[0], gap=_GAP)[0]) for room in rooms]
    fitting = [laid for room, laid in ways if laid.width <= room[0] and others + laid.height + _GAP <= room[1]]
    laid = fitting[0] if fitting else ways[0][1]
    below = laid.height + _GAP if pairs else 0.0
    page = page_for(laid.width, others + below, measures, "the test strip")
    margin = measures.margin
    items: list[Item] = [*_comb(margin)]
    top = margin + _HEIGHT + _GAP
    for index, piece in enumerate(pairs):
        x, y = laid.corners[index // 2]
        by = margin + x + index % 2 * (width + _GAP) - boxes[index][0], top + y - boxes[index][1]
        path = Path(CUT, spots_of(piece.shape.exterior), closed=True, straight=True)
        items += (line.moved(*by) for line in (path, *piece.label))
    outlines = [Polygon(item.points) for item in items if isinstance(item, Path) and item.layer is CUT and item.closed]
    refuse_overlaps(outlines, ["the strip", *(f"a piece of pair {piece.number}" for piece in pairs)])
    top += below
    items += (Text(NOTES, (margin, top + FACT + i * LINE), line, FACT) for i, line in enumerate(lines))
    items += foot(title, "kerf test", (margin, top + len(lines) * LINE), page[0] - 2 * margin)
    return Sheet("strip", "kerf test strip", *page, tuple(items))


def _comb(margin: float) -> list[Path]:
    """The strip and the lines between its parts."""
    right, bottom = margin + RULE, margin + _HEIGHT
    inner = (margin + RULE * part / _PARTS for part in range(1, _PARTS))
    rim = ((margin, margin), (right, margin), (right, bottom), (margin, bottom))
    lines = [Path(CUT, ((x, margin), (x, bottom)), straight=True) for x in inner]
    return [*lines, Path(CUT, rim, closed=True, straight=True)]


def _pairs(cut: Cut, measures: Measures) -> list[LoosePiece]:
    """Two fitting pieces for each gap, with its number on both."""
    from shapely.geometry import Polygon

    connector, size = min(cut.tabs), measures.size
    pieces = []
    for number, fit in enumerate(FITS, start=1):
        paths = label(number, dotted=False)
        # In the middle, with digits of 0.12 sides.
        numbered = tuple(
            Path(ENGRAVE, tuple((size * (0.5 + 0.12 * x), size * (0.5 + 0.12 * y)) for x, y in path)) for path in paths
        )
        for sides in ((0, connector, 0, 0), (0, 0, 0, -connector)):
            half = Polygon(flattened(outline(sides, cut.tabs), _STEPS) * (size / SIDE))
            shape = drawn(half, replace(measures, fit=fit), f"pair {number}")
            pieces.append(LoosePiece(number, shape, numbered))
    return pieces
