"""All that a report says about the runs of an experiment, worked out once."""

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

#: What the effort of engines is measured in, where the hardest number of colours is asked for.
PEAK_MEASURES = ("nodes", "conflicts", "branches")


@dataclass(frozen=True)
class Analysis:
    """What the runs of an experiment tell.

    Parameters
    ----------
    outcomes
        The runs.
    scores, winners
        Which engine is best, and which one where.
    best_scores
        The highest score of each engine on each puzzle.
    disagreements
        A line for each puzzle on which two runs cannot both be right.
    agreements
        On how many puzzles runs could be compared, and how many runs that were.
    nodes, solutions
        How well these were predicted.
    depths
        The same at each depth.
    rankings
        Whether orders cost in the order that was predicted.
    transfers
        Whether the predicted effort predicts what engines do.
    choices, choice_summaries, score_choices
        Whether the plan chose well, puzzle by puzzle and part by part.
    wrong_times, coverages
        Whether the seconds of ways were predicted right.
    peaks
        With how many colours puzzles are hardest.
    """

    outcomes: tuple[Outcome, ...]
    scores: tuple[EngineScore, ...]
    winners: tuple[Winner, ...]
    best_scores: tuple[BestScore, ...]
    disagreements: tuple[str, ...]
    agreements: tuple[int, int]
    nodes: tuple[Calibration, ...]
    solutions: tuple[Calibration, ...]
    depths: tuple[DepthRatio, ...]
    rankings: tuple[Ranking, ...]
    transfers: tuple[Transfer, ...]
    choices: tuple[TimeChoice, ...]
    choice_summaries: tuple[ChoiceSummary, ...]
    score_choices: tuple[ScoreChoice, ...]
    wrong_times: tuple[WrongTime, ...]
    coverages: tuple[Coverage, ...]
    peaks: tuple[Peak, ...]


def analysed(records: Iterable[Mapping[str, Any]]) -> Analysis:
    """What these runs tell."""
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
