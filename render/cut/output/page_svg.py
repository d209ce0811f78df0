"""A sheet as an SVG in millimetres, with a group for each layer, marked as Inkscape does."""

from base64 import b64encode
from xml.etree import ElementTree as ET
from zlib import crc32

from ...svg.svg import FONT, element, harmless, short
from ..paper.artwork import Artwork
from ..paper.paper import LAYERS, Item, Layer, Path, Printed, Sheet, Spot, Text

_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"


def page_svg(sheet: Sheet, title: str) -> str:
    """The text of an SVG with a title."""
    width, height = _number(sheet.width), _number(sheet.height)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "xmlns:inkscape": _INKSCAPE,
            # A white background on dark pages, too, without an element that a machine would cut.
            "style": "background:#fff",
            "width": f"{width}mm",
            "height": f"{height}mm",
            "viewBox": f"0 0 {width} {height}",
            "font-family": FONT,
        },
    )
    element(root, "title", harmless(title))
    printed = [item for item in sheet.items if isinstance(item, Printed)]
    mark = _mark(printed)
    if printed:
        _define(root, printed[0].artwork, mark)
    for layer in LAYERS:
        items = [item for item in sheet.items if item.layer is layer]
        if items:
            group = _group(root, layer)
            for item in items:
                _add(group, item, mark)
    ET.indent(root, space="")
    return ET.tostring(root, encoding="us-ascii").decode("ascii") + "\n"


def _group(root: ET.Element, layer: Layer) -> ET.Element:
    group = element(root, "g", id=layer.name, fill="none", stroke=layer.color, stroke_width=_number(layer.width))
    group.set("stroke-linecap", "round")
    group.set("stroke-linejoin", "round")
    group.set("inkscape:groupmode", "layer")
    group.set("inkscape:label", layer.name)
    return group


def _mark(printed: list[Printed]) -> str:
    """The end of all names: other sheets on the same web page, as in a notebook, have other names."""
    if not printed:
        return ""
    places = repr([(item.clip, item.matrix) for item in printed])
    return f"-{crc32(printed[0].artwork.data, crc32(places.encode())):08x}"


def _define(root: ET.Element, artwork: Artwork, mark: str) -> None:
    """Define the artwork, which is in the file once, as a picture of size 1 by 1."""
    definitions = element(root, "defs")
    data = f"data:image/{artwork.kind};base64,{b64encode(artwork.data).decode('ascii')}"
    element(definitions, "image", id=f"artwork{mark}", width="1", height="1", preserveAspectRatio="none", href=data)


def _add(group: ET.Element, item: Item, mark: str) -> None:
    if isinstance(item, Path):
        path = element(group, "path", d=_data(item.points, straight=item.straight, closed=item.closed))
        if item.fill is not None:
            path.set("fill", item.fill)
    elif isinstance(item, Text):
        _write(group, item)
    else:
        _show(group, item, mark)


def _show(group: ET.Element, item: Printed, mark: str) -> None:
    """Draw the clipped artwork; the length of the group makes the names of the clips unique."""
    name = f"clip{len(group)}{mark}"
    clip = element(group, "clipPath", id=name)
    element(clip, "path", d=_data(item.clip, straight=False, closed=True))
    clipped = element(group, "g", clip_path=f"url(#{name})")
    matrix = " ".join(map(_number, item.matrix))
    element(clipped, "use", href=f"#artwork{mark}", transform=f"matrix({matrix})")


def _write(group: ET.Element, item: Text) -> None:
    text = element(group, "text", harmless(item.text), fill=item.layer.color, stroke="none")
    text.set("x", _number(item.spot[0]))
    text.set("y", _number(item.spot[1]))
    text.set("font-size", _number(item.size))
    if item.anchor != "start":
        text.set("text-anchor", item.anchor)
    if item.bold:
        text.set("font-weight", "bold")


def _data(points: tuple[Spot, ...], *, straight: bool, closed: bool) -> str:
    first, *others = (f"{_number(x)} {_number(y)}" for x, y in points)
    return f"M{first}{'L' if straight else 'C'}{' '.join(others)}{'z' if closed else ''}"


def _number(number: float) -> str:
    """Format a number of millimetres with up to three decimals."""
    return short(number, 3)
