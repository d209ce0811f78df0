"""The engines that solve models of dissections: their limits and proofs."""

import hashlib
import json
import re
from dataclasses import replace

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.files.variant import variant
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.models.proofs.tiling_certificate import verify_tilings

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


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["cpsat", "sat:cadical195"])
def test_the_number_of_tilings_of_the_ostomachion(engine):
    """Published: 17 152, which are 536 up to symmetry and the exchange of two pairs (Cutler 2003)."""
    result = run(engine, read_puzzle("ostomachion"), Goal.COUNT)
    assert (result.count, result.canonical_count, result.symmetry_factor) == (17152, 536, 32)
    assert result.complete


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
    _, verdict = verify_tilings(tmp_path / "p.drat.json", puzzle)
    assert verdict.accepted, verdict.reason


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
    states, verdict = verify_tilings(tmp_path / "p.drat.json", puzzle)
    assert verdict.accepted, verdict.reason
    number = result.canonical_count if symmetry else result.count
    assert (f"has exactly {number} tiling" if number else "has no tiling") in states
    if number and symmetry:
        assert re.search(rf"stands? for {result.count} with numbered pieces", states)


def test_there_is_a_proof_that_there_is_none_only_if_there_is_none(tmp_path):
    proof = str(tmp_path / "p.drat")
    assert run("sat", PUZZLES["none"], Goal.SOLVE, proof=proof).proof["checked"]
    assert run("sat", PUZZLES["l-shape"], Goal.SOLVE, proof=str(tmp_path / "q.drat")).proof is None
    assert run("sat", PUZZLES["l-shape"], limits=Limits(solutions=1), proof=str(tmp_path / "q.drat")).proof is None
    assert not list(tmp_path.glob("q*"))


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("encoding", ["telling", "wedges+sequential", "pairs", "colors+unpruned"])
def test_every_encoding_has_its_proof(tmp_path, encoding):
    puzzle = PUZZLES["two pairs"]
    result = run("sat:glucose4", puzzle, Goal.COUNT, encoding=encoding, proof=str(tmp_path / "p.drat"))
    assert result.method == encoding
    assert verify_tilings(tmp_path / "p.drat.json", puzzle)[1].accepted


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """The files of a certificate of the L."""
    folder = tmp_path_factory.mktemp("proved")
    assert run("sat", PUZZLES["l-shape"], proof=str(folder / "p.drat")).proof["checked"]
    return {path.name: path.read_text() for path in folder.iterdir()}


def judged(tmp_path, files, puzzle=PUZZLES["l-shape"]):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return verify_tilings(tmp_path / "p.drat.json", puzzle)[1]


def changed(files, **fields):
    """The same certificate with other fields on its page."""
    page = {**json.loads(files["p.drat.json"]), **fields}
    return {**files, "p.drat.json": json.dumps(page)}


def test_a_certificate_is_accepted_as_it_is(tmp_path, proved):
    assert judged(tmp_path, proved).accepted
    # Motions make no other puzzle: what is stated is of the lattice.
    assert judged(tmp_path, proved, read_puzzle("l-shape")).accepted


def test_tilings_that_are_left_out_added_or_wrong(tmp_path, proved):
    page = json.loads(proved["p.drat.json"])
    tilings = page["tilings"]
    for wrong, reason in (
        (tilings[1:], "statement does not follow"),
        ([*tilings, tilings[0]], f"tilings 1 and {len(tilings) + 1} are the same"),
        ([*tilings[:-1], _mirrored(tilings[0])], f"tilings 1 and {len(tilings)} are the same"),
        ([_with_overlap(tilings[0]), *tilings[1:]], "tiling 1 is not a solution: "),
    ):
        verdict = judged(tmp_path, changed(proved, tilings=wrong))
        assert not verdict.accepted
        assert reason in verdict.reason
    # With words that fit, the formula does not: what it excludes is not excluded by what is listed.
    words = page["states"].replace("exactly 4 tilings", "exactly 3 tilings").replace("the 4 that", "the 3 that")
    numbered = {words.replace("stand for 24", f"stand for {number}") for number in range(24)}
    verdicts = [judged(tmp_path, changed(proved, tilings=tilings[1:], states=states)) for states in sorted(numbered)]
    assert not any(verdict.accepted for verdict in verdicts)
    assert sum("is not the formula" in verdict.reason for verdict in verdicts) == 1


def _mirrored(tiling):
    """What exchanging x and y, a symmetry of the L, makes of a tiling."""
    return [{**placed, "vertices": [[y, x] for x, y in placed["vertices"]]} for placed in tiling]


def _with_overlap(tiling):
    """The first piece on top of the second, its like."""
    return [{**tiling[0], "vertices": tiling[1]["vertices"]}, *tiling[1:]]


@pytest.mark.parametrize("name", ["p.drat", "p.drat.cnf"])
def test_files_that_are_not_those_written(tmp_path, proved, name):
    verdict = judged(tmp_path, {**proved, name: proved[name] + "0\n"})
    assert not verdict.accepted
    assert "is not the file that was written with the page" in verdict.reason


def _with_digest(files, name, text):
    """The certificate with another formula or proof, and a page that matches it."""
    field = {"p.drat": "proof", "p.drat.cnf": "formula"}[name]
    digest = {"file": name, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return {**changed(files, **{field: digest}), name: text}


def test_a_formula_with_another_clause_and_a_proof_without_its_end(tmp_path, proved):
    clauses = proved["p.drat.cnf"].splitlines()
    clauses[-1] = clauses[-2]
    verdict = judged(tmp_path, _with_digest(proved, "p.drat.cnf", "\n".join(clauses) + "\n"))
    assert not verdict.accepted
    assert "is not the formula of this claim" in verdict.reason
    verdict = judged(tmp_path, _with_digest(proved, "p.drat", "1 0\n"))
    assert not verdict.accepted
    assert "the empty clause is not derived" in verdict.reason


def test_other_words_encodings_and_puzzles(tmp_path, proved):
    words = json.loads(proved["p.drat.json"])["states"].replace("l-shape", "ostomachion")
    assert "does not follow" in judged(tmp_path, changed(proved, states=words)).reason
    assert "is not the formula" in judged(tmp_path, changed(proved, encoding="wedges+sequential")).reason
    for fields, message in (
        ({"encoding": "none"}, "unknown CNF encoding"),
        ({"tilings": [[]]}, "piece 1 is missing"),
        ({"more": 1}, "not a certificate: more"),
        ({"formula": {"file": "../p.drat.cnf", "sha256": "0" * 64}}, "must be in the same folder"),
    ):
        with pytest.raises(InstanceError, match=message):
            judged(tmp_path, changed(proved, **fields))
    with pytest.raises(InstanceError, match="is of another puzzle"):
        judged(tmp_path, proved, PUZZLES["two pairs"])


@pytest.mark.slow
def test_that_the_ostomachion_has_no_other_tilings_is_proved(tmp_path):
    """Half a minute of processor time, and as much again to verify it."""
    puzzle = read_puzzle("ostomachion")
    result = run("sat", puzzle, Goal.COUNT, proof=str(tmp_path / "p.drat"))
    assert (result.count, result.proof["checked"]) == (17152, True)
    states, verdict = verify_tilings(tmp_path / "p.drat.json", puzzle)
    assert verdict.accepted
    assert "has exactly 536 tilings" in states
    assert "stand for 17152 with numbered pieces" in states
