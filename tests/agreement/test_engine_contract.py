"""What every engine promises: its answers are those of a brute force, and limits, errors and Ctrl-C end it properly.

An engine that is registered is tested; a variant of one (a solver, a sort of model) is tested by its name in VARIANTS.
"""

import signal
import threading
from functools import cache

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from balanced_counts import count_balanced
from brute_force import TooMuch
from engine_checks import record_is_in_order, refuses_what_it_lacks
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.csp.puzzles.slips import frame_joins, inner_joins
from jigsat.models.engines import ENGINES
from property_tests import examples
from small_puzzles import RECTANGLE, SMALL_PUZZLES, UNSOLVABLE, boards_of, solved
from soak_judges import ONE_BY_ONE, judge_squares
from soak_truth import CaseTruth
from strategies import puzzles, with_any_fixed

VARIANTS = ("balanced:checkerboard", "sat:glucose4", "portfolio:cpsat,most-constrained")
#: Engines, of which variants differ in nothing that limits, options and Ctrl-C have to do with.
PLAIN = sorted(ENGINES["edge-matching"])
NAMES = (*PLAIN, *VARIANTS)
#: Engines that start a process for each run, which takes longer than the run: few puzzles, and all of them by hand.
COSTLY = ("ganak", "maxsat", "sat", "sat:glucose4")
FEW = {"ganak": ("identical",), "sat": ("jigsaw",), "sat:glucose4": ("1x1",), "maxsat": ("spoiled", "no frame")}

#: Goals of an engine: engines that count, those that show solutions, and so on.
BY_GOAL = {goal: [name for name in NAMES if goal in find_engine(name).goals] for goal in Goal}
#: Engines that have a node limit, and by how many nodes they may miss it.
PLACING = {"backtrack": 0, "most-constrained": 0, "balanced": 4, "beam": 0, "dive": 0}
#: Engines along orders of some kind only.
ORDERS = {"dive": ("rowscan", "colscan", "rowscan2:1", "zig_zag")}
#: Searches of random puzzles end, or are stopped, within this number of nodes.
ENOUGH = {"beam": Limits(nodes=20_000), "dive": Limits(nodes=20_000)}


def fast(names):
    """Names for a test whose long runs are for engines without a process of their own."""
    return [pytest.param(name, marks=[pytest.mark.slow] if name in COSTLY else []) for name in names]


@cache
def hard():
    """A puzzle that keeps every engine busy, and whose models are built in a moment."""
    return deal_edge_matching(10, 10, 4, 9, seed=1).puzzle


@cache
def case(name):
    return solved(SMALL_PUZZLES[name])


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def run(name, puzzle, goal, limits=NO_LIMITS, **options):
    return find_engine(name, goal).run(puzzle, goal, limits, Options(**options))


def unless_refused(why, *arguments, **options):
    """The result, or None if the engine says in a line why it does not do that."""
    try:
        return run(*arguments, **options)
    except EngineError as error:
        if why in str(error) and "\n" not in str(error):
            return None
        raise


def judge(case, result, *, symmetry):
    """Whether a result without limits, but for engines that have no end, is what the brute force says."""
    puzzle = case.puzzle
    # The engine `sat` has the name of the solver that it takes.
    assert find_engine(result.engine).name == result.engine
    assert (result.instance, result.kind) == (puzzle.name, puzzle.kind)
    record_is_in_order(result, puzzle)
    order = find_order(puzzle, case.order)[1]
    racing = not find_engine(result.engine).proves
    limits = {"nodes": ENOUGH[result.engine].nodes} if racing and result.engine in ENOUGH else {}
    arrays = {"order": order, "slips": case.slips, "frame_slips": case.frame_slips}
    judge_squares(CaseTruth(case), result, symmetry=symmetry, **arrays, limits=limits)
    if result.goal is Goal.BEST:
        # Joins of fixed pieces that do not match are lost to every board; along the frame there is no board.
        most = puzzle.max_score - len(check(puzzle, puzzle.fixed_board).invalid_joins)
        assert not racing or result.best_bound == most or (case.best is None and result.best_bound <= puzzle.max_score)
        return
    fixed_contradict = puzzle.fixed and not case.solutions
    placing = result.nodes and result.engine not in ONE_BY_ONE and result.best_board is not None
    if placing and not (case.slips or case.frame_slips or fixed_contradict):
        # The fullest board is one of the nodes that were counted, or a solution.
        assert result.nodes_by_depth[: len(puzzle.fixed)] == (1,) * len(puzzle.fixed)
        assert result.best_depth == sum(number > 0 for number in result.nodes_by_depth)


def matrix():
    """Every engine with every puzzle, or with few of them."""
    for name in NAMES:
        for puzzle in SMALL_PUZZLES:
            by_hand = (name in COSTLY and puzzle not in FEW[name]) or (name, puzzle) == ("balanced", "4x4")
            yield pytest.param(name, puzzle, marks=[pytest.mark.slow] if by_hand else [])


