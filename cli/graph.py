"""`jigsat graph`: the graph of a dissection's tilings."""

import argparse
import sys

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file
from ..csp.tilings.moves import RULES
from ..models.tilings.graph_of_tilings import graph, refuse_graph_file
from ..render.picture import FORMATS as PICTURES
from .parts.options import (
    add_instance,
    add_json,
    add_motions,
    add_output,
    add_quiet,
    add_resume,
    add_time_limit,
    add_variant,
    options_by_name,
    read_variant,
    refuse_json_beside,
)
from .parts.parser import Parser
from .parts.progress import note_bar
from .parts.wording import print_json

#: The options of the Python function `graph` that have the same names.
_SAME = ("moves", "motions", "hamiltonian", "thumbnails", "resume", "overwrite", "time_limit")


def add_options(parser: Parser) -> None:
    parser.description = (
        "Build the graph of a dissection's tilings, in which edges are moves that lead from one tiling to another."
        "\n\n"
        "The vertices are all tilings up to symmetry.  Pieces that lie together in every tiling are first merged into "
        "one piece."
    )
    parser.examples = (
        "jigsat graph ostomachion -o graph.svg",
        "jigsat graph ostomachion -o graph.html",
        "jigsat graph ostomachion --moves convex --hamiltonian",
        "jigsat graph tangram -o graph.graphml",
    )
    add_instance(parser)
    add_motions(parser)
    parser.how.add_argument(
        "--moves",
        choices=tuple(RULES),
        default="chung-graham",
        help="what counts as a move (default: chung-graham). convex: a symmetry of a convex region that some pieces "
        "fill.  primitive: the same, unless some of these pieces, without the others, cover the same points before and "
        "after.  chung-graham: the same with regions of at most four vertices that are not acute triangles of half the "
        "target's area; it gives the published figures for the Ostomachion.  exchanges: convex, or an exchange of the "
        "pieces of two congruent convex regions",
    )
    parser.how.add_argument("--no-merge", action="store_true", help="do not merge pieces that always lie together")
    parser.how.add_argument(
        "--hamiltonian",
        action="store_true",
        help="find a Hamiltonian cycle of the largest component. If there is no cycle, find a path, or prove that "
        "there is no path",
    )
    add_time_limit(parser, "give up after")
    add_output(
        parser,
        "write the graph to FILE: .svg, .png, .pdf, .html (a page that plays moves), .dot, .graphml or .json; "
        "- for standard output (SVG)",
        "--draw",
        dest="draw",
    )
    parser.output.add_argument("--thumbnails", action="store_true", help="show the tilings in the picture")
    add_resume(parser)
    add_quiet(parser)
    add_variant(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    kind = None if arguments.draw is None else refuse_graph_file(arguments.draw)
    if arguments.draw is not None:
        refuse_same_file(arguments.draw, arguments.instance, arguments.target)
    if arguments.thumbnails and kind not in PICTURES:
        raise UsageError("applies to a picture; give -o FILE.svg, .png or .pdf", "thumbnails")
    refuse_json_beside(arguments.draw, arguments)
    puzzle = read_variant(arguments)
    with note_bar(arguments) as report:
        how = {"merge": not arguments.no_merge, "output": arguments.draw, "report": report}
        found = graph(puzzle, **how, **options_by_name(arguments, *_SAME))
    if arguments.json:
        print_json(found.record())
    elif arguments.draw != "-":
        print(found.summary())
    elif found.parts is None:
        print(found.summary(), file=sys.stderr)
    if found.ended_by == "interrupt":
        return 130
    return 1 if found.parts is None else 0
