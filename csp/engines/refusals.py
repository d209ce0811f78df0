"""Options and limits that an engine does not have are refused, never ignored."""

from ..base.errors import EngineError, shortened
from .request import OF_ONE_ENGINE, Goal, Limits, Options

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


def refuse_several_threads(engine: str, threads: int) -> None:
    """Refuse all but one thread; raises EngineError."""
    if threads != 1:
        raise EngineError(f"threads {threads}: the engine {engine} runs on one thread")


def refuse_threads(engine: str, threads: int, most: int, goal: Goal) -> None:
    """Refuse numbers of threads that an engine does not have for a goal; raises EngineError."""
    if not 1 <= threads <= most:
        has = "one thread" if most == 1 else f"1 to {most} threads"
        raise EngineError(f"threads {threads}: the engine {engine} has {has} for the goal {goal}")


def refuse_no_threads(threads: int) -> None:
    """Refuse fewer threads than one; raises EngineError."""
    if threads < 1:
        raise EngineError(f"threads {threads}: at least 1 is needed")


def refuse_depth(engine: str, limits: Limits) -> None:
    """Refuse a limit of depth where there is no order that it could be counted along; raises EngineError."""
    if limits.depth is not None:
        raise EngineError(f"engine {engine} has no depth limit; engines that have: backtrack")


def refuse_places(engine: str, **limits: int | None) -> None:
    """Refuse limits, given by name, where pieces are not placed one by one; raises EngineError."""
    for name, limit in limits.items():
        if limit is not None:
            raise EngineError(f"engine {engine} places no pieces one by one, so it has no {name} limit; bound its time")
