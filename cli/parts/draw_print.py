"""`jigsat draw --print`: cut sheets of a jigsaw, true to scale."""

import argparse
import sys
from math import isfinite

from ...csp.files.solutions import read_with_board
from ...estimators.tasks.jigsaws import draw_print, refuse_output
from .options import options_by_name, whole
from .progress import note_bar

#: Options that only cut sheets have.
OPTIONS = ("size", "page", "margin", "kerf", "sheets", "dpi")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of --print."""
    group = parser.add_argument_group(
        "cut sheets of a jigsaw",
        "With --print: lines to cut (red) and numbers to engrave (blue; the dot above a number tells what is up), each "
        "type of connector with a curve of its own, and a rule of 100 mm on each page.  Pieces lie as in the jigsaw's "
        "first assembly, or in that of --number or SOLUTION.  FILE is one PDF, or it ends in .svg or .png and several "
        "sheets are several files: FILE-cut, FILE-legend, FILE-assembly-1, ...",
    )
    group.add_argument("--print", action="store_true", dest="print_", help="draw cut sheets, true to scale")
    group.add_argument("--size", type=millimetres, metavar="MM", help="the length of a piece's side (default: 25)")
    group.add_argument(
        "--page",
        metavar="PAGE",
        help="a0 to a6, letter, legal, tabloid, k40, beamo, glowforge or WIDTHxHEIGHT in mm; pieces are never parted "
        "(default: sheets as large as needed)",
    )
    group.add_argument("--margin", type=millimetres, metavar="MM", help="what stays empty at the edges (default: 10)")
    group.add_argument("--kerf", type=millimetres, metavar="MM", help="the width of the cut (default: 0.15)")
    group.add_argument("--curves", type=whole, metavar="SEED", help="which family of curves (default: 0)")
    group.add_argument(
        "--sheets",
        metavar="LIST",
        help="out of cut,back,legend,assemblies (default: cut,legend,assemblies; with --image back, too: the numbers, "
        "mirrored left and right, for the back)",
    )
    group.add_argument("--image", metavar="PICTURE", help="artwork (PNG, JPEG, ...) to lie under the lines")
    group.add_argument("--dpi", type=whole, metavar="N", help="for PNG: pixels to an inch (default: 300)")
    group.add_argument("--quiet", action="store_true", help="do not show what is being done")


def millimetres(text: str) -> float:
    """A length."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (isfinite(number) and number >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length in mm")
    return number


def print_sheets(arguments: argparse.Namespace) -> int:
    """Write cut sheets and say what is certain about them."""
    output, read = arguments.output, (arguments.instance, arguments.solution, arguments.image)
    puzzle, linked = read_with_board(arguments.instance)
    refuse_output(output, arguments.dpi)
    options = options_by_name(arguments, "number", "size", "page", "margin", "kerf", "curves", "sheets", "image")
    with note_bar(arguments) as report:
        board = linked if arguments.solution is None else arguments.solution
        sheets = draw_print(puzzle, board, numbers=not arguments.no_numbers, report=report, **options)
        files = sheets.save(output, dpi=arguments.dpi, keep=read, report=report)
    print(sheets.summary(files), file=sys.stderr if output == "-" else sys.stdout)
    return 0
