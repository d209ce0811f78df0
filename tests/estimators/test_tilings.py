"""Probes of the search for tilings against the search itself."""

import pytest

from jigsat.csp.dissection import DissectionPuzzle, Motions
from jigsat.csp.engine import Goal, find_tiling_engine
from jigsat.csp.errors import JigsatError
from jigsat.csp.instances import load_puzzle
from jigsat.estimators.tilings import PROBES, probed_tilings


@pytest.fixture(scope="module")
def ostomachion():
    return load_puzzle("ostomachion")


@pytest.fixture(scope="module")
def actual(ostomachion):
    return find_tiling_engine("backtrack").run(ostomachion, Goal.COUNT)


def test_wide_probes_are_exact(ostomachion, actual):
    """A probe that keeps all nodes counts them."""
    found = probed_tilings(ostomachion, PROBES * 3000)
    assert found.probes.nodes.tolist() == list(actual.nodes_by_depth)
    assert (found.tilings, found.tilings_error, found.probes.total) == (17152, 0, actual.nodes)


def test_nodes_and_tilings_within_the_stated_error(ostomachion, actual):
    """Over several seeds about two thirds lie within one standard error, nearly all within three."""
    off = []
    for seed in range(5):
        found = probed_tilings(ostomachion, PROBES * 64, seed)
        assert found.tilings_error > 0
        off.append(abs(found.tilings - 17152) / found.tilings_error)
        off.append(abs(found.probes.total - actual.nodes) / found.probes.total_error)
    assert max(off) < 4
    assert sum(value < 2 for value in off) >= 7


def test_orbits_of_different_sizes():
    """An anchor on the target's axis, and beside it: leaves stand for one tiling or for two."""
    target = ((0, 0), (6, 0), (6, 1), (0, 1))
    pieces = tuple(((0, 0), (w, 0), (w, 1), (0, 1)) for w in (2, 1, 1, 1, 1))
    puzzle = DissectionPuzzle(target, pieces, Motions.LATTICE)
    actual = find_tiling_engine("backtrack").run(puzzle, Goal.COUNT)
    found = probed_tilings(puzzle)
    assert (found.tilings, found.tilings_error) == (actual.count, 0) == (5 * 24, 0)
    assert found.probes.total == actual.nodes


def test_bad_wishes(ostomachion):
    with pytest.raises(JigsatError, match="at least 64 are needed"):
        probed_tilings(ostomachion, 63)
    with pytest.raises(JigsatError, match="on the lattice"):
        probed_tilings(DissectionPuzzle(ostomachion.target, ostomachion.pieces))
