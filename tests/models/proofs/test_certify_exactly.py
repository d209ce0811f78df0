"""Exactly K solutions: the answer is that of every other way to count, and nothing else passes as proved."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brute_force import TooMuch, all_solutions, number_of_orbits
from jigsat.api.certify import verify
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.errors import JigsatError, PuzzleError, UsageError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.base.stop import Stop
from jigsat.csp.files.instances import fingerprint
from jigsat.csp.files.square_files import board_rows
from jigsat.csp.make.closed_forms import draw_even_form
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.check_board import appearance, check, same_solutions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
from jigsat.csp.work.book import read_book
from jigsat.csp.work.steps import keep_steps
from jigsat.models.proofs import certificate
from jigsat.models.proofs.certify_exactly import Answer, certify_exactly, count_by_search, known_solutions
from jigsat.models.squares.bits_cnf import no_bits
from native_search import solutions_of
from property_tests import examples
from strategies import mixed_jigsaw, paired_jigsaws, puzzles

ENCODINGS = (None, "direct", "seams", "direct+unpruned")
SMALL = [(1, 1), (1, 2), (1, 3), (1, 5), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4)]


def made(rows, columns, **wishes):
    return search_jigsaw(JigsawWishes(rows, columns, **wishes)).puzzle


# ---- how many


def assert_exactly(puzzle, number, encoding, *, thorough=True):
    """The three answers, the solutions that come with them, and a proof that was checked."""
    found = certify_exactly(puzzle, number, encoding=encoding)
    assert (found.answer, found.proved, found.wanted) == (Answer.EXACTLY, True, number)
    assert len(found.solutions) == number
    assert same_solutions(puzzle, found.solutions) is None
    assert all(check(puzzle, board).is_solution for board in found.solutions)
    assert "file" not in found.proof
    if not thorough:
        return
    if number:
        more = certify_exactly(puzzle, number - 1, encoding=encoding)
        assert (more.answer, more.proved, more.proof) == (Answer.MORE, False, None)
        assert len(more.solutions) >= number
        assert same_solutions(puzzle, more.solutions) is None
    fewer = certify_exactly(puzzle, number + 1, encoding=encoding)
    assert (fewer.answer, fewer.proved) == (Answer.FEWER, False)
    assert len(fewer.solutions) == number
    assert fewer.proof["checked"]  # that there are no others is proved all the same


def check_against_the_search(puzzle, encoding, known):
    solutions = solutions_of(puzzle)
    assume(len(solutions) <= 20)
    if known:
        # Turned and in another order, so that they are not the very boards that a solver finds.
        turns = 0 if puzzle.fixed else 2
        turned = [puzzle.board.turned_arrangement(board, turns) for board in solutions]
        puzzle = replace(puzzle, assemblies=(*turned[::-1], *solutions))
    assert_exactly(puzzle, len(solutions), encoding)


@examples(6, quick=4)
@given(puzzles(sizes=SMALL), st.sampled_from(ENCODINGS), st.booleans())
def test_agrees_with_the_search(puzzle, encoding, known):
    """Both rules, fixed and spare pieces, identical and symmetric ones, whether the solutions are known or not."""
    check_against_the_search(puzzle, encoding, known)


def check_jigsaw_against_the_search(puzzle, encoding):
    assume(no_bits(puzzle) is None)
    number = len(solutions_of(puzzle))
    try:
        assert_exactly(puzzle, number, encoding)
    except UsageError as error:
        if encoding != "bits" or "does not decide" not in str(error):
            raise
        assert_exactly(puzzle, number, None, thorough=False)


PAIRED = [(2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]


@examples(4, quick=3)
@given(paired_jigsaws(sizes=PAIRED), st.sampled_from((None, "direct", "bits")))
def test_agrees_with_the_search_on_jigsaws_with_bits(puzzle, encoding):
    """Where bits do not decide, nothing is answered with them, and by default another encoding is taken."""
    check_jigsaw_against_the_search(puzzle, encoding)


def four_corners(inner):
    """A frame of pieces that all look alike, so that none of them breaks the turns of the board."""
    columns = len(inner) // 2 + 2
    return EdgeMatchingPuzzle(4, columns, ((0, 1, 1, 0),) * 4 + ((0, 1, 2, 1),) * (2 * columns) + tuple(inner))


SPECIAL = {
    "no anchor at all": EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4),
    "no anchor, symmetric pieces": EdgeMatchingPuzzle(
        3, 3, ((0, 1, 1, 0),) * 4 + ((0, 1, 2, 1),) * 4 + ((2, 2, 2, 2),)
    ),
    "identical corners, edges of two sorts": EdgeMatchingPuzzle(
        3, 3, ((0, 1, 1, 0),) * 4 + ((0, 1, 2, 1),) * 2 + ((0, 1, 3, 1),) * 2 + ((2, 3, 2, 3),)
    ),
    "identical corners, asymmetric middle": EdgeMatchingPuzzle(
        3, 3, ((0, 1, 1, 0),) * 4 + ((0, 1, 2, 1),) * 2 + ((0, 1, 3, 1),) * 2 + ((2, 2, 3, 3),)
    ),
    "inner anchor": four_corners([(2, 3, 4, 2), (2, 2, 4, 3), (4, 2, 2, 5), (4, 5, 2, 2)]),
    "inner pieces all the same": four_corners([(2, 2, 2, 2)] * 4),
    "spare pieces": EdgeMatchingPuzzle(
        2, 2, ((0, 1, 2, 0), (0, 2, 1, 0), (0, 1, 1, 0), (0, 2, 2, 0), (0, 1, 2, 0), (0, 1, 3, 0))
    ),
    "jigsaw with a spare piece": EdgeMatchingPuzzle(
        1, 3, ((0, 1, 0, 0), (0, 1, 0, -1), (0, 0, 0, -1), (0, 1, 0, -1)), Rule.OPPOSITE
    ),
    "jigsaw, identical and symmetric": mixed_jigsaw(random.Random(3), 2, 4, [1] * 10),
    "one piece": EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),)),
    "all fixed": EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)), fixed=(Fixed(0, 1, 0), Fixed(1, 0, 2))),
    "one fixed": EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4, fixed=(Fixed(0, 1, 0),)),
    "fixed, and they do not match": EdgeMatchingPuzzle(
        1, 2, ((0, 5, 0, 0), (0, 6, 0, 0)), fixed=(Fixed(0, 0, 0), Fixed(1, 1, 2))
    ),
    "no solution": EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)), Rule.OPPOSITE),
}


@pytest.mark.some_cases(5)
@pytest.mark.parametrize("name", SPECIAL)
def test_symmetries_are_counted_once(name):
    """Where no piece breaks the turns of the board several models are one solution, and all of them are excluded."""
    puzzle = SPECIAL[name]
    number = len(solutions_of(puzzle))
    try:
        assert number == number_of_orbits(puzzle, all_solutions(puzzle, 5_000, 20_000))
    except TooMuch:  # eight equal edge pieces lie in too many ways
        assert name.startswith("inner")
    assert (number == 0) == name.endswith(("not match", "no solution"))
    assert_exactly(puzzle, number, ENCODINGS[list(SPECIAL).index(name) % 4], thorough=False)


def test_bits_that_do_not_decide_leave_it_to_another_encoding():
    """The formula has models that are no assemblies: neither may that be answered, nor may they be counted."""
    puzzle = jigsaw_from_assemblies(6, 6, [original(Board(6, 6)), draw_even_form(6, 6, Chance(1))])
    number = len(solutions_of(puzzle))
    with pytest.raises(UsageError, match="does not decide"):
        certify_exactly(puzzle, number, encoding="bits")
    found = certify_exactly(puzzle, number)
    assert (found.answer, found.encoding, found.proved) == (Answer.EXACTLY, "direct", True)


@pytest.mark.parametrize(("size", "wanted"), [(5, 2), (5, 4), (7, 2)])
def test_bits_are_chosen_where_they_decide(size, wanted):
    puzzle = made(size, size, solutions=wanted, seed=wanted)
    for known in (puzzle.assemblies, ()):
        found = certify_exactly(replace(puzzle, assemblies=known), wanted)
        assert (found.answer, found.proved, found.encoding) == (Answer.EXACTLY, True, "bits")
        assert (found.variables, len(found.solutions)) == (puzzle.max_score // 2, wanted)


# ---- what is known


@pytest.mark.parametrize(
    ("known", "assemblies", "wanted"),
    [({"canonical_count": 3}, 2, 3), ({"count": 12}, 2, 3), ({"count": 7}, 2, 2), ({}, 2, 2), ({}, 0, 2)],
)
def test_without_a_number_the_file_says_it(known, assemblies, wanted):
    """Its number first, then its assemblies; if it has neither, there is nothing to differ from."""
    puzzle = made(5, 5, seed=1)
    puzzle = replace(puzzle, known=known, assemblies=puzzle.assemblies[:assemblies])
    for found in (certify_exactly(puzzle, None), count_by_search(puzzle, None)):
        answer = Answer.EXACTLY if wanted == 2 else Answer.FEWER
        assert (found.wanted, found.answer, len(found.solutions)) == (wanted, answer, 2)


def test_known_solutions_are_counted_once():
    puzzle = made(5, 5, seed=1)
    first, second = puzzle.assemblies
    turned = [puzzle.board.turned_arrangement(first, turns) for turns in range(4)]
    assert known_solutions(puzzle) == (first, second)
    assert known_solutions(replace(puzzle, assemblies=(*turned, second, turned[3]))) == (first, second)
    assert known_solutions(replace(puzzle, assemblies=(turned[2], first))) == (turned[2],)
    assert known_solutions(replace(puzzle, assemblies=())) == ()
    found = certify_exactly(replace(puzzle, assemblies=(*turned, second)), 2)
    assert found.proved
    assert len(found.solutions) == 2
    assert certify_exactly(replace(puzzle, assemblies=(*turned, second)), 5).answer is Answer.FEWER
    # Whichever of equal pieces they have.
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4)
    (board,) = solutions_of(puzzle)
    other = tuple(Placement(3 - placed.piece, placed.rotation) for placed in board)
    assert known_solutions(replace(puzzle, assemblies=(board, other))) == (board,)


@pytest.mark.parametrize("spoil", ["turned piece", "exchanged pieces", "same piece twice"])
def test_an_assembly_that_is_no_solution_is_refused(spoil):
    """Excluding it would exclude nothing, or another board, and it would be counted."""
    puzzle = made(5, 5, seed=1)
    board = list(puzzle.assemblies[1])
    if spoil == "turned piece":
        board[12] = Placement(board[12].piece, (board[12].rotation + 1) % 4)
    elif spoil == "exchanged pieces":
        board[1], board[2] = board[2], board[1]
    else:
        board[6] = board[7]
    wrong = replace(puzzle, assemblies=(puzzle.assemblies[0], tuple(board)))
    for call in (known_solutions, lambda p: certify_exactly(p, 2)):
        with pytest.raises(PuzzleError, match=r"^assembly 2 is not a solution: ") as caught:
            call(wrong)
        assert "\n" not in str(caught.value)


# ---- what is refused, what is stopped


def test_bad_wishes_are_refused():
    puzzle = replace(made(5, 5, seed=1), assemblies=())
    for call, message in (
        (lambda: certify_exactly(puzzle, -1), "must be 0 or more"),
        (lambda: certify_exactly(puzzle, 2, solver="none"), "the solver 'none' writes no proofs"),
        (lambda: certify_exactly(puzzle, 2, solver="minisat22"), "the solver 'minisat22' writes no proofs"),
        (lambda: certify_exactly(puzzle, 2, encoding="none"), "unknown CNF encoding"),
        (lambda: certify_exactly(replace(puzzle, fixed=(Fixed(0, 0, 0),)), 1, encoding="bits"), "none of them fixed"),
    ):
        with pytest.raises(UsageError, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_being_stopped_later_never_says_exactly_without_a_proof():
    """Whenever it is stopped, what is proved was checked, and what is said is true."""
    puzzle = replace(made(5, 5, seed=1), assemblies=())
    answers = set()
    for asked in (0, 1, 3, 50):
        left = iter([False] * asked)
        found = certify_exactly(puzzle, 2, stop=Stop(None, lambda left=left: next(left, True)))
        answers.add(found.answer)
        assert found.answer in (Answer.EXACTLY, Answer.UNDECIDED)
        assert found.proved == (found.answer is Answer.EXACTLY and found.proof["checked"])
        if not found.proved and found.proof is not None:
            assert "stopped" in found.proof["reason"]
    assert Answer.UNDECIDED in answers


# ---- kept and continued


def killed_at(call):
    """A function to put in place of `certain` that ends the work when the call of that number comes."""
    calls = iter(range(1, call))

    def certain(puzzle, board):
        if next(calls, None) is None:
            raise RuntimeError("killed")

    return certain


def test_a_killed_run_continues_with_the_solutions_that_it_had_found(tmp_path, monkeypatch):
    puzzle, proof = make_edge_matching(3, 4, 2, 2, seed=10), tmp_path / "proof"
    whole = certify_exactly(puzzle, 10)
    found = 0
    for more in random.Random(3).sample(range(2, 5), 3):
        with monkeypatch.context() as patched:
            patched.setattr("jigsat.models.proofs.certify_exactly.certain", killed_at(more))
            with pytest.raises(RuntimeError, match="killed"):
                certify_exactly(puzzle, 10, proof=proof, resume=True)
        found += more - 1
        assert len(read_book(tmp_path / "proof.part")[1]) == found
    again = certify_exactly(puzzle, 10, proof=proof, resume=True)
    assert (again.answer, again.proved, len(again.solutions)) == (Answer.EXACTLY, True, 10)
    assert {appearance(puzzle, b) for b in again.solutions} == {appearance(puzzle, b) for b in whole.solutions}
    assert verify(puzzle, tmp_path / "proof.json").holds
    assert sorted(path.name for path in tmp_path.iterdir()) == ["proof", "proof.cnf", "proof.json"]


def test_a_stopped_run_says_where_its_solutions_are(tmp_path):
    puzzle, proof = make_edge_matching(3, 4, 2, 2, seed=10), tmp_path / "proof"
    with pytest.MonkeyPatch.context() as patched:
        # After the third solution the work must end.
        added = []
        patched.setattr("jigsat.models.proofs.certify_exactly.certain", lambda puzzle, board: added.append(board))
        found = certify_exactly(puzzle, 10, proof=proof, stop=Stop(None, lambda: len(added) == 3))
    assert (found.answer, len(found.solutions), found.decided) == (Answer.UNDECIDED, 3, False)
    assert found.summary().endswith(f"\n  Kept: {proof}.part, from which --resume continues")
    # More than wanted: there is nothing to continue, and nothing is searched.
    found = certify_exactly(puzzle, 2, proof=proof, resume=True, stop=Stop(0))
    assert (found.answer, len(found.solutions), found.kept) == (Answer.MORE, 3, None)
    assert list(tmp_path.iterdir()) == []


def test_kept_solutions_are_checked(tmp_path):
    puzzle, other = (make_edge_matching(3, 4, 2, 2, seed=seed) for seed in (10, 9))
    proof, head = tmp_path / "proof", {"work": "certify", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
    for entry, message in (
        (
            {"solution": board_rows(certify_exactly(other, 3).solutions[0], other.board)},
            "solution 1 is not a solution: ",
        ),
        ({"solution": [[[99, 0]] * 4] * 3}, "there is no piece 99"),
        ({"solution": "x"}, "solution 1"),
        ({}, "solution 1"),
    ):
        with keep_steps(proof, head, overwrite=True) as journal:
            journal.add(entry)
        with pytest.raises(JigsatError, match=f"^{proof}.part: .*{message}"):
            certify_exactly(puzzle, 10, proof=proof, resume=True)


@pytest.mark.parametrize("earlier", ["accepted", "not accepted", "of another puzzle", "no certificate"])
def test_a_proof_that_was_not_checked_to_its_end_does_not_replace_one_that_was(earlier, tmp_path, monkeypatch):
    """It is not described as what is in the files; and it replaces anything else, which kept it from being written."""
    puzzle, proof, page = make_edge_matching(3, 4, 2, 2, seed=9), tmp_path / "proof", tmp_path / "proof.json"
    assert certify_exactly(puzzle, 3, proof=proof).proved
    stays = earlier == "accepted"
    if not stays:
        fields = json.loads(page.read_text())
        fields["checked"]["accepted"] = False
        fields["sha256"] = "0" * 64 if earlier == "of another puzzle" else fields["sha256"]
        page.write_text("text" if earlier == "no certificate" else json.dumps(fields))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    checked, written = certificate.check_proof, []

    def stopped(formula, lemmas, must_stop):
        written.append(formula)
        return checked(formula, lemmas, lambda: True)

    monkeypatch.setattr(certificate, "check_proof", stopped)
    found = certify_exactly(puzzle, 3, proof=proof)
    assert (found.answer, found.proved, len(written)) == (Answer.EXACTLY, False, 1)
    assert ({path: path.read_bytes() for path in before} == before) is stays
    assert ("states" in found.proof) is not stays
    assert (f"not written: {proof} is left as it was" in found.summary()) is stays
    assert json.loads(page.read_text())["checked"]["accepted"] is stays
    # A first certificate is written, with the result of the check.
    assert not certify_exactly(puzzle, 3, proof=tmp_path / "new").proved
    assert json.loads((tmp_path / "new.json").read_text())["checked"]["accepted"] is False
