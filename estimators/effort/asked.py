"""Read the options of tasks: search orders and boards to start from; refuse options that do not apply to a puzzle."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, UsageError, told_of
from ...csp.engines.engine import find_engine
from ...csp.engines.request import Options
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import none_in, solutions_given
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order, fixed_first
from ...csp.puzzles.slips import checked_slips, number_to_find

if TYPE_CHECKING:
    from ..owen.best_slips import BestSlips
    from ..owen.complexity import Complexity

#: A search order: a name, ``best`` among them, a file, or all squares; None for the default.
OrderSpec = str | Path | Iterable[int] | None
#: A slip array: text or depths; None for no slips.
SlipSpec = str | Iterable[int] | None


def named_order(
    puzzle: EdgeMatchingPuzzle, order: OrderSpec, slips: SlipSpec = None, model: "Complexity | None" = None
) -> tuple[str, Order]:
    """Return the name of an order and its squares; ``best`` is computed for these slips, with `model` if it is given.

    It does not depend on slips along the frame.

    Raises OrderError if the order does not exist. Raises SlipError if the order is ``best``, and the slip array is
    invalid.
    """
    if order != "best":
        return find_order(puzzle, str(order) if isinstance(order, Path) else order)
    allowed = slips if slips is None or isinstance(slips, str) else tuple(slips)
    return "best", _best_order(puzzle, checked_slips(puzzle, allowed), model)


# One task after the other asks for the order of the same puzzle.
@lru_cache(maxsize=4)
def _best_order(puzzle: EdgeMatchingPuzzle, slips: tuple[int, ...], model: "Complexity | None") -> Order:
    from ..owen.best_order import best_order

    return best_order(puzzle, slips, model=model).order


def with_slips(
    puzzle: EdgeMatchingPuzzle, order: OrderSpec, slips: SlipSpec, names: tuple[str, ...] = tuple(NAMED_ORDERS)
) -> tuple[OrderSpec, SlipSpec]:
    """Return the order and the slips; if these are ``best:N``, find them, and the order unless a certain one is given.

    The order that is found has one of these names.

    Raises OrderError or SlipError if the order does not exist, or there are too many slips.
    """
    number = number_to_find(slips)
    if number is None:
        return order, slips
    if order is None or order == "best":
        found = _best_slips(puzzle, number, names)
        return found.order_name, found.slips
    name, squares = named_order(puzzle, order)
    return name if isinstance(order, str) else squares, _best_slips(puzzle, number, squares).slips


@lru_cache(maxsize=4)
def _best_slips(puzzle: EdgeMatchingPuzzle, number: int, orders: tuple[str, ...] | Order) -> "BestSlips":
    from ..owen.best_slips import best_slips

    return best_slips(puzzle, number, orders)


def found_slips(puzzle: Puzzle, options: Options, engine: str | None = None) -> Options:
    """The options with the slips and the order that `with_slips` finds, for an engine if one is given."""
    if number_to_find(options.slips) is None:
        return options
    assert isinstance(puzzle, EdgeMatchingPuzzle)
    names = None if engine is None else find_engine(engine).orders
    order, slips = with_slips(puzzle, options.order, options.slips, names or tuple(NAMED_ORDERS))
    return replace(options, order=order, slips=slips)


def start_board(puzzle: EdgeMatchingPuzzle, start: Arrangement | str | Path) -> Arrangement:
    """The partial board to start from, which may be in a file.

    Raises InstanceError if the board cannot be read, or does not fit the puzzle. Raises UsageError if it is no board.
    """
    source = start if isinstance(start, str | Path) else "start"
    if not isinstance(start, str | Path):
        start = tuple(start)
        if len(start) not in (1, len(puzzle.board)) and all(square is None for square in start):
            raise InstanceError(f"start: a board has {len(puzzle.board)} squares, not {len(start)}")
    boards = solutions_given(puzzle, start, "start")
    if not boards:
        raise none_in(source, "board to start from")
    with told_of(source):
        puzzle.with_fixed(boards[0])
    return boards[0]


def started(
    puzzle: EdgeMatchingPuzzle,
    board: Arrangement | None,
    order: OrderSpec,
    slips: SlipSpec,
    frame_slips: SlipSpec = None,
) -> tuple[EdgeMatchingPuzzle, str | None, OrderSpec]:
    """Fix the pieces of a partial board, if one is given; return the puzzle, the order's name, and the order.

    The order starts with the fixed pieces.  The name is None if the order is unchanged.
    """
    if board is None:
        return puzzle, None, order
    if slips is None and frame_slips is None:
        return puzzle.with_fixed(board), None, order
    # Slips count along an order: the one in which the board was filled, not the best one for the rest of it.
    name, squares = named_order(puzzle, order, slips)
    begun = puzzle.with_fixed(board, squares)
    return begun, name, fixed_first(begun, squares)


def refuse_given(why: str, **options: Any) -> None:
    """Refuse options that would otherwise be ignored silently.

    Raises UsageError if the value of an option is neither None nor False.
    """
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError(why, name)


def refuse_of_others(puzzle: Puzzle, **options: Any) -> None:
    """Refuse options that do not apply to the puzzle's kind, as `refuse_given` does."""
    others = {"dissection": "puzzles of squares"}.get(puzzle.kind, "dissections")
    refuse_given(f"it is for {others}; {puzzle.name} is of the kind {puzzle.kind}", **options)
