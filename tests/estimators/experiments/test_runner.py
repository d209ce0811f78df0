"""Runs in processes of their own: what is recorded however they end, and that they end."""

import json
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import psutil
import pytest

import engine_checks
from experiment_texts import TINY, awaited, part, planned
from jigsat.api.solve import job_for as job_of_names
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import never
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.files.instances import read_puzzle, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.work.cluster import dask_pool
from jigsat.csp.work.pools import Threads
from jigsat.csp.work.run import run as work_through
from jigsat.estimators.effort.search_effort import predict
from jigsat.estimators.experiments import run_process, runner
from jigsat.estimators.experiments.families import make_puzzle
from jigsat.estimators.experiments.plan import options_of, versions
from jigsat.estimators.experiments.runner import PendingRuns, execute, on_worker, outcome_of

KEYS = {
    *engine_checks.KEYS, "experiment", "part", "family", "source", "sha256", "repetition", "fingerprint", "facts",
    "predicted_by_depth", "outcome", "message", "limits", "wall_seconds", "versions", "machine", "timestamp", "asked",
    "best_after", "way", "answer_seconds", "spent_seconds",
}  # fmt: skip
#: No engine is done with it within hours.
HARD = {"family": "edge-matching", "rows": 12, "frame_colors": 5}
#: What a run of which nothing is known says of its search.
BLANK = ("nodes", "seconds", "count", "statistics", "best_score", "canonical_count", "method", "best_board")


def one(folder, *engines, **changes):
    (run,) = planned(folder, part(*engines, **changes))
    return run


def made(run):
    """The record of a run, which must be what a line of JSON can hold, and name all that the contract names."""
    record = execute(run, never)
    assert set(record) == KEYS
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert (record["fingerprint"], record["sha256"]) == (run.fingerprint, run.sha256)
    assert (record["instance"], record["kind"], record["asked"]["engine"]) == (run.instance, run.kind, run.engine)
    assert run.engine in ("default", record["engine"])
    assert record["wall_seconds"] > 0
    return record


def job_of(run):
    return {
        "recipe": run.recipe, "folder": str(run.folder), "engine": run.engine, "options": run.options,
        "goal": run.goal, "limits": run.limits, "sha256": run.sha256, "keeps_place": False, "begun": None,
    }  # fmt: skip


def blank(record):
    """Whether nothing is claimed of the search."""
    unknown = all(record[name] is None for name in BLANK)
    return unknown and record["nodes_by_depth"] == record["solutions"] == [] and record["status"] == "unknown"


def test_a_run_that_is_done(tmp_path):
    """Everything in its record, against the engine and the model asked directly."""
    run = one(tmp_path, {"engine": "backtrack", "order": "spiral_in"}, name="p")
    record = made(run)
    puzzle = deal_edge_matching(3, 3, 2, 2, seed=0).puzzle
    options, _ = options_of(run.options)
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(), options)
    assert (record["outcome"], record["message"], record["complete"]) == ("solved", None, True)
    assert (record["count"], record["nodes"]) == (result.count, result.nodes)
    assert record["nodes_by_depth"] == list(result.nodes_by_depth)
    assert record["options"] == {"order": "spiral_in", "slips": "", "symmetry": True}
    prediction = predict(puzzle, options, follows=True)
    assert record["predicted"] == prediction.summary
    assert record["predicted_by_depth"] == prediction.nodes_by_depth
    assert len(record["predicted_by_depth"]) == 9
    assert record["source"] == {**dict(run.recipe), "family": "edge-matching", "seed": 0}
    assert (record["experiment"], record["part"], record["repetition"]) == ("trial", "p", 1)
    assert record["versions"] == versions("edge-matching", "backtrack")
    assert set(record["machine"]) == {"processor", "cores", "system"}
    assert record["limits"]["seconds"] == 60
    assert 0 < record["seconds"] < record["wall_seconds"]
    assert record["timestamp"].endswith("+00:00")


