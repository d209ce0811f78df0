"""`jigsat photo`: a jigsaw as it lies on a table."""

import argparse

from ..csp.base.safe_files import refuse_same_file
from ..csp.files.sides import reading
from ..csp.files.solutions import read_with_board
from ..estimators.tasks.jigsaws import draw_photo, photo_kind
from .parts.options import SOLUTION_HELP, add_crop, add_instance, add_output, add_quiet, options_by_name, whole
from .parts.parser import Parser
from .parts.progress import note_bar


def add_options(parser: Parser) -> None:
    parser.description = (
        "Render a jigsaw on a table, with tabs, bevelled edges and shadows.\n\n"
        "The artwork of --image is given as it lies in the first assembly; --number 2 shows how the second assembly "
        "rearranges it."
    )
    parser.examples = (
        "jigsat photo perfect-5x5 -o photo.png",
        "jigsat photo cup-and-ring --image artwork.png --number 2 --loose 6 -o photo.jpg",
    )
    add_instance(parser)
    parser.what.add_argument("solution", metavar="SOLUTION", nargs="?", help=SOLUTION_HELP)
    parser.what.add_argument(
        "--number", type=whole, metavar="N", help="the N-th board of SOLUTION, or assembly of the jigsaw (default: 1)"
    )
    parser.what.add_argument("--image", metavar="PICTURE", help="artwork (PNG, JPEG, ...) on the pieces")
    parser.what.add_argument("--loose", type=whole, metavar="N", help="number of pieces not yet in place (default: 0)")
    parser.how.add_argument("--pixels", type=whole, metavar="P", help="side length of a piece in pixels (default: 96)")
    parser.how.add_argument("--curves", type=whole, metavar="SEED", help="random seed of the curves (default: 0)")
    parser.how.add_argument("--seed", type=whole, metavar="S", help="random seed of the loose pieces (default: 0)")
    add_output(parser, "write the picture to FILE: .png or .jpg; - for standard output (PNG)", required=True)
    add_crop(parser)
    add_quiet(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle, linked = read_with_board(arguments.instance, reading(arguments.sides, arguments.border))
    refuse_same_file(arguments.output, arguments.instance, arguments.solution, arguments.image)
    photo_kind(arguments.output)
    options = options_by_name(arguments, "number", "loose", "pixels", "seed", "curves", "image", "crop", "crop_at")
    with note_bar(arguments) as report:
        board = linked if arguments.solution is None else arguments.solution
        photo = draw_photo(puzzle, board, report=report, **options)
    photo.save(arguments.output)
    return 0
