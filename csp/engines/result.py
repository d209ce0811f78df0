"""The results of searches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from html import escape
from importlib import import_module
from typing import Any, Generic, TypeVar

from ..base.notebook import given_pictures
from ..files.instances import Puzzle
from ..files.solutions import solution_data
from ..puzzles.board import Arrangement
from .request import Goal


class Status(StrEnum):
    """What is known about a puzzle after a search."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    UNKNOWN = "unknown"


def status_of_count(count: int, *, complete: bool) -> Status:
    """The status of a search that has found `count` solutions."""
    return Status.SATISFIABLE if count else Status.UNSATISFIABLE if complete else Status.UNKNOWN


#: The statistics of nodes that this run has not searched: those of a ledger, and those of the search it continues.
LEDGER_NODES, EARLIER_NODES = "nodes from the ledger", "nodes of the earlier search"

SolutionT = TypeVar("SolutionT", covariant=True)


@dataclass(frozen=True)
class Result(Generic[SolutionT]):
    """The result of a search.  The fields are the keys of the record for scripts, in their order.

    Parameters
    ----------
    complete
        Whether the goal was reached; a `count` that is not complete is a lower bound.
    count, canonical_count, symmetry_factor
        Arrangements, orbits of arrangements, and the number of arrangements of each orbit if it is the same for all
        (otherwise None).
    best_score, max_score
        Valid joins of the best board, and joins of the board.
    best_board, best_depth
        The fullest board seen (for the goal best the full board with the highest score), and its number of pieces.
    nodes_by_depth
        Pieces placed, by the number of pieces on the board.
    solutions
        The solutions kept: arrangements, or for a dissection tilings.
    ended_by
        What ended the search early: ``time``, ``nodes``, ``solutions``, ``depth``, ``interrupt``, ``restarts``
        (no improvement in many attempts); None if nothing did.
    best_bound
        For the goal best: the highest score that is not excluded; `best_score` if that is optimal.
    build_seconds, seconds, cpu_seconds
        The time of preparing the search; of the whole run, including preparation; and processor time.  Compiling
        kernels, which is done once on a machine, does not count.
    statistics
        Further numbers: the conflicts, propagations and branches of a solver; the nodes of an earlier search.
    plan_seconds
        The time of planning before the run, which `seconds` does not include.
    verified
        A second count, made in another way, and whether it is the same; None if none was asked for.
    """

    instance: str
    kind: str
    engine: str
    method: str
    goal: Goal
    status: Status
    complete: bool
    count: int | None = None
    canonical_count: int | None = None
    symmetry_factor: int | None = None
    best_score: int | None = None
    max_score: int | None = None
    best_board: Arrangement | None = None
    best_depth: int | None = None
    nodes: int = 0
    nodes_by_depth: tuple[int, ...] = ()
    build_seconds: float = 0.0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_rss_mib: float = 0.0
    seed: int | None = None
    threads: int = 1
    options: Mapping[str, object] = field(default_factory=dict)
    predicted: Mapping[str, str] | None = None
    solutions: tuple[SolutionT, ...] = ()
    proof: Mapping[str, Any] | None = None
    ended_by: str | None = None
    best_bound: int | None = None
    statistics: Mapping[str, int] | None = None
    plan_seconds: float = 0.0
    verified: Mapping[str, Any] | None = None

    @property
    def nodes_now(self) -> int:
        """The nodes of this run, without those of a ledger or of the search that it continues."""
        known = self.statistics or {}
        return self.nodes - known.get(LEDGER_NODES, 0) - known.get(EARLIER_NODES, 0)

    def summary(self) -> str:
        """The findings and their cost, as text."""
        # The wording depends on the engine's declarations, and engines import results.
        words = import_module(f"{__package__}.summary")
        return str(words.summary(self))

    def record(self) -> dict[str, Any]:
        """The result as a record for scripts: one JSON object with its keys in a fixed order, pieces from 1."""
        found = [*self.solutions, *([] if self.best_board is None else [self.best_board])]
        return self.record_of(getattr(found[0], "puzzle")) if found else self.record_of(None)  # noqa: B009

    def record_of(self, puzzle: Puzzle | None) -> dict[str, Any]:
        """The record for solutions that do not refer to their puzzle; it may be None if there are no solutions."""
        record: dict[str, Any] = {item.name: getattr(self, item.name) for item in fields(self)}
        data_of = None if puzzle is None else solution_data(puzzle)
        if data_of is not None and self.best_board is not None:
            record["best_board"] = data_of(self.best_board)
        record["solutions"] = [] if data_of is None else [data_of(solution) for solution in self.solutions]
        return record

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        text = self.summary()
        shown = self.best_board if self.best_board is not None else next(iter(self.solutions), None)
        bundle = given_pictures().bundle_of(shown) if hasattr(shown, "puzzle") else {}
        if "image/svg+xml" not in bundle:
            return {"text/plain": text}
        picture = bundle["image/svg+xml"]
        return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>{picture}"}
