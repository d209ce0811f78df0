"""Nodes per second of each kernel: where the numbers in `estimators/ways/times.py` come from.

Run by hand:  python tests/benchmarks/rates.py [--runs 3] [--seconds 2] [--kernels NAME ...]

Every kernel searches several puzzles, which take turns; of each the medians by user time are shown, the set-up, of
which a search's own is wall-clock time, apart. What a kernel is said to make is the geometric mean over its puzzles,
and the spread shows how far they lie from that. A count by a method goes to its end; for it, the nodes that a plan
predicts are shown as well, and where these are costs in other units, it is them that the rate counts.
"""

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from usage import user_seconds

from jigsat import read
from jigsat.api.make import make_edge_matching
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.estimators.effort.count_methods import method_nodes, prepared
from jigsat.estimators.owen.best_order import best_order
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways import times as rates


@dataclass(frozen=True)
class Case:
    """A search that one kernel makes."""

    kernel: str
    title: str
    puzzle: EdgeMatchingPuzzle
    goal: Goal = Goal.COUNT
    options: Options = field(default_factory=Options)

    def run(self, nodes: int) -> tuple[float, float, float]:
        """Millions of nodes, user seconds to search them, and those of set-up."""
        engine, options, limits = find_engine(self.kernel.partition(" ")[0]), self.options, Limits(nodes=nodes)
        started = user_seconds()
        if options.method is not None:
            options, limits = prepared(self.puzzle, options), Limits()
        begun = user_seconds()
        result = engine.run(self.puzzle, self.goal, limits, options)
        searched = user_seconds() - begun
        assert f"{result.engine} {result.method}" == self.kernel, (result.method, self)
        if options.method is not None:
            return result.nodes / 1e6, searched, begun - started
        return result.nodes / 1e6, searched - result.build_seconds, result.build_seconds

    @property
    def predicted(self) -> float | None:
        """Millions of nodes that a plan predicts of a method."""
        told = dict(method_nodes(Complexity(self.puzzle), Options()))
        return float(told[self.options.method]) / 1e6 if self.options.method else None


def cases() -> Iterator[Case]:
    made = make_edge_matching
    eternity2 = read("eternity2")
    few, many = made(12, 12, 3, 5, seed=1), made(12, 12, 5, 17, seed=1)
    small, large = made(8, 8, 4, 7, seed=1), made(20, 20, 6, 30, seed=1)
    scattered = made(12, 12, 5, 17, clues=5, seed=1)
    corner = made(12, 12, 5, 17, clues=5, clue_places="corner", seed=2)
    boards = {
        "eternity2": replace(eternity2, fixed=()), "12x12, 3+5 colours": few, "12x12, 5+17 colours": many,
        "8x8, 4+7 colours": small, "20x20, 6+30 colours": large,
        "12x12, scattered clues": scattered, "12x12, clues in a corner": corner,
    }  # fmt: skip
    for title, puzzle in boards.items():
        yield Case("backtrack staircase", f"{title}, rowscan", puzzle, options=Options(order="rowscan"))
        yield Case("backtrack any order", f"{title}, spiral_in", puzzle, options=Options(order="spiral_in"))
        if len(puzzle.board) < 400:
            order = best_order(puzzle).order
            yield Case("backtrack any order", f"{title}, best", puzzle, options=Options(order=order))
    for name, slips in (("eternity2", "192x10"), ("8x8, 4+7 colours", "40x3"), ("12x12, scattered clues", "100x3")):
        for order in ("rowscan", best_order(boards[name], slips).order):
            how = order if isinstance(order, str) else "best"
            options = Options(order=order, slips=slips)
            yield Case("backtrack slips", f"{name}, slips {slips}, {how}", boards[name], options=options)
    yield Case("backtrack slips", "12x12, 5+17 colours, best score", many, Goal.BEST)
    counted = {
        "frames": {
            "clue1": read("clue1"),
            "puzzle-a": read("puzzle-a"),
            "6x6, 3+5 colours": made(6, 6, 3, 5, seed=1),
            "7x7, 4+7 colours": made(7, 7, 4, 7, seed=2),
            "6x8, 4+8 colours": made(6, 8, 4, 8, seed=1),
        },
        "macros": {"puzzle-a": read("puzzle-a"), "7x7, 4+7 colours": made(7, 7, 4, 7, seed=2)},
        "middle": {"8x6, 3+6 colours": made(8, 6, 3, 6, seed=1), "7x7, 3+6 colours": made(7, 7, 3, 6, seed=2)},
        "blocks": {"puzzle-a": read("puzzle-a"), "8x8, 5+9 colours": made(8, 8, 5, 9, seed=1)},
    }
    for method, puzzles in counted.items():
        for title, puzzle in puzzles.items():
            yield Case(f"backtrack {method}", title, puzzle, options=Options(method=method))
    for title in ("eternity2", "12x12, scattered clues", "12x12, 3+5 colours", "8x8, 4+7 colours"):
        yield Case("most-constrained most constrained square", title, boards[title])
        yield Case("beam beam search", title, boards[title], Goal.BEST)
        yield Case("dive dives with restarts", title, boards[title], Goal.BEST)


def measure(kernel: str, chosen: list[Case], runs: int, seconds: float) -> None:
    """Print what a kernel makes of its puzzles."""
    nodes = int(seconds * rates.RATES[kernel])
    for case in chosen:
        # Compiled or loaded.
        case.run(1000)
    found: dict[str, list[tuple[float, float, float]]] = {case.title: [] for case in chosen}
    for _ in range(runs):
        for case in chosen:
            found[case.title].append(case.run(nodes))
    each = []
    for case in chosen:
        counted, user, setup = (statistics.median(column) for column in zip(*found[case.title], strict=True))
        made = case.predicted if kernel in rates.BY_COST and case.predicted else counted
        told = "" if case.predicted is None else f"  predicted {case.predicted:.4g} million nodes"
        print(f"  {case.title:40} {counted:10.3f} {user:7.2f} {made / user:8.2f} {setup:7.3f}{told}", flush=True)
        each.append(made / user)
    mean = statistics.geometric_mean(each)
    spread = f"{min(each) / mean:.2f} to {max(each) / mean:.2f} of it"
    print(f"{kernel:42} {'':18} {mean:8.2f}  {spread}; bundled {rates.RATES[kernel] / 1e6:g}\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a search takes by the bundled numbers")
    parser.add_argument("--kernels", nargs="+", choices=rates.RATES, default=[*rates.RATES], metavar="NAME")
    arguments = parser.parse_args()
    every = [case for case in cases() if case.kernel in arguments.kernels]
    print(f"{rates._machine()}, load average {os.getloadavg()[0]:.2f}, {time.strftime('%Y-%m-%d')}")
    print(f"  {'search':40} {'10^6 nodes'} {'user s':>7} {'10^6/s':>8} {'set-up':>7}")
    for kernel in arguments.kernels:
        measure(kernel, [case for case in every if case.kernel == kernel], arguments.runs, arguments.seconds)


if __name__ == "__main__":
    main()
