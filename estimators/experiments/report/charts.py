"""The figures of a report, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..analysis.analysis import Analysis
from . import charts_engines, charts_predictions
from .chart_style import style, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Chart:
    """A figure that a report may have.

    Parameters
    ----------
    name
        What its file is called.
    draw
        Makes it; None where the runs have nothing for it.
    caption
        What it shows, and how it is to be read.
    """

    name: str
    draw: "Callable[[Analysis], Figure | None]"
    caption: str


#: In the order of the report.
CHARTS = (
    Chart(
        "cactus",
        charts_engines.cactus,
        "How many runs each engine solved within which time. Further to the right and lower is better.",
    ),
    Chart(
        "winners",
        charts_engines.winners,
        "The engine of least PAR-2 for each size and number of inner colours, with its median seconds; hatched where "
        "no engine solved more than half of the puzzles.",
    ),
    Chart(
        "predicted-actual",
        charts_predictions.predicted_actual,
        "Predicted and actual numbers of runs that count. Hollow marks with an arrow: a limit ended the run, the "
        "actual number is at least that. Marks at the lower edge: none found. The bands are factors of 2 and 10.",
    ),
    Chart(
        "calibration",
        charts_predictions.calibration,
        "Actual over predicted numbers: every complete run, and the geometric mean of each family with its 95 % "
        "interval. The band is 1/1.5 .. 1.5.",
    ),
    Chart(
        "depths",
        charts_predictions.depths,
        "Actual over predicted nodes at each depth: geometric mean over the puzzles, with its 95 % interval. The band "
        "is 1/1.5 .. 1.5; squares lie outside it.",
    ),
    Chart(
        "depth-curves",
        charts_predictions.depth_curves,
        "Predicted and actual nodes at each depth, geometric means over the puzzles of a family.",
    ),
    Chart(
        "ranking",
        charts_predictions.ranking,
        "Predicted and actual nodes of the search orders. A line joins the orders on one puzzle: where it falls, the "
        "order predicted to be dearer was cheaper; red where the predictions differ by more than a factor of 2.",
    ),
    Chart(
        "peak",
        charts_engines.peak,
        "Median effort to the first solution, with quartiles, over the number of inner colours. Hollow triangles: "
        "beyond the limit; 3/30: so many of the runs are not solved.",
    ),
    Chart(
        "transfer",
        charts_engines.transfer,
        "What the prediction says of the effort, against what each engine needed. Triangles: a limit ended the run.",
    ),
)


def drawn(chart: Chart, analysis: Analysis) -> str | None:
    """A figure as SVG, the same text for the same runs; None where they have nothing for it."""
    with style():
        figure = chart.draw(analysis)
    return None if figure is None else svg_of(figure)
