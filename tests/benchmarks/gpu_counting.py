"""Nodes per second of counts by the method plain, on a GPU and on threads of the processor.

Run by hand:  python tests/benchmarks/gpu_counting.py [--puzzles clue1 puzzle-c] [--seconds 20] [--threads 16]

Neither compiling kernels nor making the parts is part of the seconds.  A count in parts that is ended by its time has
the nodes of complete parts only, so that a few seconds are lost, more with a GPU.  Complete counts of a puzzle are
checked to be equal.
"""

import argparse

from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Result
from jigsat.csp.files.instances import read_squares


def row(name: str, result: Result) -> str:
    """A line of the table."""
    where = str(result.options.get("device", f"{result.threads} threads"))
    seconds = max(result.seconds - result.build_seconds, 1e-9)
    complete = "complete" if result.complete else f"ended by {result.ended_by}"
    parts = (result.statistics or {}).get("parts", 1)
    return (
        f"  {name:<16} {where:<28} {result.nodes:>18,} {seconds:>8.1f} {result.nodes / seconds / 1e6:>9.0f} "
        f"{parts:>7} {result.count or 0:>16,}  {complete}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", nargs="+", default=["clue1", "puzzle-c"], metavar="PUZZLE")
    parser.add_argument("--order", default="rowscan")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each count")
    parser.add_argument("--threads", type=int, default=1, help="of the processor; 0 omits that count")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--a-multiprocessor", type=int, help="walks on each multiprocessor")
    arguments = parser.parse_args()
    if arguments.a_multiprocessor is not None:
        from jigsat.csp.search.counting.gpu import gpu_walks

        gpu_walks._THREADS = arguments.a_multiprocessor
    engine = find_engine("backtrack")
    print(f"  {'puzzle':<16} {'where':<28} {'nodes':>18} {'seconds':>8} {'M nodes/s':>9} {'parts':>7} {'count':>16}")
    ways = [Options(order=arguments.order, method="plain", device=arguments.device)]
    if arguments.threads:
        ways.append(Options(order=arguments.order, method="plain", threads=max(arguments.threads, 1)))
    for name in arguments.puzzles:
        complete = []
        for options in ways:
            result = engine.run(read_squares(name), Goal.COUNT, Limits(seconds=arguments.seconds), options)
            print(row(name, result), flush=True)
            complete += [(result.count, result.nodes_by_depth)] if result.complete else []
        assert all(one == complete[0] for one in complete), complete


if __name__ == "__main__":
    main()
