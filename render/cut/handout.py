"""Sheets of a dissection for a class: the target to lay pieces on, and solutions."""

from collections.abc import Sequence

from ...csp.base.errors import plural
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..svg.tiling import Flat, label_place
from .loose_pieces import flat_pieces, loose_polygons, packed, spots_of
from .paper import CURVES, NOTES, Item, Path, Sheet, Text, foot
from .sizes import Measures, page_for, shown

_SHADE, _PAPER = "#d9d9d9", "#ffffff"
# The size of solutions, as a part of that of the target.
_SMALL = 0.4


def target_sheet(
    title: str,
    parts: Sequence[Flat],
    holes: Sequence[Flat],
    measures: Measures,
    labels: Sequence[tuple[str, Flat]] = (),
) -> Sheet:
    """A sheet with the target in the size of the pieces, without the lines between them, and the labels of cells."""
    width, height = (max(point[axis] for part in parts for point in part) for axis in (0, 1))
    page = page_for(width, height, measures, "the target", "; give a smaller size")
    by = (page[0] - width) / 2, measures.margin
    shades = ((part, _SHADE) for part in parts), ((hole, _PAPER) for hole in holes)
    items: list[Item] = [
        Path(CURVES, outline, closed=True, straight=True, fill=fill).moved(*by)
        for some in shades
        for outline, fill in some
    ]
    for label, cell in labels:
        x, y, size = label_place(label, cell, 4)
        items.append(Text(NOTES, (x + by[0], y + by[1]), label, size, "middle"))
    facts = f"target of {shown(width, height)}"
    items += foot(title, facts, (measures.margin, measures.margin + height), page[0] - 2 * measures.margin)
    return Sheet("target", facts, *page, tuple(items))


def solution_sheets(
    title: str, puzzle: DissectionPuzzle, tilings: Sequence[Tiling], measures: Measures, *, numbered: bool
) -> list[Sheet]:
    """Sheets with solutions, smaller than the target."""
    drawn = [flat_pieces(puzzle, tiling, _SMALL * measures.size) for tiling in tilings]
    boxes = [tuple(max(point[axis] for part in outlines for point in part) for axis in (0, 1)) for _, outlines in drawn]
    size, pages = packed(boxes, measures, [f"solution {number}" for number in range(1, len(drawn) + 1)])  # pyright: ignore[reportArgumentType]
    sheets = []
    for number, page in enumerate(pages, start=1):
        items: list[Item] = []
        for index, (x, y) in page.corners.items():
            by = measures.margin + x, measures.margin + y
            for piece in loose_polygons(drawn[index][0], numbered=numbered):
                line = Path(CURVES, spots_of(piece.shape.exterior), closed=True, straight=True)
                items += (one.moved(*by) for one in (line, *piece.label))
        facts = plural(len(page.corners), "solution")
        items += foot(title, facts, (measures.margin, measures.margin + page.height), size[0] - 2 * measures.margin)
        name = "solution" if len(pages) == 1 else f"solution-{number}"
        sheets.append(Sheet(name, facts, *size, tuple(items)))
    return sheets
