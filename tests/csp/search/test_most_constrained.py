"""The search for the most constrained square against a brute force, the backtracker, and jigsaws with known counts."""

import os
import random
import signal
from math import gcd

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from brute_force import as_brute_force, number_of_orbits
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.codes import EXHAUSTED
from jigsat.csp.search.most_constrained import MostConstrained, _MostConstrainedRun
from property_tests import examples
from strategies import puzzles, solutions_of

ENGINE = MostConstrained()


@examples(60)
@given(puzzles())
def test_counts_and_solutions_equal_brute_force(puzzle):
    expected = solutions_of(puzzle)
    orbits = number_of_orbits(puzzle, expected)
    for symmetry in (True, False):
        result = ENGINE.run(puzzle, Goal.COUNT, options=Options(symmetry=symmetry))
        assert (result.count, result.canonical_count) == (len(expected), orbits)
        assert result.complete
        assert result.status == ("satisfiable" if expected else "unsatisfiable")
        assert result.nodes == sum(result.nodes_by_depth)
        if result.symmetry_factor is not None:
            assert result.count == result.canonical_count * result.symmetry_factor
    everything = ENGINE.run(puzzle, Goal.ALL, options=Options(symmetry=False))
    assert len(everything.solutions) == len(expected)
    assert {as_brute_force(board, puzzle.columns) for board in everything.solutions} == expected
    one_of_each = ENGINE.run(puzzle, Goal.ALL)
    assert len(one_of_each.solutions) == orbits
    assert {as_brute_force(board, puzzle.columns) for board in one_of_each.solutions} <= expected
    assert len(ENGINE.run(puzzle, Goal.SOLVE).solutions) == (1 if expected else 0)


@examples(30)
@given(puzzles(), st.booleans())
def test_record_agrees_with_the_backtracker(puzzle, symmetry):
    """What both know of a puzzle is the same, and so are the pieces that lie on the board before the search."""
    solutions_of(puzzle)
    options = Options(symmetry=symmetry)
    mine, other = (engine.run(puzzle, Goal.COUNT, options=options) for engine in (ENGINE, Backtrack()))
    for name in ("kind", "status", "complete", "count", "canonical_count", "symmetry_factor", "max_score", "ended_by"):
        assert getattr(mine, name) == getattr(other, name), name
    assert len(mine.nodes_by_depth) == len(other.nodes_by_depth)
    fixed = len(puzzle.fixed)
    assert mine.nodes_by_depth[:fixed] == other.nodes_by_depth[:fixed]
    assert mine.best_depth == sum(number > 0 for number in mine.nodes_by_depth)
    verdict = check(puzzle, mine.best_board)
    assert verdict.placed == mine.best_depth
    assert not verdict.faults
    assert not verdict.invalid_joins


@examples(30)
@given(puzzles(), st.integers(1, 9), st.booleans())
def test_slices_do_not_change_the_search(puzzle, budget, symmetry):
    """A walk in small steps, each with a new array for solutions, visits the same nodes and finds the same rows."""
    solutions_of(puzzle)
    run = _MostConstrainedRun(puzzle, Goal.COUNT, Limits(), Options(symmetry=symmetry))
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


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.ALL])
def test_node_limit_is_exact_and_a_limited_count_is_a_lower_bound(goal):
    for nodes in (0, 1, 17, 36, 100_001):
        result = ENGINE.run(read("puzzle-a"), goal, Limits(nodes=nodes))
        assert (result.nodes, result.complete, result.ended_by) == (nodes, False, "nodes")
        assert result.count < 160


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


def test_solution_limit():
    puzzle = EdgeMatchingPuzzle(2, 3, ((0, 1, 1, 0),) * 4 + ((0, 1, 1, 1),) * 2)
    assert ENGINE.run(puzzle, Goal.COUNT).count == 48
    for limit in (0, 1, 7, 48, 49):
        result = ENGINE.run(puzzle, Goal.ALL, Limits(solutions=limit), Options(symmetry=False))
        assert len(result.solutions) == min(limit, 48)
        assert result.complete == (limit > 48)
    assert ENGINE.run(puzzle, Goal.SOLVE, Limits(solutions=0)).ended_by == "solutions"


def test_time_limit_and_progress():
    found = []
    result = ENGINE.run(read("puzzle-c"), Goal.COUNT, Limits(seconds=0.5), report=found.append)
    assert (result.ended_by, result.complete) == ("time", False)
    assert len(found) >= 2
    done = [progress.done for progress in found]
    assert 0 < done[0] <= done[-1] < 1
    assert done == sorted(done)


def test_an_interrupt_ends_the_search():
    def interrupt(progress):
        os.kill(os.getpid(), signal.SIGINT)

    result = ENGINE.run(read("puzzle-c"), Goal.COUNT, Limits(seconds=60), report=interrupt)
    assert (result.ended_by, result.complete, result.status) == ("interrupt", False, "unknown")


