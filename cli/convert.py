"""`jigsat convert`: between instance files and the community's formats."""

import argparse

from ..csp.files.convert import convert
from .parts.options import INSTANCE_HELP


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read a puzzle in any format and write it in another: JSON (instance files), piece text (bottom, "
        "left, top and right side of a piece a line), CSV, viewer links (e2.bucas.name, eternity2.dev).  "
        "Dissections are JSON and nothing else.  With --puzzle, IN holds boards or tilings of that puzzle and is "
        "written as such.  Names, sources and known results get lost where a format has no place for them; anything "
        "else that it cannot hold is an error."
    )
    parser.add_argument("input", metavar="IN", help=INSTANCE_HELP)
    parser.add_argument("output", metavar="OUT", help="the file to write; - for standard output")
    parser.add_argument("--puzzle", metavar="INSTANCE", help="the puzzle whose boards IN holds")
    parser.add_argument(
        "--to",
        choices=("json", "text", "csv", "url"),
        help="the format to write (default: by the ending of OUT: .json, .txt, .csv, .url; json on standard output)",
    )
    parser.add_argument("--pieces-only", action="store_true", help="leave out fixed pieces and assemblies")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    options = {"puzzle": arguments.puzzle, "to": arguments.to, "pieces_only": arguments.pieces_only}
    convert(arguments.input, arguments.output, **options)
    return 0
