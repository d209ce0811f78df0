"""Certificates: claims that are proved; where their files cannot be, and what stays if they cannot be written."""

import errno
import json
import os
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run
from jigsat import best, count, solve, verify
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.models.proofs import certificate
from property_tests import examples
from small_puzzles import spoiled
from strategies import puzzles

ENGINE = "sat:cadical195"


LARGE = [
    pytest.param(*size, None, "cadical195", marks=pytest.mark.slow) for size in ((6, 4, 6), (7, 4, 12), (8, 5, 14))
]


@pytest.mark.parametrize(
    ("size", "frame", "inner", "encoding", "solver"),
    [
        *((size, frame, inner, None, "cadical195") for size, frame, inner in ((3, 2, 2), (5, 3, 4))),
        *((4, 2, 3, name, "cadical195") for name in ("seams+sequential", "direct", "diamond", "pairs+pieces+parity")),
        *((4, 2, 3, None, solver) for solver in ("glucose4", "lingeling", "cadical153", "maplecm")),
        *LARGE,
    ],
)
def test_that_there_is_no_solution_is_proved(tmp_path, size, frame, inner, encoding, solver):
    """Sets with one side recoloured, up to 8x8; a proof of another formula, or none, would not be accepted."""
    puzzle = spoiled(size, frame, inner)
    result = solve(puzzle, engine=f"sat:{solver}", encoding=encoding, proof=str(tmp_path / "p.drat"))
    assert (result.status, result.proof["checked"]) == (Status.UNSATISFIABLE, True)
    verdict = verify(puzzle, tmp_path / "p.drat.json")
    assert verdict.holds, verdict.reason
    assert "has no solution" in verdict.states


@pytest.mark.parametrize("symmetry", [True, False])
def test_that_there_is_no_further_solution_is_proved(tmp_path, symmetry):
    """The formula excludes all that was found, and the page lists it; one board less and it would have a model."""
    puzzle = deal_edge_matching(4, 4, 2, 3, seed=3).puzzle
    result = count(puzzle, engine=ENGINE, symmetry=symmetry, proof=str(tmp_path / "p.drat"))
    assert result.complete
    assert result.proof["checked"]
    page = json.loads((tmp_path / "p.drat.json").read_text())
    assert len(page["excluded"]) == (result.canonical_count if symmetry else result.count)
    assert verify(puzzle, tmp_path / "p.drat.json").holds
    page["excluded"].pop()
    (tmp_path / "p.drat.json").write_text(json.dumps(page))
    assert not verify(puzzle, tmp_path / "p.drat.json").holds


@pytest.mark.parametrize(
    ("size", "seed"), [(4, 2), (4, 5), *(pytest.param(5, seed, marks=pytest.mark.slow) for seed in (2, 4))]
)
def test_that_no_score_is_better_is_proved(tmp_path, size, seed):
    """On sets without a solution; the backtracker and the other engines find the same score."""
    puzzle = deal_edge_matching(size, size, 3, 4 + size % 2, random=True, seed=seed).puzzle
    result = best(puzzle, engine=ENGINE, proof=str(tmp_path / "p.drat"))
    others = [best(puzzle, engine=engine) for engine in ("backtrack", "cpsat", "maxsat:rc2")]
    assert {(other.status, other.best_bound) for other in others} == {(result.status, result.best_bound)}
    if result.status is Status.OPTIMAL and result.best_score == result.max_score:
        assert result.proof is None  # nothing is to be proved
        return
    assert result.proof["checked"]
    verdict = verify(puzzle, tmp_path / "p.drat.json")
    assert verdict.holds
    if result.status is Status.OPTIMAL:
        assert f"more than {result.best_score} of {result.max_score} joins valid" in verdict.states
        page = json.loads((tmp_path / "p.drat.json").read_text())
        page["score"] -= 1
        page["states"] = verdict.states.replace(f"than {result.best_score}", f"than {result.best_score - 1}")
        (tmp_path / "p.drat.json").write_text(json.dumps(page))
        assert not verify(puzzle, tmp_path / "p.drat.json").holds


TINY = [(1, 1), (1, 3), (2, 2), (2, 3)]
SLIPS = st.sampled_from(["", "2,4", "1x9"])


@examples(10, quick=4)
@given(puzzles(sizes=TINY), st.booleans(), SLIPS)
def test_whatever_is_complete_is_proved(tmp_path_factory, puzzle, symmetry, slips):
    """Puzzles of every sort: spare, fixed, identical and symmetric pieces, slips; both rules."""
    check_proof_of(tmp_path_factory, puzzle, symmetry, slips)


def check_proof_of(tmp_path_factory, puzzle, symmetry, slips):
    folder = tmp_path_factory.mktemp("proof")
    slips = slips or None
    if slips == "2,4" and len(puzzle.board) < 4:
        return
    goal, limits = Goal.ALL, Limits(seconds=20)
    options = Options(symmetry=symmetry, slips=slips, proof=str(folder / "p.drat"))
    result = find_engine(ENGINE).run(puzzle, goal, limits, options)
    if result.count > 200:
        return
    assert result.proof["checked"], result.proof
    assert verify(puzzle, folder / "p.drat.json").holds


def test_files_that_would_replace_each_other_are_refused(tmp_path, capsys, monkeypatch):
    """The instance, the solutions and the certificate's three files are five different ones."""
    monkeypatch.chdir(tmp_path)
    save(spoiled(4, 2, 3), "p.json")
    for proof, *more in (
        ("p",), ("p.json",), ("-",), ("x", "-o", "x"), ("x", "-o", "x.json"), ("x", "-o", "./x.cnf"),
        ("x.json.part", "-o", "x.json"),
    ):  # fmt: skip
        status, out, err = run(capsys, "solve", "p.json", "--engine", ENGINE, "--proof", proof, *more)
        assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


def test_a_solvable_puzzle_has_no_proof_and_the_command_says_so(tmp_path, capsys):
    status, out, _ = run(capsys, "solve", "clue3", "--engine", ENGINE, "--proof", str(tmp_path / "p.drat"))
    assert status == 0
    assert "No proof: there is a solution" in out
    assert list(tmp_path.iterdir()) == []


# ---- files


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


STEPS = ["temporary_folder", "check_proof", "replacing", "replacing_bytes"]


@pytest.mark.parametrize("fault", [*STEPS, 0, 1, 2])
def test_a_count_is_not_lost_with_its_proof(puzzle, fault, tmp_path, monkeypatch):
    """Nor is an earlier certificate, at whatever step, or with whichever of the files, the disk is full."""
    proof, copy, calls = tmp_path / "p.drat", shutil.copyfileobj, iter(range(9))
    result = count(puzzle, engine=ENGINE, proof=str(proof))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def full(*arguments, **options):
        if fault in STEPS or next(calls) == fault:
            raise OSError(errno.ENOSPC, "No space left on device")
        copy(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(*((certificate, fault) if fault in STEPS else (shutil, "copyfileobj")), full)
        again = count(puzzle, engine=ENGINE, encoding="direct", proof=str(proof))
    end = "" if fault in STEPS else ("", ".cnf", ".json")[fault]
    reason = f"{proof}{end}: cannot be written: No space left on device"
    assert (again.count, again.complete) == (result.count, True)
    assert (again.proof["checked"], again.proof["reason"]) == (False, reason)
    assert f"  No proof: {reason}" in again.summary()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    count(puzzle, engine=ENGINE, encoding="direct", proof=str(proof))
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in before}
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} != before
