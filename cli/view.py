"""`jigsat view`: a page to step through solutions."""

import argparse
from contextlib import nullcontext

from ..csp.base.safe_files import refuse_same_file
from ..csp.engines.registry import find_engine
from ..csp.files.to_show import to_show
from ..estimators.tasks.viewing import view
from .parts.options import (
    FRAME_SLIPS_HELP,
    ORDER_HELP,
    READING,
    SLIPS_HELP,
    SOLUTION_HELP,
    add_quiet,
    add_reading,
    add_time_limit,
    options_by_name,
    whole,
)
from .parts.pages import add_page, page_status
from .parts.parser import Parser
from .parts.progress import progress_bar

#: The options of the Python function `view` that have the same names.
_SAME = ("order", "slips", "frame_slips", "actual", "time_limit", "depth_limit", "limit")


def add_options(parser: Parser) -> None:
    parser.usage = "%(prog)s [INSTANCE] SOLUTIONS -o PAGE [options]"
    parser.description = (
        "Make a page to step through boards or tilings, which also plays the search order as an animation.\n\n"
        "Beside the board, the page shows the nodes at each depth.  It is a single file without external resources.  "
        "`jigsat play` makes a page to play a puzzle."
    )
    parser.examples = (
        "jigsat view puzzle-a solutions.json -o page.html",
        "jigsat view perfect-5x5 -o assemblies.html",
        "jigsat view puzzle-a solutions.json --order rowscan --actual --time-limit 30s -o page.html",
    )
    parser.what.add_argument(
        "instance",
        metavar="INSTANCE",
        help="the puzzle, as for `jigsat solve`. It may be omitted if SOLUTIONS is a solution file (JSON) of a bundled "
        "puzzle, a jigsaw (its assemblies are shown), or a viewer link of a full board",
    )
    add_reading(parser)
    parser.what.add_argument("solutions", metavar="SOLUTIONS", nargs="?", help=SOLUTION_HELP)
    parser.what.add_argument("--slips", metavar="S", help=f"for the numbers of nodes, a {SLIPS_HELP}")
    parser.what.add_argument("--frame-slips", metavar="S", help=f"for the numbers of nodes, a {FRAME_SLIPS_HELP}")
    parser.how.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.how.add_argument("--actual", action="store_true", help="also run the search, and count its nodes")
    parser.how.add_argument(
        "--no-symmetry", action="store_true", help="show the nodes of the search that breaks no symmetry"
    )
    add_time_limit(parser, "with --actual: stop after")
    parser.limits.add_argument(
        "--depth-limit", type=whole, metavar="N", help="with --actual: fill only the first N squares"
    )
    add_page(parser)
    add_quiet(parser)
    # The progress bar is that of the engine that counts.
    parser.set_defaults(run=run, engine="backtrack", node_limit=None)


def run(arguments: argparse.Namespace) -> int:
    refuse_same_file(arguments.output, arguments.instance, arguments.solutions, arguments.order)
    found = to_show(arguments.instance, arguments.solutions, **options_by_name(arguments, *READING))
    options, symmetry = options_by_name(arguments, *_SAME), not arguments.no_symmetry
    engine = find_engine("backtrack", kind=found.puzzle.kind)
    with progress_bar(arguments, engine) if arguments.actual else nullcontext() as report:
        shown = found.puzzle, found.solutions, arguments.output
        page = view(*shown, symmetry=symmetry, word=found.word, report=report, **options)
    return page_status(page)
