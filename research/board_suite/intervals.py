"""How often the 90 % intervals of predicted nodes and times of counts contain the truth, on boards with a solution.

python research/board_suite/intervals.py measure BOARDS RESULTS.csv --boards 200 --seed 1
python research/board_suite/intervals.py judge RESULTS.csv
python research/board_suite/intervals.py fit RESULTS.csv

BOARDS is a folder of puzzle files, or a file with a board a line: a JSON object with `size`, `inner_colors`, `number`
and `pieces` (up, right, down, left).  The boards of James Gallicchio (github.com/JamesGallicchio/eternity2, 2023) are
meant.  `measure` draws boards whose count is predicted to be short, evenly over sizes and colours, and counts each in
the way that the plan chooses, and along another order.  It adds a row for each count; boards with a row are not drawn
again, nor those of other files given by `--apart`.  `fit` computes the deviations of `estimators/ways/square_ways.py`.
"""

import argparse
import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import exp, log, log10
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from time import process_time
from typing import Any, NamedTuple

from boards import boards

from jigsat import count
from jigsat.csp.base.words import log10_fraction
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.square_ways import Along, SquareWays
from jigsat.estimators.ways.times import Way

#: The order along which each board is counted, too.
ALSO = "zig_zag"
#: Times in seconds below this one count as this one; where nothing else is possible, nothing is judged.
NOTHING = 0.05
#: The decimal logarithm of the nodes beyond which no way is short.
_HOPELESS = 12.0
COLUMNS = (
    "board", "way", "predicted", "low", "high", "depth", "beside", "nodes", "seconds_predicted", "seconds_low",
    "seconds_high", "seconds", "build_seconds", "complete",
)  # fmt: skip


class Board(NamedTuple):
    """A board that is not yet a puzzle: to check thousands takes minutes."""

    name: str
    rows: int
    columns: int
    pieces: list[list[int]]

    @property
    def kind(self) -> tuple[int, int, int]:
        """Boards of one size and number of colours are of one kind."""
        return self.rows, self.columns, len({*chain.from_iterable(self.pieces)})

    @property
    def puzzle(self) -> EdgeMatchingPuzzle:
        pieces = tuple((up, right, down, left) for up, right, down, left in self.pieces)
        return EdgeMatchingPuzzle(self.rows, self.columns, pieces, name=self.name)


def boards_of(path: Path) -> Iterator[Board]:
    """The boards of a folder of puzzle files, or of a file with a board a line."""
    if path.is_dir():
        for file in sorted(path.glob("*.json")):
            of_file = json.loads(file.read_text())
            yield Board(file.stem, of_file["rows"], of_file["columns"], of_file["pieces"])
        return
    for row in boards(path):
        size = row["size"]
        yield Board(f"{size}/{row['inner_colors']}/{row['number']}", size, size, row["pieces"])


def drawn(boards: Iterable[Board], seed: int) -> Iterator[Board]:
    """The boards in random order: one of each kind, then a second one of each, and so on."""
    chance, kinds = Random(seed), dict[tuple[int, int, int], list[Board]]()
    for board in boards:
        kinds.setdefault(board.kind, []).append(board)
    for alike in kinds.values():
        chance.shuffle(alike)
    while kinds:
        for kind in chance.sample(sorted(kinds), len(kinds)):
            yield kinds[kind].pop()
        kinds = {kind: alike for kind, alike in kinds.items() if alike}


def is_hopeless(puzzle: EdgeMatchingPuzzle) -> bool:
    """Whether the count takes long in any way, and so for all boards of this size with fewer colours."""
    model = Complexity(puzzle)
    return all(log10_fraction(model.estimate(order).nodes) > _HOPELESS for order in ("rowscan", ALSO))


def measured(puzzle: EdgeMatchingPuzzle, most: float, least: float) -> Iterator[dict[str, Any]]:
    """A row for each way in which the board is counted.

    The seconds are processor time, with that of the search for the best order.
    """
    ways = SquareWays(puzzle, Goal.COUNT, Limits(), Options())
    assert ways.named
    before = process_time()
    best = ways.best
    ordering = process_time() - before
    chosen = ways.ways("backtrack")[0]
    (also,) = SquareWays(puzzle, Goal.COUNT, Limits(), Options(order=ALSO)).ways("backtrack")
    for way in (chosen, *([also] if also.how != chosen.how else [])):
        assert way.time is not None
        if least <= way.time.at_median <= most:
            order = way.plan.options.order
            along = next((one for one in (*ways.named, best) if one and one.order == order), None)
            seconds = ordering if along is best and best else 0.0
            yield _row(puzzle, way, along, seconds)


