"""Formulas of dissections: what they state, exclude and leave out; their size, and what can be asked of them."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from brute_force_lattice import lattice_tilings
from dissections import dissections
from jigsat.csp.base.errors import EngineError, PuzzleError
from jigsat.csp.files.instances import fingerprint, read_puzzle
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.tilings.lattice import members_of
from jigsat.models.base.encodings import TILING_CNF_NAMES as NAMES
from jigsat.models.base.encodings import Encoding, tiling_encoding
from jigsat.models.squares.export import export_cnf, export_cpsat, export_opb
from jigsat.models.tilings.cnf import build_tiling_cnf
from jigsat.models.tilings.cp import build_tiling_cp
from jigsat.models.tilings.domains import TilingDomains
from property_tests import examples
from tiling_models import counted, models

DOMINO, SQUARE = ((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 0), (1, 0), (1, 1), (0, 1))
#: Three congruent pieces and two others; then two congruent ones and three that differ.
DOMINOES = DissectionPuzzle(((0, 0), (4, 0), (4, 2), (0, 2)), (DOMINO, SQUARE, DOMINO, SQUARE, DOMINO), Motions.LATTICE)
MIXED = DissectionPuzzle(
    ((0, 0), (3, 0), (3, 2), (0, 2)),
    (*[((0, 0), (2, 0), (0, 1))] * 2, DOMINO, ((2, 0), (3, 0), (3, 1), (2, 2)), ((3, 1), (3, 2), (2, 2))),
    Motions.LATTICE,
)
#: Variables and clauses of MIXED with all tilings, and with symmetries broken; the beginning of a digest of both.
SIZES = {
    "colors": (287, 1190, 227, 839, "bd541861b4f8"),
    "colors+product": (229, 1196, 206, 841, "1253e5720dda"),
    "colors+unpruned": (295, 1234, 267, 1079, "85e1b60e2d43"),
    "telling": (353, 1547, 260, 907, "166036dc1a97"),
    "telling+bitwise": (204, 2404, 201, 1162, "d9a94bdc7ffa"),
    "telling+unpruned": (361, 1600, 305, 1164, "e1d8ee5d7df0"),
    "wedges": (857, 4408, 652, 2588, "1f3e4136d31a"),
    "wedges+sequential": (1533, 4266, 922, 2475, "8fb25d6f22e6"),
    "pairs": (217, 2391, 197, 1089, "bce48884cf98"),
    "pairs+pairwise": (111, 3423, 157, 1400, "10b09f6f87ab"),
    "pairs+unpruned": (225, 2507, 237, 1471, "b976ef66411f"),
}


@pytest.mark.parametrize("encoding", SIZES)
def test_formulas_stay_the_same(encoding):
    """What is left out of a formula, or repeated in it, may leave the models as they are; proofs need the same one."""
    found, digest = [], sha256()
    for symmetry in (False, True):
        formula = build_tiling_cnf(MIXED, encoding, symmetry=symmetry)
        found += [formula.clauses.top, len(formula.clauses)]
        digest.update(repr(list(formula.clauses)).encode())
    assert (*found, digest.hexdigest()[:12]) == SIZES[encoding]


#: Many placements of two congruent pieces cover a wedge.
LONG = DissectionPuzzle(
    ((0, 0), (4, 0), (4, 3), (0, 3)),
    (*[((0, 0), (3, 0), (0, 2))] * 2, ((0, 0), (3, 0), (3, 2), (0, 2))),
    Motions.LATTICE,
)


@pytest.mark.parametrize(
    ("puzzle", "encoding", "size"),
    [
        # All seven kinds cover a wedge.
        (replace(read_puzzle("tangram"), motions=Motions.LATTICE), "colors", (254, 982, "e3a22a8ffe65")),
        (LONG, "colors+unpruned", (162, 528, "5a43e5ead6bf")),
    ],
)
def test_formulas_of_larger_dissections_stay_the_same(puzzle, encoding, size):
    """Where there are too many kinds, or placements of one kind, to write "at most one" pairwise."""
    formula = build_tiling_cnf(puzzle, encoding, symmetry=puzzle is LONG)
    digest = sha256(repr(list(formula.clauses)).encode()).hexdigest()[:12]
    assert (formula.clauses.top, len(formula.clauses), digest) == size


def test_by_default_symmetries_are_kept_and_kinds_excluded_by_wedge():
    assert tiling_encoding(None) == Encoding("colors") == tiling_encoding("colors")
    formula = build_tiling_cnf(MIXED)
    assert (str(formula.encoding), formula.clauses.top, len(formula.clauses)) == ("colors", 287, 1190)
    assert str(Encoding("pairs", "product", prune=False)) == "pairs+product+unpruned"
    # Texts that follow the names in a list.
    assert [text.split()[0] for text in NAMES.values()] == ["of", "at", "exactly", "a"]


TRIANGLE = ((0, 0), (1, 0), (0, 1))
HALVES = DissectionPuzzle(SQUARE, (TRIANGLE, TRIANGLE), Motions.LATTICE)


@pytest.mark.parametrize(
    ("puzzle", "symmetry", "number"), [(HALVES, False, 4), (HALVES, True, 1), (DOMINOES, True, 10)]
)
@pytest.mark.parametrize("asked_before", [False, True])
def test_solutions_are_excluded_one_by_one(puzzle, symmetry, number, asked_before):
    """Whether or not the formula has been given to a solver already; with symmetries broken, with their images."""
    formula = build_tiling_cnf(puzzle, symmetry=symmetry)
    for _ in range(number):
        if asked_before:
            assert len(formula.cnf.clauses) == len(formula.clauses)
        with Solver("glucose4", bootstrap_with=list(formula.clauses)) as solver:
            assert solver.solve()
            tiling = formula.solution(solver.get_model())
        assert check_tiling(puzzle, tiling).is_solution
        true, before = formula.assignments(tiling), len(formula.clauses)
        formula.exclude(tiling)
        assert list(formula.clauses)[before:] == [[-variable for variable in one] for one in true]
    assert formula.cnf.clauses == list(formula.clauses)
    with Solver("glucose4", bootstrap_with=formula.cnf) as solver:
        assert not solver.solve()


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    ("tiling", "message"),
    [
        ((TRIANGLE,), "the tiling has 1 polygons, but the puzzle 2 pieces"),
        ((), "the tiling has 0 polygons, but the puzzle 2 pieces"),
        ((TRIANGLE, SQUARE), "piece 2 of the tiling has no such placement on the lattice"),
        ((((5, 0), (6, 0), (5, 1)), TRIANGLE), "piece 1 of the tiling has no such placement on the lattice"),
    ],
)
def test_what_is_not_on_the_lattice_is_not_excluded(tiling, message, symmetry):
    formula = build_tiling_cnf(HALVES, symmetry=symmetry)
    before = len(formula.clauses)
    with pytest.raises(PuzzleError, match=f"^{message}$"):
        formula.exclude(tiling)
    assert len(formula.clauses) == before


def test_the_meaning_of_variables():
    formula = build_tiling_cnf(DOMINOES)
    lines = list(formula.meaning())
    same = "models that differ in other variables only are the same solution"
    assert lines[:3] == ["lattice 1/1", "symmetry kept", f"var NUMBER PLACEMENT; {same}"]
    names = formula.domains.names()
    assert lines[3:] == [f"var {number} {name}" for number, name in enumerate(names, start=1)]
    assert len(lines) == 3 + len(formula.deciding)


@examples(40)
@given(dissections(), st.booleans(), st.data())
def test_what_is_excluded_is_gone_and_nothing_else(puzzle, symmetry, data):
    """Of all tilings some are excluded, in whatever of their images; the rest stay."""
    expected = sorted(lattice_tilings(puzzle))
    excluded = data.draw(st.lists(st.sampled_from(expected), max_size=3)) if expected else []
    formula = build_tiling_cnf(puzzle, symmetry=symmetry)
    for tiling in excluded:
        formula.exclude(tiling)
    gone = set(excluded)
    if symmetry:
        pictures = {
            frozenset(motion(polygon) for polygon in tiling) for tiling in excluded for motion in puzzle.symmetries
        }
        gone = {tiling for tiling in expected if frozenset(tiling) in pictures}
    assert counted(formula.domains, models(formula))[0] == len(expected) - len(gone)


@examples(40)
@given(dissections(), st.booleans(), st.sampled_from([0.0, 0.5, 2.0]))
def test_every_conflict_is_told_by_a_wedge_or_a_pair(puzzle, symmetry, worth):
    """In addition, pairs are of placements that overlap, of two pieces."""
    domains = TilingDomains(puzzle, symmetry=symmetry)
    chosen, rest = domains.telling(worth)
    told = {tuple(pair) for some in domains.pairs_of(rest) for pair in some.tolist()}
    for wedge in chosen:
        members = domains.covers[wedge].tolist()
        told |= {(one, other) for one in members for other in members if one < other}
    disjoint = domains.placements.disjoint
    for one, placement in enumerate(domains.left.tolist()):
        beside = set(members_of(disjoint[placement]).tolist())
        for other in range(one + 1, len(domains.left)):
            kind = domains.of_kind[one]
            if kind == domains.of_kind[other] and domains.sizes[kind] == 1:
                continue
            assert (int(domains.left[other]) not in beside) == ((one, other) in told)


def test_placements_that_cannot_be_part_of_a_tiling_are_left_out():
    """What stays of MIXED is more than its tilings use only if pruning does nothing."""
    every = TilingDomains(MIXED, symmetry=False, prune=False)
    pruned = TilingDomains(MIXED, symmetry=False)
    used = {placement for row in models(build_tiling_cnf(MIXED)) for placement in row.tolist()}
    assert used <= set(pruned.left.tolist()) < set(every.left.tolist())
    assert len(every.left) == len(every.placements)


@pytest.mark.slow
def test_the_formula_of_the_ostomachion_is_small_and_tells_placements_apart():
    formula = build_tiling_cnf(read_puzzle("ostomachion"), symmetry=True)
    assert len(formula.domains.placements) == 5952
    assert len(formula.deciding) < 1000
    assert formula.clauses.top < 5000
    assert len(formula.clauses) < 60_000
    # The same clauses in every version: many placements of one kind cover a wedge, unlike in smaller dissections.
    assert sha256(repr(list(formula.clauses)).encode()).hexdigest()[:12] == "c050c61a6123"
    # That two placements overlap is seen without search, of congruent pieces, too.
    pairs = np.concatenate(list(formula.domains.pairs_of(formula.domains.conflicts())))
    of_kind = formula.domains.of_kind[pairs]
    assert (of_kind[:, 0] == of_kind[:, 1]).sum() > 1000
    with Solver("minisat22", bootstrap_with=list(formula.clauses)) as solver:
        told = [solver.propagate(assumptions=formula.deciding[pair].tolist())[0] for pair in pairs[::100]]
    assert not any(told)


def test_models_are_of_the_lattice_only():
    with pytest.raises(EngineError, match="lattice only"):
        build_tiling_cnf(replace(MIXED, motions=Motions.ANY))


def test_exported_files_tell_what_their_variables_mean(tmp_path):
    formula = build_tiling_cnf(MIXED, symmetry=True)
    path = tmp_path / "mixed.cnf"
    export_cnf(formula, path)
    lines = path.read_text().splitlines()
    assert f"c sha256 {fingerprint(MIXED)}" in lines
    named = [line for line in lines if line.startswith("c var ") and "NUMBER" not in line]
    assert len(named) == len(formula.deciding)
    assert any(line.startswith("c var 1 piece 1/2 at (") for line in named)
    read = CNF(from_file=str(path))
    assert read.clauses == list(formula.clauses)
    export_opb(formula, tmp_path / "mixed.opb")
    constraints = [line for line in (tmp_path / "mixed.opb").read_text().splitlines() if line.endswith(";")]
    assert len(constraints) == len(formula.clauses)
    export_cpsat(build_tiling_cp(MIXED, symmetry=True), tmp_path / "mixed.pbtxt")
    assert "# p0: piece 1/2 at (" in (tmp_path / "mixed.pbtxt").read_text()


def test_there_is_no_best_score(tmp_path):
    with pytest.raises(EngineError, match="best score"):
        export_opb(build_tiling_cnf(MIXED), tmp_path / "mixed.opb", best=True)
    with pytest.raises(EngineError, match="best score"):
        export_cpsat(build_tiling_cp(MIXED), tmp_path / "mixed.pbtxt", best=True)
    assert not list(tmp_path.iterdir())
