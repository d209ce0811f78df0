"""Several walks at a time, until something ends them."""

from collections.abc import Callable
from dataclasses import astuple

from ...base.stop import Progress, Report, Stop, main_reason
from ...puzzles.board import Arrangement
from ...work.pools import Threads
from ...work.run import in_order
from .improvement import Best, BoardWalk, Solver, Windows, invalid_joins_of
from .tables import WindowTables

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
    share, endless = None if nodes is None else nodes // threads, nodes is None and stop.limit is None

    def walked(walk: BoardWalk, dropped: Callable[[], bool]) -> str:
        """Walk until something ends it; return what that was, nothing if all joins are valid."""
        barren = 0
        while best.invalid:
            if dropped():
                return stop.ended_by or ""
            if barren == _BARREN or (endless and walk.idle >= _IDLE):
                return "restarts"
            before = walk.windows.nodes
            if share is None:
                walk.step()
            elif before < share:
                walk.step(share - before)
            else:
                return "nodes"
            barren = barren + 1 if solver is None and walk.windows.nodes == before else 0
        return ""

    def total() -> Windows:
        return Windows(*map(sum, zip(*(astuple(walk.windows) for walk in walks), strict=True)))

    def must_stop() -> bool:
        if not stop() and report is not None:
            done = total()
            note = f"{done.tried} windows, {done.proved} proved"
            report(Progress(done.nodes, seconds=stop.seconds, scores=(highest - best.invalid, highest), note=note))
        return stop.ended_by is not None

    with Threads(walked, threads) as pool:
        ended_by = main_reason([*in_order(walks, pool, must_stop)])
    return best.board, total(), ended_by if best.invalid else None
