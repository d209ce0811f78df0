"""Nodes per second of the native search along any order beside plain C, and beside its own rate by rowscan.

Run by hand:  python tests/benchmarks/any_order.py [--nodes 30e6] [--runs 7]

Five boards and orders: the computed order of two boards with scattered clues and of one with clues along a diagonal,
and two named orders.  Reference and search alternate in one run; the medians of their user times are compared.  Both
walk the same tree: the nodes of every depth are checked to be equal.
"""

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from jigsat import read
from jigsat.api.make import make_edge_matching
from jigsat.csp.puzzles.candidates import find_candidates
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.symmetry import single_pieces
from jigsat.csp.search.ordered.kernels import build_tables
from jigsat.csp.search.ordered.walk import Walk
from jigsat.estimators.owen.best_order import best_order

SOURCE = Path(__file__).with_name("any_order.c")


def user_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def boards():
    """Each with a title and an order."""
    for seed in (6, 8):
        puzzle = make_edge_matching(12, 12, 5, 17, clues=5, seed=seed)
        yield f"best order, seed {seed}", puzzle, best_order(puzzle).order
    whole = make_edge_matching(14, 14, 5, 17, clues=196, seed=1)
    puzzle = replace(whole, fixed=tuple(one for one in whole.fixed if one.square in range(30, 160, 45)))
    yield "best order, clues on a diagonal", puzzle, best_order(puzzle).order
    bare = replace(whole, fixed=())
    for name in ("spiral_in", "frame_first"):
        yield name, bare, find_order(bare, name)[1]


def reference(program: Path, puzzle, order, nodes: int) -> tuple[list[int], float]:
    """Nodes by depth and user seconds of the C program."""
    fixed = {one.square: one for one in puzzle.fixed}
    colors = max(max(sides) for sides in puzzle.pieces)
    numbers = [puzzle.rows, puzzle.columns, colors, len(puzzle.pieces), nodes, len(fixed)]
    numbers += [color for sides in puzzle.pieces for color in sides] + list(order)
    for square in order[: len(fixed)]:
        numbers += [fixed[square].piece, fixed[square].rotation]
    given = " ".join(map(str, numbers))
    lines = subprocess.run([program], input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    return [int(word) for word in lines[0].split()], float(lines[1])


def native(puzzle, order, nodes: int) -> tuple[list[int], float]:
    """Nodes by depth and user seconds of the native search; like those of the program, they leave out preparation."""
    candidates = find_candidates(puzzle, single_pieces(puzzle), repeat_turns=True)
    walk = Walk(candidates, build_tables(puzzle, candidates, order))
    walk.advance(0)
    started = user_seconds()
    walk.advance(nodes)
    return walk.nodes.tolist(), user_seconds() - started


def compare(title: str, program: Path, puzzle, order, nodes: int, runs: int) -> None:
    """Print the speeds of both, and of the search by rowscan on Eternity II without its starter."""
    eternity2 = replace(read("eternity2"), fixed=())
    rowscan = find_order(eternity2, "rowscan")[1]
    native(puzzle, order, 100_000)
    rates = []
    for _ in range(runs):
        expected, c = reference(program, puzzle, order, nodes)
        found, ours = native(puzzle, order, nodes)
        assert found == expected, "the two searches differ"
        by_row, seconds = native(eternity2, rowscan, nodes)
        rates.append((sum(found) / c / 1e6, sum(found) / ours / 1e6, sum(by_row) / seconds / 1e6))
    c, ours, by_row = (statistics.median(column) for column in zip(*rates, strict=True))
    print(
        f"{title:32} {sum(found):9} {c:7.1f} {ours:7.1f} {by_row:7.1f} {ours / c:7.2f} {ours / by_row:7.2f}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=float, default=30e6)
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "any_order"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, SOURCE], check=True)
        print(f"load average {os.getloadavg()[0]:.2f}; million nodes a second:")
        print(f"{'order':32} {'nodes':>9} {'C':>7} {'jigsat':>7} {'rowscan':>7} {'to C':>7} {'to rowscan':>10}")
        for title, puzzle, order in boards():
            compare(title, program, puzzle, order, int(arguments.nodes), arguments.runs)


if __name__ == "__main__":
    main()
