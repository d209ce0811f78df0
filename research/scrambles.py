"""Counts the scrambles of a board that put each connector on exactly two joins and share no join, in two ways.

Run by hand:  python research/scrambles.py --rows 4 --columns 4 --table research/scrambles.csv

In the first assembly piece p lies unturned on square p.  A scramble is a second assembly of the same pieces; it is
counted here if every cycle of the two matchings of darts has two joins of either assembly, as explained in
docs/theory/jigsaw_algebra.md.
These numbers are printed:

total      second assemblies
scrambles  second assemblies up to turns of the whole board: four of a square board are the same, two of another one
classes    scrambles up to turns of the first assembly, too, mirror images, and exchange of the two assemblies
distinct   scrambles after which no two pieces are equal: the perfect jigsaws
plain      those of them without a piece that looks the same after a half turn

A scramble and its inverse (the exchanged assemblies) are two scrambles but one class; so are mirror images.

Two methods find the scrambles and share no code:

search    squares are filled one after another (`scramble_kernel`).  With at least four rows and columns the frame is
          filled first, and only one frame of each class is completed.
formula   the models of a formula, found by a SAT solver one by one.  With at least four rows and columns, first those
          of the formula of the frame, then those of the whole board with each frame as assumptions.  No symmetry is
          used.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from itertools import combinations, islice, product
from pathlib import Path

import numpy as np
from pysat.solvers import Solver

from jigsat.csp.base.safe_files import replacing
from scramble_kernel import search, tables

COLUMNS = ("rows", "columns", "scrambles", "total", "classes", "distinct", "plain", "search_seconds", "formula_seconds")

#: Frames that are completed at once, and the most scrambles that all of them may have.
BATCH, ROOM = 400, 2_000_000

#: Sequences of the table: name, first index, and the size of the board of an index.
SEQUENCES = (
    ("squares", 2, lambda n: (n, n)),
    ("two-rows", 1, lambda n: (2, 2 * n)),
    ("three-rows", 0, lambda n: (min(3, 2 * n + 1), max(3, 2 * n + 1))),
)


def starts(rows, columns):
    """The squares of piece 0 in one scramble of those that are equal up to turns of the board."""
    return [0] if rows == columns else sorted({0, columns - 1 if columns < rows else (rows - 1) * columns})


# ---- symmetries


def images(rows, columns, boards):
    """For boards (some, squares), their images under turns, mirror and exchange: (images, some, squares).

    Open squares are -1; they must be the same ones as the pieces that are not laid.  The images are turned so that
    piece 0 is where `starts` wants it.
    """
    squares = np.arange(rows * columns).reshape(rows, columns)
    quarters = 1 if rows == columns else 2
    onto = np.rot90(squares, quarters).ravel()  # the place of each square after a clockwise turn
    across = squares[:, ::-1].ravel()
    found = []
    for exchanged, mirrored in product((False, True), repeat=2):
        image = boards
        if exchanged:
            image = np.full_like(boards, -1)
            which, square = np.nonzero(boards >= 0)
            value = boards[which, square]
            image[which, value >> 2] = 4 * square + (-value & 3)
        if mirrored:
            image = np.where(image < 0, -1, 4 * across[image >> 2] + (-image & 3))[:, across]
        for _ in range(4 // quarters):
            # Turn the first assembly: other names of pieces and of their sides.
            image = np.where(image < 0, -1, 4 * onto[image >> 2] + ((image - quarters) & 3))
            found.append(_normal(image, onto, quarters, starts(rows, columns)))
    return np.stack(found)


def _normal(boards, onto, quarters, wanted):
    """Turn each board so that piece 0 is on a wanted square."""
    normal, turned = boards.copy(), boards
    for _ in range(3):
        following = np.empty_like(turned)
        following[:, onto] = np.where(turned < 0, -1, (turned & ~3) | ((turned + quarters) & 3))
        turned = following
        right = ((turned[:, wanted] >= 0) & (turned[:, wanted] >> 2 == 0)).any(axis=1)
        normal[right] = turned[right]
    right = ((boards[:, wanted] >= 0) & (boards[:, wanted] >> 2 == 0)).any(axis=1)
    normal[right] = boards[right]
    return normal


def class_names(rows, columns, boards):
    """For each board the least of its images as a byte string, by which classes can be distinguished."""
    found = np.ascontiguousarray(images(rows, columns, boards).astype(">i2"))
    every = found.view(f"V{2 * rows * columns}")[..., 0]
    return [min(map(bytes, one)) for one in every.T.tolist()]


def stabilizers(rows, columns, boards):
    """How many of the symmetries leave each board the same."""
    every = images(rows, columns, boards)
    return (every == boards).all(axis=2).sum(axis=0)


def representatives(rows, columns, boards):
    """One board of each class, and how many boards its class has."""
    first, sizes = {}, {}
    for number, name in enumerate(class_names(rows, columns, boards)):
        first.setdefault(name, number)
        sizes[name] = sizes.get(name, 0) + 1
    return boards[list(first.values())], np.array(list(sizes.values()))


# ---- the search


def begun(rows, columns, board):
    """Boards with piece 0 only."""
    found = []
    for square, turns in product(starts(rows, columns), range(4)):
        if board.fits[0, 4 * square + turns]:
            found.append(np.full(rows * columns, -1))
            found[-1][square] = turns
    return np.array(found)


def completed(boards, order, ahead, board):
    """For each board the number of ways to fill the squares of the order, all of them, and the nodes."""
    counts = np.zeros(len(boards), np.int64)
    found = np.empty((ROOM, boards.shape[1]), np.int64)
    nodes = search(boards, order, ahead, board, counts, found)
    return counts, found[: counts.sum()], nodes


def by_search(rows, columns, report=lambda done, parts, number: None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields scrambles, and how many scrambles each of them stands for."""
    board, squares = tables(rows, columns), np.arange(rows * columns).reshape(rows, columns)
    if min(rows, columns) < 4:
        order = (squares if rows >= columns else squares.T).ravel()
        counts, found, _ = completed(begun(rows, columns, board), order, 1, board)
        if len(found) < counts.sum():
            raise MemoryError(f"{counts.sum()} scrambles, but room for {ROOM}")
        yield found, np.ones(len(found), np.int64)
        return
    inner = (board.beside >= 0).all(axis=1)
    _, frames, _ = completed(begun(rows, columns, board), np.flatnonzero(~inner), rows * columns, board)
    frames, sizes = representatives(rows, columns, frames)
    for start in range(0, len(frames), BATCH):
        part = slice(start, start + BATCH)
        counts, found, _ = completed(frames[part], np.flatnonzero(inner), rows * columns, board)
        yield found, np.repeat(sizes[part], counts)
        report(start + len(counts), len(frames), len(found))


