"""Search trees that are walked through by one thread, or by several threads that share the work.

An idle thread takes the first waiting part of the trees, in their order.  Busy threads ensure that some parts wait:
after a slice a walk gives away the work that it would reach last, highest up in its part (work stealing: Blumofe and
Leiserson 1999).  So some thread is always at the first unsearched node, and the first solution takes no longer than on
one thread, provided that each thread has a processor core.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..work.pools import Threads

#: A kernel is still running; the tree is exhausted; the budget is spent; the rows for solutions are full; or a piece is
#: about to be placed at a depth that is not allowed.
RUNNING, EXHAUSTED, BUDGET_SPENT, ROWS_FULL, DEEPER = range(5)
#: The entries of a kernel's `cursor`: its depth, one of its own, rows written, nodes left of the budget; and the floor,
#: the number of first depths whose candidates do not change.
DEPTH, _, WRITTEN, BUDGET, FLOOR = range(5)

# The duration of a slice: short enough for Ctrl-C and progress, long enough to cost nothing.
SLICE_SECONDS = 0.1
# With several threads slices are shorter by this factor, because other threads wait for their ends.
_SHORT = 0.3
# And shorter again by this factor while too few parts are waiting.
_SHORTER = 8
_POLL_SECONDS = 0.05
#: Slices say what is left at most so often.
REST_SECONDS = 1.0


class Divisible(Protocol):
    """A walk that can be advanced by any number of nodes, and give away a part of the remaining tree.

    `slice_nodes` is the size of the next slice.
    """

    slice_nodes: int

    def advance(self, budget: int) -> int: ...

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


class KernelWalk(ABC):
    """What walks share that a kernel advances, and that keep their state depth by depth.

    Attributes:
    - `nodes`: the number of nodes at each depth so far.
    - `slice_nodes`: the number of nodes of the next slice; set by the caller of `advance`.
    """

    nodes: NDArray[Any]
    slice_nodes: int
    _cursor: NDArray[Any]
    _rows: NDArray[Any]

    @abstractmethod
    def _search(self) -> int:
        """Run the kernel; return its code."""

    @abstractmethod
    def _here(self) -> Any:
        """The current position, for `begin_at`."""

    @abstractmethod
    def split(self) -> Any | None:
        """Give away the last and highest remaining subtrees: a position for `begin_at`; None if nothing is left."""

    def make_room(self, solutions: int) -> None:
        """Keep the solutions of a slice, and end it after `solutions` of them; with 0 they are only counted."""
        if len(self._rows) != solutions:
            self._rows = np.zeros((solutions, len(self.nodes)), dtype=self._rows.dtype)

    def advance(self, budget: int) -> int:
        """Search for at most `budget` nodes; return the kernel's code, the reason why it stopped."""
        self._cursor[WRITTEN], self._cursor[BUDGET] = 0, budget
        return self._search()

    def rest(self) -> list[Any]:
        """All that is left to search: positions for `begin_at` as JSON data, in the order of the search."""
        floor, given = self._cursor[FLOOR], []
        while (place := self.split()) is not None:
            given.append(_as_data(place))
        self._cursor[FLOOR] = floor
        return [_as_data(self._here()), *reversed(given)]


def done_of_levels(tried: NDArray[Any], options: NDArray[Any]) -> float:
    """The part of a tree that is done, counting the candidates of each depth as equal parts, some of them tried.

    The last one tried is being searched, but at the last depth.
    """
    behind = tried.astype(np.float64)
    behind[:-1] -= 1
    return min(float((behind / np.cumprod(np.maximum(options, 1).astype(np.float64))).sum()), 1.0)


def resized(size: int, started: float, part: float = 1.0) -> float:
    """The size of the next slice after one of size `size` that began at `started`, by `time.perf_counter`.

    It should last the given part of the usual time.
    """
    seconds = max(time.perf_counter() - started, 1e-6)
    return size * min(max(part * SLICE_SECONDS / seconds, 0.25), 4)


