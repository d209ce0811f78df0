"""Figures of predicted and actual numbers."""

from collections.abc import Iterable, Sequence
from math import isfinite, log10, sqrt
from typing import TYPE_CHECKING, Any

from ...effort.figures import drawable
from ..analysis.analysis import Analysis
from ..analysis.calibration import Calibration, DepthRatio, Ranking
from ..analysis.choices import predicted_seconds, processor_seconds
from ..analysis.outcomes import Outcome, distinct, grouped_by
from .chart_style import (
    BAD,
    COLORS,
    DARK,
    GOOD,
    PALE,
    PALE_2,
    WIDE,
    decades,
    legend_below,
    legends_under,
    panelled,
    ratio_axis,
    styles,
)
from .facts import done, log_actual, log_predicted, log_ratio, merged

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_STRIPS = 40
_LONGEST = 3
# Decimal logarithms of seconds; times beyond them are drawn at the edge.
_SHORTEST, _LONGEST_TIME = -3.0, 6.0


def predicted_actual(analysis: Analysis) -> "Figure | None":
    """Predicted against actual nodes and solutions; runs that a limit ended are lower bounds."""
    runs = [run for run in distinct(analysis.outcomes) if run.counted]
    shown = {"nodes": [run for run in runs if run.measure("nodes")], "solutions": _one_a_puzzle(runs)}
    points = {what: [run for run in mine if log_predicted(run, what) is not None] for what, mine in shown.items()}
    shown_points = [(w, mine) for w, mine in points.items() if any(log_actual(run, w) is not None for run in mine)]
    return panelled(shown_points, 4.0, lambda axes, what: _scatter(axes, *what), legends_under)


def _one_a_puzzle(runs: Iterable[Outcome]) -> list[Outcome]:
    """The first run of each puzzle with a complete count."""
    first: dict[tuple[object, ...], Outcome] = {}
    for run in runs:
        if run.solved:
            first.setdefault((run.sha256, run.slips, run.order if run.slips else None), run)
    return list(first.values())


def times(analysis: Analysis) -> "Figure | None":
    """Predicted against actual seconds, a panel for each engine; runs that a limit ended are lower bounds."""
    timed = [run for run in distinct(analysis.outcomes) if predicted_seconds(run) is not None]
    return panelled(
        grouped_by(sorted(timed, key=lambda run: run.engine), lambda run: run.engine).values(), 4.0, _times_panel
    )


def _times_panel(axes: Any, runs: Sequence[Outcome]) -> None:
    points = [
        (_within(interval[0]), _within(processor_seconds(run)), run.solved, run.goal)
        for run in runs
        if (interval := predicted_seconds(run)) is not None
    ]
    scattered(axes, "seconds", points)
    axes.set_title(runs[0].engine)


def _within(seconds: float) -> float:
    """The logarithm of a time, limited to the range of the figure."""
    return min(max(log10(max(seconds, 1e-300)), _SHORTEST), _LONGEST_TIME)


def _distinguished_by(runs: Sequence[Outcome], what: str) -> str:
    """The property that markers and colours show."""
    if what == "solutions" or len({run.label for run in runs}) == 1:
        return "family" if len({run.family for run in runs}) <= len(COLORS) else "kind"
    return "order" if len({run.engine for run in runs}) == 1 and not any(run.slips for run in runs) else "label"


def _scatter(axes: Any, what: str, runs: Sequence[Outcome]) -> None:
    """Draw points around the diagonal, with runs that found nothing at the bottom."""
    key = _distinguished_by(runs, what)
    scattered(
        axes,
        what,
        [(log_predicted(run, what) or 0.0, log_actual(run, what), done(run), str(getattr(run, key))) for run in runs],
    )


def scattered(axes: Any, what: str, points: Sequence[tuple[float, float | None, bool, str]]) -> None:
    """Draw points around the diagonal, with bands of the factors 2 and 10.

    - `what`: the quantity that was predicted.
    - `points`: the decimal logarithms of the predicted and the actual number (None for 0), whether the run was done,
      and the name for the legend.
    """
    known = [value for x, y, _, _ in points for value in (x, y) if value is not None]
    ends = (min(known) - 0.5, max(known) + 0.5)
    _bands(axes, ends)
    size = 4.5 if len(points) < 300 else 3
    for name, (color, marker) in styles(sorted({name for *_, name in points})).items():
        mine = [point for point in points if point[-1] == name]
        whole, ended = (
            [(x, ends[0] + 0.1 if y is None else y) for x, y, is_done, _ in mine if is_done is is_whole]
            for is_whole in (True, False)
        )
        look = {"color": color, "markersize": size, "linestyle": "none"}
        if whole:
            axes.plot(*zip(*whole, strict=True), marker=marker, label=name, alpha=0.7, markeredgewidth=0, **look)
        if ended:
            label = None if whole else name
            axes.plot(*zip(*ended, strict=True), marker=marker, fillstyle="none", label=label, **look)
            axes.quiver(*zip(*ended, strict=True), 0, 1, color=color, angles="uv", scale=22, width=0.004, headwidth=5)
    axes.set(xlim=ends, ylim=ends, box_aspect=1, xlabel=f"predicted {what}", ylabel=f"actual {what}")
    decades(axes.xaxis, axes.yaxis)


