"""The engine `backtrack`: depth-first search along a fixed order of squares."""

import threading
from collections.abc import Callable, Iterator

from ..board import Arrangement
from ..edge_matching import EdgeMatchingPuzzle
from ..engine import DEFAULTS, NO_LIMITS, Goal, Limits, Options, Report, Result, pursue
from .best import BestScore
from .enumeration import Enumeration
from .run import LACKS, Run


class Backtrack:
    """Depth-first search along a fixed order of squares."""

    name = "backtrack"
    goals = frozenset(Goal)
    lacks = LACKS

    def run(
        self,
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits = NO_LIMITS,
        options: Options = DEFAULTS,
        *,
        report: Report | None = None,
        consume: Callable[[Arrangement], None] | None = None,
    ) -> Result:
        """Search along ``options.order`` until the goal or a limit is reached, or Ctrl-C is pressed.

        Of a search for the best score the one solution is the best full board, handed over at the end.  Without
        symmetry breaking every arrangement of numbered pieces is a solution of its own; with it, `all` yields one of
        each orbit.

        Raises
        ------
        OrderError, SlipError, EngineError
            If the order, the slips or the options do not fit the puzzle.
        """
        run = Run(puzzle, goal, limits.towards(goal), options)
        return pursue(BestScore(run) if goal is Goal.BEST else Enumeration(run), report, consume)

    def solutions(
        self, puzzle: EdgeMatchingPuzzle, limits: Limits = NO_LIMITS, options: Options = DEFAULTS
    ) -> Iterator[Arrangement]:
        """Yield the solutions one by one; the search goes on only when the next one is asked for."""
        yield from Enumeration(Run(puzzle, Goal.ALL, limits, options)).steps(None, threading.Event())
