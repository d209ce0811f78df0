"""All results that a report shows about the runs of an experiment, computed once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .calibration import Calibration, DepthRatio, Ranking, Transfer, calibrations, depth_ratios, rankings, transfers
from .choices import (
    ChoiceSummary,
    Coverage,
    ScoreChoice,
    TimeChoice,
    WrongTime,
    choices,
    coverages,
    score_choices,
    summaries,
    wrong_times,
)
from .outcomes import Outcome, outcomes_of
from .peak import Peak, peaks
from .scores import BestScore, EngineScore, Winner, agreements, best_scores, disagreements, engine_scores, winners

#: The measures of effort for which the hardest number of colours is determined.
PEAK_MEASURES = ("nodes", "conflicts", "branches")


@dataclass(frozen=True)
class Analysis:
    """The results of the runs of an experiment."""

    #: The runs.
    outcomes: tuple[Outcome, ...]
    #: The engines from best to worst, and the best engine by size and colours.
    scores: tuple[EngineScore, ...]
    winners: tuple[Winner, ...]
    #: The highest score of each engine on each puzzle.
    best_scores: tuple[BestScore, ...]
    #: A line for each puzzle on which two runs cannot both be right.
    disagreements: tuple[str, ...]
    #: The number of puzzles on which runs could be compared, and the number of these runs.
    agreements: tuple[int, int]
    #: The calibration of their predictions.
    nodes: tuple[Calibration, ...]
    solutions: tuple[Calibration, ...]
    #: The calibration at each depth.
    depths: tuple[DepthRatio, ...]
    #: Whether search orders rank as predicted.
    rankings: tuple[Ranking, ...]
    #: Whether the predicted effort predicts the measures of engines.
    transfers: tuple[Transfer, ...]
    #: Whether the plan chose well, by puzzle and by part.
    choices: tuple[TimeChoice, ...]
    choice_summaries: tuple[ChoiceSummary, ...]
    score_choices: tuple[ScoreChoice, ...]
    #: Whether the times of ways were predicted correctly.
    wrong_times: tuple[WrongTime, ...]
    coverages: tuple[Coverage, ...]
    #: The numbers of colours with the hardest puzzles.
    peaks: tuple[Peak, ...]


def analysed(records: Iterable[Mapping[str, Any]]) -> Analysis:
    """The results of these runs."""
    runs = outcomes_of(records)
    chosen = choices(runs)
    return Analysis(
        outcomes=tuple(runs),
        scores=tuple(engine_scores(runs)),
        winners=tuple(winners(runs)),
        best_scores=tuple(best_scores(runs)),
        disagreements=tuple(disagreements(runs)),
        agreements=agreements(runs),
        nodes=tuple(calibrations(runs, "nodes")),
        solutions=tuple(calibrations(runs, "solutions")),
        depths=tuple(depth_ratios(runs)),
        rankings=tuple(rankings(runs)),
        transfers=tuple(transfers(runs)),
        choices=tuple(chosen),
        choice_summaries=tuple(summaries(chosen)),
        score_choices=tuple(score_choices(runs)),
        wrong_times=tuple(wrong_times(runs)),
        coverages=tuple(coverages(runs)),
        peaks=tuple(peak for measure in PEAK_MEASURES for peak in peaks(runs, measure)),
    )
