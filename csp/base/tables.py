"""Tables of pandas (an extra), from records."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from .errors import need_extra

if TYPE_CHECKING:
    from pandas import DataFrame

# The dtype of a column whose values are all of one type.
_DTYPES = {int: "Int64", float: "Float64", bool: "boolean", str: "string"}
# The integers of 64 bits.
_LEAST, _MOST = -(2**63), 2**63 - 1


def data_frame(records: Iterable[Mapping[str, Any]], columns: Sequence[str] = ()) -> "DataFrame":
    """Records as a table: a row for each, and a column for each value; `records_frame` describes the columns.

    Fractions become floats.  With `columns` the table has these even if there are no records.

    Raises JigsatError if pandas is not installed.
    """
    need_extra("pandas", extra="pandas", what="data frames need")
    from pandas import NA, DataFrame, Series

    rows = flattened(list(records))
    made: dict[str, Series] = {}
    for name in dict.fromkeys([*columns, *(name for row in rows for name in row)]):
        values = [rounded(value) if isinstance(value, Fraction) else value for value in (row.get(name) for row in rows)]
        made[name] = Series([NA if value is None else value for value in values], dtype=dtype_of(values))
    return DataFrame(made, index=range(len(rows)))


def rounded(number: Fraction | int) -> float:
    """The nearest float; infinity if the number is larger than any float.

    >>> rounded(Fraction(1, 2)), rounded(Fraction(10**400))
    (0.5, inf)
    """
    try:
        return float(number)
    except OverflowError:
        return inf


def dtype_of(values: Sequence[Any]) -> str:
    """The dtype of a column, in which None is missing."""
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
