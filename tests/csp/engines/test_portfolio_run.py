"""What becomes of a portfolio's members: the first answer counts, the others end, nothing is left."""

import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scripted_engines
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.portfolio import Portfolio
from jigsat.csp.engines.portfolio_members import Member
from jigsat.csp.engines.portfolio_run import GROWTH, MOST_READY, PortfolioRun
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from simulated_turns import Worker, simulated
from small_puzzles import MADE, SMALL_PUZZLES, SYMMETRIC, UNSOLVABLE

pytestmark = pytest.mark.usefixtures("nothing_is_left")

#: No engine is done with it within hours, and its models are built in a moment.
HARD = deal_edge_matching(10, 10, 4, 9, seed=1).puzzle


@pytest.fixture
def script(monkeypatch):
    return scripted_engines.install(monkeypatch, MADE.solution)


def run(names, goal=Goal.SOLVE, limits=NO_LIMITS, puzzle=MADE.puzzle, head_start=0.02, threads=2, **how):
    members = [Member(name, head_start=head_start) for name in names.split(",")]
    return Portfolio(members).run(puzzle, goal, limits, Options(threads=threads), **how)


@pytest.mark.parametrize("goal", [Goal.SOLVE, Goal.ALL, Goal.COUNT])
def test_the_first_answer_counts_and_the_others_are_ended(script, goal):
    script.go.set()
    result = run("endless,quick", goal)
    assert (result.status, result.complete, result.ended_by) == (Status.SATISFIABLE, True, None)
    assert (result.engine, result.options["winner"]) == ("portfolio:endless,quick", "quick")
    assert result.method.startswith("quick (")
    assert result.options["members"] == [{"engine": "endless"}, {"engine": "quick"}]
    assert result.solutions == (() if goal is Goal.COUNT else (MADE.solution,))
    assert script.ended == ["endless"]


def test_a_fault_of_a_member_is_raised_and_the_others_are_ended(script):
    with pytest.raises(AssertionError, match="a fault of the engine"):
        run("endless,faulty")
    assert script.ended == ["endless"]


def test_a_member_that_is_not_able_drops_out_as_long_as_others_remain(script):
    script.go.set()
    result = run("unable,quick")
    assert (result.complete, result.options["winner"]) == (True, "quick")
    assert result.options["out"] == {"unable": f"{MADE.puzzle.name}: the engine unable cannot do it"}
    with pytest.raises(EngineError, match="the engine unable cannot do it"):
        run("unable,unable")


def test_the_first_member_is_alone_until_its_head_start_is_over(script):
    script.go.set()
    assert run("quick,endless", threads=1, head_start=60.0).complete
    assert script.attempts == {"quick": 1}


def test_on_one_thread_a_member_waits_while_another_one_works(script):
    """It asks no more until it is its turn again, and goes on where it was."""

    def stands_still():
        before = script.asked["endless"]
        time.sleep(0.05)
        return script.asked["endless"] == before

    def release():
        while "quick" not in script.asked:
            time.sleep(0.001)
        while not stands_still():
            pass
        script.go.set()

    watcher = threading.Thread(target=release)
    watcher.start()
    result = run("endless,quick", threads=1)
    watcher.join()
    assert result.options["winner"] == "quick"
    assert script.attempts["endless"] == 1
    assert script.ended == ["endless"]


def test_a_member_that_cannot_wait_begins_anew_with_longer_turns(script):
    result = run("endless,patient", Goal.ALL, threads=1)
    assert result.options["winner"] == "patient"
    assert script.attempts["patient"] > 1
    assert script.attempts["endless"] == 1
    assert result.solutions == (MADE.solution,)


def test_the_best_board_of_one_and_the_bound_of_another_are_a_proof(script):
    result = run("boards,bounding", Goal.BEST)
    assert (result.status, result.complete, result.ended_by) == (Status.OPTIMAL, True, None)
    assert result.best_score == result.best_bound == MADE.puzzle.score(MADE.solution)
    assert (result.options["winner"], result.solutions) == ("boards", (MADE.solution,))
    assert script.ended == ["bounding"]


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_all_members_and_keeps_what_there_is(script, threads):
    def interrupt(progress):
        signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    result = run("endless,quick,endless", threads=threads, report=interrupt)
    assert (result.complete, result.ended_by, result.status) == (False, "interrupt", Status.UNKNOWN)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.some_cases(3)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("goal", sorted(Goal))
def test_native_engines_and_solvers_agree(goal, threads):
    """The answer does not depend on the winner; without a head start the members take turns all the time."""
    members = [Member(name, head_start=0.01) for name in ("sat:cadical195", "cpsat", "backtrack")]
    for puzzle in (MADE.puzzle, SMALL_PUZZLES["jigsaw"], SYMMETRIC, UNSOLVABLE):
        alone = find_engine("backtrack").run(puzzle, goal)
        result = Portfolio(members).run(puzzle, goal, options=Options(threads=threads))
        for name in ("status", "complete", "count", "canonical_count", "symmetry_factor", "best_bound"):
            assert getattr(result, name) == getattr(alone, name), name
        assert len(result.solutions) == len(set(result.solutions)) == len(alone.solutions)
        assert goal is Goal.BEST or all(check(puzzle, board).is_solution for board in result.solutions)
        assert result.options["winner"] in result.engine


