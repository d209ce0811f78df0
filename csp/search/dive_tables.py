"""The tables of all dives of a puzzle, and one dive with its order of candidates and its quota."""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import EngineError
from ..base.seeded_random import scrambled
from ..engines.tallies import Rows
from ..puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.slips import NONE_INVALID, InvalidJoins, Slips, allowed
from ..puzzles.symmetry import Candidates
from . import dive_kernel as kernel
from .ordered.kernels import OrderedTables, build_tables
from .shared_tree import BUDGET_SPENT, ROWS_FULL

_Words = NDArray[np.uint64]
_ALONG_FRAME = np.uint64((1 << kernel.ALL_SHIFT) - 1)
# From this part of the board on the lists are thinned.  Later, where the tree is widest, it would cost more than it
# saves.
_THINNED = 0.5
#: The named orders that dives can follow.
ORDERS = ("rowscan", "colscan", "rowscan2", "zig_zag")
# The number of inner colours that are used up early, and the part of the board by which this is done.
_EARLY, _UNTIL = 0.18, 0.65


@dataclass(frozen=True)
class DiveTables:
    """The data that all dives of a puzzle along an order share."""

    #: The candidates that are placed.
    candidates: Candidates
    #: The candidate at each position; -1 ends a list.
    entries: NDArray[np.int64]
    #: The tables of the kernel; the plan without early colours.
    starts: NDArray[np.uint32]
    index: NDArray[np.uint32]
    passes: _Words
    plan: _Words
    levels: _Words
    #: The invalid joins that count from the start, as a tally.
    before: int

    @property
    def depths(self) -> int:
        return len(self.plan) // kernel.PLAN_SIZE - 1


def dive_tables(
    puzzle: EdgeMatchingPuzzle,
    candidates: Candidates,
    order: tuple[int, ...],
    slips: Slips,
    before: InvalidJoins = NONE_INVALID,
    frame_slips: Slips = (),
) -> DiveTables:
    """The tables of dives along `order` (fixed squares first) under slip arrays.

    Raises EngineError if a square would be filled after the one above it or to its right.
    """
    tables = build_tables(puzzle, candidates, order, None, 0, slips, frame_slips)
    fixed, depths = len(puzzle.fixed), len(tables.squares)
    sides = tables.reference % np.uint64(4)
    in_use = np.arange(4) < tables.met[:, None]
    if not np.isin(sides[in_use], (UP, RIGHT)).all():
        *first, last = ORDERS
        orders = f"{', '.join(first)} or {last}"
        raise EngineError(f"the engine dive fills squares below and to the left first: use one of the orders {orders}")
    numbers = range(fixed + 1, fixed + depths + 1)
    quota = [InvalidJoins(allowed(slips, number), allowed(frame_slips, number)) for number in numbers]
    entries = tables.entries
    starts = np.flatnonzero(np.append(True, entries[:-1] < 0))
    thinned = int(_THINNED * len(order)) - fixed
    return DiveTables(
        candidates,
        entries,
        starts.astype(np.uint32),
        tables.index,
        _passes(tables).ravel(),
        _plan(tables, quota).ravel(),
        np.array([0, thinned] if 0 < thinned < depths else [0], dtype=np.uint64),
        _tally(before),
    )


def _tally(invalid: InvalidJoins) -> int:
    """Numbers of invalid joins as a tally of the kernel."""
    return invalid.total << kernel.ALL_SHIFT | invalid.frame


def _passes(tables: OrderedTables) -> _Words:
    """One row per pass: its invalid joins; base and strides of its key; what must and what must not match."""
    passes = np.zeros((len(tables.base), kernel.PASS_SIZE), dtype=np.uint64)
    passes[:, 0] = tables.invalid << np.uint64(kernel.ALL_SHIFT) | tables.along
    passes[:, 1] = tables.base
    for s in range(len(passes)):
        for column in range(int(tables.met[s])):
            lower = int(tables.reference[s, column]) % 4 == UP
            if column < tables.keyed[s]:
                passes[s, 3 if lower else 2] = tables.stride[s, column]
            else:
                passes[s, 4 if column < tables.known[s] else 5] |= np.uint64(0xFFFF << (16 if lower else 0))
    return passes


