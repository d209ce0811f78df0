"""Sheets as the pages of a PDF, with a layer (an optional content group) for each kind of lines."""

import io
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ...csp.base.errors import need_extra
from ..svg.svg import harmless
from .paper import LAYERS, Artwork, Item, Layer, Path, Printed, Sheet, Spot, Text

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
    """The name of an artwork in a PDF."""
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
        _write(canvas, item, height)
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


def _write(canvas: Any, item: Text, height: float) -> None:
    from reportlab.lib.colors import HexColor

    text = harmless(item.text).encode(_LETTERS, "replace").decode(_LETTERS)
    canvas.setFillColor(HexColor(item.layer.color))
    canvas.setFont("Helvetica-Bold" if item.bold else "Helvetica", item.size * POINTS)
    draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}[item.anchor]
    draw(item.spot[0] * POINTS, (height - item.spot[1]) * POINTS, text)
