"""The engines `sat:NAME`: any SAT solver of PySAT on a CNF of the puzzle."""

from collections.abc import Generator, Iterator
from pathlib import Path

import numpy as np
from pysat.card import ITotalizer

from ...csp.base.enforced import enforced
from ...csp.base.errors import EngineError
from ...csp.base.stop import aside
from ...csp.engines.request import Goal, Limits, Options, some_options
from ...csp.puzzles.board import Arrangement
from ..base.encodings import Encoding, cnf_encoding
from ..base.solver_process import SolverProcess
from ..base.solvers import SOLVERS, check_prover, checked_solver
from ..proofs.certificate import certificate, certify
from ..proofs.certificate_files import Files
from ..proofs.claim_formulas import Claim, terms_of
from ..squares.cnf import EdgeMatchingCNF
from .model_engine import ModelEngine, ModelRun, Watch


class Sat(ModelEngine):
    """A SAT solver in a separate process: solves, excludes found solutions, improves a score."""

    solvers = SOLVERS
    takes = some_options("encoding", "order", "slips", "frame_slips", "proof")
    waits = True
    libraries = ("python-sat",)

    def __init__(self, solver: str = "cadical195") -> None:
        self.name, self._solver = f"sat:{solver}", checked_solver(solver)

    def encoding(self, text: str | None) -> Encoding:
        return cnf_encoding(text)

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        super().check(goal, limits, options)
        if options.proof is not None and options.frame_slips is not None:
            raise EngineError("proof: a proof cannot be about slips along the frame; omit frame_slips")

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        proof = run.options.proof
        if proof is not None:
            check_prover(self._solver)
            Files(Path(proof)).check()
        # The first search has the proof only if nothing is added to its formula during the search.
        at_once = proof is not None and run.goal is Goal.SOLVE
        with SolverProcess(self._solver, proof=at_once) as solver:
            with enforced(run.stop, "building the model"):
                model = EdgeMatchingCNF(run.domains, run.encoding)
                run.exclude_earlier(model.exclude)
                solver.add(model.clauses.blocks())
            run.built()
            if run.goal is Goal.BEST:
                self._descend(run, model, solver, watch)
                claim = Claim(score=run.score)
            else:
                claim = Claim((yield from self._enumerate(run, model, solver, watch)))
            run.statistics = solver.statistics
            if proof is not None and at_once and run.exhausted and not claim.excluded:
                run.proof = certificate(model, claim, solver, proof, watch)
        if run.best is not None:
            yield run.best
        if proof is not None and run.exhausted and run.goal is not Goal.SOLVE and run.score != run.puzzle.max_score:
            run.proof = certify(terms_of(model), claim, self._solver, proof, watch)
        if run.proof is not None and not run.proof["checked"] and run.ended_by is not None:
            run.proof = {**run.proof, "stopped": run.ended_by}

    def _enumerate(
        self, run: ModelRun, model: EdgeMatchingCNF, solver: SolverProcess, watch: Watch
    ) -> Generator[Arrangement, None, tuple[Arrangement, ...]]:
        """Every model of the deciding variables; returns those that a proof must exclude."""
        found: list[Arrangement] = []
        if run.options.proof is not None and run.options.earlier is not None:
            found += run.options.earlier.solutions()
        if watch():
            return ()
        solver.send("enumerate", model.deciding, 1 if run.goal is Goal.SOLVE else None)
        while (true := solver.answer(watch)) is not None:
            rows = model.rows(true)
            yield from run.harvest.take(rows)
            if run.options.proof is not None:
                tally = run.domains.tally()
                canonical = tally.is_canonical(rows) if run.options.symmetry else slice(None)
                found += tally.arrangements(rows[canonical])
            if watch():
                return ()
        run.exhausted = run.ended_by is None
        return tuple(found)

    def _descend(self, run: ModelRun, model: EdgeMatchingCNF, solver: SolverProcess, watch: Watch) -> None:
        """Find a board, then boards with fewer invalid joins, counted by a totalizer, until no better one exists."""
        at_least: list[int] = []
        run.begin_with_earlier()
        while not watch():
            if run.best is None or at_least:
                solver.send("solve", model.deciding)
                true = solver.answer(watch)
                if true is None:
                    return
                if true is not False:
                    run.better(model.board_of(true))
                run.exhausted = true is False
            run.exhausted |= run.score == run.bound
            if run.exhausted:
                return
            invalid = run.bound - (run.score or 0)
            if not at_least:
                top = model.clauses.top
                counter = aside(ITotalizer, model.variables.invalid.tolist(), ubound=invalid, top_id=top)
                at_least = counter.rhs
                solver.send("append", counter.cnf.clauses)
                counter.delete()
            solver.add([np.array([[-at_least[invalid - 1]]])])
