"""Trimmed proofs, replayed line by line: what they delete is there, what they keep follows from what is left."""

import random
from collections import Counter

import numpy as np
import pytest
from pysat.solvers import Solver

import brute_force_proof as brute
from jigsat.models.proofs import trim
from jigsat.models.proofs.trim import trim_proof


def literals(line):
    return [int(word) for word in line.removeprefix("d").split()[:-1]]


def check_trimmed(formula, lines, trimmed):
    """Each deletion is of a clause that is there, each lemma is one of the proof's and RUP, and the end is empty.

    No clause is deleted that is needed, so nothing but units and what the end needs can be there from first to last.
    """
    there = [frozenset(clause) for clause in formula if not any(-literal in clause for literal in clause)]
    lemmas = [line for line in lines if not line.startswith("d")]
    for line in trimmed:
        clause = frozenset(literals(line))
        if line.startswith("d"):
            assert len(clause) > 1
            there.remove(clause)
        else:
            assert line in [*lemmas, "0"]
            assert brute.is_rup(there, clause)
            there.append(clause)
    assert trimmed[-1] == "0"
    assert trimmed.count("0") == 1
    return there


def proof_of(formula, solver="cadical195"):
    with Solver(solver, bootstrap_with=formula, with_proof=True) as s:
        if s.solve():
            return None
        lines = list(s.get_proof())
    return lines if "0" in lines else [*lines, "0"]


def random_formula(rng, variables, density=5.5):
    sizes = [rng.choice((1, 2, 2, 3, 3, 3, 3, 3, 4)) for _ in range(round(density * variables))]
    return [
        [rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), min(size, variables))] for size in sizes
    ]


def with_idle_lines(rng, formula, lines):
    """Also lemmas that are not needed, and deletions of lemmas, of reasons and of what is not there."""
    variables = max(abs(literal) for clause in formula for literal in clause)
    known = [list(clause) for clause in formula]
    result = []
    for line in lines:
        for _ in range(rng.choice((0, 0, 1, 2))):
            clause = [rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), min(variables, 3))]
            if rng.random() < 0.5 and known:
                result.append("d " + " ".join(map(str, [*rng.sample(known[-1], len(known[-1])), 0])))
            elif brute.is_rup(known, clause):
                result.append(" ".join(map(str, [*clause, 0])))
                known.append(clause)
        result.append(line)
    return result


@pytest.mark.parametrize("solver", ["cadical195", "glucose4"])
def test_trimmed_proofs_are_proofs_step_by_step(solver):
    """Where deletions have made a needed lemma unproven the proof comes back; that is rare."""
    rng = random.Random(11)
    trimmed_ones = unchanged = 0
    while trimmed_ones < 40:
        formula = random_formula(rng, rng.randint(2, 9))
        lines = proof_of(formula, solver)
        if lines is None:
            continue
        lines = with_idle_lines(rng, formula, lines) if rng.random() < 0.7 else lines
        trimmed = trim_proof(formula, lines)
        if trimmed == lines and len(lines) > 1:
            unchanged += 1
        else:
            check_trimmed(formula, lines, trimmed)
            trimmed_ones += 1
    assert unchanged < 10


def implied(length):
    """1, and each variable implies the next one, but the last is false."""
    return [[1], *([-v, v + 1] for v in range(1, length)), [-length]]


@pytest.mark.parametrize(
    ("formula", "lines", "trimmed"),
    [
        # Propagation alone: a clause that is not needed goes first.
        (implied(3), ["0"], ["0"]),
        ([*implied(3), [2, 5]], ["0"], ["d 2 5 0", "0"]),
        ([[1], [-1], [2, 3]], ["2 0", "0"], ["d 2 3 0", "0"]),
        ([[]], ["0"], ["0"]),
        ([[1, 2], []], ["0"], ["d 1 2 0", "0"]),
        ([[], [1, 2]], ["0"], ["d 1 2 0", "0"]),
        # Repeated literals, and clauses that are always true.
        ([[1, 1], [-1, -1, -1], [2, -2], [3, 3, 4]], ["0"], ["d 3 4 0", "0"]),
        # A clause that is there twice is needed once.
        ([[1, 2], [1, 2], [1, -2], [-1]], ["0"], ["d 1 2 0", "0"]),
        # Lemmas that are needed, one that is not, and what each of them was for.
        (
            [[1, 2], [1, -2], [-1, 3], [-1, -3], [2, 3]],
            ["2 3 4 0", "2 3 0", "1 0", "0"],
            ["d 2 3 0", "1 0", "d 1 2 0", "d 1 -2 0", "0"],
        ),
        # Deleted by the proof itself, in another order of its literals; then it is not needed after.
        (
            [[1, 2, 3], [1, 2, -3], [1, -2], [-1, 4], [-1, -4]],
            ["1 2 0", "d 3 2 1 0", "d -3 1 2 0", "1 0", "0"],
            ["1 2 0", "d 1 2 3 0", "d 1 2 -3 0", "1 0", "d 1 -2 0", "d 1 2 0", "0"],
        ),
        # The empty clause need not be written.
        ([[1, 2], [1, -2], [-1, 2], [-1, -2]], ["1 0"], ["1 0", "d 1 2 0", "d 1 -2 0", "0"]),
        # A literal twice in a lemma, and in a deletion: solvers delete the clauses of a formula as given.
        (
            [[1, 2], [1, -2], [-1, 3], [-1, -3], [4, 5]],
            ["4 5 5 0", "1 0", "0"],
            ["d 4 5 0", "1 0", "d 1 2 0", "d 1 -2 0", "0"],
        ),
        (
            [[1, 1, -2], [1, 2], [-1, 2], [-1, -2]],
            ["1 -2 0", "d 1 1 -2 0", "-2 0", "1 0", "0"],
            ["-2 0", "d 1 -2 0", "d -1 -2 0", "0"],
        ),
        (
            [[1, 2], [1, -2], [-1, 3], [-1, -3]],
            ["4 +4 04 0", "d4 4 0", "1 0", "0"],
            ["1 0", "d 1 2 0", "d 1 -2 0", "0"],
        ),
        # After the contradiction nothing follows.
        ([[1, 2], [1, -2], [-1]], ["0", "3 4 0", "5 0"], ["0"]),
    ],
)
def test_what_is_left(formula, lines, trimmed):
    assert trim_proof(formula, lines) == trimmed
    check_trimmed(formula, lines, trimmed)


