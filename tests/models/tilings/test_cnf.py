"""Formulas of dissections: what they exclude, leave out and state."""

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
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import StoppedError
from jigsat.csp.files.instances import fingerprint, read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.tilings.lattice_tables import members_of
from jigsat.models.base.encodings import TILING_CNF_NAMES as NAMES
from jigsat.models.base.encodings import tiling_encoding
from jigsat.models.squares.export import export_cnf, export_cpsat, export_opb
from jigsat.models.tilings.cnf import build_tiling_cnf
from jigsat.models.tilings.cp import build_tiling_cp
from jigsat.models.tilings.domains import TilingDomains
from property_tests import examples
from tiling_models import counted, models

#: Two congruent pieces and single ones, so that kinds of both sorts are there.
MIXED = DissectionPuzzle(
    ((0, 0), (3, 0), (3, 2), (0, 2)),
    (
        *[((0, 0), (2, 0), (0, 1))] * 2,
        ((0, 0), (2, 0), (2, 1), (0, 1)),
        ((2, 0), (3, 0), (3, 1), (2, 2)),
        ((3, 1), (3, 2), (2, 2)),
    ),
    Motions.LATTICE,
)
ENCODINGS = [*NAMES, "wedges+sequential", "telling+bitwise", "colors+ladder", "colors+unpruned", "pairs+unpruned"]
quick = examples(40)


@quick
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


@quick
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


def test_encodings_have_names():
    for encoding in ENCODINGS:
        assert str(tiling_encoding(encoding)) == encoding


def test_models_are_of_the_lattice_only():
    with pytest.raises(EngineError, match="lattice only"):
        build_tiling_cnf(replace(MIXED, motions=Motions.ANY))


def test_building_can_be_stopped():
    with pytest.raises(StoppedError):
        TilingDomains(MIXED, symmetry=True, must_stop=lambda: True)
    asked = []
    domains = TilingDomains(MIXED, symmetry=True, must_stop=lambda: len(asked) > 0)
    asked.append(True)
    with pytest.raises(StoppedError):
        domains.telling(1.0)
    with pytest.raises(StoppedError):
        list(domains.pairs_of(domains.conflicts()))


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
