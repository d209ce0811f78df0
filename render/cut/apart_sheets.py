"""Sheets of pieces laid apart: each piece is cut along a closed line of its own."""

from collections.abc import Sequence
from math import ceil, sqrt

from ...csp.base.errors import JigsatError
from ..svg.tiling import Laid, laid_in_rows
from .layout import FOOT, RULE, foot, least_width, orientations, sheet_size
from .loose_pieces import LoosePiece, drawn, refuse_overlaps, spots_of
from .paper import CUT, Item, Path, Sheet
from .sizes import Measures, shown

# The least distance between two paths on a sheet, in mm.
_GAP = 3.0
_Box = tuple[float, float]


def apart_sheets(title: str, pieces: Sequence[LoosePiece], measures: Measures) -> list[Sheet]:
    """Sheets with the outlines of all pieces, in rows by their numbers.

    Raises JigsatError if an outline does not survive its offset, or a page has no room for a piece.
    """
    from shapely.geometry import Polygon

    names = [f"piece {piece.number}" for piece in pieces]
    paths = [drawn(piece.shape, measures, name) for piece, name in zip(pieces, names, strict=True)]
    boxes = [(right - left, bottom - top) for left, top, right, bottom in (path.bounds for path in paths)]
    size, pages = _packed(boxes, measures, names)
    sheets = []
    for number, page in enumerate(pages, start=1):
        left, margin = (size[0] - page.width) / 2, measures.margin
        items: list[Item] = []
        laid = []
        for index, (x, y) in page.corners.items():
            bounds = paths[index].bounds
            path = Path(CUT, spots_of(paths[index].exterior), closed=True, straight=True)
            by = left + x - bounds[0], margin + y - bounds[1]
            items += (line.moved(*by) for line in (*pieces[index].label, path))
            laid.append(index)
        about = f"pieces {pieces[laid[0]].number} to {pieces[laid[-1]].number} laid apart"
        facts = f"sheet {number} of {len(pages)}, {about}"
        items += foot(title, facts, (margin, margin + page.height), size[0] - 2 * margin)
        outlines = [Polygon(item.points) for item in items if isinstance(item, Path) and item.layer is CUT]
        refuse_overlaps(outlines, [names[index] for index in laid])
        sheets.append(Sheet("cut" if len(pages) == 1 else f"cut-{number}", f"cut, {about}", *size, tuple(items)))
    return sheets


def _packed(boxes: Sequence[_Box], measures: Measures, names: Sequence[str]) -> tuple[_Box, list[Laid]]:
    """The size of the sheets, and the pages: one as large as needed, or several of a given size."""
    if measures.page is None:
        area = sum((width + _GAP) * (height + _GAP) for width, height in boxes)
        most = max(RULE, sqrt(1.4 * area), *(width for width, _ in boxes))
        (page,) = laid_in_rows(boxes, most, gap=_GAP)
        return sheet_size(page.width, page.height, measures), [page]
    beside, below = 2 * measures.margin, 2 * measures.margin + FOOT
    pages = orientations(measures)
    ways = []
    for width, height in pages:
        room = width - beside, height - below
        if all(box[0] <= room[0] and box[1] <= room[1] for box in boxes):
            ways.append(((width, height), laid_in_rows(boxes, *room, _GAP)))
    if not ways:
        width, height = pages[0]
        over = [max(across + beside - width, down + below - height) for across, down in boxes]
        worst = over.index(max(over))
        least = max(least_width(measures), *(box[0] + beside for box in boxes)), max(box[1] for box in boxes) + below
        # Rounded up, so that a page of this size suffices.
        needed = (ceil(10 * length) / 10 for length in least)
        what = f"{names[worst]} of {shown(*boxes[worst])}, the margins of {measures.margin:g} mm and the ruler"
        raise JigsatError(f"page of {shown(*measures.page)}: too small for {what}; give {shown(*needed)} or more")
    return min(ways, key=lambda way: len(way[1]))
