"""Several ways at once: the time until the first of two finishes, and whether that is worth it.

The times of two ways are assumed to be independent.  If both vary widely, the minimum of the two has a smaller mean
than either alone, although each gets only part of the processor (Huberman, Lukose and Hogg 1997; Gomes and Selman
2001).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...csp.engines.portfolio_members import GROWTH, Member
from ...csp.engines.request import given_slips
from ..effort.search_effort import Plan
from .spread import Spread
from .way import Way

#: Two ways are chosen only if they save at least this fraction of the expected time of the best one.
_WORTH_WHILE = 0.1
# The shortest turn in seconds; predictions are not more precise.
_SHORTEST_TURN = 0.1
_MOST_TURNS = 60


def first_of_two(first: Spread, second: Spread) -> NDArray[np.float64]:
    """The time of the first to finish if both run in parallel, for each pair of their quantiles."""
    return np.minimum(*_pairs(first, second))


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
    a, b = np.meshgrid(first.quantiles, second.quantiles, indexing="ij")
    return a.ravel(), b.ravel()


def hedge(best: Way, ways: Sequence[Way], threads: int) -> Way | None:
    """Return two ways of one thread each, if they are expected to be quicker than the best way with all threads.

    - `best`: the best single way, with all threads.
    - `ways`: the ways of one thread, the best one first.
    - `threads`: the number of threads.
    """
    pair = two_engines(ways)
    if pair is None or best.time is None or not _overlap(*pair):
        return None
    way = side_by_side_or_in_turns(pair, threads, best.plan)
    assert way.time is not None
    return way if way.time.mean < (1 - _WORTH_WHILE) * best.time.mean else None


def _overlap(first: Way, second: Way) -> bool:
    """Whether the interval of the second time begins before that of the first one ends."""
    return first.time is not None and second.time is not None and second.time.low < first.time.high


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
        head_start, times, how = _SHORTEST_TURN, first_of_two(first.time, second.time), "side by side"
    else:
        starts = [max(start, _SHORTEST_TURN) for start in (first.time.at_median, first.time.interval[1])]
        tried = [(in_turns(first.time, second.time, start), start) for start in starts]
        times, head_start = min(tried, key=lambda one: one[0].mean())
        how = f"in turns, the first of {head_start:.3g} s"
    memory = None if first.memory is None or second.memory is None else first.memory + second.memory
    return portfolio_way(pair, plan, how, head_start, Spread.of(times), memory)


def portfolio_way(
    ways: Sequence[Way],
    plan: Plan,
    how: str,
    head_start: float,
    search: Spread | None = None,
    memory: float | None = None,
) -> Way:
    """Combine several ways into a portfolio.

    - `ways`: the ways whose engines take part, the most promising one first.
    - `plan`: the options that all of them share, and the prediction for the record.
    - `how`, `search`, `memory`: attributes of the combined way, see `Way`.
    - `head_start`: the seconds of the first turn of each way, if there are fewer threads than ways.
    """
    names = ",".join(way.engine for way in ways)
    members = tuple(member_of(way, head_start) for way in ways)
    # Each member has its own order.
    plan = replace(plan, order_name=None)
    return Way(f"portfolio:{names}", plan, how, search=search, memory=memory, members=members)


def member_of(way: Way, head_start: float) -> Member:
    """The engine of a way, with its own options, as a member of a portfolio."""
    given = way.plan.options
    own = {"method": given.method, "encoding": given.encoding, "predicted": given.predicted}
    told = {} if way.plan.order_name is None else {"order": way.plan.order_name}
    # Slips count along one order, the same for all members.
    own |= {"order": given.order} if given_slips(given) is None else {}
    return Member(way.engine, {name: value for name, value in own.items() if value is not None}, head_start, told)
