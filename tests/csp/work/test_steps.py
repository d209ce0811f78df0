"""Journals: what is in them comes back exactly or is refused, and no answer is replaced by a poorer one."""

import json

import pytest

from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.work import steps as kept_steps
from jigsat.csp.work.book import read_book
from jigsat.csp.work.steps import KeptSteps, keep_steps

HEAD = {"work": "squares", "most": 9}


def work(answer, steps, *, head=HEAD, **how):
    """Square the numbers up to the given step, nine being all; returns the squares."""
    with keep_steps(answer, head, **how) as journal:
        squares = [entry["square"] for entry in journal.earlier]
        for number in range(len(squares), steps):
            squares.append(number**2)
            journal.add({"square": squares[-1]})
            journal.keep(len(squares))
        journal.complete = steps == 9
        journal.write_answer(json.dumps(squares).encode())
    return squares, journal.kept


def test_steps_come_back_and_the_journal_goes_when_all_are_done(tmp_path):
    answer, part = tmp_path / "a.json", tmp_path / "a.json.part"
    assert work(answer, 3) == ([0, 1, 4], f"{part}, from which --resume continues")
    assert (json.loads(answer.read_text()), part.exists()) == ([0, 1, 4], True)
    assert [entry["square"] for entry in read_book(part)[1][:3]] == [0, 1, 4]
    assert work(answer, 5, resume=True)[0] == [0, 1, 4, 9, 16]
    # This answer is of the same work, so it was replaced.
    assert json.loads(answer.read_text()) == [0, 1, 4, 9, 16]
    assert work(answer, 9, resume=True) == ([n * n for n in range(9)], None)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_an_incomplete_answer_replaces_no_other_one(tmp_path):
    answer, part = tmp_path / "a.json", tmp_path / "a.json.part"
    answer.write_text("better")
    _, kept = work(answer, 3)
    assert (answer.read_text(), kept) == (
        "better",
        f"{part}, from which --resume continues; {answer} is left as it was",
    )
    assert work(answer, 4, resume=True)[1] == kept
    assert answer.read_text() == "better"
    assert work(answer, 2, overwrite=True)[0] == [0, 1]
    assert json.loads(answer.read_text()) == [0, 1]
    # Another program has written it since.
    answer.write_text("better")
    work(answer, 4, resume=True)
    assert answer.read_text() == "better"
    work(answer, 9, resume=True)
    assert len(json.loads(answer.read_text())) == 9


def test_what_is_left_needs_a_decision(tmp_path):
    answer = tmp_path / "a.json"
    work(answer, 3)
    with pytest.raises(UsageError, match=r"resume and overwrite: one of them is needed: .*a.json.part is left"):
        work(answer, 3)
    with pytest.raises(UsageError, match="one continues, the other starts over"):
        work(answer, 3, resume=True, overwrite=True)
    with pytest.raises(InstanceError, match=r"a.json.part: is the book of other work: give --most 9, or give another"):
        work(answer, 3, head={**HEAD, "most": 8}, resume=True)
    # Where nothing is left, all three are the same.
    for how in ({}, {"resume": True}, {"overwrite": True}):
        (tmp_path / "a.json.part").unlink(missing_ok=True)
        assert work(answer, 9, **how)[0][-1] == 64


def test_two_processes_do_not_write_one_journal(tmp_path):
    with keep_steps(tmp_path / "a.json", HEAD) as first:
        first.add({"square": 0})
        for how in ({"resume": True}, {"overwrite": True}):
            with pytest.raises(InstanceError, match=r"a.json.part: is in use by another process"):
                work(tmp_path / "a.json", 3, **how)
    assert work(tmp_path / "a.json", 2, resume=True)[0] == [0, 1]


def test_complete_work_whose_answer_could_not_be_written_is_kept(tmp_path, monkeypatch):
    class FullDisk(KeptSteps):
        def write_answer(self, content):
            raise OSError("no room")

    monkeypatch.setattr(kept_steps, "KeptSteps", FullDisk)
    with pytest.raises(OSError, match="no room"):
        work(tmp_path / "a.json", 9)
    monkeypatch.undo()
    assert work(tmp_path / "a.json", 9, resume=True) == ([n * n for n in range(9)], None)
