"""Every way to be wrong: one line with file, place and cause, exit status 2, and never a traceback."""

import json
import os
import re
import subprocess
import sys

import pytest

from jigsat.cli.main import main
from jigsat.csp.formats.viewer import format_link
from jigsat.csp.instances import fingerprint, load

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]
PIECES = [[0, 1, 2, 0], [0, 0, 3, 1], [2, 4, 0, 0], [3, 0, 0, 4]]
GOOD = {"format": "jigsat/1", "kind": "edge-matching", "name": "four", "rows": 2, "columns": 2, "pieces": PIECES}
FIXED = {"square": "A1", "piece": 1, "rotation": 0}
LINK = format_link(load("clue3"), None, "clue3")


def instance(**changes):
    return json.dumps({**GOOD, **changes})


def without(key):
    return json.dumps({name: value for name, value in GOOD.items() if name != key})


def fixed(*entries, **changes):
    return instance(fixed=list(entries) or [{**FIXED, **changes}])


def pieces(*changed):
    return instance(pieces=[*changed, *PIECES[len(changed) :]])


#: What stands in a puzzle file, and what is said of it: place and cause.
BAD_PUZZLES = {
    "not JSON": ("{rows: 2}", "line 1, column 2: not JSON"),
    "JSON cut short": (instance()[:-20], "line 1, column .*: not JSON"),
    "trailing comma": (instance()[:-1] + ",}", "not JSON"),
    "two objects": (instance() * 2, "line 1, column 157: not JSON: Extra data"),
    "a list": ("[1, 2]", "a JSON object is expected, not list"),
    "prose": ("Dear Sir,\nplease find my puzzle", "neither JSON nor piece text"),
    "empty": ("", "is empty"),
    "blank": ("\n \t\r\n", "is empty"),
    "noise": (bytes(range(256)) * 9, "not a text file: byte 128 is not UTF-8"),
    "UTF-16": (instance().encode("utf-16"), "not a text file: byte 0 is not UTF-8"),
    "zeros": (bytes(1000), "neither JSON nor piece text"),
    "nested": ("[" * 100_000, "not usable JSON: nested too deeply"),
    "nested in a field": ('{"pieces": ' + "[" * 100_000, "not usable JSON: nested too deeply"),
    "a number of 10 000 digits": (instance().replace("2", "2" * 10_000, 1), "a number that is none or too long"),
    "not a number": (instance(known={"count": float("nan")}), "a number that is none"),
    "wrong format": (instance(format="jigsat/9"), "format: input should be 'jigsat/1', not 'jigsat/9'"),
    "no format": (without("format"), "format: is missing"),
    "a solution file": (json.dumps({"format": "jigsat-solution/1"}), "format: input should be 'jigsat/1'"),
    "unknown kind": (instance(kind="sudoku"), "kind: input should be .*, not 'sudoku'"),
    "no kind": (without("kind"), "kind: is missing"),
    "no name": (without("name"), "name: is missing"),
    "empty name": (instance(name=""), "name: "),
    "a number for a name": (instance(name=7), "name: "),
    "unknown field": (instance(colours=4), "colours: is not a field of this format"),
    "no pieces": (without("pieces"), "pieces: is missing"),
    "pieces no list": (instance(pieces=4), "pieces: "),
    "pieces null": (instance(pieces=None), "pieces: "),
    "empty list of pieces": (instance(pieces=[]), "pieces: 0 are too few for the 4 squares"),
    "too few pieces": (instance(pieces=PIECES[:3]), "pieces: 3 are too few for the 4 squares of a 2x2 board"),
    "three sides": (pieces([0, 1, 2]), "piece 1: has 3 entries"),
    "five sides": (pieces(PIECES[0], [0, 0, 3, 1, 1]), "piece 2: has 5 entries"),
    "a piece that is none": (pieces("0120"), "piece 1: "),
    "negative colour": (pieces([0, -1, 2, 0]), "piece 1: colour -1 is negative"),
    "fractional colour": (pieces([0, 1.5, 2, 0]), "piece 1, right side: input should be a valid integer, not 1.5"),
    "whole fraction": (pieces([0, 1.0, 2, 0]), "piece 1, right side: "),
    "boolean colour": (pieces([0, True, 2, 0]), "piece 1, right side: input should be a valid integer, not True"),
    "huge colour": (pieces([0, 10**12, 2, 0]), "piece 1, right side: input should be less than 2147483648"),
    "colour in words": (pieces([0, "red", 2, 0]), "piece 1, right side: .*not 'red'"),
    "null colour": (pieces([0, None, 2, 0]), "piece 1, right side: "),
    "rows 0": (instance(rows=0), "rows: input should be greater than or equal to 1, not 0"),
    "rows -2": (instance(rows=-2), "rows: "),
    "rows 10^9": (instance(rows=10**9), "rows: input should be less than or equal to 1024"),
    "rows 2.5": (instance(rows=2.5), "rows: input should be a valid integer, not 2.5"),
    "rows in words": (instance(rows="2"), "rows: input should be a valid integer, not '2'"),
    "rows true": (instance(rows=True), "rows: input should be a valid integer, not True"),
    "no columns": (without("columns"), "columns: is missing"),
    "fixed no list": (instance(fixed=FIXED), "fixed: "),
    "fixed twice": (fixed(FIXED, {"square": "A2", "piece": 1, "rotation": 1}), "piece 1 lies on two squares"),
    "two on one square": (fixed(FIXED, {**FIXED, "piece": 2}), "fixed: two pieces on A1"),
    "fixed off the board": (fixed(square="C1"), "square C1 is not on the 2x2 board, whose last square is B2"),
    "square Z99": (fixed(square="Z99"), "square Z99 is not on the 2x2 board"),
    "square ''": (fixed(square=""), "'' is not the name of a square"),
    "square a1": (fixed(square="a1"), "'a1' is not the name of a square"),
    "square A0": (fixed(square="A0"), "'A0' is not the name of a square"),
    "square 1": (fixed(square=1), "fixed 1, square: "),
    "a square's name of 10 000 letters": (fixed(square="A" * 10_000), "is not the name of a square"),
    "border inside": (fixed(rotation=2), "fixed on A1: side up of piece 1 must be a border side there"),
    "rotation 4": (fixed(rotation=4), "fixed 1, rotation: input should be less than or equal to 3, not 4"),
    "rotation -1": (fixed(rotation=-1), "fixed 1, rotation: "),
    "no rotation": (fixed({"square": "A1", "piece": 1}), "fixed 1, rotation: is missing"),
    "piece 0": (fixed(piece=0), "fixed 1, piece: input should be greater than or equal to 1"),
    "piece 5": (fixed(piece=5), "fixed on A1: there is no piece 5; pieces are numbered 1 to 4"),
    "known count -1": (instance(known={"count": -1}), "known count: "),
    "assembly of another size": (instance(assemblies=[[[[1, 0]]]]), "assembly 1: 1 rows of 1 squares for a 2x2"),
    "piece text with a word": ("2 2\n0 0 1 two\n", "line 2: 'two' is not a whole number"),
    "piece text with three sides": ("2 2\n0 0 1\n", "line 2: 3 numbers instead of 4"),
    "piece text cut short": ("2 2\n0 0 1 2\n", "pieces: 1 are too few for the 4 squares"),
    "piece text with rows 10^9": ("1000000000 2\n0 0 1 2\n", "rows must lie between 1 and 1024"),
    "CSV without left": ("up,right,down\n1,2,3\n", "line 1: .* none called 'left'"),
    "CSV with a hole": ("up,right,down,left\n1,,3,4\n", "line 2: right is missing"),
    "CSV with a word": ("up,right,down,left\n1,x,3,4\n", "line 2: right 'x' is not a whole number"),
    "CSV with short lines": ("up,right,down,left\n1,2,3\n", "line 2: 3 columns instead of 4"),
    "link cut short": (LINK[:150], "board_edges: .* letters instead of 144, .* is the link cut short"),
    "link cut shorter": (LINK[:60], "board_edges is missing"),
    "link with digits": (LINK.replace("board_edges=", "board_edges=7"), "board_edges: character 1 is '7'"),
    "link with a piece twice": (LINK.replace("001002", "002002"), "board_pieces: piece 2 lies on A1 and on A2"),
    "link without a fragment": ("https://e2.bucas.name/", "board_edges is missing"),
}  # fmt: skip


