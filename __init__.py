"""Puzzles whose pieces must fit exactly: how many ways, how hard, and can you prove it?

Examples
--------
>>> import jigsat as js
>>> js.count(js.read("puzzle-a")).count
160
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .csp.base.errors import JigsatError, UsageError
    from .csp.files.instances import read_puzzle as read
    from .estimators.plan.questions import best, count, solve

__all__ = ["JigsatError", "UsageError", "best", "count", "read", "solve"]

#: The module of each name, and what it is called there.
_HOMES = {
    "JigsatError": ("csp.base.errors", "JigsatError"),
    "UsageError": ("csp.base.errors", "UsageError"),
    "best": ("estimators.plan.questions", "best"),
    "count": ("estimators.plan.questions", "count"),
    "read": ("csp.files.instances", "read_puzzle"),
    "solve": ("estimators.plan.questions", "solve"),
}


def __getattr__(name: str) -> object:
    # Loaded when first used: numpy and pydantic take longer than a command line's help.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, there = _HOMES[name]
    return getattr(import_module(f".{module}", __name__), there)
