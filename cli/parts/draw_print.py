"""`jigsat draw --print`: cut sheets of a jigsaw, true to scale."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from math import isfinite
from typing import TYPE_CHECKING

from ...csp.base.errors import InstanceError, shortened
from ...csp.base.extras import need_extra
from ...csp.base.safe_files import escaped, label_of, refuse_same_file, replacing_bytes
from ...csp.files.instances import Puzzle, require_jigsaw
from ...csp.files.solutions import load_solutions
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...render.cut.paper.artwork import load_artwork
from .options import options_by_name, whole
from .planning import numbered_one
from .progress import bar_on_stderr

if TYPE_CHECKING:
    from ...render.cut.output.documents import Document
    from ...render.cut.paper.paper import Sheet
    from ...render.cut.paper.sizes import Measures
    from ...render.cut.sheets.job import Job

_SHEETS = ("cut", "back", "legend", "assemblies")
_LEAST_DPI, _MOST_DPI, _DPI = 10, 1200, 300
#: Options that only cut sheets have.
OPTIONS = ("size", "page", "margin", "kerf", "sheets", "dpi")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of --print."""
    group = parser.add_argument_group(
        "cut sheets of a jigsaw",
        "With --print: lines to cut (red) and numbers to engrave (blue; the dot above a number tells what is up), each "
        "type of connector with a curve of its own, and a rule of 100 mm on each page.  Pieces lie as in the jigsaw's "
        "first assembly, or in that of --number or SOLUTION.  FILE is one PDF, or it ends in .svg or .png and several "
        "sheets are several files: FILE-cut, FILE-legend, FILE-assembly-1, ...",
    )
    group.add_argument("--print", action="store_true", dest="print_", help="draw cut sheets, true to scale")
    group.add_argument("--size", type=millimetres, metavar="MM", help="the length of a piece's side (default: 25)")
    group.add_argument(
        "--page",
        metavar="PAGE",
        help="a0 to a6, letter, legal, tabloid, k40, beamo, glowforge or WIDTHxHEIGHT in mm; pieces are never parted "
        "(default: sheets as large as needed)",
    )
    group.add_argument("--margin", type=millimetres, metavar="MM", help="what stays empty at the edges (default: 10)")
    group.add_argument("--kerf", type=millimetres, metavar="MM", help="the width of the cut (default: 0.15)")
    group.add_argument("--curves", type=whole, metavar="SEED", help="which family of curves (default: 0)")
    group.add_argument(
        "--sheets",
        metavar="LIST",
        help="out of cut,back,legend,assemblies (default: cut,legend,assemblies; with --image back, too: the numbers, "
        "mirrored left and right, for the back)",
    )
    group.add_argument("--image", metavar="PICTURE", help="artwork (PNG, JPEG, ...) to lie under the lines")
    group.add_argument("--dpi", type=whole, metavar="N", help=f"for PNG: pixels to an inch (default: {_DPI})")
    group.add_argument("--quiet", action="store_true", help="do not show what is being done")


def millimetres(text: str) -> float:
    """A length."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (isfinite(number) and number >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length in mm")
    return number


def print_sheets(puzzle: Puzzle, linked: Arrangement | None, arguments: argparse.Namespace) -> int:
    """Write cut sheets and say what is certain about them; `linked` is the board of a link given as the puzzle."""
    from ...render.cut.output.documents import documents

    puzzle = require_jigsaw(puzzle, "tabs")
    _check_output(arguments)
    kinds = _kinds(arguments)
    with progress(arguments) as tell:
        tell("curves")
        sheets, job = _sheets(puzzle, linked, kinds, arguments)
        files = list(documents(sheets, arguments.output, puzzle.name, arguments.dpi or _DPI))
        for file in files:
            refuse_same_file(file.path, arguments.instance, arguments.solution, arguments.image)
        contents = []
        for number, file in enumerate(files, start=1):
            tell(f"file {number} of {len(files)}")
            contents.append(file.content())
    # Nothing is written before all is made.
    for file, content in zip(files, contents, strict=True):
        with replacing_bytes(file.path) as output:
            output.write(content)
    _tell(job, files, sys.stderr if arguments.output == "-" else sys.stdout)
    return 0


@contextmanager
def progress(arguments: argparse.Namespace) -> Iterator[Callable[[str], None]]:
    """Shows on stderr what is being done, where somebody sees it."""
    with bar_on_stderr(arguments, bar_format="{elapsed} {desc}") as bar:
        yield (lambda what: None) if bar is None else bar.set_description_str


def _check_output(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written as they are wanted."""
    from ...render.cut.output.documents import ending_of

    ending = ending_of(arguments.output)
    if arguments.dpi is not None and ending != ".png":
        raise InstanceError(f"--dpi {arguments.dpi}: is for PNG files; the others have no pixels")
    if arguments.dpi is not None and not _LEAST_DPI <= arguments.dpi <= _MOST_DPI:
        raise InstanceError(f"--dpi {arguments.dpi}: must be from {_LEAST_DPI} to {_MOST_DPI}")
    need_extra(*{".svg": (), ".pdf": ("reportlab",), ".png": ("reportlab", "pypdfium2", "PIL")}[ending])


