"""The pieces of a dissection to cut, on their own or along the lines of a tiling."""

from collections.abc import Iterator, Sequence
from math import floor
from typing import TYPE_CHECKING

from ...csp.base.errors import UsageError
from ...csp.puzzles.dissection import DissectionPuzzle
from ..svg.svg import DIGIT_HEIGHT
from ..svg.tiling import Flat, place_number, small_tiling
from .loose_pieces import LoosePiece, spots_of
from .paper import CUT, ENGRAVE, Item, Path, Sheet, foot, label
from .sizes import Measures, page_for, shown

if TYPE_CHECKING:
    from shapely.geometry import LineString

# Font sizes of numbers in mm, and the part of their room that they use.
_HIGHEST, _LEAST, _PART = 7.0, 1.5, 0.7
# Coordinates of a tiling are rounded to this length in mm, so that irrational corners meet lines.
_GRID = 1e-4
Polygons = Sequence[Sequence[tuple]]


def flat_pieces(puzzle: DissectionPuzzle, polygons: Polygons, size: float) -> tuple[list[Flat], list[Flat]]:
    """All pieces, and the outlines of holes and target, in mm; the longer side of the target has the length `size`."""
    xs, ys = ([float(point[axis]) for point in puzzle.hull] for axis in (0, 1))
    scale = size / max(max(xs) - min(xs), max(ys) - min(ys))
    drawn = small_tiling(puzzle, tuple(tuple(polygon) for polygon in polygons), scale)
    return list(drawn.pieces), [*drawn.holes, *drawn.parts]


def loose_polygons(flats: Sequence[Flat], *, numbered: bool) -> list[LoosePiece]:
    """The pieces as closed shapes with their numbers."""
    from shapely.geometry import Polygon

    return [
        LoosePiece(number, Polygon(flat), tuple(_label(number, flat)) if numbered else ())
        for number, flat in enumerate(flats, start=1)
    ]


def left_out(pieces: Sequence[LoosePiece]) -> list[str]:
    """A sentence on the pieces without room for their numbers, if there are any."""
    numbers = ", ".join(str(piece.number) for piece in pieces if not piece.label)
    room = f"without room for digits {_LEAST * DIGIT_HEIGHT:g} mm high"
    return [f"numbers: omitted on pieces {room}: {numbers}"] if numbers else []


def refuse_vanishing(name: str, pieces: Sequence[LoosePiece], measures: Measures) -> None:
    """Raise UsageError if a piece is nowhere wider than the kerf, or than the gap."""
    from shapely import maximum_inscribed_circle

    lost = max(measures.kerf, measures.gap)
    widths = [2 * maximum_inscribed_circle(piece.shape, tolerance=1e-6).length for piece in pieces]
    narrowest = min(range(len(pieces)), key=widths.__getitem__)
    if widths[narrowest] > lost:
        return
    least = floor(10 * measures.size * lost / widths[narrowest] + 1) / 10
    loss = f"{'kerf' if lost == measures.kerf else 'gap'} of {lost:g} mm"
    what = f"with a size of {measures.size:g} mm a {loss} leaves nothing of piece"
    raise UsageError(f"{name}: {what} {pieces[narrowest].number}; give {least:g} or more", "size")


def tiling_sheet(title: str, pieces: Sequence[LoosePiece], outlines: Sequence[Flat], measures: Measures) -> Sheet:
    """A sheet with every line between two pieces once, and finally the outlines of holes and the target."""
    width, height = (max(point[axis] for outline in outlines for point in outline) for axis in (0, 1))
    how = "; lay the pieces apart, or give a smaller size"
    page = page_for(width, height, measures, "the target", how)
    by = (page[0] - width) / 2, measures.margin
    items = [line for piece in pieces for line in piece.label]
    items += (Path(CUT, spots_of(line), straight=True) for line in _inner_lines(pieces, outlines))
    items += (Path(CUT, outline, closed=True, straight=True) for outline in outlines)
    moved: list[Item] = [item.moved(*by) for item in items]
    facts = f"{len(pieces)} pieces, target of {shown(width, height)}"
    moved += foot(title, facts, (measures.margin, measures.margin + height), page[0] - 2 * measures.margin)
    return Sheet("cut", f"cut, {facts}", *page, tuple(moved))


def _inner_lines(pieces: Sequence[LoosePiece], outlines: Sequence[Flat]) -> Iterator["LineString"]:
    """The lines between pieces, each once, as long as they are straight or meet no other line."""
    from shapely import difference, line_merge, union_all
    from shapely.geometry import Polygon

    lines = union_all([piece.shape.exterior for piece in pieces], grid_size=_GRID)
    # Not on the grid: what surrounds a line on a grid is rounded to it, too, and may lose its inner edge.
    rim = union_all([Polygon(outline).exterior for outline in outlines])
    # Rounding leaves inner lines within a few steps of the grid from the outline.
    inner = line_merge(difference(lines, rim.buffer(5 * _GRID), grid_size=_GRID))
    parts: Sequence = getattr(inner, "geoms", [inner])
    yield from (part for part in parts if not part.is_empty)


def _label(number: int, flat: Flat) -> Iterator[Path]:
    """The number of a piece as strokes; empty if there is no room for it."""
    x, y, size = place_number(flat, len(str(number)), _HIGHEST / _PART)
    height = size * DIGIT_HEIGHT * _PART
    if height >= _LEAST * DIGIT_HEIGHT:
        for path in label(number, dotted=False):
            yield Path(ENGRAVE, tuple((x + across * height, y + down * height) for across, down in path))
