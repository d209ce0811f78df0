"""The engines by name, and which is taken where none is named."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ..base.errors import EngineError, shortened
from ..base.progress import Progress
from ..base.stopping import StoppedError, aside
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .engine import Engine, TilingEngine
from .request import Goal, Limits, Options, in_parts
from .result import Result

#: The engines whose one goal is the best score, and that never know whether they have it.
RACING = ("beam", "dive")


#: Engines by name, with module and class; a module is loaded when its engine is asked for.  Where a choice of solvers
#: follows the name (``sat:cadical195``), the class takes what stands behind the colon.
ENGINES: dict[str, tuple[str, str]] = {
    "backtrack": ("jigsat.csp.search.backtrack", "Backtrack"),
    "cpsat": ("jigsat.models.engines.cpsat", "CpSat"),
    "sat": ("jigsat.models.engines.sat", "Sat"),
    "maxsat": ("jigsat.models.engines.maxsat", "MaxSat"),
    "beam": ("jigsat.csp.search.beam.engine", "BeamSearch"),
    "dive": ("jigsat.csp.search.dive.engine", "Dive"),
    "balanced": ("jigsat.models.engines.balanced", "Balanced"),
    "most-constrained": ("jigsat.csp.search.most_constrained", "MostConstrained"),
}

#: The same for dissections.
TILING_ENGINES: dict[str, tuple[str, str]] = {
    "backtrack": ("jigsat.csp.search.tilings.engine", "Tiler"),
    "cpsat": ("jigsat.models.engines.tilings", "CpSatTiler"),
    "sat": ("jigsat.models.engines.tilings", "SatTiler"),
}


def default_engine(puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> str:
    """The name of the engine that is taken where none is named.

    For jigsaws, whose connectors are many, that is ``most-constrained`` unless something is asked for that it does not
    have; ``backtrack`` otherwise.
    """
    along_an_order = (options.order, options.slips, limits.depth) != (None, None, None)
    if puzzle.rule is Rule.EQUAL or goal is Goal.BEST or along_an_order or in_parts(options):
        return "backtrack"
    return "most-constrained"


def run_aside(
    name: str, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, must_stop: Callable[[], bool]
) -> Result:
    """What an engine finds, in a thread of its own, because Ctrl-C is for whoever wants the answer to notice.

    Raises
    ------
    StoppedError
        If `must_stop`, which is asked at each report, asks to stop.
    """

    def ask(_: Progress) -> None:
        if must_stop():
            raise StoppedError

    return aside(find_engine(name).run, puzzle, goal, limits, report=ask)


def find_engine(name: str, goal: Goal | None = None) -> Engine:
    """The engine of that name.

    Raises
    ------
    EngineError
        If there is none, or it cannot pursue `goal`.
    """
    return _found(ENGINES, name, goal)


def find_tiling_engine(name: str, goal: Goal | None = None) -> TilingEngine:
    """The engine for dissections of that name; errors are those of `find_engine`."""
    return _found(TILING_ENGINES, name, goal)


def _found(engines: Mapping[str, tuple[str, str]], name: str, goal: Goal | None) -> Any:
    family, colon, solver = name.partition(":")
    if family not in engines:
        what = "engine for dissections" if family in ENGINES else "engine"
        names = ", ".join("sat:NAME" if name == "sat" else name for name in engines)
        raise EngineError(f"unknown {what} {shortened(name)!r}, choose from {names}")
    module, attribute = engines[family]
    make = getattr(import_module(module), attribute)
    if colon and not getattr(make, "solvers", ()):
        raise EngineError(f"engine {family} has no choice of solvers, so {shortened(name)!r} is none")
    engine = make(solver) if colon else make()
    if goal is not None and goal not in engine.goals:
        raise EngineError(f"engine {name} has no goal {goal}; it has {', '.join(sorted(engine.goals))}")
    return engine
