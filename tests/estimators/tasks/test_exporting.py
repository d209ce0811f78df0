"""Exports: the function writes and says what the command does."""

import json

import pytest

from command_line import run
from jigsat import export, read
from jigsat.csp.base.errors import UsageError
from jigsat.csp.files.convert import write
from solved_clue import BOARD, CLUE

L_SHAPE = read("l-shape")
PART = (*BOARD[:3], *(None,) * 33)
TIMES = ("build_seconds", "seconds")


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(
    ("puzzle", "ending", "options"),
    [
        (CLUE, "cnf", {}),
        (CLUE, "cnf", {"symmetry": False, "encoding": "seams", "order": "best"}),
        (CLUE, "cnf", {"start": PART, "slips": "30"}),
        (CLUE, "wcnf", {}),
        (CLUE, "opb", {"best": True}),
        (CLUE, "pbtxt", {"slips": "20", "start": PART}),
        (L_SHAPE, "cnf", {"motions": "lattice"}),
        (L_SHAPE, "model", {"motions": "lattice", "to": "cpsat"}),
    ],
)
def test_the_command_and_the_function_export_the_same(tmp_path, monkeypatch, capsys, puzzle, ending, options):
    monkeypatch.chdir(tmp_path)
    write(CLUE, [PART], "part.json")
    words = []
    for name, value in options.items():
        if name == "start":
            words.append("--from=part.json")
        else:
            words.append("--no-symmetry" if value is False else f"--{name}" if value is True else f"--{name}={value}")
    file = f"model.{ending}"
    status, out, _ = run(capsys, "export", puzzle.name, "-o", file, *words, "--json")
    assert status == 0
    by_command = (tmp_path / file).read_text()
    exported = export(puzzle, file, **options)
    assert (tmp_path / file).read_text() == by_command
    if "start" in options:
        assert exported.record()["options"]["from"] == "a board in memory"
        exported = export(puzzle, file, **{**options, "start": "part.json"})
    record = exported.record()
    known = json.loads(out)
    assert list(record) == list(known)
    assert {key: record[key] for key in record if key not in TIMES} == {
        key: known[key] for key in known if key not in TIMES
    }
    assert 0 < record["build_seconds"] <= record["seconds"]
    _, out, _ = run(capsys, "export", puzzle.name, "-o", file, *words)
    assert exported.summary().rpartition(", in ")[0] == out.rpartition(", in ")[0]


@pytest.mark.parametrize(
    ("puzzle", "file", "options", "message"),
    [
        (CLUE, "x.foo", {}, "to: .*x.foo: the name must end in .cnf"),
        (CLUE, "x.cnf", {"to": "smt"}, "to: unknown format smt, choose from cnf, wcnf, opb, cpsat"),
        (CLUE, "x.cnf", {"best": True}, "best: a CNF has no objective"),
        (CLUE, "x.cnf", {"motions": "any"}, "motions: it is for dissections"),
        (L_SHAPE, "x.cnf", {"start": PART}, "start: it is for puzzles of squares"),
        (L_SHAPE, "x.wcnf", {"motions": "lattice"}, "wcnf maximises the score"),
    ],
)
def test_what_cannot_be_exported(tmp_path, puzzle, file, options, message):
    with pytest.raises(UsageError, match=message):
        export(puzzle, tmp_path / file, **options)
    assert list(tmp_path.iterdir()) == []
