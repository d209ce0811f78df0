"""Jigsaws with exactly three solutions that share no join, by annealing again and again from a middle temperature.

Run by hand:  python research/three_solutions.py 11 11 --max-use 7 --symmetry d222,d777,s444 --seed 4 -o three.json

`jigsat make jigsaw --solutions 3 --disjoint` anneals from the start for each jigsaw.  Here the scrambles are warmed and
cooled again, and the new ones are kept if their jigsaw has no more solutions.  Connectors on more than --max-use joins
cost a little, so that some may remain.  The exit status is 1 if no such jigsaw is found in time.
"""

import argparse
import sys
import time
from collections import Counter
from math import inf, log
from pathlib import Path
from random import Random

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.files.instances import format_instance
from jigsat.csp.make.annealing import STAGES, Annealed
from jigsat.csp.make.pair_annealing import PairAnnealing
from jigsat.csp.make.pair_kernel import LEAST
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.jigsaw_algebra import connector_classes, jigsaw_from_assemblies, original, quality

#: Stages where cooling begins again, and its moves as parts of those of the first cooling.
AGAIN, PARTS = range(18, 23), (0.3, 1, 1, 2)
#: What is forgotten in the last stages would be lost.
LAST_STAGES = 6
#: Solutions that are counted, and pieces placed in doing so.
MOST, NODES = 1600, 3_000_000
#: The cost of a fault, in terms of the logarithm of the number of solutions; what an equal jigsaw may cost more.
FAULT, EQUAL = 0.05, 0.02


class Recooled(PairAnnealing):
    """An annealing that can start again from where it was."""

    def kept(self):
        """The scrambles as they are."""
        return [array.copy() for array in self._scrambles]

    def restore(self, kept):
        for array, values in zip(self._scrambles, kept, strict=True):
            array[...] = values

    def cool(self, first: int, steps: int) -> None:
        """Cool from a stage on; what was met before the last stages does not count."""
        each = max(1, steps // (STAGES - first))
        for stage in range(first, STAGES):
            if stage <= STAGES - LAST_STAGES or stage == first:
                self._state[LEAST] = 2**40
            self.go_on_at(stage, each)
            if self.energy == 0:
                break


def jigsaw_of(board: Board, found: Annealed) -> EdgeMatchingPuzzle | None:
    """The jigsaw; None if its connectors contradict each other, joins are shared, or pieces are not unique."""
    three = original(board), found.arrangement, found.third
    if connector_classes(board, three).self_mating:
        return None
    jigsaw = jigsaw_from_assemblies(board.rows, board.columns, three, f"three-disjoint-{board.rows}x{board.columns}")
    measured = quality(jigsaw)
    return None if any(measured.shared.values()) or measured.duplicates or measured.symmetric else jigsaw


def cost(jigsaw: EdgeMatchingPuzzle | None, energy: int) -> tuple[float, int]:
    """The cost and the number of solutions, which is at most MOST."""
    if jigsaw is None:
        return inf, MOST
    found = find_engine("most-constrained").run(jigsaw, Goal.ALL, Limits(nodes=NODES, solutions=MOST))
    number = len(found.solutions) if found.complete else MOST
    return log(number) + FAULT * energy, number


def search(board: Board, arguments) -> EdgeMatchingPuzzle | None:
    """Look for three solutions until the time is over."""
    symmetry = tuple(name for name in arguments.symmetry.split(",") if name)
    chance = Random(arguments.seed)
    run = Recooled(board, arguments.max_use, arguments.seed, symmetry)
    run.cool(0, arguments.steps)
    jigsaw, number = jigsaw_of(board, run.best()), 0
    least, solutions = cost(jigsaw, run.energy)
    kept = run.kept()
    while solutions != 3 and time.process_time() < arguments.seconds:
        number += 1
        run.restore(kept)
        run.cool(chance.choice(AGAIN), int(arguments.steps * 0.3 * chance.choice(PARTS)))
        if run.energy > len(board) // 2:
            continue
        new = jigsaw_of(board, run.best())
        now, count = cost(new, run.energy)
        if now <= least + EQUAL:
            if now < least:
                print(f"{number}: {count} solutions, {run.energy} faults, {time.process_time():.0f} s", flush=True)
            least, solutions, jigsaw, kept = now, count, new, run.kept()
    return jigsaw if solutions == 3 else None


def main() -> int:
    parser = argparse.ArgumentParser(description="Look for a jigsaw with exactly three solutions that share no join.")
    parser.add_argument("rows", type=int)
    parser.add_argument("columns", type=int)
    parser.add_argument("--max-use", type=int, default=6, help="joins of a connector that cost nothing (default: 6)")
    parser.add_argument("--symmetry", default="d222,d777", help="see `pair_annealing.group` (default: d222,d777)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=3_000_000, help="moves of the first cooling (default: 3 000 000)")
    parser.add_argument("--seconds", type=float, default=100, help="processor time (default: 100)")
    parser.add_argument("-o", "--output", type=Path, help="the file for the jigsaw")
    arguments = parser.parse_args()
    jigsaw = search(Board(arguments.rows, arguments.columns), arguments)
    if jigsaw is None:
        print("not found")
        return 1
    print(f"found; connectors by joins: {dict(sorted(Counter(quality(jigsaw).uses.values()).items()))}")
    if arguments.output:
        arguments.output.write_text(format_instance(jigsaw), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
