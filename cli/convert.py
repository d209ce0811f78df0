"""`jigsat convert`: between instance files and the community's formats."""

import argparse

from ..csp.files.convert import convert
from .parts.options import INSTANCE_HELP
from .parts.parser import Parser


def add_options(parser: Parser) -> None:
    parser.description = (
        "Convert puzzles and boards between file formats.\n\n"
        "The formats are JSON (instance and solution files), piece text (one piece a line: bottom, left, top and right "
        "side), CSV, and viewer links (e2.bucas.name, eternity2.dev).  Dissections are JSON only.  With --puzzle, IN "
        "holds boards or tilings of that puzzle.  Names, sources and known results are dropped where a format has no "
        "place for them; anything else that a format cannot hold is an error."
    )
    parser.examples = ("jigsat convert clue1 clue1.csv", "jigsat convert solutions.json boards.url --puzzle puzzle-a")
    parser.what.add_argument("input", metavar="IN", help=INSTANCE_HELP)
    parser.what.add_argument("--puzzle", metavar="INSTANCE", help="the puzzle whose boards or tilings IN holds")
    parser.how.add_argument("--pieces-only", action="store_true", help="omit fixed pieces and assemblies")
    parser.output.add_argument("output", metavar="OUT", help="the file to write; - for standard output")
    parser.output.add_argument(
        "--to",
        choices=("json", "text", "csv", "url"),
        help="the format (default: by the ending of OUT). Endings: .json, .txt, .csv, .url; standard output is JSON",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    options = {"puzzle": arguments.puzzle, "to": arguments.to, "pieces_only": arguments.pieces_only}
    convert(arguments.input, arguments.output, **options)
    return 0
