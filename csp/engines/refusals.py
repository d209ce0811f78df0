"""Options and limits that an engine does not have, and values of a wrong type, are rejected, never ignored."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from ..base.errors import EngineError, UsageError, shortened
from .installed import engine_classes
from .request import OF_COUNTS, SLIPS, About, Goal, Limits, about_options

# Options whose values may be texts or lists.
_LISTS = ("order", *SLIPS, "start", "squares")


class Declared(Protocol):
    """The declarations of an engine."""

    name: str
    kinds: ClassVar[frozenset[str]]
    goals: frozenset[Goal]
    follows_order: bool
    counts_nodes: bool

    @property
    def options(self) -> dict[str, About]: ...

    @property
    def parts(self) -> "Sequence[Declared]": ...

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None: ...


def refuse(engine: Declared, goal: Goal, limits: Limits, options: Any) -> None:
    """Raise an error instead of silently ignoring a goal, a limit or an option.

    Raises EngineError if the engine lacks the goal, a limit or an option.
    """
    refuse_goal(engine, goal)
    for name, about in about_options(type(options)).items():
        value = getattr(options, name)
        if name not in ("symmetry", "threads") and value is not None and name not in engine.options:
            refuse_option(engine, name, value, about)
        if name in OF_COUNTS and value is not None and goal is not Goal.COUNT:
            raise EngineError(f"{name} {shortened(str(value))!r}: this option is for counts, not for the goal {goal}")
    _refuse_threads(engine, getattr(options, "threads", 1), goal)
    if limits.nodes is not None and not engine.counts_nodes:
        raise EngineError(f"engine {engine.name} does not count nodes, so it has no node limit; use a time limit")
    if limits.depth is not None and not engine.follows_order:
        able = _able(engine, lambda other: other.follows_order)
        raise EngineError(f"engine {engine.name} has no depth limit{able}")


def refuse_kind(engine: Declared, puzzle: object) -> None:
    """Raise EngineError if an engine is for puzzles of other kinds."""
    kind = getattr(puzzle, "kind", type(puzzle).__name__)
    if kind not in engine.kinds:
        classes = engine_classes(tilings=kind == "dissection")
        able = _named(name for name, made in classes.items() if kind in made.kinds)
        kinds = " and ".join(sorted(engine.kinds))
        raise EngineError(f"engine {engine.name}: it is for {kinds} puzzles, not for {shortened(kind)}{able}")


def refuse_goal(engine: Declared, goal: Goal) -> None:
    """Raise EngineError if an engine, or an engine that it runs, does not have the goal."""
    for part in engine.parts:
        refuse_goal(part, goal)
    if goal not in engine.goals:
        able = _able(engine, lambda other: goal in other.goals)
        raise EngineError(f"engine {engine.name} has no goal {goal}; it has {', '.join(sorted(engine.goals))}{able}")


def refuse_option(engine: Declared, name: str, value: object, about: About) -> None:
    """Raise EngineError for an option, naming the engines that take it."""
    able = _able(engine, lambda other: name in about_options(other.takes))
    raise EngineError(f"{name} {shortened(str(value))!r}: the engine {engine.name} {about.without}{able}")


def _refuse_threads(engine: Declared, threads: int, goal: Goal) -> None:
    most = engine.most_threads(goal)
    if most is not None and threads > most:
        has = "runs on one thread" if most == 1 else f"runs on 1 to {most} threads"
        able = _able(engine, lambda other: goal in other.goals and _most_threads(other, goal) >= threads)
        raise EngineError(f"threads {threads}: the engine {engine.name} {has} for the goal {goal}{able}")


def _most_threads(engine: Any, goal: Goal) -> float:
    most = engine.most_threads(goal)
    return float("inf") if most is None else most


def _able(engine: Declared, able: Callable[[Any], bool]) -> str:
    """The engines for puzzles of the same kind that support something, as the end of a message."""
    classes = engine_classes(tilings="dissection" in engine.kinds)
    return _named(name for name, other in classes.items() if able(other))


def _named(names: Iterable[str]) -> str:
    known = ", ".join("sat:NAME" if name == "sat" else name for name in names)
    return f"; supported by: {known}" if known else ""


def checked_value(name: str, value: Any, kind: str) -> Any:
    """Convert a value to the kind of its option (see `request.About`); a path becomes text.

    Values of other kinds are left as they are.

    Raises UsageError if the value has another type.
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in ("flag", "switch") and not isinstance(value, bool):
        raise UsageError(f"{shortened(repr(value))} is neither True nor False", name)
    if kind == "seconds" and not number:
        raise UsageError(f"{shortened(repr(value))} is not a number of seconds", name)
    if kind == "threads" and value == "all":
        return 0
    if kind in ("whole", "threads"):
        whole = hasattr(value, "__index__") and not isinstance(value, bool)
        if not whole and not (isinstance(value, float) and value.is_integer()):
            raise UsageError(f"{shortened(repr(value))} is not a whole number", name)
        return int(value)
    if isinstance(value, Path):
        return str(value)
    if kind == "text" and not isinstance(value, str):
        if name not in _LISTS or not isinstance(value, Iterable):
            raise UsageError(f"{shortened(repr(value))} is not text", name)
        # A board keeps its type because it knows its puzzle; an order and slips become tuples of numbers.
        return value if name == "start" else tuple(value)  # pyright: ignore[reportUnknownArgumentType]
    return value


def refuse_other_types(**values: tuple[Any, str]) -> None:
    """Refuse values of a wrong type, each given with its kind; None stands for an option that is not given.

    Raises UsageError if a value has another type.
    """
    for name, (value, kind) in values.items():
        if value is not None:
            checked_value(name, value, kind)