def advance_slice(walk: Divisible, most: int, part: float = 1.0, doubled_up_to: int | None = None) -> int:
    """Advance by one slice of suitable length with at most `most` nodes; return the kernel's code.

    With `doubled_up_to`, slices double in length up to that number of nodes, so that the clock has no influence.
    """
    started = time.perf_counter()
    code = walk.advance(min(walk.slice_nodes, most))
    if doubled_up_to is not None:
        walk.slice_nodes = min(2 * walk.slice_nodes, doubled_up_to)
    elif code == BUDGET_SPENT and walk.slice_nodes <= most:
        walk.slice_nodes = int(resized(walk.slice_nodes, started, part)) + 1
    return code


_WalkT = TypeVar("_WalkT", bound=Divisible)
#: What is left to search: trees, and positions in them; None stands for a whole tree.
Rest = list[tuple[int, Any]]
_FoundT = TypeVar("_FoundT")


@dataclass(frozen=True)
class Slice(Generic[_FoundT]):
    """The outcome of a slice."""

    #: Pieces placed, by depth.
    nodes: NDArray[np.int64]
    #: The return value of `look`.
    found: _FoundT
    #: Whether a tree, or the part of it that was given away, was searched to its end.
    exhausted: bool
    #: What is left to search after this slice and all before it, as for `SharedTrees`; None unless asked for.
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
class _TreePart(Generic[_WalkT]):
    """A part of a tree that is walked through, or waits: from `at` to `end` of all the work.

    Without a position it is the whole tree.  While it waits it has no walk.  `begun` says whether it has had a slice,
    and `running` whether it has one now.  `looked` is the time when its progress was last computed.  `rest` has the
    positions of what is left of it after the last slice; None if that has not been asked for.
    """

    tree: int
    at: float
    end: float
    place: Any = None
    walk: _WalkT | None = None
    begun: bool = False
    running: bool = False
    looked: float = 0.0
    rest: list[Any] | None = None


# What a slice has found: the kernel's code, the nodes, and the return value of `look`.
_Found = tuple[int, NDArray[np.int64], _FoundT]


class _Turn(NamedTuple, Generic[_WalkT]):
    """A slice to be searched."""

    part: _TreePart[_WalkT]
    walk: _WalkT
    nodes: int
    rows: int


