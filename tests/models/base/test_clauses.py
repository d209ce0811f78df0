"""Clauses in bulk: every assignment of the literals can be continued exactly if it keeps the constraint."""

from itertools import pairwise, product

import numpy as np
import pytest
from pysat.solvers import Solver

from jigsat.csp.base.errors import EngineError
from jigsat.models.base import formula as formula_module
from jigsat.models.base.encodings import AT_MOST_ONE
from jigsat.models.base.formula import Clauses


def projected(clauses, literals):
    """The assignments of the literals that some assignment of the auxiliary variables goes with."""
    assert all(0 < abs(literal) <= clauses.top for clause in clauses for literal in clause)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return {
            values
            for values in product((False, True), repeat=len(literals))
            if solver.solve(
                assumptions=[
                    literal if value else -literal for literal, value in zip(literals.tolist(), values, strict=True)
                ]
            )
        }


def signed(clauses, number):
    """New variables, every third of them negated, with others around them that must not be touched."""
    clauses.new(3)
    literals = clauses.new(number)
    clauses.new(2)
    return literals * np.where(np.arange(number) % 3 == 1, -1, 1)


def assignments(number, holds):
    return {values for values in product((False, True), repeat=number) if holds(values)}


@pytest.mark.parametrize("how", [None, *AT_MOST_ONE])
@pytest.mark.parametrize("number", range(10))
def test_at_most_one(number, how):
    clauses = Clauses()
    literals = signed(clauses, number)
    clauses.at_most_one(literals, how)
    assert projected(clauses, literals) == assignments(number, lambda values: sum(values) <= 1)


@pytest.mark.parametrize("how", ["product", "sequential", "bitwise", "ladder", "totalizer", None])
@pytest.mark.parametrize("number", [16, 17, 65])
def test_at_most_one_of_many(number, how):
    """Too many to try all: none, each one alone, and each two neighbours or far apart."""
    clauses = Clauses()
    literals = signed(clauses, number)
    clauses.at_most_one(literals, how)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        assert solver.solve(assumptions=(-literals).tolist())
        for one in range(number):
            others = [-int(literal) for index, literal in enumerate(literals) if index != one]
            assert solver.solve(assumptions=[int(literals[one]), *others])
        pairs = [*pairwise(range(number)), *((i, number - 1 - i) for i in range(number // 2))]
        for one, other in pairs:
            assert not solver.solve(assumptions=[int(literals[one]), int(literals[other])])


@pytest.mark.parametrize("how", [None, *AT_MOST_ONE])
@pytest.mark.parametrize("number", [0, 1, 2, 5, 7])
def test_at_most_and_exactly(number, how):
    """All bounds, also those that no assignment or that every one keeps."""
    for bound in range(-1, number + 3):
        clauses = Clauses()
        literals = signed(clauses, number)
        clauses.exactly(literals, bound, how)
        assert projected(clauses, literals) == assignments(number, lambda values, b=bound: sum(values) == b)
        if bound >= 0:
            clauses = Clauses()
            literals = signed(clauses, number)
            clauses.at_most(literals, bound, how)
            assert projected(clauses, literals) == assignments(number, lambda values, b=bound: sum(values) <= b)


@pytest.mark.parametrize("how", [None, "sequential", "totalizer", "mtotalizer", "kmtotalizer", "bitwise"])
def test_a_literal_that_stands_twice_counts_twice(how):
    times = np.array([1, 2, 3, 2])
    for bound in range(9):
        for constrain in ("exactly", "at_most"):
            clauses = Clauses()
            literals = signed(clauses, 4)
            getattr(clauses, constrain)(np.repeat(literals, times), bound, how)

            def holds(values, bound=bound, constrain=constrain):
                total = int(times @ np.array(values))
                return total == bound if constrain == "exactly" else total <= bound

            assert projected(clauses, literals) == assignments(4, holds)


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("odd", [False, True])
def test_odd(number, odd):
    clauses = Clauses()
    literals = signed(clauses, number)
    clauses.odd(literals, odd=odd)
    assert projected(clauses, literals) == assignments(number, lambda values: sum(values) % 2 == odd)


def test_one_of_the_members_where_all_conditions_hold():
    """Groups of several sizes, one of them without members, and their members in any order."""
    clauses = Clauses()
    literals = signed(clauses, 8)
    conditions = literals[:6].reshape(3, 2)
    groups = np.array([2, 0, 2, 2])
    members = literals[[6, 7, 7, 0]]
    clauses.imply_one_of(conditions, groups, members)

    def holds(values):
        a, b, c, d, e, f, g, h = values
        return (not (a and b) or h) and not (c and d) and (not (e and f) or (g or h or a))

    assert projected(clauses, literals) == assignments(8, holds)


def test_clauses_of_any_lengths():
    """They keep their literals; an empty one makes the formula unsatisfiable without standing in it."""
    clauses = Clauses()
    literals = clauses.new(3)
    lists = [[1, -2], [3], [-1, 2, -3], [2, 3]]
    clauses.add_lists(lists)
    clauses.unit(-2)
    assert sorted(clauses) == sorted([*lists, [-2]])
    assert len(clauses) == 5 == sum(len(block) for block in clauses.blocks())
    assert projected(clauses, literals) == {(False, False, True)}
    clauses.add_lists([[]])
    assert all(clauses)
    assert projected(clauses, literals) == set()
    clauses.add(np.zeros((0, 0), dtype=np.int64))
    assert len(clauses) == sum(len(block) for block in clauses.blocks())


def test_too_many_clauses_are_refused_before_they_are_made(monkeypatch):
    """The memory would be gone first; the message names an encoding that has fewer."""
    monkeypatch.setattr(formula_module, "_MOST_CLAUSES", 2_000_000)
    clauses = Clauses()
    with pytest.raises(EngineError) as caught:
        clauses.at_most_one(clauses.new(3_000), "pairwise")
    assert str(caught.value).startswith("more than 2 million clauses: choose an encoding without pairwise")
    assert "\n" not in str(caught.value)
    assert len(clauses) == 0
    clauses.at_most_one(clauses.new(3_000), "sequential")
    assert 0 < len(clauses) < 20_000
