"""The queue of a comparison: its runs by price, the cheapest first.

The price of a run is what the plan predicts for it.  A run that takes several times as much is given up for now, and
comes back with twice the time, behind those that cost less.  Prices, and what a run has left that was given up, are
notes in the book of the records, so that the same command continues on any machine.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import grouped, plural
from ...csp.base.stop import Stop
from ...csp.base.words import about_duration, short_duration
from ...csp.engines.engine import find_engine
from ..ways.times import Spread, lognormal
from .files import DEFAULT
from .plan import PlannedRun, way_of

#: The time limit in seconds of the runs of a queue if none is given.
UNLIMITED = 1e9
#: Processor seconds for the process of a run to start and end, apart from loading its kernels.
START = 0.3
# A run is given up for now after this multiple of its price, and these seconds.
_MULTIPLE, _LEAST = 4.0, 5.0
# The assumed seconds of a run for which the plan predicts none, and the deviation of their decimal logarithm.
_UNKNOWN, _UNKNOWN_DEVIATION = 60.0, 1.0
# Larger costs count as this many seconds.
_MOST = 1e290
# The number of random sums from which the cost of the rest is known.
_SUMS = 1000
# The prices that a plan counts the runs by.
_STEPS = (10.0, 60.0, 600.0, 3600.0, 36_000.0, 86_400.0, 864_000.0)


@dataclass(frozen=True)
class Rest:
    """What is left of a queue."""

    #: The number of runs without a record, how many of these were given up so far, and how many have no price yet.
    runs: int
    given_up: int
    unpriced: int
    #: What those with a price are predicted to cost, in processor seconds: the median, and a 90 % interval.
    seconds: Spread
    #: The number of runs by price: those below each bound in seconds, and not below the one before.
    by_price: Mapping[float, int]

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts."""
        low, high = self.seconds.interval
        seconds = {"median": self.seconds.at_median, "low": low, "high": high}
        return {"runs": self.runs, "given_up": self.given_up, "unpriced": self.unpriced, "seconds": seconds}

    def words(self) -> str:
        """What the rest would cost."""
        low, high = (short_duration(Fraction(end)) for end in self.seconds.interval)
        begun = f", {grouped(self.given_up)} of them given up so far" * bool(self.given_up)
        without = f", {grouped(self.unpriced)} of them without a price yet" * bool(self.unpriced)
        cost = f"{about_duration(Fraction(self.seconds.at_median))} ({low} to {high})"
        what = "the others" if self.unpriced else "the rest"
        would = f"; {what} would cost {cost}" * (self.runs > self.unpriced)
        return f"{plural(self.runs, 'run')} left{begun}{without}{would}."

    def lines(self) -> list[str]:
        """How many of the runs cost how much."""
        shown = [
            f"{grouped(number)} above" if bound == inf else f"{grouped(number)} below {short_duration(bound)}"
            for bound, number in self.by_price.items()
            if number
        ]
        return [f"By price: {', then '.join(shown)}."]


