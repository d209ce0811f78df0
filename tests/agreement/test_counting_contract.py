"""What every method of counting promises: the number of a brute force, in any parts, on threads and with a ledger.

A method is tested by its name in `METHODS`.
"""

from functools import cache, partial
from itertools import chain, pairwise, repeat

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brute_force import number_of_orbits
from jigsat import count, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search import shared_tree
from jigsat.csp.search.counting import blocks, frames, halves, macros, plain
from jigsat.csp.search.counting.methods import METHODS, OF_REGIONS, OF_WHOLE_BOARDS, Pause
from jigsat.csp.search.counting.scheduler import cut_into_parts
from property_tests import examples
from small_puzzles import SMALL_PUZZLES, solved
from strategies import puzzles, solutions_of, with_any_fixed
from whole_counts import count_all, never

#: Boards with even sides, too, which not every method can do without.
SIZES = [(1, 4), (2, 2), (2, 3), (2, 4), (4, 2), (2, 6), (3, 3), (3, 4), (4, 3), (4, 4)]


@pytest.fixture(autouse=True)
def many_parts(monkeypatch):
    """Small counts are cut, too, and large ones into hundreds of parts instead of ten thousands."""
    monkeypatch.setattr(frames, "_PART_NODES", 500)
    monkeypatch.setattr(plain, "_ENOUGH_PARTS", 300)
    monkeypatch.setattr(plain, "_FEW_NODES", 1000)


def counted(puzzle, **options):
    """The result, or None if the method does not apply to the puzzle, which it says in a line."""
    try:
        return find_engine("backtrack").run(puzzle, Goal.COUNT, options=Options(**options))
    except EngineError as error:
        if str(error).startswith(f"method {options['method']}: ") and "\n" not in str(error):
            return None
        raise


def judge(puzzle, solutions, orbits, result):
    assert (result.count, result.canonical_count, result.complete) == (solutions, orbits, True)
    assert result.status is (Status.SATISFIABLE if solutions else Status.UNSATISFIABLE)
    assert (result.goal, result.solutions, result.ended_by) == (Goal.COUNT, (), None)
    assert result.symmetry_factor is None or result.symmetry_factor * orbits == solutions
    one_piece = find_engine("backtrack").run(puzzle, Goal.COUNT)
    fixed = len(puzzle.fixed)
    assert result.nodes_by_depth[:fixed] == one_piece.nodes_by_depth[:fixed]
    assert result.symmetry_factor == one_piece.symmetry_factor


#: Puzzles that a method applies to, so that it does not get by with refusals.
MUST = {
    "plain": set(SMALL_PUZZLES),
    "frames": {"4x4", "rectangle"},
    "macros": {"4x4", "rectangle", "half a board", "symmetric", "spoiled"},
    "middle": {"4x4", "rectangle"},
    "blocks": {"4x4", "half a board"},
}


@pytest.mark.parametrize("method", OF_WHOLE_BOARDS)
def test_counts_equal_brute_force(method):
    """Of puzzles of every sort that the method applies to."""
    applied = set()
    for name, puzzle in SMALL_PUZZLES.items():
        case = solved(puzzle, scored=False)
        for symmetry, threads in ((True, 1), (False, 2)):
            result = counted(puzzle, method=method, symmetry=symmetry, threads=threads)
            if result is not None:
                applied.add(name)
                assert result.threads == threads
                judge(puzzle, len(case.solutions), case.orbits, result)
    assert applied >= MUST[method]


@pytest.mark.parametrize("method", OF_WHOLE_BOARDS)
@examples(100, quick=12)
@given(puzzles(sizes=SIZES), st.booleans(), st.sampled_from((1, 2)), st.data())
def test_counts_of_random_puzzles_equal_brute_force(method, puzzle, symmetry, threads, data):
    """Wrong joins, words, masks, anchors, multiplicities or neighbours of fixed pieces would show as another number.

    Some fixed pieces cannot be completed.
    """
    if data.draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, data.draw)
    result = counted(puzzle, method=method, symmetry=symmetry, threads=threads)
    assume(result is not None)
    solutions = solutions_of(puzzle)
    judge(puzzle, len(solutions), number_of_orbits(puzzle, solutions), result)


@pytest.mark.parametrize("method", OF_WHOLE_BOARDS)
def test_puzzle_a(method, tmp_path):
    """Published: 160 solutions.  On threads and with a ledger, too."""
    options = {"method": method, "order": "rowscan" if method == "plain" else None}
    alone = count(read("puzzle-a"), **options)
    shared = count(read("puzzle-a"), **options, threads=2, ledger=str(tmp_path / "ledger"))
    assert alone.count == shared.count == 160
    assert (alone.nodes_by_depth, alone.method) == (shared.nodes_by_depth, shared.method)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("method", OF_WHOLE_BOARDS)
