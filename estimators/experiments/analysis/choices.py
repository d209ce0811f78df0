"""Whether the plan chooses well, and whether the times that it predicts are correct."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log
from statistics import geometric_mean
from typing import Any

from ..files import DEFAULT
from .outcomes import NO_ANSWER, Outcome, grouped_by
from .scores import best_scores

#: A choice is good if it takes less than this factor times the time of the best way, or at most these seconds more.
GOOD_FACTOR, HARDLY = 4.0, 0.5
#: Predictions that are wrong by more than this factor are listed, unless both times are below `HARDLY`.
WRONG_FACTOR = 10.0
#: Times in seconds below this one count as this one in the check of intervals.
NOTHING = 0.05


@dataclass(frozen=True)
class TimeChoice:
    """The choice of the plan for a puzzle, and the best of all named ways."""

    #: The puzzle and the goal.
    part: str
    instance: str
    goal: str
    #: The way that the plan took; empty if it took none.
    taken: str
    #: The quickest of the other runs; None if none reached the goal.
    best: str | None
    #: Whether the plan's own run reached the goal.
    solved: bool
    #: The wall-clock times of both, the first one with planning; the time limit for a run that did not reach the goal.
    seconds: float
    best_seconds: float
    #: The planning time in `seconds`; None if it is not known.
    plan_seconds: float | None

    @property
    def decided(self) -> bool:
        """Whether at least one of the two reached the goal."""
        return self.solved or self.best is not None

    @property
    def ratio(self) -> float:
        """The time of the plan's way over that of the best way; a bound if a limit ended one of them."""
        return self.seconds / self.best_seconds

    @property
    def good(self) -> bool:
        """Whether the choice was good; False if only another way reached the goal."""
        near = self.ratio < GOOD_FACTOR or self.seconds - self.best_seconds <= HARDLY
        return self.solved and near


@dataclass(frozen=True)
class ChoiceSummary:
    """The choices of a part of an experiment."""

    #: The part; ``all`` for all parts together.
    part: str
    #: The number of choices that can be judged, and of those that cannot, because no way reached the goal.
    number: int
    undecided: int
    #: The number of good choices.
    good: int
    #: The geometric mean of the ratios; None if there are no ratios.
    geometric_mean: float | None
    #: The same if times below `HARDLY` count as `HARDLY`.
    felt_mean: float | None
    #: How often only another way reached the goal, so that the ratio is a lower bound; how often only the plan's did.
    failed: int
    alone: int


@dataclass(frozen=True)
class ScoreChoice:
    """The score of the choice of the plan, and the highest score of all named ways; None without a full board."""

    #: The puzzle, and the way that the plan took.
    instance: str
    taken: str
    #: The scores, and the joins of the board.
    score: int | None
    best_score: int | None
    joins: int | None
    #: The engine of the highest score, with its options.
    best: str


@dataclass(frozen=True)
class WrongTime:
    """A way whose predicted median is wrong by more than `WRONG_FACTOR`."""

    #: The puzzle, the goal and the engine.
    instance: str
    goal: str
    label: str
    #: The name of the way in the plan.
    way: str
    #: The median and the ends of the 90 % interval, in seconds.
    predicted: float
    low: float
    high: float
    #: The processor time, and whether a limit ended the run.
    actual: float
    ended: bool

    @property
    def factor(self) -> float:
        """Actual / predicted; at least that if a limit ended the run."""
        return self.actual / self.predicted


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


def choices(outcomes: Sequence[Outcome]) -> list[TimeChoice]:
    """The choice for each puzzle on which other ways ran, too; for all goals except best."""
    return [_choice(own, others) for own, others in _compared(outcomes) if own.goal != "best"]


def summaries(found: Sequence[TimeChoice]) -> list[ChoiceSummary]:
    """The choices of each part, and all together at the end."""
    parts = [_summary(part, list(of_part)) for part, of_part in grouped_by(found, lambda row: row.part).items()]
    return [*parts, _summary("all", found)] if parts else []


def score_choices(outcomes: Sequence[Outcome]) -> list[ScoreChoice]:
    """The choice for each puzzle with the goal best, with its scores."""
    return [_score_choice(own, others) for own, others in _compared(outcomes) if own.goal == "best"]


def wrong_times(outcomes: Iterable[Outcome]) -> list[WrongTime]:
    """The wrong predictions, the worst first."""
    rows = [
        WrongTime(run.instance, run.goal, run.label, way_of(run), *interval, processor_seconds(run), not run.solved)
        for run in outcomes
        if (interval := predicted_seconds(run)) is not None
    ]
    wrong = [row for row in rows if _is_wrong(row)]
    return sorted(wrong, key=lambda row: -abs(log(row.factor)))


