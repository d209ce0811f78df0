"""`jigsat race`: search for the best score for hours or days."""

import argparse
import sys

from ..csp.base.errors import UsageError
from ..csp.engines.request import CLUSTER, SLIPS
from ..csp.files.instances import read_squares
from .parts.options import (
    INSTANCE_HELP,
    READING,
    add_cluster,
    add_json,
    add_quiet,
    add_reading,
    add_some,
    add_time_limit,
    options_by_name,
    whole,
)
from .parts.parser import Parser
from .parts.progress import note_bar
from .parts.wording import print_json
from .signals import INTERRUPTED

#: The options of searches that races have, too.
_OF_SEARCHES = ("order", *SLIPS, "width", "device", "seed", "threads")


def add_options(parser: Parser) -> None:
    parser.description = (
        "Search for the best score for hours or days, and keep every board of at least a score.\n\n"
        "A race runs beams (or dives) one after the other.  Each beam and its boards are recorded in "
        "FOLDER/race.book when it ends.  A race that was stopped, or killed at any moment, goes on with the same "
        "command; the puzzle and the options that decide which boards are found may then be omitted.  "
        "FOLDER/race.html shows how often each score was found, when the next one is to be expected, and the best "
        "boards; FOLDER/best.json holds the best boards.  The race ends at --target, at a limit or by Ctrl-C."
    )
    parser.examples = (
        "jigsat race eternity2 -o race --threads all",
        "jigsat race -o race --time-limit 8h",
        "jigsat race -o race --report",
    )
    parser.what.add_argument(
        "instance", metavar="INSTANCE", nargs="?", help=f"{INSTANCE_HELP}.  Omit it to go on with the race in FOLDER"
    )
    add_reading(parser)
    parser.what.add_argument(
        "--target", type=whole, metavar="SCORE", help="end when a board has this score (default: the highest possible)"
    )
    parser.what.add_argument(
        "--keep-from",
        type=whole,
        metavar="SCORE",
        help="keep all boards of at least this score (default: the best score minus 2). The default rises with the "
        "best score; it is higher if there are more than 10 000 such boards",
    )
    parser.how.add_argument("--engine", metavar="E", help="beam or dive (default: beam)")
    add_some(parser, _OF_SEARCHES)
    add_cluster(parser)
    parser.how.add_argument(
        "--part",
        metavar="K/N",
        help="run part K of N only, such as 3/16: every Nth beam or dive, from number K on, in a folder of its own; "
        "jigsat merge joins the folders. For the tasks of a SLURM array",
    )
    parser.how.add_argument("--report", action="store_true", help="write the page of a race, and run nothing")
    add_time_limit(parser, "end after")
    parser.limits.add_argument(
        "--trials", type=whole, metavar="N", help="end after N beams or dives, of all runs of the race together"
    )
    parser.output.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="the folder of the race, one for each race"
    )
    add_quiet(parser)
    add_json(parser)
    parser.rare |= {"cluster_security", "cluster_dashboard", "order", *SLIPS, "width", "device", "trials", "part"}
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..estimators.races.run_race import race

    for name in ("target", "trials", "time_limit", "cluster", "part"):
        if arguments.report and getattr(arguments, name) is not None:
            raise UsageError("the first runs nothing; give one of them", "report_only", name)
    puzzle = (
        None if arguments.instance is None else read_squares(arguments.instance, **options_by_name(arguments, *READING))
    )
    own = ("engine", "part", "keep_from", "target", "trials", "time_limit")
    given = options_by_name(arguments, *_OF_SEARCHES, *CLUSTER, *own)
    with note_bar(arguments) as report:
        found = race(puzzle, arguments.output, report_only=arguments.report, report=report, **given)
    if arguments.json:
        print_json(found.record())
    else:
        print(found.summary())
    if found.ended_by == "interrupt":
        print("interrupted; repeat the command to go on", file=sys.stderr)
        return INTERRUPTED
    return 0