def test_an_engine_of_another_package_gets_its_own_options(tmp_path, installed_engines):
    board = [{"family": "edge-matching", "rows": 2, "frame_colors": 1, "inner_colors": 0}]
    record = made(one(tmp_path, {"engine": "shuffle", "tries": 1, "seed": 3}, instances=board, goal="solve"))
    assert (record["outcome"], record["asked"]["tries"], record["options"]["tries"]) == ("restarts", 1, 1)


def assert_told_memory(record, most):
    """The message rounds what was held; the record has tenths, so that its number may round to one more or less."""
    told = re.fullmatch(rf"ended at (\d+) MiB, the limit is {most} MiB", record["message"])
    assert abs(int(told[1]) - record["peak_rss_mib"]) <= 0.6


def test_what_an_engine_does_not_do(tmp_path):
    """It says why, in a line; that is no crash."""
    motions = {"engine": "cpsat", "motions": "any"}
    record = made(one(tmp_path, motions, instances=[{"instance": "tangram"}]))
    assert record["outcome"] == "refused"
    assert record["message"].startswith("engine cpsat supports the lattice only")
    assert blank(record)
    assert record["facts"] == {"pieces": 7}


def test_a_puzzle_that_has_changed_since_is_not_run(tmp_path):
    """Its results would stand under the name of another one for ever."""
    path = tmp_path / "p.json"
    save(deal_edge_matching(3, 3, 2, 2, seed=1, name="p").puzzle, path)
    run = one(tmp_path, instances=[{"instance": "p.json"}])
    save(deal_edge_matching(3, 3, 2, 2, seed=2, name="p").puzzle, path)
    record = made(run)
    assert record["outcome"] == "refused"
    assert record["message"].endswith("has changed since the run was planned")


def run_processes():
    """The processes of runs that this one has started."""
    found = []
    for process in psutil.Process().children():
        try:
            if any("run_process" in word for word in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def in_background(run, stopped=never):
    """A run that goes on in a thread of its own; the list gets its record."""
    records = []
    thread = threading.Thread(target=lambda: records.append(execute(run, stopped)))
    thread.start()
    return thread, records


ENDLESS = {"instances": [{"instance": "eternity2"}], "goal": "solve", "limits": {"seconds": 600, "memory_mib": 30000}}


@pytest.mark.slow
def test_a_solver_that_is_killed_from_outside(tmp_path):
    """A solver that is out of memory did not refuse the puzzle."""
    thread, records = in_background(one(tmp_path, "sat:cadical195", **{**ENDLESS, "instances": [HARD]}))
    (process,) = awaited(run_processes)
    (solver,) = awaited(process.children)
    solver.kill()
    thread.join(60)
    (record,) = records
    assert record["outcome"] == "crash"
    assert record["message"].startswith(
        "exit status 1: jigsat.csp.base.errors.EngineError: the solver's process ended by"
    )
    assert record["predicted"] is not None


@pytest.mark.slow
def test_a_run_that_is_stopped_is_none_and_leaves_nothing(tmp_path):
    """A Ctrl-C is not the run's fault: it has no record, so that it is made the next time."""
    stopped = threading.Event()
    thread, records = in_background(one(tmp_path, "sat:cadical195", **{**ENDLESS, "instances": [HARD]}), stopped.is_set)
    (process,) = awaited(run_processes)
    (solver,) = awaited(process.children)
    stopped.set()
    thread.join(60)
    assert records == [None]
    gone, alive = psutil.wait_procs([process, solver], timeout=20)
    assert not alive
    assert len(gone) == 2


# What follows is about the one who watches; in place of a run's process there is one that does what a line says.


@pytest.fixture
def pretend(tmp_path, monkeypatch):
    """Sets what the process of a run does instead: a text in Python, which has `say` and `job`."""

    def use(text):
        script = tmp_path / "pretender"
        head = f"#!{sys.executable} -S\nimport json, os, signal, sys, time\njob = json.loads(sys.stdin.readline())\n"
        say = "def say(**message): print(json.dumps(message), flush=True)\n"
        script.write_text(head + say + text)
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(script))

    return use


RESULT = "dict(goal='count', status='satisfiable', complete=True, ended_by=None)"


def quick(tmp_path, **limits):
    return one(tmp_path, limits={"seconds": 600, **limits})


