"""Whether a puzzle has an exact number of solutions, with a proof; and the search for a further one."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pysat.solvers import Solver

from ...csp.base.errors import EngineError, InstanceError, PuzzleError, UsageError, shortened
from ...csp.base.safe_files import temporary_folder
from ...csp.base.stop import Stop, StoppedError, aside
from ...csp.base.words import grouped
from ...csp.engines.registry import default_engine, run_aside
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.tallies import certain
from ...csp.files.file_format import part_of
from ...csp.files.instances import Puzzle, fingerprint
from ...csp.files.readings import refuse_misread
from ...csp.files.square_files import board_rows, solution_reader
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import appearance, check
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...csp.puzzles.jigsaw_algebra import Integers
from ...csp.puzzles.orders import find_order
from ...csp.work.steps import KeptSteps, keep_steps
from ..base.encodings import BITS, cnf_encoding
from ..base.solver_process import SolverProcess
from ..base.solvers import check_prover
from ..squares.bits_cnf import no_bits
from .certificate import certificate
from .certificate import certify as certify_claim
from .certificate_files import Files
from .certification import LONG_PROOF, Answer, Certification
from .claim_formulas import BoardFormula, Claim, Terms

# Proofs for searches of up to 8 000 nodes took seconds; a trial ends after the second number.
_SHORT_SEARCH, _TRIAL = 10_000, 1_000_000

#: The encoding for puzzles that `bits` does not support: each placement needs neighbours that match it.
POSITIONS = "direct"


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
    wanted: int,
    *,
    encoding: str | None = None,
    solver: str = "cadical195",
    proof: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    stop: Stop | None = None,
) -> Certification:
    """Do what `certify_and_verify.certify` does as part of some other work; parameters and errors are the same.

    Parameters
    ----------
    resume, overwrite
        As for `certify`.
    stop
        The clock of that work, and what may end it; None if nothing does.
    """
    stop = Stop() if stop is None else stop
    puzzle = _asked(puzzle, wanted)
    check_prover(solver)
    if stop.is_followed and encoding is None and usual_encoding(puzzle) == POSITIONS and puzzle.rule is Rule.OPPOSITE:
        foreseen = _foreseen(puzzle, wanted, stop)
        if foreseen is not None:
            stop.tell(foreseen)
    stop.tell(f"looking for solution {wanted + 1}")
    with temporary_folder() as folder:
        path = Path(folder, "proof") if proof is None else Path(proof)
        Files(path).check()
        assemblies = known_solutions(puzzle)
        head = {"work": "certify", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
        with keep_steps(proof, head, resume=resume, overwrite=overwrite) as journal:
            known = _Known(puzzle, assemblies, journal)
            chosen = usual_encoding(puzzle) if encoding is None else encoding
            found = _search(puzzle, wanted, chosen, solver, path, known, stop)
            if found is None and encoding is None:  # the relaxation does not decide it
                found = _search(puzzle, wanted, POSITIONS, solver, path, known, stop)
            journal.complete = found is not None and found.decided
    if found is None:
        raise UsageError(
            f"{BITS} has a model that is not an assembly, so it does not decide; use {POSITIONS}", "encoding"
        )
    if proof is None and found.proof is not None:
        found = replace(found, proof={key: value for key, value in found.proof.items() if key != "file"})
    kept = None if proof is None or found.decided or not os.path.exists(part_of(proof)) else str(part_of(proof))
    return replace(found, ended_by=stop.ended_by, kept=kept)


def count_by_search(puzzle: Puzzle, wanted: int, stop: Stop | None = None) -> Certification:
    """Determine by a native search, without a proof, whether a puzzle has exactly `wanted` solutions.

    Raises UsageError or PuzzleError as for `certify_and_verify.certify`.
    """
    stop = Stop() if stop is None else stop
    puzzle, known = _asked(puzzle, wanted), {}
    for board in known_solutions(puzzle):
        known[appearance(puzzle, board)] = board
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
    return Certification(puzzle, answer, wanted, boards, "", 0, 0, ended_by=stop.ended_by, by_search=searched)


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


def _asked(puzzle: Puzzle, wanted: int) -> EdgeMatchingPuzzle:
    """The puzzle, if it can be asked whether it has that many solutions."""
    if wanted < 0:
        raise UsageError(f"must be 0 or more, not {wanted}", "solutions")
    return of_squares(puzzle)


class _Known:
    """The solutions so far: the puzzle's assemblies, those that an earlier run has kept, and those that are found."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, assemblies: Iterable[Arrangement], journal: KeptSteps) -> None:
        self._puzzle, self._journal = puzzle, journal
        self._boards = {appearance(puzzle, board): board for board in assemblies}
        read = solution_reader(puzzle, journal.label)
        for number, entry in enumerate(journal.earlier, start=1):
            board = read(entry.get("solution"), number, False)
            verdict = check(puzzle, board)
            if not verdict.is_solution:
                raise InstanceError(f"{journal.label}: solution {number} is not a solution: {verdict.problems[0]}")
            self._boards.setdefault(appearance(puzzle, board), board)

    @property
    def boards(self) -> tuple[Arrangement, ...]:
        return tuple(self._boards.values())

    def add(self, board: Arrangement) -> None:
        """Add a solution, and keep it in the journal."""
        certain(self._puzzle, board)
        self._boards[appearance(self._puzzle, board)] = board
        self._journal.add({"solution": board_rows(board, self._puzzle.columns)})


