"""The board's own outline, from the path of an SVG file."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ....csp.base.errors import InstanceError, need_extra
from ....csp.base.safe_files import read_text
from ..paper.sizes import LEAST_NECK
from ..sheets.trimming import ACCURACY
from .offsets import need_shapely

if TYPE_CHECKING:
    from shapely.geometry import Polygon

    from .svg_shapes import Points

_MOST_BYTES = 4 * 2**20


def board_outline(source: str | Path, width: float, height: float) -> "Polygon":
    """The first closed shape of an SVG file, as large as fits a board of that size, and in its middle.

    - `source`: the file.
    - `width`, `height`: the size of the board in mm.

    Raises InstanceError if the file is not an SVG, has no shape, or its outline crosses itself. Raises JigsatError if a
    library is missing.
    """
    need_shapely()
    need_extra("svgelements", extra="workshop", what="outlines from SVG files need")
    from shapely.affinity import scale, translate

    shape: Any = _first_shape(str(source))
    left, top, right, bottom = shape.bounds
    by = min(width / (right - left), height / (bottom - top))
    shape = scale(shape, by, by, origin=(left, top)).simplify(ACCURACY / 2)
    across, down = (width - by * (right - left)) / 2, (height - by * (bottom - top)) / 2
    return translate(shape, across - left, down - top)


def _first_shape(label: str) -> "Polygon":
    """The area within the first closed contour, as viewers show it."""
    from shapely.geometry import Polygon

    from .svg_shapes import UnreadableError, closed_contours

    if label.lower().endswith(".svgz"):
        raise InstanceError(f"{label}: is a compressed drawing; save it as plain SVG, with the ending .svg")
    text = read_text(label, _MOST_BYTES)
    if re.search("<!ENTITY", text, re.IGNORECASE):
        raise InstanceError(f"{label}: defines entities; an outline needs none, remove them")
    try:
        contours = closed_contours(ET.fromstring(text))
        shape = next((Polygon(points) for points in contours if _is_area(points)), None)
    except UnreadableError as error:
        raise InstanceError(f"{label}: {error}") from error
    except Exception as error:  # the reader of damaged files raises exceptions of all kinds
        raise InstanceError(f"{label}: cannot be read as an SVG with paths") from error
    if shape is None:
        what = "has no closed path; the outline of the board is the first closed path of the file"
        raise InstanceError(f"{label}: {what}: convert text and pictures to paths, and close what is open")
    if not shape.is_valid or shape.area <= 0:
        raise InstanceError(f"{label}: the outline crosses or touches itself; draw it as one simple closed path")
    return shape


def _is_area(points: "Points") -> bool:
    """Whether a closed contour is more than a line there and back."""
    from shapely.geometry import MultiPoint

    return len(points) > 2 and MultiPoint(points).convex_hull.area > 0


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
