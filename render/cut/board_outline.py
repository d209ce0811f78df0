"""The board's own outline, from the first closed path of an SVG file.

Shapes are found as they are shown: with transforms, units, nested viewports, uses and simple styles.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ...csp.base.errors import InstanceError, need_extra
from ...csp.base.safe_files import read_text
from .loose_pieces import need_shapely
from .sizes import ACCURACY, LEAST_NECK

if TYPE_CHECKING:
    from shapely.geometry import Polygon

_MOST_BYTES = 4 * 2**20


def board_outline(source: str | Path, width: float, height: float) -> "Polygon":
    """The first closed shape of an SVG file, as large as fits a board of that size, and in its middle.

    - `width`, `height`: the size of the board in mm.

    Raises InstanceError if the file is not an SVG, has no shape, or its outline crosses itself; JigsatError if a
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
    from shapely.geometry import MultiPoint, Polygon

    if label.lower().endswith(".svgz"):
        raise InstanceError(f"{label}: is a compressed drawing; save it as plain SVG, with the ending .svg")
    text = read_text(label, _MOST_BYTES)
    if re.search("<!ENTITY", text, re.IGNORECASE):
        raise InstanceError(f"{label}: defines entities; an outline needs none, remove them")
    try:
        contours = closed_contours(ET.fromstring(text))
        # Not a line there and back.
        areas = (points for points in contours if len(points) > 2 and MultiPoint(points).convex_hull.area > 0)
        shape = next(map(Polygon, areas), None)
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


#: The corners of a line that stands for a contour.
Points = list[tuple[float, float]]

_SVG, _HREF = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54}
_PIXELS |= {"em": 16, "rem": 16, "ex": 8, "ch": 8}
_MOVES = {
    "matrix", "translate", "translateX", "translateY", "scale", "scaleX", "scaleY", "rotate", "skew", "skewX", "skewY",
}  # fmt: skip
_PAINT = {"fill": "black", "stroke": "none", "visibility": "visible"}
# The size of a file without one, as browsers choose it.
_SIZE = 300.0, 150.0
_GROUPS = {"svg", "g", "a", "switch"}
_SHAPES = {"path": "Path", "rect": "Rect", "circle": "Circle", "ellipse": "Ellipse", "polygon": "Polygon"}
_SHAPES |= {"polyline": "Polyline"}
_ACROSS, _DOWN, _ROUND = {"x", "cx", "rx", "width"}, {"y", "cy", "ry", "height"}, {"r"}
# The number of points that stand for each curve.
_STEPS = 64
# The distance of ends that meet, as a part of the largest coordinate.
_ROUNDING = 1e-9
_MOST_ELEMENTS, _MOST_USES = 200_000, 50


class UnreadableError(ValueError):
    """An SVG has something that is not supported; the text says what and what to do."""


@dataclass(frozen=True)
class _Surroundings:
    """Where an element lies: its matrix, the size of its viewport, and what it inherits of how it is painted."""

    matrix: Any
    width: float
    height: float
    paint: Mapping[str, str] = field(default_factory=lambda: dict(_PAINT))
    uses: int = 0

    @property
    def is_visible(self) -> bool:
        """Whether a shape here shows its area or its line."""
        painted = {self.paint["fill"], self.paint["stroke"]} - {"none", "transparent"}
        return self.paint["visibility"] == "visible" and bool(painted)

    def length(self, text: str, name: str) -> float:
        """The value of the attribute `name` in pixels."""
        found = re.fullmatch(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%|[a-z]*)\s*", text, re.I | re.A)
        if found is None or found[2].lower() not in {*_PIXELS, "%"}:
            raise UnreadableError(f"{name}: {text!r} is no length; convert it to mm or px")
        if found[2] != "%":
            return float(found[1]) * _PIXELS[found[2].lower()]
        diagonal = hypot(self.width, self.height) / 2**0.5
        whole = self.width if name in _ACROSS else self.height if name in _DOWN else diagonal
        return float(found[1]) / 100 * whole


def closed_contours(root: ET.Element) -> Iterator[Points]:
    """The closed contours of a file, in their order.

    Raises UnreadableError if the file has a unit that is not known, or too many elements.
    """
    return _Drawing(root).contours()


