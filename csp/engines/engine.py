"""The protocols of engines, and how a search is run to its end."""

import threading
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from ..base.stopping import interrupts_noted
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .request import Goal, Limits, Options
from .result import Report, Result


class Engine(Protocol):
    """A way to an answer."""

    name: str
    goals: frozenset[Goal]
    #: The options that the engine does not have, besides those of `OF_ONE_ENGINE`.
    lacks: tuple[str, ...]

    def run(
        self,
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits = ...,
        options: Options = ...,
        *,
        report: Report | None = None,
        consume: Callable[[Arrangement], None] | None = None,
    ) -> Result:
        """Search.  With `consume`, each solution is handed over as it is found instead of being kept in the result."""
        ...

    def solutions(
        self, puzzle: EdgeMatchingPuzzle, limits: Limits = ..., options: Options = ...
    ) -> Iterator[Arrangement]:
        """Yield the solutions one by one, searching only as far as they are asked for."""
        ...


class TilingEngine(Protocol):
    """A way to the tilings of a dissection; all is as for `Engine`, but that solutions are tilings."""

    name: str
    goals: frozenset[Goal]
    lacks: tuple[str, ...]

    def run(
        self,
        puzzle: DissectionPuzzle,
        goal: Goal,
        limits: Limits = ...,
        options: Options = ...,
        *,
        report: Report | None = None,
        consume: Callable[[Tiling], None] | None = None,
    ) -> Result:
        """Search.  With `consume`, each tiling is handed over as it is found instead of being kept in the result."""
        ...

    def solutions(self, puzzle: DissectionPuzzle, limits: Limits = ..., options: Options = ...) -> Iterator[Tiling]:
        """Yield the tilings one by one, searching only as far as they are asked for."""
        ...


_SolutionT = TypeVar("_SolutionT", Arrangement, Tiling)


class Search(Protocol[_SolutionT]):
    """A search that is ready to run."""

    def steps(self, report: Report | None, interrupted: threading.Event) -> Iterator[_SolutionT]:
        """Search until the goal or a limit is reached, or the event is set; yield solutions on the way."""
        ...

    def result(self, kept: tuple[_SolutionT, ...]) -> Result:
        """What has been found by now."""
        ...


def pursue(search: Search[_SolutionT], report: Report | None, consume: Callable[[_SolutionT], None] | None) -> Result:
    """Run a search to its end, Ctrl-C being noted; solutions are handed over, or else kept in the result."""
    kept: list[_SolutionT] = []
    take = kept.append if consume is None else consume
    with interrupts_noted() as interrupted:
        for solution in search.steps(report, interrupted):
            take(solution)
    return search.result(tuple(kept))
