"""Whether a puzzle has an exact number of solutions, with a proof; and the search for a further one."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, PuzzleError, UsageError, ending, escaped, grouped
from ...csp.base.notebook import HasSummary
from ...csp.base.safe_files import temporary_folder
from ...csp.base.stop import Stop, StoppedError
from ...csp.engines.engine import default_engine, run_aside
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import plural, proof_line
from ...csp.engines.tallies import certain
from ...csp.files.file_format import part_of
from ...csp.files.instances import Puzzle, beside, files_of, fingerprint, stated_number
from ...csp.files.square_files import board_rows, refuse_misread, solution_reader
from ...csp.puzzles.board import Arrangement, board_text
from ...csp.puzzles.check_board import appearance, check
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...csp.puzzles.orders import find_order
from ...csp.work.steps import KeptSteps, keep_steps
from ..base.encodings import BITS
from ..base.solver_process import SolverProcess, check_prover
from ..squares.bits_cnf import no_bits
from .board_claims import Claim, claim_of
from .certificate import Files, certify, join_certificates, write_certificate

if TYPE_CHECKING:
    from .board_claims import BoardFormula

# Proofs for searches of up to 8 000 nodes took seconds; a trial ends after the second number.
_SHORT_SEARCH, _TRIAL = 10_000, 1_000_000

#: The encoding for puzzles that `bits` does not support: each placement needs neighbours that match it.
POSITIONS = "direct"

#: The name of the second encoder's formula, of which proofs of complete lists are.
DEFINITION = "definition"

# Of a puzzle that does not say how many solutions it has, no more are searched for; of one that says it, if there are
# no more than the second number.
_MOST_UNSTATED, _MOST_STATED = 100, 1000

# A summary shows this many boards of an undecided number.
_MOST_SHOWN = 2

#: The beginning of a warning before the search for a long proof.
LONG_PROOF = "the proof may take minutes or longer"


class Answer(StrEnum):
    """Whether there are exactly as many solutions as wanted: yes, fewer, more; undecided if the search was stopped."""

    EXACTLY = "exactly"
    FEWER = "fewer"
    MORE = "more"
    UNDECIDED = "undecided"


@dataclass(frozen=True, repr=False)
class Certification(HasSummary):
    """What is known about the number of a puzzle's solutions."""

    #: The puzzle.
    puzzle: Puzzle
    #: Whether there are as many as wanted, and the wanted number.
    answer: Answer
    wanted: int
    #: The different solutions that were found; all of them, unless there are more than wanted or it is undecided.
    solutions: tuple[Any, ...]
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
    #: The same about a second board for the same pieces; None if only one was asked for.
    second: "Certification | None" = None

    @property
    def decided(self) -> bool:
        """Whether nothing is left to do: there are more than wanted, the proof was checked, or a search is complete."""
        if self.second is not None and not self.second.decided:
            return False
        searched = (self.by_search is not None or self.unjudged) and self.answer is not Answer.UNDECIDED
        return self.answer is Answer.MORE or searched or (self.proof is not None and self.proof["checked"] is True)

    @property
    def unjudged(self) -> bool:
        """Whether there is a proof for a checker that is not installed."""
        return self.proof is not None and self.proof["checked"] is None

    @property
    def proved(self) -> bool:
        """Whether the number is exactly as wanted, by a proof that was checked; with a second board, on both."""
        return self._own_proved and (self.second is None or self.second.proved)

    @property
    def _own_proved(self) -> bool:
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
            "solutions": [*map(files_of(self.puzzle.kind).solution_data(self.puzzle), self.solutions)],
            "proof": None if self.proof is None else dict(self.proof),
            **({} if self.second is None else {"second_board": self.second.record()}),
        }

    def summary(self, *, verbose: bool = False) -> str:
        """What is known about the number of solutions; with `verbose` also how the proof was made."""
        lines = [f"{escaped(self.puzzle.name)}: {self.findings(verbose=verbose)}"]
        if self.second is not None:
            lines.append(self.second.summary(verbose=verbose))
        if not self.decided and self.kept is None and self.by_search is None and self._found:
            lines.append(
                f"  {plural(len(self._found), 'solution')} found; --proof FILE keeps them, to go on with --resume."
            )
        # A few, to be looked at; there can be thousands.
        boards = self._found[:_MOST_SHOWN] if verbose and not self.decided else ()
        if isinstance(self.puzzle, EdgeMatchingPuzzle):
            lines += [f"\n{board_text(board, self.puzzle.board)}" for board in boards]
        return "\n".join(lines)

    @property
    def _found(self) -> tuple[Any, ...]:
        """The solutions that are not in the puzzle's file."""
        if not isinstance(self.puzzle, EdgeMatchingPuzzle) or self.encoding == DEFINITION:
            return ()
        return self.solutions[len(self.puzzle.assemblies) :]

    def findings(self, counted: int | None = None, *, verbose: bool = False) -> str:
        """What is known, as text; the first line has the answer.

        - `counted`: the number of solutions that a search counted before, which is not a proof.
        """
        solutions = plural(len(self.solutions), "solution" if len(self.solutions) == 1 else "different solution")
        exactly = f"exactly {solutions}" if self.solutions else "no solution"
        more = grouped(len(self.solutions)) + (" different ones" if len(self.solutions) > 1 else "")
        known = f"at least {solutions}, undecided"
        if counted is not None:
            known = f"{plural(counted, 'solution')} by a search, NOT PROVED"
        searched = "" if self.by_search is None else ", by a search, without a proof"
        searched = ", if its checker accepts the proof" if self.unjudged else searched
        lines = [
            {
                Answer.EXACTLY: f"{exactly}{', proved' if self._own_proved else searched or ', NOT PROVED'}",
                Answer.FEWER: f"{exactly}, not {grouped(self.wanted)}{searched}",
                Answer.MORE: f"more than {plural(self.wanted, 'solution')}: at least {more}",
                Answer.UNDECIDED: f"{known}: {ending(self.ended_by)}",
            }[self.answer]
            + "."
        ]
        if self.proof is not None:
            lines.append(proof_line(self.proof, "NOT CHECKED", verbose=verbose))
        if verbose:
            lines += self._how()
        if self.kept is not None:
            lines.append(f"  Kept: {escaped(self.kept)}, from which --resume continues")
        return "\n".join(lines)

    def _how(self) -> list[str]:
        """How the number was found, and what the proof states."""
        if self.by_search is not None:
            return [f"  search           {plural(self.by_search['nodes'], 'node')}, engine {self.by_search['engine']}"]
        formula = f"{plural(self.variables, 'variable')}, {plural(self.clauses, 'clause')}"
        if not self.variables and self.ended_by is not None:
            formula = "none, there was no time to make it"
        states = [] if self.proof is None or "states" not in self.proof else [self.proof["states"]]
        lines = [f"  formula          {formula}, encoding {self.encoding}"]
        return [*lines, *(f"  states           {escaped(str(text))}" for text in states)]


