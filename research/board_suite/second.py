"""Count the boards of the table of counts a second time, along another order, and add the rows.

    python research/board_suite/second.py research/board_suite/counts.csv --budget 3600

A board that was counted along the order of fewest nodes is counted along that order reflected from left to right, which
is a search of another tree with about as many nodes; another one along the order of fewest nodes.  The cheapest boards
are first; those with two rows are left out, so that the same command continues.
"""

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from boards import boards, name_of, puzzle_of
from prices import SUITE
from table import check_counts, read_table, row_of, write_table

import jigsat as js
from jigsat.csp.base.compiled import load
from jigsat.csp.engines.request import NO_LIMITS, Goal, Options
from jigsat.estimators.experiments.plan import versions
from jigsat.estimators.experiments.runner import machine
from jigsat.estimators.owen.best_order import best_order
from jigsat.estimators.ways.square_ways import SquareWays

BEST, REFLECTED = "order best", "order best reflected"


def reflected_order(puzzle: js.EdgeMatchingPuzzle, axis: int) -> tuple[int, ...]:
    """The order of fewest nodes, reflected from top to bottom (axis 0) or from left to right (1)."""
    squares = np.arange(len(puzzle.board)).reshape(puzzle.rows, puzzle.columns)
    return tuple(np.flip(squares, axis).ravel()[list(best_order(puzzle).order)].tolist())


def second_row(board: dict[str, Any], first: dict[str, str]) -> dict[str, Any]:
    """The row of a second count."""
    puzzle = puzzle_of(board)
    is_best = first["way"] == BEST
    order, way = (reflected_order(puzzle, axis=1), REFLECTED) if is_best else (best_order(puzzle).order, BEST)
    predicted = SquareWays(puzzle, Goal.COUNT, NO_LIMITS, Options(order=order)).ways("backtrack")[0].record()
    found = js.count(puzzle, order=order)
    record = found.record_of(puzzle) | {"instance": first["board"], "plan_seconds": 0.0}
    about = {"versions": versions(puzzle.kind, found.engine), "machine": machine()}
    return row_of(record | about | {"way": predicted | {"how": way}}, found.cpu_seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("table", type=Path, help="the table of counts")
    parser.add_argument("--budget", type=float, default=3600.0, help="processor seconds after which no count starts")
    given = parser.parse_args()
    load()  # otherwise the first time has the time to load the kernels
    suite = {name_of(board): board for board in boards(SUITE)}
    rows = read_table(given.table)
    ways = Counter(row["board"] for row in rows)
    once = [row for row in rows if ways[row["board"]] == 1]
    for first in sorted(once, key=lambda row: float(row["seconds"])):
        if time.process_time() > given.budget:
            break
        rows.append(second_row(suite[first["board"]], first))
        check_counts(rows)
        write_table(given.table, rows)
    print(f"{len(once)} boards had one count; {len(rows)} counts in all")


if __name__ == "__main__":
    main()
