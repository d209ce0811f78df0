"""The progress of a count in predicted nodes."""

import numpy as np

from jigsat import read
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.ordered.run import Run
from jigsat.csp.search.shared_tree import EXHAUSTED
from jigsat.estimators.effort.search_effort import estimates, plan_along
from jigsat.estimators.owen.complexity import Complexity


def planned(puzzle, order_name, options):
    """A search with its prediction, by which its progress goes."""
    effort = estimates(Complexity(puzzle), options.order, options.slips, symmetry=options.symmetry)
    return plan_along(effort.searched, effort.plain.solutions, order_name, options)


def reports(puzzle, options, **limits):
    found = []
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(**limits), options, report=found.append)
    return result, found


def test_progress_ascends_with_the_nodes():
    """On puzzle-a the part done, as predicted, stays near the part of the nodes."""
    puzzle = read("puzzle-a")
    result, found = reports(puzzle, planned(puzzle, "rowscan", Options(order="rowscan", symmetry=False)).options)
    done = np.array([progress.done for progress in found])
    true = np.array([progress.nodes / result.nodes for progress in found])
    assert len(found) >= 2
    assert np.all((done >= 0) & (done <= 1))
    assert np.abs(done - true).max() < 0.25


def test_parts_that_are_given_away_know_the_invalid_joins_above():
    """Of each kind: a part that takes them for less would have more nodes than the whole leaves it."""
    puzzle = deal_edge_matching(3, 3, 2, 2, seed=1, random=True).puzzle
    options = Options(order="rowscan", symmetry=False, slips="4,6", frame_slips="2,5")
    run = Run(puzzle, Goal.COUNT, Limits(), options)
    whole = run.walk(0)
    assert whole.advance(10**9) == EXHAUSTED
    number = int(whole.nodes.sum())
    for nodes in range(1, number, number // 40):
        walk, total = run.walk(0), np.zeros_like(whole.nodes)
        walk.advance(nodes)
        while (place := walk.split()) is not None:
            part = run.walk(0)
            part.begin_at(place)
            assert part.advance(10**9) == EXHAUSTED
            total += part.nodes
        assert walk.advance(10**9) == EXHAUSTED
        assert (total + walk.nodes).tolist() == whole.nodes.tolist()
