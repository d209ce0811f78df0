"""Check claimed solutions from the puzzle alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import InstanceError, UsageError, escaped, plural
from ..csp.base.notebook import HasSummary, short
from ..csp.engines.request import refuse_given, refuse_of_others
from ..csp.files.books import read_about
from ..csp.files.file_format import is_book
from ..csp.files.instances import Puzzle
from ..csp.files.solutions import SEARCH, Solutions, none_in, solutions_given
from ..csp.files.square_files import board_rows
from ..csp.puzzles.board import board_text
from ..csp.puzzles.check_board import Verdict
from ..csp.puzzles.check_board import check as verdict_on
from ..csp.puzzles.check_tiling import TilingChecker, TilingVerdict
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.slips import Slips, checked_frame_slips, checked_slips
from ..estimators.effort.search_effort import OrderSpec, SlipSpec, named_order, with_slips
from .public import AnyOrder, AnyPuzzle, AnySlips, opened_with_board, public

if TYPE_CHECKING:
    from ..estimators.plan.ledger_check import LedgerCheck
    from ..models.proofs.certificate import Verification
    from ..models.proofs.check_proof import ProofCheck


# The most lines about single solutions without `verbose`.
_MOST_LINES = 4


@dataclass(frozen=True, repr=False)
class Judgement(HasSummary):
    """The verdicts on claimed solutions."""

    #: The puzzle.
    puzzle: Puzzle
    #: The boards or tilings.
    solutions: tuple[Any, ...]
    #: The checker's verdict on each of them.
    verdicts: tuple[Verdict | TilingVerdict, ...]
    #: Whether each of them is a valid solution, or a valid partial board where these are accepted.
    accepted: tuple[bool, ...]
    #: The status in the output of a solver: ``SATISFIABLE``, ``OPTIMUM FOUND``, ``UNSATISFIABLE`` or ``UNKNOWN``; None
    #: if no solver's output was checked.
    claim: str | None = None
    #: The verdict on a solver's proof that there is no solution.
    proof: ProofCheck | None = None

    @property
    def valid(self) -> int:
        """How many of the solutions are accepted."""
        return sum(self.accepted)

    @property
    def total(self) -> int:
        """How many solutions there are."""
        return len(self.solutions)

    @property
    def holds(self) -> bool:
        """Whether there are solutions and all are accepted, or that no solution exists is proved."""
        if self.proof is not None:
            return self.proof.accepted
        return self.total > 0 and self.valid == self.total

    def __repr__(self) -> str:
        said = self.summary().partition("\n")[0].rstrip(".").replace(" is valid", "").replace(" are valid", "")
        pairs = zip(self.accepted, self.verdicts, strict=True)
        problem = next((f"; {verdict.problems[0]}" for good, verdict in pairs if not good and verdict.problems), "")
        return short(f"{'valid' if self.holds else 'NOT valid'}: {said}{problem}")

    def record(self) -> dict[str, Any]:
        """The record that ``jigsat check --json`` prints."""
        record: dict[str, Any] = {"instance": self.puzzle.name, "valid": self.valid}
        if isinstance(self.puzzle, DissectionPuzzle):
            record["tilings"] = [
                {"valid": accepted, "problems": list(verdict.problems)}
                for accepted, verdict in zip(self.accepted, self.verdicts, strict=True)
            ]
            return record
        record["boards"] = [self._board_record(number) for number in range(self.total)]
        if self.proof is not None:
            proof = self.proof
            record["proof"] = {"accepted": proof.accepted, "reason": proof.reason, "checkers": list(proof.checkers)}
        return record if self.solutions or self.claim is None else {**record, "claim": self.claim.lower()}

    def _board_record(self, number: int) -> dict[str, Any]:
        verdict = self.verdicts[number]
        assert isinstance(verdict, Verdict)
        assert isinstance(self.puzzle, EdgeMatchingPuzzle)
        return {
            "valid": self.accepted[number],
            "placed": verdict.placed,
            "score": verdict.score,
            "max_score": verdict.max_score,
            "slips": [str(fault) for fault in verdict.slips],
            "frame_slips": [str(fault) for fault in verdict.frame_slips],
            "problems": list(verdict.problems),
            **({} if self.claim is None else {"board": board_rows(self.solutions[number], self.puzzle.board)}),
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The verdicts in words; up to six solutions that are not valid are named, with `verbose` all of them."""
        name = escaped(self.puzzle.name)
        if not self.solutions:
            if self.proof is not None:
                said = "is proved to have no solution" if self.proof.accepted else "is NOT proved to have no solution"
                by = ", ".join(self.proof.checkers) or "no checker ran"
                return f"{name}: the formula {said}: {escaped(self.proof.reason)} ({by})"
            if self.claim == "UNSATISFIABLE":
                return f"{name}: the solver claims that there is no solution; without a proof, this is not verified"
            return f"{name}: the solver reports {self.claim} without a board to check"
        word = "tiling" if isinstance(self.puzzle, DissectionPuzzle) else "board"
        said = f"{self.valid} of {self.total} {f'{word} is' if self.total == 1 else f'{word}s are'} valid"
        of_boards = [verdict for verdict in self.verdicts if isinstance(verdict, Verdict)]
        if of_boards:
            scores, most = [verdict.score for verdict in of_boards], of_boards[0].max_score
            wrong = [len(verdict.invalid_joins) for verdict in of_boards]
            if any(wrong):
                said = f"{_range(scores)} of {most} joins fit, {_range(wrong)} do{'es' * (wrong == [1])} not; {said}"
            else:
                said += f", score {_range(scores)} of {most}"
        lines = [f"{name}: {said}{self._missing() if self.holds and self.total == 1 else ''}."]
        if self.claim == "OPTIMUM FOUND":
            lines.append("  The solver claims that no board is better; this is not verified.")
        told = [line for number in range(self.total) for line in self._lines(number, verbose=verbose)]
        more = len(told) - _MOST_LINES
        if more > 1 and not verbose and self.claim is None:
            told[_MOST_LINES:] = [f"  ... and {more} more lines with --verbose"]
        return "\n".join([*lines, *told])

    def _missing(self) -> str:
        """What a board or tiling that is accepted lacks."""
        verdict, puzzle = self.verdicts[0], self.puzzle
        if isinstance(verdict, Verdict):
            empty = verdict.squares - verdict.placed
            return f"; {plural(empty, 'square')} {'is' if empty == 1 else 'are'} empty" if empty else ""
        assert isinstance(puzzle, DissectionPuzzle)
        laid = [polygon is not None for polygon in self.solutions[0]]
        needed = (is_laid or piece in puzzle.spare for piece, is_laid in enumerate(laid))
        return "" if all(needed) else f"; {sum(laid)} of {len(laid)} pieces lie on the target"

    def _lines(self, number: int, *, verbose: bool) -> list[str]:
        """The lines of the summary about a solution: what is wrong with it, or with `verbose` its score."""
        verdict = self.verdicts[number]
        lines: list[str] = []
        if self.claim is not None and isinstance(self.puzzle, EdgeMatchingPuzzle):
            lines.append(board_text(self.solutions[number], self.puzzle.board))
        if self.accepted[number] and not verbose:
            return lines
        said = "valid" if self.accepted[number] else "NOT valid"
        if isinstance(verdict, Verdict):
            said += f", score {verdict.score} of {verdict.max_score}"
        problems = () if self.accepted[number] else verdict.problems
        return [*lines, f"  solution {number + 1}: {said}", *(f"    {problem}" for problem in problems)]


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least}" if least == most else f"{least} to {most}"


