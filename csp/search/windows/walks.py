"""Several walks at a time, until something ends them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import astuple, dataclass

from ...base.stop import Progress, Report, Stop, main_reason
from ...puzzles.board import Arrangement
from .improvement import Best, BoardWalk, Solver, Windows, invalid_joins_of
from .tables import WindowTables

_POLL_SECONDS = 0.1
# Without a limit a walk ends after the first number of steps without a better board.  In any case it ends after the
# second number of steps without a node, since there may be none left to place.
_IDLE, _BARREN = 20_000, 1_000


def improve_board(
    tables: WindowTables,
    board: Arrangement,
    stop: Stop,
    *,
    largest: int,
    seed: int,
    threads: int = 1,
    nodes: int | None = None,
    loose_frame: bool = False,
    solver: Solver | None = None,
    keep: Callable[[Arrangement], object] = lambda board: None,
    report: Report | None = None,
) -> tuple[Arrangement, Windows, str | None]:
    """The best board that some walks find, what they did, and what ended them (None: all joins are valid).

    - `tables`: the data of the puzzle.
    - `board`: a full board with the fixed pieces.
    - `stop`: what may end the walks.
    - `largest`, `seed`, `loose_frame`, `solver`: as for `BoardWalk`; each thread has its own random numbers.
    - `threads`, `nodes`: the number of walks, and the limit on the nodes of all together.
    - `keep`: is called with each better board, in the thread that has found it.
    - `report`: is called with the progress a few times a second.
    """
    highest = tables.puzzle.max_score
    if not tables.puzzle.free_squares:
        return board, Windows(), None if tables.puzzle.score(board) == highest else "restarts"
    best = Best(board, len(invalid_joins_of(tables, tables.placed(board))), keep)
    walks = [
        BoardWalk(tables, best, largest, (threads * seed + number) % 2**64, loose_frame=loose_frame, solver=solver)
        for number in range(threads)
    ]
    enough, share = threading.Event(), None if nodes is None else nodes // threads
    with ThreadPoolExecutor(threads, thread_name_prefix="improve") as executor:
        ends = _WalkEnds(stop, enough, share, counts_nodes=solver is None)
        futures = [executor.submit(_walk, walk, best, ends) for walk in walks]
        running = {*futures}
        try:
            while running:
                done, running = wait(running, _POLL_SECONDS)
                for future in done:
                    future.result()
                if stop():
                    enough.set()
                elif report is not None:
                    report(_progress(_total(walks), (highest - best.invalid, highest), stop))
        finally:
            enough.set()
    ended_by = main_reason(future.result() for future in futures)
    return best.board, _total(walks), ended_by if best.invalid else None


@dataclass(frozen=True)
class _WalkEnds:
    """What ends a walk: its stop, an event, its share of the nodes, and many steps in vain."""

    stop: Stop
    enough: threading.Event
    nodes: int | None
    counts_nodes: bool

    @property
    def are_none(self) -> bool:
        """Whether neither time nor nodes are limited."""
        return self.stop.limit is None and self.nodes is None


def _walk(walk: BoardWalk, best: Best, ends: _WalkEnds) -> str | None:
    """Walk until something ends it; return what that was, None if all joins are valid."""
    barren = 0
    while best.invalid:
        if ends.enough.is_set():
            return ends.stop.ended_by
        if barren == _BARREN or (ends.are_none and walk.idle >= _IDLE):
            return "restarts"
        before = walk.windows.nodes
        if ends.nodes is None:
            walk.step()
        elif before < ends.nodes:
            walk.step(ends.nodes - before)
        else:
            return "nodes"
        barren = barren + 1 if ends.counts_nodes and walk.windows.nodes == before else 0
    return None


def _progress(done: Windows, scores: tuple[int, int], stop: Stop) -> Progress:
    note = f"{done.tried} windows, {done.proved} proved"
    return Progress(done.nodes, seconds=stop.seconds, scores=scores, note=note)


def _total(walks: list[BoardWalk]) -> Windows:
    return Windows(*map(sum, zip(*(astuple(walk.windows) for walk in walks), strict=True)))
