"""The engines `cpsat`: CP-SAT of OR-tools on a model of a puzzle of squares or of a dissection.

The plan of a search looks at every engine, and loading OR-tools takes longer than many searches; so runs load it.
"""

from collections.abc import Iterator
from typing import Any

from ...csp.base.stop import enforced
from ...csp.engines.request import Goal, some_options
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import Tiling
from ..base.encodings import cp_encoding, tiling_cp_encoding
from .model_engine import BoardModelEngine, ModelRun, ModelTilingRun, TilingModelEngine, Watch

# The solver's clock ends it a moment after the run's clock, which records the reason.
_LATER_SECONDS = 0.01


class CpSat(BoardModelEngine):
    """CP-SAT: solves with one worker or several, enumerates with one, maximises the score."""

    name = "cpsat"
    takes = some_options("encoding", "order", "slips", "frame_slips", "seed", "threads")
    libraries = ("ortools",)
    encoding = staticmethod(cp_encoding)

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return 1 if goal in (Goal.ALL, Goal.COUNT) else 64  # CP-SAT enumerates with one worker only

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        from ortools.sat.python import cp_model

        from ..base.cp_solving import cp_solver, model_solutions
        from ..squares.cp import EdgeMatchingCp

        every = run.goal in (Goal.ALL, Goal.COUNT)
        with enforced(run.stop, "building the model"):
            model = EdgeMatchingCp(run.domains, run.encoding)
            run.exclude_earlier(model.exclude)
            if run.goal is Goal.BEST:
                run.begin_with_earlier()
                if run.score is not None:
                    model.model.add(sum(model.invalid_joins) < run.bound - run.score)
                model.model.minimize(sum(model.invalid_joins))
        solver = cp_solver(run.options, every=every, seconds=run.stop.seconds_left)
        run.built()
        if watch():
            return

        def read(callback: cp_model.CpSolverSolutionCallback) -> tuple[Any, int]:
            """Which placements are true, and the fewest invalid joins that are not excluded."""
            return model.there(callback), round(callback.best_objective_bound)

        found = model_solutions(model.model, solver, read, watch)
        status = cp_model.UNKNOWN
        while run.ended_by is None:
            try:
                there, bound = next(found)
            except StopIteration as end:
                status = end.value
                break
            if run.goal is Goal.BEST:
                run.bound = run.puzzle.max_score - bound
                run.better(next(run.domains.tally().arrangements(run.domains.rows(there[None]))))
            else:
                yield from run.harvest.take(run.domains.rows(there[None]))
            watch()
        found.close()
        run.exhausted = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        if run.exhausted:
            run.ended_by = None
        if not run.exhausted and run.ended_by is None:
            # The solver's own clock may be a moment ahead.
            run.ended_by = run.reason_to_stop() or "time"
        run.statistics = {"conflicts": solver.num_conflicts, "branches": solver.num_branches}
        if run.best is not None:
            yield run.best


class CpSatTiler(TilingModelEngine):
    """CP-SAT: solves with one worker or several, enumerates with one."""

    name = "cpsat"
    takes = some_options("encoding", "seed", "threads")
    libraries = ("ortools",)
    encoding = staticmethod(tiling_cp_encoding)

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return 64 if goal is Goal.SOLVE else 1  # CP-SAT enumerates with one worker only

    def steps(self, run: ModelTilingRun, watch: Watch) -> Iterator[Tiling]:
        from ortools.sat.python import cp_model

        from ..base.cp_solving import cp_solver, model_solutions
        from ..tilings.cp import DissectionCp
        from ..tilings.domains import TilingDomains

        with enforced(run.stop, "building the model"):
            domains = TilingDomains(run.puzzle, symmetry=run.options.symmetry)
            model = DissectionCp(domains, run.encoding)
        left = run.stop.seconds_left
        seconds = None if left is None else left + _LATER_SECONDS
        solver = cp_solver(run.options, every=run.goal is not Goal.SOLVE, seconds=seconds)
        run.begin(domains)
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
