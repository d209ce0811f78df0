"""Answers that are kept while a search runs: after any end, a search that continues has the same answer in the end."""

import threading

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jigsat as js
from balanced_counts import count_balanced
from jigsat.api.solve import job_for as job_of
from jigsat.csp.files.books import records_in
from jigsat.csp.files.file_format import part_of
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.search import shared_tree
from jigsat.csp.work.steps import KeptSteps, keep_steps
from jigsat.estimators.plan.kept_answers import Output, run_kept
from killed_steps import KilledError, killed_after
from property_tests import examples
from strategies import puzzles, solutions_of

ENGINES = ["backtrack", "most-constrained", "sat:cadical195", "cpsat", "portfolio:backtrack,cpsat", "balanced"]
FACTS = ("status", "complete", "count", "canonical_count", "symmetry_factor", "ended_by")


def kept(puzzle, goal, path, *, limit=None, resume=False, overwrite=False, **asked):
    return run_kept(job_of(puzzle, goal, asked, limit).plan(), Output(path, resume, overwrite))


def killed(puzzle, goal, path, finds, **asked):
    """A search that is killed when it has found this number of solutions or better boards; whether it was."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shared_tree, "REST_SECONDS", 0.0)
        killed_after(patched, finds)
        try:
            kept(puzzle, goal, path, **asked)
        except KilledError:
            return True
    return False


def facts(result):
    return {name: getattr(result, name) for name in FACTS}


def number_left(path, puzzle):
    part = part_of(path)
    return len(js.read_solutions(part, puzzle)) if part.exists() else 0


def check_continued(folder, puzzle, finds, **asked):
    """Kill a search, continue it, and compare it with one that was not killed."""
    whole = kept(puzzle, "all", folder / "whole.json", **asked)
    expected = js.read_solutions(folder / "whole.json", puzzle)
    path = folder / "x.json"
    if not killed(puzzle, "all", path, finds, **asked):
        assert len(expected) <= finds
    else:
        assert number_left(path, puzzle) == finds
        assert not path.exists()
    again = kept(puzzle, "all", path, resume=True, **asked)
    assert again.number == whole.number == len(expected)
    assert set(js.read_solutions(path, puzzle)) == set(expected)
    assert facts(again.result) == facts(whole.result)
    assert sorted(file.name for file in folder.iterdir()) == ["whole.json", "x.json"]
    return expected


@pytest.mark.some_cases(3)
@pytest.mark.parametrize("engine", ENGINES)
@given(puzzle=puzzles(), finds=st.integers(0, 12), symmetry=st.booleans())
@examples(200, quick=3)
def test_a_killed_search_continues_to_the_same_answer(tmp_path_factory, engine, puzzle, finds, symmetry):
    # It tries the balanced sets one by one: with very many of them, that takes minutes.
    assume(engine != "balanced" or count_balanced(puzzle, checkerboard=False) <= 50)
    every = solutions_of(puzzle)
    expected = check_continued(tmp_path_factory.mktemp("kept"), puzzle, finds, engine=engine, symmetry=symmetry)
    if not symmetry:
        assert len(expected) == len(every)


@given(
    puzzle=puzzles(sizes=[(2, 3), (3, 3)]),
    finds=st.integers(0, 12),
    slips=st.lists(st.integers(1, 6), min_size=1, max_size=2),
    frame_slips=st.sampled_from([None, (5,), (2, 6)]),
    threads=st.sampled_from([1, 1, 2]),
)
@examples(200, quick=6)
def test_searches_with_slips_are_continued(tmp_path_factory, puzzle, finds, slips, frame_slips, threads):
    solutions_of(puzzle)  # few enough, also with a slip or two
    asked = {"slips": tuple(sorted(slips)), "frame_slips": frame_slips, "threads": threads}
    asked |= {"engine": "backtrack", "order": "rowscan"}
    check_continued(tmp_path_factory.mktemp("kept"), puzzle, finds, **asked)


@given(puzzle=puzzles(), finds=st.integers(0, 12), engines=st.tuples(*[st.sampled_from(ENGINES[:4])] * 2))
@examples(200, quick=4)
def test_another_engine_knows_what_was_found(tmp_path_factory, puzzle, finds, engines):
    """Even where it would have found other members of the same symmetry classes."""
    solutions_of(puzzle)  # few enough
    path = tmp_path_factory.mktemp("kept") / "x.json"
    first, second = engines
    expected = js.count(puzzle, engine="backtrack").canonical_count
    killed(puzzle, "all", path, finds, engine=first)
    again = kept(puzzle, "all", path, resume=True, engine=second)
    assert again.number == expected == again.result.canonical_count
    assert again.result.complete


@pytest.mark.parametrize(
    ("order", "threads"), [("rowscan", 1), ("rowscan", 2), pytest.param("spiral_in", 1, marks=pytest.mark.slow)]
)
def test_a_search_continues_at_its_place(tmp_path, order, threads):
    """Not from the beginning: the nodes of both searches are those of one."""
    puzzle = js.read("puzzle-a")
    assert killed(puzzle, "all", tmp_path / "x.json", 30, order=order, threads=threads, engine="backtrack")
    records = records_in((tmp_path / "x.json.part").read_bytes(), lambda: False)
    last = max((record for record in records if "state" in record), key=lambda record: record["number"])
    before = last["state"]["place"]["place"]["nodes"]
    assert sum(before) > 1_000_000
    again = kept(puzzle, "all", tmp_path / "x.json", resume=True, order=order, threads=threads, engine="backtrack")
    assert again.result.nodes_by_depth == js.count(puzzle, order=order, engine="backtrack").nodes_by_depth
    assert (again.number, again.result.count) == (40, 160)
    assert again.result.nodes_now == again.result.nodes - sum(before)


@pytest.mark.slow
@pytest.mark.parametrize("motions", ["any", "lattice"])
@pytest.mark.parametrize("threads", [1, 2])
def test_tilings_continue_at_their_place(tmp_path, motions, threads):
    puzzle = js.read("ostomachion")
    assert killed(puzzle, "all", tmp_path / "x.json", 200, engine="backtrack", motions=motions, threads=threads)
    again = kept(puzzle, "all", tmp_path / "x.json", resume=True, engine="backtrack", motions=motions, threads=threads)
    assert again.number == again.result.canonical_count == 536
    assert again.result.count == 17152
    assert len(set(js.read_solutions(tmp_path / "x.json", puzzle))) == 536


@pytest.mark.parametrize("nodes", [60, 90, 118, 150, 200])
def test_a_continued_search_judges_tilings_by_the_same_order(tmp_path, monkeypatch, nodes):
    """No piece breaks the symmetries, so images of one tiling are met before and after the break."""
    monkeypatch.setattr(shared_tree, "REST_SECONDS", 0.0)
    domino, target = ((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 0), (4, 0), (4, 5), (0, 5))
    puzzle = js.DissectionPuzzle(target, (domino,) * 10, motions="any")
    first = kept(puzzle, "all", tmp_path / "x.json", engine="backtrack", node_limit=nodes)
    again = kept(puzzle, "all", tmp_path / "x.json", engine="backtrack", resume=True)
    assert first.number < again.number == again.result.canonical_count == 33
    assert again.result.nodes == js.count(puzzle, engine="backtrack").nodes == nodes + again.result.nodes_now
    assert len(js.read_solutions(tmp_path / "x.json", puzzle)) == 33


def with_a_flaw(seed):
    """A puzzle without a solution, but with full boards."""
    made = js.make_edge_matching(4, 4, frame_colors=3, inner_colors=3, seed=seed)
    first = next(number for number, sides in enumerate(made.pieces) if 0 not in sides)
    pieces = [(9, *sides[1:]) if number == first else sides for number, sides in enumerate(made.pieces)]
    return js.EdgeMatchingPuzzle(4, 4, pieces)


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("engine", ["backtrack", "sat:cadical195", "cpsat", "maxsat", "portfolio:backtrack,cpsat"])
@pytest.mark.parametrize("finds", [0, 1])
def test_the_best_board_is_where_a_search_continues(tmp_path, engine, finds):
    puzzle, path = with_a_flaw(5), tmp_path / "x.json"
    whole = js.best(puzzle)
    if killed(puzzle, "best", path, finds, engine=engine):
        assert number_left(path, puzzle) == finds
    again = kept(puzzle, "best", path, resume=True, engine=engine).result
    for name in ("status", "complete", "best_score", "best_bound", "ended_by"):
        assert getattr(again, name) == getattr(whole, name), name
    (board,) = js.read_solutions(path, puzzle)
    assert puzzle.score(board) == whole.best_score == puzzle.score(again.best_board)
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


@pytest.mark.parametrize("slips", [{"slips": "24x20"}, {"slips": "20x20", "frame_slips": "18x3"}])
@pytest.mark.parametrize(("engine", "clues", "seed"), [("beam", 0, 1), ("dive", 1, 4)])
def test_without_a_given_order_slips_count_along_that_of_the_engine(tmp_path, engine, clues, seed, slips):
    """It is not the default order of these puzzles."""
    puzzle = js.make_edge_matching(6, 6, frame_colors=3, inner_colors=6 - clues, clues=clues, seed=seed)
    path, asked = tmp_path / "x.json", {"engine": engine, "seed": 1, **slips}
    first = js.best(puzzle, output=path, node_limit=20_000, **asked)
    again = js.best(puzzle, output=path, node_limit=30_000, resume=True, **asked)
    assert again.best_score >= first.best_score > 0
    # Also if it ends before it is planned.
    ended = run_kept(job_of(puzzle, "best", asked).plan(must_stop=lambda: True), Output(path, resume=True))
    assert (ended.result.ended_by, ended.result.best_score) == ("interrupt", again.best_score)


def test_a_worse_board_does_not_replace_a_better_one(tmp_path):
    puzzle, path = with_a_flaw(5), tmp_path / "x.url"
    kept(puzzle, "best", path)
    before = path.read_text()
    found = kept(puzzle, "best", path, engine="beam", width=2, node_limit=40, seed=3)
    score, part = found.result.best_score, tmp_path / "x.url.part"
    assert score < 23
    assert found.why_not == f"has a board with a score of 23, and this search found one of {score}, in {part}"
    assert [puzzle.score(board) for board in js.read_solutions(part, puzzle)][-1] == score
    assert path.read_text() == before


def test_a_search_that_ends_early_can_be_continued(tmp_path):
    puzzle, path = js.read("puzzle-a"), tmp_path / "x.json"
    asked = {"engine": "backtrack", "order": "rowscan"}
    first = kept(puzzle, "all", path, node_limit=4_000_000, **asked)
    assert 0 < first.number < 40
    assert (first.why_not, first.kept) == (None, f"{path}.part, from which --resume continues")
    assert js.read_solutions(f"{path}.part", puzzle) == js.read_solutions(path, puzzle)
    last = kept(puzzle, "all", path, resume=True, **asked)
    assert (last.number, last.result.complete, last.result.nodes) == (40, True, 8_524_212)
    assert (last.kept, [file.name for file in tmp_path.iterdir()]) == (None, ["x.json"])


@pytest.mark.parametrize(
    ("asked", "differs"),
    [
        ({"symmetry": False}, "omit --no-symmetry"),
        ({"slips": "30"}, "omit --slips"),
        ({"frame_slips": "30"}, "omit --frame-slips"),
        ({"order": "colscan"}, "give --order rowscan"),
        ({"depth_limit": 20}, "omit --depth-limit"),
    ],
)
def test_only_the_same_search_is_continued(tmp_path, asked, differs):
    puzzle, path = js.read("puzzle-a"), tmp_path / "x.json"
    part = part_of(path)
    kept(puzzle, "all", path, node_limit=4_000_000, order="rowscan")
    before = path.read_bytes(), part.read_bytes()
    with pytest.raises(js.BookError) as error:
        kept(puzzle, "all", path, resume=True, **{"order": "rowscan", **asked})
    assert str(error.value) == f"{part}: is the book of other work: {differs}, or give another file"
    with pytest.raises(js.BookError, match="other work: omit --best, or"):
        kept(puzzle, "best", path, resume=True, order="rowscan")
    assert (path.read_bytes(), part.read_bytes()) == before


def test_a_portfolio_writes_what_any_member_finds_at_once(tmp_path, monkeypatch):
    """Long before it is known whose answer counts: while all of them search."""
    puzzle, at_work, add = js.read("puzzle-a"), [], KeptSteps.add

    def noted(journal, entry, **how):
        at_work.append({thread.name for thread in threading.enumerate() if thread.name.startswith("work_")})
        add(journal, entry, **how)

    monkeypatch.setattr(KeptSteps, "add", noted)
    found = kept(puzzle, "all", tmp_path / "x.json", engine="portfolio:most-constrained,backtrack", threads=2)
    assert at_work[0] == {"work_0", "work_1"}
    assert (found.number, found.result.count, found.result.complete) == (40, 160, True)
    assert len(set(js.read_solutions(tmp_path / "x.json", puzzle))) == 40


def test_a_proof_after_a_search_that_continues_names_all_solutions(tmp_path):
    puzzle = js.make_edge_matching(3, 3, frame_colors=2, inner_colors=2, seed=1)
    number = js.count(puzzle).canonical_count
    assert number == 2
    kept(puzzle, "all", tmp_path / "x.json", limit=1)
    proof = str(tmp_path / "none.drat")
    found = kept(puzzle, "all", tmp_path / "x.json", resume=True, engine="sat:cadical195", proof=proof)
    assert (found.number, found.result.complete, found.result.proof["checked"]) == (number, True, True)
    assert js.verify(puzzle, f"{proof}.json").holds


def test_what_other_commands_have_left_is_not_replaced(tmp_path):
    path = tmp_path / "x.json"
    with keep_steps(path, {"work": "forms"}) as journal:
        journal.add({"form": 1})
    before = part_of(path).read_bytes()
    for resume, told in (
        (False, "is left from a run that was stopped"),
        (True, 'work is "forms" there and "search" here'),
    ):
        with pytest.raises((js.UsageError, js.BookError), match=told):
            js.solve(js.read("clue3"), output=path, resume=resume)
    with pytest.raises(js.InstanceError, match="is the book of other work than a search, so it has no solutions"):
        js.read_solutions(part_of(path), js.read("clue3"))
    assert part_of(path).read_bytes() == before
    assert js.solve(js.read("clue3"), output=path, overwrite=True).complete


def test_squares_of_an_order_may_be_numpy_numbers(tmp_path):
    """The file of the answer has them, too."""
    puzzle = js.read("puzzle-a")
    order = np.array(find_order(puzzle, "spiral_in")[1])
    found = js.solve(
        puzzle, all=True, engine="backtrack", order=order, output=tmp_path / "x.json", node_limit=2_000_000
    )
    assert found.ended_by == "nodes"
    assert js.solve(puzzle, engine="backtrack", all=True, order=order, output=tmp_path / "x.json", resume=True).complete


@pytest.mark.parametrize("asked", [{"start": True}, {"motions": "lattice"}, {"engine": "balanced"}])
def test_a_search_that_ended_before_it_was_planned_is_continued(tmp_path, asked):
    made, path = js.make_edge_matching(3, 3, frame_colors=2, inner_colors=2, seed=1), tmp_path / "x.json"
    puzzle = js.read("l-shape") if "motions" in asked else made
    if "start" in asked:
        asked = {"start": (*js.solve(puzzle).best_board[:3], *(None,) * 6)}
    js.solve(puzzle, all=True, output=path, time_limit=0, **asked)
    whole = js.solve(puzzle, all=True, output=path, resume=True, **asked)
    assert len(whole.solutions) == len(js.read_solutions(path, puzzle)) > 0
    again = js.solve(puzzle, all=True, output=path, time_limit=0, resume=True, **asked)
    assert len(again.solutions) == len(whole.solutions)
