"""Sheets as files: one file with all pages, or an SVG, DXF or PNG for each sheet."""

import io
import pathlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any
from xml.etree import ElementTree as ET
from zlib import crc32

from ...csp.base.errors import InstanceError, UsageError, need_extra
from ...csp.files.file_format import format_for
from ..svg.svg import FONT, element, harmless, short
from .paper import CUT, ENGRAVE, HALO, LAYERS, NUMBERS, Artwork, Item, Layer, Path, Printed, Sheet, Spot, Text
from .sizes import shown
from .tabs import path_data

#: The formats of cut sheets, with the endings of their files.
FORMATS = {"svg": (".svg",), "pdf": (".pdf",), "png": (".png",), "dxf": (".dxf",)}


@dataclass(frozen=True)
class Document:
    """A file to write, with its sheets and a function that makes its content."""

    path: str
    sheets: tuple[Sheet, ...]
    content: Callable[[], bytes]


def ending_of(path: str) -> str:
    """The ending of a path, of which ``-`` has that of an SVG; refuses unknown ones."""
    return f".{format_for(path, FORMATS, 'svg' if path == '-' else None)}"


def documents(sheets: Sequence[Sheet], path: str, title: str, dpi: int) -> Iterator[Document]:
    """The files for sheets; `path` is that of a single file, ``-`` standard output.

    Of several files it is that of the sheet ``cut``, and the names of the others are made from it.
    """
    ending = ending_of(path)
    if ending == ".pdf":
        yield Document(path, tuple(sheets), lambda: pages_pdf(sheets, title))
        return
    if path == "-" and len(sheets) > 1:
        raise InstanceError(f"standard output: takes one sheet, and there are {len(sheets)}; write them to a file")
    for sheet in sheets:
        if ending == ".png":
            check_pixels(sheet, dpi)
        own = path
        if len(sheets) > 1 and sheet.name != "cut":
            whole = pathlib.Path(path)
            # Without what the name of the file says already.
            name = sheet.name.removeprefix("cut-") if whole.stem.endswith("-cut") else sheet.name
            own = str(whole.with_name(f"{whole.stem}-{name}{whole.suffix}"))
        make: dict[str, Callable[[], bytes]] = {
            ".png": partial(page_png, sheet, title, dpi),
            ".dxf": partial(page_dxf, sheet),
            ".svg": lambda sheet=sheet: page_svg(sheet, title).encode("ascii"),
        }
        yield Document(own, (sheet,), make[ending])


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
    mark = ""
    if printed:
        # The end of all names: other sheets on the same web page, as in a notebook, have other names.
        artwork, places = printed[0].artwork, repr([(item.clip, item.matrix) for item in printed])
        mark = f"-{crc32(artwork.data, crc32(places.encode())):08x}"
        # The artwork is in the file once, as a picture of size 1 by 1.
        data = f"data:image/{artwork.kind};base64,{b64encode(artwork.data).decode('ascii')}"
        size = {"width": "1", "height": "1", "preserveAspectRatio": "none"}
        element(element(root, "defs"), "image", id=f"artwork{mark}", **size, href=data)
    for layer in LAYERS:
        items = [item for item in sheet.items if item.layer is layer]
        if items:
            width = _number(layer.width)
            group = element(root, "g", id=layer.name, fill="none", stroke=layer.color, stroke_width=width)
            for name, value in (
                ("stroke-linecap", "round"), ("stroke-linejoin", "round"),
                ("inkscape:groupmode", "layer"), ("inkscape:label", layer.name),
            ):  # fmt: skip
                group.set(name, value)
            for item in items:
                _add_to_group(group, item, mark)
    ET.indent(root, space="")
    return ET.tostring(root, encoding="us-ascii").decode("ascii") + "\n"


# The least distance in mm that is seen on a screen, and the points of a line from which it is made simpler.
_SEEN, _MANY = 0.05, 100


def screen_svg(sheet: Sheet, title: str) -> str:
    """The text of an SVG to look at on a screen: with lines that are wide enough to see, and with fewer points."""
    svg = page_svg(replace(sheet, items=tuple(map(_simpler, sheet.items))), title)
    return svg.replace('stroke-width="0.1"', 'stroke-width="0.35"')


def _simpler(item: Item) -> Item:
    if not isinstance(item, Path) or not item.straight or len(item.points) < _MANY:
        return item
    from shapely import LineString, get_coordinates

    points = get_coordinates(LineString(item.points).simplify(_SEEN, preserve_topology=False)).tolist()
    return replace(item, points=tuple((x, y) for x, y in points))


