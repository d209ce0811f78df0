"""The records of runs: the book that they are in, the types of their fields, and their table of pandas."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    create_model,
)

from ...csp.base.errors import InstanceError
from ...csp.base.safe_files import replacing
from ...csp.base.strict_json import validated
from ...csp.base.tables import data_frame
from ...csp.work.book import Book, open_book, read_book

if TYPE_CHECKING:
    from pandas import DataFrame

#: The names of the book in the folder of an experiment, and of its copy for other programs.
NAME, COPY = "records.book", "records.jsonl"
#: The names of its page, and of the folders of its figures and tables.
PAGE, FIGURE_FOLDER, TABLE_FOLDER = "report.html", "figures", "tables"
#: What all books of records are about: as runs have fingerprints, one can have the records of several experiments.
ABOUT = {"format": "jigsat-records/1", "work": "compare"}

# Larger numbers cannot be converted to floats, which figures need.
_Whole = Annotated[StrictInt, Field(ge=0, lt=10**300)]
_Real = Annotated[StrictFloat, Field(ge=0, le=1e300, allow_inf_nan=False)]
_Hash = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}\z")]
# A number that may be too large or too small for a float.
_Decimal = Annotated[StrictStr, Field(pattern=r"^[0-9](\.[0-9]{1,100})?e[+-][0-9]{1,6}\z")]
_Moment = Annotated[StrictStr, Field(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\+00:00\z")]
_Value = StrictInt | StrictFloat | StrictBool | StrictStr | None
_Values = dict[StrictStr, _Value]


class _Section(BaseModel):
    # Later versions may add keys.
    model_config = ConfigDict(extra="allow")


def _section(**types: Any) -> Any:
    """A part of a record whose keys have these types; None is the default of those that have a default."""
    return create_model("_Section", __base__=_Section, **types)


def _all(names: str, of: Any) -> dict[str, Any]:
    return dict.fromkeys(names.split(), of)


_Options = _section(
    engine=(StrictStr, ""),
    symmetry=(StrictBool | None, None),
    **_all("order slips frame_slips method motions", (StrictStr | None, None)),
)
_Spread = _section(**_all("median low high", _Real))
# What reports read.
_Record = _section(
    **_all("part family instance kind engine outcome", StrictStr),
    **_all("sha256 fingerprint", _Hash),
    **_all("count canonical_count symmetry_factor best_score max_score nodes", _Whole | None),
    **_all("seconds cpu_seconds peak_rss_mib", _Real | None),
    **_all("repetition threads", Annotated[_Whole, Field(ge=1)]),
    source=_Values,
    facts=dict[StrictStr, _Whole],
    goal=Literal["solve", "all", "count", "best"],
    status=Literal["satisfiable", "unsatisfiable", "optimal", "feasible", "unknown"],
    complete=StrictBool,
    nodes_by_depth=list[_Whole],
    options=_Options,
    asked=(_Options | None, None),
    predicted=_section(**_all("solutions nodes", _Decimal)) | None,
    predicted_by_depth=list[_Decimal] | None,
    statistics=dict[StrictStr, _Whole | _Real] | None,
    way=(_section(engine=StrictStr, how=StrictStr | None, seconds=_Spread | None) | None, None),
    best_after=(_section(score=StrictInt, nodes=_Whole, seconds=_Real) | None, None),
    answer_seconds=(_Real | None, None),
    message=StrictStr | None,
    limits=_section(seconds=_Real, memory_mib=_Real | None, depth=_Whole | None),
    wall_seconds=_Real,
    versions=dict[StrictStr, StrictStr],
    machine=_section(processor=StrictStr, cores=_Whole | None, system=StrictStr),
    timestamp=_Moment,
)  # fmt: skip
# What a queue keeps beside the records: what runs cost by the plan, and which it has given up so far, after how many
# processor seconds and at which place.
_Note = _section(
    note=Literal["price", "given up"],
    run=_Hash,
    seconds=_Spread | _Real | None,
    way=(StrictStr | None, None),
    place=(Any, None),
    version=(StrictStr | None, None),
)


@contextmanager
def open_records(path: Path) -> Iterator[tuple[Book, list[dict[str, Any]]]]:
    """The book of records in a file, and the records that it has; file and folder are made if they do not exist.

    Raises InstanceError if it cannot be used, is in use, is not a book of records, or has a record with a field of the
    wrong type.
    """
    with open_book(path, ABOUT, sound=first_of_runs, folder=True) as book:
        yield book, _checked(book.entries, path)


def read_records(path: Path) -> list[dict[str, Any]]:
    """The records in a book, which may be in use; empty if there is no such file.  Nothing is written.

    Raises InstanceError if they cannot be read.
    """
    return _checked(_entries(path), path)


def read_notes(path: Path) -> list[dict[str, Any]]:
    """The notes of a queue in a book, as `read_records` reads records."""
    return notes_in(_entries(path), path)


def _entries(path: Path) -> Iterable[Any]:
    try:
        path.stat()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error
    about, entries = read_book(path, first_of_runs)
    if about != ABOUT:
        raise InstanceError(f"{path}: is a book of other work, not of jigsat compare")
    return entries


def copy_records(records: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """Write records for other programs, a JSON object in each line."""
    with replacing(folder / COPY) as file:
        file.writelines(f"{json.dumps(record, separators=(',', ':'), allow_nan=False)}\n" for record in records)


def first_of_runs() -> Callable[[int, Any], bool]:
    """Accepts the first record of each run, and each note of a queue once."""
    seen: set[str] = set()

    def accept(number: int, record: Any) -> bool:
        run = repr(record.get("fingerprint") if isinstance(record, Mapping) and not _is_note(record) else record)
        new = run not in seen
        seen.add(run)
        return new

    return accept


def _checked(entries: Iterable[Any], path: Path) -> list[dict[str, Any]]:
    records = []
    for number, entry in enumerate(entries, start=1):
        if not _is_note(entry):
            validated(_Record, entry, f"{path}: record {number}", {})
            records.append(entry)
    return records


def notes_in(entries: Iterable[Any], path: Path) -> list[dict[str, Any]]:
    """The notes of a queue among the entries of a book; raises InstanceError if one has a field of the wrong type."""
    notes = []
    for number, entry in enumerate(entries, start=1):
        if _is_note(entry):
            validated(_Note, entry, f"{path}: record {number}", {})
            notes.append(entry)
    return notes


def _is_note(entry: Any) -> bool:
    return isinstance(entry, Mapping) and "note" in entry


def records_frame(folder: str | Path) -> "DataFrame":
    """Return the records in the folder of an experiment as a table: a row for each record, a column for each value.

    All records of the folder are in the table, in the order in which they were written, also those of other versions
    of the program; the columns that start with ``versions.`` show which these are.

    A nested value is named by its path, as in ``predicted.nodes`` or ``facts.pieces``.  No integer is rounded:

    - A column of integers has the dtype ``Int64``.  If one of them needs more than 64 bits, as large counts do, the
      dtype is ``object``, and the values are Python integers.
    - Columns of other numbers, truth values and texts have the dtypes ``Float64``, ``boolean`` and ``string``.
    - Columns of lists, of values of several types, and without any value have the dtype ``object``.

    A missing value, such as the count of a run that did not count, is ``pandas.NA`` in every column.  Expected numbers
    such as ``predicted.nodes`` are texts, because they can be larger than any float.

    Parameters
    ----------
    folder : str or Path
        The folder that `compare` wrote to.

    Returns
    -------
    pandas.DataFrame
        The table; it is empty if the folder has no records.

    Raises
    ------
    JigsatError
        If pandas is not installed.
    InstanceError
        If the records cannot be read.
    """
    return data_frame(read_records(Path(folder) / NAME))
