"""The rim of a target: what it refutes has no tiling."""

from itertools import islice

from jigsat.csp.engines.registry import find_tiling_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.tilings.lattice_placements import find_placements
from jigsat.csp.search.tilings.rim_test import rim_is_refuted
from jigsat.csp.tilings.convex_forms import FormClass


def rims(puzzle, targets):
    """The puzzle with each target, and whether its rim refutes it."""
    for target in targets:
        moved = DissectionPuzzle(target, puzzle.pieces, Motions.LATTICE)
        yield moved, rim_is_refuted(find_placements(moved))


def test_what_the_rim_refutes_has_no_tiling():
    # Would catch a placement, a wedge or a piece of a class that the search of the rim does without.
    puzzle, engine = read_puzzle("tangram"), find_tiling_engine("backtrack")
    targets = [target for vertices in (3, 4, 5, 6) for target in FormClass(puzzle, vertices).candidates()]
    refuted = [moved for moved, is_refuted in rims(puzzle, targets) if is_refuted]
    assert [engine.run(moved, Goal.COUNT).count for moved in refuted] == [0] * len(refuted)
    assert refuted


def test_the_rim_refutes_most_targets():
    # Otherwise hexagons and up would take many times as long.
    puzzle = read_puzzle("ostomachion")
    verdicts = [is_refuted for _, is_refuted in rims(puzzle, islice(FormClass(puzzle, 6).candidates(), 10))]
    assert sum(verdicts) > 5
