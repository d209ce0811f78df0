"""The board's own outline: the first closed path that an SVG file shows."""

from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError
from ...csp.base.safe_files import read_text
from ...csp.files.drawn_paths import MOST_BYTES, DrawnPath, EnoughError, read_paths
from .loose_pieces import need_shapely
from .sizes import ACCURACY, LEAST_NECK

if TYPE_CHECKING:
    from shapely.geometry import Polygon

# The largest distance of ends that meet, in pixels of a drawing.
_ROUNDING = 0.02


def board_outline(source: str | Path, width: float, height: float) -> "Polygon":
    """The first closed shape of an SVG file, as large as fits a board of that size in mm, and in its middle."""
    need_shapely()
    from shapely.affinity import scale, translate

    shape: Any = _first_shape(str(source))
    left, top, right, bottom = shape.bounds
    by = min(width / (right - left), height / (bottom - top))
    shape = scale(shape, by, by, origin=(left, top)).simplify(ACCURACY / 2)
    across, down = (width - by * (right - left)) / 2, (height - by * (bottom - top)) / 2
    return translate(shape, across - left, down - top)


def _first_shape(label: str) -> "Polygon":
    if label.lower().endswith(".svgz"):
        raise InstanceError(f"{label}: is a compressed drawing; save it as plain SVG, with the ending .svg")
    first = FirstContour()
    read_paths(read_text(label, MOST_BYTES), label, first)
    if first.shape is None:
        what = "has no closed path; the outline of the board is the first closed path of the file"
        raise InstanceError(f"{label}: {what}: convert text and pictures to paths, and close what is open")
    if not first.shape.is_valid or first.shape.area <= 0:
        raise InstanceError(f"{label}: the outline crosses or touches itself; draw it as one simple closed path")
    return first.shape


class FirstContour:
    """Takes the area within the first closed contour that is more than a line there and back."""

    shape: "Polygon | None" = None

    def __call__(self, path: DrawnPath) -> None:
        from shapely.geometry import MultiPoint, Polygon

        # Circles end where they begin, without a command that closes them.
        is_closed = path.is_closed or dist(path.points[0], path.points[-1]) < _ROUNDING
        if is_closed and len(path.points) > 2 and MultiPoint(path.points).convex_hull.area > 0:
            self.shape = Polygon(path.points)
            raise EnoughError


def refuse_broken_pieces(shapes: list["Polygon"], names: list[str], label: str) -> None:
    """Raise InstanceError if the outline leaves nothing of a piece, several parts, or a part too narrow to hold."""
    broken = []
    for shape, name in zip(shapes, names, strict=True):
        inner: Any = shape.buffer(-LEAST_NECK / 2)
        if shape.geom_type != "Polygon" or inner.geom_type != "Polygon" or inner.is_empty:
            broken.append(name)
    if broken:
        some = ", ".join(broken[:5]) + (", ..." if len(broken) > 5 else "")
        what = f"leaves no whole piece at least {LEAST_NECK:g} mm wide on {some}"
        raise InstanceError(f"{label}: {what}; draw an outline that fills its bounding box better")
