"""Compares encodings and solvers: seconds to the first solution of framed planted puzzles, the model's making included.

The puzzles are those of `jigsat make edge-matching` with 5 frame and 17 inner colours and 5 clues (or as asked for),
which are as hard as Eternity II is for its size.  Each run is in a process of its own, one after the other; a run that
the limit ends is shown as `>`.

    python tests/benchmarks/encodings.py                                            # sizes 10 and 11, five minutes
    python tests/benchmarks/encodings.py --sizes 12 --limit 200 --encodings sat:cadical195=pairs cpsat=pairs
    python tests/benchmarks/encodings.py --sizes 6 --colors 3 5 --clues 0 --seeds 20
"""

import argparse
import statistics

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.make.edge_matching import deal_edge_matching

WAYS = [
    *("sat:cadical195=pairs", "sat:cadical195=pairs+pairwise", "sat:cadical195=pairs+sequential"),
    *("sat:cadical195=seams", "sat:cadical195=seams+pieces+absent-colors", "sat:cadical195=diamond"),
    *("sat:cadical195=direct", "sat:cadical195=pairs+product", "sat:cadical195=pairs+color-counts"),
    *("sat:cadical195=pairs+checkerboard", "sat:cadical195=pairs+parity", "sat:cadical195=pairs+unpruned"),
    *("sat:glucose4=pairs", "sat:glucose4=seams", "sat:glucose4=diamond", "sat:kissat404=pairs"),
    *("cpsat=pairs", "cpsat=booleans", "cpsat=table", "cpsat=element"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 11])
    parser.add_argument("--colors", type=int, nargs=2, default=[5, 17], help="frame and inner colours")
    parser.add_argument("--clues", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=5, help="how many, from 1 on")
    parser.add_argument("--limit", type=float, default=60, help="seconds a run")
    parser.add_argument("--encodings", nargs="+", default=WAYS, metavar="ENGINE=ENCODING")
    arguments = parser.parse_args()
    print("CPU seconds; the median, and in brackets each seed in turn")
    for size in arguments.sizes:
        for way in arguments.encodings:
            engine, _, encoding = way.partition("=")
            taken = [run(size, arguments, seed, engine, encoding) for seed in range(1, arguments.seeds + 1)]
            middle = statistics.median(taken)
            each = " ".join(shown(seconds, arguments.limit) for seconds in taken)
            print(f"{size:>2}x{size:<2} {way:<45} {shown(middle, arguments.limit):>8}  ({each})", flush=True)


def run(size: int, arguments: argparse.Namespace, seed: int, engine: str, encoding: str) -> float:
    """CPU seconds until a solution was found; infinitely many if the limit came before."""
    frame, inner = arguments.colors
    puzzle = deal_edge_matching(size, size, frame, inner, clues=arguments.clues, seed=seed).puzzle
    options = Options(encoding=encoding or None)
    result = find_engine(engine).run(puzzle, Goal.SOLVE, Limits(seconds=arguments.limit), options)
    return result.cpu_seconds if result.status is Status.SATISFIABLE else float("inf")


def shown(seconds: float, limit: float) -> str:
    """Seconds as the table has them."""
    return f">{limit:g}" if seconds == float("inf") else f"{seconds:.2f}"


if __name__ == "__main__":
    main()
