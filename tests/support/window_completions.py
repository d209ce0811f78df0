"""The best completion of a window, proved: for comparison with other searches."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from jigsat.csp.base.stop import never
from jigsat.csp.puzzles.board import Arrangement, Placement
from jigsat.csp.search.shared_tree import BUDGET_SPENT, EXHAUSTED
from jigsat.csp.search.windows import Window, WindowTables

# The number of nodes between two looks at the clock: about a hundredth of a second.
_SLICE = 50_000


class Completion(NamedTuple):
    """The result of a search for the best completion."""

    #: A board with fewer invalid joins than asked for, or None if none was found.
    board: Arrangement | None
    #: The number of invalid joins of the window on that board.
    invalid: int | None
    #: Whether no completion is better: without a board, than what was asked for.
    proved: bool
    #: No completion has fewer invalid joins.
    at_least: int
    #: The number of pieces placed.
    nodes: int


def best_completion(
    tables: WindowTables,
    board: Sequence[Placement | None],
    squares: Iterable[int],
    better_than: int | None = None,
    *,
    nodes: int | None = None,
    must_stop: Callable[[], bool] = never,
    seed: int = 0,
    loose_frame: bool = False,
) -> Completion:
    """Fill some squares of a board with as few invalid joins as possible, fewer than `better_than` if it is given."""
    window = Window(tables, tables.placed(board), squares, seed, loose_frame=loose_frame)
    most = window.joins if better_than is None else min(better_than - 1, window.joins)
    if most >= 0 and not window.squares:
        return Completion(tuple(board), 0, True, 0, 0)
    for invalid in range(most + 1):
        window.begin(invalid)
        while True:
            left = _SLICE if nodes is None else min(_SLICE, nodes - window.nodes)
            code = window.advance(left)
            if code != BUDGET_SPENT:
                break
            if must_stop() or window.nodes == nodes:
                return Completion(None, None, False, invalid, window.nodes)
        if code != EXHAUSTED:
            return Completion(tables.board(window.found()[0]), invalid, True, invalid, window.nodes)
    return Completion(None, None, True, most + 1, window.nodes)
