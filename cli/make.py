"""`jigsat make`: make puzzles."""

import argparse
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import escaped, replacing
from ..csp.files.instances import format_instance
from ..csp.files.solutions import solution_writer
from .parts import make_jigsaw
from .parts.options import options_by_name, whole

if TYPE_CHECKING:
    from ..csp.make.edge_matching import MadePuzzle


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Make a puzzle of chosen properties.  jigsat make KIND --help tells about a kind."
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    _add_edge_matching(kinds)
    make_jigsaw.add_parser(kinds)


def _add_edge_matching(kinds) -> None:
    parser = kinds.add_parser(
        "edge-matching",
        help="a framed edge-matching puzzle",
        description="Make a framed edge-matching puzzle: planted (cut from a full board) or, with --random, a set of "
        "pieces for which no solution is promised.  The same options and seed give the same puzzle on every machine "
        "and in every later version; the puzzle's source field holds the command.",
    )
    for option, letter, what in (
        ("--rows", "R", "rows of the board"),
        ("--columns", "C", "columns of the board"),
        ("--frame-colors", "F", "number of colours along the frame: 1, ..., F"),
        ("--inner-colors", "M", "number of colours inside: F + 1, ..., F + M"),
    ):
        parser.add_argument(option, type=whole, required=True, metavar=letter, help=what)
    parser.add_argument(
        "--distribution",
        default="flat",
        metavar="D",
        help="how many joins each colour has: flat (equally many, the default) or skewed (the k-th in proportion to "
        "1/k)",
    )
    parser.add_argument("--unique", action="store_true", help="no two pieces are equal, however they are turned")
    parser.add_argument("--asymmetric", action="store_true", help="no piece looks the same after a turn")
    parser.add_argument("--random", action="store_true", help="a random set of pieces, without a planted solution")
    parser.add_argument(
        "--clues", type=whole, default=0, metavar="K", help="fix K pieces as in the planted solution (default: 0)"
    )
    parser.add_argument(
        "--clue-places",
        default="random",
        metavar="P",
        help="where these lie: random (anywhere, the default), corner (together in one corner) or diagonal (at equal "
        "distances along one)",
    )
    parser.add_argument("--seed", type=whole, metavar="S", help="which puzzle of that sort (default: a random one)")
    parser.add_argument("--name", help="the puzzle's name (default: made of the options)")
    parser.add_argument("--solution", metavar="FILE", help="write the planted solution to this file")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="the puzzle's file (default: - for stdout)")
    parser.set_defaults(run=run_edge_matching)


def run_edge_matching(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from ..csp.make.edge_matching import deal_edge_matching

    file, solution_file = arguments.output, arguments.solution
    if solution_file is not None and os.path.realpath(file) == os.path.realpath(solution_file):
        raise UsageError(f"{file}: the puzzle and its solution cannot both be written there", "output", "solution")
    if arguments.random and arguments.solution is not None:
        raise UsageError("a random set has no planted solution; leave out one of the two", "solution", "random")
    seed = randbelow(2**32) if arguments.seed is None else arguments.seed
    made = deal_edge_matching(
        **options_by_name(arguments, "rows", "columns", "frame_colors", "inner_colors", "distribution", "unique"),
        **options_by_name(arguments, "asymmetric", "random", "clues", "clue_places", "name"),
        seed=seed,
    )
    write(made, arguments)
    if arguments.seed is None:
        print(f"seed {seed}", file=sys.stderr)
    return 0


def write(made: "MadePuzzle", arguments: argparse.Namespace) -> None:
    """Write the puzzle and, apart from it, the planted solution, or nothing at all; say what was made."""
    puzzle, file, solution_file = made.puzzle, arguments.output, arguments.solution
    apart = nullcontext() if solution_file is None else solution_writer(puzzle, solution_file)
    with apart as writer, replacing(file) as output:
        output.write(format_instance(puzzle))
        if writer is not None and made.solution is not None:
            writer.add(made.solution)
    told = sys.stderr if "-" in (file, solution_file) else sys.stdout
    print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {len(puzzle.pieces)} pieces", file=told)
