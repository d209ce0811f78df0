"""The files of a certificate: where they cannot be, what stays if they cannot be written, links."""

import errno
import os
import shutil

import pytest

from jigsat import count, verify
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.errors import InstanceError
from jigsat.models.proofs.certificate_files import Files

ENGINE = "sat:cadical195"


@pytest.fixture(scope="module")
def puzzle():
    return make_edge_matching(3, 4, 2, 2, seed=9)


@pytest.mark.parametrize("path", ["/proc/p.drat", "n" * 252])
def test_where_they_cannot_be_is_told_before_the_search(puzzle, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jigsat.models.engines.sat.SolverProcess", lambda *arguments, **options: 1 / 0)
    with pytest.raises(InstanceError, match=rf"^{path}(\.cnf)?: cannot be written: ") as refused:
        count(puzzle, engine=ENGINE, proof=path)
    assert "\n" not in str(refused.value)
    assert os.listdir() == []


def test_names_may_be_as_long_as_the_system_permits(tmp_path):
    Files(tmp_path / ("n" * 250)).check()
    with pytest.raises(InstanceError, match=r"n\.json: cannot be written: File name too long$"):
        Files(tmp_path / ("n" * 251)).check()
    with pytest.raises(InstanceError, match="n/p: cannot be written: there is no folder "):
        Files(tmp_path / ("n" * 300) / "p").check()


@pytest.mark.parametrize("written", range(3))
def test_a_count_is_not_lost_with_its_proof(puzzle, written, tmp_path, monkeypatch):
    """Nor is an earlier certificate, whichever of the files the disk has no room for."""
    proof, copy, calls = tmp_path / "p.drat", shutil.copyfileobj, iter(range(9))
    result = count(puzzle, engine=ENGINE, proof=str(proof))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def full(source, target):
        if next(calls) == written:
            raise OSError(errno.ENOSPC, "No space left on device")
        copy(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copyfileobj", full)
        again = count(puzzle, engine=ENGINE, encoding="direct", proof=str(proof))
    ends = ("", ".cnf", ".json")
    reason = f"{proof}{ends[written]}: cannot be written: No space left on device"
    assert (again.count, again.complete) == (result.count, True)
    assert (again.proof["checked"], again.proof["reason"]) == (False, reason)
    assert f"  proof            none: {reason}\n" in again.summary()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_proof_may_be_a_link_to_another_file_system(puzzle, tmp_path, monkeypatch):
    """And keeps its permissions."""
    (tmp_path / "away").mkdir()
    kept, proof = tmp_path / "away" / "kept", tmp_path / "p.drat"
    kept.touch(mode=0o600)
    proof.symlink_to(kept)
    replace = os.replace

    def within_a_folder(source, target):
        if os.path.dirname(source) != os.path.dirname(target):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        replace(source, target)

    monkeypatch.setattr(os, "replace", within_a_folder)
    assert count(puzzle, engine=ENGINE, proof=str(proof)).proof["checked"]
    assert proof.is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert verify(puzzle, f"{proof}.json").holds
