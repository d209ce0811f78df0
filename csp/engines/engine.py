"""The interface of engines, the engine of a name, how a search is run, and what all runs share."""

import sys
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, overload

from ..base.errors import EngineError, ending, misspelt, shortened
from ..base.stop import (
    INTERRUPTS,
    Progress,
    Report,
    Stop,
    StoppedError,
    aside,
    enforced,
    never,
    stoppable,
    working_cpu_time,
    working_time,
)
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ..puzzles.orders import Order, find_order
from . import BUILT_IN
from .registry import engine_class, engine_classes, engine_names, listed, refuse, refuse_goal, refuse_kind
from .request import (
    DEFAULTS,
    NO_LIMITS,
    About,
    Goal,
    Limits,
    Options,
    about_options,
    given_slips,
    in_parts,
    some_options,
)
from .result import EARLIER_NODES, Result, Status

PuzzleT = TypeVar("PuzzleT", EdgeMatchingPuzzle, DissectionPuzzle)
SolutionT = TypeVar("SolutionT", Arrangement, Tiling)
#: The kinds of puzzle whose pieces are squares.
SQUARES = frozenset({"edge-matching", "jigsaw"})
#: Processor seconds and peak MiB of other processes that work for a run.
Usage = Callable[[], tuple[float, float]]

# Psutil does not know the peak memory of processes on Linux and macOS, nor this module that of Windows.
_RESOURCE: Any = import_module("resource") if find_spec("resource") else None


def peak_rss_mib() -> float:
    """The peak memory of this process in MiB."""
    if _RESOURCE is None:
        from psutil import Process

        memory = Process().memory_info()
        return round(getattr(memory, "peak_wset", memory.rss) / 1024**2, 1)
    return round(_most_mib(_RESOURCE.getrusage(_RESOURCE.RUSAGE_SELF)), 1)


