"""Run an experiment, and compare predicted with actual effort."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..csp.base.errors import UsageError
from ..csp.engines.request import refuse_other_types
from .public import public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..estimators.experiments.comparison import Comparison


# Options that exclude each other, and why.
_EXCLUSIVE = (
    ("report_only", "dry_run", "the first writes the report, the second nothing; give one of them"),
    ("report_only", "cluster", "nothing is run for a report; omit one of them"),
    ("report_only", "part", "a part has no report; merge the books of the parts"),
    ("jobs", "cluster", "a cluster runs as much at once as its workers have threads"),
)


@public
def compare(
    experiment: str | Path,
    output: str | Path,
    *,
    jobs: int = 1,
    sample: int | None = None,
    part: str | None = None,
    cluster: str | None = None,
    cluster_security: str | None = None,
    cluster_dashboard: int | None = None,
    report_only: bool = False,
    dry_run: bool = False,
    report: Report | None = None,
) -> Comparison:
    """Run an experiment, every engine on every puzzle, and compare predicted with actual effort.

    Each run is a process with limits of time and memory.  Each run adds its record to FOLDER/records.book when it ends;
    the same command, given again, runs only what is missing.  At the end, FOLDER/report.html shows the results,
    FOLDER/figures holds the figures, and FOLDER/records.jsonl all records for other programs; after Ctrl-C, add
    `report_only`.

    Parameters
    ----------
    experiment : str or Path
        An experiment file (JSON), the name of a bundled experiment, or - for standard input.
    output : str or Path
        The folder for the records and the report; it is made if it does not exist.
    jobs : int, default 1
        Number of threads that run at once.  Compare times only of runs made with one.
    sample : int, optional
        Run on N of the puzzles only.  A larger sample contains every smaller one.
    part : str, optional
        Make part K of N of the runs, with its records in FOLDER/part-K-of-N.book.  For SLURM arrays; ``jigsat merge``
        joins the books.  All runs on one puzzle are in the same part.
    cluster : str, optional
        Run on a Dask cluster: tls://HOST:8786 (a scheduler), or local:N (N processes of this machine).  All workers
        need the same versions of jigsat, Python and the libraries, and the same files of puzzles under the same paths.
    report_only : bool, default False
        Write the report of the recorded runs, and run nothing.
    dry_run : bool, default False
        Print the plan with its predicted time, and run nothing.
    report : callable, optional
        Is called after each run with the predicted share of the work that is done.

    Returns
    -------
    Comparison
        The records of the experiment's runs, and the report.

    Raises
    ------
    UsageError
        If `jobs` or `sample` is below 1, `jobs` is less than the threads of a run, `part` is not of the form
        ``"K/N"``, or options exclude each other.
    EngineError
        If the cluster cannot be used.
    InstanceError
        If the experiment cannot be read, or the folder or a book in it cannot be used.

    See Also
    --------
    records_frame : Records as a table of pandas.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import jigsat as js
    >>> with TemporaryDirectory() as folder:
    ...     todo = js.compare("smoke", folder, dry_run=True)
    ...     third = js.compare("smoke", folder, part="1/3", dry_run=True)
    >>> len(todo.runs), len(todo.records), todo.complete, len(third.runs)
    (45, 0, False, 19)
    """
    from ..csp.work.run import Portion
    from ..estimators.experiments.comparison import Comparison, made, missing, of_these, refuse_report_of_others
    from ..estimators.experiments.files import load_experiment
    from ..estimators.experiments.plan import in_portion, plan, predicted_seconds, sampled
    from ..estimators.experiments.records import NAME, copy_records, open_records, read_records

    refuse_other_types(jobs=(jobs, "whole"), sample=(sample, "whole"), part=(part, "text"))
    for name, number in (("jobs", jobs), ("sample", sample)):
        if number is not None and number < 1:
            raise UsageError(f"at least 1 is needed, not {number}", name)
    access = {"cluster_security": cluster_security, "cluster_dashboard": cluster_dashboard}
    for name, value in access.items():
        if value is not None and cluster is None:
            raise UsageError("needs a cluster", name)
    given = {"report_only": report_only, "dry_run": dry_run, "cluster": cluster, "part": part}
    for first, second, why in _EXCLUSIVE:
        if (given | {"jobs": jobs != 1})[first] and given[second]:
            raise UsageError(why, first, second)
    portion = Portion.parsed(part)
    place = Path(output, NAME if part is None else f"part-{portion.number}-of-{portion.of}.book")
    read = load_experiment(str(experiment))
    every = plan(read)
    runs = tuple(every if sample is None else sampled(every, sample))
    merged = list[dict[str, Any]]()
    if part is not None:
        runs = tuple(in_portion(runs, portion))
        merged, _ = of_these(runs, read_records(place.with_name(NAME)))
    if dry_run:
        mine, others = of_these(runs, [*merged, *read_records(place)])
        seconds = predicted_seconds(missing(runs, mine))
        return Comparison(read.name, place, runs, mine, others, predicted_seconds=seconds)
    if part is None:
        refuse_report_of_others(place.parent)
    with open_records(place) as (book, records):
        if book.salvaged is not None:
            warnings.warn(book.salvaged, UserWarning, stacklevel=3)
        left = [] if report_only else missing(runs, [*merged, *records])
        fresh = made(left, jobs, cluster, access, book, report) if left else []
        records = [*records, *fresh]
        mine, others = of_these(runs, [*merged, *records])
        interrupted = len(fresh) < len(left)
        files: list[Path] = []
        # To draw the figures takes seconds, and Ctrl-C must not wait.
        if part is None and not interrupted:
            from ..estimators.experiments.page import write_report

            copy_records(records, place.parent)
            named = {"source": read.source, "name": read.name, "about": read.about}
            files = write_report(mine, place.parent, **named, planned=len(runs))
    return Comparison(
        read.name,
        place,
        runs,
        mine,
        others,
        files[0] if files else None,
        tuple(files[1:]),
        executed=None if report_only else len(fresh),
        ended_by="interrupt" if interrupted else None,
    )
