"""`jigsat forms`: which convex forms the pieces of a dissection can tile."""

import argparse
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..csp.base.errors import EngineError, InstanceError
from ..csp.base.quantities import grouped, several
from ..csp.base.safe_files import escaped, refuse_same_file, replacing
from ..csp.files.dissection_files import vertices
from ..csp.files.instances import read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle, Motions
from ..csp.tilings.convex_forms import FormClass
from ..render.svg.tiling import draw_sheet
from .parts.dissections.commands import points_text
from .parts.options import add_instance, add_json, add_time_limit, whole
from .parts.progress import Patience, patience
from .parts.wording import ending, print_json

if TYPE_CHECKING:
    from ..csp.tilings.tile_forms import Form


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find the convex polygons with so many vertices on the lattice that the pieces of a dissection can "
        "tile, whatever its target is, and count their tilings; pieces move by lattice motions.  Polygons that are the "
        "same up to a lattice motion are one form.  A direction that just two edges have, equally long and of two "
        "pieces, is a seam: unless it is on the rim, these pieces lie together.  Forms with seams on their rims are "
        "left out if --seams does not ask for them."
    )
    add_instance(parser)
    parser.add_argument("--vertices", type=whole, required=True, metavar="N", help="how many vertices the forms have")
    parser.add_argument("--seams", action="store_true", help="also look at forms with seams on their rims")
    parser.add_argument("--decide", action="store_true", help="do not count: end with the first tiling of each form")
    parser.add_argument(
        "--draw", metavar="FILE", help="draw one tiling of each form on a sheet, an SVG in this file (- for stdout)"
    )
    add_time_limit(parser, "stop after")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if not isinstance(puzzle, DissectionPuzzle):
        raise EngineError(f"{puzzle.name}: jigsat forms is for dissections; this is of the kind {puzzle.kind}")
    if arguments.draw is not None:
        refuse_same_file(arguments.draw, arguments.instance)
        if arguments.draw == "-" and arguments.json:
            raise InstanceError("--json and --draw - cannot both have standard output; give --draw a file")
    forms = FormClass(puzzle, arguments.vertices, arguments.seams)
    # What cannot be written is refused before the search.
    with nullcontext() if arguments.draw is None else replacing(arguments.draw) as picture:
        with patience(arguments) as must_stop:
            found, candidates, settled = _search(forms, arguments.decide, must_stop)
            must_stop.clear()
        if picture is not None:
            picture.write(_drawn(forms, found, counted=not arguments.decide))
    if arguments.json:
        print_json(record(forms, found, candidates, must_stop, counted=not arguments.decide))
    elif arguments.draw != "-":
        print(describe(forms, found, candidates, settled, must_stop, counted=not arguments.decide))
    return 130 if must_stop.ended_by == "interrupt" else 0


def _search(forms: FormClass, decide: bool, must_stop: Patience) -> "tuple[list[Form], int, int]":
    """The forms that can be tiled, most tilings first; the number of candidates, and of those that are settled."""
    from ..csp.tilings.tile_forms import solved_forms

    candidates = []
    for candidate in forms.candidates(must_stop):
        candidates.append(candidate)
        must_stop.tell(several(len(candidates), "candidate"))
    found: list[Form] = []
    settled = 0
    for form in solved_forms(forms.puzzle, candidates, decide=decide, must_stop=must_stop):
        settled += form.complete or (decide and form.count > 0)
        if form.count:
            found.append(form)
        must_stop.tell(f"{grouped(len(found))} forms; {grouped(settled)} of {grouped(len(candidates))} candidates")
    found.sort(key=lambda form: (-form.canonical_count, form.target))
    return found, len(candidates), settled


def record(
    forms: FormClass, found: "list[Form]", candidates: int, must_stop: Patience, *, counted: bool
) -> dict[str, Any]:
    """The forms that can be tiled, for scripts."""
    return {
        "instance": forms.puzzle.name,
        "kind": forms.puzzle.kind,
        "class": str(forms),
        "vertices": forms.vertices,
        "candidates": candidates,
        "count": len(found),
        "complete": must_stop.ended_by is None,
        "ended_by": must_stop.ended_by,
        "forms": [
            {
                "target": vertices(form.target),
                "count": form.count if counted else None,
                "canonical_count": form.canonical_count if counted else None,
                "complete": form.complete,
            }
            for form in found
        ],
    }


def describe(
    forms: FormClass, found: "list[Form]", candidates: int, settled: int, must_stop: Patience, *, counted: bool
) -> str:
    """The forms that can be tiled, as text."""
    complete = must_stop.ended_by is None
    at_least = "" if complete else "at least "
    lines = [f"{escaped(forms.puzzle.name)}: {at_least}{several(len(found), 'form')} that can be tiled"]
    lines += [_line(form, counted=counted) for form in found]
    lines.append(f"  class            {forms}")
    lines.append(f"  candidates       {at_least}{grouped(candidates)} that the lengths of the edges allow")
    if complete:
        lines.append(f"  complete         yes, all others of the {grouped(candidates)} were refuted")
    else:
        solved = f"{several(settled, 'candidate')} solved or refuted"
        lines.append(f"  complete         NO, {ending(must_stop.ended_by)}: {solved}")
    return "\n".join(lines)


def _line(form: "Form", *, counted: bool) -> str:
    target = points_text(form.target)
    if not counted:
        return f"  {target}"
    at_least = "" if form.complete else "at least "
    return f"  {target}  count {at_least}{grouped(form.count)}, canonical {at_least}{grouped(form.canonical_count)}"


def _drawn(forms: FormClass, found: "list[Form]", *, counted: bool) -> str:
    """A sheet of the forms, each with how many tilings it has."""
    drawn = [
        (replace(forms.puzzle, target=form.target, motions=Motions.LATTICE), form.tiling)
        for form in found
        if form.tiling is not None
    ]
    captions = [grouped(form.canonical_count) for form in found] if counted else ()
    return draw_sheet(drawn, f"{forms.puzzle.name}, {forms.vertices} vertices", "form", captions=captions)
