"""Run an experiment, and compare predicted with actual effort."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .public import public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..estimators.experiments.comparison import Comparison


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
    from ..estimators.experiments.comparison import compare as run

    return run(
        experiment, output, jobs=jobs, sample=sample, part=part, cluster=cluster, cluster_security=cluster_security,
        cluster_dashboard=cluster_dashboard, report_only=report_only, dry_run=dry_run, report=report,
    )  # fmt: skip
