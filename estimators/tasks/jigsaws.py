"""Jigsaws to cut out and to look at: cut sheets, true to scale, and renderings on a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, UsageError, shortened
from ...csp.base.extras import need_extra
from ...csp.base.safe_files import escaped, label_of, refuse_same_file, replacing_bytes
from ...csp.base.stopping import Progress, Report
from ...csp.files.instances import Puzzle, require_jigsaw
from ...csp.files.solutions import Solutions, numbered_one, solutions_given
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...render.cut.output.documents import Document
    from ...render.cut.paper.paper import Sheet
    from ...render.cut.paper.sizes import Measures
    from ...render.cut.sheets.cutting_job import CuttingJob

#: What kinds of cut sheets there are, in their order.
SHEETS = ("cut", "back", "legend", "assemblies")
_LEAST_DPI, _MOST_DPI, _DPI = 10, 1200, 300
_KINDS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
_QUALITY, _PIXELS, _MOST_PIXELS = 90, 96, 100_000_000


@dataclass(frozen=True)
class CutSheets:
    """Cut sheets of a jigsaw; notebooks show the first one.

    Parameters
    ----------
    job
        What is to be cut, and how.
    sheets
        The sheets.
    """

    job: "CuttingJob"
    sheets: "tuple[Sheet, ...]"

    def save(
        self,
        path: str | Path,
        *,
        dpi: int | None = None,
        keep: Sequence[str | Path | None] = (),
        report: Report | None = None,
    ) -> "tuple[Document, ...]":
        """Write the sheets: one PDF, or a file for each in SVG or PNG, whose paths are made from the one given.

        Parameters
        ----------
        path
            Its ending is ``.pdf``, ``.svg`` or ``.png``; ``-`` is standard output, for one sheet.
        dpi
            For PNG: pixels to an inch; 300 if left out.
        keep
            Files that must not be written, because they were read.
        report
            Is told which file is being made.

        Returns
        -------
        tuple of Document
            The files that were written, with their sheets.

        Raises
        ------
        UsageError
            If `dpi` is for no such file, or out of range.
        InstanceError
            If the ending is another one, or a file cannot be written.
        JigsatError
            If a library that pictures need is not installed.
        """
        from ...render.cut.output.documents import documents

        refuse_output(path, dpi)
        files = tuple(documents(self.sheets, str(path), self.job.puzzle.name, dpi or _DPI))
        for file in files:
            refuse_same_file(file.path, *keep)
        contents: list[bytes] = []
        for number, file in enumerate(files, start=1):
            _tell(report, f"file {number} of {len(files)}")
            contents.append(file.content())
        # Nothing is written before all is made.
        for file, content in zip(files, contents, strict=True):
            with replacing_bytes(file.path) as output:
                output.write(content)
        return files

    def summary(self, files: "Sequence[Document]" = ()) -> str:
        """What is certain about the pieces, and what is on the pages of the files that were written."""
        from ...render.cut.paper.sizes import shown
        from ...render.cut.sheets.certainties import statement

        rows: list[tuple[str, str, str]] = []
        for file in files:
            name = "standard output" if file.path == "-" else escaped(file.path)
            for number, sheet in enumerate(file.sheets, start=1):
                page = f", page {number}" if len(file.sheets) > 1 else ""
                rows.append((f"{name}{page}", shown(sheet.width, sheet.height), sheet.about))
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        lines = [f"{name:{widths[0]}}  {size:{widths[1]}}  {about}" for name, size, about in rows]
        return "\n".join([*statement(self.job), *lines])

    def _repr_svg_(self) -> str:
        from ...render.cut.output.page_svg import page_svg

        return page_svg(self.sheets[0], self.job.puzzle.name)


@dataclass(frozen=True)
class Photo:
    """A rendering of a jigsaw, which notebooks show.

    Parameters
    ----------
    image
        The picture, as Pillow has it.
    """

    image: "Image"

    def save(self, path: str | Path) -> None:
        """Write the rendering to a file that ends in ``.png`` or ``.jpg``; ``-`` is standard output, a PNG file.

        Raises
        ------
        InstanceError
            If the ending is another one, or the file cannot be written.
        """
        content = self._encoded(photo_kind(path))
        with replacing_bytes(path) as file:
            file.write(content)

    def _encoded(self, kind: str) -> bytes:
        content = BytesIO()
        self.image.save(content, kind, quality=_QUALITY)
        return content.getvalue()

    def _repr_png_(self) -> bytes:
        return self._encoded("PNG")


def draw_print(
    puzzle: Puzzle,
    solution: Solutions | None = None,
    *,
    number: int | None = None,
    numbers: bool = True,
    size: float | None = None,
    page: str | None = None,
    margin: float | None = None,
    kerf: float | None = None,
    curves: int | None = None,
    sheets: str | Sequence[str] | None = None,
    image: str | Path | None = None,
    report: Report | None = None,
) -> CutSheets:
    """Draw cut sheets of a jigsaw, true to scale: what ``jigsat draw --print`` does.

    Parameters
    ----------
    puzzle
        The jigsaw.
    solution
        The assembly in which the pieces lie, or a file or a link that holds it; the jigsaw's first one if left out.
    number
        Which one of several assemblies, from 1.
    numbers
        Whether pieces get numbers.
    size, margin, kerf
        In mm: the length of a piece's side (25 if left out), what stays empty at the edges (10), the width of the cut
        (0.15).
    page
        A name such as ``a4``, or width and height in mm as in ``300x200``; sheets as large as needed if left out.
    curves
        Which family of curves.
    sheets
        Some of ``cut``, ``back``, ``legend`` and ``assemblies``, as a list or separated by commas.
    image
        Artwork to lie under the lines.
    report
        Is told what is being done.

    Raises
    ------
    InstanceError
        If it is no jigsaw, or there is no assembly that can be cut.
    UsageError
        If there is no such kind of sheet.
    JigsatError
        If a size makes no sense, or a library that pictures need is not installed.

    Examples
    --------
    >>> from jigsat import read
    >>> sheets = draw_print(read("perfect-3x3"), sheets="cut")
    >>> [file.path for file in sheets.save("cut.svg")]
    ['cut.svg']
    """
    jigsaw = require_jigsaw(puzzle, "tabs")
    kinds = _kinds(sheets, with_image=image is not None, numbers=numbers)
    _tell(report, "curves")
    measures = _measures(page, size=size, margin=margin, kerf=kerf)
    board = _laid_out(jigsaw, solution, number)
    job = _job(jigsaw, board, measures, curves or 0, image, numbers=numbers)
    return CutSheets(job, tuple(_sheets(job, kinds)))


def refuse_output(path: str | Path, dpi: int | None) -> None:
    """Refuse files that cut sheets could not be written to as they are wanted; errors are those of `CutSheets.save`."""
    from ...render.cut.output.documents import ending_of

    ending = ending_of(str(path))
    if dpi is not None and ending != ".png":
        raise UsageError(f"{dpi} is for PNG files; the others have no pixels", "dpi")
    if dpi is not None and not _LEAST_DPI <= dpi <= _MOST_DPI:
        raise UsageError(f"{dpi}: must be from {_LEAST_DPI} to {_MOST_DPI}", "dpi")
    need_extra(*{".svg": (), ".pdf": ("reportlab",), ".png": ("reportlab", "pypdfium2", "PIL")}[ending])


def _tell(report: Report | None, note: str) -> None:
    if report is not None:
        report(Progress(note=note))


def _kinds(sheets: str | Sequence[str] | None, *, with_image: bool, numbers: bool) -> list[str]:
    """What kinds of sheets are wanted, in their order."""
    if sheets is None:
        return [kind for kind in SHEETS if kind != "back" or (with_image and numbers)]
    listed = sheets.split(",") if isinstance(sheets, str) else sheets
    wanted = [kind.strip().lower() for kind in listed]
    for kind in wanted:
        if kind not in SHEETS:
            raise UsageError(f"{shortened(kind)!r} is none of {', '.join(SHEETS)}", "sheets")
    if with_image and not {"cut", "assemblies"} & set(wanted):
        raise UsageError("lies on cut sheets and assemblies; add one of them to the sheets, or leave it out", "image")
    return [kind for kind in SHEETS if kind in wanted]


def _measures(page: str | None, **given: float | None) -> "Measures":
    from ...render.cut.paper.sizes import Measures, page_of

    sizes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return Measures(page=None if page is None else page_of(page), **sizes)


def _laid_out(puzzle: EdgeMatchingPuzzle, solution: Solutions | None, number: int | None) -> Arrangement:
    """The assembly in which the pieces lie: the one given, or one of the jigsaw itself."""
    boards: Sequence[Arrangement] = puzzle.assemblies
    source = puzzle.name
    if solution is not None:
        boards = solutions_given(puzzle, solution)
        source = label_of(solution) if isinstance(solution, str | Path) else source
    if not boards:
        how = "solve it first (jigsat solve JIGSAW -o SOLUTION), and give SOLUTION behind it"
        raise InstanceError(f"{source}: there is no assembly to lay out; {how}")
    board = numbered_one(boards, number, source)
    for problem in check(puzzle, board).problems:
        raise InstanceError(f"{source}: board {number or 1} cannot be cut: {problem}")
    return board


def _job(
    puzzle: EdgeMatchingPuzzle,
    board: Arrangement,
    measures: "Measures",
    curves: int,
    image: str | Path | None,
    *,
    numbers: bool,
) -> "CuttingJob":
    """What is to be cut."""
    from ...render.cut.curves.family import cut_of
    from ...render.cut.paper.artwork import load_artwork
    from ...render.cut.paper.sizes import check_neck
    from ...render.cut.sheets.cutting_job import CuttingJob

    artwork = None if image is None else load_artwork(str(image), puzzle.rows, puzzle.columns)
    cut = cut_of(puzzle, curves)
    check_neck(puzzle.name, measures, cut.family)
    return CuttingJob(puzzle, board, cut, measures, numbers, artwork)


def _sheets(job: "CuttingJob", kinds: Sequence[str]) -> "list[Sheet]":
    """The sheets of these kinds."""
    from ...render.cut.sheets.assemblies import assembly_sheets
    from ...render.cut.sheets.cut_sheets import back_sheets, cut_sheets
    from ...render.cut.sheets.legend import legend_sheets

    make: dict[str, Callable[[CuttingJob], Sequence[Sheet]]] = {
        "cut": cut_sheets,
        "back": back_sheets,
        "legend": legend_sheets,
        "assemblies": lambda job: assembly_sheets(job, _named(job.puzzle, job.board)),
    }
    made = {kind: make[kind](job) for kind in kinds}
    fronts, backs = made.pop("cut", ()), made.pop("back", ())
    # Each back follows its front, as printers on both sides want it.
    pairs = [sheet for pair in zip_longest(fronts, backs) for sheet in pair if sheet is not None]
    return [*pairs, *(sheet for some in made.values() for sheet in some)]


def _named(puzzle: EdgeMatchingPuzzle, board: Arrangement) -> list[tuple[str, Arrangement]]:
    """The assemblies that are shown: those of the jigsaw, and before them the one that is cut if it is none of them."""
    named = [(f"assembly {number}", assembly) for number, assembly in enumerate(puzzle.assemblies, start=1)]
    return named if board in puzzle.assemblies else [("solution", board), *named]


def draw_photo(
    puzzle: Puzzle,
    solution: Solutions | None = None,
    *,
    number: int | None = None,
    loose: int | None = None,
    pixels: int | None = None,
    seed: int | None = None,
    curves: int | None = None,
    image: str | Path | None = None,
    report: Report | None = None,
) -> Photo:
    """Render a jigsaw as it lies on a table: what ``jigsat draw --photo`` does.

    Parameters
    ----------
    puzzle, solution, number, curves
        As for `draw_print`.
    loose
        So many pieces are not yet in place.
    pixels
        How many pixels long a side of a piece is; 96 if left out.
    seed
        How the loose pieces lie.
    image
        The artwork, as it lies in the first assembly.
    report
        Is told what is being done.

    Raises
    ------
    InstanceError
        If it is no jigsaw, or there is no assembly that can be laid out.
    UsageError
        If an option is out of range, or there is no assembly that says where the artwork lies.
    JigsatError
        If a library that pictures need is not installed.

    Examples
    --------
    >>> from jigsat import read
    >>> draw_photo(read("perfect-3x3"), pixels=20, loose=2).save("photo.png")
    """
    need_extra("PIL", "scipy")
    from ...csp.files.picture_files import read_image
    from ...render.cut.curves.family import cut_of
    from ...render.photo.photo import photo

    jigsaw = require_jigsaw(puzzle, "tabs")
    length = _side_length(len(jigsaw.board), _PIXELS if pixels is None else pixels)
    board = _laid_out(jigsaw, solution, number)
    if loose is not None and loose > len(board):
        raise UsageError(f"{loose}: the jigsaw has {len(board)} pieces", "loose")
    artwork = None
    if image is not None:
        if not jigsaw.assemblies:
            raise UsageError(f"{jigsaw.name} has no assembly that says where the picture lies", "image")
        artwork = read_image(image, jigsaw.rows, jigsaw.columns)
    _tell(report, "curves")
    cut = cut_of(jigsaw, curves or 0)
    options = {"pixels": length, "loose": loose or 0, "seed": seed or 0}
    return Photo(photo(jigsaw, cut, board, artwork, report=lambda note: _tell(report, note), **options))


def photo_kind(path: str | Path) -> str:
    """What kind of file a rendering is to be, ``PNG`` or ``JPEG``; errors are those of `Photo.save`."""
    ending = Path(path).suffix.lower()
    if str(path) != "-" and ending not in _KINDS:
        known = ", ".join(_KINDS)
        raise InstanceError(f"{shortened(str(path))}: a rendering is written to a file that ends in {known}")
    return _KINDS.get(ending, "PNG")


def _side_length(squares: int, pixels: int) -> int:
    """The length of a side in pixels, if that makes a picture."""
    from ...render.photo.photo import LEAST_PIXELS, MOST_PIXELS

    if not LEAST_PIXELS <= pixels <= MOST_PIXELS:
        raise UsageError(f"{pixels}: must be from {LEAST_PIXELS} to {MOST_PIXELS}", "pixels")
    if squares * pixels**2 > _MOST_PIXELS:
        raise UsageError(f"{pixels}: is too much for {squares} pieces; fewer make a picture that fits", "pixels")
    return pixels
