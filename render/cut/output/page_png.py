"""A sheet as a PNG file that records its scale."""

import io

from ....csp.base.errors import UsageError, need_extra
from ..paper.paper import Sheet
from ..paper.sizes import shown
from .page_pdf import POINTS, pages_pdf

_MOST_PIXELS = 150_000_000


def page_png(sheet: Sheet, title: str, dpi: int) -> bytes:
    """A PNG with `dpi` pixels per inch.

    Raises
    ------
    UsageError
        If it would have too many pixels, or a library for PNG files is missing.
    """
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
    """Refuse sheets that are too large.

    Raises
    ------
    UsageError
        If the picture would have too many pixels.
    """
    square_inches = sheet.width * sheet.height * (POINTS / 72) ** 2
    if square_inches * dpi**2 > _MOST_PIXELS:
        most = int((_MOST_PIXELS / square_inches) ** 0.5)
        size = f"a sheet of {shown(sheet.width, sheet.height)} would have"
        many = f"more than {_MOST_PIXELS // 10**6} million pixels"
        raise UsageError(f"{dpi}: {size} {many}: give at most {most}, or a smaller page", "dpi")
