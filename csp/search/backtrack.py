"""The engine `backtrack`: depth-first search along a fixed order of squares, and counts in parts by any method."""

from dataclasses import replace

from ..base.errors import EngineError, UsageError
from ..base.stop import Stop
from ..engines.engine import SQUARES, Engine, Search
from ..engines.request import CLUSTER, OF_COUNTS, Goal, Limits, Options, given_slips, in_parts, some_options
from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle


class Backtrack(Engine):
    """Depth-first search along a fixed order of squares.

    Without symmetry breaking every arrangement of numbered pieces is a separate solution; with it, `all` yields one of
    each orbit.  A count may use another method, a cluster, and a ledger.
    """

    name = "backtrack"
    kinds = SQUARES
    goals = frozenset(Goal)
    takes = some_options("order", "slips", "frame_slips", "threads", *OF_COUNTS, "device")
    follows_order = native = counts_nodes = waits = every_form = True

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        if options.device is not None:
            _refuse_on_gpu(goal, limits, options)

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        self.check(goal, limits, options)
        if options.device is not None and not puzzle.is_classic:
            raise EngineError(
                f"device {options.device!r:.40}: a GPU does not count puzzles with {puzzle.form}; omit it"
            )
        if goal is Goal.COUNT and options.method == "plain":
            options = replace(options, method=None)
        # Each needs modules that the others do not.
        if goal is Goal.COUNT and in_parts(options) and not _is_enumerated(limits, options):
            from .counting.run import Counting

            return Counting(puzzle, limits, options, stop)
        from .ordered.run import BestScore, Run
        from .tree_run import Enumeration

        run = Run(puzzle, goal, limits, options, stop)
        return BestScore(run) if goal is Goal.BEST else Enumeration(run)


def _is_enumerated(limits: Limits, options: Options) -> bool:
    """Whether only the number of threads requires a count in parts, which supports neither slips nor these limits."""
    asked = in_parts(replace(options, threads=1))
    return not asked and (limits.nodes, limits.depth, given_slips(options)) != (None, None, None)


def _refuse_on_gpu(goal: Goal, limits: Limits, options: Options) -> None:
    """Raise EngineError or UsageError if a search with these limits and options is not possible on a GPU."""
    given = f"device {options.device!r:.40}"
    if goal is not Goal.COUNT:
        raise EngineError(f"{given}: the engine backtrack uses a GPU for the goal count only, not for {goal}; omit it")
    if options.method not in (None, "plain"):
        raise EngineError(f"{given}: a GPU counts by the method plain only, not by {options.method!r:.40}; omit one")
    if options.threads != 1:
        raise EngineError(f"{given}: a GPU has its own threads; omit threads")
    if options.cluster is not None:
        raise UsageError("a cluster counts on processors; give only one of them", "device", CLUSTER[0])
    slips = given_slips(options)
    if slips is not None:
        raise EngineError(f"{given}: a GPU counts boards without invalid joins; omit {slips}")
    for name, limit in (("node", limits.nodes), ("depth", limits.depth)):
        if limit is not None:
            raise EngineError(f"{given}: a count on a GPU has no {name} limit; use a time limit")