def _bands(axes: Any, ends: tuple[float, float]) -> None:
    """Draw the diagonal and its bands."""
    for factor, color in ((10, PALE), (2, PALE_2)):
        below, above = ([end + sign * log10(factor) for end in ends] for sign in (-1, 1))
        axes.fill_between(ends, below, above, color=color, linewidth=0, zorder=0)
    axes.plot(ends, ends, color=DARK, linewidth=0.8, zorder=1)


def depths(analysis: Analysis) -> "Figure | None":
    """Actual over predicted nodes by depth, with 95 % intervals."""
    # Long intervals of few runs are cut off, so that the means keep enough room.
    extremes = [row.ratio for row in analysis.depths]
    for row in analysis.depths:
        below, above = _lengths(row.ratio, row.low, row.high)
        extremes += [min(max(end, 1 / _LONGEST), _LONGEST) for end in (row.ratio - below, row.ratio + above)]
    return panelled(_depths_by_family(analysis), 2.5, lambda axes, rows: _depths_panel(axes, rows, extremes))


def _depths_panel(axes: Any, rows: Sequence[DepthRatio], extremes: Sequence[float]) -> None:
    ratio_axis(axes, "y", extremes)
    for beyond, where, color, marker in ((False, "within", GOOD, "o"), (True, "beyond", BAD, "s")):
        mine = [row for row in rows if row.beyond == beyond]
        if mine:
            lengths = zip(*(_lengths(row.ratio, row.low, row.high) for row in mine), strict=True)
            axes.errorbar(
                [row.depth for row in mine], [row.ratio for row in mine], tuple(lengths), color=color, marker=marker,
                linestyle="none", elinewidth=1, label=f"{where} 1/1.5 .. 1.5",
            )  # fmt: skip
    _label_depths(axes, rows[0], "actual / predicted")


def _depths_by_family(analysis: Analysis) -> Iterable[Sequence[DepthRatio]]:
    return grouped_by(analysis.depths, lambda row: (row.family, row.label)).values()


def _label_depths(axes: Any, row: DepthRatio, vertical: str) -> None:
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(title=f"{row.family}\n{row.label}", xlabel="depth (pieces placed)", ylabel=vertical)


def _lengths(mean: float, low: float, high: float) -> tuple[float, float]:
    """The lengths of an interval below and above its mean; 0 if a single run gives no interval."""
    return (mean - low, high - mean) if isfinite(high) else (0.0, 0.0)


def depth_curves(analysis: Analysis) -> "Figure | None":
    """Predicted and actual nodes by depth, geometric means over the puzzles of a family."""
    return panelled(_depths_by_family(analysis), 2.5, _curves_panel)


def _curves_panel(axes: Any, rows: Sequence[DepthRatio]) -> None:
    axes.plot([row.depth for row in rows], [log10(row.predicted) for row in rows], color=GOOD, label="predicted")
    actual = [(row.depth, log10(row.actual)) for row in rows if row.actual > 0]
    if actual:
        axes.plot(*zip(*actual, strict=True), "o", color=BAD, markersize=3.5, label="actual")
    _label_depths(axes, rows[0], "nodes")
    decades(axes.yaxis)


