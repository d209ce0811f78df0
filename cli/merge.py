"""`jigsat merge`: the books of processes that have shared a piece of work, as one."""

import argparse

from ..estimators.tasks.merging import merge
from .parts.options import add_json
from .parts.parser import Parser
from .parts.wording import print_found


def add_options(parser: Parser) -> None:
    parser.description = (
        "Join the books of processes that have shared a piece of work.\n\n"
        "The tasks of a SLURM array, or machines that know nothing of each other, each do a part of a count, race or "
        "experiment (--part K/N) with a ledger or folder of its own.  What is in several books is taken once.  The "
        "command of the work continues from the book with all of it."
    )
    parser.examples = (
        "jigsat merge part-1.ledger part-2.ledger -o all.ledger",
        "jigsat merge race-1 race-2 -o race",
        "jigsat merge two-orders/part-*.book -o two-orders/records.book",
    )
    parser.what.add_argument(
        "books", nargs="+", metavar="BOOK", help="the ledgers or folders to join; they stay as they are"
    )
    parser.output.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the book for all of it; one of the same work is added to",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    print_found(merge(arguments.books, arguments.output), arguments)
    return 0
