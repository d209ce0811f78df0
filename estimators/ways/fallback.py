"""Other ways that are added when a search takes much longer than predicted.

Some boards have many solutions, but a search along one order does not find any for a very long time because of a wrong
early choice.  The times of such searches are heavy-tailed, and another order or another engine is often quick (Gomes,
Selman, Crato and Kautz 2000).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

from ...csp.base.stop import Progress, Report
from ...csp.engines.result import Result
from .hedges import member_of, portfolio_way
from .spread import ENDS
from .way import Way

#: A search gets company once it has taken longer than predicted for four of five such searches, and at the latest
#: after this multiple of the predicted median time.
PATIENCE = 10.0
_FOUR_OF_FIVE = 0.8416
#: The fewest seconds before that.
_LEAST_PATIENCE = 0.2
#: Engines that are tried even without a prediction.
_OTHERS = ("most-constrained", "sat:cadical195")
#: A count that has this many times its predicted nodes, and is not half done, makes way for another order or method.
TOO_MANY = 100.0
#: With fewer nodes, which take a second or two, it goes on.
LEAST_NODES = 3e7
#: The number of ways that join.
_MOST_OTHERS = 3
#: The first turns of the others are this part of the time that the first way has had, or the fewest seconds.
_FIRST_TURN, _SHORTEST_TURN = 1 / 32, 0.1


def patience(way: Way) -> float | None:
    """The seconds that a way runs alone; None without a prediction."""
    if way.time is None:
        return None
    late = 10 ** min(way.time.median + (way.time.high - way.time.median) * _FOUR_OF_FIVE / ENDS, 300.0)
    return max(min(late, PATIENCE * way.time.at_median), _LEAST_PATIENCE)


def with_others(ways: Sequence[Way], alone: float) -> Way | None:
    """The ways that have not run, and the one that has taken too long; None if there are no others.

    The prediction was wrong, so the others begin, with short turns.  The first way begins again, so its first turn is
    longer than the time it has had.

    - `ways`: all ways to the first solution, the one that has taken too long first.
    - `alone`: the seconds that this one has run.
    """
    first, *rest = ways
    others = _others(first, [way for way in rest if way.refusal is None and not way.members])
    if not others:
        return None
    turn = max(alone * _FIRST_TURN, _SHORTEST_TURN)
    found = portfolio_way([*others, first], first.plan, "after a search that took too long", turn)
    slow = [replace(member, head_start=2 * alone) for member in first.members or (member_of(first, alone),)]
    members = (*found.members[: len(others)], *slow)
    return replace(found, engine=f"portfolio:{','.join(member.engine for member in members)}", members=members)


def _others(first: Way, ways: Sequence[Way]) -> list[Way]:
    """The best way of each other engine, and the best other order, the quickest ones first."""
    known = sorted((way for way in ways if way.time is not None), key=lambda way: _median(way))
    unknown = [way for name in _OTHERS for way in ways if way.engine == name and way.time is None]
    taken = {member.engine for member in first.members} or {first.engine}
    engines = _first_of_each((*known, *unknown), taken)
    order = next((way for way in known if way.engine == first.engine and _differ(way, first)), None)
    chosen = engines[: _MOST_OTHERS - (order is not None)] + ([] if order is None else [order])
    return sorted(chosen, key=lambda way: _median(way))


def _first_of_each(ways: Iterable[Way], without: set[str]) -> list[Way]:
    """The first way of each engine that is not among those of `without`."""
    found: dict[str, Way] = {}
    for way in ways:
        if way.engine not in without:
            found.setdefault(way.engine, way)
    return list(found.values())


def _median(way: Way) -> float:
    return float("inf") if way.time is None else way.time.median


def _differ(one: Way, other: Way) -> bool:
    return one.plan.options.order != other.plan.options.order


@dataclass
class NodesSeen:
    """Watches the nodes of a count, which must end when they are too many.

    - `most`: the number of nodes from which on it must end, unless half of it is done.
    - `report`: gets the progress, too.
    """

    most: float
    report: Report | None = None
    _nodes: int = 0
    _done: float = 0.0

    def begun(self) -> "NodesSeen":
        """The same for another count."""
        return NodesSeen(self.most, self.report)

    def note(self, progress: Progress) -> None:
        self._nodes, self._done = progress.nodes, progress.done or 0.0
        if self.report is not None:
            self.report(progress)

    @property
    def too_many(self) -> bool:
        return self._nodes > self.most and self._done < 0.5

    @property
    def in_all(self) -> float:
        """The nodes of the whole count, if the rest is like the part that is done."""
        return self._nodes / self._done if self._done else inf


def other_counts(ways: Sequence[Way]) -> list[Way]:
    """The ways to count that are tried if the first one has too many nodes."""
    first, *rest = ways
    able = [way for way in rest if way.refusal is None and not way.members and way.nodes is not None]
    return [way for way in able if way.engine == first.engine][: _MOST_OTHERS - 1]


def together(first: Result, second: Result) -> Result:
    """Combine the results of two searches, one after the other: the sum of times, and the better of both."""
    told = replace(
        second,
        seconds=round(first.seconds + second.seconds, 6),
        cpu_seconds=round(first.cpu_seconds + second.cpu_seconds, 6),
    )
    if not second.complete and (second.count or 0) < (first.count or 0):
        return replace(told, count=first.count, canonical_count=first.canonical_count)
    if second.solutions or second.complete or (second.best_depth or 0) >= (first.best_depth or 0):
        return told
    return replace(told, best_board=first.best_board, best_depth=first.best_depth)
