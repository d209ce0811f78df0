"""The page of reference numbers is what the script writes, and its numbers are what the commands print."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def imported(path):
    """A script of the documentation as a module."""
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NUMBERS = imported(DOCS / "make_numbers.py")
DATA = NUMBERS.load()
#: The first row of each table, unless it takes long: `python docs/make_numbers.py --all` runs those, too.
QUICK = [table["rows"][0] for table in DATA["tables"] if table["rows"][0]["seconds"] <= 3]


def test_the_page_of_numbers_is_what_the_script_writes():
    """A number that is changed on the page alone would be lost."""
    assert NUMBERS.PAGE.read_text() == NUMBERS.page(DATA)


def test_every_row_has_values_or_is_a_test():
    for row in NUMBERS.rows(DATA):
        assert row.keys() <= {"what", "command", "values", "shown", "source", "seconds"}
        assert row.get("values") or row.get("shown") or row["command"].startswith(("pytest ", "python "))


PAGES = {path.relative_to(DOCS.parent).as_posix(): path for path in (DOCS.parent / "README.md", *DOCS.rglob("*.md"))}


@pytest.mark.parametrize("figure", DATA["figures"], ids=lambda figure: figure["what"])
def test_no_two_pages_differ(figure):
    """Wherever a page has a figure, it is the value in the data."""
    assert figure.keys() - {"command"} == {"what", "value", "patterns", "pages"}
    shown = [
        (name, " ".join(found.split()))
        for name, path in PAGES.items()
        for pattern in figure["patterns"]
        for found in re.findall(pattern, path.read_text())
    ]
    assert {value for _, value in shown} == {figure["value"]}, shown
    assert sorted({name for name, _ in shown}) == figure["pages"]
    assert all(any(re.search(pattern, path.read_text()) for path in PAGES.values()) for pattern in figure["patterns"])


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("row", QUICK, ids=lambda row: row["what"])
def test_the_first_row_of_each_table_agrees(row):
    assert NUMBERS.run(row) == []


def test_a_number_that_differs_is_reported():
    """Otherwise the test above would pass whatever the data says."""
    row = {"command": "jigsat info clue1", "values": {"pieces": 36, "joins.all": 61}}
    assert NUMBERS.run(row) == ["joins.all is 60, not 61"]


@pytest.mark.parametrize(
    ("found", "value", "agree"),
    [
        ("1.4702270700883368979e+4", "1.470e4", True),
        ("1.4702270700883368979e+4", "1.471e4", False),
        ("1.4702270700883368979e+4", "1.4702270700883368979e+4", True),
        ("1.4702270700883368979e+4", "1.4702270700883368978e+4", False),
        (160, 160, True),
        (160, 161, False),
        ([266, 2], [266, 2], True),
    ],
)
def test_estimates_agree_to_the_digits_that_they_have(found, value, agree):
    assert NUMBERS.agrees(found, value) is agree