def _plan(tables: OrderedTables, quota: list[InvalidJoins]) -> _Words:
    """One row per depth, and one after the last; see the kernel."""
    depths = len(tables.squares)
    plan = np.zeros((depths + 1, kernel.PLAN_SIZE), dtype=np.uint64)
    plan[:, 0] = tables.first
    # An entry of `state` that stays 0.
    plan[:, [3, 5, 8, 9]] = kernel.STATE_SIZE * depths
    plan[:depths, 11], plan[:depths, 12] = list(map(_tally, quota)), [one.inner for one in quota]
    for d in range(depths):
        s = int(tables.first[d])
        plan[d, 7] = tables.base[s]
        for column in range(int(tables.met[s])):
            neighbour, side = divmod(int(tables.reference[s, column]), 4)
            stride = tables.stride[s, column] if column < tables.keyed[s] else 0
            plan[d, 9 if side == UP else 8] = kernel.STATE_SIZE * neighbour
            if neighbour == d - 1:
                plan[d, 1:3] = (32 if side == UP else 16), stride
            elif side == UP:
                plan[d, 5:7] = kernel.STATE_SIZE * neighbour, stride
            else:
                plan[d, 3:5] = kernel.STATE_SIZE * neighbour, stride
    return plan


class Descent:
    """One dive, which can be advanced by any number of nodes.

    - `seed`: the seed of the order of candidates.
    - `early`: the colours that must be used up early.
    - `need`: the least number of sides of these colours on the board with the piece of each depth; None for no quota.

    Attributes:
    - `nodes`: the number of nodes at each depth so far.
    """

    def __init__(
        self,
        tables: DiveTables,
        seed: int = 0,
        early: frozenset[int] = frozenset(),
        need: NDArray[np.uint64] | None = None,
    ) -> None:
        depths = tables.depths
        self._tables = tables
        self.nodes = np.zeros(depths, dtype=np.uint64)
        self._words, self._fits = _shuffled_lists(tables, seed, early)
        self._plan = tables.plan.copy()
        if need is not None:
            self._plan.reshape(-1, kernel.PLAN_SIZE)[:depths, 10] = need << np.uint64(kernel.TALLY_SHIFT)
        numbers = [min(len(kind.pieces), depths) for kind in tables.candidates.kinds]
        self._available = np.array([*numbers, 1], dtype=np.min_scalar_type(max(numbers, default=1)))
        self._state = np.zeros(kernel.STATE_SIZE * (depths + 1), dtype=np.uint64)
        self._cursor = np.zeros(kernel.CURSOR_SIZE, dtype=np.uint64)
        self._cursor[kernel.POSITION] = tables.index[int(self._plan[7])]
        self._cursor[kernel.TALLY] = tables.before
        self._code = BUDGET_SPENT

    def advance(self, budget: int, deep: int) -> int:
        """Search for at most `budget` nodes, or until a piece is about to lie at depth `deep`; return the code."""
        tables = self._tables
        self._cursor[kernel.BUDGET] = budget
        self._code = kernel.dive(
            self._words, self._fits, tables.index, tables.starts, tables.passes, self._plan, tables.levels,
            self._available, self._state, self.nodes, self._cursor, np.uint64(min(deep, tables.depths - 1)),
        )  # fmt: skip
        return int(self._code)

    def row(self) -> Rows:
        """The candidates of the board at which the last advance stopped, including the piece about to be placed."""
        depth = int(self._cursor[kernel.DEPTH])
        positions = self._state.reshape(-1, kernel.STATE_SIZE)[: depth + 1, 1].copy()
        if self._code != ROWS_FULL:
            positions[depth] = self._cursor[kernel.POSITION]
        return (self._fits[positions] >> np.uint64(32)).astype(np.int64)

    def allow(self, most: int) -> None:
        """Allow at most `most` invalid joins from now on; pieces beyond that are taken off the board."""
        tables, cursor = self._tables, self._cursor
        plan, state = self._plan.reshape(-1, kernel.PLAN_SIZE), self._state.reshape(-1, kernel.STATE_SIZE)
        shift = np.uint64(kernel.ALL_SHIFT)
        plan[:, 11] = np.minimum(plan[:, 11] >> shift, np.uint64(most)) << shift | plan[:, 11] & _ALONG_FRAME
        depth = int(cursor[kernel.DEPTH])
        invalid = tables.passes[kernel.PASS_SIZE * state[:depth, 2]] + (state[:depth, 3] & kernel.INVALID)
        over = np.flatnonzero(_is_more(invalid, plan[:depth, 11]))
        if len(over):
            depth, above = int(over[0]), depth
            np.add.at(self._available, state[depth:above, 0] & np.uint64(0xFFFF), 1)
            cursor[kernel.DEPTH], cursor[kernel.PASS], cursor[kernel.TALLY] = depth, state[depth, 2], state[depth, 3]
        at_hand = tables.passes[kernel.PASS_SIZE * cursor[kernel.PASS]] + (cursor[kernel.TALLY] & kernel.INVALID)
        if _is_more(at_hand, plan[depth, 11]):
            # The empty list of the level replaces the rest of this one.
            level = int(np.searchsorted(tables.levels, depth, side="right")) - 1
            cursor[kernel.POSITION] = level * len(tables.entries)


