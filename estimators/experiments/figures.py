"""The figures of a report, their style, and the texts of numbers in figures, tables and summaries.

Colour-blind readers can distinguish the colours.  The files are the same, byte for byte, for the same runs and
version of matplotlib.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING, Any, TypeVar

from ...csp.engines.figures import power_of_ten, show_as_they_are
from .analysis import one_each
from .outcomes import Outcome, distinct, grouped_by

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_Item = TypeVar("_Item")
#: For a point: the decimal logarithms of the predicted and the actual number (None for 0), whether the run was done,
#: and the name for the legend.
Point = tuple[float, float | None, bool, str]

#: The colours of Okabe and Ito (2008) without yellow, which is too pale for thin lines.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7a6a00")
#: The markers that are used with the colours.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: Colours for values as predicted, for other values, and for the background.
GOOD, BAD, PALE, PALE_2, DARK = COLORS[0], COLORS[1], "#e4eaed", "#c6d2d9", "#444444"
#: The endings of the files of figures, with the metadata that would differ from day to day or machine to machine.
FORMATS = {"svg": ("Date", "Creator"), "pdf": ("CreationDate", "Creator", "Producer"), "png": ("Software",)}
#: The width in inches of a figure with one panel in a row, and with two.
NARROW, WIDE = 4.9, 7.6

# The height in inches of a line of a legend.
_LINE = 0.22
_STYLE = {
    "svg.hashsalt": "jigsat",
    "svg.fonttype": "path",
    "savefig.dpi": 200,
    "font.size": 10.5,
    "axes.titlesize": 10.5,
    "axes.labelsize": 10.5,
    "legend.fontsize": 10,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
}
# Decimal logarithms of seconds; times beyond them are drawn at the edge.
_SHORTEST, _LONGEST = -3.0, 6.0
_NARROW_SPACE, _HOUR = "\u202f", 3600
# Numbers from here on are written with a power of ten.
_LARGE = 10_000_000


def shown(number: float | None) -> str:
    """A number with three significant digits, or with all digits for integers below ten million; "–" for None.

    Examples
    --------
    >>> shown(0.12345), shown(1.0), shown(114414705)
    ('0.123', '1', '1.14e8')
    >>> shown(8524).replace(chr(0x202f), " ")
    '8 524'
    """
    if number is None or (isinstance(number, float) and not isfinite(number)):
        return "–"
    if number == 0:
        return "0"
    if abs(number) >= _LARGE:
        return ("-" if number < 0 else "") + power(log10(abs(number)))
    if abs(number) >= 999.5 or isinstance(number, int):
        return f"{round(number):,}".replace(",", _NARROW_SPACE)
    if abs(number) >= 0.001:
        return f"{number:.3g}"
    digits, exponent = f"{number:.2e}".split("e")
    return f"{digits}e{int(exponent)}"


def power(logarithm: float | None) -> str:
    """The number that has this decimal logarithm, which may be too large for a float; "–" for None.

    Examples
    --------
    >>> power(47.1352), power(2.5), power(None)
    ('1.37e47', '316', '–')
    """
    if logarithm is None or not isfinite(logarithm):
        return "–"
    if -3 <= logarithm < log10(_LARGE):
        return shown(10**logarithm)
    exponent = floor(logarithm)
    digits = f"{10 ** (logarithm - exponent):.2f}"
    return f"1.00e{exponent + 1}" if digits == "10.00" else f"{digits}e{exponent}"


def duration(seconds: float | None) -> str:
    """A time in seconds, or in hours from two hours on; "–" for None.

    Examples
    --------
    >>> duration(0.511729), duration(61.25), duration(18000), duration(0.0009)
    ('0.512 s', '61.2 s', '5 h', '0.0009 s')
    """
    if seconds is None:
        return "–"
    if seconds >= 2 * _HOUR:
        return f"{seconds / _HOUR:.3g} h"
    # Times are compared in columns, so they have no powers of ten.
    if seconds < 0.01:
        return f"{seconds:.4f} s" if seconds >= 0.0001 else "< 0.0001 s"
    return f"{shown(float(seconds))} s"


def style() -> Any:
    """The matplotlib context in which figures are made and saved."""
    from matplotlib.style import context

    # The user's settings are ignored, so that figures are the same everywhere.
    return context(["default", _STYLE])


def saved(figure: "Figure", ending: str) -> bytes:
    """A figure as a file of one of the `FORMATS`, without a date."""
    file = BytesIO()
    with style():
        show_as_they_are(figure)
        figure.savefig(file, format=ending, metadata=dict.fromkeys(FORMATS[ending]))
    if ending != "svg":
        return file.getvalue()
    # The lines of path data end with spaces.
    return b"\n".join(line.rstrip() for line in file.getvalue().splitlines()) + b"\n"


def drawn(name: str, outcomes: Sequence[Outcome]) -> dict[str, bytes] | str:
    """A figure as a file of each of the `FORMATS`, or the reason why it is missing."""
    with style():
        figure = FIGURES[name](outcomes)
    return figure if isinstance(figure, str) else {ending: saved(figure, ending) for ending in FORMATS}


def styles(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """A colour and a marker for each name; when the colours are used up, they repeat with other markers."""
    found: dict[str, tuple[str, str]] = {}
    for index, name in enumerate(dict.fromkeys(names)):
        turn = index // len(COLORS)
        found[name] = COLORS[index % len(COLORS)], MARKERS[(index + turn) % len(MARKERS)]
    return found


def panelled(items: Iterable[_Item], height: float, draw: Callable[[Any, _Item], None]) -> "Figure | None":
    """A figure with a panel of the given height in inches for each item, at most two in a row; None without items.

    Each panel has its legend below it.
    """
    from matplotlib.figure import Figure

    listed = list(items)
    if not listed:
        return None
    columns = min(len(listed), 2)
    rows = ceil(len(listed) / columns)
    width = NARROW if columns == 1 else WIDE
    figure = Figure(figsize=(width, rows * height), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for spare in axes[len(listed) :]:
        spare.remove()
    lines = 0
    for each, item in zip(axes, listed, strict=False):
        draw(each, item)
        handles, labels = each.get_legend_handles_labels()
        if labels:
            # A character is about 1/14 inch wide; mark and space take the width of six.
            in_a_row = max(round(14 * width / columns) // (max(map(len, labels)) + 6), 1)
            each.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=in_a_row)
            lines = max(lines, ceil(len(labels) / in_a_row))
    # The figure grows by the height of the legends, so that the panels keep theirs.
    figure.set_figheight(figure.get_figheight() + rows * _LINE * lines)
    return figure


def decades(*axes: Any) -> None:
    """Label axes of decimal logarithms with the numbers themselves; the limits of the axes must be set before."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    for axis in axes:
        low, high = sorted(axis.get_view_interval())
        if high - low > 2:
            axis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
            axis.set_major_formatter(FuncFormatter(power_of_ten))
            continue
        steps = (1, 2, 5) if high - low > 0.4 else (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)
        marks = [exponent + log10(step) for exponent in range(floor(low), ceil(high) + 1) for step in steps]
        axis.set_major_locator(FixedLocator([mark for mark in marks if low <= mark <= high]))
        axis.set_major_formatter(FuncFormatter(lambda exponent, _: power(exponent).replace(".00e", "e")))


