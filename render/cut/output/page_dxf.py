"""A sheet as a DXF file in millimetres, with the layers CUT, MARK and ENGRAVE."""

import io

from ....csp.base.errors import need_extra
from ...svg.svg import harmless
from ..paper.paper import CUT, ENGRAVE, HALO, NUMBERS, Item, Path, Sheet, Text

# The largest distance in mm of a polyline from the curve that it stands for.
_ACCURACY = 0.005
# The names of layers and their colours in the AutoCAD Color Index: red, green, blue.
_LAYERS = {"CUT": 1, "MARK": 3, "ENGRAVE": 5}
_ANCHORS = {"start": "LEFT", "middle": "CENTER", "end": "RIGHT"}


def page_dxf(sheet: Sheet) -> bytes:
    """A DXF (R2010) of the lines and texts of a sheet, without printed artwork and the white around numbers on it.

    Curves become polylines, which all machines read.

    Raises
    ------
    JigsatError
        If the library for DXF files is missing.
    """
    need_extra("ezdxf", extra="workshop", what="DXF files need")
    from ezdxf import units
    from ezdxf.filemanagement import new

    document = new("R2010", units=units.MM)
    for name, color in _LAYERS.items():
        document.layers.add(name, color=color)
    space = document.modelspace()
    for item in sheet.items:
        if item.layer is not HALO:
            _add(space, item, sheet.height)
    file = io.StringIO()
    document.write(file)
    return file.getvalue().encode("utf-8")


def dxf_layer(item: Item) -> str:
    """The layer of an item: what is cut, what is engraved on pieces, and all other lines."""
    if item.layer is CUT:
        return "CUT"
    return "ENGRAVE" if item.layer in (ENGRAVE, NUMBERS) else "MARK"


def _add(space, item: Item, height: float) -> None:
    attributes = {"layer": dxf_layer(item)}
    if isinstance(item, Path):
        space.add_lwpolyline(_flat(item, height), close=item.closed, dxfattribs=attributes)
    elif isinstance(item, Text):
        from ezdxf.enums import TextEntityAlignment

        text = space.add_text(harmless(item.text), height=0.7 * item.size, dxfattribs=attributes)
        text.set_placement((item.spot[0], height - item.spot[1]), align=TextEntityAlignment[_ANCHORS[item.anchor]])


def _flat(item: Path, height: float) -> list[tuple[float, float]]:
    """The points of a polyline; in a DXF the second coordinate points up."""
    from ezdxf.path import Path as Curves

    first, *others = ((x, height - y) for x, y in item.points)
    curves = Curves(first)
    if item.straight:
        for spot in others:
            curves.line_to(spot)
    else:
        for i in range(0, len(others), 3):
            curves.curve4_to(others[i + 2], others[i], others[i + 1])
    points = [(point.x, point.y) for point in curves.flattening(_ACCURACY, segments=4)]
    # A closed polyline needs no second copy of its first point.
    return points[:-1] if item.closed and points[0] == points[-1] else points
