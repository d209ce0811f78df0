"""The two encoders agree, and an error in one of them is noticed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import certify, count, read, solve, verify
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.slips import allowed
from jigsat.csp.puzzles.symmetry import find_anchors
from jigsat.models.base.encodings import TILING_CNF_NAMES as NAMES
from jigsat.models.proofs.board_claims import Claim
from jigsat.models.proofs.compare_formulas import compare_tilings
from jigsat.models.proofs.define_tilings import TilingsClaim
from jigsat.models.squares.bits_cnf import BitCNF
from jigsat.models.squares.cnf import EdgeMatchingCNF
from jigsat.models.squares.domains import Domains
from jigsat.models.tilings.cnf import build_tiling_cnf
from jigsat.models.tilings.domains import TilingDomains
from property_tests import examples
from small_puzzles import SMALL_PUZZLES
from strategies import puzzles

ENGINE = "sat:cadical195"
SQUARE, TRIANGLE = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
DISSECTION = DissectionPuzzle(((0, 0), (2, 0), (2, 1), (0, 1)), (SQUARE, TRIANGLE, TRIANGLE), motions=Motions.LATTICE)
ENCODINGS = (
    *("direct", "seams", "pairs", "diamond", "direct+product", "seams+ladder", "pairs+bitwise+unpruned"),
    *("diamond+totalizer", "pairs+pieces+absent-colors", "direct+pieces+kmtotalizer"),
)


def compared(puzzle, encoding, symmetry=True, slips=(), excluded=(), score=None):
    order = find_order(puzzle, None)[1]
    claim = Claim(puzzle, encoding, order, slips, symmetry, excluded, score)
    formula = claim.formula()
    claim.state(formula)
    return claim.compared(formula)


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_follows_from_the_definition(encoding):
    for name in ("identical and spare", "4x4", "half a board", "symmetric", "jigsaw", "unsolvable"):
        for symmetry in (True, False):
            found = compared(SMALL_PUZZLES[name], encoding, symmetry)
            assert (found.wrong, found.undecided) == (None, 0), name
            assert found.propagated + found.searched == found.clauses > 0


@examples(60, quick=10)
@given(
    puzzles(sizes=[(1, 1), (1, 3), (2, 2), (2, 3), (3, 3)]),
    st.sampled_from(ENCODINGS),
    st.booleans(),
    st.sampled_from([(), (1, 1), (2, 4), (4, 4, 6)]),
    st.none() | st.integers(0, 12),
)
def test_formulas_of_many_puzzles_follow(puzzle, encoding, symmetry, slips, score):
    """Spare, fixed, identical and symmetric pieces; both rules; slips and claims about scores."""
    if slips and len(puzzle.board) < 6:
        slips = ()
    found = compared(puzzle, encoding, symmetry, slips, (), score if slips else None)
    assert (found.wrong, found.undecided) == (None, 0)


@pytest.mark.parametrize("name", ["perfect-3x3", "perfect-5x7", "perfect-12x12"])
def test_bits_are_the_same_clauses(name):
    puzzle = read(name)
    found = compared(puzzle, "bits", excluded=puzzle.assemblies)
    assert found.equal
    assert str(found).startswith("the second encoder makes the same")
    assert compared(puzzle, "bits", excluded=puzzle.assemblies[:1]).equal


@pytest.mark.parametrize("encoding", [*NAMES, "colors+unpruned", "wedges+sequential"])
def test_encodings_of_dissections_follow_from_the_definition(encoding):
    for symmetry in (True, False):
        formula = build_tiling_cnf(DISSECTION, encoding, symmetry=symmetry)
        found = compare_tilings(formula, TilingsClaim(DISSECTION, symmetry=symmetry))
        assert (found.wrong, found.undecided) == (None, 0)


SOLVABLE = deal_edge_matching(3, 3, 2, 2, seed=1).puzzle


def a_piece_less(patch):
    """The placements of the first piece are left out as if no neighbour matched them."""
    before = Domains._prune

    def prune(self, must_stop):
        before(self, must_stop)
        keep = self.candidates.of_type[self.candidate] != 0
        self.square, self.candidate = self.square[keep], self.candidate[keep]

    patch.setattr(Domains, "_prune", prune)


def no_place_for_the_anchor(patch):
    """Of the anchor's places that turning the board makes of each other none is left."""

    def anchors(puzzle, found, order):
        return tuple(replace(anchor, squares=()) for anchor in find_anchors(puzzle, found, order))

    patch.setattr("jigsat.models.squares.domains.find_anchors", anchors)


def a_slip_less(patch):
    patch.setattr("jigsat.models.squares.domains.allowed", lambda slips, depth: max(0, allowed(slips, depth) - 1))


def no_solutions(patch):
    """A clause too many."""
    before = EdgeMatchingCNF.__init__

    def init(self, *args, **options):
        before(self, *args, **options)
        self.clauses.unit(-int(self.deciding[0]))
        self.clauses.unit(int(self.deciding[0]))

    patch.setattr(EdgeMatchingCNF, "__init__", init)


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("spoil", [a_piece_less, no_place_for_the_anchor, no_solutions])
@pytest.mark.parametrize("encoding", ["direct", "pairs", "diamond"])
def test_an_error_of_the_first_encoder_is_noticed(tmp_path, monkeypatch, spoil, encoding):
    """It makes a formula without a model of a puzzle with solutions: the proof is right, and what it proves wrong."""
    spoil(monkeypatch)
    found = solve(SOLVABLE, engine=ENGINE, encoding=encoding, proof=str(tmp_path / "p.drat"))
    assert found.proof["checked"]
    verdict = verify(SOLVABLE, tmp_path / "p.drat.json")
    assert not verdict.holds
    assert "does not follow from the definition" in verdict.reason


def test_an_error_about_slips_is_noticed(monkeypatch):
    assert compared(SOLVABLE, "pairs", slips=(4, 4, 6)).wrong is None
    a_slip_less(monkeypatch)
    assert compared(SOLVABLE, "pairs", slips=(4, 4, 6)).wrong is not None


def test_an_error_of_the_encoder_of_bits_is_noticed(tmp_path, monkeypatch):
    """A clause too many, which the known assemblies satisfy: it could exclude others."""
    jigsaw = read("perfect-5x5")
    one, other = (BitCNF(jigsaw).assignments(board)[0] for board in jigsaw.assemblies)
    before = BitCNF._failures

    def failures(self, start, bits):
        yield from before(self, start, bits)
        yield np.array([[0, 0, one[0], other[-1]]])

    monkeypatch.setattr(BitCNF, "_failures", failures)
    assert certify(jigsaw, solutions=2, proof=tmp_path / "p.drat", encoding="bits").proved
    assert "does not follow" in verify(jigsaw, tmp_path / "p.drat.json").reason


def test_an_error_of_the_encoder_of_dissections_is_noticed(tmp_path, monkeypatch):
    """Placements that are in tilings are left out."""
    before = TilingDomains._leave_out

    def leave_out(self, items, left):
        before(self, items, left)
        left[:] = 0
        left[0] = 1

    monkeypatch.setattr(TilingDomains, "_leave_out", leave_out)
    found = count(DISSECTION, engine=ENGINE, proof=str(tmp_path / "p.drat"))
    assert (found.count, found.proof["checked"]) == (0, True)
    assert "does not follow" in verify(DISSECTION, tmp_path / "p.drat.json").reason
