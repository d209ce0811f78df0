"""The number of inner colours for which puzzles are hardest, from the runs of the experiment `hardness-peak`.

    jigsat compare hardness-peak -o hardness-peak
    python research/hardness_peak.py hardness-peak hardness-peak.svg

Prints a line for each size and engine, and draws the median efforts.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log10, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jigsat.csp.base.errors import plural
from jigsat.csp.base.words import log_sum
from jigsat.estimators.experiments.figures import BAD, COLORS, DARK, GOOD, decades, panelled, saved, style
from jigsat.estimators.experiments.outcomes import Outcome, distinct, grouped_by, outcomes_of
from jigsat.estimators.experiments.records import NAME, read_records
from jigsat.estimators.owen.complexity import hardest_inner_colors

Floats = NDArray[np.float64]
#: The measures of effort.
MEASURES = ("nodes", "conflicts", "branches")

_FEWEST_COLORS = 5
#: The number of bootstrap samples.
SAMPLES = 1000
_LEVEL = 0.95
# The number of points of a branch that determine its line.
_BRANCH = 3
# The largest number of medians beyond the limit for which the peak is fitted.
_MOST_BEYOND = 3
# The smallest number of runs for a bootstrap.
_FEWEST_RUNS = 5
# The smallest share of samples with a peak for which an interval is given.
_ENOUGH = 0.5


@dataclass(frozen=True)
class Point:
    """The effort with one number of inner colours."""

    #: The numbers of colours, of runs, and of runs that are not solved.
    inner_colors: int
    runs: int
    unsolved: int
    #: Median and quartiles; None if beyond the limit.
    median: float | None
    low: float | None
    high: float | None
    #: The median of the decimal logarithm of the predicted effort; None without predictions.
    log_predicted: float | None


@dataclass(frozen=True)
class Peak:
    """The number of colours with the highest median effort of one engine."""

    #: The size and other properties of the puzzles ("8x8, 2 clues"); the engine; the measure of its effort.
    family: str
    label: str
    measure: str
    #: The points, ordered by number of colours.
    points: tuple[Point, ...]
    #: The crossing of the two branches, with the 95 % bootstrap interval; None if no peak is found, if fewer than
    #: half of the samples have one, or if a number of colours has fewer than five runs.
    at: float | None
    low: float | None
    high: float | None
    #: How the peak was found, or why not.
    method: str
    #: Owen's number of inner colours for the hardest puzzles of this size.
    owen: float
    #: The peak of the predicted effort by the same fit; None without predictions.
    predicted: float | None


def peaks(outcomes: Sequence[Outcome], measure: str = "nodes") -> list[Peak]:
    """The number of inner colours with the highest median effort to the first solution, for each size and label.

    The puzzles are generated ones that differ only in their seeds and inner colours, with at least five numbers of
    colours.  A run that is not solved counts as larger than all others of its number of colours.

    With few colours there are many solutions, and the effort is the size of the tree divided by their number; with many
    colours it is the size of the tree, which shrinks.  The logarithm of the median has two branches that are nearly
    straight.  Lines through up to three points on each side, one of them with the highest point, cross at the peak.  A
    median beyond the limit is not used, except if the line through the other points is below the lower bound of the
    median: then the lower bound is used.
    """
    shared = ("family", "frame_colors", "clues", "random")
    usable = [run for run in distinct(outcomes) if _is_usable(run)]
    groups = grouped_by(usable, lambda run: (run.rows, run.columns, *map(run.source.get, shared), run.label))
    rows: list[Peak] = []
    for runs in groups.values():
        efforts = _by_colors(runs, [_effort(run, measure) for run in runs])
        # A measure that the engine does not report has no peak.
        if len(efforts) >= _FEWEST_COLORS and any(isfinite(effort) for seeds in efforts.values() for effort in seeds):
            rows.append(_peak(runs, measure, efforts, _by_colors(runs, [_bound(run, measure) for run in runs])))
    return rows


@dataclass(frozen=True)
class _Crossing:
    """The crossing of two branches, or None; and the method or the reason."""

    at: float | None
    method: str


def log_effort(run: Outcome) -> float | None:
    """Decimal logarithm of the predicted nodes to the first solution: N / (S + 1) for S solutions among N nodes.

    A search that breaks symmetries finds one solution of each orbit.
    """
    nodes, solutions = run.log_of_whole("nodes"), run.log_of_whole("solutions")
    if nodes is None or solutions is None:
        return None
    broken = run.options.get("symmetry", True)
    factor, planted = (run.orbit, run.planted) if broken else (1, run.planted * run.orbit)
    return nodes - log_sum(solutions - log10(factor), log10(planted + 1))


def _is_usable(run: Outcome) -> bool:
    """Whether a run measures or bounds the effort for a generated puzzle."""
    ended = run.solved or run.outcome in ("time", "memory", "nodes")
    return run.goal == "solve" and ended and run.depth_limit is None and "family" in run.source and run.rows is not None


def _effort(run: Outcome, measure: str) -> float | None:
    return run.measure(measure) if run.solved else inf


def _bound(run: Outcome, measure: str) -> float | None:
    """A lower bound of the effort: what a run had done when a limit ended it, or 0 if that is not known."""
    known = run.measure(measure)
    return known if run.solved or known is not None else 0.0


def _by_colors(runs: Sequence[Outcome], values: Sequence[float | None]) -> dict[int, Floats]:
    """The known values of the runs by number of inner colours, in ascending order."""
    found: dict[int, list[float]] = {}
    for run, value in zip(runs, values, strict=True):
        colors = run.source.get("inner_colors", run.inner_colors)
        if value is not None and isinstance(colors, int):
            found.setdefault(colors, []).append(value)
    return {colors: np.array(found[colors], dtype=float) for colors in sorted(found)}


def _peak(runs: Sequence[Outcome], measure: str, efforts: dict[int, Floats], bounds: dict[int, Floats]) -> Peak:
    one = runs[0]
    colors = np.array(list(efforts), dtype=float)
    medians, floors = (_logs(np.array([np.median(seeds) for seeds in of.values()])) for of in (efforts, bounds))
    # The same samples of both, so that each sample has its medians and their lower bounds.
    samples, lowest = (
        np.array([_drawn_medians(seeds, number) for number, seeds in of.items()]) for of in (efforts, bounds)
    )
    found, predicted = _crossing(colors, medians, floors), _predicted(runs)
    enough = min(map(len, efforts.values())) >= _FEWEST_RUNS
    low, high, method = _interval(colors, samples, lowest, found) if enough else (None, None, found.method)
    return Peak(
        family=size_of(one),
        label=one.label,
        measure=measure,
        points=tuple(_point(number, seeds, predicted.get(number)) for number, seeds in efforts.items()),
        at=found.at,
        low=low,
        high=high,
        method=method,
        owen=hardest_inner_colors(one.rows or 0, one.columns or 0),
        predicted=_predicted_peak(predicted),
    )


def size_of(run: Outcome) -> str:
    """The properties that the puzzles of a peak share, except colours: the size of the board, and clues."""
    clues = f", {plural(run.clues, 'clue', str)}" if run.clues else ""
    return f"{run.rows}x{run.columns}{clues}" + (", random" if run.source.get("random") else "")


def _point(colors: int, efforts: Floats, log_predicted: float | None) -> Point:
    middle, low, high = (_finite(quantile(efforts, part)) for part in (0.5, 0.25, 0.75))
    return Point(colors, len(efforts), int(np.isinf(efforts).sum()), middle, low, high, log_predicted)


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def quantile(values: Sequence[float] | Floats, part: float) -> float:
    """The quantile by linear interpolation; some values may be infinite."""
    low, high = (float(np.quantile(values, part, method=side)) for side in ("lower", "higher"))
    # NumPy returns nan if the interpolation uses infinity.
    return high if low == high or high == inf else float(np.quantile(values, part))


def _drawn_medians(values: Floats, seed: int) -> Floats:
    """The medians of samples drawn from the values with replacement (Efron 1979), the same for the same seed."""
    places = np.random.default_rng(seed).integers(len(values), size=(SAMPLES, len(values)))
    return np.asarray(np.median(values[places], axis=1), dtype=np.float64)


def _logs(medians: Floats) -> Floats:
    """Decimal logarithms; an effort of 0 counts as 1."""
    return np.log10(np.where(medians > 0, medians, 1.0))


def _interval(
    colors: Floats, samples: Floats, lowest: Floats, found: _Crossing
) -> tuple[float | None, float | None, str]:
    """The interval of the peak, and the method."""
    if found.at is None:
        return None, None, found.method
    both = zip(samples.T, lowest.T, strict=True)
    drawn = [_crossing(colors, _logs(medians), _logs(floors)).at for medians, floors in both]
    places = [at for at in drawn if at is not None]
    part = len(places) / len(drawn)
    method = found.method if part == 1 else f"{found.method}; found in {100 * part:.0f} % of the samples"
    if part < _ENOUGH:
        return None, None, method
    edge = (1 - _LEVEL) / 2
    return quantile(places, edge), quantile(places, 1 - edge), method


def _crossing(colors: Floats, medians: Floats, floors: Floats) -> _Crossing:
    """The crossing of the branches that lead to the highest point, or to the points beyond the limit."""
    beyond = np.flatnonzero(np.isinf(medians))
    if len(beyond):
        first, last = int(beyond[0]), int(beyond[-1]) + 1
        if last - first > _MOST_BEYOND:
            what = f"the medians from {colors[first]:.0f} to {colors[last - 1]:.0f} colours are beyond the limit"
            return _Crossing(None, f"no fit: {what}; the peak is among them")
        end, start = _raised(colors, medians, floors, first, last)
        lifted = np.where(np.isinf(medians), floors, medians)
        named, low = (
            ", ".join(f"{number:.0f}" for number in colors[of])
            for of in (beyond, [*range(first, end), *range(start, last)])
        )
        method = f"crossing of the lines through the points on both sides of those beyond the limit ({named} colours)"
        taken = f", with lower bounds for {low}" if low else ""
        return _chosen(colors, lifted, [(end, start)], method + taken)
    top = int(np.argmax(medians))
    if top in (0, len(colors) - 1):
        return _Crossing(None, f"no peak: the effort is highest at an end of the range, {colors[top]:.0f} colours")
    return _chosen(colors, medians, [(top + 1, top + 1), (top, top)], "crossing of the lines through the branches")


def _raised(colors: Floats, medians: Floats, floors: Floats, first: int, last: int) -> tuple[int, int]:
    """The ends of the branches at points beyond the limit; those with lower bounds above the lines are included."""
    lifted = np.where(np.isinf(medians), floors, medians)
    end, start = first, last
    while end < start and _below(colors, lifted, slice(max(end - _BRANCH, 0), end), end):
        end += 1
    while end < start and _below(colors, lifted, slice(start, start + _BRANCH), start - 1):
        start -= 1
    return end, start


def _below(colors: Floats, points: Floats, branch: slice, at: int) -> bool:
    """Whether the line through a branch is below a point."""
    if len(colors[branch]) < 2:
        return False
    start, slope, _ = _straight(colors[branch], points[branch])
    return start + slope * colors[at] < points[at]


def _chosen(colors: Floats, medians: Floats, ends: Sequence[tuple[int, int]], method: str) -> _Crossing:
    """The crossing of the straightest branches; each pair has the end of the left and the start of the right branch."""
    possible = [fit for end, start in ends if (fit := _fitted(colors, medians, end, start)) is not None]
    if not possible:
        needed = "at least two points on each side are needed, and lines that cross between them"
        return _Crossing(None, f"no peak: {needed}")
    return _Crossing(min(possible)[1], method)


def _fitted(colors: Floats, medians: Floats, end: int, start: int) -> tuple[float, float] | None:
    """The deviation of the points from two branches, and their crossing; None if it is not between the two."""
    left, right = slice(max(end - _BRANCH, 0), end), slice(start, start + _BRANCH)
    if min(len(colors[left]), len(colors[right])) < 2:
        return None
    (up, rise, off_left), (down, fall, off_right) = (_straight(colors[part], medians[part]) for part in (left, right))
    if rise <= 0 or fall >= 0:
        return None
    at = (down - up) / (rise - fall)
    # The tolerance of half a colour allows for errors of the medians.
    if not colors[end - 1] - 0.5 <= at <= colors[start] + 0.5:
        return None
    # Two lines have four parameters; the other degrees of freedom measure how straight the branches are.
    freedom = len(colors[left]) + len(colors[right]) - 4
    return (off_left + off_right) / max(freedom, 1), at


def _straight(x: Floats, y: Floats) -> tuple[float, float, float]:
    """The least-squares line: its intercept, its slope, and the sum of squared residuals."""
    from_middle = x - x.mean()
    slope = float(from_middle @ y / (from_middle @ from_middle))
    start = float(y.mean() - slope * x.mean())
    return start, slope, float(np.sum((y - start - slope * x) ** 2))


def _predicted(runs: Sequence[Outcome]) -> dict[int, float]:
    """The median of the logarithm of the predicted effort, by number of colours."""
    efforts = _by_colors(runs, [log_effort(run) for run in runs])
    return {colors: float(np.median(logs)) for colors, logs in efforts.items()}


def _predicted_peak(medians: dict[int, float]) -> float | None:
    """The peak of the predicted effort by the same fit."""
    if len(medians) < _FEWEST_COLORS or not all(map(isfinite, medians.values())):
        return None
    logs = np.array(list(medians.values()))
    return _crossing(np.array(list(medians), dtype=float), logs, logs).at


def _log(number: float | None) -> float | None:
    return log10(number) if number else None


def _panel(axes: Any, found: Peak) -> None:
    _lines(axes, found)
    colors = [point.inner_colors for point in found.points]
    medians = [_log(point.median) for point in found.points]
    if any(median is not None for median in medians):
        # The line has gaps where the median is beyond the limit.
        heights = [nan if median is None else median for median in medians]
        axes.plot(colors, heights, "o-", color=GOOD, label="median, with quartiles")
    logs = [(point.inner_colors, point.log_predicted) for point in found.points if point.log_predicted is not None]
    predicted = logs if found.measure == "nodes" else []
    if predicted:
        axes.plot(*zip(*predicted, strict=True), color=COLORS[2], linewidth=1.2, label="predicted median")
    known = [value for point in found.points for value in (point.median, point.low, point.high) if value]
    top = log10(max(known)) + 0.4 if known else 1.0
    for point in found.points:
        _quartiles(axes, point, top)
    axes.set_xticks(colors)
    axes.set_ylim(top=max([top + 0.8, *(log + 0.3 for _, log in predicted)]))
    decades(axes.yaxis)
    axes.set(title=f"{found.family}\n{found.label}", xlabel="inner colours", ylabel=found.measure)


def _lines(axes: Any, found: Peak) -> None:
    """Draw where the peak is, and Owen's number."""
    if found.low is not None and found.high is not None:
        label = "95 % interval of the peak"
        axes.axvspan(found.low, found.high, color="#f6ddcc", linewidth=0, zorder=0, label=label)
    if found.at is not None:
        axes.axvline(found.at, color=BAD, linestyle=":", linewidth=1.5, label="fitted peak")
    axes.axvline(found.owen, color=DARK, linestyle="--", linewidth=1.2, label="Owen's number")


