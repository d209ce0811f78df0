"""Sheets as the pages of a PDF."""

import io
from collections.abc import Sequence
from typing import Any

from ....csp.base.extras import need_extra
from ...svg.svg import harmless
from ..paper.paper import LAYERS, Item, Layer, Path, Printed, Sheet, Spot, Text

#: Points, the unit of a PDF, per millimetre.
POINTS = 72 / 25.4


def pages_pdf(sheets: Sequence[Sheet], title: str) -> bytes:
    """A PDF with a page of the same size for each sheet; the same sheets always give the same file.

    Raises
    ------
    JigsatError
        If a library for PDF files is missing.
    """
    need_extra("reportlab")
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(harmless(title))
    canvas.setCreator("jigsat")
    _define(canvas, sheets)
    for sheet in sheets:
        canvas.setPageSize((sheet.width * POINTS, sheet.height * POINTS))
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for layer in LAYERS:
            items = [item for item in sheet.items if item.layer is layer]
            if items:
                _choose(canvas, layer)
            for item in items:
                _add(canvas, item, sheet.height)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _define(canvas: Any, sheets: Sequence[Sheet]) -> None:
    """Define the artwork, which is in the file once, as a form of size 1 by 1."""
    from reportlab.lib.utils import ImageReader

    artwork = next((item.artwork for sheet in sheets for item in sheet.items if isinstance(item, Printed)), None)
    if artwork is not None:
        canvas.beginForm("artwork", 0, 0, 1, 1)
        canvas.drawImage(ImageReader(io.BytesIO(artwork.data)), 0, 0, 1, 1)
        canvas.endForm()


def _choose(canvas: Any, layer: Layer) -> None:
    from reportlab.lib.colors import HexColor

    canvas.setStrokeColor(HexColor(layer.color))
    canvas.setLineWidth(layer.width * POINTS)


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
        _paint(canvas, item, height)


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

    # The standard fonts of PDF have no other letters.
    text = harmless(item.text).encode("cp1252", "replace").decode("cp1252")
    canvas.setFillColor(HexColor(item.layer.color))
    canvas.setFont("Helvetica-Bold" if item.bold else "Helvetica", item.size * POINTS)
    draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}[item.anchor]
    draw(item.spot[0] * POINTS, (height - item.spot[1]) * POINTS, text)


def _paint(canvas: Any, item: Printed, height: float) -> None:
    """Draw the clipped artwork; in a PDF the second coordinate points up, on the page and in the form."""
    a, b, c, d, e, f = item.matrix
    canvas.saveState()
    canvas.clipPath(_path(canvas, item.clip, height, straight=False, closed=True), stroke=0, fill=0)
    canvas.transform(*(POINTS * value for value in (a, -b, -c, d, c + e, height - d - f)))
    canvas.doForm("artwork")
    canvas.restoreState()
