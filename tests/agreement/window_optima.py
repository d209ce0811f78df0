"""Windows of 6 to 16 squares, completed by the kernel, by CP-SAT and, if they are small, by brute force.

Run by hand:  python tests/agreement/window_optima.py [--windows 1000] [--seed 1]

Boards are planted ones with exchanged pieces: edge-matching puzzles from 5x5 to 9x9 with 3 to 9 inner colours, and
bundled jigsaws.  Windows are connected, or consist of scattered squares.  The exit status is 1 if two
optima differ, or a board has another number of invalid joins than its optimum.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("oracles", "support")]

from brute_force import TooMuch
from jigsat import best, read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.windows import WindowTables
from mixed_boards import fewest_invalid, invalid_joins
from window_completions import best_completion

JIGSAWS = ("perfect-5x5", "jigsaw-5x6", "perfect-6x8", "crystal-7x7", "perfect-8x8")


def spoiled(chance):
    """A puzzle, and its solution with inner pieces exchanged and turned."""
    size = chance.randint(5, 9)
    if chance.random() < 0.2:
        puzzle = read(chance.choice(JIGSAWS))
        board = [*puzzle.assemblies[0]]
    else:
        made = deal_edge_matching(size, size, 3, chance.randint(3, 9), seed=chance.randrange(10**6))
        puzzle, board = made.puzzle, [*made.solution]
    inner = [q for q in range(len(board)) if puzzle.board.square_class(q) == "inner"]
    chosen = chance.sample(inner, min(len(inner), chance.randint(0, 12)))
    for square, piece in zip(chosen, chance.sample([board[q].piece for q in chosen], len(chosen)), strict=True):
        board[square] = board[square]._replace(piece=piece, rotation=chance.randrange(4))
    return puzzle, tuple(board)


def window(puzzle, chance):
    """6 to 16 squares: a connected region, or some anywhere."""
    size, board = chance.randint(6, 16), puzzle.board
    if chance.random() < 0.2:
        return {*chance.sample(range(len(board)), size)}
    chosen = {chance.randrange(len(board))}
    while len(chosen) < size:
        chosen.add(chance.choice([join.second for join in board.joins_of(chance.choice(sorted(chosen)))]))
    return chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance, differing, brute, took = random.Random(arguments.seed), 0, 0, [0.0, 0.0]
    optima: dict[int, int] = {}
    for number in range(arguments.windows):
        puzzle, board = spoiled(chance)
        free = window(puzzle, chance)
        started = time.perf_counter()
        found = best_completion(WindowTables(puzzle), board, free, seed=chance.randrange(3))
        took[0] += time.perf_counter() - started
        start = tuple(None if q in free else placed for q, placed in enumerate(board))
        started = time.perf_counter()
        second = best(puzzle, engine="cpsat", start=start, threads=1)
        took[1] += time.perf_counter() - started
        expected = {second.best_score if second.complete else None, puzzle.score(found.board)}
        if len(free) <= 7:
            try:
                fewest = fewest_invalid(puzzle, board, free, most_steps=300_000)
            except TooMuch:
                pass
            else:
                brute += 1
                expected.add(puzzle.score(found.board) if fewest == found.invalid else f"brute force {fewest}")
        if len(expected) > 1 or not found.proved or invalid_joins(puzzle, found.board, free)[0] != found.invalid:
            differing += 1
            print(f"window {number} ({len(free)} squares of {puzzle.name}): {expected}, {found.invalid} invalid joins")
        optima[found.invalid] = optima.get(found.invalid, 0) + 1
    print(f"{arguments.windows} windows, {brute} of them by brute force, too; {differing} differ")
    print(f"invalid joins of the optima: {dict(sorted(optima.items()))}")
    print(f"seconds: kernel {took[0]:.1f}, CP-SAT {took[1]:.1f}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
