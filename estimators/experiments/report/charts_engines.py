"""Figures of engines: puzzles solved over time, the best engine by size and colours, the hardest puzzles."""

from collections.abc import Mapping, Sequence
from math import isfinite, log10, nan
from typing import TYPE_CHECKING, Any

from ....csp.base.words import several
from ..analysis.analysis import Analysis
from ..analysis.calibration import Transfer
from ..analysis.outcomes import CUT_SHORT, Outcome, distinct, grouped_by
from ..analysis.peak import Peak, Point
from ..analysis.scores import Winner
from ..analysis.scores import cactus as solved_seconds
from .chart_style import BAD, COLORS, DARK, GOOD, PALE, decades, panelled, styles
from .facts import logarithm
from .wording import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_Place = tuple[float, float]


def cactus(analysis: Analysis) -> "Figure | None":
    """The number of runs that each engine solves within a given time, by goal."""
    goals = grouped_by(analysis.outcomes, lambda run: run.goal).items()
    looks = styles(row.label for row in analysis.scores)
    solved = [(goal, runs) for goal, runs in goals if any(run.solved for run in runs)]
    return panelled(solved, 3.6, lambda axes, goal: _cactus_panel(axes, *goal, looks))


def _cactus_panel(axes: Any, goal: str, runs: Sequence[Outcome], looks: Mapping[str, tuple[str, str]]) -> None:
    curves = solved_seconds(runs)
    for label, (color, marker) in looks.items():
        # The logarithm of 0 is not defined.
        seconds = [log10(max(value, 1e-4)) for value in curves.get(label, ())]
        every = max(len(seconds) // 12, 1)
        if seconds:
            axes.plot(range(1, len(seconds) + 1), seconds, marker=marker, color=color, markevery=every, label=label)
    limits = {run.limit for run in runs if run.limit is not None}
    if len(limits) == 1:
        axes.axhline(log10(*limits), color=DARK, linestyle="--", linewidth=1, label="time limit")
    axes.set(title=f"goal {goal}", xlabel="runs solved", ylabel="seconds")
    axes.set_xlim(0, 1.03 * max(map(len, curves.values())))
    axes.xaxis.get_major_locator().set_params(integer=True)
    decades(axes.yaxis)


def winners(analysis: Analysis) -> "Figure | None":
    """The best engine for each size and number of colours, with its median time."""
    cells = [cell for cell in analysis.winners if cell.inner_colors is not None and cell.rows is not None]
    groups = grouped_by(cells, lambda cell: (cell.goal, cell.clues))
    groups = {key: mine for key, mine in groups.items() if len(mine) > 1}
    best = {cell.label for mine in groups.values() for cell in mine}
    labels = [row.label for row in analysis.scores if row.label in best]
    if not labels:
        return None
    looks = {label: COLORS[index % len(COLORS)] for index, label in enumerate(labels)}
    most = max(len({(cell.rows, cell.columns) for cell in mine}) for mine in groups.values())
    return panelled(groups.values(), 0.45 * most + 1.4, lambda axes, mine: _winners_panel(axes, mine, looks))


def _winners_panel(axes: Any, cells: Sequence[Winner], looks: Mapping[str, str]) -> None:
    sizes = sorted({(cell.rows or 0, cell.columns or 0) for cell in cells}, key=lambda size: (size[0] * size[1], size))
    colors = sorted({cell.inner_colors or 0 for cell in cells})
    for cell in cells:
        x, y = colors.index(cell.inner_colors or 0), sizes.index((cell.rows or 0, cell.columns or 0))
        color = looks.get(cell.label or "")
        axes.bar(
            [x], [0.94], bottom=[y - 0.47], width=0.94, color=color or "#ffffff", alpha=0.8 if color else 1,
            edgecolor="none" if color else "#999999", hatch=None if color else "//", linewidth=0.5,
        )  # fmt: skip
        text = "none" if cell.seconds is None else _short_seconds(cell.seconds)
        axes.text(x, y, text, ha="center", va="center", fontsize=9.5, color="white" if _is_dark(color) else "black")
    for label, color in looks.items():
        axes.bar([0], [0], color=color, alpha=0.8, label=label)
    axes.set_xticks(range(len(colors)), [str(color) for color in colors])
    axes.set_yticks(range(len(sizes)), [f"{rows}x{columns}" for rows, columns in sizes])
    clues = f", {several(cells[0].clues, 'clue', shown)}" if cells[0].clues else ""
    axes.set(title=f"goal {cells[0].goal}{clues}", xlabel="inner colours")
    axes.set(xlim=(-0.6, len(colors) - 0.4), ylim=(-0.6, len(sizes) - 0.4))
    axes.grid(visible=False)


def _is_dark(color: str | None) -> bool:
    return color is not None and sum(int(color[i : i + 2], 16) * w for i, w in ((1, 3), (3, 6), (5, 1))) < 1150


def _short_seconds(seconds: float) -> str:
    if seconds < 0.01:
        return "<.01"
    return f"{seconds:.2g}" if seconds < 9.5 else shown(float(round(seconds)))


def peak(analysis: Analysis) -> "Figure | None":
    """Median effort to the first solution over the number of inner colours, with quartiles."""
    return panelled(analysis.peaks, 3.6, _peak_panel)


def _peak_panel(axes: Any, found: Peak) -> None:
    _peak_lines(axes, found)
    colors = [point.inner_colors for point in found.points]
    medians = [logarithm(point.median) for point in found.points]
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


def _peak_lines(axes: Any, found: Peak) -> None:
    """Draw where the peak is, and Owen's number."""
    if found.low is not None and found.high is not None:
        label = "95 % interval of the peak"
        axes.axvspan(found.low, found.high, color="#f6ddcc", linewidth=0, zorder=0, label=label)
    if found.at is not None:
        axes.axvline(found.at, color=BAD, linestyle=":", linewidth=1.5, label="fitted peak")
    axes.axvline(found.owen, color=DARK, linestyle="--", linewidth=1.2, label="Owen's number")


def _quartiles(axes: Any, point: Point, top: float) -> None:
    """Draw a bar from the lower to the upper quartile, with a triangle if it extends beyond the limit."""
    low, high = logarithm(point.low), logarithm(point.high)
    if low is not None:
        axes.plot([point.inner_colors] * 2, [low, top if high is None else high], color=GOOD, linewidth=1, zorder=1)
    if high is None:
        axes.plot([point.inner_colors], [top], "^", color=GOOD, fillstyle="none", markersize=8)
    if point.unsolved:
        axes.text(
            point.inner_colors, top + 0.2, f"{point.unsolved}/{point.runs}", ha="center", va="bottom", fontsize=8.5
        )


def transfer(analysis: Analysis) -> "Figure | None":
    """Predicted effort against measured effort of the engines, with the fitted line and its spread."""
    # Seconds are shown only for engines without another measure.
    better = {(row.engine, row.goal) for row in analysis.transfers if row.measure != "seconds"}
    rows = [row for row in analysis.transfers if row.measure != "seconds" or (row.engine, row.goal) not in better]
    return panelled(rows, 3.0, lambda axes, row: _transfer_panel(axes, row, analysis.outcomes))


def _transfer_panel(axes: Any, row: Transfer, outcomes: Sequence[Outcome]) -> None:
    solved, ended = _transfer_points(row, outcomes)
    ends = [extreme(x for x, _ in (*solved, *ended)) for extreme in (min, max)]
    line = [row.line.at(x) for x in ends]
    below, above = ([y + sign * row.line.spread for y in line] for sign in (-1, 1))
    axes.fill_between(ends, below, above, color=PALE, linewidth=0, label="spread of the runs")
    axes.plot(ends, line, color=DARK, linewidth=1.2, label="fitted line")
    if solved:
        axes.plot(*zip(*solved, strict=True), "o", color=GOOD, alpha=0.6, markersize=3.5, label="a run")
    if ended:
        label = "ended by a limit: at least"
        axes.plot(*zip(*ended, strict=True), "^", color=BAD, fillstyle="none", label=label)
    decades(axes.xaxis, axes.yaxis)
    axes.set(title=f"{row.engine}, goal {row.goal}", xlabel="predicted effort (nodes)", ylabel=row.measure)


def _transfer_points(row: Transfer, outcomes: Sequence[Outcome]) -> tuple[list[_Place], list[_Place]]:
    """The logarithms of predicted effort and measure, for solved runs and for runs that a limit ended."""
    points: tuple[list[_Place], list[_Place]] = [], []
    for run in distinct(outcomes):
        effort, measure = run.log_effort, run.measure(row.measure)
        ended = run.outcome in CUT_SHORT
        used = (run.engine, run.goal) == (row.engine, row.goal) and (run.solved or ended)
        if used and effort is not None and isfinite(effort) and measure is not None:
            # A measure of 0 is drawn like 1, as in the fit.
            points[ended].append((effort, logarithm(measure) or 0.0))
    return points
