"""Pieces as closed shapes, each on its own; the lines of a tiling, and a strip to measure the kerf of a machine."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, floor, inf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.base.errors import JigsatError, UsageError, need_extra
from ...csp.puzzles.dissection import DissectionPuzzle
from ..svg.svg import DIGIT_HEIGHT
from ..svg.tiling import Flat, Laid, free_labels, laid_in_rows, place_number, scale_to, small_tiling
from .family import Cut
from .job import CuttingJob
from .paper import CUT, ENGRAVE, FACT, LINE, NOTES, RULE, Item, Path, Sheet, Text, foot, label
from .sizes import ACCURACY, LEAST_NECK, Measures, orientations, page_for, sheet_size, shown
from .tabs import SIDE, flattened, outline

if TYPE_CHECKING:
    from shapely.geometry import LineString, Polygon


class LoosePiece(NamedTuple):
    """A piece to cut on its own, in mm."""

    number: int  #: Its number, from 1
    shape: "Polygon"  #: Its shape, before any offset
    label: tuple[Path, ...]  #: Its number as paths, in the coordinates of the shape


def loose_pieces(job: CuttingJob) -> list[LoosePiece]:
    """The pieces on the board, in the order of their numbers, in rotation 0, each with its middle at (0, 0)."""
    from shapely.affinity import rotate, translate

    found = []
    for square, shape in enumerate(job.shapes):
        placed = job.board[square]
        assert placed is not None
        x, y = job.middle(square)
        # Shapely's angles are anticlockwise where y points up, as on no sheet; there they are clockwise.
        turned = rotate(translate(shape, -x, -y), -90 * placed.rotation, origin=(0, 0))
        spot = job.label_spots[square]
        label: tuple[Path, ...] = ()
        if spot is not None:
            across, down = spot[0] - x, spot[1] - y
            for _ in range(placed.rotation):
                across, down = down, -across
            label = tuple(job.label_at(placed.piece, 0, (across, down), layer=ENGRAVE))
        found.append(LoosePiece(placed.piece + 1, turned, label))
    return sorted(found, key=lambda piece: piece.number)


# Corners are kept sharp as far as this multiple of the offset.
_MITRE = 3.0
# The circle that a machine removes is a polygon of four times as many sides.
_QUARTER = 16
# Gaps are measured at points so far apart in mm, at every fifth point of fine lines, and away from the ends of joins.
_STEP, _MANY, _EVERY, _CORNER = 0.5, 400, 5, 1.0


class JoinGaps(NamedTuple):
    """The narrowest and the widest gap between pieces after cutting, in mm; negative where pieces press together."""

    narrowest: float
    widest: float


def need_shapely() -> None:
    """Raises JigsatError if the library for closed outlines is not installed."""
    need_extra("shapely", extra="workshop", what="closed outlines need")


def offset_of(measures: Measures) -> float:
    """How far the path of the cut lies outside a piece's edge, in mm; negative for inside."""
    return (measures.kerf - measures.gap) / 2


def drawn(shape: "Polygon", measures: Measures, name: str) -> "Polygon":
    """The path of the cut around a piece; JigsatError if it crosses itself or falls into several parts."""
    by = offset_of(measures)
    found: Any = shape if by == 0 else shape.buffer(by, join_style="mitre", mitre_limit=_MITRE)
    found = found.simplify(ACCURACY / 4)
    if found.geom_type != "Polygon" or found.is_empty or not found.is_valid or found.interiors:
        how = "a larger size or fit, or a smaller kerf" if by > 0 else "a larger size, or a smaller fit"
        raise JigsatError(f"{name}: its outline does not survive an offset of {by:.3f} mm; give {how}")
    return found


def left_over(path: "Polygon", measures: Measures) -> "Polygon":
    """What a machine leaves of the piece within that path."""
    left: Any = path.buffer(-measures.kerf / 2, quad_segs=_QUARTER)
    return left


def spots_of(line: Any) -> tuple[tuple[float, float], ...]:
    """The points of a line."""
    from shapely import get_coordinates

    return tuple((x, y) for x, y in get_coordinates(line).tolist())


def refuse_overlaps(paths: Sequence["Polygon"], names: Sequence[str]) -> None:
    """Raise JigsatError if two paths on a sheet cross, touch, or lie within each other."""
    from shapely import STRtree

    pairs = STRtree(paths).query(paths, predicate="intersects").T
    for one, other in pairs.tolist():
        if one < other:
            raise JigsatError(f"{names[one]} and {names[other]}: their outlines overlap on the sheet")


