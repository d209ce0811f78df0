"""`jigsat view --play`: a page to play a jigsaw."""

import argparse
from collections.abc import Sequence

from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...render.html.data_uri import data_uri
from .options import refuse_given, whole

# The options of --play alone, and of the other page alone, as the parsed arguments have them.
_OF_PLAY = ("image", "curves", "seed")
_OF_STEPS = ("order", "slips", "actual", "no_symmetry")


def add_play(parser: argparse.ArgumentParser) -> None:
    """The options of the page to play with."""
    group = parser.add_argument_group("a page to play a jigsaw")
    group.add_argument(
        "--play",
        action="store_true",
        help="make a page to play the jigsaw instead: its pieces on a table, to be dragged and turned; the page knows "
        "its assemblies, or the boards of SOLUTIONS, when they are found",
    )
    group.add_argument(
        "--image",
        metavar="PICTURE",
        help="cover the first assembly with this picture, whose width and height must be in the ratio of the board's "
        "columns and rows",
    )
    group.add_argument("--curves", type=whole, metavar="SEED", help="cut by another family of curves (default: 0)")
    group.add_argument("--seed", type=whole, metavar="N", help="begin with another shuffle (default: 0)")


def refuse_with_play(arguments: argparse.Namespace) -> None:
    """Refuse options that are for the other page, as `refuse_given` does."""
    if arguments.play:
        refuse_given(arguments, _OF_STEPS, "it is for the page to step through solutions; leave it or --play out")
    else:
        refuse_given(arguments, _OF_PLAY, "it is for a page to play with; give --play, too")


def playing_page(puzzle: Puzzle, boards: Sequence[Arrangement], word: str, arguments: argparse.Namespace) -> str:
    """The page."""
    from ...render.html.play import checked_jigsaw, play_page

    jigsaw, image = checked_jigsaw(puzzle), arguments.image
    uri = None if image is None else data_uri(image, jigsaw.rows, jigsaw.columns)
    return play_page(jigsaw, boards, curves=arguments.curves or 0, image=uri, seed=arguments.seed or 0, word=word)
