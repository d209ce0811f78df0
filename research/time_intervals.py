"""How often the 90 % intervals of predicted times contain the true time, and whether the engine default chooses well.

Both come from the records of an experiment:

jigsat compare plan -o plan
python research/time_intervals.py plan
"""

import argparse
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import geometric_mean

from jigsat.estimators.experiments.analysis import best_scores
from jigsat.estimators.experiments.files import DEFAULT
from jigsat.estimators.experiments.outcomes import NO_ANSWER, Outcome, grouped_by, outcomes_of
from jigsat.estimators.experiments.records import NAME, read_records

#: Times in seconds below this one count as this one.
NOTHING = 0.05


@dataclass(frozen=True)
class Coverage:
    """How often the true time was in the 90 % interval.

    An end of an interval is judged if it is within the time limit, because every run decides it then, also one that the
    limit ended.  Times below `NOTHING` count as `NOTHING`.
    """

    engine: str
    goal: str
    #: The number of runs with an interval.
    runs: int
    #: The number of runs below their interval, and of those whose lower end is judged.
    quicker: int
    of_low: int
    #: The number of runs above their interval, and of those whose upper end is judged.
    slower: int
    of_high: int
    #: The number of all runs that are certainly outside.
    contradicted: int

    @property
    def share(self) -> float | None:
        """The estimated share of runs within; None if no upper or no lower end is judged."""
        if not self.of_low or not self.of_high:
            return None
        return max(1 - self.quicker / self.of_low - self.slower / self.of_high, 0.0)


def coverages(outcomes: Iterable[Outcome]) -> list[Coverage]:
    """How often the intervals of each engine contain the true time, by goal."""
    timed = [run for run in outcomes if run.predicted_seconds is not None]
    groups = grouped_by(timed, lambda run: (run.engine, run.goal))
    return [_coverage(engine, goal, runs) for (engine, goal), runs in sorted(groups.items())]


def _coverage(engine: str, goal: str, runs: Sequence[Outcome]) -> Coverage:
    quicker = of_low = slower = of_high = contradicted = 0
    for run in runs:
        interval = run.predicted_seconds
        assert interval is not None
        _, low, high, seconds = (max(time, NOTHING) for time in (*interval, run.processor_seconds))
        limit = run.limit or inf
        below, above = run.solved and seconds < low, seconds > high
        contradicted += below or above
        # A run that got less processor time than its limit can be ended before the end of its interval.
        if low <= limit and (run.solved or seconds >= low):
            of_low += 1
            quicker += below
        if high <= limit and (run.solved or above):
            of_high += 1
            slower += above
    return Coverage(engine, goal, len(runs), quicker, of_low, slower, of_high, contradicted)


@dataclass(frozen=True)
class Choice:
    """The seconds to the answer of a run of the engine default, planning included, and of the quickest other run.

    A run that a limit ended counts with the limit.
    """

    solved: bool
    seconds: float
    best: float

    @property
    def good(self) -> bool:
        """Whether it took less than four times as long as the best run, or at most half a second longer."""
        return self.solved and (self.seconds < 4 * self.best or self.seconds - self.best <= 0.5)


def choices(outcomes: Iterable[Outcome]) -> list[Choice]:
    """The choice for each puzzle that some run solved, for all goals except best."""
    found: list[Choice] = []
    for own, others in _compared(outcomes):
        solved = [_seconds(run) for run in others if run.solved]
        if own.goal != "best" and (own.solved or solved):
            limit = own.limit or own.seconds
            found.append(Choice(own.solved, _seconds(own) if own.solved else limit, min(solved, default=limit)))
    return found


def score_choices(outcomes: Iterable[Outcome]) -> list[bool]:
    """Whether the engine default has the highest score, for each puzzle with the goal best."""
    scores = lambda runs: max(row.score or -1 for row in best_scores(runs))  # noqa: E731
    return [scores([own]) >= scores(others) for own, others in _compared(outcomes) if own.goal == "best"]


def _compared(outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, list[Outcome]]]:
    """Each run of the engine default, with the other runs that were asked the same."""

    def asked(run: Outcome) -> Hashable:
        motions, repetition = run.options.get("motions"), run.record.get("repetition")
        return run.sha256, run.goal, run.slips, motions, run.limit, repetition

    for runs in grouped_by(outcomes, asked).values():
        others = [run for run in runs if run.engine != DEFAULT and run.outcome not in NO_ANSWER]
        yield from ((run, others) for run in runs if run.engine == DEFAULT and others)


def _seconds(run: Outcome) -> float:
    """Wall-clock seconds to the answer, planning included, because named engines predict their effort, too."""
    seconds = run.record.get("answer_seconds")
    return max(run.seconds if seconds is None else seconds, 1e-6)


def main() -> None:
    """Print a line for each engine and goal, and how good the choices of the engine default are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    outcomes = outcomes_of(read_records(parser.parse_args().folder / NAME))
    if judged := choices(outcomes):
        mean = geometric_mean(row.seconds / row.best for row in judged)
        print(f"default: good on {sum(row.good for row in judged)} of {len(judged)}, mean of default / best {mean:.3g}")
    if scores := score_choices(outcomes):
        print(f"default: the highest score on {sum(scores)} of {len(scores)}")
    for row in coverages(outcomes):
        share = "–" if row.share is None else f"{100 * row.share:.0f} %"
        ends = f"{row.quicker} of {row.of_low} below, {row.slower} of {row.of_high} above"
        print(f"{row.engine}, {row.goal}, {row.runs} runs: {share} within; {ends}; {row.contradicted} outside for sure")


if __name__ == "__main__":
    main()
