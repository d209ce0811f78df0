"""Nodes per second of counts by the method plain, on a GPU and on threads of the processor.

Run by hand, where there is a GPU:

    python tests/benchmarks/gpu_counting.py [--puzzles puzzle-c] [--parts 4000] [--check 100] [--threads 2]

The GPU counts the first parts, which are a fair sample of the tree, and then as many of them as the processor's threads
count; the results of these must be the same.  Neither compiling kernels nor making parts is included in the seconds.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from jigsat.csp.engines.request import Options
from jigsat.csp.files.instances import read_squares
from jigsat.csp.search.counting.methods import Pause, Piecework, Share
from jigsat.csp.search.counting.scheduler import cut_into_parts

Totals = tuple[tuple[int, ...], int]


def added(shares: list[Share]) -> Totals:
    """The nodes at each depth and the arrangements of some shares."""
    return tuple(map(sum, zip(*(share.nodes for share in shares), strict=True))), sum(share.count for share in shares)


def counted(piecework: Piecework, parts: int, threads: int) -> list[Share]:
    """The shares of the first parts, in a range for each thread."""
    cuts = [parts * number // threads for number in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda cut: piecework.count(*cut, lambda: Pause.NO), pairwise(cuts)))


def row(name: str, where: str, piecework: Piecework, parts: int, threads: int = 1) -> Totals:
    """Count, and print a line of the table."""
    started = time.perf_counter()
    found = added(counted(piecework, parts, threads))
    seconds = time.perf_counter() - started
    nodes = sum(found[0])
    rate = nodes / seconds / 1e6
    print(f"  {name:<12} {where:<20} {parts:>7} {nodes:>18,} {seconds:>8.2f} {rate:>9.0f} {found[1]:>16,}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", nargs="+", default=["clue1", "puzzle-c"], metavar="PUZZLE")
    parser.add_argument("--order", default="rowscan")
    parser.add_argument("--parts", type=float, default=1000, help="of each count on the GPU")
    parser.add_argument("--check", type=float, default=100, help="parts that are counted on the processor, too")
    parser.add_argument("--threads", type=int, default=2, help="of the processor")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--a-multiprocessor", type=int, help="walks on each multiprocessor")
    arguments = parser.parse_args()
    if arguments.a_multiprocessor is not None:
        from jigsat.csp.search.counting import gpu_walks

        gpu_walks._THREADS = arguments.a_multiprocessor
    print(f"  {'puzzle':<12} {'where':<20} {'parts':>7} {'nodes':>18} {'seconds':>8} {'M nodes/s':>9} {'count':>16}")
    for name in arguments.puzzles:
        puzzle, options = read_squares(name), {"order": arguments.order, "method": "plain"}
        on_gpu, here = (cut_into_parts(puzzle, Options(**options, device=at)) for at in (arguments.device, None))
        most = len(here.work)
        on_gpu.count(0, 1, lambda: Pause.NO)  # compiles
        parts, check = (min(int(number), most) for number in (arguments.parts, arguments.check))
        row(name, arguments.device, on_gpu, parts)
        found = row(name, arguments.device, on_gpu, check)
        if arguments.threads:
            here.count(0, 1, lambda: Pause.NO)
            assert found == row(name, f"{arguments.threads} threads", here, check, arguments.threads)


if __name__ == "__main__":
    main()
