"""The functions that make and judge certificates do what the commands do."""

import re

import pytest

import jigsat as js
from command_line import run
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.stop import Stop
from jigsat.models.proofs.certify_exactly import certify_exactly


def test_certificates_of_dissections_are_judged(capsys, tmp_path):
    """By the same function and the same commands as those of squares."""
    proof = str(tmp_path / "p")
    options = ["--motions", "lattice", "--engine", "sat:cadical195", "--proof", proof, "--quiet"]
    assert run(capsys, "count", "tangram", *options)[0] == 0
    found = js.verify(js.read("tangram"), f"{proof}.json")
    assert found.holds
    verdict, about, formula = found.summary().splitlines()
    assert about.startswith("  The dissection 'tangram' (7 pieces) has exactly ")
    assert verdict.startswith("tangram: proved, checked by ")
    assert re.fullmatch(r"  Formula: all [\d ]+ clauses follow from the definition by the second encoder .*", formula)
    for command in (["certify", "tangram", "--verify"], ["check", "tangram"]):
        assert run(capsys, *command, f"{proof}.json") == (0, f"{found.summary()}\n", "")


def test_a_puzzle_without_a_certificate_is_told():
    with pytest.raises(InstanceError, match="clue1: no certificate is bundled with it"):
        js.verify(js.read("clue1"), "clue1")
    with pytest.raises(InstanceError, match="another puzzle"):
        js.verify(js.read("perfect-5x5"), "perfect-6x6")


@pytest.mark.parametrize(
    ("name", "encoding"), [("eternity2", "direct"), pytest.param("perfect-31x31", "direct", marks=pytest.mark.slow)]
)
def test_building_a_formula_is_stopped(name, encoding):
    """Would catch a limit that waits until millions of clauses are there, or until they have been handed over."""
    puzzle = js.read(name)
    found = certify_exactly(puzzle, 2, encoding=encoding, stop=Stop(0.2))
    assert (str(found.answer), found.ended_by) == ("undecided", "time")
    # Nothing is reported of a formula that was not made to its end.
    assert (found.variables, found.clauses) == (0, 0)
    assert len(found.solutions) == len(puzzle.assemblies)


@pytest.fixture
def certified(tmp_path, monkeypatch):
    """A certificate in the current folder; its puzzle."""
    monkeypatch.chdir(tmp_path)
    puzzle = js.read("perfect-5x5")
    js.certify(puzzle, solutions=2, proof="p")
    return puzzle


@pytest.mark.parametrize(("reason", "words"), [("time", "the time limit was reached"), ("interrupt", "interrupted")])
def test_a_proof_for_verified_checkers_that_was_not_written_is_told(tmp_path, monkeypatch, reason, words):
    """What is there is a certificate, and the message says how to go on."""

    def stopped(formula, proof, path, must_stop):
        must_stop.ended_by = reason

    monkeypatch.chdir(tmp_path)
    puzzle = js.read("perfect-5x5")
    with monkeypatch.context() as patched:
        patched.setattr("jigsat.models.proofs.trim.write_lrat", stopped)
        with pytest.raises(js.NotFoundError) as caught:
            js.certify(puzzle, solutions=2, proof="p", lrat="p.lrat")
    assert caught.value.ended_by == reason
    assert str(caught.value) == (
        f"p.lrat: not written: {words}; the certificate is complete, and "
        "`jigsat certify PUZZLE --verify p.json --lrat p.lrat` writes it"
    )
    assert not (tmp_path / "p.lrat").exists()
    assert js.verify(puzzle, "p.json", lrat="p.lrat").holds
    assert (tmp_path / "p.lrat").exists()


@pytest.mark.parametrize("file", ["p", "p.cnf", "p.json"])
def test_no_file_of_a_certificate_is_overwritten_by_its_proof_for_other_checkers(certified, tmp_path, file):
    before = (tmp_path / file).read_bytes()
    with pytest.raises(InstanceError, match="would be overwritten"):
        js.verify(certified, "p.json", lrat=f"./{file}")
    assert (tmp_path / file).read_bytes() == before


def test_a_page_from_standard_input_has_no_files_to_make_a_proof_for_other_checkers_from(certified, monkeypatch):
    """It was read a second time, as a file of the name -, after everything was checked."""
    monkeypatch.setattr("jigsat.models.proofs.certificate.verify_certificate", lambda *arguments: 1 / 0)
    with pytest.raises(InstanceError, match=r"^-: give the certificate's file; "):
        js.verify(certified, "-", lrat="p.lrat")


def test_what_is_kept_meanwhile_is_not_overwritten_by_the_proof_for_other_checkers(certified):
    with pytest.raises(js.UsageError, match="would replace a file of the certificate"):
        js.certify(certified, solutions=2, proof="q", lrat="./q.part")


@pytest.mark.parametrize(
    ("lrat", "message"),
    [
        ("-", "-: give a file for the proof in the format LRAT"),
        ("nowhere/p.lrat", "nowhere/p.lrat: cannot be written: No such file"),
        (".", "cannot be written: Is a directory"),
        ("/proc/p.lrat", "/proc/p.lrat: cannot be written: "),
    ],
)
def test_where_the_proof_for_verified_checkers_cannot_be_is_told_before_the_work(certified, monkeypatch, lrat, message):
    def worked(*arguments, **options):
        raise AssertionError("the work has begun")

    monkeypatch.setattr("jigsat.models.proofs.certify_exactly.certify_exactly", worked)
    monkeypatch.setattr("jigsat.models.proofs.certificate.verify_certificate", worked)
    with pytest.raises(InstanceError, match=message):
        js.certify(certified, solutions=2, proof="q", lrat=lrat)
    with pytest.raises(InstanceError, match=message):
        js.verify(certified, "p.json", lrat=lrat)
