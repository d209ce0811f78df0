"""`jigsat make`: make puzzles."""

import argparse
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from .certify import certified, described, record, status_of
from .common import Patience, add_json, ending, patience, print_json, seconds, several, whole

if TYPE_CHECKING:
    from ..csp.make.edge_matching import MadePuzzle
    from ..csp.make.jigsaw import MadeJigsaw


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "make",
        help="make a puzzle",
        description="Make a puzzle of chosen properties.  jigsat make KIND --help tells about a kind.",
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    _add_edge_matching(kinds)
    _add_jigsaw(kinds)


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
    parser.add_argument("--seed", type=whole, metavar="S", help="which puzzle of that sort (default: a random one)")
    parser.add_argument("--name", help="the puzzle's name (default: made of the options)")
    add_output(parser)
    parser.set_defaults(run=run_edge_matching)


def _add_jigsaw(kinds) -> None:
    parser = kinds.add_parser(
        "jigsaw",
        help="a jigsaw with exactly so many solutions",
        description="Make a jigsaw that has exactly K solutions (turning the whole board makes no other one) and prove "
        "it: what is made is certified as by `jigsat certify`.  Its pieces differ from each other, sides that meet in "
        "one of the first two solutions do not meet in the other, and by default each connector is on two joins: a "
        "perfect jigsaw.  The same options and seed give the same jigsaw on every machine and in every later version; "
        "the puzzle's source field holds the command.  If a time limit or Ctrl-C ends the work, the nearest jigsaw so "
        "far is written, and the exit status is not 0.",
    )
    for option, letter, what in (("--rows", "R", "rows of the board"), ("--columns", "C", "columns of the board")):
        parser.add_argument(option, type=whole, required=True, metavar=letter, help=what)
    parser.add_argument("--solutions", type=whole, default=2, metavar="K", help="how many solutions (default: 2)")
    parser.add_argument(
        "--max-use", type=whole, default=2, metavar="N", help="on how many joins a connector may be (default: 2)"
    )
    parser.add_argument("--types", type=whole, metavar="N", help="the number of connectors, instead of their use")
    parser.add_argument(
        "--no-stay",
        action="store_true",
        help="no piece has the same square in the first two solutions, however one of them is turned (corners of a "
        "square board excepted, which one turn or another takes to their places)",
    )
    parser.add_argument(
        "--method", metavar="M", help="closed-form, crystal, annealing or planted (default: the quickest that can)"
    )
    parser.add_argument("--seed", type=whole, metavar="S", help="which jigsaw of that sort (default: a random one)")
    parser.add_argument("--name", help="the jigsaw's name (default: made of the options)")
    parser.add_argument(
        "--time-limit",
        type=seconds,
        default=600,
        metavar="SECONDS",
        help="stop looking after so many seconds (default: 600)",
    )
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="write the certificate: the proof to FILE, its formula to FILE.cnf, what it states to FILE.json",
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="the jigsaw's file (default: - for stdout)")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run_jigsaw, encoding=None, solver=None)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where a made puzzle goes."""
    parser.add_argument("--solution", metavar="FILE", help="write the planted solution to this file")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="the puzzle's file (default: - for stdout)")


def run_edge_matching(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from ..csp.errors import PuzzleError
    from ..csp.make.edge_matching import make_edge_matching

    check_output(arguments)
    if arguments.random and arguments.solution is not None:
        raise PuzzleError("--solution: a random set has no planted solution; leave out --solution or --random")
    seed = randbelow(2**32) if arguments.seed is None else arguments.seed
    made = make_edge_matching(
        arguments.rows,
        arguments.columns,
        arguments.frame_colors,
        arguments.inner_colors,
        distribution=arguments.distribution,
        unique=arguments.unique,
        asymmetric=arguments.asymmetric,
        planted=not arguments.random,
        clues=arguments.clues,
        seed=seed,
        name=arguments.name,
    )
    write(made, arguments)
    if arguments.seed is None:
        print(f"seed {seed}", file=sys.stderr)
    return 0


def check_output(arguments: argparse.Namespace) -> None:
    """Refuse to write the puzzle and its solution to the same place."""
    from ..csp.errors import InstanceError

    file, solution_file = arguments.output, arguments.solution
    if solution_file is not None and os.path.realpath(file) == os.path.realpath(solution_file):
        raise InstanceError(f"{file}: the puzzle and its solution cannot both be written there; give each its file")


def write(made: "MadePuzzle", arguments: argparse.Namespace) -> None:
    """Write the puzzle and, apart from it, the planted solution, or nothing at all; say what was made."""
    from ..csp.files import escaped, replacing
    from ..csp.instances import format_instance, solution_writer

    puzzle, file, solution_file = made.puzzle, arguments.output, arguments.solution
    apart = nullcontext() if solution_file is None else solution_writer(puzzle, solution_file)
    with apart as writer, replacing(file) as output:
        output.write(format_instance(puzzle))
        if writer is not None and made.solution is not None:
            writer.add(made.solution)
    told = sys.stderr if "-" in (file, solution_file) else sys.stdout
    print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {len(puzzle.pieces)} pieces", file=told)


def run_jigsaw(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from ..csp.files import replacing
    from ..csp.instances import format_instance
    from ..csp.make.jigsaw import JigsawWishes, make_jigsaw

    _check_jigsaw_files(arguments)
    seed = randbelow(2**32) if arguments.seed is None else arguments.seed
    wishes = JigsawWishes(
        arguments.rows,
        arguments.columns,
        arguments.solutions,
        arguments.max_use,
        arguments.types,
        arguments.no_stay,
        arguments.method,
        seed,
        arguments.name,
    )
    with patience(arguments) as must_stop:
        with replacing(arguments.output) as file:
            made = make_jigsaw(wishes, must_stop=must_stop, report=must_stop.tell)
            file.write(format_instance(made.puzzle))
        if made.faults:
            return _say_not_as_wished(made, must_stop, arguments)
        found = certified(made.puzzle, arguments.solutions, arguments, must_stop)
    told = sys.stderr if arguments.output == "-" else sys.stdout
    if arguments.json:
        print_json(record(made.puzzle, found, must_stop) | quality_of(made))
    else:
        print(f"{_head(made)}{described(found, must_stop)}", file=told)
        print("\n".join(f"  {name:<17}{what}" for name, what in _lines(made)), file=told)
    return status_of(found, must_stop)


def _check_jigsaw_files(arguments: argparse.Namespace) -> None:
    """Refuse what could not be written, or would be written to the same place."""
    from pathlib import Path

    from ..csp.errors import InstanceError

    if arguments.json and arguments.output == "-":
        raise InstanceError("--json and -o - cannot both have standard output; give -o a file")
    if arguments.proof is not None:
        from ..models.certificate import Files

        Files(Path(arguments.proof)).check()
        written = [os.path.realpath(f"{arguments.proof}{ending}") for ending in ("", ".cnf", ".json")]
        if os.path.realpath(arguments.output) in written:
            raise InstanceError(f"{arguments.output}: --proof writes this file, too; give -o another one")


def _head(made: "MadeJigsaw") -> str:
    from ..csp.files import escaped

    return f"{escaped(made.puzzle.name)}: {made.puzzle.kind} puzzle, {several(len(made.puzzle.pieces), 'piece')}, "


def _say_not_as_wished(made: "MadeJigsaw", must_stop: Patience, arguments: argparse.Namespace) -> int:
    """Tell of a jigsaw that was written for want of a better one; the exit status."""
    faults = ", ".join(made.faults)
    if arguments.json:
        print_json({"instance": made.puzzle.name, "ended_by": must_stop.ended_by} | quality_of(made))
    else:
        print(f"{_head(made)}NOT as wished: {faults} ({ending(must_stop) or 'no better one exists'})", file=sys.stderr)
    return 130 if must_stop.ended_by == "interrupt" else 1


def quality_of(made: "MadeJigsaw") -> dict[str, object]:
    """How good a jigsaw is, for scripts."""
    quality = made.quality
    staying = {turns: len(pieces) for turns, pieces in quality.staying[0, 1].by_turn.items()} if quality.staying else {}
    return {
        "perfect": quality.perfect,
        "connectors": len(quality.uses),
        "max_use": max(quality.uses.values(), default=0),
        "shared_joins": quality.shared[0, 1] if quality.shared else None,
        "staying": staying,
        "faults": list(made.faults),
        "tried": made.tried,
    }


def _lines(made: "MadeJigsaw") -> list[tuple[str, str]]:
    """How good a jigsaw is, for people."""
    quality = made.quality
    most = max(quality.uses.values(), default=0)
    lines = [
        ("connectors", f"{len(quality.uses)}, on at most {most} joins each{', perfect' if quality.perfect else ''}")
    ]
    if quality.staying:
        staying = quality.staying[0, 1].by_turn
        by_turn = ", ".join(f"{len(pieces)} after {90 * turns} degrees" for turns, pieces in staying.items() if turns)
        lines.append(
            ("staying pieces", f"{len(staying[0])} of {len(made.puzzle.pieces)}; with the board turned {by_turn}")
        )
    return lines
