"""Three assemblies without a common join, by a SAT solver that learns from every further solution.

The solver finds a jigsaw with three assemblies (see `three_assemblies`).  All its solutions are counted.  If there are
others, a clause forbids each of them: some of its joins must not fit, unless it is assembly 2 or 3.  Then the solver
goes on.
This is counterexample-guided refinement (Clarke, Grumberg, Jha, Lu and Veith, 2000).  If it ends without a jigsaw and
no symmetry was asked for, no such jigsaw exists.

A seed gives the same jigsaw on every machine with the same version of the solver: time only stops the work.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from pysat.solvers import Solver

from ...base.seeded_random import Chance
from ...base.stop import StoppedError, never
from ...engines.registry import run_aside
from ...engines.request import Goal, Limits
from ...puzzles.board import Arrangement, Board
from ...puzzles.jigsaw_algebra import jigsaw_of, mating, original
from ..annealing import Annealed, Wish
from ..scramble_symmetry import board_symmetry
from .annealing import group
from .three_assemblies import Laying, ThreeAssemblies, is_first_turn, turned

# Conflicts between two checks whether to stop.
SLICE = 2_000
# The solutions of a jigsaw that are looked at.
MOST_SOLUTIONS = 48


class Refinement:
    """A search by refinement; `step` looks at one more jigsaw.

    - `wish`: the requirements: `max_use` and the size of the board.
    - `seed`: the random seed.
    - `symmetry`: the generators of the symmetry group (see `annealing.generator`).
    """

    def __init__(self, wish: Wish, seed: int, symmetry: tuple[str, ...] = ()) -> None:
        self._board, chance = wish.board, Chance(seed)
        self._formula = ThreeAssemblies(wish.board, wish.max_use, group(wish.board, symmetry))
        # The solver knows the variables by other numbers, which depend on the seed.
        self._names = [0, *chance.shuffled(range(1, self._formula.variables + 1))]
        self._solver = Solver("glucose4", [self._named(clause) for clause in chance.shuffled(self._formula.clauses)])
        self._mate: list[int] = mating(self._board, original(self._board)).tolist()
        self._excluded: set[Laying] = set()
        self.looked_at = 0

    def close(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()

    def step(self, must_stop: Callable[[], bool]) -> "Found | None":
        """The next jigsaw; None if there is no other.

        Raises StoppedError if `must_stop` returns true.
        """
        model = self._model(must_stop)
        if model is None:
            return None
        self.looked_at += 1
        scrambles = self._formula.arrangement(model, 0), self._formula.arrangement(model, 1)
        labels = np.array(self._formula.labels(model), np.int64)
        board = self._board
        jigsaw = jigsaw_of(board.rows, board.columns, labels, "", "", (original(board), *scrambles))
        limits = Limits(solutions=MOST_SOLUTIONS)
        counted = run_aside("most-constrained", jigsaw, Goal.ALL, limits, must_stop)
        planned = {_laying(board, each) for each in jigsaw.assemblies if each is not None}
        others = [laying for each in counted.solutions if (laying := _laying(board, each)) not in planned]
        for laying in others:
            self._exclude(laying)
        return Found(*scrambles, len(others) + len(planned), counted.complete and not others)

    def _model(self, must_stop: Callable[[], bool]) -> set[int] | None:
        answer = None
        while answer is None:
            if must_stop():
                raise StoppedError
            self._solver.conf_budget(SLICE)
            answer = self._solver.solve_limited()
        if not answer:
            return None
        true = {literal for literal in self._solver.get_model() or () if literal > 0}
        return {own for own, name in enumerate(self._names) if name in true}

    def _named(self, clause: tuple[int, ...]) -> list[int]:
        return [self._names[literal] if literal > 0 else -self._names[-literal] for literal in clause]

    def _exclude(self, laying: Laying) -> None:
        """Some joins of a solution must not fit, unless it is assembly 2 or 3."""
        if laying in self._excluded:
            return
        self._excluded.add(laying)
        at = {turned(slot, side): 4 * piece + side for piece, slot in laying for side in range(4)}
        fitting = {self._formula.fits(at[u], at[mate]) for u, mate in enumerate(self._mate) if mate > u} - {True}
        # All of them fit in the jigsaw that was found, so none is False.
        clause = [-literal for literal in sorted(fitting)]
        for k in range(2):
            placements = self._formula.lies(k, laying)
            if placements is not None:
                is_like_that = self._formula.new_variable()
                self._names.append(is_like_that)
                for placement in placements:
                    self._solver.add_clause(self._named((-is_like_that, placement)))
                clause.append(is_like_that)
        self._solver.add_clause(self._named(tuple(clause)))


class Found(NamedTuple):
    """Two scrambles, the number of solutions of their jigsaw that were found, and whether they are the three wanted."""

    second: Arrangement
    third: Arrangement
    solutions: int
    is_exact: bool


def refine_pair(
    wish: Wish,
    seed: int,
    *,
    symmetry: tuple[str, ...] = (),
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
) -> Annealed:
    """Look for two scrambles whose jigsaw has exactly three solutions; return the nearest ones.

    - `wish`, `seed`, `symmetry`: as for `Refinement`.
    - `must_stop`: is called several times a second; returns whether to stop.
    - `report`: is called with the nearest so far each time.

    Returns the scrambles.  Their `energy` is the number of solutions besides the three wanted, their `steps` are the
    jigsaws that were looked at.
    """
    first = original(wish.board)
    nearest = Annealed(first, wish.joins, 0, symmetry, first)
    search = Refinement(wish, seed, symmetry)
    try:
        while nearest.energy and (found := search.step(must_stop)) is not None:
            energy = 0 if found.is_exact else max(1, found.solutions - 3)
            if energy < nearest.energy:
                nearest = Annealed(found.second, energy, search.looked_at, symmetry, found.third)
            report(Annealed(nearest.arrangement, nearest.energy, search.looked_at, symmetry, nearest.third))
    except StoppedError:
        pass
    finally:
        search.close()
    return Annealed(nearest.arrangement, nearest.energy, search.looked_at, symmetry, nearest.third)


def _laying(board: Board, arrangement: Arrangement) -> Laying:
    """The placement of each piece, with the board turned so that piece 0 is where `ThreeAssemblies` has it."""
    for turns in board.quarter_turns():
        image = board_symmetry(board, turns, mirrored=False)
        slots = {
            placement.piece: image[4 * square + placement.rotation]
            for square, placement in enumerate(arrangement)
            if placement is not None
        }
        if is_first_turn(board, slots[0]):
            return tuple(sorted(slots.items()))
    raise AssertionError("a corner piece is not in a corner")
