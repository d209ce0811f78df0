"""The paths that an SVG file shows, as cairosvg draws them: with all transforms, units, viewports, uses and styles."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import InstanceError, need_extra

#: The largest size of a file.
MOST_BYTES = 4 * 2**20
_MOST_ELEMENTS = 10_000
# The time that cairosvg takes for a path grows with the square of its text; this one takes about a second.
_LONGEST_TEXT = 100_000
_TOO_MANY = f"has more than {_MOST_ELEMENTS} elements; keep only what is needed"
_SHAPES = {"path", "rect", "circle", "ellipse", "polygon", "polyline", "line"}
_SIZES = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"}
_MARKERS = "marker", "marker-start", "marker-mid", "marker-end"
_LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
# Cairo rounds to 256ths of a pixel, so files are this wide.  In these pixels: the largest distance of a line from the
# curve for which it stands.
_WIDTH, _FLATNESS = 100_000, 0.05


class DrawnPath(NamedTuple):
    """A path as it is shown, in pixels of a drawing that is 100 000 wide, y downwards; a curve is many short lines."""

    #: What messages call its element, and the ids and labels of the element and of all around it.
    name: str
    labels: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    is_closed: bool
    is_curved: bool
    #: The length of a pixel in the units of the drawing's coordinates.
    unit: float


class UnreadableError(ValueError):
    """An SVG has something that is not supported; the text says what and what to do."""


class EnoughError(Exception):
    """Ends the reading of paths."""


def read_paths(text: str, label: str, note: Callable[[DrawnPath], None]) -> None:
    """Call `note` with each path that the text of an SVG file shows, until it raises EnoughError.

    `label` names the file in errors.  Raises InstanceError if the file is no such drawing.
    """
    need_extra("cairosvg", extra="workshop", what="outlines from SVG files need")
    if re.search("<!ENTITY", text, re.IGNORECASE):
        raise InstanceError(f"{label}: defines entities; an outline needs none, remove them")
    # Each has two tags at most; to parse a million takes seconds and hundreds of MB.
    if text.count("<") > 3 * _MOST_ELEMENTS:
        raise InstanceError(f"{label}: {_TOO_MANY}")
    try:
        shown_paths(text, note)
    except UnreadableError as error:
        raise InstanceError(f"{label}: {error}") from error
    except Exception as error:  # the reader of damaged files raises exceptions of all kinds
        raise InstanceError(
            f"{label}: cannot be read as an SVG; the file is cut off or damaged, or is no SVG"
        ) from error


def shown_paths(text: str, note: Callable[[DrawnPath], None]) -> None:
    """Call `note` with each path that the text of an SVG shows, until it raises EnoughError.

    The drawing is painted by cairosvg, `_WIDTH` units wide, and its paths are noted on the way.
    """
    import cairocffi
    from cairosvg.helpers import node_format
    from cairosvg.parser import Tree
    from cairosvg.surface import Surface

    numbers: dict[str, int] = {}
    unit = 0.0

    class Pen(cairocffi.Context):
        """Looks at paths before they are painted."""

        #: The name and the labels of the shape that is being drawn; None for a clip path, and once it is noted.
        shape: tuple[str, tuple[str, ...]] | None = None

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
            if self.shape is None or is_clear or left == right:
                return
            (name, labels), self.shape = self.shape, None
            self.save()
            self.identity_matrix()
            is_curved = any(kind == cairocffi.PATH_CURVE_TO for kind, _ in self.copy_path())
            points: list[tuple[float, float]] = []
            for kind, ends in [*self.copy_path_flat(), (cairocffi.PATH_MOVE_TO, ())]:
                if kind == cairocffi.PATH_LINE_TO:
                    points.append(ends)
                    continue
                is_closed = kind == cairocffi.PATH_CLOSE_PATH
                if len(points) > 1:
                    note(DrawnPath(name, labels, tuple(points), is_closed, is_curved, unit))
                points = [ends] if kind == cairocffi.PATH_MOVE_TO else points[:1]
            self.restore()

    class Paths(Surface):
        """Paints nowhere."""

        elements, squares = 0, 0
        around: tuple[str, ...] = ()

        @property
        def device_units_per_user_units(self) -> float:
            return 1

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            nonlocal unit
            shown, _, viewbox = node_format(self, tree)
            unit = (viewbox[2] if viewbox else shown) / _WIDTH
            return cairocffi.RecordingSurface(cairocffi.CONTENT_COLOR_ALPHA, None), width, height

        def draw(self, node: Any) -> None:
            self.elements += 2 if node.tag == "use" else 1  # cairosvg copies what is used
            if self.elements > _MOST_ELEMENTS:
                raise UnreadableError(_TOO_MANY)
            self.squares += sum(len(str(node.get(name, ""))) ** 2 for name in ("d", "points", "transform"))
            if self.squares > _LONGEST_TEXT**2:
                what = f"has paths too long to be read, such as one of {_LONGEST_TEXT} characters"
                raise UnreadableError(f"{what}; simplify them, or keep only what is needed")
            if not isinstance(self.context, Pen):
                pen = Pen(self.cairo)
                pen.set_matrix(self.context.get_matrix())
                pen.set_tolerance(_FLATNESS)
                self.context = pen
            own = tuple(filter(None, (node.get("id"), node.get(_LABEL))))
            before, self.around = self.around, (*self.around, *own)
            self.context.shape = None
            if node.tag in _SHAPES:
                numbers[node.tag] = numbers.get(node.tag, 0) + 1
                self.context.shape = own[0] if own else f"{node.tag} {numbers[node.tag]}", self.around
                # cairosvg takes parts of the size of the file, browsers those of the viewBox.
                if any(str(node.get(name, "")).strip().endswith("%") for name in _SIZES):
                    raise UnreadableError(f"{node.tag}: has a length in percent; convert it to mm or px")
            for place in _MARKERS:
                node.pop(place, None)
            if node.tag not in ("image", "text"):
                super().draw(node)
            self.around = before

    def refused(url: str, _kind: str) -> bytes:
        raise UnreadableError(f"{Path(url).name!r} is not in this file; unlink or embed what the file uses")

    tree = Tree(bytestring=text.encode(), url_fetcher=refused, unsafe=False)
    if "viewBox" not in tree:
        # The size of a file without one, as browsers choose it.
        tree.setdefault("width", "300")
        tree.setdefault("height", "150")
    try:
        Paths(tree, None, 96, output_width=_WIDTH)
    except EnoughError:
        return
