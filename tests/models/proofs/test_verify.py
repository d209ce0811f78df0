"""Certificates of every kind that were tampered with: nothing but what was proved passes as proved."""

import hashlib
import json
import re
import shutil
from dataclasses import replace
from itertools import product

import pytest

from command_line import run
from jigsat import count, make_boards_jigsaw, read, solve, verify
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import fingerprint, read_puzzle, save
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.dissection import Motions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.proofs.board_claims import Claim
from jigsat.models.proofs.certify_exactly import certify_exactly
from jigsat.models.squares.cnf import EdgeMatchingCNF
from jigsat.models.squares.export import export_cnf
from jigsat.models.tilings.cnf import DissectionCNF
from native_search import solutions_of
from small_puzzles import spoiled

ENGINE = "sat:cadical195"
KINDS = ("none", "bits", "direct", "tilings", "boards")
# The proofs of each kind of certificate.
PROOFS = [*((kind, "p") for kind in KINDS), ("boards", "p-3x5")]


def made(rows, columns, **wishes):
    return search_jigsaw(JigsawWishes(rows, columns, **wishes)).puzzle


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """For each kind a puzzle, and the folder of its certificate; made when it is asked for."""
    done = {}

    def certificate(kind):
        if kind not in done:
            folder = tmp_path_factory.mktemp(kind)
            if kind == "none":
                puzzle = spoiled(4, 2, 3)
                found = solve(puzzle, engine=ENGINE, proof=folder / "p").proof
            elif kind == "tilings":
                puzzle = replace(read_puzzle("l-shape"), motions=Motions.LATTICE)
                found = count(puzzle, engine=ENGINE, proof=folder / "p").proof
            elif kind == "boards":
                puzzle = make_boards_jigsaw("4x4,3x5", max_use=8, seed=2, proof=folder / "p").first
                found = {"checked": True}
            else:
                puzzle = made(5, 5, seed=1)
                found = certify_exactly(puzzle, 2, encoding=kind, proof=folder / "p").proof
            assert found["checked"]
            done[kind] = puzzle, folder
        return done[kind]

    return certificate


@pytest.fixture
def proved(certificates, tmp_path):
    """A puzzle of a kind, and a copy of the files of its certificate, to be changed."""

    def copy(kind):
        puzzle, folder = certificates(kind)
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
        return puzzle, tmp_path

    return copy


def page_of(folder):
    return json.loads((folder / "p.json").read_text())


def change_page(folder, **entries):
    (folder / "p.json").write_text(json.dumps(page_of(folder) | entries))


def rewrite(folder, name, text):
    """Another formula or proof, and a page that knows of it."""
    (folder / name).write_text(text)
    page = page_of(folder)
    for claim, which in product(page.get("claims", [page]), ("formula", "proof")):
        if claim[which]["file"] == name:
            claim[which]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    change_page(folder, **page)


def why_rejected(puzzle, folder):
    verdict = verify(puzzle, folder / "p.json")
    assert not verdict.holds
    return verdict.reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_certificate_is_for_its_puzzle_alone(proved, kind):
    """Under whatever name, and whatever is known of it; motions make no other puzzle of a dissection."""
    puzzle, folder = proved(kind)
    verdict = verify(puzzle, folder / "p.json")
    assert verdict.holds, verdict.reason
    assert (verdict.formula.wrong, verdict.formula.undecided) == (None, 0)
    said = {"none": "has no solution.", "tilings": "has exactly 4 tilings"}
    said["boards"] = "on the 4x4 board and exactly 1 solution on the 3x5 board, where piece 7 is left over: "
    assert said.get(kind, "has exactly 2 solutions") in verdict.states
    page = page_of(folder)
    encodings = {claim["encoding"] for claim in page.get("claims", [page])}
    assert encodings == {{"none": "pairs", "tilings": "colors", "boards": "direct"}.get(kind, kind)}
    alike = replace(puzzle, name="another")
    assert verify(read("l-shape") if kind == "tilings" else replace(alike, assemblies=()), folder / "p.json").holds
    assert "'another'" in verify(alike, folder / "p.json").states
    other = read("four-triangles" if kind == "tilings" else "clue1")
    with pytest.raises(InstanceError, match=r"sha256: the certificate is of another puzzle \("):
        verify(other, folder / "p.json")


