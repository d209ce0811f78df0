"""`jigsat estimate`: the solutions and the cost of a search, predicted."""

import argparse

from ..api.estimate import estimate
from .from_functions import describe, seconds, take
from .options import RARE, add_instance, add_json, add_quiet, options_by_name, read_variant, refuse_files
from .parser import Parser
from .progress import part_bar
from .wording import print_answer, print_json, status_of

_NAMES = (
    "order", "slips", "frame_slips", "symmetry", "motions", "squares", "pieces_only", "compare_orders", "probes",
    "sample_solutions", "seed", "actual", "depth_limit", "rate", "plot",
)  # fmt: skip


def add_options(parser: Parser) -> None:
    describe(parser, estimate)
    parser.examples = (
        "jigsat estimate eternity2 --compare-orders",
        "jigsat estimate clue1 --probes 1e5 --by-depth",
        "jigsat estimate clue2 --sample-solutions 1m30s",
    )
    add_instance(parser)
    take(parser, estimate, without=("sample_solutions",))
    parser.how.add_argument(
        "--sample-solutions",
        type=seconds,
        nargs="?",
        const=60.0,
        metavar="TIME",
        help="estimate the number of solutions from random boards, with a 95 %% interval. TIME is one minute if "
        "omitted; the instance comes before this option: jigsat estimate clue2 --sample-solutions",
    )
    parser.output.add_argument("--by-depth", action="store_true", help="print a line for each depth")
    add_quiet(parser)
    add_json(parser)
    parser.rare = RARE
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    given = options_by_name(arguments, *_NAMES)
    refuse_files(given, arguments.instance)
    with part_bar(arguments) as report:
        found = estimate(read_variant(arguments), report=report, **given)
    if arguments.json:
        print_json(found.record())
    else:
        print_answer(found.summary(by_depth=arguments.by_depth, verbose=arguments.verbose))
    return status_of(found)
