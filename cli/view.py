"""`jigsat view`: a page to step through solutions."""

import argparse
import sys
from contextlib import nullcontext

from ..csp.base.safe_files import refuse_same_file
from ..csp.base.words import grouped
from ..csp.engines.registry import engine_of
from ..csp.files.to_show import to_show
from ..estimators.effort.asked import refuse_given
from ..estimators.tasks.viewing import LIMIT, view
from .parts.options import ORDER_HELP, SLIPS_HELP, SOLUTION_HELP, add_time_limit, options_by_name, whole
from .parts.progress import progress_bar

_INTERRUPTED = 130
#: The options that the library has by the same names.
_SAME = ("order", "slips", "actual", "time_limit", "depth_limit", "limit", "play", "image", "curves", "seed")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "jigsat view [INSTANCE] SOLUTIONS -o PAGE.html [options]\n"
        "       jigsat view JIGSAW [SOLUTIONS] --play -o PAGE.html [options]"
    )
    parser.description = (
        "Make a page to step through boards or tilings, with the search order played as an animation and "
        "the nodes at each depth beside it.  It is one file that loads nothing from anywhere."
    )
    parser.add_argument(
        "instance",
        metavar="INSTANCE",
        help="the puzzle, as for jigsat solve; it may be left out where SOLUTIONS is a solution file (JSON) for a "
        "bundled puzzle, a jigsaw's file or name (its assemblies are shown), or a viewer link that shows a full board",
    )
    parser.add_argument("solutions", metavar="SOLUTIONS", nargs="?", help=SOLUTION_HELP)
    parser.add_argument(
        "-o", "--output", metavar="PAGE", required=True, help="write the page to this file (- for standard output)"
    )
    parser.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.add_argument("--slips", metavar="S", help=f"for the nodes: {SLIPS_HELP}")
    parser.add_argument("--actual", action="store_true", help="run the search, too, and count its nodes at each depth")
    add_time_limit(parser, "with --actual: stop after")
    parser.add_argument("--depth-limit", type=whole, metavar="N", help="with --actual: fill only the first N squares")
    parser.add_argument("--no-symmetry", action="store_true", help="nodes of the search that breaks no symmetry")
    parser.add_argument(
        "--limit", type=whole, default=LIMIT, metavar="N", help=f"show N solutions at most (default: {LIMIT})"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    _add_play(parser)
    # The progress bar is that of the engine that counts.
    parser.set_defaults(run=run, engine="backtrack", node_limit=None)


def _add_play(parser: argparse.ArgumentParser) -> None:
    """The options of the page to play with."""
    group = parser.add_argument_group("a page to play a jigsaw")
    group.add_argument(
        "--play",
        action="store_true",
        help="make a page to play the jigsaw instead: its pieces on a table, to be dragged and turned; the page knows "
        "its assemblies, or the boards of SOLUTIONS, when they are found",
    )
    group.add_argument(
        "--image",
        metavar="PICTURE",
        help="cover the first assembly with this picture, whose width and height must be in the ratio of the board's "
        "columns and rows",
    )
    group.add_argument("--curves", type=whole, metavar="SEED", help="cut by another family of curves (default: 0)")
    group.add_argument("--seed", type=whole, metavar="N", help="begin with another shuffle (default: 0)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.play:
        why = "it is for the page to step through solutions; leave it or play out"
        refuse_given(why, no_symmetry=arguments.no_symmetry)
    refuse_same_file(arguments.output, arguments.instance, arguments.solutions, arguments.order, arguments.image)
    found = to_show(arguments.instance, arguments.solutions, playing=arguments.play)
    options, symmetry = options_by_name(arguments, *_SAME), not arguments.no_symmetry
    engine = engine_of(found.puzzle.kind, "backtrack")
    with progress_bar(arguments, engine) if arguments.actual else nullcontext() as report:
        page = view(
            found.puzzle,
            found.solutions,
            arguments.output,
            symmetry=symmetry,
            word=found.word,
            report=report,
            **options,
        )
    if page.shown < page.total:
        numbers = f"the first {grouped(page.shown)} of {grouped(page.total)} are in the page"
        print(f"jigsat: {numbers}; --limit N sets how many may be", file=sys.stderr)
    return _INTERRUPTED if page.ended_by == "interrupt" else 0