def test_solutions_are_yielded_lazily():
    """10^15 ways to fill a row: a search that did not wait would never come back."""
    puzzle = EdgeMatchingPuzzle(1, 20, ((0, 1, 0, 0), *[(0, 1, 0, 1)] * 18, (0, 1, 0, 0)))
    found = []
    for board in ENGINE.solutions(puzzle, options=Options(symmetry=False)):
        found.append(board)
        if len(found) == 1000:
            break
    assert len(set(found)) == 1000
    assert all(check(puzzle, board).is_solution for board in found[::50])


@pytest.mark.parametrize(
    ("options", "limits", "message"),
    [
        (Options(order="rowscan"), Limits(), "order 'rowscan': the engine most-constrained chooses each square"),
        (Options(slips="3"), Limits(), "slips '3': the engine most-constrained allows no slips"),
        (Options(encoding="edges"), Limits(), "encoding 'edges': the engine most-constrained makes no model"),
        (Options(proof="p"), Limits(), "proof 'p': the engine most-constrained writes no proofs"),
        (Options(seed=1), Limits(), "seed '1': the engine most-constrained makes no random choices"),
        (Options(threads=2), Limits(), "threads 2: the engine most-constrained runs on one thread"),
        (Options(), Limits(depth=3), "engine most-constrained has no depth limit; engines that have: backtrack"),
    ],
)
def test_what_it_does_not_have_is_refused(options, limits, message):
    with pytest.raises(EngineError) as caught:
        ENGINE.run(read("clue1"), Goal.COUNT, limits, options)
    assert str(caught.value).startswith(message)


def test_registered():
    assert find_engine("most-constrained", Goal.COUNT).name == "most-constrained"
    with pytest.raises(EngineError, match="has no goal best"):
        find_engine("most-constrained", Goal.BEST)


def test_fixed_pieces_that_do_not_match_leave_no_solution():
    puzzle = EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 2, 0, 2), (0, 1, 0, 0), (0, 1, 0, 1)))
    result = ENGINE.run(puzzle.with_fixed([(0, 0), (1, 0), None]), Goal.COUNT)
    assert (result.status, result.count, result.complete) == ("unsatisfiable", 0, True)
    assert result.nodes_by_depth == (1, 0, 0)


def test_start_from_a_partial_board():
    """The fixed pieces of a chessboard's black squares leave empty squares that touch one another nowhere."""
    puzzle = closed_form(7)
    for solution in ENGINE.run(puzzle, Goal.ALL).solutions:
        partial = tuple(placed if square % 2 else None for square, placed in enumerate(solution))
        result = ENGINE.run(puzzle.with_fixed(partial), Goal.ALL)
        assert solution in result.solutions
        assert result.nodes_by_depth[:24] == (1,) * 24


def test_rectangle_needs_both_corners():
    """Half a turn leads to one other corner only: a corner piece is tried on two of the four."""
    rows, columns = 4, 6
    pieces = cut(rows, columns)
    run = _MostConstrainedRun(EdgeMatchingPuzzle(rows, columns, pieces, Rule.OPPOSITE), Goal.COUNT, Limits(), Options())
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
    board = Board(rows, columns)
    sides = {}
    for number, (first, side, second) in enumerate(board.joins(), start=1):
        sides[first, side], sides[second, (side + 2) % 4] = number, -number
    return tuple(tuple(sides.get((square, side), 0) for side in range(4)) for square in range(rows * columns))


def closed_form(n, seed=0):
    """A jigsaw of n x n pieces, n odd, that fit together in two ways; each connector joins the sides of a cycle.

    Pieces with even coordinates stay; those with odd ones move by a step along their rows; the others are turned.
    """
    chance = random.Random(seed)
    k = (n - 1) // 2
    step = chance.choice([step for step in range(1, k + 1) if gcd(step, k) == 1])
    shift = [chance.randrange(k) for _ in range(k + 1)]
    moved = {}
    for y in range(n):
        for x in range(n):
            i, j = x // 2, y // 2
            if x % 2 == 0 and y % 2 == 0:
                moved[y * n + x] = y * n + x, 0
            elif x % 2 and y % 2:
                moved[y * n + x] = y * n + 2 * ((i + step) % k) + 1, 0
            elif x % 2:
                moved[y * n + x] = 2 * (k - j) * n + 2 * ((shift[min(j, k - j)] - i) % k) + 1, 2
            else:
                moved[y * n + x] = y * n + 2 * (k - i), 2
    return EdgeMatchingPuzzle(n, n, connected(n, moved), Rule.OPPOSITE)


def connected(n, moved):
    """Pieces whose sides fit where they are and where they are moved to (square, quarter turns)."""
    board = Board(n, n)
    came_from = {square: (piece, turns) for piece, (square, turns) in moved.items()}
    sides = {}
    for number, start in enumerate(((piece, side) for piece in range(n * n) for side in range(4)), start=1):
        piece, side = start
        while (piece, side) not in sides and board.neighbour(piece, side) is not None:
            sides[piece, side] = number
            piece, side = board.neighbour(piece, side), (side + 2) % 4
            sides[piece, side] = -number
            square, turns = moved[piece]
            across = (side + turns) % 4
            piece, turns = came_from[board.neighbour(square, across)]
            side = (across + 2 - turns) % 4
    return tuple(tuple(sides.get((piece, side), 0) for side in range(4)) for piece in range(n * n))


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
