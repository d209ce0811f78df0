"""Scrambles with each connector on two joins and no shared join, counted in several ways, and the published tables."""

import csv
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from brute_force import spin
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.jigsaw_algebra import connector_classes, jigsaw_from_assemblies, original
from jigsaw_joins import are_plain, joins, pieces, unturned, uses
from scrambles import b_files, by_formula, by_search, class_names, counted, read_table

ROOT = Path(__file__).parents[2]
TABLE = read_table(ROOT / "research/scrambles.csv")
DATA = ROOT / "docs/data"
#: The numbers of a row that both methods find.
FOUND = ("scrambles", "total", "classes", "distinct", "plain")


def boards_of(rows, columns, method):
    return np.concatenate([boards for boards, _ in method(rows, columns)])


def as_pairs(board):
    return [divmod(value, 4) for value in board.tolist()]


def is_perfect(rows, columns, board):
    """Every connector has two joins in the first assembly and two others in the second."""
    both = unturned(rows, columns), board
    shared = set.intersection(*(joins(rows, columns, one) for one in both))
    return not shared and set(uses(rows, columns, *both)) == {2}


# ---- against brute forces


def every_assembly(rows, columns):
    """All boards whose straight sides are on the border, square by square."""
    board = Board(rows, columns)
    straight = [[board.neighbour(square, side) is None for side in range(4)] for square in range(len(board))]

    def extend(laid):
        if len(laid) == len(board):
            yield laid
            return
        for piece, turns in product(range(len(board)), range(4)):
            if spin(straight[piece], turns) == straight[len(laid)] and piece not in {one for one, _ in laid}:
                yield from extend([*laid, (piece, turns)])

    yield from extend([])


def other_names(rows, columns):
    """All ways to name the darts (piece, side) of the first assembly again by turns and mirrors of the board."""
    for upside_down, left_right, swapped in product((False, True), repeat=3):
        if swapped and rows != columns:
            continue
        name = {}
        for y, x, side in product(range(rows), range(columns), range(4)):
            row, column, to = y, x, side
            if upside_down:
                row, to = rows - 1 - row, (2, 1, 0, 3)[to]
            if left_right:
                column, to = columns - 1 - column, (0, 3, 2, 1)[to]
            if swapped:
                row, column, to = column, row, (3, 2, 1, 0)[to]
            name[y * columns + x, side] = row * columns + column, to
        yield name


def class_of(rows, columns, board):
    """A name of the class of a second assembly: its joins, or those of the exchanged first one, whatever is less."""
    squares = enumerate(board)
    back = {(piece, (side - turns) % 4): (at, side) for at, (piece, turns) in squares for side in range(4)}
    exchanged = {frozenset(back[dart] for dart in join) for join in joins(rows, columns, unturned(rows, columns))}
    return min(
        sorted(sorted(name[dart] for dart in join) for join in found)
        for found, name in product((joins(rows, columns, board), exchanged), other_names(rows, columns))
    )


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (1, 5), (2, 2), (2, 4), (4, 2), (3, 3)])
def test_both_methods_agree_with_a_brute_force(rows, columns):
    """The joins of a board do not depend on its turn, so that equal ones are the same scramble."""
    perfect = [board for board in every_assembly(rows, columns) if is_perfect(rows, columns, board)]
    scrambles = {frozenset(joins(rows, columns, board)): board for board in perfect}.values()
    made = [pieces(rows, columns, unturned(rows, columns), board) for board in scrambles]
    looks = [{min(own[turn:] + own[:turn] for turn in range(4)) for own in sides} for sides in made]
    expected = {
        "scrambles": len(scrambles),
        "total": len(perfect),
        "classes": len({str(class_of(rows, columns, board)) for board in scrambles}),
        "distinct": sum(len(look) == rows * columns for look in looks),
        "plain": sum(map(are_plain, made)),
    }
    assert counted(rows, columns, by_search) == counted(rows, columns, by_formula) == expected


