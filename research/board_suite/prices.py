"""Predict for the boards of the suite how many solutions they have, and what a count of them takes.

    python research/board_suite/prices.py research/board_suite/prices.csv --each 20

Adds a row for each board that the table lacks: the first board of each size and number of colours, then the second one,
and so on up to `--each`.  All 7 540 boards take about a quarter of an hour.  The columns: the board, the decimal
logarithm of the solutions that Owen's model expects of a random set with its colours, up to turns of the board, the way
that the plan chooses for a count, and its nodes and seconds (median and 90 % interval).
"""

import argparse
import csv
from pathlib import Path
from typing import Any

from boards import boards, name_of, puzzle_of

from jigsat.csp.base.compiled import load
from jigsat.csp.base.words import log10_fraction
from jigsat.csp.engines.request import NO_LIMITS, Goal, Options
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.ways import ways_to

SUITE = Path(__file__).parent / "boards.jsonl.gz"
COLUMNS = (
    "board",
    "log10_solutions",
    "way",
    "nodes",
    "nodes_low",
    "nodes_high",
    "seconds",
    "seconds_low",
    "seconds_high",
)


def row_of(board: dict[str, Any]) -> tuple[str, ...]:
    """What is predicted for a board."""
    puzzle = puzzle_of(board)
    estimate = Complexity(puzzle).estimate("rowscan")
    way = ways_to(puzzle, Goal.COUNT, NO_LIMITS, Options())[0]
    assert way.nodes is not None
    assert way.time is not None
    numbers = (way.nodes.at_median, *way.nodes.interval, way.time.at_median, *way.time.interval)
    expected = log10_fraction(estimate.solutions / estimate.turns)
    return name_of(board), f"{expected:.4f}", way.how, *(f"{number:.4g}" for number in numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("table", type=Path, help="the table of prices")
    parser.add_argument("--each", type=int, default=20, help="boards of each size and number of colours")
    parser.add_argument("--up-to", type=int, default=16, help="the size of the largest boards")
    given = parser.parse_args()
    load()  # otherwise each price has the time to load the kernels
    known = set[str]()
    if given.table.exists():
        with given.table.open(encoding="utf-8", newline="") as file:
            known = {row["board"] for row in csv.DictReader(file)}
    chosen = [board for board in boards(SUITE) if board["number"] < given.each and board["size"] <= given.up_to]
    wanted = [board for board in chosen if name_of(board) not in known]
    with given.table.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([] if known else [COLUMNS])
        for board in sorted(wanted, key=lambda board: (board["number"], board["size"], board["inner_colors"])):
            writer.writerow(row_of(board))
            file.flush()


if __name__ == "__main__":
    main()
