"""Cut sheets of dissections."""

from typing import TYPE_CHECKING, Any

from ....csp.base.errors import InstanceError, UsageError
from ....csp.files.solutions import Solutions
from ....csp.puzzles.dissection import DissectionPuzzle
from ...effort.asked import refuse_given
from .give_away import shuffled_dissection, turned_polygons
from .laying_out import tiling_to_lay
from .sheet_options import SheetOptions

if TYPE_CHECKING:
    from ....render.cut.paper import Sheet
    from ....render.cut.sizes import Measures

_SHEETS = ("cut", "strip")


def dissection_sheets(
    puzzle: DissectionPuzzle, solution: Solutions | None, number: int | None, measures: "Measures", asked: SheetOptions
) -> tuple[str, tuple[str, ...], "tuple[Sheet, ...]"]:
    """The title, what is certain, and the sheets of a dissection.

    Raises
    ------
    InstanceError
        If there is no tiling to cut along its lines, and the pieces are not laid apart.
    UsageError
        If an option is for jigsaws only, or the cut leaves nothing of a piece.
    JigsatError
        If a page has no room, or a library is missing.
    """
    from ....render.cut.apart_sheets import apart_sheets
    from ....render.cut.dissection_pieces import (
        flat_pieces,
        left_out,
        loose_polygons,
        refuse_vanishing,
        tiling_sheet,
    )
    from ....render.cut.kerf_strip import strip_sheet
    from ....render.cut.loose_pieces import need_shapely, reassembly_fact

    why = "it is for jigsaws; omit it for a dissection"
    refuse_given(why, image=asked.image, crop=asked.crop, crop_at=asked.crop_at, outline=asked.outline)
    if asked.curves:
        raise UsageError("it is for jigsaws; the pieces of a dissection have straight sides", "curves")
    kinds = asked.kinds(_SHEETS)
    need_shapely()
    tiling = tiling_to_lay(puzzle, solution, number)
    if tiling is None and not asked.apart:
        how = "add SOLUTION (jigsat solve DISSECTION -o SOLUTION) to cut along its lines, or lay the pieces apart"
        raise InstanceError(f"{puzzle.name}: the pieces in the file do not tile the target; {how} (--apart)")
    laid = puzzle.pieces if tiling is None else tiling
    if asked.give_away:
        puzzle, laid = shuffled_dissection(puzzle, laid, asked.seed or 0)
    title = puzzle.name if asked.name is None else asked.name
    flats, outlines = flat_pieces(puzzle, laid, measures.size)
    pieces = loose_polygons(flats, numbered=asked.numbers)
    refuse_vanishing(puzzle.name, pieces, measures)
    facts: list[str] = []
    if asked.apart:
        facts.append(reassembly_fact([piece.shape for piece in pieces], measures, assembled=tiling is not None))
    if asked.apart and asked.give_away:
        pieces = loose_polygons(turned_polygons(puzzle, flats, asked.seed or 0), numbered=asked.numbers)
    if asked.numbers:
        facts += left_out(pieces)
    sheets: list[Any] = []
    for kind in kinds:
        if kind == "strip":
            sheets.append(strip_sheet(title, None, measures))
        elif asked.apart:
            sheets += apart_sheets(title, pieces, measures)
        else:
            sheets.append(tiling_sheet(title, pieces, outlines, measures))
    return title, tuple(facts), tuple(sheets)
