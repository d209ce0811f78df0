"""The board's own outline: the first closed path that an SVG file shows, as cairosvg draws it."""

import re
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, need_extra
from ...csp.base.safe_files import read_text
from .loose_pieces import need_shapely
from .sizes import ACCURACY, LEAST_NECK

if TYPE_CHECKING:
    from shapely.geometry import Polygon

_MOST_BYTES, _MOST_ELEMENTS = 4 * 2**20, 20_000
_SHAPES = {"path", "rect", "circle", "ellipse", "polygon", "polyline"}
_SIZES = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"}
_MARKERS = "marker", "marker-start", "marker-mid", "marker-end"
# Cairo rounds to 256ths of a pixel, so files are this wide.  In these pixels: the largest distance of a line from the
# curve for which it stands, and of ends that meet.
_WIDTH, _FLATNESS, _ROUNDING = 100_000, 0.05, 0.02


def board_outline(source: str | Path, width: float, height: float) -> "Polygon":
    """The first closed shape of an SVG file, as large as fits a board of that size in mm, and in its middle."""
    need_shapely()
    need_extra("cairosvg", extra="workshop", what="outlines from SVG files need")
    from shapely.affinity import scale, translate

    shape: Any = _first_shape(str(source))
    left, top, right, bottom = shape.bounds
    by = min(width / (right - left), height / (bottom - top))
    shape = scale(shape, by, by, origin=(left, top)).simplify(ACCURACY / 2)
    across, down = (width - by * (right - left)) / 2, (height - by * (bottom - top)) / 2
    return translate(shape, across - left, down - top)


def _first_shape(label: str) -> "Polygon":
    """The area within the first closed contour, as viewers show it."""
    if label.lower().endswith(".svgz"):
        raise InstanceError(f"{label}: is a compressed drawing; save it as plain SVG, with the ending .svg")
    text = read_text(label, _MOST_BYTES)
    if re.search("<!ENTITY", text, re.IGNORECASE):
        raise InstanceError(f"{label}: defines entities; an outline needs none, remove them")
    try:
        shape = first_contour(text)
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


class UnreadableError(ValueError):
    """An SVG has something that is not supported; the text says what and what to do."""


def first_contour(text: str) -> "Polygon | None":
    """The area within the first closed contour of an SVG that is more than a line there and back.

    The drawing is painted by cairosvg, `_WIDTH` units wide, and its paths are noted on the way.  So contours lie where
    they are shown, with all transforms, units, nested viewports, uses and styles.
    """
    import cairocffi
    from cairosvg.parser import Tree
    from cairosvg.surface import Surface
    from shapely.geometry import MultiPoint, Polygon

    class FoundError(Exception):
        """The first contour, which ends the painting."""

    class Pen(cairocffi.Context):
        """Looks at paths before they are painted."""

        is_shape = False

        def fill_preserve(self) -> None:
            self._note()
            super().fill_preserve()

        def stroke(self) -> None:
            self._note()
            super().stroke()

        def _note(self) -> None:
            source = self.get_source()
            is_clear = isinstance(source, cairocffi.SolidPattern) and source.get_rgba()[3] == 0
            left, _, right, _ = self.clip_extents()  # nothing within a transform that has no inverse
            if not self.is_shape or is_clear or left == right:
                return
            self.save()
            self.identity_matrix()
            contour: list[tuple[float, ...]] = []
            for kind, points in [*self.copy_path_flat(), (cairocffi.PATH_MOVE_TO, ())]:
                if kind == cairocffi.PATH_LINE_TO:
                    contour.append(points)
                    continue
                # Circles end where they begin, without a command that closes them.
                is_closed = kind == cairocffi.PATH_CLOSE_PATH or (contour and dist(contour[0], contour[-1]) < _ROUNDING)
                if is_closed and len(contour) > 2 and MultiPoint(contour).convex_hull.area > 0:
                    raise FoundError(Polygon(contour))
                contour = [points] if kind == cairocffi.PATH_MOVE_TO else contour[:1]
            self.restore()

    class Paths(Surface):
        """Paints nowhere."""

        elements = 0

        @property
        def device_units_per_user_units(self) -> float:
            return 1

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            return cairocffi.RecordingSurface(cairocffi.CONTENT_COLOR_ALPHA, None), width, height

        def draw(self, node: Any) -> None:
            self.elements += 1
            if self.elements > _MOST_ELEMENTS:
                raise UnreadableError(f"has more than {_MOST_ELEMENTS} elements; keep the outline only")
            if not isinstance(self.context, Pen):
                pen = Pen(self.cairo)
                pen.set_matrix(self.context.get_matrix())
                pen.set_tolerance(_FLATNESS)
                self.context = pen
            self.context.is_shape = node.tag in _SHAPES
            # cairosvg takes parts of the size of the file, browsers those of the viewBox.
            if self.context.is_shape and any(str(node.get(name, "")).strip().endswith("%") for name in _SIZES):
                raise UnreadableError(f"{node.tag}: has a length in percent; convert it to mm or px")
            for place in _MARKERS:
                node.pop(place, None)
            if node.tag not in ("image", "text"):
                super().draw(node)

    def refused(url: str, _kind: str) -> bytes:
        raise UnreadableError(f"{Path(url).name!r} is not in this file; unlink or embed what the file uses")

    tree = Tree(bytestring=text.encode(), url_fetcher=refused, unsafe=False)
    if "viewBox" not in tree:
        # The size of a file without one, as browsers choose it.
        tree.setdefault("width", "300")
        tree.setdefault("height", "150")
    try:
        Paths(tree, None, 96, output_width=_WIDTH)
    except FoundError as found:
        return found.args[0]
    return None


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
