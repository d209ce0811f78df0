"""`jigsat compare`: run an experiment, engines on puzzles, and set predicted and actual effort side by side."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..csp.base.errors import EngineError
from ..csp.base.quantities import grouped, several
from ..csp.base.safe_files import escaped
from ..csp.base.stopping import interrupts_noted
from ..estimators.experiments.files import Experiment, load_experiment
from ..estimators.experiments.journal import Journal, open_journal, read_journal
from ..estimators.plan.durations import about_duration
from .parts.options import whole

if TYPE_CHECKING:
    from ..estimators.experiments.plan import PlannedRun

Records = Sequence[dict[str, Any]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run an experiment: every engine on every puzzle, each run in a process of its own with limits of "
        "time and memory.  Each run is a line of FOLDER/records.jsonl as soon as it has ended; given again, the same "
        "command runs only what is missing.  At the end, or after Ctrl-C, FOLDER/report.html shows what came of it, "
        "and FOLDER/figures holds its figures."
    )
    parser.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        help="an experiment file, - for standard input, or a bundled experiment's name",
    )
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="where the records and the page go")
    parser.add_argument(
        "--jobs", type=whole, default=1, metavar="N", help="threads that run at once (default: 1, for times to compare)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="print the plan with its predicted time, and run nothing")
    what.add_argument("--report", action="store_true", help="run nothing, write the page about what is recorded")
    parser.add_argument(
        "--lessons", metavar="FILE", help="write what the runs teach about engines, as --engine auto uses it, to FILE"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..estimators.experiments.plan import plan

    if arguments.jobs == 0:
        raise EngineError("--jobs 0: at least 1 is needed")
    experiment = load_experiment(arguments.experiment)
    runs = plan(experiment)
    folder = Path(arguments.output)
    if arguments.dry_run:
        print(planned(experiment, runs, read_journal(folder)))
        return 0
    with open_journal(folder) as journal:
        if journal.torn:
            print(f"jigsat: {folder}: a record that was not written to its end was taken away", file=sys.stderr)
        complete = arguments.report or execute(arguments, runs, journal)
        return conclude(arguments, experiment, runs, journal.records, interrupted=not complete)


def missing(runs: "Sequence[PlannedRun]", records: Records) -> "list[PlannedRun]":
    """The runs that have no record yet."""
    known = {record["fingerprint"] for record in records}
    return [run for run in runs if run.fingerprint not in known]


def execute(arguments: argparse.Namespace, runs: "Sequence[PlannedRun]", journal: Journal) -> bool:
    """Run what is missing; whether all has been run."""
    from ..estimators.experiments.runner import execute_all

    left = missing(runs, journal.records)
    if not left:
        print(f"nothing to run: all {several(len(runs), 'run')} of the experiment are recorded")
        return True
    with interrupts_noted() as stopped, _bar(arguments, left) as show:

        def done(run: "PlannedRun", record: dict[str, Any]) -> None:
            journal.append(record)
            show(run, record)

        execute_all(left, arguments.jobs, stopped, done)
    return not missing(left, journal.records)


@contextmanager
def _bar(arguments: argparse.Namespace, runs: "Sequence[PlannedRun]") -> "Iterator[Callable[[PlannedRun, Any], None]]":
    """A bar on stderr that goes by the predicted seconds of the runs; nothing where nobody would see it."""
    if arguments.quiet or not sys.stderr.isatty():
        yield lambda run, record: None
        return
    from tqdm import tqdm

    from ..estimators.experiments.forecast import Forecast

    forecast = Forecast()
    seconds = {run.fingerprint: forecast.seconds(run) for run in runs}
    layout = "{percentage:5.1f}% |{bar}| {elapsed}<{remaining} {postfix}"
    with tqdm(total=sum(seconds.values()), bar_format=layout, leave=False, file=sys.stderr) as bar:
        number = 0

        def show(run: "PlannedRun", record: dict[str, Any]) -> None:
            nonlocal number
            number += 1
            told = f"{number} of {len(runs)} runs, {run.engine} on {run.instance}: {record['outcome']}"
            bar.set_postfix_str(told, refresh=False)
            bar.update(seconds[run.fingerprint])

        yield show


def conclude(
    arguments: argparse.Namespace,
    experiment: Experiment,
    runs: "Sequence[PlannedRun]",
    records: Records,
    *,
    interrupted: bool,
) -> int:
    """Write the page about the runs that are recorded, and say what it says; the exit status."""
    from ..estimators.experiments.advice import learn, save_lessons
    from ..estimators.experiments.analysis.outcomes import outcomes_of
    from ..estimators.experiments.analysis.scores import disagreements
    from ..estimators.experiments.report.page import summary_lines, write_report

    wanted = {run.fingerprint for run in runs}
    mine = [record for record in records if record["fingerprint"] in wanted]
    folder = Path(arguments.output)
    title = {"name": experiment.name, "about": experiment.about, "planned": len(runs)}
    page, *figures = write_report(mine, folder, **title)
    print(f"{escaped(experiment.name)}: {grouped(len(mine))} of {several(len(runs), 'run')} recorded")
    print("\n".join(f"  {line}" for line in summary_lines(mine)))
    if len(mine) < len(records):
        others = f"{several(len(records) - len(mine), 'record')} of other runs or versions in the folder left out"
        print(f"  {others}")
    print(f"  page             {page}, {several(len(figures), 'figure')} beside it")
    if arguments.lessons is not None:
        save_lessons(learn(outcomes_of(mine)), arguments.lessons)
    if interrupted:
        print("interrupted; the same command goes on where it was", file=sys.stderr)
        return 130
    return 1 if disagreements(outcomes_of(mine)) else 0


def planned(experiment: Experiment, runs: "Sequence[PlannedRun]", records: Records) -> str:
    """The plan: how many runs of which engine, how many are recorded, how long the rest will take."""

    from ..estimators.experiments.forecast import Forecast

    forecast = Forecast()
    left = {run.fingerprint for run in missing(runs, records)}
    table: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        row = table.setdefault((run.part, run.engine), [0, 0, 0.0])
        row[0] += 1
        row[1] += run.fingerprint not in left
        row[2] += forecast.seconds(run) if run.fingerprint in left else 0.0
    total = sum(row[2] for row in table.values())
    lines = [f"{escaped(experiment.name)}: {several(len(runs), 'run')}, {grouped(len(runs) - len(left))} recorded"]
    width = max(len(escaped(f"{part}, {engine}")) for part, engine in table)
    for (part, engine), (number, recorded, seconds) in table.items():
        name, many = escaped(f"{part}, {engine}"), several(int(number), "run")
        lines.append(f"  {name:<{width}}  {many:>10}, {recorded} recorded, {about_duration(Fraction(seconds))}")
    lines.append(f"  {'predicted time':<{width}}  {about_duration(Fraction(total))} of one job, at most their limits")
    return "\n".join(lines)
