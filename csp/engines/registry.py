"""The engines of jigsat and of other packages, by kind of puzzle and by name, and what one of them refuses.

Each is declared as an entry point is, by module and class, and is loaded when it is asked for.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pkgutil import resolve_name
from typing import Any

from ..base.errors import EngineError, shortened
from ..base.installed import may_offer
from . import BUILT_IN
from .request import OF_COUNTS, OPTIONS, About, Goal, Limits, about_options

#: The entry points by which other packages offer engines: the name of an engine, and its class.
GROUP = "jigsat.engines"


@cache
def others() -> dict[str, Any]:
    """The engines of other packages by name."""
    if not may_offer(GROUP):
        return {}
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def other_classes() -> dict[str, Any]:
    """The engines of other packages by name, without those that cannot be loaded or that have a name of jigsat's."""
    found = {}
    for name, point in others().items():
        # A broken package must not affect others; the error is raised when its engine is requested by name.
        with suppress(EngineError):
            made = _loaded(name, point.value)
            if not any(name in BUILT_IN[kind] for kind in made.kinds if kind in BUILT_IN):
                found[name] = made
    return found


def _loaded(name: str, value: str) -> Any:
    """The class of an engine, from its entry point; raises EngineError if it cannot be loaded, or is not an engine."""
    try:
        found = resolve_name(value.partition("[")[0].strip())
        for declared in ("kinds", "goals", "takes"):
            getattr(found, declared)
    except Exception as error:
        raise EngineError(f"engine {name}: cannot be loaded from {value}: {error}") from error
    return found


def engine_class(name: str, kind: str) -> Any:
    """The class of an engine for a kind of puzzle; None if there is no such engine."""
    if name in BUILT_IN[kind]:
        return _loaded(name, BUILT_IN[kind][name])
    point = others().get(name)
    found = None if point is None else _loaded(name, point.value)
    return found if found is not None and kind in found.kinds else None


def engine_names(kind: str) -> tuple[str, ...]:
    """The names of all engines for a kind of puzzle, those of other packages at the end."""
    return *BUILT_IN[kind], *(name for name, made in other_classes().items() if kind in made.kinds)


def engine_classes(kind: str) -> dict[str, Any]:
    """All engines for a kind of puzzle, by name."""
    return {name: engine_class(name, kind) for name in engine_names(kind)}


def own_options() -> dict[str, tuple[str, About]]:
    """The options that only engines of other packages have, each with the name of an engine that takes it."""
    return {
        name: (made.name, about)
        for made in other_classes().values()
        for name, about in about_options(made.takes).items()
        if name not in OPTIONS
    }


def refuse(engine: Any, goal: Goal, limits: Limits, options: Any) -> None:
    """Raise an EngineError if the engine lacks a goal, a limit or an option, instead of silently ignoring it."""
    refuse_goal(engine, goal)
    for name, about in about_options(type(options)).items():
        value = getattr(options, name)
        if name not in ("symmetry", "threads") and value is not None and name not in engine.options:
            refuse_option(engine, name, value, about)
        if name in OF_COUNTS and value is not None and goal is not Goal.COUNT:
            raise EngineError(f"{name} {shortened(str(value))!r}: this option is for counts, not for the goal {goal}")
    threads, most = getattr(options, "threads", 1), engine.most_threads(goal)
    if most is not None and threads > most:
        has = "runs on one thread" if most == 1 else f"runs on 1 to {most} threads"
        able = _able(engine, lambda other: goal in other.goals and (other.most_threads(goal) or threads) >= threads)
        raise EngineError(f"threads {threads}: the engine {engine.name} {has} for the goal {goal}{able}")
    if limits.nodes is not None and not engine.counts_nodes:
        raise EngineError(f"engine {engine.name} does not count nodes, so it has no node limit; use a time limit")
    if limits.depth is not None and not engine.follows_order:
        able = _able(engine, lambda other: other.follows_order)
        raise EngineError(f"engine {engine.name} has no depth limit{able}")


def refuse_kind(engine: Any, puzzle: object) -> None:
    """Raise EngineError if an engine is for puzzles of other kinds or forms."""
    kind = getattr(puzzle, "kind", type(puzzle).__name__)
    if kind not in engine.kinds:
        able = _supported_by(engine_names(kind)) if kind in BUILT_IN else ""
        kinds = " and ".join(sorted(engine.kinds))
        raise EngineError(f"engine {engine.name}: it is for {kinds} puzzles, not for {shortened(kind)}{able}")
    why = getattr(puzzle, "classic_only", "")
    if why and not getattr(engine, "every_form", False):
        able = _able(engine, lambda other: getattr(other, "every_form", False))
        raise EngineError(f"engine {engine.name}: it is {why}{able}")


def refuse_goal(engine: Any, goal: Goal) -> None:
    """Raise EngineError if an engine, or an engine that it runs, does not have the goal."""
    for part in engine.parts:
        refuse_goal(part, goal)
    if goal not in engine.goals:
        able = _able(engine, lambda other: goal in other.goals)
        raise EngineError(f"engine {engine.name} has no goal {goal}; it has {', '.join(sorted(engine.goals))}{able}")


def refuse_option(engine: Any, name: str, value: object, about: About) -> None:
    """Raise EngineError for an option, naming the engines that take it."""
    able = _able(engine, lambda other: name in about_options(other.takes))
    raise EngineError(f"{name} {shortened(str(value))!r}: the engine {engine.name} {about.without}{able}")


def _able(engine: Any, able: Callable[[Any], bool]) -> str:
    """The engines for puzzles of the same kind that support something, as the end of a message."""
    kind = next(kind for kind in BUILT_IN if kind in engine.kinds)
    return _supported_by(name for name, other in engine_classes(kind).items() if able(other))


def _supported_by(names: Iterable[str]) -> str:
    known = listed(names)
    return f"; supported by: {known}" if known else ""


def listed(names: Iterable[str]) -> str:
    return ", ".join("sat:NAME" if name == "sat" else name for name in names)
