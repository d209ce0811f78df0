"""Figures of predictions, made with matplotlib (an extra).

Names in figures are shown as they are, whatever they contain.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from io import TextIOWrapper
from math import log10
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...csp.base.errors import JigsatError
from ...csp.base.safe_files import replacing
from ...csp.files.file_format import format_for
from ..owen.chances import Chances
from ..owen.complexity import Complexity, Estimate
from .search_effort import Effort

#: The formats of figures, with the endings of their files.
PLOT_FORMATS = {"svg": (".svg",), "png": (".png",), "pdf": (".pdf",)}
# The digits of exponents.
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW = "\u202f"
# The longest line of a text; a name may have 200 characters.
_MOST = 80


def draw_estimates(model: Complexity, estimates: Mapping[str, Estimate], path: Path) -> None:
    """Plot expected nodes by depth, a curve for each order, and next to it the probability that a join is valid.

    Raises JigsatError if matplotlib is missing, or the file cannot be written or has an unknown ending.
    """
    figure, (nodes, chances) = _figure(2, path)
    for name, estimate in estimates.items():
        nodes.plot(*_curve(estimate), label=name, linewidth=1.2)
    _label_nodes(nodes, f"{model.puzzle.name}: expected nodes")
    for name, ratios in (("frame joins", _ratios(model.frame)), ("inner joins", _ratios(model.inner))):
        if ratios:
            chances.plot(range(1, len(ratios) + 1), ratios, label=name, linewidth=1.2)
    chances.set_ylim(0, 1.02)
    _label(chances, "join", "probability of a valid join, given the joins before", "Joins in sequence")
    _save(figure, path)


def draw_comparison(effort: Effort, name: str, path: Path) -> None:
    """Plot nodes by depth: predicted, counted by the search, and estimated by probes.

    Raises JigsatError if matplotlib is missing, or the file cannot be written or has an unknown ending.
    """
    figure, (axes,) = _figure(1, path)
    axes.plot(*_curve(effort.searched), label="predicted", color="C0", linewidth=1.2)
    if effort.probes is not None:
        probes, fixed = effort.probes, len(effort.searched.order) - len(effort.probes.nodes)
        known = [d for d, good in enumerate(probes.trusted) if good and probes.nodes[d] > 2 * probes.errors[d]]
        middle = np.log10(probes.nodes[known])
        low, high = (np.log10(probes.nodes[known] + sign * 2 * probes.errors[known]) for sign in (-1, 1))
        axes.errorbar(
            np.array(known) + fixed + 1, middle, (middle - low, high - middle), label="probed, 2 standard errors",
            color="C2", linestyle="none", marker="x", markersize=4,
        )  # fmt: skip
    if effort.actual is not None:
        counted = effort.actual.nodes_by_depth[: effort.counted_depths]
        found = [(d, log10(number)) for d, number in enumerate(counted, start=1) if number]
        if found:
            axes.plot(*zip(*found, strict=True), label="actual", color="C1", linestyle="", marker="o", markersize=3.5)
    _label_nodes(axes, f"{name}: nodes of the search")
    _save(figure, path)


def refuse_unless_drawable(path: str | Path) -> None:
    """Check that a figure can be written, before any work is done.

    Raises JigsatError if matplotlib or the folder is missing, or the file has an unknown ending.
    """
    path = Path(path)
    format_for(path, PLOT_FORMATS)
    if not path.parent.is_dir():
        raise JigsatError(f"{path}: cannot be written: there is no folder {path.parent}")
    if find_spec("matplotlib") is None:
        raise JigsatError("figures need matplotlib: pip install 'jigsat[plots]'")


def _figure(columns: int, path: Path) -> tuple[Any, Sequence[Any]]:
    refuse_unless_drawable(path)
    import matplotlib

    matplotlib.use("agg")
    # The same figure gives the same file.
    matplotlib.rcParams["svg.hashsalt"] = "jigsat"
    from matplotlib import pyplot

    size = (9.0, 4.2) if columns > 1 else (5.4, 3.8)
    figure, axes = pyplot.subplots(1, columns, figsize=size, squeeze=False)
    return figure, axes[0]


def _curve(estimate: Estimate) -> tuple[list[int], list[float]]:
    """Depths with nodes, and the decimal logarithms of the nodes, which may be too large for a float."""
    logs = [(d, log10(n) - log10(estimate.denominator)) for d, n in enumerate(estimate.numerators, 1) if n > 0]
    return [depth for depth, _ in logs], [nodes for _, nodes in logs]


def _ratios(chances: Chances) -> list[float]:
    """The probability that join number 1, 2, ... is valid if those before it are."""
    pairs = zip(chances.numerators[1:], chances.numerators[:-1], strict=True)
    return [10 ** (log10(after) - log10(before)) for after, before in pairs if after and before]


def _label_nodes(axes: Any, title: str) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(power_of_ten))
    _label(axes, "depth (pieces placed)", "nodes", title)


def _label(axes: Any, x: str, y: str, title: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, fontsize="medium")
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize="small")


def _save(figure: Any, path: Path) -> None:
    from matplotlib import pyplot

    show_as_they_are(figure)
    figure.tight_layout()
    with replacing(path) as file:
        kind = path.suffix.lower().lstrip(".")
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(cast(TextIOWrapper, file).buffer, format=kind, metadata=metadata)
    pyplot.close(figure)


def power_of_ten(exponent: float, _: object = None) -> str:
    """A power of ten, for a formatter of axes.

    Examples
    --------
    >>> power_of_ten(-3.0)
    '10⁻³'
    """
    return "10" + f"{exponent:.0f}".translate(_RAISED)


def show_as_they_are(figure: Any) -> None:
    """Let no text of a figure be read as a formula, be too long, or have characters that its font lacks.

    The labels of ticks are made later; see `drawable`.
    """
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
        text.set_text(drawable(text.get_text()))


def drawable(text: str) -> str:
    """A text of one or more lines without control characters and characters that the font of figures lacks."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont("DejaVu Sans"))

    def letter(one: str) -> str:
        visible = one.isprintable() or one == _NARROW
        return one if visible and font.get_char_index(ord(one)) else "\ufffd"

    lines = ("".join(map(letter, line)) for line in text.split("\n"))
    return "\n".join(line if len(line) <= _MOST else line[: _MOST - 1] + "…" for line in lines)
