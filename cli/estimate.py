"""`jigsat estimate`: the solutions and the cost of a search, predicted."""

import argparse

from ..csp.files.instances import Puzzle
from ..csp.puzzles.dissection import DissectionPuzzle
from .parts.options import (
    FRAME_SLIPS_HELP,
    ORDER_HELP,
    PIECES_ONLY_HELP,
    SLIPS_HELP,
    SQUARES_HELP,
    add_instance,
    add_json,
    add_motions,
    add_quiet,
    add_variant,
    read_variant,
    seconds,
    whole,
)
from .parts.parser import Parser
from .parts.progress import part_bar
from .parts.wording import print_json


def add_options(parser: Parser) -> None:
    parser.description = (
        "Predict the number of solutions and the cost of a search, before it runs.\n\n"
        "The prediction is the exact expectation in Owen's model; --probes adds estimates from random parts of the "
        "actual search tree.  There is no such model for dissections, so they are always probed (16384 probes unless "
        "--probes is given).  The last lines show the ways to count the solutions that are predicted to be fastest on "
        "this machine; `jigsat plan` shows all of them."
    )
    parser.examples = (
        "jigsat estimate eternity2 --compare-orders",
        "jigsat estimate clue1 --probes 1e5 --by-depth",
        "jigsat estimate clue2 --sample-solutions 1m30s",
    )
    add_instance(parser)
    parser.what.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.what.add_argument("--frame-slips", metavar="S", help=FRAME_SLIPS_HELP)
    add_motions(parser)
    parser.what.add_argument("--squares", metavar="R", help=SQUARES_HELP.replace("count", "predict", 1))
    parser.what.add_argument("--pieces-only", action="store_true", help=PIECES_ONLY_HELP)
    parser.what.add_argument("--no-symmetry", action="store_true", help="predict the search that breaks no symmetry")
    parser.how.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.how.add_argument("--compare-orders", action="store_true", help="compare all named orders and the best one")
    parser.how.add_argument(
        "--probes",
        type=whole,
        metavar="N",
        help="visit about N random nodes at each depth of the search tree (4e6: one minute)",
    )
    parser.how.add_argument(
        "--sample-solutions",
        type=seconds,
        nargs="?",
        const=60.0,
        metavar="TIME",
        help="estimate the number of solutions from random boards, with a 95 %% interval. TIME is one minute if "
        "omitted; the instance comes before this option: jigsat estimate clue2 --sample-solutions",
    )
    parser.how.add_argument("--seed", type=whole, default=0, metavar="N", help="random seed (default: 0)")
    parser.how.add_argument("--actual", action="store_true", help="also run the search, and compare")
    parser.how.add_argument(
        "--rate", type=whole, metavar="N", help="speed of the search in nodes per second (default: measured)"
    )
    parser.limits.add_argument(
        "--depth-limit", type=whole, metavar="N", help="with --actual: fill only the first N squares"
    )
    parser.output.add_argument("--by-depth", action="store_true", help="print a line for each depth")
    parser.output.add_argument(
        "--plot", metavar="FILE", help="plot the nodes by depth to FILE: .svg, .png or .pdf. The curves are those of "
        "the orders compared, or, with --actual or --probes, the predicted and the observed nodes",
    )  # fmt: skip
    add_quiet(parser)
    add_variant(parser)
    add_json(parser)
    parser.rare |= frozenset(("motions", "frame_slips", "no_symmetry", "depth_limit", "seed"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..estimators.plan.estimate import estimate

    puzzle = read_variant(arguments)
    _refuse_plot(puzzle, arguments)
    with part_bar(arguments) as report:
        found = estimate(
            puzzle,
            order=arguments.order,
            slips=arguments.slips,
            frame_slips=arguments.frame_slips,
            symmetry=not arguments.no_symmetry,
            motions=arguments.motions,
            squares=arguments.squares,
            pieces_only=arguments.pieces_only,
            compare_orders=arguments.compare_orders,
            probes=arguments.probes,
            sample_solutions=arguments.sample_solutions,
            seed=arguments.seed,
            actual=arguments.actual,
            depth_limit=arguments.depth_limit,
            rate=arguments.rate,
            report=report,
        )
    if arguments.json:
        print_json(found.record())
    else:
        print(found.summary(by_depth=arguments.by_depth))
    if arguments.plot is not None:
        found.plot(arguments.plot)
    return 130 if found.ended_by == "interrupt" else 0


def _refuse_plot(puzzle: Puzzle, arguments: argparse.Namespace) -> None:
    """Refuse a figure that could not be written, before the search."""
    if arguments.plot is None:
        return
    from ..estimators.effort.asked import refuse_of_others
    from ..estimators.effort.figures import refuse_unless_drawable

    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, plot=arguments.plot)
    refuse_unless_drawable(arguments.plot)
