"""Proofs that a list of solutions is complete: another program accepts them, and no changed one."""

import re

import pytest
from hypothesis import assume, given

from jigsat import read, read_dissection
from jigsat.api.certify import certify
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.proofs.certify_exactly import Answer
from native_search import solutions_of
from property_tests import examples
from strategies import puzzles
from veripb_check import Refused, complete_enumeration

SMALL = [(1, 1), (1, 3), (2, 2), (2, 3), (3, 3)]
# MacMahon's squares of two colours; exchanging these makes the same set.
SIX = (1, 1, 1, 1), (1, 1, 1, 2), (1, 1, 2, 2), (1, 2, 1, 2), (1, 2, 2, 2), (2, 2, 2, 2)


def proved(puzzle, folder):
    """What is known about the number of solutions, and that of the models, which the checker says."""
    found = certify(puzzle, proof=folder / "all.pbp")
    models = complete_enumeration((folder / "all.opb").read_text(), (folder / "all.pbp").read_text())
    assert found.proof["models"] == models
    return found, models


@pytest.mark.parametrize(
    ("name", "number"), [("scramble-squares", 1), ("tetravex-4x4", 1), ("perfect-5x5", 2), ("three-solutions-6x6", 3)]
)
def test_bundled_boards(name, number, tmp_path):
    found, models = proved(read(name), tmp_path)
    assert (found.answer, len(found.solutions), models) == (Answer.EXACTLY, number, number)
    assert (found.proved, found.decided) == (False, True)


@pytest.mark.parametrize(
    ("name", "number", "models"), [("tangram-cat", 2, 2), ("l-shape", 4, 6), ("sei-shonagon", 3, 6)]
)
def test_bundled_dissections(name, number, models, tmp_path):
    """Where no piece breaks all symmetries, several models are the same tiling."""
    found, listed = proved(read_dissection(name).with_motions("lattice"), tmp_path)
    assert (len(found.solutions), listed) == (number, models)
    assert (f"lists {models} models" in found.proof["states"]) == (models != number)


@examples(12, quick=6)
@given(puzzles(sizes=SMALL))
def test_agrees_with_the_search(tmp_path_factory, puzzle):
    """Both rules, fixed and spare pieces, identical and symmetric ones."""
    solutions = solutions_of(puzzle)
    assume(len(solutions) <= 200)
    found, models = proved(puzzle, tmp_path_factory.mktemp("proof"))
    assert len(found.solutions) == len(solutions) <= models


def test_mirror_images_and_exchanges_of_colors_are_broken(tmp_path):
    """The proof has one of eight boards, the list every one up to the half turn."""
    puzzle = EdgeMatchingPuzzle(2, 3, SIX, rim="any")
    found, models = proved(puzzle, tmp_path)
    assert (len(found.solutions), models) == (len(solutions_of(puzzle)), 52)
    assert models * 4 == len(found.solutions)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number", "models"),
    [
        ("puzzle-a", 40, 40),
        ("ostomachion", 536, 536),
        ("pentominoes-6x10", 2_339, 2_339),
        ("macmahon-24", 53_312, 13_328),
    ],
)
def test_the_published_numbers(name, number, models, tmp_path):
    found, listed = proved(read(name), tmp_path)
    assert (len(found.solutions), listed) == (number, models)


# ---- what is refused


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The formula and the proof of a puzzle with 52 models."""
    folder = tmp_path_factory.mktemp("proof")
    certify(EdgeMatchingPuzzle(2, 3, SIX, rim="any"), proof=folder / "all.pbp")
    return (folder / "all.opb").read_text(), (folder / "all.pbp").read_text()


@pytest.mark.parametrize(
    ("pattern", "instead", "reason"),
    [
        (r"solx [^\n]*\n", "", "does not follow"),  # a missing solution
        (r"(solx [^\n]*\n)", r"\1\1", "not a solution"),  # the same one again
        (r"solx x(\d+) ", r"solx ~x\1 ", "not a solution"),
        (r"COMPLETE 52", "COMPLETE 53", "another number"),
        (r"rup 1 ~x\d+ 1 ~x\d+ >=", "rup >=", "does not follow"),  # a wrong clause
        (r"del id \d+", "del id 1", "not a derived constraint"),
        (r"f \d+", "f 1", "another number of constraints"),
        (r" : \d+ ;\nend", " : 1 ;\nend", "not a contradiction"),
        (r"output", "a >= 1 ;\noutput", "unknown step"),  # an assertion without a proof
        (r"conclusion[^\n]*\n", "", "no conclusion"),
        (r"end [^\n]*\n", "", "no conclusion"),
        (r"(conclusion[^\n]*\n)", r"\1solx x1 ;\n", "a step after the conclusion"),
        (r"solx x(\d+) ", r"solx x\1 x\1 ", "a variable is there twice"),
        (r"solx x\d+ ", "solx x99999999 ", "an unknown variable"),
        (r"f (\d+)", r"f 0_\1", "an unknown character"),
    ],
)
def test_a_changed_proof_is_refused(texts, pattern, instead, reason):
    formula, proof = texts
    changed = re.sub(pattern, instead, proof, count=1)
    assert changed != proof
    with pytest.raises(Refused, match=reason):
        complete_enumeration(formula, changed)


def test_the_proof_of_another_formula_is_refused(texts):
    """A constraint less has more models, so that a clause does not follow, or the number is wrong."""
    formula, proof = texts
    lines = formula.splitlines(keepends=True)
    lines[-1] = lines[-2]
    with pytest.raises(Refused):
        complete_enumeration("".join(lines), proof)


def test_options_and_puzzles_that_have_no_such_proof(tmp_path):
    path = tmp_path / "all.pbp"
    for puzzle, options in (("scramble-squares", {"solver": "glucose4"}), ("perigal", {}), ("decagon", {})):
        with pytest.raises(JigsatError):
            certify(puzzle, proof=path, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("said", "checked"),
    [
        ("s VERIFIED COMPLETE ENUMERATION OF 1 SOLUTIONS", True),
        ("s VERIFIED COMPLETE ENUMERATION OF 2 SOLUTIONS", False),
        ("s VERIFIED PARTIAL ENUMERATION OF 1 SOLUTIONS", False),
        ("", False),
    ],
)
def test_veripb_is_asked_where_it_is_installed(said, checked, tmp_path, monkeypatch):
    program = tmp_path / "veripb"
    program.write_text(f'#!/bin/sh\n[ -s "$1" ] && [ -s "$2" ] && echo "{said}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = certify("scramble-squares", proof=tmp_path / "all.pbp")
    assert (found.proved, found.decided, found.proof["checkers"]) == (checked, checked, ["veripb"])