def solution(**changes):
    puzzle = load("clue3")
    rows = [[None] * 6 for _ in range(6)]
    head = {"format": "jigsat-solution/1", "instance": "clue3", "sha256": fingerprint(puzzle), "solutions": [rows]}
    return json.dumps({**head, **changes})


def board(first):
    return solution(solutions=[[[first, *[None] * 5], *[[None] * 6 for _ in range(5)]]])


BAD_SOLUTIONS = {
    "for another puzzle": (solution(sha256="0" * 64, instance="clue9"), "sha256: the solutions are for another puzzle"),
    "a hash that is none": (solution(sha256="clue3"), "sha256: "),
    "an instance file": (instance(), "format: input should be 'jigsat-solution/1'"),
    "no solutions": (solution(solutions=[]), "holds no board"),
    "solutions null": (solution(solutions=None), "solutions: "),
    "too few rows": (solution(solutions=[[[None] * 6] * 5]), "solution 1: 5 rows of 6 squares for a 6x6 board"),
    "a short row": (solution(solutions=[[[None] * 6] * 5 + [[None]]]), "solution 1: 6 rows of 1 or 6 squares"),
    "no rows": (solution(solutions=[[]]), "solution 1: 0 rows of no squares"),
    "rotation 4": (board([1, 4]), "solution 1, .*input should be less than or equal to 3, not 4"),
    "piece 0": (board([0, 0]), "solution 1, .*greater than or equal to 1"),
    "a piece alone": (board(7), "solution 1, "),
    "a rotation too many": (board([1, 0, 0]), "solution 1, "),
    "empty": ("", "is empty"),
    "noise": (bytes(range(255, 0, -1)), "not a text file: byte 0 is not UTF-8"),
    "nested": ("[" * 100_000, "nested too deeply"),
    "a link to another board": (format_link(load("clue2"), None, "clue2"), "a 6x12 board for a 6x6 puzzle"),
    "a link cut short": (LINK[:100], "letters instead of 144"),
    "a link with other pieces": (format_link(load("puzzle-a"), None, "a"), r"square A1 \(.*\): no piece looks like"),
    "a table without rotations": ("square,piece\nA1,1\n", "there is none called 'rotation'"),
    "a table with a square twice": ("square,piece,rotation\nA1,1,0\nA1,2,0\n", "line 3: a second piece on A1"),
}  # fmt: skip