class _Drawing:
    """An SVG with its identifiers and styles."""

    def __init__(self, root: ET.Element):
        self.root, self.left = root, _MOST_ELEMENTS
        self.named = {element.get("id"): element for element in root.iter() if element.get("id") is not None}
        self.styles: dict[str, dict[str, str]] = {}
        for element in root.iter(f"{_SVG}style"):
            text = re.sub(r"/\*.*?\*/", "", "".join(element.itertext()), flags=re.DOTALL)
            for selectors, style in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
                for selector in selectors.split(","):
                    self.styles.setdefault(selector.strip(), {}).update(_declarations(style))

    def contours(self) -> Iterator[Points]:
        from svgelements import Matrix

        return self._shown(self.root, _Surroundings(Matrix(), *_SIZE))

    def _shown(self, element: ET.Element, place: _Surroundings, size: dict[str, str] | None = None) -> Iterator[Points]:
        """The contours of an element and of what is in it; `size` is the one that a `use` asks for."""
        tag = _local(element)
        self.left -= 1
        if self.left < 0:
            raise UnreadableError(f"has more than {_MOST_ELEMENTS} elements; keep the outline only")
        values = self._values(element, tag)
        if values.get("display") == "none" or values.get("opacity") == "0":
            return
        paint = {name: values[name] for name in place.paint if values.get(name, "inherit") != "inherit"}
        place = replace(place, matrix=_moved(values, place) * place.matrix, paint={**place.paint, **paint})
        if tag == "svg" or (tag == "symbol" and size is not None):
            place = self._viewport(values | (size or {}), place, is_root=element is self.root)
            tag = "svg"
        if tag in _GROUPS:
            for child in element:
                yield from self._shown(child, place)
        elif tag == "use":
            yield from self._used(values, place)
        elif tag in _SHAPES and place.is_visible:
            yield from _contours(tag, values, place)

    def _values(self, element: ET.Element, tag: str) -> dict[str, str]:
        """The attributes and styles of an element."""
        classes = element.get("class", "").split()
        selectors = ["*", tag, *(f".{name}" for name in classes), *(f"{tag}.{name}" for name in classes)]
        values = dict(element.attrib)
        for selector in (*selectors, f"#{element.get('id')}"):
            values |= self.styles.get(selector, {})
        return values | _declarations(element.get("style", ""))

    def _viewport(self, values: dict[str, str], place: _Surroundings, *, is_root: bool) -> _Surroundings:
        """The inside of an `svg` or a `symbol`."""
        from svgelements import Matrix, Viewbox

        box = [float(part) for part in re.split(r"[\s,]+", values.get("viewBox", "").strip()) if part]
        if is_root and len(box) == 4:
            place = replace(place, width=box[2], height=box[3])
        names = ("width", "height") if is_root else ("x", "y", "width", "height")
        usual = {"x": "0", "y": "0", "width": "100%", "height": "100%"}
        given = {name: values.get(name, usual[name]).replace("auto", usual[name]) for name in names}
        x, y, width, height = (place.length(given.get(name, "0"), name) for name in usual)
        if len(box) != 4:
            return replace(place, matrix=Matrix(f"translate({x}, {y})") * place.matrix, width=width, height=height)
        if min(*box[2:], width, height) <= 0:
            raise UnreadableError("viewBox: its width and height, and those of the svg, must be above 0")
        left, top, across, down = box
        how = values.get("preserveAspectRatio")
        inside = Matrix(Viewbox.viewbox_transform(x, y, width, height, left, top, across, down, how))
        return replace(place, matrix=inside * place.matrix, width=across, height=down)

    def _used(self, values: dict[str, str], place: _Surroundings) -> Iterator[Points]:
        from svgelements import Matrix

        link = values.get("href", values.get(_HREF, ""))
        target = self.named.get(link.removeprefix("#"))
        if target is None:
            raise UnreadableError(f"use: {link!r} is not in this file; unlink or embed what it uses")
        if place.uses == _MOST_USES:
            raise UnreadableError("use: an element uses itself, or uses are nested too deeply; unlink the clones")
        x, y = (place.length(values.get(name, "0"), name) for name in ("x", "y"))
        moved = replace(place, matrix=Matrix(f"translate({x}, {y})") * place.matrix, uses=place.uses + 1)
        yield from self._shown(target, moved, {name: values[name] for name in ("width", "height") if name in values})


def _local(element: ET.Element) -> str:
    """The tag of an element of SVG, also where the file names no namespace."""
    tag = element.tag if isinstance(element.tag, str) else "{"
    return tag.removeprefix(_SVG) if not tag.startswith("{") or tag.startswith(_SVG) else ""


def _declarations(style: str) -> dict[str, str]:
    parts = (declaration.partition(":") for declaration in style.split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, colon, value in parts if colon}


def _moved(values: dict[str, str], place: _Surroundings) -> Any:
    """The matrix of an element's own transform, about its origin."""
    from svgelements import Matrix

    text = values.get("transform", "")
    for name in re.findall(r"([a-zA-Z]\w*)\s*\(", text):
        if name not in _MOVES:
            raise UnreadableError(f"transform: {name} is not known; flatten the transforms of the drawing")
    origin = values.get("transform-origin", "0 0").split()
    if len(origin) != 2 or set(origin) & {"left", "right", "top", "bottom", "center"}:
        raise UnreadableError(f"transform-origin: {' '.join(origin)!r} is not two lengths; flatten the transforms")
    x, y = (place.length(part, name) for part, name in zip(origin, "xy", strict=True))
    return Matrix(f"translate({-x}, {-y})") * Matrix(text) * Matrix(f"translate({x}, {y})")


def _contours(tag: str, values: dict[str, str], place: _Surroundings) -> Iterator[Points]:
    """The closed contours of a shape."""
    import svgelements

    # Curves become points before they are moved: svgelements skews arcs wrongly.
    sizes = {
        name: place.length(values[name], name)
        for name in _ACROSS | _DOWN | _ROUND
        if values.get(name, "auto") != "auto"
    }
    kept = {name: values[name] for name in ("d", "points") if name in values}
    shape = getattr(svgelements, _SHAPES[tag])({**sizes, **kept})
    for part in svgelements.Path(shape).as_subpaths():
        points, closed = _points(part)
        if closed or _meet(points):
            yield [tuple(place.matrix.point_in_matrix_space(point)) for point in points]


def _points(part: Any) -> tuple[Points, bool]:
    """The points of a part of a path, and whether a command closes it."""
    import svgelements

    points: Points = []
    closed = False
    for segment in part:
        if isinstance(segment, svgelements.Move):
            points = [segment.end]
        elif isinstance(segment, svgelements.Line):
            points.append(segment.end)
        elif isinstance(segment, svgelements.Close):
            closed = True
        else:
            points += [segment.point(step / _STEPS) for step in range(1, _STEPS + 1)]
    return points, closed


def _meet(points: Points) -> bool:
    """Whether the ends of a contour are the same point, as those of circles are."""
    largest = max((abs(value) for point in points for value in point), default=0)
    return len(points) > 1 and hypot(points[0][0] - points[-1][0], points[0][1] - points[-1][1]) <= _ROUNDING * largest
