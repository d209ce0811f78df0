"""What a search answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ..puzzles.board import Arrangement
from .request import Goal


class Status(StrEnum):
    """What is known of a puzzle after a search."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    UNKNOWN = "unknown"


def status_of_count(count: int, *, complete: bool) -> Status:
    """What a search knows that has found so many solutions."""
    return Status.SATISFIABLE if count else Status.UNSATISFIABLE if complete else Status.UNKNOWN


@dataclass(frozen=True)
class Result:
    """What a search answers.  Fields are the keys of the record that scripts read, in their order.

    Parameters
    ----------
    complete
        Whether the goal was reached; a `count` that is not complete is a lower bound.
    count, canonical_count, symmetry_factor
        Arrangements, orbits of arrangements, and how many arrangements an orbit has where all are alike (otherwise
        None).
    best_score, max_score
        Valid joins of the best board, and joins of the board.
    best_board, best_depth
        The fullest board seen (for the goal best that of the highest score among the full ones), its number of pieces.
    nodes_by_depth
        Pieces placed, by the number of pieces on the board.
    solutions
        The solutions kept: arrangements, or for a dissection tilings.
    ended_by
        What ended the search early: ``time``, ``nodes``, ``solutions``, ``depth``, ``interrupt``, ``restarts``
        (nothing better in many attempts); None if nothing did.
    best_bound
        For the goal best: the highest score that is not excluded; `best_score` if that is optimal.
    statistics
        What a solver counts itself: conflicts, propagations, branches.
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
    solutions: tuple[Any, ...] = ()
    proof: Mapping[str, Any] | None = None
    ended_by: str | None = None
    best_bound: int | None = None
    statistics: Mapping[str, int] | None = None