def _row(puzzle: EdgeMatchingPuzzle, way: Way, along: Along | None, ordering: float) -> dict[str, Any]:
    options = way.plan.options
    method: Any = options.method
    order = options.order if method is None else None
    assert way.time is not None
    assert way.nodes is not None
    # A count far above its interval need not end.
    result = count(puzzle, order=order, method=method, time_limit=20 + 4 * way.time.interval[1])
    nodes, seconds = (way.nodes.at_median, *way.nodes.interval), (way.time.at_median, *way.time.interval)
    tree = (along.searched.mean_depth, along.searched.log_beside) if along else (0.0, 0.0)
    values = (puzzle.name, way.how, *nodes, *tree, result.nodes, *seconds)
    values = (*values, result.cpu_seconds + ordering, result.build_cpu_seconds, int(result.complete))
    return dict(zip(COLUMNS, values, strict=True))


def main() -> None:
    """Measure, judge or fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    doing = parser.add_subparsers(dest="doing", required=True)
    measure = doing.add_parser("measure")
    measure.add_argument("boards", type=Path)
    measure.add_argument("results", type=Path)
    measure.add_argument("--boards", dest="number", type=int, default=200)
    measure.add_argument("--seed", type=int, default=1)
    measure.add_argument("--least", type=float, default=0.0, help="the least predicted seconds")
    measure.add_argument("--most", type=float, default=5.0, help="the most predicted seconds")
    measure.add_argument("--apart", type=Path, nargs="*", default=[], help="results of other boards")
    for name in ("judge", "fit"):
        doing.add_parser(name).add_argument("results", type=Path)
    asked = parser.parse_args()
    if asked.doing == "measure":
        known = {row["board"] for path in (asked.results, *asked.apart) for row in rows_of(path)}
        done = {row["board"] for row in rows_of(asked.results)}
        for order in ("rowscan", "best"):
            count("puzzle-a", order=order, node_limit=1000)  # loads the kernels
        hopeless = set[tuple[int, int, int]]()
        for board in drawn(boards_of(asked.boards), asked.seed):
            if len(done) >= asked.number:
                break
            rows, columns, colors = board.kind
            if board.name in known or any(kind[:2] == (rows, columns) and colors <= kind[2] for kind in hopeless):
                continue
            if is_hopeless(board.puzzle):
                hopeless.add(board.kind)
                continue
            for row in measured(board.puzzle, asked.most, asked.least):
                done.add(board.name)
                add_row(asked.results, row)
    elif asked.doing == "judge":
        print(judged(rows_of(asked.results)))
    else:
        print(fitted(rows_of(asked.results)))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of results, numbers as such; none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = [*csv.DictReader(file)]
    return [{name: value if name in ("board", "way") else float(value) for name, value in row.items()} for row in rows]


def add_row(path: Path, row: dict[str, Any]) -> None:
    """Add a row to a file of results."""
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([COLUMNS] if new else [])
        writer.writerow([row[name] for name in COLUMNS])


def judged(rows: Sequence[dict[str, Any]]) -> str:
    """A line for all rows, and one for each way: how many are within, below and above the intervals."""
    lines = [" " * 20 + "    nodes      within below above    times      within below above"]
    for name in ("all", *sorted({row["way"] for row in rows})):
        chosen = [row for row in rows if name in ("all", row["way"])]
        parts = [f"{name:20}"]
        for what, low, high in (("nodes", "low", "high"), ("seconds", "seconds_low", "seconds_high")):
            floor = NOTHING if what == "seconds" else 0.0
            judged = [row for row in chosen if max(row[what], row[high]) > floor]
            below = sum(max(row[what], floor) < max(row[low], floor) and row["complete"] > 0 for row in judged)
            above = sum(max(row[what], floor) > max(row[high], floor) for row in judged)
            share = 1 - (below + above) / max(len(judged), 1)
            parts.append(f"{len(judged):6} {100 * share:10.1f} % {below:5} {above:5}")
        lines.append("   ".join(parts))
    ended = sum(not row["complete"] for row in rows)
    lines.append(f"{len({row['board'] for row in rows})} boards, {ended} counts ended by the time limit")
    return "\n".join(lines)


def fitted(rows: Sequence[dict[str, Any]]) -> str:
    """The deviation of greatest likelihood, as the plan has it; and the errors."""
    known = [row for row in rows if row["complete"] and row["depth"]]
    errors = [(log10(row["nodes"] / row["predicted"]), row["depth"], row["beside"]) for row in known]

    def surprise(deviation: float, many: float) -> float:
        variances = (deviation**2 * (1 - exp(-depth / many)) + beside**2 for _, depth, beside in errors)
        return sum(error**2 / of + log(of) for of, (error, _, _) in zip(variances, errors, strict=True))

    tried = [(0.01 * i, float(many)) for i in range(5, 60) for many in range(1, 60)]
    found, pieces = min(tried, key=lambda one: surprise(*one))
    long = [row for row in known if row["seconds"] > 4 * NOTHING]
    parts = {
        "nodes": [error for error, _, _ in errors],
        "times": [log10(row["seconds"] / row["seconds_predicted"]) for row in long],
    }
    lines = [f"deviation of nodes {found:.2f}, with many pieces, which are {pieces:.0f}"]
    for name, each in parts.items():
        lines.append(f"{name}: {len(each)} errors of mean {fmean(each):.3f}, deviation {pstdev(each):.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
