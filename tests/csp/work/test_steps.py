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


def test_nothing_is_kept_without_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert work(None, 3)[1] is None
    assert work("-", 3)[1] is None
    assert capsys.readouterr().out == "[0, 1, 4]"
    with pytest.raises(UsageError, match="resume: needs a file"):
        work(None, 3, resume=True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_refused_before_the_work(tmp_path):
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InstanceError, match=r"folder.json: cannot be written: Is a directory"):
        work(tmp_path / "folder.json", 3)
    with pytest.raises(InstanceError, match=r"a.json: cannot be written: No such file or directory"):
        work(tmp_path / "nowhere" / "a.json", 3)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


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


def test_nothing_is_kept_beside_an_open_descriptor(tmp_path):
    """As for standard output that a shell has redirected to a file."""
    with (tmp_path / "redirected").open("w") as file:
        assert work(f"/dev/fd/{file.fileno()}", 9) == ([n * n for n in range(9)], None)
    assert json.loads((tmp_path / "redirected").read_text())[8] == 64
    assert [path.name for path in tmp_path.iterdir()] == ["redirected"]


def test_a_run_that_found_nothing_leaves_nothing(tmp_path):
    with keep_steps(tmp_path / "a.json", HEAD):
        assert (tmp_path / "a.json.part").exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("resume", [False, True])
def test_a_journal_without_a_step_has_nothing_to_continue(tmp_path, resume):
    """It needs no decision; a file of another kind stays as it is."""
    answer, part = tmp_path / "a.json", tmp_path / "a.json.part"
    with keep_steps(answer, HEAD):
        whole = part.read_bytes()
    for content in (b"", whole):
        part.write_bytes(content)
        assert work(answer, 9, resume=resume)[0][-1] == 64
        assert not part.exists()
    for other in (b"x", b'{"solutions": []}' * 40):
        part.write_bytes(other)
        with pytest.raises((InstanceError, UsageError), match=r"is not a book|is left from a run"):
            work(answer, 9, resume=resume)
        assert part.read_bytes() == other
