"""`jigsat convert`: between instance files and the community's formats."""

import argparse

from ..api.files import convert
from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file
from ..csp.files.convert import FORMATS
from .files import name_default
from .from_functions import describe, take
from .options import RARE, READING, VARIANTS, add_quiet, add_reading, options_by_name, read_variant
from .parser import Parser


def add_options(parser: Parser) -> None:
    describe(parser, convert)
    parser.examples = (
        "jigsat convert clue1 clue1.csv",
        "jigsat convert clue1 --to csv",
        "jigsat convert solutions.json boards.url --puzzle puzzle-a",
        "jigsat convert ostomachion long.json --stretch 2:1",
    )
    parser.what.add_argument("instance", metavar="IN", help="a puzzle, or where it is; with --puzzle, a file of boards")
    parser.what.add_argument(
        "output",
        metavar="OUT",
        nargs="?",
        help="the file to write; - for standard output (default: NAME.csv and so on, by --to, in the current folder; a "
        "file of this name that is there stays, and the new one gets a number)",
    )
    about = "the puzzle whose boards or tilings IN holds"
    parser.what.add_argument("--puzzle", metavar="INSTANCE", help=about)
    take(parser, convert, ["to", "pieces_only"])
    add_quiet(parser)
    add_reading(parser)
    parser.rare = RARE
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    reading = options_by_name(arguments, *READING)
    options = {**options_by_name(arguments, "puzzle", "to", "pieces_only"), **reading}
    source = arguments.instance
    output = arguments.output
    if output is None:
        if arguments.to is None:
            raise UsageError("give the file to write, or the format", "to")
        output = name_default(arguments, source, ("pieces",) if arguments.pieces_only else (), FORMATS[arguments.to][0])
    if any(value is not None for value in options_by_name(arguments, *VARIANTS).values()):
        if arguments.puzzle is not None:
            raise UsageError("is for the boards or tilings of a puzzle; variants are for puzzles", "puzzle")
        refuse_same_file(output, source, arguments.target)
        source = read_variant(arguments)
        options |= dict.fromkeys(READING)
    convert(source, output, **options)
    return 0
