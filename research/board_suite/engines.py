"""Write the table of a small comparison of engines on boards of the suite.

    jigsat compare 'boards/[4-7]-*-0.json' --engines backtrack,most-constrained,cpsat,sat:cadical195 --goal count \\
        --time-limit 10s -o engines
    python research/board_suite/engines.py engines research/board_suite/engines.csv

A row for each run: the board, the engine, how it ended, its processor seconds on one thread, and the limit.
"""

import argparse
import csv
from pathlib import Path

from jigsat.estimators.experiments.outcomes import outcomes_of
from jigsat.estimators.experiments.records import NAME, read_records


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of the comparison")
    parser.add_argument("table", type=Path, help="where the rows are written")
    given = parser.parse_args()
    rows = [
        (run.instance, run.engine, run.outcome, f"{run.processor_seconds:.4g}", f"{run.limit:g}")
        for run in outcomes_of(read_records(given.folder / NAME))
    ]
    with given.table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("board", "engine", "outcome", "seconds", "limit"))
        writer.writerows(sorted(rows, key=lambda row: (*map(int, row[0].split("-")), row[1])))


if __name__ == "__main__":
    main()
