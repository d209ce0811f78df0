"""How accurate predictions are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, isfinite, log10, nan
from statistics import fmean

import numpy as np

from .fitting import Line, fit_line, mean_interval
from .outcomes import CUT_SHORT, Outcome, distinct, grouped, grouped_by, log10_of, power_of_ten

#: The measures of an engine.
MEASURES = ("nodes", "conflicts", "branches", "seconds")
_FEWEST_RUNS = 8


@dataclass(frozen=True)
class Calibration:
    """Actual over predicted numbers in the complete runs of a family."""

    #: What was predicted: "nodes" or "solutions".
    quantity: str
    #: The runs; "all" stands for all families together.
    family: str
    label: str
    #: The number of runs.
    number: int
    #: The geometric mean of actual / predicted, with its 95 % interval, which is 0 to infinity for one run.
    geometric_mean: float
    low: float
    high: float
    #: The standard deviation of the decimal logarithm of the ratio; nan for one run.
    spread: float
    #: A line for the decimal logarithm of the actual number over that of the predicted one; None without a fit.
    correction: Line | None
    #: The number of runs that are omitted: they ended early, or found 0, which has no logarithm.
    left_out: int


@dataclass(frozen=True)
class DepthRatio:
    """Actual over predicted nodes at one depth, over the seeds of a family."""

    #: The runs and the depth.
    family: str
    label: str
    depth: int
    #: The number of runs that counted all nodes of this depth.
    runs: int
    #: Geometric means of the nodes.
    predicted: float
    actual: float
    #: The geometric mean of actual / predicted, with its 95 % interval.
    ratio: float
    low: float
    high: float
    #: The mean of the actual nodes over the mean of the predicted ones.
    mean_ratio: float
    #: The lowest and the highest ratio of a seed.
    least: float
    most: float
    #: The number of runs without a node at this depth; the geometric means are those of the others.
    zeros: int
    #: The number of runs of the family that ended before they had counted this depth; all values omit them.
    missing: int

    @property
    def beyond(self) -> bool:
        """Whether the geometric mean is outside 1/1.5 .. 1.5."""
        return not 1 / 1.5 <= self.ratio <= 1.5


@dataclass(frozen=True)
class CounterExample:
    """Two orders on one puzzle, where the one with more predicted nodes needed fewer."""

    #: The puzzle.
    family: str
    instance: str
    #: The orders with fewer and with more predicted nodes.
    cheaper: str
    dearer: str
    #: Nodes of `dearer` over those of `cheaper`, which are a lower bound if the run of `cheaper` ended early.
    predicted_ratio: float
    actual_ratio: float


@dataclass(frozen=True)
class Ranking:
    """Whether search orders rank as predicted."""

    #: The puzzles.
    family: str
    #: The number of pairs of orders whose predictions differ enough, and of those that rank as predicted.
    pairs: int
    right: int
    #: The pairs that rank the other way round.
    wrong: tuple[CounterExample, ...]
    #: The number of pairs with equal nodes, or with a run that ended before it had more nodes than the other.
    undecided: int
    #: The mean over the puzzles of Kendall's tau of all pairs; nan if runs ended early.
    kendall: float


@dataclass(frozen=True)
class Transfer:
    """Whether the predicted effort predicts a measure of an engine."""

    #: "nodes", "conflicts", "branches" or "seconds".
    measure: str
    #: The runs.
    engine: str
    goal: str
    #: The line for the decimal logarithm of the measure over that of the predicted effort.
    line: Line
    #: The number of runs, and of those with only a lower bound.
    number: int
    censored: int
    #: The number of runs that ended early without the measure.
    left_out: int

    @property
    def factor(self) -> float:
        """The typical factor between the line and a run: 10 to the spread."""
        return 10**self.line.spread


def calibrations(outcomes: Sequence[Outcome], quantity: str) -> list[Calibration]:
    """The accuracy of predicted nodes or solutions, for each family and label, and for each label over all families.

    The runs are complete searches of the whole tree (goals count and all), one for each puzzle.  Nodes are predicted
    for searches along an order; solutions are predicted without the planted ones, which are added here.  A family
    without a complete run has no row, but its runs are in `left_out` of the row "all".
    """
    runs = [run for run in distinct(outcomes) if run.counted and run.outcome != "refused"]
    predicted = [run for run in runs if isfinite(_predicted(run, quantity))]
    rows: list[Calibration] = []
    for (label,), of_label in grouped(predicted, "label").items():
        if all(_actual(run, quantity) is None for run in of_label):
            continue
        for (family,), of_family in grouped(of_label, "family").items():
            rows += _calibration(quantity, family, label, of_family)
        rows += _calibration(quantity, "all", label, of_label)
    return rows


def depth_ratios(outcomes: Sequence[Outcome], fewest: float = 1000) -> list[DepthRatio]:
    """The accuracy of predicted nodes at each depth at which more than `fewest` are expected for every seed.

    A run has counted all depths if it searched the whole tree, the depths down to its depth limit if that limit ended
    it, and otherwise no depth.  A puzzle counts once.  Depths that less than half of the runs have counted are omitted,
    because the few runs that reach them are not a sample of the family.
    """
    rows: list[DepthRatio] = []
    ordered = [run for run in distinct(outcomes) if run.outcome != "refused" and run.order is not None]
    runs = [run for run in ordered if run.record.get("predicted_by_depth")]
    for (family, label), seeds in grouped(runs, "family", "label").items():
        counted = [(run, _depths_counted(run)) for run in seeds]
        for depth in range(1, max(depths for _, depths in counted) + 1):
            there = [run for run, depths in counted if depths >= depth]
            if 2 * len(there) < len(seeds):
                break
            expected = [log10_of(run.record["predicted_by_depth"][depth - 1]) for run in there]
            if min(expected) > log10(fewest):
                found = [int(run.record["nodes_by_depth"][depth - 1]) for run in there]
                rows.append(_depth_ratio(family, label, depth, expected, found, len(seeds) - len(there)))
    return rows


def rankings(outcomes: Sequence[Outcome], factor: float = 2.0) -> list[Ranking]:
    """Whether search orders whose predictions differ by more than a factor rank as predicted.

    The nodes of runs of the goals count and all that differ only in their order are compared.  A run that ended early
    has more nodes than a complete run with fewer nodes; other pairs with such a run are undecided, as are pairs with
    equal nodes.
    """
    runs = [run for run in distinct(outcomes) if run.counted and _known(run)]
    rows: list[Ranking] = []
    for (family,), of_family in grouped(runs, "family").items():
        pairs = [list(_pairs(alike)) for alike in _alike(of_family).values()]
        taus = [sum(pair.sign for pair in ranked) / len(ranked) for ranked in pairs if ranked]
        if not taus:
            continue
        clear = [pair for ranked in pairs for pair in ranked if pair.log_predicted > log10(factor)]
        right = sum(pair.sign > 0 for pair in clear)
        wrong = tuple(pair.counter_example() for pair in clear if pair.sign < 0)
        undecided = len(clear) - right - len(wrong)
        # With runs that ended early, only some pairs are decided, and tau would be biased.
        whole = all(pair.decided for ranked in pairs for pair in ranked)
        rows.append(Ranking(family, len(clear), right, wrong, undecided, sum(taus) / len(taus) if whole else nan))
    return rows


def transfers(outcomes: Sequence[Outcome]) -> list[Transfer]:
    """Whether the predicted effort predicts the measures of every engine.

    The measure of a run that ended early is a lower bound.  There is no row for fewer than eight runs, fewer than three
    different predictions, or equal measures.
    """
    runs = [run for run in distinct(outcomes) if run.solved or run.outcome in (*CUT_SHORT, "crash")]
    expected = [run for run in runs if run.log_effort is not None and isfinite(run.log_effort)]
    rows: list[Transfer] = []
    for (goal, engine), of_engine in grouped(expected, "goal", "engine").items():
        for measure in MEASURES:
            usable = [run for run in of_engine if run.outcome != "crash" and run.measure(measure) is not None]
            if len(usable) >= _FEWEST_RUNS and any(run.solved for run in usable):
                rows += _transfer(measure, engine, goal, usable, len(of_engine) - len(usable))
    return rows


def _predicted(run: Outcome, quantity: str) -> float:
    """The decimal logarithm of a prediction; infinite if there is no prediction."""
    if quantity == "solutions":
        log = run.log_expected_solutions
    else:
        log = None if run.order is None else run.log_predicted_nodes
    return inf if log is None else log


def _actual(run: Outcome, quantity: str) -> float | None:
    return run.measure("nodes") if quantity == "nodes" else run.record.get("count")


def _calibration(quantity: str, family: str, label: str, runs: Sequence[Outcome]) -> list[Calibration]:
    """The row of the runs, if one of them is complete."""
    logs = [(_predicted(run, quantity), log10(actual)) for run in runs if (actual := _complete(run, quantity))]
    if not logs:
        return []
    predicted, actual = np.array(logs).T
    mean, low, high = mean_interval((actual - predicted).tolist())
    spread = float(np.std(actual - predicted, ddof=1)) if len(logs) > 1 else nan
    try:
        correction = fit_line(predicted, actual)
    except ValueError:
        correction = None
    powers = power_of_ten(mean), power_of_ten(low), power_of_ten(high)
    return [Calibration(quantity, family, label, len(logs), *powers, spread, correction, len(runs) - len(logs))]


def _complete(run: Outcome, quantity: str) -> float | None:
    return _actual(run, quantity) if run.solved else None


def _depths_counted(run: Outcome) -> int:
    """The depth down to which a run has counted all nodes."""
    depths = min(len(run.record.get("nodes_by_depth") or ()), len(run.record["predicted_by_depth"]))
    if run.solved and run.counted:
        return depths
    return min(depths, run.depth_limit or 0) if run.outcome == "depth" else 0


def _depth_ratio(
    family: str, label: str, depth: int, expected: Sequence[float], found: Sequence[int], missing: int
) -> DepthRatio:
    """The row of one depth, from the logarithms of the predictions and the nodes."""
    logs = [(log, log10(nodes)) for log, nodes in zip(expected, found, strict=True) if nodes]
    ratios = [actual - predicted for predicted, actual in logs]
    mean, low, high = mean_interval(ratios) if ratios else (-inf, -inf, inf)
    # Sums are relative to the largest prediction, so that they do not overflow.
    most = max(expected)
    scaled = sum(10 ** (log - most) for log in expected)
    total = sum(found)
    return DepthRatio(
        family=family,
        label=label,
        depth=depth,
        runs=len(found),
        predicted=power_of_ten(fmean(log for log, _ in logs) if logs else fmean(expected)),
        actual=power_of_ten(fmean(log for _, log in logs)) if logs else 0.0,
        ratio=power_of_ten(mean),
        low=power_of_ten(low),
        high=power_of_ten(high),
        mean_ratio=power_of_ten(log10(total) - log10(scaled) - most) if total else 0.0,
        least=0.0 if len(logs) < len(found) else power_of_ten(min(ratios)),
        most=power_of_ten(max(ratios)) if ratios else 0.0,
        zeros=len(found) - len(logs),
        missing=missing,
    )


@dataclass(frozen=True)
class _Pair:
    """Two runs by different orders, with the logarithms of their ratios, more over fewer predicted nodes."""

    cheaper: Outcome
    dearer: Outcome
    log_predicted: float
    log_actual: float
    decided: bool

    @property
    def sign(self) -> int:
        """1 if the runs rank as predicted, -1 if not, 0 if they have equal nodes or it is not known."""
        return ((self.log_actual > 0) - (self.log_actual < 0)) * self.decided

    def counter_example(self) -> CounterExample:
        one, other = self.cheaper, self.dearer
        ratios = power_of_ten(self.log_predicted), power_of_ten(self.log_actual)
        return CounterExample(one.family, one.instance, one.order or "", other.order or "", *ratios)


def _known(run: Outcome) -> bool:
    """Whether there is a prediction, and actual nodes to compare with it."""
    return isfinite(_predicted(run, "nodes")) and bool(run.measure("nodes"))


def _alike(runs: Sequence[Outcome]) -> dict[tuple[object, ...], list[Outcome]]:
    """The runs grouped so that the runs of a group differ only in their order."""

    def key(run: Outcome) -> tuple[object, ...]:
        others = sorted((name, str(value)) for name, value in run.options.items() if name != "order")
        return run.sha256, run.engine, run.goal, *others

    return grouped_by(runs, key)


def _pairs(runs: Sequence[Outcome]) -> Iterator[_Pair]:
    """The pairs of runs with different predictions."""
    for one, other in combinations(runs, 2):
        cheaper, dearer = sorted((one, other), key=lambda run: _predicted(run, "nodes"))
        log_predicted = _predicted(dearer, "nodes") - _predicted(cheaper, "nodes")
        nodes = [run.measure("nodes") or 0 for run in (cheaper, dearer)]
        decided = (cheaper.solved or nodes[0] > nodes[1]) and (dearer.solved or nodes[1] > nodes[0])
        if log_predicted > 0:
            yield _Pair(cheaper, dearer, log_predicted, log10(nodes[1]) - log10(nodes[0]), decided)


def _transfer(measure: str, engine: str, goal: str, runs: Sequence[Outcome], left_out: int) -> list[Transfer]:
    """The row of the runs, if a line can be fitted."""
    efforts = [run.log_effort for run in runs]
    # A solver that needs no search has a measure of 0, which counts as 1.
    done = [run.measure(measure) or 1 for run in runs]
    bounds = [not run.solved for run in runs]
    if len(set(done)) == 1:
        return []
    try:
        line = fit_line(np.array(efforts, dtype=float), np.log10(done), bounds)
    except ValueError:
        return []
    return [Transfer(measure, engine, goal, line, len(runs), sum(bounds), left_out)]
