"""Claims: the words in which they are stated, and formulas that have a model exactly if a claim is false."""

from dataclasses import replace

import pytest
from pysat.solvers import Solver

from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import StoppedError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.models.proofs.board_claims import Claim, claim_of
from jigsat.models.squares.bits_cnf import BitCNF
from jigsat.models.squares.cnf import EdgeMatchingCNF, build_cnf
from small_puzzles import JIGSAW, SYMMETRIC

ORDER = tuple(range(9))
FREE = Claim(SYMMETRIC, "pairs", ORDER)
SLIPS = Claim(SYMMETRIC, "pairs+unpruned", ORDER, (5, 9))
ANY_SLIP = Claim(SYMMETRIC, "seams", ORDER, (1,) * 4)
FIXED = Claim(JIGSAW, "pairs", (4, 0, 1, 2, 3, 5))
NUMBERED = Claim(SYMMETRIC, "pairs", ORDER, symmetry=False)
#: Boards that stand for themselves where only their number matters.
ONE, TWO = ((),), ((), ((0, 0),))
SAME = "exchanging identical pieces and turning symmetric ones make no other solution"


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (FREE, "The edge-matching puzzle 'x' (3x3 board, 9 pieces) has no solution."),
        (
            SLIPS,
            "The edge-matching puzzle 'x' (3x3 board, 9 pieces) has no solution, even if joins may be invalid as the "
            "slip array 5,9 permits along the order of squares that is listed.",
        ),
        (
            replace(FREE, excluded=ONE),
            "The edge-matching puzzle 'x' (3x3 board, 9 pieces) has exactly 1 solution: the one that is listed; "
            f"turning the whole board, {SAME}.",
        ),
        (
            replace(SLIPS, excluded=TWO),
            "The edge-matching puzzle 'x' (3x3 board, 9 pieces) has exactly 2 solutions: the 2 that are listed, even "
            "if joins may be invalid as the slip array 5,9 permits along the order of squares that is listed; "
            f"{SAME}, but turning the whole board does.",
        ),
        (
            replace(ANY_SLIP, excluded=ONE),
            "The edge-matching puzzle 'x' (3x3 board, 9 pieces) has exactly 1 solution: the one that is listed, even "
            "if joins may be invalid as the slip array 1x4 permits along the order of squares that is listed; "
            f"turning the whole board, {SAME}.",
        ),
        (
            replace(FIXED, excluded=TWO),
            "The jigsaw puzzle 'x' (2x3 board, 8 pieces) has exactly 2 solutions: the 2 that are listed; exchanging "
            "identical pieces that are not fixed and turning symmetric ones that are not fixed make no other "
            "solution, but turning the whole board does.",
        ),
        (
            replace(NUMBERED, excluded=TWO),
            "The edge-matching puzzle 'x' (3x3 board, 9 pieces) has exactly 2 solutions with numbered pieces: the 2 "
            "that are listed.",
        ),
        (
            replace(ANY_SLIP, score=11),
            "No full board of the edge-matching puzzle 'x' (3x3 board, 9 pieces) whose joins along the frame are "
            "valid has more than 11 of 12 joins valid.",
        ),
        (
            replace(SLIPS, score=10),
            "No full board of the edge-matching puzzle 'x' (3x3 board, 9 pieces) whose joins along the frame are "
            "valid has more than 10 of 12 joins valid, among the boards that the slip array 5,9 permits along the "
            "order of squares that is listed.",
        ),
        (
            Claim(SYMMETRIC, "seams", ORDER, (1, 1), score=10),
            "No full board of the edge-matching puzzle 'x' (3x3 board, 9 pieces) whose joins along the frame are "
            "valid has more than 10 of 12 joins valid, among the boards that the slip array 1x2 permits along the "
            "order of squares that is listed.",
        ),
        (
            Claim(SYMMETRIC, "seams", ORDER, (1, 1, 1, 9), score=10),
            "No full board of the edge-matching puzzle 'x' (3x3 board, 9 pieces) whose joins along the frame are "
            "valid has more than 10 of 12 joins valid, among the boards that the slip array 1x3,9 permits along the "
            "order of squares that is listed.",
        ),
    ],
)  # fmt: skip
def test_claims_in_words(claim, words):
    assert claim.words("x") == words
    assert claim.words() == words.replace("'x'", repr(claim.puzzle.name))