@pytest.mark.parametrize(("kind", "proof"), PROOFS)
def test_files_that_were_changed(proved, kind, proof):
    """A formula that says something else proves nothing about the puzzle, nor does a proof that is cut short."""
    puzzle, folder = proved(kind)
    formula, lemmas = (folder / f"{proof}.cnf").read_text(), (folder / proof).read_text()
    where = "" if kind != "boards" else "4x4 board: " if proof == "p" else "3x5 board: "
    for name in (proof, f"{proof}.cnf"):
        shutil.copy(folder / name, folder / "kept")
        with (folder / name).open("a") as file:
            file.write("0\n")
        changed = "the formula or the proof is not the file that was written with the page"
        assert why_rejected(puzzle, folder) == where + changed
        (folder / name).unlink()
        with pytest.raises(InstanceError, match=f"/{name}: cannot be read: No such file"):
            verify(puzzle, folder / "p.json")
        shutil.copy(folder / "kept", folder / name)
    *lines, last = formula.splitlines(keepends=True)
    other = "".join([*lines, lines[-1]]) if last != lines[-1] else f"{''.join(lines)}1 0\n"
    rewrite(folder, f"{proof}.cnf", other)
    assert "is not the formula of this claim" in why_rejected(puzzle, folder)
    rewrite(folder, f"{proof}.cnf", formula)
    rewrite(folder, proof, "".join(lemmas.splitlines(keepends=True)[:-1]))
    assert "the empty clause is not derived" in why_rejected(puzzle, folder)
    # A formula that a checker refutes without lemmas would make the other tests of proofs worthless.
    rewrite(folder, proof, "0\n")
    assert "the lemma of line 1 is neither RUP nor RAT" in why_rejected(puzzle, folder)


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_pages_that_were_changed(proved, kind):
    """The words are what people read: they must be what the formula means."""
    puzzle, folder = proved(kind)
    page = page_of(folder)
    change_page(folder, states=page["states"].replace(puzzle.name, "ostomachion"))
    assert why_rejected(puzzle, folder) == "its statement does not follow from its other fields"
    others = ["wedges+sequential"] if kind == "tilings" else {"bits", "direct+unpruned", "seams"} - {kind}
    for encoding in others:
        change_page(folder, states=page["states"], encoding=encoding)
        if encoding != "bits" or kind == "direct":
            assert "is not the formula of this claim" in why_rejected(puzzle, folder)
    listed, no_solution = "excluded", rf"^{folder}/p\.json: excluded board 1 has 0 of \d\d squares$"
    if kind == "tilings":
        listed, no_solution = "tilings", "piece 1 is missing"
    for fields, message in (
        ({"encoding": "none"}, "unknown CNF encoding"),
        ({listed: [[]]}, no_solution),
        ({"more": 1}, "not a certificate: more"),
        ({listed: False}, f"not a certificate: {listed}"),
        ({"formula": {"file": "../p.cnf", "sha256": "0" * 64}}, "must be in the same folder"),
    ):
        (folder / "p.json").write_text(json.dumps(page | fields))
        with pytest.raises(InstanceError, match=message):
            verify(puzzle, folder / "p.json")


def other_spare(page, *, coherent):
    """Piece 1 is left over instead, and lies elsewhere if the board that is listed has it so, too."""
    page["states"] = page["states"].replace("piece 7 is", "piece 1 is")
    if coherent:
        claim = page["claims"][1]
        claim["left_over"] = [1]
        rows = claim["excluded"][0]
        claim["excluded"] = [[[[7, turn] if piece == 1 else [piece, turn] for piece, turn in row] for row in rows]]


def exchange(page, *names):
    """What is said of one board is said of the other."""
    one, other = page["claims"]
    for name in names:
        one[name], other[name] = other[name], one[name]


