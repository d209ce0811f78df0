"""Cut sheets of jigsaws, true to scale, and renderings of jigsaws on a table."""

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
from ...csp.files.file_format import format_for
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

#: The kinds of cut sheets, in their order.
SHEETS = ("cut", "back", "legend", "assemblies")
_LEAST_DPI, _MOST_DPI, _DPI = 10, 1200, 300
#: The formats of renderings, with the endings of their files.
PHOTO_FORMATS = {"PNG": (".png",), "JPEG": (".jpg", ".jpeg")}
_QUALITY, _PIXELS, _MOST_PIXELS = 90, 96, 100_000_000


@dataclass(frozen=True)
class CutSheets:
    """Cut sheets of a jigsaw; notebooks display the first one.

    Parameters
    ----------
    job : CuttingJob
        The jigsaw, its assembly, its curves and the measures.
    sheets : tuple of Sheet
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
        """Write the sheets as one PDF, or as one SVG or PNG file a sheet.

        Parameters
        ----------
        path : str or Path
            The file, which ends in ``.pdf``, ``.svg`` or ``.png``; ``-`` for standard output, for a single sheet.
            Several SVG or PNG files have names made from this one.
        dpi : int, optional
            For PNG: pixels per inch, by default 300.
        keep : sequence of str or Path
            Files that must not be overwritten because they were read.
        report : callable, optional
            Called with a `Progress` that names the file being made.

        Returns
        -------
        tuple of Document
            The files that were written, with their sheets.

        Raises
        ------
        UsageError
            If the ending is another one, or `dpi` is out of range or is given for a file without pixels.
        InstanceError
            If a file cannot be written.
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
        # All files are made before the first one is written.
        for file, content in zip(files, contents, strict=True):
            with replacing_bytes(file.path) as output:
                output.write(content)
        return files

    def summary(self, files: "Sequence[Document]" = ()) -> str:
        """What is certain about the pieces, and the pages of the files that were written."""
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

    def __repr__(self) -> str:
        return f"<cut sheets of {self.job.puzzle.name}, {len(self.sheets)} in all>"

    def _repr_svg_(self) -> str:
        from ...render.cut.output.page_svg import page_svg

        return page_svg(self.sheets[0], self.job.puzzle.name)


@dataclass(frozen=True)
class Photo:
    """A rendering of a jigsaw; notebooks display it.

    Parameters
    ----------
    image : PIL.Image.Image
        The picture.
    """

    image: "Image"

    def save(self, path: str | Path) -> None:
        """Write the rendering to a file that ends in ``.png`` or ``.jpg``; ``-`` is standard output, a PNG file.

        Raises
        ------
        UsageError
            If the ending is another one.
        InstanceError
            If the file cannot be written.
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
    """Draw cut sheets of a jigsaw, true to scale, as ``jigsat cut`` does.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle
        The jigsaw.
    solution : board, list of boards, str or Path, optional
        The assembly in which the pieces lie, or a file or a link that holds it; by default the jigsaw's first one.
    number : int, optional
        Which of several assemblies to use, from 1.
    numbers : bool, default True
        Whether to number the pieces.
    size : float, optional
        The side of a piece in mm, by default 25.
    page : str, optional
        A name such as ``a4``, or width and height in mm as in ``300x200``; by default sheets are as large as needed.
    margin : float, optional
        The empty margin of a page in mm, by default 10.
    kerf : float, optional
        The width of the cut in mm, by default 0.15.
    curves : int, optional
        The random seed of the curves.
    sheets : str or sequence of str, optional
        Some of ``cut``, ``back``, ``legend`` and ``assemblies``, as a list or separated by commas.
    image : str or Path, optional
        Artwork that lies under the lines.
    report : callable, optional
        Called with a `Progress` that names the current step.

    Returns
    -------
    CutSheets
        The sheets.  Notebooks display the first one; the method `save` writes them.

    Raises
    ------
    InstanceError
        If the puzzle is not a jigsaw, or there is no assembly that can be cut.
    UsageError
        If a kind of sheet does not exist.
    JigsatError
        If a size is out of range, or a library that pictures need is not installed.

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
    """Raise the errors of `CutSheets.save` about the file's ending and `dpi`, before any work is done."""
    from ...render.cut.output.documents import ending_of

    ending = ending_of(str(path))
    if dpi is not None and ending != ".png":
        raise UsageError(f"{dpi}: it is for PNG files only", "dpi")
    if dpi is not None and not _LEAST_DPI <= dpi <= _MOST_DPI:
        raise UsageError(f"{dpi}: must be from {_LEAST_DPI} to {_MOST_DPI}", "dpi")
    need_extra(*{".svg": (), ".pdf": ("reportlab",), ".png": ("reportlab", "pypdfium2", "PIL")}[ending])


