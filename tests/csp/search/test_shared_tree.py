"""Trees that threads share: every node once, in slices that end when they should, whatever goes wrong."""

import threading
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.stop import never
from jigsat.csp.search import shared_tree
from jigsat.csp.search.shared_tree import BUDGET_SPENT, EXHAUSTED, NodeBudget, SharedTrees
from property_tests import examples

DEPTHS = 8
pytestmark = pytest.mark.usefixtures("no_thread_is_left")


@pytest.fixture(autouse=True)
def short_slices(monkeypatch):
    """Three nodes each, so that small trees are given away in many parts."""
    monkeypatch.setattr(shared_tree, "advance_slice", lambda walk, most, *_: walk.advance(min(3, most)))


class Tree:
    """A tree whose nodes are tuples; `widths` are drawn upon in turn by what a node is called."""

    def __init__(self, widths):
        self.widths = widths

    def children(self, node):
        if len(node) > DEPTHS:
            return []
        return [(*node, i) for i in range(self.widths[hash(node) % len(self.widths)])]

    def below(self, node=()):
        for child in self.children(node):
            yield child
            yield from self.below(child)


class TreeWalk:
    """A walk in plain Python, which finds every node: the children at each depth, and how many have been tried."""

    def __init__(self, tree, root=()):
        self.tree, self.slice_nodes, self.nodes, self.found = tree, 100, np.zeros(DEPTHS, dtype=np.int64), []
        self.levels, self.floor = [(tree.children(root), 0)], 0

    def make_room(self, solutions):
        pass

    def advance(self, budget):
        self.found = []
        while True:
            children, tried = self.levels[-1]
            if tried == len(children):
                if len(self.levels) == self.floor + 1:
                    return EXHAUSTED
                self.levels.pop()
                continue
            if budget == 0:
                return BUDGET_SPENT
            budget -= 1
            node = children[tried]
            self.nodes[len(node) - 2] += 1
            self.found.append(node)
            self.levels[-1] = children, tried + 1
            self.levels.append((self.tree.children(node), 0))

    def split(self):
        for depth in range(self.floor, len(self.levels) - 1):
            children, tried = self.levels[depth]
            if tried < len(children):
                self.floor = depth + 1
                return self.levels[: depth + 1]
        return None

    def begin_at(self, place):
        self.levels, self.floor = list(place), len(place) - 1

    def done(self, place):
        done, part = 0.0, 1.0
        levels = self.levels if place is None else place
        for depth, (children, tried) in enumerate(levels):
            part /= max(len(children), 1)
            done += part * (tried - (depth < len(levels) - 1))
        return done


def shared(trees, threads, nodes=None, walk_of=None, **options):
    return SharedTrees(
        len(trees),
        walk_of or (lambda number: TreeWalk(trees[number], (number,))),
        lambda walk, place: walk.done(place),
        lambda walk: walk.found,
        threads=threads,
        budget=NodeBudget(nodes),
        **options,
    )


TREES = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=7).map(Tree), min_size=1, max_size=3)
BUSHY = Tree([2])
PLACES = "begin", "advance", "split", "look"


@pytest.mark.slow
@examples(200, 60)
@given(TREES, st.integers(1, 4))
def test_every_node_is_met_once(trees, threads):
    expected = [node for number, tree in enumerate(trees) for node in tree.below((number,))]
    search = shared(trees, threads)
    found, nodes, done = [], np.zeros(DEPTHS, dtype=np.int64), [0.0]
    for made in search.slices(never):
        found += made.found
        nodes += made.nodes
        done.append(search.done)
    assert sorted(found) == sorted(expected)
    assert nodes.tolist() == [sum(len(node) == depth + 2 for node in expected) for depth in range(DEPTHS)]
    assert (search.exhausted, search.spent, search.done) == (True, False, 1)
    assert all(before <= after for before, after in pairwise(done))
    if threads == 1:
        assert found == expected


@examples(200, 60)
@given(TREES, st.integers(1, 4), st.integers(0, 400))
def test_a_budget_is_used_up_by_all_threads_together(trees, threads, budget):
    """No node more, and not one less as long as there are any; just as many as there are will do."""
    total = sum(1 for number, tree in enumerate(trees) for _ in tree.below((number,)))
    search = shared(trees, threads, budget)
    placed = sum(int(made.nodes.sum()) for made in search.slices(never))
    assert placed == min(total, budget)
    assert (search.exhausted, search.spent) == (total <= budget, total > budget)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_is_found_until_the_end_is_told(threads):
    """Also if the search is stopped."""
    search = shared([BUSHY], threads)
    found, nodes = [], []

    def must_stop():
        return len(found) > 20

    for made in search.slices(must_stop):
        found += made.found
        nodes.append(int(made.nodes.sum()))
    assert 20 < sum(nodes) == len(set(found)) < sum(1 for _ in BUSHY.below((0,)))
    assert (search.exhausted, search.spent) == (False, False)
    assert 0 <= search.done < 1


@pytest.mark.parametrize(("threads", "where"), [(1, "begin"), (1, "look"), *product((2, 3), PLACES)])
def test_what_is_raised_in_a_thread_is_raised_and_all_end(threads, where):
    class Broken(TreeWalk):
        def split(self):
            fails("split")
            return super().split()

        def advance(self, budget):
            fails("advance")
            return super().advance(budget)

    def fails(at):
        if at == where:
            raise ZeroDivisionError(where)

    def look(walk):
        fails("look")
        return walk.found

    def walk_of(number):
        fails("begin")
        return Broken(BUSHY, (number,))

    search = SharedTrees(
        1, walk_of, lambda walk, place: walk.done(place), look, threads=threads, budget=NodeBudget(None)
    )
    with pytest.raises(ZeroDivisionError, match=where):
        list(search.slices(never))
    assert not search.exhausted


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_wait_for_whoever_takes_what_they_find(threads):
    """Only the first slice is asked for; then the iterator is closed, and the threads end."""
    slices, begun = [], threading.Event()

    def before(_):
        slices.append(None)
        if len(slices) > 20 * threads:
            begun.set()

    search = shared([BUSHY], threads, before=before)
    taken = search.slices(never)
    next(taken)
    assert not begun.wait(0.2)
    taken.close()
    assert not search.exhausted