def set_of(number, **entries):
    return lambda page: page["claims"][number].update(entries)


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (lambda page: other_spare(page, coherent=False), "its statement does not follow from its other fields"),
        (lambda page: other_spare(page, coherent=True), "3x5 board: excluded board 1 is not a solution: "),
        (set_of(1, left_over=[1]), r"claim 2: left_over: \[1\], but the listed boards leave out \[7\]$"),
        (set_of(1, excluded=[]), r"claim 2: left_over: \[7\], but the listed boards leave out \[1, 2, 3"),
        (set_of(1, rows=5, columns=3), r"claim 2: sha256: the certificate is of another puzzle \("),
        (set_of(1, rows=5, columns=5), "claim 2: pieces: 16 are too few for the 25 squares of a 5x5 board"),
        (set_of(0, rows=0), "claim 1: not a certificate: rows: Input should be greater than or equal to 1"),
        (set_of(0, more=1), "claim 1: not a certificate: more: Extra inputs are not permitted"),
        (set_of(0, symmetry=False), "claim 1: one of several claims is about solutions without slips"),
        (lambda page: page["claims"].reverse(), "its statement does not follow from its other fields"),
        (lambda page: page["claims"].pop(), "not a certificate: claims: List should have at least 2 items"),
        (lambda page: page.update(claims=page["claims"][:1] * 2), "two claims are about the same board"),
        (lambda page: page.update(format="jigsat-certificate/1"), "not a certificate: "),
        (lambda page: exchange(page, "formula", "proof"), "4x4 board: .*: is not the formula of this claim"),
        (lambda page: exchange(page, "proof"), "board: dratify: the lemma of line .* is neither RUP nor RAT"),
        (lambda page: exchange(page, "sha256"), r"claim 1: sha256: the certificate is of another puzzle \("),
        (lambda page: exchange(page, "excluded"), "claim 1: excluded board 1 has 15 of 16 squares"),
        (lambda page: exchange(page, "rows", "columns"), r"claim 1: sha256: the certificate is of another puzzle \("),
    ],
)  # fmt: skip
def test_forgeries_about_two_boards(proved, capsys, forge, message):
    """What is said of a board, of the piece that is left over, or of the pieces, must be what is proved."""
    puzzle, folder = proved("boards")
    assert verify(replace(puzzle, rows=3, columns=5, assemblies=()), folder / "p.json").holds
    page = page_of(folder)
    forge(page)
    change_page(folder, **page)
    save(puzzle, folder / "jigsaw.json")
    for command in (["check"], ["certify", "--verify"]):
        status, out, err = run(capsys, *command[:1], str(folder / "jigsaw.json"), *command[1:], str(folder / "p.json"))
        (said, *_) = (out or err).splitlines()
        assert re.search(message, said)
        assert (status, "NOT proved" in said) in {(1, True), (2, False)}
        assert len(err.splitlines()) <= 1


@pytest.mark.parametrize("kind", ["bits", "direct"])
def test_the_formula_and_proof_of_another_jigsaw_are_rejected(proved, kind, tmp_path_factory):
    """Both together prove something, but not of this jigsaw."""
    puzzle, folder = proved(kind)
    others = tmp_path_factory.mktemp("others")
    assert certify_exactly(made(5, 5, seed=2), 2, encoding=kind, proof=others / "p").proved
    for name in ("p", "p.cnf"):
        rewrite(folder, name, (others / name).read_text())
    assert "is not the formula of this claim" in why_rejected(puzzle, folder)


@pytest.mark.parametrize("kind", ["bits", "direct"])
def test_another_side_is_another_puzzle(proved, kind):
    """One side of one piece, with its sign changed or with another connector: rejected even if the page names the new
    puzzle, for any piece and side."""
    puzzle, folder = proved(kind)
    connectors = max(max(sides) for sides in puzzle.pieces)
    for piece, side in product(range(0, 25, 3), range(4)):
        old = puzzle.pieces[piece][side]
        for new in () if old == 0 else (-old, old % connectors + 1, connectors + 1):
            sides = [*puzzle.pieces[piece]]
            sides[side] = new
            pieces = (*puzzle.pieces[:piece], tuple(sides), *puzzle.pieces[piece + 1 :])
            other = replace(puzzle, pieces=pieces, assemblies=())
            change_page(folder, sha256=fingerprint(other))
            try:
                holds = verify(other, folder / "p.json").holds
            except InstanceError:  # it cannot be judged
                holds = False
            assert not holds


def claimed(folder, puzzle, encoding, *boards, with_formula=True):
    """A page that lists these boards, with the words and perhaps the formula of that claim, and the verdict on it."""
    order = tuple(puzzle.board.parse(name) for name in page_of(folder)["order"].split())
    claim = Claim(puzzle, encoding, order, excluded=boards)
    change_page(folder, **claim.details(), states=claim.words())
    if with_formula:
        formula = claim.formula()
        claim.state(formula)
        export_cnf(formula, folder / "p.cnf", claim=claim.words())
        rewrite(folder, "p.cnf", (folder / "p.cnf").read_text())
    return verify(puzzle, folder / "p.json")


@pytest.mark.parametrize("dropped", [0, 1])
@pytest.mark.parametrize("kind", ["bits", "direct"])
def test_one_solution_less_is_not_proved(proved, kind, dropped):
    """A page that lists one of the two, with the formula of that claim, which has a model, or with that of two."""
    puzzle, folder = proved(kind)
    kept = puzzle.assemblies[1 - dropped]
    assert "is not the formula of this claim" in claimed(folder, puzzle, kind, kept, with_formula=False).reason
    verdict = claimed(folder, puzzle, kind, kept)
    assert "exactly 1 solution" in verdict.states
    assert not verdict.holds
    # Nor with a proof that claims to need no lemmas.
    rewrite(folder, "p", "0\n")
    assert why_rejected(puzzle, folder)


