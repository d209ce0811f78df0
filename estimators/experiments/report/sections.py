"""The contents of the sections of a report, as plain data; sections without data are omitted."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import isfinite
from typing import Any

from ....csp.base.words import several
from ..analysis.analysis import Analysis
from ..analysis.choices import GOOD_FACTOR, HARDLY, NOTHING, WRONG_FACTOR, ChoiceSummary, ScoreChoice
from ..analysis.fitting import Line
from ..analysis.outcomes import grouped_by
from ..analysis.scores import BestScore, highest, scores_by_part
from .facts import merged
from .wording import duration, shown


def section_titles(analysis: Analysis, figures: Collection[str]) -> dict[str, str]:
    """The titles of all sections for which the runs have data, by name."""
    predicted = analysis.nodes or analysis.solutions or "predicted-actual" in figures
    winners = len(analysis.winners) > 1 and any(cell.label for cell in analysis.winners)
    possible = (
        ("engines", "Engines", analysis.outcomes),
        ("choices", "Is the default a good choice?", analysis.choices or analysis.score_choices),
        ("times", "Predicted and actual times", analysis.coverages),
        ("best-scores", "Best scores", analysis.best_scores),
        ("winners", "Which engine wins where", winners),
        ("predictions", "Predicted and actual", predicted),
        ("depths", "Depth by depth", analysis.depths),
        ("ranking", "Do search orders rank as predicted?", any(row.pairs for row in analysis.rankings)),
        ("peak", "Where puzzles are hardest", analysis.peaks),
        ("transfer", "Does the prediction hold for other engines?", analysis.transfers),
        ("all-runs", "All runs", analysis.outcomes),
    )
    return {name: title for name, title, there in possible if there}


def section_data(analysis: Analysis) -> dict[str, Any]:
    """The values that the template of the sections uses, with the analysis itself."""
    calibrations = [*analysis.nodes, *analysis.solutions]
    beyond = [row for row in analysis.depths if row.beyond]
    labels = list(dict.fromkeys(row.label for row in analysis.best_scores))
    scored = grouped_by(analysis.best_scores, lambda row: (row.sha256, row.instance))
    return {
        "analysis": analysis,
        "agreement": agreement_line(analysis.agreements, analysis.disagreements),
        "parts": scores_by_part(analysis.outcomes),
        "chosen_words": choice_words(analysis.choice_summaries, analysis.score_choices),
        "chosen": sorted(analysis.choices, key=lambda row: (row.decided, row.ratio), reverse=True),
        "rules": {"factor": GOOD_FACTOR, "hardly": HARDLY, "nothing": NOTHING, "wrong": WRONG_FACTOR},
        "highest": highest_words(analysis.best_scores),
        "score_labels": labels,
        "score_rows": [
            {
                "instance": name,
                "joins": next((row.joins for row in rows if row.joins), None),
                "cells": [_score_cell(rows, label) for label in labels],
            }
            for (_, name), rows in scored.items()
        ],
        "families": merged(row for row in calibrations if row.family != "all"),
        "together": merged(row for row in calibrations if row.family == "all"),
        "beyond": beyond,
        "surely_beyond": sum(row.low > 1.5 or row.high < 1 / 1.5 for row in beyond),
        "depths_by_family": list(grouped_by(analysis.depths, lambda row: (row.family, row.label)).values()),
        "rankings": [row for row in analysis.rankings if row.pairs],
        "points": [(peak, point) for peak in analysis.peaks for point in peak.points],
    }


def agreement_line(agreements: tuple[int, int], disagreements: Sequence[str]) -> str:
    """Whether the runs that can be compared agree."""
    puzzles, runs = agreements
    if disagreements:
        return f"Engines disagree: {several(len(disagreements), 'contradiction', shown)}."
    if not puzzles:
        return "No two runs can be compared: nothing was counted or decided twice."
    return f"All agree: {several(runs, 'run', shown)} on {several(puzzles, 'puzzle', shown)} could be compared."


def choice_words(rows: Sequence[ChoiceSummary], scores: Sequence[ScoreChoice]) -> list[str]:
    """How good the choices are, in words: first by time, then by score."""
    words: list[str] = []
    if rows and rows[-1].number:
        all_ = rows[-1]
        near = f"less than {shown(GOOD_FACTOR)} times as long as the best way, or at most {duration(HARDLY)} longer,"
        words.append(f"{near} on {shown(all_.good)} of {several(all_.number, 'puzzle', shown)}")
        words.append(
            f"geometric mean of default / best {shown(all_.geometric_mean)}, "
            f"{shown(all_.felt_mean)} if times below {duration(HARDLY)} count as {duration(HARDLY)}"
        )
    if scores:
        best = sum((row.score or -1) >= (row.best_score or -1) for row in scores)
        words.append(f"the highest score on {shown(best)} of {several(len(scores), 'puzzle', shown)}")
    return words


def highest_words(rows: Sequence[BestScore]) -> str:
    """The engines with the highest scores, in words: beam on 7 of 8 puzzles, dive on 2."""
    of = f" of {several(len({(row.sha256, row.instance) for row in rows}), 'puzzle', shown)}"
    found = [f"{label} on {shown(number)}{'' if place else of}" for place, (label, number) in enumerate(highest(rows))]
    return ", ".join(found) if found else "no full board was found"


def _score_cell(rows: Sequence[BestScore], label: str) -> tuple[Any, ...]:
    """The score of one engine on a puzzle: a text, the score, and "good" if it is the highest."""
    row = next((row for row in rows if row.label == label), None)
    if row is None or row.score is None:
        return ("–" if row is None else "no full board",)
    best = row.score == max(other.score or 0 for other in rows)
    least = "" if row.noticed else "≤ "
    took = f"{least}{duration(row.seconds)}" + ("" if row.nodes is None else f", {least}{shown(row.nodes)} nodes")
    text = f"{row.score}{' ★' * best}{', optimal' * row.optimal} ({took})"
    return text, row.score, "good" if best else None


def interval_text(low: float | None, high: float | None) -> str:
    """An interval as text; "–" unless both ends are known and finite."""
    known = low is not None and high is not None and isfinite(low) and isfinite(high)
    return f"{shown(low)} .. {shown(high)}" if known else "–"


def line_text(line: Line | None, variable: str) -> str:
    """A fitted line as text, with standard errors."""
    if line is None:
        return "–"
    slope = f"({line.slope:.3f} ± {line.slope_error:.3f}) {variable}"
    return f"({line.intercept:.2f} ± {line.intercept_error:.2f}) + {slope}".replace("-", "−")


_ENDINGS = {
    "time": "timed out",
    "memory": "out of memory",
    "nodes": "at the node limit",
    "depth": "at the depth limit",
    "solutions": "at the limit of solutions",
    "restarts": "ended after many attempts without improvement",
    "interrupt": "interrupted",
    "crash": "crashed",
}


def outcome_words(outcomes: Iterable[str]) -> str:
    """How the runs ended, in words: 12 solved, 3 timed out."""
    numbers = Counter(outcomes)
    listed = sorted(numbers.items(), key=lambda pair: (pair[0] != "solved", -pair[1], pair[0]))
    return ", ".join(f"{shown(number)} {_ENDINGS.get(name, name)}" for name, number in listed)
