"""Certificates: claims that are proved, and everything that must not pass as proved."""

import hashlib
import json
import shutil
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run
from jigsat import best, count, solve, verify
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.models.proofs.board_claims import Claim
from jigsat.models.proofs.certificate import certify
from property_tests import examples
from strategies import puzzles

ENGINE = "sat:cadical195"


def spoiled(size, frame, inner, seed=1):
    """A planted puzzle with one side of an inner piece recoloured: no solution, since its colours are odd in number."""
    puzzle = deal_edge_matching(size, size, frame, inner, seed=seed).puzzle
    pieces = [list(sides) for sides in puzzle.pieces]
    changed = next(sides for sides in pieces if 0 not in sides)
    changed[0] = next(color for sides in pieces if 0 not in sides for color in sides if color != changed[0])
    return replace(puzzle, pieces=tuple(map(tuple, pieces)))


@pytest.mark.parametrize(
    ("size", "frame", "inner"),
    [
        *((3, 2, 2), (4, 2, 3), (5, 3, 4)),
        *(pytest.param(*sizes, marks=pytest.mark.slow) for sizes in ((6, 4, 6), (7, 4, 12), (8, 5, 14))),
    ],
)
def test_that_there_is_no_solution_is_proved(tmp_path, size, frame, inner):
    """Sets with one side recoloured, up to 8x8; a proof of another formula, or none, would not be accepted."""
    puzzle = spoiled(size, frame, inner)
    result = solve(puzzle, engine=ENGINE, proof=str(tmp_path / "p.drat"))
    assert (result.status, result.proof["checked"]) == (Status.UNSATISFIABLE, True)
    verdict = verify(puzzle, tmp_path / "p.drat.json")
    assert verdict.holds, verdict.reason
    assert "has no solution" in verdict.states


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("encoding", ["pairs", "seams+sequential", "direct", "diamond", "pairs+pieces+checkerboard"])
def test_every_encoding_has_its_proof(tmp_path, encoding):
    puzzle = spoiled(4, 2, 3)
    result = solve(puzzle, engine=ENGINE, encoding=encoding, proof=str(tmp_path / "p.drat"))
    assert result.proof["checked"]
    assert verify(puzzle, tmp_path / "p.drat.json").holds