def test_turns_of_native_members_do_not_depend_on_what_else_the_machine_does(monkeypatch):
    """Their clock is the processor time of this process."""
    monkeypatch.setattr(f"{PortfolioRun.__module__}.working_cpu_time", lambda: 8.0)
    search = Portfolio("backtrack,sat").prepared(MADE.puzzle, Goal.SOLVE, NO_LIMITS, Options(threads=1), Stop())
    native, other = map(search._clock, search._members)
    assert native == 8.0 != other


def test_who_finds_many_solutions_first_delivers_them_as_they_are_asked_for():
    """The end of an endless search is not waited for; the search goes on as long as results are asked for."""
    pieces = ((0, 1, 0, 0), *[(0, 1, 0, 1)] * 18, (0, 1, 0, 0))
    endless = type(MADE.puzzle)(1, 20, pieces)
    found = find_engine("portfolio:backtrack,cpsat").solutions(endless, options=Options(symmetry=False, threads=2))
    some = [next(found) for _ in range(3 * MOST_READY)]
    assert len(set(some)) == len(some)
    found.close()


def test_threads_are_shared():
    """One for each member; the others for the first one that can use them."""
    portfolio = Portfolio("most-constrained,cpsat,backtrack")
    search = portfolio.prepared(MADE.puzzle, Goal.SOLVE, NO_LIMITS, Options(threads=5), None)
    seen = [member.entry.options.threads for member in search._members]
    assert sum(seen) == 5
    assert min(seen) == 1
    with pytest.raises(EngineError, match="threads 3: for the goal count, cpsat,sat:cadical195 can use 2 at most"):
        Portfolio("cpsat,sat").run(MADE.puzzle, Goal.COUNT, options=Options(threads=3))


def test_a_solver_is_stopped_while_it_is_not_its_turn():
    """Its process does nothing, and is gone at the end."""
    states = set()

    def stop():
        states.update(child.status() for child in psutil.Process().children())
        return psutil.STATUS_STOPPED in states

    members = [Member("sat:cadical195", head_start=0.5), Member("backtrack", head_start=0.5)]
    result = Portfolio(members).run(HARD, Goal.COUNT, Limits(seconds=60), must_stop=stop)
    assert result.ended_by == "interrupt"
    assert psutil.STATUS_STOPPED in states


PROGRAM = """
import sys
from jigsat.csp.engines.portfolio import Portfolio
from jigsat.csp.engines.portfolio_members import Member
from jigsat.csp.engines.request import Options
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import read_squares

members = [Member(name, head_start=0.3) for name in ("sat:cadical195", "sat:glucose4", "backtrack")]
Portfolio(members).run(read_squares(sys.argv[1]), Goal.COUNT, options=Options(threads=int(sys.argv[2])))
"""


@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_portfolio_that_is_killed_leaves_no_process(tmp_path, threads):
    """Neither one that solves nor one that was stopped until its next turn."""
    save(HARD, tmp_path / "hard.json")
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path / "hard.json"), str(threads)])
    parent, children = psutil.Process(process.pid), []
    try:
        while len(children) < 2:
            assert process.poll() is None
            children = parent.children()
            time.sleep(0.02)
        while threads == 1 and psutil.STATUS_STOPPED not in {child.status() for child in children}:
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    assert psutil.wait_procs(children, timeout=30)[1] == []


def test_turns_grow_and_the_shortest_one_is_next():
    first, second = Worker(head_start=2.0), Worker(head_start=0.5)
    simulated([first, second], 1, 0.5 + 1 + 2 + 2 + 4 + 4 + 3)
    assert first.turns == [2.0, 4.0, 3.0]
    assert second.turns == [0.5, 1.0, 2.0, 4.0]


@given(
    st.lists(st.tuples(st.integers(1, 200), st.sampled_from((0.5, 1.0, 3.0))), min_size=1, max_size=5),
    st.integers(1, 3),
)
def test_the_first_answer_waits_for_no_member_much_longer_than_it_worked(needs, places):
    """Every other member has had at most about the growth times as long as the one that is done, and its head start."""
    workers = [Worker(need, head_start) for need, head_start in needs]
    simulated(workers, places, 1e6)
    (done,) = [worker for worker in workers if worker.over][:1]
    if places == 1:
        for worker in workers:
            assert worker.worked <= GROWTH * (done.worked + done.head_start) + worker.head_start
    if places >= len(workers):
        assert done.need == min(worker.need for worker in workers)
