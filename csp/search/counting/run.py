"""A count in parts, by any method."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

from ...base.errors import EngineError, UsageError
from ...base.stop import Progress, Report, Stop, StoppedError, enforced
from ...engines.engine import EngineRun
from ...engines.request import CLUSTER, Goal, Limits, Options
from ...engines.result import LEDGER_NODES, Result, Status, status_of_count
from ...files.instances import fingerprint
from ...puzzles.board import Arrangement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import find_order
from ...puzzles.slips import permitted_prefix
from ...work.run import Portion, code_version
from .methods import Piecework
from .scheduler import PACE, Pace, Standing, Totals, count_on_cluster, count_together, cut_into_parts

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
        from .ledger import open_ledger

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
    from ..gpu import find_gpu

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
