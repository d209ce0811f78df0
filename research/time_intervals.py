"""How often the 90 % intervals of predicted times contain the true time, from the records of an experiment.

jigsat compare plan -o plan
python research/time_intervals.py plan
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from jigsat.estimators.experiments.outcomes import Outcome, grouped_by, outcomes_of
from jigsat.estimators.experiments.records import NAME, read_records

#: Times in seconds below this one count as this one.
NOTHING = 0.05


@dataclass(frozen=True)
class Coverage:
    """How often the true time was in the 90 % interval.

    An end of an interval is judged if it is within the time limit, because every run decides it then, also one that the
    limit ended.  Times below `NOTHING` count as `NOTHING`.
    """

    #: The engine and the goal.
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


def main() -> None:
    """Print a line for each engine and goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for row in coverages(outcomes_of(read_records(parser.parse_args().folder / NAME))):
        share = "–" if row.share is None else f"{100 * row.share:.0f} %"
        ends = f"{row.quicker} of {row.of_low} below, {row.slower} of {row.of_high} above"
        print(f"{row.engine}, {row.goal}, {row.runs} runs: {share} within; {ends}; {row.contradicted} outside for sure")


if __name__ == "__main__":
    main()