def outcome(capsys, *arguments):
    """Status, and standard error; nothing is written to standard output."""
    status = main(arguments)
    captured = capsys.readouterr()
    assert captured.out == ""
    return status, captured.err


@pytest.mark.parametrize("what", BAD_PUZZLES)
@pytest.mark.parametrize("command", ["solve", "info", "draw"])
def test_bad_puzzles(what, command, tmp_path, capsys):
    content, message = BAD_PUZZLES[what]
    file = tmp_path / "bad"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    more = ("-o", str(tmp_path / "out.svg")) if command == "draw" else ()
    assert_one_line(*outcome(capsys, command, str(file), *more), file, message)
    assert not (tmp_path / "out.svg").exists()


# To convert no solutions is no error.
@pytest.mark.parametrize(
    ("what", "command"),
    [
        (what, command)
        for what in BAD_SOLUTIONS
        for command in ("check", "count", "convert")
        if (what, command) != ("no solutions", "convert")
    ],
)
def test_bad_solutions(what, command, tmp_path, capsys):
    content, message = BAD_SOLUTIONS[what]
    file = tmp_path / "bad"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments = {
        "check": ("check", "clue3", str(file)),
        "count": ("count", "clue3", "--from", str(file)),
        "convert": ("convert", "--puzzle", "clue3", str(file), str(tmp_path / "out.csv")),
    }
    assert_one_line(*outcome(capsys, *arguments[command]), file, message)
    assert not (tmp_path / "out.csv").exists()