def test_records_may_be_longer_than_a_pipe_holds(tmp_path, pretend):
    """A large board has some megabytes; and what a library prints on the way does not get between."""
    pretend(f"os.write(2, b'noise\\n' * 10**6); say(ready=True); say(record={{**{RESULT}, 'board': 'x' * 3_000_000}})")
    record = execute(quick(tmp_path), never)
    assert (record["outcome"], len(record["board"])) == ("solved", 3_000_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise ValueError('a\\nb')", "exit status 1: b"),
        ("sys.exit(3)", "exit status 3"),
        ("sys.exit()", "exit status 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "signal SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "signal SIGKILL"),
        ("say(ready=True); print('out of it', file=sys.stderr); os.abort()", "signal SIGABRT: out of it"),
        ("print('{\"record\": {\"torn', end='', flush=True)", "exit status 0"),
        ("sys.stderr.write('x' * 10**6); sys.exit(1)", "exit status 1: xxx"),
        ("os.write(2, b'\\xff\\n'); sys.exit(1)", "exit status 1: \ufffd"),
    ],
)
def test_crashes_say_how(text, message, tmp_path, pretend):
    pretend(text)
    record = made(quick(tmp_path))
    assert record["outcome"] == "crash"
    assert blank(record)
    assert record["message"].startswith(message)
    assert len(record["message"]) < 400
    assert "\n" not in record["message"]


def test_one_that_is_asked_to_end_from_outside_is_run_again(tmp_path, pretend):
    """As batch systems end all processes of a command."""
    pretend("os.kill(os.getpid(), signal.SIGTERM)")
    assert execute(quick(tmp_path), never) is None


def test_one_that_never_gets_ready_is_ended(tmp_path, pretend, monkeypatch):
    monkeypatch.setattr(runner, "_SET_UP", 0.3)
    pretend("say(planned={'depth': 4}); time.sleep(600)")
    record = made(quick(tmp_path))
    assert (record["outcome"], record["message"]) == ("time", "ended: not ready after 0 s")
    assert record["limits"]["depth"] == 4


def test_one_that_ignores_everything_is_ended(tmp_path, pretend, monkeypatch):
    """With what it has started, though that has a standard input of its own."""
    monkeypatch.setattr(runner, "_GRACE", 0.2)
    pretend(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nimport subprocess\n"
        "child = subprocess.Popen(['sleep', '600'], stdin=subprocess.PIPE)\n"
        "say(planned={'options': {'child': child.pid}}); say(ready=True); time.sleep(600)"
    )
    record = made(quick(tmp_path, seconds=0.1))
    assert record["outcome"] == "time"
    awaited(lambda: not psutil.pid_exists(record["options"]["child"]), 20)


def test_memory_of_what_a_process_has_started_counts(tmp_path, pretend):
    """A solver's is where the memory goes."""
    hog = "x = bytearray(300 * 2**20); x[::4096] = b'1' * len(x[::4096]); time.sleep(600)"
    pretend(
        "import subprocess\n"
        f"hog = [{sys.executable!r}, '-S', '-c', \"import time; {hog}\"]\n"
        "say(ready=True); subprocess.Popen(hog); time.sleep(600)"
    )
    record = made(quick(tmp_path, memory_mib=200))
    assert record["outcome"] == "memory"
    assert record["peak_rss_mib"] > 200
    assert_told_memory(record, 200)
    assert blank(record)


def test_one_that_has_answered_and_does_not_leave_is_ended(tmp_path, pretend, monkeypatch):
    """What it has answered holds."""
    monkeypatch.setattr(runner, "_GRACE", 0.2)
    pretend(f"say(ready=True); say(record={RESULT}); os.close(1); time.sleep(600)")
    assert execute(quick(tmp_path), never)["outcome"] == "solved"


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"complete": True}, "solved"),
        ({"goal": "solve", "status": "satisfiable", "ended_by": "solutions"}, "solved"),
        ({"goal": "all", "status": "satisfiable", "ended_by": "solutions"}, "solutions"),
        ({"goal": "count", "status": "satisfiable", "ended_by": "time"}, "time"),
        ({"goal": "best", "status": "feasible", "ended_by": "nodes"}, "nodes"),
        ({"goal": "solve", "ended_by": "interrupt"}, "interrupt"),
        ({"goal": "solve", "status": "unsatisfiable", "complete": True}, "solved"),
    ],
)
def test_outcomes_of_results(changes, outcome):
    """A lower bound of a count is not the count; one solution is all that was asked for."""
    result = {"goal": "count", "status": "unknown", "complete": False, "ended_by": None}
    assert outcome_of({**result, **changes}) == outcome


