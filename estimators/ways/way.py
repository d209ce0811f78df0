"""A way to a goal: who searches and how, and what that is predicted to cost."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

from ...csp.engines.portfolio.members import Member
from ..effort.search_effort import Plan
from .spread import Spread

#: The standard deviation of the decimal logarithm of the time of one and the same work, which other work on the
#: machine and the memory make longer or shorter.
_UNEVEN = 0.1


@dataclass(frozen=True)
class Way:
    """A way to a goal, with its predicted cost.

    Parameters
    ----------
    engine
        Who searches.
    how
        What tells this way from the engine's others, as in ``order best`` or ``encoding pairs``; empty if it has one.
    plan
        What the engine is given, and what its record tells of the prediction.
    nodes
        The nodes to be expected until the goal is reached; None if that is not known, or if the engine has none.
    search
        The seconds of search until the goal is reached; None if nothing can be predicted.
    setup
        The seconds before it begins: working out an order, tables or a model, compiling.
    memory
        MiB; None if that is not known.
    refusal
        Why this way does not lead to the goal; None if it does.
    races
        Whether the engine looks for a high score, and cannot prove that there is none higher.
    score
        Of such an engine: the score to be expected; None if that is not known.
    members
        Of a portfolio: the engines that take part, each with its options.
    """

    engine: str
    plan: Plan = field(repr=False)
    how: str = ""
    nodes: Spread | None = None
    search: Spread | None = None
    setup: float = 0.0
    memory: float | None = None
    refusal: str | None = None
    races: bool = False
    score: float | None = None
    members: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        """Engine and how."""
        return f"{self.engine}, {self.how}" if self.how else self.engine

    @property
    def time(self) -> Spread | None:
        """All seconds, set-up included; None if nothing can be predicted."""
        return None if self.search is None else self.search.plus(self.setup).widened(_UNEVEN)

    @property
    def expected(self) -> float:
        """What ways are sorted by: the seconds to be expected on average; infinite without a prediction."""
        return inf if self.time is None else self.time.mean

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts; beyond 1e300 they are 1e300."""
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
