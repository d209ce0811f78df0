"""What an engine makes of the full boards that it finds: solutions to show, numbers, and what they prove."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...puzzles.board import Arrangement
from ...puzzles.check_board import Verdict, check
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ..request import Goal
from ..result import Status, status_of_count
from .board_tally import Rows, Tally


def certain(
    puzzle: EdgeMatchingPuzzle, solution: Arrangement, slips: Sequence[int] = (), order: Sequence[int] = ()
) -> Verdict:
    """The checker's verdict on what an engine found, which nobody sees if that is no solution."""
    verdict = check(puzzle, solution, slips, order if slips else ())
    if not verdict.is_solution:
        raise AssertionError(f"the search found what is no solution: {verdict.problems[0]}")
    return verdict


def status_of_best(best: Arrangement | None, *, complete: bool) -> Status:
    """What a search for the best score knows that has found this full board, or none."""
    if best is None:
        return Status.UNSATISFIABLE if complete else Status.UNKNOWN
    return Status.OPTIMAL if complete else Status.FEASIBLE


class Harvest:
    """Counts the full boards of a search, and yields as solutions as many of them as are wanted.

    Parameters
    ----------
    tally
        Counts rows of candidates.
    goal, most
        The goal, and how many solutions are wanted; None for all.
    symmetry
        Whether the search breaks symmetries: then of each orbit one solution is yielded.
    checked
        Is shown each solution, and raises if it is none.

    Attributes
    ----------
    yielded
        How many solutions have been yielded.
    full
        Whether there are as many as are wanted.
    """

    def __init__(
        self, tally: Tally, goal: Goal, most: int | None, *, symmetry: bool, checked: Callable[[Arrangement], object]
    ) -> None:
        self._tally, self._goal, self._most, self._checked = tally, goal, most, checked
        # One solution is as good as another when only one is wanted.
        self._select = symmetry and goal is not Goal.SOLVE
        self.yielded = 0
        self.full = False

    def take(self, rows: Rows) -> Iterator[Arrangement]:
        """Count full boards and yield the solutions among them, up to the number wanted."""
        canonical = self._tally.is_canonical(rows)
        shown = np.flatnonzero(canonical) if self._select else np.arange(len(rows))
        if self._most is not None and self._goal is not Goal.COUNT and len(shown) >= self._most - self.yielded:
            shown = shown[: self._most - self.yielded]
            rows = rows[: shown[-1] + 1 if len(shown) else 0]
            self.full = True
        self._tally.add(rows, canonical[: len(rows)])
        if self._goal is Goal.COUNT:
            return
        for solution in self._tally.arrangements(rows[shown]):
            self._checked(solution)
            self.yielded += 1
            yield solution

    def counts(self) -> tuple[int, int]:
        """`count` and `canonical_count` so far."""
        # No orbit is larger than the product: an unfinished search may know of more orbits than it has met.
        orbits = -(-self._tally.count // self._tally.found.product)
        return self._tally.count, max(self._tally.canonical_count, orbits)

    def conclusion(self, count: int, *, exhausted: bool) -> tuple[Status, bool]:
        """What a search knows that has found so many solutions, and whether its goal is reached."""
        complete = exhausted or (self._goal is Goal.SOLVE and self.yielded > 0)
        return status_of_count(count, complete=complete), complete
