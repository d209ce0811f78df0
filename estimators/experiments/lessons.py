"""What an experiment teaches about engines."""

from collections.abc import Iterable, Sequence

from ...csp.engines.request import Goal
from ..plan.advice import Lesson
from .analysis.outcomes import Outcome, grouped


def learn(outcomes: Iterable[Outcome]) -> list[Lesson]:
    """The lessons of an experiment: a puzzle of it each, with the quickest run of each engine."""
    ended = [run for run in outcomes if run.outcome in ("solved", "time", "memory") and run.limit is not None]
    # With slips it is another puzzle.
    plain = [run for run in ended if run.goal == Goal.BEST or not run.slips]
    puzzles = grouped(plain, "sha256", "goal").values()
    return [lesson for runs in puzzles if len((lesson := _lesson(runs)).seconds) > 1]


def _lesson(runs: Sequence[Outcome]) -> Lesson:
    first = runs[0]
    seconds: dict[str, float | None] = {}
    for run in runs:
        known = seconds.get(run.engine)
        took = round(run.seconds, 4) if run.solved else None
        seconds[run.engine] = took if known is None else known if took is None else min(known, took)
    efforts = [run.log_effort for run in runs if run.log_effort is not None]
    return Lesson(
        first.kind, first.goal, first.record["facts"]["pieces"], round(min(efforts), 3) if efforts else None,
        max(run.limit or 0.0 for run in runs), seconds,
    )  # fmt: skip