# The process itself, without one.


def answers_of(run):
    """What the process of a run says, up to its result."""
    said = {}
    run_process._run(json.loads(json.dumps(job_of(run))), said.update)
    return said


@contextmanager
def begun(run, **pipes):
    """The process of a run, which has received its task."""
    command = [sys.executable, "-P", "-m", "jigsat.estimators.experiments.run_process"]
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **pipes}
    with subprocess.Popen(command, start_new_session=True, **ends) as process:
        try:
            process.stdin.write(json.dumps(job_of(run)).encode() + b"\n")
            process.stdin.flush()
            yield process
        finally:
            process.kill()


@pytest.mark.some_cases(5)
@pytest.mark.parametrize(
    ("engine", "changes"),
    [
        ("backtrack", {}),
        ({"engine": "backtrack", "order": "best", "slips": "5,5"}, {}),
        ({"engine": "backtrack", "order": "best"}, {"goal": "best"}),
        ({"engine": "backtrack", "order": "rowscan", "frame_slips": "3"}, {}),
        ("backtrack", {"goal": "best"}),
        ("most-constrained", {"goal": "solve"}),
        ("sat:cadical195", {}),
        ({"engine": "sat:cadical195", "encoding": "seams+sequential", "order": "zig_zag", "slips": "7"}, {}),
        ({"engine": "sat:cadical195", "order": "best"}, {"goal": "best"}),
        ({"engine": "cpsat", "symmetry": False}, {"goal": "all"}),
        ("maxsat:rc2", {"goal": "best"}),
        ({"engine": "backtrack", "method": "frames"}, {"instances": [{**TINY, "rows": 4}]}),
        ("default", {}),
        ("default", {"goal": "best"}),
        ("default", {"instances": [{"instance": "tangram"}]}),
        ("backtrack", {"instances": [{"instance": "tangram"}]}),
        ({"engine": "cpsat", "encoding": "telling"}, {"instances": [{"instance": "tangram"}]}),
    ],
)
def test_options_are_told_as_the_result_shows_them(engine, changes, tmp_path):
    """Otherwise runs that were killed would stand in a report under another label than those that were not."""
    run = one(tmp_path, engine, **changes)
    said = answers_of(run)
    # On a busy machine a search lasts long enough to report its best score in between.
    assert set(said) - {"best_after"} == {"planned", "ready", "spent_seconds", "answer_seconds", "record"}
    assert said["planned"]["options"] == said["record"]["options"]
    assert said["record"]["complete"]
    assert said["record"]["seed"] is None
    along_an_order = run.engine != "default" and run.options.get("method") is None
    if changes.get("goal") != "best" and run.kind != "dissection" and along_an_order:
        assert said["planned"]["predicted"]["nodes"]


@pytest.mark.parametrize(
    ("entry", "job", "how"),
    [
        ("default", {}, None),
        (
            {"engine": "backtrack", "order": "spiral_in"},
            {"engine": "backtrack", "order": "spiral_in"},
            "order spiral_in",
        ),
        ({"engine": "backtrack", "method": "frames"}, {"engine": "backtrack", "method": "frames"}, "method frames"),
        ("cpsat", {"engine": "cpsat"}, "encoding pairs"),
    ],
)
def test_the_way_is_told_as_plans_predict_it(entry, job, how, tmp_path):
    """`default` is what is done without options."""
    run = one(tmp_path, entry, instances=[{**TINY, "rows": 4}])
    said = answers_of(run)
    asked = job_of_names(make_puzzle(run.recipe, run.folder), "count", {**job, "time_limit": 60})
    way = asked.plan().ways[0]
    assert said["planned"]["way"] == way.record()
    assert way.how == (how or way.how)
    assert said["record"]["engine"] == way.engine
    assert said["record"]["count"] == asked.run().count
    assert said["answer_seconds"] > 0


