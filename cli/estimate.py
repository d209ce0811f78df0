"""`jigsat estimate`: what a search will find and cost, before it runs."""

import argparse

from ..csp.files.instances import Puzzle, read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle
from .parts.options import ORDER_HELP, SLIPS_HELP, add_instance, add_json, add_motions, seconds, whole
from .parts.progress import part_bar
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Predict the number of solutions and what a search will cost: exactly in Owen's model, and with "
        "--probes from random parts of the real search tree.  For a dissection there is no model, so there are always "
        "probes (N is 16384 if left out).  Below stand the ways to count the solutions that are predicted to be the "
        "quickest on this machine; jigsat plan shows all."
    )
    add_instance(parser)
    parser.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.add_argument("--no-symmetry", action="store_true", help="predict the search that breaks no symmetry")
    add_motions(parser)
    parser.add_argument("--by-depth", action="store_true", help="print a line for each depth")
    parser.add_argument("--compare-orders", action="store_true", help="compare all named orders, and the best one")
    parser.add_argument(
        "--probes", type=whole, metavar="N", help="follow about N random nodes down the real tree (4e6: a minute)"
    )
    parser.add_argument(
        "--sample-solutions",
        type=seconds,
        nargs="?",
        const=60.0,
        metavar="SECONDS",
        help="estimate the number of solutions from random boards, with a 95 %% interval (a minute, if left out; the "
        "instance comes before it: jigsat estimate clue2 --sample-solutions)",
    )
    parser.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="seed of the probes and the random boards (default: 0)"
    )
    parser.add_argument("--actual", action="store_true", help="run the search, too, and set what it found beside it")
    parser.add_argument("--depth-limit", type=whole, metavar="N", help="with --actual: fill only the first N squares")
    parser.add_argument("--rate", type=whole, metavar="N", help="nodes a second, instead of measuring them")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the nodes by depth: of the orders compared, or with --actual or --probes "
        "what was predicted and what was found",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..estimators.estimate.estimate import estimate

    puzzle = read_puzzle(arguments.instance)
    _refuse_plot(puzzle, arguments)
    with part_bar(arguments) as report:
        found = estimate(
            puzzle,
            order=arguments.order,
            slips=arguments.slips,
            symmetry=not arguments.no_symmetry,
            motions=arguments.motions,
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
    """Say before a long search what would be said of the figure after it."""
    if arguments.plot is None:
        return
    from ..estimators.effort.asked import refuse_of_others
    from ..estimators.effort.plots import refuse_unless_drawable

    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, plot=arguments.plot)
    refuse_unless_drawable(arguments.plot)
