"""`jigsat make jigsaw`: make jigsaws with exactly so many solutions, and prove it."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import escaped, replacing
from ...csp.base.stopping import Stop, stoppable
from ...csp.base.words import ending, several
from ...csp.files.instances import format_instance
from .certificates import certificate_status
from .options import CERTIFICATE_HELP, add_json, add_time_limit, options_by_name, proof_files, whole
from .progress import note_bar
from .wording import print_json

if TYPE_CHECKING:
    from ...csp.make.jigsaw import MadeJigsaw
    from ...models.proofs.certification import Certification


def add_parser(kinds) -> None:
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
    add_time_limit(parser, "stop looking after", default=600)
    parser.add_argument("--proof", metavar="FILE", help=CERTIFICATE_HELP)
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="the jigsaw's file (default: - for stdout)")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from ...csp.make.jigsaw import search_jigsaw
    from ...csp.make.jigsaw_wishes import JigsawWishes

    _check_files(arguments)
    names = ("rows", "columns", "solutions", "max_use", "types", "no_stay", "method", "name")
    seed = randbelow(2**32) if arguments.seed is None else arguments.seed
    wishes = JigsawWishes(**options_by_name(arguments, *names), seed=seed)
    with note_bar(arguments) as report, stoppable(arguments.time_limit, report=report) as stop:
        with replacing(arguments.output) as file:
            made = search_jigsaw(wishes, must_stop=stop, report=stop.tell)
            stop.tell("")
            file.write(format_instance(made.puzzle))
        found = None if made.faults else _certified(made, arguments, stop)
    if found is None:
        return _say_not_as_wished(made, stop.ended_by, arguments)
    if arguments.json:
        print_json(found.record() | made.record())
    else:
        told = sys.stderr if arguments.output == "-" else sys.stdout
        print(f"{_head(made)}{found.findings(made.solutions)}\n{made.summary()}", file=told)
    return certificate_status(found)


def _certified(made: "MadeJigsaw", arguments: argparse.Namespace, stop: Stop) -> "Certification":
    from ...models.proofs.certify_exactly import certify_exactly

    return certify_exactly(made.puzzle, arguments.solutions, proof=arguments.proof, stop=stop)


def _check_files(arguments: argparse.Namespace) -> None:
    """Refuse what could not be written, or would be written to the same place."""
    if arguments.json and arguments.output == "-":
        raise UsageError(
            "the record and the jigsaw cannot both have standard output; give the jigsaw a file", "json", "output"
        )
    if arguments.proof is not None:
        from ...models.proofs.certificate_files import Files

        Files(Path(arguments.proof)).check()
        if os.path.realpath(arguments.output) in map(os.path.realpath, proof_files(arguments.proof)):
            raise UsageError(
                f"{arguments.output}: the proof's files and the jigsaw need names of their own", "proof", "output"
            )


def _head(made: "MadeJigsaw") -> str:
    return f"{escaped(made.puzzle.name)}: {made.puzzle.kind} puzzle, {several(len(made.puzzle.pieces), 'piece')}, "


def _say_not_as_wished(made: "MadeJigsaw", ended_by: str | None, arguments: argparse.Namespace) -> int:
    """Tell of a jigsaw that was written for want of a better one; the exit status."""
    if arguments.json:
        unknown = {"answer": None, "proved": False, "complete": False, "solutions": [], "proof": None}
        told = {"instance": made.puzzle.name, "kind": made.puzzle.kind, "wanted": arguments.solutions}
        print_json(told | unknown | {"canonical_count": made.solutions, "ended_by": ended_by} | made.record())
    else:
        why = ending(ended_by) or "there is nothing else to try"
        print(f"{_head(made)}NOT as wished: {', '.join(made.faults)} ({why})", file=sys.stderr)
    return 130 if ended_by == "interrupt" else 1
