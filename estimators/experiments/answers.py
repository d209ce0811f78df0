"""What a comparison says in words: which engine is faster or better, whether all agree, and how runs ended."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from ...csp.base.errors import escaped, listed, plural
from .analysis import (
    BestScore,
    agreements,
    best_scores,
    engine_scores,
    highest,
)
from .figures import duration, shown
from .outcomes import NO_ANSWER, Outcome, grouped_by

#: What a run is to solve: part, goal, puzzle and slips.
Problem = tuple[str, str, str, str | None]
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
# Medians below this number of seconds are too short to be compared.
_SHORT = 0.01


def answer(runs: Sequence[Outcome]) -> str:
    """One or two sentences: what the engines solved, and which of them is faster."""
    judged = [run for run in runs if run.outcome != "refused"]
    if not judged:
        return "Nothing has run yet." if not runs else f"No run was made: {outcome_words(runs)}."
    if all(run.goal == "best" for run in judged):
        return _best_words(best_scores(judged))
    met = grouped_by(judged, lambda run: run.label)
    problems = {label: {problem_of(run) for run in those} for label, those in met.items()}
    every = set[Problem]().union(*problems.values())
    if len({run.part for run in judged}) > 1 or any(mine != every for mine in problems.values()):
        return f"{plural(len(runs), 'run', shown)} on {plural(len(every), 'puzzle', shown)}: {outcome_words(runs)}."
    ranked = sorted(engine_scores(judged), key=lambda score: -score.solved)
    times = {score.label: _times(met[score.label]) for score in ranked}
    return _solved_words(times, len(every)) + _faster_words(times)


def _best_words(rows: Sequence[BestScore]) -> str:
    found = highest(rows)
    if not found or all(row.score is None for row in rows):
        return "No full board was found."
    if len({(row.sha256, row.instance) for row in rows}) > 1:
        return f"The highest score was found by {highest_words(rows)}."
    best = max(row.score or 0 for row in rows)
    proved = ", which is proved to be the most" if any(row.optimal for row in rows) else ""
    return (
        f"The highest score, {best} of {rows[0].joins}, was found by {listed([label for label, _ in found])}{proved}."
    )


def problem_of(run: Outcome) -> Problem:
    """What a run is to solve."""
    return run.part, run.goal, run.sha256, run.slips


def _times(runs: Iterable[Outcome]) -> dict[Problem, float]:
    """The seconds for each puzzle that all repetitions solved: their median."""
    found = grouped_by((run for run in runs if run.outcome not in NO_ANSWER), problem_of)
    return {
        problem: median(run.seconds for run in those)
        for problem, those in found.items()
        if all(run.solved for run in those)
    }


def _solved_words(times: dict[str, dict[Problem, float]], every: int) -> str:
    solved = [mine.keys() for mine in times.values()]
    puzzles = {1: "the puzzle", 2: "both puzzles"}.get(every, f"all {shown(every)} puzzles")
    if len(solved[0]) < every:
        puzzles = f"{shown(len(solved[0]))} of {plural(every, 'puzzle', shown)}"
    first, *others = times
    if all(mine == solved[0] for mine in solved):
        return (
            f"{f'All {len(times)} engines' if len(times) > 2 else 'Both engines' if others else first} solved {puzzles}"
        )
    words = [f"{first} solved {puzzles}", *(f"{label} {shown(len(times[label]))}" for label in others[:3])]
    return listed(words) + (f", {plural(len(others) - 3, 'other')} fewer" if len(others) > 3 else "")


def _faster_words(times: dict[str, dict[Problem, float]]) -> str:
    """Which of the first two engines is faster on what both solved."""
    first, *others = times
    if not others:
        return f"; the median time was {duration(median(times[first].values()))}." if times[first] else "."
    second = others[0]
    both = times[first].keys() & times[second].keys()
    if not both:
        return "."
    number = "one" if len(both) == 1 else shown(len(both))
    where = "" if times[first].keys() == times[second].keys() else f"on the {number} that both solved, "
    often = "" if len(both) == 1 else " in the median"
    if max(median(times[label][problem] for problem in both) for label in (first, second)) < _SHORT:
        return f"; {where}{first} and {second} took less than {duration(_SHORT)}{often}, too little to compare."
    ratio = median(max(times[second][one], 1e-6) / max(times[first][one], 1e-6) for one in both)
    if ratio < 1:
        first, second, ratio = second, first, 1 / ratio
    often = often and ", by the median of the ratios per puzzle"
    if ratio < 1.05:
        return f"; {where}{first} and {second} were equally fast{often}."
    than = f" as {second}" if len(times) > 2 else ""
    factor = f"{ratio:.1f}".removesuffix(".0") if ratio < 10 else shown(round(ratio))
    return f"; {where}{first} was {factor} times as fast{than}{often}."


def agreement_line(runs: Sequence[Outcome], faults: Sequence[str]) -> str:
    """Whether the runs that can be compared agree."""
    puzzles, compared = agreements(runs)
    if faults:
        return f"Engines disagree: {plural(len(faults), 'contradiction', shown)}."
    if not puzzles:
        return "No two runs can be compared: nothing was counted or decided twice."
    return f"All agree: {plural(compared, 'run', shown)} on {plural(puzzles, 'puzzle', shown)} could be compared."


def details(runs: Sequence[Outcome], faults: Sequence[str]) -> list[str]:
    lines = [f"{plural(len(runs), 'run', shown)}: {outcome_words(runs)}", agreement_line(runs, faults)]
    return [for_terminal(line) for line in lines if runs]


def for_terminal(line: str) -> str:
    """A line with plain spaces between groups of digits, and without control characters."""
    return escaped(line.replace("\u202f", " "))


def outcome_words(runs: Iterable[Outcome]) -> str:
    """How the runs ended, in words: 12 solved, 3 timed out."""
    return ending_words(Counter(run.outcome for run in runs))


def ending_words(numbers: Mapping[str, int]) -> str:
    """Numbers of runs by outcome in words."""
    ordered = sorted(numbers.items(), key=lambda pair: (pair[0] != "solved", -pair[1], pair[0]))
    return ", ".join(f"{shown(number)} {_ENDINGS.get(name, name)}" for name, number in ordered)


def highest_words(rows: Sequence[BestScore]) -> str:
    """The engines with the highest scores, in words: beam on 7 of 8 puzzles, dive on 2."""
    of = f" of {plural(len({(row.sha256, row.instance) for row in rows}), 'puzzle', shown)}"
    found = [f"{label} on {shown(number)}{'' if place else of}" for place, (label, number) in enumerate(highest(rows))]
    return ", ".join(found) if found else "no full board was found"
