"""`jigsat certify`: prove that a puzzle has exactly so many solutions."""

import argparse
import os
from typing import TYPE_CHECKING, Any

from .check import judge_certificate
from .parts.dissections import refuse_dissection
from .parts.options import (
    Patience,
    add_instance,
    add_json,
    ending,
    grouped,
    patience,
    print_json,
    proof_files,
    proof_line,
    seconds,
    several,
    whole,
)

if TYPE_CHECKING:
    from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
    from ..models.proofs.certify_exactly import Exactly


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "certify",
        help="prove that a puzzle has exactly so many solutions",
        description="Find out whether a puzzle has exactly K solutions (turning the whole board, exchanging identical "
        "pieces and turning symmetric ones make no other), and prove it: a formula that has a model if there is "
        "another one, and a DRAT proof that it has none, checked by a checker that knows nothing of how it was found.  "
        "The assemblies in the puzzle's file are taken as known once they are checked; others are searched for.  Exit "
        "status 1 if there are not exactly K.",
    )
    add_instance(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--solutions", type=whole, metavar="K", help="how many solutions there should be")
    what.add_argument(
        "--verify",
        metavar="CERTIFICATE",
        help="judge a certificate (the page FILE.json beside a proof, or the bundled one of that name): build its "
        "formula from the puzzle again, compare it, check what it lists and the proof",
    )
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="write the certificate: the proof to FILE, its formula to FILE.cnf, what it states to FILE.json",
    )
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        help="how the puzzle becomes a formula: bits (jigsaws with each connector on one or two joins; the default "
        "there unless it does not decide), direct (the default elsewhere), or another one of `jigsat solve --encoding`",
    )
    parser.add_argument("--solver", metavar="NAME", help="a solver of PySAT that writes proofs (default: cadical195)")
    parser.add_argument("--time-limit", type=seconds, metavar="SECONDS", help="give up after so many seconds")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.base.errors import EngineError, InstanceError, PuzzleError
    from ..csp.base.safe_files import escaped, label_of, refuse_same_file
    from ..csp.files.instances import bundled_certificate, bundled_names, load_puzzle

    puzzle = refuse_dissection(load_puzzle(arguments.instance), "certify")
    if arguments.verify is not None:
        for option in ("proof", "encoding", "solver", "time_limit"):
            if getattr(arguments, option) is not None:
                raise EngineError(
                    f"--verify and --{option.replace('_', '-')}: a certificate says itself how it is made"
                )
        bundled = None if os.path.exists(arguments.verify) else bundled_certificate(arguments.verify)
        if bundled is None and arguments.verify in bundled_names() and not os.path.exists(arguments.verify):
            raise InstanceError(
                f"{arguments.verify}: no certificate is bundled with it; --solutions and --proof make one"
            )
        return judge_certificate(puzzle, str(bundled or arguments.verify), json=arguments.json)
    for file in proof_files(arguments.proof):
        refuse_same_file(file, arguments.instance)
    with patience(arguments) as must_stop:
        try:
            found = certified(puzzle, arguments.solutions, arguments, must_stop)
        except PuzzleError as error:
            raise InstanceError(f"{label_of(arguments.instance)}: {error}") from error
    if arguments.json:
        print_json(record(puzzle, found, must_stop))
    else:
        print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {described(found, must_stop)}")
    return status_of(found, must_stop)


def certified(
    puzzle: "EdgeMatchingPuzzle", wanted: int, arguments: argparse.Namespace, must_stop: Patience
) -> "Exactly":
    """Certify a puzzle as the options say."""
    from ..models.proofs.certify_exactly import certify_exactly

    must_stop.tell(f"looking for solution {wanted + 1}")
    return certify_exactly(
        puzzle,
        wanted,
        encoding=arguments.encoding,
        solver="cadical195" if arguments.solver is None else arguments.solver,
        proof=arguments.proof,
        must_stop=must_stop,
    )


def status_of(found: "Exactly", must_stop: Patience) -> int:
    """The exit status."""
    if found.proved:
        return 0
    return 130 if must_stop.ended_by == "interrupt" else 1


def record(puzzle: "EdgeMatchingPuzzle", found: "Exactly", must_stop: Patience) -> dict[str, Any]:
    """What is known, for scripts."""
    from ..csp.files.instances import board_rows

    return {
        "instance": puzzle.name,
        "kind": puzzle.kind,
        "wanted": found.wanted,
        "answer": found.answer,
        "proved": found.proved,
        "canonical_count": len(found.solutions),
        "complete": found.answer in ("exactly", "fewer"),
        "ended_by": must_stop.ended_by,
        "encoding": found.encoding,
        "variables": found.variables,
        "clauses": found.clauses,
        "solutions": [board_rows(board, puzzle.columns) for board in found.solutions],
        "proof": found.proof,
    }


def described(found: "Exactly", must_stop: Patience, counted: int | None = None) -> str:
    """What is known, as text; the first line has the answer.  A search may have counted the solutions before."""
    from ..csp.base.safe_files import escaped

    solutions = several(len(found.solutions), "solution")
    known = f"at least {solutions}, undecided"
    if counted is not None:
        known = f"{several(counted, 'solution')} by a search, NOT PROVED"
    head = {
        "exactly": f"exactly {solutions}{', proved' if found.proved else ', NOT PROVED'}",
        "fewer": f"exactly {solutions}, not {grouped(found.wanted)}",
        "more": f"at least {solutions}, more than {grouped(found.wanted)}",
        "undecided": f"{known}: {ending(must_stop)}",
    }[found.answer]
    formula = f"{several(found.variables, 'variable')}, {several(found.clauses, 'clause')}"
    lines = [head, f"  formula          {formula}, encoding {found.encoding}"]
    if found.proof is not None:
        lines.append(proof_line(found.proof, "NOT CHECKED"))
        if "states" in found.proof:
            lines.append(f"  states           {escaped(str(found.proof['states']))}")
    return "\n".join(lines)
