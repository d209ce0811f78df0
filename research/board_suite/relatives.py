"""How the solutions of a board of the suite differ from one another.

    python research/board_suite/relatives.py research/board_suite/relatives.csv

Solves all finished boards that are published with more than the planted solution and that are predicted to take at most
`--most` seconds, and writes a row for each solution but the first one of each board: the board, its solutions, how many
squares have another piece, or the same one turned, than in the solution that is nearest to it, and how many of these
squares are on the frame.

`exchanges` is what is expected: two stretches of the frame can change places if their ends have the same colours, and
if the edge pieces at the same places show the same colours to the inside.
"""

import argparse
import csv
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
from boards import boards, puzzle_of
from prices import SUITE

import jigsat as js
from jigsat.csp.engines.request import NO_LIMITS, Goal, Options
from jigsat.estimators.ways.ways import ways_to

COLUMNS = ("board", "solutions", "squares", "on_frame")


@cache
def exchanges(size: int, frame_colors: int, inner_colors: int) -> float:
    """The expected number of ways to exchange two stretches of the frame of a solution, if its colours are random.

    Stretches of equal pieces, and those that agree in a colour along the frame, which are two pairs of shorter ones, do
    not count.
    """
    expected = 0.0
    for (length, corners), number in _stretches(size).items():
        # Halves of the frame have both ends in common.
        ends = frame_colors ** -(1 if length == 2 * (size - 1) else 2)
        differ = (1 - 1 / frame_colors) ** (length - 1)
        expected += number * differ * ends * inner_colors ** -(length - corners)
    return expected


@cache
def _stretches(size: int) -> Counter[tuple[int, int]]:
    """The pairs of stretches with corners at the same places, by their length and number of corners."""
    side = size - 1
    ring = 4 * side
    found = Counter[tuple[int, int]]()
    for length in range(2, ring // 2 + 1):
        corners = [tuple((start + step) % side == 0 for step in range(length)) for start in range(ring)]
        for first in range(ring):
            for second in range(first + length, min(ring, first + ring - length + 1)):
                if corners[first] == corners[second]:
                    found[length, sum(corners[first])] += 1
    return found


def differences(puzzle: js.EdgeMatchingPuzzle) -> list[tuple[str, int, int, int]]:
    """A row for each solution but the first: where it differs from the nearest of those before it, however turned."""
    shape = puzzle.rows, puzzle.columns, 4
    found = [
        np.reshape([puzzle.shown(one) for one in board if one], shape) for board in js.solve(puzzle, all=True).solutions
    ]
    inside = (slice(1, -1), slice(1, -1))
    rows = list[tuple[str, int, int, int]]()
    for number, one in enumerate(found[1:], 1):
        turned = [np.roll(np.rot90(one, turns), -turns, axis=2) for turns in range(4)]
        apart = [(this != other).any(axis=2) for this in turned for other in found[:number]]
        nearest = min(apart, key=np.sum)
        rows.append((str(puzzle.name), len(found), int(nearest.sum()), int(nearest.sum() - nearest[inside].sum())))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("table", type=Path, help="where the rows are written")
    parser.add_argument("--most", type=float, default=2.0, help="the most predicted seconds")
    given = parser.parse_args()
    with given.table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for board in boards(SUITE):
            if not board["done"] or not board["published_solutions"]:
                continue
            puzzle = puzzle_of(board)
            way = ways_to(puzzle, Goal.COUNT, NO_LIMITS, Options())[0]
            if way.time is not None and way.time.at_median <= given.most:
                writer.writerows(differences(puzzle))
                file.flush()


if __name__ == "__main__":
    main()
