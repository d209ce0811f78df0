"""An experiment from its file to its results: make the missing runs, write the report, summarise it."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, UsageError, grouped, plural
from ...csp.base.safe_files import escaped
from ...csp.base.stop import Report, stoppable
from ...csp.base.words import about_duration
from ...csp.work.book import Book
from .plan import PlannedRun, predicted_seconds
from .records import COPY, NAME, data_frame

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Comparison:
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
    #: The report, and the SVG file of each figure; None and empty for a dry run or a part.
    page: Path | None = None
    figures: tuple[Path, ...] = ()
    #: For a dry run: the predicted seconds of each run without a record, by its fingerprint; None otherwise.
    predicted_seconds: Mapping[str, float] | None = None
    #: The number of runs made by this call; None if it was not to make any.
    executed: int | None = None
    #: ``"interrupt"`` if Ctrl-C ended the call before all runs were made; None otherwise.
    ended_by: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all planned runs are recorded."""
        return not missing(self.runs, self.records)

    @property
    def disagreements(self) -> list[str]:
        """A line for each puzzle on which two runs cannot both be right."""
        from .analysis import disagreements
        from .outcomes import outcomes_of

        return disagreements(outcomes_of(self.records))

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
            "disagreements": self.disagreements,
            "page": None if self.page is None else str(self.page),
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The summary as text; for a dry run, the plan and its predicted time."""
        from .page import summary_lines

        if self.predicted_seconds is not None:
            return _plan_text(self.experiment, self.runs, self.records, self.predicted_seconds)
        what = "part" if self.page is None else "experiment"
        of_all = f"all {plural(len(self.runs), 'run')} of the {what} are recorded"
        lines = [f"nothing to run: {of_all}"] if self.executed == 0 and self.complete else []
        lines += [
            f"{escaped(self.experiment)}: {grouped(len(self.records))} of {plural(len(self.runs), 'run')} recorded"
        ]
        lines += [f"  {line}" for line in summary_lines(self.records)]
        if self.others:
            lines.append(f"  {plural(self.others, 'record')} of other runs or versions in the book left out")
        if self.ended_by is not None:
            lines.append(f"  records          {self.book}; the report comes at the end, or with --report")
        elif self.page is None:
            lines.append(f"  records          {self.book}, to be merged with those of the other parts")
        else:
            lines.append(f"  page             {self.page}, {plural(len(self.figures), 'figure')} beside it")
        return "\n".join(lines)

    def to_pandas(self) -> "DataFrame":
        """The records of the runs as a table of pandas: a row for each, with the columns of `records_frame`.

        Raises JigsatError if pandas is not installed.
        """
        return data_frame(self.records)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def refuse_report_of_others(folder: Path) -> None:
    """Refuse a folder whose report is not about its records: the page and other files would be replaced."""
    for name in ("report.html", "figures", COPY):
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
) -> list[dict[str, Any]]:
    """Make these runs until Ctrl-C is pressed, and record them; return the records."""
    from ...csp.work.pools import Threads
    from ...csp.work.run import run as do
    from . import runner

    records: list[dict[str, Any]] = []
    # Predictions take a while, so they are made only for progress reports.
    seconds = {} if report is None else predicted_seconds(runs)
    total, behind = sum(seconds.values()), 0.0
    with stoppable(report=report) as stop:

        def done(run: PlannedRun, record: dict[str, Any]) -> None:
            nonlocal behind
            book.add(record)
            records.append(record)
            behind += seconds.get(run.fingerprint, 0.0)
            note = f"{len(records)} of {len(runs)} runs, {run.engine} on {run.instance}: {record['outcome']}"
            stop.tell(note, behind / total if total else 0.0)

        must_stop = lambda: "interrupt" if stop() else None  # noqa: E731
        if cluster is None:
            for run in runs:
                if run.threads > jobs:
                    what = f"{run.part}, {run.engine}: a run has {run.threads} threads; give as many jobs or more"
                    raise UsageError(f"{jobs} is too few: {what}", "jobs")
            do(runner.PendingRuns(runs, done), Threads(runner.execute, jobs), stop=must_stop)
        else:
            from ...csp.work.cluster import dask_pool

            make = partial(runner.on_worker, {run.fingerprint for run in runs})
            floors = ("csp", "models", "estimators")
            with dask_pool(
                cluster, make, security=access["cluster_security"], dashboard=access["cluster_dashboard"], floors=floors
            ) as pool:
                do(runner.PendingRuns(runs, done, lambda run: 1), pool, stop=must_stop)
    return records


def _plan_text(
    name: str, runs: Sequence[PlannedRun], records: Sequence[Mapping[str, Any]], predicted: Mapping[str, float]
) -> str:
    """The plan: the number of runs of each engine, how many are recorded, and the predicted time of the others."""
    table: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        row = table.setdefault((run.part, run.engine), [0, 0, 0.0])
        row[0] += 1
        row[1] += run.fingerprint not in predicted
        row[2] += predicted.get(run.fingerprint, 0.0)
    total = sum(row[2] for row in table.values())
    lines = [f"{escaped(name)}: {plural(len(runs), 'run')}, {grouped(len(records))} recorded"]
    width = max(len(escaped(f"{part}, {engine}")) for part, engine in table)
    for (part, engine), (number, recorded, seconds) in table.items():
        label, many = escaped(f"{part}, {engine}"), plural(int(number), "run")
        lines.append(f"  {label:<{width}}  {many:>10}, {recorded} recorded, {about_duration(Fraction(seconds))}")
    lines.append(f"  {'predicted time':<{width}}  {about_duration(Fraction(total))} with one job")
    return "\n".join(lines)
