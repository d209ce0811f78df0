"""Runs CP-SAT so that Ctrl-C and limits work: the solver has its own thread, and the caller watches."""

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any, TypeVar

from ortools.sat.python import cp_model

from ...csp.base.errors import EngineError
from ...csp.engines.request import Options
from ...csp.work.pools import Threads

# Short enough for Ctrl-C and progress, long enough to cost nothing.
_WAIT_SECONDS = 0.05

# The number of solutions that are kept ready before they are requested.
_MOST_READY = 64
_MOST_SEED = 2**31

_T = TypeVar("_T")


class _Callback(cp_model.CpSolverSolutionCallback):
    """Passes solutions on; keeps exceptions, because they must not pass through the solver's threads."""

    def __init__(self, on_solution: Callable[[cp_model.CpSolverSolutionCallback], None]) -> None:
        super().__init__()
        self._on_solution = on_solution
        self.error: BaseException | None = None

    def on_solution_callback(self) -> None:
        if self.error is None:
            try:
                self._on_solution(self)
                return
            except BaseException as error:
                self.error = error
        self.stop_search()


def cp_solver(options: Options, *, every: bool, seconds: float | None) -> cp_model.CpSolver:
    """A solver with these options and time limit, which enumerates or searches for one solution.

    Raises EngineError if the seed is too large.
    """
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = options.threads
    parameters.enumerate_all_solutions = every
    # Linear relaxations help little with fitting pieces; with them the next solution may take a hundred times as long.
    parameters.linearization_level = 0
    if options.seed is not None:
        if options.seed >= _MOST_SEED:
            raise EngineError(f"seed {options.seed}: CP-SAT needs a seed below 2^31")
        parameters.random_seed = options.seed
    if seconds is not None:
        parameters.max_time_in_seconds = seconds
    return solver


def model_solutions(
    model: cp_model.CpModel,
    solver: cp_model.CpSolver,
    read: Callable[[cp_model.CpSolverSolutionCallback], _T],
    must_stop: Callable[[], bool],
) -> Generator[_T, None, Any]:
    """Yield the result of `read` for each solution, and return the status; the solver waits for a slower caller.

    Raises exceptions of `read`, and a Ctrl-C that is not handled; the solver is stopped first.

    The search ends when `must_stop`, which is called often, returns true.

    With ``solver.parameters.enumerate_all_solutions`` all solutions are yielded.  The status is ``OPTIMAL`` (or
    ``INFEASIBLE``) if this was completed, and another one if something ended the search.
    """
    # The solver's own handling of Ctrl-C would take it away from the caller.
    solver.parameters.catch_sigint_signal = False
    closed, status = threading.Event(), cp_model.UNKNOWN
    ready: queue.Queue[_T] = queue.Queue(_MOST_READY)

    def on_solution(found: cp_model.CpSolverSolutionCallback) -> None:
        solution = read(found)
        while not closed.is_set():
            with suppress(queue.Full):
                ready.put(solution, timeout=_WAIT_SECONDS)
                pool.wake()
                return
        found.stop_search()

    callback = _Callback(on_solution)
    with Threads[cp_model.CpModel, Any](lambda model, dropped: solver.solve(model, callback), 1) as pool:
        pool.start(model)
        try:
            while not must_stop():
                if not ready.empty():
                    yield ready.get()
                elif pool.running:
                    for ended in pool.finished(_WAIT_SECONDS):
                        status = ended.outcome
                elif callback.error is not None:
                    raise callback.error
                elif status == cp_model.MODEL_INVALID:
                    raise AssertionError(f"invalid model: {model.validate()}")
                else:
                    return status
        finally:
            closed.set()
            # A solver that is only about to start would not notice a single request.
            while pool.running:
                solver.stop_search()
                for _ in pool.finished(_WAIT_SECONDS):
                    pass
    return cp_model.UNKNOWN
