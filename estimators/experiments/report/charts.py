"""The figures of a report, by name."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..analysis.analysis import Analysis
from . import charts_engines, charts_predictions
from .chart_style import style, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What makes each figure, or None where the runs have nothing for it; the template of the page has their captions.
CHARTS: "Mapping[str, Callable[[Analysis], Figure | None]]" = {
    "cactus": charts_engines.cactus,
    "winners": charts_engines.winners,
    "times": charts_predictions.times,
    "predicted-actual": charts_predictions.predicted_actual,
    "calibration": charts_predictions.calibration,
    "depths": charts_predictions.depths,
    "depth-curves": charts_predictions.depth_curves,
    "ranking": charts_predictions.ranking,
    "peak": charts_engines.peak,
    "transfer": charts_engines.transfer,
}


def drawn(name: str, analysis: Analysis) -> str | None:
    """A figure as SVG, the same text for the same runs; None where they have nothing for it."""
    with style():
        figure = CHARTS[name](analysis)
    return None if figure is None else svg_of(figure)
