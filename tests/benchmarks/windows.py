"""Seconds and nodes until the best completion of a window is proved, by the size of the window.

Run by hand:  python tests/benchmarks/windows.py [--sizes 12,20,26,32] [--windows 20] [--boards BOARD ...]

Without boards, the windows are in planted boards of the size and colours of Eternity II, with a piece or two in the
window exchanged for others outside it, so that few joins must be invalid.  With boards of Eternity II, they lie around
invalid joins.  ``last`` windows are the last squares by rows.  CPU seconds, so that other work on the machine does not
count.
"""

import argparse
import statistics
import time
from collections import Counter

from jigsat import read, read_solutions
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.improvement import Neighbourhoods, invalid_joins_of
from jigsat.csp.search.windows import WindowTables, best_completion


def planted(size, number, chance, shape):
    """The tables of a planted puzzle, a board with exchanged pieces, and a window that has some of them."""
    made = deal_edge_matching(16, 16, 5, 17, seed=number)
    board, squares = [*made.solution], range(256)
    if shape == "last":
        window = {*squares[256 - size :]}
    else:
        window = Neighbourhoods(made.puzzle, size).around([], chance)
        while len(window) < size:
            window = Neighbourhoods(made.puzzle, size).around([], chance)
    inner = [q for q in squares if made.puzzle.board.square_class(q) == "inner"]
    for _ in range(1 + number % 2 if window & {*inner} else 0):
        one = chance.sample(sorted(window & {*inner}), 1)[0]
        other = chance.sample([q for q in inner if q not in window], 1)[0]
        board[one], board[other] = board[other], board[one]
    return WindowTables(made.puzzle), board, window, None


def around_invalid(boards, size, number, chance):
    """A window around invalid joins of a board, and how many of its joins are invalid."""
    tables, board = boards[number % len(boards)]
    joins = invalid_joins_of(tables, tables.placed(board))
    window = Neighbourhoods(tables.puzzle, size).around(joins, chance)
    while len(window) < size:
        window = Neighbourhoods(tables.puzzle, size).around(joins, chance)
    return tables, board, window, sum(first in window or second in window for first, second in joins)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="12,20,26,32")
    parser.add_argument("--windows", type=int, default=20, help="of each size")
    parser.add_argument("--boards", nargs="*", default=(), help="files with boards of Eternity II")
    parser.add_argument("--puzzle", default="eternity2")
    parser.add_argument("--shape", choices=("around", "last"), default="around")
    parser.add_argument("--nodes", type=float, default=1e8, help="of each window")
    arguments = parser.parse_args()
    puzzle = read(arguments.puzzle)
    tables = WindowTables(puzzle)
    boards = [(tables, tuple(board)) for name in arguments.boards for board in read_solutions(name, puzzle)]
    for size in map(int, arguments.sizes.split(",")):
        rows, chance = [], Chance(size)
        for number in range(arguments.windows):
            if boards:
                tables, board, window, invalid = around_invalid(boards, size, number, chance)
            else:
                tables, board, window, invalid = planted(size, number, chance, arguments.shape)
            started = time.process_time()
            found = best_completion(tables, board, window, invalid, nodes=int(arguments.nodes))
            rows.append((time.process_time() - started, found, invalid))
        took = sorted(seconds for seconds, _, _ in rows)
        optima = Counter(found.at_least if found.proved else f"{found.at_least} or more" for _, found, _ in rows)
        better = sum(found.board is not None for _, found, _ in rows)
        print(
            f"{size} squares: median {statistics.median(took):.4f} s, worst {took[-1]:.2f} s, "
            f"median nodes {statistics.median(found.nodes for _, found, _ in rows):.0f}; "
            f"{sum(found.proved for _, found, _ in rows)} of {len(rows)} proved, {better} with a completion; "
            f"invalid joins {dict(sorted(optima.items(), key=str))}",
            flush=True,
        )


if __name__ == "__main__":
    main()