@pytest.mark.some_cases(50)
@pytest.mark.parametrize(("name", "puzzle"), list(matrix()))
def test_answers_equal_brute_force(name, puzzle):
    """Each goal that the engine has, with and without symmetry breaking."""
    for goal in sorted(find_engine(name).goals):
        for symmetry in (True, False) if goal is Goal.ALL or name not in COSTLY else (True,):
            judge(case(puzzle), run(name, case(puzzle).puzzle, goal, symmetry=symmetry), symmetry=symmetry)


#: The size of all orbits; where it is less than the product of the theory, or orbits differ, there is no factor.
FACTORS = {"jigsaw": 4, "4x4": 16, "rectangle": 2, "identical": None}


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("name", BY_GOAL[Goal.COUNT])
def test_the_symmetry_factor_is_that_of_the_theory(name):
    for puzzle in list(FACTORS)[: 1 if name in COSTLY else None]:
        factor = run(name, SMALL_PUZZLES[puzzle], Goal.COUNT).symmetry_factor
        assert factor == FACTORS[puzzle] or (factor is None and name in ONE_BY_ONE)


@st.composite
def asked(draw, name, *, slips):
    """A puzzle, an order and a slip array that the engine has, with the answers."""
    engine = find_engine(name)
    larger = [] if slips else [(3, 4), (4, 3)] if engine.goals == {Goal.BEST} else [(3, 4), (4, 3), (4, 4)]
    puzzle = draw(puzzles(sizes=SIZES + larger))
    if slips and draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, draw)
    order = None
    if "order" in engine.options:
        orders = ORDERS.get(name, (None, *NAMED_ORDERS, "random"))
        order = draw(st.sampled_from(orders))
    squares = len(puzzle.board)
    if order == "random":
        fixed = [one.square for one in puzzle.fixed]
        order = (*fixed, *(square for square in draw(st.permutations(range(squares))) if square not in fixed))
    arrays = None, None
    if slips:
        arrays = tuple(draw(slip_arrays(squares, most)) for most in (inner_joins(puzzle), min(frame_joins(puzzle), 3)))
        order = order if any(arrays) else None
    try:
        scored = Goal.BEST in goals_judged(engine, puzzle)
        return solved(puzzle, find_order(puzzle, order)[1] if any(arrays) else order, *arrays, scored=scored)
    except TooMuch:
        reject()


@st.composite
def slip_arrays(draw, squares, most):
    """An array of up to `most` slips, or None."""
    array = tuple(sorted(draw(st.lists(st.integers(1, squares), max_size=most))))
    return draw(st.sampled_from((array, (1,) * len(array)))) or None


SIZES = [(1, 1), (1, 2), (1, 5), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]


def goals_judged(engine, puzzle):
    """The goals that are compared with a brute force, which takes long to find the best score of larger boards."""
    return engine.goals if len(puzzle.board) <= 9 or engine.goals == {Goal.BEST} else engine.goals - {Goal.BEST}


def check_random(name, data, *, slips):
    case = data.draw(asked(name, slips=slips))
    engine = find_engine(name)
    if name in ONE_BY_ONE and count_balanced(case.puzzle, checkerboard=":" in name) > 50:
        reject()
    symmetry = data.draw(st.booleans())
    options = {"order": case.order, "slips": case.slips, "frame_slips": case.frame_slips, "symmetry": symmetry}
    if "seed" in engine.options:
        options["seed"] = data.draw(st.integers(0, 3))
    for goal in sorted(goals_judged(engine, case.puzzle)):
        judge(case, run(name, case.puzzle, goal, ENOUGH.get(name, NO_LIMITS), **options), symmetry=symmetry)


@pytest.mark.parametrize("name", fast(NAMES))
@examples(60, quick=8)
@given(st.data())
def test_answers_on_random_puzzles_equal_brute_force(name, data):
    """Wrong candidates, symmetry factors, orbits, multiplicities or orders would show as another number or set."""
    check_random(name, data, slips=False)


@pytest.mark.parametrize("order", NAMED_ORDERS)
def test_every_order_gives_the_same_answers(order):
    """Anchors, and the orbits that they leave, depend on which square comes first."""
    for puzzle in ("4x4", "rectangle"):
        for goal in (Goal.COUNT, Goal.ALL):
            judge(case(puzzle), run("backtrack", SMALL_PUZZLES[puzzle], goal, order=order), symmetry=True)


@pytest.mark.parametrize("name", fast(name for name in NAMES if "slips" in find_engine(name).options))
@examples(60, quick=8)
@given(st.data())
def test_answers_with_slips_equal_brute_force(name, data):
    """At every depth of any order, with fixed pieces that do not match, and slips from the first depth on."""
    check_random(name, data, slips=True)


