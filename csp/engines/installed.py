"""The installed engines of jigsat and of other packages."""

from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..base.errors import EngineError
from .options import OPTIONS, About, about_options

#: The entry points by which other packages offer engines: the name of an engine, and its class.
GROUP = "jigsat.engines"

#: The engines of jigsat for puzzles of squares, by name, with module and class; a module is loaded when its engine is
#: requested.  If a choice of solvers follows the name (``sat:cadical195``), the class takes the part behind the colon.
ENGINES: dict[str, tuple[str, str]] = {
    "backtrack": ("jigsat.csp.search.backtrack", "Backtrack"),
    "cpsat": ("jigsat.models.engines.cpsat", "CpSat"),
    "sat": ("jigsat.models.engines.sat", "Sat"),
    "maxsat": ("jigsat.models.engines.sat", "MaxSat"),
    "beam": ("jigsat.csp.search.beam.engine", "BeamSearch"),
    "dive": ("jigsat.csp.search.dive", "Dive"),
    "ganak": ("jigsat.models.engines.ganak", "Ganak"),
    "balanced": ("jigsat.models.engines.balanced", "Balanced"),
    "most-constrained": ("jigsat.csp.search.most_constrained", "MostConstrained"),
    "portfolio": ("jigsat.csp.engines.portfolio.engine", "Portfolio"),
}

#: The same for dissections.
TILING_ENGINES: dict[str, tuple[str, str]] = {
    "backtrack": ("jigsat.csp.search.tilings.engine", "Tiler"),
    "cpsat": ("jigsat.models.engines.cpsat", "CpSatTiler"),
    "sat": ("jigsat.models.engines.sat", "SatTiler"),
    "ganak": ("jigsat.models.engines.ganak", "GanakTiler"),
    "portfolio": ("jigsat.csp.engines.portfolio.engine", "TilingPortfolio"),
}


@cache
def others() -> dict[str, EntryPoint]:
    """The engines of other packages by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def engine_class(name: str, *, tilings: bool) -> Any:
    """The class of an engine for puzzles of squares, or for dissections; None if the name is unknown."""
    built_in = TILING_ENGINES if tilings else ENGINES
    if name in built_in:
        module, attribute = built_in[name]
        return getattr(import_module(module), attribute)
    point = others().get(name)
    found = None if point is None else _loaded(point)
    return found if found is not None and ("dissection" in found.kinds) == tilings else None


def _loaded(point: EntryPoint) -> Any:
    """The class that an entry point names.

    Raises EngineError if it cannot be loaded, or is not an engine.
    """
    try:
        found = point.load()
        for name in ("kinds", "goals", "takes"):
            getattr(found, name)
    except Exception as error:
        raise EngineError(f"engine {point.name}: cannot be loaded from {point.value}: {error}") from error
    return found


@cache
def other_classes() -> dict[str, Any]:
    """The engines of other packages by name, without those that cannot be loaded or that have a name of jigsat's."""
    found = {}
    for name, point in others().items():
        # A broken package must not affect others; the error is raised when its engine is requested by name.
        with suppress(EngineError):
            made = _loaded(point)
            if name not in (TILING_ENGINES if "dissection" in made.kinds else ENGINES):
                found[name] = made
    return found


def engine_names(*, tilings: bool) -> tuple[str, ...]:
    """The names of all engines for puzzles of squares, or for dissections."""
    own = TILING_ENGINES if tilings else ENGINES
    return *own, *(name for name, made in other_classes().items() if ("dissection" in made.kinds) == tilings)


def engine_classes(*, tilings: bool) -> dict[str, Any]:
    """All engines for puzzles of squares, or for dissections, by name."""
    return {name: engine_class(name, tilings=tilings) for name in engine_names(tilings=tilings)}


def own_options() -> dict[str, tuple[str, About]]:
    """The options that only engines of other packages have, each with the name of an engine that takes it."""
    return {
        name: (made.name, about)
        for made in other_classes().values()
        for name, about in about_options(made.takes).items()
        if name not in OPTIONS
    }