@pytest.mark.parametrize(
    ("formula", "lines"),
    [
        # No contradiction.
        ([[1, 2]], ["1 0"]),
        ([[1, 2]], []),
        ([], ["0"]),
        ([], []),
        ([[1], [-1]], []),
        # The last lemma is needed and not RUP: it was deleted what it follows from, or it never did.
        ([[1, 2], [1, -2], [-1, 2], [-1, -2]], ["d 1 2 0", "1 0", "0"]),
        ([[1, 2], [3, 4]], ["1 0", "-1 0", "0"]),
        # Not written as lines are: a line without 0, two zeros, no number.
        ([[1], [-1]], ["2 0", "3"]),
        ([[1], [-1]], ["2 0 3 0"]),
        ([[1], [-1]], ["2 2 0 0", "3"]),
        ([[1], [-1]], ["2 0 3"]),
        ([[1], [-1]], ["x 0"]),
        ([[1], [-1]], [f"{2**24 + 1} 0"]),
        ([[1], [-1]], [f"-{2**24 + 1} 0"]),
    ],
)
def test_what_comes_back_unchanged(formula, lines):
    result = trim_proof(formula, lines)
    assert result == lines
    assert result is not lines


def test_a_deletion_of_a_reason_is_not_carried_out():
    """The unit that it made true stays so; solvers rely on it."""
    formula = [[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-2, -3, 4], [-2, -3, -4]]
    trimmed = trim_proof(formula, ["d -1 2 0", "3 0", "0"])
    assert trimmed == ["3 0", "d -2 3 4 0", "d -2 3 -4 0", "0"]
    check_trimmed(formula, ["3 0", "0"], trimmed)


def test_a_lemma_that_is_deleted_and_needed_before_is_kept_until_then():
    formula = [[1, 2, 3], [1, 2, -3], [1, -2, 4], [1, -2, -4], [-1, 5], [-1, -5, 6], [-6, -1]]
    lines = ["1 2 0", "1 -2 0", "1 0", "d 1 2 0", "d 1 -2 0", "d 2 1 0", "6 0", "0"]
    trimmed = trim_proof(formula, lines)
    check_trimmed(formula, lines, trimmed)
    assert [line for line in trimmed if not line.startswith("d")] == ["1 2 0", "1 -2 0", "1 0", "0"]


def test_idle_lemmas_go_whatever_their_number(monkeypatch):
    """Also where the lines are looked at in slices of any size."""
    formula = [[a, b, c] for a in (1, -1) for b in (2, -2) for c in (3, -3)]
    lines = [*(f"{v} {v + 1} {-v - 2} 0" for v in range(10, 40)), "1 2 0", "d 1 2 3 0", "1 0", "-1 2 0", "0"]
    formula += [literals(line) for line in lines[:30]]
    trimmed = trim_proof(formula, lines)
    check_trimmed(formula, lines, trimmed)
    assert [line for line in trimmed if not line.startswith("d")] == ["1 2 0", "1 0", "-1 2 0", "0"]
    for size in (1, 2, 7, 30):
        monkeypatch.setattr(trim, "_SLICE", size)
        assert trim_proof(formula, lines) == trimmed


def test_it_can_be_stopped_whenever_it_asks(monkeypatch):
    monkeypatch.setattr(trim, "_SLICE", 2)
    formula = [[1, 2], [1, -2], [-1, 3], [-1, -3], [2, 3]]
    lines = ["2 3 4 0", "1 0", "0"]
    for stop_at in range(20):
        asked = []

        def must_stop(stop_at=stop_at, asked=asked):
            asked.append(None)
            return len(asked) > stop_at

        trimmed = trim_proof(formula, lines, must_stop)
        if len(asked) <= stop_at:
            break
        assert trimmed == lines
    # Of eight lines, those up to the second lemma are replayed, and the two lemmas undone.
    assert len(asked) == 4 + 1
    assert trimmed == trim_proof(formula, lines) == ["d 2 3 0", "1 0", "d 1 2 0", "d 1 -2 0", "0"]


