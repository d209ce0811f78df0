"""Probes against trees whose size is known: made ones, and those that the search walks through."""

import json
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.search.ordered.run import Run
from jigsat.estimators.effort.probes import probe, probed
from property_tests import examples
from strategies import puzzles

TREES = json.loads(Path(__file__).with_name("search_trees_8x8.json").read_text())


class Subsets:
    """Ascending choices of up to k of n numbers: C(n, d) nodes at depth d, in very unequal subtrees."""

    def __init__(self, n, k):
        self.n, self.depths = n, k

    def root(self):
        return np.full((1, 1), -1)

    def children(self, nodes, depth):
        return self.n - 1 - nodes[:, 0]

    def child(self, nodes, depth, parents, which):
        return (nodes[parents, 0] + 1 + which)[:, None]


def tree_nodes(puzzle, options):
    """Every node of the search's trees, level by level, and how many there are."""
    run = Run(puzzle, Goal.COUNT, Limits(), options)
    numbers = np.zeros(run.free, dtype=np.int64)
    if run.starts and run.free:
        for tree in map(run.tree, range(run.walks)):
            nodes = tree.root()
            for depth in range(tree.depths):
                children = tree.children(nodes, depth)
                numbers[depth] += children.sum()
                parents = np.repeat(np.arange(len(nodes)), children)
                first = np.repeat(np.cumsum(children) - children, children)
                nodes = tree.child(nodes, depth, parents, np.arange(len(parents)) - first)
    return numbers.tolist()


@examples(100)
@given(puzzles(), st.booleans(), st.data())
def test_the_tree_has_the_nodes_that_the_search_places(puzzle, symmetry, data):
    """Both rules, fixed and identical pieces, any named order, slips: a wrong quota, list or key shows here."""
    slips = tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=3))))
    order = data.draw(st.sampled_from(["rowscan", "spiral_in", "zig_zag"]))
    options = Options(order=order, symmetry=symmetry, slips=slips, bound=False)
    found = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(nodes=20_000), options)
    assume(found.complete)
    nodes = tree_nodes(puzzle, options)
    assert nodes == list(found.nodes_by_depth[len(puzzle.fixed) :])


def test_a_wide_probe_looks_at_everything():
    probes = probe([Subsets(12, 12)], width=1000, number=2)
    assert probes.nodes.tolist() == [comb(12, d) for d in range(1, 13)]
    assert probes.errors.tolist() == [0] * 12
    assert probes.trusted_depth == 12
    assert (probes.total, probes.total_error) == (4095, 0)


@pytest.mark.parametrize("width", [pytest.param(1, marks=pytest.mark.slow), 5, 20])
def test_probes_are_unbiased(width):
    """Knuth's probes (width 1), and wider ones; a wrong weight would shift the mean by many errors."""
    probes = probe([Subsets(9, 6)], width, 12_000 // width, seed=1)
    true = np.array([comb(9, d) for d in range(1, 7)])
    assert np.all(np.abs(probes.nodes - true) <= 5 * probes.errors + 1e-9)
    assert probes.errors[4] > 0
    assert probes.total == pytest.approx(true.sum(), abs=5 * probes.total_error)


@pytest.mark.parametrize("calls", [25, 27])
def test_stopped_probes_are_those_of_fewer_probes(calls):
    """Each probe asks at its 8 depths; one that is stopped half-way does not count."""
    left = iter(range(calls))
    stopped = probe([Subsets(20, 8)], 50, 64, 1, Stop(None, lambda: next(left, None) is None))
    fewer = probe([Subsets(20, 8)], 50, 3, seed=1)
    assert (stopped.number, stopped.interrupted, fewer.interrupted) == (3, True, False)
    for name in ("nodes", "errors", "samples", "trusted"):
        assert getattr(stopped, name).tolist() == getattr(fewer, name).tolist()
    assert (stopped.total, stopped.total_error) == (fewer.total, fewer.total_error)


def test_trust_ends_where_hardly_a_line_leads_on():
    """One leaf in a million: probes that never meet it must not call their zero an exact one."""

    class Needle(Subsets):
        def children(self, nodes, depth):
            lonely = (nodes[:, 0] == 777_777) if depth == 1 else np.ones(len(nodes), dtype=bool)
            return np.where(lonely, 1_000_000 if depth == 0 else 1, 0)

        def child(self, nodes, depth, parents, which):
            return (which if depth == 0 else nodes[parents, 0])[:, None]

    probes = probe([Needle(0, 4)], 100, 10)
    assert probes.nodes[0] == 1_000_000
    assert probes.trusted.tolist() == [True, False, False, False]
    assert probes.trusted_depth == 1


@pytest.mark.parametrize("name", ["puzzle-c", pytest.param("puzzle-d", marks=pytest.mark.slow)])
def test_probes_find_the_published_nodes(name):
    """A few seconds: the published numbers within five standard errors wherever the probes are trusted."""
    probes = probed(read(name), Options(order="rowscan", symmetry=False), 60_000, seed=5)
    true = np.array(TREES[name], dtype=float)
    good = probes.trusted
    assert probes.trusted_depth >= 36
    assert np.all(np.abs(probes.nodes - true)[good] <= 5 * probes.errors[good] + 1e-6)
    assert np.all(probes.errors[good] <= 0.15 * probes.nodes[good])
