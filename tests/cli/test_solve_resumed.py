"""`jigsat solve -o`: what is on disk while it runs, after a kill, and when there is an earlier answer."""

import json
import re

import pytest

import jigsat as js
from jigsat.cli.main import main


def error_of(capsys, *arguments):
    status = main([*map(str, arguments), "--quiet"])
    return status, capsys.readouterr().err.strip()


def test_an_earlier_answer_is_not_replaced_by_nothing(tmp_path, capsys):
    path = tmp_path / "keep.json"
    assert main(["solve", "puzzle-a", "-o", str(path)]) == 0
    before = path.read_bytes()
    status, told = error_of(capsys, "solve", "puzzle-a", "-o", path, "--time-limit", "0")
    assert (status, told) == (
        1,
        f"jigsat: {path} is not replaced: it has 1 solution, and this search found no solution; "
        "--overwrite replaces it",
    )
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["keep.json"]
    assert error_of(capsys, "solve", "puzzle-a", "-o", path, "--time-limit", "0", "--overwrite") == (0, "")
    assert json.loads(path.read_text())["solutions"] == []


def test_fewer_solutions_stay_in_the_part(tmp_path, capsys):
    path, part = tmp_path / "a.json", tmp_path / "a.json.part"
    main(["solve", "puzzle-a", "--limit", "5", "-o", str(path)])
    before = path.read_bytes()
    status, told = error_of(capsys, "solve", "puzzle-a", "--limit", "2", "-o", path)
    assert status == 1
    assert told == (
        f"jigsat: {path} is not replaced: it has 5 solutions, and this search found 2 solutions, in {part}; "
        "--overwrite replaces it"
    )
    assert path.read_bytes() == before
    assert len(js.read_solutions(part, js.read("puzzle-a"))) == 2
    # What is there is not lost by the next search, either.
    status, told = error_of(capsys, "solve", "puzzle-a", "--limit", "9", "-o", path)
    assert (status, told) == (
        2,
        f"jigsat: --resume and --overwrite: one of them is needed: {part} is left from a run that was stopped",
    )
    assert error_of(capsys, "solve", "puzzle-a", "--limit", "9", "-o", path, "--resume") == (0, "")
    assert len(js.read_solutions(path, js.read("puzzle-a"))) == 9


@pytest.mark.parametrize("content", ["clue1", "instance", "text"])
def test_files_that_are_no_answers_to_the_puzzle_are_not_replaced(tmp_path, capsys, content):
    path = tmp_path / "x.json"
    if content == "clue1":
        main(["solve", "clue1", "-o", str(path)])
        wrong = "sha256: the solutions are for another puzzle (clue1) than puzzle-a"
    elif content == "instance":
        js.save(js.read("puzzle-a"), path)
        wrong = "format: must be 'jigsat-solution/1', not 'jigsat/1'"
    else:
        path.write_text("my notes")
        wrong = "unknown format of boards: not a grid"
    before = path.read_bytes()
    status, told = error_of(capsys, "solve", "puzzle-a", "-o", path)
    assert status == 2
    assert re.fullmatch(f"jigsat: {path}: {re.escape(wrong)}.*; --overwrite replaces the file", told)
    assert path.read_bytes() == before
    assert error_of(capsys, "solve", "puzzle-a", "-o", path, "--overwrite") == (0, "")
    assert len(js.read_solutions(path, js.read("puzzle-a"))) == 1


def test_solutions_that_are_none_are_not_continued(tmp_path, capsys):
    path = tmp_path / "x.json"
    main(["solve", "puzzle-a", "--limit", "2", "-o", str(path)])
    path.write_text(path.read_text().replace("[3,1]", "[3,2]", 1))
    status, told = error_of(capsys, "solve", "puzzle-a", "--all", "-o", path, "--resume")
    assert status == 2
    assert told.startswith(f"jigsat: {path}: has what is not a solution for this search: ")