@pytest.mark.parametrize("kind", ["bits", "direct"])
def test_boards_that_are_listed_wrongly(proved, kind):
    """Turned by 0 to 270 degrees a solution could be claimed twice, and a wrong board could be listed as one."""
    puzzle, folder = proved(kind)
    for turns in range(4):
        again = puzzle.board.turned_arrangement(puzzle.assemblies[0], turns)
        verdict = claimed(folder, puzzle, kind, *puzzle.assemblies, again)
        assert "exactly 3 solutions" in verdict.states
        assert (verdict.holds, verdict.reason) == (False, "excluded boards 1 and 3 are the same solution")
    fake = list(puzzle.assemblies[0])
    fake[6], fake[12] = fake[12], fake[6]
    verdict = claimed(folder, puzzle, kind, *puzzle.assemblies, tuple(fake))
    assert not verdict.holds
    assert verdict.reason == f"excluded board 3 is not a solution: {check(puzzle, fake).problems[0]}"


def test_a_claim_about_scores_must_mean_what_it_says(proved):
    """Without invalid joins the formula has no model for any puzzle without solution, which says nothing of scores."""
    puzzle, folder = proved("none")
    change_page(folder, score=1)
    assert "a claim about scores excludes no boards and allows invalid joins" in why_rejected(puzzle, folder)


def test_bits_on_a_page_are_only_for_jigsaws_that_they_are_for(tmp_path):
    """A formula that loses solutions would prove whatever is claimed."""
    thrice = made(5, 6, max_use=3, seed=1)
    equal = EdgeMatchingPuzzle(
        2, 3, ((0, 1, 1, 0), (0, 1, 2, 1), (0, 0, 3, 1), (1, 1, 0, 0), (2, 2, 0, 1), (3, 0, 0, 2))
    )
    for puzzle in (thrice, equal):
        assert certify_exactly(puzzle, len(solutions_of(puzzle)), proof=tmp_path / "p").encoding == "direct"
        assert verify(puzzle, tmp_path / "p.json").holds
        change_page(tmp_path, encoding="bits")
        with pytest.raises(InstanceError, match=r"/p\.json: encoding bits: it [^\n]*$"):
            verify(puzzle, tmp_path / "p.json")


@pytest.mark.parametrize(
    "entries", [{"symmetry": False}, {"slips": "4,5"}, {"score": 40}, {"excluded": [], "score": 40}]
)
def test_bits_are_for_claims_about_all_solutions_alone(proved, entries):
    puzzle, folder = proved("bits")
    change_page(folder, **entries)
    about = "is for claims about solutions without slips, symmetries broken"
    with pytest.raises(InstanceError, match=rf"/p\.json: encoding bits: {about}$"):
        verify(puzzle, folder / "p.json")


@pytest.mark.parametrize(("kind", "listed"), [("direct", "excluded board"), ("tilings", "tiling")])
def test_a_formula_that_loses_a_listed_solution(proved, monkeypatch, kind, listed):
    puzzle, folder = proved(kind)
    formula = DissectionCNF if kind == "tilings" else EdgeMatchingCNF
    monkeypatch.setattr(formula, "assignments", lambda self, solution: [])
    assert why_rejected(puzzle, folder) == f"{listed} 1 is not a model of the formula even if nothing is excluded"


def test_tilings_that_are_left_out_added_or_wrong(proved):
    puzzle, folder = proved("tilings")
    page = page_of(folder)
    tilings = page["tilings"]
    first, second, *_ = tilings[0]
    mirrored = [{**placed, "vertices": [[y, x] for x, y in placed["vertices"]]} for placed in tilings[0]]
    on_top = [{**first, "vertices": second["vertices"]}, *tilings[0][1:]]
    for wrong, reason in (
        (tilings[1:], "statement does not follow"),
        ([*tilings, tilings[0]], f"tilings 1 and {len(tilings) + 1} are the same"),
        ([*tilings[:-1], mirrored], f"tilings 1 and {len(tilings)} are the same"),
        ([on_top, *tilings[1:]], "tiling 1 is not a solution: "),
    ):
        change_page(folder, tilings=wrong)
        assert reason in why_rejected(puzzle, folder)
    # With words that fit, the formula does not: what it excludes is not excluded by what is listed.
    words = page["states"].replace("exactly 4 tilings", "exactly 3 tilings").replace("the 4 that", "the 3 that")
    reasons = []
    for number in range(24):
        change_page(folder, tilings=tilings[1:], states=words.replace("stand for 24", f"stand for {number}"))
        reasons.append(why_rejected(puzzle, folder))
    assert sum("is not the formula" in reason for reason in reasons) == 1
