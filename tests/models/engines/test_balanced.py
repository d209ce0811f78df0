"""Balanced rotation sets, counted in three ways, and the engine that searches them."""

import pytest
from hypothesis import given, reject
from ortools.sat.python import cp_model

from balanced_counts import count_balanced
from brute_force import TooMuch, all_solutions
from brute_force_balanced import balanced_sets, is_balanced
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import never
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.backtrack import Backtrack
from jigsat.models.base.cp_solving import model_solutions
from jigsat.models.engines.balanced import Balanced, Stance, balanced_model, with_rotations
from property_tests import examples
from strategies import puzzles


def enumerated(puzzle, checkerboard):
    """All balanced sets by CP-SAT; each one once."""
    balanced = balanced_model(puzzle, checkerboard=checkerboard)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.linearization_level = 0
    statuses = []

    def solutions():
        read = model_solutions(balanced.model, solver, lambda found: balanced.read(found.value), never)
        statuses.append((yield from read))

    found = list(solutions())
    assert statuses == [cp_model.OPTIMAL if found else cp_model.INFEASIBLE]
    assert len(set(found)) == len(found)
    return set(found)


@examples(60, quick=15)
@given(puzzles([(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)]))
def test_three_ways_to_the_balanced_sets(puzzle):
    for checkerboard in (False, True):
        try:
            sets = {
                tuple(None if one is None else Stance(one[1], one[2] or 0) for one in chosen)
                for chosen in balanced_sets(puzzle, checkerboard)
            }
        except TooMuch:
            if not checkerboard:
                reject()
            return
        assert enumerated(puzzle, checkerboard) == sets
        assert count_balanced(puzzle, checkerboard=checkerboard) == len(sets)


@examples(60)
@given(puzzles())
def test_every_solution_has_a_balanced_set(puzzle):
    """Also one that meets the checkerboard; with the pieces turned so, the solutions are those of this set."""
    try:
        solutions = all_solutions(puzzle)
    except TooMuch:
        reject()
    for solution in sorted(solutions)[:3]:
        rotations = [None] * len(puzzle.pieces)
        shades = [None] * len(puzzle.pieces)
        for (row, column), (piece, rotation) in solution:
            rotations[piece], shades[piece] = rotation, (row + column) % 2
        used = [piece for piece, rotation in enumerate(rotations) if rotation is not None]
        assert is_balanced(puzzle, [(piece, rotations[piece], None) for piece in used])
        assert is_balanced(puzzle, [(piece, rotations[piece], shades[piece]) for piece in used])
        alike = [s for s in solutions if all(rotations[piece] == rotation for _, (piece, rotation) in s)]
        alike_shades = [s for s in alike if all(shades[piece] == (r + c) % 2 for (r, c), (piece, _) in s)]
        plain = tuple(None if rotation is None else Stance(rotation, 0) for rotation in rotations)
        assert Backtrack().run(with_rotations(puzzle, plain), Goal.COUNT).count == len(alike)
        checkered = tuple(
            None if rotation is None else Stance(rotation, shade)
            for rotation, shade in zip(rotations, shades, strict=True)
        )
        assert Backtrack().run(with_rotations(puzzle, checkered), Goal.COUNT).count == len(alike_shades)


def test_the_best_board_of_a_search_that_was_stopped_has_no_invalid_joins():
    """Here pieces that touch none of those that the rotations fix are turned once more."""
    pieces = ((0, 1, 0, 0), (0, 2, 0, 1), (1, 0, 1, 0), (0, 2, 0, 1), (0, 1, 0, 1), (0, 0, 0, 1))
    puzzle = EdgeMatchingPuzzle(1, 6, pieces)
    for nodes in range(12):
        options = Options(order=(3, 0, 2, 4, 5, 1))
        result = Balanced().run(puzzle, Goal.COUNT, Limits(nodes=nodes), options)
        verdict = check(puzzle, result.best_board)
        assert (verdict.invalid_joins, verdict.score) == ((), result.best_score)


def test_rotations_that_are_not_balanced():
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0),) * 2)
    with pytest.raises(EngineError, match=r"^rotations: 2 pieces for A1, instead of one$"):
        with_rotations(puzzle, (Stance(0, 0), Stance(0, 0)))


class TestEngine:
    PUZZLE = deal_edge_matching(4, 4, 3, 4, seed=1).puzzle

    @pytest.mark.parametrize("checkerboard", [False, True])
    def test_counts_like_the_backtracker(self, checkerboard):
        found = Balanced("checkerboard" if checkerboard else None).run(self.PUZZLE, Goal.COUNT)
        known = Backtrack().run(self.PUZZLE, Goal.COUNT)
        assert (found.count, found.canonical_count, found.symmetry_factor, found.complete) == (
            known.count,
            known.canonical_count,
            known.symmetry_factor,
            True,
        )
        assert found.options["sets"] == count_balanced(self.PUZZLE, checkerboard=checkerboard) // 4
        assert found.nodes == sum(found.nodes_by_depth)
        assert found.best_depth == len(self.PUZZLE.board)
        assert found.best_score == found.max_score
