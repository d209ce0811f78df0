"""What is known about the number of a puzzle's solutions, and whether it is proved."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...csp.base.errors import ending, grouped, plural
from ...csp.base.safe_files import escaped
from ...csp.engines.result import proof_line
from ...csp.files.square_files import board_rows
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle

#: The beginning of a warning before the search for a long proof.
LONG_PROOF = "the proof may take minutes or longer"


class Answer(StrEnum):
    """Whether there are exactly as many solutions as wanted: yes, fewer, more; undecided if the search was stopped."""

    EXACTLY = "exactly"
    FEWER = "fewer"
    MORE = "more"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Certification:
    """What is known about the number of a puzzle's solutions."""

    #: The puzzle.
    puzzle: EdgeMatchingPuzzle
    #: Whether there are as many as wanted, and the wanted number.
    answer: Answer
    wanted: int
    #: The different solutions that were found; all of them, unless there are more than wanted or it is undecided.
    solutions: tuple[Arrangement, ...]
    #: The encoding, and the size of the formula; 0 if there was no time to make it, or no formula was needed.
    encoding: str
    variables: int
    clauses: int
    #: The record's entry about the proof that there are no others; None without a proof.
    proof: Mapping[str, Any] | None = None
    #: What ended the work early: ``"time"`` or ``"interrupt"``; None if nothing did.
    ended_by: str | None = None
    #: The file that keeps the solutions that were found, if the work is not done; None if none does.
    kept: str | None = None
    #: The record's entry about the search by which the number was found, without a proof; None for a proof.
    by_search: Mapping[str, Any] | None = None

    @property
    def decided(self) -> bool:
        """Whether nothing is left to do: there are more than wanted, the proof was checked, or a search is complete."""
        searched = self.by_search is not None and self.answer is not Answer.UNDECIDED
        return self.answer is Answer.MORE or searched or (self.proof is not None and self.proof["checked"] is True)

    @property
    def proved(self) -> bool:
        """Whether the number is exactly as wanted, by a proof that was checked."""
        return self.answer is Answer.EXACTLY and self.proof is not None and self.proof["checked"] is True

    def record(self) -> dict[str, Any]:
        """The object that ``jigsat certify --json`` prints."""
        return {
            "instance": self.puzzle.name,
            "kind": self.puzzle.kind,
            "wanted": self.wanted,
            "answer": str(self.answer),
            "proved": self.proved,
            "canonical_count": len(self.solutions),
            "complete": self.answer in (Answer.EXACTLY, Answer.FEWER),
            "ended_by": self.ended_by,
            "encoding": self.encoding or None,
            "variables": self.variables,
            "clauses": self.clauses,
            "by_search": None if self.by_search is None else dict(self.by_search),
            "solutions": [board_rows(board, self.puzzle.columns) for board in self.solutions],
            "proof": None if self.proof is None else dict(self.proof),
        }

    def summary(self) -> str:
        """The text that ``jigsat certify`` prints."""
        return f"{escaped(self.puzzle.name)}: {self.puzzle.kind} puzzle, {self.findings()}"

    def findings(self, counted: int | None = None) -> str:
        """What is known, as text; the first line has the answer.

        - `counted`: the number of solutions that a search counted before, which is not a proof.
        """
        solutions = plural(len(self.solutions), "solution")
        known = f"at least {solutions}, undecided"
        if counted is not None:
            known = f"{plural(counted, 'solution')} by a search, NOT PROVED"
        searched = "" if self.by_search is None else ", by search only"
        head = {
            Answer.EXACTLY: f"exactly {solutions}{', proved' if self.proved else searched or ', NOT PROVED'}",
            Answer.FEWER: f"exactly {solutions}, not {grouped(self.wanted)}{searched}",
            Answer.MORE: f"at least {solutions}, more than {grouped(self.wanted)}",
            Answer.UNDECIDED: f"{known}: {ending(self.ended_by)}",
        }[self.answer]
        formula = f"{plural(self.variables, 'variable')}, {plural(self.clauses, 'clause')}"
        if not self.variables and self.ended_by is not None:
            formula = "none, there was no time to make it"
        lines = [head, f"  formula          {formula}, encoding {self.encoding}"]
        if self.by_search is not None:
            nodes = plural(self.by_search["nodes"], "node")
            lines[1:] = [f"  search           {nodes} of the engine {self.by_search['engine']}; there is no proof"]
        if self.proof is not None:
            lines.append(proof_line(self.proof, "NOT CHECKED"))
            if "states" in self.proof:
                lines.append(f"  states           {escaped(str(self.proof['states']))}")
        if self.kept is not None:
            lines.append(f"  kept             {escaped(self.kept)}, from which --resume continues")
        return "\n".join(lines)
