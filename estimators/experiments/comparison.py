"""An experiment from its file to what came of it: run what is missing, write the page, say what it says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import UsageError
from ...csp.base.extras import need_extra
from ...csp.base.safe_files import escaped
from ...csp.base.stopping import Report, stoppable
from ...csp.base.words import grouped, several
from ..effort.durations import about_duration
from .files import Experiment, load_experiment
from .journal import Journal, open_journal, read_journal
from .plan import PlannedRun, plan, sampled

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Comparison:
    """An experiment, and what is recorded of its runs.

    Parameters
    ----------
    experiment
        The name of the experiment.
    folder
        Where its records and its page stand.
    runs
        The runs that are planned.
    records
        The record of each run that has one, as the lines of ``records.jsonl`` have it.
    others
        How many records in the folder are of other runs, or of other versions.
    page, figures
        The page about the records, and the files of its figures; None and none of a dry run.
    predicted_seconds
        Of a dry run: about how long each run that has no record will take, by its fingerprint; None otherwise.
    executed
        How many runs were made now; None if none were to be made, whatever is missing.
    torn
        How many bytes of a record that was not written to its end were taken away.
    ended_by
        ``"interrupt"`` if Ctrl-C kept runs from being made; None otherwise.
    """

    experiment: str
    folder: Path
    runs: tuple[PlannedRun, ...]
    records: list[dict[str, Any]]
    others: int = 0
    page: Path | None = None
    figures: tuple[Path, ...] = ()
    predicted_seconds: Mapping[str, float] | None = None
    executed: int | None = None
    torn: int = 0
    ended_by: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all runs of the experiment are recorded."""
        return not missing(self.runs, self.records)

    @property
    def disagreements(self) -> list[str]:
        """A line for each puzzle on which two runs cannot both be right."""
        from .analysis.outcomes import outcomes_of
        from .analysis.scores import disagreements

        return disagreements(outcomes_of(self.records))

    def record(self) -> dict[str, Any]:
        """What came of the experiment, in short, for scripts."""
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

    def summary(self) -> str:
        """What came of the experiment as text; of a dry run its plan and the time that it will take."""
        from .report.page import summary_lines

        if self.predicted_seconds is not None:
            return _plan_text(self.experiment, self.runs, self.records, self.predicted_seconds)
        of_all = f"all {several(len(self.runs), 'run')} of the experiment are recorded"
        lines = [f"nothing to run: {of_all}"] if self.executed == 0 and self.complete else []
        lines += [
            f"{escaped(self.experiment)}: {grouped(len(self.records))} of {several(len(self.runs), 'run')} recorded"
        ]
        lines += [f"  {line}" for line in summary_lines(self.records)]
        if self.others:
            lines.append(f"  {several(self.others, 'record')} of other runs or versions in the folder left out")
        lines.append(f"  page             {self.page}, {several(len(self.figures), 'figure')} beside it")
        return "\n".join(lines)

    def to_pandas(self) -> "DataFrame":
        """The records as a table: a row for each run, a column for each value.

        What is nested has its path as a name, as in ``predicted.nodes`` or ``facts.pieces``; lists stay lists.  A value
        that a record does not have is missing there.

        Raises
        ------
        JigsatError
            If pandas is not installed.
        """
        need_extra("pandas", extra="pandas", what="data frames need")
        from pandas import DataFrame

        return DataFrame(flattened(self.records))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def compare(
    experiment: str | Path,
    folder: str | Path,
    *,
    jobs: int = 1,
    sample: int | None = None,
    report_only: bool = False,
    dry_run: bool = False,
    times: str | Path | None = None,
    report: Report | None = None,
) -> Comparison:
    """Run an experiment, every engine on every puzzle, and set predicted and actual effort side by side.

    Each run is made in a process of its own with limits of time and memory, and is a line of ``records.jsonl`` in the
    folder as soon as it has ended.  Given again, the same experiment runs only what is missing.  At the end, or after
    Ctrl-C, ``report.html`` in the folder shows what came of it.

    Parameters
    ----------
    experiment
        An experiment file, ``-`` for standard input, or the name of a bundled experiment.
    folder
        Where the records and the page go; it is made if there is none.
    jobs
        Threads that run at once; one is best for times to compare.
    sample
        On how many of the puzzles, drawn by their fingerprints; on all if it is left out.  A larger sample holds the
        smaller ones.
    report_only
        Run nothing, and write the page about what is recorded.
    dry_run
        Run and write nothing; foretell how long the runs that are missing will take.
    times
        A file for how long solvers take, fitted to the runs; plans use the bundled one.
    report
        Is told after each run how much of the predicted time lies behind.

    Returns
    -------
    Comparison
        The records of the experiment's runs, and the page about them.

    Raises
    ------
    UsageError
        If there are no jobs or no puzzles, or fewer jobs than threads of a run, or options are at odds.
    InstanceError
        If the experiment cannot be read, or the folder cannot be used.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import jigsat as js
    >>> with TemporaryDirectory() as folder:
    ...     todo = js.compare("smoke", folder, dry_run=True)
    >>> len(todo.runs), len(todo.records), todo.complete
    (45, 0, False)
    """
    if jobs < 1:
        raise UsageError(f"at least 1 is needed, not {jobs}", "jobs")
    if report_only and dry_run:
        raise UsageError("one of them writes the page, the other nothing", "report_only", "dry_run")
    if sample is not None and sample < 1:
        raise UsageError(f"at least 1 is needed, not {sample}", "sample")
    read, place = load_experiment(str(experiment)), Path(folder)
    every = plan(read)
    runs = tuple(every if sample is None else sampled(every, sample))
    if dry_run:
        mine, others = _of_these(runs, read_journal(place))
        seconds = predicted_seconds(missing(runs, mine))
        return Comparison(read.name, place, runs, mine, others, predicted_seconds=seconds)
    with open_journal(place) as journal:
        left = [] if report_only else missing(runs, journal.records)
        executed = _execute(left, jobs, journal, report) if left else 0
        mine, others = _of_these(runs, journal.records)
        page, *figures = _written(read, runs, mine, place)
        if times is not None:
            from .fit_times import save_times

            save_times(mine, read.name, read.folder, times)
    ended_by = "interrupt" if executed < len(left) else None
    return Comparison(
        read.name,
        place,
        runs,
        mine,
        others,
        page,
        tuple(figures),
        executed=None if report_only else executed,
        torn=journal.torn,
        ended_by=ended_by,
    )