def children_usage() -> tuple[float, float]:
    """CPU seconds and peak memory in MiB of child processes that have ended; 0 on Windows, which records neither."""
    if _RESOURCE is None:
        return 0.0, 0.0
    usage = _RESOURCE.getrusage(_RESOURCE.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, _most_mib(usage)


def _most_mib(usage: Any) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


class Search(Protocol[SolutionT]):
    """A search that is ready to run."""

    def steps(self, report: Report | None) -> Iterator[SolutionT]:
        """Search until the goal is reached or the search must stop; yield solutions on the way."""
        ...

    def result(self, kept: tuple[SolutionT, ...]) -> Result:
        """The result so far."""
        ...


class SearchEngine(ABC, Generic[PuzzleT, SolutionT]):
    """A solving method and its declarations; engines differ in what they prepare.

    Attributes
    ----------
    name
        Its name, with the solver behind a colon if it has a choice of them.
    kinds
        The kinds of puzzle that it supports; an engine is either for puzzles of squares or for dissections.
    goals
        The goals that it can pursue.
    takes
        The dataclass of the options that it takes; `request.Options` combines several of them.  An engine whose options
        are all in `Options` gets an `Options`; any other engine gets its own dataclass.
    solvers
        The possible solvers behind the colon, for engines with a choice.
    follows_order
        Whether it fills squares along a given order, so that depth can be limited and nodes can be predicted.
    orders
        The names of the orders that it can follow; None for any order.
    proves
        Whether it searches exhaustively, so that its results can be proved optimal or complete.
    native
        Whether it has kernels, which are compiled at their first use.
    counts_nodes
        Whether it places pieces one by one, so that nodes can be limited; others pass a model to a solver.
    every_form
        Whether it takes puzzles of squares of all forms; otherwise only framed rectangles whose pieces turn.
    waits
        Whether all its work waits while `must_stop` does not return, so that it can be paused; see `pausing`.
    libraries
        The libraries on whose versions its results depend.
    parts
        The engines that it runs, if it delegates the search.
    """

    name: str
    kinds: ClassVar[frozenset[str]]
    goals: frozenset[Goal]
    takes: ClassVar[type] = some_options()
    solvers: ClassVar[tuple[str, ...]] = ()
    follows_order: bool = False
    orders: tuple[str, ...] | None = None
    proves: bool = True
    native: bool = False
    counts_nodes: bool = False
    every_form: bool = False
    waits: bool = False
    libraries: tuple[str, ...] = ("numba", "numpy")

    parts: "tuple[SearchEngine, ...]" = ()

    def __repr__(self) -> str:
        return f"<engine {self.name} for {', '.join(sorted(self.kinds))}>"

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        """The largest number of threads that it can use for a goal; None for no limit, as with the option `threads`."""
        return None if "threads" in about_options(cls.takes) else 1

    @classmethod
    def order_of(cls, puzzle: EdgeMatchingPuzzle, options: Any) -> tuple[str, Order]:
        """The order along which slips count, and its name: the given one, or what the engine follows otherwise."""
        return find_order(puzzle, options.order)

    @property
    def options(self) -> dict[str, About]:
        """The options that it takes, by name, with their descriptions."""
        return about_options(self.takes)

    def given(self, options: Options, own: Mapping[str, Any]) -> Any:
        """The options in its own dataclass, if that has fields (`own`) that `Options` lacks; otherwise an `Options`."""
        taken, known = self.options, about_options(Options)
        if set(taken) <= set(known):
            return options
        return self.takes(**{name: getattr(options, name) for name in taken if name in known}, **own)

    def record(self) -> dict[str, Any]:
        """The engine's declarations, for scripts."""
        return {
            "name": self.name,
            "about": (self.__doc__ or "").partition("\n")[0],
            "kinds": sorted(self.kinds),
            "goals": sorted(self.goals),
            "options": sorted(self.options),
            "solvers": list(self.solvers),
            "threads": {str(goal): self.most_threads(goal) for goal in sorted(self.goals)},
            "follows_order": self.follows_order,
            "proves": self.proves,
            "native": self.native,
        }

    def check(self, goal: Goal, limits: Limits, options: Any) -> None:
        """Check, without a puzzle, what the declarations do not cover; raises EngineError."""

    @abstractmethod
    def prepared(self, puzzle: PuzzleT, goal: Goal, limits: Limits, options: Any, stop: Stop) -> Search[SolutionT]:
        """The search for a goal; for the goal `solve` the limits are of one solution.

        Raises
        ------
        OrderError, SlipError, EngineError
            If the order, the slips, the limits or the options do not fit the puzzle.
        StoppedError
            If `stop` ends the preparation.
        """

    def run(
        self,
        puzzle: PuzzleT,
        goal: Goal,
        limits: Limits = NO_LIMITS,
        options: Any = DEFAULTS,
        *,
        report: Report | None = None,
        consume: Callable[[SolutionT], None] | None = None,
        must_stop: Callable[[], bool] = never,
        started: float | None = None,
    ) -> Result:
        """Search until the goal or a limit is reached, Ctrl-C is pressed, or `must_stop` returns true.

        With `consume`, each solution is passed on as soon as it is found instead of being kept in the result.  A search
        for the best score has one solution, the best full board, which is passed on at the end.  The time limit counts
        from `started` (by `time.perf_counter`), including preparation; see `least_preparation`.  Raises as
        `refuse` and `prepared` do.
        """
        refuse_kind(self, puzzle)
        refuse(self, goal, limits, options)
        kept: list[SolutionT] = []
        take = kept.append if consume is None else consume
        with stoppable(limits.seconds, must_stop, report=report, started=started) as stop:
            try:
                with enforced(stop, "preparing", least_preparation(goal)):
                    search = self.prepared(puzzle, goal, limits.towards(goal), options, stop)
            except StoppedError:
                return NothingFound(self.name, puzzle, goal, limits, options, stop).result()
            for solution in search.steps(report):
                take(solution)
                INTERRUPTS.keep()
        return search.result(tuple(kept))

    def solutions(
        self, puzzle: PuzzleT, limits: Limits = NO_LIMITS, options: Any = DEFAULTS, *, started: float | None = None
    ) -> Iterator[SolutionT]:
        """The solutions one by one; the search goes on only when the next one is asked for.

        The iterator also ends when a limit is reached; it then warns, unless the limit is one of solutions.  Raises as
        `run` does.
        """
        refuse_kind(self, puzzle)
        refuse(self, Goal.ALL, limits, options)
        stop = Stop(limits.seconds, started=started)
        try:
            with enforced(stop):
                search = self.prepared(puzzle, Goal.ALL, limits, options, stop)
        except StoppedError:
            return none_before(stop.ended_by)
        return _warning_of_end(search)


def none_before(ended_by: str | None) -> Iterator[Any]:
    """No solutions, and a warning that a limit ended the search before it began."""
    yield from ()
    _warn_of_end(ended_by)


def _warning_of_end(search: Search[SolutionT]) -> Iterator[SolutionT]:
    yield from search.steps(None)
    _warn_of_end(search.result(()).ended_by)


def _warn_of_end(ended_by: str | None) -> None:
    if ended_by not in (None, "solutions"):
        warnings.warn(f"there may be more solutions: {ending(ended_by)}", UserWarning, stacklevel=3)


Engine = SearchEngine[EdgeMatchingPuzzle, Arrangement]
TilingEngine = SearchEngine[DissectionPuzzle, Tiling]


def least_preparation(goal: Goal) -> float:
    """Seconds of processor time that a time limit leaves for planning or preparing a search.

    An answer without a board is of no use to those who search for the best score; so a short limit still gives one.
    """
    return 1.0 if goal is Goal.BEST else 0.0


class EngineRun(ABC, Generic[PuzzleT]):
    """What all runs share: the request, the clock, and the parts of the result that do not depend on the search.

    `stop` has the clock and the stop rules, except for the limits of nodes and solutions; `usage` is that of other
    processes that work for the run.  The run began at `started` (by `stop.working_time`); `build_seconds` of its time
    were preparation.  `earlier_nodes` are those of an earlier search that this one continues.
    """

    def __init__(
        self,
        engine: str,
        puzzle: PuzzleT,
        goal: Goal,
        limits: Limits,
        options: Any,
        stop: Stop,
        usage: Usage = lambda: (0.0, 0.0),
    ) -> None:
        self.engine_name, self.puzzle, self.goal, self.limits, self.options = engine, puzzle, goal, limits, options
        self.method, self.stop = "none", stop
        self.started, self._usage = working_time(), usage
        self._cpu_started = working_cpu_time() + usage()[0]
        self.build_seconds = self._build_cpu_seconds = 0.0
        self.earlier_nodes, self._thread = 0, threading.get_ident()

    @property
    @abstractmethod
    def shown_options(self) -> Mapping[str, object]:
        """The options in the record."""

    @property
    def seconds(self) -> float:
        """Seconds since the run began, without compiling kernels."""
        return working_time() - self.started

    def built(self) -> None:
        """Preparation ends here, and the search begins."""
        self.build_seconds, self._build_cpu_seconds = self.seconds, self._cpu_seconds

    @property
    def _cpu_seconds(self) -> float:
        return working_cpu_time() + self._usage()[0] - self._cpu_started

    @contextmanager
    def building(self) -> Iterator[None]:
        """A context whose work also counts as preparation, except for that of other threads."""
        before, cpu_before = self.seconds, self._cpu_seconds
        yield
        if threading.get_ident() == self._thread:
            self.build_seconds += self.seconds - before
            self._build_cpu_seconds += self._cpu_seconds - cpu_before

    def limit_reached(self, nodes: int = 0) -> str | None:
        """The limit that is reached after `nodes` nodes, if any; that of solutions depends on the run."""
        if self.stop():
            return self.stop.ended_by
        if self.limits.nodes is not None and nodes >= self.limits.nodes:
            return "nodes"
        return None

    def answer(
        self,
        kept: tuple[Any, ...],
        status: Status,
        ended_by: str | None,
        *,
        complete: bool,
        nodes: tuple[int, ...] = (),
        board: Arrangement | None = None,
        counts: tuple[int | None, int | None] = (None, None),
        pictures: int | None = None,
        **others: Any,
    ) -> Result:
        """The result: `nodes` by depth, the best `board`, and `others`, which are further fields of the result.

        `counts` are `count` and `canonical_count`, `pictures` is `picture_count`; the goal `solve` needs none of them.
        """
        if board is not None:
            puzzle: Any = self.puzzle
            others |= {
                "best_score": puzzle.score(board),
                "max_score": puzzle.max_score,
                "best_board": board,
                "best_depth": len(board) - board.count(None),
            }
        if status is Status.FEASIBLE and others.get("best_score") == others.get("best_bound"):
            # A board with all joins valid, for example, is optimal for every engine.
            status, complete = Status.OPTIMAL, True
        if self.earlier_nodes:
            others["statistics"] = {**(others.get("statistics") or {}), EARLIER_NODES: self.earlier_nodes}
        count, canonical_count, picture_count = (None, None, None) if self.goal is Goal.SOLVE else (*counts, pictures)
        _, rss = self._usage()
        return Result(
            instance=self.puzzle.name,
            kind=self.puzzle.kind,
            engine=self.engine_name,
            method=self.method,
            goal=self.goal,
            status=status,
            complete=complete,
            count=count,
            canonical_count=canonical_count,
            picture_count=picture_count,
            nodes=sum(nodes),
            nodes_by_depth=nodes,
            build_seconds=round(self.build_seconds, 6),
            seconds=round(self.seconds, 6),
            cpu_seconds=round(self._cpu_seconds, 6),
            build_cpu_seconds=round(self._build_cpu_seconds, 6),
            peak_rss_mib=round(max(peak_rss_mib(), rss), 1),
            seed=getattr(self.options, "seed", None),
            threads=getattr(self.options, "threads", 1),
            options=self.shown_options,
            solutions=kept,
            ended_by=None if complete else ended_by,
            moved=self.puzzle.moved,
            **others,
        )


class NothingFound(EngineRun[Any]):
    """A run that was stopped before its search was ready."""

    def result(self) -> Result:
        """The result: nothing is known."""
        self.started = working_time() - self.stop.used
        # Dissections have no score.
        known: dict[str, Any] = {"max_score": getattr(self.puzzle, "max_score", None)}
        known |= {"best_bound": known["max_score"]} if self.goal is Goal.BEST else {}
        counts = (None, None) if self.goal is Goal.BEST else (0, 0)
        return self.answer((), Status.UNKNOWN, self.stop.ended_by, complete=False, counts=counts, **known)

    @property
    def shown_options(self) -> Mapping[str, object]:
        names = [name for name in about_options(type(self.options)) if name not in ("seed", "threads")]
        given = {name: getattr(self.options, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}


def engines() -> list[Engine | TilingEngine]:
    """Return all installed engines with their declarations; those for dissections come last.

    Examples
    --------
    >>> [engine.name for engine in engines() if not engine.proves]
    ['beam', 'dive']
    """
    every = (made for kind in BUILT_IN for made in engine_classes(kind).values())
    return [made() for made in dict.fromkeys(every)]


@overload
def find_engine(name: str, goal: Goal | None = None) -> Engine: ...
@overload
def find_engine(name: str, goal: Goal | None = None, *, kind: Literal["dissection"]) -> TilingEngine: ...
@overload
def find_engine(name: str, goal: Goal | None = None, *, kind: str) -> Any: ...
def find_engine(name: str, goal: Goal | None = None, *, kind: str = "edge-matching") -> Any:
    """The engine of that name for a kind of puzzle; what follows a colon in the name chooses its solver.

    Raises EngineError if there is no such engine, or it does not have the goal.
    """
    family, colon, solver = name.partition(":")
    made = engine_class(family, kind)
    if made is None:
        elsewhere = any(engine_class(family, other) is not None for other in BUILT_IN)
        of_kind = "edge-matching puzzles" if kind == "edge-matching" else f"{kind}s"
        what = f"engine for {of_kind}" if elsewhere else "engine"
        known = engine_names(kind)
        # Solvers may be meant, such as cadical; the usual ones come first.
        solvers = [f"{one}:{solver}" for one, made in engine_classes(kind).items() for solver in made.solvers]
        usual = [made().name for made in engine_classes(kind).values()]
        similar = misspelt(name, [*known, *usual, *solvers])
        raise EngineError(f"unknown {what} {similar}, choose from {listed(known)}")
    if colon and not made.solvers:
        raise EngineError(f"unknown engine {shortened(name)!r}: {family} has no choice of solvers, so omit the colon")
    engine = made(solver) if colon else made()
    if goal is not None:
        refuse_goal(engine, goal)
    return engine


def follows_order(name: str) -> bool:
    """Whether an engine for puzzles of squares, which need not be installed, fills squares along a given order."""
    return getattr(engine_class(name.partition(":")[0], "edge-matching"), "follows_order", False)


def able_engine(puzzle: Any, name: str, goal: Goal, limits: Limits, options: Options) -> Any:
    """The engine of that name for a puzzle, or a kind of puzzle, if it has the goal, the limits and the options.

    Of a puzzle, only its kind and form are checked.  Raises EngineError if there is no such engine, or it
    lacks the goal, a limit, or an option.
    """
    engine = find_engine(name, kind=getattr(puzzle, "kind", puzzle))
    if not isinstance(puzzle, str):
        refuse_kind(engine, puzzle)
    refuse(engine, goal, limits, options)
    engine.check(goal, limits, options)
    return engine


def engines_for(puzzle: Any, goal: Goal) -> list[str]:
    """The names of the engines that have a goal for a puzzle, without a look at limits and options."""
    found = list[str]()
    for name in engine_names(puzzle.kind):
        with suppress(EngineError):
            refuse_kind(find_engine(name, goal, kind=puzzle.kind), puzzle)
            found.append(name)
    return found


def default_engine(puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> str:
    """The name of the default engine.

    For jigsaws, which have many connectors, and boards without a frame this is ``most-constrained`` unless the request
    needs something that it lacks; for the best score with a random seed it is ``beam``; otherwise ``backtrack``.
    """
    if goal is Goal.BEST and options.seed is not None and puzzle.is_classic:
        return "beam"
    along_an_order = (options.order, given_slips(options), limits.depth) != (None, None, None)
    classic = puzzle.rule is Rule.EQUAL and puzzle.is_classic
    if classic or goal is Goal.BEST or along_an_order or in_parts(options):
        return "backtrack"
    return "most-constrained"


def run_aside(
    name: str, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, must_stop: Callable[[], bool]
) -> Result:
    """The result of an engine that runs in a thread of its own, so that the caller can handle Ctrl-C.

    Raises StoppedError if `must_stop`, which is called at each report, returns true; a short search ends in any case.
    """

    def ask(progress: Progress) -> None:
        if progress.note is None and must_stop():
            raise StoppedError

    return aside(find_engine(name).run, puzzle, goal, limits, report=ask)