def polygons_with_one_point(edges):
    """The ways to glue the sides of a polygon in pairs, straight or twisted, so that all its corners become one."""
    found = 0

    def pairings(free):
        if not free:
            yield []
        for other in free[1:]:
            rest = [side for side in free[1:] if side != other]
            yield from ([(free[0], other), *pairs] for pairs in pairings(rest))

    for pairs in pairings(list(range(2 * edges))):
        for twists in product((False, True), repeat=edges):
            corner = list(range(2 * edges))  # side i goes from corner i to corner i + 1
            for (one, other), twisted in zip(pairs, twists, strict=True):
                ends = [other, (other + 1) % len(corner)][:: 1 if twisted else -1]
                for a, b in zip((one, (one + 1) % len(corner)), ends, strict=True):
                    corner = [corner[b] if number == corner[a] else number for number in corner]
            found += len(set(corner)) == 1
    return found


@pytest.mark.parametrize("edges", [1, 2, 3, 4])
def test_rows_of_pieces_are_glued_polygons(edges):
    """A connector is a pair of sides of a polygon whose sides are the joins: 1, 5, 41, 509."""
    assert counted(1, 2 * edges + 1, by_search)["scrambles"] == polygons_with_one_point(edges)


# ---- the two methods


@pytest.mark.parametrize(("rows", "columns"), [(2, 6), (5, 3), (4, 4)])
def test_both_methods_find_the_same_scrambles(rows, columns):
    """The search completes one frame of each class only, so that classes are compared."""
    found = [class_names(rows, columns, boards_of(rows, columns, method)) for method in (by_search, by_formula)]
    assert set(found[0]) == set(found[1])
    assert all(is_perfect(rows, columns, as_pairs(board)) for board in boards_of(rows, columns, by_search))


def test_a_board_with_an_odd_number_of_joins_has_none():
    for method in (by_search, by_formula):
        assert counted(3, 4, method)["total"] == 0


# ---- what is published


@pytest.mark.parametrize("size", [size for size, row in TABLE.items() if float(row["formula_seconds"] or 9) < 1])
def test_rows_of_the_table_by_both_methods(size):
    expected = {name: int(TABLE[size][name]) for name in FOUND}
    assert counted(*size, by_search) == counted(*size, by_formula) == expected


@pytest.mark.slow
@pytest.mark.parametrize("size", [size for size, row in TABLE.items() if row["plain"]])
def test_rows_of_the_table_by_the_search(size):
    assert counted(*size, by_search) == {name: int(TABLE[size][name]) for name in FOUND}


def test_sequences_are_those_of_the_table():
    files = dict(b_files(TABLE))
    assert {name: (DATA / name).read_text() for name in files} == files
    assert files["b-scrambles-squares.txt"].startswith("2 1\n3 7\n4 63\n5 16915\n")


def number_of_solutions(puzzle):
    result = find_engine("most-constrained").run(puzzle, Goal.ALL, Limits(solutions=1000))
    assert result.complete
    assert all(check(puzzle, board).is_solution for board in result.solutions)
    return len(result.solutions)


def listed():
    """The scrambles of 4x4 in the file to download."""
    with open(DATA / "scrambles-4x4.csv", newline="") as file:
        _, *lines = csv.reader(file)
    numbers = [list(map(int, line)) for line in lines]
    return [
        tuple(Placement(piece - 1, turns) for piece, turns in zip(line[::2], line[1::2], strict=True))
        for line in numbers
    ]


@pytest.mark.parametrize(("size", "perfect", "solutions"), [(2, 1, {}), (3, 7, {2: 2}), (4, 63, {4: 2, 8: 6})])
def test_solutions_of_the_smallest_boards(size, perfect, solutions):
    """Without equal or symmetric pieces none, 2 and 8 are left, and no 4x4 has exactly two solutions."""
    board = Board(size, size)
    found = [tuple(Placement(*one) for one in as_pairs(board)) for board in boards_of(size, size, by_formula)]
    assert len(set(found)) == len(found) == perfect
    assert size < 4 or sorted(found) == sorted(listed())
    made = []
    for scramble in found:
        assert is_perfect(size, size, scramble)
        assert set(connector_classes(board, [original(board), scramble]).uses) == {2}
        made.append(jigsaw_from_assemblies(size, size, [original(board), scramble]))
    plain = [puzzle for puzzle in made if are_plain(puzzle.pieces)]
    assert Counter(map(number_of_solutions, plain)) == solutions
