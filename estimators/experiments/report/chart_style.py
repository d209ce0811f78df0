"""The style of the figures of a report: colours that are safe for colour-blind readers, sizes, axes, files."""

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, TypeVar

from ...effort.figures import power_of_ten, show_as_they_are
from .wording import power

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_Item = TypeVar("_Item")

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


def styles(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """A colour and a marker for each name; when the colours are used up, they repeat with other markers."""
    found: dict[str, tuple[str, str]] = {}
    for index, name in enumerate(dict.fromkeys(names)):
        turn = index // len(COLORS)
        found[name] = COLORS[index % len(COLORS)], MARKERS[(index + turn) % len(MARKERS)]
    return found


def legend_below(figure: "Figure", axes: Sequence[Any]) -> None:
    """Add one legend for all panels below them, with as many entries in a row as fit."""
    found: dict[str, Any] = {}
    for each in axes:
        handles, labels = each.get_legend_handles_labels()
        found |= {label: handle for handle, label in zip(handles, labels, strict=True) if label not in found}
    if found:
        columns = _entries_in_a_row(found, figure.get_figwidth())
        # The figure grows by the height of the legend, so that the panels keep theirs.
        figure.set_figheight(figure.get_figheight() + _LINE * ceil(len(found) / columns))
        figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=columns)


def legends_under(figure: "Figure", axes: Sequence[Any]) -> None:
    """Add a legend below each panel."""
    lines = [0]
    for each in axes:
        handles, labels = each.get_legend_handles_labels()
        if labels:
            columns = _entries_in_a_row(labels, figure.get_figwidth() / len(axes))
            each.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns)
            lines.append(ceil(len(labels) / columns))
    figure.set_figheight(figure.get_figheight() + _LINE * max(lines))


def panelled(
    items: Iterable[_Item],
    height: float,
    draw: Callable[[Any, _Item], None],
    legend: "Callable[[Figure, Sequence[Any]], None]" = legend_below,
) -> "Figure | None":
    """A figure with a panel of the given height in inches for each item, at most two in a row; None without items."""
    from matplotlib.figure import Figure

    listed = list(items)
    if not listed:
        return None
    columns = min(len(listed), 2)
    rows = ceil(len(listed) / columns)
    figure = Figure(figsize=(NARROW if columns == 1 else WIDE, rows * height), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for spare in axes[len(listed) :]:
        spare.remove()
    for each, item in zip(axes, listed, strict=False):
        draw(each, item)
    legend(figure, axes[: len(listed)])
    return figure


def _entries_in_a_row(labels: Iterable[str], width: float) -> int:
    # A character is about 1/14 inch wide; mark and space take the width of six.
    return max(round(14 * width) // (max(map(len, labels)) + 6), 1)


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


def ratio_axis(axes: Any, which: str, values: Iterable[float]) -> None:
    """Make a logarithmic axis of ratios around 1, with 1/1.5 .. 1.5 marked; it ends at 1000."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    far = min(max([log10(1.7), *(abs(log10(value)) * 1.08 for value in values if value > 0)]), 3)
    steps = (1, 1.5, 2, 3, 5, 10) if far <= 1 else (1, 3, 10, 100, 1000)
    ticks = sorted({*steps, *(1 / step for step in steps)})
    axes.set(**{f"{which}scale": "log", f"{which}lim": (10**-far, 10**far)})
    axis, band, line = (
        (axes.yaxis, axes.axhspan, axes.axhline) if which == "y" else (axes.xaxis, axes.axvspan, axes.axvline)
    )
    axis.set_major_locator(FixedLocator([tick for tick in ticks if abs(log10(tick)) <= far]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"1/{1 / value:.4g}" if value < 0.999 else f"{value:.4g}"))
    band(1 / 1.5, 1.5, color=PALE, linewidth=0, zorder=0)
    line(1, color=DARK, linewidth=0.8, zorder=1)
