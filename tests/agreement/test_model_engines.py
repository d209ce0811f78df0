"""The engines that solve models: what they answer equals what the search answers, and limits and Ctrl-C end them."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from itertools import product

import pytest

from brute_force import neighbours
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.edge_matching import make_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.slips import checked_slips
from jigsat.models.base import solver_process
from jigsat.models.base.solvers import SOLVERS
from jigsat.models.squares.cnf import build_cnf

ENGINES = ["sat:cadical195", "sat:glucose4", "sat:kissat404", "cpsat"]

#: Random sets, and how many solutions and orbits they have.
PUZZLES = {
    "solvable 4x4": (make_edge_matching(4, 4, 2, 3, planted=False, seed=3).puzzle, 80, 5),
    "no identical pieces": (make_edge_matching(4, 4, 3, 4, seed=1).puzzle, 16, 1),
    "unsolvable 4x4": (make_edge_matching(4, 4, 2, 3, planted=False, seed=2).puzzle, 0, 0),
    "no frame 4x4": (make_edge_matching(4, 4, 3, 2, planted=False, seed=1).puzzle, 0, 0),
    "solvable 5x5": (make_edge_matching(5, 5, 3, 4, planted=False, seed=2).puzzle, 256, 4),
    "unsolvable 5x5": (make_edge_matching(5, 5, 3, 4, planted=False, seed=4).puzzle, 0, 0),
    "jigsaw with a spare piece": (
        EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 1, 0, -1), (0, 0, 0, -1), (0, 1, 0, -1)), Rule.OPPOSITE), 4, 1,
    ),
}  # fmt: skip

#: Solvers that the code treats alike answer for a few puzzles only, and for all of them by hand.
ALIKE = ("sat:glucose4", "sat:kissat404")
FEW = ("no identical pieces", "unsolvable 4x4", "jigsaw with a spare piece")


def engines_and_puzzles():
    """Every engine with every puzzle, or with few of them where another engine has them all."""
    for engine, name in product(ENGINES, PUZZLES):
        by_hand = engine in ALIKE and name not in FEW
        yield pytest.param(engine, name, marks=[pytest.mark.slow] if by_hand else [])


@cache
def searched(name, goal, symmetry, slips=None):
    """What the search says."""
    return find_engine("backtrack").run(PUZZLES[name][0], goal, options=Options(symmetry=symmetry, slips=slips))


def solved(engine, name, goal, **options):
    return find_engine(engine, goal).run(PUZZLES[name][0], goal, options=Options(**options))


def plain(board, columns):
    return tuple(sorted((divmod(square, columns), tuple(placed)) for square, placed in enumerate(board)))


def orbit(puzzle, board):
    """Everything that the symmetries make of a board."""
    found = {plain(board, puzzle.columns)}
    stack = list(found)
    while stack:
        for moved in neighbours(puzzle, stack.pop()):
            key = tuple(sorted(moved.items()))
            if key not in found:
                found.add(key)
                stack.append(key)
    return found


def test_the_puzzles_are_what_they_are_taken_for():
    for name, (_, count, orbits) in PUZZLES.items():
        result = searched(name, Goal.COUNT, True)
        assert (result.count, result.canonical_count) == (count, orbits), name
    assert searched("no frame 4x4", Goal.BEST, True).status is Status.UNSATISFIABLE
    assert searched("unsolvable 4x4", Goal.BEST, True).status is Status.OPTIMAL


@pytest.mark.parametrize(("engine", "name"), list(engines_and_puzzles()))
def test_solutions_and_counts_equal_those_of_the_search(engine, name):
    puzzle, count, orbits = PUZZLES[name]
    # Without symmetry breaking every single one; a solver that starts anew for each needs long for that.
    whole = searched(name, Goal.ALL, False)
    if engine != "sat:kissat404" or count < 50:
        every = solved(engine, name, Goal.ALL, symmetry=False)
        assert len(every.solutions) == every.count == count
        assert set(every.solutions) == set(whole.solutions)
        assert every.complete
    some = solved(engine, name, Goal.ALL)
    found = [orbit(puzzle, board) for board in some.solutions]
    assert len(found) == some.canonical_count == orbits
    assert sum(map(len, found)) == some.count == count
    assert set().union(*found) == {plain(board, puzzle.columns) for board in whole.solutions}
    known = searched(name, Goal.COUNT, True)
    for result in [some] if engine in ALIKE and name in FEW else [some, solved(engine, name, Goal.COUNT)]:
        for key in ("count", "canonical_count", "status", "complete", "ended_by", "max_score"):
            assert getattr(result, key) == getattr(known, key), key
        assert result.symmetry_factor == (None if known.symmetry_factor is None else known.symmetry_factor)
        assert (result.engine, result.instance, result.nodes) == (engine, puzzle.name, 0)


@pytest.mark.parametrize(("engine", "name"), list(engines_and_puzzles()))
def test_one_solution_or_the_statement_that_there_is_none(engine, name):
    puzzle, count, _ = PUZZLES[name]
    result = solved(engine, name, Goal.SOLVE)
    assert (result.status, result.complete, result.ended_by) == (searched(name, Goal.SOLVE, True).status, True, None)
    assert len(result.solutions) == bool(count)
    if count:
        assert check(puzzle, result.solutions[0]).is_solution
        assert result.best_board == result.solutions[0]
        assert (result.best_score, result.best_depth) == (result.max_score, len(puzzle.board))


@pytest.mark.parametrize(
    ("name", "slips"),
    [
        ("no identical pieces", "1x2"),
        ("solvable 4x4", "11,13x2"),
        ("unsolvable 4x4", "11,13x2"),
        # Thousands of solutions.
        pytest.param("solvable 4x4", "1x2", marks=pytest.mark.slow),
        pytest.param("unsolvable 4x4", "1x2", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("engine", ["sat:cadical195", "cpsat"])
def test_solutions_with_slips_equal_those_of_the_search(engine, name, slips):
    puzzle, without, _ = PUZZLES[name]
    whole = searched(name, Goal.ALL, False, slips)
    known = searched(name, Goal.COUNT, True, slips)
    every = solved(engine, name, Goal.ALL, symmetry=False, slips=slips)
    assert len(every.solutions) == len(whole.solutions) > without
    assert set(every.solutions) == set(whole.solutions)
    some = solved(engine, name, Goal.ALL, slips=slips)
    assert (some.count, len(some.solutions)) == (known.count, known.canonical_count)
    assert set(some.solutions) <= set(whole.solutions)
    assert some.options["slips"] == slips
    if slips == "1x2":
        found = [orbit(puzzle, board) for board in some.solutions]
        assert sum(map(len, found)) == len(set().union(*found)) == known.count
    one = solved(engine, name, Goal.SOLVE, slips=slips)
    assert one.solutions[0] in whole.solutions
    assert one.best_score == puzzle.score(one.solutions[0])


def scored():
    """Engines, puzzles and slips; SAT solvers differ in nothing that slips have to do with, so one of them has them.

    On 5x5 there is one sort of slips for each puzzle.
    """
    for engine in ("sat:cadical195", "sat:glucose4", "sat:kissat404", "cpsat", "maxsat:rc2"):
        for name, (puzzle, _, _) in PUZZLES.items():
            for slips in (None, "9,14", "16") if len(puzzle.board) >= 16 else (None,):
                alike = engine in ALIKE and (slips is not None or name not in FEW)
                by_hand = alike or (name.endswith("5x5") and slips not in (None, "9,14" if name[0] == "u" else "16"))
                yield pytest.param(engine, name, slips, marks=[pytest.mark.slow] if by_hand else [])


@pytest.mark.parametrize(("engine", "name", "slips"), list(scored()))
def test_the_best_score_equals_that_of_the_search(engine, name, slips):
    puzzle = PUZZLES[name][0]
    known = searched(name, Goal.BEST, True, slips)
    result = solved(engine, name, Goal.BEST, slips=slips)
    assert known.complete
    for key in ("status", "complete", "best_bound", "ended_by", "options"):
        mine, theirs = getattr(result, key), getattr(known, key)
        assert (mine["slips"] == theirs["slips"]) if key == "options" else (mine == theirs), key
    assert len(result.solutions) == len(known.solutions)
    if known.solutions:
        assert result.best_score == known.best_score == puzzle.score(result.best_board)
        assert result.solutions == (result.best_board,)
        _, order = find_order(puzzle, None)
        array = checked_slips(puzzle, result.options["slips"] or None)
        assert check(puzzle, result.best_board, array, order).is_solution


def test_every_solver_finds_a_solution():
    """A solver that PySAT lists but cannot load, or that wants its clauses in another way, would show.

    One process opens them all, one after the other, as the engines do each in its own.
    """
    model = build_cnf(PUZZLES["solvable 4x4"][0])
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


@pytest.mark.parametrize("engine", ["sat:cadical195", "cpsat"])
@pytest.mark.parametrize("encoding", ["booleans", "direct", "diamond+ladder", "table"])
def test_encodings_can_be_chosen(engine, encoding):
    kinds = {"booleans": "cpsat", "table": "cpsat"}
    if kinds.get(encoding, "sat:cadical195") != engine:
        with pytest.raises(EngineError, match=r"unknown .* encoding"):
            solved(engine, "solvable 4x4", Goal.COUNT, encoding=encoding)
    else:
        result = solved(engine, "solvable 4x4", Goal.COUNT, encoding=encoding)
        assert (result.count, result.method, result.options["encoding"]) == (80, encoding, encoding)


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
    return make_edge_matching(10, 10, 4, 6, seed=1).puzzle


@pytest.mark.parametrize(
    ("engine", "goal"),
    [
        ("sat:cadical195", Goal.SOLVE),
        ("sat:cadical195", Goal.BEST),
        ("sat:kissat404", Goal.COUNT),
        *product(["cpsat"], [Goal.SOLVE, Goal.COUNT, Goal.BEST]),
        ("maxsat:rc2", Goal.BEST),
        pytest.param("sat:cadical195", Goal.COUNT, marks=pytest.mark.slow),
        pytest.param("sat:kissat404", Goal.SOLVE, marks=pytest.mark.slow),
        pytest.param("sat:kissat404", Goal.BEST, marks=pytest.mark.slow),
    ],
)
def test_a_time_limit_holds(engine, goal, started):
    """However long the solver would think: it is in a process of its own, or is told to stop."""
    result = find_engine(engine, goal).run(hard(), goal, Limits(seconds=0.4))
    assert (result.complete, result.ended_by) == (False, "time")
    assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert len(started) == (engine != "cpsat")
    if goal is Goal.BEST:
        assert result.best_bound <= result.max_score


@pytest.mark.parametrize(("name", "seconds"), [("hard", 0.001), pytest.param("eternity2", 2, marks=pytest.mark.slow)])
def test_a_time_limit_that_ends_while_the_model_is_built(name, seconds, started):
    """It is looked at when the model is built, and the solver is not asked any more."""
    puzzle = hard() if name == "hard" else read_squares(name)
    result = find_engine("sat:cadical195").run(puzzle, Goal.SOLVE, Limits(seconds=seconds))
    assert (result.status, result.complete, result.ended_by) == (Status.UNKNOWN, False, "time")
    assert len(started) == 1


@pytest.mark.parametrize("engine", [*ENGINES, "maxsat:rc2"])
def test_no_time_at_all(engine, started):
    for goal in find_engine(engine).goals:
        result = find_engine(engine).run(PUZZLES["solvable 4x4"][0], goal, Limits(seconds=0))
        assert (result.status, result.complete, result.ended_by) == (Status.UNKNOWN, False, "time")


@pytest.mark.parametrize("engine", ["sat:cadical195", "sat:kissat404", "cpsat"])
def test_so_many_solutions(engine, started):
    # Kissat starts anew for each solution.
    puzzle, count, _ = PUZZLES["no identical pieces" if engine == "sat:kissat404" else "solvable 4x4"]
    for most in (3, count + 1) if engine == "sat:kissat404" else (0, 1, 3, count, count + 1):
        result = find_engine(engine).run(puzzle, Goal.ALL, Limits(solutions=most), Options(symmetry=False))
        assert len(set(result.solutions)) == len(result.solutions) == result.count == min(most, count)
        assert (result.complete, result.ended_by) == ((True, None) if most > count else (False, "solutions"))
        assert result.status is (Status.SATISFIABLE if most else Status.UNKNOWN)
    none = find_engine(engine).run(puzzle, Goal.SOLVE, Limits(solutions=0))
    assert (none.solutions, none.status, none.ended_by) == ((), Status.UNKNOWN, "solutions")


@pytest.mark.parametrize("engine", ["sat:cadical195", "cpsat"])
def test_as_many_as_are_asked_for_and_no_process_after_that(engine, started):
    """A search that is given up must not go on behind the scenes."""
    solutions = find_engine(engine).solutions(make_edge_matching(6, 6, 1, 2, seed=1).puzzle)
    first = [next(solutions) for _ in range(5)]
    assert len(set(first)) == 5
    assert [process.returncode for process in started] == ([] if engine == "cpsat" else [None])
    solutions.close()
    assert list(solutions) == []


@pytest.mark.parametrize("engine", ["sat:cadical195", "cpsat"])
def test_an_error_of_the_consumer_ends_the_search(engine, started):
    def refuse(board):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        find_engine(engine).run(make_edge_matching(6, 6, 1, 2, seed=1).puzzle, Goal.ALL, consume=refuse)


@pytest.mark.parametrize("engine", ["sat:cadical195", "sat:kissat404", "maxsat:rc2"])
def test_a_solver_that_is_killed_is_told_of_in_a_line(engine, started):
    """As the kernel does when memory runs out; the search must not wait for an answer for ever."""
    with pytest.raises(EngineError) as caught:
        find_engine(engine).run(hard(), Goal.BEST, Limits(seconds=60), report=lambda progress: started[0].kill())
    assert str(caught.value) == "the solver's process ended by signal SIGKILL (out of memory?)"


def test_a_solver_that_is_killed_while_clauses_are_sent(started):
    puzzle = make_edge_matching(6, 6, 1, 2, seed=1).puzzle

    def kill(board):
        started[0].kill()
        started[0].wait()

    with pytest.raises(EngineError, match=r"^the solver's process ended by signal SIGKILL \(out of memory\?\)$"):
        find_engine("sat:cadical195").run(puzzle, Goal.ALL, Limits(seconds=60), consume=kill)


@pytest.mark.parametrize("engine", ["sat:cadical195", "sat:glucose4", "cpsat", "maxsat:rc2"])
def test_an_interrupt_is_noted(engine, started):
    """The first Ctrl-C gives back what there is; afterwards it has its old meaning again."""
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def interrupt(progress):
        if not seen:
            signal.raise_signal(signal.SIGINT)
        seen.append(progress)

    result = find_engine(engine).run(hard(), Goal.BEST, Limits(seconds=60), report=interrupt)
    assert (result.complete, result.ended_by) == (False, "interrupt")
    assert signal.getsignal(signal.SIGINT) is before
    assert len(seen) >= 1


#: One search after the other.  Says which processes it has started, as soon as there is one, when the solver is at
#: work, and how the search has ended.
SCRIPT = """
import subprocess, sys
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.make.edge_matching import make_edge_matching
from jigsat.models.base import solver_process

