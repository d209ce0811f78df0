"""Figures of predictions, made with matplotlib (an extra)."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

import numpy as np

from ...csp.engines.figures import drawable, label, label_nodes, plot_found, powers_of_ten
from ..owen.chances import Chances
from ..owen.complexity import Complexity, Estimate
from .probes import Probes


def draw_estimates(axes: Any, model: Complexity, estimates: Mapping[str, Estimate]) -> None:
    """Plot expected nodes by depth, a curve for each order."""
    for name, estimate in estimates.items():
        axes.plot(*_curve(estimate), label=name, linewidth=1.2)
    label_nodes(axes, f"{model.puzzle.name}: expected nodes")


def draw_chances(axes: Any, model: Complexity) -> None:
    """Plot the probability that a join is valid."""
    for name, ratios in (("frame joins", _ratios(model.frame)), ("inner joins", _ratios(model.inner))):
        if ratios:
            axes.plot(range(1, len(ratios) + 1), ratios, label=name, linewidth=1.2)
    axes.set_ylim(0, 1.02)
    label(axes, "join", "probability of a valid join, given the joins before", "Joins in sequence")


def draw_comparison(
    axes: Any, name: str, predicted: Estimate | None, probes: Probes | None, counted: Sequence[int]
) -> None:
    """Plot nodes by depth: predicted, estimated by probes, and counted by a search."""
    if predicted is not None:
        axes.plot(*_curve(predicted), label="predicted", color="C0", linewidth=1.2)
    if probes is not None:
        fixed = 0 if predicted is None else len(predicted.order) - len(probes.nodes)
        known = [d for d, good in enumerate(probes.trusted) if good and probes.nodes[d] > 2 * probes.errors[d]]
        middle = np.log10(probes.nodes[known])
        low, high = (np.log10(probes.nodes[known] + sign * 2 * probes.errors[known]) for sign in (-1, 1))
        axes.errorbar(
            np.array(known) + fixed + 1, middle, (middle - low, high - middle), label="probed, 2 standard errors",
            color="C2", linestyle="none", marker="x", markersize=4,
        )  # fmt: skip
    plot_found(axes, counted, "actual")
    label_nodes(axes, f"{name}: nodes of the search")


def draw_times(axes: Any, title: str, times: Sequence[tuple[str, float, float, float]]) -> None:
    """Plot seconds by name, the first one on top: the logarithms of the low end, the median and the high end."""
    for place, (_, low, median, high) in enumerate(times):
        axes.errorbar(median, place, xerr=([median - low], [high - median]), fmt="o", color="C0", capsize=3)
    axes.set_yticks(range(len(times)), [drawable(name) for name, *_ in times])
    axes.invert_yaxis()
    powers_of_ten(axes.xaxis)
    label(axes, "seconds", "", title)


def _curve(estimate: Estimate) -> tuple[list[int], list[float]]:
    """Depths with nodes, and the decimal logarithms of the nodes, which may be too large for a float."""
    logs = [(d, log10(n) - log10(estimate.denominator)) for d, n in enumerate(estimate.numerators, 1) if n > 0]
    return [depth for depth, _ in logs], [nodes for _, nodes in logs]


def _ratios(chances: Chances) -> list[float]:
    """The probability that join number 1, 2, ... is valid if those before it are."""
    pairs = zip(chances.numerators[1:], chances.numerators[:-1], strict=True)
    return [10 ** (log10(after) - log10(before)) for after, before in pairs if after and before]
