"""`jigsat forms`: which convex forms the pieces of a dissection can tile."""

import argparse

from ..csp.base.safe_files import refuse_same_file
from .parts.options import (
    add_instance,
    add_json,
    add_output,
    add_quiet,
    add_resume,
    add_time_limit,
    add_variant,
    options_by_name,
    read_variant,
    refuse_json_beside,
    threads,
    whole,
)
from .parts.parser import Parser
from .parts.progress import note_bar
from .parts.wording import print_json

#: The options of the Python function `forms` that have the same names.
_SAME = ("vertices", "seams", "any_lengths", "decide", "threads", "resume", "overwrite", "time_limit")


def add_options(parser: Parser) -> None:
    parser.description = (
        "Find the convex polygons that the pieces of a dissection can tile, and count their tilings."
        "\n\n"
        "The target of the puzzle is ignored; vertices are on the lattice, and pieces move by lattice motions.  "
        "Polygons that are equal up to a lattice motion are one form.  A seam is a pair of equally long edges "
        "of two pieces, along a direction that no other edge has: inside a form, only these edges can meet, so the two "
        "pieces lie together.  Forms with a seam on the boundary are omitted unless --seams is given."
        "\n\n"
        "Forms off the lattice are not searched for.  The last line says whether the edges of the pieces exclude "
        "them."
    )
    parser.examples = (
        "jigsat forms tangram --any-lengths",
        "jigsat forms ostomachion --vertices 4 -o forms.svg",
        "jigsat forms ostomachion --threads 2 -o forms.json --resume",
    )
    add_instance(parser)
    parser.what.add_argument(
        "--vertices", type=whole, metavar="N", help="the number of vertices of the polygons (default: any number)"
    )
    parser.what.add_argument("--seams", action="store_true", help="include forms with a seam on the boundary")
    parser.what.add_argument(
        "--any-lengths",
        action="store_true",
        help="include candidates whose sides do not consist of edges of the pieces, to show that they cannot be tiled",
    )
    parser.how.add_argument("--decide", action="store_true", help="stop at the first tiling of each form")
    parser.how.add_argument(
        "--threads", type=threads, default=1, metavar="N", help="number of threads, or all (default: 1)"
    )
    add_time_limit(parser, "stop after")
    add_output(
        parser,
        "draw a tiling of each form to FILE (.svg, .png, .pdf), or write the record (.json)",
        "--draw",
        dest="draw",
    )
    add_resume(parser)
    add_quiet(parser)
    add_variant(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.tilings.find_forms import forms
    from ..csp.tilings.tileable_forms import refuse_forms_file
    from ..render.notebook import register

    register()

    if arguments.draw is not None:
        refuse_forms_file(arguments.draw)
        refuse_same_file(arguments.draw, arguments.instance, arguments.target)
        refuse_json_beside(arguments.draw, arguments)
    puzzle = read_variant(arguments)
    with note_bar(arguments) as report:
        found = forms(puzzle, output=arguments.draw, report=report, **options_by_name(arguments, *_SAME))
    if arguments.json:
        print_json(found.record())
    elif arguments.draw != "-":
        print(found.summary())
    return 130 if found.ended_by == "interrupt" else 0
