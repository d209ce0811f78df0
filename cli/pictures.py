"""`jigsat pictures`: one artwork that shows two or three pictures, one in each assembly of a jigsaw."""

import argparse
import sys

from ..csp.base.errors import NotFoundError, UsageError
from ..estimators.effort.asked import refuse_given
from ..render.photo.two_pictures import BLENDS, METHODS, PIXELS, pictures, preview_pictures
from .parts.options import PLACES, add_json, add_quiet, add_time_limit, options_by_name, whole
from .parts.parser import Parser
from .parts.progress import note_bar
from .parts.wording import print_found

# In seconds.
_TIME_LIMIT = 600
_FILES_HELP = """\
files in FOLDER:
  jigsaw.json     the jigsaw; its first assembly shows A, its second one B
  artwork.png     the print on the pieces, as it lies in the first assembly
  assembly-1.png  the first assembly, with its cut lines
  assembly-2.png  the second assembly, with its cut lines
  mapping.csv     a line for each piece: piece; square_1, row_1, column_1 and
                  rotation_1 of the first assembly, the same of the second, and
                  turn, the clockwise quarter turns from the first to the second
  uv-map.png      the place of each pixel of the artwork in the second assembly,
                  as three colours of 16 bits: the column is red x width / 65536,
                  the row green x height / 65536, both rounded down, and the turn
                  of the piece is blue / 16384
with a third picture also assembly-3.png and uv-map-3.png, and mapping.csv has
the third assembly and turn_3
"""


def add_options(parser: Parser) -> None:
    parser.description = (
        "Make artwork for a jigsaw with two assemblies: one assembly shows picture A and the other picture B.\n\n"
        "The jigsaw is given, or chosen so that what matters in one picture lies on what matters little in the other, "
        "and tones differ little.  The artwork is optimised for the eye.  Look at a preview first."
    )
    parser.epilog = _FILES_HELP
    parser.examples = (
        "jigsat pictures cup ring --rows 6 --columns 6 --preview preview.png",
        "jigsat pictures cup ring --rows 6 --columns 6 -o folder",
        "jigsat pictures a.png b.png --jigsaw perfect-6x6 --crop -o folder",
        "jigsat pictures a.png b.png c.png --jigsaw three-perfect-7x7 -o folder",
    )
    for name, which in (("A", "first"), ("B", "second")):
        parser.what.add_argument(which, metavar=name, help="a picture, or a bundled one: cup, ring")
    parser.what.add_argument(
        "third", metavar="C", nargs="?", help="a third picture. It needs --jigsaw, and a jigsaw with three assemblies"
    )
    parser.what.add_argument("--jigsaw", metavar="JIGSAW", help="the jigsaw: a file, or the name of a bundled one")
    for option, letter, what in (("--rows", "R", "rows"), ("--columns", "C", "columns")):
        parser.what.add_argument(option, type=whole, metavar=letter, help=f"choose a jigsaw with this number of {what}")
    parser.what.add_argument("--no-stay", action="store_true", help="no piece has the same square in both assemblies")
    parser.what.add_argument(
        "--max-use",
        type=whole,
        metavar="N",
        help="number of joins on which a connector may be. The default is 2; with annealing, any number at a price",
    )
    parser.how.add_argument(
        "--method",
        choices=METHODS,
        help="how the jigsaw is chosen (default: annealing). annealing: arrangements are annealed until tones fit and "
        "exactly two solutions are left.  scrambles: the best of many jigsaws with exactly two solutions, made "
        "without the pictures.  assignment: the best assignment of pieces to squares, whose jigsaw may have many "
        "solutions",
    )
    parser.how.add_argument(
        "--scrambles",
        type=whole,
        metavar="N",
        help="number of jigsaws to choose among (default: 200; with annealing from 40 on 5x5 to 3 on 20x20)",
    )
    parser.how.add_argument("--seed", type=whole, metavar="S", help="random seed of the jigsaws (default: 0)")
    _add_picture_options(parser)
    add_time_limit(parser, "choose among the jigsaws found in", default=_TIME_LIMIT)
    parser.output.add_argument("-o", "--output", metavar="FOLDER", help="write the files into FOLDER")
    parser.output.add_argument(
        "--preview",
        metavar="FILE",
        help="instead, draw in seconds what the best assignment of pieces to squares would show, into FILE "
        "(.png); say how well the pictures suit each other, and which options would be better",
    )
    add_quiet(parser)
    add_json(parser)
    drawn = ("weight", "grey", "crop_a", "crop_b", "crop_c", "mask_a", "mask_b", "mask_c")
    drawn = (*drawn, "match", "blend", "curves")
    parser.rare = frozenset(("max_use", "scrambles", *drawn))
    parser.set_defaults(run=run)