def of_squares(puzzle: Puzzle) -> EdgeMatchingPuzzle:
    """The puzzle, if it is one that can be certified; raises UsageError or PuzzleError if it is not."""
    if isinstance(puzzle, DissectionPuzzle):
        instead = "count its tilings on the lattice with the engine sat:cadical195 and a proof"
        raise UsageError(f"{puzzle.name}: is a dissection, but only puzzles of squares can be certified; {instead}")
    refuse_misread(puzzle)
    return puzzle


def _search(
    puzzle: EdgeMatchingPuzzle,
    wanted: int,
    encoding: str,
    solver: str,
    path: Path,
    known: _Known,
    must_stop: Callable[[], bool],
) -> Certification | None:
    """Search for further solutions and add them to the known ones; None if the formula does not decide."""
    terms = Terms(puzzle, encoding, find_order(puzzle, None)[1])
    formula = None
    try:
        formula = terms.formula(must_stop)
        Claim(known.boards).state(formula)
        answer, made = _searched(terms, formula, wanted, solver, path, known, must_stop)
    except StoppedError:
        answer, made = (Answer.MORE if len(known.boards) > wanted else Answer.UNDECIDED), None
    if answer is None:
        return None
    size = (0, 0) if formula is None else (formula.clauses.top, len(formula.clauses))
    name = encoding if formula is None else str(formula.encoding)
    return Certification(puzzle, answer, wanted, known.boards, name, *size, made)


def _searched(
    terms: Terms,
    formula: BoardFormula,
    wanted: int,
    solver: str,
    path: Path,
    known: _Known,
    must_stop: Callable[[], bool],
) -> tuple[Answer | None, Mapping[str, Any] | None]:
    """The answer (None if the formula does not decide) and the outcome of its proof; raises StoppedError if stopped."""
    at_once = True
    with SolverProcess(solver, proof=True) as process:
        blocks = 0
        while len(known.boards) <= wanted:
            process.add(formula.clauses.blocks()[blocks:], must_stop)
            blocks = len(formula.clauses.blocks())
            process.send("solve", formula.deciding)
            true = process.answer(must_stop)
            if true is None:
                raise StoppedError
            if true is False:
                claim = Claim(known.boards)
                # A proof must not use clauses that were added after its first lemmas.
                made = certificate(formula, claim, process, path, must_stop) if at_once else None
                made = made or certify_claim(terms, claim, solver, path, must_stop)
                return (Answer.EXACTLY if len(known.boards) == wanted else Answer.FEWER), made
            board = formula.board_of(true)
            if board is None:
                return None, None
            known.add(board)
            formula.exclude(board)
            at_once = False
    return Answer.MORE, None


def further_solution(
    puzzle: EdgeMatchingPuzzle, known: tuple[Arrangement, ...], *, engine: str = "sat", encoding: str | None = None
) -> Arrangement | None:
    """A solution other than the known ones; None if no other solution exists.

    Parameters
    ----------
    engine
        ``sat`` or ``cpsat``: two independent ways.
    encoding
        See `encodings.cnf_encoding` and `encodings.cp_encoding`; by default that of the engine.

    Raises
    ------
    EngineError
        If the engine or encoding is unknown.
    """
    if engine == "cpsat":
        return _further_by_cp(puzzle, known, encoding)
    if engine != "sat":
        raise EngineError(f"engine {shortened(engine)!r}: only sat and cpsat search for further solutions")
    formula = Terms(puzzle, str(cnf_encoding(encoding or POSITIONS)), find_order(puzzle, None)[1]).formula()
    Claim(known).state(formula)
    true = aside(_true_variables, list(formula.clauses))
    return None if true is None else formula.board_of(true)


def _true_variables(clauses: list[list[int]]) -> Integers | None:
    """The true variables of a model, or None."""
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        if not solver.solve():
            return None
        model = np.array(solver.get_model() or [], dtype=np.int64)
    return model[model > 0]


def _further_by_cp(
    puzzle: EdgeMatchingPuzzle, known: tuple[Arrangement, ...], encoding: str | None
) -> Arrangement | None:
    # Loading CP-SAT takes half a second, which certificates do without.
    from ortools.sat.python import cp_model

    from ..base.cp_solving import solve_model
    from ..squares.cp import build_cp

    model = build_cp(puzzle, encoding, symmetry=True)
    for board in known:
        model.exclude(board)
    solver = cp_model.CpSolver()
    solver.parameters.linearization_level = 0  # linear relaxations do not help with pieces that must match
    status = solve_model(model.model, solver)
    return None if status == cp_model.INFEASIBLE else model.solution(solver)
