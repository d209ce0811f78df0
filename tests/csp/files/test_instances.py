import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.safe_files import read_text
from jigsat.csp.files import instances
from jigsat.csp.files.convert import convert
from jigsat.csp.files.file_format import bundled_names
from jigsat.csp.files.instances import (
    fingerprint,
    format_instance,
    parse_instance,
    parse_puzzle,
    read_puzzle,
    read_squares,
    save,
)
from jigsat.csp.files.solutions import solution_writer
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.puzzles.edge_matching import MAX_COLOR, EdgeMatchingPuzzle
from property_tests import examples
from strategies import puzzles

GOOD = {
    "format": "jigsat/1",
    "kind": "edge-matching",
    "name": "two",
    "rows": 1,
    "columns": 2,
    "pieces": [[0, 5, 0, 0], [0, 5, 0, 0]],
}


def test_bundled_instances_are_there_and_canonical():
    assert set(bundled_names()) >= {
        *("eternity2", "eternity2-hints", "puzzle-a", "puzzle-c", "puzzle-d"),
        *(f"clue{i}" for i in range(1, 5)),
        *(f"meta{n}" for n in (10, 12, 14, 16)),
        *(f"perfect-{n}x{n}" for n in (3, 5, 6, 7, 8, 10, 12, 31)),
        *("perfect-5x7", "perfect-6x8", "jigsaw-5x6", "crystal-7x7", "three-solutions-6x6", "two-solution-5x5"),
        "three-perfect-7x7",
    }
    for name in bundled_names():
        puzzle = read_puzzle(name)
        assert puzzle.name == name
        assert puzzle.source
        # Bundled files are read without the validation that others have.
        again = parse_instance(format_instance(puzzle))
        assert (again, again.known, again.source) == (puzzle, puzzle.known, puzzle.source)
    assert [fixed.square for fixed in read_squares("eternity2").fixed] == [135]
    assert len(read_squares("eternity2-hints").fixed) == 5


@examples(50)
@given(puzzles())
def test_every_puzzle_survives_writing_and_reading(puzzle):
    again = parse_instance(format_instance(puzzle))
    assert again == puzzle
    assert fingerprint(again) == fingerprint(puzzle)


TWO = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)))
TRIANGLES = [((0, 0), (1, 0), (Fraction(1, prime), 2)) for prime in (999_983, 999_979, 999_961, 999_959)]
FINE = DissectionPuzzle(((0, 0), (2, 0), (2, 2), (0, 2)), tuple(TRIANGLES))


@pytest.mark.parametrize(
    ("puzzle", "changes", "message"),
    [
        (TWO, {"name": ""}, "name: string should have at least 1 character"),
        (TWO, {"name": "a" * 201}, "name: string should have at most 200 characters"),
        (TWO, {"name": "a\ud800"}, "name: must be a text"),
        (TWO, {"source": "a\ud800"}, "source: holds .*, half of a UTF-16 surrogate pair"),
        (TWO, {"known": {"count": -1}}, "known count: must be 0 or more, not -1"),
        (TWO, {"known": {"count": np.int64(3)}}, "known results must be texts and numbers: .* int64"),
        (TWO, {"assemblies": ((Placement(0, 0), None),)}, "assembly 1: A2 is empty"),
        (FINE, {"known": {"count": -1}}, "known count: must be"),
        (FINE, {}, "the common denominator of the coordinates is larger than"),
    ],
)
def test_what_could_not_be_read_is_not_written(puzzle, changes, message, tmp_path):
    file = tmp_path / "two.json"
    save(TWO, file)
    before = file.read_bytes()
    for write in (save, convert):
        with pytest.raises(InstanceError, match=rf"two\.json: .*{message}"):
            write(replace(puzzle, **changes), file)
        assert file.read_bytes() == before