@pytest.mark.parametrize("name", [name for name in COSTLY if "slips" in find_engine(name).options])
def test_answers_with_a_few_slips_equal_brute_force(name):
    """The same for engines with a process of their own."""
    (goal,) = sorted(find_engine(name).goals)[:1]
    for puzzle, slips, frame_slips in ((RECTANGLE, (7, 9), (6,)), (UNSOLVABLE, (1, 1), None))[: 2 - (goal is Goal.ALL)]:
        slips = slips[: inner_joins(puzzle)] or None
        case = solved(puzzle, tuple(range(len(puzzle.board))), slips, frame_slips)
        options = {"order": case.order, "slips": slips, "frame_slips": frame_slips}
        judge(case, run(name, puzzle, goal, **options), symmetry=True)


@pytest.mark.parametrize("name", PLAIN)
def test_threads_and_seeds_change_no_answer(name):
    """Threads that an engine does not have are refused in a line."""
    engine = find_engine(name)
    puzzle = case("jigsaw")
    for goal in sorted(engine.goals):
        result = unless_refused("threads 2: ", name, puzzle.puzzle, goal, threads=2)
        if result is not None:
            assert result.threads == 2
            judge(puzzle, result, symmetry=True)
    # Whose answer a portfolio's is depends on who is quicker.
    for goal in sorted(engine.goals) if "seed" in engine.options and name != "portfolio" else ():
        first, second = (run(name, puzzle.puzzle, goal, seed=5) for _ in range(2))
        assert (first.solutions, first.nodes_by_depth, first.seed) == (second.solutions, second.nodes_by_depth, 5)


@pytest.mark.parametrize("name", PLAIN)
def test_no_time_at_all(name):
    puzzle = hard() if name in PLACING else SMALL_PUZZLES["4x4"]
    for goal in sorted(find_engine(name).goals)[:2]:
        result = run(name, puzzle, goal, Limits(seconds=0))
        assert (result.complete, result.ended_by) == (False, "time")
        assert result.status in (Status.UNKNOWN, Status.FEASIBLE)


@pytest.mark.some_cases(5)
@pytest.mark.parametrize("name", PLAIN)
def test_a_time_limit_holds_and_progress_is_told(name):
    """However long the engine would search."""
    told = []
    goal = max(find_engine(name).goals)
    result = find_engine(name, goal).run(hard(), goal, Limits(seconds=0.5), report=told.append)
    assert (result.complete, result.ended_by) == (False, "time")
    assert result.seconds < 10
    assert told
    assert all(0 <= progress.done <= 1 for progress in told)
    if goal is Goal.BEST:
        assert result.best_bound <= result.max_score
        assert all(progress.scores[1] <= result.max_score for progress in told if progress.scores is not None)


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("name", PLAIN)
def test_the_node_limit_is_exact(name):
    """Fixed pieces are placed in any case.  An engine that places no pieces says that it has no such limit."""
    for goal in sorted(find_engine(name).goals):
        for nodes in (0, 1, 1001):
            if name not in PLACING:
                with pytest.raises(EngineError, match="so it has no node limit; use a time"):
                    run(name, hard(), goal, Limits(nodes=nodes))
                continue
            result = run(name, hard(), goal, Limits(nodes=nodes))
            assert (result.complete, result.ended_by) == (False, "nodes")
            assert nodes <= result.nodes <= nodes + PLACING[name]
            assert result.nodes == sum(result.nodes_by_depth)
            assert goal is not Goal.COUNT or result.count == 0


@pytest.mark.parametrize("name", PLAIN)
def test_a_depth_limit_is_refused_or_no_solution_is_found(name):
    for goal in sorted(find_engine(name).goals):
        result = unless_refused("no depth limit", name, SMALL_PUZZLES["4x4"], goal, Limits(depth=3))
        if result is not None:
            assert (result.complete, result.ended_by, result.solutions) == (False, "depth", ())


@pytest.mark.parametrize("name", BY_GOAL[Goal.ALL])
def test_so_many_solutions(name):
    puzzle = case("symmetric")
    number = len(puzzle.solutions)
    for most in (0, 1, 3, number, number + 1) if name not in COSTLY else (3,):
        result = run(name, puzzle.puzzle, Goal.ALL, Limits(solutions=most), symmetry=False)
        found = boards_of(puzzle, result.solutions)
        assert len(set(found)) == len(found) == result.count == min(most, number)
        assert set(found) <= puzzle.solutions
        assert (result.complete, result.ended_by) == ((True, None) if most > number else (False, "solutions"))
        assert result.status is (Status.SATISFIABLE if most else Status.UNKNOWN)
    none = run(name, puzzle.puzzle, Goal.SOLVE, Limits(solutions=0))
    assert (none.solutions, none.status, none.ended_by) == ((), Status.UNKNOWN, "solutions")


