"""Figures of searches by depth, made with matplotlib (an extra).

Names in figures are shown as they are, whatever they contain.
"""

from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, cast

from ..base.errors import JigsatError, need_extra
from ..base.safe_files import replacing
from ..files.file_format import format_for

#: The formats of figures, with the endings of their files.
PLOT_FORMATS = {"svg": (".svg",), "png": (".png",), "pdf": (".pdf",)}
# The digits of exponents.
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW = "\u202f"
# The longest line of a text; a name may have 200 characters.
_MOST = 80
# An axis with at most this number of powers of ten is labelled by numbers.
_FEW_POWERS = 2
# The size in inches of a figure with one panel, and with two.
_SIZES = {1: (5.4, 3.8), 2: (9.0, 4.2)}


def refuse_unless_drawable(path: str | Path) -> None:
    """Check that a figure can be written, before any work is done.

    Raises JigsatError if matplotlib or the folder is missing, or the file has an unknown ending.
    """
    path = Path(path)
    format_for(path, PLOT_FORMATS)
    if not path.parent.is_dir():
        raise JigsatError(f"{path}: cannot be written: there is no folder {path.parent}")
    _need_matplotlib()


def _need_matplotlib() -> None:
    need_extra("matplotlib", extra="plots", what="figures need")


class HasFigure:
    """A base class of what has a figure."""

    __slots__ = ()

    def _draw(self, axes: Any) -> None:
        """Draw the figure into axes of matplotlib."""
        raise NotImplementedError

    def _draw_beside(self) -> Callable[[Any], None] | None:
        """What draws the second panel of a file, if it has one."""
        return None

    def plot(self, path: str | Path | None = None, *, ax: Any = None) -> Any:
        """Draw the figure; a notebook shows it.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, which ends in ``.pdf``, ``.png`` or ``.svg``, instead of showing it.
        ax : matplotlib.axes.Axes, optional
            The axes to draw into (default: new ones).

        Returns
        -------
        matplotlib.axes.Axes
            The axes.

        Raises
        ------
        JigsatError
            If matplotlib is missing, or the file cannot be written or has an unknown ending.
        """
        beside = self._draw_beside() if path is not None and ax is None else None
        draw = [self._draw] if beside is None else [self._draw, beside]
        axes = [ax] if ax is not None else _new_axes(path, len(draw))
        for panel, each in zip(draw, axes, strict=True):
            panel(each)
            show_as_they_are(each)
        figure = axes[0].figure
        if ax is None:
            figure.tight_layout()
        if path is not None:
            _save(figure, Path(path))
        return axes[0]


def _new_axes(path: str | Path | None, panels: int) -> Sequence[Any]:
    """New axes, of a figure that notebooks show unless it is for a file."""
    if path is not None:
        refuse_unless_drawable(path)
        from matplotlib.figure import Figure

        return Figure(figsize=_SIZES[panels]).subplots(1, panels, squeeze=False)[0]
    _need_matplotlib()
    from matplotlib import pyplot

    return pyplot.subplots(1, panels, figsize=_SIZES[panels], squeeze=False)[1][0]


def _save(figure: Any, path: Path) -> None:
    import matplotlib

    kind = path.suffix.lower().lstrip(".")
    # The same figure gives the same file.
    with replacing(path) as file, matplotlib.rc_context({"svg.hashsalt": "jigsat"}):
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(cast(TextIOWrapper, file).buffer, format=kind, metadata=metadata)


def plot_found(axes: Any, nodes: Iterable[int], label: str) -> None:
    """Draw numbers of nodes by depth, from 1, as marks; those that are 0 are left out."""
    found = [(depth, log10(number)) for depth, number in enumerate(nodes, start=1) if number]
    if found:
        axes.plot(*zip(*found, strict=True), label=label, color="C1", linestyle="", marker="o", markersize=3.5)


def label_nodes(axes: Any, title: str) -> None:
    """Label axes of depths and of decimal logarithms of nodes."""
    powers_of_ten(axes.yaxis)
    label(axes, "depth (pieces placed)", "nodes", title)


def powers_of_ten(axis: Any) -> None:
    """Label an axis of decimal logarithms, after all is drawn: by powers of ten, or by numbers if there are few."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    low, high = sorted(axis.get_view_interval())
    if high - low > _FEW_POWERS:
        axis.set_major_locator(MaxNLocator(integer=True))
        axis.set_major_formatter(FuncFormatter(power_of_ten))
        return
    marks = [exponent + log10(step) for exponent in range(floor(low), ceil(high) + 1) for step in (1, 2, 5)]
    axis.set_major_locator(FixedLocator([mark for mark in marks if low <= mark <= high]))
    axis.set_major_formatter(FuncFormatter(lambda exponent, _: f"{10**exponent:.3g}"))


def label(axes: Any, x: str, y: str, title: str) -> None:
    """Label axes, with a grid, and a legend if something has a label."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, fontsize="medium")
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize="small")


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