@public
def check(
    puzzle: AnyPuzzle,
    solution: Solutions = "",
    *,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    order: AnyOrder = None,
    partial: bool = False,
    cnf: str | Path | None = None,
    proof: str | Path | None = None,
    motions: Literal["any", "lattice"] | None = None,
    sample: int | None = None,
    seed: int | None = None,
) -> Judgement | LedgerCheck | Verification:
    """Check solutions from the puzzle alone, not from the search that found them.

    With `cnf`, the solution is the output of a solver: of a SAT, MaxSAT or pseudo-Boolean solver (lines s, v and o, or
    SAT and literals), of a program of exact cover (the numbers of options), or of a solver of XCSP3; of `slips`,
    `frame_slips` and `order`, what is not given is as in the exported file.  If the solver found no solution, or claims
    that none exists, only a proof can show that.  A certificate (the file FILE.json beside a proof) is checked by
    building its formula again and checking the proof.  Of a ledger, shares chosen at random are counted again.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is: a file, the name of a bundled puzzle, or a viewer link.
    solution : board, tiling, list of these, str or Path, optional
        One or several boards or tilings; or a solution file, a table of boards (CSV), a grid of piece/rotation, a
        viewer link, a certificate, a ledger, or with `cnf` the output of a solver, each perhaps packed by gzip; - for
        standard input (default: the assemblies in the puzzle's file, or the board of its link).
    order : str, Path or iterable of int, optional
        Search order along which slips are counted (default: that of `solve`).
    partial : bool, default False
        Accept boards with empty squares, and tilings in which pieces are missing.
    cnf : str or Path, optional
        The exported file (CNF, WCNF, OPB, DLX or XCSP3) that the solver's output is about.
    proof : str or Path, optional
        With `cnf`: the solver's proof that there is no solution, in the format DRAT, as text or binary.  That the
        formula is that of the puzzle is not checked; certificates do that.
    sample : int, optional
        Of a ledger: count this number of its shares again, chosen at random (default: 10).
    seed : int, optional
        Of a ledger: random seed by which shares are chosen (default: 1).

    Returns
    -------
    Judgement, LedgerCheck or Verification
        The verdicts, with the record and the text that the command prints; `holds` says whether everything is right.

    Raises
    ------
    InstanceError
        If the solutions cannot be read, or are for another puzzle.
    UsageError
        If an option does not apply to the puzzle or the file.
    OrderError, SlipError
        If the order does not exist, or the slip array is invalid.

    Examples
    --------
    >>> from jigsat import read, solve
    >>> puzzle = read("clue3")
    >>> judgement = check(puzzle, solve(puzzle).best_board)
    >>> judgement.valid, judgement.total
    (1, 1)
    >>> print(judgement.summary())
    solution 1: valid, score 60 of 60
    clue3: 1 of 1 board is valid
    """
    puzzle, linked = opened_with_board(puzzle)
    if solution == "":
        solution = _own_solutions(puzzle, linked)
    kind = "solutions" if cnf is not None else _kind_of(solution)
    given = {"slips": slips, "frame_slips": frame_slips, "order": order, "partial": partial, "motions": motions}
    if kind == "ledger":
        refuse_given("the ledger determines this; omit the option", **given)
        return _ledger(puzzle, solution, sample, seed)
    refuse_given("are for ledgers; omit the option", sample=sample, seed=seed)
    if kind == "certificate":
        from .certify import verify

        refuse_given("the certificate determines this; omit the option", **given)
        return verify(puzzle, str(solution))
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, cnf=cnf, proof=proof, order=order, slips=slips, frame_slips=frame_slips)
        return _judged_tilings(puzzle.with_motions(motions), solution, partial=partial)
    refuse_of_others(puzzle, motions=motions)
    order, slips = with_slips(puzzle, order, slips)
    if cnf is not None:
        return _judged_answer(puzzle, solution, (cnf, proof), (slips, frame_slips), order, partial=partial)
    if proof is not None:
        raise UsageError("is for the output of a solver; give the file that it solved as well", "proof")
    from ..models.squares.read_answers import is_answer

    arrays = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    _, squares = named_order(puzzle, order, arrays[0])
    if isinstance(solution, str | Path) and is_answer(solution):
        raise UsageError(f"{solution}: is the output of a solver; give the file that it solved as well", "cnf")
    _refuse_proofs(solution)
    boards = solutions_given(puzzle, solution)
    if not boards:
        raise none_in(_label(solution), "board to check")
    return _judged(puzzle, boards, arrays, squares, partial=partial)


