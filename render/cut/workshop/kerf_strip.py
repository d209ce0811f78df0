"""A strip to measure the kerf of a machine, and pairs of pieces to choose how tightly they fit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..curves.family import Cut
from ..curves.outline import outline
from ..curves.tab import SIDE, flattened
from ..paper.digits import label
from ..paper.paper import CUT, ENGRAVE, NOTES, Item, Path, Sheet, Text
from ..paper.sizes import Measures
from ..sheets.footer import FACT, LINE, RULE, foot
from ..sheets.layout import sheet_size
from .offsets import drawn, spots_of

if TYPE_CHECKING:
    pass

# The strip in mm, and the number of its parts.
_HEIGHT, _PARTS = 12.0, 10
#: The gaps between the pairs of pieces, in mm.
FITS = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2)
_GAP, _STEPS = 4.0, 24


def strip_sheet(title: str, cut: Cut | None, measures: Measures) -> Sheet:
    """The sheet; without curves it has no pairs of pieces.

    Raises
    ------
    JigsatError
        If an outline does not survive its offset.
    """
    margin = measures.margin
    lines = [f"Cut the strip, push its {_PARTS} parts together, measure their length:", "kerf = (100 mm - length) / 10"]
    items: list[Item] = [*_comb(margin)]
    top = margin + _HEIGHT + _GAP
    if cut is not None and cut.tabs:
        pairs, height = _pairs(cut, measures, top)
        items += pairs
        top += height
        gaps = ", ".join(f"{number}: {fit:+.2f}" for number, fit in enumerate(FITS, start=1))
        lines += [f"Pairs for a kerf of {measures.kerf:g} mm; their gaps in mm:", gaps]
    items += (Text(NOTES, (margin, top + FACT + i * LINE), line, FACT) for i, line in enumerate(lines))
    top += len(lines) * LINE
    width = max([RULE, *(x - margin for item in items if isinstance(item, Path) for x, _ in item.points)])
    page = sheet_size(width, top - margin, replace(measures, page=None))
    items += foot(title, "kerf test", (margin, top), width)
    return Sheet("strip", "kerf test strip", *page, tuple(items))


def _comb(margin: float) -> list[Path]:
    """The strip and the lines between its parts."""
    right, bottom = margin + RULE, margin + _HEIGHT
    inner = (margin + RULE * part / _PARTS for part in range(1, _PARTS))
    rim = ((margin, margin), (right, margin), (right, bottom), (margin, bottom))
    lines = [Path(CUT, ((x, margin), (x, bottom)), straight=True) for x in inner]
    return [*lines, Path(CUT, rim, closed=True, straight=True)]


def _pairs(cut: Cut, measures: Measures, top: float) -> tuple[list[Path], float]:
    """Two fitting pieces for each gap, with its number on both, and their height on the sheet."""
    connector = min(cut.tabs)
    halves = [_half(cut, sides, measures.size) for sides in ((0, connector, 0, 0), (0, 0, 0, -connector))]
    size = measures.size
    reach = max(abs(y) for tab in cut.tabs.values() for _, y in tab.points)
    across = size + reach * size / SIDE + _GAP
    paths: list[Path] = []
    for number, fit in enumerate(FITS, start=1):
        row, column = divmod(number - 1, 2)
        for half, shape in enumerate(halves):
            by = measures.margin + (2 * column + half) * across + _GAP, top + row * (size + _GAP)
            line = drawn(shape, replace(measures, fit=fit), f"pair {number}").exterior
            paths.append(_moved(Path(CUT, spots_of(line), closed=True, straight=True), by))
            paths += (_moved(path, by) for path in _numbered(number, size))
    return paths, -(-len(FITS) // 2) * (size + _GAP) + _GAP


def _numbered(number: int, size: float) -> list[Path]:
    height, middle = 0.12 * size, size / 2
    drawn_paths = label(number, dotted=False)
    return [Path(ENGRAVE, tuple((middle + x * height, middle + y * height) for x, y in path)) for path in drawn_paths]


def _half(cut: Cut, sides: Sequence[int], size: float):
    from shapely.geometry import Polygon

    return Polygon(flattened(outline(sides, cut.tabs), _STEPS) * (size / SIDE))


def _moved(path: Path, by: tuple[float, float]) -> Path:
    return replace(path, points=tuple((x + by[0], y + by[1]) for x, y in path.points))