def usual_encoding(puzzle: EdgeMatchingPuzzle) -> str:
    """The default encoding for certifying a puzzle; another one is used if it does not decide."""
    return POSITIONS if no_bits(puzzle) else BITS


def known_solutions(puzzle: EdgeMatchingPuzzle) -> tuple[Arrangement, ...]:
    """The assemblies of a puzzle; of equivalent ones only the first.

    Raises PuzzleError if one of them is not a solution.
    """
    known: dict[object, Arrangement] = {}
    for number, board in enumerate(puzzle.assemblies, start=1):
        verdict = check(puzzle, board)
        if not verdict.is_solution:
            raise PuzzleError(f"assembly {number} is not a solution: {verdict.problems[0]}")
        known.setdefault(appearance(puzzle, board), board)
    return tuple(known.values())


def certify_exactly(
    puzzle: Puzzle,
    wanted: int | None,
    *,
    encoding: str | None = None,
    solver: str = "cadical195",
    proof: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    stop: Stop | None = None,
) -> Certification:
    """Do what `jigsat.certify` does as part of some other work, whose clock and end `stop` is.

    Parameters and errors are the same.
    """
    stop = Stop() if stop is None else stop
    puzzle, wanted, stated = _asked(puzzle, wanted)
    check_prover(solver)
    if stop.is_followed and encoding is None and usual_encoding(puzzle) == POSITIONS and puzzle.rule is Rule.OPPOSITE:
        foreseen = _foreseen(puzzle, wanted, stop)
        if foreseen is not None:
            stop.tell(foreseen)
    stop.tell(f"looking for solution {wanted + 1}")
    with temporary_folder() as folder:
        path = Path(folder, "proof") if proof is None else Path(proof)
        Files(path).check()
        known = known_solutions(puzzle)
        head = {"work": "certify", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
        with keep_steps(proof, head, resume=resume, overwrite=overwrite) as journal:
            search = _Search(puzzle, known, wanted, solver, path, journal, stop)
            found = search(usual_encoding(puzzle) if encoding is None else encoding)
            if found is None and encoding is None:  # the relaxation does not decide it
                found = search(POSITIONS)
            journal.complete = found is not None and found.decided
    if found is None:
        raise UsageError(
            f"{BITS} has a model that is not an assembly, so it does not decide; use {POSITIONS}", "encoding"
        )
    if proof is None and found.proof is not None:
        found = replace(found, proof={key: value for key, value in found.proof.items() if key != "file"})
    kept = None if proof is None or found.decided or not os.path.exists(part_of(proof)) else str(part_of(proof))
    return _as_found(replace(found, ended_by=stop.ended_by, kept=kept), stated=stated)


def certify_boards(
    puzzle: EdgeMatchingPuzzle,
    second: EdgeMatchingPuzzle,
    wanted: int | None,
    *,
    encoding: str | None = None,
    solver: str = "cadical195",
    proof: str | Path | None = None,
    stop: Stop,
) -> Certification:
    """Do what `certify_exactly` does for the same pieces on two boards, with one certificate for both.

    Its page is beside the proof for the first board.  Nothing is written unless both are proved.
    """
    puzzles = puzzle, second
    names = [Path("proof" if proof is None else proof)]
    names.append(beside(names[0], second.board))
    for each in names if proof is not None else ():
        Files(each).check()
    with temporary_folder() as folder:
        made = [Path(folder, each.name) for each in names]
        found = [
            certify_exactly(each, wanted, encoding=encoding, solver=solver, proof=path, stop=stop)
            for each, path in zip(puzzles, made, strict=True)
        ]
        told: list[dict[str, Any]] = [{}, {}]
        if proof is not None and all(each.proved for each in found):
            states = join_certificates([*map(Files, made)], [*map(Files, names)], puzzles)
            told = [{"file": str(file), "states": states} for file in names]
    records = [
        each.proof and {**{key: value for key, value in each.proof.items() if key != "file"}, **more}
        for each, more in zip(found, told, strict=True)
    ]
    one, other = (replace(each, proof=record, kept=None) for each, record in zip(found, records, strict=True))
    return replace(one, ended_by=one.ended_by or other.ended_by, second=other)


def _as_found(found: Certification, *, stated: bool) -> Certification:
    """What was found, where no one has stated a number that it could differ from."""
    if stated or found.answer is not Answer.FEWER:
        return found
    return replace(found, answer=Answer.EXACTLY, wanted=len(found.solutions))


def count_by_search(puzzle: Puzzle, wanted: int | None, stop: Stop | None = None) -> Certification:
    """Determine by a native search, without a proof, whether a puzzle has exactly `wanted` solutions.

    Raises UsageError or PuzzleError as for `jigsat.certify`.
    """
    stop = Stop() if stop is None else stop
    puzzle, wanted, stated = _asked(puzzle, wanted)
    known = {appearance(puzzle, board): board for board in known_solutions(puzzle)}
    limits, options = Limits(solutions=wanted + 1), Options()
    engine = default_engine(puzzle, Goal.ALL, limits, options)
    stop.tell("counting solutions by a search")
    nodes, complete = 0, False
    try:
        result = run_aside(engine, puzzle, Goal.ALL, limits, stop)
        nodes, complete = result.nodes, result.complete
        known |= {appearance(puzzle, board): board for board in result.solutions}
    except StoppedError:
        pass
    number = len(known)
    answer = Answer.EXACTLY if number == wanted else Answer.FEWER
    answer = Answer.MORE if number > wanted else answer if complete else Answer.UNDECIDED
    searched = {"engine": engine, "nodes": nodes, "complete": complete}
    boards = tuple(known.values())
    found = Certification(puzzle, answer, wanted, boards, "", 0, 0, ended_by=stop.ended_by, by_search=searched)
    return _as_found(found, stated=stated)


def _foreseen(puzzle: EdgeMatchingPuzzle, wanted: int, must_stop: Callable[[], bool]) -> str | None:
    """A warning if a search with a limit indicates that a proof will be long."""
    try:
        limits = Limits(nodes=_TRIAL, solutions=wanted + 1)
        result = run_aside("most-constrained", puzzle, Goal.ALL, limits, must_stop)
    except StoppedError:
        return None
    if result.nodes <= _SHORT_SEARCH or len(result.solutions) > wanted:
        return None
    if not result.complete:
        return f"{LONG_PROOF}: a search is not complete after {grouped(result.nodes)} nodes"
    return f"{LONG_PROOF}: a search takes {grouped(result.nodes)} nodes; --by-search counts without a proof"


def _asked(puzzle: Puzzle, wanted: int | None) -> tuple[EdgeMatchingPuzzle, int, bool]:
    """The puzzle, if it can be certified, the number of solutions to ask for, and whether anybody has stated it."""
    if wanted is not None and wanted < 0:
        raise UsageError(f"must be 0 or more, not {wanted}", "solutions")
    squares = of_squares(puzzle)
    if wanted is None:
        stated = stated_number(squares)
        wanted = (len(known_solutions(squares)) or None) if stated is None else stated
        if wanted is not None and wanted > _MOST_STATED:
            instead = f"count them by two methods, `jigsat count {squares.name} --verify`, or give a smaller number"
            raise UsageError(
                f"{squares.name} has {grouped(wanted)}, too many to be listed for a proof; {instead}", "solutions"
            )
    return squares, _MOST_UNSTATED if wanted is None else wanted, wanted is not None


def of_squares(puzzle: Puzzle) -> EdgeMatchingPuzzle:
    """The puzzle, if it is one that can be certified; raises UsageError or PuzzleError if it is not."""
    if isinstance(puzzle, DissectionPuzzle):
        instead = "count its tilings on the lattice with the engine sat:cadical195 and a proof"
        raise UsageError(f"{puzzle.name}: is a dissection, but only puzzles of squares can be certified; {instead}")
    refuse_misread(puzzle)
    return puzzle


class _Search:
    """The search for further solutions, and what is known.

    That is the puzzle's assemblies, the solutions that an earlier run has kept, and those that are found.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        known: tuple[Arrangement, ...],
        wanted: int,
        solver: str,
        path: Path,
        journal: KeptSteps,
        stop: Stop,
    ) -> None:
        self._puzzle, self._wanted, self._solver, self._path = puzzle, wanted, solver, path
        self._journal, self._stop = journal, stop
        self._boards = {appearance(puzzle, board): board for board in known}
        read = solution_reader(puzzle, journal.label)
        for number, entry in enumerate(journal.earlier, start=1):
            board = read(entry.get("solution"), number, False)
            verdict = check(puzzle, board)
            if not verdict.is_solution:
                raise InstanceError(f"{journal.label}: solution {number} is not a solution: {verdict.problems[0]}")
            self._boards.setdefault(appearance(puzzle, board), board)

    def __call__(self, encoding: str) -> Certification | None:
        """Search for further solutions and add them to the known ones; None if the formula does not decide."""
        puzzle, formula = self._puzzle, None
        claim = Claim(puzzle, encoding, find_order(puzzle, None)[1], excluded=self._known)
        try:
            formula = claim.formula(self._stop)
            claim.state(formula)
            answer, made = self._answer(claim, formula)
        except StoppedError:
            answer, made = (Answer.MORE if len(self._boards) > self._wanted else Answer.UNDECIDED), None
        if answer is None:
            return None
        size = (0, 0) if formula is None else (formula.clauses.top, len(formula.clauses))
        name = encoding if formula is None else str(formula.encoding)
        return Certification(puzzle, answer, self._wanted, self._known, name, *size, made)

    def _answer(self, claim: Claim, formula: "BoardFormula") -> tuple[Answer | None, Mapping[str, Any] | None]:
        """The answer (None if the formula does not decide) and the outcome of its proof; raises StoppedError."""
        at_once, stop = True, self._stop
        with SolverProcess(self._solver, proof=True) as process:
            blocks = 0
            while len(self._boards) <= self._wanted:
                process.add(formula.clauses.blocks()[blocks:], stop)
                blocks = len(formula.clauses.blocks())
                process.send("solve", formula.deciding)
                true = process.answer(stop)
                if true is None:
                    raise StoppedError
                if true is False:
                    # A proof must not use clauses that were added after its first lemmas.
                    if at_once:
                        made = write_certificate(formula, claim_of(formula, self._known), process, self._path, stop)
                    else:
                        made = certify(replace(claim, excluded=self._known), self._solver, self._path, stop)
                    return (Answer.EXACTLY if len(self._boards) == self._wanted else Answer.FEWER), made
                board = formula.board_of(true)
                if board is None:
                    return None, None
                certain(self._puzzle, board)
                self._boards[appearance(self._puzzle, board)] = board
                self._journal.add({"solution": board_rows(board, self._puzzle.board)})
                formula.exclude(board)
                at_once = False
        return Answer.MORE, None

    @property
    def _known(self) -> tuple[Arrangement, ...]:
        return tuple(self._boards.values())