def cactus(outcomes: Sequence[Outcome]) -> "Figure | str":
    """The number of runs that each engine solves within a given time, by goal."""
    goals = grouped_by(outcomes, lambda run: run.goal).items()
    looks = styles(run.label for run in outcomes)
    solved = [(goal, runs) for goal, runs in goals if any(run.solved for run in runs)]
    figure = panelled(solved, 3.6, lambda axes, goal: cactus_panel(axes, *goal, looks))
    return figure or "no run was solved, so there are no times to show"


def cactus_panel(axes: Any, goal: str, runs: Sequence[Outcome], looks: Mapping[str, tuple[str, str]]) -> None:
    """Draw the number of runs that each engine solves within a given time into axes."""
    most = 0
    for label, (color, marker) in looks.items():
        # The logarithm of 0 is not defined.
        seconds = sorted(log10(max(run.seconds, 1e-4)) for run in runs if run.solved and run.label == label)
        most = max(most, len(seconds))
        if seconds:
            every = max(len(seconds) // 12, 1)
            axes.plot(range(1, len(seconds) + 1), seconds, marker=marker, color=color, markevery=every, label=label)
    limits = {run.limit for run in runs if run.limit}
    if len(limits) == 1:
        axes.axhline(log10(*limits), color=DARK, linestyle="--", linewidth=1, label="time limit")
    axes.set(title=f"goal {goal}", xlabel="runs solved", ylabel="seconds", xlim=(0, 1.03 * most))
    axes.xaxis.get_major_locator().set_params(integer=True)
    decades(axes.yaxis)


def predicted_actual(outcomes: Sequence[Outcome]) -> "Figure | str":
    """Predicted against actual nodes, solutions and seconds; runs that a limit ended are lower bounds."""
    runs = distinct(outcomes)
    counted = [run for run in runs if run.counted]
    names = "order" if len({run.engine for run in counted}) == 1 and not any(run.slips for run in counted) else "label"
    points = {
        "nodes": _points(counted, "nodes", names),
        "solutions": _points(one_each(run for run in counted if run.solved), "solutions", "family"),
        "seconds": [
            (_within(run.predicted_seconds[0]), _within(run.processor_seconds), run.solved, run.engine)
            for run in runs
            if run.predicted_seconds is not None
        ],
    }
    drawable_ones = [
        (what, those) for what, those in points.items() if any(actual is not None for _, actual, *_ in those)
    ]
    figure = panelled(drawable_ones, 4.0, lambda axes, item: scattered(axes, *item))
    return figure or (
        "no run with a prediction counted anything" if any(points.values()) else "there is no prediction for these runs"
    )


def _points(runs: Sequence[Outcome], quantity: str, name: str) -> list[Point]:
    """The points of the runs for which something is predicted; more names than colours are replaced by their kind."""
    if len({(getattr(run, name), run.planted > 0) for run in runs}) > len(COLORS):
        name = "kind" if name == "family" else "engine"
    return [
        (log, run.log_actual(quantity), run.done, str(getattr(run, name)) + ", planted" * (run.planted > 0))
        for run in runs
        if (log := run.log_predicted(quantity)) is not None and (quantity != "nodes" or run.measure("nodes"))
    ]


def _within(seconds: float) -> float:
    """The logarithm of a time, limited to the range of the figure."""
    return min(max(log10(max(seconds, 1e-300)), _SHORTEST), _LONGEST)


def scattered(axes: Any, what: str, points: Sequence[Point]) -> None:
    """Draw points around the diagonal, with bands of the factors 2 and 10; `what` is the quantity."""
    known = [value for x, y, _, _ in points for value in (x, y) if value is not None]
    ends = (min(known) - 0.5, max(known) + 0.5)
    for factor, color in ((10, PALE), (2, PALE_2)):
        below, above = ([end + sign * log10(factor) for end in ends] for sign in (-1, 1))
        axes.fill_between(ends, below, above, color=color, linewidth=0, zorder=0)
    axes.plot(ends, ends, color=DARK, linewidth=0.8, zorder=1)
    size = 4.5 if len(points) < 300 else 3
    for name, (color, marker) in styles(sorted({name for *_, name in points})).items():
        mine = [point for point in points if point[-1] == name]
        whole, ended = (
            [(x, ends[0] + 0.1 if y is None else y) for x, y, is_done, _ in mine if is_done is is_whole]
            for is_whole in (True, False)
        )
        look = {"color": color, "markersize": size, "linestyle": "none", "marker": marker}
        if whole:
            axes.plot(*zip(*whole, strict=True), label=name, alpha=0.7, markeredgewidth=0, **look)
        if ended:
            axes.plot(*zip(*ended, strict=True), fillstyle="none", label=None if whole else name, **look)
            axes.quiver(*zip(*ended, strict=True), 0, 1, color=color, angles="uv", scale=22, width=0.004, headwidth=5)
    axes.set(xlim=ends, ylim=ends, box_aspect=1, xlabel=f"predicted {what}", ylabel=f"actual {what}")
    decades(axes.xaxis, axes.yaxis)


#: The function that makes each figure, or says why it is missing.
FIGURES: "Mapping[str, Callable[[Sequence[Outcome]], Figure | str]]" = {
    "cactus": cactus,
    "predicted-actual": predicted_actual,
}

#: The caption of each figure, as plain text.
CAPTIONS: Mapping[str, str] = {
    "cactus": (
        "Number of runs that each engine solved within a given time. Curves further to the right and lower are better."
    ),
    "predicted-actual": (
        "Predicted and actual numbers of nodes and of solutions, for the goals count and all, and predicted and actual "
        "processor times. Hollow marks with an arrow are runs that a limit ended: the actual number is at least that. "
        "Marks at the lower edge: the run found none. The bands are factors of 2 and 10. Times below a millisecond or "
        "above a million seconds are drawn at the edge. The model predicts for random sets: planted puzzles have marks "
        "of their own, and their planted solutions are added to the predicted ones."
    ),
}
