"""Counts the models of a formula with Ganak, an exact model counter.

Ganak branches like a SAT solver, but it counts the parts of a formula that have no variable in common each for itself,
and remembers these counts (Sharma, Roy, Soos and Meel 2019).
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

from ...csp.base.enforced import enforced
from ...csp.base.errors import EngineError
from ...csp.base.stop import StoppedError
from ...csp.engines.engine import EngineRun
from .clauses import Clauses, Literals
from .solver_process import SolverProcess
from .solver_server import GANAK

_T = TypeVar("_T")


def need_ganak() -> None:
    """Raise EngineError if Ganak is not installed."""
    if find_spec("pyganak") is None:
        raise EngineError("engine ganak: needs pyganak: install it with pip install 'jigsat[ganak]'")


@dataclass(frozen=True)
class ModelCounter:
    """Builds and counts models for a run."""

    #: The run.
    run: EngineRun[Any]
    #: Is called often while models are counted; returns whether to give up.
    must_stop: Callable[[], bool]

    def build(self, make: Callable[[], _T]) -> _T:
        """What `make` returns; its time is that of preparation.  Raises StoppedError if the run must stop."""
        with self.run.building(), enforced(self.run.stop, "building the model"):
            return make()

    def count(self, clauses: Clauses, wanted: Literals) -> int:
        """How many assignments of the wanted variables are part of a model of the clauses.

        Raises EngineError if Ganak needs more memory than there is. Raises StoppedError if the run must stop.
        """
        with SolverProcess(GANAK) as counter:
            counter.add(clauses.blocks(), self.must_stop)
            counter.send("count", wanted)
            number = counter.answer(self.must_stop)
        if number is None:
            raise StoppedError
        return number
