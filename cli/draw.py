"""`jigsat draw`: pictures of boards, pieces and search orders."""

import argparse

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file
from ..csp.files.solutions import read_with_board
from ..estimators.effort.asked import refuse_given
from ..estimators.tasks.drawing import draw
from .parts import draw_photo, draw_print
from .parts.options import SOLUTION_HELP, add_instance, options_by_name, whole


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Draw a board or a tiling of a solution file as an SVG picture.  Without SOLUTION, the board of a "
        "viewer link, the fixed pieces on an otherwise empty board, or, where no piece is fixed, the set of pieces."
    )
    add_instance(parser)
    parser.add_argument("solution", metavar="SOLUTION", nargs="?", help=SOLUTION_HELP)
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="write the picture to this file (- for standard output)"
    )
    parser.add_argument(
        "--number",
        type=whole,
        metavar="N",
        help="draw the N-th board or tiling of SOLUTION (default: 1), or the N-th assembly of a jigsaw's file",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--pieces", action="store_true", help="draw the set of pieces")
    what.add_argument("--all", action="store_true", help="draw all tilings of a dissection's SOLUTION on one sheet")
    what.add_argument(
        "--order",
        metavar="O",
        help="draw a search order as a path, over the board of SOLUTION or an empty one; a name as for `jigsat solve`, "
        "or a file of square names",
    )
    parser.add_argument("--no-numbers", action="store_true", help="leave out the numbers of pieces and depths")
    parser.add_argument("--legend", action="store_true", help="show the colours with their numbers")
    draw_print.add_options(parser)
    draw_photo.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    _refuse_options(arguments)
    if arguments.print_:
        return draw_print.print_sheets(arguments)
    if arguments.photo:
        return draw_photo.save_photo(arguments)
    refuse_same_file(arguments.output, arguments.instance, arguments.solution, arguments.order)
    puzzle, linked = read_with_board(arguments.instance)
    # The board of a link that stands for the puzzle is drawn unless something else is asked for.
    board = linked if arguments.solution is None and not arguments.pieces else arguments.solution
    picture = draw(
        puzzle,
        board,
        order=arguments.order,
        pieces=arguments.pieces,
        all=arguments.all,
        number=arguments.number,
        numbers=not arguments.no_numbers,
        legend=arguments.legend,
    )
    picture.save(arguments.output)
    return 0


def _refuse_options(arguments: argparse.Namespace) -> None:
    """Keep options of one sort of picture from being ignored in silence by another one."""
    if arguments.print_ and arguments.photo:
        raise UsageError("is a picture of its own; leave --print out", "photo")
    if arguments.print_ or arguments.photo:
        what = f"is for pictures, not for {'--print' if arguments.print_ else '--photo'}"
        refuse_given(f"{what}; --sheets legend is the one of cut sheets", legend=arguments.legend)
        refuse_given(what, **options_by_name(arguments, "pieces", "all", "order"))
    else:
        what = "is for cut sheets and renderings; give --print or --photo, too"
        refuse_given(what, **options_by_name(arguments, "curves", "image", "quiet"))
    if not arguments.print_:
        refuse_given("is for cut sheets; give --print, too", **options_by_name(arguments, *draw_print.OPTIONS))
    if not arguments.photo:
        refuse_given("is for renderings; give --photo, too", **options_by_name(arguments, *draw_photo.OPTIONS))
