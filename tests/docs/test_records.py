"""The boards on the page of records are judged again."""

import re
from pathlib import Path

import pytest

import jigsat as js

RECORDS = (Path(__file__).parents[2] / "docs" / "reference" / "records.md").read_text()
#: The names of puzzles in the table of boards.
PUZZLES = {"Eternity II, with its starter piece": "eternity2", "Eternity II with all hints": "eternity2-hints"}


def records():
    """Puzzle, score and link of each board in the table of records."""
    links = dict(re.findall(r"^\[([\w-]+)\]: (\S+)$", RECORDS, re.MULTILINE))
    for name, score, key in re.findall(r"^\| ([^|]+) \| (\d+) \|.*\[open\]\[([\w-]+)\]", RECORDS, re.MULTILINE):
        yield pytest.param(PUZZLES[name], int(score), links.pop(key), id=key)
    assert not links


@pytest.mark.parametrize(("puzzle", "score", "link"), list(records()))
def test_boards_of_the_records_have_their_scores(puzzle, score, link):
    """Judged from the puzzle alone; the frame is valid, and every square is filled."""
    (verdict,) = js.check(js.read(puzzle), link, slips="1x480").verdicts
    assert (verdict.score, verdict.max_score, verdict.placed, verdict.problems) == (score, 480, 256, ())


def test_there_are_records():
    assert len(list(records())) >= 2
