"""The progress of a search, measured against its prediction."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import erfc, exp, inf, log, log10, sqrt
from statistics import NormalDist

from ...csp.base.stop import Progress, Report
from ...csp.engines.request import Goal, Limits
from ..owen.rounding import short_duration
from ..ways.spread import ENDS, Spread
from ..ways.way import Way

# This many standard deviations beyond the median, probabilities are too small for a float.
_FAR = 30.0
_LEAST_DEVIATION = 1e-6
# A smaller part of a tree is not used as evidence.
_FIRST = 1e-9


@dataclass(frozen=True)
class PredictedProgress:
    """The prediction against which the progress of a search is measured."""

    #: The chosen way.
    way: Way | None
    #: The goal and the limits of the search.
    goal: Goal
    limits: Limits
    #: Whether the search counts the nodes that are predicted.
    counted: bool

    @property
    def spread(self) -> Spread | None:
        """The predicted nodes, or the predicted seconds if no nodes are predicted; None without a prediction."""
        return None if self.way is None else self.way.nodes if self._by_nodes else self.way.time

    @property
    def _by_nodes(self) -> bool:
        return self.counted and self.way is not None and self.way.nodes is not None

    @property
    def has_end(self) -> bool:
        """Whether the end of the search is known, from a prediction or a limit."""
        return self.spread is not None or (self.limits.seconds, self.limits.nodes) != (None, None)

    def report(self, report: Report) -> Report:
        """Wrap a report so that it is called with adjusted progress."""
        return lambda progress: report(self.adjusted(progress))

    def adjusted(self, progress: Progress) -> Progress:
        """Adjust the progress of a search to its prediction, or to the limit that ends it sooner.

        The prediction is a distribution.  The expected total is the median of the searches that take longer than this
        one has taken so far (a conditional median); so the time left can grow if a search takes longer than predicted.
        The fraction of the tree that is done gives a second estimate of the total.  The result is the weighted mean of
        the logarithms of both estimates; the weight of the second one is that fraction.
        """
        spread, nodes, nodes_now = self.spread, progress.nodes, progress.nodes - progress.found_nodes
        amount, amount_now = (nodes, nodes_now) if self._by_nodes else (progress.seconds, progress.seconds)
        if spread is not None and amount > 0:
            most = median_beyond(spread, amount)
            done_now = progress.done - progress.found
            if done_now > _FIRST:
                # A solution is equally likely anywhere in the rest of the tree.
                rest = amount_now * (1 - progress.done) / done_now
                by_tree = amount + rest * (0.5 if self.goal is Goal.SOLVE else 1.0)
                most = exp((1 - progress.done) * log(most) + progress.done * log(by_tree))
            done = min(amount / most, 1.0)
            found = min(progress.found_nodes / most, done) if self._by_nodes else progress.found
            notes = [note for note in (progress.note, self._surprise(spread, amount)) if note]
            progress = replace(progress, done=done, found=found, note="; ".join(notes) or None)
        # There is no expected number of nodes for several engines, or for an engine with predicted seconds only.
        tells_nodes = self._by_nodes or spread is None
        expected = nodes / progress.done if tells_nodes and nodes and 0 < progress.done < 1 else None
        limits = self.limits
        parts = [progress.seconds / limits.seconds if limits.seconds else 0.0]
        parts.append(nodes_now / limits.nodes if limits.nodes else 0.0)
        return replace(progress, done=min(max(progress.done, *parts), 1.0), expected=expected)

    def _surprise(self, spread: Spread, amount: float) -> str | None:
        """A note on a search that takes longer than predicted."""
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

    On each side of its median the decimal logarithm is assumed to be normally distributed.

    Examples
    --------
    If the median is 100 and the quantity is known to be greater than 100, the new median is the upper quartile:

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
