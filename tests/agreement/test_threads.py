"""What native searches find on several threads is what they find on one: the same nodes, counts and solutions."""

import threading

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from dissections import dissections
from engine_checks import run
from jigsat import read, solve
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options, number_of_threads
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.slips import inner_joins
from jigsat.csp.search import shared_tree
from property_tests import examples
from strategies import puzzles, with_any_fixed

NATIVE = ("backtrack", "most-constrained")
MANY = 3_000

pytestmark = pytest.mark.usefixtures("nothing_is_left")


@pytest.fixture(scope="module", autouse=True)
def short_slices():
    """So that small trees are given away in many parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_tree, "advance_slice", lambda walk, most, *_: walk.advance(min(7, most)))
        yield


def agree(name, puzzle, goal, threads, limits=NO_LIMITS, **options):
    """Whether a complete search on threads comes to what one on a single thread does; the latter's result."""
    alone = run(name, puzzle, goal, Limits(nodes=MANY, depth=limits.depth), **options)
    if alone.ended_by == "nodes":
        reject()
    together = run(name, puzzle, goal, limits, threads=threads, **options)
    # The bound of a search for the best is the best score; a count in parts shows no board.
    of_board = {Goal.BEST: ("best_bound",), Goal.COUNT: ()}.get(goal, ("best_depth",))
    same = ("status", "complete", "ended_by", *of_board)
    assert [getattr(together, what) for what in same] == [getattr(alone, what) for what in same]
    assert together.threads == threads
    if goal in (Goal.ALL, Goal.COUNT):
        assert together.nodes_by_depth == alone.nodes_by_depth
        assert (together.count, together.canonical_count) == (alone.count, alone.canonical_count)
        assert together.symmetry_factor == alone.symmetry_factor
        assert len(together.solutions) == len(alone.solutions)
        assert set(together.solutions) == set(alone.solutions)
    if together.best_board is not None:
        pieces = [placed.piece for placed in together.best_board if placed is not None]
        assert len(set(pieces)) == len(pieces)
    return alone


@examples(300, 40)
@given(st.data())
def test_squares(data):
    puzzle = with_any_fixed(data.draw(puzzles()), data.draw)
    name = data.draw(st.sampled_from(NATIVE))
    goal = data.draw(st.sampled_from(sorted(find_engine(name).goals)))
    options = {"symmetry": data.draw(st.booleans())}
    depth = None
    if name == "backtrack":
        options["order"] = data.draw(st.sampled_from(("rowscan", "colscan", "spiral_in", "zig_zag")))
        if data.draw(st.booleans()) and inner_joins(puzzle):
            options["slips"] = tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=3)))) or None
        if data.draw(st.booleans()):
            options["frame_slips"] = tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=2))))
        depth = data.draw(st.none() | st.integers(0, len(puzzle.board)))
        if options.get("slips") is not None and len(options["slips"]) > inner_joins(puzzle):
            reject()
    agree(name, puzzle, goal, data.draw(st.sampled_from((2, 3))), Limits(depth=depth), **options)


@examples(60, 15)
@given(
    dissections(), st.sampled_from(Goal), st.sampled_from(("any", "lattice")), st.booleans(), st.sampled_from((2, 3))
)
def test_dissections(puzzle, goal, motions, symmetry, threads):
    if goal is Goal.BEST:
        reject()
    agree("backtrack", puzzle.with_motions(motions), goal, threads, symmetry=symmetry)


@pytest.mark.parametrize(
    ("name", "options"), [("backtrack", {}), ("backtrack", {"slips": "20"}), ("most-constrained", {})]
)
def test_exactly_so_many_nodes(name, options):
    for nodes in (0, 1, 50, 1234):
        result = run(name, read("clue3"), Goal.ALL, Limits(nodes=nodes), threads=3, **options)
        assert (result.nodes, result.ended_by, result.complete) == (nodes, "nodes", False)


@pytest.mark.parametrize("goal", Goal)
def test_it_stops_when_it_is_told_to(goal):
    """And keeps what it has; how far it is never goes back."""
    told = []
    name = "backtrack" if goal is Goal.BEST else "most-constrained"
    puzzle = deal_edge_matching(10, 10, 4, 9, seed=1).puzzle
    engine = find_engine(name, goal)
    result = engine.run(
        puzzle, goal, NO_LIMITS, Options(threads=3), report=told.append, must_stop=lambda: len(told) > 20
    )
    assert (result.complete, result.ended_by) == (False, "interrupt")
    assert result.nodes > 0
    done = [progress.done for progress in told if progress.note is None]
    assert done == sorted(done)


def test_what_consumes_solutions_does_so_in_the_callers_thread():
    seen = set()
    find_engine("backtrack").run(
        read("clue3"), Goal.ALL, Limits(solutions=2), Options(threads=2),
        consume=lambda solution: seen.add(threading.current_thread()),
    )  # fmt: skip
    assert seen == {threading.current_thread()}


def test_all_cores():
    cores = number_of_threads("all")
    assert cores >= 1
    for asked in ("all", 0):
        assert solve(read("clue1"), threads=asked).threads == cores
