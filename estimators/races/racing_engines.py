"""The engines of races, and their options."""

from collections.abc import Mapping
from typing import Any

from ...csp.base.errors import EngineError
from ...csp.base.stop import Stop
from ...csp.engines.refusals import refuse
from ...csp.engines.registry import find_engine
from ...csp.engines.request import NO_LIMITS, SLIPS, Goal, Limits, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS
from ...csp.puzzles.slips import checked_frame_slips, checked_slips, format_slips
from ...csp.search.best_score_race import Race, RacingEngine
from ..effort.asked import named_order, with_slips

#: The options of engines on which the boards of a race depend; it records them.
OF_ENGINES = ("order", *SLIPS, "width", "device")


def prepared_race(puzzle: EdgeMatchingPuzzle, engine: str, options: Options, limits: Limits = NO_LIMITS) -> Race:
    """The race of an engine, ready for trials; the limits are those for which it chooses the width of its beams.

    Raises
    ------
    EngineError, OrderError, SlipError
        If the engine cannot race, or an option does not fit the engine or the puzzle.
    """
    found = find_engine(engine)
    racing = found if isinstance(found, RacingEngine) else None
    if racing is None:
        raise EngineError(f"engine {engine}: races need an engine that searches for high scores: beam or dive")
    refuse(found, Goal.BEST, limits, options)
    race = racing.race(puzzle, limits, options, Stop())
    if not race.possible:
        raise EngineError(f"engine {engine}: the fixed pieces of {puzzle.name} allow no full board that it could find")
    return race


def recorded(puzzle: EdgeMatchingPuzzle, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an engine as a race records them: None where none is given.

    Raises
    ------
    OrderError, SlipError
        If an option does not fit the puzzle.
    """
    found = {name: options.get(name) for name in OF_ENGINES}
    found["order"], found["slips"] = with_slips(puzzle, found["order"], found["slips"])
    if found["slips"] is not None:
        found["slips"] = format_slips(checked_slips(puzzle, found["slips"]))
    if found["frame_slips"] is not None:
        found["frame_slips"] = format_slips(checked_frame_slips(puzzle, found["frame_slips"]))
    if found["order"] is not None:
        name, squares = named_order(puzzle, found["order"], found["slips"])
        known = name.partition(":")[0] in NAMED_ORDERS
        found["order"] = name if known else " ".join(map(puzzle.board.name, squares))
    return found


def engine_options(puzzle: EdgeMatchingPuzzle, options: Mapping[str, Any], seed: int, threads: int = 1) -> Options:
    """The options of an engine, from those that a race has recorded."""
    order = options["order"]
    if order is not None and order.partition(":")[0] not in NAMED_ORDERS:
        options = {**options, "order": tuple(map(puzzle.board.parse, order.split()))}
    return Options(**options, seed=seed, threads=threads)
