"""The engines by name, and the default engine."""

from collections.abc import Callable
from typing import Any

from ..base.errors import EngineError, misspelt, shortened
from ..base.stop import Progress, StoppedError, aside
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .engine import Engine, TilingEngine
from .installed import engine_class, engine_classes, engine_names
from .refusals import refuse, refuse_goal
from .request import Goal, Limits, Options, given_slips, in_parts
from .result import Result


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


def find_engine(name: str, goal: Goal | None = None) -> Engine:
    """The engine of that name.

    Raises EngineError if the name is unknown, or the engine does not have the goal.
    """
    return _found(name, goal, tilings=False)


def find_tiling_engine(name: str, goal: Goal | None = None) -> TilingEngine:
    """The engine for dissections of that name; errors as for `find_engine`."""
    return _found(name, goal, tilings=True)


def engine_of(kind: str, name: str) -> Engine | TilingEngine:
    """The engine of that name for a kind of puzzle; errors as for `find_engine`."""
    return find_tiling_engine(name) if kind == "dissection" else find_engine(name)


def follows_order(name: str) -> bool:
    """Whether an engine for puzzles of squares, which need not be installed, fills squares along a given order."""
    return getattr(engine_class(name.partition(":")[0], tilings=False), "follows_order", False)


def able_engine(kind: str, name: str, goal: Goal, limits: Limits, options: Options) -> Engine | TilingEngine:
    """The engine of that name for a kind of puzzle, if it has the goal, the limits and the options.

    Conditions that depend on the puzzle itself are not checked.

    Raises EngineError if there is no such engine, or it lacks the goal, a limit, or an option.
    """
    engine = engine_of(kind, name)
    refuse(engine, goal, limits, options)
    engine.check(goal, limits, options)
    return engine


def engines() -> list[Engine | TilingEngine]:
    """Return all installed engines with their declarations; those for dissections come last.

    Examples
    --------
    >>> [engine.name for engine in engines() if not engine.proves]
    ['beam', 'dive']
    """
    return [made() for tilings in (False, True) for made in engine_classes(tilings=tilings).values()]


def _found(name: str, goal: Goal | None, *, tilings: bool) -> Any:
    family, colon, solver = name.partition(":")
    made = engine_class(family, tilings=tilings)
    if made is None:
        of_squares = tilings and engine_class(family, tilings=False) is not None
        what = "engine for dissections" if of_squares else "engine"
        names = ", ".join("sat:NAME" if name == "sat" else name for name in engine_names(tilings=tilings))
        known = engine_names(tilings=tilings)
        raise EngineError(f"unknown {what} {misspelt(name, known)}, choose from {names}")
    if colon and not made.solvers:
        raise EngineError(f"unknown engine {shortened(name)!r}: {family} has no choice of solvers, so omit the colon")
    engine = made(solver) if colon else made()
    if goal is not None:
        refuse_goal(engine, goal)
    return engine
