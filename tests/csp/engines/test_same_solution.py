"""When two solutions are the same: exactly if a symmetry of the puzzle maps one onto the other."""

from itertools import combinations

from hypothesis import given

import jigsat as js
from jigsat.csp.engines.tallies import identity_of
from property_tests import examples
from strategies import puzzles, solutions_of


@given(puzzle=puzzles())
@examples(100, quick=10)
def test_the_solutions_have_as_many_identities_as_there_are_classes(puzzle):
    number = len(solutions_of(puzzle))
    boards = js.solve(puzzle, all=True, symmetry=False, engine="backtrack").solutions
    classes = identity_of(puzzle, every=False, turnable=True)
    assert len(set(map(classes, boards))) == js.count(puzzle, engine="backtrack").canonical_count
    assert len(set(map(identity_of(puzzle, every=True), boards))) == number


def test_tilings_are_the_same_up_to_symmetry_and_exchanges():
    puzzle = js.read("l-shape")
    every = js.solve(puzzle, all=True, symmetry=False).solutions
    count = js.count(puzzle)
    classes = identity_of(puzzle, every=False)
    assert len(set(map(identity_of(puzzle, every=True), every))) == len(every) == count.count
    assert len(set(map(classes, every))) == count.canonical_count


def test_turned_boards_differ_only_if_the_board_may_not_be_turned():
    puzzle = js.read("puzzle-a")
    board = js.solve(puzzle).best_board
    turned = [puzzle.board.turned_arrangement(board, turns) for turns in range(4)]
    assert len({identity_of(puzzle, every=False)(one) for one in turned}) == 1
    fixed = [identity_of(puzzle, every=False, turnable=False)(one) for one in turned]
    assert all(one != other for one, other in combinations(fixed, 2))