# ---- the formula


def formula(rows, columns, whole=True):
    """The clauses for all squares, or for the frame only, and the place in words of each variable that is one.

    x[piece, square, turns]: the piece lies there.  y[a, b]: the darts a and b meet, and so do their first mates.
    """
    straight = {}
    for row, column in product(range(rows), range(columns)):
        straight[row * columns + column] = row == 0, column == columns - 1, row == rows - 1, column == 0
    squares = [square for square, sides in straight.items() if whole or any(sides)]
    across = {}  # from each side of a square to the side that faces it
    for square in squares:
        for side, step in enumerate((-columns, 1, columns, -1)):
            if not straight[square][side] and square + step in squares:
                across[square, side] = square + step, (side + 2) % 4
    x = {}
    for piece, square, turns in product(squares, squares, range(4)):
        fits = all(straight[piece][side] == straight[square][(side + turns) % 4] for side in range(4))
        if fits and (piece > 0 or square in starts(rows, columns)):
            x[piece, square, turns] = len(x) + 1
    y = {}
    for a, b in combinations(across, 2):
        two = {a[0], b[0]}, {across[a][0], across[b][0]}
        if across[a] != b and len(two[0]) == len(two[1]) == 2 and (a, b) not in y:
            number = len(x) + len(set(y.values())) + 1
            for c, d in ((a, b), (across[a], across[b])):
                y[c, d] = y[d, c] = number
    clauses = []
    for which in (0, 1):
        for each in squares:
            clauses += _exactly_one([number for where, number in x.items() if where[which] == each])
    by_square = {square: [where for where in x if where[1] == square] for square in squares}
    for (square, side), (other, facing) in across.items():
        if square < other:
            for here, there in product(by_square[square], by_square[other]):
                a, b = (here[0], (side - here[2]) % 4), (there[0], (facing - there[2]) % 4)
                if a[0] != b[0]:
                    clauses.append([-x[here], -x[there]] + ([y[a, b]] if (a, b) in y else []))
    for a in across:
        clauses += _exactly_one(sorted({y[a, b] for b in across if (a, b) in y}))
    return clauses, x