def assert_one_line(status, line, file, message):
    assert status == 2
    assert line.startswith(f"jigsat: {file}: ")
    assert line.count("\n") == 1
    assert len(line) < len(str(file)) + 300
    assert re.search(message, line), line


# Prints the peak memory of a command in MiB; VmHWM does not count what the parent had before.
MEASURED = """
import re, sys
from jigsat.cli.main import main
status = main(sys.argv[1:])
print(int(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1]) // 1024)
sys.exit(status)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="peak memory is read from /proc")
@pytest.mark.parametrize(
    ("unit", "number", "message"),
    [
        (bytes(range(256)) * 4096, 100, "larger than|not a text file"),
        (b"a 7, ", 20 * 2**20, "larger than|neither JSON"),
        (b"1 2 3 4\n", 12 * 2**20, "larger than|piece text"),
        (b'{"format": ', 9 * 2**20, "larger than|not JSON|nested"),
        (b'{"a": "', 1, "not JSON"),
        (b"[", 100_000, "nested too deeply"),
        (b"\n", 100 * 2**20, "larger than|empty"),
        (b"1 2 3 4\n", 2**17, "fit no rectangle|piece text"),
    ],
)
def test_a_hundred_megabytes_of_anything_take_little_memory(unit, number, message, tmp_path):
    """Whoever passes the wrong file learns so before the machine starts to swap."""
    file = tmp_path / "noise"
    file.write_bytes(unit * number)
    for arguments in (("info", str(file)), ("check", "clue1", str(file))):
        command = [sys.executable, "-c", MEASURED, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert_one_line(done.returncode, done.stderr, file, message)
        assert int(done.stdout) < 300


def test_what_is_no_file_to_read(tmp_path, capsys):
    folder = tmp_path / "folder"
    folder.mkdir()
    for command in (("solve",), ("info",), ("check", "clue1")):
        assert_one_line(*outcome(capsys, *command, str(folder)), folder, "cannot be read: Is a directory")
    nowhere = tmp_path / "nowhere"
    assert_one_line(*outcome(capsys, "info", str(nowhere)), nowhere, "no such file, nor a bundled puzzle")
    assert_one_line(*outcome(capsys, "check", "clue1", str(nowhere)), nowhere, "cannot be read: No such file")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert_one_line(*outcome(capsys, "check", "clue1", str(loop)), loop, "cannot be read: ")
    with pytest.raises(SystemExit):
        main(["info"])


def test_a_file_that_may_not_be_read(tmp_path, capsys):
    file = tmp_path / "secret.json"
    file.write_text(instance())
    file.chmod(0)
    outcome(capsys, "info", str(tmp_path))  # loads everything, also for a user who may read nothing
    user = os.geteuid()
    if user == 0:
        for folder in (tmp_path, *tmp_path.parents[:2]):
            folder.chmod(0o755)
        os.seteuid(65534)
    try:
        result = outcome(capsys, "info", str(file))
    finally:
        os.seteuid(user)
    assert_one_line(*result, file, "cannot be read: Permission denied")


def test_standard_input_that_is_closed_or_bad():
    closed = subprocess.run(
        ["bash", "-c", f"{' '.join(COMMAND)} info - <&-"], capture_output=True, text=True, check=False
    )
    assert closed.returncode == 2
    assert re.fullmatch("jigsat: standard input: .*\n", closed.stderr)
    noise = subprocess.run([*COMMAND, "info", "-"], input=b"\xff\xfe", capture_output=True, check=False)
    assert noise.returncode == 2
    assert noise.stderr == b"jigsat: standard input: not a text file: byte 0 is not UTF-8\n"
