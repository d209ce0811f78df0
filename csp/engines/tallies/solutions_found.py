"""How an engine processes the full boards that it finds: solutions to show, counts, and the status."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...puzzles.board import Arrangement
from ...puzzles.check_board import Verdict, check
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ..request import Goal
from ..result import Status, status_of_count
from .board_tally import Rows, Tally


def certain(
    puzzle: EdgeMatchingPuzzle,
    solution: Arrangement,
    slips: Sequence[int] = (),
    order: Sequence[int] = (),
    frame_slips: Sequence[int] = (),
) -> Verdict:
    """The checker's verdict on a board that an engine found; raises AssertionError if it is not a solution."""
    verdict = check(puzzle, solution, slips, order if slips or frame_slips else (), frame_slips)
    if not verdict.is_solution:
        raise AssertionError(f"the search found an invalid solution: {verdict.problems[0]}")
    return verdict


def status_of_best(best: Arrangement | None, *, complete: bool) -> Status:
    """The status of a search for the best score that has found this full board, or no board (None)."""
    if best is None:
        return Status.UNSATISFIABLE if complete else Status.UNKNOWN
    return Status.OPTIMAL if complete else Status.FEASIBLE


class Harvest:
    """Counts the full boards of a search, and yields the wanted number of them as solutions.

    - `tally`: counts rows of candidates.
    - `goal`, `most`: the goal, and the number of wanted solutions; None for all.
    - `symmetry`: whether the search breaks symmetries: then one solution of each orbit is yielded.
    - `checked`: is called with each solution; raises AssertionError if it is invalid.

    Attributes:
    - `yielded`: how many solutions have been yielded.
    - `full`: whether the wanted number is reached.
    """

    def __init__(
        self, tally: Tally, goal: Goal, most: int | None, *, symmetry: bool, checked: Callable[[Arrangement], object]
    ) -> None:
        self._tally, self._goal, self._most, self._checked = tally, goal, most, checked
        # Any solution will do when only one is wanted.
        self._select = symmetry and goal is not Goal.SOLVE
        self.yielded = 0
        self.full = False

    def take(self, rows: Rows) -> Iterator[Arrangement]:
        """Count full boards and yield the solutions among them, up to the wanted number."""
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

    @property
    def state(self) -> list[int]:
        """What was counted and yielded, as JSON data for `begin_with`."""
        return [self._tally.count, self._tally.canonical_count, self.yielded]

    def begin_with(self, state: list[int]) -> None:
        """Add what an earlier search has counted and yielded."""
        self._tally.count, self._tally.canonical_count, self.yielded = state
        self.full = self._most is not None and self.yielded >= self._most

    def include(self, rows: Rows) -> None:
        """Count a solution that was found before, with all rows that it has in this search."""
        self._tally.add(rows, self._tally.is_canonical(rows))
        self.yielded += 1
        self.full = self._most is not None and self.yielded >= self._most

    def counts(self) -> tuple[int, int]:
        """`count` and `canonical_count` so far."""
        # No orbit is larger than the product: an incomplete search may imply more orbits than it has met.
        orbits = -(-self._tally.count // self._tally.found.product)
        return self._tally.count, max(self._tally.canonical_count, orbits)

    def conclusion(self, count: int, *, exhausted: bool) -> tuple[Status, bool]:
        """The status of the search so far, and whether its goal is reached."""
        complete = exhausted or (self._goal is Goal.SOLVE and self.yielded > 0)
        return status_of_count(count, complete=complete), complete
