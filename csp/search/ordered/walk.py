"""One walk through a search tree: a kernel, its arrays, and their contents between two slices."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...puzzles.board import UP
from ...puzzles.slips import NONE_INVALID, InvalidJoins
from ...puzzles.symmetry import Candidates
from ..shared_tree import BUDGET_SPENT, DEEPER, KernelWalk
from . import kernels, slip_kernel
from .color_balance import ColorAccounts, no_accounts
from .kernels import (
    BUDGET,
    DEPTH,
    FLOOR,
    POSITION,
    WRITTEN,
    OrderedTables,
    available_of,
    by_position,
    lists_of,
)
from .quick_kernel import quick_tables, search_quickly
from .rowscan_kernel import sprint, sprinter

_UNBOUNDED = np.uint64(1 << 63)
# After this number of nodes of the plain kernel the quick kernel is worth trying again.
_SPRINTLESS = np.uint64(10_000)
# A kernel's run, given everything but the rows and the depth that was not reached before.
_Kernel = Callable[[NDArray[Any], np.uint64], int]


class Walk(KernelWalk):
    """A search along the depths of `tables` that can be advanced by any number of nodes.

    With slips, `quota` has the invalid joins allowed at each depth, as `tallies`, `invalid` those among the fixed
    pieces, and `balance` the accounts of colours, for a lower bound on further invalid joins, unless it is None.
    """

    def __init__(
        self,
        candidates: Candidates,
        tables: OrderedTables,
        quota: NDArray[np.uint64] | None = None,
        invalid: InvalidJoins = NONE_INVALID,
        balance: ColorAccounts | None = None,
    ) -> None:
        depths = len(tables.squares)
        self.nodes = np.zeros(depths, dtype=np.uint64)
        self.slice_nodes = 1
        self._cursor = np.zeros(5, dtype=np.uint64)
        self._state = np.zeros(kernels.STATE_SIZE * (depths + 1), dtype=np.uint32)
        self._rows = np.zeros((0, depths), dtype=np.uint32)
        self._entries = tables.entries
        self._list_starts = np.flatnonzero((self._entries >= 0) & (np.append(-1, self._entries[:-1]) < 0))
        self._list_ends = np.flatnonzero(self._entries < 0)
        self._candidates = candidates
        self._cursor[POSITION] = tables.index[int(tables.base[0])]
        # Kernels stop when they get deeper than before; the first candidate of all needs no stop.
        self._deepest = self._entries[[int(self._cursor[POSITION])]]
        # From the lowest bit: type (all ones end a list), right colour, upper colour times the number of colours.
        colors = candidates.colors
        widths = [number.bit_length() for number in (len(candidates.kinds), colors - 1, colors * (colors - 1))]
        self._first = tables.first
        self._quota = quota
        self._shown = None
        self._balance = balance
        if quota is not None:
            self._state[slip_kernel.INVALID], self._state[slip_kernel.ALONG] = invalid.total, invalid.frame
            self._deepest = self._deepest[:0]
            self.method, self._kernel = "slips", self._with_slips(candidates, tables, quota)
        elif tables.is_staircase(colors) and sum(widths) <= 32:
            self.method, self._kernel = "staircase", self._staircase(candidates, tables, widths)
        else:
            self.method, self._kernel = "any order", self._any_order(candidates, tables)
        self._all_available = self._available.copy()

    def _staircase(self, candidates: Candidates, tables: OrderedTables, widths: list[int]) -> _Kernel:
        depths = len(tables.squares)
        layout = (1 << widths[0]) - 1, (1 << widths[1]) - 1, widths[0], widths[0] + widths[1]
        type_mask, right_mask, right_shift, up_shift = layout
        types = by_position(self._entries, candidates.of_type, type_mask)
        up, right, _, _ = np.maximum(by_position(self._entries, candidates.sides, 0), 0).T
        words = types | right << right_shift | up * candidates.colors << up_shift
        # plan[d]: base, places of the lower and the left colour, shift and mask of what depth d - 1 adds
        plan = np.zeros((depths + 1, 5), dtype=np.uint32)
        plan[:depths, 0] = tables.base
        plan[:, 1:3] = kernels.STATE_SIZE * depths
        for d, j in zip(*np.nonzero(tables.stride), strict=True):
            neighbour, side = divmod(int(tables.reference[d, j]), 4)
            if neighbour == d - 1:
                plan[d, 3:] = (up_shift, 0xFFFFFFFF) if side == UP else (right_shift, right_mask)
            else:
                plan[d, 1 if side == UP else 2] = kernels.STATE_SIZE * neighbour + (0 if side == UP else 1)
        self._types = types
        self._available = available_of(candidates, type_mask + 1)
        entry = tables.index.astype(np.uint64) << np.uint64(32) | words[tables.index].astype(np.uint64)
        arrays = (
            words.astype(np.uint32), np.array(layout, dtype=np.uint64), entry, plan.ravel(), self._available,
            self._state, self.nodes, self._cursor,
        )  # fmt: skip

        def plain(rows: NDArray[Any], deep: np.uint64) -> int:
            return kernels.search_staircase(*arrays, rows, deep)

        rowscan = sprinter(candidates, tables, right_mask)
        if rowscan is not None:
            shared = *arrays[:2], *arrays[4:]
            return self._alternating(lambda rows, deep: sprint(rowscan, *shared, rows, deep), plain)
        # If a square's list seldom depends on the square before it, the plain kernel is faster.
        quick = self._quick(candidates, tables) if tables.follows_neighbours() else None
        if quick is None:
            return plain

        def sprint_and_recall(rows: NDArray[Any], deep: np.uint64) -> None:
            quick(rows, deep)
            kernels.recall_staircase(arrays[0], arrays[1], arrays[3], self._state, self._cursor)

        return self._alternating(sprint_and_recall, plain)

    def _alternating(self, quick: Callable[[NDArray[Any], np.uint64], None], plain: _Kernel) -> _Kernel:
        """A quick kernel and, for the cases that it does not handle, a plain one."""

        def search(rows: NDArray[Any], deep: np.uint64) -> int:
            while True:
                quick(rows, deep)
                # Cases for the plain kernel are rare, so a few nodes of it are enough.
                later = self._cursor[BUDGET] - min(self._cursor[BUDGET], _SPRINTLESS)
                self._cursor[BUDGET] -= later
                code = plain(rows, deep)
                self._cursor[BUDGET] += later
                if code != BUDGET_SPENT or later == 0:
                    return code
                if self._cursor[DEPTH] >= deep:
                    return DEEPER

        return search

    def _quick(self, candidates: Candidates, tables: OrderedTables) -> Callable[[NDArray[Any], np.uint64], None] | None:
        """The quick kernel for any order, if it supports the search."""
        prepared = quick_tables(candidates, tables)
        if prepared is None:
            return None
        lists = lists_of(candidates, tables)
        plain = self._entries, lists.sides, lists.starts, lists.base, lists.neighbour, lists.shift, lists.stride
        shown = np.zeros(len(tables.squares), dtype=np.uint64) if self._shown is None else self._shown
        arrays = *prepared, plain, self._available, shown, self._state, self.nodes, self._cursor
        return lambda rows, deep: search_quickly(*arrays, rows, deep)

    def _any_order(self, candidates: Candidates, tables: OrderedTables) -> _Kernel:
        kinds, lists = len(candidates.kinds), lists_of(candidates, tables)
        self._types, self._sides = lists.types, lists.sides
        self._available = available_of(candidates, kinds + 1)
        self._shown = np.zeros(len(tables.squares), dtype=np.uint64)
        reachable = _reachable(lists.types, kinds, tables.index)
        arrays = lists, reachable, self._available, self._shown, self._state, self.nodes, self._cursor

        def plain(rows: NDArray[Any], deep: np.uint64) -> int:
            return kernels.search_any_order(*arrays, rows, deep)

        quick = self._quick(candidates, tables)
        return plain if quick is None else self._alternating(quick, plain)

    def _with_slips(self, candidates: Candidates, tables: OrderedTables, quota: NDArray[np.uint64]) -> _Kernel:
        lists = lists_of(candidates, tables)
        self._types, self._sides = lists.types, lists.sides
        self._available = available_of(candidates, len(candidates.kinds) + 1)
        depths = len(tables.squares)
        accounts = no_accounts(depths) if self._balance is None else self._balance
        self._shown = np.append(np.zeros(depths, dtype=np.uint64), accounts.constants)
        self._accounts, self._settled_to = accounts.accounts.copy(), np.zeros(1, dtype=np.uint64)
        sums = np.full(depths + 1, accounts.start)
        arrays = (
            lists, slip_kernel.passes_of(tables), quota, self._available, self._shown, self._state, self.nodes,
            self._cursor,
        )  # fmt: skip
        others = self._accounts, sums, self._settled_to, np.uint64(accounts.pays_from)

        def search(rows: NDArray[Any], deep: np.uint64) -> int:
            # Where all joins must be valid, boards that cannot be completed soon end anyway.
            bounded = self._balance is not None and slip_kernel.allows_any(quota)
            return slip_kernel.search_with_slips(*arrays, accounts.fixed if bounded else None, *others, rows, deep)

        return search

    def allow(self, invalid: int) -> None:
        """Allow at most `invalid` invalid joins from now on, wherever the quota allowed more."""
        assert self._quota is not None
        self._quota[:] = slip_kernel.with_at_most(self._quota, invalid)

    def _search(self) -> int:
        while True:
            code = self._kernel(self._rows, np.uint64(len(self._deepest)))
            if code != DEEPER:
                return code
            self._deepest = self._entries[[*self._positions_above(), int(self._cursor[POSITION])]]

    def places(self, depth: int) -> NDArray[np.uint32]:
        """The positions at which the search is about to place a piece at `depth`: one row each, for `begin_at`.

        The walk itself ends there: it has searched everything above that depth, and nothing below.
        """
        if depth == 0:
            return self._cursor[[POSITION]].astype(np.uint32)[None]
        found = []
        self._cursor[BUDGET] = _UNBOUNDED
        while self._kernel(self._rows, np.uint64(depth)) == DEEPER:
            found.append(np.append(self._state[: kernels.STATE_SIZE * depth], np.uint32(self._cursor[POSITION])))
            # The empty list: the following candidates are skipped.
            self._cursor[POSITION] = 0
        return np.array(found, dtype=np.uint32).reshape(len(found), kernels.STATE_SIZE * depth + 1)

    def candidates_at(self, place: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The candidates that lie at a position of `places`, in the order of the squares; the walk goes there."""
        self.begin_at(place)
        return self._entries[self._positions_above()].astype(np.int64)

    def begin_at(self, place: NDArray[np.uint32] | list[int]) -> None:
        """Go to a position of `places`, `split` or `rest`, to search only the subtrees from there on."""
        place = np.asarray(place, dtype=np.uint32)
        depth = (len(place) - 1) // kernels.STATE_SIZE
        self._state[: len(place) - 1] = place[:-1]
        self._cursor[[DEPTH, FLOOR, POSITION]] = depth, depth, place[-1]
        above = self._positions_above()
        if depth > len(self._deepest):
            self._deepest = self._entries[above]
        self._available[:] = self._all_available
        np.subtract.at(self._available, self._types[above], 1)
        if self._shown is not None:
            self._shown[:depth] = self._sides[above]
        if self._balance is not None:
            # The kernel brings them up to date.
            self._accounts[:], self._settled_to[0] = self._balance.accounts, 0

    def _positions_above(self) -> list[int]:
        depth = int(self._cursor[DEPTH])
        return self._state[kernels.STATE_SIZE - 1 : kernels.STATE_SIZE * depth : kernels.STATE_SIZE].tolist()

    def solutions(self) -> NDArray[np.int64]:
        """The solutions of the last slice: candidates (indices) by depth, shape (solutions, depths)."""
        return self._entries[self._rows[: int(self._cursor[WRITTEN])]]

    def deepest(self) -> NDArray[np.int64]:
        """The candidates of the longest partial filling so far, by depth."""
        return self._deepest if self.nodes.any() else self._deepest[:0]

    def done_of(self, predicted: NDArray[np.float64], place: NDArray[np.uint32] | None = None) -> float:
        """The done part in predicted nodes, given their logarithms by depth.

        Every possible candidate on the path to the current position gets the same part of the nodes predicted below its
        depth, whether it is already searched or not.
        """
        below = np.logaddexp.accumulate(predicted[::-1])[::-1]
        behind, ahead, logs = [], [], []
        left = available_of(self._candidates, len(self._candidates.kinds)).astype(np.int64)
        for depth, position in enumerate(self._standing(place)):
            if predicted[depth] == -np.inf:
                break
            start, end = self._list_of(position)
            types = self._candidates.of_type[self._entries[start:end]]
            free = left[types] > 0
            past, passes = self._passes(depth)
            # The candidates of other passes are unknown; the current pass is used as an estimate.
            before = int(free[: position - start].sum()) + past * int(free.sum())
            after = int(free[position - start + 1 :].sum()) + (passes - past - 1) * int(free.sum())
            if before or after:
                behind.append(before)
                ahead.append(after)
                logs.append(below[depth] - predicted[depth])
            if position < end:
                left[types[position - start]] -= 1
        if not any(behind):
            return 0.0
        shares = np.exp(np.array(logs) - max(logs))
        return float(shares @ behind / (shares @ behind + shares @ ahead))

    def _list_of(self, position: int) -> tuple[int, int]:
        """The beginning and the end of the list with a position."""
        start = int(self._list_starts[np.searchsorted(self._list_starts, position, side="right") - 1])
        return start, int(self._list_ends[np.searchsorted(self._list_ends, start)])

    def done(self, place: NDArray[np.uint32] | None = None) -> float:
        """The part of the tree that is done, counting the candidates of every list as equal parts.

        With a position that the walk has just given away, the part before it.
        """
        done, part = 0.0, 1.0
        *above, at = self._standing(place)
        for depth, position in enumerate((*above[:12], at)):
            start, end = self._list_of(position)
            behind, passes = self._passes(depth)
            part /= passes
            done += part * (behind + min(position - start, end - start) / (end - start))
            part /= end - start
        return min(done, 1.0)

    def _standing(self, place: NDArray[np.uint32] | None) -> list[int]:
        """The positions of the candidates on the path to the current state, or to a given position."""
        if place is None:
            return [*self._positions_above(), int(self._cursor[POSITION])]
        above = (len(place) - 1) // kernels.STATE_SIZE * kernels.STATE_SIZE
        return [*place[kernels.STATE_SIZE - 1 : above : kernels.STATE_SIZE].tolist(), int(place[-1])]

    def split(self) -> NDArray[np.uint32] | None:
        """Give away the last and highest remaining subtrees: a position for `begin_at`; None if nothing is left.

        These are the candidates after the placed one, at the least depth that has any, the floor.
        """
        for depth in range(int(self._cursor[FLOOR]), int(self._cursor[DEPTH])):
            self._cursor[FLOOR] = depth + 1
            first = kernels.STATE_SIZE * depth
            position = self._state[first + kernels.STATE_SIZE - 1] + np.uint32(1)
            past, passes = self._passes(depth)
            if self._entries[position] >= 0 or past + 1 < passes:
                # For its own depth a position has the pass and the invalid joins, which only slips use.
                return np.append(self._state[: first + slip_kernel.ALONG + 1], position)
        return None

    def _here(self) -> list[int]:
        above = kernels.STATE_SIZE * int(self._cursor[DEPTH])
        return [*self._state[: above + slip_kernel.ALONG + 1].tolist(), int(self._cursor[POSITION])]

    def _passes(self, depth: int) -> tuple[int, int]:
        """The number of passes of a depth that are done, and of all its passes."""
        if self._quota is None:
            return 0, 1
        first, after = self._first[depth : depth + 2].tolist()
        return int(self._state[kernels.STATE_SIZE * depth + slip_kernel.PASS]) - first, after - first


def _reachable(types: NDArray[np.uint16], kinds: int, index: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """The types in the list of each key, as bits; all ones (except for empty lists) if the bits are too few."""
    if kinds > 64:
        return np.where(types[index] == kinds, np.uint64(0), ~np.uint64(0))
    reachable = np.zeros(len(types) + 1, dtype=np.uint64)
    for position in range(len(types) - 1, -1, -1):
        if types[position] < kinds:
            reachable[position] = reachable[position + 1] | np.uint64(1) << np.uint64(types[position])
    return reachable[index]