class Process(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print("started", self.pid, flush=True)

subprocess.Popen = Process
puzzle = make_edge_matching(10, 10, 4, 6, seed=1).puzzle
for search in sys.argv[1:]:
    name, goal = search.split()
    told = []

    def report(progress):
        if not told:
            told.append(print("working", flush=True))

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
    """Whether a process is gone within so many seconds."""
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
    ("sat:cadical195 solve", "started", 0.05),
    ("sat:cadical195 solve", "started", 0.15),
    ("sat:cadical195 solve", "working", 0.2),
    ("sat:glucose4 count", "started", 0.05),
    ("sat:glucose4 count", "working", 0.2),
    ("maxsat:rc2 best", "started", 0.05),
    ("maxsat:rc2 best", "working", 0.2),
    *((f"cpsat {goal}", "working", 0.2) for goal in ("solve", "count", "best")),
]
#: Every engine at each of the moments.
ALL_MOMENTS = [
    *product(
        ("sat:cadical195 solve", "sat:glucose4 count", "maxsat:rc2 best"), ["started"], (0.0, 0.05, 0.15, 0.4, 0.8)
    ),
    *MOMENTS,
]


@pytest.mark.parametrize("moments", [MOMENTS, pytest.param(ALL_MOMENTS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_ctrl_c_in_good_order(moments, script):
    """Sent to all processes, as a terminal does: while the solver starts, while the model is built, while it solves.

    PySAT has a way of its own to take the signal, and a solver that died of it would be reported as an error.  At last
    the script is killed, and cannot tell its solver to end.
    """
    process = script(*(search for search, _, _ in moments), "sat:cadical195 solve")
    for search, word, delay in moments:
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
    assert process.communicate(timeout=60)[1] == ""
    assert gone(child)


def test_runs_in_another_thread():
    """There are no signal handlers there."""
    results = []
    for engine in ("sat:cadical195", "cpsat"):
        work = threading.Thread(target=lambda engine=engine: results.append(solved(engine, "solvable 4x4", Goal.COUNT)))
        work.start()
        work.join()
    assert [result.count for result in results] == [80, 80]


def test_cpsat_on_several_threads():
    puzzle = PUZZLES["unsolvable 4x4"][0]
    for goal in (Goal.SOLVE, Goal.BEST):
        result = find_engine("cpsat").run(puzzle, goal, options=Options(threads=2, seed=3))
        assert (result.threads, result.seed, result.complete) == (2, 3, True)
    assert result.best_score == searched("unsolvable 4x4", Goal.BEST, True).best_score


@pytest.mark.parametrize(
    ("engine", "goal", "limits", "options", "message"),
    [
        ("sat:cadical195", Goal.SOLVE, Limits(nodes=9), Options(), "no node limit; bound its time"),
        ("cpsat", Goal.COUNT, Limits(depth=9), Options(), "no depth limit; bound its time"),
        ("maxsat:rc2", Goal.BEST, Limits(nodes=0), Options(), "no node limit; bound its time"),
        ("cpsat", Goal.COUNT, Limits(), Options(threads=2), "threads 2: "),
        ("cpsat", Goal.ALL, Limits(), Options(threads=2), "threads 2: "),
        ("sat:cadical195", Goal.SOLVE, Limits(), Options(threads=2), "threads 2: "),
        ("cpsat", Goal.SOLVE, Limits(), Options(threads=0), "threads 0: "),
        ("cpsat", Goal.SOLVE, Limits(), Options(proof="x"), "writes no proofs"),
        ("sat:cadical195", Goal.SOLVE, Limits(), Options(encoding="table"), "choose from direct, seams"),
        ("maxsat:rc2", Goal.BEST, Limits(), Options(encoding="pairs+x"), "choose from pairwise, product"),
        ("cpsat", Goal.SOLVE, Limits(), Options(encoding="table+pieces"), "choose from unpruned"),
    ],
)
def test_what_an_engine_cannot_do(engine, goal, limits, options, message, started):
    """It says so in a line, before it has started anything."""
    with pytest.raises(EngineError) as caught:
        find_engine(engine, goal).run(hard(), goal, limits, options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert started == []


@pytest.mark.parametrize(
    ("name", "goal", "message"),
    [
        ("sat:none", None, "unknown solver 'none', choose from cadical103, "),
        ("sat:", None, "unknown solver '', choose from "),
        ("maxsat:cadical195", None, "unknown MaxSAT solver 'cadical195', choose from rc2"),
        ("cpsat:x", None, "engine cpsat has no choice of solvers, so 'cpsat:x' is none"),
        ("maxsat", Goal.COUNT, "engine maxsat has no goal count; it has best"),
        ("maxsat:rc2", Goal.SOLVE, "engine maxsat:rc2 has no goal solve; it has best"),
        ("satt:x", None, "unknown engine 'satt:x', choose from backtrack, cpsat, sat:NAME, maxsat"),
    ],
)
def test_what_is_no_engine(name, goal, message):
    with pytest.raises(EngineError) as caught:
        find_engine(name, goal)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_names_of_engines():
    assert find_engine("sat").name == "sat:cadical195"
    assert find_engine("sat:glucose4").name == "sat:glucose4"
    assert find_engine("maxsat").name == "maxsat:rc2"
