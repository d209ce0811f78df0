"""`jigsat draw`: pictures of boards, pieces and search orders."""

import argparse

from ..csp.base.errors import InstanceError
from ..csp.base.safe_files import refuse_same_file, replacing
from ..csp.files.community.viewer_links import arrangement_of, parse_link
from ..csp.files.file_format import format_of
from ..csp.files.instances import parse_puzzle, puzzle_source
from ..csp.files.solutions import load_solutions
from ..csp.puzzles.dissection import DissectionPuzzle
from ..render.svg.board import draw_board
from ..render.svg.pieces import draw_pieces
from .parts import draw_photo, draw_print
from .parts.dissections.commands import draw_dissection, refuse_options
from .parts.options import SOLUTION_HELP, add_instance, refuse_given, whole
from .parts.planning import numbered_one, order_of


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
        return draw_print.print_sheets(*_loaded(arguments.instance), arguments)
    if arguments.photo:
        return draw_photo.draw_photo(*_loaded(arguments.instance), arguments)
    refuse_same_file(arguments.output, arguments.instance, arguments.solution, arguments.order)
    picture = _picture(*_loaded(arguments.instance), arguments)
    with replacing(arguments.output) as file:
        file.write(picture)
    return 0


def _refuse_options(arguments: argparse.Namespace) -> None:
    """Keep options of one sort of picture from being ignored in silence by another one."""
    if arguments.print_ and arguments.photo:
        raise InstanceError("--photo: is a picture of its own; leave --print out")
    if arguments.print_ or arguments.photo:
        what = f"is for pictures, not for {'--print' if arguments.print_ else '--photo'}"
        refuse_given(arguments, ["legend"], f"{what}; --sheets legend is the one of cut sheets")
        refuse_given(arguments, ["pieces", "all", "order"], what)
    else:
        what = "is for cut sheets and renderings; give --print or --photo, too"
        refuse_given(arguments, ["curves", "image", "quiet"], what)
    if not arguments.print_:
        refuse_given(arguments, draw_print.OPTIONS, "is for cut sheets; give --print, too")
    if not arguments.photo:
        refuse_given(arguments, draw_photo.OPTIONS, "is for renderings; give --photo, too")


def _loaded(source: str):
    """The puzzle, and, where a viewer link stands for it, the board that the link shows."""
    text, label = puzzle_source(source)
    puzzle = parse_puzzle(text, label)
    if isinstance(puzzle, DissectionPuzzle) or format_of(text, label) != "url":
        return puzzle, None
    return puzzle, arrangement_of(parse_link(text, label), puzzle, label)


def _picture(puzzle, linked, arguments: argparse.Namespace) -> str:
    """What the user asks to see; `linked` is the board of a link that was given as the puzzle."""
    if isinstance(puzzle, DissectionPuzzle):
        return draw_dissection(puzzle, arguments)
    refuse_options(puzzle, arguments, "all")
    board = _board(puzzle, linked, arguments)
    style = {"numbers": not arguments.no_numbers, "legend": arguments.legend}
    if arguments.order is not None:
        name, order = order_of(puzzle, arguments.order, None)
        board = (None,) * len(puzzle.board) if board is None else board
        return draw_board(puzzle, board, order=order, order_name=name, **style)
    if board is None and puzzle.fixed and not arguments.pieces:
        board = puzzle.fixed_board
    return draw_pieces(puzzle, **style) if board is None else draw_board(puzzle, board, **style)


def _board(puzzle, linked, arguments: argparse.Namespace):
    """The board that the user means, if any."""
    for given, name in ((arguments.solution, "SOLUTION"), (arguments.number, "--number")):
        if arguments.pieces and given is not None:
            raise InstanceError(f"--pieces draws the pieces, not a board: leave {name} out")
    boards = [linked] if linked is not None and not arguments.pieces else []
    if arguments.number is not None and not boards:
        boards = list(puzzle.assemblies)
    source = arguments.instance
    if arguments.solution is not None:
        boards, source = load_solutions(arguments.solution, puzzle), arguments.solution
    if arguments.solution is None and not boards:
        if arguments.number is None:
            return None
        raise InstanceError(f"--number {arguments.number}: there is no SOLUTION to take that board from")
    return numbered_one(boards, arguments.number, source)