def _add_picture_options(parser: Parser) -> None:
    parser.how.add_argument(
        "--pixels",
        type=whole,
        default=64,
        metavar="P",
        help=f"side length of a piece in pixels (default: 64). An even number from {PIXELS[0]} to {PIXELS[1]}",
    )
    parser.how.add_argument(
        "--weight", type=float, metavar="W", help="weight of A, from 0 to 1 (default: the same for all pictures)"
    )
    parser.how.add_argument("--grey", action="store_true", help="use no colours")
    parser.how.add_argument("--crop", action="store_true", help="crop pictures of other shapes, keeping what matters")
    for letter in "abc":
        parser.how.add_argument(
            f"--crop-{letter}",
            metavar="PLACE",
            help=f"crop {letter.upper()}, and keep this part: {PLACES}",
        )
    for letter in "abc":
        parser.how.add_argument(
            f"--mask-{letter}",
            metavar="PICTURE",
            help=f"a grey picture, white where {letter.upper()} matters (default: what stands out)",
        )
    parser.how.add_argument(
        "--match",
        type=float,
        default=0.0,
        metavar="M",
        help="how far the tones of the pictures are matched first, from 0, not at all, to 1 (default: 0)",
    )
    parser.how.add_argument(
        "--blend",
        choices=BLENDS,
        default="seen",
        help="seen (the default): choose the jigsaw and optimise the artwork for the eye.  mean: for the squared "
        "error, which the mean of the two tones makes least",
    )
    parser.how.add_argument(
        "--curves", type=whole, default=0, metavar="SEED", help="random seed of the curves (default: 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    chosen = ("jigsaw", "rows", "columns", "method", "scrambles", "seed", "max_use", "no_stay")
    seen = ("pixels", "weight", "grey", "crop", "crop_a", "crop_b", "mask_a", "mask_b", "match")
    drawn = (*seen, "crop_c", "mask_c", "blend", "curves", "time_limit")
    if arguments.preview is not None:
        return _preview(arguments, seen)
    if arguments.output is None:
        raise UsageError("give a folder, or --preview with a file", "output")
    options = options_by_name(arguments, "third", *chosen, *drawn)
    try:
        with note_bar(arguments) as report:
            made = pictures(arguments.first, arguments.second, arguments.output, **options, report=report)
    except NotFoundError as error:
        print(f"jigsat: {error}", file=sys.stderr)
        return 130 if error.ended_by == "interrupt" else 1
    print_found(made, arguments)
    return 130 if "interrupt" in (made.ended_by, made.counting_ended_by) else 0


def _preview(arguments: argparse.Namespace, seen: tuple[str, ...]) -> int:
    """Draw a preview, and print the verdict."""
    if arguments.third is not None:
        raise UsageError("a preview is of two pictures; omit the third one", "preview")
    chosen = ("jigsaw", "method", "scrambles", "seed", "max_use", "no_stay")
    refuse_given("there is no third picture; omit the option", **options_by_name(arguments, "crop_c", "mask_c"))
    given = options_by_name(arguments, "output", *chosen)
    limit = None if arguments.time_limit == _TIME_LIMIT else arguments.time_limit
    given |= {"curves": arguments.curves or None, "time_limit": limit}
    refuse_given("a preview chooses no jigsaw; omit the option", **given)
    if arguments.blend == "mean":
        raise UsageError("a preview has the blend seen; omit the option", "blend")
    if arguments.json and arguments.preview == "-":
        raise UsageError("only one of them can use standard output; give --preview a file", "json", "preview")
    if None in (arguments.rows, arguments.columns):
        raise UsageError("give both", "rows", "columns")
    options = options_by_name(arguments, "rows", "columns", *seen)
    found = preview_pictures(arguments.first, arguments.second, arguments.preview, **options)
    print_found(found, arguments, arguments.preview)
    return 0
