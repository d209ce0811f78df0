"""Sheets as files: one of all pages, or one for each sheet."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....csp.base.errors import InstanceError
from ....csp.files.file_format import format_for
from ..paper.paper import Sheet
from .page_pdf import pages_pdf
from .page_png import check_pixels, page_png
from .page_svg import page_svg

#: The formats of cut sheets, with the endings of their files.
FORMATS = {"svg": (".svg",), "pdf": (".pdf",), "png": (".png",)}


@dataclass(frozen=True)
class Document:
    """A file that is to be written, with the sheets that are in it, and what makes its content."""

    path: str
    sheets: tuple[Sheet, ...]
    content: Callable[[], bytes]


def ending_of(path: str) -> str:
    """What kind of file a path means; ``-`` is an SVG.

    Raises
    ------
    UsageError
        If it has another ending than ``.svg``, ``.pdf`` or ``.png``.
    """
    return f".{format_for(path, FORMATS, 'svg' if path == '-' else None)}"


def documents(sheets: Sequence[Sheet], path: str, title: str, dpi: int) -> Iterator[Document]:
    """The files that hold those sheets.

    Parameters
    ----------
    sheets
        What to write.
    path
        The only file's path, or what the paths of several are made from; ``-`` for a single SVG on standard output.
    title
        What viewers call it.
    dpi
        Pixels to an inch, for PNG.

    Raises
    ------
    JigsatError
        If there are several sheets for standard output, or a picture would be too large.
    """
    ending = ending_of(path)
    if ending == ".pdf":
        yield Document(path, tuple(sheets), lambda: pages_pdf(sheets, title))
        return
    if path == "-" and len(sheets) > 1:
        raise InstanceError(f"standard output: takes one sheet, and there are {len(sheets)}: write them to a file")
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
    return lambda: page_svg(sheet, title).encode("ascii")
