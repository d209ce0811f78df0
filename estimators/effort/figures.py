"""Figures of predictions, made with matplotlib (an extra)."""

from collections.abc import Mapping, Sequence
from math import log10
from pathlib import Path
from typing import Any

import numpy as np

from ...csp.engines.figures import axes_for, drawable, finished, label, label_nodes, plot_found, powers_of_ten
from ..owen.chances import Chances
from ..owen.complexity import Complexity, Estimate
from .probes import Probes


def draw_estimates(
    model: Complexity, estimates: Mapping[str, Estimate], path: str | Path | None = None, ax: Any = None
) -> Any:
    """Plot expected nodes by depth, a curve for each order; in a file also the probability that a join is valid.

    Raises JigsatError if matplotlib is missing, or the file cannot be written or has an unknown ending.
    """
    axes = axes_for(ax, path, panels=1 if path is None else 2)
    for name, estimate in estimates.items():
        axes[0].plot(*_curve(estimate), label=name, linewidth=1.2)
    label_nodes(axes[0], f"{model.puzzle.name}: expected nodes")
    for chances in axes[1:]:
        for name, ratios in (("frame joins", _ratios(model.frame)), ("inner joins", _ratios(model.inner))):
            if ratios:
                chances.plot(range(1, len(ratios) + 1), ratios, label=name, linewidth=1.2)
        chances.set_ylim(0, 1.02)
        label(chances, "join", "probability of a valid join, given the joins before", "Joins in sequence")
    return finished(axes, ax, path)


def draw_comparison(
    name: str,
    predicted: Estimate | None,
    probes: Probes | None,
    counted: Sequence[int],
    path: str | Path | None = None,
    ax: Any = None,
) -> Any:
    """Plot nodes by depth: predicted, estimated by probes, and counted by a search.

    Raises JigsatError if matplotlib is missing, or the file cannot be written or has an unknown ending.
    """
    axes = axes_for(ax, path)
    if predicted is not None:
        axes[0].plot(*_curve(predicted), label="predicted", color="C0", linewidth=1.2)
    if probes is not None:
        fixed = 0 if predicted is None else len(predicted.order) - len(probes.nodes)
        known = [d for d, good in enumerate(probes.trusted) if good and probes.nodes[d] > 2 * probes.errors[d]]
        middle = np.log10(probes.nodes[known])
        low, high = (np.log10(probes.nodes[known] + sign * 2 * probes.errors[known]) for sign in (-1, 1))
        axes[0].errorbar(
            np.array(known) + fixed + 1, middle, (middle - low, high - middle), label="probed, 2 standard errors",
            color="C2", linestyle="none", marker="x", markersize=4,
        )  # fmt: skip
    plot_found(axes[0], counted, "actual")
    label_nodes(axes[0], f"{name}: nodes of the search")
    return finished(axes, ax, path)


def draw_times(
    title: str,
    times: Sequence[tuple[str, float, float, float]],
    path: str | Path | None = None,
    ax: Any = None,
) -> Any:
    """Plot seconds by name, the first one on top: the median, and an interval with these ends.

    Raises JigsatError if matplotlib is missing, or the file cannot be written or has an unknown ending.
    """
    axes = axes_for(ax, path)
    for place, (_, *seconds) in enumerate(times):
        middle, low, high = (log10(max(value, 1e-300)) for value in seconds)
        axes[0].errorbar(middle, place, xerr=([middle - low], [high - middle]), fmt="o", color="C0", capsize=3)
    axes[0].set_yticks(range(len(times)), [drawable(name) for name, *_ in times])
    axes[0].invert_yaxis()
    powers_of_ten(axes[0].xaxis)
    label(axes[0], "seconds", "", title)
    return finished(axes, ax, path)


def _curve(estimate: Estimate) -> tuple[list[int], list[float]]:
    """Depths with nodes, and the decimal logarithms of the nodes, which may be too large for a float."""
    logs = [(d, log10(n) - log10(estimate.denominator)) for d, n in enumerate(estimate.numerators, 1) if n > 0]
    return [depth for depth, _ in logs], [nodes for _, nodes in logs]


def _ratios(chances: Chances) -> list[float]:
    """The probability that join number 1, 2, ... is valid if those before it are."""
    pairs = zip(chances.numerators[1:], chances.numerators[:-1], strict=True)
    return [10 ** (log10(after) - log10(before)) for after, before in pairs if after and before]
