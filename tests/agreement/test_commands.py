"""The command line as a person meets it: output, exit status, errors, interruption."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import COMMAND, interrupted_in_turn, run
from jigsat.csp.files.file_format import BUNDLED
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import default_order
from solution_files import save_solutions
from solved_clue import BOARD, CLUE


def test_solve_check_and_start_again(capsys, tmp_path):
    """Solutions written by one command are accepted by the others; a changed one is not, and the fault is named."""
    file = tmp_path / "solutions.json"
    status, out, _ = run(capsys, "solve", "puzzle-a", "--all", "-o", str(file))
    assert status == 0
    assert ": exactly 40 different solutions; " in out
    status, out, _ = run(capsys, "check", "puzzle-a", str(file))
    assert (status, out) == (0, "puzzle-a: 40 of 40 boards are valid, score 60 of 60.\n")
    data = json.loads(file.read_text())
    board = data["solutions"][0]
    board[0][0], board[5][5] = board[5][5], board[0][0]
    file.write_text(json.dumps(data))
    status, out, _ = run(capsys, "check", "puzzle-a", str(file))
    assert status == 1
    assert "solution 1: NOT valid" in out
    assert f"A1: piece {board[0][0][0]} has" in out
    assert "39 of 40 boards are valid" in out
    data["solutions"] = [
        [[square if row < 3 else None for square in line] for row, line in enumerate(data["solutions"][1])]
    ]
    file.write_text(json.dumps(data))
    assert run(capsys, "check", "puzzle-a", str(file))[0] == 1
    assert run(capsys, "check", "puzzle-a", str(file), "--partial")[0] == 0
    status, out, _ = run(capsys, "count", "puzzle-a", "--from", str(file), "--json")
    assert (status, json.loads(out)["count"] >= 1) == (0, True)
    # What was found from there are solutions of the puzzle, as the file states.
    more = tmp_path / "more.json"
    status, out, _ = run(capsys, "solve", "puzzle-a", "--from", str(file), "-o", str(more))
    assert f"Wrote {more} (" in out
    assert run(capsys, "check", "puzzle-a", str(more))[0] == 0


def test_slips_count_along_the_order_that_made_the_partial_board(tmp_path, capsys):
    """With six pieces fixed another order would be the default, and by it this board would break the slips."""
    made = deal_edge_matching(3, 4, 3, 4, seed=0)
    puzzle, name = made.puzzle, default_order(made.puzzle)[0]
    part = tuple(made.solution[s] if s in default_order(puzzle)[1][:6] else None for s in range(12))
    assert default_order(puzzle.with_fixed(part, default_order(puzzle)[1]))[0] != name
    save(puzzle, tmp_path / "puzzle.json")
    save_solutions(puzzle, [part], tmp_path / "part.json")
    files = str(tmp_path / "puzzle.json"), "--from", str(tmp_path / "part.json")
    _, out, _ = run(capsys, "count", *files, "--slips", "8,9", "--json")
    assert json.loads(out)["options"]["order"] == name


def test_instance_from_standard_input():
    text = Path(BUNDLED, "edge-matching", "clue3.json").read_text()
    done = subprocess.run([*COMMAND, "info", "-"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("clue3: edge-matching puzzle")


def test_ctrl_c_prints_what_was_counted():
    """Some slices of the search are over by then."""
    command = "process", "jigsat.csp.search.ordered.run:Run.reason_to_stop:5", "count", "puzzle-c", "--order", "rowscan"
    (text, quiet), (out, still) = interrupted_in_turn(command, (*command, "--json"))
    assert quiet == still == ""
    record = json.loads(out)
    assert (record["complete"], record["ended_by"]) == (False, "interrupt")
    assert record["nodes"] > 20_000
    assert "NOT complete: interrupted" in text


#: Programs, and the libraries that they load besides those that make everything slow.
LIGHT = {
    "main(['--help'])": set(),
    "main(['info', 'l-shape']); assert main(['check', 'clue3', 'board.json']) == 0": {"numpy", "pydantic"},
    "import jigsat as js; js.draw(js.read('clue1'), pieces=True); js.info(js.read('tangram'))": {"numpy"},
    "main(['list']); main(['draw', 'perfect-5x5', '-o', 'board.svg'])": {"numpy"},
    "main(['count', 'puzzle-a']); main(['solve', 'clue3'])": {"numpy", "numba"},
    "main(['plan', 'eternity2', '--goal', 'count'])": {"numpy", "numba", "pysat"},
}


@pytest.mark.parametrize("program", LIGHT)
def test_what_needs_no_search_loads_nothing_heavy(program, tmp_path):
    """What makes a short command slow is importing numerical libraries, solvers or pydantic."""
    save_solutions(CLUE, [BOARD], tmp_path / "board.json")
    heavy = {"numba", "ortools", "pysat", "networkx", "sympy", "tqdm", "PIL", "pandas", "numpy", "pydantic", "nicegui"}
    script = (
        "import sys, contextlib; from jigsat.cli.main import main\n"
        f"with contextlib.suppress(SystemExit): {program}\n"
        f"heavy = {heavy - LIGHT[program]} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, cwd=tmp_path)


def test_version():
    version = subprocess.run([*COMMAND, "--version"], check=True, capture_output=True, text=True).stdout
    assert re.fullmatch(r"jigsat \d+\.\d+\.\d+\n", version)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("--help", 0),
        ("list", 0),
        ("list --json", 0),
        ("convert eternity2 -", 0),
        ("solve clue3 --limit 2000", 0),
        ("solve clue3 --format dimacs", 10),
        ("check clue3 empty.csv", 1),
        ("info nosuch", 2),
    ],
)
@pytest.mark.some_cases(3)
def test_a_reader_that_closes_the_pipe_does_not_change_the_exit_status(tmp_path, command, status):
    """Whether it reads some bytes or none, and of standard error, too."""
    (tmp_path / "empty.csv").write_text("square,piece,rotation\nA1,1,0\n")
    whole = " ".join([*COMMAND, command])
    for end in ("| head -c 1", "| true", "2>&1 | true"):
        done = subprocess.run(
            ["bash", "-c", f"{whole} {end}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == status, end
        assert "Traceback" not in done.stderr
        assert "ignored" not in done.stderr


# Compiles or loads a kernel of those in a module and prints its cache; no locator at all is what Numba sees in a
# read-only installation of a user without a home.
_CACHED = """
import importlib
import numba.core.caching as caching
from jigsat import count, read
from jigsat.csp.base import compiled
from jigsat.csp.search.ordered import kernels