def _own_solutions(puzzle: Puzzle, linked: Any) -> Solutions:
    """What the puzzle's file has: the assemblies of a jigsaw, the board of a link."""
    own = getattr(puzzle, "assemblies", ()) or (linked and [linked])
    if not own:
        what = "tilings" if isinstance(puzzle, DissectionPuzzle) else "boards"
        raise none_in(escaped(puzzle.name), f"solution to check; give a file with {what}, too")
    return own


def _kind_of(solution: Solutions) -> str:
    """What a file is: ``ledger``, ``certificate`` or ``solutions``."""
    from .certify import is_certificate

    if not isinstance(solution, str | Path):
        return "solutions"
    if is_book(solution) and read_about(solution).get("work") != SEARCH:
        return "ledger"
    return "certificate" if is_certificate(solution) else "solutions"


def _refuse_proofs(solution: Solutions) -> None:
    """Refuse a file that looks like a formula or a proof, which is beside what can be checked."""
    from ..models.proofs.check_proof import kind_of
    from .certify import is_certificate

    what = kind_of(solution) if isinstance(solution, str | Path) else None
    if what is None:
        return
    page = f"{str(solution).removesuffix('.cnf')}.json"
    instead = f"check {page}" if is_certificate(page) else "check the output of the solver, with --cnf"
    raise InstanceError(f"{solution}: is a {what}; {instead}")


