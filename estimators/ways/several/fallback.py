"""Other ways that are added when a search takes much longer than predicted.

Some boards have many solutions, but a search along one order does not find any for a very long time because of a wrong
early choice.  The times of such searches are heavy-tailed, and another order or another engine is often quick (Gomes,
Selman, Crato and Kautz 2000).
"""

from collections.abc import Sequence
from dataclasses import replace

from ....csp.engines.result import Result
from ..way import Way
from .hedges import portfolio_way

#: A search gets company after this multiple of its predicted median time.
PATIENCE = 10.0
#: The fewest seconds before that.
_LEAST_PATIENCE = 0.2
#: Engines that are tried even without a prediction.
_OTHERS = ("most-constrained", "sat:cadical195")


def patience(way: Way) -> float | None:
    """The seconds that a way runs alone; None without a prediction."""
    return None if way.time is None else max(PATIENCE * way.time.at_median, _LEAST_PATIENCE)


def with_others(ways: Sequence[Way], head_start: float) -> Way | None:
    """The first way together with another order and another engine; None if there are no others.

    Parameters
    ----------
    ways
        All ways to the first solution, the one that has taken too long first.
    head_start
        The seconds of the first turn of each way, if there are fewer threads than ways.
    """
    first, *rest = (way for way in ways if way.refusal is None and not way.members)
    order = next((way for way in rest if way.engine == first.engine and _differ(way, first)), None)
    engine = next((way for way in rest if way.engine != first.engine and way.time is not None), None)
    if engine is None:
        engine = next((way for name in _OTHERS for way in rest if way.engine == name != first.engine), None)
    chosen = [way for way in (first, engine, order) if way is not None]
    if len(chosen) < 2:
        return None
    return portfolio_way(chosen, first.plan, "after a search that took too long", head_start)


def _differ(one: Way, other: Way) -> bool:
    return one.plan.options.order != other.plan.options.order


def together(first: Result, second: Result) -> Result:
    """Combine the results of a search alone and of the portfolio after it: the sum of times, and the fuller board."""
    told = replace(
        second,
        seconds=round(first.seconds + second.seconds, 6),
        cpu_seconds=round(first.cpu_seconds + second.cpu_seconds, 6),
    )
    if second.solutions or second.complete or (second.best_depth or 0) >= (first.best_depth or 0):
        return told
    return replace(told, best_board=first.best_board, best_depth=first.best_depth)