def gaps(shapes: Sequence["Polygon"], measures: Measures) -> JoinGaps | None:
    """Cut every piece of an assembly with its offset, reassemble them, and measure along all joins."""
    import numpy as np
    from shapely import STRtree, contains_properly, distance, dwithin, points, prepare

    prepare(shapes)
    left = [left_over(drawn(shape, measures, "a piece"), measures) for shape in shapes]
    tree, least, most = STRtree(shapes), np.inf, -np.inf
    for one, shape in enumerate(shapes):
        on_edge = points(_along(shape))
        near = [int(other) for other in tree.query(shape, predicate="intersects") if other > one]
        for other in near:
            touched = on_edge[dwithin(shapes[other], on_edge, 1e-6)]
            if not len(touched):
                continue
            ends = np.minimum(distance(touched, touched[0]), distance(touched, touched[-1]))
            spots = touched[ends > _CORNER]
            if not len(spots):
                continue
            widths = np.zeros(len(spots))
            for piece in (left[one], left[other]):
                widths += distance(spots, piece.boundary) * np.where(contains_properly(piece, spots), -1, 1)
            least, most = min(least, float(widths.min())), max(most, float(widths.max()))
    return JoinGaps(least, most) if least <= most else None


def _along(shape: "Polygon") -> list[tuple[float, float]]:
    """Points in the middle of some of the lines of a boundary."""
    from shapely import segmentize

    ends = list(segmentize(shape.exterior, _STEP).coords)
    middles = [((x + to_x) / 2, (y + to_y) / 2) for (x, y), (to_x, to_y) in pairwise(ends)]
    return middles if len(middles) < _MANY else middles[::_EVERY]


def reassembly_fact(shapes: Sequence["Polygon"], measures: Measures, *, assembled: bool = True) -> str:
    """The offset of the paths and, if the places are those of an assembly, the measured gaps."""
    by = offset_of(measures)
    side = "on" if by == 0 else f"{abs(by):.3f} mm {'outside' if by > 0 else 'inside'}"
    start = f"{len(shapes)} closed lines, {side} the edges of their pieces, none over another"
    found = gaps(shapes, measures) if assembled else None
    if found is None:
        return start
    wanted = f"after a cut of {measures.kerf:g} mm the gaps between pieces are to be {measures.gap:g} mm"
    # Zero has no sign.
    least, most = (f"{round(gap, 3) + 0.0:.3f}" for gap in found)
    return f"{start}; {wanted} and measure {least} to {most} mm"


# The least distance between two paths on a sheet, in mm.
_GAP = 3.0
_Box = tuple[float, float]


def apart_sheets(title: str, pieces: Sequence[LoosePiece], measures: Measures) -> list[Sheet]:
    """Sheets with the outlines of all pieces, in rows by their numbers."""
    from shapely.geometry import Polygon

    names = [f"piece {piece.number}" for piece in pieces]
    paths = [drawn(piece.shape, measures, name) for piece, name in zip(pieces, names, strict=True)]
    boxes = [(right - left, bottom - top) for left, top, right, bottom in (path.bounds for path in paths)]
    size, pages = packed(boxes, measures, names)
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
        numbers = f"pieces {pieces[laid[0]].number} to {pieces[laid[-1]].number}"
        # Several sets have each number several times.
        about = f"{numbers if len(pieces) == pieces[-1].number else f'{len(laid)} pieces'} laid apart"
        facts = f"sheet {number} of {len(pages)}, {about}"
        items += foot(title, facts, (margin, margin + page.height), size[0] - 2 * margin)
        outlines = [Polygon(item.points) for item in items if isinstance(item, Path) and item.layer is CUT]
        refuse_overlaps(outlines, [names[index] for index in laid])
        sheets.append(Sheet("cut" if len(pages) == 1 else f"cut-{number}", f"cut, {about}", *size, tuple(items)))
    return sheets


def packed(boxes: Sequence[_Box], measures: Measures, names: Sequence[str]) -> tuple[_Box, list[Laid]]:
    """The size of the sheets, and the pages: one as large as needed, or several of a given size."""
    if measures.page is None:
        area = sum((width + _GAP) * (height + _GAP) for width, height in boxes)
        most = max(RULE, sqrt(1.4 * area), *(width for width, _ in boxes))
        (page,) = laid_in_rows(boxes, most, gap=_GAP)
        return sheet_size(page.width, page.height, measures), [page]
    pages = orientations(measures)
    ways = []
    for page, room in pages:
        if all(box[0] <= room[0] and box[1] <= room[1] for box in boxes):
            ways.append((page, laid_in_rows(boxes, *room, _GAP)))
    if not ways:
        (width, height), room = pages[0]
        over = [max(across - room[0], down - room[1]) for across, down in boxes]
        worst = over.index(max(over))
        across, down = max(RULE, *(box[0] for box in boxes)), max(box[1] for box in boxes)
        least = across + width - room[0], down + height - room[1]
        # Rounded up, so that a page of this size suffices.
        needed = (ceil(10 * length) / 10 for length in least)
        what = f"{names[worst]} of {shown(*boxes[worst])}, the margins of {measures.margin:g} mm and the ruler"
        raise JigsatError(f"page of {shown(*measures.page)}: too small for {what}; give {shown(*needed)} or more")
    return min(ways, key=lambda way: len(way[1]))