@pytest.mark.parametrize("name", BY_GOAL[Goal.SOLVE])
def test_fixed_pieces_lie_on_the_best_board_even_before_a_search(name):
    puzzle = case("jigsaw").puzzle
    none = run(name, puzzle, Goal.SOLVE, Limits(solutions=0))
    assert none.best_board == puzzle.fixed_board
    assert (none.best_depth, none.solutions) == (1, ())


#: Four fixed pieces, of which the first two match; the third one does not match the second.  Joins along the frame.
CONTRADICTION = EdgeMatchingPuzzle(
    2, 2, ((0, 1, 1, 0), (0, 2, 1, 0), (0, 1, 1, 0), (0, 1, 1, 0)),
    fixed=(Fixed(0, 0, 0), Fixed(1, 1, 1), Fixed(3, 2, 2), Fixed(2, 3, 3)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "goal"),
    [
        *((name, Goal.SOLVE) for name in BY_GOAL[Goal.SOLVE]),
        *((name, Goal.BEST) for name in BY_GOAL[Goal.BEST] if find_engine(name).proves),
    ],
)
def test_fixed_pieces_beyond_an_invalid_join_are_not_on_the_best_board(name, goal):
    """The search ends at the first piece that does not match, so every engine reports the pieces before it."""
    found = run(name, CONTRADICTION, goal)
    assert (found.status, found.best_score, found.best_depth) == (Status.UNSATISFIABLE, 1, 2)
    assert found.best_board == (*CONTRADICTION.fixed_board[:2], None, None)
    assert found.best_board == run("backtrack", CONTRADICTION, goal).best_board


#: 10^15 ways to fill a row: a search that did not wait would never come back.
ENDLESS = EdgeMatchingPuzzle(1, 20, ((0, 1, 0, 0), *[(0, 1, 0, 1)] * 18, (0, 1, 0, 0)))


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("name", BY_GOAL[Goal.ALL])
def test_solutions_are_yielded_one_by_one(name):
    """A search that is given up goes on no longer."""
    solutions = find_engine(name).solutions(ENDLESS, options=Options(symmetry=False))
    first = [next(solutions) for _ in range(20)]
    assert len(set(first)) == 20
    assert all(check(ENDLESS, board).is_solution for board in first)
    solutions.close()
    assert list(solutions) == []


@pytest.mark.parametrize("name", [name for name in PLAIN if find_engine(name).goals != {Goal.COUNT}])
def test_what_is_found_is_handed_over(name):
    """The caller's error ends the search."""
    goal = min(find_engine(name).goals)
    puzzle = case("jigsaw")
    taken = []
    result = find_engine(name, goal).run(puzzle.puzzle, goal, consume=taken.append)
    assert result.solutions == ()
    assert set(boards_of(puzzle, taken)) <= puzzle.solutions
    assert taken

    def refuse(board):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        find_engine(name, goal).run(puzzle.puzzle, goal, consume=refuse)


@pytest.mark.parametrize("name", PLAIN)
def test_an_interrupt_is_noted(name):
    """The first Ctrl-C gives back what there is; afterwards it has its old meaning again."""
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def interrupt(progress):
        if not seen:
            signal.raise_signal(signal.SIGINT)
        seen.append(progress)

    goal = min(find_engine(name).goals - {Goal.ALL})
    # Of a random set hardly any board has all joins valid, so that no engine is done before it is interrupted.
    puzzle = make_edge_matching(10, 10, 4, 9, random=True, seed=1)
    result = find_engine(name, goal).run(puzzle, goal, Limits(seconds=60), report=interrupt)
    assert seen
    assert (result.complete, result.ended_by) == (False, "interrupt")
    assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("name", PLAIN)
def test_runs_in_another_thread(name):
    """There are no signal handlers there."""
    results = []
    goal = min(find_engine(name).goals)
    work = threading.Thread(target=lambda: results.append(run(name, case("jigsaw").puzzle, goal)))
    work.start()
    work.join()
    judge(case("jigsaw"), results[0], symmetry=True)


@pytest.mark.parametrize("name", NAMES)
def test_what_an_engine_lacks_is_refused(name):
    """No goal and no option is ignored in silence; one line says who has it, before anything is started."""
    engine = find_engine(name)
    for goal in set(Goal) - engine.goals:
        with pytest.raises(EngineError, match=f"no goal {goal}; it has "):
            find_engine(name, goal)
    if Goal.ALL not in engine.goals:
        with pytest.raises(EngineError, match="no goal all"):
            list(engine.solutions(hard()))
    refuses_what_it_lacks(engine, hard())
    with pytest.raises(EngineError, match=r"^threads -1: "):
        run(name, hard(), min(engine.goals), threads=-1)
