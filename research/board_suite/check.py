"""Count boards of the suite again, and compare.

    python research/board_suite/check.py --boards 100

First a random sample of the table of counts, each board along the order of fewest nodes turned upside down, which is
another tree than those of its rows; then as many random finished boards of at most 12x12 squares.  The published number
of a board leaves out the planted solution: it is one less than the number of solutions up to turns of the board.
Boards that took longer than `--most` seconds, or are predicted to, are left out.  The exit status is 1 if a count
differs.
"""

import argparse
from collections.abc import Iterator
from itertools import islice
from random import Random, randrange
from typing import Any

from boards import boards, name_of, puzzle_of
from prices import SUITE
from results import table
from second import reflected_order

import jigsat as js
from jigsat.csp.engines.request import NO_LIMITS, Goal, Options
from jigsat.estimators.ways.square_ways import SquareWays
from jigsat.estimators.ways.times import Way

_LARGEST = 12


def again(suite: dict[str, dict[str, Any]], chance: Random, most: float) -> Iterator[str | None]:
    """Boards of the table of counts, in random order: what differs, or None."""
    counts = {row["board"]: int(row["count"]) for row in table("counts.csv") if float(row["seconds"]) <= most}
    for board in chance.sample(sorted(counts), len(counts)):
        puzzle = puzzle_of(suite[board])
        found = js.count(puzzle, order=reflected_order(puzzle, axis=0))
        yield _difference(board, found, counts[board], found.count, "in the table")


def published(suite: dict[str, dict[str, Any]], chance: Random, most: float) -> Iterator[str | None]:
    """Finished boards in random order: what differs from the published number, or None."""
    chosen = [board for board in suite.values() if board["done"] and board["size"] <= _LARGEST]
    for board in chance.sample(chosen, len(chosen)):
        puzzle = puzzle_of(board)
        if _seconds(SquareWays(puzzle, Goal.COUNT, NO_LIMITS, Options()).ways("backtrack")[0]) <= most:
            found = js.count(puzzle)
            yield _difference(
                name_of(board), found, board["published_solutions"] + 1, found.canonical_count, "published"
            )


def _seconds(way: Way) -> float:
    return float("inf") if way.time is None else way.time.at_median


def _difference(board: str, found: Any, known: int, counted: int, how: str) -> str | None:
    return None if found.complete and counted == known else f"{board}: {counted} solutions, but {known} {how}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", type=int, default=100, help="boards of each kind")
    parser.add_argument("--most", type=float, default=10.0, help="the most predicted seconds of a count")
    parser.add_argument("--seed", type=int, default=randrange(10**6))
    given = parser.parse_args()
    chance = Random(given.seed)
    suite = {name_of(board): board for board in boards(SUITE)}
    differ = 0
    for name, compare in (("counted again", again), ("compared with the published number", published)):
        of_these = compare(suite, chance, given.most)
        differences = [*islice(of_these, given.boards)]
        differ += len([*filter(None, differences)])
        print(*filter(None, differences), f"{len(differences)} boards {name}", sep="\n")
    print(f"{differ} differ (seed {given.seed})")
    raise SystemExit(differ > 0)


if __name__ == "__main__":
    main()
