"""Records of runs as a table of pandas."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....csp.base.extras import need_extra
from .journal import read_journal

if TYPE_CHECKING:
    from pandas import DataFrame

# The dtype of a column whose values are all of one type.
_DTYPES = {bool: "boolean", int: "Int64", float: "Float64", str: "string"}
_LEAST, _MOST = -(2**63), 2**63 - 1


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
    return data_frame(read_journal(Path(folder)))


def data_frame(records: Sequence[Mapping[str, Any]]) -> "DataFrame":
    """Records as a table; `records_frame` describes its columns."""
    need_extra("pandas", extra="pandas", what="data frames need")
    from pandas import NA, DataFrame, Series

    rows = flattened(records)
    columns: dict[str, Series] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row.get(name) for row in rows]
        columns[name] = Series([NA if value is None else value for value in values], dtype=dtype_of(values))
    return DataFrame(columns, index=range(len(rows)))


def dtype_of(values: Sequence[Any]) -> str:
    """The dtype of a column, in which None is missing.

    Examples
    --------
    >>> dtype_of([1, None]), dtype_of([1, 2.5]), dtype_of([None, 2**64]), dtype_of([1, "1"])
    ('Int64', 'Float64', 'object', 'object')
    """
    kinds = {type(value) for value in values if value is not None}
    whole = [value for value in values if type(value) is int]
    if kinds == {int, float} and all(abs(value) <= 2**53 for value in whole):
        return "Float64"
    if len(kinds) != 1 or not all(_LEAST <= value <= _MOST for value in whole):
        return "object"
    return _DTYPES.get(kinds.pop(), "object")


def flattened(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records without records inside: a nested value is named by its path.

    Examples
    --------
    >>> flattened([{"a": {"b": 1, "c": {"d": 2}}}, {"a": None, "e": [3]}])
    [{'a.b': 1, 'a.c.d': 2}, {'e': [3]}]
    """
    rows = [_flat(record) for record in records]
    nested = {name[:place] for row in rows for name in row for place, mark in enumerate(name) if mark == "."}
    # A name that is None or empty in one record can be the start of a path in another.
    return [{name: value for name, value in row.items() if value or name not in nested} for row in rows]


def _flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping) and value:
            row |= _flat(value, f"{before}{name}.")
        else:
            row[f"{before}{name}"] = value
    return row