@pytest.mark.parametrize("solver", ["glucose4", "lingeling", "cadical153", "maplecm"])
def test_other_solvers_prove_it_too(tmp_path, solver):
    result = solve(spoiled(4, 2, 3), engine=f"sat:{solver}", proof=str(tmp_path / "p.drat"))
    assert result.proof["checked"]


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


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A puzzle without solutions, and the folder of its certificate."""
    puzzle, folder = spoiled(4, 2, 3), tmp_path_factory.mktemp("certificate")
    solve(puzzle, engine=ENGINE, proof=str(folder / "p.drat"))
    return puzzle, folder


@pytest.fixture
def proved(certificate, tmp_path):
    """The same with copies of the files, to be changed."""
    puzzle, folder = certificate
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return puzzle, tmp_path


def rewrite(folder, name, lines):
    """Another formula or proof, and a page that knows of it."""
    text = "\n".join(lines) + "\n"
    (folder / name).write_text(text)
    which = "formula" if name.endswith(".cnf") else "proof"
    change_page(folder, **{which: {"file": name, "sha256": hashlib.sha256(text.encode()).hexdigest()}})


def change_page(folder, **entries):
    page = json.loads((folder / "p.drat.json").read_text())
    (folder / "p.drat.json").write_text(json.dumps(page | entries))


def test_a_formula_that_says_something_else_is_not_accepted(proved):
    """A clause more in the formula proves nothing about the puzzle."""
    puzzle, folder = proved
    lines = (folder / "p.drat.cnf").read_text().splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith("p "))
    lines[header + 1] = "-1 0" if lines[header + 1] == "1 0" else "1 0"
    rewrite(folder, "p.drat.cnf", lines)
    verdict = verify(puzzle, folder / "p.drat.json")
    assert not verdict.holds
    assert "not the formula of this claim" in verdict.reason


def test_a_proof_cut_short_is_not_accepted(proved):
    puzzle, folder = proved
    lines = (folder / "p.drat").read_text().splitlines()
    (folder / "p.drat").write_text("\n".join(lines) + "\nd 1 0\n")
    assert "not the file" in verify(puzzle, folder / "p.drat.json").reason
    rewrite(folder, "p.drat", lines[:-1])
    verdict = verify(puzzle, folder / "p.drat.json")
    assert not verdict.holds
    assert "empty clause is not derived" in verdict.reason


def test_a_claim_about_scores_must_mean_what_it_says(tmp_path):
    """Without invalid joins the formula has no model for any puzzle without solution; nor does one whose best boards
    are excluded: neither says anything about scores."""
    puzzle = deal_edge_matching(3, 3, 2, 2, seed=1).puzzle
    every = find_engine("backtrack").run(puzzle, Goal.ALL, options=Options(symmetry=False)).solutions
    order = tuple(range(9))
    for puzzle_, excluded, score, slips in ((puzzle, every, 11, (1,) * 4), (spoiled(3, 2, 2), (), 1, ())):
        claim = Claim(puzzle_, "pairs", order, slips, False, excluded, score)
        certify(claim, "cadical195", tmp_path / "p.drat", lambda: False)
        verdict = verify(puzzle_, tmp_path / "p.drat.json")
        assert not verdict.holds, verdict.states


def test_a_puzzle_may_change_its_name(proved):
    puzzle, folder = proved
    assert verify(replace(puzzle, name="another"), folder / "p.drat.json").holds


def test_a_stopped_proof_is_said_to_be_none(tmp_path):
    """The search was complete, so its result is; that there is no proof must not get lost."""
    claim = Claim(spoiled(4, 2, 3), "pairs", tuple(range(16)))
    found = certify(claim, "cadical195", tmp_path / "p.drat", lambda: True)
    assert not found["checked"]
    assert "stopped" in found["reason"]


def test_other_words_are_not_accepted(proved):
    """The words are what people read: they must be what the formula means."""
    puzzle, folder = proved
    change_page(folder, states="The puzzle has exactly one solution.")
    assert not verify(puzzle, folder / "p.drat.json").holds


def test_an_excluded_board_must_be_a_solution(proved):
    """Else a solution could be excluded under the name of another board."""
    puzzle, folder = proved
    board = [[[row * 4 + column + 1, 0] for column in range(4)] for row in range(4)]
    change_page(folder, excluded=[board])
    verdict = verify(puzzle, folder / "p.drat.json")
    assert not verdict.holds
    assert "is not a solution" in verdict.reason


def test_from_the_command_line(tmp_path, capsys):
    """Proof, page and verdict; what is proved is said in words, and `check` judges it again."""
    puzzle, instance, proof = spoiled(4, 2, 3), str(tmp_path / "puzzle.json"), str(tmp_path / "p.drat")
    save(puzzle, instance)
    status, out, _ = run(capsys, "solve", instance, "--engine", ENGINE, "--proof", proof)
    assert status == 0
    assert "checked by dratify" in out
    assert "has no solution" in out
    status, out, _ = run(capsys, "check", instance, str(tmp_path / "p.drat.json"))
    assert status == 0
    assert "has no solution" in out
    status, out, _ = run(capsys, "check", instance, str(tmp_path / "p.drat.json"), "--json")
    assert json.loads(out)["accepted"] is True
    (tmp_path / "p.drat").write_text("0\n")
    assert run(capsys, "check", instance, str(tmp_path / "p.drat.json"))[0] == 1


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
    assert "none: there is a solution" in out
    assert list(tmp_path.iterdir()) == []
