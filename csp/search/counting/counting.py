"""The goal `count` in parts: by any method, on threads or a cluster, with a ledger."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial

from ...base.errors import EngineError
from ...base.progress import Progress, Report
from ...engines.engine import EngineRun
from ...engines.refusals import refuse_no_threads, refuse_options
from ...engines.request import Goal, Limits, Options
from ...engines.result import Result, status_of_count
from ...files.instances import fingerprint
from ...puzzles.board import Arrangement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import find_order
from ...puzzles.slips import permitted_prefix
from ..ordered.run import LACKS
from .code_version import code_version
from .ledger import Ledger, open_ledger
from .methods import cut_into_parts
from .scheduler import Standing, count_together


class Counting(EngineRun[EdgeMatchingPuzzle]):
    """A count in parts.

    Raises
    ------
    EngineError
        If the limits or options are none that a count in parts can have.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options) -> None:
        for name, limit in (("node", limits.nodes), ("depth", limits.depth)):
            if limit is not None:
                raise EngineError(
                    f"{name} limit {limit}: a count by method, threads, ledger or cluster has none; a time limit it has"
                )
        refuse_options("backtrack", options, *LACKS)
        refuse_no_threads(options.threads)
        if options.cluster is not None and options.threads != 1:
            raise EngineError(f"threads {options.threads}: a cluster has its own; leave one of them away")
        super().__init__("backtrack", puzzle, Goal.COUNT, limits, options)
        self._salvaged: str | None = None

    def steps(self, report: Report | None, interrupted: threading.Event) -> Iterator[Arrangement]:
        """Count; no solution is ever shown.

        Raises
        ------
        EngineError, LedgerError
            If the method does not apply, or the ledger is of another count.
        """
        # Ctrl-C is noted by now, and does not come amidst of this.
        self._piecework = piecework = cut_into_parts(self.puzzle, self.options)
        self.method = piecework.method
        self.built()
        stop = partial(self.limit_reached, interrupted)

        def tell(standing: Standing) -> None:
            if report is not None:
                report(_progress(standing))

        with self._ledger() as ledger:
            if ledger is not None:
                self._salvaged = ledger.salvaged
            if self.options.cluster is None:
                threads = self.options.threads
                self._totals = count_together(piecework, threads, ledger=ledger, stop=stop, report=tell)
            else:
                from .cluster import count_on_cluster

                make = partial(cut_into_parts, self.puzzle, replace(self.options, predicted=None))
                self._totals = count_on_cluster(
                    self.options.cluster, make, piecework, ledger=ledger, stop=stop, report=tell
                )
        yield from ()

    def _ledger(self) -> AbstractContextManager[Ledger | None]:
        """The ledger, if there is to be one."""
        if self.options.ledger is None:
            return nullcontext()
        key = {
            "instance": fingerprint(self.puzzle),
            "method": self._piecework.method,
            "options": self._piecework.options,
            "parts": len(self._piecework.work),
            "code": code_version(),
        }
        return open_ledger(self.options.ledger, key)

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """What has been counted."""
        puzzle, totals, found = self.puzzle, self._totals, self._piecework.found
        # No orbit is larger than the product: more of them may be known than were met.
        canonical = max(totals.canonical_count or 0, -(-totals.count // found.product))
        alike = found.regular or (totals.complete and totals.count == canonical * found.product)
        nodes = [*totals.nodes] or [0] * len(puzzle.board)
        fixed = tuple(fixed.square for fixed in puzzle.fixed)
        placed, _ = permitted_prefix(puzzle, fixed, ())
        nodes[: len(fixed)] = [1] * placed + [0] * (len(fixed) - placed)
        return self.answer(
            kept,
            status_of_count(totals.count, complete=totals.complete),
            totals.ended_by,
            complete=totals.complete,
            nodes=tuple(nodes),
            counts=(totals.count, canonical),
            symmetry_factor=found.product if alike else None,
            max_score=puzzle.max_score,
            statistics={
                "parts": totals.parts,
                "parts from the ledger": totals.found_parts,
                "nodes from the ledger": totals.found_nodes,
                "tasks": totals.tasks,
                "seconds of work": round(totals.work_seconds),
            },
        )

    @property
    def shown_options(self) -> dict[str, object]:
        options = self.options
        order = {"order": find_order(self.puzzle, options.order)[0]} if options.method in (None, "plain") else {}
        others = {"ledger": options.ledger, "cluster": options.cluster, "salvaged": self._salvaged}
        given = {name: value for name, value in others.items() if value is not None}
        return {**order, "symmetry": options.symmetry, **given}


def _progress(standing: Standing) -> Progress:
    """How far a count is, and what hinders it."""
    notes = ["waiting for workers"] if standing.workers == 0 else []
    notes += [f"lost {standing.lost} times with a worker"] if standing.lost else []
    return Progress(
        standing.nodes,
        standing.count,
        standing.done,
        standing.seconds,
        found=standing.found,
        found_nodes=standing.found_nodes,
        note=", ".join(notes) or None,
    )