def calibration(analysis: Analysis) -> "Figure | None":
    """The ratios actual / predicted of all runs, a row for each family, with geometric means and their intervals."""
    found = (("nodes", analysis.nodes), ("solutions", analysis.solutions))
    shown = [(what, of_families) for what, rows in found if (of_families := _of_families(rows))]
    if not shown:
        return None
    from matplotlib.figure import Figure

    heights = [0.42 * len(rows) + 0.4 for _, rows in shown]
    figure = Figure(figsize=(WIDE, sum(heights) + 0.8 * len(shown)), layout="constrained")
    axes = list(figure.subplots(len(shown), 1, squeeze=False, height_ratios=heights).flat)
    for each, (what, rows) in zip(axes, shown, strict=True):
        strips = [_log_ratios(analysis.outcomes, row) for row, _ in rows]
        ratio_axis(each, "x", [10**value for strip in strips for value in strip])
        for place, ((row, _), strip) in enumerate(zip(rows, strips, strict=True)):
            _strip(each, place, row, strip)
        each.set_yticks(range(len(rows)), [drawable(f"{row.family}\n{label}") for row, label in rows])
        each.set_ylim(len(rows) - 0.5, -0.5)
        each.set_xlabel(f"actual / predicted {what}")
        each.grid(visible=False, axis="y")
    legend_below(figure, axes)
    return figure


def _of_families(rows: Sequence[Calibration]) -> list[tuple[Calibration, str]]:
    """The rows of the families; the row of all families together if there are too many."""
    families = merged(row for row in rows if row.family != "all")
    return families if len(families) <= _MOST_STRIPS else merged(row for row in rows if row.family == "all")


def _log_ratios(outcomes: Iterable[Outcome], row: Calibration) -> list[float]:
    """The logarithms whose mean a row shows."""
    runs = [run for run in distinct(outcomes) if run.label == row.label and row.family in ("all", run.family)]
    found = [log_ratio(run, row.quantity) for run in runs if run.solved]
    return [value for value in found if value is not None]


def _strip(axes: Any, place: int, row: Calibration, ratios: Sequence[float]) -> None:
    """Draw the runs of one row, spread vertically, and their mean."""
    # The golden ratio separates neighbours, and the places are always the same.
    heights = [place + 0.5 * ((index * (sqrt(5) - 1) / 2) % 1 - 0.5) for index in range(len(ratios))]
    first = place == 0
    axes.plot(
        [10**value for value in ratios], heights, "o", color=GOOD, alpha=0.45, markersize=3.5, markeredgewidth=0,
        label="a run" if first else None,
    )  # fmt: skip
    below, above = _lengths(row.geometric_mean, row.low, row.high)
    axes.errorbar(
        [row.geometric_mean], [place], xerr=([below], [above]), color=BAD, marker="D", markersize=5, elinewidth=1.5,
        capsize=3, linestyle="none", label="geometric mean, 95 % interval" if first else None,
    )  # fmt: skip


def ranking(analysis: Analysis) -> "Figure | None":
    """Predicted against actual nodes of the search orders, those of one puzzle joined; wrong pairs in red."""
    ranked = [row for row in analysis.rankings if row.pairs]
    looks = styles(sorted({str(run.order) for run in analysis.outcomes if run.order}))
    return panelled(ranked, 3.6, lambda axes, row: _ranked_orders(axes, row, analysis.outcomes, looks))


def _ranked_orders(axes: Any, row: Ranking, outcomes: Sequence[Outcome], looks: dict[str, tuple[str, str]]) -> None:
    runs = [run for run in distinct(outcomes) if run.family == row.family and run.solved and run.counted and run.order]
    known = ((run, log_predicted(run, "nodes"), log_actual(run, "nodes")) for run in runs)
    place = {run: (x, y) for run, x, y in known if x is not None and y is not None}
    groups = grouped_by(place, lambda run: (run.sha256, run.engine, run.slips, run.goal)).values()
    compared = [alike for alike in groups if len(alike) > 1]
    place = {run: place[run] for alike in compared for run in alike}
    for alike in compared:
        axes.plot(*zip(*sorted(place[run] for run in alike), strict=True), color="#b0b8bd", linewidth=0.6, zorder=1)
    by_name = {(run.instance, run.order): point for run, point in place.items()}
    pairs = [
        (by_name.get((pair.instance, pair.cheaper)), by_name.get((pair.instance, pair.dearer))) for pair in row.wrong
    ]
    for number, ends in enumerate((one, other) for one, other in pairs if one and other):
        label = None if number else "not as predicted"
        axes.plot(*zip(*ends, strict=True), color=BAD, linewidth=1.8, zorder=2, label=label)
    for order, (color, marker) in looks.items():
        points = [point for run, point in place.items() if run.order == order]
        if points:
            axes.plot(*zip(*points, strict=True), marker, color=color, markersize=4, label=order, zorder=3)
    decades(axes.xaxis, axes.yaxis)
    axes.set(title=row.family, xlabel="predicted nodes", ylabel="actual nodes")