def test_a_count_goes_on_where_it_was_stopped(tmp_path, method):
    """Stopped at once and resumed until it is complete: nothing is lost, nothing counted twice."""
    options = Options(order="rowscan" if method == "plain" else None, method=method, ledger=str(tmp_path / "ledger"))
    engine, puzzle = find_engine("backtrack"), read("puzzle-a")
    seconds, before = 0.0, -1
    for _ in range(40):
        result = engine.run(puzzle, Goal.COUNT, Limits(seconds=seconds), options)
        assert result.statistics["parts"] >= before
        assert result.statistics["parts from the ledger"] == max(before, 0)
        before = result.statistics["parts"]
        seconds = 2 * seconds + 0.05
        if result.complete:
            break
        assert (result.ended_by, result.status in ("satisfiable", "unknown")) == ("time", True)
        assert result.count <= 160
    assert (result.count, result.complete) == (160, True)
    again = engine.run(puzzle, Goal.COUNT, options=options)
    assert (again.count, again.nodes_by_depth) == (160, result.nodes_by_depth)
    assert again.statistics["tasks"] == 0


@cache
def piecework(method, again=False):
    """A count in parts; a second one of the same puzzle."""
    squares = tuple(range(8)) if method in OF_REGIONS and method != "plain" else None
    return cut_into_parts(deal_edge_matching(6, 6, 3, 6, seed=1).puzzle, Options(method=method, squares=squares))


@pytest.mark.parametrize("method", OF_WHOLE_BOARDS)
@examples(12)
@given(st.data())
def test_parts_add_up_however_they_are_split(method, data):
    """A node or solution that two parts share, or none has, would make the sum differ."""
    work = piecework(method)
    parts = len(work.work)
    whole = work.count(0, parts, never)
    cuts = [0, *sorted(data.draw(st.sets(st.integers(1, parts - 1), max_size=4))), parts]
    shares = [work.count(first, last, never) for first, last in reversed(list(pairwise(cuts)))][::-1]
    assert [(share.first, share.last) for share in shares] == list(pairwise(cuts))
    assert sum(share.count for share in shares) == whole.count > 0
    assert tuple(np.sum([share.nodes for share in shares], axis=0).tolist()) == whole.nodes
    assert (whole.canonical_count is None) == work.found.regular


@pytest.mark.parametrize("method", OF_WHOLE_BOARDS)
def test_parts_are_the_same_every_time(method):
    """Shares of different runs are added up: their parts must be numbered alike."""
    one, other = piecework(method), piecework(method, again=True)
    middle = len(one.work) // 2
    assert middle > 1
    assert (one.method, one.options, one.work.tolist()) == (other.method, other.options, other.work.tolist())
    assert one.count(1, middle, never) == other.count(1, middle, never)
    assert (one.work > 0).all()


@pytest.mark.parametrize("wish", [Pause.AFTER_PART, Pause.NOW])
@pytest.mark.parametrize("method", METHODS)
def test_a_pause_keeps_whole_parts(method, wish, monkeypatch):
    """A part that was broken off and counted would be counted twice later; one dropped at its end never."""
    for module, name, value in (
        *((plain, "SLICE_SECONDS", 0.0), (plain, "_FIRST_SLICE", 50), (blocks, "_SLICE", 3000)),
        *((macros, "_SLICE_STATES", np.uint64(50)), (shared_tree, "SLICE_SECONDS", 1e-9)),
    ):
        monkeypatch.setattr(module, name, value)
    work = piecework(method)
    whole, parts = count_all(work), len(work.work)
    for asked in (0, 1, 7, 40):
        answers = chain([Pause.NO] * asked, repeat(wish))
        share = work.count(0, parts, lambda answers=answers: next(answers))
        assert share.last < parts
        if share.last == 0:
            assert wish is Pause.NOW
            continue
        rest = work.count(share.last, parts, never)
        assert share.count + rest.count == whole.count
        assert [sum(nodes) for nodes in zip(share.nodes, rest.nodes, strict=True)] == list(whole.nodes)


@pytest.mark.parametrize("module", [plain, blocks, halves])
def test_only_one_thing_numbers_the_parts(module, monkeypatch):
    """Were parts numbered by anything else, ledgers would be wrong where that changes."""
    make = partial(piecework.__wrapped__, module.__name__.rpartition(".")[2])
    monkeypatch.setattr(module, "shuffled", np.arange)
    there = make()
    monkeypatch.setattr(module, "shuffled", lambda number: np.arange(number)[::-1])
    back, parts = make(), len(there.work)
    for part in range(1, parts - 1, max(parts // 8, 1)):
        one, other = there.count(part, part + 1, never), back.count(parts - 1 - part, parts - part, never)
        assert (one.nodes, one.count) == (other.nodes, other.count)
