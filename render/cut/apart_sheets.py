"""Sheets of pieces laid apart: each piece is cut along a closed line of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, sqrt
from typing import Any, NamedTuple

from ...csp.base.errors import JigsatError
from .layout import FOOT, RULE, foot, least_width, orientations, sheet_size
from .loose_pieces import LoosePiece, drawn, refuse_overlaps, spots_of
from .paper import CUT, Item, Path, Sheet
from .sizes import Measures, shown

# The least distance between two paths on a sheet, in mm.
_GAP = 3.0
_Box = tuple[float, float]


class _Page(NamedTuple):
    """The upper left corner of each piece on a page, and the width and height that they take."""

    corners: dict[int, _Box]
    width: float
    height: float


def apart_sheets(title: str, pieces: Sequence[LoosePiece], measures: Measures) -> list[Sheet]:
    """Sheets with the outlines of all pieces, in rows by their numbers.

    Raises JigsatError if an outline does not survive its offset, or a page has no room for a piece.
    """
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
            by = left + x - bounds[0], margin + y - bounds[1]
            items += _moved(pieces[index], spots_of(paths[index].exterior), by)
            laid.append(index)
        about = f"pieces {pieces[laid[0]].number} to {pieces[laid[-1]].number} laid apart"
        facts = f"sheet {number} of {len(pages)}, {about}"
        items += foot(title, facts, (margin, margin + page.height), size[0] - 2 * margin)
        refuse_overlaps(_outlines(items), [names[index] for index in laid])
        sheets.append(Sheet("cut" if len(pages) == 1 else f"cut-{number}", f"cut, {about}", *size, tuple(items)))
    return sheets


def _moved(piece: LoosePiece, path: Sequence[_Box], by: _Box) -> Iterator[Path]:
    for line in (*piece.label, Path(CUT, tuple(path), closed=True, straight=True)):
        yield replace(line, points=tuple((x + by[0], y + by[1]) for x, y in line.points))


def _outlines(items: Sequence[Item]) -> list[Any]:
    from shapely.geometry import Polygon

    return [Polygon(item.points) for item in items if isinstance(item, Path) and item.layer is CUT]


def _packed(boxes: Sequence[_Box], measures: Measures, names: Sequence[str]) -> tuple[_Box, list[_Page]]:
    """The size of the sheets, and the pages: one as large as needed, or several of a given size."""
    if measures.page is None:
        area = sum((width + _GAP) * (height + _GAP) for width, height in boxes)
        most = max(RULE, sqrt(1.4 * area), *(width for width, _ in boxes))
        (page,) = _rows(boxes, most, float("inf"))
        return sheet_size(page.width, page.height, measures), [page]
    beside, below = 2 * measures.margin, 2 * measures.margin + FOOT
    pages = orientations(measures)
    ways = []
    for width, height in pages:
        room = width - beside, height - below
        if all(box[0] <= room[0] and box[1] <= room[1] for box in boxes):
            ways.append(((width, height), _rows(boxes, *room)))
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


def _rows(boxes: Sequence[_Box], width: float, height: float) -> list[_Page]:
    """Boxes in rows from left to right, on as many pages as they need."""
    pages: list[_Page] = []
    corners: dict[int, _Box] = {}
    x = y = row = widest = 0.0
    for index, (across, down) in enumerate(boxes):
        if x and x + across > width + 1e-9:
            x, y, row = 0.0, y + row + _GAP, 0.0
        if corners and y + down > height + 1e-9:
            pages.append(_Page(corners, widest, y + row))
            corners, x, y, row, widest = {}, 0.0, 0.0, 0.0, 0.0
        corners[index] = x, y
        x, row, widest = x + across + _GAP, max(row, down), max(widest, x + across)
    return [*pages, _Page(corners, widest, y + row)]