def _ledger(puzzle: Puzzle, ledger: Any, sample: int | None, seed: int | None) -> LedgerCheck:
    from ..estimators.plan.ledger_check import check_ledger

    if isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"{puzzle.name}: is a dissection; ledgers are of counts of boards", "solution")
    shares = 10 if sample is None else sample
    return check_ledger(puzzle, ledger, sample=shares, seed=1 if seed is None else seed)


def _label(solution: Solutions) -> str:
    return str(solution) if isinstance(solution, str | Path) else "solution"


def _judged(
    puzzle: EdgeMatchingPuzzle,
    boards: list[Any],
    arrays: tuple[Slips, Slips],
    order: tuple[int, ...],
    *,
    partial: bool,
    claim: str | None = None,
) -> Judgement:
    """Check boards; with `partial`, accept valid boards with empty squares, too."""
    slips, frame_slips = arrays
    verdicts = tuple(verdict_on(puzzle, board, slips, order, frame_slips) for board in boards)
    accepted = tuple(
        verdict.is_solution or (partial and not verdict.faults and not verdict.invalid_joins) for verdict in verdicts
    )
    return Judgement(puzzle, tuple(boards), verdicts, accepted, claim)


def _judged_answer(
    puzzle: EdgeMatchingPuzzle,
    solution: Solutions,
    files: tuple[str | Path, str | Path | None],
    given: tuple[SlipSpec, SlipSpec],
    order: OrderSpec,
    *,
    partial: bool,
) -> Judgement:
    """Check the board that a solver has found, with slips and order of the file that it solved unless given.

    The files are the one that it solved and, if there is no board, its proof.
    """
    from ..models.proofs.check_proof import check_proof
    from ..models.squares.read_answers import load_answer

    if not isinstance(solution, str | Path):
        raise UsageError("needs the name of the file with the solver's output as the solution", "cnf")
    asked = checked_slips(puzzle, given[0]), checked_frame_slips(puzzle, given[1])
    squares = None if order is None else named_order(puzzle, order, asked[0])[1]
    cnf, proof = files
    answer = load_answer(solution, cnf, puzzle)
    if proof is not None and answer.status != "UNSATISFIABLE":
        raise UsageError(f"the solver reports {answer.status}; only UNSATISFIABLE has a proof", "proof")
    if answer.board is None:
        return Judgement(puzzle, (), (), (), answer.status, None if proof is None else check_proof(cnf, proof))
    arrays = (answer.slips if given[0] is None else asked[0], answer.frame_slips if given[1] is None else asked[1])
    squares = answer.order if squares is None else squares
    return _judged(puzzle, [answer.board], arrays, squares, partial=partial, claim=answer.status)


def _judged_tilings(puzzle: DissectionPuzzle, solution: Solutions, *, partial: bool) -> Judgement:
    tilings = solutions_given(puzzle, solution)
    if not tilings:
        raise none_in(_label(solution), "tiling to check")
    judge = TilingChecker(puzzle)
    verdicts = tuple(judge(tiling, partial=partial) for tiling in tilings)
    return Judgement(puzzle, tuple(tilings), verdicts, tuple(verdict.is_solution for verdict in verdicts))