def _tell(report: Report | None, note: str) -> None:
    if report is not None:
        report(Progress(note=note))


def _kinds(sheets: str | Sequence[str] | None, *, with_image: bool, numbers: bool) -> list[str]:
    """The kinds of sheets to make, in their order."""
    if sheets is None:
        return [kind for kind in SHEETS if kind != "back" or (with_image and numbers)]
    listed = sheets.split(",") if isinstance(sheets, str) else sheets
    wanted = [kind.strip().lower() for kind in listed]
    for kind in wanted:
        if kind not in SHEETS:
            raise UsageError(f"unknown kind {shortened(kind)!r}, choose from {', '.join(SHEETS)}", "sheets")
    if with_image and not {"cut", "assemblies"} & set(wanted):
        raise UsageError("it is drawn on the sheets cut and assemblies; add one of them, or omit the image", "image")
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
        how = "solve the jigsaw first (jigsat solve JIGSAW -o SOLUTION), and add SOLUTION to the command"
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
    """Collect all that the sheets need."""
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
    # Each back follows its front, as duplex printers need it.
    pairs = [sheet for pair in zip_longest(fronts, backs) for sheet in pair if sheet is not None]
    return [*pairs, *(sheet for some in made.values() for sheet in some)]


def _named(puzzle: EdgeMatchingPuzzle, board: Arrangement) -> list[tuple[str, Arrangement]]:
    """The assemblies to show: those of the jigsaw, after the one that is cut if it is not among them."""
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
    """Render a jigsaw as it lies on a table, as ``jigsat photo`` does.

    Parameters
    ----------
    puzzle, solution, number, curves
        As for `draw_print`.
    loose : int, optional
        The number of pieces that are not yet in place, by default 0.
    pixels : int, optional
        The side of a piece in pixels, by default 96.
    seed : int, optional
        The random seed of the positions of the loose pieces.
    image : str or Path, optional
        The artwork on the first assembly.
    report : callable, optional
        Called with a `Progress` that names the current step.

    Returns
    -------
    Photo
        The rendering.  Notebooks display it; its method `save` writes it.

    Raises
    ------
    InstanceError
        If the puzzle is not a jigsaw, or there is no assembly to lay out.
    UsageError
        If an option is out of range, or there is artwork but the jigsaw has no assembly to place it on.
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
            raise UsageError(f"{jigsaw.name} has no assembly to place the picture on", "image")
        artwork = read_image(image, jigsaw.rows, jigsaw.columns)
    _tell(report, "curves")
    cut = cut_of(jigsaw, curves or 0)
    options = {"pixels": length, "loose": loose or 0, "seed": seed or 0}
    return Photo(photo(jigsaw, cut, board, artwork, report=lambda note: _tell(report, note), **options))


def photo_kind(path: str | Path) -> str:
    """The format of a rendering, ``PNG`` or ``JPEG``, by the ending of its file; errors are those of `Photo.save`."""
    return format_for(path, PHOTO_FORMATS, "PNG")


def _side_length(squares: int, pixels: int) -> int:
    """The side of a piece in pixels, checked."""
    from ...render.photo.photo import LEAST_PIXELS, MOST_PIXELS

    if not LEAST_PIXELS <= pixels <= MOST_PIXELS:
        raise UsageError(f"{pixels}: must be from {LEAST_PIXELS} to {MOST_PIXELS}", "pixels")
    if squares * pixels**2 > _MOST_PIXELS:
        raise UsageError(f"{pixels}: is too much for {squares} pieces; give fewer pixels", "pixels")
    return pixels
