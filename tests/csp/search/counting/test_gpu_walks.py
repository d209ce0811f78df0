"""A count on a GPU finds what a processor finds, nodes at each depth included, however its walks are divided.

Without a GPU, Numba's simulator runs the kernels.
"""

import random
from functools import cache

import pytest

from jigsat.csp.make.edge_matching import deal_edge_matching
from simulated_gpu import Case, Run, outcomes
from small_puzzles import SMALL_PUZZLES
from strategies import mixed_jigsaw, paired_jigsaw

#: Many nodes, and not a symmetric piece or two alike.
REGULAR = deal_edge_matching(5, 4, 2, 3, seed=1).puzzle
#: Every piece is like many others, so that each leaf is looked at.
ALIKE = deal_edge_matching(3, 3, 1, 1, seed=1).puzzle

GPU = {"device": "cuda"}


@cache
def jigsaws():
    chance = random.Random(7)
    connectors = [chance.choice((1, -1, 2, -2, 3)) for _ in range(17)]
    return [mixed_jigsaw(chance, 3, 4, connectors), paired_jigsaw(chance, 3, 3, 2)]


def totals(outcome):
    """The nodes at each depth, the count and the canonical count on the GPU."""
    nodes = [sum(of_depth) for of_depth in zip(*(share.nodes for share in outcome.found), strict=True)]
    canonical = [share.canonical_count for share in outcome.found]
    return nodes, sum(share.count for share in outcome.found), None if None in canonical else sum(canonical)


def test_small_puzzles_of_every_sort(simulated):
    """Pieces alike, symmetric, fixed and spare, jigsaws, boards without a solution; along several orders."""
    puzzles = [*SMALL_PUZZLES.values(), *jigsaws()]
    ways = [{}, {"order": "spiral_in"}, {"order": "zig_zag", "symmetry": False}]
    found = outcomes([Case(puzzle, way) for puzzle in puzzles for way in ways], simulated)
    for outcome in found:
        assert outcome.found == outcome.expected
    of = dict(zip(SMALL_PUZZLES, found[::3], strict=False))
    assert totals(of["identical"]) == ([1, 1, 1, 1], 24, 1)
    assert totals(of["4x4"])[1:] == (16, None)
    assert totals(of["jigsaw"])[1:] == (4, 1)


@pytest.mark.slow
def test_walks_that_are_divided_again_and_again(simulated):
    """Along orders with a few anchors' squares, and in whatever ranges the parts are counted."""
    every = [
        {"plain": {"_ENOUGH_PARTS": 3}},
        {"plain": {"_ENOUGH_PARTS": 100}, "cuts": (0, 0.3, 0.35, 1)},
        {"walks": {"_FIRST_SLICE": 3, "_LONGEST_SLICE": 3, "_LOOK": 1}, "plain": {"_ENOUGH_PARTS": 1}},
    ]
    cases = [Case(REGULAR, {"order": "rowscan"}, **how) for how in every]
    cases.append(Case(REGULAR, {"order": "spiral_in"}))
    found = outcomes(cases, simulated)
    for outcome in found:
        assert outcome.found == outcome.expected
        assert (outcome.choices, outcome.regular) == (2, True)
        assert totals(outcome)[1] == 3072
    assert [sum(totals(outcome)[0]) for outcome in found] == [2315] * 3 + [5809]
    # A thread of four that has nothing to do gets a list of another one, which happens many times.
    assert found[0].divisions >= (10 if simulated else 1)
    assert found[0].handed_over >= 20


@pytest.mark.slow
def test_leaves_that_are_looked_at(simulated):
    """Also if there is room for few of them at a time, and in a region of the board."""
    cases = [
        Case(ALIKE, {"symmetry": False}),
        Case(ALIKE, {"symmetry": False}, walks={"_ROOM": 3}),
        Case(REGULAR, {"squares": tuple(range(6))}, walks={"_ROOM": 5}),
    ]
    whole, few, region = outcomes(cases, simulated)
    assert whole.found == whole.expected
    assert few.found == whole.found
    assert totals(whole)[1:] == (2304, 1)
    assert few.slices >= 2304 // 3
    assert (region.found, totals(region)[1]) == (region.expected, 1908)
    assert (whole.regular, region.regular) == (False, False)


def test_whoever_pauses_keeps_whole_parts(simulated):
    """Those that have begun are completed, or dropped if there is no time for that."""
    many = {"_ENOUGH_PARTS": 100}
    pauses = [("NO", "NO", "AFTER_PART"), ("AFTER_PART", "NO", "NO"), (*["NO"] * 20, "NOW"), ("NOW",)]
    cases = [Case(REGULAR, {"order": "spiral_in"}, (0.1, 1.0), how, many) for how in pauses]
    found = outcomes(cases, simulated)
    for outcome in found:
        assert outcome.found == outcome.expected
        assert outcome.found[0].last < outcome.parts
    after, at_once, later, now = (outcome.found[0] for outcome in found)
    first = at_once.first
    assert first < at_once.last <= after.last
    assert first < later.last
    assert now.last <= later.last


def test_a_ledger_is_continued_on_another_device(simulated, tmp_path):
    """From a processor on a GPU, and from a GPU on a processor: the parts are the same."""
    begun = [Run(REGULAR, {"ledger": str(tmp_path / name)} | on, ends=True) for name, on in (("a", {}), ("b", GPU))]
    continued = [Run(REGULAR, {"ledger": str(tmp_path / name)} | on) for name, on in (("a", GPU), ("b", {}))]
    found = outcomes([*begun, *continued, Run(REGULAR, {})], simulated)
    *several, alone = found
    for first, second in zip(several[:2], several[2:], strict=True):
        assert (first.complete, second.complete) == (False, True)
        assert 0 < first.statistics["parts"] == second.statistics["parts from the ledger"] < second.statistics["parts"]
        assert (second.count, second.nodes_by_depth) == (alone.count, alone.nodes_by_depth)
    assert alone.count == 3072
    assert ["device" in one.options for one in several] == [False, True, True, False]
    assert several[1].options["device"].startswith("cuda:0 ")
