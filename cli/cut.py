"""`jigsat cut`: cut sheets of a jigsaw or a dissection, true to scale."""

import argparse
import sys

from ..csp.files.sides import reading
from ..csp.files.solutions import read_with_board
from ..estimators.tasks.workshop.printing import draw_print, refuse_output
from .parts.options import (
    SOLUTION_HELP,
    add_crop,
    add_instance,
    add_motions,
    add_output,
    add_quiet,
    add_variant,
    options_by_name,
    variant_of,
    whole,
)
from .parts.parser import Parser
from .parts.progress import note_bar


def add_options(parser: Parser) -> None:
    parser.description = (
        "Draw cut sheets of a jigsaw or a dissection, true to scale, for a laser cutter or scissors.\n\n"
        "Red lines are cut and blue numbers engraved; the dot above a number marks the top of the piece.  Each type of "
        "connector has its own curve, and each page except print has a ruler of 100 mm.  The pieces lie as in the "
        "jigsaw's first assembly, or in that of --number or SOLUTION; with --apart each has a closed line of its own.  "
        "Lengths are in mm unless they end in cm or in; 0.2, 0,2 and 0.2mm are the same.  A PDF holds all sheets; "
        "several sheets in other formats become several files: FILE-cut, FILE-legend, FILE-assembly-1, ...  Use SVG or "
        "DXF for titles in other than Latin letters."
    )
    parser.examples = (
        "jigsat cut perfect-5x5 -o cut.svg",
        "jigsat cut cup-and-ring --image artwork.png --page a4 -o sheets.pdf",
        "jigsat cut perfect-5x5 --apart --kerf 0.2 --fit -0.05 --test-strip -o pieces.dxf",
        "jigsat cut cup-and-ring --image artwork.png --sheets print,cut -o sheets.pdf",
        "jigsat cut tangram --stretch 2:1 --size 200 --apart -o stretched.dxf",
    )
    add_instance(parser)
    parser.what.add_argument("solution", metavar="SOLUTION", nargs="?", help=SOLUTION_HELP)
    parser.what.add_argument(
        "--number", type=whole, metavar="N", help="the N-th board of SOLUTION, or assembly of the jigsaw (default: 1)"
    )
    parser.what.add_argument("--image", metavar="PICTURE", help="artwork (PNG, JPEG, ...) to print under the lines")
    parser.what.add_argument(
        "--give-away",
        action="store_true",
        help="shuffle the numbers of the pieces, turn those of a dissection laid apart, and omit the puzzle's name and "
        "all sheets and marks that show the solution",
    )
    parser.what.add_argument("--name", metavar="TEXT", help="title of the sheets (default: the puzzle's name)")
    parser.how.add_argument(
        "--size",
        type=size,
        metavar="MM",
        help="side length of a piece (default: 25); for a dissection the longer side of the target (default: 120)",
    )
    parser.how.add_argument(
        "--apart", action="store_true", help="cut each piece along a closed line of its own, apart from the others"
    )
    parser.how.add_argument(
        "--fit",
        type=length,
        metavar="MM",
        help="with --apart: gap between two pieces after cutting (default: 0). Negative: they press together.  The "
        "lines are off the edges by half of the kerf minus this",
    )
    parser.how.add_argument(
        "--outline", metavar="SVG", help="file whose first closed path becomes the outline of a jigsaw's board"
    )
    parser.how.add_argument(
        "--page",
        metavar="PAGE",
        help="page size, such as a4 or 300x200 (default: as large as needed). Names: a0 to a6, letter, legal, tabloid, "
        "k40, beamo, glowforge; otherwise WIDTHxHEIGHT in mm.  No piece is split between pages",
    )
    parser.how.add_argument("--margin", type=size, metavar="MM", help="empty margin of a page (default: 10)")
    parser.how.add_argument("--kerf", type=size, metavar="MM", help="width of the cut (default: 0.15)")
    parser.how.add_argument("--curves", type=whole, metavar="SEED", help="random seed of the curves (default: 0)")
    parser.how.add_argument(
        "--sheets",
        metavar="LIST",
        help="the sheets, some of cut,back,print,strip,legend,assemblies (default: cut,legend,assemblies). back has "
        "the numbers, mirrored, for the back of the artwork; it is added by --image.  print has the artwork alone, "
        "with bleed; then both print and cut have registration marks.  For a dissection: cut,strip",
    )
    parser.how.add_argument(
        "--test-strip", action="store_true", help="add the sheet strip, with which the kerf of a machine is measured"
    )
    parser.how.add_argument(
        "--bleed", type=size, metavar="MM", help="extension of the artwork on the sheet print (default: 3)"
    )
    parser.how.add_argument(
        "--seed", type=whole, metavar="N", help="with --give-away: random seed of the numbers and turns (default: 0)"
    )
    parser.how.add_argument("--no-numbers", action="store_true", help="omit the numbers of pieces")
    add_output(parser, "write the sheets to FILE: .pdf, .svg, .dxf or .png; - for standard output (SVG)", required=True)
    parser.output.add_argument("--dpi", type=whole, metavar="N", help="for PNG: pixels per inch (default: 300)")
    add_crop(parser)
    add_quiet(parser)
    add_motions(parser)
    add_variant(parser)
    rare = ("curves", "bleed", "seed", "dpi", "margin", "outline", "name", "give_away", "test_strip", "motions")
    parser.rare |= frozenset((*rare, "crop", "crop_at"))
    parser.set_defaults(run=run)


def length(text: str) -> float:
    """A length that may be negative."""
    from ..render.cut.sizes import millimetres

    try:
        return millimetres(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def size(text: str) -> float:
    """A length."""
    if text.strip().startswith("-"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length in mm")
    return length(text)


def run(arguments: argparse.Namespace) -> int:
    output = arguments.output
    read = (arguments.instance, arguments.target, arguments.solution, arguments.image, arguments.outline)
    puzzle, linked = read_with_board(arguments.instance, reading(arguments.sides, arguments.border))
    puzzle = variant_of(puzzle, arguments)
    refuse_output(output, arguments.dpi)
    sizes = ("size", "page", "margin", "kerf", "fit", "bleed")
    others = ("number", "name", "apart", "outline", "curves", "sheets", "test_strip", "image", "give_away", "seed")
    options = options_by_name(arguments, *sizes, *others, "crop", "crop_at", "motions")
    with note_bar(arguments) as report:
        board = linked if arguments.solution is None else arguments.solution
        sheets = draw_print(puzzle, board, numbers=not arguments.no_numbers, report=report, **options)
        files = sheets.save(output, dpi=arguments.dpi, keep=read, report=report)
    print(sheets.summary(files), file=sys.stderr if output == "-" else sys.stdout)
    return 0
