"""Nodes per second of the native search beside plain C: the first nodes of Eternity II without its starter, by rowscan.

Run by hand:  python tests/benchmarks/rowscan.py [--nodes 60e6] [--runs 7] [--puzzles puzzle-a meta16 ...]

Reference and search alternate in one run; the medians of their user times are compared.  Both walk the same tree: the
nodes of every depth are checked to be equal.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from usage import user_seconds

from jigsat import read
from jigsat.csp.puzzles.orders import named_order
from jigsat.csp.puzzles.symmetry import find_candidates, single_pieces
from jigsat.csp.search.ordered.kernels import build_tables
from jigsat.csp.search.ordered.walk import Walk

SOURCE = Path(__file__).with_name("rowscan.c")


def reference(program: Path, puzzle, nodes: int) -> tuple[list[int], float]:
    """Nodes by depth and user seconds of the C program."""
    colors = max(max(sides) for sides in puzzle.pieces)
    pieces = "\n".join(" ".join(map(str, sides)) for sides in puzzle.pieces)
    command = [program, str(puzzle.rows), str(colors), str(nodes)]
    lines = subprocess.run(command, input=pieces, capture_output=True, text=True, check=True).stdout.splitlines()
    return [int(word) for word in lines[0].split()], float(lines[1])


def native(puzzle, nodes: int) -> tuple[list[int], float]:
    """Nodes by depth and user seconds of the native search; like those of the program, they leave out preparation."""
    candidates = find_candidates(puzzle, single_pieces(puzzle))
    walk = Walk(candidates, build_tables(puzzle, candidates, named_order(puzzle, "rowscan")))
    walk.advance(0)
    started = user_seconds()
    walk.advance(nodes)
    return walk.nodes.tolist(), user_seconds() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=float, default=60e6)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--puzzles", nargs="+", default=["eternity2"], help="square edge-matching puzzles")
    arguments = parser.parse_args()
    nodes = int(arguments.nodes)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "rowscan"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, SOURCE], check=True)
        print(f"load average {os.getloadavg()[0]:.2f}; million nodes a second:  C  jigsat  ratio")
        for name in arguments.puzzles:
            compare(name, program, nodes, arguments.runs)


def compare(name: str, program: Path, nodes: int, runs: int) -> None:
    """Print the speeds of both on a puzzle without its fixed pieces."""
    puzzle = replace(read(name), fixed=())
    times: list[tuple[float, float]] = []
    total = 0.0
    for _ in range(runs):
        expected, c = reference(program, puzzle, nodes)
        found, ours = native(puzzle, nodes)
        assert found == expected, "the two searches differ"
        times.append((c, ours))
        total = sum(found) / 1e6
        print(f"  {total / c:6.1f} {total / ours:6.1f} {c / ours:6.3f}")
    c, ours = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name}: median {total / c:.1f} and {total / ours:.1f}, ratio {c / ours:.3f}")


if __name__ == "__main__":
    main()
