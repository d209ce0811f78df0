"""`jigsat make`: make puzzles."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import escaped, refuse_unwritable, replacing, writing
from ..csp.files.file_format import format_for
from ..csp.files.instances import INSTANCE_FORMATS, format_instance
from ..csp.files.solutions import solution_writer
from .parts import make_jigsaw
from .parts.options import add_output, options_by_name, whole
from .parts.parser import Parser

if TYPE_CHECKING:
    from ..csp.make.edge_matching import MadePuzzle


def add_options(parser: Parser) -> None:
    parser.description = "Make a puzzle.  `jigsat make KIND --help` describes the options of a kind."
    parser.examples = (
        "jigsat make jigsaw --rows 5 --columns 5 -o jigsaw.json",
        "jigsat make edge-matching --rows 6 --columns 6 --frame-colors 3 --inner-colors 5 -o puzzle.json",
    )
    kinds = parser.add_subparsers(
        dest="kind", metavar="KIND", required=True, title="kinds", help="the kind of the puzzle"
    )
    _add_edge_matching(kinds)
    make_jigsaw.add_parser(kinds)


def _add_edge_matching(kinds) -> None:
    parser: Parser = kinds.add_parser(
        "edge-matching",
        help="a framed edge-matching puzzle",
        description="Make a framed edge-matching puzzle.\n\n"
        "The puzzle is planted (cut from a full board) or, with --random, a set of pieces that may have no solution.  "
        "The same options and random seed give the same puzzle on every machine and in every later version; the "
        "puzzle's source field holds the command.",
    )
    parser.examples = (
        "jigsat make edge-matching --rows 6 --columns 6 --frame-colors 3 --inner-colors 5 --seed 1 -o puzzle.json",
    )
    for option, letter, what in (
        ("--rows", "R", "rows of the board"),
        ("--columns", "C", "columns of the board"),
        ("--frame-colors", "F", "number of colours along the frame: 1, ..., F"),
        ("--inner-colors", "M", "number of colours inside: F + 1, ..., F + M"),
    ):
        parser.what.add_argument(option, type=whole, required=True, metavar=letter, help=what)
    parser.what.add_argument(
        "--distribution",
        default="flat",
        metavar="D",
        help="number of joins of each colour: flat or skewed (default: flat). flat: all equal.  skewed: in "
        "proportion to 1, 1/2, 1/3, ...",
    )
    parser.what.add_argument("--unique", action="store_true", help="no two pieces are equal up to rotation")
    parser.what.add_argument("--asymmetric", action="store_true", help="no piece looks the same after a turn")
    parser.what.add_argument("--random", action="store_true", help="a random set of pieces, without a planted solution")
    parser.what.add_argument(
        "--clues", type=whole, default=0, metavar="K", help="fix K pieces as in the planted solution (default: 0)"
    )
    parser.what.add_argument(
        "--clue-places",
        default="random",
        metavar="P",
        help="where the fixed pieces lie: random, corner or diagonal (default: random). corner: together in one "
        "corner.  diagonal: at equal distances along a diagonal",
    )
    parser.how.add_argument("--seed", type=whole, metavar="S", help="random seed (default: a random one)")
    parser.output.add_argument("--name", help="the puzzle's name (default: made of the options)")
    parser.output.add_argument("--solution", metavar="FILE", help="write the planted solution to FILE (.json)")
    add_output(parser, "write the puzzle to FILE (.json); - for standard output", default="-")
    parser.set_defaults(run=run_edge_matching)


def run_edge_matching(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from ..csp.make.edge_matching import deal_edge_matching

    file, solution_file = arguments.output, arguments.solution
    format_for(file, INSTANCE_FORMATS, "json")
    if solution_file is not None and os.path.realpath(file) == os.path.realpath(solution_file):
        raise UsageError(f"{file}: the puzzle and its solution need different files", "output", "solution")
    if arguments.random and solution_file is not None:
        raise UsageError("a random set has no planted solution; omit one of the two", "solution", "random")
    if solution_file is not None:
        format_for(solution_file, INSTANCE_FORMATS, "json")
        refuse_unwritable(solution_file)
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
    """Write the files of the puzzle and of its planted solution, both or neither, and report what was made."""
    puzzle, file, solution_file = made.puzzle, arguments.output, arguments.solution
    with replacing(file) as output:
        output.write(format_instance(puzzle))
        # A full disk is noticed before the solution is there, and what is wrong with the solution before the puzzle is.
        output.flush()
        if solution_file is not None and made.solution is not None:
            with writing(solution_file), solution_writer(puzzle, solution_file) as writer:
                writer.add(made.solution)
    report = sys.stderr if "-" in (file, solution_file) else sys.stdout
    print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {len(puzzle.pieces)} pieces", file=report)
