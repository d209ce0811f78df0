"""`jigsat convert`: between instance files and the community's formats."""

import argparse

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file
from ..csp.files.convert import convert
from ..csp.files.instances import read_puzzle
from .parts.options import INSTANCE_HELP, READING, VARIANTS, add_reading, add_variant, options_by_name, variant_of
from .parts.parser import Parser


def add_options(parser: Parser) -> None:
    parser.description = (
        "Convert puzzles and boards between file formats.\n\n"
        "The formats are JSON (instance and solution files), piece text (one piece a line: bottom, left, top and right "
        "side), CSV, and viewer links (e2.bucas.name, eternity2.dev).  Dissections are JSON only.  With --puzzle, IN "
        "holds boards or tilings of that puzzle.  Names, sources and known results are dropped where a format has no "
        "place for them; anything else that a format cannot hold is an error."
    )
    parser.examples = (
        "jigsat convert clue1 clue1.csv",
        "jigsat convert solutions.json boards.url --puzzle puzzle-a",
        "jigsat convert ostomachion long.json --stretch 2:1",
    )
    parser.what.add_argument("input", metavar="IN", help=INSTANCE_HELP)
    add_reading(parser)
    parser.what.add_argument("--puzzle", metavar="INSTANCE", help="the puzzle whose boards or tilings IN holds")
    parser.how.add_argument("--pieces-only", action="store_true", help="omit fixed pieces and assemblies")
    parser.output.add_argument("output", metavar="OUT", help="the file to write; - for standard output")
    parser.output.add_argument(
        "--to",
        choices=("json", "text", "csv", "url"),
        help="the format (default: by the ending of OUT). Endings: .json, .txt, .csv, .url; standard output is JSON",
    )
    add_variant(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    reading = options_by_name(arguments, *READING)
    options = {"puzzle": arguments.puzzle, "to": arguments.to, "pieces_only": arguments.pieces_only, **reading}
    source = arguments.input
    if any(value is not None for value in options_by_name(arguments, *VARIANTS).values()):
        if arguments.puzzle is not None:
            raise UsageError("is for the boards or tilings of a puzzle; variants are for puzzles", "puzzle")
        refuse_same_file(arguments.output, source, arguments.target)
        source = variant_of(read_puzzle(source, **reading), arguments)
        options |= dict.fromkeys(READING)
    convert(source, arguments.output, **options)
    return 0
