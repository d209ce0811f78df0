"""Pictures of puzzles and their solutions, for notebooks and files."""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree as ET

from ..csp.base.errors import JigsatError, grouped, need_extra, plural
from ..csp.base.notebook import short
from ..csp.base.safe_files import replacing_bytes
from ..csp.files.file_format import format_for
from ..csp.puzzles.board import Arrangement
from ..csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .svg.board import draw_board, draw_boards, draw_pieces

#: Notebooks display puzzles with fewer pieces than this as pictures.
MOST_UNASKED = 900

#: The formats of pictures, with the endings of their files.
FORMATS = {"svg": (".svg",), "png": (".png",), "pdf": (".pdf",)}
# Pixels of a PNG to a pixel of the SVG, and the most that one side may have.
_PNG_SCALE, _MOST_PIXELS = 2.0, 32_000
# The least margin of a page in mm.
_PAGE_MARGIN = 10.0


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture; notebooks display it.

    Parameters
    ----------
    svg : str
        The text of an SVG, in ASCII.
    about : str, default ''
        What it shows, such as ``65 tilings``.
    """

    svg: str
    about: str = ""

    def save(self, path: str | Path) -> None:
        """Write the picture to a file as SVG, PNG or PDF, completely or not at all.

        Parameters
        ----------
        path : str or Path
            The file, whose ending determines the format; ``-`` for an SVG on standard output.

        Raises
        ------
        UsageError
            If the ending is another one than ``.svg``, ``.png`` or ``.pdf``.
        InstanceError
            If the file cannot be written.
        JigsatError
            If the library that makes PNG and PDF files is not installed.
        """
        content = self.content(format_for(path, FORMATS, "svg"))
        with replacing_bytes(path) as file:
            file.write(content)

    def content(self, kind: str) -> bytes:
        """The content of a file in one of the formats `FORMATS`.

        Raises
        ------
        JigsatError
            If the library that makes PNG and PDF files is not installed.
        """
        if kind == "svg":
            return self.svg.encode("ascii")
        cairosvg, root = _cairosvg(), ET.fromstring(self.svg)
        scale = min(_PNG_SCALE, _MOST_PIXELS / max(_pixels(root.get(side, "1")) for side in ("width", "height")))
        _fill_over_strokes(root)
        svg = ET.tostring(root)
        return cairosvg.svg2pdf(svg) if kind == "pdf" else cairosvg.svg2png(svg, scale=scale)

    def on_page(self, width: float, height: float) -> "Picture":
        """The picture in the middle of a page of this size in mm, as large as fits, which lies on the better side."""
        inner = ET.fromstring(self.svg)
        wide, high = (float(inner.get(side, 1)) for side in ("width", "height"))
        if (wide > high) != (width > height):
            width, height = height, width
        room = width - 2 * _PAGE_MARGIN, height - 2 * _PAGE_MARGIN
        place = {"x": f"{_PAGE_MARGIN}", "y": f"{_PAGE_MARGIN}", "width": f"{room[0]:g}", "height": f"{room[1]:g}"}
        for name, value in place.items():
            inner.set(name, value)
        size = {"width": f"{width:g}mm", "height": f"{height:g}mm", "viewBox": f"0 0 {width:g} {height:g}"}
        root = ET.Element("{http://www.w3.org/2000/svg}svg", size)
        root.append(inner)
        ET.register_namespace("", "http://www.w3.org/2000/svg")
        return Picture(ET.tostring(root, encoding="us-ascii").decode("ascii"), self.about)

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        size = re.match(r'<svg [^>]*?\bwidth="(\d+)[^>]*? height="(\d+)', self.svg)
        pixels = f" of {size[1]} x {size[2]} pixels" if size else ""
        return short(f"Picture{pixels}, an SVG of {grouped(len(self.svg))} bytes")

    def _repr_svg_(self) -> str:
        return self.svg


def refuse_picture(path: str | Path) -> str:
    """The format that the ending of a file decides; errors are those of `Picture.save`, before there is a picture."""
    kind = format_for(path, FORMATS, "svg")
    if kind != "svg":
        _cairosvg()
    return kind


def _pixels(length: str) -> float:
    """A length of an SVG in pixels, of which an inch has 96."""
    return float(length.removesuffix("mm")) * (96 / 25.4 if length.endswith("mm") else 1)


def _fill_over_strokes(root: ET.Element) -> None:
    """Repeat groups whose strokes are painted first, without their strokes: Cairo paints them last."""
    for parent in list(root.iter()):
        for place, child in reversed(list(enumerate(parent))):
            if child.get("paint-order") == "stroke":
                over = deepcopy(child)
                over.set("stroke", "none")
                parent.insert(place + 1, over)


def _cairosvg() -> Any:
    need_extra("cairosvg", what="PNG and PDF files need")
    try:
        return import_module("cairosvg")
    except OSError as error:
        raise JigsatError("PNG and PDF files need the Cairo library (libcairo), which is not installed") from error


def picture_of_squares(
    puzzle: EdgeMatchingPuzzle,
    board: Arrangement | None = None,
    *,
    order: tuple[str, Sequence[int]] | None = None,
    pieces: bool = False,
    numbers: bool = True,
    legend: bool = False,
) -> Picture:
    """A board, with a named search order if given; without both, the fixed pieces, or all pieces if none is fixed."""
    if order is not None:
        shown = (None,) * len(puzzle.board) if board is None else board
        name, squares = order
        return Picture(draw_board(puzzle, shown, order=squares, order_name=name, numbers=numbers, legend=legend))
    if board is None and puzzle.fixed and not pieces:
        board = puzzle.fixed_board
    if board is None:
        return Picture(draw_pieces(puzzle, numbers=numbers, legend=legend))
    return Picture(draw_board(puzzle, board, numbers=numbers, legend=legend))


def picture_of_boards(puzzle: EdgeMatchingPuzzle, boards: Sequence[Arrangement], *, numbers: bool = True) -> Picture:
    """Several boards on a sheet."""
    return Picture(draw_boards(puzzle, boards, numbers=numbers), plural(len(boards), "board"))


def picture_of_sheet(
    drawn: Sequence[tuple[DissectionPuzzle, Tiling]], name: str, word: str, captions: Sequence[str]
) -> Picture:
    """Tilings of several puzzles on a sheet with captions; `word` is the word for one of them."""
    from .svg.tiling import draw_sheet

    return Picture(draw_sheet(drawn, name, word, captions=captions))


def picture_of_dissection(
    puzzle: DissectionPuzzle,
    tilings: Sequence[Tiling] = (),
    *,
    sheet: bool = False,
    numbers: bool = True,
    color: Literal["shape", "piece", "orientation"] = "shape",
) -> Picture:
    """The first tiling or, on a sheet, all of them; without tilings, the pieces."""
    from .svg.tiling import draw_dissection_pieces, draw_sheet, draw_tiling, tiling_problems

    if not tilings:
        return Picture(draw_dissection_pieces(puzzle, numbers=numbers, color=color))
    if sheet:
        drawn = [(puzzle, tiling) for tiling in tilings]
        faults = tiling_problems(puzzle, tilings)
        numbered = numbers and len(tilings) == 1
        svg = draw_sheet(drawn, puzzle.name, "tiling", problems=faults, numbers=numbered, color=color)
        return Picture(svg, plural(len(tilings), "tiling"))
    return Picture(draw_tiling(puzzle, tilings[0], numbers=numbers, color=color))


def bundle_of(thing: Any) -> dict[str, str]:
    """The MIME bundle of a puzzle, board or tiling for notebooks: a line of text, and a picture if it is small."""
    puzzle: Any = getattr(thing, "puzzle", thing)
    solution = None if puzzle is thing else thing
    bundle = {"text/plain": repr(thing)}
    if len(puzzle.pieces) < MOST_UNASKED:
        if puzzle.kind == DissectionPuzzle.kind:
            picture = picture_of_dissection(puzzle, [] if solution is None else [solution])
        else:
            picture = picture_of_squares(puzzle, solution)
        bundle["image/svg+xml"] = picture.svg
    return bundle
