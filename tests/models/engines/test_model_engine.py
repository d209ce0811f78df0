"""The engines that solve models: their solvers' processes, encodings, limits, and Ctrl-C at any moment."""

import os
import signal
import subprocess
import sys
import time
from functools import cache

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.models.base import solver_process
from jigsat.models.base.solver_process import SOLVERS
from jigsat.models.squares.cnf import build_cnf

#: It has 80 solutions, in 5 orbits.
SOLVABLE = deal_edge_matching(4, 4, 2, 3, random=True, seed=3).puzzle
UNSOLVABLE = {size: deal_edge_matching(size, size, size - 2, size - 1, random=True, seed=size // 5 * 2 + 2).puzzle
              for size in (4, 5)}  # fmt: skip


def run(engine, puzzle, goal, **options):
    return find_engine(engine, goal).run(puzzle, goal, options=Options(**options))


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    "engine", ["sat:cadical195", "cpsat", "maxsat:rc2", pytest.param("sat:kissat404", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("size", "slips"), [(4, None), pytest.param(4, "16", marks=pytest.mark.slow), (5, "9,14")])
def test_the_best_score_of_larger_boards_equals_that_of_the_search(engine, size, slips):
    known, found = (run(name, UNSOLVABLE[size], Goal.BEST, slips=slips) for name in ("backtrack", engine))
    for key in ("status", "complete", "best_bound", "ended_by"):
        assert getattr(found, key) == getattr(known, key), key
    assert [UNSOLVABLE[size].score(board) for board in found.solutions] == (
        [known.best_score] if known.solutions else []
    )
    assert found.options["slips"] == known.options["slips"]


def test_every_solver_finds_a_solution():
    """A solver that PySAT lists but cannot load, or that wants its clauses in another way, would show.

    One process opens them all, one after the other, as the engines do each in its own.
    """
    model = build_cnf(SOLVABLE)
    with solver_process.SolverProcess(SOLVERS[0]) as process:
        for solver in SOLVERS:
            assert find_engine(f"sat:{solver}").name == f"sat:{solver}"
            process.send("open", solver, False)
            process.add(model.clauses.blocks())
            process.send("enumerate", model.deciding, 2)
            boards = set()
            while (rows := process.answer(lambda: False)) is not None:
                boards |= {model.board_of(row) for row in rows}
            assert len(boards) == 2, solver
            assert all(check(model.puzzle, board).is_solution for board in boards)


@pytest.fixture
def started(monkeypatch, no_thread_is_left):
    """The solver processes that a test starts; when it is over, none of them may be left."""
    processes = []

    class Process(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            processes.append(self)

    monkeypatch.setattr(solver_process.subprocess, "Popen", Process)
    yield processes
    assert all(process.returncode is not None for process in processes)


@cache
def hard():
    """A puzzle that keeps every engine busy, and whose models are built in a moment."""
    return deal_edge_matching(10, 10, 4, 6, seed=1).puzzle


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    ("engine", "goal"),
    [
        ("sat:cadical195", Goal.SOLVE),
        ("sat:cadical195", Goal.BEST),
        ("sat:kissat404", Goal.COUNT),
        ("cpsat", Goal.BEST),
        ("maxsat:rc2", Goal.BEST),
        *(
            pytest.param(engine, goal, marks=pytest.mark.slow)
            for engine, goal in (
                ("cpsat", Goal.SOLVE),
                ("cpsat", Goal.COUNT),
                ("sat:cadical195", Goal.COUNT),
                ("sat:kissat404", Goal.SOLVE),
                ("sat:kissat404", Goal.BEST),
            )
        ),
    ],
)
def test_a_time_limit_holds(engine, goal, started):
    """However long the solver would run: it is in a process of its own, or is asked to stop."""
    result = find_engine(engine, goal).run(hard(), goal, Limits(seconds=0.4))
    assert (result.complete, result.ended_by) == (False, "time")
    assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert len(started) == (engine != "cpsat")
    if goal is Goal.BEST:
        assert result.best_bound <= result.max_score


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("engine", ["sat:cadical195", "sat:kissat404", "maxsat:rc2"])
def test_a_solver_that_is_killed_is_told_of_in_a_line(engine, started):
    """As the kernel does when memory runs out; the search must not wait for an answer for ever."""

    def kill(progress):
        if progress.note is None:
            started[0].kill()

    with pytest.raises(EngineError) as caught:
        find_engine(engine).run(hard(), Goal.BEST, Limits(seconds=60), report=kill)
    assert str(caught.value) == "the solver's process ended by signal SIGKILL (out of memory?)"


def test_a_solver_that_is_killed_while_clauses_are_sent(started):
    puzzle = deal_edge_matching(6, 6, 1, 2, seed=1).puzzle

    def kill(board):
        started[0].kill()
        started[0].wait()

    with pytest.raises(EngineError, match=r"^the solver's process ended by signal SIGKILL \(out of memory\?\)$"):
        find_engine("sat:cadical195").run(puzzle, Goal.ALL, Limits(seconds=60), consume=kill)


#: One search after the other.  Says which processes it has started, as soon as there is one, when the solver is at
#: work, and how the search has ended.
SCRIPT = """
import subprocess, sys
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.models.base import solver_process

class Process(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print("started", self.pid, flush=True)

subprocess.Popen = Process
puzzle = deal_edge_matching(10, 10, 4, 6, seed=1).puzzle
for search in sys.argv[1:]:
    name, goal = search.split()
    reported = []

    def report(progress):
        if not reported and progress.note is None:
            reported.append(print("working", flush=True))

    result = find_engine(name, Goal(goal)).run(puzzle, Goal(goal), Limits(seconds=600), report=report)
    print("ended", result.ended_by, result.complete, flush=True)
"""


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid, seconds=60.0):
    """Whether a process is gone within the given seconds."""
    end = time.monotonic() + seconds
    while is_alive(pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def script():
    """Starts the script in a process group of its own, so that a signal reaches it and its children as Ctrl-C does."""
    running = []

    def start(*searches):
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", SCRIPT, *searches],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                process_group=0,
            )
        )
        return running[0]

    yield start
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_for(process, word):
    """The other words of the next line that begins with this one."""
    assert process.stdout is not None
    for line in process.stdout:
        first, *others = line.split()
        if first == word:
            return others
    raise AssertionError(f"never {word}: {process.communicate()}")


#: Searches, and how long after the solver's start, or its first word, Ctrl-C comes.
MOMENTS = [
    ("sat:cadical195 solve", "started", 0.0),
    ("sat:glucose4 count", "started", 0.05),
    ("maxsat:rc2 best", "working", 0.2),
    ("cpsat count", "working", 0.2),
]


def test_ctrl_c_in_good_order(script):
    """Sent to all processes, as a terminal does: while the solver starts, while the model is built, while it solves.

    PySAT has a way of its own to take the signal, and a solver that died of it would be reported as an error.  At last
    the script is killed, and cannot ask its solver to end.
    """
    process = script(*(search for search, _, _ in MOMENTS), "sat:cadical195 solve")
    for search, word, delay in MOMENTS:
        child = None
        if not search.startswith("cpsat"):
            child = int(*wait_for(process, "started"))
        if word == "working":
            wait_for(process, "working")
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        assert wait_for(process, "ended") == ["interrupt", "False"], (search, word, delay)
        assert child is None or gone(child)
    child = int(*wait_for(process, "started"))
    wait_for(process, "working")
    process.kill()
    # The solver may notice in the middle of a message, and report it.
    assert "KeyboardInterrupt" not in process.communicate(timeout=60)[1]
    assert gone(child)
