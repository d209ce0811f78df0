"""The engine `backtrack`: depth-first search along a fixed order of squares."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..base.errors import EngineError, shortened
from ..engines.engine import pursue
from ..engines.request import DEFAULTS, IN_PARTS, NO_LIMITS, Goal, Limits, Options, in_parts
from ..engines.result import Report, Result
from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .counting.counting import Counting
from .ordered.best_score import BestScore
from .ordered.enumeration import Enumeration
from .ordered.run import LACKS, Run


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

        A count may be made by another method, on several threads or a cluster, and with a ledger.

        Raises
        ------
        OrderError, SlipError, EngineError
            If the order, the slips or the options do not fit the puzzle.
        """
        if options.method == "plain" and goal is Goal.COUNT:
            options = replace(options, method=None)
        if goal is Goal.COUNT and in_parts(options):
            return pursue(Counting(puzzle, limits, options), report, consume)
        _refuse_parts(options, goal)
        run = Run(puzzle, goal, limits.towards(goal), options)
        return pursue(BestScore(run) if goal is Goal.BEST else Enumeration(run), report, consume)

    def solutions(
        self, puzzle: EdgeMatchingPuzzle, limits: Limits = NO_LIMITS, options: Options = DEFAULTS
    ) -> Iterator[Arrangement]:
        """Yield the solutions one by one; the search goes on only when the next one is asked for."""
        _refuse_parts(options, Goal.ALL)
        yield from Enumeration(Run(puzzle, Goal.ALL, limits, options)).steps(None, threading.Event())


def _refuse_parts(options: Options, goal: Goal) -> None:
    for name in IN_PARTS:
        given = getattr(options, name)
        if given is not None:
            raise EngineError(f"{name} {shortened(given)!r}: it is for counts, not for the goal {goal}")