def _add_to_group(group: ET.Element, item: Item, mark: str) -> None:
    if isinstance(item, Path):
        path = element(group, "path", d=path_data(item.points, straight=item.straight, closed=item.closed))
        if item.fill is not None:
            path.set("fill", item.fill)
    elif isinstance(item, Text):
        place = {"x": _number(item.spot[0]), "y": _number(item.spot[1]), "font_size": _number(item.size)}
        text = element(group, "text", harmless(item.text), fill=item.layer.color, stroke="none", **place)
        if item.anchor != "start":
            text.set("text-anchor", item.anchor)
        if item.bold:
            text.set("font-weight", "bold")
    else:
        # The length of the group makes the names of the clips unique.
        name = f"clip{len(group)}{mark}"
        clip = element(group, "clipPath", id=name)
        element(clip, "path", d=path_data(item.clip, closed=True))
        clipped = element(group, "g", clip_path=f"url(#{name})")
        matrix = " ".join(map(_number, item.matrix))
        element(clipped, "use", href=f"#artwork{mark}", transform=f"matrix({matrix})")


def _number(number: float) -> str:
    return short(number, 3)


# The largest distance in mm of a polyline from the curve that it stands for.
_FLATNESS = 0.005
# The names of layers and their colours in the AutoCAD Color Index: red, green, blue.
_LAYERS = {"CUT": 1, "MARK": 3, "ENGRAVE": 5}
_ANCHORS = {"start": "LEFT", "middle": "CENTER", "end": "RIGHT"}


def page_dxf(sheet: Sheet) -> bytes:
    """A DXF (R2010) of lines, as polylines, and texts, without artwork and the white around numbers on it."""
    need_extra("ezdxf", extra="workshop", what="DXF files need")
    from ezdxf import units
    from ezdxf.filemanagement import new

    document = new("R2010", units=units.MM)
    for name, color in _LAYERS.items():
        document.layers.add(name, color=color)
    space = document.modelspace()
    for item in sheet.items:
        if item.layer is not HALO:
            _add_to_space(space, item, sheet.height)
    file = io.StringIO()
    document.write(file)
    return file.getvalue().encode("utf-8")


def _add_to_space(space, item: Item, height: float) -> None:
    # What is cut, what is engraved on pieces, and all other lines.
    name = "CUT" if item.layer is CUT else "ENGRAVE" if item.layer in (ENGRAVE, NUMBERS) else "MARK"
    attributes = {"layer": name}
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
    points = [(point.x, point.y) for point in curves.flattening(_FLATNESS, segments=4)]
    # A closed polyline needs no second copy of its first point.
    return points[:-1] if item.closed and points[0] == points[-1] else points


_MOST_PIXELS = 150_000_000


def page_png(sheet: Sheet, title: str, dpi: int) -> bytes:
    """A PNG with `dpi` pixels per inch; refuses sheets that are too large."""
    need_extra("reportlab", "pypdfium2", "PIL")
    import pypdfium2

    check_pixels(sheet, dpi)
    document = pypdfium2.PdfDocument(pages_pdf([sheet], title))
    try:
        page = document[0]
        image = page.render(scale=dpi / 72).to_pil()  # pyright: ignore[reportArgumentType]
        file = io.BytesIO()
        image.save(file, "PNG", dpi=(dpi, dpi))
        image.close()
        page.close()
    finally:
        document.close()
    return file.getvalue()


def check_pixels(sheet: Sheet, dpi: int) -> None:
    """Raise UsageError if the picture of a sheet would have too many pixels."""
    square_inches = sheet.width * sheet.height * (POINTS / 72) ** 2
    if square_inches * dpi**2 > _MOST_PIXELS:
        most = int((_MOST_PIXELS / square_inches) ** 0.5)
        size = f"a sheet of {shown(sheet.width, sheet.height)} would have"
        many = f"more than {_MOST_PIXELS // 10**6} million pixels"
        raise UsageError(f"{dpi}: {size} {many}: give at most {most}, or a smaller page", "dpi")


#: Points, the unit of a PDF, per millimetre.
POINTS = 72 / 25.4
# The standard fonts of PDF have no other letters.
_LETTERS = "cp1252"


