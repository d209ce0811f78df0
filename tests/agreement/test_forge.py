"""The program that forges certificates finds none that is false, and finds those that a careless checker accepts."""

import re

import pytest

import forge
import in_c
import list_forgeries
from jigsat.models.proofs import certificate
from jigsat.models.proofs.check_proof import ProofCheck

pytestmark = pytest.mark.skipif(not in_c.compiler(), reason="there is no C compiler")


def forged(folder, capsys, number, seed):
    status = forge.main(["--forgeries", str(number), "--seed", seed, "-o", str(folder)])
    said = capsys.readouterr().out
    numbers = re.search(r"^(\d+) forgeries, (\d+) accepted, of which (\d+) false; \d+ s$", said, re.M)
    return status, [*map(int, numbers.groups())], said


def test_no_forgery_is_false(tmp_path, capsys):
    status, (made, accepted, false), said = forged(tmp_path / "forged", capsys, 100, "quick")
    assert (status, made, false) == (0, 100, 0), said
    assert 0 < accepted < 60
    assert all(f"certificates: {kind}" in said for kind in forge.KINDS)
    assert not (tmp_path / "forged").exists()


def test_false_ones_are_found_and_left(tmp_path, capsys, monkeypatch):
    """Any proof, and any number of solutions, is accepted."""
    careless = ProofCheck(accepted=True, reason="", checkers=(), lemmas=0, seconds=0.0)
    monkeypatch.setattr(certificate, "check_proof", lambda *given: careless)
    monkeypatch.setattr(list_forgeries, "complete_enumeration", lambda formula, proof: proof.count("solx"))
    status, (_, _, false), said = forged(tmp_path, capsys, 60, "quick")
    assert status == 1
    assert false > 3
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert {"puzzle.json", "p.json", "list.pbp"} <= {*left}, said
