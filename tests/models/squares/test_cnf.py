"""A puzzle as a formula: what its variables mean, and custom constraints."""

import pytest
from pysat.solvers import Solver

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.base.encodings import CNF_NAMES, CP_NAMES, REDUNDANT
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cp import build_cp
from small_puzzles import JIGSAW

ENCODINGS = [*CNF_NAMES, "direct+pieces", "pairs+pieces+absent-colors", "diamond+unpruned", "direct+unpruned"]


def models_of(model):
    """Every model, as the set of true variables, with its board; two differ in a variable that has a name."""
    decided = set(model.pool.id2obj)
    with Solver("glucose4", bootstrap_with=model.cnf) as solver:
        while solver.solve():
            found = solver.get_model()
            yield {literal for literal in found if literal > 0}, model.solution(found)
            solver.add_clause([-literal for literal in found if abs(literal) in decided])


@pytest.mark.parametrize("redundant", [(), tuple(REDUNDANT)])
@pytest.mark.parametrize("encoding", CNF_NAMES)
def test_names_are_unique_and_those_of_the_pool(encoding, redundant):
    """A new variable of the pool that took a number of the formula's own would change its meaning."""
    puzzle = deal_edge_matching(5, 6, 3, 4, seed=1).puzzle
    options = [one for one in redundant if encoding != "direct" or one not in ("absent-colors", "color-counts")]
    model = build_cnf(puzzle, "+".join([encoding, *options]), slips="20x2", symmetry=True)
    named = list(model.names())
    assert len({variable for variable, _ in named}) == len({name for _, name in named}) == len(named)
    assert all(0 < variable <= model.clauses.top for variable, _ in named)
    assert all(model.pool.id(name) == variable and model.pool.obj(variable) == name for variable, name in named)
    assert model.pool.id("mine") == model.clauses.top + 1
    assert model.pool.id("mine") == model.clauses.top + 1
    assert model.cnf.nv == model.clauses.top == max(abs(literal) for clause in model.clauses for literal in clause)
    every = [*model.variables.unit, *model.variables.witness.ravel(), *model.variables.invalid]
    every += [variable for variable in model.variables.color.ravel() if variable]
    assert {variable for variable, _ in named} == set(every)


BUILDS = [*((build_cnf, encoding) for encoding in ENCODINGS), *((build_cp, name) for name in CP_NAMES)]


@pytest.mark.parametrize(("build", "encoding"), BUILDS)
def test_numbers_out_of_range(build, encoding):
    """They are refused, not taken from the other end."""
    model = build(JIGSAW, encoding)
    calls = [
        ("place", 0, 8, 0),
        ("place", 0, -1, 0),
        ("place", 6, 0, 0),
        ("place", 0, 0, 4),
        ("on", 0, 8),
        ("on", -1, 0),
    ]
    calls += [("on", "A1", 0), ("on", "A1", 9), ("place", "Z1", 1, 0), ("color", "Z1", 0, 1), ("invalid", "Z1", 0)]
    calls += [("on", 0, -1), ("color", 6, 0, 1), ("color", 0, 4, 1), ("invalid", 0, -1), ("invalid", -1, 0)]
    calls += [("hint", (Placement(8, 0), *[None] * 5))] if build is build_cp else []
    for name, *numbers in calls:
        with pytest.raises(PuzzleError):
            getattr(model, name)(*numbers)
    if build is build_cnf:
        assert len(model.cnf.clauses) == len(model.clauses)


def test_a_formula_without_solutions_is_announced_with_its_own_number_of_clauses():
    """Where no piece fits a clause would be empty, and a checker of proofs compares the numbers."""
    model = build_cnf(EdgeMatchingPuzzle(1, 1, ((0, 1, 0, 0),)))
    assert len(model.clauses) == len(model.cnf.clauses) == len(list(model.clauses))
    assert all(model.cnf.clauses)
    assert not list(models_of(model))


def test_identical_pieces_are_numbered_along_the_board():
    """They share their variables; a board names each of them once."""
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4)
    model = build_cnf(puzzle, symmetry=True)
    ((_, board),) = models_of(model)
    assert [placed.piece for placed in board] == [0, 1, 2, 3]
    assert model.on(3, 0) == model.on(3, 3)
