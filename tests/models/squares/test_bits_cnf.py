"""One bit a connector: the formula has every assembly as a model, and nothing that decodes to anything else."""

import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given

from all_models import all_models
from brute_force import TooMuch, all_solutions, number_of_orbits
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.closed_forms import crystal, draw_closed_form, draw_even_form
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.check_board import check, same_solutions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
from jigsat.models.squares.bits_cnf import BitCNF, no_bits
from native_search import solutions_of
from property_tests import examples
from strategies import mixed_jigsaw, paired_jigsaws


def models(clauses, deciding, most=5000):
    """The true ones among the deciding variables, of every model; TooMuch if there are very many."""
    found = list(islice(all_models(clauses, deciding), most + 1))
    if len(found) > most:
        raise TooMuch
    return [np.array(sorted(true), dtype=np.int64) for true in found]


def satisfied(clauses, literals):
    true = set(literals)
    return all(any(literal in true for literal in clause) for clause in clauses)


def scrambled(rows, columns, scramble):
    board = Board(rows, columns)
    return jigsaw_from_assemblies(rows, columns, [original(board), scramble])


def made(rows, columns, **wishes):
    return search_jigsaw(JigsawWishes(rows, columns, **wishes)).puzzle


def with_turned_dominoes(rows, columns, dominoes):
    """A jigsaw in which each of some pairs of neighbouring squares may be turned by half, all other joins kept."""
    scramble = list(original(Board(rows, columns)))
    for one, other in dominoes:
        scramble[one], scramble[other] = Placement(other, 2), Placement(one, 2)
    return scrambled(rows, columns, tuple(scramble))


PERFECT = {
    "3x3": lambda: made(3, 3),
    "2x4": lambda: made(2, 4),
    "4x6": lambda: made(4, 6, seed=2),
    "5x5": lambda: made(5, 5, seed=1),
    "5x5, 3 solutions": lambda: made(5, 5, solutions=3, seed=1),
    "6x6": lambda: made(6, 6, seed=1),
    "7x7": lambda: made(7, 7, seed=4),
    "4x4, even form": lambda: scrambled(4, 4, draw_even_form(4, 4, Chance(1))),
    "6x6, even form": lambda: scrambled(6, 6, draw_even_form(6, 6, Chance(1))),
    "7x7, closed form": lambda: scrambled(7, 7, draw_closed_form(7, 7, Chance(3))),
    "5x5, crystal": lambda: scrambled(5, 5, crystal(5)),
    "7x7, crystal": lambda: scrambled(7, 7, crystal(7)),
}
SHARED = {
    "one domino": lambda: with_turned_dominoes(3, 4, [(5, 6)]),
    "upright domino": lambda: with_turned_dominoes(4, 3, [(4, 7)]),
    "two dominoes": lambda: with_turned_dominoes(5, 5, [(6, 7), (16, 17)]),
    "three dominoes": lambda: with_turned_dominoes(5, 7, [(8, 9), (11, 12), (23, 24)]),
    "once each": lambda: scrambled(3, 3, original(Board(3, 3))),
}


@pytest.mark.parametrize("make", [*PERFECT.values(), *SHARED.values()], ids=[*PERFECT, *SHARED])
class TestJigsawsWithKnownSolutions:
    def test_every_solution_is_a_model_however_it_is_turned(self, make):
        """A clause too many, or a bit that changes when the board is turned, would lose a solution."""
        puzzle = make()
        formula = BitCNF(puzzle)
        clauses = list(formula.clauses)
        solutions = solutions_of(puzzle)
        assert len(solutions) > 0
        for board in solutions:
            (literals,) = formula.assignments(board)
            assert {abs(literal) for literal in literals} == set(formula.deciding.tolist())
            assert satisfied(clauses, literals)
            for turns in range(0, 4, 4 // puzzle.board.turns()):
                turned = puzzle.board.turned_arrangement(board, turns)
                assert check(puzzle, turned).is_solution
                assert formula.assignments(turned) == [literals]

    @pytest.mark.some_cases(6)
    def test_models_that_decode_are_the_solutions(self, make):
        """All models are decoded: each board is a solution, no two models are the same one, and none is missing."""
        puzzle = make()
        formula = BitCNF(puzzle)
        boards = [formula.board_of(true) for true in models(list(formula.clauses), formula.deciding.tolist())]
        decoded = [board for board in boards if board is not None]
        assert all(check(puzzle, board).is_solution for board in decoded)
        assert same_solutions(puzzle, decoded) is None
        solutions = solutions_of(puzzle)
        assert len(decoded) == len(solutions)
        for board in solutions:
            assert same_solutions(puzzle, [board, *decoded]) is not None


@examples(50)
@given(paired_jigsaws(sizes=[(1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]))
def test_solutions_are_those_of_a_brute_force(puzzle):
    """A second way to the number of models that decode, which shares nothing with the engines."""
    assume(no_bits(puzzle) is None)
    formula = BitCNF(puzzle)
    found = models(list(formula.clauses), formula.deciding.tolist())
    decoded = [board for board in map(formula.board_of, found) if board is not None]
    assert len(decoded) == number_of_orbits(puzzle, all_solutions(puzzle))


def test_a_connector_whose_two_sides_are_on_one_piece():
    """They cannot be joined to each other: there is no solution, and no board may be made of it."""
    puzzle = EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 2, 0, -2), (0, -1, 0, 0)), Rule.OPPOSITE)
    assert no_bits(puzzle) is None
    formula = BitCNF(puzzle)
    assert [formula.board_of(true) for true in models(list(formula.clauses), [])] in ([], [None])


REFUSED = {
    "kind": (
        EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0))),
        "it is for jigsaws, not for edge-matching puzzles",
    ),
    "fixed": (
        EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, -5, 0, 0)), Rule.OPPOSITE, (Fixed(0, 0, 0),)),
        "it needs a puzzle whose pieces all lie on the board, none of them fixed",
    ),
    "spare": (
        EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, -5, 0, 0), (0, 6, 0, 0)), Rule.OPPOSITE),
        "it needs a puzzle whose pieces all lie on the board, none of them fixed",
    ),
    "unbalanced": (
        EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, -6, 0, 0)), Rule.OPPOSITE),
        "it needs as many positive as negative sides of each connector; connector 5 has unequal numbers",
    ),
    "thrice": (
        mixed_jigsaw(random.Random(0), 1, 6, [3, 3, 1, -3, 2]),
        "it needs connectors on one or two joins; connector 3 is on 3",
    ),
    "equal": (
        mixed_jigsaw(random.Random(0), 1, 4, [2, -1, -2]),
        "it needs pieces that differ from each other in every rotation, and from themselves when they are turned",
    ),
    "symmetric": (
        mixed_jigsaw(random.Random(0), 3, 3, [1, 2, 3, -3, 4, 5, 6, 7, 8, 9, -7, 10]),
        "it needs pieces that differ from each other in every rotation, and from themselves when they are turned",
    ),
}


@pytest.mark.parametrize(("puzzle", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_bits_are_not_for_is_said(puzzle, reason):
    """For each of these a formula would lose solutions, or decode to boards that are not solutions."""
    assert no_bits(puzzle) == reason
    with pytest.raises(EngineError) as caught:
        BitCNF(puzzle)
    assert str(caught.value) == f"encoding bits: {reason}"
