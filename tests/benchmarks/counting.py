"""Nodes per second of every counting method on every bundled puzzle of squares, and how long a whole count takes.

Run by hand:  python tests/benchmarks/counting.py [--seconds 20] [PUZZLE ...]

One thread, user seconds; kernels are compiled before.  Where a count takes longer than allowed, a part of it is counted
(a random one, but for the plain search), and the whole is that part's time divided by its share of the predicted work.
"""

import argparse
import os
import time

import numpy as np
from usage import user_seconds

from jigsat import explain, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.search.counting.methods import OF_WHOLE_BOARDS, Pause
from jigsat.csp.search.counting.scheduler import cut_into_parts
from jigsat.estimators.effort.count_methods import with_cut
from jigsat.estimators.ways.times import processor

PUZZLES = ["puzzle-a", "clue1", "clue3", "clue2", "clue4", "puzzle-c", "puzzle-d", "meta10", "eternity2-hints"]


def searched(puzzle, seconds: float) -> tuple[float, float, float, float, int | None]:
    """The same as `counted`, of the plain search in one piece, along the named order of least predicted time."""
    plain = next(way for way in explain(puzzle, goal="count").ways if way.how.startswith("order "))
    engine, options = find_engine("backtrack"), Options(order=plain.how.removeprefix("order "))
    engine.run(puzzle, Goal.COUNT, Limits(nodes=100_000), options)  # compiles
    started = user_seconds()
    result = engine.run(puzzle, Goal.COUNT, Limits(seconds=seconds), options)
    spent = user_seconds() - started - result.build_seconds
    done = min(result.nodes / 10**plain.nodes.median, 1)
    return result.build_seconds, spent, result.nodes, done, result.count if result.complete else None


def counted(puzzle, method: str, seconds: float) -> tuple[float, float, float, float, int | None]:
    """Seconds to prepare and to count, nodes, the share of the work that was done, and the count if that is all."""
    options = with_cut(puzzle, Options(method=method))
    cut_into_parts(puzzle, options).count(0, 1, lambda: Pause.NOW)  # compiles
    started = user_seconds()
    piecework = cut_into_parts(puzzle, options)
    ready = user_seconds()
    deadline = time.perf_counter() + seconds
    parts = len(piecework.work)
    share = piecework.count(0, parts, lambda: Pause.NOW if time.perf_counter() > deadline else Pause.NO)
    done = float(np.sum(piecework.work[: share.last]) / np.sum(piecework.work))
    return ready - started, user_seconds() - ready, sum(share.nodes), done, share.count if share.last == parts else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    print(f"{processor()}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}")
    print("| puzzle | method | million nodes a second | prepared, s | counted, s | whole count |")
    print("|---|---|---:|---:|---:|---:|")
    for name in arguments.puzzles:
        for method in OF_WHOLE_BOARDS:
            try:
                measured = searched(read(name), arguments.seconds) if method == "plain" else None
                ready, spent, nodes, done, count = measured or counted(read(name), method, arguments.seconds)
            except EngineError as error:
                print(f"| {name} | {method} | | | | {error} |")
                continue
            whole = f"{count}" if count is not None else f"about {spent / done:.3g} s" if done else "?"
            rate = f"{nodes / max(spent, 1e-9) / 1e6:.1f}" if nodes else "?"
            print(f"| {name} | {method} | {rate} | {ready:.2f} | {spent:.2f} | {whole} |")


if __name__ == "__main__":
    main()