class Queue:
    """The prices of runs, and which of them were given up so far.

    - `notes`: those in the book.
    - `budget`: the processor seconds that may be spent, by runs and by the prediction of prices; None for any.
    - `keep`: is called with each new note.
    """

    def __init__(
        self,
        notes: Iterable[Mapping[str, Any]],
        budget: float | None = None,
        keep: Callable[[dict[str, Any]], None] = lambda note: None,
    ) -> None:
        self._prices, self._left = dict[str, Spread](), dict[str, dict[str, Any]]()
        self._keep = keep
        self.budget, self.spent = inf if budget is None else budget, 0.0
        for note in notes:
            self._take(note)

    def _take(self, note: Mapping[str, Any]) -> None:
        run, seconds = note["run"], note["seconds"]
        if note["note"] == "price":
            self._prices.setdefault(run, _spread_of(seconds))
            return
        before = self._left.get(run, {"seconds": 0.0, "longest": 0.0})
        # A place is worth all that was spent on the way to it; without one, the next attempt begins again.
        total = seconds if note["place"] is None else seconds + note["before"]
        self._left[run] = {**note, "seconds": total, "longest": max(seconds, before["longest"])}

    def predict(self, runs: Sequence[PlannedRun], stop: Stop) -> bool:
        """Predict the prices that are not known, until `stop` asks to stop; return whether all are known."""
        unknown = list({_priced(run): run for run in runs if _priced(run) not in self._prices}.items())
        for number, (key, run) in enumerate(unknown):
            if stop() or self.spent >= self.budget:
                return False
            began = time.thread_time()
            proves = run.engine == DEFAULT or find_engine(run.engine, kind=run.kind).proves
            # Engines that prove nothing use all of their time.
            way = way_of(run) if proves else None
            all_of_it = dict.fromkeys(("median", "low", "high"), run.limits["seconds"])
            seconds = all_of_it if way is None or way.races else way.record()["seconds"]
            note = {"note": "price", "run": key, "way": None if way is None else way.name}
            note |= {"seconds": seconds}
            self._take(note)
            self._keep(note)
            self.spent += time.thread_time() - began
            stop.tell(f"{number + 1} of {len(unknown)} prices predicted", 0.0)
        return True

    def price(self, run: PlannedRun) -> Spread:
        """The predicted processor seconds of a run, without the start of its process; unknown prices are a guess."""
        return self._prices.get(_priced(run)) or _spread_of(None)

    def cost(self, run: PlannedRun) -> float:
        """What a run is expected to cost now, by which the queue is ordered."""
        expected = self.patience(run) if run.fingerprint in self._left else self.price(run).at_median
        return min(expected, _most(run))

    def patience(self, run: PlannedRun) -> float:
        """The processor seconds after which a run is given up: a multiple of its price, or twice those before."""
        first = _MULTIPLE * self.price(run).at_median + _LEAST
        left = self._left.get(run.fingerprint)
        return first if left is None else max(first, 2 * left["longest"])

    def begin(self, run: PlannedRun) -> PlannedRun:
        """The run as it is made now."""
        left = self._left.get(run.fingerprint)
        begun = None if left is None or left["place"] is None else {n: left[n] for n in ("seconds", "place", "version")}
        return replace(run, patience=min(self.patience(run), self.budget - self.spent), begun=begun)

    def give_up(self, run: PlannedRun, record: Mapping[str, Any]) -> None:
        """Note that a run was given up for now."""
        before = 0.0 if run.begun is None else run.begun["seconds"]
        note = {"note": "given up", "run": run.fingerprint, **record["left"], "before": before}
        self._take(note)
        self._keep(note)

    @property
    def is_spent(self) -> bool:
        """Whether the budget is spent."""
        return self.spent >= self.budget

    def rest(self, runs: Sequence[PlannedRun]) -> Rest:
        """What these runs, which have no record, would cost."""
        random = np.random.default_rng(0)
        total = np.zeros(_SUMS)
        priced = [run for run in runs if _priced(run) in self._prices]
        for run in priced:
            total += random.choice(self._costs(run), _SUMS) + START
        ends = np.quantile(np.log10(np.maximum(total, 1e-9)), (0.05, 0.5, 0.95)).tolist()
        prices = np.array([self.price(run).at_median for run in priced])
        below = [0, *(int((prices < bound).sum()) for bound in (*_STEPS, inf))]
        by_price = {bound: below[i + 1] - below[i] for i, bound in enumerate((*_STEPS, inf))}
        given_up = sum(run.fingerprint in self._left for run in runs)
        return Rest(len(runs), given_up, len(runs) - len(priced), Spread(*ends), by_price)

    def _costs(self, run: PlannedRun) -> NDArray[np.float64]:
        """Equally likely costs of a run, of which it is known how long it was not done."""
        price, left = self.price(run), self._left.get(run.fingerprint)
        costs = price.quantiles
        if left is not None:
            costs = costs[costs > left["seconds"]]
            costs = costs if len(costs) else np.array([price.median_beyond(left["seconds"])])
            costs = costs if left["place"] is None else costs - left["seconds"]
        return np.minimum(costs, _most(run))


def _most(run: PlannedRun) -> float:
    """The most that a run can cost: its time limit, or what can still be added up."""
    limit = run.limits["seconds"]
    return limit if limit < UNLIMITED else _MOST


def _priced(run: PlannedRun) -> str:
    """The run whose price is that of a run: repetitions have the price of the first one."""
    return run.fingerprint if run.repetition == 1 else replace(run, repetition=1).fingerprint


def _spread_of(seconds: Mapping[str, float] | None) -> Spread:
    """The spread in a note."""
    if seconds is None:
        return lognormal(log10(_UNKNOWN), _UNKNOWN_DEVIATION)
    return Spread(*(log10(max(seconds[end], 1e-6)) for end in ("low", "median", "high")))