def coverages(outcomes: Iterable[Outcome]) -> list[Coverage]:
    """How often the intervals of each engine contain the true time, by goal."""
    timed = [run for run in outcomes if predicted_seconds(run) is not None]
    groups = grouped_by(timed, lambda run: (run.engine, run.goal))
    return [_coverage(engine, goal, runs) for (engine, goal), runs in sorted(groups.items())]


def predicted_seconds(run: Outcome) -> tuple[float, float, float] | None:
    """The median and the interval of the predicted seconds; None without a prediction that the run can test."""
    seconds = (run.record.get("way") or {}).get("seconds")
    if seconds is None or not (run.solved or run.outcome == "time"):
        return None
    return seconds["median"], seconds["low"], seconds["high"]


def processor_seconds(run: Outcome) -> float:
    """The time that is predicted: that of one thread on an idle machine.

    This is the smaller of the processor time and the elapsed time, or the time limit of a run that was killed there.
    """
    seconds, cpu = run.record.get("seconds"), run.record.get("cpu_seconds")
    if seconds is None:
        return run.limit or run.seconds
    return max(min(seconds, cpu) if cpu else seconds, 1e-6)


def way_of(run: Outcome) -> str:
    """The name of the way of a run, as in plans; empty if it is not known."""
    way: dict[str, Any] = run.record.get("way") or {}
    return ", ".join(part for part in (way.get("engine"), way.get("how")) if part)


def _compared(outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, list[Outcome]]]:
    """Each run that the plan chose, with all other runs of the same question."""
    groups = grouped_by(
        outcomes,
        lambda run: (
            run.sha256, run.goal, run.slips, run.options.get("motions"), run.limit, run.record.get("repetition")
        ),
    )  # fmt: skip
    for runs in groups.values():
        others = [run for run in runs if run.engine != DEFAULT and run.outcome not in NO_ANSWER]
        if others:
            yield from ((run, others) for run in runs if run.engine == DEFAULT)


def _choice(own: Outcome, others: Sequence[Outcome]) -> TimeChoice:
    best = min((run for run in others if run.solved), key=_wall, default=None)
    return TimeChoice(
        part=own.part,
        instance=own.instance,
        goal=own.goal,
        taken=way_of(own),
        best=None if best is None else best.label,
        solved=own.solved,
        seconds=_wall(own) if own.solved else _limit(own),
        best_seconds=_limit(own) if best is None else _wall(best),
        plan_seconds=own.record.get("plan_seconds"),
    )


def _wall(run: Outcome) -> float:
    """Wall-clock seconds to the answer, planning included, because named engines predict their effort, too."""
    seconds = run.record.get("answer_seconds")
    return max(run.seconds if seconds is None else seconds, 1e-6)


def _limit(run: Outcome) -> float:
    return run.limit or run.seconds


def _summary(part: str, found: Sequence[TimeChoice]) -> ChoiceSummary:
    judged = [row for row in found if row.decided]
    return ChoiceSummary(
        part=part,
        number=len(judged),
        undecided=len(found) - len(judged),
        good=sum(row.good for row in judged),
        geometric_mean=geometric_mean(row.ratio for row in judged) if judged else None,
        felt_mean=geometric_mean(map(_felt_ratio, judged)) if judged else None,
        failed=sum(not row.solved for row in judged),
        alone=sum(row.best is None for row in judged),
    )


def _felt_ratio(row: TimeChoice) -> float:
    return max(row.seconds, HARDLY) / max(row.best_seconds, HARDLY)


def _score_choice(own: Outcome, others: Sequence[Outcome]) -> ScoreChoice:
    (mine,), rows = best_scores([own]), best_scores(others)
    best = max(rows, key=lambda row: (-1 if row.score is None else row.score, row.optimal))
    joins = next((row.joins for row in (mine, *rows) if row.joins), None)
    return ScoreChoice(own.instance, way_of(own), mine.score, best.score, joins, best.label)


def _is_wrong(row: WrongTime) -> bool:
    if max(row.predicted, row.actual) <= HARDLY:
        return False
    # A run that a limit ended cannot be known to be quicker than predicted.
    too_long = row.factor > WRONG_FACTOR
    return too_long or (not row.ended and row.factor < 1 / WRONG_FACTOR)


def _coverage(engine: str, goal: str, runs: Sequence[Outcome]) -> Coverage:
    quicker = of_low = slower = of_high = contradicted = 0
    for run in runs:
        interval = predicted_seconds(run)
        assert interval is not None
        _, low, high, seconds = (max(time, NOTHING) for time in (*interval, processor_seconds(run)))
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