@pytest.mark.slow
def test_the_process_ends_when_its_input_does(tmp_path):
    """Nothing would read what it finds."""
    run = one(tmp_path, **ENDLESS)
    with begun(run) as process:
        assert "planned" in json.loads(process.stdout.readline())
        process.stdin.close()
        process.stdin = None
        assert process.wait(60) == -signal.SIGKILL


# Many runs at once.


class Stage:
    """Stands in for `execute`; how many threads are busy is noted."""

    def __init__(self):
        self.lock = threading.Lock()
        self.busy, self.most, self.order = 0, 0, []

    def __call__(self, run, stopped):
        with self.lock:
            self.busy += run.threads
            self.most = max(self.most, self.busy)
            self.order.append(run.fingerprint)
        threading.Event().wait(0.02)
        with self.lock:
            self.busy -= run.threads
        return {"fingerprint": run.fingerprint}


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_no_more_threads_than_jobs_in_the_order_of_the_plan(jobs, tmp_path):
    """Each run once; a run of two threads waits until there are two, and is not overtaken for ever."""
    engines = ["cpsat", {"engine": "cpsat", "seed": 3, "threads": 2}] if jobs > 1 else ["cpsat"]
    runs = planned(tmp_path, part(*engines, goal="solve", repetitions=6))
    stage, done = Stage(), []
    work = PendingRuns(runs, lambda run, record: done.append((run.fingerprint, record)))
    assert work_through(work, Threads(stage, jobs), stop=lambda: None) is None
    assert stage.order == [run.fingerprint for run in runs]
    assert sorted(done, key=str) == sorted(
        ((run.fingerprint, {"fingerprint": run.fingerprint}) for run in runs), key=str
    )
    assert jobs - (jobs > 1) <= stage.most <= jobs


@pytest.mark.slow
def test_runs_on_a_cluster_are_those_of_this_machine(tmp_path):
    """With real runs in real processes of the cluster."""
    pytest.importorskip("distributed", reason="dask is an extra")
    runs = planned(tmp_path, part("backtrack", "most-constrained", instances=[{**TINY, "seeds": [1, 2]}]))
    found = {}
    with dask_pool("local:1", partial(on_worker, {run.fingerprint for run in runs})) as pool:
        work = PendingRuns(runs, lambda run, record: found.update({run.fingerprint: record}))
        work_through(work, pool, stop=lambda: None)
    assert found.keys() == {run.fingerprint for run in runs}
    assert {record["outcome"] for record in found.values()} == {"solved"}
    for run in runs:
        record = found[run.fingerprint]
        assert (record["fingerprint"], record["sha256"]) == (run.fingerprint, run.sha256)
        assert (record["engine"], record["source"]) == (run.engine, dict(run.recipe))


@pytest.fixture
def worker(monkeypatch):
    """This process is a worker that makes no runs."""
    monkeypatch.setattr(runner, "this_worker", lambda: "tcp://here")
    monkeypatch.setattr(runner, "execute", lambda run, stopped: run.fingerprint)


@pytest.mark.usefixtures("worker")
def test_a_worker_without_the_puzzle_or_with_other_versions_refuses(tmp_path):
    """What it made would be taken for runs of the program here, or never be made good."""
    save(read_puzzle("clue3"), tmp_path / "mine.json")
    (run,) = planned(tmp_path, part(instances=[{"instance": "mine.json"}], goal="solve"))
    do = on_worker({run.fingerprint})
    assert do(run, never) == run.fingerprint
    with pytest.raises(EngineError, match="worker tcp://here has other versions; install the same jigsat, Python and"):
        on_worker({"0" * 64})(run, never)
    with pytest.raises(EngineError, match=r"tcp://here has another puzzle .*; give it the same files$"):
        do(replace(run, recipe={"instance": "clue1"}), never)
    with pytest.raises(EngineError, match=r"tcp://here cannot read a puzzle: other\.json: there is no such file"):
        do(replace(run, recipe={"instance": "other.json"}), never)
