"""The engines `cpsat` and `sat:NAME` for dissections, on models of the lattice."""

from abc import abstractmethod
from collections.abc import Generator, Iterator
from pathlib import Path

from ...csp.base.enforced import enforced
from ...csp.base.errors import EngineError
from ...csp.base.stop import Report, Stop, StoppedError
from ...csp.engines.engine import Search, TilingEngine, children_usage
from ...csp.engines.request import Goal, Limits, Options, some_options
from ...csp.engines.tallies import Rows
from ...csp.engines.tiling_run import TilingRun
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..base.solver_process import SolverProcess
from ..base.solvers import SOLVERS, check_prover, checked_solver
from ..tilings.cnf import DissectionCNF, tiling_encoding
from ..tilings.cp import DissectionCp, tiling_cp_encoding
from ..tilings.domains import TilingDomains
from .model_engine import Watch

# The solver's clock ends it a moment after the run's clock, which records the reason.
_LATER_SECONDS = 0.01


class ModelTiler(TilingEngine):
    """An engine that solves a model of a dissection; subclasses implement `steps`.

    Symmetries and solutions are those of the engine `backtrack`.
    """

    kinds = frozenset({"dissection"})
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})

    @abstractmethod
    def encoding(self, text: str | None) -> str:
        """The full name of an encoding, or of the default one.  Raises EngineError if it is unknown."""

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        self.encoding(options.encoding)

    @abstractmethod
    def steps(self, run: TilingRun, watch: Watch) -> Iterator[Tiling]:
        """Build the model and solve it until the goal is reached or `watch` asks to stop; yield tilings."""

    def prepared(
        self, puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Tiling]:
        if puzzle.motions is not Motions.LATTICE:
            raise EngineError(
                f"engine {self.name} supports the lattice only; use --motions lattice, or the engine backtrack"
            )
        return _ModelledTilings(self, puzzle, goal, limits, options, stop)


class _ModelledTilings(TilingRun):
    """A run that solves a model."""

    def __init__(
        self,
        engine: ModelTiler,
        puzzle: DissectionPuzzle,
        goal: Goal,
        limits: Limits,
        options: Options,
        stop: Stop,
    ) -> None:
        super().__init__(engine.name, puzzle, goal, limits, options, stop, children_usage)
        self._engine, self.method = engine, engine.encoding(options.encoding)

    def steps(self, report: Report | None) -> Iterator[Tiling]:
        watch = Watch(self, report)
        if watch():
            return
        try:
            yield from self._engine.steps(self, watch)
        except StoppedError:  # before there was a model
            self.must_stop()


def counting(run: TilingRun, domains: TilingDomains) -> None:
    """Count the rows of the model's placements; preparation ends here."""
    run.counts_with(domains.tally(), domains.placements.polygon)


class CpSatTiler(ModelTiler):
    """CP-SAT: solves with one worker or several, enumerates with one."""

    name = "cpsat"
    takes = some_options("encoding", "seed", "threads")
    libraries = ("ortools",)

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return 64 if goal is Goal.SOLVE else 1  # CP-SAT enumerates with one worker only

    def encoding(self, text: str | None) -> str:
        return tiling_cp_encoding(text)

    def steps(self, run: TilingRun, watch: Watch) -> Iterator[Tiling]:
        # The plan of a search looks at every engine, and loading these takes longer than many searches.
        from ortools.sat.python import cp_model

        from ..base.cp_solving import cp_solver, model_solutions

        with enforced(run.stop, "building the model"):
            domains = TilingDomains(run.puzzle, symmetry=run.options.symmetry)
            model = DissectionCp(domains, run.method)
        left = run.stop.seconds_left
        seconds = None if left is None else left + _LATER_SECONDS
        solver = cp_solver(run.options, every=run.goal is not Goal.SOLVE, seconds=seconds)
        counting(run, domains)
        if watch():
            return
        found = model_solutions(model.model, solver, model.there, watch)
        while True:
            try:
                there = next(found)
            except StopIteration as end:
                every = cp_model.OPTIMAL if run.goal is not Goal.SOLVE else cp_model.INFEASIBLE
                run.exhausted = end.value in (every, cp_model.INFEASIBLE)
                break
            yield from run.take(domains.rows(there[None]))
            if watch():
                found.close()
                break
        if not run.exhausted and not watch():
            # The solver's own clock goes on while kernels are compiled.
            run.ended_by = "time"
        run.statistics = {"conflicts": solver.num_conflicts, "branches": solver.num_branches}


class SatTiler(ModelTiler):
    """A SAT solver in a separate process: solves, excludes found solutions, proves that there are no others."""

    solvers = SOLVERS
    takes = some_options("encoding", "proof")
    waits = True
    libraries = ("python-sat",)

    def __init__(self, solver: str = "cadical195") -> None:
        self.name, self._solver = f"sat:{solver}", checked_solver(solver)

    def encoding(self, text: str | None) -> str:
        return str(tiling_encoding(text))

    def steps(self, run: TilingRun, watch: Watch) -> Iterator[Tiling]:
        proof = run.options.proof
        if proof is not None:
            from ..proofs.certificate_files import Files

            check_prover(self._solver)
            Files(Path(proof)).check()
        encoding = tiling_encoding(run.method)
        with enforced(run.stop, "building the model"):
            domains = TilingDomains(run.puzzle, symmetry=run.options.symmetry, prune=encoding.prune)
            model = DissectionCNF(domains, encoding)
        counting(run, domains)
        known = yield from self._enumerate(run, model, watch)
        if proof is not None and run.exhausted:
            from ..proofs.tiling_certificate import TilingClaim, certify_tilings

            claim = TilingClaim(domains, encoding, known)
            run.proof = certify_tilings(claim, self._solver, proof, watch)
            if watch() and not run.proof["checked"]:
                run.proof = {**run.proof, "stopped": run.stop.ended_by}

    def _enumerate(
        self, run: TilingRun, model: DissectionCNF, watch: Watch
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


def _different(domains: TilingDomains, rows: Rows) -> Iterator[Tiling]:
    """The tilings of rows, of those that are the same one."""
    tally = domains.tally()
    canonical = tally.add(rows)
    for row in rows[canonical] if domains.symmetry else rows:
        yield tuple(map(domains.placements.polygon, row[tally.slot_of_piece].tolist()))
