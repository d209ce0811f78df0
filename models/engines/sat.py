"""The engines `sat:NAME`, any SAT solver of PySAT on a CNF of the puzzle, and `maxsat:rc2`, for the best score.

The plan of a search looks at every engine; what only proofs need, or only dissections, is loaded by runs that need it.
"""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from pysat.card import ITotalizer

from ...csp.base.errors import EngineError, misspelt
from ...csp.base.stop import aside, enforced
from ...csp.engines.request import Goal, Limits, Options, some_options
from ...csp.engines.tallies import Rows
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import Tiling
from ..base.encodings import cnf_encoding, tiling_encoding
from ..base.solver_process import SOLVERS, SolverProcess, check_prover, checked_solver
from .model_engine import BoardModelEngine, ModelRun, ModelTilingRun, TilingModelEngine, Watch

if TYPE_CHECKING:
    from ..squares.cnf import EdgeMatchingCNF
    from ..tilings.cnf import DissectionCNF
    from ..tilings.domains import TilingDomains

_MAXSAT = ("rc2",)


class Sat(BoardModelEngine):
    """A SAT solver in a separate process: solves, excludes found solutions, improves a score."""

    solvers = SOLVERS
    takes = some_options("encoding", "order", "slips", "frame_slips", "proof")
    waits = True
    libraries = ("python-sat",)
    encoding = staticmethod(cnf_encoding)

    def __init__(self, solver: str = "cadical195") -> None:
        self.name, self._solver = f"sat:{solver}", checked_solver(solver)

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        super().check(goal, limits, options)
        if options.proof is not None and options.frame_slips is not None:
            raise EngineError("proof: a proof cannot be about slips along the frame; omit frame_slips")

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        from ..squares.cnf import EdgeMatchingCNF

        proof = run.options.proof
        if proof is not None:
            _check(self._solver, proof)
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
                excluded, score = (), run.score
            else:
                excluded, score = (yield from self._enumerate(run, model, solver, watch)), None
            run.statistics = solver.statistics
            if proof is not None and at_once and run.exhausted and not excluded:
                from ..proofs.board_claims import claim_of
                from ..proofs.certificate import write_certificate

                run.proof = write_certificate(model, claim_of(model), solver, proof, watch)
        if run.best is not None:
            yield run.best
        if proof is not None and run.exhausted and run.goal is not Goal.SOLVE and run.score != run.puzzle.max_score:
            from ..proofs.board_claims import claim_of
            from ..proofs.certificate import certify

            run.proof = certify(claim_of(model, excluded, score), self._solver, proof, watch)
        if run.proof is not None and not run.proof["checked"] and run.ended_by is not None:
            run.proof = {**run.proof, "stopped": run.ended_by}

    def _enumerate(
        self, run: ModelRun, model: "EdgeMatchingCNF", solver: SolverProcess, watch: Watch
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

    def _descend(self, run: ModelRun, model: "EdgeMatchingCNF", solver: SolverProcess, watch: Watch) -> None:
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


class MaxSat(BoardModelEngine):
    """RC2 (Ignatiev, Morgado, Marques-Silva 2019): from above, by unsatisfiable cores, to the best score."""

    solvers = _MAXSAT
    goals = frozenset({Goal.BEST})
    takes = some_options("encoding", "order", "slips", "frame_slips")
    waits = True
    libraries = ("python-sat",)
    encoding = staticmethod(cnf_encoding)

    def __init__(self, solver: str = "rc2") -> None:
        if solver not in _MAXSAT:
            raise EngineError(f"unknown MaxSAT solver {misspelt(solver, _MAXSAT)}, choose from {', '.join(_MAXSAT)}")
        self.name = f"maxsat:{solver}"

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        from ..squares.cnf import EdgeMatchingCNF

        with SolverProcess("rc2") as solver:
            with enforced(run.stop, "building the model"):
                model = EdgeMatchingCNF(run.domains, run.encoding)
                solver.add(model.clauses.blocks())
            run.built()
            if watch():
                return
            solver.send("maximise", model.deciding, (-model.variables.invalid).tolist())
            true = solver.answer(watch)
            run.statistics = solver.statistics
        if true is None:
            return
        run.exhausted = True
        if true is not False:
            run.better(next(run.domains.tally().arrangements(model.rows(true[None]))))
            assert run.best is not None
            yield run.best


class SatTiler(TilingModelEngine):
    """A SAT solver in a separate process: solves, excludes found solutions, proves that there are no others."""

    solvers = SOLVERS
    takes = some_options("encoding", "proof")
    waits = True
    libraries = ("python-sat",)
    encoding = staticmethod(tiling_encoding)

    def __init__(self, solver: str = "cadical195") -> None:
        self.name, self._solver = f"sat:{solver}", checked_solver(solver)

    def steps(self, run: ModelTilingRun, watch: Watch) -> Iterator[Tiling]:
        from ..tilings.cnf import DissectionCNF
        from ..tilings.domains import TilingDomains

        proof = run.options.proof
        if proof is not None:
            from ..proofs.tiling_claims import refuse_without_proof

            refuse_without_proof(run.puzzle)
            _check(self._solver, proof)
        with enforced(run.stop, "building the model"):
            domains = TilingDomains(run.puzzle, symmetry=run.options.symmetry, prune=run.encoding.prune)
            model = DissectionCNF(domains, run.encoding)
        run.begin(domains)
        known = yield from self._enumerate(run, model, watch)
        if proof is not None and run.exhausted:
            from ..proofs.certificate import certify
            from ..proofs.tiling_claims import TilingClaim

            run.proof = certify(TilingClaim(domains, run.encoding, known), self._solver, proof, watch)
            if watch() and not run.proof["checked"]:
                run.proof = {**run.proof, "stopped": run.stop.ended_by}

    def _enumerate(
        self, run: ModelTilingRun, model: "DissectionCNF", watch: Watch
    ) -> Generator[Tiling, None, tuple[Tiling, ...]]:
        """Every model of the placements; returns the tilings that a proof must exclude."""
        found: list[Tiling] = []
        with SolverProcess(self._solver) as solver:
            solver.add(model.clauses.blocks())
            if watch():
                return ()
            solver.send("enumerate", model.deciding, 1 if run.goal is Goal.SOLVE else None)
            while (true := solver.answer(watch)) is not None:
                rows = model.rows(true)
                yield from run.take(rows)
                if run.options.proof is not None:
                    found += _different(model.domains, rows)
                if watch():
                    return ()
            run.statistics = solver.statistics
        run.exhausted = not watch() and (run.goal is not Goal.SOLVE or not run.progress(0.0).solutions)
        return tuple(found)


def _different(domains: "TilingDomains", rows: Rows) -> Iterator[Tiling]:
    """The tilings of rows, of those that are the same one."""
    tally = domains.tally()
    canonical = tally.add(rows)
    for row in rows[canonical] if domains.symmetry else rows:
        yield tuple(map(domains.placements.polygon, row[tally.slot_of_piece].tolist()))


def _check(solver: str, proof: str | Path) -> None:
    """Refuse, before the search, a solver without proofs, and files that cannot be written."""
    from ..proofs.certificate import Files

    check_prover(solver)
    Files(Path(proof)).check()
