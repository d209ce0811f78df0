"""The engines that solve models of dissections: their limits and proofs."""

import re
from dataclasses import replace

import pytest

from jigsat.api.certify import verify
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.files.variant import variant
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions

SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
PUZZLES = {
    **{name: replace(read_puzzle(name), motions=Motions.LATTICE) for name in ("four-triangles", "l-shape")},
    "two pairs": DissectionPuzzle(
        ((0, 0), (4, 0), (4, 2), (0, 2)),
        (*[((0, 0), (2, 0), (0, 1))] * 2, *[((0, 0), (1, 0), (1, 2), (0, 2))] * 2, ((0, 0), (2, 0), (2, 1), (0, 1))),
        Motions.LATTICE,
    ),
    # The areas are right, but beside the square there is no room for so long a piece.
    "none": DissectionPuzzle(((0, 0), (3, 0), (3, 2), (0, 2)), (SQUARE, ((0, 0), (4, 0), (0, 1))), Motions.LATTICE),
}


def run(engine, puzzle, goal=Goal.ALL, limits=NO_LIMITS, **options):
    return find_engine(engine, goal, kind="dissection").run(puzzle, goal, limits, Options(**options))


@pytest.mark.parametrize("solver", ["glucose4", "minisat22", "cadical153", "kissat404"])
def test_other_solvers_answer_the_same(solver):
    result = run(f"sat:{solver}", PUZZLES["l-shape"], Goal.COUNT)
    assert (result.count, result.canonical_count, result.complete) == (24, 4, True)


def test_several_threads_solve():
    assert run("cpsat", PUZZLES["two pairs"], Goal.SOLVE, threads=2, seed=3).status is Status.SATISFIABLE


#: Twelve congruent squares, each by itself: 12! tilings, which no one waits for.
ENDLESS = DissectionPuzzle(((0, 0), (4, 0), (4, 3), (0, 3)), (((0, 0), (1, 0), (1, 1), (0, 1)),) * 12, Motions.LATTICE)


@pytest.mark.parametrize("engine", ["cpsat", "sat:cadical195"])
def test_time_ends_it(engine):
    """Before it begins, while it solves, and while a model is built that takes half a minute to solve."""
    for puzzle, seconds in ((ENDLESS, 0.0), (ENDLESS, 0.3), (read_puzzle("ostomachion"), 0.1)):
        result = run(engine, puzzle, Goal.COUNT, Limits(seconds=seconds), symmetry=False)
        assert (result.complete, result.ended_by) == (False, "time")


@pytest.mark.parametrize(
    ("name", "asked", "counts"),
    [
        # Pieces that are not convex, round a hole, and as a rectangle; some pieces that are not turned over.
        ("pentominoes-8x8", {"pieces": "3,5,8,11", "target": "6x4", "hole": "2x2@2,1"}, (4, 1)),
        ("pentominoes-8x8", {"pieces": "3,5,8", "target": "5x3"}, (4, 1)),
        ("tangram", {"pieces": "5,7,4", "target": "2x1", "no_flip": True}, (2, 1)),
    ],
)
def test_variants_have_proofs(tmp_path, name, asked, counts):
    puzzle = variant(read_puzzle(name), **asked)
    result = run("sat", puzzle, Goal.COUNT, proof=str(tmp_path / "p.drat"))
    assert result.proof["checked"], result.proof["reason"]
    assert (result.count, result.canonical_count) == counts
    verdict = verify(puzzle, tmp_path / "p.drat.json")
    assert verdict.holds, verdict.reason


def puzzles_and_symmetry():
    """Every puzzle with and without symmetry breaking; half of them by hand."""
    for name in PUZZLES:
        for symmetry in (True, False):
            quick = name == "l-shape" or symmetry != (name == "four-triangles")
            yield pytest.param(name, symmetry, marks=[] if quick else [pytest.mark.slow])


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(("name", "symmetry"), list(puzzles_and_symmetry()))
def test_that_there_are_no_other_tilings_is_proved(tmp_path, name, symmetry):
    puzzle = PUZZLES[name]
    result = run("sat", puzzle, Goal.COUNT if symmetry else Goal.ALL, symmetry=symmetry, proof=str(tmp_path / "p.drat"))
    assert result.proof["checked"], result.proof["reason"]
    verdict = verify(puzzle, tmp_path / "p.drat.json")
    assert verdict.holds, verdict.reason
    number = result.canonical_count if symmetry else result.count
    assert (f"has exactly {number} tiling" if number else "has no tiling") in verdict.states
    if number and symmetry:
        assert re.search(rf"stands? for {result.count} with numbered pieces", verdict.states)


def test_there_is_a_proof_that_there_is_none_only_if_there_is_none(tmp_path):
    proof = str(tmp_path / "p.drat")
    assert run("sat", PUZZLES["none"], Goal.SOLVE, proof=proof).proof["checked"]
    assert run("sat", PUZZLES["l-shape"], Goal.SOLVE, proof=str(tmp_path / "q.drat")).proof is None
    assert run("sat", PUZZLES["l-shape"], limits=Limits(solutions=1), proof=str(tmp_path / "q.drat")).proof is None
    assert not list(tmp_path.glob("q*"))


@pytest.mark.slow
def test_that_the_ostomachion_has_no_other_tilings_is_proved(tmp_path):
    """Published: 17 152, which are 536 up to symmetry and the exchange of two pairs (Cutler 2003).

    Half a minute of processor time, and as much again to verify it.
    """
    puzzle = read_puzzle("ostomachion")
    known = run("cpsat", puzzle, Goal.COUNT)
    assert (known.count, known.canonical_count, known.symmetry_factor, known.complete) == (17152, 536, 32, True)
    result = run("sat", puzzle, Goal.COUNT, proof=str(tmp_path / "p.drat"))
    assert (result.count, result.canonical_count, result.proof["checked"]) == (17152, 536, True)
    verdict = verify(puzzle, tmp_path / "p.drat.json")
    assert verdict.holds
    assert "has exactly 536 tilings" in verdict.states
    assert "stand for 17152 with numbered pieces" in verdict.states