def _is_more(tally: Any, quota: Any) -> Any:
    """Whether a tally has more invalid joins of a kind than the quota."""
    return (quota | kernel.CARRIES) - tally & kernel.CARRIES != kernel.CARRIES


def _shuffled_lists(tables: DiveTables, seed: int, early: frozenset[int]) -> tuple[_Words, _Words]:
    """`words` and `fits` for all levels: in each list candidates with many early colours first, otherwise at random."""
    candidates, entries = tables.candidates, tables.entries
    indices = [candidates.color_index[color] for color in early if color in candidates.color_index]
    counts = np.isin(candidates.sides, indices).sum(axis=1)
    chance = scrambled(np.arange(len(candidates.sides), dtype=np.uint64) + scrambled(np.array([seed], dtype=np.uint64)))
    # The end of a list is not a candidate: it comes last.
    key = np.where(entries < 0, 1, -counts[entries])
    number_of_list = np.cumsum(np.append(0, entries[:-1] < 0))
    entries = entries[np.lexsort((chance[entries], key, number_of_list))]
    is_end = entries < 0
    right, up = np.maximum(candidates.sides[:, RIGHT], 0), np.maximum(candidates.sides[:, UP], 0)
    left, lower = np.maximum(candidates.mates[:, LEFT], 0), np.maximum(candidates.mates[:, DOWN], 0)
    words = (candidates.of_type | right << 16 | up << 32 | counts << 48)[entries]
    fits = (left | lower << 16 | np.arange(len(left)) << 32)[entries]
    words[is_end], fits[is_end] = len(candidates.kinds), 0
    levels = len(tables.levels)
    return np.tile(words.astype(np.uint64), levels), np.tile(fits.astype(np.uint64), levels)


def early_colors(puzzle: EdgeMatchingPuzzle, chance: Random) -> frozenset[int]:
    """The inner colours, chosen at random, that a dive uses up early; empty if there are few colours."""
    colors = sorted({abs(color) for color in puzzle.inner_sides()} - {BORDER})
    chosen = sorted(colors, key=lambda color: chance.random())[: round(_EARLY * len(colors))]
    return frozenset(color for sign in (1, -1) for color in (sign * early for early in chosen))


def early_quota(puzzle: EdgeMatchingPuzzle, early: frozenset[int], used_up: float) -> NDArray[np.uint64]:
    """The number of sides of early colours that must be on the board at each depth, without fixed pieces.

    It grows from the second row on, and long before the board is full it reaches the given part of all such sides.
    """
    fixed, squares = len(puzzle.fixed), len(puzzle.board)
    pinned = {piece for _, piece, _ in puzzle.fixed}
    free = [sides for piece, sides in enumerate(puzzle.pieces) if piece not in pinned]
    sides = sum(color in early for sides in free for color in sides) * (squares - fixed) / max(len(free), 1)
    part, first_row = np.arange(fixed + 1, squares + 1) / squares, min(1 / min(puzzle.rows, puzzle.columns), 0.5)
    done = np.clip((part - first_row) / (_UNTIL - first_row), 0, 1)
    return np.where(part <= _UNTIL, sides * used_up * (1 - (1 - done) ** 2), 0).astype(np.uint64)


def is_past_quota(puzzle: EdgeMatchingPuzzle, depth: int) -> bool:
    """Whether a board with `depth` free pieces is beyond the end of the quota."""
    return depth + len(puzzle.fixed) > _UNTIL * len(puzzle.board)
