"""What the brute force in C says of a puzzle: each answer is found once."""

from dataclasses import replace
from functools import cached_property

import in_c
from brute_force import is_bound_by_order
from brute_force_dissection import all_tilings
from brute_force_lattice import lattice_tilings
from dissections import labelled
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.dissection import Motions
from jigsat.csp.puzzles.orders import find_order

#: More solutions or steps than these make a puzzle too large for the long run.
MOST, STEPS, SCORE_STEPS = 400, 40_000, 150_000


class SquaresTruth:
    """The solutions of a puzzle of squares, along orders and with slips."""

    def __init__(self, puzzle):
        self.puzzle = puzzle
        self._boards, self._least, self._orders = {}, {}, {}

    def order(self, order):
        """The squares of an order that is given by its name, by the squares, or as None."""
        if order not in self._orders:
            self._orders[order] = find_order(self.puzzle, order)[1]
        return self._orders[order]

    def boards(self, order=None, slips=None, frame_slips=None):
        """All boards that the slips allow along an order, with their orbits; raises `in_c.TooMuch`."""
        key = (order, slips, frame_slips)
        if key not in self._boards:
            arrays = slips or (), frame_slips or ()
            turns = not any(arrays) or not is_bound_by_order(self.puzzle, order, *arrays)
            found = in_c.boards(self.puzzle, order, *arrays, turns=turns, most=MOST, steps=STEPS)
            self._boards[key] = found
        return self._boards[key]

    def best_score(self, order=None, slips=None, frame_slips=None):
        """The best score that the slips allow (all inner ones, without an array); None without a full board."""
        key = (order, slips, frame_slips)
        if key not in self._least:
            least = in_c.least_invalid(self.puzzle, order, slips, frame_slips or (), steps=SCORE_STEPS)
            self._least[key] = None if least is None else self.puzzle.max_score - least
        return self._least[key]


class TilingsTruth:
    """The tilings of a dissection: all on the lattice by the brute force in C, the smallest at any angle by Python's.

    Other dissections at any angle are compared with a single run of the engine: without symmetries, on one thread.
    """

    def __init__(self, puzzle):
        self.puzzle = puzzle

    @cached_property
    def orbit_of(self):
        """All tilings, each with the number of its orbit; raises `in_c.TooMuch`."""
        puzzle = self.puzzle
        if len(puzzle.parts) > 1 and puzzle.motions is Motions.LATTICE:
            # The oracle in C knows targets of one part.
            lattice, given = puzzle.lattice, (puzzle.parts, puzzle.holes, puzzle.pieces)
            target, holes, pieces = (tuple(map(lattice.units, polygons)) for polygons in given)
            every = lattice_tilings(replace(puzzle, target=target, holes=holes, pieces=pieces))
            return _orbits_of(puzzle, {tuple(map(lattice.polygon, tiling)) for tiling in every})
        if puzzle.motions is Motions.LATTICE:
            found = in_c.tilings(puzzle, most=MOST, steps=STEPS)
            return dict(zip(found.solutions, found.orbits, strict=True))
        if len(puzzle.pieces) <= 2:
            return _orbits_of(puzzle, all_tilings(puzzle))
        limits = Limits(solutions=MOST + 1)
        every = set(
            find_engine("backtrack", kind="dissection").run(puzzle, Goal.ALL, limits, Options(symmetry=False)).solutions
        )
        if len(every) > MOST:
            raise in_c.TooMuch
        if len(puzzle.parts) == 1 and puzzle.is_rational and puzzle.lattice.across == (1, 1):
            assert set(in_c.tilings(puzzle).solutions) <= every, "a tiling on the lattice is missing"
        return _orbits_of(puzzle, every)


def _orbits_of(puzzle, every):
    """The orbit of each tiling, by the target's symmetries and the exchange of congruent pieces."""
    orbit_of = {}
    for tiling in every:
        if tiling not in orbit_of:
            number = len(orbit_of)
            for motion in puzzle.symmetries:
                for image in labelled(puzzle, tuple(motion(polygon) for polygon in tiling)):
                    orbit_of[image] = number
    assert orbit_of.keys() == every, "a symmetry leads out of the tilings"
    return orbit_of


def truth_of(puzzle):
    """What the brute force says of a puzzle."""
    return TilingsTruth(puzzle) if puzzle.kind == "dissection" else SquaresTruth(puzzle)
