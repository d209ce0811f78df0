"""Records on disk: whatever ends the program, each is there whole or not at all, and nothing else is ever touched."""

import json
import subprocess
import sys
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import InstanceError
from jigsat.estimators.experiments.records.journal import open_journal, read_journal
from records import killed, record

RUNS = [
    record(seed=1, family="späße \u2028\x85\r\n\x1b ✓ \U0001f9e9"), killed(seed=2), record(seed=3, nodes=10**30),
]  # fmt: skip


def written(folder):
    """The bytes of a journal with these runs."""
    with open_journal(folder) as journal:
        for run in RUNS:
            journal.append(run)
    return (folder / "records.jsonl").read_bytes()


def test_what_is_written_is_read(tmp_path):
    """Also what other programs take for the end of a line."""
    text = written(tmp_path / "a" / "b")
    assert len(text.splitlines()) == text.count(b"\n") == len(RUNS)
    assert read_journal(tmp_path / "a" / "b") == RUNS
    with open_journal(tmp_path / "a" / "b") as journal:
        assert (journal.records, journal.torn) == (RUNS, 0)


def test_each_record_is_on_the_disk_before_the_next(tmp_path):
    """A program that is killed later takes nothing with it."""
    with open_journal(tmp_path) as journal:
        for number, run in enumerate(RUNS, start=1):
            journal.append(run)
            assert read_journal(tmp_path) == journal.records == RUNS[:number]


@given(st.data())
def test_a_torn_record_is_taken_away_and_no_other(tmp_path_factory, data):
    """A file that ends anywhere goes on after its last whole record."""
    folder = tmp_path_factory.mktemp("torn")
    text = written(folder)
    cut = data.draw(st.integers(0, len(text)) | st.sampled_from([at for at, c in enumerate(text) if c == ord("\n")]))
    file = folder / "records.jsonl"
    file.write_bytes(text[:cut])
    whole = text[:cut].count(b"\n")
    assert read_journal(folder) == RUNS[:whole]
    assert file.read_bytes() == text[:cut]
    with open_journal(folder) as journal:
        assert journal.records == RUNS[:whole]
        assert journal.torn == cut - (text.rfind(b"\n", 0, cut) + 1)
        for run in RUNS[whole:]:
            journal.append(run)
    assert file.read_bytes() == text


@pytest.mark.parametrize(
    "content",
    [
        b"Dear Sir", b"Dear Sir\n", b'{"a": 1}\n', b'{"fingerprint": 7}\n', b'["fingerprint"]\n', b"7\n",
        b'{"fingerprint": "a"}\nnot a record', b'{"fingerprint": "a"}\n{"experimental": 1', b"\xff\xfe\n", b"\n",
        b"{" * 100_000 + b"\n", b"[" * 100_000 + b"\n", b"\0" * 50, b'{"fingerprint": "a"}\n\n{"fingerprint": "b"}\n',
        b'{"a": ' + b"1" * 5000 + b"}\n",
    ],
)  # fmt: skip
def test_what_is_no_journal_is_left_as_it_is(content, tmp_path):
    """Somebody's own file of that name, whose last line may have no end."""
    file = tmp_path / "records.jsonl"
    file.write_bytes(content)
    with pytest.raises(InstanceError, match=f"{file}: ") as error, open_journal(tmp_path):
        pass
    assert "\n" not in str(error.value)
    assert file.read_bytes() == content


def test_an_error_names_the_line(tmp_path):
    written(tmp_path)
    with (tmp_path / "records.jsonl").open("a") as file:
        file.write("oops\n")
    for use in (read_journal, lambda folder: open_journal(folder).__enter__()):
        with pytest.raises(InstanceError, match=r"records.jsonl: line 4: is not JSON; each line must be a record"):
            use(tmp_path)


def test_one_program_at_a_time(tmp_path):
    """Two of them would make each run twice; who only reads is let in."""
    with open_journal(tmp_path) as journal:
        journal.append(RUNS[0])
        with pytest.raises(InstanceError, match="another jigsat compare writes there"), open_journal(tmp_path):
            pass
        assert read_journal(tmp_path) == RUNS[:1]
    with open_journal(tmp_path) as journal:
        assert journal.records == RUNS[:1]


def test_a_process_that_was_started_meanwhile_does_not_keep_the_folder(tmp_path):
    """A run's process may outlive the program that was killed by some moments."""
    wait = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    with open_journal(tmp_path):
        process = subprocess.Popen(wait, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False)
        # Before it runs it holds a copy of the lock: Popen comes back before the kernel has closed what is not kept.
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
    try:
        with open_journal(tmp_path) as journal:
            assert journal.records == []
        assert process.poll() is None
    finally:
        process.communicate()


def test_only_what_json_can_hold_is_written(tmp_path):
    """Half a line, or a word that only Python reads, would spoil the file."""
    text = written(tmp_path)
    with open_journal(tmp_path) as journal:
        for value in (nan, {1, 2}, b"bytes"):
            with pytest.raises((ValueError, TypeError)):
                journal.append(record(seconds=1.0, message=value))
        assert journal.records == RUNS
    assert (tmp_path / "records.jsonl").read_bytes() == text


def test_to_read_makes_nothing(tmp_path):
    assert read_journal(tmp_path / "nowhere") == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("use", [read_journal, lambda folder: open_journal(folder).__enter__()])
def test_a_folder_that_is_none(use, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InstanceError, match=r"file/records.jsonl: cannot be (read|written): "):
        use(tmp_path / "file")
    (tmp_path / "folder" / "records.jsonl").mkdir(parents=True)
    with pytest.raises(InstanceError, match=r"records.jsonl: cannot be (read|written): Is a directory"):
        use(tmp_path / "folder")
    assert (tmp_path / "file").read_text() == "mine"


def test_records_are_one_line_each_in_any_reader(tmp_path):
    """Plain ASCII, so that no reader of lines breaks them elsewhere."""
    text = written(tmp_path).decode("ascii")
    assert [json.loads(line) for line in text.split("\n")[:-1]] == RUNS