def _kinds(arguments: argparse.Namespace) -> list[str]:
    """What kinds of sheets are wanted, in their order."""
    if arguments.sheets is None:
        with_back = arguments.image is not None and not arguments.no_numbers
        return [kind for kind in _SHEETS if kind != "back" or with_back]
    wanted = [kind.strip().lower() for kind in arguments.sheets.split(",")]
    for kind in wanted:
        if kind not in _SHEETS:
            raise InstanceError(f"--sheets: {shortened(kind)!r} is none of {', '.join(_SHEETS)}")
    if arguments.image is not None and not {"cut", "assemblies"} & set(wanted):
        raise InstanceError("--image: lies on cut sheets and assemblies; add one of them to --sheets, or leave it out")
    return [kind for kind in _SHEETS if kind in wanted]


def _sheets(
    puzzle: EdgeMatchingPuzzle, linked: Arrangement | None, kinds: Sequence[str], arguments: argparse.Namespace
) -> "tuple[list[Sheet], Job]":
    from ...render.cut.curves.family import cut_of
    from ...render.cut.paper.sizes import check_neck
    from ...render.cut.sheets.assemblies import assembly_sheets
    from ...render.cut.sheets.cut_sheets import back_sheets, cut_sheets
    from ...render.cut.sheets.job import Job
    from ...render.cut.sheets.legend import legend_sheets

    measures = _measures(arguments)
    board = laid_out(puzzle, linked, arguments)
    artwork = None if arguments.image is None else load_artwork(arguments.image, puzzle.rows, puzzle.columns)
    cut = cut_of(puzzle, arguments.curves or 0)
    check_neck(puzzle.name, measures, cut.family)
    job = Job(puzzle, board, cut, measures, not arguments.no_numbers, artwork)
    made = {
        "cut": cut_sheets,
        "back": back_sheets,
        "legend": legend_sheets,
        "assemblies": lambda job: assembly_sheets(job, _named(puzzle, board)),
    }
    sheets = {kind: list(made[kind](job)) for kind in kinds}
    fronts, backs = sheets.pop("cut", []), sheets.pop("back", [])
    # Each back follows its front, as printers on both sides want it.
    pairs = [sheet for pair in zip_longest(fronts, backs) for sheet in pair if sheet is not None]
    return [*pairs, *(sheet for some in sheets.values() for sheet in some)], job


def _measures(arguments: argparse.Namespace) -> "Measures":
    from ...render.cut.paper.sizes import Measures, page_of

    given = options_by_name(arguments, "size", "margin", "kerf")
    page = None if arguments.page is None else page_of(arguments.page)
    return Measures(page=page, **{name: value for name, value in given.items() if value is not None})


def laid_out(puzzle: EdgeMatchingPuzzle, linked: Arrangement | None, arguments: argparse.Namespace) -> Arrangement:
    """The assembly in which the pieces lie: that of SOLUTION, of a link, or of the jigsaw itself."""
    boards, source = list(puzzle.assemblies) if linked is None else [linked], label_of(arguments.instance)
    if arguments.solution is not None:
        boards, source = load_solutions(arguments.solution, puzzle), label_of(arguments.solution)
    if not boards:
        how = "solve it first (jigsat solve JIGSAW -o SOLUTION), and give SOLUTION behind it"
        raise InstanceError(f"{source}: there is no assembly to lay out; {how}")
    board = numbered_one(boards, arguments.number, source)
    for problem in check(puzzle, board).problems:
        raise InstanceError(f"{source}: board {arguments.number or 1} cannot be cut: {problem}")
    return board


def _named(puzzle: EdgeMatchingPuzzle, board: Arrangement) -> list[tuple[str, Arrangement]]:
    """The assemblies that are shown: those of the jigsaw, and before them the one that is cut if it is none of them."""
    named = [(f"assembly {number}", assembly) for number, assembly in enumerate(puzzle.assemblies, start=1)]
    return named if board in puzzle.assemblies else [("solution", board), *named]


def _tell(job: "Job", files: "Sequence[Document]", where) -> None:
    from ...render.cut.paper.sizes import shown
    from ...render.cut.sheets.certainties import statement

    lines = statement(job)
    pages = [(file, number, sheet) for file in files for number, sheet in enumerate(file.sheets, start=1)]
    rows = []
    for file, number, sheet in pages:
        name = "standard output" if file.path == "-" else escaped(file.path)
        page = f", page {number}" if len(file.sheets) > 1 else ""
        rows.append((f"{name}{page}", shown(sheet.width, sheet.height), sheet.about))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines += [f"{name:{widths[0]}}  {size:{widths[1]}}  {about}" for name, size, about in rows]
    print("\n".join(lines), file=where)
