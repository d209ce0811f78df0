"""`jigsat pictures`: one artwork that shows two or three pictures, one in each assembly of a jigsaw."""

import argparse
import sys

from ..api.pictures import pictures, preview_pictures
from ..csp.base.errors import NotFoundError, UsageError
from ..csp.engines.request import refuse_given
from .files import add_open, name_default, stem_of
from .from_functions import describe, take
from .options import add_json, add_quiet, options_by_name
from .parser import Parser
from .progress import part_bar
from .wording import print_found

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
the third assembly and turn_3; with two boards also jigsaw-9x11.json (the second
one), and neither mapping.csv nor uv-map.png
"""


def add_options(parser: Parser) -> None:
    describe(parser, pictures)
    parser.epilog = _FILES_HELP
    parser.examples = (
        "jigsat pictures cup ring --rows 6 --columns 6 --preview preview.png",
        "jigsat pictures cup ring --rows 6 --columns 6 -o folder",
        "jigsat pictures a.png b.png --jigsaw perfect-6x6 --crop -o folder",
        "jigsat pictures a.png b.png --boards 10x10,9x11 --crop -o folder",
        "jigsat pictures a.png b.png c.png --jigsaw three-perfect-7x7 -o folder",
    )
    take(parser, pictures, without=("output",), positional=("first", "second", "third"))
    parser.output.add_argument("-o", "--output", metavar="FOLDER", help="write the files into FOLDER (default: A-B)")
    add_open(parser)
    parser.output.add_argument(
        "--preview",
        metavar="FILE",
        help="instead, draw in seconds what the best assignment of pieces to squares would show, into FILE "
        "(.png); say how well the pictures suit each other, and which options would be better",
    )
    add_quiet(parser)
    add_json(parser)
    drawn = ("weight", "grey", "crop_a", "crop_b", "crop_c", "mask_a", "mask_b", "mask_c", "match", "blend", "curves")
    parser.rare = frozenset(("second_board", "max_use", "no_stay", "scrambles", "seed", "pixels", *drawn))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    chosen = (
        "jigsaw", "second_board", "rows", "columns", "boards", "method", "scrambles", "seed", "max_use", "no_stay",
    )  # fmt: skip
    seen = ("pixels", "weight", "grey", "crop", "crop_a", "crop_b", "mask_a", "mask_b", "match")
    drawn = (*seen, "crop_c", "mask_c", "blend", "curves", "time_limit")
    if arguments.preview is not None:
        return _preview(arguments, seen)
    folder = arguments.output
    if folder is None:
        about = "-".join(stem_of(picture) for picture in (arguments.first, arguments.second))
        folder = name_default(arguments, about, (), "")
    options = options_by_name(arguments, "third", *chosen, *drawn)
    try:
        with part_bar(arguments) as report:
            made = pictures(arguments.first, arguments.second, folder, **options, report=report)
    except NotFoundError as error:
        print(f"jigsat: {error}", file=sys.stderr)
        return 130 if error.ended_by == "interrupt" else 1
    print_found(made, arguments)
    return 130 if "interrupt" in (made.ended_by, made.counting_ended_by) else 0


def _preview(arguments: argparse.Namespace, seen: tuple[str, ...]) -> int:
    """Draw a preview, and print the verdict."""
    if arguments.third is not None:
        raise UsageError("a preview is of two pictures; omit the third one", "preview")
    chosen = ("jigsaw", "second_board", "method", "scrambles", "seed", "max_use", "no_stay")
    refuse_given("there is no third picture; omit the option", **options_by_name(arguments, "crop_c", "mask_c"))
    given = options_by_name(arguments, "output", *chosen)
    limit = None if arguments.time_limit == _TIME_LIMIT else arguments.time_limit
    given |= {"curves": arguments.curves or None, "time_limit": limit}
    refuse_given("a preview chooses no jigsaw; omit the option", **given)
    if arguments.blend == "mean":
        raise UsageError("a preview has the blend seen; omit the option", "blend")
    if arguments.json and arguments.preview == "-":
        raise UsageError("only one of them can use standard output; give --preview a file", "json", "preview")
    options = options_by_name(arguments, "rows", "columns", "boards", *seen)
    found = preview_pictures(arguments.first, arguments.second, arguments.preview, **options)
    print_found(found, arguments, arguments.preview)
    return 0
