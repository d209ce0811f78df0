"""`jigsat pictures`: one artwork that shows two pictures, one in each assembly of a jigsaw."""

import argparse
import sys

from ..csp.base.errors import NotFoundError
from ..render.photo.two_pictures import METHODS, PIXELS, pictures
from .parts.options import add_json, add_time_limit, options_by_name, whole
from .parts.progress import note_bar
from .parts.wording import print_json

_DESCRIPTION = """\
Make artwork for the pieces of a jigsaw with two assemblies, so that one of them
shows picture A and the other one picture B as well as possible.  Each pixel of
the artwork is a blend of the two tones that it has to show; the jigsaw is given,
or chosen among many so that these differ little.
"""
_FILES_HELP = """\
files in FOLDER:
  jigsaw.json     the jigsaw; its first assembly shows A, its second one B
  artwork.png     what to print on the pieces, as it lies in the first assembly
  assembly-1.png  the first assembly, with its cut lines
  assembly-2.png  the second assembly, with its cut lines
  mapping.csv     a line for each piece: piece; square_1, row_1, column_1 and
                  rotation_1 of the first assembly, the same of the second, and
                  turn, which is clockwise quarter turns from the one to the other
  uv-map.png      where each pixel of the artwork lies in the second assembly, in
                  three colours of 16 bits: the column is red x width / 65536, the
                  row green x height / 65536, both rounded down, and the piece's
                  turn is blue / 16384
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _FILES_HELP
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    for name, which in (("A", "first"), ("B", "second")):
        parser.add_argument(
            which, metavar=name, help="a picture, PNG or JPEG for example, or a bundled one (cup, ring)"
        )
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="write the files into this folder")
    parser.add_argument("--jigsaw", metavar="JIGSAW", help="the jigsaw: a file, or the name of a bundled one")
    for option, letter, what in (("--rows", "R", "rows"), ("--columns", "C", "columns")):
        parser.add_argument(option, type=whole, metavar=letter, help=f"choose a jigsaw with so many {what}")
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="annealing (the default): scrambles are cooled down until tones fit and exactly two solutions are left; "
        "scrambles: the best of jigsaws with exactly two solutions that were made without looking at the pictures; "
        "assignment: the best of all assignments of pieces to squares, whose jigsaw may have many solutions",
    )
    parser.add_argument(
        "--scrambles",
        type=whole,
        metavar="N",
        help="how many jigsaws to choose among (default: 3 annealed ones, 200 others)",
    )
    parser.add_argument("--seed", type=whole, metavar="S", help="another choice of jigsaws (default: 0)")
    parser.add_argument(
        "--max-use",
        type=whole,
        metavar="N",
        help="on how many joins a connector may be (default: 2; with "
        "annealing, what leaves two solutions is found by trying)",
    )
    parser.add_argument("--no-stay", action="store_true", help="no piece has the same square in the two assemblies")
    _add_picture_options(parser)
    add_time_limit(parser, "choose among the jigsaws found in", default=600)
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def _add_picture_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pixels",
        type=whole,
        default=64,
        metavar="P",
        help=f"how many pixels long a side of a piece is, an even number from {PIXELS[0]} to {PIXELS[1]} (default: 64)",
    )
    parser.add_argument(
        "--weight", type=float, default=0.5, metavar="W", help="the share of A in the blend, from 0 to 1 (default: 0.5)"
    )
    parser.add_argument("--grey", action="store_true", help="leave out the colours")
    parser.add_argument("--crop", action="store_true", help="cut pictures of another shape, keeping their middle")
    parser.add_argument(
        "--curves", type=whole, default=0, metavar="SEED", help="which curves the tabs have (default: 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    chosen = ("jigsaw", "rows", "columns", "method", "scrambles", "seed", "max_use", "no_stay")
    drawn = ("pixels", "weight", "grey", "crop", "curves", "time_limit")
    options = options_by_name(arguments, *chosen, *drawn)
    try:
        with note_bar(arguments) as report:
            made = pictures(arguments.first, arguments.second, arguments.output, **options, report=report)
    except NotFoundError as error:
        print(f"jigsat: {error}", file=sys.stderr)
        return 130 if error.ended_by == "interrupt" else 1
    print_json(made.record()) if arguments.json else print(made.summary())
    return 130 if made.ended_by == "interrupt" else 0
