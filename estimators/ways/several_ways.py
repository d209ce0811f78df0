"""Several ways at once: side by side or in turns, a race beside a proof, and company for a search that takes too long.

The times of two ways are assumed to be independent.  If both vary widely, the minimum of the two has a smaller mean
than either alone, although each gets only part of the processor (Huberman, Lukose and Hogg 1997; Gomes and Selman
2001).

Some boards have many solutions, but a search along one order does not find any for a very long time because of a wrong
early choice.  The times of such searches are heavy-tailed, and another order or another engine is often quick (Gomes,
Selman, Crato and Kautz 2000).  So other ways are added when a search takes much longer than predicted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log10

import numpy as np
from numpy.typing import NDArray

from ...csp.base.stop import Progress, Report
from ...csp.engines.portfolio_members import GROWTH, Member
from ...csp.engines.request import given_slips
from ...csp.engines.result import Result
from ..effort.search_effort import Plan
from .times import ENDS, Spread, Way

#: Two ways are chosen only if they save at least this fraction of the expected time of the best one.
_WORTH_WHILE = 0.1
# The shortest turn in seconds; predictions are not more precise.
_SHORTEST_TURN = 0.1
_MOST_TURNS = 60
#: Seconds that the race gets before the proof starts; if the proof is expected to take less, there is no race.
RACE_SECONDS = 1.0
#: Without a time limit, the longest proof that is tried, in seconds.
_LONGEST_PROOF = 24 * 3600.0
#: A search gets company once it has taken longer than predicted for four of five such searches, and at the latest
#: after this multiple of the predicted median time.
PATIENCE = 10.0
_FOUR_OF_FIVE = 0.8416
#: The fewest seconds before that.
_LEAST_PATIENCE = 0.2
#: Engines that are tried even without a prediction.
_OTHERS = ("most-constrained", "sat:cadical195")
#: The first turns of the others are this part of the time that the first way has had.
_FIRST_TURN = 1 / 32
#: The number of ways that join.
_MOST_OTHERS = 3
#: A count that has this many times its predicted nodes, and is not half done, makes way for another order or method.
TOO_MANY = PATIENCE
#: With fewer nodes, which take a second or two, it goes on.
LEAST_NODES = 3e7


def in_turns(first: Spread, second: Spread, head_start: float) -> NDArray[np.float64]:
    """The time of the first to finish if both take turns on one thread; see `Turns`.

    The first turn of each takes `head_start` seconds.
    """
    a, b = _pairs(first, second)
    found = np.full(a.shape, np.inf)
    turn, before = head_start, 0.0
    for _ in range(_MOST_TURNS):
        # Each has run for `before` seconds, and each runs for another turn.
        by_first = np.isinf(found) & (a <= before + turn)
        found[by_first] = (before + a)[by_first]
        by_second = np.isinf(found) & (b <= before + turn)
        found[by_second] = (before + turn + b)[by_second]
        if not np.isinf(found).any():
            break
        before, turn = before + turn, turn * GROWTH
    return found


def _pairs(first: Spread, second: Spread) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """All pairs of quantiles."""
    a, b = np.meshgrid(first.quantiles, second.quantiles, indexing="ij")
    return a.ravel(), b.ravel()


def hedge(best: Way, ways: Sequence[Way], threads: int) -> Way | None:
    """Two of the ways of one thread, if they are expected to be quicker than the best single way with all threads."""
    pair = two_engines(ways)
    if pair is None or best.time is None:
        return None
    first, second = pair
    assert first.time is not None
    assert second.time is not None
    if second.time.low >= first.time.high:
        return None
    way = side_by_side_or_in_turns(pair, threads, best.plan)
    assert way.time is not None
    return way if way.time.mean < (1 - _WORTH_WHILE) * best.time.mean else None


def two_engines(ways: Sequence[Way]) -> tuple[Way, Way] | None:
    """The best way, and the best one of another engine, both with predictions; None if there is no such pair."""
    known = [way for way in ways if way.refusal is None and way.time is not None and not way.members]
    others = [way for way in known if way.engine.partition(":")[0] != known[0].engine.partition(":")[0]]
    return (known[0], others[0]) if others else None


def side_by_side_or_in_turns(pair: tuple[Way, Way], threads: int, plan: Plan) -> Way:
    """Combine two ways: in parallel on two threads, otherwise in turns of the better length."""
    first, second = pair
    assert first.time is not None
    assert second.time is not None
    if threads > 1:
        head_start, times, how = _SHORTEST_TURN, np.minimum(*_pairs(first.time, second.time)), "side by side"
    else:
        starts = [max(start, _SHORTEST_TURN) for start in (first.time.at_median, first.time.interval[1])]
        tried = [(in_turns(first.time, second.time, start), start) for start in starts]
        times, head_start = min(tried, key=lambda one: one[0].mean())
        how = f"in turns, the first of {head_start:.3g} s"
    memory = None if first.memory is None or second.memory is None else first.memory + second.memory
    return _portfolio_way(pair, plan, how, head_start, Spread.of(times), memory)


def _portfolio_way(
    ways: Sequence[Way],
    plan: Plan,
    how: str,
    head_start: float,
    search: Spread | None = None,
    memory: float | None = None,
) -> Way:
    """Combine several ways, the most promising one first, into a portfolio.

    `plan` has the options that all of them share.  If there are fewer threads than ways, the first turn of each takes
    `head_start` seconds.
    """
    members = tuple(_member(way, head_start) for way in ways)
    # Each member has its own order.
    plan = replace(plan, order_name=None)
    return Way(_portfolio_name(members), plan, how, search=search, memory=memory, members=members)


def _portfolio_name(members: Sequence[Member]) -> str:
    return f"portfolio:{','.join(member.engine for member in members)}"


def _member(way: Way, head_start: float) -> Member:
    """The engine of a way, with its own options, as a member of a portfolio."""
    given = way.plan.options
    own = {"method": given.method, "encoding": given.encoding, "predicted": given.predicted}
    names = {} if way.plan.order_name is None else {"order": way.plan.order_name}
    # Slips count along one order, the same for all members.
    own |= {"order": given.order} if given_slips(given) is None else {}
    return Member(way.engine, {name: value for name, value in own.items() if value is not None}, head_start, names)


def raced_and_proved(ways: Sequence[Way], seconds: float | None, threads: int) -> Way | None:
    """Combine a race with the quickest engine that proves, if the proof is expected to be long but feasible."""
    able = [way for way in ways if way.refusal is None]
    proofs = [way for way in able if way.time is not None and not way.races]
    races = [way for way in able if way.races]
    if not proofs or not races:
        return None
    race, proof = max(races, key=lambda way: way.score or 0.0), min(proofs, key=lambda way: way.expected)
    assert proof.time is not None
    longest = _LONGEST_PROOF if seconds is None else seconds
    if proof.expected <= RACE_SECONDS or proof.time.at_median > longest:
        return None
    # On one thread the two take turns, the quicker one first.
    time = proof.time if threads > 1 else proof.time.times(log10(2))
    both = (race, proof) if proof.time.at_median > RACE_SECONDS else (proof, race)
    how = f"proof by {proof.how}" if proof.how else ""
    return _portfolio_way(both, race.plan, how, RACE_SECONDS, time, proof.memory)


def patience(way: Way) -> float | None:
    """The seconds that a way runs alone; None without a prediction."""
    if way.time is None:
        return None
    late = 10 ** min(way.time.median + (way.time.high - way.time.median) * _FOUR_OF_FIVE / ENDS, 300.0)
    return max(min(late, PATIENCE * way.time.at_median), _LEAST_PATIENCE)


def with_others(ways: Sequence[Way], alone: float) -> Way | None:
    """The ways that have not run, and the one that has taken too long; None if there are no others.

    The prediction was wrong, so the others begin, with short turns.  The first one, which has run for `alone` seconds,
    begins again, so its first turn is longer than that.
    """
    first, *rest = ways
    others = _others(first, [way for way in rest if way.refusal is None and not way.members])
    if not others:
        return None
    turn = max(alone * _FIRST_TURN, _SHORTEST_TURN)
    found = _portfolio_way([*others, first], first.plan, "after a search that took too long", turn)
    slow = [replace(member, head_start=2 * alone) for member in first.members or (_member(first, alone),)]
    members = (*found.members[: len(others)], *slow)
    return replace(found, engine=_portfolio_name(members), members=members)


def _others(first: Way, ways: Sequence[Way]) -> list[Way]:
    """The best way of each other engine, and the best other order, the quickest ones first."""

    def median(way: Way) -> float:
        return inf if way.time is None else way.time.median

    known = sorted((way for way in ways if way.time is not None), key=median)
    unknown = [way for name in _OTHERS for way in ways if way.engine == name and way.time is None]
    taken = {member.engine for member in first.members} or {first.engine}
    engines: dict[str, Way] = {}
    for way in (*known, *unknown):
        if way.engine not in taken:
            engines.setdefault(way.engine, way)
    given = first.plan.options.order
    orders = [way for way in known if way.engine == first.engine and way.plan.options.order != given][:1]
    return sorted([*list(engines.values())[: _MOST_OTHERS - len(orders)], *orders], key=median)


@dataclass
class NodesSeen:
    """Watches the nodes of a count, which must end if they exceed `most` before half of it is done."""

    most: float
    report: Report | None = None
    _nodes: int = 0
    _done: float = 0.0

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
    both = replace(
        second,
        seconds=round(first.seconds + second.seconds, 6),
        cpu_seconds=round(first.cpu_seconds + second.cpu_seconds, 6),
    )
    if not second.complete and (second.count or 0) < (first.count or 0):
        return replace(both, count=first.count, canonical_count=first.canonical_count)
    if second.solutions or second.complete or (second.best_depth or 0) >= (first.best_depth or 0):
        return both
    return replace(both, best_board=first.best_board, best_depth=first.best_depth)