class SharedTrees(Generic[_WalkT, _FoundT]):
    """The search through all of some trees.

    - `trees`, `walk_of`: the number of trees, and a function that makes a walk at the root of one, at most one for each
      thread.
    - `done`: a function that returns the done part of a walk's tree, or the part before a position that it has just
      given away.
    - `look`: a function that collects the results of a walk after a slice; called in the thread that has searched it.
    - `threads`: the number of threads; a single one is the caller's.
    - `budget`: bounds the nodes; it may be shared.
    - `most_rows`: the number of solutions that a slice may find, if any are searched for.
    - `before`: is called with each walk before each slice.
    - `doubled_up_to`: with one thread: the number of nodes up to which slices double in length, so that results do not
      depend on the clock.
    - `rest`: what to search; all trees by default.

    Attributes:
    - `spent`: whether the search ended because the budget is spent.
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
        self._threads, self._budget, self._most_rows, self._room = threads, budget, most_rows, 1
        self._pace = (1.0, doubled_up_to) if threads == 1 else (_SHORT, None)
        # In the order of the trees.
        parts = [(tree, None) for tree in range(trees)] if rest is None else rest
        number = max(len(parts), 1)
        self._parts = [
            _TreePart[_WalkT](tree, n / number, (n + 1) / number, place) for n, (tree, place) in enumerate(parts)
        ]
        self._rest_wanted, self._rest_told = False, time.monotonic()
        # The number of parts that have a walk; walks that have nothing to do, by their trees.
        self._begun = 0
        self._idle = defaultdict[int, list[_WalkT]](list)
        self._done = 0.0
        self.spent = self._is_scarce = False

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
        if not self._rest_wanted and time.monotonic() - self._rest_told >= REST_SECONDS:
            self._rest_wanted = True
            for part in self._parts:
                part.rest = None

    def slices(self, must_stop: Callable[[], bool]) -> Iterator[Slice[_FoundT]]:
        """Search until everything is searched, the budget is spent, or `must_stop` returns true; yield each outcome.

        Slices that are then under way are yielded, too.  Closing the iterator ends the search; a thread searches at
        most one slice while no results are requested.  Exceptions in a thread are raised here.
        """
        if self._threads == 1:
            while self._parts and not self.spent and not must_stop():
                turn = next(self._turns(0))
                yield self._note(turn, *self._searched(turn))
            return
        made: list[Slice[_FoundT]] = []
        with Threads[_Turn[_WalkT], _Found[_FoundT]](lambda turn, _: self._searched(turn), self._threads) as pool:

            def advance() -> list[Slice[_FoundT]]:
                return [self._note(one.part, *one.outcome) for one in pool.finished(_POLL_SECONDS) if one.outcome]

            while self._parts and not self.spent and not must_stop():
                for turn in self._turns(pool.running):
                    pool.start(turn)
                # The threads go on while the results are looked at.
                yield from made
                made = advance()
            yield from made
            while pool.running:
                yield from advance()

    def _turns(self, running: int) -> Iterator[_Turn[_WalkT]]:
        """The next slices: of the parts that are begun, and of the first ones that wait if some threads are idle."""
        met = 0
        for part in self._parts:
            if met == self._threads:
                return
            if part.walk is None and self._begun < self._threads:
                walks = self._idle[part.tree]
                part.walk = walks.pop() if walks else self._walk_of(part.tree)
                if part.place is not None:
                    part.walk.begin_at(part.place)
                self._begun += 1
            met += part.walk is not None
            if part.walk is None or part.running:
                continue
            nodes = self._budget.take(max(part.walk.slice_nodes // (_SHORTER if self._is_scarce else 1), 1))
            if nodes == 0 and running:
                # Other slices may give back some of the budget.
                return
            part.running = True
            running += 1
            self._room = min(4 * self._room, self._most_rows)
            yield _Turn(part, part.walk, nodes, self._room)

    def _searched(self, turn: _Turn[_WalkT]) -> _Found[_FoundT]:
        """Search a slice."""
        walk = turn.walk
        if self._before is not None:
            self._before(walk)
        if self._most_rows:
            walk.make_room(turn.rows)
        before = walk.nodes.copy()
        code = advance_slice(walk, turn.nodes, *self._pace)
        return code, (walk.nodes - before).astype(np.int64), self._look(walk)

    def _note(self, turn: _Turn[_WalkT], code: int, nodes: NDArray[np.int64], found: _FoundT) -> Slice[_FoundT]:
        """Record the progress of a part, and give away some of it if other threads may soon need it."""
        part, walk = turn.part, turn.walk
        part.running, part.begun = False, True
        self._budget.give_back(turn.nodes - int(nodes.sum()))
        # Nothing else was running that could have given back a part of the budget.
        self.spent |= code == BUDGET_SPENT and turn.nodes == 0
        exhausted = code == EXHAUSTED
        at, now = part.at, time.perf_counter()
        if exhausted:
            part.at = part.end
            self._begun -= 1
            number = self._parts.index(part)
            del self._parts[number]
            self._idle[part.tree].append(walk)
            if all(other.tree != part.tree for other in self._parts[max(number - 1, 0) : number + 1]):
                del self._idle[part.tree]
        elif self._threads == 1 or now - part.looked >= SLICE_SECONDS:
            part.at, part.looked = self._within(part, walk), now
        # This is summed instead of subtracting from 1, because it may be smaller than the rounding error of 1.
        self._done += part.at - at
        waiting = len(self._parts) - self._begun
        while not exhausted and waiting < self._threads > 1 and (place := walk.split()) is not None:
            start = self._within(part, walk, place)
            self._parts.insert(self._parts.index(part) + 1, _TreePart(part.tree, start, part.end, place))
            part.end = start
            waiting += 1
        self._is_scarce = waiting < self._threads > 1
        rest = None
        if self._rest_wanted:
            part.rest = [] if exhausted else walk.rest()
            rest = self._rest()
            if rest is not None:
                self._rest_wanted, self._rest_told = False, time.monotonic()
        return Slice(nodes, found, exhausted, rest)

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


def _as_data(place: Any) -> Any:
    """A position as JSON data."""
    if isinstance(place, tuple):
        return [rows.tolist() for rows in place]
    return place.tolist() if isinstance(place, np.ndarray) else place