def _quartiles(axes: Any, point: Point, top: float) -> None:
    """Draw a bar from the lower to the upper quartile, with a triangle if it extends beyond the limit."""
    low, high = _log(point.low), _log(point.high)
    if low is not None:
        axes.plot([point.inner_colors] * 2, [low, top if high is None else high], color=GOOD, linewidth=1, zorder=1)
    if high is None:
        axes.plot([point.inner_colors], [top], "^", color=GOOD, fillstyle="none", markersize=8)
    if point.unsolved:
        text = f"{point.unsolved}/{point.runs}"
        axes.text(point.inner_colors, top + 0.2, text, ha="center", va="bottom", fontsize=8.5)


def main() -> None:
    """Print the peaks of a folder of records, and draw them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("figure", type=Path, nargs="?", help="an SVG file")
    arguments = parser.parse_args()
    runs = outcomes_of(read_records(arguments.folder / NAME))
    found = [peak for measure in MEASURES for peak in peaks(runs, measure)]
    for peak in found:
        ends = "" if peak.low is None or peak.high is None else f" ({peak.low:.1f} to {peak.high:.1f})"
        at = "none" if peak.at is None else f"{peak.at:.1f}{ends}"
        predicted = "none" if peak.predicted is None else f"{peak.predicted:.1f}"
        print(f"{peak.family}, {peak.label}, {peak.measure}: {at}; predicted {predicted}, Owen's {peak.owen:.2f}")
        print(f"  {peak.method}")
    if arguments.figure is not None:
        with style():
            figure = panelled(found, 3.6, _panel)
        if figure is not None:
            arguments.figure.write_bytes(saved(figure, "svg"))


if __name__ == "__main__":
    main()