def test_the_largest_board_may_be_read():
    """Of 1024 x 1024 squares, with two assemblies, and with the longest numbers."""
    rows = 32
    numbers = range(rows * rows)
    pieces = tuple((-MAX_COLOR,) * 4 for _ in numbers)
    board = tuple((number, 3) for number in numbers)
    text = format_instance(EdgeMatchingPuzzle(rows, rows, pieces, "jigsaw", assemblies=(board, board)))
    # The numbers of pieces have up to seven digits instead of four.
    assert (len(text) + 2 * 3 * rows * rows) * (1024 // rows) ** 2 < instances.MAX_BYTES
    assert all(text.count(mark) * (1024 // rows) ** 2 < most for mark, most in instances._MOST_MARKS.items())


def test_fingerprint_is_of_the_puzzle_not_of_the_file():
    puzzle = read_squares("eternity2")
    assert fingerprint(replace(puzzle, name="other", source="", known={})) == fingerprint(puzzle)
    assert fingerprint(replace(puzzle, fixed=())) != fingerprint(puzzle)
    # Stored, so that a change of the definition, which would orphan people's solution files, is noticed.
    assert fingerprint(read_squares("clue1")) == "29c2f4baac11654a6589cfc684577cf74db6a2895aaf1de68f501a8bde9222f5"


def test_a_solution_file_appears_whole_or_not_at_all(tmp_path):
    puzzle = parse_instance(json.dumps(GOOD))
    path = tmp_path / "s.json"
    path.write_text("old")

    def broken_off():
        with solution_writer(puzzle, path) as writer:
            writer.add((Placement(0, 0), Placement(1, 2)))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken_off()
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["s.json"]
    with pytest.raises(InstanceError, match="cannot be written"):
        save(puzzle, tmp_path / "no" / "such" / "folder.json")


TABLE = "\nup,right,down,left\n0,5,0,0\n0,0,0,5\n"


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("# it's name=two", "a quotation mark is not closed"),
        ("# name=" + "a" * 20_000, "line 1: a comment of more than 10000 characters is too long"),
    ],
)
def test_fields_in_a_comment_are_refused(start, message):
    with pytest.raises(InstanceError, match=message):
        parse_puzzle(start + TABLE)


def test_a_file_whose_name_is_no_text(tmp_path):
    file = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(file, "w") as opened:
        opened.write("1 2\n0 0 0 5\n0 5 0 0\n")
    puzzle = read_squares(os.fsdecode(file))
    assert puzzle.name == "caf?"
    save(puzzle, tmp_path / "again.json")
    link = "https://e2.bucas.name/#puzzle=caf\udce9&board_w=2&board_h=1&board_edges=afaaaaaf"
    assert read_squares(link).name == "caf?"


def test_the_permissions_of_a_file_that_is_replaced_stay(tmp_path):
    puzzle = read_squares("clue1")
    for mode in (0o600, 0o640):
        (tmp_path / "p.json").touch()
        (tmp_path / "p.json").chmod(mode)
        save(puzzle, tmp_path / "p.json")
        assert (tmp_path / "p.json").stat().st_mode & 0o777 == mode
    (tmp_path / "new").touch()
    save(puzzle, tmp_path / "new.json")
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "new").stat().st_mode


def run_in_shell(command, **environment):
    command = command.replace("jigsat", f"{sys.executable} -m jigsat.cli.main")
    return subprocess.run(["bash", "-c", command], capture_output=True, check=True, env={**os.environ, **environment})


@pytest.mark.parametrize(
    "command",
    [
        "jigsat convert clue3 /dev/stdout --to json | cat",
        "jigsat convert clue3 >(cat) --to json | cat",
        "(jigsat convert clue3 /dev/stdout --to json) > FILE; cat FILE",
        "(echo; jigsat convert clue3 /dev/fd/1 --to json) > FILE; tail -n +2 FILE",
    ],
)
def test_what_is_no_regular_file_is_written_to(command, tmp_path):
    done = run_in_shell(command.replace("FILE", str(tmp_path / "file")))
    assert done.stdout.decode() == format_instance(read_squares("clue3"))


@pytest.mark.parametrize("mark", ["[", "{", ":", ","])
def test_more_entries_than_any_puzzle_has_are_refused_before_they_are_read(monkeypatch, mark):
    """Data in memory take thirty times the space of the file."""
    text = json.dumps(GOOD)
    monkeypatch.setattr(instances, "_MOST_MARKS", {mark: text.count(mark)})
    assert parse_instance(text).name == GOOD["name"]
    monkeypatch.setattr(instances, "_MOST_MARKS", {mark: text.count(mark) - 1})
    with pytest.raises(
        InstanceError, match=f"more than {text.count(mark) - 1} times '\\{mark}'; no puzzle has as many"
    ):
        parse_instance(text)


@pytest.mark.parametrize("end", ["\n", "\r"])
@pytest.mark.parametrize("head", ["1 2", "up,right,down,left"])
def test_more_lines_than_any_puzzle_has_are_refused(head, end):
    with pytest.raises(InstanceError, match="more than 1114112 lines; no board has as many pieces"):
        parse_puzzle(head + end * 1_114_113)


def test_lines_that_are_too_long_are_refused():
    """Without splitting them into millions of words."""
    with pytest.raises(InstanceError, match="line 2: longer than 10000 characters"):
        parse_puzzle("up,right,down,left\n" + "0," * 5_001)
    with pytest.raises(InstanceError, match="line 1: longer than 10000 characters"):
        parse_puzzle("0 " * 1_000_000)


def test_letters_that_take_four_bytes_are_counted_so(tmp_path):
    """One of them makes the whole text in memory four times as large."""
    (tmp_path / "a.txt").write_text("x" * 2**20 + "\U0001f9e9")
    with pytest.raises(InstanceError, match="larger than 1 MiB"):
        read_text(tmp_path / "a.txt", 2**20 + 2**10)
    assert len(read_text(tmp_path / "a.txt", 2**21 + 2**10)) == 2**20 + 1
