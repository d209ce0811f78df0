"""The board's own outline, from the path of an SVG file."""

import io
import re
from collections.abc import Iterator
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ....csp.base.errors import InstanceError
from ....csp.base.extras import need_extra
from ....csp.base.safe_files import read_text
from ..paper.sizes import LEAST_NECK
from ..sheets.trimming import ACCURACY
from .offsets import need_shapely

if TYPE_CHECKING:
    from shapely.geometry import Polygon

_MOST_BYTES = 4 * 2**20
# The distance of ends that meet, as a part of the largest coordinate.
_ROUNDING = 1e-9
# The number of points that stand for each curve of the path before it is simplified.
_STEPS = 64
# Elements whose shapes an SVG does not show where they stand.
_NOT_SHOWN = {"defs", "clipPath", "marker", "mask", "symbol", "pattern"}


def board_outline(source: str | Path, width: float, height: float) -> "Polygon":
    """The first closed shape of an SVG file, as large as fits a board of that size, and in its middle.

    Parameters
    ----------
    source
        The file.
    width, height
        The size of the board in mm.

    Raises
    ------
    InstanceError
        If the file is not an SVG, has no shape, or its outline crosses itself.
    JigsatError
        If a library is missing.
    """
    need_shapely()
    need_extra("fontTools", extra="workshop", what="outlines from SVG files need")
    from shapely.affinity import scale, translate

    shape: Any = _first_shape(str(source))
    left, top, right, bottom = shape.bounds
    by = min(width / (right - left), height / (bottom - top))
    shape = scale(shape, by, by, origin=(left, top)).simplify(ACCURACY / 2)
    across, down = (width - by * (right - left)) / 2, (height - by * (bottom - top)) / 2
    return translate(shape, across - left, down - top)


def _first_shape(label: str) -> "Polygon":
    """The area within the first closed contour, in the units of the file."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import SVGPath
    from shapely.geometry import Polygon

    text = read_text(label, _MOST_BYTES)
    if re.search("<!ENTITY", text, re.IGNORECASE):
        raise InstanceError(f"{label}: defines entities; an outline needs none, remove them")
    pen = DecomposingRecordingPen({})
    try:
        root = ET.fromstring(text)
        _remove_not_shown(root)
        SVGPath(io.BytesIO(ET.tostring(root))).draw(pen)
    except Exception as error:  # the reader of damaged files raises exceptions of all kinds
        raise InstanceError(f"{label}: cannot be read as an SVG with paths") from error
    contour = next(filter(_is_area, _closed_contours(pen.value)), None)
    if contour is None:
        raise InstanceError(
            f"{label}: has no closed path; the outline of the board is the first closed path of the file"
        )
    shape = Polygon(contour)
    if not shape.is_valid or shape.area <= 0:
        raise InstanceError(f"{label}: the outline crosses or touches itself; draw it as one simple closed path")
    return shape


def _remove_not_shown(parent: ET.Element) -> None:
    for child in list(parent):
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] in _NOT_SHOWN:
            parent.remove(child)
        else:
            _remove_not_shown(child)


def _is_area(points: list[tuple[float, float]]) -> bool:
    """Whether a closed contour is more than a line there and back."""
    return len(points) > 3


def _closed_contours(drawn: list) -> Iterator[list[tuple[float, float]]]:
    """The points of each contour that a pen has recorded if it is closed, by a command or because its ends meet."""
    from fontTools.misc.bezierTools import splitCubicAtT, splitQuadraticAtT
    from fontTools.pens.basePen import decomposeQuadraticSegment

    parts = [step / _STEPS for step in range(1, _STEPS)]
    points: list[tuple[float, float]] = []
    for order, arguments in drawn:
        if order == "moveTo":
            points = [arguments[0]]
        elif order == "lineTo":
            points.append(arguments[0])
        elif order == "curveTo":
            points += [piece[-1] for piece in splitCubicAtT(points[-1], *arguments, *parts)]
        elif order == "qCurveTo":
            for control, end in decomposeQuadraticSegment(arguments):
                points += [piece[-1] for piece in splitQuadraticAtT(points[-1], control, end, *parts)]
        elif order == "closePath" or (order == "endPath" and _meet(points)):
            yield points


def _meet(points: list[tuple[float, float]]) -> bool:
    """Whether the ends of a contour are the same point, as those of circles are."""
    largest = max(abs(coordinate) for point in points for coordinate in point)
    return dist(points[0], points[-1]) <= _ROUNDING * largest


def refuse_broken_pieces(shapes: list["Polygon"], names: list[str], label: str) -> None:
    """Raise InstanceError if the outline leaves nothing of a piece, several parts, or a part too narrow to hold."""
    broken = [
        name
        for shape, name in zip(shapes, names, strict=True)
        if shape.geom_type != "Polygon" or _parts(shape.buffer(-LEAST_NECK / 2)) != 1
    ]
    if broken:
        some = ", ".join(broken[:5]) + (", ..." if len(broken) > 5 else "")
        what = f"leaves no whole piece at least {LEAST_NECK:g} mm wide on {some}"
        raise InstanceError(f"{label}: {what}; draw an outline that fills its bounding box better")


def _parts(shape: "Polygon") -> int:
    return 0 if shape.is_empty else len(getattr(shape, "geoms", [shape]))
