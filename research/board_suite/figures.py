"""Draw the figures of the page on the board suite.

    python research/board_suite/figures.py suite-solutions.svg suite-prices.svg suite-predicted.svg suite-engines.svg

The name of a file says which figure it gets; it may be in another folder.
"""

import argparse
from itertools import groupby
from math import log10
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from results import Cell, Pair, cells, known_pairs, mean_of, table, whole

from jigsat.estimators.experiments.figures import (
    BAD,
    DARK,
    GOOD,
    PALE_2,
    WIDE,
    cactus_panel,
    decades,
    panelled,
    saved,
    style,
    styles,
)

#: Finished boards are put together by their inner colours for each row of the board, in steps of this width.
_STEP = 0.25


def solutions() -> Any:
    """The solutions beyond the planted one, by size and by colours."""
    by_size = [(size, mean_of([*those])) for size, those in groupby(whole(), key=lambda cell: cell.size)]

    def step(cell: Cell) -> float:
        return int(cell.inner_colors / cell.size / _STEP) * _STEP + _STEP / 2

    by_colors = [(at, mean_of([*those])) for at, those in groupby(sorted(whole(), key=step), key=step)]
    panels = (("squares a side", by_size), ("inner colours, for each square a side", by_colors))
    return panelled(panels, 3.6, _solutions_panel)


def _solutions_panel(axes: Any, item: Any) -> None:
    name, means = item
    places = [place for place, _ in means]
    axes.errorbar(
        places, [mean.mean for _, mean in means], [1.96 * mean.error for _, mean in means], fmt="o", color=GOOD,
        label="published",
    )  # fmt: skip
    axes.plot(places, [mean.exchanges for _, mean in means], color=BAD, label="exchanges")
    axes.plot(places, [mean.expected for _, mean in means], "--", color=DARK, linewidth=1, label="Owen's model")
    axes.set(xlabel=name, ylabel="solutions beyond the planted one")
    axes.set_ylim(bottom=-0.02)


def prices() -> Any:
    """A map of the predicted times of counts, with where boards are finished."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE, 4.6), layout="constrained")
    axes = figure.subplots()
    sizes = sorted({cell.size for cell in cells()})
    most = max(cell.inner_colors for cell in cells())
    grid = np.full((most + 1, len(sizes)), np.nan)
    for cell in cells():
        grid[cell.inner_colors, sizes.index(cell.size)] = log10(cell.seconds)
    edges = [size - 0.5 for size in (*sizes, sizes[-1] + 1)]
    shown = axes.pcolormesh(edges, np.arange(most + 2) - 0.5, grid, cmap="viridis_r", vmin=-2, vmax=13)
    # Times beyond a year are drawn up to 10^13 s.
    bar = figure.colorbar(shown, ax=axes, extend="both", label="predicted seconds, median")
    decades(bar.ax.yaxis)
    for is_all, look in ((True, "."), (False, "x")):
        marked = [cell for cell in cells() if cell.more and (len(cell.more) == cell.boards) is is_all]
        label = f"{'all' if is_all else 'some'} boards finished"
        places = [cell.size for cell in marked], [cell.inner_colors for cell in marked]
        axes.plot(*places, look, color="white", markeredgecolor=DARK, markersize=4, linestyle="none", label=label)
    hardest = [max((cell for cell in cells() if cell.size == size), key=lambda cell: cell.seconds) for size in sizes]
    axes.plot(sizes, [cell.inner_colors for cell in hardest], "-", color=BAD, label="hardest")
    axes.set(xlabel="squares a side", ylabel="inner colours", xticks=sizes)
    axes.grid(visible=False)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def predicted() -> Any:
    """Predicted against actual nodes and seconds, with the interval of 90 %."""
    return panelled([(what, known_pairs(what)) for what in ("nodes", "seconds")], 4.0, _predicted_panel)


def _predicted_panel(axes: Any, item: tuple[str, list[Pair]]) -> None:
    what, pairs = item
    values = [log10(value) for pair in pairs for value in (pair.predicted, pair.actual)]
    ends = min(values) - 0.3, max(values) + 0.3
    steps = [(at, [*those]) for at, those in groupby(sorted(pairs, key=_step), key=_step)]
    bounds = [
        [float(np.median([log10(end(pair) / pair.predicted) for pair in those])) + at for at, those in steps]
        for end in (lambda pair: pair.low, lambda pair: pair.high)
    ]
    axes.fill_between(
        [at for at, _ in steps], *bounds, color=PALE_2, linewidth=0, zorder=0, label="90 % interval, median"
    )
    axes.plot(ends, ends, color=DARK, linewidth=0.8, zorder=1)
    looks = styles(sorted({pair.source for pair in pairs}))
    for source, (color, marker) in looks.items():
        places = [(log10(pair.predicted), log10(pair.actual)) for pair in pairs if pair.source == source]
        axes.plot(
            *zip(*places, strict=True), marker=marker, color=color, markersize=3, linestyle="none", alpha=0.6,
            markeredgewidth=0, label=source,
        )  # fmt: skip
    axes.set(xlim=ends, ylim=ends, box_aspect=1, xlabel=f"predicted {what}", ylabel=f"actual {what}")
    decades(axes.xaxis, axes.yaxis)


def _step(pair: Pair) -> float:
    """The half decade of a prediction, by its middle."""
    return np.floor(2 * log10(pair.predicted)) / 2 + 0.25


def engines() -> Any:
    """How many boards of each size each engine counts within a given time."""
    runs = [(int(row["board"].split("-")[0]), _run(row)) for row in table("engines.csv")]
    looks = styles(run.label for _, run in runs)

    def panel(axes: Any, size: int) -> None:
        those = [run for of, run in runs if of == size]
        cactus_panel(axes, "count", those, looks)
        axes.set(title=f"{size}x{size}, {len({run.board for run in those})} boards", xlabel="boards counted")

    return panelled(sorted({size for size, _ in runs}), 3.2, panel)


def _run(row: dict[str, str]) -> Any:
    """What the figure needs of a run."""
    solved, seconds, limit = row["outcome"] == "solved", float(row["seconds"]), float(row["limit"])
    return SimpleNamespace(board=row["board"], label=row["engine"], solved=solved, seconds=seconds, limit=limit)


FIGURES = {
    "suite-solutions": solutions,
    "suite-prices": prices,
    "suite-predicted": predicted,
    "suite-engines": engines,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", type=Path, nargs="+", help=f"SVG files, called {', '.join(FIGURES)}")
    for path in parser.parse_args().files:
        with style():
            figure = FIGURES[path.stem]()
        path.write_bytes(saved(figure, "svg"))


if __name__ == "__main__":
    main()
