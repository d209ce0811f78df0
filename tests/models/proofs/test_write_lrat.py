"""Proofs in the format LRAT: a plain checker accepts them, and refuses what is changed in them."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pysat.solvers import Solver

from brute_force_proof import is_satisfiable
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.file_format import bundled_certificate
from jigsat.models.proofs.check_proof import check_lrat
from jigsat.models.proofs.trim import hinted_proof, lrat_lines, write_lrat
from lrat_check import accepts
from property_tests import examples


def dimacs(clauses):
    return "\n".join(["p cnf 9 1", *(" ".join(map(str, [*clause, 0])) for clause in clauses)])


def lrat_of(clauses, solver="cadical195"):
    """The proof of a solver in the format LRAT; None if the formula has a model."""
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as made:
        if made.solve():
            return None
        proof = [*(made.get_proof() or []), "0"]
    return "\n".join(lrat_lines(clauses, hinted_proof(clauses, proof) or ()))


FORMULAS = st.lists(
    st.lists(st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v])), min_size=1, max_size=3), max_size=30
)


@examples(300, quick=60)
@given(FORMULAS, st.sampled_from(["cadical195", "glucose4"]))
@example([[1, 1, -2], [1, 2], [-1, 2], [-1, -2]], "cadical195")  # whose proof deletes the first clause as it is here
def test_proofs_of_many_formulas_are_accepted(clauses, solver):
    """Repeated literals and clauses that are always true among them; the last lemma is empty."""
    made = lrat_of(clauses, solver)
    assert (made is None) == is_satisfiable(clauses)
    assert made is None or accepts(dimacs(clauses), made)


@pytest.mark.parametrize("name", ["perfect-5x5", "crystal-7x7", "jigsaw-5x6"])
def test_bundled_proofs_are_accepted_and_changed_ones_are_not(tmp_path, name):
    """With a hint less a lemma does not follow, as no hint is there without need; nor does a lemma without a literal
    that it needs; and without the last line nothing is refuted."""
    page = bundled_certificate(name)
    formula, proof = page.with_suffix(".cnf"), page.with_suffix("")
    made = tmp_path / "p.lrat"
    number = write_lrat(formula, proof, made)
    lines = made.read_text().splitlines()
    lemmas = [at for at, line in enumerate(lines) if line.split()[1] != "d"]
    cnf = formula.read_text()
    assert number == len(lemmas)
    assert accepts(cnf, "\n".join(lines))
    assert not accepts(cnf, "\n".join(lines[:-1]))
    for at in random.Random(1).sample(lemmas, min(5, len(lemmas))):
        *start, hint, end = lines[at].split()
        assert not accepts(cnf, "\n".join([*lines[:at], " ".join([*start, end]), *lines[at + 1 :]])), (at, hint)


def test_what_has_no_hints_is_not_written(tmp_path):
    """A lemma that is RAT only, and a proof that does not end."""
    (tmp_path / "f.cnf").write_text("p cnf 3 3\n1 2 0\n-1 2 0\n1 -2 0\n")
    for lines in ("3 0\n0\n", "2 0\n", ""):
        (tmp_path / "f.drat").write_text(lines)
        assert write_lrat(tmp_path / "f.cnf", tmp_path / "f.drat", tmp_path / "f.lrat") is None
    assert not (tmp_path / "f.lrat").exists()
    with pytest.raises(InstanceError):
        write_lrat(tmp_path / "no.cnf", tmp_path / "f.drat", tmp_path / "f.lrat")


def test_lines_end_where_they_do_for_other_checkers(tmp_path):
    """A comment with another line break counted as clauses, so that all numbers after it were wrong."""
    formula = "p cnf 2 4\n1 2 0\n1 -2 0\r\n \n-1 2 0\n-1 -2 0\n"
    for end in ("\x0b", "\x0c", "\x1c", "\x85", "\u2028"):
        (tmp_path / "f.cnf").write_text(f"c one{end}1 0 two\n{formula}", encoding="utf-8", newline="")
        (tmp_path / "f.drat").write_text("1 0\r\n0\n", newline="")
        assert write_lrat(tmp_path / "f.cnf", tmp_path / "f.drat", tmp_path / "f.lrat") == 2
        assert accepts(dimacs([[1, 2], [1, -2], [-1, 2], [-1, -2]]), (tmp_path / "f.lrat").read_text())


def test_hints_are_collected_in_slices(monkeypatch):
    """However little room there is for them."""
    clauses = [[s * v for s, v in zip(signs, (1, 2, 3, 4), strict=True)] for signs in _signs(4)]
    whole = lrat_of(clauses)
    monkeypatch.setattr("jigsat.models.proofs.trim._HINTS", 1)
    assert lrat_of(clauses) == whole
    assert accepts(dimacs(clauses), whole)


def _signs(number):
    return [()] if number == 0 else [(sign, *rest) for sign in (1, -1) for rest in _signs(number - 1)]


@pytest.mark.parametrize(("said", "checkers"), [("s VERIFIED UNSAT", ["cake_lpr"]), ("s NOT VERIFIED", None)])
def test_an_installed_checker_is_asked(said, checkers, tmp_path, monkeypatch):
    """It is given the formula and the proof; its refusal is an error."""
    program = tmp_path / "cake_lpr"
    program.write_text(f'#!/bin/sh\n[ "$1 $2" = "all.cnf all.lrat" ] && echo "{said}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    if checkers is None:
        with pytest.raises(InstanceError, match=r"all\.lrat: cake_lpr does not accept it \(exit 0\)"):
            check_lrat("all.cnf", "all.lrat")
    else:
        assert check_lrat("all.cnf", "all.lrat") == checkers
