"""`jigsat make jigsaw`: make jigsaws with exactly K solutions, and prove it."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import escaped
from ...csp.base.stop import Stop, stoppable
from ...csp.base.words import ending, several
from ...csp.engines.request import is_proof_file
from ...csp.files.file_format import format_for
from ...csp.files.instances import INSTANCE_FORMATS, format_instance
from ...csp.work.steps import keep_steps, kept_head, refuse_unfinished
from .certificates import certificate_status
from .options import (
    CERTIFICATE_HELP,
    add_json,
    add_output,
    add_quiet,
    add_resume,
    add_time_limit,
    options_by_name,
    refuse_json_beside,
    whole,
)
from .parser import Parser
from .progress import note_bar
from .wording import print_json

if TYPE_CHECKING:
    from ...csp.make.jigsaw import MadeJigsaw
    from ...models.proofs.certification import Certification


def add_parser(kinds) -> None:
    parser: Parser = kinds.add_parser(
        "jigsaw",
        help="a jigsaw with exactly K solutions",
        description="Make a jigsaw with exactly K solutions, and prove it as `jigsat certify` does.\n\n"
        "Turning the whole board makes no other solution.  The pieces differ from each other, and sides that meet in "
        "one of the first two solutions do not meet in the other; by default each connector is on two joins: a perfect "
        "jigsaw.  The same options and random seed give the same jigsaw on every machine and in every later version; "
        "the puzzle's source field holds the command.  If a time limit or Ctrl-C ends the work, the best jigsaw so far "
        "is written, and the exit status is not 0.",
    )
    parser.examples = (
        "jigsat make jigsaw --rows 5 --columns 5 --seed 1 -o jigsaw.json",
        "jigsat make jigsaw --rows 4 --columns 6 --no-stay --proof jigsaw.drat -o jigsaw.json",
        "jigsat make jigsaw --rows 7 --columns 7 --solutions 3 --disjoint --seed 26 -o jigsaw.json",
    )
    for option, letter, what in (("--rows", "R", "rows of the board"), ("--columns", "C", "columns of the board")):
        parser.what.add_argument(option, type=whole, required=True, metavar=letter, help=what)
    parser.what.add_argument("--solutions", type=whole, default=2, metavar="K", help="number of solutions (default: 2)")
    parser.what.add_argument(
        "--max-use",
        type=whole,
        metavar="N",
        help="number of joins on which a connector may be (default: 2). With --solutions 3 --disjoint the default is "
        "6 on squares of odd size, 8 on those of even size and 10 on other boards; with R + C odd, 3 where --types has "
        "no default",
    )
    parser.what.add_argument(
        "--types",
        type=whole,
        metavar="N",
        help="number of connectors, instead of --max-use. If R + C is odd, the largest possible number is the default "
        "on boards of up to 90 squares, and on larger ones with two solutions and five or more rows and columns",
    )
    parser.what.add_argument(
        "--no-stay",
        action="store_true",
        help="no piece has the same square in the first two solutions, whichever way they are turned. Corners of a "
        "square board are exempt, because some turn maps each corner to each other",
    )
    parser.what.add_argument(
        "--disjoint",
        action="store_true",
        help="no join is in two of the solutions. There may be two of them, or three (found so far for 5x5, 5x7, 6x6, "
        "7x7, 8x8 and 9x9)",
    )
    parser.how.add_argument(
        "--method",
        metavar="M",
        help="closed-form, crystal, planted, refinement or annealing (default: the fastest that applies). refinement "
        "is a SAT solver for --solutions 3 --disjoint on at most 36 squares",
    )
    parser.how.add_argument("--seed", type=whole, metavar="S", help="random seed (default: a random one)")
    add_time_limit(parser, "stop the search after", default=600)
    parser.output.add_argument("--name", help="the jigsaw's name (default: made of the options)")
    parser.output.add_argument("--proof", metavar="FILE", help=CERTIFICATE_HELP)
    add_output(parser, "write the jigsaw to FILE (.json); - for standard output", default="-")
    add_resume(parser)
    add_quiet(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ...csp.make.jigsaw import head_of, search_jigsaw
    from ...csp.make.jigsaw_wishes import JigsawWishes

    _check_files(arguments)
    names = ("rows", "columns", "solutions", "max_use", "types", "no_stay", "method", "name", "disjoint")
    wishes = JigsawWishes(**options_by_name(arguments, *names), seed=_seed(arguments))
    how = options_by_name(arguments, "resume", "overwrite")
    with (
        note_bar(arguments) as report,
        keep_steps(arguments.output, head_of(wishes), **how) as kept,
        stoppable(arguments.time_limit, report=report) as stop,
    ):
        made = search_jigsaw(wishes, kept=kept, must_stop=stop, report=stop.tell)
        stop.tell("")
        kept.complete, kept.finished = not made.faults, bool(made.faults) and stop.ended_by is None
        kept.write_answer(format_instance(made.puzzle).encode())
        found = None if made.faults else _certified(made, arguments, stop)
        # While the proof is not done, the steps lead to this jigsaw again.
        kept.complete &= found is None or found.decided or arguments.proof is None
    if found is None:
        return _report_faults(made, stop.ended_by, kept.kept, arguments)
    if arguments.json:
        print_json(found.record() | made.record())
    else:
        stream = sys.stderr if arguments.output == "-" else sys.stdout
        print(f"{_head(made)}{found.findings(made.solutions)}\n{made.summary()}", file=stream)
    return certificate_status(found)


def _seed(arguments: argparse.Namespace) -> int:
    """The random seed: the one of the run that is continued, if none is given."""
    from secrets import randbelow

    if arguments.seed is not None:
        return arguments.seed
    kept = kept_head(arguments.output).get("seed") if arguments.resume else None
    return kept if isinstance(kept, int) else randbelow(2**32)


def _certified(made: "MadeJigsaw", arguments: argparse.Namespace, stop: Stop) -> "Certification":
    from ...models.proofs.certify_exactly import certify_exactly

    # What an earlier run has kept of the certificate belongs to the steps.
    how = {"resume": arguments.resume and arguments.proof is not None, "overwrite": arguments.overwrite}
    return certify_exactly(made.puzzle, arguments.solutions, proof=arguments.proof, **how, stop=stop)


def _check_files(arguments: argparse.Namespace) -> None:
    """Refuse files that cannot be written, or of which one would replace the other."""
    format_for(arguments.output, INSTANCE_FORMATS, "json")
    refuse_json_beside(arguments.output, arguments)
    if arguments.proof is not None:
        from ...models.proofs.certificate_files import Files

        Files(Path(arguments.proof)).check()
        refuse_unfinished(arguments.proof, **options_by_name(arguments, "resume", "overwrite"))
        if is_proof_file(arguments.output, arguments.proof):
            raise UsageError(
                f"{arguments.output}: the files of the proof and the jigsaw need different names", "proof", "output"
            )


def _head(made: "MadeJigsaw") -> str:
    return f"{escaped(made.puzzle.name)}: {made.puzzle.kind} puzzle, {several(len(made.puzzle.pieces), 'piece')}, "


def _report_faults(made: "MadeJigsaw", ended_by: str | None, kept: str | None, arguments: argparse.Namespace) -> int:
    """Report a jigsaw that lacks some of the properties asked for; returns the exit status."""
    if arguments.json:
        unknown = {"answer": None, "proved": False, "complete": False, "solutions": [], "proof": None}
        head = {"instance": made.puzzle.name, "kind": made.puzzle.kind, "wanted": arguments.solutions}
        print_json(head | unknown | {"canonical_count": made.solutions, "ended_by": ended_by} | made.record())
    else:
        why = ending(ended_by) or "no other jigsaw is left to try"
        where = "" if kept is None else f"; kept in {escaped(kept)}"
        print(f"{_head(made)}NOT as requested: {', '.join(made.faults)} ({why}){where}", file=sys.stderr)
    return 130 if ended_by == "interrupt" else 1
