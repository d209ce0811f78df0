"""Records on disk: whatever ends the program, each is there whole or not at all, and nothing else is ever touched."""

import errno
import fcntl
import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import compact, journal_line
from jigsat.csp.base.errors import InstanceError
from jigsat.estimators.experiments.records.journal import has_journal, open_journal, read_journal, repair_journal
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
        b"{" * 100_000 + b"\n", b"[" * 100_000 + b"\n", b"\0PNG\0\0", b'{"fingerprint": "a"}\n\n{"fingerprint": "b"}\n',
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


def lines_of(folder):
    return (folder / "records.jsonl").read_bytes().split(b"\n")[:-1]


def put(folder, lines):
    (folder / "records.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))


def swapped(lines):
    return [lines[1], lines[0], lines[2]]


DAMAGE = {
    "line 2: is damaged: its checksum is that of another text": lambda lines: [
        lines[0], lines[1].replace(b'"rows":6', b'"rows":7'), lines[2]
    ],
    "line 1: was line 2 when it was written: lines have been removed, doubled or moved": swapped,
    "line 2: was line 3 when": lambda lines: [lines[0], lines[2]],
    "line 3: was line 2 when": lambda lines: [lines[0], lines[1], lines[1], lines[2]],
    "line 1: is damaged: it has no checksum": lambda lines: [lines[0].replace(b',"check":', b',"Check":'), *lines[1:]],
    "line 2: is damaged: it has no checksum": lambda lines: [
        lines[0], re.sub(rb',"line":.*', b"}", lines[1]), lines[2]
    ],
    "line 2: is not JSON; each line must be a record": lambda lines: [lines[0], b"\0" + lines[1], lines[2]],
}  # fmt: skip


@pytest.mark.parametrize("told", DAMAGE)
def test_what_was_altered_removed_doubled_or_moved_is_noticed(told, tmp_path):
    """By all who read, who leave the file as it is; the repair keeps what is intact."""
    written(tmp_path)
    intact = lines_of(tmp_path)
    damaged = DAMAGE[told](intact)
    put(tmp_path, damaged)
    before = (tmp_path / "records.jsonl").read_bytes()
    for use in (read_journal, lambda folder: open_journal(folder).__enter__()):
        with pytest.raises(InstanceError, match=f"records.jsonl: {told}.*; jigsat compare --repair keeps") as error:
            use(tmp_path)
        assert "\n" not in str(error.value)
    assert (tmp_path / "records.jsonl").read_bytes() == before
    kept = [RUNS[intact.index(line)] for line in dict.fromkeys(damaged) if line in intact]
    assert repair_journal(tmp_path) == tmp_path / "records.jsonl.damaged-1"
    assert (tmp_path / "records.jsonl.damaged-1").read_bytes() == before
    assert read_journal(tmp_path) == kept
    with open_journal(tmp_path) as journal:
        journal.append(record(seed=9))
    assert len(read_journal(tmp_path)) == len(kept) + 1
    assert repair_journal(tmp_path) is None
    assert len(list(tmp_path.iterdir())) == 2


def test_nothing_is_repaired_of_a_file_without_records(tmp_path):
    """It may be somebody's own."""
    assert repair_journal(tmp_path) is None
    file = tmp_path / "records.jsonl"
    file.write_text("Dear Sir\nyours\n")
    with pytest.raises(InstanceError, match=r"records.jsonl: has no intact record of jigsat compare; give another"):
        repair_journal(tmp_path)
    assert [*tmp_path.iterdir()] == [file]
    assert file.read_text() == "Dear Sir\nyours\n"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"family": 0}, "family: input should be a valid string, not 0"),
        ({"wall_seconds": "1"}, "wall_seconds: input should be a valid number, not '1'"),
        ({"count": 4.5}, "count: input should be a valid integer, not 4.5"),
        ({"count": -1}, "count: input should be greater than or equal to 0, not -1"),
        ({"complete": 1}, "complete: input should be a valid boolean, not 1"),
        ({"options": []}, "options: a JSON object is expected, not []"),
        ({"predicted": {"nodes": "much", "solutions": "1.0e+0"}}, "predicted nodes: string should match pattern"),
    ],
)
def test_a_field_of_another_type_is_named(change, told, tmp_path):
    runs = [RUNS[0], {**RUNS[1], **change}]
    put(tmp_path, [journal_line(compact({**run, "line": number})) for number, run in enumerate(runs, start=1)])
    with pytest.raises(InstanceError, match=re.escape(f"records.jsonl: line 2: {told}")):
        read_journal(tmp_path)


def test_fields_of_later_versions_are_kept(tmp_path):
    """Their checksum shows that they are meant."""
    later = record(outlook="bright")
    with open_journal(tmp_path) as journal:
        journal.append(later)
    assert read_journal(tmp_path) == [later]


