"""`jigsat draw --photo`: what a jigsaw looks like on a table."""

import argparse

from ...csp.base.safe_files import refuse_same_file
from ...csp.files.solutions import read_with_board
from ...estimators.tasks.jigsaws import draw_photo, photo_kind
from .options import options_by_name, whole
from .progress import note_bar

#: Options that only renderings have.
OPTIONS = ("loose", "pixels", "seed")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of --photo."""
    group = parser.add_argument_group(
        "a rendering of a jigsaw",
        "With --photo: the jigsaw as it lies on a table, with real tabs, bevelled edges and shadows.  FILE ends in "
        ".png or .jpg.  --number, SOLUTION and --curves are those of --print; --image is the artwork as it lies in the "
        "first assembly, so that --number 2 shows what becomes of it.",
    )
    group.add_argument("--photo", action="store_true", help="render the jigsaw on a table")
    group.add_argument("--loose", type=whole, metavar="N", help="so many pieces are not yet in place (default: 0)")
    group.add_argument(
        "--pixels", type=whole, metavar="P", help="how many pixels long a side of a piece is (default: 96)"
    )
    group.add_argument("--seed", type=whole, metavar="S", help="how the loose pieces lie (default: 0)")


def save_photo(arguments: argparse.Namespace) -> int:
    """Write a rendering."""
    puzzle, linked = read_with_board(arguments.instance)
    refuse_same_file(arguments.output, arguments.instance, arguments.solution, arguments.image)
    photo_kind(arguments.output)
    options = options_by_name(arguments, "number", "loose", "pixels", "seed", "curves", "image")
    with note_bar(arguments) as report:
        board = linked if arguments.solution is None else arguments.solution
        photo = draw_photo(puzzle, board, report=report, **options)
    photo.save(arguments.output)
    return 0
