"""Records: each has its types, and in the table no integer is rounded and what is missing is missing."""

import json

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.work.book import open_book
from jigsat.estimators.experiments.records import (
    COPY,
    NAME,
    copy_records,
    data_frame,
    open_records,
    read_records,
)
from records import killed, record

pandas = pytest.importorskip("pandas", reason="pandas is an extra")


def kept(folder, *records):
    """Put these records into the book of a folder; return all that it has then."""
    with open_records(folder / NAME) as (book, _):
        for each in records:
            book.add(each)
    return read_records(folder / NAME)


def test_the_copy_has_one_record_a_line_in_any_reader(tmp_path):
    """Plain ASCII, so that no reader of lines breaks them elsewhere."""
    records = kept(tmp_path / "a" / "b", record(family="späße \u2028\x85\r\n\x1b \U0001f9e9"), killed(seed=2))
    copy_records(records, tmp_path)
    lines = (tmp_path / COPY).read_text("ascii").splitlines()
    assert [json.loads(line) for line in lines] == records == kept(tmp_path / "a" / "b")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"fingerprint": 0}, "fingerprint: must be a text, not 0"),
        ({"count": -1}, "count: must be 0 or more, not -1"),
        ({"options": []}, r"options: a JSON object is expected, not \[\]"),
        ({"predicted": {"nodes": "much", "solutions": "1.0e+0"}}, "predicted nodes: string should match pattern"),
    ],
)
def test_a_field_of_another_type_is_named(changes, told, tmp_path):
    with pytest.raises(InstanceError, match=f"record 2: {told}"):
        kept(tmp_path, record(), {**record(seed=2), **changes})
    with pytest.raises(InstanceError, match=f"record 2: {told}"), open_records(tmp_path / NAME):
        pass


def test_other_books_are_refused(tmp_path):
    with open_book(tmp_path / NAME, {"format": "jigsat-records/1", "work": "a count"}):
        pass
    with pytest.raises(InstanceError, match="is a book of other work, not of jigsat compare"):
        read_records(tmp_path / NAME)


def test_a_missing_count_is_missing_and_the_others_stay_integers():
    """NumPy has no missing integer, so that 2**53 + 1 beside one would become 2**53."""
    frame = data_frame([record(count=2**53 + 1), killed(), record(goal="solve")])
    assert frame["count"].dtype == "Int64"
    assert frame["count"][0] == 2**53 + 1
    assert list(frame["count"].isna()) == [False, True, True]
    assert frame["count"][1] is pandas.NA
    assert frame["count"].sum() == 2**53 + 1


@pytest.mark.parametrize("count", [2**63, -(2**63) - 1, 10**40])
def test_larger_integers_stay_exact(count):
    frame = data_frame([record(count=count), killed(), record(count=7)])
    assert frame["count"].dtype == object
    assert list(frame["count"].isna()) == [False, True, False]
    assert (frame["count"][0], frame["count"][2]) == (count, 7)
    assert all(type(value) is int for value in frame["count"].dropna())
    assert frame["count"].dropna().sum() == count + 7


def test_every_type_has_its_column():
    rows = [
        {"text": "a", "truth": True, "number": 1, "list": [1], "never": None, "mixed": 2**53 + 1, "nested": {"x": 1}},
        {"text": None, "truth": None, "number": 0.5, "list": None, "never": None, "mixed": 0.5, "nested": None},
    ]
    frame = data_frame(rows)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "text": "string", "truth": "boolean", "number": "Float64", "list": "object", "never": "object",
        "mixed": "object", "nested.x": "Int64",
    }  # fmt: skip
    assert all(value is pandas.NA for value in frame.drop(columns=["number", "mixed"]).loc[1])
    assert list(frame["mixed"]) == [2**53 + 1, 0.5]
