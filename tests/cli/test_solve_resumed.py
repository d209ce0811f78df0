"""`jigsat solve -o`: what is on disk while it runs, after a kill, and when there is an earlier answer."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest

import jigsat as js
from jigsat.cli.main import main
from jigsat.csp.files.file_format import is_book

SOLVE = [sys.executable, "-m", "jigsat.cli.main", "solve"]


def error_of(capsys, *arguments):
    status = main([*map(str, arguments), "--quiet"])
    return status, capsys.readouterr().err.strip()


def wait_for(condition):
    while not condition():
        time.sleep(0.01)


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
        wrong = "format: input should be 'jigsat-solution/1', not 'jigsat/1'"
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


@pytest.mark.parametrize("option", ["--resume", "--overwrite"])
def test_options_about_a_file_need_one(capsys, option):
    told = f"jigsat: {option}: it is for a file of solutions; give its name with -o"
    assert error_of(capsys, "solve", "puzzle-a", option) == (2, told)


def test_standard_output_cannot_be_continued(capsys):
    told = "jigsat: --resume: needs a file in which to continue; give the one of the run that was stopped"
    assert error_of(capsys, "solve", "puzzle-a", "-o", "-", "--resume") == (2, told)
    told = "jigsat: --resume and --overwrite: one continues, the other starts over; omit one of them"
    assert error_of(capsys, "solve", "puzzle-a", "-o", "x.json", "--resume", "--overwrite") == (2, told)


@pytest.mark.parametrize("ending", [pytest.param("json", marks=pytest.mark.slow), "url"])
def test_a_killed_search_leaves_what_it_found_and_is_continued(tmp_path, ending):
    puzzle, path = js.read("clue1"), tmp_path / f"x.{ending}"
    part = tmp_path / f"x.{ending}.part"
    command = [*SOLVE, "clue1", "--engine", "backtrack", "--limit", "20000", "-o", str(path), "--quiet"]
    with subprocess.Popen(command) as process:
        wait_for(lambda: part.exists() and part.stat().st_size > 5_000)
        process.send_signal(signal.SIGKILL)
    found = js.read_solutions(part, puzzle)
    assert len(found) > 10
    assert not path.exists()
    more = str(len(found) + 20)
    assert main(["solve", "clue1", "--limit", more, "-o", str(path), "--quiet", "--resume"]) == 0
    answer = js.read_solutions(path, puzzle)
    assert answer[: len(found)] == found
    assert len(set(answer)) == len(answer) == len(found) + 20
    assert not part.exists()


def test_what_is_found_is_on_disk_at_once(tmp_path):
    """Long before the end; other programs can read it while the search runs."""
    puzzle, part = js.read("puzzle-a"), tmp_path / "x.json.part"
    command = [*SOLVE, "puzzle-a", "--all", "-o", str(tmp_path / "x.json"), "--quiet", "--order", "rowscan"]
    with subprocess.Popen([*command, "--engine", "backtrack"]) as process:
        wait_for(lambda: is_book(part) and js.read_solutions(part, puzzle))
        process.kill()
    assert main(["check", "puzzle-a", str(part)]) == 0


@pytest.mark.slow
def test_a_list_of_all_arrangements_is_not_continued_as_one_of_classes(tmp_path, capsys):
    path = tmp_path / "x.json"
    main(["solve", "puzzle-a", "--all", "--no-symmetry", "--engine", "backtrack", "-o", str(path)])
    before = path.read_bytes()
    status, told = error_of(capsys, "solve", "puzzle-a", "--all", "-o", path, "--resume")
    assert (status, told) == (
        2,
        f"jigsat: --resume: {path}: has several solutions of one symmetry class, or one several "
        "times; it is not of a search that this one can continue",
    )
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


def test_solutions_that_are_none_are_not_continued(tmp_path, capsys):
    path = tmp_path / "x.json"
    main(["solve", "puzzle-a", "--limit", "2", "-o", str(path)])
    path.write_text(path.read_text().replace("[3,1]", "[3,2]", 1))
    status, told = error_of(capsys, "solve", "puzzle-a", "--all", "-o", path, "--resume")
    assert status == 2
    assert told.startswith(f"jigsat: {path}: has what is not a solution for this search: ")


def test_a_full_disk_leaves_what_was_written(tmp_path):
    path, part = tmp_path / "x.json", tmp_path / "x.json.part"
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (7000, 7000)); "
        "from jigsat.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = ["solve", "puzzle-a", "--all", "--engine", "backtrack", "-o", str(path), "--quiet"]
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (2, f"jigsat: {part}: cannot be used as a book: disk I/O error\n")
    puzzle = js.read("puzzle-a")
    assert 0 < len(js.read_solutions(part, puzzle)) < 40
    assert main([*command, "--resume"]) == 0
    assert len(set(js.read_solutions(path, puzzle))) == 40
