"""`jigsat forms`: which convex forms the pieces of a dissection can tile."""

import argparse
from contextlib import nullcontext

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file, replacing
from ..csp.files.instances import read_puzzle
from .parts.options import add_instance, add_json, add_time_limit, whole
from .parts.progress import note_bar
from .parts.wording import print_json


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
    from ..csp.tilings.tileable_forms import forms

    if arguments.draw is not None:
        refuse_same_file(arguments.draw, arguments.instance)
        if arguments.draw == "-" and arguments.json:
            raise UsageError("cannot both have standard output; give the picture a file", "json", "draw")
    puzzle = read_puzzle(arguments.instance)
    # What cannot be written is refused before the search.
    with nullcontext() if arguments.draw is None else replacing(arguments.draw) as picture:
        with note_bar(arguments) as report:
            found = forms(
                puzzle,
                arguments.vertices,
                seams=arguments.seams,
                decide=arguments.decide,
                time_limit=arguments.time_limit,
                report=report,
            )
        if picture is not None:
            picture.write(found.draw())
    if arguments.json:
        print_json(found.record())
    elif arguments.draw != "-":
        print(found.summary())
    return 130 if found.ended_by == "interrupt" else 0
