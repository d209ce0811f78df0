"""`jigsat play`: a page to play a jigsaw or a dissection."""

import argparse

from ..csp.base.safe_files import refuse_same_file
from ..csp.files.to_show import ToShow, to_show
from ..estimators.tasks.viewing import view
from .parts.options import (
    READING,
    SOLUTION_HELP,
    VARIANTS,
    add_crop,
    add_instance,
    add_motions,
    add_variant,
    options_by_name,
    read_variant,
    whole,
)
from .parts.pages import add_page, page_status
from .parts.parser import Parser


def add_options(parser: Parser) -> None:
    parser.description = (
        "Make a page to play a jigsaw or a dissection: the pieces lie on a table, and are dragged and turned.\n\n"
        "The page recognizes every solution, and can show the jigsaw's assemblies, or the boards or tilings of "
        "SOLUTIONS.  The pieces of a dissection turn, and turn over, as the puzzle allows.  The page is a single file "
        "without external resources, and the browser keeps the progress."
    )
    parser.examples = (
        "jigsat play perfect-5x5 -o play.html",
        "jigsat play cup-and-ring --image artwork.png --seed 3 -o play.html",
        "jigsat play perfect-5x5 --give-away --name 'For Ada' -o gift.html",
        "jigsat play ostomachion -o ostomachion.html",
        "jigsat play tangram --motions any -o tangram.html",
    )
    add_instance(parser)
    parser.what.add_argument("solutions", metavar="SOLUTIONS", nargs="?", help=SOLUTION_HELP)
    parser.what.add_argument(
        "--image",
        metavar="PICTURE",
        help="artwork (PNG, JPEG, ...) on the pieces of a jigsaw, as it lies in the first assembly. Its proportions "
        "must be those of the board",
    )
    parser.what.add_argument(
        "--give-away",
        action="store_true",
        help="shuffle the numbers of the pieces, and hide the solutions: the page has only salted hashes of those of "
        "a jigsaw, and none of a dissection",
    )
    parser.what.add_argument("--name", metavar="TEXT", help="title of the page (default: the puzzle's name)")
    parser.how.add_argument(
        "--curves", type=whole, metavar="SEED", help="random seed of a jigsaw's curves (default: 0)"
    )
    parser.how.add_argument("--seed", type=whole, metavar="N", help="random seed of the shuffle (default: 0)")
    add_crop(parser)
    add_motions(parser)
    add_variant(parser)
    add_page(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    refuse_same_file(arguments.output, arguments.instance, arguments.target, arguments.solutions, arguments.image)
    if any(getattr(arguments, name) is not None for name in VARIANTS):
        found = ToShow(read_variant(arguments), arguments.solutions)
    else:
        found = to_show(arguments.instance, arguments.solutions, playing=True, **options_by_name(arguments, *READING))
    names = ("limit", "image", "crop", "crop_at", "curves", "seed", "give_away", "name", "motions")
    options = options_by_name(arguments, *names)
    page = view(found.puzzle, found.solutions, arguments.output, play=True, word=found.word, **options)
    return page_status(page)
