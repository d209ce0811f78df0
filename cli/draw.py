"""`jigsat draw`: pictures of boards, pieces and search orders."""

import argparse

from .common import add_instance, whole


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "draw",
        help="draw a board, the pieces or a search order",
        description="Draw a board of a solution file as an SVG picture.  Without SOLUTION, the fixed pieces on "
        "an otherwise empty board, or, where no piece is fixed, the set of pieces.",
    )
    add_instance(parser)
    parser.add_argument(
        "solution",
        metavar="SOLUTION",
        nargs="?",
        help="a solution file, a table of boards (CSV) or a viewer link; - for standard input",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="write the picture to this file (- for standard output)"
    )
    parser.add_argument("--number", type=whole, metavar="N", help="draw the N-th board of SOLUTION (default: 1)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--pieces", action="store_true", help="draw the set of pieces")
    what.add_argument(
        "--order",
        metavar="O",
        help="draw a search order as a path, over the board of SOLUTION or an empty one; a name as for `jigsat solve`, "
        "or a file of square names",
    )
    parser.add_argument("--no-numbers", action="store_true", help="leave out the numbers of pieces and depths")
    parser.add_argument("--legend", action="store_true", help="show the colours with their numbers")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.files import replacing
    from ..csp.instances import load

    picture = _picture(load(arguments.instance), arguments)
    with replacing(arguments.output) as file:
        file.write(picture)
    return 0


def _picture(puzzle, arguments: argparse.Namespace) -> str:
    from ..csp.draw.board import draw_board, draw_order, starter_board
    from ..csp.draw.sheet import draw_pieces
    from ..csp.errors import InstanceError
    from ..csp.formats.viewer import is_link
    from ..csp.orders import find_order

    if is_link(arguments.instance) and arguments.solution is None and not arguments.pieces:
        # A link shows a board, not only the pieces on it.
        arguments.solution = arguments.instance
    style = {"numbers": not arguments.no_numbers, "legend": arguments.legend}
    if arguments.solution is None and arguments.number is not None:
        raise InstanceError(f"--number {arguments.number}: there is no SOLUTION to take that board from")
    if arguments.pieces and arguments.solution is not None:
        raise InstanceError("--pieces draws the pieces, not a board: leave SOLUTION out")
    if arguments.order is not None:
        name, order = find_order(puzzle, arguments.order)
        if arguments.solution is None:
            return draw_order(puzzle, order, name, **style)
        return draw_board(puzzle, _board(puzzle, arguments), order=order, order_name=name, **style)
    if arguments.solution is not None:
        return draw_board(puzzle, _board(puzzle, arguments), **style)
    if puzzle.fixed and not arguments.pieces:
        return draw_board(puzzle, starter_board(puzzle), **style)
    return draw_pieces(puzzle, **style)


def _board(puzzle, arguments: argparse.Namespace):
    """The board that the user means."""
    from ..csp.errors import InstanceError
    from ..csp.instances import load_solutions

    boards = load_solutions(arguments.solution, puzzle)
    number = 1 if arguments.number is None else arguments.number
    if not 1 <= number <= len(boards):
        held = f"holds {len(boards)} {'board' if len(boards) == 1 else 'boards'}"
        raise InstanceError(f"{arguments.solution}: there is no board {number}; the file {held}")
    return boards[number - 1]
