"""The figures of a report, by name, with their captions."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..analysis.analysis import Analysis
from . import charts_engines, charts_predictions
from .chart_style import FORMATS, saved, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The function that makes each figure; it returns None if the runs have no data for the figure.
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

#: The caption of each figure, as plain text.
CAPTIONS: Mapping[str, str] = {
    "cactus": (
        "Number of runs that each engine solved within a given time. Curves further to the right and lower are better."
    ),
    "winners": (
        "The engine with the lowest PAR-2 for each size and number of inner colours, with its median time in "
        "seconds. Hatched: no engine solved more than half of the puzzles."
    ),
    "times": (
        "Predicted and actual processor time of each engine, in seconds. Hollow marks with an arrow are runs that a "
        "limit ended: they take at least that long. The bands are factors of 2 and 10. Times below a millisecond or "
        "above a million seconds are drawn at the edge."
    ),
    "predicted-actual": (
        "Predicted and actual numbers of nodes and of solutions, for the goals count and all. Hollow marks with an "
        "arrow are runs that a limit ended: the actual number is at least that. Marks at the lower edge: the run "
        "found none. The bands are factors of 2 and 10."
    ),
    "calibration": (
        "Actual over predicted numbers: every complete run, and the geometric mean of each family with its 95 % "
        "interval. The band is 1/1.5 .. 1.5."
    ),
    "depths": (
        "Actual over predicted nodes at each depth: geometric mean over the puzzles, with its 95 % interval. The "
        "band is 1/1.5 .. 1.5; squares lie outside it."
    ),
    "depth-curves": "Predicted and actual nodes at each depth: geometric means over the puzzles of a family.",
    "ranking": (
        "Predicted and actual nodes of the search orders. A line joins the orders on one puzzle. Where it falls, the "
        "order with more predicted nodes needed fewer; it is red if the predictions differ by more than a factor of 2."
    ),
    "peak": (
        "Median effort to the first solution, with quartiles, by number of inner colours. Hollow triangles: beyond "
        "the limit. A label such as 3/30: 3 of 30 runs are not solved."
    ),
    "transfer": (
        "Predicted effort and the measured effort of each engine. Triangles are runs that a limit ended: the effort "
        "is at least that."
    ),
}


def drawn(name: str, analysis: Analysis) -> dict[str, bytes] | None:
    """A figure as a file of each of the `FORMATS`; None if the runs have no data for it.

    The files are the same, byte for byte, for the same runs and version of matplotlib.
    """
    with style():
        figure = CHARTS[name](analysis)
    return None if figure is None else {ending: saved(figure, ending) for ending in FORMATS}
