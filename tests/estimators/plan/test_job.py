"""A job is planned once, and what the plan has built is what runs."""

import time
from dataclasses import replace

import pytest

import jigsat as js
from jigsat.csp.base.errors import EngineError, UsageError
from jigsat.csp.engines.request import Goal, Limits, Options, SearchOptions, about_options
from jigsat.csp.engines.result import solve_summary
from jigsat.csp.search.counting import methods
from jigsat.csp.search.counting.frames.method import Frames
from jigsat.csp.search.counting.macros.method import Macros
from jigsat.estimators.effort import count_methods
from jigsat.estimators.plan import job
from jigsat.estimators.plan.job import Job, JobPlan

CLUE = js.read_squares("clue1")


@pytest.mark.some_cases(1)
@pytest.mark.parametrize(
    ("name", "asked", "method", "built"),
    [("clue1", {}, "frames", Frames), ("puzzle-a", {"method": "macros"}, "macros", Macros)],
)
def test_the_way_of_the_command_with_tables_built_once(name, asked, method, built, monkeypatch):
    """Python takes the method that the command takes, or the one asked for, and nothing is built a second time.

    For puzzle-a the fastest method depends on the machine.
    """
    tables, make = [], built.__init__

    def noted(self, *arguments):
        tables.append(arguments)
        make(self, *arguments)

    monkeypatch.setattr(built, "__init__", noted)
    result = js.count(js.read(name), **asked)
    assert (result.method, len(tables)) == (method, 1)
    tables.clear()
    plan = js.plan(js.read(name), goal="count", **asked)
    assert (plan.options.method, len(tables)) == (method, 1)
    assert plan.run().count == result.count
    assert len(tables) == 1
    assert count_methods.cut_into_parts is methods.cut_into_parts


def test_a_plan_says_what_will_be_done_and_why():
    plan = js.plan(CLUE, goal="count")
    first, chosen, *_ = str(plan).splitlines()
    assert first == "clue1: count by backtrack, method frames"
    assert chosen.startswith("  chosen           backtrack, method frames, predicted about")
    assert "solutions        about 1.41" in str(plan) or "expected" in str(plan)
    assert str(js.plan(CLUE, goal="solve")).startswith("clue1: solve by backtrack, order")
    with pytest.raises(EngineError, match="unknown goal 'win', choose from solve, all, count, best"):
        js.plan(CLUE, goal="win")


def test_the_one_list_of_options_is_that_of_the_functions():
    """What `solve` takes by name is what engines declare, and what else is asked."""
    asked = {"engine", "motions", "pieces_only", "start", "time_limit", "node_limit", "depth_limit"}
    assert set(SearchOptions.__annotations__) == asked | set(about_options(Options))


def test_what_narrows_the_puzzle_stands_in_record_and_text(tmp_path):
    file = str(tmp_path / "part.json")
    board = js.solve(js.read_squares("puzzle-a")).solutions[0]
    part = [placed if square < 12 else None for square, placed in enumerate(board)]
    puzzle = js.read_squares("puzzle-a")
    js.write(puzzle, [tuple(part)], file)
    result = js.count(puzzle, start=file)
    assert (result.options["from"], result.options["placed"]) == (file, 12)
    assert result.summary().startswith(f"puzzle-a from {file} (12 pieces placed): edge-matching puzzle, satisfiable")
    assert result.record()["options"]["from"] == file
    again = js.count(puzzle, start=tuple(part))
    assert (again.count, again.options["from"]) == (result.count, "a board in memory")
    assert js.count(puzzle, depth_limit=9).options["depth_limit"] == 9
    # The board that comes out is one of the whole puzzle, whatever was fixed.
    solved = js.solve(puzzle, start=file).solutions[0]
    assert solved.puzzle is puzzle
    assert solved[:12] == board[:12]


def test_misused_options_are_one_kind_of_error():
    tangram = js.read_dissection("tangram")
    for puzzle, asked, message in (
        (tangram, {"motions": "up"}, "motions: unknown motions up; choose from any, lattice"),
        (CLUE, {"tries": 3}, "tries: the engine backtrack has no such option"),
        (CLUE, {"threads": -1}, "threads -1: at least 1 is needed"),
        (CLUE, {"node_limit": -1}, "node limit -1: a limit must be at least 0"),
    ):
        with pytest.raises(UsageError, match=message):
            js.solve(puzzle, **asked)


def test_a_plan_that_is_not_done_in_time_runs_nothing(monkeypatch):
    """And reports it: a result of which nothing is known."""

    def endless(*_, **__):
        while True:
            pass

    monkeypatch.setattr("jigsat.estimators.plan.job.ways_to", endless)
    result = js.count(CLUE, time_limit=0.2)
    assert (result.status, result.complete, result.ended_by, result.count) == ("unknown", False, "time", 0)
    assert "the time limit was reached" in result.summary()


