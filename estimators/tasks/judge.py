"""Judging claimed solutions from the puzzle alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import escaped
from ...csp.files.board_rows import board_rows
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import Solutions, solutions_given
from ...csp.puzzles.board import board_text
from ...csp.puzzles.check_board import Verdict
from ...csp.puzzles.check_board import check as verdict_on
from ...csp.puzzles.check_tiling import TilingChecker, TilingVerdict
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import checked_slips
from ..effort.asked import OrderSpec, SlipSpec, named_order, refuse_of_others


@dataclass(frozen=True)
class Judgement:
    """What is to be said of claimed solutions.

    Parameters
    ----------
    puzzle
        What was to be solved.
    solutions
        The boards or tilings.
    verdicts
        The checker's verdict on each of them.
    accepted
        Whether each of them is what it is claimed to be.
    claim
        What a solver said, whose output was judged: ``SATISFIABLE``, ``OPTIMUM FOUND``, ``UNSATISFIABLE``,
        ``UNKNOWN``; None if none did.
    """

    puzzle: Puzzle
    solutions: tuple[Any, ...]
    verdicts: tuple[Verdict | TilingVerdict, ...]
    accepted: tuple[bool, ...]
    claim: str | None = None

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
        """Whether there are solutions, and all are accepted."""
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
            "problems": list(verdict.problems),
            **({} if self.claim is None else {"board": board_rows(self.solutions[number], self.puzzle.columns)}),
        }

    def summary(self) -> str:
        """The text that ``jigsat check`` prints."""
        name = escaped(self.puzzle.name)
        if not self.solutions:
            if self.claim == "UNSATISFIABLE":
                return f"{name}: the solver says that there is no solution; without a proof that is not verified"
            return f"{name}: the solver says {self.claim}, and has no board to check"
        lines = [line for number in range(self.total) for line in self._lines(number)]
        if self.claim == "OPTIMUM FOUND":
            lines.append("  that no board is better is the solver's word, which is not verified")
        word = "tiling" if isinstance(self.puzzle, DissectionPuzzle) else "board"
        said = f"{self.valid} of {self.total} {f'{word} is' if self.total == 1 else f'{word}s are'} valid"
        return "\n".join([*lines, f"{name}: {said}"])

    def _lines(self, number: int) -> list[str]:
        """What there is to say of a solution."""
        verdict, score = self.verdicts[number], ""
        lines: list[str] = []
        if isinstance(verdict, Verdict):
            score = f"score {verdict.score} of {verdict.max_score}"
            if self.claim is not None:
                assert isinstance(self.puzzle, EdgeMatchingPuzzle)
                lines += [board_text(self.solutions[number], self.puzzle.columns), f"  {score}"]
            score = f", {score}"
        if not self.accepted[number]:
            lines.append(f"solution {number + 1}: NOT valid{score}")
            lines += [f"  {problem}" for problem in verdict.problems]
        return lines


def check(
    puzzle: Puzzle,
    solution: Solutions,
    *,
    slips: SlipSpec = None,
    order: OrderSpec = None,
    partial: bool = False,
    cnf: str | Path | None = None,
    motions: str | None = None,
) -> Judgement:
    """Judge claimed solutions from the puzzle alone: what ``jigsat check`` does.

    Parameters
    ----------
    puzzle
        What was to be solved.
    solution
        A file or a link, as `read_solutions` reads it, a board or a tiling, or several; with `cnf`, what a solver
        printed.
    slips, order
        A slip array, and the search order by which its depths count.
    partial
        Whether boards with empty squares are accepted.
    cnf
        The file of `export` (CNF, WCNF or OPB) that the solver's output is about.
    motions
        Of a dissection: ``any`` or ``lattice``, if not as its file says.

    Returns
    -------
    Judgement
        The verdicts, with the record and the text that the command prints.

    Raises
    ------
    InstanceError
        If the solutions cannot be read, or are for another puzzle.
    UsageError
        If an option has no meaning for the puzzle, or the file is a certificate, which `verify` judges.
    OrderError, SlipError
        If there is no such order, or the slips are none.

    Examples
    --------
    >>> from jigsat import read, solve
    >>> puzzle = read("clue3")
    >>> judgement = check(puzzle, solve(puzzle).best_board)
    >>> judgement.valid, judgement.total
    (1, 1)
    >>> print(judgement.summary())
    clue3: 1 of 1 board is valid
    """
    from ...models.proofs.recognise_file import is_certificate

    if cnf is None and isinstance(solution, str | Path) and is_certificate(solution):
        raise UsageError(f"{solution}: is a certificate, which `verify` judges", "solution")
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, cnf=cnf, partial=partial, order=order, slips=slips)
        return _judged_tilings(puzzle.with_motions(motions), solution)
    refuse_of_others(puzzle, motions=motions)
    if cnf is not None:
        return _judged_answer(puzzle, solution, cnf, slips, order, partial=partial)
    array = checked_slips(puzzle, slips)
    _, squares = named_order(puzzle, order, array)
    _refuse_answer(solution)
    boards = solutions_given(puzzle, solution)
    if not boards:
        raise InstanceError(f"{_label(solution)}: holds no board to check")
    return _judged(puzzle, boards, array, squares, partial=partial)


def _label(solution: Solutions) -> str:
    return str(solution) if isinstance(solution, str | Path) else "solution"


def _refuse_answer(solution: Solutions) -> None:
    from ...models.proofs.recognise_file import is_answer

    if isinstance(solution, str | Path) and is_answer(solution):
        raise UsageError(f"{solution}: is a solver's output; name the file that it solved", "cnf")


def _judged(
    puzzle: EdgeMatchingPuzzle,
    boards: list[Any],
    slips: tuple[int, ...],
    order: tuple[int, ...],
    *,
    partial: bool,
    claim: str | None = None,
) -> Judgement:
    """Boards, judged; where no more is asked, those with empty squares are accepted, too."""
    for board in boards:
        if len(board) != len(puzzle.board):
            raise InstanceError(f"{puzzle.name}: a board has {len(puzzle.board)} squares, not {len(board)}")
    verdicts = tuple(verdict_on(puzzle, board, slips, order) for board in boards)
    accepted = tuple(
        verdict.is_solution or (partial and not verdict.faults and not verdict.invalid_joins) for verdict in verdicts
    )
    return Judgement(puzzle, tuple(boards), verdicts, accepted, claim)


def _judged_answer(
    puzzle: EdgeMatchingPuzzle,
    solution: Solutions,
    cnf: str | Path,
    slips: SlipSpec,
    order: OrderSpec,
    *,
    partial: bool,
) -> Judgement:
    """The board that a solver has found; the slips of the file that it solved hold unless others are given."""
    from ...models.squares.read_answers import load_answer

    if not isinstance(solution, str | Path):
        raise UsageError("is for what a solver printed, which stands in a file", "cnf")
    array = checked_slips(puzzle, slips)
    _, squares = named_order(puzzle, order, array)
    answer = load_answer(solution, cnf, puzzle)
    if answer.board is None:
        return Judgement(puzzle, (), (), (), answer.status)
    if slips is None:
        array, squares = answer.slips, answer.order
    return _judged(puzzle, [answer.board], array, squares, partial=partial, claim=answer.status)


def _judged_tilings(puzzle: DissectionPuzzle, solution: Solutions) -> Judgement:
    tilings = solutions_given(puzzle, solution)
    if not tilings:
        raise InstanceError(f"{_label(solution)}: holds no tiling to check")
    for tiling in tilings:
        if len(tiling) != len(puzzle.pieces):
            raise InstanceError(f"{puzzle.name}: a tiling has {len(puzzle.pieces)} polygons, not {len(tiling)}")
    judge = TilingChecker(puzzle)
    verdicts = tuple(judge(tiling) for tiling in tilings)
    return Judgement(puzzle, tuple(tilings), verdicts, tuple(verdict.is_solution for verdict in verdicts))
