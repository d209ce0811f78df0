"""The search for the most constrained square against the backtracker, and jigsaws with known counts."""

import random

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
from jigsat.csp.search import least_choice
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.most_constrained import MostConstrained, _MostConstrainedRun
from jigsat.csp.search.shared_tree import EXHAUSTED
from property_tests import examples
from small_puzzles import WITHOUT_A_CHANCE
from strategies import puzzles, solutions_of

ENGINE = MostConstrained()


@examples(30)
@given(puzzles(), st.integers(1, 9), st.booleans())
def test_slices_do_not_change_the_search(puzzle, budget, symmetry):
    """A walk in small steps, each with a new array for solutions, visits the same nodes and finds the same rows."""
    solutions_of(puzzle)
    run = _MostConstrainedRun(puzzle, Goal.COUNT, Limits(), Options(symmetry=symmetry), Stop())
    if run.free == 0 or not run.starts:
        reject()
    for choice in range(run.walks):
        whole, sliced = run.walk(choice), run.walk(choice)
        whole.make_room(100_000)
        whole.advance(1 << 40)
        rows = []
        exhausted, before, done = False, 0, 0.0
        while not exhausted:
            sliced.make_room(1 + before % 3)
            exhausted = sliced.advance(budget) == EXHAUSTED
            rows += sliced.solutions().tolist()
            assert sliced.nodes.sum() - before <= budget
            assert done <= sliced.done() + 1e-9 <= 1 + 2e-9
            before, done = int(sliced.nodes.sum()), sliced.done()
        assert sliced.nodes.tolist() == whole.nodes.tolist()
        assert rows == whole.solutions().tolist()
        assert done == pytest.approx(1)


@examples(40)
@given(puzzles(), st.booleans())
def test_lists_and_sets_agree(puzzle, symmetry):
    """Both kernels, and sets with and without consistent joins, count the same; a search goes on from what is left."""
    solutions_of(puzzle)
    found = set()
    for most_words, few_alike, most_alike in ((0, 0, 0), (1 << 20, 0, 0), (1 << 20, 0, 1 << 20)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(least_choice, "_MOST_WORDS", most_words)
            patch.setattr(least_choice, "_FEW_ALIKE", few_alike)
            patch.setattr(least_choice, "_MOST_ALIKE", most_alike)
            result = ENGINE.run(puzzle, Goal.COUNT, Limits(), Options(symmetry=symmetry))
            found.add((result.count, result.canonical_count, result.picture_count, result.complete))
            run = _MostConstrainedRun(puzzle, Goal.COUNT, Limits(), Options(symmetry=symmetry), Stop())
            if run.free == 0 or not run.starts:
                continue
            for choice in range(run.walks):
                whole, first, rows = run.walk(choice), run.walk(choice), []
                whole.make_room(100_000)
                whole.advance(1 << 40)
                first.make_room(100_000)
                first.advance(7)
                rows += first.solutions().tolist()
                for place in first.rest():
                    other = run.walk(choice)
                    other.begin_at(place)
                    other.make_room(100_000)
                    other.advance(1 << 40)
                    rows += other.solutions().tolist()
                assert rows == whole.solutions().tolist()
    assert len(found) == 1


def test_fullest_board_is_made_of_nodes_that_were_counted():
    puzzle = read("eternity2")
    for nodes in range(1, 400, 7):
        result = ENGINE.run(puzzle, Goal.SOLVE, Limits(nodes=nodes))
        assert result.best_depth == sum(number > 0 for number in result.nodes_by_depth)
        assert result.nodes == nodes
        verdict = check(puzzle, result.best_board)
        assert (verdict.placed, verdict.score) == (result.best_depth, result.best_score)
        assert not verdict.faults
        assert not verdict.invalid_joins


def test_rectangle_needs_both_corners():
    """Half a turn leads to one other corner only: a corner piece is tried on two of the four."""
    rows, columns = 4, 6
    pieces = cut(rows, columns)
    run = _MostConstrainedRun(
        EdgeMatchingPuzzle(rows, columns, pieces, Rule.OPPOSITE), Goal.COUNT, Limits(), Options(), Stop()
    )
    assert run.walks == 2
    for first in range(rows * columns):
        # Whichever piece comes first, and so is the anchor if it is a corner piece.
        puzzle = EdgeMatchingPuzzle(rows, columns, (*pieces[first:], *pieces[:first]), Rule.OPPOSITE)
        result = ENGINE.run(puzzle, Goal.COUNT)
        assert (result.count, result.canonical_count, result.symmetry_factor) == (2, 1, 2)


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (3, 5), (4, 5), (5, 5)])
@pytest.mark.parametrize("seed", range(4))
def test_anchors_inside(rows, columns, seed):
    """All pieces of the frame look alike, so that an inner piece breaks the turns, on several squares in some turns."""
    chance = random.Random(seed)
    inside = Board(rows - 2, columns - 2)
    sides = {(join.first, join.side): chance.randint(2, 4) for join in inside.joins()}
    sides |= {(inside.neighbour(square, side), side ^ 2): color for (square, side), color in sides.items()}
    inner = tuple(tuple(sides.get((square, side), 2) for side in range(4)) for square in range(len(inside)))
    pieces = ((0, 1, 1, 0),) * 4 + ((0, 1, 2, 1),) * 2 * (rows + columns - 4) + inner
    puzzle = EdgeMatchingPuzzle(rows, columns, pieces)
    mine, other = (engine.run(puzzle, Goal.COUNT) for engine in (ENGINE, Backtrack()))
    assert (mine.count, mine.canonical_count, mine.symmetry_factor) == (
        other.count,
        other.canonical_count,
        other.symmetry_factor,
    )
    if mine.canonical_count < 5000:
        assert len(set(ENGINE.run(puzzle, Goal.ALL).solutions)) == mine.canonical_count


