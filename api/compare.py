"""Compare engines on puzzles, and predicted with actual effort."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import UsageError
from ..csp.engines.request import refuse_given, refuse_other_types
from .public import AnyPuzzle, public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..estimators.experiments.comparison import Comparison
    from ..estimators.experiments.files import Experiment


# Options that exclude each other, and why.
_EXCLUSIVE = (
    ("report_only", "dry_run", "the first writes the report, the second nothing; give one of them"),
    ("report_only", "cluster", "nothing is run for a report; omit one of them"),
    ("report_only", "part", "a part has no report; merge the books of the parts"),
    ("jobs", "cluster", "a cluster runs as much at once as its workers have threads"),
)


@public
def compare(
    puzzles: Iterable[AnyPuzzle] | AnyPuzzle,
    output: str | Path | None = None,
    *,
    engines: str | Iterable[str | Mapping[str, Any]] | None = None,
    goal: Literal["solve", "all", "count", "best"] | None = None,
    time_limit: float | None = None,
    orders: str | Iterable[str] | None = None,
    encodings: str | Iterable[str] | None = None,
    seeds: str | Iterable[int] | None = None,
    repetitions: int | None = None,
    table: Literal["md", "csv", "latex"] | None = None,
    jobs: int = 1,
    cheapest_first: bool = False,
    budget: float | None = None,
    sample: int | None = None,
    part: str | None = None,
    cluster: str | None = None,
    cluster_security: str | None = None,
    cluster_dashboard: int | None = None,
    report_only: bool = False,
    dry_run: bool = False,
    report: Report | None = None,
) -> Comparison:
    """Compare engines: run each of them on every puzzle, and compare predicted with actual effort.

    Each run is a process with limits of time and memory.  Each run adds its record to FOLDER/records.book when it ends;
    the same command, given again, runs only what is missing.  At the end, FOLDER/report.html shows the results,
    FOLDER/figures and FOLDER/tables hold figures and tables (CSV, Markdown, LaTeX), and FOLDER/records.jsonl all
    records for other programs; after Ctrl-C, add `report_only`.

    Parameters
    ----------
    puzzles : puzzle, str, Path, or iterable of these
        Files, bundled names, folders, lists, or patterns such as ``boards/*.json``.  A list is a text file (.txt) with
        one of the others in each line.  Or an experiment: its file (JSON), the name of a bundled experiment, or - for
        standard input.
    output : str or Path, optional
        The folder for the records and the report, which is made if it does not exist.  By default it is called after
        what is compared, as in clue1-comparison.
    engines : str or iterable of str or mapping, optional
        The engines, separated by commas, such as backtrack,cpsat,sat:cadical195; default stands for what the plan
        chooses.  In Python an engine may be a mapping, as in an experiment's file.  By default backtrack,
        most-constrained, cpsat, sat:cadical195, and for the best score beam, as far as they can.
    goal : {'solve', 'all', 'count', 'best'}, optional
        What to search for: one solution (the default), all, their number, or the best score.
    time_limit : float, optional
        Stop each run after this many seconds; on the command line also 1m30s or 2h.  60 by default.
    orders : str or iterable of str, optional
        Run engines that follow a search order once for each of these, such as rowscan,spiral_in.
    encodings : str or iterable of str, optional
        Run engines that build a model once for each of these encodings that they have, such as pairs,bits.
    seeds : str or iterable of int, optional
        Run engines that take a seed once for each of these, such as 1,2 or 1..5.
    repetitions : int, optional
        Make each run N times.
    table : {'md', 'csv', 'latex'}, optional
        Show the results of the engines as this table only.
    jobs : int, default 1
        Number of threads that run at once.  Compare times only of runs made with one.
    cheapest_first : bool, default False
        Whether to make the runs by price.  The price of a run is what the plan predicts for it.  A run that takes four
        times as much, and 5 seconds more, is given up for now; it comes back with twice the time, behind those that
        cost less, and goes on where it was if its engine can.  Prices, and what was begun, are kept with the records.
        There is no time limit unless one is given, except for the best score.
    budget : float, optional
        With `cheapest_first`: spend this many seconds; on the command line also 1m30s or 2h.  It is the processor time
        of all runs of this call, and of predicting prices; then it says what the rest would cost.
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
        ``"K/N"``, options exclude each other, or engines and the like are given although an experiment names them.
    EngineError
        If an engine cannot do what is asked for, or the cluster cannot be used.
    InstanceError
        If a puzzle or the experiment cannot be read, or the folder or a book in it cannot be used.

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
    >>> todo = js.compare(["clue1", "clue3"], engines=["backtrack", "cpsat"], dry_run=True)
    >>> [(run.instance, run.engine) for run in todo.runs][:2]
    [('clue1', 'backtrack'), ('clue1', 'cpsat')]
    """
    from ..csp.base.stop import stoppable
    from ..csp.work.run import Portion
    from ..estimators.experiments.comparison import Comparison, made, missing, of_these, refuse_report_of_others
    from ..estimators.experiments.plan import in_portion, plan, predicted_seconds, sampled
    from ..estimators.experiments.queue import START, UNLIMITED, Queue
    from ..estimators.experiments.records import NAME, copy_records, notes_in, open_records, read_notes, read_records

    refuse_other_types(jobs=(jobs, "whole"), sample=(sample, "whole"), part=(part, "text"), budget=(budget, "seconds"))
    for name, number in (("jobs", jobs), ("sample", sample)):
        if number is not None and number < 1:
            raise UsageError(f"at least 1 is needed, not {number}", name)
    access = {"cluster_security": cluster_security, "cluster_dashboard": cluster_dashboard}
    if cluster is None:
        refuse_given("needs a cluster", **access)
    given = {"report_only": report_only, "dry_run": dry_run, "cluster": cluster, "part": part}
    for first, second, why in _EXCLUSIVE:
        if (given | {"jobs": jobs != 1})[first] and given[second]:
            raise UsageError(why, first, second)
    if budget is not None and not cheapest_first:
        raise UsageError("it is spent on the cheapest runs; give both", "budget", "cheapest_first")
    portion = Portion.parsed(part)
    asked = {
        "engines": engines, "goal": goal, "time_limit": time_limit, "orders": orders, "encodings": encodings,
        "seeds": seeds, "repetitions": repetitions,
    }  # fmt: skip
    with ExitStack() as stack:
        # The queue gives up what costs too much, so that no time limit is needed.
        limit = UNLIMITED if cheapest_first and goal != "best" else None
        read, folder = _read(puzzles, output, asked, stack, keep=not dry_run, usual_limit=limit)
        every = plan(read)
    place = folder / (NAME if part is None else f"part-{portion.number}-of-{portion.of}.book")
    runs = tuple(every if sample is None else sampled(every, sample))
    merged, notes = list[dict[str, Any]](), list[dict[str, Any]]()
    if part is not None:
        runs = tuple(in_portion(runs, portion))
        merged, _ = of_these(runs, read_records(place.with_name(NAME)))
        notes = read_notes(place.with_name(NAME))
    if dry_run:
        mine, others = of_these(runs, [*merged, *read_records(place)])
        todo = missing(runs, mine)
        if not cheapest_first:
            return Comparison(read.name, place, runs, mine, others, predicted_seconds=predicted_seconds(todo))
        queue = Queue([*notes, *read_notes(place)])
        with stoppable(report=report) as stop:
            queue.predict(todo, stop)
        seconds = {run.fingerprint: queue.price(run).at_median + START for run in todo}
        return Comparison(
            read.name, place, runs, mine, others, predicted_seconds=seconds, rest=queue.rest(todo) if todo else None
        )
    if part is None:
        refuse_report_of_others(place.parent)
    with open_records(place) as (book, records):
        if book.salvaged is not None:
            warnings.warn(book.salvaged, UserWarning, stacklevel=3)
        left = [] if report_only else missing(runs, [*merged, *records])
        queue = None
        if cheapest_first:
            notes += notes_in(book.entries, place)
            queue = Queue(notes, budget, lambda note: book.add(note, now=note["note"] != "price"))
        fresh, ended_by = made(left, jobs, cluster, access, book, report, queue) if left else ([], None)
        records = [*records, *fresh]
        mine, others = of_these(runs, [*merged, *records])
        todo = missing(runs, mine)
        interrupted = ended_by == "interrupt"
        files = None
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
        *((None, (), (), {}) if files is None else files),
        executed=None if report_only else len(fresh),
        ended_by=ended_by,
        rest=None if queue is None or not todo else queue.rest(todo),
        spent_seconds=None if queue is None else queue.spent,
        table=table,
    )


def _read(
    puzzles: Any,
    output: str | Path | None,
    asked: Mapping[str, Any],
    stack: ExitStack,
    *,
    keep: bool,
    usual_limit: float | None,
) -> tuple[Experiment, Path]:
    """The experiment, and its folder; puzzles in memory are written there, or, for a dry run, to a temporary one.

    `usual_limit` is the time limit in seconds if none is asked for; None for that of experiments.
    """
    from ..csp.base.safe_files import temporary_folder
    from ..estimators.experiments.files import load_experiment
    from ..estimators.experiments.given import folder_of, given_experiment, is_experiment, title_of

    every: list[Any] = [puzzles] if isinstance(puzzles, AnyPuzzle) else list(puzzles)
    for wrong in (one for one in every if not isinstance(one, AnyPuzzle)):
        raise UsageError(f"must be puzzles, or where they are, not {type(wrong).__name__}", "puzzles")
    if not every:
        raise UsageError("at least one puzzle is needed", "puzzles")
    given = [name for name, value in asked.items() if value is not None]
    names = [str(one) for one in every if isinstance(one, str | Path)]
    of_files = [name for name in names if is_experiment(name, alone=len(every) == 1 and not given)]
    if of_files:
        if len(every) > 1:
            raise UsageError(f"{of_files[0]} is an experiment, which is run alone; omit the others")
        if given:
            raise UsageError(f"the experiment {of_files[0]} says that itself; omit the option", *given)
        read = load_experiment(of_files[0])
        return read, Path(
            folder_of(read.name if names[0] == "-" else Path(names[0]).stem) if output is None else output
        )
    folder = Path(folder_of(title_of(every)) if output is None else output)
    home = folder / "puzzles" if keep else Path(stack.enter_context(temporary_folder()))
    return given_experiment(every, home, usual_limit=usual_limit, **asked), folder
