"""Puzzles whose pieces must fit exactly: how many ways, how hard, and can you prove it?

Examples
--------
>>> import jigsat as js
>>> js.count("puzzle-a").count
160
"""

from .csp.engines import BUILT_IN as _BUILT_IN
from .models.engines import ENGINES as _ENGINES

# Floors that do not know those above them find all engines in one table.
_BUILT_IN.update(_ENGINES)

# Type checkers read the public names from `__init__.pyi`; so does this module, when the first one is asked for: to
# import all of them, with NumPy and pydantic, takes longer than printing the help.


def _homes() -> dict[str, tuple[str, str]]:
    """The module of each public name, and its name there."""
    import re

    if not _HOMES:
        with open(__file__.replace("__init__.py", "__init__.pyi"), encoding="utf-8") as stub:
            imports = re.findall(r"^from (\.\S+) import ([^()\n]+|\([^)]*\))", stub.read(), re.MULTILINE)
        for module, names in imports:
            _HOMES.update({name: (module, there) for there, name in re.findall(r"(\w+) as (\w+)", names)})
    return _HOMES


_HOMES: dict[str, tuple[str, str]] = {}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("jigsat")
    if name == "__all__":
        return __dir__()
    if name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    # Puzzles of the floors below show the pictures that it hands them.
    import_module(".api", __name__)
    module, there = _homes()[name]
    return getattr(import_module(module, __name__), there)


def __dir__() -> list[str]:
    return sorted(_homes())
