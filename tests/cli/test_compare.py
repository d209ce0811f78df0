"""`jigsat compare`: what it runs and leaves alone, what it says, and that nothing can spoil its records."""

import signal
import subprocess
from contextlib import contextmanager

import psutil
import pytest

from command_line import COMMAND, run
from experiment_texts import TINY, awaited, part, pretended, records_of, written
from jigsat.csp.base.errors import BookError
from jigsat.estimators.experiments.figures import FORMATS
from jigsat.estimators.experiments.records import NAME, open_records

ENGINES = ("backtrack", "most-constrained", "sat:cadical195", "cpsat")


@pytest.fixture
def pretend(monkeypatch):
    """No run is made; the list gets what would have been run."""
    return pretended(monkeypatch.setattr)


def names(asked):
    return [(run.recipe.get("seed"), run.engine) for run in asked]


def compare(capsys, path, folder, *options):
    """Status, standard output, standard error."""
    return run(capsys, "compare", str(path), "-o", str(folder), *options)


@pytest.mark.slow
def test_all_engines_agree_and_a_second_run_does_nothing(tmp_path, capsys, monkeypatch):
    """With real runs, two at once, a page with its figures; a third command asks for what was added since."""
    monkeypatch.delitem(FORMATS, "pdf")  # the page shows neither
    monkeypatch.delitem(FORMATS, "png")
    path, folder = written(tmp_path, part(*ENGINES)), tmp_path / "out"
    status, out, err = compare(capsys, path, folder, "--jobs", "2")
    assert (status, err) == (0, "")
    assert out.startswith("All 4 engines solved the puzzle; ")
    assert f"Open {folder / 'report.html'}; figures and tables are beside it" in out
    records = records_of(folder)
    assert sorted(run["engine"] for run in records) == sorted(ENGINES)
    assert len({run["count"] for run in records}) == 1
    assert "<svg" in (folder / "report.html").read_text()
    assert list((folder / "figures").glob("*.svg"))

    asked = pretended(monkeypatch.setattr)
    status, out, err = compare(capsys, path, folder)
    assert (status, err) == (0, "")
    assert "Nothing new was run: all 4 runs are recorded.\n" in out
    assert records_of(folder) == records

    written(tmp_path, part(*ENGINES, {"engine": "backtrack", "order": "zig_zag"}))
    compare(capsys, path, folder)
    assert names(asked) == [(0, "backtrack")]
    assert records_of(folder)[:-1] == records


def test_only_what_is_missing_is_run(tmp_path, capsys, pretend):
    """In the order of the plan; what is not asked for any more stays in the folder, and is left out of the page."""
    folder = tmp_path / "out"
    few, more, other = [{**TINY, "seeds": [1, 2]}], [{**TINY, "seeds": [3, 2, 1]}], [{**TINY, "seeds": [2, 9]}]
    assert compare(capsys, written(tmp_path, part(instances=few)), folder)[0] == 0
    assert compare(capsys, written(tmp_path, part("cpsat", "backtrack", instances=more)), folder)[0] == 0
    status, out, _ = compare(capsys, written(tmp_path, part(instances=other), name="new"), folder)
    assert status == 0
    assert names(pretend) == [
        (1, "backtrack"), (2, "backtrack"), (3, "cpsat"), (3, "backtrack"), (2, "cpsat"), (1, "cpsat"),
        (9, "backtrack"),
    ]  # fmt: skip
    assert out.startswith("backtrack solved both puzzles; the median time was 1.5 s.\n")
    assert "5 records of other runs or versions in the book left out.\n" in out
    assert len(records_of(folder)) == len(pretend)


def test_dry_run_prints_the_plan_and_does_nothing(tmp_path, capsys, pretend):
    """By part and engine, what is recorded and how long the rest takes; no folder is made."""
    folder = tmp_path / "out"
    path = written(tmp_path, part(instances=[{**TINY, "seeds": [1, 2]}], name="p\x1b"), part("cpsat", goal="solve"))
    status, out, err = compare(capsys, path, folder, "--dry-run")
    assert (status, err, pretend) == (0, "", [])
    assert out.splitlines()[0].startswith("trial: 3 runs, 0 recorded; about 3")
    rows = [line.split()[:5] for line in out.splitlines()[1:]]
    assert rows == [
        ["part", "engine", "runs", "recorded", "predicted"],
        [r"p\x1b", "backtrack", "2", "0", "about"],
        ["part", "2", "cpsat", "1", "0"],
    ]
    assert not folder.exists()
    written(tmp_path, part(instances=[{**TINY, "seeds": [1]}]))
    assert compare(capsys, path, folder)[0] == 0
    before = sorted(folder.rglob("*"))
    written(tmp_path, part(instances=[{**TINY, "seeds": [1, 2]}]))
    status, out, _ = compare(capsys, path, folder, "--dry-run")
    assert out.startswith("trial: 2 runs, 1 recorded; about ")
    assert out.splitlines()[2].split()[:5] == ["part", "1", "backtrack", "2", "1"]
    assert sorted(folder.rglob("*")) == before
    assert len(pretend) == 1