def test_solutions_come_one_by_one():
    found = js.solutions(js.read_squares("puzzle-a"))
    first, second = next(found), next(found)
    assert first != second
    assert first.puzzle.name == "Puzzle A" or first.puzzle.columns == 6
    assert Job(js.read("puzzle-a"), Goal.ALL, limits=Limits(solutions=2)).run().ended_by == "solutions"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"node_limit": 1000}, "the node limit was reached"),
        ({"time_limit": 0}, "the time limit was reached"),
        ({"depth_limit": 9}, "the depth limit kept the search from full boards"),
        ({"engine": "most-constrained", "node_limit": 1000}, "the node limit was reached"),
    ],
)
def test_solutions_that_end_at_a_limit_say_so(asked, why):
    with pytest.warns(UserWarning, match=f"^there may be more solutions: {why}$"):
        assert len(list(js.solutions(CLUE, **asked))) < 1000


def test_solutions_that_are_all_end_without_a_warning():
    assert len(list(js.solutions(js.read("puzzle-a")))) == 40
    assert len(list(js.solutions(js.read("puzzle-a"), limit=3))) == 3


@pytest.mark.parametrize(
    ("size", "asked"),
    [
        ((3, 3, 1, 2, 1), {"slips": "9x2"}),
        ((3, 3, 2, 2, 4), {"frame_slips": "9x2"}),
        ((4, 3, 3, 4, 2), {"slips": "6x3", "frame_slips": "8x2", "order": "colscan"}),
        ((5, 5, 3, 4, 4), {"slips": "12x2"}),
        ((5, 5, 3, 5, 6), {"slips": "20,22,24", "order": "best"}),
    ],
)
def test_what_slips_allow_is_proved_where_that_takes_seconds(size, asked):
    *made, seed = size
    puzzle = js.make_edge_matching(*made, random=True, seed=seed)
    found, proved = js.best(puzzle, **asked), js.best(puzzle, engine="backtrack", **asked)
    assert (found.status, found.complete, found.best_score) == (proved.status, True, proved.best_score)


@pytest.mark.parametrize("name", ["portfolio:backtrack,sat:cadical195", "portfolio"])
def test_a_portfolio_has_the_threads_asked_for(name):
    plan = js.plan(js.read("puzzle-a"), engine=name, threads=2)
    assert plan.options.threads == plan.run().threads == 2


def test_the_best_order_is_for_engines_with_orders_of_their_own_too():
    puzzle = js.read("meta10")
    found = js.best(puzzle, engine="beam", order="best", width=50, node_limit=20_000, seed=1)
    assert (found.options["order"], None in found.best_board) == ("best", False)
    assert js.best(puzzle, engine="portfolio:beam,cpsat", order="best", time_limit=0.5).options["order"] == "best"


@pytest.mark.parametrize("goal", ["solve", "count", "best"])
def test_a_limit_of_solutions_is_for_the_goal_all(goal):
    for ask in (js.plan, js.explain):
        with pytest.raises(UsageError, match=f"limit: it is for the goal all, not for {goal}"):
            ask(CLUE, goal, limit=2)


def test_an_infinite_time_limit_is_none():
    assert Limits(float("inf")) == Limits()
    assert js.best(CLUE, engine="dive", time_limit=float("inf"), node_limit=20_000).nodes == 20_000


@pytest.mark.parametrize("order", [["A1", "A2"], [0.0]])
def test_an_order_has_numbers_of_squares(order):
    with pytest.raises(js.OrderError, match="is not a list of squares by their numbers"):
        js.solve(CLUE, order=order)


@pytest.mark.parametrize("squares", [[1.5], [None]])
def test_a_region_has_names_or_numbers(squares):
    with pytest.raises(UsageError, match="is neither the name nor the number of a square"):
        js.count(CLUE, squares=squares)


def test_the_summary_of_a_portfolio_that_has_one_engine_twice():
    """jigsat makes such a portfolio if the first way of an engine takes too long."""
    result = js.solve(CLUE, engine="portfolio:backtrack,most-constrained", time_limit=0)
    twice = replace(result, engine="portfolio:backtrack,most-constrained,backtrack")
    assert "engine portfolio:backtrack,most-constrained,backtrack" in solve_summary(twice, None, [], "")


def test_other_ways_are_planned_within_the_time_limit(monkeypatch):
    """The board of the first way is kept."""

    def endless(*_arguments, **_options):
        planned.append(True)
        began = time.monotonic()
        while time.monotonic() < began + 30:
            pass
        pytest.fail("not ended")

    plan, searches, planned = js.plan(js.read("eternity2"), "solve"), [], []
    search = JobPlan._search

    def searched(*asked):
        searches.append(search(*asked))
        return searches[-1]

    monkeypatch.setattr(job, "patience", lambda _way: 0.2)
    monkeypatch.setattr(job, "ways_to", endless)
    monkeypatch.setattr(JobPlan, "_search", searched)
    result = replace(plan, job=replace(plan.job, limits=Limits(plan.spent + 1))).run()
    assert (searches, planned) == ([result], [True])
    assert (result.ended_by, result.engine) == ("time", plan.engine.name)
