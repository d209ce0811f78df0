"""`jigsat draw`: pictures of boards, pieces and search orders."""

import argparse

from ..csp.base.safe_files import refuse_same_file
from ..csp.files.sides import reading
from ..csp.files.solutions import read_with_board
from ..estimators.tasks.drawing import draw
from ..render.picture import refuse_picture
from .parts.options import SOLUTION_HELP, add_instance, add_output, add_variant, variant_of, whole
from .parts.parser import Parser


def add_options(parser: Parser) -> None:
    parser.description = (
        "Draw a board, a tiling, the pieces or a search order.\n\n"
        "Without SOLUTION, the picture shows the board of a viewer link, or the fixed pieces on an otherwise empty "
        "board, or, if no piece is fixed, the set of pieces.  `jigsat cut` draws cut sheets of jigsaws, `jigsat photo` "
        "renders a jigsaw on a table, and `jigsat view` makes a page of many solutions."
    )
    parser.examples = (
        "jigsat draw clue1 --pieces -o pieces.svg",
        "jigsat draw puzzle-a solutions.json --number 3 -o board.png",
        "jigsat draw eternity2 --order spiral_in -o order.pdf",
    )
    add_instance(parser)
    parser.what.add_argument("solution", metavar="SOLUTION", nargs="?", help=SOLUTION_HELP)
    parser.what.add_argument(
        "--number",
        type=whole,
        metavar="N",
        help="draw the N-th board or tiling of SOLUTION (default: 1). Without SOLUTION: the N-th assembly of a jigsaw",
    )
    what = parser.what.add_mutually_exclusive_group()
    what.add_argument("--pieces", action="store_true", help="draw the set of pieces")
    what.add_argument("--all", action="store_true", help="draw all tilings of a dissection's SOLUTION on one sheet")
    what.add_argument(
        "--order",
        metavar="O",
        help="draw a search order as a path over the board. It is a name as for `jigsat solve`, or a file of square "
        "names",
    )
    parser.how.add_argument("--no-numbers", action="store_true", help="omit the numbers of pieces and depths")
    parser.how.add_argument("--legend", action="store_true", help="show the colours with their numbers")
    add_variant(parser, without=["pieces"])
    add_output(parser, "write the picture to FILE: .svg, .png or .pdf; - for standard output (SVG)", required=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    refuse_picture(arguments.output)
    refuse_same_file(arguments.output, arguments.instance, arguments.target, arguments.solution, arguments.order)
    puzzle, linked = read_with_board(arguments.instance, reading(arguments.sides, arguments.border))
    puzzle = variant_of(puzzle, arguments, without=["pieces"])
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
