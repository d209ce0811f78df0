"""The engine `backtrack`: depth-first search along a fixed order of squares, and counts in parts by any method."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

from ..base.errors import EngineError, UsageError
from ..base.stop import Progress, Report, Stop, StoppedError, enforced
from ..engines.engine import SQUARES, Engine, EngineRun, Search
from ..engines.request import CLUSTER, OF_COUNTS, Goal, Limits, Options, given_slips, in_parts, some_options
from ..engines.result import LEDGER_NODES, Result, Status, status_of_count
from ..files.instances import fingerprint
from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.orders import find_order
from ..puzzles.slips import permitted_prefix
from ..work.run import Portion, code_version
from .counting.methods import Piecework
from .counting.scheduler import PACE, Pace, Standing, Totals, count_on_cluster, count_together, cut_into_parts

# A GPU counts many parts at a time, and is idle when few of them are left; so its tasks are long.
_ON_GPU = Pace(first=5.0, least=15.0, most=120.0)
_COUNTED = ("parts", "parts from the ledger", LEDGER_NODES, "tasks", "seconds of work")


class Counting(EngineRun[EdgeMatchingPuzzle]):
    """A count in parts.

    Raises EngineError if a count in parts does not support the limits or options.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop) -> None:
        for name, limit in (("node", limits.nodes), ("depth", limits.depth)):
            if limit is not None:
                raise EngineError(
                    f"{name} limit {limit}: a count by method, threads, ledger or cluster supports a time limit only"
                )
        if options.cluster is not None and options.threads != 1:
            raise EngineError(f"threads {options.threads}: a cluster has its own threads; omit threads or cluster")
        for name in CLUSTER[1:]:
            if options.cluster is None and getattr(options, name) is not None:
                raise UsageError("needs a cluster", name)
        self._portion = Portion.parsed(options.part)
        if options.part is not None and options.ledger is None:
            raise UsageError("needs a ledger, in which the part is kept", "part")
        self._gpu = None if options.device is None else _gpu(options.device)
        super().__init__("backtrack", puzzle, Goal.COUNT, limits, options, stop)
        self._salvaged: str | None = None
        self._piecework: Piecework | None = None
        self._totals: Totals | None = None

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Count; yields no solutions.

        Raises EngineError or BookError if the method does not apply, or the ledger is of another count.
        """

        def tell(standing: Standing) -> None:
            if report is not None:
                report(_progress(standing))

        with ExitStack() as stack:
            try:
                self._piecework = piecework = self._parts()
                ledger = stack.enter_context(self._ledger(piecework))
            except StoppedError:
                return
            if ledger is not None:
                self._salvaged = ledger.salvaged
            options = self.options
            kept = {"ledger": ledger, "portion": self._portion, "stop": self.limit_reached, "report": tell}
            if options.cluster is None:
                pace = PACE if self._gpu is None else _ON_GPU
                self._totals = count_together(piecework, options.threads, pace=pace, **kept)
            else:
                make = partial(cut_into_parts, self.puzzle, replace(options, predicted=None, prepared=None))
                given = {"security": options.cluster_security, "dashboard": options.cluster_dashboard}
                self._totals = count_on_cluster(options.cluster, make, piecework, **given, **kept)
        yield from ()

    def _parts(self) -> Piecework:
        """The count, cut into parts: as prepared by the plan, or now."""
        prepared = self.options.prepared
        if prepared is None:
            with enforced(self.stop, "making tables"):
                piecework = cut_into_parts(self.puzzle, self.options)
        else:
            # The plan's preparation is part of this run.
            piecework = prepared.piecework
            self.started -= prepared.seconds
        self.method = piecework.method
        self.built()
        return piecework

    def _ledger(self, piecework: Piecework) -> AbstractContextManager[Any]:
        """The ledger, if one is requested."""
        if self.options.ledger is None:
            return nullcontext()
        key = {
            "work": "count",
            "instance": fingerprint(self.puzzle),
            "method": piecework.method,
            "options": piecework.options,
            "parts": len(piecework.work),
            "code": code_version(),
        }
        from .counting.ledger import open_ledger

        return open_ledger(self.options.ledger, key, self.stop)

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result so far."""
        if self._piecework is None or self._totals is None:
            return self.answer(
                kept,
                Status.UNKNOWN,
                self.stop.ended_by,
                complete=False,
                counts=(0, 0),
                max_score=self.puzzle.max_score,
                statistics=dict.fromkeys(_COUNTED, 0),
            )
        puzzle, totals, found = self.puzzle, self._totals, self._piecework.found
        # No orbit is larger than the product, so the count may imply more orbits than were met.
        least = max(totals.canonical_count or 0, -(-totals.count // found.product))
        # The halves of a region are counted without regard to which pieces are identical.
        canonical = least if found.regular or totals.canonical_count is not None else None
        alike = found.regular or (totals.complete and totals.count == least * found.product and canonical is not None)
        nodes = [*totals.nodes] or [0] * len(puzzle.board)
        fixed = tuple(fixed.square for fixed in puzzle.fixed)
        placed, _ = permitted_prefix(puzzle, fixed, ())
        nodes[: len(fixed)] = [1] * placed + [0] * (len(fixed) - placed)
        counted = totals.parts, totals.found_parts, totals.found_nodes, totals.tasks, round(totals.work_seconds)
        return self.answer(
            kept,
            status_of_count(totals.count, complete=totals.complete),
            totals.ended_by,
            complete=totals.complete,
            nodes=tuple(nodes),
            counts=(totals.count, canonical),
            pictures=found.pictures(totals.count),
            symmetry_factor=found.product if alike else None,
            max_score=puzzle.max_score,
            statistics=dict(zip(_COUNTED, counted, strict=True)),
        )

    @property
    def shown_options(self) -> dict[str, object]:
        options = self.options
        order = {"order": find_order(self.puzzle, options.order)[0]} if options.method in (None, "plain") else {}
        region = None if options.squares is None else self.puzzle.board.ranges(options.squares)
        device = self._gpu if self._gpu is None else str(self._gpu)
        others = {
            "squares": region,
            "device": device,
            "ledger": options.ledger,
            "part": options.part,
            "cluster": options.cluster,
            "salvaged": self._salvaged,
        }
        given = {name: value for name, value in others.items() if value is not None}
        return {**order, "symmetry": options.symmetry, **given}


def _gpu(device: str) -> Any:
    """The GPU of that name, whose module is loaded only if one is asked for."""
    from .gpu import find_gpu

    return find_gpu(device)


def _progress(standing: Standing) -> Progress:
    """The progress of a count, and its obstacles."""
    notes = ["waiting for workers"] if standing.workers == 0 else []
    notes += [f"tasks lost with their workers: {standing.lost}"] if standing.lost else []
    return Progress(
        standing.nodes,
        standing.count,
        standing.done,
        standing.seconds,
        found=standing.found,
        found_nodes=standing.found_nodes,
        note=", ".join(notes) or None,
    )


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
        if goal is Goal.COUNT and in_parts(options) and not _is_enumerated(limits, options):
            return Counting(puzzle, limits, options, stop)
        # A count in parts by another method than plain needs none of the kernels of these.
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