def test_the_end_that_a_loss_of_power_left_is_taken_away(tmp_path):
    """A file can have its new length before its contents."""
    text = written(tmp_path)
    first = text.index(b"\n")
    partly = [text[:200] + bytes(first - 300) + text[first - 100 : first + 1], bytes(90) + text[90 : first + 1]]
    for before, runs in ((text, RUNS), (b"", [])):
        for end in (bytes(50), b'{"experiment":"syn' + bytes(600), b'{"exp\0\0', *partly):
            (tmp_path / "records.jsonl").write_bytes(before + end)
            assert read_journal(tmp_path) == runs
            with open_journal(tmp_path) as journal:
                assert (journal.records, journal.torn) == (runs, len(end))
            assert (tmp_path / "records.jsonl").read_bytes() == before


def test_pipes_and_devices_are_refused(tmp_path):
    """They have no end, or no beginning before somebody writes."""
    os.mkfifo(tmp_path / "records.jsonl")
    for use in (read_journal, lambda folder: open_journal(folder).__enter__()):
        with pytest.raises(InstanceError, match=r"records.jsonl: is not a regular file$"):
            use(tmp_path)


def test_a_line_longer_than_any_record_is_refused(tmp_path):
    put(tmp_path, [b'{"experiment":"' + b"a" * 2**22 + b'"}'])
    with pytest.raises(InstanceError, match=r"line 1: is longer than 4 MiB, the limit for a record; jigsat compare"):
        read_journal(tmp_path)


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
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    assert [line.pop("line") for line in lines] == [1, 2, 3]
    assert all(len(line.pop("check")) == 16 for line in lines)
    assert lines == RUNS


def failing(*arguments, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_record_that_cannot_be_written_leaves_nothing(call, tmp_path, monkeypatch):
    text = written(tmp_path)
    with open_journal(tmp_path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr(os, call, failing)
            with pytest.raises(InstanceError, match=r"records.jsonl: cannot be written: No space left on device$"):
                journal.append(record(seed=7))
        assert (tmp_path / "records.jsonl").read_bytes() == text
        journal.append(record(seed=8))
    assert read_journal(tmp_path) == [*RUNS, record(seed=8)]


@pytest.mark.parametrize(("call", "told"), [("pread", "read"), ("ftruncate", "used")])
def test_a_disk_that_fails_when_a_journal_is_opened_is_told(call, told, tmp_path, monkeypatch):
    """While it is read, or while a torn record is taken away."""
    path = tmp_path / "records.jsonl"
    text = written(tmp_path)[:-9]
    path.write_bytes(text)
    with monkeypatch.context() as patched:
        patched.setattr(os, call, failing)
        for use in (lambda folder: open_journal(folder).__enter__(), repair_journal)[: 1 + (call == "pread")]:
            with pytest.raises(InstanceError, match=rf"records.jsonl: cannot be {told}: No space left on device$"):
                use(tmp_path)
    assert path.read_bytes() == text
    assert not has_journal(tmp_path / "nowhere")
    assert has_journal(tmp_path)


@pytest.mark.parametrize("call", ["link", "replace", "fsync"])
def test_a_repair_that_fails_changes_nothing(call, tmp_path, monkeypatch):
    written(tmp_path)
    put(tmp_path, lines_of(tmp_path)[1:])
    before = (tmp_path / "records.jsonl").read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, call, failing)
        with pytest.raises(InstanceError, match=r"records.jsonl: cannot be (repaired|used): No space left on device$"):
            repair_journal(tmp_path)
    assert (tmp_path / "records.jsonl").read_bytes() == before
    assert [*tmp_path.iterdir()] == [tmp_path / "records.jsonl"]
    assert repair_journal(tmp_path) is not None
    assert read_journal(tmp_path) == RUNS[1:]


def test_a_file_that_was_replaced_before_it_was_locked_is_not_written(tmp_path, monkeypatch):
    """Otherwise its records would be in no folder."""
    written(tmp_path)
    monkeypatch.setattr(fcntl, "flock", lambda file, how: (tmp_path / "records.jsonl").rename(tmp_path / "old"))
    (tmp_path / "new").touch()
    with pytest.raises(InstanceError, match=r"records.jsonl: cannot be used: No such file"), open_journal(tmp_path):
        pass
    monkeypatch.setattr(fcntl, "flock", lambda file, how: (tmp_path / "new").rename(tmp_path / "records.jsonl"))
    (tmp_path / "old").rename(tmp_path / "records.jsonl")
    with pytest.raises(InstanceError, match=r"another jigsat compare writes there"), open_journal(tmp_path):
        pass


def test_a_crafted_line_needs_its_number(tmp_path):
    body = json.dumps(RUNS[0])[:-1]
    check = sha256(body.encode()).hexdigest()[:16]
    put(tmp_path, [f'{body},"check":"{check}"}}'.encode()])
    with pytest.raises(InstanceError, match=r"line 1: is damaged: it has no number; jigsat compare --repair"):
        read_journal(tmp_path)
