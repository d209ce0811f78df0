"""Whether a puzzle has exactly so many solutions, with a proof; and the search for a further one."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from ortools.sat.python import cp_model
from pysat.solvers import Solver

from ...csp.base.errors import EngineError, PuzzleError, shortened
from ...csp.base.stopping import aside, never
from ...csp.engines.solutions_found import certain
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import appearance, check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.jigsaw_algebra import Integers
from ...csp.puzzles.orders import find_order
from ..base.cp_solving import solve_model
from ..base.encodings import BITS, cnf_encoding
from ..base.solver_process import SolverProcess
from ..base.solvers import PROVERS
from ..squares.bits_cnf import no_bits
from ..squares.cp import build_cp
from .certificate import certificate, certify
from .certificate_files import Files
from .claim_formulas import BoardFormula, Claim, Terms

#: The encoding for puzzles that `bits` is not for: each placement needs neighbours that match it.
POSITIONS = "direct"


class Answer(StrEnum):
    """Whether there are exactly as many solutions as wanted: yes, fewer, more; undecided if the search was stopped."""

    EXACTLY = "exactly"
    FEWER = "fewer"
    MORE = "more"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Exactly:
    """What is known of the number of solutions.

    Parameters
    ----------
    answer, wanted
        Whether there are as many as wanted, and how many that are.
    solutions
        Those that were found, no two the same; all of them, unless there are more than wanted or undecided.
    encoding, variables, clauses
        How the puzzle became a formula.
    proof
        What a record says of the proof that there are no others; None if there is none.
    """

    answer: Answer
    wanted: int
    solutions: tuple[Arrangement, ...]
    encoding: str
    variables: int
    clauses: int
    proof: Mapping[str, Any] | None = None

    @property
    def proved(self) -> bool:
        """Whether it is exactly as many as wanted, by a proof that was checked."""
        return self.answer is Answer.EXACTLY and self.proof is not None and self.proof["checked"]


def known_solutions(puzzle: EdgeMatchingPuzzle) -> tuple[Arrangement, ...]:
    """The assemblies of a puzzle, of those that are the same solution the first.

    Raises
    ------
    PuzzleError
        If one of them is no solution.
    """
    known: dict[object, Arrangement] = {}
    for number, board in enumerate(puzzle.assemblies, start=1):
        if len(board) != len(puzzle.board):
            raise PuzzleError(f"assembly {number}: {len(board)} squares for a {puzzle.rows}x{puzzle.columns} board")
        verdict = check(puzzle, board)
        if not verdict.is_solution:
            raise PuzzleError(f"assembly {number} is no solution: {verdict.problems[0]}")
        known.setdefault(appearance(puzzle, board), board)
    return tuple(known.values())


def certify_exactly(
    puzzle: EdgeMatchingPuzzle,
    wanted: int,
    *,
    encoding: str | None = None,
    solver: str = "cadical195",
    proof: str | Path | None = None,
    must_stop: Callable[[], bool] = never,
) -> Exactly:
    """Find out whether a puzzle has exactly so many solutions, and prove it.

    Solutions that turning the whole board, exchanging identical pieces and turning symmetric ones make of each other
    are one (`canonical_count`).  The puzzle's assemblies are taken as known, further ones are searched for.

    Parameters
    ----------
    puzzle
        Any edge-matching puzzle or jigsaw.
    wanted
        How many solutions there should be.
    encoding
        How it becomes a formula: ``bits``, for jigsaws whose connectors are on one or two joins each, or one of
        `encodings.CNF_NAMES`.  If it is left out, ``bits`` for jigsaws of that sort unless that finds something that is
        no assembly, and ``direct`` otherwise.
    solver
        A solver of PySAT that writes proofs.
    proof
        The file for the proof, with its formula and what it states beside it; None to have the proof checked and kept
        nowhere.
    must_stop
        Asked again and again whether to give up.

    Raises
    ------
    EngineError
        If there is no such encoding or solver, or not for this.
    PuzzleError
        If an assembly of the puzzle is no solution.
    InstanceError
        If the proof cannot be written.
    """
    if wanted < 0:
        raise EngineError(f"{wanted} solutions: a puzzle cannot have fewer than none")
    if solver not in PROVERS:
        able = ", ".join(PROVERS)
        raise EngineError(f"solver {shortened(solver)!r} is none that writes proofs; choose from {able}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "proof") if proof is None else Path(proof)
        Files(path).check()
        known = list(known_solutions(puzzle))
        chosen = (POSITIONS if no_bits(puzzle) else BITS) if encoding is None else encoding
        found = _search(puzzle, wanted, chosen, solver, path, known, must_stop)
        if found is None and encoding is None:  # the relaxation does not decide it
            found = _search(puzzle, wanted, POSITIONS, solver, path, known, must_stop)
    if found is None:
        raise EngineError(f"encoding {BITS}: has a model that is no assembly, so it does not decide; take {POSITIONS}")
    if proof is None and found.proof is not None:
        return replace(found, proof={key: value for key, value in found.proof.items() if key != "file"})
    return found


def _search(
    puzzle: EdgeMatchingPuzzle,
    wanted: int,
    encoding: str,
    solver: str,
    path: Path,
    known: list[Arrangement],
    must_stop: Callable[[], bool],
) -> Exactly | None:
    """Look for solutions besides the known ones, which new ones join; None if the formula does not decide."""
    terms = Terms(puzzle, encoding, find_order(puzzle, None)[1])
    formula = terms.formula()
    Claim(tuple(known)).state(formula)
    at_once = True
    with SolverProcess(solver, proof=True) as process:
        blocks = 0
        while len(known) <= wanted:
            process.add(formula.clauses.blocks()[blocks:])
            blocks = len(formula.clauses.blocks())
            process.send("solve", formula.deciding)
            true = process.answer(must_stop)
            if true is None:
                return _answer(Answer.UNDECIDED, wanted, known, formula)
            claim = Claim(tuple(known))
            if true is False:
                # A proof must not know of clauses that were added after its first lemmas.
                made = certificate(formula, claim, process, path, must_stop) if at_once else None
                made = made or certify(terms, claim, solver, path, must_stop)
                answer = Answer.EXACTLY if len(known) == wanted else Answer.FEWER
                return replace(_answer(answer, wanted, known, formula), proof=made)
            board = formula.board_of(true)
            if board is None:
                return None
            certain(puzzle, board)
            known.append(board)
            formula.exclude(board)
            at_once = False
    return _answer(Answer.MORE, wanted, known, formula)


def _answer(answer: Answer, wanted: int, known: list[Arrangement], formula: BoardFormula) -> Exactly:
    size = formula.clauses.top, len(formula.clauses)
    return Exactly(answer, wanted, tuple(known), str(formula.encoding), *size)


def further_solution(
    puzzle: EdgeMatchingPuzzle, known: tuple[Arrangement, ...], *, engine: str = "sat", encoding: str | None = None
) -> Arrangement | None:
    """A solution besides those that are known; None if there is none.

    Parameters
    ----------
    engine
        ``sat`` or ``cpsat``: two ways to the same answer.
    encoding
        See `encodings.cnf_encoding` and `encodings.cp_encoding`; the default of each if left out.

    Raises
    ------
    EngineError
        If there is no such engine or encoding.
    """
    if engine == "cpsat":
        return _further_by_cp(puzzle, known, encoding)
    if engine != "sat":
        raise EngineError(f"engine {shortened(engine)!r}: further solutions are searched for by sat and cpsat")
    formula = Terms(puzzle, str(cnf_encoding(encoding or POSITIONS)), find_order(puzzle, None)[1]).formula()
    Claim(known).state(formula)
    true = aside(_true_variables, list(formula.clauses))
    return None if true is None else formula.board_of(true)


def _true_variables(clauses: list[list[int]]) -> Integers | None:
    """Those of a model; None if there is none."""
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        if not solver.solve():
            return None
        model = np.array(solver.get_model() or [], dtype=np.int64)
    return model[model > 0]


def _further_by_cp(
    puzzle: EdgeMatchingPuzzle, known: tuple[Arrangement, ...], encoding: str | None
) -> Arrangement | None:
    model = build_cp(puzzle, encoding, symmetry=True)
    for board in known:
        model.exclude(board)
    solver = cp_model.CpSolver()
    solver.parameters.linearization_level = 0  # linear relaxations tell nothing about pieces that must match
    status = solve_model(model.model, solver)
    return None if status == cp_model.INFEASIBLE else model.solution(solver)
