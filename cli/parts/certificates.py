"""Certificates on the command line: made, judged, described."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...csp.base.quantities import grouped, several
from ...csp.base.safe_files import escaped
from ...csp.files.board_rows import board_rows
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .progress import Patience
from .wording import ending, print_json, proof_line

if TYPE_CHECKING:
    from ...models.proofs.certify_exactly import Exactly


def judge_certificate(puzzle: Puzzle, certificate: str, *, json: bool) -> int:
    """Say whether what a certificate states is proved; the exit status."""
    if isinstance(puzzle, DissectionPuzzle):
        from ...models.proofs.tiling_certificate import verify_tilings

        states, verdict = verify_tilings(certificate, puzzle)
    else:
        from ...models.proofs.certificate import verify

        states, verdict = verify(certificate, puzzle)
    if json:
        print_json({"instance": puzzle.name, "states": states, **asdict(verdict)})
    else:
        about = "the certificate states" if verdict.accepted else "what the certificate would have to state"
        print(f"{escaped(puzzle.name)}: {about}: {escaped(states)}")
        judged = f"proved, checked by {', '.join(verdict.checkers)}" if verdict.accepted else "NOT proved"
        print(f"  {judged}: {escaped(verdict.reason)}")
    return 0 if verdict.accepted else 1


def certified_exactly(
    puzzle: EdgeMatchingPuzzle, wanted: int, arguments: argparse.Namespace, must_stop: Patience
) -> "Exactly":
    """Certify a puzzle as the options say."""
    from ...models.proofs.certify_exactly import certify_exactly

    must_stop.tell(f"looking for solution {wanted + 1}")
    return certify_exactly(
        puzzle,
        wanted,
        encoding=arguments.encoding,
        solver="cadical195" if arguments.solver is None else arguments.solver,
        proof=arguments.proof,
        must_stop=must_stop,
    )


def certificate_status(found: "Exactly", must_stop: Patience) -> int:
    """The exit status."""
    if found.proved:
        return 0
    return 130 if must_stop.ended_by == "interrupt" else 1


def certificate_record(puzzle: EdgeMatchingPuzzle, found: "Exactly", must_stop: Patience) -> dict[str, Any]:
    """What is known, for scripts."""
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


def certificate_text(found: "Exactly", must_stop: Patience, counted: int | None = None) -> str:
    """What is known, as text; the first line has the answer.  A search may have counted the solutions before."""
    solutions = several(len(found.solutions), "solution")
    known = f"at least {solutions}, undecided"
    if counted is not None:
        known = f"{several(counted, 'solution')} by a search, NOT PROVED"
    head = {
        "exactly": f"exactly {solutions}{', proved' if found.proved else ', NOT PROVED'}",
        "fewer": f"exactly {solutions}, not {grouped(found.wanted)}",
        "more": f"at least {solutions}, more than {grouped(found.wanted)}",
        "undecided": f"{known}: {ending(must_stop.ended_by)}",
    }[found.answer]
    formula = f"{several(found.variables, 'variable')}, {several(found.clauses, 'clause')}"
    lines = [head, f"  formula          {formula}, encoding {found.encoding}"]
    if found.proof is not None:
        lines.append(proof_line(found.proof, "NOT CHECKED"))
        if "states" in found.proof:
            lines.append(f"  states           {escaped(str(found.proof['states']))}")
    return "\n".join(lines)
