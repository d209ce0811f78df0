"""The records of several folders as those of one experiment."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import escaped
from .comparison import Comparison, compare
from .files import load_experiment
from .records.journal import has_journal, open_journal, read_journal


def merge_records(
    experiment: str | Path,
    folder: str | Path,
    folders: Iterable[str | Path],
    *,
    sample: int | None = None,
) -> Comparison:
    """Join the records of several folders in one folder, and write the report about them.

    For the shards of an experiment, and for runs that several machines have made.  The folder keeps the records that it
    has; of each run, known by its fingerprint, it has one record, the first in the order of the folders.

    Parameters
    ----------
    experiment : str or Path
        The experiment of the records: a file, or the name of a bundled experiment.
    folder : str or Path
        The folder for the records and the report; it is made if it does not exist.
    folders : iterable of str or Path
        The folders to read; they stay as they are.
    sample : int, optional
        The number of puzzles in the report, as for `compare`.

    Returns
    -------
    Comparison
        The records of the experiment's runs, and the report.

    Raises
    ------
    UsageError
        If the experiment is ``-``, standard input.
    InstanceError
        If a folder has no records or those of another experiment, or cannot be used.

    Examples
    --------
    >>> import jigsat as js
    >>> js.merge_records("smoke", "all", ["nowhere"])
    Traceback (most recent call last):
        ...
    jigsat.csp.base.errors.InstanceError: nowhere: there are no records of jigsat compare (records.jsonl) in it
    """
    if str(experiment) == "-":
        raise UsageError("give a file or a bundled experiment, not standard input", "experiment")
    name = load_experiment(str(experiment)).name
    found: dict[str, dict[str, Any]] = {}
    for place in map(Path, [folders] if isinstance(folders, str | Path) else folders):
        if not has_journal(place):
            raise InstanceError(f"{place}: there are no records of jigsat compare (records.jsonl) in it")
        for record in read_journal(place):
            if record.get("experiment") != name:
                other = escaped(repr(record.get("experiment")))
                raise InstanceError(f"{place}: has records of the experiment {other}, not {escaped(repr(name))}")
            found.setdefault(record["fingerprint"], record)
    with open_journal(Path(folder)) as journal:
        known = {record["fingerprint"] for record in journal.records}
        for record in found.values():
            if record["fingerprint"] not in known:
                journal.append(record)
    return compare(experiment, folder, sample=sample, report_only=True)
