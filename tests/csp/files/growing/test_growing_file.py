"""Growing files: complete JSON after every write, and nothing but the last write can be lost."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.growing.growing_file import GrowingFile, part_of, read_grown

STATE = {"checksum": "eaca9d6c", "state": {"at": [1, 2, 3]}}
HEAD = {"format": "test/1", "name": "Ü [1"}


def content(path):
    return json.loads(path.read_text())


def test_a_file_is_complete_json_after_every_write(tmp_path):
    path = tmp_path / "x.json"
    file = GrowingFile.begin(path, HEAD)
    assert content(path) == {**HEAD, "solutions": []}
    file.add([[1, 2], None])
    assert content(path) == {**HEAD, "solutions": [[[1, 2], None]]}
    file.keep({"at": [1, 2, 3]})
    file.add([[3, 4], [5, 6]])
    assert content(path) == {**HEAD, "solutions": [[[1, 2], None], [[3, 4], [5, 6]]], **STATE}
    file.keep({"at": 1})  # shorter
    file.flush()
    assert content(path)["state"] == {"at": 1}
    file.close(state=False)
    assert path.read_text() == (
        '{\n  "format": "test/1",\n  "name": "Ü [1",\n  "solutions": [\n    [[1,2],null],\n    [[3,4],[5,6]]\n  ]\n}\n'
    )


@pytest.mark.parametrize("state", [None, {"at": 1}])
def test_a_file_is_complete_when_its_blanks_are_cut_off(tmp_path, monkeypatch, state):
    path, seen = tmp_path / "x.json", []
    file = GrowingFile.begin(path, HEAD)
    file.keep({"at": [1, 2, 3]})
    file.add([1])
    file.keep(state)
    file.flush()
    complete = content(path)

    def watched(function):
        def call(*arguments):
            answer = function(*arguments)
            seen.append(content(path))
            return answer

        return call

    for name in ("write", "ftruncate"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    file.close()
    assert seen == [complete] * 2
    assert path.read_text().endswith("\n}\n" if state is None else " \n}\n")


def test_what_is_added_is_soon_written_and_waits_for_no_other(tmp_path):
    path = tmp_path / "x.json"
    file = GrowingFile.begin(path, HEAD)
    for number in range(100):
        file.add([number])
    while len(content(path)["solutions"]) < 100:
        time.sleep(0.01)
    file.abandon()


def test_a_file_cut_off_anywhere_has_all_entries_before(tmp_path):
    path = tmp_path / "x.json"
    with GrowingFile.begin(path, HEAD) as file:
        file.add([[1, 2], None])
        file.add([[3, 40], [5, 6]])
        file.keep({"at": [1, 2], "number": 2})
    data = path.read_bytes()
    starts = [data.index(b'"solutions": [\n'), data.index(b"[[1,2]"), data.index(b"[[3,40]")]
    ends = [starts[0] + 15, data.index(b",null]") + 6, data.index(b"6]]") + 3]
    for size in range(len(data)):
        path.write_bytes(data[:size])
        grown = read_grown(path)
        if size < ends[0] - 1:
            assert grown is None
            continue
        assert grown is not None
        assert grown.head == HEAD
        entries = [[[1, 2], None], [[3, 40], [5, 6]]][: sum(size >= end for end in ends[1:])]
        assert list(grown.lines()) == entries
        assert grown.state in (None, {"at": [1, 2], "number": 2})
        assert (grown.state is not None) == (size >= len(data) - 2)
        if size % 7:
            continue
        # It can be continued, whatever was left of the last write.
        with GrowingFile.resume(grown) as file:
            file.add([7])
        assert content(path)["solutions"] == [*entries, [7]]


ONE, OTHER = {"at": [[1, 2], [3, 4]]}, {"rest": {"a": [5, 6]}}


@pytest.mark.parametrize(("before", "after"), [(None, ONE), (ONE, OTHER), (OTHER, ONE), (ONE, None)])
@pytest.mark.parametrize("former", [[], [[[1, 2], [3, 4]]]])
def test_a_write_cut_off_anywhere_leaves_all_earlier_entries(tmp_path, before, after, former):
    path = tmp_path / "x.json"
    file = GrowingFile.begin(path, HEAD)
    for entry in former:
        file.add(entry)
    file.keep(before)
    file.flush()
    old = path.read_bytes()
    new_entries = [[[5, 6], [7, 8]], {"b": [1, {"c": 2}]}]
    file.entries += 100  # so that the two are written together
    for entry in new_entries:
        file.add(entry) if former else None
    file.keep(after)
    file.flush()
    file.abandon()
    new = path.read_bytes()
    every = [*former, *(new_entries if former else [])]
    for size in range(len(new) + 1):
        path = tmp_path / f"{size}.json"
        path.write_bytes(new[:size] + old[size:])
        grown = read_grown(path)
        assert grown is not None
        found = list(grown.lines())
        assert found == every[: len(found)]
        assert len(found) >= len(former)
        assert grown.state in (None, before, after)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"solutions": []}', "x" * 3_000_000, '{\n  "solutions": [[1]]\n}\n'])
def test_other_files_are_no_growing_files(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    assert read_grown(path) is None


def test_two_processes_do_not_write_one_file(tmp_path):
    file = GrowingFile.begin(tmp_path / "x.json", HEAD)
    file.add([1])
    with pytest.raises(InstanceError) as error:
        GrowingFile.begin(tmp_path / "x.json", HEAD)
    assert str(error.value) == f"{tmp_path}/x.json: is being written by another process"
    file.close()
    assert content(tmp_path / "x.json")["solutions"] == [[1]]


def test_a_write_that_fails_takes_away_nothing(tmp_path):
    path = tmp_path / "x.json"
    file = GrowingFile.begin(path, HEAD)
    file.add([1])
    file.keep({"at": 5})
    file.flush()
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before), limits[1]))
    try:
        with pytest.raises(InstanceError) as error:
            file.add(["a" * 200])
        with suppress(InstanceError):
            file.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert str(error.value) == f"{path}: cannot be written: File too large"
    assert path.read_bytes() == before


WRITER = """
import os, sys
from jigsat.csp.files.growing.growing_file import GrowingFile
file = GrowingFile.begin(sys.argv[1], {"format": "test/1"})
for number in range(10_000_000):
    file.add([number, "x" * (number % 300)])
    if number % 10 == 0:
        file.keep({"number": number})
        file.flush()
        os.write(1, b"%d\\n" % number)
"""


def test_a_killed_writer_leaves_what_it_has_written(tmp_path):
    path = tmp_path / "x.json"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(300):
            told = int(process.stdout.readline())
        process.kill()
        told = max(told, *map(int, process.stdout.read().split()[-2:-1] or [told]))
    grown = read_grown(path)
    assert grown is not None
    entries = [number for number, _ in grown.lines()]
    assert entries == list(range(len(entries)))
    assert len(entries) > told
    assert grown.state is None or grown.state["number"] <= len(entries)
    assert os.listdir(tmp_path) == ["x.json"]


def test_the_name_of_a_part_shows_what_it_is_a_part_of():
    assert str(part_of("a/b.json")) == "a/b.json.part"
