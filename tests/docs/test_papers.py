"""Tables of the paper on frames and regions: the pieces, the reference numbers and the model agree with them."""

import re
import tomllib
from pathlib import Path

import pytest

import jigsat as js

DOCS = Path(__file__).parents[2] / "docs"
PAPER = (DOCS / "papers" / "frames.md").read_text()
COUNTS = {
    row["command"]: (row.get("values") or row.get("shown") or {}).get("count")
    for table in tomllib.loads((DOCS / "reference" / "numbers.toml").read_text())["tables"]
    for row in table["rows"]
    if isinstance(row["command"], str)
}
BLOCKS = re.findall(r"^\| .* \| ([A-Z\d:]+) \| ([\d ]+) \| (\S+) \| (\S+) \| `(.+)` \|$", PAPER, re.MULTILINE)
FRAMES = re.findall(r"^\| `(\S+)` \| \S+ \| ([\d ]+) \| (\S+) \| (\S+) \|$", PAPER, re.MULTILINE)


def assert_expected(name, squares, count, model, quotient, *, pieces_only):
    expected = js.estimate(name, squares=squares, pieces_only=pieces_only, rate=1e7).solutions
    assert float(f"{float(expected):.3e}") == float(model)
    assert f"{float(expected / count):.3f}" == quotient


@pytest.mark.parametrize(("squares", "count", "model", "quotient", "command"), BLOCKS)
def test_blocks(squares, count, model, quotient, command):
    count = int(count.replace(" ", ""))
    assert COUNTS[command] == count
    assert f"--squares {squares}" in command
    assert_expected("eternity2", squares, count, model, quotient, pieces_only="--pieces-only" in command)


@pytest.mark.parametrize(("name", "count", "model", "quotient"), FRAMES)
def test_frames(name, count, model, quotient):
    """The counts themselves are those of tests/research/test_frames.py and of the reference numbers."""
    assert_expected(name, "frame", int(count.replace(" ", "")), model, quotient, pieces_only=True)


def test_classes():
    rows = re.findall(r"^\| \$a = \d\$ \| (.+) \|$", PAPER, re.MULTILINE)
    found = [[0] * 5 for _ in range(5)]
    for sides in js.read("eternity2").pieces:
        if sides.count(0) == 1:
            at = sides.index(0)
            found[sides[at - 1] - 1][sides[(at + 1) % 4] - 1] += 1
    assert [[int(number) for number in row.split(" | ")] for row in rows] == found


def test_the_tables_are_read():
    assert (len(BLOCKS), len(FRAMES)) == (13, 5)
