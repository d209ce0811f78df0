"""The engine `backtrack`: depth-first search along a fixed order of squares."""

from dataclasses import replace

from ..base.errors import EngineError, shortened
from ..engines.engine import Engine, Search
from ..engines.request import IN_PARTS, Goal, Limits, Options, in_parts
from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .counting.counting import Counting
from .ordered.best_score import BestScore
from .ordered.enumeration import Enumeration
from .ordered.run import LACKS, Run


class Backtrack(Engine):
    """Depth-first search along a fixed order of squares.

    Without symmetry breaking every arrangement of numbered pieces is a solution of its own; with it, `all` yields one
    of each orbit.  A count may be made by another method, on several threads or a cluster, and with a ledger.
    """

    name = "backtrack"
    goals = frozenset(Goal)
    lacks = LACKS

    def prepared(self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> Search[Arrangement]:
        if goal is Goal.COUNT and options.method == "plain":
            options = replace(options, method=None)
        if goal is Goal.COUNT and in_parts(options):
            return Counting(puzzle, limits, options)
        _refuse_parts(options, goal)
        run = Run(puzzle, goal, limits, options)
        return BestScore(run) if goal is Goal.BEST else Enumeration(run)


def _refuse_parts(options: Options, goal: Goal) -> None:
    for name in IN_PARTS:
        given = getattr(options, name)
        if given is not None:
            raise EngineError(f"{name} {shortened(given)!r}: it is for counts, not for the goal {goal}")
