"""Several walks at a time, until something ends them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import astuple

from ...base.stopping import Progress, Report, Stop
from ...puzzles.board import Arrangement
from .improvement import Best, BoardWalk, Solver, Windows, invalid_joins_of
from .tables import WindowTables

_POLL_SECONDS = 0.1
# Without a limit a walk ends after this number of steps without a better board; with a limit on nodes, after this
# number of steps without a node, since there may be none left to place.
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

    Parameters
    ----------
    tables
        The data of the puzzle.
    board
        A full board with the fixed pieces.
    stop
        What may end the walks.
    largest, seed, loose_frame, solver
        As for `BoardWalk`; each thread has its own random numbers.
    threads, nodes
        The number of walks, and the limit on the nodes of all together.
    keep
        Is called with each better board, in the thread that has found it.
    report
        Is called with the progress a few times a second.
    """
    highest = tables.puzzle.max_score
    best = Best(board, len(invalid_joins_of(tables, tables.placed(board))), keep)
    walks = [
        BoardWalk(tables, best, largest, threads * seed + number, loose_frame=loose_frame, solver=solver)
        for number in range(threads)
    ]
    limited, enough = stop.limit is not None or nodes is not None, threading.Event()
    share = None if nodes is None else nodes // threads

    def work(walk: BoardWalk) -> str | None:
        barren = 0
        while best.invalid and tables.puzzle.free_squares:
            if enough.is_set():
                return stop.ended_by
            if not limited and walk.idle >= _IDLE:
                return "restarts"
            if share is None:
                walk.step()
            elif walk.windows.nodes >= share:
                return "nodes"
            else:
                before = walk.windows.nodes
                walk.step(share - before)
                barren = barren + 1 if walk.windows.nodes == before else 0
                if barren == _BARREN:
                    return "restarts"
        return None if not best.invalid else "restarts"

    with ThreadPoolExecutor(threads, thread_name_prefix="improve") as executor:
        running = {executor.submit(work, walk) for walk in walks}
        try:
            futures = list(running)
            while running:
                done, running = wait(running, _POLL_SECONDS)
                for future in done:
                    future.result()
                if stop():
                    enough.set()
                elif report is not None:
                    total = _total(walks)
                    note = f"{total.tried} windows, {total.proved} proved"
                    report(
                        Progress(total.nodes, seconds=stop.seconds, scores=(highest - best.invalid, highest), note=note)
                    )
        finally:
            enough.set()
    ended = [future.result() for future in futures]
    return best.board, _total(walks), None if not best.invalid else ended[0]


def _total(walks: list[BoardWalk]) -> Windows:
    return Windows(*map(sum, zip(*(astuple(walk.windows) for walk in walks), strict=True)))
