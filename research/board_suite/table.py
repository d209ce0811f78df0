"""Write the table of counts of the suite: a row for each count in the records of comparisons.

    jigsat compare boards.txt --engines default --goal count --cheapest-first --budget 6h -o first
    python research/board_suite/table.py research/board_suite/counts.csv first

Rows that the table has and the records lack stay, so that records of several machines can be added one after another.
A board whose counts differ is an error.  The columns: the board (size, inner colours, number), its solutions, those up
to turns of the board, the nodes of the search, its seconds on one thread with those of the choice of its order, the
way, the predicted nodes and seconds with their 90 % intervals, the version of jigsat, and the processor.
"""

import argparse
import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jigsat.estimators.experiments.outcomes import outcomes_of
from jigsat.estimators.experiments.records import NAME, read_records

COLUMNS = (
    "board", "count", "canonical_count", "nodes", "seconds", "way",
    "predicted_nodes", "predicted_nodes_low", "predicted_nodes_high",
    "predicted_seconds", "predicted_seconds_low", "predicted_seconds_high", "version", "processor",
)  # fmt: skip


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table; none if there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def write_table(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the rows, by board and way."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (board_key(row["board"]), row["way"])))


def board_key(name: str) -> tuple[int, ...]:
    """The size, colours and number of a board."""
    return tuple(map(int, name.split("-")))


def row_of(record: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """The row of a complete count, whose search took this number of seconds."""
    way = record["way"]
    nodes, times = way["nodes"] or {}, way["seconds"] or {}
    row = {key: record[key] for key in ("count", "canonical_count", "nodes")}
    row |= {
        "board": record["instance"],
        "seconds": f"{seconds + record['plan_seconds']:.3f}",
        "way": way["how"] or record["engine"],
    }
    row |= {f"predicted_nodes{end}": _digits(nodes.get(key)) for end, key in _ENDS.items()}
    row |= {f"predicted_seconds{end}": _digits(times.get(key)) for end, key in _ENDS.items()}
    return row | {"version": record["versions"]["jigsat"], "processor": record["machine"]["processor"]}


def check_counts(rows: Iterable[Mapping[str, Any]]) -> None:
    """Raise SystemExit if two rows have different counts of a board."""
    counts = dict[str, str]()
    for row in rows:
        if counts.setdefault(row["board"], str(row["count"])) != str(row["count"]):
            raise SystemExit(f"{row['board']}: one way counts {counts[row['board']]}, another one {row['count']}")


_ENDS = {"": "median", "_low": "low", "_high": "high"}


def _digits(number: float | None) -> str:
    return "" if number is None else f"{number:.4g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", type=Path, help="the table of counts")
    parser.add_argument("folders", type=Path, nargs="+", help="the folders of comparisons")
    given = parser.parse_args()
    rows = {(row["board"], row["way"]): row for row in read_table(given.table)}
    for folder in given.folders:
        for run in outcomes_of(read_records(folder / NAME)):
            if run.record["complete"]:
                row = row_of(run.record, run.processor_seconds)
                rows.setdefault((row["board"], row["way"]), row)
    check_counts(rows.values())
    write_table(given.table, rows.values())
    print(f"{len(rows)} counts of {len({board for board, _ in rows})} boards")


if __name__ == "__main__":
    main()
