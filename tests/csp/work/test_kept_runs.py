"""Runs in processes of their own: they are stopped, continued, cut off and killed, and nothing that is kept is lost."""

import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import psutil
import pytest

from jigsat.api.public import Act
from jigsat.csp.base.errors import BookError
from jigsat.csp.base.folder import Folder
from jigsat.csp.files.books import has_content
from jigsat.csp.work.kept_runs import Runs

# About eight seconds.
LONG = Act("count", ("clue3",), {"engine": "backtrack", "order": "rowscan2", "ledger": "clue3.ledger"})
COUNT = 2_195_647_488
# A server that works until it is killed.
SERVER = """
import sys, time
from jigsat.api.public import Act
from jigsat.csp.base.folder import Folder
from jigsat.csp.work.kept_runs import Runs

if __name__ == "__main__":
    runs = Runs(Folder(sys.argv[1]), Act)
    runs.start()
    run = runs.add(Act("count", ("clue3",), {options}), "clue3", ["clue3.ledger"])
    while run.progress is None or run.progress.done < 0.3:
        time.sleep(0.02)
    print(*[child.pid for child in __import__("psutil").Process().children(recursive=True)], flush=True)
    time.sleep(60)
"""


@contextmanager
def serving(folder):
    runs = Runs(Folder(folder), Act)
    runs.start()
    try:
        yield runs
    finally:
        runs.close()


def until(happens, seconds=60):
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def has_steps(part):
    # The file may be there without its first page.
    with suppress(BookError):
        return part.exists() and has_content(part)
    return False


@pytest.mark.slow
def test_a_stopped_count_goes_on_where_it_was(tmp_path):
    with serving(tmp_path) as runs:
        run = runs.add(LONG, "clue3", ["clue3.ledger"])
        until(lambda: run.progress is not None and run.progress.done > 0.2)
        runs.stop(run)
        until(lambda: run.over)
        assert run.state == "stopped"
        assert run.may_go_on
        assert 0 < run.record["count"] < COUNT
        nodes = run.record["nodes"]
    # The list is that of the folder.
    with serving(tmp_path) as runs:
        [run] = runs.all
        assert run.state == "stopped"
        before = run.progress
        runs.go_on(run)
        until(lambda: run.progress is not before and run.progress.nodes > nodes)
        assert run.progress.found > 0.1
    with serving(tmp_path) as runs:
        [run] = runs.all
        assert run.state == "stopped"
        assert run.record["statistics"]["nodes from the ledger"] > nodes / 2
        runs.remove(run)
    with serving(tmp_path) as runs:
        assert runs.all == []
    assert (tmp_path / "clue3.ledger").exists()


def test_a_killed_server_leaves_what_its_runs_found(tmp_path):
    program = tmp_path / "server.py"
    program.write_text(SERVER.replace("{options}", repr(dict(LONG.options))))
    server = subprocess.Popen([sys.executable, program, tmp_path / "folder"], stdout=subprocess.PIPE, text=True)
    children = [psutil.Process(int(number)) for number in server.stdout.readline().split()]
    server.kill()
    server.communicate()
    assert children
    # They end by themselves.
    assert psutil.wait_procs(children, timeout=20)[1] == []
    with serving(tmp_path / "folder") as runs:
        [run] = runs.all
        assert run.state == "cut off"
        assert run.progress.done > 0
        runs.go_on(run)
        until(lambda: run.over)
        assert run.record["count"] == COUNT
        assert run.record["statistics"]["nodes from the ledger"] > 0.2 * run.record["nodes"]


@pytest.mark.slow
def test_a_search_for_all_solutions_is_continued_from_its_part(tmp_path):
    act = Act("solve", ("puzzle-c",), {"all": True, "engine": "backtrack", "output": "all.json"})
    (tmp_path / "all.json").write_bytes(b"")
    with serving(tmp_path) as runs:
        run = runs.add(act, "puzzle-c", ["all.json"])
        until(lambda: has_steps(tmp_path / "all.json.part"))
        runs.stop(run)
        until(lambda: run.over)
        assert run.state == "stopped"
        before = run.progress
        runs.go_on(run)
        assert run.act.command == "jigsat solve puzzle-c --all --engine backtrack -o all.json --resume"
        until(lambda: run.progress is not before and run.progress.nodes > 0)
        assert run.progress.found_nodes > 0


def test_a_run_whose_process_is_killed_fails_with_a_line(tmp_path):
    with serving(tmp_path) as runs:
        run = runs.add(LONG, "clue3", ["clue3.ledger"])
        other = runs.add(Act("count", ("puzzle-a",), {"engine": "no-such"}), "puzzle-a", [])
        until(lambda: run.progress is not None and run.progress.nodes > 0)
        for child in psutil.Process().children():
            if "spawn_main" in " ".join(child.cmdline()):
                child.kill()
        until(lambda: run.over and other.over)
        assert (run.state, other.state) == ("failed", "failed")
        assert "\n" not in run.words
        assert "died" in run.words
        assert run.may_go_on


def test_waiting_runs_are_stopped_at_once(tmp_path):
    with serving(tmp_path) as runs:
        several = [runs.add(LONG, "clue3", []), *(runs.add(Act("best", ("meta10",), {}), "m", []) for _ in range(3))]
        until(lambda: several[1].state == "running")
        assert several[3].state == "waiting"
        runs.stop(several[3])
        assert several[3].state == "stopped"
        left = runs.close()
    assert left == several[:3]
