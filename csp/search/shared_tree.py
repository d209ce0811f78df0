"""Search trees that are walked through by one thread, or by several threads that share the work.

An idle thread takes the first waiting part of the trees, in their order.  Busy threads ensure that some parts wait:
after a slice a walk gives away the work that it would reach last, highest up in its part (work stealing: Blumofe and
Leiserson 1999).  So some thread is always at the first unsearched node, and the first solution takes no longer than on
one thread, provided that each thread has a processor core.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .slices import BUDGET_SPENT, EXHAUSTED, SLICE_SECONDS, Advanced, advance_slice

# With several threads slices are shorter by this factor, because other threads wait for their ends.
_SHORT = 0.3
# And shorter again by this factor while too few parts are waiting.
_SHORTER = 8
_POLL_SECONDS = 0.05
#: Slices say what is left at most so often.
REST_SECONDS = 1.0
# The number of slices that a thread may be ahead of the consumer of its results.
_AHEAD = 4


class Divisible(Advanced, Protocol):
    """A walk that can give away a part of the remaining tree to another walk of the same tree."""

    @property
    def nodes(self) -> NDArray[Any]:
        """Pieces placed so far, by depth."""
        ...

    def make_room(self, solutions: int) -> None:
        """Keep the solutions of a slice, and end it after `solutions` of them."""
        ...

    def split(self) -> Any | None:
        """Give away the last and highest remaining subtrees: a position for `begin_at`; None if nothing is left."""
        ...

    def begin_at(self, place: Any) -> None:
        """Go to a position that another walk gave away, to search only the subtrees from there on."""
        ...

    def rest(self) -> list[Any]:
        """All that is left to search: positions for `begin_at` as JSON data, in the order of the search."""
        ...


_WalkT = TypeVar("_WalkT", bound=Divisible)
#: What is left to search: trees, and positions in them; None stands for a whole tree.
Rest = list[tuple[int, Any]]
_FoundT = TypeVar("_FoundT")


@dataclass(frozen=True)
class Slice(Generic[_FoundT]):
    """The outcome of a slice.

    Parameters
    ----------
    nodes
        Pieces placed, by depth.
    found
        The return value of `look`.
    exhausted
        Whether a tree, or the part of it that was given away, was searched to its end.
    rest
        What is left to search after this slice and all before it, as for `SharedTrees`; None unless asked for.
    """

    nodes: NDArray[np.int64]
    found: _FoundT
    exhausted: bool
    rest: "Rest | None" = None


class NodeBudget:
    """The number of nodes that remain for all threads together; None for no limit."""

    def __init__(self, nodes: int | None) -> None:
        self._left = 1 << 62 if nodes is None else max(nodes, 0)
        self._lock = threading.Lock()

    def take(self, most: int) -> int:
        """Take up to `most` nodes, as far as they remain."""
        with self._lock:
            taken = min(most, self._left)
            self._left -= taken
            return taken

    def give_back(self, nodes: int) -> None:
        """Give back unused nodes."""
        with self._lock:
            self._left += nodes


@dataclass(eq=False)
class _TreePart:
    """A part of a tree that a thread walks through, or that waits: from `at` to `end` of all the work.

    Without a position it is the whole tree.  `looked` is the time when its progress was last computed.  `rest` has the
    positions of what is left of it after the last slice; None if that has not been asked for.
    """

    tree: int
    at: float
    end: float
    place: Any = None
    busy: bool = False
    looked: float = 0.0
    begun: bool = False
    rest: list[Any] | None = None


class SharedTrees(Generic[_WalkT, _FoundT]):
    """The search through all of some trees.

    Parameters
    ----------
    trees, walk_of
        The number of trees, and a function that makes a walk at the root of one; each thread has its own walks.
    done
        A function that returns the done part of a walk's tree, or the part before a position that it has just given
        away.
    look
        A function that collects the results of a walk after a slice; called in the walk's thread.
    threads
        The number of threads; one is the caller's.
    budget
        Bounds the nodes; it may be shared.
    most_rows
        The number of solutions that a slice may find, if any are searched for.
    before
        Is called with each walk before each slice.
    doubled_up_to
        With one thread: the number of nodes up to which slices double in length, so that results do not depend on the
        clock.
    rest
        What to search; all trees by default.

    Attributes
    ----------
    spent
        Whether the search ended because the budget is spent.
    """

    def __init__(
        self,
        trees: int,
        walk_of: Callable[[int], _WalkT],
        done: Callable[[_WalkT, Any], float],
        look: Callable[[_WalkT], _FoundT],
        *,
        threads: int,
        budget: NodeBudget,
        most_rows: int = 0,
        before: Callable[[_WalkT], None] | None = None,
        doubled_up_to: int | None = None,
        rest: "Rest | None" = None,
    ) -> None:
        self._trees, self._walk_of, self._done_of, self._look, self._before = trees, walk_of, done, look, before
        self._threads, self._budget, self._most_rows = threads, budget, most_rows
        self._pace = (1.0, doubled_up_to) if threads == 1 else (_SHORT, None)
        # In the order of the trees.  The following fields and the parts are shared by the threads; `_changed` guards
        # them.
        parts = [(tree, None) for tree in range(trees)] if rest is None else rest
        number = max(len(parts), 1)
        self._parts = [_TreePart(tree, n / number, (n + 1) / number, place) for n, (tree, place) in enumerate(parts)]
        self._rest_wanted, self._rest_told = False, time.monotonic()
        self._changed = threading.Condition()
        self._walks: dict[int, _WalkT] = {}
        self._slices: list[Slice[_FoundT]] = []
        self._working = self._starving = 0
        self._done = 0.0
        self._stopping = self.spent = self._is_scarce = False
        self._error: BaseException | None = None

    @property
    def exhausted(self) -> bool:
        """Whether all has been searched."""
        return not self._parts

    @property
    def done(self) -> float:
        """The part of all the work that is done."""
        return 1.0 if self.exhausted else min(self._done, 1.0)

    def ask_for_rest(self) -> None:
        """Have one of the next slices say what is left, unless one has said it within the last second."""
        with self._changed:
            if not self._rest_wanted and time.monotonic() - self._rest_told >= REST_SECONDS:
                self._rest_wanted = True
                for part in self._parts:
                    part.rest = None

    def slices(self, must_stop: Callable[[], bool]) -> Iterator[Slice[_FoundT]]:
        """Search until everything is searched, the budget is spent, or `must_stop` returns true; yield each outcome.

        Results up to the end of the last thread are yielded, too.  Closing the iterator ends the search, and threads
        wait while no results are requested.  Exceptions in a thread are raised here.
        """
        if self._threads == 1:
            yield from self._searched(must_stop)
        elif self._parts and not must_stop():
            yield from self._together(must_stop)

    def _together(self, must_stop: Callable[[], bool]) -> Iterator[Slice[_FoundT]]:
        """Run the slices in threads."""
        # Kernels are compiled in the caller's thread, which counts this as preparation.
        self._walks[0] = self._walk_of(0)
        self._working = self._threads
        # Daemon threads, so that an iterator that is never closed does not keep the interpreter from ending.
        threads = [threading.Thread(target=self._serve, name="search", daemon=True) for _ in range(self._threads)]
        for thread in threads:
            thread.start()
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._slices or self._working == 0, _POLL_SECONDS)
                    slices, self._slices = self._slices, []
                    is_over = self._working == 0
                    self._changed.notify_all()
                yield from slices
                if self._error is not None:
                    raise self._error
                if is_over:
                    return
                if not self._stopping and must_stop():
                    self._stop()
        finally:
            self._stop()
            for thread in threads:
                thread.join()

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def _serve(self) -> None:
        """The work of a thread."""
        try:
            for _ in self._searched(lambda: self._stopping):
                with self._changed:
                    self._changed.wait_for(lambda: self._stopping or len(self._slices) < _AHEAD * self._threads)
        except BaseException as error:
            self._error = error
            self._stop()
        finally:
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def _searched(self, must_stop: Callable[[], bool]) -> Iterator[Slice[_FoundT]]:
        """Walk through one part after the other, as long as there is one; yield the outcome of each slice."""
        walks: dict[int, _WalkT] = {}
        room = 1
        while (part := self._next_part()) is not None:
            walk = self._walk_at(part, walks)
            code = BUDGET_SPENT
            while code != EXHAUSTED:
                if must_stop():
                    return
                if self._before is not None:
                    self._before(walk)
                if self._most_rows:
                    room = min(4 * room, self._most_rows)
                    walk.make_room(room)
                before = walk.nodes.copy()
                budget = self._budget.take(max(walk.slice_nodes // (_SHORTER if self._is_scarce else 1), 1))
                code = advance_slice(walk, budget, *self._pace)
                nodes = (walk.nodes - before).astype(np.int64)
                self._budget.give_back(budget - int(nodes.sum()))
                yield self._note(part, walk, Slice(nodes, self._look(walk), code == EXHAUSTED))
                if code == BUDGET_SPENT and budget == 0 and not self._more_budget():
                    return

    def _next_part(self) -> _TreePart | None:
        """The first waiting part, as soon as there is one; None if everything is done or the search must stop."""
        with self._changed:
            while self._parts and not self._stopping:
                for part in self._parts:
                    if not part.busy:
                        part.busy = True
                        return part
                self._changed.wait()
        return None

    def _walk_at(self, part: _TreePart, walks: dict[int, _WalkT]) -> _WalkT:
        """A walk of this thread at the beginning of a part; only a new walk is at its root."""
        with self._changed:
            left = {other.tree for other in self._parts}
        for tree in walks.keys() - left:
            del walks[tree]
        if part.tree not in walks:
            made = self._walks.pop(part.tree, None)
            walks[part.tree] = self._walk_of(part.tree) if made is None else made
        if part.place is not None:
            walks[part.tree].begin_at(part.place)
        return walks[part.tree]

    def _note(self, part: _TreePart, walk: _WalkT, made: Slice[_FoundT]) -> Slice[_FoundT]:
        """Record the progress of a part, and give away some of it if other threads may soon need it.

        With several threads, the slice gets in line for the consumer at the same moment: what it says to be left is
        what is left after all slices in that line.
        """
        exhausted = made.exhausted
        with self._changed:
            part.begun = True
            at, now = part.at, time.perf_counter()
            if exhausted:
                part.at = part.end
                self._parts.remove(part)
            elif self._threads == 1 or now - part.looked >= SLICE_SECONDS:
                part.at, part.looked = self._within(part, walk), now
            # This is summed instead of subtracting from 1, because it may be smaller than the rounding error of 1.
            self._done += part.at - at
            waiting = sum(not other.busy for other in self._parts)
            while not exhausted and waiting < self._threads > 1 and (place := walk.split()) is not None:
                start = self._within(part, walk, place)
                self._parts.insert(self._parts.index(part) + 1, _TreePart(part.tree, start, part.end, place))
                part.end = start
                waiting += 1
            self._is_scarce = waiting < self._threads > 1
            if self._rest_wanted:
                part.rest = [] if exhausted else walk.rest()
                made = replace(made, rest=self._rest())
                if made.rest is not None:
                    self._rest_wanted, self._rest_told = False, time.monotonic()
            if self._threads > 1:
                self._slices.append(made)
            self._changed.notify_all()
        return made

    def _rest(self) -> "Rest | None":
        """What is left, if all threads have said it."""
        rest: Rest = []
        for part in self._parts:
            if not part.begun:
                rest.append((part.tree, _as_data(part.place)))
            elif part.rest is None:
                return None
            else:
                rest += [(part.tree, place) for place in part.rest]
        return rest

    def _within(self, part: _TreePart, walk: _WalkT, place: Any = None) -> float:
        """The progress of a walk or a position, limited to the known range of the part."""
        return min(max((part.tree + self._done_of(walk, place)) / self._trees, part.at), part.end)

    def _more_budget(self) -> bool:
        """Wait until another thread gives back some of the budget; False if no thread has any."""
        with self._changed:
            self._starving += 1
            if self._starving == sum(part.busy for part in self._parts):
                self.spent = self._stopping = True
                self._changed.notify_all()
            else:
                self._changed.wait(_POLL_SECONDS)
            self._starving -= 1
            return not self._stopping


def _as_data(place: Any) -> Any:
    """A position as JSON data."""
    if isinstance(place, tuple):
        return [rows.tolist() for rows in place]
    return place.tolist() if isinstance(place, np.ndarray) else place