def pages_pdf(sheets: Sequence[Sheet], title: str) -> bytes:
    """A PDF with a page of the same size for each sheet; the same sheets always give the same file."""
    need_extra("reportlab")
    from reportlab.lib.colors import HexColor
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas: Any = Canvas(file, invariant=1, pageCompression=1, pdfVersion=(1, 5))
    canvas.setTitle(harmless(title))
    canvas.setCreator("jigsat")
    _define(canvas, sheets)
    groups = _groups(canvas, [layer for layer in LAYERS if any(i.layer is layer for s in sheets for i in s.items)])
    for sheet in sheets:
        canvas.setPageSize((sheet.width * POINTS, sheet.height * POINTS))
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for layer in LAYERS:
            items = [item for item in sheet.items if item.layer is layer]
            if items:
                canvas.setStrokeColor(HexColor(layer.color))
                canvas.setLineWidth(layer.width * POINTS)
                canvas._code.append(f"/OC /{layer.name} BDC")
                for item in items:
                    _add(canvas, item, sheet.height)
                canvas._code.append("EMC")
        canvas.showPage()
        _name_groups(canvas, groups)
    canvas.save()
    return file.getvalue()


def missing_letters(sheets: Sequence[Sheet]) -> str:
    """The letters on sheets for which a PDF has question marks."""
    texts = (item.text for sheet in sheets for item in sheet.items if isinstance(item, Text))
    letters = dict.fromkeys("".join(map(harmless, texts)))
    return "".join(letter for letter in letters if not letter.encode(_LETTERS, "ignore"))


def _define(canvas: Any, sheets: Sequence[Sheet]) -> None:
    """Define each artwork, which is in the file once, as a form of size 1 by 1."""
    from reportlab.lib.utils import ImageReader

    artworks = {item.artwork for sheet in sheets for item in sheet.items if isinstance(item, Printed)}
    for artwork in sorted(artworks, key=_form):
        canvas.beginForm(_form(artwork), 0, 0, 1, 1)
        canvas.drawImage(ImageReader(io.BytesIO(artwork.data)), 0, 0, 1, 1)
        canvas.endForm()


def _form(artwork: Artwork) -> str:
    return f"artwork-{sha256(artwork.data).hexdigest()[:16]}"


def _groups(canvas: Any, layers: Sequence[Layer]) -> dict[str, Any]:
    """Define a group of optional content for each layer, which readers list and can hide.

    ReportLab has no interface for them (PDF 1.5, section 4.10), so they are written as objects of its document.
    """
    from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString

    document = canvas._doc
    groups = {}
    for layer in layers:
        group = PDFDictionary({"Type": PDFName("OCG"), "Name": PDFString(layer.name)})
        groups[layer.name] = document.Reference(group, f"layer-{layer.name}")
    listed = PDFArray(list(groups.values()))
    catalog = document.Catalog
    catalog.OCProperties = PDFDictionary({"OCGs": listed, "D": PDFDictionary({"Order": listed, "ON": listed})})
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OCProperties"]
    return groups


def _name_groups(canvas: Any, groups: dict[str, Any]) -> None:
    """Make the names of the groups known on the page that was finished last."""
    page = canvas._doc.Pages.pages[-1]
    page = canvas._doc.idToObject.get(page.name, page) if hasattr(page, "name") else page
    usual = page.check_format

    def check_format(document: Any) -> None:
        usual(document)
        page.Resources.Properties = groups

    page.check_format = check_format


def _add(canvas: Any, item: Item, height: float) -> None:
    from reportlab.lib.colors import HexColor

    if isinstance(item, Path):
        if item.fill is not None:
            canvas.setFillColor(HexColor(item.fill))
        path = _path(canvas, item.points, height, straight=item.straight, closed=item.closed)
        canvas.drawPath(path, stroke=1, fill=int(item.fill is not None))
    elif isinstance(item, Text):
        text = harmless(item.text).encode(_LETTERS, "replace").decode(_LETTERS)
        canvas.setFillColor(HexColor(item.layer.color))
        canvas.setFont("Helvetica-Bold" if item.bold else "Helvetica", item.size * POINTS)
        draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
        draw[item.anchor](item.spot[0] * POINTS, (height - item.spot[1]) * POINTS, text)
    else:
        # In a PDF the second coordinate points up, on the page and in the form.
        a, b, c, d, e, f = item.matrix
        canvas.saveState()
        canvas.clipPath(_path(canvas, item.clip, height, straight=False, closed=True), stroke=0, fill=0)
        canvas.transform(*(POINTS * value for value in (a, -b, -c, d, c + e, height - d - f)))
        canvas.doForm(_form(item.artwork))
        canvas.restoreState()


def _path(canvas: Any, points: tuple[Spot, ...], height: float, *, straight: bool, closed: bool) -> Any:
    path = canvas.beginPath()
    (x, y), *others = ((x * POINTS, (height - y) * POINTS) for x, y in points)
    path.moveTo(x, y)
    if straight:
        for x, y in others:
            path.lineTo(x, y)
    else:
        for i in range(0, len(others), 3):
            path.curveTo(*others[i], *others[i + 1], *others[i + 2])
    if closed:
        path.close()
    return path