@pytest.mark.parametrize(
    ("lie", "fault"),
    [
        ({"count": 5}, "3x3, 2+2 colours, seed 0: "),
        ({"status": "unsatisfiable", "count": 0}, "3x3, 2+2 colours, seed 0: "),
    ],
)
def test_engines_that_disagree_are_a_failure(lie, fault, tmp_path, capsys, pretend):
    """One of the two is wrong, and the status must show it."""
    path, folder = written(tmp_path, part("backtrack", "cpsat")), tmp_path / "out"
    assert compare(capsys, path, folder)[0] == 0
    first, second = records_of(folder)
    (folder / NAME).unlink()
    with open_records(folder / NAME) as (book, _):
        book.add(first)
        book.add(second | lie)
    status, out, err = compare(capsys, path, folder)
    assert (status, err) == (1, "")
    assert fault in out


def test_two_programs_on_one_folder(tmp_path, capsys, pretend):
    """The second one makes nothing and breaks nothing; it may look, though."""
    path, folder = written(tmp_path), tmp_path / "out"
    with open_records(folder / NAME):
        for option in ((), ("--report",)):
            status, out, err = compare(capsys, path, folder, *option)
            what = "is in use by another process; wait until that ends, or give another file"
            assert (status, out, err) == (2, "", f"jigsat: {folder}/records.book: {what}\n")
        assert compare(capsys, path, folder, "--dry-run")[0] == 0
    assert compare(capsys, path, folder)[0] == 0
    assert len(pretend) == 1


def test_jobs_are_threads_that_run_at_once(tmp_path, capsys, pretend):
    path = written(tmp_path, part({"engine": "cpsat", "threads": 2}, goal="solve"))
    status, _, err = compare(capsys, path, tmp_path / "out")
    assert (status, err.count("\n")) == (2, 1)
    what = "1 is too few: part 1, cpsat: a run has 2 threads; give as many jobs or more"
    assert err.startswith(f"jigsat: --jobs: {what}")
    assert pretend == []
    assert compare(capsys, path, tmp_path / "out", "--jobs", "3")[0] == 0


# Whole programs, which are interrupted and killed.


@contextmanager
def started(path, folder, *options):
    """The command in a process of its own, which is killed at the end."""
    with subprocess.Popen(
        [*COMMAND, "compare", str(path), "-o", str(folder), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def recorded(folder):
    """How many records there are."""
    try:
        return len(records_of(folder))
    except BookError:  # it is being made
        return 0


def begun(process):
    """All processes that a command has started, and those that these have."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def test_ctrl_c_ends_in_good_order_and_the_same_command_goes_on(tmp_path, capsys, monkeypatch):
    """In a terminal it reaches the whole group; what was running is not recorded, what had run has its record."""
    long = part("backtrack", instances=[{"instance": "eternity2"}], goal="solve", limits={"seconds": 600})
    path, folder = written(tmp_path, part(), long), tmp_path / "out"
    with started(path, folder) as process:
        awaited(lambda: recorded(folder) == 1 and begun(process))
        children = begun(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "interrupted; repeat the command to go on\n"
    assert "1 of 2 runs recorded; the same command goes on.\n" in out
    assert not psutil.wait_procs(children, timeout=20)[1]
    assert recorded(folder) == 1
    # The report, which takes seconds to draw, does not delay the end.
    assert not (folder / "report.html").exists()
    asked = pretended(monkeypatch.setattr)
    assert compare(capsys, path, folder, "--report")[0] == 0
    assert "1 run recorded of 2 planned" in (folder / "report.html").read_text()

    assert compare(capsys, path, folder)[0] == 0
    assert names(asked) == [(None, "backtrack")]
    assert recorded(folder) == 2


@pytest.mark.parametrize(
    "engine", [pytest.param(name, marks=[] if name.startswith("sat") else pytest.mark.slow) for name in ENGINES]
)
def test_nothing_survives_a_program_that_is_killed(engine, tmp_path):
    """Neither the run's process nor a solver's that it has started, whatever it is busy with."""
    endless = {"seconds": 600, "memory_mib": 60_000}
    path = written(tmp_path, part(engine, instances=[{"instance": "eternity2"}], goal="solve", limits=endless))
    with started(path, tmp_path / "out") as process:
        number = 2 if engine.startswith("sat") else 1
        children = awaited(lambda: len(found := begun(process)) >= number and found)
        # At its work, not at its beginning.
        awaited(lambda: sum(sum(child.cpu_times()[:2]) for child in children) > 1)
        process.kill()
        process.wait()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive
