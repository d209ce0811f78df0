"""Exactly K solutions: the answer is that of every other way to count, and nothing else passes as proved."""

import errno
import hashlib
import json
import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brute_force import TooMuch, all_solutions, number_of_orbits
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.errors import InstanceError, JigsatError, PuzzleError, UsageError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.board_rows import board_rows
from jigsat.csp.files.instances import fingerprint
from jigsat.csp.make.closed_forms import draw_even_form
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.check_board import appearance, check, same_solutions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
from jigsat.csp.work.book import read_book
from jigsat.csp.work.steps import keep_steps
from jigsat.models.proofs import certificate_files
from jigsat.models.proofs.certificate import verify_boards
from jigsat.models.proofs.certification import Answer
from jigsat.models.proofs.certify_exactly import certify_exactly, further_solution, known_solutions
from jigsat.models.proofs.claim_formulas import Claim, Terms
from jigsat.models.squares.bits_cnf import no_bits
from jigsat.models.squares.export import export_cnf
from native_search import solutions_of
from property_tests import examples
from strategies import mixed_jigsaw, paired_jigsaw, paired_jigsaws, puzzles

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
    known = solutions_of(puzzle)
    for index, engine in enumerate(("sat", "cpsat")):
        assert further_solution(puzzle, known, engine=engine) is None
        for left_out in range(min(number, 3))[index::2] or range(min(number, 1)):
            found = further_solution(puzzle, known[:left_out] + known[left_out + 1 :], engine=engine)
            assert same_solutions(puzzle, [known[left_out], found]) == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", SPECIAL)
def test_symmetries_are_counted_once_in_every_encoding(name, encoding):
    """One solution more or less is wanted, too."""
    assert_exactly(SPECIAL[name], len(solutions_of(SPECIAL[name])), encoding)


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


def test_known_solutions_are_counted_once_however_they_are_turned():
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


def test_known_solutions_are_counted_once_whichever_of_equal_pieces_they_have():
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


@examples(20)
@given(puzzles(sizes=SMALL), st.data())
def test_a_further_solution_is_found_as_long_as_there_is_one(puzzle, data):
    """By two solvers: None exactly if all are known, and otherwise a solution that is not among them."""
    solutions = solutions_of(puzzle)
    assume(len(solutions) <= 60)
    number = len(solutions)
    known = tuple(data.draw(st.permutations(solutions)))[: data.draw(st.sampled_from((number, number - 1, 0, 1)))]
    for engine in ("sat", "cpsat"):
        encodings = (None, "seams", "pairs", "diamond") if engine == "sat" else (None, "table", "booleans")
        for encoding in (None, data.draw(st.sampled_from(encodings))):
            found = further_solution(puzzle, known, engine=engine, encoding=encoding)
            assert (found is None) == (len(known) == number)
            if found is not None:
                assert check(puzzle, found).is_solution
                assert same_solutions(puzzle, [*known, found]) is None


def test_further_solutions_of_jigsaws():
    puzzle = made(6, 6, solutions=3, seed=1)
    for engine in ("sat", "cpsat"):
        assert further_solution(puzzle, puzzle.assemblies, engine=engine) is None
        for left_out in range(3):
            known = puzzle.assemblies[:left_out] + puzzle.assemblies[left_out + 1 :]
            found = further_solution(puzzle, known, engine=engine)
            assert same_solutions(puzzle, [puzzle.assemblies[left_out], found]) == (0, 1)


# ---- what is refused, what is stopped


def test_bad_wishes_are_refused():
    puzzle = replace(made(5, 5, seed=1), assemblies=())
    for call, message in (
        (lambda: certify_exactly(puzzle, -1), "must be 0 or more"),
        (lambda: certify_exactly(puzzle, 2, solver="none"), "the solver 'none' writes no proofs"),
        (lambda: certify_exactly(puzzle, 2, solver="minisat22"), "the solver 'minisat22' writes no proofs"),
        (lambda: certify_exactly(puzzle, 2, encoding="none"), "unknown CNF encoding"),
        (lambda: further_solution(puzzle, (), engine="backtrack"), "only sat and cpsat"),
        (lambda: further_solution(puzzle, (), encoding="table"), "unknown CNF encoding"),
        (lambda: further_solution(puzzle, (), engine="cpsat", encoding="direct"), "unknown CP-SAT encoding"),
        (lambda: certify_exactly(replace(puzzle, fixed=(Fixed(0, 0, 0),)), 1, encoding="bits"), "none of them fixed"),
    ):
        with pytest.raises(UsageError, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_what_cannot_be_written_is_said_before_the_search(tmp_path):
    for path in (tmp_path / "nowhere" / "p", tmp_path, "-"):
        with pytest.raises(InstanceError):
            certify_exactly(made(5, 5, seed=1), 2, proof=path)


@pytest.mark.parametrize("encoding", [None, "direct"])
def test_a_search_that_is_stopped_answers_nothing(encoding, tmp_path):
    """Neither "exactly" nor "fewer": what was known stays known, and no certificate lies about."""
    puzzle = made(5, 5, seed=1)
    found = certify_exactly(puzzle, 2, encoding=encoding, stop=Stop(None, lambda: True), proof=tmp_path / "p")
    assert (found.answer, found.proved, found.proof) == (Answer.UNDECIDED, False, None)
    assert found.solutions == puzzle.assemblies
    assert list(tmp_path.iterdir()) == []


def test_more_than_wanted_are_told_from_what_is_known_alone():
    """No search is needed, so none can be stopped."""
    puzzle = made(6, 6, solutions=3, seed=1)
    for wanted in (0, 1, 2):
        found = certify_exactly(puzzle, wanted, stop=Stop(None, lambda: True))
        assert (found.answer, len(found.solutions)) == (Answer.MORE, 3)


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


# ---- certificates


@pytest.fixture(scope="module", params=["bits", "direct"])
def certified(request, tmp_path_factory):
    """A perfect jigsaw, the folder with its certificate, and the encoding."""
    folder = tmp_path_factory.mktemp(request.param)
    puzzle = made(5, 5, seed=1)
    found = certify_exactly(puzzle, 2, encoding=request.param, proof=folder / "p")
    assert found.proved
    assert found.proof["file"] == str(folder / "p")
    return puzzle, folder, request.param


@pytest.fixture
def proved(certified, tmp_path):
    """The same with a copy of the certificate to tamper with."""
    puzzle, folder, encoding = certified
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return puzzle, tmp_path, encoding


def change_page(folder, **entries):
    page = json.loads((folder / "p.json").read_text())
    (folder / "p.json").write_text(json.dumps(page | entries))


def adapt_digests(folder):
    """Have the page know of the formula and the proof as they are now."""
    change_page(
        folder,
        **{
            which: {"file": name, "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()}
            for which, name in (("formula", "p.cnf"), ("proof", "p"))
        },
    )


def accepted(folder, puzzle):
    return verify_boards(folder / "p.json", puzzle)[1].accepted


def rejected(folder, puzzle):
    """Not accepted, or an error that says in a line why it cannot be judged."""
    try:
        return not accepted(folder, puzzle)
    except InstanceError as error:
        return "\n" not in str(error)


def test_a_certificate_is_accepted_for_its_jigsaw_alone(proved):
    puzzle, folder, encoding = proved
    states, verdict = verify_boards(folder / "p.json", puzzle)
    assert verdict.accepted, verdict.reason
    assert "has exactly 2 solutions" in states
    assert json.loads((folder / "p.json").read_text())["encoding"] == encoding
    assert accepted(folder, replace(puzzle, assemblies=()))
    with pytest.raises(InstanceError, match="another puzzle"):
        verify_boards(folder / "p.json", made(5, 5, seed=2))


def test_another_side_is_another_puzzle(proved):
    """One side of one piece, with its sign changed or with another connector: rejected even if the page names the new
    puzzle, for any piece and side."""
    puzzle, folder, _ = proved
    connectors = max(max(sides) for sides in puzzle.pieces)
    for piece, side in product(range(0, 25, 3), range(4)):
        old = puzzle.pieces[piece][side]
        for new in () if old == 0 else (-old, old % connectors + 1, connectors + 1):
            sides = [*puzzle.pieces[piece]]
            sides[side] = new
            pieces = (*puzzle.pieces[:piece], tuple(sides), *puzzle.pieces[piece + 1 :])
            other = replace(puzzle, pieces=pieces, assemblies=())
            change_page(folder, sha256=fingerprint(puzzle))
            with pytest.raises(InstanceError, match="another puzzle"):
                verify_boards(folder / "p.json", other)
            change_page(folder, sha256=fingerprint(other))
            assert rejected(folder, other)


@pytest.mark.parametrize("encoding", ["bits", "direct"])
def test_another_puzzle_with_the_same_solution_has_another_formula(tmp_path, encoding):
    """The solution that is listed stays one if both halves of a join change.  Only where the changed puzzle has no
    other one either may its formula be the same, and so may the proof."""
    changed = several = 0
    for seed in range(40):
        puzzle = paired_jigsaw(random.Random(seed), 3, 4, 1)
        if encoding == "direct":
            connectors = [random.Random(100 * seed + join).choice((1, 2, 3, -1, -2, -3)) for join in range(17)]
            puzzle = mixed_jigsaw(random.Random(seed), 3, 4, connectors)
        puzzle = replace(puzzle, assemblies=solutions_of(puzzle))
        if len(puzzle.assemblies) != 1 or (encoding == "bits" and no_bits(puzzle)):
            continue
        assert certify_exactly(puzzle, 1, encoding=encoding, proof=tmp_path / "p").proved
        for other in with_a_join_changed(puzzle):
            if encoding == "bits" and no_bits(other):
                continue
            change_page(tmp_path, sha256=fingerprint(other))
            verdict = verify_boards(tmp_path / "p.json", other)[1]
            number = len(solutions_of(other))
            assert not verdict.accepted or number == 1
            assert verdict.accepted or "is not the formula of this claim" in verdict.reason
            changed += not verdict.accepted
            several += number > 1
        if changed > 10 and (several or encoding == "bits"):
            return
    pytest.fail(f"{changed} changed, {several} with several solutions")


def with_a_join_changed(puzzle):
    """For each join, the signs of its two sides exchanged."""
    board = puzzle.assemblies[0]
    for join in puzzle.board.joins():
        pieces = [list(sides) for sides in puzzle.pieces]
        for square, side in ((join.first, join.side), (join.second, (join.side + 2) % 4)):
            piece, rotation = board[square]
            pieces[piece][(side - rotation) % 4] *= -1
        other = replace(puzzle, pieces=tuple(map(tuple, pieces)))
        assert check(other, board).is_solution
        yield other


def test_the_formula_and_proof_of_another_jigsaw_are_rejected(proved, tmp_path_factory):
    """Both together prove something, but not of this jigsaw."""
    puzzle, folder, encoding = proved
    others = tmp_path_factory.mktemp("others")
    assert certify_exactly(made(5, 5, seed=2), 2, encoding=encoding, proof=others / "p").proved
    for names in (("p", "p.cnf"), ("p.cnf",)):
        for name in names:
            (folder / name).write_bytes((others / name).read_bytes())
        change_page(folder, formula={"file": "p.cnf", "sha256": "0" * 64})
        assert "not the file that was written" in verify_boards(folder / "p.json", puzzle)[1].reason
        adapt_digests(folder)
        verdict = verify_boards(folder / "p.json", puzzle)[1]
        assert not verdict.accepted
        assert "is not the formula of this claim" in verdict.reason


def test_a_proof_without_its_lemmas_is_rejected(proved):
    """A formula that a checker refutes without them would make the other tests of proofs worthless."""
    puzzle, folder, _ = proved
    (folder / "p").write_text("0\n")
    adapt_digests(folder)
    assert rejected(folder, puzzle)


@pytest.mark.parametrize("dropped", [0, 1])
def test_one_solution_less_is_not_proved(proved, dropped):
    """A page that lists one of the two, in words and boards, with the formula of that claim: it has a model."""
    puzzle, folder, encoding = proved
    page = json.loads((folder / "p.json").read_text())
    kept = puzzle.assemblies[1 - dropped]
    assert page["excluded"][1 - dropped] == [[list(placed) for placed in row] for row in board_rows(kept, 5)]
    claim = Claim((kept,))
    terms = Terms(puzzle, encoding, tuple(puzzle.board.parse(name) for name in page["order"].split()))
    assert Claim(puzzle.assemblies).words(terms) == page["states"]
    formula = terms.formula()
    claim.state(formula)
    export_cnf(formula, folder / "p.cnf", claim=claim.words(terms))
    change_page(folder, excluded=[page["excluded"][1 - dropped]], states=claim.words(terms))
    adapt_digests(folder)
    assert rejected(folder, puzzle)
    assert "exactly 1 solution" in verify_boards(folder / "p.json", puzzle)[0]
    # Nor with a proof that claims to need no lemmas, or with the formula of two.
    (folder / "p").write_text("0\n")
    adapt_digests(folder)
    assert rejected(folder, puzzle)


def test_a_board_less_with_the_old_formula_is_not_proved(proved):
    puzzle, folder, encoding = proved
    page = json.loads((folder / "p.json").read_text())
    terms = Terms(puzzle, encoding, tuple(puzzle.board.parse(name) for name in page["order"].split()))
    change_page(folder, excluded=page["excluded"][:1], states=Claim(puzzle.assemblies[:1]).words(terms))
    verdict = verify_boards(folder / "p.json", puzzle)[1]
    assert not verdict.accepted
    assert "is not the formula of this claim" in verdict.reason


@pytest.mark.parametrize("turns", range(4))
def test_a_solution_that_is_listed_twice_is_found_out(proved, turns):
    """Turned by 0 to 270 degrees: else three solutions could be claimed, or two where there is one."""
    puzzle, folder, encoding = proved
    page = json.loads((folder / "p.json").read_text())
    terms = Terms(puzzle, encoding, tuple(puzzle.board.parse(name) for name in page["order"].split()))
    again = puzzle.board.turned_arrangement(puzzle.assemblies[0], turns)
    boards = (*puzzle.assemblies, again)
    rows = [[[list(placed) for placed in row] for row in board_rows(board, 5)] for board in boards]
    change_page(folder, excluded=rows, states=Claim(boards).words(terms))
    formula = terms.formula()
    Claim(boards).state(formula)
    export_cnf(formula, folder / "p.cnf", claim=Claim(boards).words(terms))
    adapt_digests(folder)
    states, verdict = verify_boards(folder / "p.json", puzzle)
    assert "exactly 3 solutions" in states
    assert not verdict.accepted
    assert verdict.reason == "excluded boards 1 and 3 are the same solution"


def test_a_board_that_is_no_solution_is_found_out(proved):
    """A third one is listed, with the words and the formula of that claim: else any number could be claimed."""
    puzzle, folder, encoding = proved
    page = json.loads((folder / "p.json").read_text())
    terms = Terms(puzzle, encoding, tuple(puzzle.board.parse(name) for name in page["order"].split()))
    fake = list(puzzle.assemblies[0])
    fake[6], fake[12] = fake[12], fake[6]
    boards = (*puzzle.assemblies, tuple(fake))
    formula = terms.formula()
    Claim(boards).state(formula)
    export_cnf(formula, folder / "p.cnf", claim=Claim(boards).words(terms))
    rows = [[[list(placed) for placed in row] for row in board_rows(board, 5)] for board in boards]
    change_page(folder, excluded=rows, states=Claim(boards).words(terms))
    adapt_digests(folder)
    verdict = verify_boards(folder / "p.json", puzzle)[1]
    assert not verdict.accepted
    assert verdict.reason.startswith("excluded board 3 is not a solution: ")


def test_bits_on_a_page_are_only_for_jigsaws_that_they_are_for(tmp_path):
    """A formula that loses solutions would prove whatever is claimed."""
    folder = tmp_path
    thrice = made(5, 6, max_use=3, seed=1)
    equal = EdgeMatchingPuzzle(
        2, 3, ((0, 1, 1, 0), (0, 1, 2, 1), (0, 0, 3, 1), (1, 1, 0, 0), (2, 2, 0, 1), (3, 0, 0, 2))
    )
    for puzzle in (thrice, equal):
        number = len(solutions_of(puzzle))
        assert certify_exactly(puzzle, number, proof=folder / "p").encoding == "direct"
        assert accepted(folder, puzzle)
        change_page(folder, encoding="bits")
        with pytest.raises(InstanceError, match="encoding bits: it ") as caught:
            verify_boards(folder / "p.json", puzzle)
        assert "\n" not in str(caught.value)


def test_the_other_encoding_is_another_formula(proved):
    puzzle, folder, encoding = proved
    for other in {"bits", "direct", "direct+unpruned", "seams"} - {encoding}:
        change_page(folder, encoding=other)
        assert not accepted(folder, puzzle)


@pytest.mark.parametrize(
    "entries", [{"symmetry": False}, {"slips": "4,5"}, {"score": 40}, {"excluded": [], "score": 40}]
)
def test_bits_are_for_claims_about_all_solutions_alone(proved, entries):
    puzzle, folder, encoding = proved
    change_page(folder, **entries)
    assert rejected(folder, puzzle)
    if encoding == "bits":
        with pytest.raises(InstanceError, match="bits"):
            verify_boards(folder / "p.json", puzzle)


#: Seven solutions; in two of them the first piece lies in the top left corner or the one across.
SEVEN = EdgeMatchingPuzzle(
    3,
    4,
    (
        (0, 0, -2, 1), (0, -2, -2, 0), (0, -2, -1, 2), (0, -1, 2, 2), (2, 2, -1, 0), (1, 2, -2, -2),
        (-2, 2, 2, -2), (2, 0, -2, -2), (1, 1, 0, 0), (2, 1, 0, -1), (-2, 2, 0, -1), (2, 0, 0, -2),
    ),
    Rule.OPPOSITE,
)  # fmt: skip


def test_pinning_a_piece_to_one_corner_of_a_rectangle_misses_solutions():
    """Half a turn leads to one other corner only, so a search that tries one corner finds two of seven."""
    every = all_solutions(SEVEN)
    assert number_of_orbits(SEVEN, every) == 7
    for engine in ("most-constrained", "backtrack", "sat", "cpsat"):
        result = find_engine(engine).run(SEVEN, Goal.ALL)
        assert (result.count, result.canonical_count, len(result.solutions)) == (14, 7, 7), engine
    corners = ((0, 0), (2, 3))
    pinned = [board for board in every if any(dict(board)[corner][0] == 0 for corner in corners)]
    assert number_of_orbits(SEVEN, set(pinned)) == 2
    assert sum(dict(board)[0, 0][0] == 0 for board in every) == 2
    found = certify_exactly(SEVEN, 7)
    assert (found.answer, found.proved) == (Answer.EXACTLY, True)


@pytest.mark.parametrize("step", ["temporary_folder", "check_proof", "replacing", "replacing_bytes"])
def test_an_earlier_certificate_stays_until_the_new_one_is_complete(step, tmp_path, monkeypatch):
    """A disk that was full after the first of the three files left none that could be verified."""
    puzzle, path = made(5, 5), tmp_path / "p.drat"
    certify_exactly(puzzle, 2, proof=path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def failing(*arguments, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(certificate_files, step, failing)
        found = certify_exactly(puzzle, 2, encoding="direct", proof=path)
    assert (found.answer, found.proved, len(found.solutions)) == (Answer.EXACTLY, False, 2)
    assert found.proof["reason"] == f"{path}: cannot be written: No space left on device"
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    certify_exactly(puzzle, 2, encoding="direct", proof=path)
    assert {file.name for file in tmp_path.iterdir()} == {*before}
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} != before


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
    assert verify_boards(tmp_path / "proof.json", puzzle)[1].accepted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["proof", "proof.cnf", "proof.json"]


def test_a_stopped_run_says_where_its_solutions_are(tmp_path):
    puzzle, proof = make_edge_matching(3, 4, 2, 2, seed=10), tmp_path / "proof"
    with pytest.MonkeyPatch.context() as patched:
        # After the third solution the work must end.
        added = []
        patched.setattr("jigsat.models.proofs.certify_exactly.certain", lambda puzzle, board: added.append(board))
        found = certify_exactly(puzzle, 10, proof=proof, stop=Stop(None, lambda: len(added) == 3))
    assert (found.answer, len(found.solutions), found.decided) == (Answer.UNDECIDED, 3, False)
    assert found.summary().endswith(f"\n  kept             {proof}.part, from which --resume continues")
    # More than wanted: there is nothing to continue, and nothing is searched.
    found = certify_exactly(puzzle, 2, proof=proof, resume=True, stop=Stop(0))
    assert (found.answer, len(found.solutions), found.kept) == (Answer.MORE, 3, None)
    assert list(tmp_path.iterdir()) == []


def test_kept_solutions_are_checked(tmp_path):
    puzzle, other = (make_edge_matching(3, 4, 2, 2, seed=seed) for seed in (10, 9))
    proof, head = tmp_path / "proof", {"work": "certify", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
    for entry, message in (
        ({"solution": board_rows(certify_exactly(other, 3).solutions[0], 4)}, "solution 1 is not a solution: "),
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
    checked, written = certificate_files.check_proof, []

    def stopped(formula, lemmas, must_stop):
        written.append(formula)
        return checked(formula, lemmas, lambda: True)

    monkeypatch.setattr(certificate_files, "check_proof", stopped)
    found = certify_exactly(puzzle, 3, proof=proof)
    assert (found.answer, found.proved, len(written)) == (Answer.EXACTLY, False, 1)
    assert ({path: path.read_bytes() for path in before} == before) is stays
    assert ("states" in found.proof) is not stays
    assert (f"not written: {proof} is left as it was" in found.summary()) is stays
    assert json.loads(page.read_text())["checked"]["accepted"] is stays
    # A first certificate is written, with the result of the check.
    assert not certify_exactly(puzzle, 3, proof=tmp_path / "new").proved
    assert json.loads((tmp_path / "new.json").read_text())["checked"]["accepted"] is False
