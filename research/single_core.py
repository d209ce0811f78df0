"""Scores of the engine `beam` on the ten puzzles of a public benchmark: Eternity II with all hints and three corners.

Run by hand:  python research/single_core.py [--seconds 60] [--seeds 1] [--engine dive]

The single-core benchmark of Raphaël Anjou (github.com/raphael-anjou/eternity2, research/experiments) fixes the five
clues and the corner pieces at the top left, top right and bottom left, and gives each engine one core for 60 seconds.
"""

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_squares
from jigsat.csp.files.viewer_links import link_of
from jigsat.csp.puzzles.board import border_mask_of, turned
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed

#: The corner pieces at the top left, top right and bottom left of each puzzle, numbered from 1.
CORNERS = ((1, 2, 3), (2, 1, 4), (3, 4, 1), (4, 3, 2), (1, 3, 4), (2, 4, 3), (3, 1, 2), (4, 2, 1), (1, 4, 2), (3, 2, 4))


def with_corners(puzzle: EdgeMatchingPuzzle, corners: Sequence[int]) -> EdgeMatchingPuzzle:
    """The puzzle with these pieces at the top left, top right and bottom left, their borders at the rim."""
    squares = map(puzzle.board.parse, ("A1", "A16", "P1"))
    turns = (
        Fixed(square, piece - 1, rotation)
        for square, piece in zip(squares, corners, strict=True)
        for rotation in range(4)
        if border_mask_of(turned(puzzle.pieces[piece - 1], rotation)) == puzzle.board.border_mask(square)
    )
    return replace(puzzle, fixed=(*puzzle.fixed, *turns))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="beam", choices=("beam", "dive"))
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run")
    parser.add_argument("--seeds", type=int, default=1, help="how many for each puzzle, from 1")
    arguments = parser.parse_args()
    engine, limits = find_engine(arguments.engine, Goal.BEST), Limits(arguments.seconds)
    puzzles = [with_corners(read_squares("eternity2-hints"), corners) for corners in CORNERS]
    engine.run(puzzles[0], Goal.BEST, Limits(seconds=2.0, nodes=100_000), Options())  # compiles
    scores = []
    for number, puzzle in enumerate(puzzles):
        for seed in range(1, arguments.seeds + 1):
            result = engine.run(puzzle, Goal.BEST, limits, Options(seed=seed, threads=1))
            scores.append(result.best_score or 0)
            link = link_of(puzzle, result.solutions[0])
            print(f"v{number:02}  seed {seed}  score {scores[-1]}  {result.seconds:.1f} s  {link}", flush=True)
    spread = f", standard deviation {statistics.stdev(scores):.1f}"
    print(f"mean {statistics.mean(scores):.1f} of {puzzles[0].max_score}, {min(scores)} to {max(scores)}{spread}")


if __name__ == "__main__":
    main()
