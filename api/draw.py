"""Pictures of puzzles, boards, tilings and search orders, and of a jigsaw on a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import UsageError, grouped, need_extra
from ..csp.base.safe_files import label_of, replacing_bytes
from ..csp.base.stop import Report, stoppable
from ..csp.engines.request import refuse_given, refuse_of_others
from ..csp.files.file_format import format_for
from ..csp.files.instances import Puzzle, require_frame, require_jigsaw
from ..csp.files.solutions import Solutions, numbered_one, solutions_given
from ..csp.files.to_show import own_solutions
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..estimators.effort.search_effort import named_order
from ..render.picture import (
    Picture,
    picture_of_boards,
    picture_of_dissection,
    picture_of_sheet,
    picture_of_squares,
    refuse_picture,
)
from .laying_out import SOLVE_SECONDS, board_to_lay, crop_asked, second_board_of, solved, tell
from .public import AnyOrder, AnyPuzzle, opened_with_board, public

if TYPE_CHECKING:
    from PIL.Image import Image


@public
def draw(
    puzzle: AnyPuzzle,
    solution: Solutions | None = None,
    *,
    order: AnyOrder = None,
    pieces: bool = False,
    all: bool = False,  # noqa: A002 (the name of the option)
    all_days: bool = False,
    number: int | None = None,
    numbers: bool = True,
    legend: bool = False,
    color: Literal["shape", "piece", "orientation"] | None = None,
    page: str | None = None,
    time_limit: float = SOLVE_SECONDS,
    output: str | Path | None = None,
    report: Report | None = None,
) -> Picture:
    """Draw a board, a tiling, the pieces or a search order.

    Without a solution, the picture shows what the file has: the board of a viewer link, an assembly of a jigsaw, or the
    pieces of a dissection if they tile the target.  Otherwise the puzzle is solved; if that fails, or is
    predicted to take longer than the time limit, the picture shows the set of pieces.  `draw_print` draws cut sheets of
    jigsaws, `draw_photo` renders a jigsaw on a table, and `view` makes a page of many solutions.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is: a file, the name of a bundled puzzle, or a viewer link.
    solution : board, tiling, list of these, str or Path, optional
        One or several boards or tilings, which may be invalid, boards also partial; or a solution file (JSON), a table
        of boards (CSV), a viewer link, or - for standard input.
    order : str, Path or iterable of int, optional
        Draw a search order as a path over the board: a name as for `solve`, a file of square names, or all squares.
    pieces : bool, default False
        Draw the set of pieces.
    all : bool, default False
        Draw all boards or tilings on one sheet: those of the solution, the assemblies of a jigsaw, or those that a
        search finds, up to 1000 tilings or 100 boards.
    all_days : bool, default False
        Draw a tiling for each of the 366 days of a calendar on one sheet, with the number of ways.  Cells of a calendar
        have the labels Jan to Dec and 1 to 31, and those of a day stay free.
    number : int, optional
        Draw the N-th board or tiling of the solution (default: 1).  Without one: the N-th assembly of a jigsaw.
    numbers : bool, default True
        Show the numbers of pieces and depths; otherwise omit the numbers of pieces and depths.
    legend : bool, default False
        Show the colours with their numbers.
    color : {'shape', 'piece', 'orientation'}, optional
        What has a colour of its own in a dissection: each shape (the default), each piece, or each way in which a shape
        lies.
    page : str, optional
        Draw on a page of this size, as large as fits: a0 to a6, letter, legal, tabloid, or WIDTHxHEIGHT in mm.
    time_limit : float, default 60
        Without a solution in the file, solve the puzzle for at most this many seconds, on the command line also 1m30s
        or 2h.  0: no search; the picture shows the fixed pieces on an otherwise empty board or, if no piece is fixed,
        the set of pieces.
    output : str or Path, optional
        A file to write: .svg, .png or .pdf; - for standard output (SVG).
    report : callable, optional
        Called with a `Progress` that names the day.

    Returns
    -------
    Picture
        An SVG.  Notebooks display it; its method `save` writes it.

    Raises
    ------
    InstanceError
        If the solution cannot be read, or does not fit the puzzle.
    UsageError
        If options exclude each other, or do not apply to the puzzle.
    OrderError
        If the order does not exist.

    Examples
    --------
    >>> draw("clue1", order="best").save("order.svg")
    >>> str(draw("tangram"))[:4]
    '<svg'
    """
    if output is not None:
        refuse_picture(output)
    size = None
    if page is not None:
        from ..render.cut.sizes import page_of

        size = page_of(page)
    puzzle, linked = opened_with_board(puzzle)
    solution = linked if solution is None and not pieces else solution
    is_dissection = isinstance(puzzle, DissectionPuzzle)
    refuse_of_others(puzzle, **({"order": order, "legend": legend} if is_dissection else {"color": color}))
    if solution is None and number is None and order is None and not (pieces or all_days):
        solution = _to_draw(puzzle, time_limit, report, several=all)
        pieces = solution is None and time_limit > 0
    if isinstance(puzzle, DissectionPuzzle):
        if all_days:
            refuse_given("is another picture than that of all days; give only one of them", pieces=pieces, all=all)
            refuse_given("is not needed for a picture of all days", solution=solution, number=number)
            picture = _drawn_year(puzzle, report)
        else:
            picture = _drawn_dissection(
                puzzle, solution, pieces=pieces, sheet=all, number=number, numbers=numbers, color=color or "shape"
            )
    else:
        picture = _drawn_board(
            puzzle, solution, order, all=all, pieces=pieces, number=number, numbers=numbers, legend=legend
        )
    picture = picture if size is None else picture.on_page(*size)
    if output is not None:
        picture.save(output)
    return picture


# The largest number of tilings or boards on a sheet, if a search finds them.
_MOST_TILINGS, _MOST_BOARDS = 1000, 100


def _to_draw(puzzle: Puzzle, seconds: float, report: Report | None, *, several: bool) -> Sequence[Any] | None:
    """The solutions of a puzzle to draw: those in its file, or some that a search finds; None without any."""
    is_dissection = isinstance(puzzle, DissectionPuzzle)
    own = () if several and is_dissection else own_solutions(puzzle)
    most = 1 if not several else _MOST_TILINGS if is_dissection else _MOST_BOARDS
    return own or solved(puzzle, "drawing its pieces", most=most, seconds=seconds, report=report) or None


def _drawn_board(
    puzzle: EdgeMatchingPuzzle,
    solution: Solutions | None,
    order: AnyOrder,
    *,
    all: bool,  # noqa: A002
    pieces: bool,
    number: int | None,
    numbers: bool,
    legend: bool,
) -> Picture:
    refuse_given("draws all boards; give only one of them", number=number if all else None)
    if all and solution is not None and not pieces:
        refuse_given("is a picture of one board; give only one of them", order=order)
        boards = solutions_given(puzzle, solution)
        if len(boards) > 1:
            return picture_of_boards(puzzle, boards, numbers=numbers)
    if pieces:
        refuse_given("cannot be drawn with the pieces; give only one of them", order=order)
        refuse_given("chooses a board, and the pieces are drawn; give only one of them", number=number)
        if solution is not None:
            raise UsageError("draws the pieces, not a board; omit SOLUTION", "pieces")
    board = _board(puzzle, solution, number)
    path = None if order is None else named_order(puzzle, order)
    return picture_of_squares(puzzle, board, order=path, pieces=pieces, numbers=numbers, legend=legend)


def _board(puzzle: EdgeMatchingPuzzle, solution: Solutions | None, number: int | None) -> Any:
    if solution is not None:
        return numbered_one(solutions_given(puzzle, solution), number, _label(solution))
    if number is None:
        return None
    if not puzzle.assemblies:
        raise UsageError("needs a SOLUTION, or a jigsaw with assemblies, to choose a board from", "number")
    return numbered_one(puzzle.assemblies, number, puzzle.name)


def _drawn_dissection(
    puzzle: DissectionPuzzle,
    solution: Solutions | None,
    *,
    pieces: bool,
    sheet: bool,
    number: int | None,
    numbers: bool,
    color: Literal["shape", "piece", "orientation"],
) -> Picture:
    if solution is None:
        refuse_given("needs a SOLUTION with tilings", number=number, all=sheet)
        return picture_of_dissection(puzzle, numbers=numbers, color=color)
    refuse_given("draws the pieces, not a tiling; omit SOLUTION", pieces=pieces)
    if number is not None:
        refuse_given("draws all tilings; omit the number", all=sheet)
    tilings: Sequence[Any] = solutions_given(puzzle, solution)
    if not (sheet and tilings):
        tilings = [numbered_one(tilings, number, _label(solution), "tiling")]
    return picture_of_dissection(puzzle, tilings, sheet=sheet, numbers=numbers, color=color)


def _drawn_year(puzzle: DissectionPuzzle, report: Report | None) -> Picture:
    """A sheet with a tiling for each day of a calendar, and the number of ways."""
    from ..csp.tilings.calendar_days import tilings_by_day

    with stoppable(report=report) as stop:
        days = list(tilings_by_day(puzzle, stop))
    drawn = [(day.puzzle, (None,) * len(puzzle.pieces) if day.tiling is None else day.tiling) for day in days]
    captions = [f"{day.name}: {grouped(day.count)}" for day in days]
    return picture_of_sheet(drawn, f"{puzzle.name}: the ways of all days", "day", captions)


def _label(solution: Any) -> str:
    return label_of(solution) if not isinstance(solution, list | tuple) else "solution"


#: The formats of renderings, with the endings of their files.
PHOTO_FORMATS = {"PNG": (".png",), "JPEG": (".jpg", ".jpeg")}
_QUALITY, _PIXELS, _MOST_PIXELS = 90, 96, 100_000_000


@dataclass(frozen=True, repr=False)
class Photo:
    """A rendering of a jigsaw; notebooks display it."""

    #: The picture.
    image: Image

    def save(self, path: str | Path) -> None:
        """Write the rendering to a file that ends in ``.png`` or ``.jpg``; ``-`` is standard output, a PNG file.

        Raises UsageError if the ending is another one. Raises InstanceError if the file cannot be written.
        """
        content = self._encoded(photo_kind(path))
        with replacing_bytes(path) as file:
            file.write(content)

    def _encoded(self, kind: str) -> bytes:
        content = BytesIO()
        self.image.save(content, kind, quality=_QUALITY)
        return content.getvalue()

    def __repr__(self) -> str:
        return f"<Photo of {self.image.width} x {self.image.height} pixels>"

    def _repr_png_(self) -> bytes:
        return self._encoded("PNG")


@public
def draw_photo(
    puzzle: AnyPuzzle,
    solution: Solutions | None = None,
    *,
    number: int | None = None,
    loose: int | None = None,
    pixels: int | None = None,
    seed: int | None = None,
    curves: int | None = None,
    image: str | Path | None = None,
    crop: bool = False,
    crop_at: str | None = None,
    second_board: AnyPuzzle | None = None,
    output: str | Path | None = None,
    report: Report | None = None,
) -> Photo:
    """Render a jigsaw on a table, with tabs, bevelled edges and shadows.

    The artwork is given as it lies in the first assembly; another `number` shows how that assembly rearranges it.
    Pieces that are left over lie beside the others.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, str or Path
        The jigsaw, or where it is: a file, the name of a bundled puzzle, or a viewer link.
    solution : board, list of boards, str or Path, optional
        The assembly in which the pieces lie: a board, a solution file (JSON), a table of boards (CSV), a viewer link,
        or - for standard input; by default the jigsaw's first assembly.
    number : int, optional
        The N-th board of the solution, or assembly of the jigsaw (default: 1).
    loose : int, optional
        Number of pieces not yet in place (default: 0).
    pixels : int, optional
        Side length of a piece in pixels (default: 96).
    seed : int, optional
        Random seed of the loose pieces (default: 0).
    curves : int, optional
        Random seed of the curves (default: 0).
    image : str or Path, optional
        Artwork (PNG, JPEG, ...) on the pieces.
    second_board : EdgeMatchingPuzzle, str or Path, optional
        A jigsaw of the same pieces with another board, on which they lie; the artwork is that of the first.
    output : str or Path, optional
        A file for the picture: .png or .jpg; - for standard output (PNG).

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
    >>> draw_photo("perfect-3x3", pixels=20, loose=2).save("photo.png")
    """
    need_extra("PIL", "scipy")
    from ..csp.files.picture_files import read_image
    from ..render.cut.family import cut_of
    from ..render.photo.photo import LEAST_PIXELS, MOST_PIXELS, area, photo

    if output is not None:
        photo_kind(output)
    puzzle, linked = opened_with_board(puzzle)
    solution = linked if solution is None else solution
    jigsaw = require_frame(require_jigsaw(puzzle, "tabs"), "renderings are")
    length = _PIXELS if pixels is None else pixels
    if not LEAST_PIXELS <= length <= MOST_PIXELS:
        raise UsageError(f"{length}: must be from {LEAST_PIXELS} to {MOST_PIXELS}", "pixels")
    laid = second_board_of(jigsaw, second_board, hidden=False) or jigsaw
    board = board_to_lay(laid, solution, number)
    if loose is not None and not 0 <= loose <= len(board):
        raise UsageError(f"{loose}: the jigsaw has {len(board)} pieces; give from 0 to {len(board)}", "loose")
    if area(laid.board, len(jigsaw.pieces) - len(board), length, loose or 0, seed or 0) > _MOST_PIXELS:
        beside = f", {loose} of them loose" if loose else ""
        raise UsageError(f"{length}: is too much for {len(board)} pieces{beside}; give fewer pixels", "pixels")
    how = crop_asked(image, crop, crop_at)
    artwork = None
    if image is not None:
        if not jigsaw.assemblies:
            raise UsageError(f"{jigsaw.name} has no assembly to place the picture on", "image")
        artwork = read_image(image, jigsaw.rows, jigsaw.columns, crop=how)
    tell(report, "curves")
    cut = cut_of(jigsaw, curves or 0)
    options = {"pixels": length, "board": laid.board, "loose": loose or 0, "seed": seed or 0}
    rendered = Photo(photo(jigsaw, cut, board, artwork, report=lambda note: tell(report, note), **options))
    if output is not None:
        rendered.save(output)
    return rendered


def photo_kind(path: str | Path) -> str:
    """The format of a rendering, ``PNG`` or ``JPEG``, by the ending of its file; errors are those of `Photo.save`."""
    return format_for(path, PHOTO_FORMATS, "PNG")
