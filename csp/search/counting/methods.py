"""The methods of counting, by name."""

from importlib import import_module

from ...base.errors import EngineError, misspelt
from ...engines.request import Options
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from .parts import Piecework

#: Methods by name, with module and class; a module is loaded when its method is requested.
METHODS: dict[str, tuple[str, str]] = {
    "plain": ("jigsat.csp.search.counting.plain", "Prefixes"),
    "frames": ("jigsat.csp.search.counting.frames.method", "Frames"),
    "macros": ("jigsat.csp.search.counting.macros.method", "Macros"),
    "blocks": ("jigsat.csp.search.counting.blocks.method", "Blocks"),
    "halves": ("jigsat.csp.search.counting.regions.region_halves", "HalvesOfRegion"),
}


#: The methods that count the ways to fill some squares of the board, and those that count whole boards.
OF_REGIONS = ("plain", "halves")
OF_WHOLE_BOARDS = tuple(name for name in METHODS if name == "plain" or name not in OF_REGIONS)


def refuse_method(name: str, *, region: bool) -> None:
    """Raise EngineError if there is no such method, or if it counts only whole boards, or only some squares."""
    if name not in METHODS:
        raise EngineError(f"unknown method {misspelt(name, METHODS)}, choose from {', '.join(METHODS)}")
    if region and name not in OF_REGIONS:
        raise EngineError(f"method {name}: it counts whole boards; for squares choose from {', '.join(OF_REGIONS)}")
    if not region and name not in OF_WHOLE_BOARDS:
        able = ", ".join(OF_WHOLE_BOARDS)
        raise EngineError(f"method {name}: it counts some squares of a board; for whole boards choose from {able}")


def cut_into_parts(puzzle: EdgeMatchingPuzzle, options: Options) -> Piecework:
    """The count of a puzzle by the method of the options, cut into parts.

    Raises EngineError if there is no such method, or it does not apply to the puzzle or the options.
    """
    name = options.method or "plain"
    refuse_method(name, region=options.squares is not None)
    module, attribute = METHODS[name]
    return getattr(import_module(module), attribute)(puzzle, options)
