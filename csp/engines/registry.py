"""The engine of a name, and the default engine."""

from collections.abc import Callable
from typing import Any, Literal, overload

from ..base.errors import EngineError, misspelt, shortened
from ..base.stop import Progress, StoppedError, aside
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from . import BUILT_IN
from .engine import Engine, TilingEngine
from .installed import engine_class, engine_classes, engine_names, listed, refuse, refuse_goal
from .options import Options, given_slips, in_parts
from .request import Goal, Limits
from .result import Result


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
        raise EngineError(f"unknown {what} {misspelt(name, known)}, choose from {listed(known)}")
    if colon and not made.solvers:
        raise EngineError(f"unknown engine {shortened(name)!r}: {family} has no choice of solvers, so omit the colon")
    engine = made(solver) if colon else made()
    if goal is not None:
        refuse_goal(engine, goal)
    return engine


def follows_order(name: str) -> bool:
    """Whether an engine for puzzles of squares, which need not be installed, fills squares along a given order."""
    return getattr(engine_class(name.partition(":")[0], "edge-matching"), "follows_order", False)


def able_engine(kind: str, name: str, goal: Goal, limits: Limits, options: Options) -> Any:
    """The engine of that name for a kind of puzzle, if it has the goal, the limits and the options.

    Conditions that depend on the puzzle itself are not checked.  Raises EngineError if there is no such engine, or it
    lacks the goal, a limit, or an option.
    """
    engine = find_engine(name, kind=kind)
    refuse(engine, goal, limits, options)
    engine.check(goal, limits, options)
    return engine


def default_engine(puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> str:
    """The name of the default engine.

    For jigsaws, which have many connectors, this is ``most-constrained`` unless the request needs something that it
    lacks; for the best score with a random seed it is ``beam``; otherwise ``backtrack``.
    """
    if goal is Goal.BEST and options.seed is not None:
        return "beam"
    along_an_order = (options.order, given_slips(options), limits.depth) != (None, None, None)
    if puzzle.rule is Rule.EQUAL or goal is Goal.BEST or along_an_order or in_parts(options):
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
