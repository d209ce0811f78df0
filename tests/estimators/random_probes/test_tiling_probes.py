"""Probes of the search for tilings against the search itself."""

import pytest

from jigsat.csp.base.errors import UsageError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.estimators.random_probes.tiling_probes import PROBES, probed_tilings


@pytest.fixture(scope="module")
def ostomachion():
    return read_puzzle("ostomachion")


@pytest.fixture(scope="module")
def actual(ostomachion):
    return find_engine("backtrack", kind="dissection").run(ostomachion, Goal.COUNT)


def test_wide_probes_are_exact():
    """A probe that keeps all nodes counts them."""
    tangram = read_puzzle("tangram")
    actual = find_engine("backtrack", kind="dissection").run(tangram, Goal.COUNT)
    found = probed_tilings(tangram, PROBES * 500)
    assert found.probes.nodes.tolist() == list(actual.nodes_by_depth)
    assert (found.tilings, found.tilings_error, found.probes.total) == (actual.count, 0, actual.nodes)


def _off(puzzle, actual, nodes, seeds):
    """How many standard errors estimates of tilings and nodes are off."""
    for seed in range(seeds):
        found = probed_tilings(puzzle, nodes, seed)
        assert found.tilings_error > 0
        yield abs(found.tilings - actual.count) / found.tilings_error
        yield abs(found.probes.total - actual.nodes) / found.probes.total_error


@pytest.mark.slow
def test_nodes_and_tilings_within_the_stated_error(ostomachion, actual):
    """Two thirds lie within one standard error, nearly all within three."""
    assert max(_off(ostomachion, actual, PROBES * 8, 2)) < 4


@pytest.mark.slow
def test_the_stated_error_over_many_seeds(ostomachion, actual):
    """An error that is stated too small or too large shows here."""
    off = list(_off(ostomachion, actual, PROBES * 64, 40))
    assert max(off) < 5
    assert 0.5 < sum(value < 1 for value in off) / len(off) < 0.85
    assert sum(value < 2 for value in off) / len(off) > 0.85


def test_orbits_of_different_sizes():
    """An anchor on the target's axis, and beside it: leaves stand for one tiling or for two."""
    target = ((0, 0), (6, 0), (6, 1), (0, 1))
    pieces = tuple(((0, 0), (w, 0), (w, 1), (0, 1)) for w in (2, 1, 1, 1, 1))
    puzzle = DissectionPuzzle(target, pieces, Motions.LATTICE)
    actual = find_engine("backtrack", kind="dissection").run(puzzle, Goal.COUNT)
    found = probed_tilings(puzzle)
    assert (found.tilings, found.tilings_error) == (actual.count, 0) == (5 * 24, 0)
    assert found.probes.total == actual.nodes


def test_bad_wishes(ostomachion):
    with pytest.raises(UsageError, match="must be from 64 to"):
        probed_tilings(ostomachion, 63)
    with pytest.raises(UsageError, match="need lattice motions"):
        probed_tilings(DissectionPuzzle(ostomachion.target, ostomachion.pieces))
