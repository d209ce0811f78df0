"""What a puzzle is, what an answer is, and the native search.

The face of the package: `load` an instance, `solve` it, `count` its solutions, find the `best` score.

>>> from jigsat.csp import count, load
>>> count(load("puzzle-a")).count
160
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .engines.shortcuts import best, count, load, solve

__all__ = ["best", "count", "load", "solve"]


def __getattr__(name: str) -> object:
    # The face loads the schema library and numpy; whoever wants one module of the package does not wait for them.
    if name in __all__:
        from .engines import shortcuts

        return getattr(shortcuts, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