def missing(runs: Iterable[PlannedRun], records: Iterable[Mapping[str, Any]]) -> list[PlannedRun]:
    """The runs that have no record yet."""
    known = {record["fingerprint"] for record in records}
    return [run for run in runs if run.fingerprint not in known]


def predicted_seconds(runs: Iterable[PlannedRun]) -> dict[str, float]:
    """About how long each run will take, by its fingerprint."""
    from .forecast import Forecast

    forecast = Forecast()
    return {run.fingerprint: forecast.seconds(run) for run in runs}


def flattened(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records without records inside: what is nested is named by its path.

    Examples
    --------
    >>> flattened([{"a": {"b": 1, "c": {"d": 2}}}, {"a": None, "e": [3]}])
    [{'a.b': 1, 'a.c.d': 2}, {'e': [3]}]
    """
    rows = [_flat(record) for record in records]
    nested = {name[:place] for row in rows for name in row for place, mark in enumerate(name) if mark == "."}
    # Where one record has nothing, others have names below.
    return [{name: value for name, value in row.items() if value or name not in nested} for row in rows]


def _flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping) and value:
            row |= _flat(value, f"{before}{name}.")
        else:
            row[f"{before}{name}"] = value
    return row


def _of_these(runs: Iterable[PlannedRun], records: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The records of these runs, and how many others there are."""
    wanted = {run.fingerprint for run in runs}
    mine = [record for record in records if record["fingerprint"] in wanted]
    return mine, len(records) - len(mine)


def _execute(runs: Sequence[PlannedRun], jobs: int, journal: Journal, report: Report | None) -> int:
    """Make these runs until Ctrl-C is pressed, and record them; how many were made."""
    from .runner import execute_all

    # To foretell takes a while.
    seconds = {} if report is None else predicted_seconds(runs)
    total, recorded = sum(seconds.values()), 0
    behind = 0.0

    with stoppable(report=report) as stop:

        def done(run: PlannedRun, record: dict[str, Any]) -> None:
            nonlocal recorded, behind
            journal.append(record)
            recorded += 1
            behind += seconds.get(run.fingerprint, 0.0)
            note = f"{recorded} of {len(runs)} runs, {run.engine} on {run.instance}: {record['outcome']}"
            stop.tell(note, behind / total if total else 0.0)

        execute_all(runs, jobs, stop, done)
    return recorded


def _written(
    experiment: Experiment,
    runs: Sequence[PlannedRun],
    records: Sequence[dict[str, Any]],
    folder: Path,
) -> list[Path]:
    """Write the page about the runs that are recorded; page and figures."""
    from .report.page import write_report

    return write_report(records, folder, name=experiment.name, about=experiment.about, planned=len(runs))


def _plan_text(
    name: str, runs: Sequence[PlannedRun], records: Sequence[Mapping[str, Any]], predicted: Mapping[str, float]
) -> str:
    """The plan: how many runs of which engine, how many are recorded, how long the rest will take."""
    table: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        row = table.setdefault((run.part, run.engine), [0, 0, 0.0])
        row[0] += 1
        row[1] += run.fingerprint not in predicted
        row[2] += predicted.get(run.fingerprint, 0.0)
    total = sum(row[2] for row in table.values())
    lines = [f"{escaped(name)}: {several(len(runs), 'run')}, {grouped(len(records))} recorded"]
    width = max(len(escaped(f"{part}, {engine}")) for part, engine in table)
    for (part, engine), (number, recorded, seconds) in table.items():
        label, many = escaped(f"{part}, {engine}"), several(int(number), "run")
        lines.append(f"  {label:<{width}}  {many:>10}, {recorded} recorded, {about_duration(Fraction(seconds))}")
    lines.append(f"  {'predicted time':<{width}}  {about_duration(Fraction(total))} of one job, at most their limits")
    return "\n".join(lines)
