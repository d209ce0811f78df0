"""What the options ask for: engine, order, limits, the board to start from."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ...csp.base.errors import EngineError, InstanceError, told_of
from ...csp.base.quantities import several
from ...csp.engines.engine import Engine
from ...csp.engines.registry import default_engine, find_engine
from ...csp.engines.request import IN_PARTS, Goal, Limits, Options
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import load_solutions
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order, find_order, fixed_first
from ...csp.puzzles.slips import checked_slips
from ...estimators.owen.complexity import Complexity
from .options import options_by_name
from .wording import proves_its_best

if TYPE_CHECKING:
    from ...estimators.plan.effort import Plan

_Solution = TypeVar("_Solution")


def order_of(
    puzzle: EdgeMatchingPuzzle, spec: str | tuple[str, Order] | None, slips: str | None, model: Complexity | None = None
) -> tuple[str, Order]:
    """The order that a user means, with its name; `best` is found by what it is expected to cost.

    `model` is the puzzle's, if there is one already.
    """
    if isinstance(spec, tuple):
        return spec
    if spec != "best":
        return find_order(puzzle, spec)
    from ...estimators.owen.best_order import best_order

    return "best", best_order(puzzle, slips, model=model).order


def engine_of(arguments: argparse.Namespace, puzzle: EdgeMatchingPuzzle, goal: Goal) -> Engine:
    """The engine that is named, or the one that suits the puzzle and what is asked for; `arguments` get its name."""
    if arguments.engine is None:
        options = replace(options_of(arguments, arguments.order), **options_by_name(arguments, *IN_PARTS))
        arguments.engine = default_engine(puzzle, goal, limits_of(arguments), options)
    take_advice(arguments, puzzle, goal)
    return find_engine(arguments.engine, goal)


def take_advice(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal) -> None:
    """Where the engine is to be chosen by what experiments taught: give `arguments` its name, and say why."""
    if arguments.engine != "auto":
        return
    from ...estimators.experiments.advice import advice

    taken = advice(puzzle, goal, limits_of(arguments), options_of(arguments, arguments.order))
    arguments.engine, arguments.order = taken.engine, arguments.order or taken.order
    if not arguments.quiet:
        along = f", order {taken.order}" if taken.order else ""
        print(f"engine auto: {taken.engine}{along}: {taken.why}", file=sys.stderr)


def plan_of(arguments: argparse.Namespace, puzzle: EdgeMatchingPuzzle, goal: Goal, engine: Engine) -> "Plan":
    """How to search, and what to expect where that is known in no time."""
    from ...estimators.plan.effort import MOST_PREDICTED, Plan, planned

    slips = arguments.slips
    checked_slips(puzzle, slips)
    if arguments.proof is not None and arguments.start is not None:
        raise EngineError("--proof and --from: a proof is about the whole puzzle; fix the pieces in its file instead")
    # Some engines have none, some have their own.
    without_order = arguments.order is None and ("order" in engine.lacks or not proves_its_best(engine.name))
    name, order = (None, None) if without_order else order_of(puzzle, arguments.order, slips)
    options = options_of(arguments, order)
    if name is None or goal is Goal.BEST or len(puzzle.board) > MOST_PREDICTED:
        return Plan(name, options)
    return planned(puzzle, name, options)


def options_of(arguments: argparse.Namespace, order: str | Order | None) -> Options:
    """The options of a search that the command line gives, with that order."""
    symmetry, names = not arguments.no_symmetry, ("threads", "slips", "encoding", "seed", "proof", "width")
    return Options(order, symmetry, **options_by_name(arguments, *names))


def limits_of(arguments: argparse.Namespace, solutions: int | None = None) -> Limits:
    return Limits(
        seconds=arguments.time_limit, nodes=arguments.node_limit, solutions=solutions, depth=arguments.depth_limit
    )


def start_of(puzzle: EdgeMatchingPuzzle, arguments: argparse.Namespace) -> EdgeMatchingPuzzle:
    """The puzzle with the pieces of the partial board to start from fixed, if there is one."""
    if arguments.start is None:
        return puzzle
    boards = load_solutions(arguments.start, puzzle)
    if not boards:
        raise InstanceError(f"{arguments.start}: holds no board to start from")
    with told_of(arguments.start):
        if arguments.slips is None:
            return puzzle.with_fixed(boards[0])
        # Slips count along an order: that by which the board was made, not what suits the rest of it best.
        name, order = order_of(puzzle, arguments.order, arguments.slips)
        start = puzzle.with_fixed(boards[0], order)
        arguments.order = name, fixed_first(start, order)
        return start


def numbered_one(solutions: Sequence[_Solution], number: int | None, source: str, word: str = "board") -> _Solution:
    """The board or tiling of that number, the first one if none is given, out of those that a source holds.

    Raises
    ------
    InstanceError
        If it holds fewer.
    """
    wanted = 1 if number is None else number
    if 1 <= wanted <= len(solutions):
        return solutions[wanted - 1]
    held = f"holds {several(len(solutions), word, str)}"
    raise InstanceError(f"{source}: there is no {word} {wanted}; the file {held}")
