"""The number of inner colours for which puzzles are hardest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from ....csp.base.words import several
from ...owen.complexity import hardest_inner_colors
from .fitting import Floats, quantile
from .outcomes import Outcome, distinct, grouped_by

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
    #: The 95 % bootstrap interval of the median; None if beyond the limit, and with fewer than five runs.
    median_low: float | None
    median_high: float | None
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
    #: The vertex of the parabola through the highest point and its neighbours; None if a limit ended one of them.
    parabola: float | None
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
        points=tuple(
            _point(number, seeds, drawn, predicted.get(number))
            for (number, seeds), drawn in zip(efforts.items(), samples, strict=True)
        ),
        at=found.at,
        low=low,
        high=high,
        method=method,
        parabola=_parabola(colors, medians),
        owen=hardest_inner_colors(one.rows or 0, one.columns or 0),
        predicted=_predicted_peak(predicted),
    )


def size_of(run: Outcome) -> str:
    """The properties that the puzzles of a peak share, except colours: the size of the board, and clues."""
    clues = f", {several(run.clues, 'clue', str)}" if run.clues else ""
    return f"{run.rows}x{run.columns}{clues}" + (", random" if run.source.get("random") else "")


def _point(colors: int, efforts: Floats, medians: Floats, log_predicted: float | None) -> Point:
    edge = (1 - _LEVEL) / 2
    middle, low, high = (_finite(quantile(efforts, part)) for part in (0.5, 0.25, 0.75))
    ends = [_finite(quantile(medians, part)) for part in (edge, 1 - edge)]
    median_low, median_high = ends if len(efforts) >= _FEWEST_RUNS else (None, None)
    unsolved = int(np.isinf(efforts).sum())
    return Point(colors, len(efforts), unsolved, middle, low, high, median_low, median_high, log_predicted)


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


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
            what = (
                f"no fit: the medians from {colors[first]:.0f} to {colors[last - 1]:.0f} colours are beyond the limit"
            )
            return _Crossing(None, f"{what}; the peak is among them")
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
        return _Crossing(
            None, "no peak: at least two points on each side are needed, and lines that cross between them"
        )
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


def _parabola(colors: Floats, medians: Floats) -> float | None:
    """The vertex of the parabola through the highest point and its neighbours."""
    top = int(np.argmax(medians))
    near = slice(top - 1, top + 2)
    if top in (0, len(colors) - 1) or np.isinf(medians[near]).any():
        return None
    bend, slope, _ = np.polyfit(colors[near] - colors[top], medians[near], 2)
    return float(colors[top] - slope / (2 * bend)) if bend < 0 else None


def _predicted(runs: Sequence[Outcome]) -> dict[int, float]:
    """The median of the logarithm of the predicted effort, by number of colours."""
    efforts = _by_colors(runs, [run.log_effort for run in runs])
    return {colors: float(np.median(logs)) for colors, logs in efforts.items()}


def _predicted_peak(medians: dict[int, float]) -> float | None:
    """The peak of the predicted effort by the same fit."""
    if len(medians) < _FEWEST_COLORS or not all(map(isfinite, medians.values())):
        return None
    logs = np.array(list(medians.values()))
    return _crossing(np.array(list(medians), dtype=float), logs, logs).at
