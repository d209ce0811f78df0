"""A way to a goal: an engine, its options, and the predicted cost."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

from ...csp.engines.portfolio_members import Member
from ..effort.search_effort import Plan
from .spread import Spread

#: The default solver of engines that offer a choice.
USUAL_SOLVERS = {"sat": "sat:cadical195", "maxsat": "maxsat:rc2"}

#: The standard deviation of the decimal logarithm of the time of the same work, due to other load on the machine.
_UNEVEN = 0.1


@dataclass(frozen=True)
class Way:
    """A way to a goal, with its predicted cost."""

    #: The engine's name.
    engine: str
    #: The options of the engine, and the prediction for the record.
    plan: Plan = field(repr=False)
    #: What distinguishes this way from others of the engine, as in ``order best`` or ``encoding pairs``; empty if the
    #: engine has only one.
    how: str = ""
    #: The predicted nodes until the goal is reached; None if not known, or if the engine does not count nodes.
    nodes: Spread | None = None
    #: The predicted seconds of search until the goal is reached; None if not known.
    search: Spread | None = None
    #: The seconds before the search: computing an order, tables or a model, compiling.
    setup: float = 0.0
    #: The predicted memory in MiB; None if not known.
    memory: float | None = None
    #: Why this way cannot reach the goal; None if it can.
    refusal: str | None = None
    #: Whether the engine maximises the score without proving that the result is optimal.
    races: bool = False
    #: The expected score of such an engine; None if not known.
    score: float | None = None
    #: The engines of a portfolio, each with its options.
    members: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        """The engine's name and `how`."""
        return f"{self.engine}, {self.how}" if self.how else self.engine

    @property
    def time(self) -> Spread | None:
        """The predicted seconds including set-up; None if not known."""
        return None if self.search is None else self.search.plus(self.setup).widened(_UNEVEN)

    @property
    def expected(self) -> float:
        """The mean of the predicted seconds, by which ways are sorted; infinite without a prediction."""
        return inf if self.time is None else self.time.mean

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts; larger numbers than 1e300 become 1e300."""
        return {
            "engine": self.engine,
            "how": self.how or None,
            "nodes": _record(self.nodes),
            "seconds": _record(self.time),
            "setup_seconds": round(self.setup, 4),
            "memory_mib": None if self.memory is None else round(self.memory),
            "score": self.score,
            "refused": self.refusal,
        }


def _record(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    low, high = spread.interval
    return {name: float(f"{value:.4g}") for name, value in (("median", spread.at_median), ("low", low), ("high", high))}