def a_wordy_proof(rng):
    """A formula of 3-clauses, and lemmas that follow from what is there, at random until there is a contradiction."""
    while True:
        formula = [[rng.choice((1, -1)) * v for v in rng.sample(range(1, 8), 3)] for _ in range(45)]
        if not brute.is_satisfiable(formula):
            break
    known, lines = list(formula), []
    while not brute.is_rup(known, []):
        lemma = [rng.choice((1, -1)) * v for v in rng.sample(range(1, 8), rng.choice((1, 2, 2, 3)))]
        if brute.is_rup(known, lemma):
            known.append(lemma)
            lines.append(" ".join(map(str, [*lemma, 0])))
    return formula, [*lines, "0"]


def test_clauses_that_are_needed_already_are_preferred():
    """So few others become needed, and few clauses are left at the end."""
    rng = random.Random(3)
    given = kept = alive = 0
    for _ in range(30):
        formula, lines = a_wordy_proof(rng)
        trimmed = trim_proof(formula, lines)
        left = check_trimmed(formula, lines, trimmed)
        given += len(lines)
        kept += sum(not line.startswith("d") for line in trimmed)
        alive += len(left)
    assert (given, kept, alive) == (373, 212, 177)


def test_the_greatest_variable_that_is_trimmed(monkeypatch):
    formula = [[1], [-1], [90, 100]]
    assert trim_proof(formula, ["0"]) == ["d 90 100 0", "0"]
    monkeypatch.setattr(trim, "_MOST_VARIABLES", 100)
    assert trim_proof(formula, ["0"]) == ["d 90 100 0", "0"]
    monkeypatch.setattr(trim, "_MOST_VARIABLES", 99)
    assert trim_proof(formula, ["0"]) == ["0"]


def test_deletions_are_carried_out_in_any_order_of_literals_one_copy_each():
    """Without units nothing becomes true, so exactly those are left that a count of each clause leaves."""
    rng = random.Random(7)
    clauses = [
        [a * x, b * y] for x in range(1, 5) for y in range(x + 1, 6) for a in (1, -1) for b in (1, -1)
    ] + [[1, 2, 3], [-1, 2, -3]]  # fmt: skip
    for _ in range(20):
        formula = [rng.choice(clauses) for _ in range(rng.choice((3, 60)))]
        there = Counter(map(frozenset, formula))
        lines = []
        for _ in range(rng.choice((3, 80))):
            clause = rng.choice(clauses)
            clause = rng.sample(clause, len(clause))
            deleted = rng.random() < 0.7
            lines.append(("d " if deleted else "") + " ".join(map(str, [*clause, 0])))
            there[frozenset(clause)] += -1 if deleted and there[frozenset(clause)] else not deleted
        state = trim._prepared(trim._plain(formula), lines)
        trim._replay(state, 0, len(state.target))
        every = [*formula, *map(literals, lines)]
        assert Counter(frozenset(every[c]) for c in np.flatnonzero(state.active)) == +there


@pytest.mark.parametrize("reason", [[2, -1], [-1, 2], [-1, 2, -3], [-3, -1, 2], [2, -3, -1]])
@pytest.mark.parametrize("lines", [["1 0"], []])
def test_only_reasons_outlive_their_deletion(reason, lines):
    """1 makes 2 true; another clause that 2 makes true is no reason, and units are never deleted."""
    formula = [[3], [3], reason, [2, 4, 5], [4, 2], [-4, 5], [4, -5, 6]]
    formula += [] if lines else [[1]]
    lines = [*lines, "d 2 5 4 0", *(f"d {' '.join(map(str, clause))} 0" for clause in (reason, [2, 4], [3], [5, -4]))]
    state = trim._prepared(trim._plain(formula), lines)
    trim._replay(state, 0, len(state.target))
    assert [formula[c] for c in np.flatnonzero(state.active) if len(formula[c]) > 1] == [reason, [4, -5, 6]]


def test_proofs_that_delete_what_they_have_used_are_trimmed():
    """Deleted clauses take part again when the lines are undone, whether or not they still stand in a list."""
    rng = random.Random(9)
    trimmed_ones = 0
    for _ in range(60):
        formula, lines = a_wordy_proof(rng)
        known = [list(clause) for clause in formula]
        shortened = []
        for line in lines:
            while rng.random() < 0.5:
                gone = rng.choice(known)
                if len(gone) > 1:
                    known.remove(gone)
                    shortened.append(" ".join(map(str, ["d", *rng.sample(gone, len(gone)), 0])))
            shortened.append(line)
            known.append(literals(line))
        trimmed = trim_proof(formula, shortened)
        if trimmed != shortened:
            trimmed_ones += 1
            check_trimmed(formula, shortened, trimmed)
    assert trimmed_ones == 26
