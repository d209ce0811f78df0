"""The engine `backtrack`: depth-first search along a fixed order of squares."""

from dataclasses import dataclass, replace

from ..base.stopping import Stop
from ..engines.engine import SQUARES, Engine, Search
from ..engines.request import (
    IN_PARTS,
    DeviceOptions,
    FrameSlipsOptions,
    Goal,
    Limits,
    Options,
    OrderOptions,
    PartsOptions,
    RegionOptions,
    SlipsOptions,
    SymmetryOptions,
    ThreadsOptions,
    given_slips,
    in_parts,
)
from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .counting.counting import Counting
from .ordered.best_score import BestScore
from .ordered.enumeration import Enumeration
from .ordered.run import Run


@dataclass(frozen=True, kw_only=True)
class BacktrackOptions(
    SymmetryOptions,
    OrderOptions,
    SlipsOptions,
    FrameSlipsOptions,
    ThreadsOptions,
    PartsOptions,
    RegionOptions,
    DeviceOptions,
):
    """The options of a search along an order."""


class Backtrack(Engine):
    """Depth-first search along a fixed order of squares.

    Without symmetry breaking every arrangement of numbered pieces is a separate solution; with it, `all` yields one of
    each orbit.  A count may use another method, a cluster, and a ledger.
    """

    name = "backtrack"
    kinds = SQUARES
    goals = frozenset(Goal)
    takes = BacktrackOptions
    follows_order = native = counts_nodes = waits = True

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return None

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        if goal is Goal.COUNT and options.method == "plain":
            options = replace(options, method=None)
        if goal is Goal.COUNT and in_parts(options) and not _is_enumerated(limits, options):
            return Counting(puzzle, limits, options, stop)
        run = Run(puzzle, goal, limits, options, stop)
        return BestScore(run) if goal is Goal.BEST else Enumeration(run)


def _is_enumerated(limits: Limits, options: Options) -> bool:
    """Whether only the number of threads requires a count in parts, which supports neither slips nor these limits."""
    asked = any(getattr(options, name) is not None for name in IN_PARTS)
    return not asked and (limits.nodes, limits.depth, given_slips(options)) != (None, None, None)
