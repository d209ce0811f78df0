"""Pieces as closed shapes, each on its own: the path of the cut around each, and sheets of them."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.base.errors import JigsatError, need_extra
from ..svg.tiling import Laid, laid_in_rows
from .job import CuttingJob
from .paper import CUT, ENGRAVE, RULE, Item, Path, Sheet, foot
from .sizes import ACCURACY, Measures, orientations, sheet_size, shown

if TYPE_CHECKING:
    from shapely.geometry import Polygon


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
    return tuple((float(x), float(y)) for x, y in line.coords)


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
    from shapely import STRtree, contains_properly, distance, points

    left = [left_over(drawn(shape, measures, "a piece"), measures) for shape in shapes]
    tree, least, most = STRtree(shapes), np.inf, -np.inf
    for one, shape in enumerate(shapes):
        on_edge = points(_along(shape))
        near = [int(other) for other in tree.query(shape, predicate="intersects") if other != one]
        for other in near:
            touched = on_edge[distance(on_edge, shapes[other]) < 1e-6]
            if other < one or not len(touched):
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
    return f"{start}; {wanted} and measure {_signed(found.narrowest)} to {_signed(found.widest)} mm"


def _signed(gap: float) -> str:
    return f"{round(gap, 3) + 0.0:.3f}"


# The least distance between two paths on a sheet, in mm.
_GAP = 3.0
_Box = tuple[float, float]


def apart_sheets(title: str, pieces: Sequence[LoosePiece], measures: Measures) -> list[Sheet]:
    """Sheets with the outlines of all pieces, in rows by their numbers."""
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
