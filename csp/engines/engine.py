"""What a search is asked for, what bounds it, what it answers; the protocol of engines and their registry."""

import resource
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib import import_module
from typing import Any, Protocol, TypeVar

from ..base.errors import EngineError, shortened
from ..base.stopping import StoppedError, aside, interrupts_noted
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule


class Goal(StrEnum):
    """What a search is for: one solution or a proof that there is none, all of them, their number, the best score."""

    SOLVE = "solve"
    ALL = "all"
    COUNT = "count"
    BEST = "best"


class Status(StrEnum):
    """What is known of a puzzle after a search."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Limits:
    """Bounds of a search; None is no bound.

    Parameters
    ----------
    seconds
        Wall-clock time.
    nodes
        Pieces placed; the search stops after exactly so many (fixed pieces are placed in any case).
    solutions
        Solutions yielded (goals solve and all).
    depth
        Pieces on the board, fixed ones included: only the first squares of the order are filled, and no solution is
        found unless these are all.
    """

    seconds: float | None = None
    nodes: int | None = None
    solutions: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, limit in (
            ("time", self.seconds),
            ("node", self.nodes),
            ("solution", self.solutions),
            ("depth", self.depth),
        ):
            if limit is not None and not limit >= 0:
                raise EngineError(f"{name} limit {limit}: a limit is at least 0")

    def towards(self, goal: Goal) -> "Limits":
        """The same limits, and for the goal solve at most one solution."""
        if goal is not Goal.SOLVE or self.solutions == 0:
            return self
        return replace(self, solutions=1)


@dataclass(frozen=True)
class Options:
    """How to search.

    Parameters
    ----------
    order
        Name of a search order, path of a file with one, or the squares themselves; None for the default.
    symmetry
        Whether to break symmetries.  A search without looks at every numbered piece in every rotation.
    threads
        Number of threads.
    slips
        A slip array, as text or depths: from each of its depths on a further inner join may be invalid.  None is no
        slips, or for the goal best as many as there are inner joins, from the first depth on.
    predicted
        The logarithm of the number of nodes to be expected at each depth, fixed pieces included: what the progress
        goes by, and nothing else.
    encoding
        How the puzzle becomes a model, for engines that solve models; None for what is best on most puzzles.
    seed
        What an engine that makes random choices makes them by.
    proof
        The file that a proof is to be written to, for engines that can prove.
    method
        Which of the algorithms of `search.methods` counts, for engines that have several; None for the plain search.
    ledger
        The file in which a count notes what it has counted, to go on from there another time.
    cluster
        The address of a Dask scheduler on whose workers to count, or ``local:N`` for N processes on this machine.
    width
        How many partial boards a beam search keeps at each depth; None for what suits the limits.
    """

    order: str | tuple[int, ...] | None = None
    symmetry: bool = True
    threads: int = 1
    slips: str | tuple[int, ...] | None = None
    predicted: tuple[float, ...] | None = None
    encoding: str | None = None
    seed: int | None = None
    proof: str | None = None
    method: str | None = None
    ledger: str | None = None
    cluster: str | None = None
    width: int | None = None

    def __post_init__(self) -> None:
        if self.width is not None and self.width < 1:
            raise EngineError(f"width {self.width}: a beam keeps at least 1 partial board at each depth")


#: The options of counts that are made in parts, which `backtrack` alone has.
IN_PARTS = ("method", "ledger", "cluster")
#: Options that one engine alone has: all others refuse them without naming them among what they lack.
OF_ONE_ENGINE = {"width": "beam"}
#: The engines whose one goal is the best score, and that never know whether they have it.
RACING = ("beam", "dive")


def in_parts(options: Options) -> bool:
    """Whether a count with these options is made in parts, some of which are counted at a time, or another day."""
    return options.threads != 1 or any(getattr(options, name) is not None for name in IN_PARTS)


NO_LIMITS = Limits()
DEFAULTS = Options()


@dataclass(frozen=True)
class Progress:
    """How far a search is: nodes and solutions so far, the part of the tree that lies behind (0 to 1), seconds.

    For the goal best, `scores` has the best score so far (None before the first full board) and the highest score that
    is not excluded.  `found` is the part that was done already when the search began, by an earlier one, and
    `found_nodes` are its nodes; `note` is what else is to be said.
    """

    nodes: int
    solutions: int
    done: float
    seconds: float
    scores: tuple[int | None, int] | None = None
    found: float = 0.0
    found_nodes: int = 0
    note: str | None = None


#: Called now and then during a search.
Report = Callable[[Progress], None]


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


#: Engines by name, with module and class; a module is loaded when its engine is asked for.  Where a choice of solvers
#: follows the name (``sat:cadical195``), the class takes what stands behind the colon.
ENGINES: dict[str, tuple[str, str]] = {
    "backtrack": ("jigsat.csp.search.backtrack", "Backtrack"),
    "cpsat": ("jigsat.models.engines.cpsat", "CpSat"),
    "sat": ("jigsat.models.engines.sat", "Sat"),
    "maxsat": ("jigsat.models.engines.maxsat", "MaxSat"),
    "beam": ("jigsat.csp.search.beam.engine", "BeamSearch"),
    "dive": ("jigsat.csp.search.dive.engine", "Dive"),
    "balanced": ("jigsat.models.engines.balanced", "Balanced"),
    "most-constrained": ("jigsat.csp.search.most_constrained", "MostConstrained"),
}

#: The same for dissections.
TILING_ENGINES: dict[str, tuple[str, str]] = {
    "backtrack": ("jigsat.csp.search.tilings.engine", "Tiler"),
    "cpsat": ("jigsat.models.engines.tilings", "CpSatTiler"),
    "sat": ("jigsat.models.engines.tilings", "SatTiler"),
}


def default_engine(puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> str:
    """The name of the engine that is taken where none is named.

    For jigsaws, whose connectors are many, that is ``most-constrained`` unless something is asked for that it does not
    have; ``backtrack`` otherwise.
    """
    along_an_order = (options.order, options.slips, limits.depth) != (None, None, None)
    if puzzle.rule is Rule.EQUAL or goal is Goal.BEST or along_an_order or in_parts(options):
        return "backtrack"
    return "most-constrained"


def run_aside(
    name: str, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, must_stop: Callable[[], bool]
) -> Result:
    """What an engine finds, in a thread of its own, because Ctrl-C is for whoever wants the answer to notice.

    Raises
    ------
    StoppedError
        If `must_stop`, which is asked at each report, asks to stop.
    """

    def ask(_: Progress) -> None:
        if must_stop():
            raise StoppedError

    return aside(find_engine(name).run, puzzle, goal, limits, report=ask)


def find_engine(name: str, goal: Goal | None = None) -> Engine:
    """The engine of that name.

    Raises
    ------
    EngineError
        If there is none, or it cannot pursue `goal`.
    """
    return _found(ENGINES, name, goal)


def find_tiling_engine(name: str, goal: Goal | None = None) -> TilingEngine:
    """The engine for dissections of that name; errors are those of `find_engine`."""
    return _found(TILING_ENGINES, name, goal)


def _found(engines: Mapping[str, tuple[str, str]], name: str, goal: Goal | None) -> Any:
    family, colon, solver = name.partition(":")
    if family not in engines:
        what = "engine for dissections" if family in ENGINES else "engine"
        names = ", ".join("sat:NAME" if name == "sat" else name for name in engines)
        raise EngineError(f"unknown {what} {shortened(name)!r}, choose from {names}")
    module, attribute = engines[family]
    make = getattr(import_module(module), attribute)
    if colon and not getattr(make, "solvers", ()):
        raise EngineError(f"engine {family} has no choice of solvers, so {shortened(name)!r} is none")
    engine = make(solver) if colon else make()
    if goal is not None and goal not in engine.goals:
        raise EngineError(f"engine {name} has no goal {goal}; it has {', '.join(sorted(engine.goals))}")
    return engine


_WHAT_ENGINES_DO = {
    "cluster": ("counts on one machine", "backtrack counts on a cluster"),
    "encoding": ("makes no model, so it has no encodings", "sat:NAME, maxsat and cpsat do"),
    "ledger": ("keeps no ledger", "backtrack does"),
    "method": ("has one method only", "backtrack has several to count by"),
    "order": ("chooses each square as it goes, so it has no search order", "backtrack has one"),
    "proof": ("writes no proofs", "sat:cadical195 does"),
    "seed": ("makes no random choices that a seed could change", "cpsat does"),
    "slips": ("allows no slips", "backtrack, cpsat, sat:NAME and maxsat do"),
    "width": ("keeps no beam of partial boards", "beam does"),
}


def refuse_options(engine: str, options: Options, *unknown: str) -> None:
    """Keep an option from being ignored in silence.

    Raises
    ------
    EngineError
        If one of the options that the engine does not have is given, or one that another engine alone has.
    """
    of_others = (name for name, owner in OF_ONE_ENGINE.items() if owner != engine)
    for name in (*unknown, *of_others):
        if getattr(options, name) is not None:
            why, who = _WHAT_ENGINES_DO[name]
            raise EngineError(f"{name} {shortened(str(getattr(options, name)))!r}: the engine {engine} {why}; {who}")


def peak_rss_mib() -> float:
    """The most memory that this process has used, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024**2 if sys.platform == "darwin" else 1024), 1)
