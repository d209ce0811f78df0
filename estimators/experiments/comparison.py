"""An experiment from its file to its results: make the missing runs, write the report, summarise it."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from ...csp.base.errors import InstanceError, UsageError, escaped, grouped, listed, plural, shortened
from ...csp.base.notebook import HasSummary
from ...csp.base.safe_files import replacing
from ...csp.base.stop import Report, stoppable
from ...csp.base.tables import data_frame
from ...csp.base.words import about_duration, short_duration
from ...csp.engines.figures import HasFigure
from ...csp.work.book import Book
from .plan import PlannedRun, predicted_seconds
from .records import COPY, FIGURE_FOLDER, NAME, PAGE, TABLE_FOLDER

if TYPE_CHECKING:
    from pandas import DataFrame

    from .outcomes import Outcome
    from .queue import Queue, Rest
    from .tables import By

# The rows of the table in a short summary.
_ROWS = 3


@dataclass(frozen=True, repr=False)
class Comparison(HasSummary, HasFigure):
    """An experiment, and the records of its runs."""

    #: The name of the experiment.
    experiment: str
    #: The file of its records.
    book: Path
    #: The planned runs.
    runs: tuple[PlannedRun, ...]
    #: The records of these runs.
    records: list[dict[str, Any]]
    #: The number of records in the file of other runs or versions.
    others: int = 0
    #: The report, the SVG file of each figure, and the tables; None and empty for a dry run or a part.
    page: Path | None = None
    figures: tuple[Path, ...] = ()
    tables: tuple[Path, ...] = ()
    #: The figures that could not be drawn, each with the reason.
    missing_figures: Mapping[str, str] = field(default_factory=dict)
    #: For a dry run: the predicted seconds of each run without a record, by its fingerprint; None otherwise.
    predicted_seconds: Mapping[str, float] | None = None
    #: The number of runs made by this call; None if it was not to make any.
    executed: int | None = None
    #: What ended the call before all runs were made: ``"interrupt"`` (Ctrl-C) or ``"budget"``; None otherwise.
    ended_by: str | None = None
    #: Of a queue: what the runs without a record would cost; None if all have one, or it is no queue.
    rest: "Rest | None" = None
    #: Of a queue: the processor seconds that this call has spent.
    spent_seconds: float | None = None
    #: The form of the table that is the whole summary; None for sentences and a short table.
    table: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all planned runs are recorded."""
        return not missing(self.runs, self.records)

    @property
    def disagreements(self) -> list[str]:
        """A line for each puzzle on which two runs cannot both be right."""
        from .analysis import disagreements

        return disagreements(self._outcomes)

    @cached_property
    def _outcomes(self) -> "list[Outcome]":
        from .outcomes import outcomes_of

        return outcomes_of(self.records)

    @property
    def holds(self) -> bool:
        """Whether no engines disagree."""
        return self.predicted_seconds is not None or not self.disagreements

    def record(self) -> dict[str, Any]:
        """A short summary for scripts."""
        seconds = None if self.predicted_seconds is None else sum(self.predicted_seconds.values())
        return {
            "experiment": self.experiment,
            "runs": len(self.runs),
            "recorded": len(self.records),
            "complete": self.complete,
            "ended_by": self.ended_by,
            "predicted_seconds": seconds,
            "spent_seconds": None if self.spent_seconds is None else round(self.spent_seconds, 3),
            "rest": None if self.rest is None else self.rest.record(),
            "disagreements": self.disagreements,
            "page": None if self.page is None else str(self.page),
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The answer in words, and a short table; for a dry run, the plan and its predicted time.

        With `verbose`, also how runs ended, whether their answers can be compared, and the whole table.
        """
        from .answers import answer, details, for_terminal
        from .tables import engine_table

        if self.table is not None and self.records:
            return self._table("engine", self.table).removesuffix("\n")
        if self.predicted_seconds is not None:
            text = _plan_text(self.experiment, self.runs, self.records, self.predicted_seconds, verbose=verbose)
            return text if self.rest is None else "\n".join([text, self.rest.words(), *self.rest.lines()])
        runs, faults = self._outcomes, self.disagreements
        lines = [for_terminal(answer(runs))]
        if faults:
            lines[:0] = [f"Engines disagree on {plural(len(faults), 'question')}; at least one of them is wrong:"]
            lines[1:1] = map(for_terminal, faults)
        lines += details(runs, faults) if verbose else []
        if len(runs) > 1:
            lines += engine_table(runs).lines(None if verbose else _ROWS)
        return "\n".join([*lines, *self._state()])

    def _state(self) -> Iterator[str]:
        """Lines about what is recorded, and what was written."""
        from .outcomes import grouped_by

        if not self.complete:
            spent = f"{short_duration(self.spent_seconds or 0)} of processor time spent; " * (self.ended_by == "budget")
            recorded = f"{grouped(len(self.records))} of {plural(len(self.runs), 'run')} recorded"
            yield f"{spent}{recorded}; the same command goes on."
        if self.rest is not None:
            yield self.rest.words()
        if self.complete and self.executed == 0:
            yield f"Nothing new was run: all {plural(len(self.runs), 'run')} are recorded."
        if self.others:
            yield f"{plural(self.others, 'record')} of other runs or versions in the book left out."
        if self.missing_figures:
            # One reason, such as a library that is not installed, often holds for all.
            names = grouped_by(self.missing_figures, lambda figure: self.missing_figures[figure])
            yield f"No figure {'; '.join(f'{listed(figures)}: {why}' for why, figures in names.items())}."
        if self.page is not None:
            beside = " and ".join(["figures"] * bool(self.figures) + ["tables"])
            yield f"Open {self.page}; {beside} are beside it, all records in {COPY}."
        elif self.ended_by != "interrupt":
            yield f"Records of this part: {self.book}, to be merged with those of the other parts."
        else:
            yield f"Records: {self.book}; the report comes at the end, or with --report."

    def to_csv(self, path: str | Path | None = None, *, by: "By" = "engine") -> str:
        """A table as CSV: the results of each engine, or by puzzle, run or prediction.

        It is returned, and written to the file if a path is given.  `to_pandas` has all values of all runs.
        """
        return self._table(by, "csv", path)

    def to_markdown(self, path: str | Path | None = None, *, by: "By" = "engine") -> str:
        """The same table as Markdown."""
        return self._table(by, "md", path)

    def to_latex(self, path: str | Path | None = None, *, by: "By" = "engine") -> str:
        """The same table as LaTeX, with the rules of the package booktabs."""
        return self._table(by, "latex", path)

    def _table(self, by: "By", form: str, path: str | Path | None = None) -> str:
        from .tables import FORMS, By, table_of

        if by not in get_args(By):
            raise UsageError(f"must be engine, puzzle, run or prediction, not {shortened(str(by))!r}", "by")
        text = FORMS[form][1](table_of(self._outcomes, by))
        if path is not None:
            with replacing(path) as file:
                file.write(text)
        return text

    def to_pandas(self) -> "DataFrame":
        """The records of the runs as a table of pandas: a row for each, with the columns of `records_frame`.

        Raises JigsatError if pandas is not installed.
        """
        return data_frame(self.records)

    def _draw(self, axes: Any) -> None:
        """The runs of the goal with the most runs that each engine has solved within a given time."""
        from .figures import cactus_panel, styles
        from .outcomes import grouped_by

        by_goal = grouped_by(self._outcomes, lambda run: str(run.goal))
        if not by_goal:
            raise InstanceError(f"{self.experiment}: no run is recorded, so there is nothing to draw")
        goal = max(by_goal, key=lambda each: len(by_goal[each]))
        cactus_panel(axes, goal, by_goal[goal], styles(run.label for run in by_goal[goal]))
        axes.legend(fontsize="small")


def refuse_report_of_others(folder: Path) -> None:
    """Refuse a folder whose report is not about its records: the page and other files would be replaced."""
    for name in (PAGE, FIGURE_FOLDER, TABLE_FOLDER, COPY):
        if os.path.exists(folder / name) and not os.path.exists(folder / NAME):
            raise InstanceError(f"{folder / name}: exists without {NAME}; move it away or give another folder")


def missing(runs: Iterable[PlannedRun], records: Iterable[Mapping[str, Any]]) -> list[PlannedRun]:
    """The runs without a record."""
    known = {record["fingerprint"] for record in records}
    return [run for run in runs if run.fingerprint not in known]


def of_these(runs: Iterable[PlannedRun], records: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The record of each of these runs, the first one if there are several; and the number of other records."""
    wanted = {run.fingerprint for run in runs}
    mine: dict[str, dict[str, Any]] = {}
    for record in records:
        if record["fingerprint"] in wanted:
            mine.setdefault(record["fingerprint"], record)
    return list(mine.values()), sum(record["fingerprint"] not in wanted for record in records)


def made(
    runs: Sequence[PlannedRun],
    jobs: int,
    cluster: str | None,
    access: Mapping[str, Any],
    book: Book,
    report: Report | None,
    queue: "Queue | None" = None,
) -> tuple[list[dict[str, Any]], str | None]:
    """Make these runs until Ctrl-C is pressed, or the budget of the queue is spent, and record them.

    Returns the records, and what ended it: ``"interrupt"``, ``"budget"`` or None.
    """
    from ...csp.work.pools import Threads
    from ...csp.work.run import run as do
    from . import runner

    records: list[dict[str, Any]] = []
    # Predictions take a while, so they are made only for progress reports.
    seconds = {} if report is None or queue is not None else predicted_seconds(runs)
    total, behind = sum(seconds.values()), 0.0
    with stoppable(report=report) as stop:

        def done(run: PlannedRun, record: dict[str, Any]) -> bool:
            nonlocal behind
            again = record["outcome"] == runner.GIVEN_UP
            if queue is not None:
                queue.spent += record["spent_seconds"]
            if queue is not None and again:
                queue.give_up(run, record)
            else:
                book.add(record)
                records.append(record)
            behind += seconds.get(run.fingerprint, 0.0)
            note = f"{len(records)} of {len(runs)} runs, {run.engine} on {run.instance}: {record['outcome']}"
            stop.tell(note, len(records) / len(runs) if queue is not None else behind / total if total else 0.0)
            return again

        def must_stop() -> str | None:
            return "interrupt" if stop() else "budget" if queue is not None and queue.is_spent else None

        if queue is not None and not queue.predict(runs, stop):
            return records, must_stop()
        order = {} if queue is None else {"cost": queue.cost, "begin": queue.begin}
        if cluster is None:
            for run in runs:
                if run.threads > jobs:
                    what = f"{run.part}, {run.engine}: a run has {run.threads} threads; give as many jobs or more"
                    raise UsageError(f"{jobs} is too few: {what}", "jobs")
            reason = do(runner.PendingRuns(runs, done, **order), Threads(runner.execute, jobs), stop=must_stop)
        else:
            from ...csp.work.cluster import dask_pool

            make = partial(runner.on_worker, {run.fingerprint for run in runs})
            floors = ("csp", "models", "estimators")
            with dask_pool(
                cluster, make, security=access["cluster_security"], dashboard=access["cluster_dashboard"], floors=floors
            ) as pool:
                reason = do(runner.PendingRuns(runs, done, lambda run: 1, **order), pool, stop=must_stop)
    return records, reason


def _plan_text(
    name: str,
    runs: Sequence[PlannedRun],
    records: Sequence[Mapping[str, Any]],
    predicted: Mapping[str, float],
    *,
    verbose: bool,
) -> str:
    """The plan: the number of runs of each engine, how many are recorded, and the predicted time of the others."""
    from .outcomes import grouped_by
    from .tables import Table

    rows = []
    for words, those in grouped_by(runs, lambda run: (run.part, run.engine)).items():
        left = [predicted[run.fingerprint] for run in those if run.fingerprint in predicted]
        numbers = grouped(len(those)), grouped(len(those) - len(left)), about_duration(Fraction(sum(left)))
        rows.append([(text, text) for text in (*words, *numbers)])
    total = about_duration(Fraction(sum(predicted.values())))
    lines = [f"{escaped(name)}: {plural(len(runs), 'run')}, {grouped(len(records))} recorded; {total} with one job."]
    table = Table(("part", "engine", "runs", "recorded", "predicted time"), rows, texts=2)
    return "\n".join(lines + table.lines(None if verbose else _ROWS))
