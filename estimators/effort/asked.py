"""What the options of tasks ask for: an order, a board to start from, motions; and which of them a puzzle has not."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, UsageError, told_of
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import solutions_given
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order, find_order, fixed_first

if TYPE_CHECKING:
    from ..owen.complexity import Complexity

#: A search order: a name, ``best`` among them, a file, or all squares; None for the default.
OrderSpec = str | Path | Iterable[int] | None
#: A slip array: text or depths; None for none.
SlipSpec = str | Iterable[int] | None


def named_order(
    puzzle: EdgeMatchingPuzzle, order: OrderSpec, slips: SlipSpec = None, model: "Complexity | None" = None
) -> tuple[str, Order]:
    """The order that is meant, with its name; ``best`` is worked out, for those slips, by a model if there is one.

    Raises
    ------
    OrderError
        If there is no such order.
    SlipError
        If it is ``best``, and the slip array is none.
    """
    if order != "best":
        return find_order(puzzle, str(order) if isinstance(order, Path) else order)
    from ..owen.best_order import best_order

    allowed = slips if slips is None or isinstance(slips, str) else tuple(slips)
    return "best", best_order(puzzle, allowed, model=model).order


def started(
    puzzle: EdgeMatchingPuzzle, start: Arrangement | str | Path | None, order: OrderSpec, slips: SlipSpec
) -> tuple[EdgeMatchingPuzzle, str | None, OrderSpec]:
    """The puzzle with the pieces of a partial board fixed, if there is one; the order, with these first, and its name.

    The name is None if the order is as it was given.

    Raises
    ------
    InstanceError
        If the board cannot be read, or does not fit the puzzle.
    """
    if start is None:
        return puzzle, None, order
    source = start if isinstance(start, str | Path) else "start"
    boards = solutions_given(puzzle, start)
    if not boards:
        raise InstanceError(f"{source}: holds no board to start from")
    with told_of(source):
        if slips is None:
            return puzzle.with_fixed(boards[0]), None, order
        # Slips count along an order: that by which the board was made, not what suits the rest of it best.
        name, squares = named_order(puzzle, order, slips)
        begun = puzzle.with_fixed(boards[0], squares)
        return begun, name, fixed_first(begun, squares)


def refuse_given(why: str, **options: Any) -> None:
    """Keep options from being ignored in silence: none of them may be given, which None and False are not.

    Raises
    ------
    UsageError
        If one of them is.
    """
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError(why, name)


def refuse_of_others(puzzle: Puzzle, **options: Any) -> None:
    """Refuse options that have no meaning for the puzzle's kind, as `refuse_given` does."""
    others = "puzzles of squares" if isinstance(puzzle, DissectionPuzzle) else "dissections"
    refuse_given(f"it is for {others}; {puzzle.name} is of the kind {puzzle.kind}", **options)
