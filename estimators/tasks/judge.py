"""Check claimed solutions from the puzzle alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import escaped
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import Solutions, none_in, solutions_given
from ...csp.files.square_files import board_rows
from ...csp.puzzles.board import board_text
from ...csp.puzzles.check_board import Verdict
from ...csp.puzzles.check_board import check as verdict_on
from ...csp.puzzles.check_tiling import TilingChecker, TilingVerdict
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import Slips, checked_frame_slips, checked_slips
from ..effort.asked import OrderSpec, SlipSpec, named_order, refuse_of_others, with_slips

if TYPE_CHECKING:
    from ...models.proofs.check_proof import ProofCheck


@dataclass(frozen=True)
class Judgement:
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
    proof: "ProofCheck | None" = None

    @property
    def valid(self) -> int:
        """How many of the solutions are accepted."""
        return sum(self.accepted)

    @property
    def total(self) -> int:
        """How many solutions there are."""
        return len(self.solutions)

    @property
    def all_valid(self) -> bool:
        """Whether there are solutions and all are accepted, or that no solution exists is proved."""
        if self.proof is not None:
            return self.proof.accepted
        return self.total > 0 and self.valid == self.total

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
            **({} if self.claim is None else {"board": board_rows(self.solutions[number], self.puzzle.columns)}),
        }

    def summary(self) -> str:
        """The text that ``jigsat check`` prints."""
        name = escaped(self.puzzle.name)
        if not self.solutions:
            if self.proof is not None:
                said = "is proved to have no solution" if self.proof.accepted else "is NOT proved to have no solution"
                by = ", ".join(self.proof.checkers) or "no checker ran"
                return f"{name}: the formula {said}: {escaped(self.proof.reason)} ({by})"
            if self.claim == "UNSATISFIABLE":
                return f"{name}: the solver claims that there is no solution; without a proof, this is not verified"
            return f"{name}: the solver reports {self.claim} without a board to check"
        lines = [line for number in range(self.total) for line in self._lines(number)]
        if self.claim == "OPTIMUM FOUND":
            lines.append("  the solver claims that no board is better; this is not verified")
        word = "tiling" if isinstance(self.puzzle, DissectionPuzzle) else "board"
        said = f"{self.valid} of {self.total} {f'{word} is' if self.total == 1 else f'{word}s are'} valid"
        return "\n".join([*lines, f"{name}: {said}"])

    def _lines(self, number: int) -> list[str]:
        """The lines of the summary about a solution."""
        verdict = self.verdicts[number]
        lines: list[str] = []
        said = "valid" if self.accepted[number] else "NOT valid"
        if isinstance(verdict, Verdict):
            if self.claim is not None:
                assert isinstance(self.puzzle, EdgeMatchingPuzzle)
                lines.append(board_text(self.solutions[number], self.puzzle.columns))
            said += f", score {verdict.score} of {verdict.max_score}"
        elif self.accepted[number]:
            return []
        lines.append(f"solution {number + 1}: {said}")
        if not self.accepted[number]:
            lines += [f"  {problem}" for problem in verdict.problems]
        return lines


def check(
    puzzle: Puzzle,
    solution: Solutions,
    *,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    order: OrderSpec = None,
    partial: bool = False,
    cnf: str | Path | None = None,
    proof: str | Path | None = None,
    motions: str | None = None,
) -> Judgement:
    """Check claimed solutions from the puzzle alone, as ``jigsat check`` does.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.
    solution : board, tiling, list of these, str or Path
        One or several boards or tilings, or a file or a link as for `read_solutions`; with `cnf`, the file of a
        solver's output.
    slips : str or iterable of int, optional
        A slip array.
    frame_slips : str or iterable of int, optional
        A slip array for the joins along the frame, which otherwise must all be valid.
    order : str, Path or iterable of int, optional
        The search order along which the depths of slips count.
    partial : bool, default False
        Whether to accept boards with empty squares.
    cnf : str or Path, optional
        The file of `export` (CNF, WCNF or OPB) that the solver has solved; slips and order are as there unless given.
    proof : str or Path, optional
        With `cnf`, if the solver claims that there is no solution: its proof (DRAT, as text or binary).  That the
        formula is that of the puzzle is not checked; certificates do that.
    motions : {'any', 'lattice'}, optional
        Of a dissection: the motions, if not those of its file.

    Returns
    -------
    Judgement
        The verdicts, with the record and the text that the command prints.

    Raises
    ------
    InstanceError
        If the solutions cannot be read, or are for another puzzle.
    UsageError
        If an option does not apply to the puzzle, or the file is a certificate: use `verify`.
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
    from ...models.proofs.recognise_file import is_certificate

    if cnf is None and isinstance(solution, str | Path) and is_certificate(solution):
        raise UsageError(f"{solution}: is a certificate; check it with `verify`", "solution")
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(
            puzzle, cnf=cnf, proof=proof, partial=partial, order=order, slips=slips, frame_slips=frame_slips
        )
        return _judged_tilings(puzzle.with_motions(motions), solution)
    refuse_of_others(puzzle, motions=motions)
    order, slips = with_slips(puzzle, order, slips)
    if cnf is not None:
        return _judged_answer(puzzle, solution, (cnf, proof), (slips, frame_slips), order, partial=partial)
    if proof is not None:
        raise UsageError("is for the output of a solver; give the file that it solved as well", "proof")
    arrays = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    _, squares = named_order(puzzle, order, arrays[0])
    _refuse_answer(solution)
    boards = solutions_given(puzzle, solution)
    if not boards:
        raise none_in(_label(solution), "board to check")
    return _judged(puzzle, boards, arrays, squares, partial=partial)


def _label(solution: Solutions) -> str:
    return str(solution) if isinstance(solution, str | Path) else "solution"


def _refuse_answer(solution: Solutions) -> None:
    from ...models.proofs.recognise_file import is_answer

    if isinstance(solution, str | Path) and is_answer(solution):
        raise UsageError(f"{solution}: is the output of a solver; give the file that it solved as well", "cnf")


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
    from ...models.proofs.check_proof import check_proof
    from ...models.squares.read_answers import load_answer

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
    arrays = (
        answer.slips if given[0] is None else asked[0],
        answer.frame_slips if given[1] is None else asked[1],
    )
    squares = answer.order if squares is None else squares
    return _judged(puzzle, [answer.board], arrays, squares, partial=partial, claim=answer.status)


def _judged_tilings(puzzle: DissectionPuzzle, solution: Solutions) -> Judgement:
    tilings = solutions_given(puzzle, solution)
    if not tilings:
        raise none_in(_label(solution), "tiling to check")
    judge = TilingChecker(puzzle)
    verdicts = tuple(judge(tiling) for tiling in tilings)
    return Judgement(puzzle, tuple(tilings), verdicts, tuple(verdict.is_solution for verdict in verdicts))
