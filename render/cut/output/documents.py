"""Sheets as files: one file with all pages, or one for each sheet."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....csp.base.errors import InstanceError
from ....csp.files.file_format import format_for
from ..paper.paper import Sheet
from .page_dxf import page_dxf
from .page_pdf import pages_pdf
from .page_png import check_pixels, page_png
from .page_svg import page_svg

#: The formats of cut sheets, with the endings of their files.
FORMATS = {"svg": (".svg",), "pdf": (".pdf",), "png": (".png",), "dxf": (".dxf",)}


@dataclass(frozen=True)
class Document:
    """A file to write, with its sheets and a function that makes its content."""

    path: str
    sheets: tuple[Sheet, ...]
    content: Callable[[], bytes]


def ending_of(path: str) -> str:
    """The ending of a path; ``-`` is an SVG.

    Raises UsageError if it has another ending than ``.svg``, ``.pdf``, ``.png`` or ``.dxf``.
    """
    return f".{format_for(path, FORMATS, 'svg' if path == '-' else None)}"


def documents(sheets: Sequence[Sheet], path: str, title: str, dpi: int) -> Iterator[Document]:
    """The files for several sheets.

    Parameters
    ----------
    sheets
        The sheets to write.
    path
        The path of a single file, or the pattern for the paths of several; ``-`` for a single SVG on standard output.
    title
        The title of the documents.
    dpi
        Pixels per inch, for PNG.

    Raises JigsatError if there are several sheets for standard output, or a picture would be too large.
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
        yield Document(_path(path, sheet, len(sheets)), (sheet,), _content(sheet, ending, title, dpi))


def _path(path: str, sheet: Sheet, number: int) -> str:
    if number == 1:
        return path
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}-{sheet.name}{whole.suffix}"))


def _content(sheet: Sheet, ending: str, title: str, dpi: int) -> Callable[[], bytes]:
    if ending == ".png":
        return lambda: page_png(sheet, title, dpi)
    if ending == ".dxf":
        return lambda: page_dxf(sheet)
    return lambda: page_svg(sheet, title).encode("ascii")