# Font sizes of numbers in mm, and the part of their room that they use.
_HIGHEST, _LEAST, _PART = 7.0, 1.5, 0.7
# Coordinates of a tiling are rounded to this length in mm, so that irrational corners meet lines.
_GRID = 1e-4
Polygons = Sequence[Sequence[tuple]]


def flat_pieces(puzzle: DissectionPuzzle, polygons: Polygons, size: float) -> tuple[list[Flat], list[Flat]]:
    """All pieces, and the outlines of holes and target, in mm; the longer side of the target has the length `size`."""
    scale = scale_to([(puzzle, ())], size, whole=False)
    drawn = small_tiling(puzzle, tuple(tuple(polygon) for polygon in polygons), scale)
    return list(drawn.pieces), [*drawn.holes, *drawn.parts]


def cell_labels(puzzle: DissectionPuzzle, size: float) -> list[tuple[str, Flat]]:
    """The labels of the target's cells, with the cells as `flat_pieces` places them."""
    return free_labels(puzzle, (), scale_to([(puzzle, ())], size, whole=False))


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


def loses_a_part(shape: "Polygon", cut: float) -> bool:
    """Whether a cut of that width leaves several parts of a piece, or takes more off one of its ends than a corner."""
    left = shape.buffer(-cut / 2)
    return left.geom_type != "Polygon" or shape.hausdorff_distance(left.buffer(cut / 2)) > max(LEAST_NECK, 2.5 * cut)


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


# The strip in mm, and the number of its parts.
_HEIGHT, _PARTS = 12.0, 10
#: The gaps between the pairs of pieces, in mm.
FITS = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2)
_STRIP_GAP, _STEPS = 4.0, 24


def strip_sheet(title: str, cut: Cut | None, measures: Measures) -> Sheet:
    """The sheet; without curves it has no pairs of pieces."""
    from shapely.geometry import Polygon

    pairs = [] if cut is None or not cut.tabs else _pairs(cut, measures)
    lines = [f"Cut the strip, push its {_PARTS} parts together, measure their length:", "kerf = (100 mm - length) / 10"]
    if pairs:
        gaps = ", ".join(f"{number}: {fit:+.2f}" for number, fit in enumerate(FITS, start=1))
        lines += [f"Pairs for a kerf of {measures.kerf:g} mm; their gaps in mm:", gaps]
    boxes = [piece.shape.bounds for piece in pairs]
    width, height = (max((box[axis + 2] - box[axis] for box in boxes), default=-_STRIP_GAP) for axis in (0, 1))
    pair = 2 * (width + _STRIP_GAP) - _STRIP_GAP, height
    others = _HEIGHT + _STRIP_GAP + len(lines) * LINE
    rooms = [(2 * pair[0] + _STRIP_GAP, inf)] if measures.page is None else [room for _, room in orientations(measures)]
    ways = [(room, laid_in_rows([pair] * (len(pairs) // 2), room[0], gap=_STRIP_GAP)[0]) for room in rooms]
    fitting = [laid for room, laid in ways if laid.width <= room[0] and others + laid.height + _STRIP_GAP <= room[1]]
    laid = fitting[0] if fitting else ways[0][1]
    below = laid.height + _STRIP_GAP if pairs else 0.0
    page = page_for(laid.width, others + below, measures, "the test strip")
    margin = measures.margin
    items: list[Item] = [*_comb(margin)]
    top = margin + _HEIGHT + _STRIP_GAP
    for index, piece in enumerate(pairs):
        x, y = laid.corners[index // 2]
        by = margin + x + index % 2 * (width + _STRIP_GAP) - boxes[index][0], top + y - boxes[index][1]
        path = Path(CUT, spots_of(piece.shape.exterior), closed=True, straight=True)
        items += (line.moved(*by) for line in (path, *piece.label))
    outlines = [Polygon(item.points) for item in items if isinstance(item, Path) and item.layer is CUT and item.closed]
    refuse_overlaps(outlines, ["the strip", *(f"a piece of pair {piece.number}" for piece in pairs)])
    top += below
    items += (Text(NOTES, (margin, top + FACT + i * LINE), line, FACT) for i, line in enumerate(lines))
    items += foot(title, "kerf test", (margin, top + len(lines) * LINE), page[0] - 2 * margin)
    return Sheet("strip", "kerf test strip", *page, tuple(items))


def _comb(margin: float) -> list[Path]:
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
