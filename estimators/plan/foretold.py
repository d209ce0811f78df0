"""How far a search is by what was predicted of it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import erfc, exp, inf, log, log10, sqrt
from statistics import NormalDist

from ...csp.base.stopping import Progress, Report
from ...csp.engines.request import Goal, Limits
from ..effort.durations import short_duration
from ..ways.spread import ENDS, Spread
from ..ways.way import Way

# So many standard deviations beyond the median, chances are beyond any float.
_FAR = 30.0
_LEAST_DEVIATION = 1e-6
# A smaller part of a tree tells nothing.
_FIRST = 1e-9


@dataclass(frozen=True)
class Foretold:
    """What is to be expected of a search, by which its progress goes.

    Parameters
    ----------
    way
        The way that is taken.
    goal, limits
        What is searched for, and what bounds that.
    counted
        Whether the nodes of the prediction are those that the search counts.
    """

    way: Way | None
    goal: Goal
    limits: Limits
    counted: bool

    @property
    def spread(self) -> Spread | None:
        """The nodes to be expected, or the seconds where no nodes are predicted; None for neither."""
        return None if self.way is None else self.way.nodes if self._by_nodes else self.way.time

    @property
    def _by_nodes(self) -> bool:
        return self.counted and self.way is not None and self.way.nodes is not None

    @property
    def has_end(self) -> bool:
        """Whether it can be told how far the search is, be it from a limit."""
        return self.spread is not None or (self.limits.seconds, self.limits.nodes) != (None, None)

    def report(self, report: Report) -> Report:
        """Tells progress as it is by the prediction."""
        return lambda progress: report(self.told(progress))

    def told(self, progress: Progress) -> Progress:
        """The progress of a search by its prediction, or by the limit that ends it sooner.

        The prediction is a distribution.  What is to be expected in all is the median of those searches that have not
        ended by now either (a conditional median); so the time left may grow where a search takes longer than
        predicted.  The part of the tree that lies behind says more and more: between the logarithms of what either
        says, the weight of the tree is that part.
        """
        spread, nodes = self.spread, progress.nodes
        amount = nodes if self._by_nodes else progress.seconds
        if spread is not None and amount > 0:
            most = median_beyond(spread, amount)
            if progress.done > _FIRST:
                # A solution lies anywhere in what is left of the tree.
                rest = amount * (1 / progress.done - 1)
                by_tree = amount + rest * (0.5 if self.goal is Goal.SOLVE else 1.0)
                most = exp((1 - progress.done) * log(most) + progress.done * log(by_tree))
            done = min(amount / most, 1.0)
            found = min(progress.found_nodes / most, done) if self._by_nodes else progress.found
            notes = [note for note in (progress.note, self._surprise(spread, amount)) if note]
            progress = replace(progress, done=done, found=found, note="; ".join(notes) or None)
        # Nodes of several engines, or of one whose seconds alone are predicted, add up to nothing that is.
        tells_nodes = self._by_nodes or spread is None
        expected = nodes / progress.done if tells_nodes and nodes and 0 < progress.done < 1 else None
        limits = self.limits
        parts = [progress.seconds / limits.seconds if limits.seconds else 0.0]
        parts.append(nodes / limits.nodes if limits.nodes else 0.0)
        return replace(progress, done=min(max(progress.done, *parts), 1.0), expected=expected)

    def _surprise(self, spread: Spread, amount: float) -> str | None:
        """What is to be said of a search that takes longer than predicted."""
        if amount <= spread.at_median:
            return None
        low_end, high_end = spread.at_median, spread.interval[1]
        if amount <= high_end:
            return f"longer than the {self._in_words(low_end)} predicted"
        return f"longer than 19 of 20 such searches take ({self._in_words(high_end)})"

    def _in_words(self, amount: float) -> str:
        return f"{amount:.2g} nodes" if self._by_nodes else short_duration(Fraction(amount))


def median_beyond(spread: Spread, passed: float) -> float:
    """The median of a predicted quantity that is known to be greater than a positive number.

    On either side of its median the decimal logarithm is taken for normally distributed.

    Examples
    --------
    Of a quantity with the median 100, known to be greater than that, the median is its upper quartile:

    >>> round(median_beyond(Spread(1.0, 2.0, 3.0), 100.0))
    257
    """
    below, above = spread.median - spread.low, spread.high - spread.median

    def deviation(side: float) -> float:
        return max((above if side > 0 else below) / ENDS, _LEAST_DEVIATION)

    distance = log10(passed) - spread.median
    at = distance / deviation(distance)
    # The tail falls off like exp(-at * excess).
    beyond = at + log(2) / at if at > _FAR else -NormalDist().inv_cdf(erfc(at / sqrt(2)) / 4)
    exponent = spread.median + beyond * deviation(beyond)
    return 10.0**exponent if exponent < 300 else inf
