"""What the brute force in C says of a puzzle: each answer is found once."""

import json
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import forms_in_c
import in_c
from brute_force import is_bound_by_order, orbit
from brute_force_dissection import all_tilings
from brute_force_lattice import lattice_tilings
from dissections import labelled, moved
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import format_instance
from jigsat.csp.puzzles.dissection import Motions
from jigsat.csp.puzzles.orders import find_order

#: More solutions or steps than these make a puzzle too large for the long run.
MOST, STEPS, SCORE_STEPS = 400, 40_000, 150_000


class Counts(NamedTuple):
    """The numbers of arrangements, orbits and pictures (None: not known), and all arrangements with their orbits.

    Of too many arrangements only the numbers are known.
    """

    count: int
    canonical_count: int
    picture_count: int | None
    orbit_of: dict | None


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

    def counts(self, order=None, slips=None, frame_slips=None):
        """The numbers of these boards; raises `in_c.TooMuch`."""
        found = self.boards(order, slips, frame_slips)
        orbit_of = dict(zip(found.solutions, found.orbits, strict=True))
        return Counts(len(orbit_of), len({*found.orbits}), None, orbit_of)

    def nodes(self, order=None, slips=None, frame_slips=None):
        """How many fillings of the first squares there are, by their number; None if this is not known."""
        return self.boards(order, slips, frame_slips).nodes

    def best_score(self, order=None, slips=None, frame_slips=None):
        """The best score that the slips allow (all inner ones, without an array); None without a full board."""
        key = (order, slips, frame_slips)
        if key not in self._least:
            least = in_c.least_invalid(self.puzzle, order, slips, frame_slips or (), steps=SCORE_STEPS)
            self._least[key] = None if least is None else self.puzzle.max_score - least
        return self._least[key]


class CaseTruth:
    """The same for a puzzle with what the brute force in Python says of it along one order and with one slip array."""

    def __init__(self, case):
        self.puzzle, self._case = case.puzzle, case

    def counts(self, order=None, slips=None, frame_slips=None):
        """The numbers of the boards."""
        numbers = {}
        for board in self._case.solutions:
            if board not in numbers:
                numbers |= dict.fromkeys(orbit(self.puzzle, board, self._case.turns), len(numbers))
        orbit_of = {tuple(placed for _, placed in board): number for board, number in numbers.items()}
        assert numbers.keys() == {*self._case.solutions}, "a symmetry leads out of the boards"
        return Counts(len(orbit_of), self._case.orbits, None, orbit_of)

    def best_score(self, order=None, slips=None, frame_slips=None):
        """The best score; None without a full board."""
        return self._case.best


class FormTruth(SquaresTruth):
    """The same for a puzzle of squares of any form, as its file says (read as JSON), without slips."""

    def __init__(self, puzzle, document=None, **limits):
        super().__init__(puzzle)
        self.answer = forms_in_c.answer(document or json.loads(format_instance(puzzle)), **limits)

    def boards(self, order=None, slips=None, frame_slips=None):
        """All boards."""
        if slips or frame_slips or self.answer.orbit_of is None:
            raise in_c.TooMuch
        return in_c.Boards([*self.answer.orbit_of], [*self.answer.orbit_of.values()], ())

    def counts(self, order=None, slips=None, frame_slips=None):
        """The numbers of the boards."""
        if slips or frame_slips:
            raise in_c.TooMuch
        return _counts(self.answer)

    def nodes(self, order=None, slips=None, frame_slips=None):
        """Not known."""

    def best_score(self, order=None, slips=None, frame_slips=None):
        """The best score with invalid joins anywhere but along a frame; None without a full board."""
        if slips or frame_slips or self.answer.best == -1:
            raise in_c.TooMuch
        return self.answer.best


def _counts(answer):
    return Counts(answer.count, answer.canonical_count, answer.picture_count, answer.orbit_of)


class TilingsTruth:
    """The tilings of a dissection: all on the lattice by the brute force in C, the smallest at any angle by Python's.

    Other dissections at any angle are compared with a single run of the engine: without symmetries, on one thread.
    """

    def __init__(self, puzzle):
        self.puzzle = puzzle

    def counts(self):
        """The numbers of the tilings; raises `in_c.TooMuch`."""
        return Counts(len(self.orbit_of), len({*self.orbit_of.values()}), None, self.orbit_of)

    def key(self, tiling):
        """How `orbit_of` names a tiling."""
        return tiling

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


class KnownTilings(TilingsTruth):
    """The same where all tilings are known."""

    def __init__(self, puzzle, every):
        super().__init__(puzzle)
        self.orbit_of = _orbits_of(puzzle, every)


class CellsTruth:
    """The tilings of a dissection of cells, as its file says (read as JSON)."""

    def __init__(self, puzzle, document=None, **limits):
        self.puzzle = puzzle
        document = document or json.loads(format_instance(puzzle))
        self.answer = forms_in_c.answer(document, **limits)
        rows = document["target"]
        self._middles = {
            (i, j): _middle(document["cells"], i, j, len(rows))
            for i, row in enumerate(rows)
            for j, mark in enumerate(row)
            if mark == "#"
        }
        self._cells = {}

    def counts(self):
        """The numbers of the tilings."""
        return _counts(self.answer)

    @property
    def orbit_of(self):
        """All tilings, each with the number of its orbit."""
        if self.answer.orbit_of is None:
            raise in_c.TooMuch
        return self.answer.orbit_of

    def key(self, tiling):
        """The cells under each piece."""
        return tuple(map(self._cells_in, tiling))

    def _cells_in(self, polygon):
        if polygon is not None and polygon not in self._cells:
            corners = [(float(x), float(y)) for x, y in polygon]
            self._cells[polygon] = frozenset(cell for cell, at in self._middles.items() if _is_inside(corners, *at))
        return None if polygon is None else self._cells[polygon]


def _middle(grid, row, column, rows):
    """The middle of a cell; the lowest row lies on the x axis, as the package has it."""
    up, high, shift = rows - 1 - row, 3**0.5, (rows + 1) % 2
    if grid == "squares":
        return column + 0.5, up + 0.5
    if grid == "triangles":
        return column + 1 + shift, high * (up + (1 / 3 if (row + column) % 2 == 0 else 2 / 3))
    return high * (2 * column + row % 2 + shift), 3 * up


def _is_inside(corners, x, y):
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y0 > y) != (y1 > y):
            inside ^= x < x0 + (y - y0) * (x1 - x0) / (y1 - y0)
    return inside


def _orbits_of(puzzle, every):
    """The orbit of each tiling, by the target's symmetries and the exchange of congruent pieces."""
    orbit_of = {}
    for tiling in every:
        if tiling not in orbit_of:
            number = len(orbit_of)
            for motion in puzzle.symmetries:
                for image in labelled(puzzle, moved(puzzle, motion, tiling)):
                    orbit_of[image] = number
    assert orbit_of.keys() == every, "a symmetry leads out of the tilings"
    return orbit_of


def has_old_form(puzzle):
    """Whether the first oracles know the puzzle: a framed board of pieces that turn, or polygons."""
    return not puzzle.cells if puzzle.kind == "dissection" else puzzle.is_classic


def truth_of(puzzle, document=None):
    """What the brute force says of a puzzle, and of its file if it was read from one."""
    if puzzle.kind == "dissection":
        return TilingsTruth(puzzle) if has_old_form(puzzle) else CellsTruth(puzzle, document)
    return SquaresTruth(puzzle) if has_old_form(puzzle) else FormTruth(puzzle, document)