def _exactly_one(numbers):
    return [numbers, *([-one, -other] for one, other in combinations(numbers, 2))]


def models(solver, x, squares, assumptions=()):
    """All boards that are models under assumptions; each is then excluded."""
    where = {number: placed for placed, number in x.items()}
    while solver.solve(assumptions=list(assumptions)):
        chosen = [number for number in solver.get_model()[: len(x)] if number > 0]
        board = np.full(squares, -1)
        for piece, square, turns in map(where.get, chosen):
            board[square] = 4 * piece + turns
        yield board
        solver.add_clause([-number for number in chosen])


def all_models(rows, columns):
    """All scrambles, one by one."""
    clauses, x = formula(rows, columns)
    squares = rows * columns
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        if min(rows, columns) < 4:
            yield from models(solver, x, squares)
            return
        frame, outer = formula(rows, columns, whole=False)
        with Solver("minisat22", bootstrap_with=frame) as frames:
            for outside in models(frames, outer, squares):
                laid = [x[value >> 2, square, value & 3] for square, value in enumerate(outside.tolist()) if value >= 0]
                yield from models(solver, x, squares, laid)


def by_formula(rows, columns) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields scrambles as `by_search` does, one for each that there is."""
    found = all_models(rows, columns)
    while some := list(islice(found, BATCH)):
        yield np.array(some), np.ones(len(some), np.int64)


# ---- the pieces


def alike(rows, columns, boards):
    """For each scramble, whether two of its pieces are equal, and whether one of them is after a half turn.

    A connector is its lowest dart, with the sign + or - of each dart on it.
    """
    board, (some, squares) = tables(rows, columns), boards.shape
    darts, sides = np.arange(4 * squares), np.arange(4)
    # The dart that each side of each square shows, and the one that faces it.
    shown = (boards & ~3)[:, :, None] + ((sides - boards[:, :, None]) & 3)
    flat, inner = shown.reshape(some, -1), board.first >= 0
    second, which = np.full((some, 4 * squares), -1), np.arange(some)[:, None]
    second[which, flat[:, inner]] = flat[:, board.first[inner]]
    opposite = np.where(inner, board.first[second], -1)
    lowest = np.minimum(np.minimum(darts, opposite), np.minimum(board.first, second))
    positive = (darts == lowest) | (opposite == lowest)
    connector = np.where(inner, np.where(positive, 1, -1) * (lowest + 1), 0).reshape(some, squares, 4)
    code = connector.astype(np.int64) + 4 * squares
    turned = [np.roll(code, turns, axis=2) @ (8 * squares + 1) ** sides for turns in range(4)]
    ordered = np.sort(np.min(turned, axis=0), axis=1)
    return (ordered[:, 1:] == ordered[:, :-1]).any(axis=1), (turned[0] == turned[2]).any(axis=1)


# ---- the run


def counted(rows, columns, method) -> dict[str, int]:
    """The numbers of the table, from one of the two methods."""
    scrambles = images_kept = distinct = plain = 0
    order = 16 if rows == columns else 8
    for boards, weights in method(rows, columns):
        if len(boards):
            equal, turned = alike(rows, columns, boards)
            scrambles += int(weights.sum())
            images_kept += int(weights @ stabilizers(rows, columns, boards))
            distinct += int(weights @ ~equal)
            plain += int(weights @ ~(equal | turned))
    turns = 4 if rows == columns else 2
    return {
        "scrambles": scrambles,
        "total": turns * scrambles,
        "classes": images_kept // order,
        "distinct": distinct,
        "plain": plain,
    }


def write_list(rows, columns, path):
    """All scrambles as lines: the piece and its clockwise quarter turns on each square, row by row."""
    boards = np.concatenate([boards for boards, _ in by_formula(rows, columns)])
    with replacing(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"{what}{square + 1}" for square in range(rows * columns) for what in ("piece", "turns")])
        for board in sorted(boards.tolist()):
            writer.writerow([number for value in board for number in ((value >> 2) + 1, value & 3)])


def read_table(path):
    """The rows of a table by their size."""
    if not Path(path).exists():
        return {}
    with open(path, newline="") as file:
        return {(int(one["rows"]), int(one["columns"])): one for one in csv.DictReader(file)}


def add_row(path, row):
    """Add a row to a table, or put what is new in that of the same board; refuse other numbers than before."""
    table = read_table(path)
    known = table.setdefault((row["rows"], row["columns"]), dict.fromkeys(COLUMNS, ""))
    for name, value in row.items():
        if not name.endswith("_seconds") and known[name] not in ("", str(value)):
            raise SystemExit(f"{path}: {row['rows']}x{row['columns']} has {known[name]} {name}, but {value} were found")
        known[name] = str(value)
    with replacing(path) as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table[size] for size in sorted(table))


def b_files(table) -> Iterator[tuple[str, str]]:
    """The names and texts of files of sequences in the format of the OEIS, from a table."""
    for name, offset, size in SEQUENCES:
        numbers = []
        while row := table.get(size(offset + len(numbers))):
            numbers.append(f"{offset + len(numbers)} {row['scrambles']}\n")
        yield f"b-scrambles-{name}.txt", "".join(numbers)


def main() -> int:
    parser = argparse.ArgumentParser(description="Count scrambles with each connector on two joins and no shared join.")
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--columns", type=int, required=True)
    parser.add_argument("--method", choices=["search", "formula"], help="one method only; both must agree otherwise")
    parser.add_argument("--expected", type=int, help="number of scrambles; another one is a failure")
    parser.add_argument("--table", help="CSV file that the row is added to")
    parser.add_argument("--b-files", help="folder for the sequences of the table, as files of the OEIS")
    parser.add_argument("--list", help="CSV file for the scrambles themselves")
    arguments = parser.parse_args()
    rows, columns = arguments.rows, arguments.columns
    if min(rows, columns) < 1 or max(rows, columns) < 2:
        parser.error(f"{rows}x{columns}: at least two squares are needed")
    if arguments.b_files and not arguments.table:
        parser.error("--b-files: needs --table")
    list(by_search(2, 2))  # to compile the kernels before times are taken
    found = []
    for name, method in (("search", by_search), ("formula", by_formula)):
        if arguments.method in (None, name):
            start = time.process_time()
            numbers = counted(rows, columns, method)
            took = {f"{name}_seconds": round(time.process_time() - start, 1)}
            print(f"{rows}x{columns}", name, *(f"{key} {value}" for key, value in (numbers | took).items()), flush=True)
            if arguments.table:
                add_row(arguments.table, {"rows": rows, "columns": columns} | numbers | took)
            found.append(numbers)
    if arguments.b_files:
        for name, text in b_files(read_table(arguments.table)):
            with replacing(Path(arguments.b_files, name)) as file:
                file.write(text)
    if arguments.list:
        write_list(rows, columns, arguments.list)
    return int(found[0] != found[-1] or arguments.expected not in (None, found[0]["scrambles"]))


if __name__ == "__main__":
    sys.exit(main())
