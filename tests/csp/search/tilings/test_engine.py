"""The search for tilings on the lattice against plain recursion, and its limits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force_lattice import lattice_tilings
from dissections import dissections, labelled
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.check_tiling import TilingChecker
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.tilings.engine import Tiler
from jigsat.csp.search.tilings.on_lattice import tiling_problem, tree_of
from property_tests import examples

quick = examples(60)


@pytest.fixture(scope="module")
def ostomachion():
    return read_puzzle("ostomachion")


def run(puzzle, goal=Goal.ALL, limits=NO_LIMITS, **options):
    return Tiler().run(puzzle, goal, limits, Options(**options))


def test_the_ostomachion(ostomachion):
    """The published number (Cutler 2003): 536 up to symmetries and the two pairs of congruent pieces."""
    found = run(ostomachion)
    assert (found.count, found.canonical_count, found.symmetry_factor) == (17152, 536, 32)
    assert found.complete
    judge = TilingChecker(ostomachion)
    assert len(set(found.solutions)) == 536
    assert all(judge(tiling).is_solution for tiling in found.solutions)


def test_limits(ostomachion):
    """Numbers of what was looked at, and why no more was."""
    some = run(ostomachion, Goal.ALL, Limits(solutions=7))
    assert (len(some.solutions), some.complete, some.ended_by) == (7, False, "solutions")
    assert some.canonical_count is not None
    assert some.canonical_count >= 7
    nodes = run(ostomachion, Goal.COUNT, Limits(nodes=1000))
    assert (nodes.nodes, nodes.complete, nodes.ended_by) == (1000, False, "nodes")
    assert 0 < nodes.count < 17152
    assert run(ostomachion, Goal.COUNT, Limits(seconds=0)).ended_by == "time"
    one = run(ostomachion, Goal.SOLVE)
    assert (len(one.solutions), one.complete, one.status) == (1, True, Status.SATISFIABLE)
    assert sum(one.nodes_by_depth) == one.nodes


def test_a_lattice_that_is_too_fine():
    target = ((0, 0), (9973, 0), (9973, 9967), (0, 9967))
    with pytest.raises(EngineError, match="too fine for the lattice model"):
        run(DissectionPuzzle(target, (target,), Motions.LATTICE))
    # A corner cut off a square: the corner alone fits nearly everywhere.
    corner, rest = ((0, 0), (1, 0), (0, 1)), ((1, 0), (200, 0), (200, 200), (0, 200), (0, 1))
    with pytest.raises(EngineError, match="more than 20000 placements on the lattice, too many"):
        run(DissectionPuzzle(((0, 0), (200, 0), (200, 200), (0, 200)), (corner, rest), Motions.LATTICE))


@quick
@given(dissections(), st.booleans())
def test_the_tree_has_the_nodes_that_the_search_places(puzzle, symmetry):
    """What estimators sample is what the search walks through."""
    tree = tree_of(tiling_problem(puzzle, symmetry=symmetry))
    nodes, numbers = tree.root(), []
    for depth in range(tree.depths):
        children = tree.children(nodes, depth)
        numbers.append(int(children.sum()))
        parents = [i for i, number in enumerate(children.tolist()) for _ in range(number)]
        which = [j for number in children.tolist() for j in range(number)]

        nodes = tree.child(nodes, depth, np.array(parents, dtype=np.int64), np.array(which, dtype=np.int64))
    assert tuple(numbers) == run(puzzle, Goal.COUNT, symmetry=symmetry).nodes_by_depth


def every(puzzle):
    """All tilings by numbered pieces that the symmetries make of those that are found."""
    return {
        tiling
        for one in run(puzzle).solutions
        for motion in puzzle.symmetries
        for tiling in labelled(puzzle, tuple(motion(polygon) for polygon in one))
    }


@examples(25)
@given(dissections())
def test_with_any_motions_nothing_is_lost(puzzle):
    """The two searches have nothing in common; what the one finds on the lattice is among what the other finds."""
    anyhow = replace(puzzle, motions=Motions.ANY)
    found = run(anyhow, symmetry=False)
    on_lattice = {tiling for tiling in found.solutions if TilingChecker(puzzle)(tiling).is_solution}
    assert on_lattice == lattice_tilings(puzzle)
    counted = run(anyhow, Goal.COUNT)
    assert (counted.count, counted.canonical_count) == (found.count, found.canonical_count)


@pytest.mark.slow
def test_all_tilings_of_the_ostomachion_lie_on_the_lattice(ostomachion):
    """Two searches without anything in common find the same set."""
    anyhow = replace(ostomachion, motions=Motions.ANY)
    assert every(anyhow) == every(ostomachion)
    assert len(every(anyhow)) == 17152