def small():
    to = np.zeros(3, np.int64)
    compiled.copy_numbers(to, np.arange(3))
    assert to.tolist() == [0, 1, 2]
    return compiled.copy_numbers

def search():
    assert count(read("puzzle-a"), order="rowscan").count == 160
    return kernels.search_staircase

def shown(use):
    used = use()
    print(sum(used.stats.cache_hits.values()), type(used._cache).__name__)

def without_cache(module):
    caching.CacheImpl._locator_classes = []
    importlib.reload(module)
"""


def cached(script, folder):
    """What a process says that keeps its kernels in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", f"import numpy as np\n{_CACHED}\n{script}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_searches_are_cached_and_run_without_a_cache(tmp_path):
    """The same of all kernels of a search, which call one another, in processes of their own."""
    assert cached("shown(search)", tmp_path) == "0 _Cache\n"
    assert cached("shown(search)", tmp_path) == "1 _Cache\n"
    assert cached("without_cache(kernels)\nshown(search)", tmp_path) == "0 _NoCache\n"


def test_counts_of_thousands_of_digits(capsys, tmp_path):
    """A board of one colour has more arrangements than Python prints unasked."""
    size = 50
    pieces = [[0, 1, 1, 0]] * 4 + [[0, 1, 1, 1]] * 4 * (size - 2) + [[1, 1, 1, 1]] * (size - 2) ** 2
    file = tmp_path / "one.json"
    head = {"format": "jigsat/1", "kind": "edge-matching", "name": "one", "rows": size, "columns": size}
    file.write_text(json.dumps({**head, "pieces": pieces}))
    status, out, _ = run(capsys, "count", str(file), "--node-limit", "3000")
    assert status == 0
    assert re.search(r"about \d\.\d{4}e\d{4} if every piece", out)
    status, out, _ = run(capsys, "count", str(file), "--node-limit", "3000", "--json")
    assert len(re.search(r'"count": (\d+)', out)[1]) > 4300
    assert run(capsys, "info", str(file))[0] == 0


def test_output_that_cannot_be_written():
    for command in ("list > /dev/full", "list >&-", "info clue1 --json > /dev/full"):
        shell = ["bash", "-c", f"{' '.join(COMMAND)} {command}"]
        done = subprocess.run(shell, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr, command
