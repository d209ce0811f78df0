"""Jigsaws found by refinement: models mean what they say, three solutions are three, and what cannot be is excluded."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from pysat.solvers import Solver

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.make.annealing import Wish
from jigsat.csp.make.pair_annealing import group
from jigsat.csp.make.refinement import Refinement, ThreeAssemblies, refine_pair
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, jigsaw_of, mating, original, quality

SYMMETRY = "d222", "d777"


@pytest.mark.parametrize(("rows", "columns", "use", "symmetry"), [(5, 5, 6, SYMMETRY), (4, 4, 6, ("d777",))])
def test_a_model_is_a_jigsaw_with_three_assemblies_without_a_common_join(rows, columns, use, symmetry):
    board = Board(rows, columns)
    formula = ThreeAssemblies(board, use, group(board, symmetry))
    with Solver("cadical153", formula.clauses) as solver:
        assert solver.solve()
        model = set(solver.get_model() or ())
    three = original(board), formula.arrangement(model, 0), formula.arrangement(model, 1)
    jigsaw = jigsaw_of(rows, columns, np.array(formula.labels(model)), "", "", three)
    assert all(check(jigsaw, assembly).is_solution for assembly in three)
    measured = quality(jigsaw)
    assert set(measured.shared.values()) == {0}
    assert max(measured.uses.values()) <= use
    assert (measured.duplicates, measured.symmetric, measured.unbalanced) == ((), (), ())


@pytest.mark.parametrize("symmetry", [(), ("d777",)])
def test_half_sides_that_look_like_the_same_one_look_alike(symmetry):
    board = Board(4, 4)
    formula = ThreeAssemblies(board, 6, group(board, symmetry))
    mate = mating(board, original(board)).tolist()
    half_sides = [a for a in range(len(mate)) if mate[a] >= 0]
    alike = {(a, b): formula.fits(a, mate[b]) for a, b in permutations(half_sides, 2) if b != mate[a]}
    with Solver("cadical153", formula.clauses) as solver:
        for a, b, c in permutations(half_sides, 3):
            one, two, three = (alike.get(pair, False) for pair in ((a, b), (b, c), (a, c)))
            if one and two:
                consistent, implied = solver.propagate([one, two])
                assert not consistent or three in implied


@pytest.mark.parametrize(
    ("rows", "columns", "use", "symmetry", "uses"),
    [
        (5, 5, 6, SYMMETRY, {4: 4, 6: 4}),
        pytest.param(6, 6, 5, SYMMETRY, {5: 12}, marks=pytest.mark.slow),
        pytest.param(5, 7, 10, ("d222", "d444"), {7: 4, 6: 3, 4: 3}, marks=pytest.mark.slow),
    ],
)
def test_jigsaws_with_exactly_three_disjoint_solutions(rows, columns, use, symmetry, uses):
    found = refine_pair(Wish(rows, columns, use), 1, symmetry=symmetry)
    assert found.energy == 0
    jigsaw = jigsaw_from_assemblies(rows, columns, (original(Board(rows, columns)), found.arrangement, found.third))
    measured = quality(jigsaw)
    assert Counter(measured.uses.values()) == uses
    assert measured.shared == {(0, 1): 0, (0, 2): 0, (1, 2): 0}
    for engine in ("most-constrained", "backtrack"):
        counted = find_engine(engine).run(jigsaw, Goal.COUNT)
        assert (counted.complete, counted.canonical_count) == (True, 3)


@pytest.mark.parametrize(("size", "use"), [((3, 3), 12), ((4, 4), 5), ((3, 4), 17)])
def test_what_has_no_three_assemblies_is_excluded_at_once(size, use):
    """3x3 for any use and 4x4 for five, as complete searches show by other means."""
    search = Refinement(Wish(*size, use), 1)
    assert search.step(lambda: False) is None
    search.close()


@pytest.mark.slow
def test_3x5_has_no_three_assemblies_either():
    assert refine_pair(Wish(3, 5, 99), 1).energy > 0


def test_a_search_that_is_stopped_returns_the_nearest():
    left = iter([False, False])
    found = refine_pair(Wish(5, 5, 6), 4, symmetry=SYMMETRY, must_stop=lambda: next(left, True))
    assert (found.energy > 0, found.steps <= 1) == (True, True)
