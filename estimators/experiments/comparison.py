"""An experiment from its file to its results: make the missing runs, write the report, summarise it."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import escaped
from ...csp.base.stopping import Report, stoppable
from ...csp.base.words import grouped, several
from ...csp.engines.refusals import refuse_other_types
from ..effort.durations import about_duration
from .files import Experiment, load_experiment
from .plan import PlannedRun, plan, sampled, sharded
from .records.journal import NAME, Journal, has_journal, open_journal, read_journal, repair_journal

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class _Access:
    """How to reach a Dask cluster: its address, the file with its keys, and the port of its dashboard."""

    address: str
    security: str | None
    dashboard: int | None


@dataclass(frozen=True)
class Comparison:
    """An experiment, and the records of its runs.

    Parameters
    ----------
    experiment
        The name of the experiment.
    folder
        The folder of its records.
    runs
        The planned runs.
    records
        The records of these runs, in the form of the lines of ``records.jsonl``.
    others
        The number of records in the folder of other runs or versions.
    page, figures
        The report, and the SVG file of each figure; None and empty for a dry run or a shard.
    predicted_seconds
        For a dry run: the predicted seconds of each run without a record, by its fingerprint; None otherwise.
    executed
        The number of runs made by this call; None if it was not to make any.
    torn
        The number of bytes of an incomplete record that were removed.
    damaged
        The damaged file that was repaired, under its new name; None if there was none.
    ended_by
        ``"interrupt"`` if Ctrl-C ended the call before all runs were made; None otherwise.
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
    damaged: Path | None = None
    ended_by: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all planned runs are recorded."""
        return not missing(self.runs, self.records)

    @property
    def disagreements(self) -> list[str]:
        """A line for each puzzle on which two runs cannot both be right."""
        from .analysis.outcomes import outcomes_of
        from .analysis.scores import disagreements

        return disagreements(outcomes_of(self.records))

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

    def summary(self) -> str:
        """The summary as text; for a dry run, the plan and its predicted time."""
        from .report.page import summary_lines

        if self.predicted_seconds is not None:
            return _plan_text(self.experiment, self.runs, self.records, self.predicted_seconds)
        what = "shard" if self.page is None else "experiment"
        of_all = f"all {several(len(self.runs), 'run')} of the {what} are recorded"
        lines = [f"nothing to run: {of_all}"] if self.executed == 0 and self.complete else []
        lines += [
            f"{escaped(self.experiment)}: {grouped(len(self.records))} of {several(len(self.runs), 'run')} recorded"
        ]
        lines += [f"  {line}" for line in summary_lines(self.records)]
        if self.others:
            lines.append(f"  {several(self.others, 'record')} of other runs or versions in the folder left out")
        if self.ended_by is not None:
            lines.append(f"  records          {self.folder}; the report comes at the end, or with --report")
        elif self.page is None:
            lines.append(f"  records          {self.folder}, to be merged with those of the other shards")
        else:
            lines.append(f"  page             {self.page}, {several(len(self.figures), 'figure')} beside it")
        return "\n".join(lines)

    def to_pandas(self) -> "DataFrame":
        """The records of the runs as a table, with the columns of `records_frame`.

        Returns
        -------
        pandas.DataFrame
            A row for each record of the experiment's runs.

        Raises
        ------
        JigsatError
            If pandas is not installed.
        """
        from .records.data_frames import data_frame

        return data_frame(self.records)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def compare(
    experiment: str | Path,
    folder: str | Path,
    *,
    jobs: int = 1,
    sample: int | None = None,
    shard: str | None = None,
    cluster: str | None = None,
    cluster_security: str | None = None,
    cluster_dashboard: int | None = None,
    report_only: bool = False,
    dry_run: bool = False,
    repair: bool = False,
    report: Report | None = None,
) -> Comparison:
    """Run an experiment, every engine on every puzzle, and compare predicted with actual effort.

    Each run has a process of its own with limits of time and memory.  Its record is appended to ``records.jsonl`` in
    the folder as soon as the run ends.  Repeated, the call runs only what has no record.  At the end the call
    writes ``report.html`` and the figures, which show all recorded runs of the experiment; after Ctrl-C, a call with
    `report_only` does.

    Several machines can share an experiment in two ways.  With `shard`, each call runs a fixed part of the runs, such
    as a task of a SLURM array does, and `merge_records` joins the records.  With `cluster`, one call hands the runs out
    to the workers of a Dask cluster.

    Parameters
    ----------
    experiment : str or Path
        An experiment file, ``-`` for standard input, or the name of a bundled experiment.
    folder : str or Path
        The folder for the records and the report; it is made if it does not exist.
    jobs : int, default 1
        The number of threads that run at once.  Compare times only of runs made with one.
    sample : int, optional
        Run on this number of puzzles only, drawn by their fingerprints.  A larger sample contains the smaller ones.
    shard : str, optional
        Run shard I of N, given as ``"I/N"`` with I from 1 to N.  All runs on one puzzle are in the same shard.  The
        records go to the folder ``shard-I-of-N`` in `folder`, without a report.  Runs with a record in `folder` itself
        count as recorded.
    cluster : str, optional
        Run on the workers of a Dask cluster, as many runs at once as the workers have threads: the address of a
        scheduler (``tls://host:8786``), or ``local:N`` for N processes on this machine.  A run takes one thread of a
        worker, whatever its option `threads` is.  All workers need the same versions of jigsat, Python and the
        libraries, and the same files of puzzles under the same paths.  Everyone who can connect to a cluster without
        TLS runs code on it; the one of ``local:N`` has keys of its own.
    cluster_security : str, optional
        The file with the certificates and keys of the cluster.
    cluster_dashboard : int, optional
        The port of Dask's dashboard for ``local:N``, which every user of this machine can open.
    report_only : bool, default False
        Run nothing; write the report about what is recorded.
    dry_run : bool, default False
        Run and write nothing; predict how long the missing runs will take.
    repair : bool, default False
        If the file of records is damaged, rewrite it with the intact records first, so that the other runs are made
        again.  The damaged file is kept beside it.
    report : callable, optional
        Is called after each run with the predicted share of the work that is done.

    Returns
    -------
    Comparison
        The records of the experiment's runs, and the report.

    Raises
    ------
    UsageError
        If `jobs` or `sample` is below 1, `jobs` is less than the threads of a run, `shard` is not of the form
        ``"I/N"``, or options exclude each other.
    EngineError
        If the cluster cannot be used.
    InstanceError
        If the experiment cannot be read, or the folder cannot be used, for example because its records are damaged.

    See Also
    --------
    merge_records : Join the records of several folders.
    records_frame : Records as a table of pandas.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import jigsat as js
    >>> with TemporaryDirectory() as folder:
    ...     todo = js.compare("smoke", folder, dry_run=True)
    ...     part = js.compare("smoke", folder, shard="1/3", dry_run=True)
    >>> len(todo.runs), len(todo.records), todo.complete, len(part.runs)
    (45, 0, False, 19)
    """
    _refuse_misuse(jobs, sample, shard, cluster, report_only, dry_run)
    if repair and dry_run:
        raise UsageError("the first writes the records, the second nothing; give one of them", "repair", "dry_run")
    for name, value in (("cluster_security", cluster_security), ("cluster_dashboard", cluster_dashboard)):
        if value is not None and cluster is None:
            raise UsageError("needs a cluster", name)
    read, whole = load_experiment(str(experiment)), Path(folder)
    every = plan(read)
    runs = tuple(every if sample is None else sampled(every, sample))
    place, merged = whole, list[dict[str, Any]]()
    if shard is not None:
        runs = tuple(sharded(runs, shard))
        merged, _ = _of_these(runs, read_journal(whole))
        place = whole / "shard-{}-of-{}".format(*map(int, shard.split("/")))
    if dry_run:
        mine, others = _of_these(runs, [*merged, *read_journal(place)])
        return Comparison(
            read.name, place, runs, mine, others, predicted_seconds=predicted_seconds(missing(runs, mine))
        )
    _refuse_report_of_others(place)
    damaged = repair_journal(place) if repair else None
    with open_journal(place) as journal:
        left = [] if report_only else missing(runs, [*merged, *journal.records])
        where = None if cluster is None else _Access(cluster, cluster_security, cluster_dashboard)
        executed = _execute(left, jobs, where, journal, report) if left else 0
        mine, others = _of_these(runs, [*merged, *journal.records])
        interrupted = executed < len(left)
        # To draw the figures takes seconds, and Ctrl-C must not wait.
        files = _written(read, runs, mine, place) if shard is None and not interrupted else []
    ended_by = "interrupt" if interrupted else None
    return Comparison(
        read.name,
        place,
        runs,
        mine,
        others,
        files[0] if files else None,
        tuple(files[1:]),
        executed=None if report_only else executed,
        torn=journal.torn,
        damaged=damaged,
        ended_by=ended_by,
    )


def _refuse_report_of_others(folder: Path) -> None:
    """Refuse a folder whose report is not about its records: the page and the figures would be replaced."""
    for name in ("report.html", "figures"):
        if os.path.exists(folder / name) and not has_journal(folder):
            raise InstanceError(f"{folder / name}: exists without {NAME}; move it away or give another folder")


def _refuse_misuse(
    jobs: int, sample: int | None, shard: str | None, cluster: str | None, report_only: bool, dry_run: bool
) -> None:
    refuse_other_types(jobs=(jobs, "whole"), sample=(sample, "whole"), shard=(shard, "text"))
    if jobs < 1:
        raise UsageError(f"at least 1 is needed, not {jobs}", "jobs")
    if sample is not None and sample < 1:
        raise UsageError(f"at least 1 is needed, not {sample}", "sample")
    if report_only and dry_run:
        raise UsageError("the first writes the report, the second nothing; give one of them", "report_only", "dry_run")
    if report_only and cluster is not None:
        raise UsageError("nothing is run for a report; omit one of them", "report_only", "cluster")
    if report_only and shard is not None:
        raise UsageError("a shard has no report; merge the records of the shards", "report_only", "shard")
    if cluster is not None and jobs != 1:
        raise UsageError("a cluster runs as much at once as its workers have threads", "jobs", "cluster")


def missing(runs: Iterable[PlannedRun], records: Iterable[Mapping[str, Any]]) -> list[PlannedRun]:
    """The runs without a record."""
    known = {record["fingerprint"] for record in records}
    return [run for run in runs if run.fingerprint not in known]


def predicted_seconds(runs: Iterable[PlannedRun]) -> dict[str, float]:
    """The predicted seconds of each run, by its fingerprint."""
    from .forecast import Forecast

    forecast = Forecast()
    return {run.fingerprint: forecast.seconds(run) for run in runs}


def _of_these(runs: Iterable[PlannedRun], records: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The record of each of these runs, the first one if there are several; and the number of other records."""
    wanted = {run.fingerprint for run in runs}
    mine: dict[str, dict[str, Any]] = {}
    for record in records:
        if record["fingerprint"] in wanted:
            mine.setdefault(record["fingerprint"], record)
    return list(mine.values()), sum(record["fingerprint"] not in wanted for record in records)


def _execute(
    runs: Sequence[PlannedRun], jobs: int, cluster: _Access | None, journal: Journal, report: Report | None
) -> int:
    """Make these runs until Ctrl-C is pressed, and record them; return how many were recorded."""
    # Predictions take a while, so they are made only for progress reports.
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

        if cluster is None:
            from .runner import execute_all

            execute_all(runs, jobs, stop, done)
        else:
            from .run_on_cluster import execute_on_cluster

            execute_on_cluster(
                runs, cluster.address, stop, done, security=cluster.security, dashboard=cluster.dashboard
            )
    return recorded


def _written(
    experiment: Experiment,
    runs: Sequence[PlannedRun],
    records: Sequence[dict[str, Any]],
    folder: Path,
) -> list[Path]:
    """Write the report about these records; return its page and figures."""
    from .report.page import write_report

    return write_report(
        records,
        folder,
        source=experiment.source,
        name=experiment.name,
        about=experiment.about,
        planned=len(runs),
    )


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
    lines = [f"{escaped(name)}: {several(len(runs), 'run')}, {grouped(len(records))} recorded"]
    width = max(len(escaped(f"{part}, {engine}")) for part, engine in table)
    for (part, engine), (number, recorded, seconds) in table.items():
        label, many = escaped(f"{part}, {engine}"), several(int(number), "run")
        lines.append(f"  {label:<{width}}  {many:>10}, {recorded} recorded, {about_duration(Fraction(seconds))}")
    lines.append(f"  {'predicted time':<{width}}  {about_duration(Fraction(total))} with one job")
    return "\n".join(lines)
