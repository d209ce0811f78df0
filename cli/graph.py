"""`jigsat graph`: the graph of a dissection's tilings."""

import argparse
from contextlib import nullcontext, suppress

from ..csp.base.errors import NotFoundError, UsageError
from ..csp.base.safe_files import refuse_same_file, replacing
from ..csp.files.instances import Puzzle, read_puzzle
from ..csp.tilings.moves import RULES
from ..models.tilings.graph_of_tilings import FoundGraph, graph
from .parts.options import add_instance, add_json, add_motions, add_time_limit
from .parts.progress import note_bar
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find all tilings of a dissection, up to symmetry, and which of them a move makes of each other; "
        "tell of the graph that they make.  Pieces that lie together in every tiling, as the tilings show, are taken "
        "as one piece first."
    )
    add_instance(parser)
    parser.add_argument(
        "--moves",
        choices=tuple(RULES),
        default="chung-graham",
        help="what counts as a move: convex (pieces that fill a convex region are moved by a symmetry of the region), "
        "primitive (the same if no proper part of the pieces covers the same points as before), chung-graham (the "
        "same with regions of at most four vertices that are no acute triangles of half the target's area; it gives "
        "the published figures for the Ostomachion; the default), exchanges (convex, or two congruent convex regions "
        "exchange their pieces)",
    )
    parser.add_argument("--no-merge", action="store_true", help="keep pieces that always lie together apart")
    add_motions(parser)
    parser.add_argument(
        "--hamiltonian",
        action="store_true",
        help="find a Hamiltonian cycle of the largest component, or else a path, or prove that there is none",
    )
    parser.add_argument("--draw", metavar="FILE", help="draw the graph, as SVG, in this file (- for standard output)")
    parser.add_argument("--thumbnails", action="store_true", help="show the tilings in the picture")
    add_time_limit(parser, "give up after")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.draw is not None:
        refuse_same_file(arguments.draw, arguments.instance)
    elif arguments.thumbnails:
        raise UsageError("they are for the picture, which --draw FILE makes", "thumbnails")
    if arguments.draw == "-" and arguments.json:
        raise UsageError("only one of them can have the standard output", "draw", "json")
    puzzle = read_puzzle(arguments.instance)
    found: FoundGraph | None = None
    # What cannot be written is refused before the search; without a graph, what the file held stays.
    with suppress(NotFoundError), nullcontext() if arguments.draw is None else replacing(arguments.draw) as file:
        found = _found(puzzle, arguments)
        if file is not None:
            file.write(found.draw(thumbnails=arguments.thumbnails))
    assert found is not None
    if arguments.json:
        print_json(found.record())
    elif arguments.draw != "-" or found.parts is None:
        print(found.summary())
    if found.ended_by == "interrupt":
        return 130
    return 1 if found.parts is None else 0


def _found(puzzle: Puzzle, arguments: argparse.Namespace) -> FoundGraph:
    with note_bar(arguments) as report:
        return graph(
            puzzle,
            moves=arguments.moves,
            merge=not arguments.no_merge,
            motions=arguments.motions,
            hamiltonian=arguments.hamiltonian,
            time_limit=arguments.time_limit,
            report=report,
        )
