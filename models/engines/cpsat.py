"""The engine `cpsat`: CP-SAT of OR-tools on a model of the puzzle."""

from collections.abc import Callable, Iterator

import numpy as np
from ortools.sat.python import cp_model

from ...csp.base.enforced import enforced
from ...csp.engines.request import Goal, some_options
from ...csp.puzzles.board import Arrangement
from ..base.cp_solving import cp_solver, model_solutions
from ..base.encodings import Encoding, cp_encoding
from ..squares.cp import EdgeMatchingCp
from .model_engine import ModelEngine, ModelRun, Watch


class CpSat(ModelEngine):
    """CP-SAT: solves with one worker or several, enumerates with one, maximises the score."""

    name = "cpsat"
    takes = some_options("encoding", "order", "slips", "frame_slips", "seed", "threads")
    libraries = ("ortools",)

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return 1 if goal in (Goal.ALL, Goal.COUNT) else 64  # CP-SAT enumerates with one worker only

    def encoding(self, text: str | None) -> Encoding:
        return cp_encoding(text)

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
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
        found = model_solutions(model.model, solver, _read(model), watch)
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


def _read(model: EdgeMatchingCp) -> Callable[[cp_model.CpSolverSolutionCallback], tuple[np.ndarray, int]]:
    """The data kept of a solution: which placements are true, and the fewest invalid joins that are not excluded."""
    return lambda callback: (model.there(callback), round(callback.best_objective_bound))
