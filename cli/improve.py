"""`jigsat improve`: better boards from a board, window by window."""

import argparse
import sys

from ..csp.base.safe_files import refuse_same_file
from ..csp.engines.result import link_lines
from ..estimators.tasks.improving import ENGINES, WINDOW, improve
from .parts.options import (
    add_instance,
    add_json,
    add_output,
    add_quiet,
    add_time_limit,
    options_by_name,
    read_instance,
    refuse_json_beside,
    threads,
    whole,
)
from .parts.parser import Parser
from .parts.progress import progress_bar
from .parts.wording import print_json
from .signals import INTERRUPTED


def add_options(parser: Parser) -> None:
    parser.description = (
        "Improve a board: free some squares around its invalid joins, fill them again with as few invalid joins as "
        "possible, and repeat this with other squares.\n\n"
        "Each window of squares is searched to the end, so that its best completion is proved, unless that takes too "
        "long.  Fixed pieces stay, and the board never gets worse.  Without --time-limit or --node-limit, the command "
        "ends when many windows in a row have brought no improvement."
    )
    parser.examples = (
        "jigsat improve eternity2 board.json -o better.json --time-limit 10m",
        "jigsat improve eternity2 LINK -o better.url --window 14",
    )
    add_instance(parser)
    parser.what.add_argument(
        "board",
        metavar="BOARD",
        help="a solution file (JSON), a table of boards (CSV), a viewer link, or - for standard input. Of several "
        "boards, the one with the highest score is improved; empty squares are filled first",
    )
    parser.what.add_argument(
        "--loose-frame", action="store_true", help="joins along the frame may be invalid, as all others may"
    )
    parser.how.add_argument(
        "--window",
        type=whole,
        metavar="K",
        help=f"number of squares of the largest window, 2 to 63 (default: {WINDOW})",
    )
    parser.how.add_argument(
        "--engine", choices=ENGINES, help=f"what fills the windows (default: {ENGINES[0]}, the native search)"
    )
    parser.how.add_argument(
        "--threads", type=threads, default=1, metavar="N", help="number of threads, or all (default: 1)"
    )
    parser.how.add_argument("--seed", type=whole, default=0, metavar="N", help="random seed (default: 0)")
    add_time_limit(parser, "end after")
    parser.limits.add_argument("--node-limit", type=whole, metavar="N", help="end after placing this number of pieces")
    add_output(
        parser,
        "write the best board to FILE at each improvement: .json, or .url for viewer links; - for standard "
        "output. If FILE already has a better board than BOARD, that one is improved",
    )
    add_quiet(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    output = arguments.output
    refuse_json_beside(output, arguments)
    if output is not None:
        refuse_same_file(output, arguments.instance, arguments.board)
    puzzle = read_instance(arguments)
    names = ("output", "window", "engine", "loose_frame", "time_limit", "node_limit", "threads", "seed")
    with progress_bar(arguments, None, ends=False) as report:
        found = improve(puzzle, arguments.board, report=report, **options_by_name(arguments, *names))
    if arguments.json:
        print_json(found.record())
    else:
        where = "standard output" if output == "-" else output
        text = found.summary(where, link_lines(found.puzzle, found.best_board))
        print(text, file=sys.stderr if output == "-" else sys.stdout)
    return INTERRUPTED if found.ended_by == "interrupt" else 0