def cut(rows, columns):
    """The pieces of a jigsaw with a connector of its own at every join."""
    return jigsaw_from_assemblies(rows, columns, [original(Board(rows, columns))]).pieces


def closed_form(n, seed=0):
    """A jigsaw of n x n pieces, n odd, that fit together in two ways."""
    return search_jigsaw(JigsawWishes(n, n, method="closed-form", seed=seed)).puzzle


@pytest.mark.parametrize(("n", "seed"), [(5, 0), (9, 0), (13, 0), (15, 1), (15, 2), (31, 0)])
def test_jigsaws_with_two_solutions(n, seed):
    """Few more nodes than two boards have squares."""
    puzzle = closed_form(n, seed)
    result = ENGINE.run(puzzle, Goal.ALL)
    assert (result.count, result.canonical_count) == (2 * result.symmetry_factor, 2)
    assert result.complete
    assert all(check(puzzle, board).is_solution for board in result.solutions)
    assert len(set(result.solutions)) == 2
    assert result.nodes < 3 * n * n


def test_large_board():
    """101 x 101 squares, one colour for all joins: every search succeeds at once, if it copes with the size."""
    size = 101
    corner, edge, inner = (0, 1, 1, 0), (0, 1, 1, 1), (1, 1, 1, 1)
    pieces = (corner,) * 4 + (edge,) * 4 * (size - 2) + (inner,) * (size - 2) ** 2
    result = ENGINE.run(EdgeMatchingPuzzle(size, size, pieces), Goal.SOLVE)
    assert result.status == "satisfiable"
    assert result.nodes == size * size


def test_fixed_pieces_that_contradict():
    """The first one lies, and the second cannot: no solution, and a node that is counted."""
    result = ENGINE.run(WITHOUT_A_CHANCE["fixed pieces that contradict"], Goal.COUNT)
    assert (result.count, result.complete, result.nodes_by_depth) == (0, True, (1, 0))