@pytest.mark.parametrize("terms", [FREE, SLIPS, ANY_SLIP, FIXED, NUMBERED])
def test_a_formula_has_its_terms(terms):
    formula = terms.formula()
    assert isinstance(formula, EdgeMatchingCNF)
    assert claim_of(formula) == terms


def test_placements_that_no_neighbour_matches_are_left_out_if_the_encoding_says_so():
    formulas = [Claim(JIGSAW, name, FIXED.order).formula() for name in ("seams", "seams+unpruned")]
    assert len(formulas[0].domains.square) < len(formulas[1].domains.square)


def test_a_formula_of_bits_has_its_terms():
    puzzle = read_squares("perfect-5x5")
    formula = Claim(puzzle, "bits", ()).formula()
    assert isinstance(formula, BitCNF)
    assert claim_of(formula) == Claim(puzzle, "bits", tuple(range(25)))
    assert puzzle.rule is Rule.OPPOSITE


def test_symmetries_are_broken_by_default_and_building_can_be_stopped():
    assert (Claim(SYMMETRIC, "pairs", ORDER).symmetry, Claim(SYMMETRIC, "pairs", ORDER).slips) == (True, ())
    for stop_at in range(3):
        asked = []

        def must_stop(stop_at=stop_at, asked=asked):
            asked.append(None)
            return len(asked) > stop_at

        with pytest.raises(StoppedError):
            FREE.formula(must_stop)


def test_slips_along_the_frame_have_no_claim():
    with pytest.raises(EngineError, match=r"^a proof cannot be about slips along the frame; build"):
        claim_of(build_cnf(SYMMETRIC, frame_slips=(1,)))


def test_boards_that_may_be_listed():
    """Which boards are the same solution depends on whether pieces are numbered, and on what slips permit."""
    board = build_cnf(SYMMETRIC).solve()
    turned = SYMMETRIC.board.turned_arrangement(board, 1)
    for claim, same in ((FREE, True), (ANY_SLIP, True), (NUMBERED, False), (SLIPS, False)):
        said = replace(claim, excluded=(board, turned)).why_wrong()
        assert said == ("excluded boards 1 and 2 are the same solution" if same else None)
    assert replace(ANY_SLIP, score=11).why_wrong() is None
    for claim in (replace(FREE, score=11), replace(ANY_SLIP, score=11, excluded=(board,))):
        assert claim.why_wrong() == "a claim about scores excludes no boards and allows invalid joins"


def has_a_model(formula):
    with Solver("cadical195", bootstrap_with=list(formula.clauses)) as solver:
        return solver.solve()


@pytest.mark.parametrize(("terms", "number"), [(FREE, 1), (NUMBERED, 8)])
def test_a_formula_has_a_model_until_all_solutions_are_excluded(terms, number):
    found = []
    while True:
        formula = terms.formula()
        replace(terms, excluded=tuple(found)).state(formula)
        if not has_a_model(formula):
            break
        found.append(formula.solve())
    assert len(found) == number


@pytest.mark.parametrize("terms", [ANY_SLIP, Claim(SYMMETRIC, "direct", ORDER, (1,) * 4, symmetry=False)])
def test_a_formula_has_a_model_if_some_board_has_a_better_score(terms):
    """SYMMETRIC has a solution; without it, the best of its boards has an inner join less."""
    spoiled = Claim(EdgeMatchingPuzzle(3, 3, ((5, 6, 5, 7), *SYMMETRIC.pieces[1:])), terms.encoding, ORDER, terms.slips)
    for one, best in ((terms, 12), (spoiled, 11)):
        for score in (9, 10, 11):
            formula = one.formula()
            replace(one, score=score).state(formula)
            assert has_a_model(formula) == (best > score)
