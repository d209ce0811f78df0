"""Cut sheets of jigsaws and dissections, true to scale."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import InstanceError, UsageError, escaped, listed, need_extra, plural, shortened
from ..csp.base.notebook import HasSummary, short
from ..csp.base.safe_files import refuse_same_file, replacing_bytes
from ..csp.base.stop import Report
from ..csp.engines.request import refuse_given, refuse_of_others
from ..csp.files.instances import Puzzle, require_frame, require_jigsaw
from ..csp.files.solutions import Solutions, solutions_given
from ..csp.make.hidden_solution import shuffled_dissection, shuffled_jigsaw, turned_polygons
from ..csp.puzzles.board import Arrangement
from ..csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .laying_out import board_to_lay, crop_asked, second_board_of, solved, tell, tiling_to_lay
from .public import AnyPuzzle, opened_with_board, public

if TYPE_CHECKING:
    from shapely.geometry import Polygon

    from ..render.cut.documents import Document
    from ..render.cut.job import CuttingJob
    from ..render.cut.paper import Sheet
    from ..render.cut.sizes import Measures

#: The sheets that show the solution, and those that are printed: with the picture.
TELLING, PRINTED = frozenset(("legend", "assemblies", "solution")), frozenset(("print", "scissors"))


@dataclass(frozen=True)
class SheetOptions:
    """The options of cut sheets."""

    solution: Solutions | None
    number: int | None
    page: str | None
    sizes: dict[str, float | None]
    motions: str | None
    numbers: bool
    name: str | None
    apart: bool
    curves: int
    sheets: str | Sequence[str] | None
    test_strip: bool
    image: str | Path | None
    crop: bool
    crop_at: str | None
    outline: str | Path | None
    hide_solution: bool
    seed: int | None
    sets: int | None = None
    second_board: AnyPuzzle | None = None

    def measures(self, **usual: Any) -> Measures:
        """The sizes, as usual where none are given."""
        from ..render.cut.sizes import Measures, page_of

        if self.apart or self.sets:
            usual["fit"] = 0.0
        given = {name: value for name, value in self.sizes.items() if value is not None}
        return Measures(page=None if self.page is None else page_of(self.page), **usual | given)

    def kinds(self, known: Sequence[str]) -> list[str]:
        """The kinds of sheets to make, in their order."""
        if self.sheets is None:
            printed = self.image is not None and not self.apart
            wanted = {"print": printed, "back": printed and self.numbers, "strip": self.test_strip, "scissors": False}
            out = {kind for kind, is_wanted in wanted.items() if not is_wanted}
            out |= {"target", "solution"} if self.sets is None else set()
            made = [kind for kind in known if kind not in (out | TELLING if self.hide_solution else out)]
            self._refuse(set(made))
            return made
        wanted = self.listed
        if not wanted:
            raise UsageError(f"give at least one of {', '.join(known)}", "sheets")
        for kind in wanted:
            if kind not in known:
                raise UsageError(f"unknown kind {shortened(kind)!r}, choose from {', '.join(known)}", "sheets")
        self._refuse(set(wanted))
        return [kind for kind in known if kind in wanted or (kind == "strip" and self.test_strip)]

    @property
    def listed(self) -> list[str]:
        """The kinds of sheets as they are asked for by name."""
        listed = self.sheets.split(",") if isinstance(self.sheets, str) else self.sheets or ()
        return list(dict.fromkeys(kind.strip().lower() for kind in listed))

    def _refuse(self, wanted: set[str]) -> None:
        if self.apart and {"back", *PRINTED} & wanted:
            what = "back, print and scissors are for pieces that lie together"
            raise UsageError(f"{what}; omit them, or the other option", "sheets", "apart")
        if self.image is not None and not {"assemblies", *PRINTED} & wanted:
            if self.apart:
                raise UsageError("no picture is drawn on pieces laid apart; omit one of them", "image", "apart")
            where = "it is drawn on the sheets print, scissors and assemblies; add one of them, or omit the image"
            raise UsageError(where, "image")
        if self.image is None and PRINTED & wanted:
            raise UsageError("print and scissors are sheets of a picture; give an image, too", "sheets")
        if self.hide_solution and TELLING & wanted:
            some = listed(sorted(TELLING & wanted))
            raise UsageError(f"to hide the solution, omit {some}", "sheets")


_SHEETS = ("target", "cut", "strip", "solution")
# The most sets of pieces, and solutions on sheets.
_MOST_SETS, _MOST_SHOWN = 100, 60


def _dissection_sheets(puzzle: DissectionPuzzle, asked: SheetOptions) -> CutSheets:
    """The sheets of a dissection."""
    from ..render.cut.handout import solution_sheets, target_sheet
    from ..render.cut.loose_pieces import (
        apart_sheets,
        cell_labels,
        flat_pieces,
        left_out,
        loose_polygons,
        need_shapely,
        reassembly_fact,
        refuse_vanishing,
        strip_sheet,
        tiling_sheet,
    )

    measures, solution, number = asked.measures(size=_TARGET), asked.solution, asked.number
    why = "it is for jigsaws; omit it for a dissection"
    refuse_given(why, image=asked.image, crop=asked.crop, crop_at=asked.crop_at, outline=asked.outline)
    refuse_given(why, second_board=asked.second_board)
    if asked.curves:
        raise UsageError("it is for jigsaws; the pieces of a dissection have straight sides", "curves")
    if asked.sets is not None:
        if not 1 <= asked.sets <= _MOST_SETS:
            raise UsageError(f"{asked.sets}: must be from 1 to {_MOST_SETS}", "sets")
        asked = replace(asked, apart=True)
    kinds = asked.kinds(_SHEETS)
    need_shapely()
    tiling = tiling_to_lay(puzzle, solution, number)
    if tiling is None and ("solution" in kinds or not asked.apart):
        tiling = next((one for one in solved(puzzle) if None not in one), None)
    shown: Sequence[Tiling] = () if tiling is None else (tiling,)
    if solution is not None and number is None and "solution" in kinds:
        shown = [tiling_to_lay(puzzle, [one], None) for one in solutions_given(puzzle, solution)[:_MOST_SHOWN]]  # pyright: ignore[reportAssignmentType]
    if "solution" in kinds and not shown:
        how = "add SOLUTION (jigsat solve DISSECTION --all -o SOLUTION), or leave out the sheet solution"
        raise InstanceError(f"{puzzle.name}: the pieces in the file do not tile the target; {how}")
    if tiling is None and not asked.apart:
        how = "add SOLUTION to cut along its lines, or lay the pieces apart (--apart)"
        raise InstanceError(f"{puzzle.name}: the pieces in the file do not tile the target; {how}")
    laid = puzzle.pieces if tiling is None else tiling
    if asked.hide_solution:
        puzzle, laid = shuffled_dissection(puzzle, laid, asked.seed or 0)
    title = puzzle.name if asked.name is None else asked.name
    flats, outlines = flat_pieces(puzzle, laid, measures.size)
    pieces = loose_polygons(flats, numbered=asked.numbers)
    refuse_vanishing(puzzle.name, pieces, measures)
    shapes, names = zip(*((piece.shape, f"piece {piece.number}") for piece in pieces), strict=True)
    _warn_of_thin_parts(shapes, names, measures, asked)
    facts: list[str] = []
    if asked.apart:
        facts.append(reassembly_fact([piece.shape for piece in pieces], measures, assembled=tiling is not None))
    if asked.apart and asked.hide_solution:
        pieces = loose_polygons(turned_polygons(puzzle, flats, asked.seed or 0), numbered=asked.numbers)
    if asked.numbers:
        facts += left_out(pieces)
    holes = len(puzzle.holes)
    make: dict[str, Callable[[], Sequence[Sheet]]] = {
        "target": lambda: [
            target_sheet(title, outlines[holes:], outlines[:holes], measures, cell_labels(puzzle, measures.size))
        ],
        "strip": lambda: [strip_sheet(title, None, measures)],
        "cut": lambda: (
            apart_sheets(title, pieces * (asked.sets or 1), measures)
            if asked.apart
            else [tiling_sheet(title, pieces, outlines, measures)]
        ),
        "solution": lambda: solution_sheets(title, puzzle, shown, measures, numbered=asked.numbers),
    }
    return CutSheets(title, tuple(facts), tuple(sheet for kind in kinds for sheet in make[kind]()))


#: The kinds of sheets, in their order.
SHEETS = ("cut", "back", "print", "scissors", "strip", "legend", "assemblies")
_LEAST_DPI, _MOST_DPI, _DPI = 10, 1200, 300
#: An inch in mm.
INCH = 25.4
# The longer side of a dissection's target, in mm.
_TARGET = 120.0


@dataclass(frozen=True, repr=False)
class CutSheets(HasSummary):
    """Cut sheets of a jigsaw or a dissection; notebooks display the first one."""

    #: The title of the sheets.
    name: str
    #: What is certain about the pieces, a sentence each.
    facts: tuple[str, ...]
    #: The sheets.
    sheets: tuple[Sheet, ...]
    #: The files that were written, with their sheets.
    written: tuple[Document, ...] = ()

    def save(
        self,
        path: str | Path,
        *,
        dpi: int | None = None,
        keep: Sequence[str | Path | None] = (),
        report: Report | None = None,
    ) -> tuple[Document, ...]:
        """Write the sheets as one PDF, or as one SVG, DXF or PNG file a sheet.

        In a PDF or PNG, letters that its fonts lack become question marks, with a warning (`UserWarning`).

        - `path`: the file, which ends in ``.pdf``, ``.svg``, ``.dxf`` or ``.png``; ``-`` for standard output, for a
          single sheet.  Several files have names made from this one.
        - `dpi`: for PNG: pixels per inch, by default 300.
        - `keep`: files that must not be overwritten because they were read.
        - `report`: called with a `Progress` that names the file being made.

        Returns the files that were written, with their sheets.

        Raises UsageError if the ending is another one, or `dpi` is out of range or is given for a file without pixels.
        Raises InstanceError if a file cannot be written. Raises JigsatError if a library that pictures need is not
        installed.
        """
        from ..render.cut.documents import documents

        refuse_output(path, dpi)
        _warn_of_letters(self.sheets, str(path))
        files = tuple(documents(self.sheets, str(path), self.name, dpi or _DPI))
        for file in files:
            refuse_same_file(file.path, *keep)
        contents: list[bytes] = []
        for number, file in enumerate(files, start=1):
            tell(report, f"file {number} of {len(files)}")
            contents.append(file.content())
        # All files are made before the first one is written.
        for file, content in zip(files, contents, strict=True):
            with replacing_bytes(file.path) as output:
                output.write(content)
        return files

    def summary(self, *, verbose: bool = False) -> str:
        """The files, and what a laser gets; with `verbose` also every page, and what is certain about the pieces."""
        pages = self._pages() if sum(len(file.sheets) for file in self.written) > 1 else ()
        return "\n".join([*self._to_cut_and_to_print(), *((*pages, *self.facts) if verbose else ())])

    def _to_cut_and_to_print(self) -> list[str]:
        from ..render.cut.sizes import shown

        if any(sheet.name == "target" for file in self.written for sheet in file.sheets):
            return [_of_handout(self.written)]
        if len(self.written) == 1 and len(self.written[0].sheets) > 1:
            (file,) = self.written
            pages = [str(number) for number, sheet in enumerate(file.sheets, start=1) if sheet.is_cut]
            some = f"page{'s' * (len(pages) > 1)} {listed(pages)} {'go' if len(pages) > 1 else 'goes'}"
            to_cut = f"; only {some} to the laser" if pages else ""
            return [f"{escaped(file.path)}: {len(file.sheets)} pages{to_cut}"]
        cut, others = ([file for file in self.written if file.sheets[0].is_cut is wanted] for wanted in (True, False))
        only = "; only this goes to the laser" if len(cut) == 1 else "; only these go to the laser"
        lines = [f"{_named_file(file)}: {shown(file.sheets[0].width, file.sheets[0].height)}, to cut" for file in cut]
        if cut and others:
            lines[-1] += only
        if others:
            lines.append(f"{'beside it:' if cut else 'Wrote'} {', '.join(map(_named_file, others))}")
        return lines

    def _pages(self) -> list[str]:
        """Every page of the files that were written, a line each."""
        from ..render.cut.sizes import shown

        rows: list[tuple[str, str, str]] = []
        for file in self.written:
            for number, sheet in enumerate(file.sheets, start=1):
                page = f", page {number}" if len(file.sheets) > 1 else ""
                rows.append((f"  {_named_file(file)}{page}", shown(sheet.width, sheet.height), sheet.about))
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        return [f"{name:{widths[0]}}  {size:{widths[1]}}  {about}" for name, size, about in rows]

    def __repr__(self) -> str:
        return short(f"CutSheets {self.name}: {plural(len(self.sheets), 'sheet')}")

    def _picture(self) -> str:
        from ..render.cut.documents import page_svg

        return page_svg(self.sheets[0], self.name)


def _of_handout(files: Sequence[Document]) -> str:
    """The pages or files of a handout: the target, pieces, and solutions."""
    said, is_one = [], len(files) == 1
    sheets = [
        (sheet.name.partition("-")[0], str(page) if is_one else _named_file(file))
        for file in files
        for page, sheet in enumerate(file.sheets, start=1)
    ]
    for name, what in (("target", "the shape"), ("cut", "pieces to cut out"), ("solution", "the solution")):
        found = [page for kind, page in sheets if kind == name]
        if found:
            said.append(f"{'page' if is_one else ''}{'s' * (is_one and len(found) > 1)} {listed(found)} {what}".strip())
    return f"{_named_file(files[0])}: {', '.join(said)}" if is_one else "\n".join(said)


def _named_file(file: Document) -> str:
    return "standard output" if file.path == "-" else escaped(file.path)


@public
def draw_print(
    puzzle: AnyPuzzle,
    solution: Solutions | None = None,
    *,
    number: int | None = None,
    numbers: bool = True,
    name: str | None = None,
    size: float | str | None = None,
    page: str | None = None,
    margin: float | str | None = None,
    kerf: float | str | None = None,
    apart: bool = False,
    fit: float | str | None = None,
    outline: str | Path | None = None,
    curves: int | None = None,
    sheets: str | Sequence[str] | None = None,
    sets: int | None = None,
    test_strip: bool = False,
    image: str | Path | None = None,
    crop: bool = False,
    crop_at: str | None = None,
    bleed: float | str | None = None,
    hide_solution: bool = False,
    seed: int | None = None,
    motions: Literal["any", "lattice"] | None = None,
    second_board: AnyPuzzle | None = None,
    output: str | Path | None = None,
    dpi: int | None = None,
    report: Report | None = None,
) -> CutSheets:
    """Draw cut sheets of a puzzle, true to scale, for a laser cutter or scissors.

    Red lines are cut and blue numbers engraved; the dot above a number marks the top of the piece.  Each type of
    connector has its own curve, and each page except print has a ruler of 100 mm.  The pieces lie as in the jigsaw's
    first assembly, or in that of `number` or `solution`; with `apart` each has a closed line of its own.  Lengths are
    in mm; as text they may end in mm, cm or in, and 0.2, 0,2 and 0.2mm are the same.  No sheet that is cut by a laser
    holds the picture.  A PDF holds all sheets; in other formats FILE is the sheet to cut, and others lie beside it:
    FILE-print, FILE-legend, FILE-assembly-1, ...  If the cut needs several pages, they are FILE-cut-1, FILE-cut-2, ...
    Use SVG or DXF for titles in other than Latin letters.

    The pieces of an edge-matching puzzle are squares with colours, to print and to cut out with scissors: in rows in
    the order of their numbers, with the numbers on the back, and the board as a sheet with places.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is: a file, the name of a bundled puzzle, or a viewer link.
    solution : board, tiling, list of these, str or Path, optional
        The assembly in which the pieces lie: a board or tiling, a solution file (JSON), a table of boards (CSV), a
        viewer link, or - for standard input; by default the jigsaw's first assembly.
    number : int, optional
        The N-th board of the solution, or assembly of the jigsaw (default: 1).
    numbers : bool, default True
        Number the pieces; otherwise omit the numbers of pieces.
    name : str, optional
        Title of the sheets (default: the puzzle's name).
    size : float or str, optional
        Side length of a piece (default: 25); for a dissection the longer side of the target (default: 120).
    page : str, optional
        Page size: by default sheets are as large as needed.  Names: a0 to a6, letter, legal, tabloid, k40, beamo,
        glowforge; otherwise WIDTHxHEIGHT in mm.  No piece is split between pages.
    margin : float or str, optional
        Empty margin of a page (default: 10).
    kerf : float or str, optional
        Width of the cut (default: 0.15).
    apart : bool, default False
        Cut each piece along a closed line of its own, laid apart from the others.
    fit : float or str, optional
        With `apart`: the gap between two pieces after cutting, negative for pieces that press together (default: 0).
    outline : str or Path, optional
        An SVG file whose first closed path becomes the outline of the board of a jigsaw.
    curves : int, optional
        Random seed of the curves (default: 0).
    sheets : str or sequence of str, optional
        The sheets, some of cut,back,print,scissors,strip,legend,assemblies (default: cut,legend,assemblies).  print
        has the artwork alone, with bleed; then both print and cut have registration marks.  back has the numbers,
        mirrored, for the back of the artwork.  Both are added by `image`.  scissors has the artwork with the lines on
        it, to cut by hand.  For a dissection: some of target,cut,strip,solution (default: cut).  For an
        edge-matching puzzle: cut,back,board,legend,assemblies (default: cut,back,board, a legend if colours have names
        or mates, and assemblies if there is a `solution`).
    sets : int, optional
        For a dissection: this many sets of the pieces, laid apart, with the sheets target, cut and solution.
    test_strip : bool, default False
        Add the sheet strip, with which the kerf of a machine is measured.
    image : str or Path, optional
        Artwork (PNG, JPEG, ...) to print on the pieces, as it lies in the first assembly.
    bleed : float or str, optional
        Extension of the artwork on the sheet print (default: 3).
    hide_solution : bool, default False
        Shuffle the numbers of the pieces, turn those of a dissection laid apart, and omit the puzzle's name and all
        sheets and marks that show the solution.
    seed : int, optional
        With `hide_solution`: random seed of the numbers and turns (default: 0).
    second_board : EdgeMatchingPuzzle, str or Path, optional
        A jigsaw of the same pieces with another board, such as the second file of `make jigsaw` with two boards: the
        sheets name the pieces that are left over on it, and the assemblies show it, too.
    output : str or Path, optional
        A file for the sheets: .pdf, .svg, .dxf or .png; - for standard output (SVG).
    dpi : int, optional
        For PNG: pixels per inch (default: 300).

    Returns
    -------
    CutSheets
        The sheets.  Notebooks display the first one; the method `save` writes them.

    Raises
    ------
    InstanceError
        If the puzzle has square pieces without tabs, or there is no assembly or tiling that can be cut.
    UsageError
        If a kind of sheet does not exist, or options exclude each other.
    JigsatError
        If a size is out of range, or a library that pictures or closed outlines need is not installed.

    Examples
    --------
    >>> sheets = draw_print("perfect-3x3", sheets="cut")
    >>> [file.path for file in sheets.save("cut.svg")]
    ['cut.svg']

    A variant of a dissection:

    >>> from jigsat import read, variant
    >>> wide = draw_print(variant(read("tangram"), stretch="2:1"), apart=True)
    >>> wide.name
    'tangram (stretched 2:1)'
    """
    given = {"size": size, "margin": margin, "kerf": kerf, "fit": fit, "bleed": bleed}
    sizes = {name: length(name, value) for name, value in given.items()}
    asked = SheetOptions(
        solution, number, page, sizes, motions, numbers, name, apart, curves or 0, sheets, test_strip, image, crop,
        crop_at, outline, hide_solution, seed, sets, second_board,
    )  # fmt: skip
    _refuse_misfits(asked)
    if output is not None:
        refuse_output(output, dpi)
    source = puzzle
    puzzle, linked = opened_with_board(source)
    made = _drawn(puzzle, asked if solution is not None else replace(asked, solution=linked), report)
    if sizes["kerf"] and not (apart or sets):
        loss = f"kerf {sizes['kerf']:g}: nothing makes up for it, as two pieces share each line, and are loose by it"
        _warn(f"{loss}; where the pieces lie apart (--apart), lines lie outside them by half of it")
    if output is None:
        return made
    keep = [file for file in (source, solution, image, outline, second_board) if isinstance(file, str | Path)]
    return replace(made, written=made.save(output, dpi=dpi, keep=keep, report=report))


def length(name: str, given: float | str | None) -> float | None:
    """A length in mm. Raises UsageError if the text is not one."""
    if not isinstance(given, str):
        return given
    from ..render.cut.sizes import millimetres

    if name != "fit" and given.strip().startswith("-"):
        raise UsageError(f"{given!r} is not a length in mm", name)
    try:
        return millimetres(given)
    except ValueError as error:
        raise UsageError(str(error), name) from None


def _drawn(puzzle: Puzzle, asked: SheetOptions, report: Report | None) -> CutSheets:
    if isinstance(puzzle, DissectionPuzzle):
        return _dissection_sheets(puzzle.with_motions(asked.motions), asked)
    refuse_of_others(puzzle, motions=asked.motions, sets=asked.sets)
    if isinstance(puzzle, EdgeMatchingPuzzle) and puzzle.rule is Rule.EQUAL:
        return _square_pieces(puzzle, asked)
    jigsaw = require_frame(require_jigsaw(puzzle, "tabs"), "sheets to cut are")
    kinds = asked.kinds(SHEETS)
    tell(report, "curves")
    measures = asked.measures()
    board = board_to_lay(jigsaw, asked.solution, asked.number)
    second = second_board_of(jigsaw, asked.second_board, hidden=asked.hide_solution)
    if asked.hide_solution:
        jigsaw, (board,) = shuffled_jigsaw(jigsaw, [board], asked.seed or 0)
    job = replace(_job(jigsaw, board, measures, asked), second=second)
    made = tuple(_sheets(job, kinds, asked))
    distance = job.cut.family.distance * measures.size
    if job.cut.tabs and distance <= measures.gap:
        _warn(f"connectors differ by {distance:.2f} mm, no more than the gap: wrong pieces may fit; give a larger size")
    if asked.image is not None and asked.apart:
        _warn(f"{asked.image}: is drawn on the assemblies only, not on pieces laid apart (--apart)")
    if job.artwork is not None and PRINTED & set(kinds):
        _warn_of_few_dots(str(asked.image), jigsaw, measures.size)
    return CutSheets(job.title, tuple(_facts(job, asked)), made)


def _square_pieces(puzzle: EdgeMatchingPuzzle, asked: SheetOptions) -> CutSheets:
    """The sheets of an edge-matching puzzle: squares to print and to cut out with scissors."""
    from ..render.cut.square_pieces import SquarePieces, kinds_of

    why = "it is for jigsaws; omit it for an edge-matching puzzle"
    refuse_given(why, image=asked.image, crop=asked.crop, crop_at=asked.crop_at, outline=asked.outline)
    refuse_given(why, second_board=asked.second_board)
    refuse_given(
        why, curves=asked.curves or None, apart=asked.apart, test_strip=asked.test_strip, kerf=asked.sizes["kerf"]
    )
    kinds = kinds_of(puzzle, asked.listed or None, numbers=asked.numbers, solved=asked.solution is not None)
    if asked.hide_solution:
        if asked.sheets is not None and "assemblies" in kinds:
            raise UsageError("to hide the solution, omit assemblies", "sheets")
        kinds = [kind for kind in kinds if kind != "assemblies"]
        puzzle, _ = shuffled_jigsaw(puzzle, [], asked.seed or 0)
    boards = [board_to_lay(puzzle, asked.solution, asked.number)] if "assemblies" in kinds else []
    title = puzzle.name if asked.name is None else asked.name
    measures = asked.measures()
    sheets = SquarePieces(puzzle, measures, title, asked.numbers).sheets(kinds, boards)
    fact = f"{plural(len(puzzle.pieces), 'square piece')} with sides of {measures.size:g} mm: print at 100 %"
    return CutSheets(title, (f"{fact}, measure the ruler, and cut along the lines",), tuple(sheets))


def refuse_output(path: str | Path, dpi: int | None) -> None:
    """Raise the errors of `CutSheets.save` about the file's ending and `dpi`, before any work is done."""
    from ..render.cut.documents import ending_of

    ending = ending_of(str(path))
    if dpi is not None and ending != ".png":
        raise UsageError(f"{dpi}: it is for PNG files only", "dpi")
    if dpi is not None and not _LEAST_DPI <= dpi <= _MOST_DPI:
        raise UsageError(f"{dpi}: must be from {_LEAST_DPI} to {_MOST_DPI}", "dpi")
    if ending == ".dxf":
        need_extra("ezdxf", extra="workshop", what="DXF files need")
    need_extra(*{".pdf": ("reportlab",), ".png": ("reportlab", "pypdfium2", "PIL")}.get(ending, ()))


def _warn_of_letters(sheets: Sequence[Sheet], path: str) -> None:
    from ..render.cut.documents import ending_of, missing_letters

    ending = ending_of(path)
    if ending in (".pdf", ".png") and (missing := missing_letters(sheets)):
        kind = ending[1:].upper()
        what = f"a {kind} has question marks for {shortened(missing)!r}; SVG and DXF have these letters"
        warnings.warn(what, UserWarning, stacklevel=3)


def _refuse_misfits(asked: SheetOptions) -> None:
    if asked.sizes["fit"] is not None and not (asked.apart or asked.sets):
        raise UsageError("the gap is between pieces with lines of their own; give both", "fit", "apart")
    if asked.seed is not None and not asked.hide_solution:
        raise UsageError("the seed is for the numbers of a puzzle to give away; give both", "seed", "hide_solution")
    if asked.sizes["bleed"] is not None and "print" not in asked.listed:
        raise UsageError("it is for the sheet print; add it to sheets", "bleed")


def _job(puzzle: EdgeMatchingPuzzle, board: Arrangement, measures: Measures, asked: SheetOptions) -> CuttingJob:
    from ..render.cut.board_outline import board_outline, refuse_broken_pieces
    from ..render.cut.family import cut_of
    from ..render.cut.job import CuttingJob
    from ..render.cut.paper import load_artwork
    from ..render.cut.sizes import check_neck

    crop = crop_asked(asked.image, asked.crop, asked.crop_at)
    artwork = None if asked.image is None else load_artwork(str(asked.image), puzzle.rows, puzzle.columns, crop)
    cut = cut_of(puzzle, asked.curves)
    check_neck(puzzle.name, measures, cut.family)
    job = CuttingJob(puzzle, board, cut, measures, asked.numbers, artwork, not asked.hide_solution, asked.name)
    if asked.outline is None:
        return job
    rim = board_outline(asked.outline, puzzle.columns * measures.size, puzzle.rows * measures.size)
    job = replace(job, rim=rim)
    names = [puzzle.board.name(square) for square in range(len(puzzle.board))]
    refuse_broken_pieces(job.shapes, names, str(asked.outline))
    _warn_of_thin_parts(job.shapes, [f"the piece on {name}" for name in names], measures, asked)
    return job


def _warn(what: str) -> None:
    warnings.warn(what, UserWarning, stacklevel=4)


#: Dots an inch below which a print looks coarse.
FEWEST_DOTS = 150


def _warn_of_few_dots(image: str, jigsaw: EdgeMatchingPuzzle, size: float) -> None:
    from ..csp.files.picture_files import whole_image

    coarse = few_dots(image, whole_image(image).size, jigsaw.rows, jigsaw.columns, size)
    if coarse is not None:
        _warn(coarse)


def few_dots(image: str, pixels: tuple[int, int], rows: int, columns: int, size: float) -> str | None:
    """A warning of a picture with this width and height that is coarse in print after it is cropped, if it is."""
    width, height = pixels
    # The whole of this side is used.
    used, squares, high = (height, rows, "high") if width * rows > height * columns else (width, columns, "wide")
    inches = squares * size / INCH
    if used >= FEWEST_DOTS * inches:
        return None
    dots = f"{image}: {floor(used / inches)} dots an inch in print, which look coarse below {FEWEST_DOTS}"
    most = floor(10 * INCH * used / FEWEST_DOTS / squares) / 10
    return f"{dots}; give one at least {ceil(FEWEST_DOTS * inches)} pixels {high}, or a size of at most {most:g} mm"


def _warn_of_thin_parts(
    shapes: Sequence[Polygon], names: Sequence[str], measures: Measures, asked: SheetOptions
) -> None:
    """Warn of pieces that lose more than a corner, because a part of them is thinner than the cut."""
    from ..render.cut.loose_pieces import loses_a_part

    lost = max(measures.gap, 0.0) if asked.apart else measures.kerf
    thin = [name for shape, name in zip(shapes, names, strict=True) if loses_a_part(shape, lost)]
    if thin:
        some = ", ".join(thin[:5]) + (", ..." if len(thin) > 5 else "")
        _warn(f"{some}: loses a part thinner than the cut of {lost:g} mm; give a larger size or a smaller kerf")


def _sheets(job: CuttingJob, kinds: Sequence[str], asked: SheetOptions) -> list[Sheet]:
    from ..render.cut.cut_sheets import cut_sheets, print_sheets
    from ..render.cut.legend import assembly_sheets, legend_sheets
    from ..render.cut.loose_pieces import apart_sheets, loose_pieces, need_shapely, strip_sheet

    if asked.apart or "strip" in kinds:
        need_shapely()
    lines = replace(job, marked=True) if "print" in kinds else job
    named = [(f"assembly {number}", board) for number, board in enumerate(job.puzzle.assemblies, start=1)]
    if job.board not in job.puzzle.assemblies:
        named.insert(0, ("solution", job.board))
    make: dict[str, Callable[[], Sequence[Sheet]]] = {
        "cut": lambda: apart_sheets(job.title, loose_pieces(job), job.measures) if asked.apart else cut_sheets(lines),
        "back": lambda: cut_sheets(lines, "back"),
        "print": lambda: print_sheets(job),
        "scissors": lambda: cut_sheets(job, "scissors"),
        "strip": lambda: [strip_sheet(job.title, job.cut, job.measures)],
        "legend": lambda: legend_sheets(job),
        "assemblies": lambda: assembly_sheets(job, named),
    }
    made = {kind: make[kind]() for kind in kinds}
    front = next((kind for kind in ("print", "scissors", "cut") if kind in made), "")
    if front in made and "back" in made:
        # Each back follows its front, as duplex printers need it.
        made[front] = [sheet for pair in zip(made[front], made.pop("back"), strict=True) for sheet in pair]
    return [sheet for some in made.values() for sheet in some]


def _facts(job: CuttingJob, asked: SheetOptions) -> list[str]:
    from ..render.cut.legend import statement
    from ..render.cut.loose_pieces import reassembly_fact

    facts = statement(job)
    if asked.apart:
        facts.append(reassembly_fact(job.shapes, job.measures))
    if asked.outline is not None:
        facts.append("the outline is that of the assembly that is cut; in others the border pieces do not follow it")
    return facts
