"""With how many inner colours puzzles are hardest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from ....csp.base.words import several
from ...owen.rules_of_thumb import hardest_inner_colors
from .fitting import Floats, quantile
from .outcomes import Outcome, distinct, grouped_by

_FEWEST_COLORS = 5
#: How many samples are drawn for the intervals.
SAMPLES = 1000
_LEVEL = 0.95
# The points of a branch that decide where it crosses the other.
_BRANCH = 3
# Over how many numbers of colours beyond the limit lines may lead from the points beside them.
_MOST_BEYOND = 3
# With fewer runs, samples drawn from them say too little.
_FEWEST_RUNS = 5
# Of so many samples at least a peak must be found, or its interval is none.
_ENOUGH = 0.5


@dataclass(frozen=True)
class Point:
    """The effort with one number of inner colours.

    Parameters
    ----------
    inner_colors, runs, unsolved
        The number of colours, and of runs.
    median, low, high
        Median and quartiles; None where they are beyond the limit.
    median_low, median_high
        The 95 % bootstrap interval of the median; None where it ends beyond the limit, and with fewer than five runs.
    log_predicted
        The median of the decimal logarithm of the predicted effort; None without predictions.
    """

    inner_colors: int
    runs: int
    unsolved: int
    median: float | None
    low: float | None
    high: float | None
    median_low: float | None
    median_high: float | None
    log_predicted: float | None


@dataclass(frozen=True)
class Peak:
    """Where the median effort of one engine is highest.

    Parameters
    ----------
    family, label, measure
        The size, and what else the puzzles share ("8x8, 2 clues"); the engine; what its effort is measured in.
    points
        In the order of their colours.
    at, low, high
        Where the two branches cross, with the 95 % bootstrap interval; None if no peak is found, or in less than half
        of the samples, or where a number of colours has fewer than five runs.
    method
        How it was found, or why not.
    parabola
        The top of the parabola through the highest point and its neighbours; None if one of them is beyond the limit.
    owen
        Owen's number of inner colours for the hardest puzzles of this size.
    predicted
        Where the same fit finds the peak of the predicted effort; None without predictions.
    """

    family: str
    label: str
    measure: str
    points: tuple[Point, ...]
    at: float | None
    low: float | None
    high: float | None
    method: str
    parabola: float | None
    owen: float
    predicted: float | None


def peaks(outcomes: Sequence[Outcome], measure: str = "nodes") -> list[Peak]:
    """Where the median effort to the first solution is highest, for each size and label.

    What counts are generated puzzles that differ in nothing but inner colours, of which there are five different
    numbers at least, and their seeds; runs that are not solved are beyond all others of their number of colours.

    On the left there are many solutions, and the effort is the tree divided by their number; on the right it is the
    tree, which shrinks.  The logarithm of the median follows two branches that are nearly straight: lines through up to
    three points on either side, the highest point belonging to one of them, cross at the peak.  A median beyond the
    limit is no point of a line, unless the line through the others lies below what is known of it at least: then it is
    taken as low as it can be.
    """
    shared = ("family", "frame_colors", "clues", "random")
    telling = [run for run in distinct(outcomes) if _tells(run)]
    groups = grouped_by(telling, lambda run: (run.rows, run.columns, *map(run.source.get, shared), run.label))
    rows: list[Peak] = []
    for runs in groups.values():
        efforts = _by_colors(runs, [_effort(run, measure) for run in runs])
        # What an engine does not measure has no peak.
        if len(efforts) >= _FEWEST_COLORS and any(isfinite(effort) for seeds in efforts.values() for effort in seeds):
            rows.append(_peak(runs, measure, efforts, _by_colors(runs, [_bound(run, measure) for run in runs])))
    return rows


@dataclass(frozen=True)
class _Crossing:
    """Where two branches cross; or None, and why."""

    at: float | None
    method: str


def _tells(run: Outcome) -> bool:
    """Whether a run says something about the effort that a generated puzzle takes."""
    ended = run.solved or run.outcome in ("time", "memory", "nodes")
    return run.goal == "solve" and ended and run.depth_limit is None and "family" in run.source and run.rows is not None


def _effort(run: Outcome, measure: str) -> float | None:
    return run.measure(measure) if run.solved else inf


def _bound(run: Outcome, measure: str) -> float | None:
    """What the effort is at least: where a limit ended a run, what it had done by then, if that is known."""
    known = run.measure(measure)
    return known if run.solved or known is not None else 0.0


def _by_colors(runs: Sequence[Outcome], values: Sequence[float | None]) -> dict[int, Floats]:
    """Known values of the runs, by number of inner colours, ascending."""
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
    # The same draws of both, so that each sample has its medians and what they are at least.
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
    """What the puzzles of a peak share beside their colours: the size of the board, and clues."""
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
    """Decimal logarithms; no effort at all is as little as one."""
    return np.log10(np.where(medians > 0, medians, 1.0))


def _interval(
    colors: Floats, samples: Floats, lowest: Floats, found: _Crossing
) -> tuple[float | None, float | None, str]:
    """The interval of the peak, and how it was found."""
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
    """Where the branches cross that lead up to the highest point, or to the points beyond the limit."""
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
        taken = f", {low} taken as low as they can be" if low else ""
        return _chosen(colors, lifted, [(end, start)], method + taken)
    top = int(np.argmax(medians))
    if top in (0, len(colors) - 1):
        return _Crossing(None, f"no peak: the effort is highest at the last number of colours, {colors[top]:.0f}")
    return _chosen(colors, medians, [(top + 1, top + 1), (top, top)], "crossing of the lines through the branches")


def _raised(colors: Floats, medians: Floats, floors: Floats, first: int, last: int) -> tuple[int, int]:
    """Where branches end and start beside points beyond the limit: beyond those that lie above the lines at least."""
    lifted = np.where(np.isinf(medians), floors, medians)
    end, start = first, last
    while end < start and _below(colors, lifted, slice(max(end - _BRANCH, 0), end), end):
        end += 1
    while end < start and _below(colors, lifted, slice(start, start + _BRANCH), start - 1):
        start -= 1
    return end, start


def _below(colors: Floats, points: Floats, branch: slice, at: int) -> bool:
    """Whether the line through a branch lies below a point."""
    if len(colors[branch]) < 2:
        return False
    start, slope, _ = _straight(colors[branch], points[branch])
    return start + slope * colors[at] < points[at]


def _chosen(colors: Floats, medians: Floats, ends: Sequence[tuple[int, int]], method: str) -> _Crossing:
    """The crossing of the straightest branches: the left before the first, the right from the second of two ends on."""
    possible = [fit for end, start in ends if (fit := _fitted(colors, medians, end, start)) is not None]
    if not possible:
        return _Crossing(None, "no peak: two points on each side are needed, and lines that meet between them")
    return _Crossing(min(possible)[1], method)


def _fitted(colors: Floats, medians: Floats, end: int, start: int) -> tuple[float, float] | None:
    """How far points lie from two branches, and where these cross; None if they do not between the two."""
    left, right = slice(max(end - _BRANCH, 0), end), slice(start, start + _BRANCH)
    if min(len(colors[left]), len(colors[right])) < 2:
        return None
    (up, rise, off_left), (down, fall, off_right) = (_straight(colors[part], medians[part]) for part in (left, right))
    if rise <= 0 or fall >= 0:
        return None
    at = (down - up) / (rise - fall)
    # Half a colour of grace: medians have errors.
    if not colors[end - 1] - 0.5 <= at <= colors[start] + 0.5:
        return None
    # Four numbers make two lines; what is left of the points says how straight they are.
    freedom = len(colors[left]) + len(colors[right]) - 4
    return (off_left + off_right) / max(freedom, 1), at


def _straight(x: Floats, y: Floats) -> tuple[float, float, float]:
    """The line of least squares: where it starts, how it rises, and the squares that it leaves."""
    from_middle = x - x.mean()
    slope = float(from_middle @ y / (from_middle @ from_middle))
    start = float(y.mean() - slope * x.mean())
    return start, slope, float(np.sum((y - start - slope * x) ** 2))


def _parabola(colors: Floats, medians: Floats) -> float | None:
    """The top of the parabola through the highest point and its neighbours."""
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
    """Where the same fit finds the peak of what was predicted."""
    if len(medians) < _FEWEST_COLORS or not all(map(isfinite, medians.values())):
        return None
    logs = np.array(list(medians.values()))
    return _crossing(np.array(list(medians), dtype=float), logs, logs).at
