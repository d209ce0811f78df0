"""With rows + columns odd there are at most (joins - 3) / 2 connectors, by enumerations that share no code with jigsat.

Assembly 1 has piece p on square p.  An assembly has the piece on each square, with its clockwise quarter turns.
"""

from itertools import permutations, product

import pytest

from jigsaw_joins import STEPS, unturned, uses


def straight_sides(square, rows, columns):
    row, column = divmod(square, columns)
    return [
        s for s, (down, right) in enumerate(STEPS) if not (0 <= row + down < rows and 0 <= column + right < columns)
    ]


def assemblies(rows, columns):
    """All second assemblies: pieces on squares of their class, with the straight sides outward."""
    squares = range(rows * columns)
    straight = {square: straight_sides(square, rows, columns) for square in squares}
    classes = [[q for q in squares if len(straight[q]) == number] for number in (2, 1, 0)]
    for orders in product(*(permutations(squares) for squares in classes)):
        lies = {
            q: piece
            for squares, order in zip(classes, orders, strict=True)
            for q, piece in zip(squares, order, strict=True)
        }
        turns = [[t for t in range(4) if {(s + t) % 4 for s in straight[lies[q]]} == set(straight[q])] for q in squares]
        for chosen in product(*turns):
            yield [(lies[q], chosen[q]) for q in squares]


def components(rows, columns, second):
    """The numbers of joins of the components, or nothing if a join is in both assemblies."""
    sizes = sorted(uses(rows, columns, unturned(rows, columns), second))
    return [] if 1 in sizes else sizes


@pytest.mark.parametrize(
    ("rows", "columns", "most"), [(2, 3, 0), (2, 5, 5), pytest.param(3, 4, 7, marks=pytest.mark.slow)]
)
def test_all_second_assemblies_of_small_boards(rows, columns, most):
    """The bound of theorem 3 is 2 for 2x3 (where all second assemblies share the inner join), 5 for 2x5, 7 for 3x4."""
    joins = 2 * rows * columns - rows - columns
    found = [components(rows, columns, second) for second in assemblies(rows, columns)]
    assert max(map(len, found)) == most <= (joins - 3) // 2
    assert all(sum(sizes) in (0, joins) for sizes in found)
    best = {tuple(size for size in sizes if size > 2) for sizes in found if sizes and len(sizes) == (joins - 3) // 2}
    assert best <= {(3, 3, 3), (3, 4)}


@pytest.mark.parametrize("pieces", [4, 6, 8])
def test_two_rings_have_an_even_number_of_components(pieces):
    """All rings of a second assembly, whatever the classes of the pieces."""
    numbers = set()
    for order in permutations(range(1, pieces)):
        ring = (0, *order)
        before = {ring[i]: ring[i - 1] for i in range(pieces)}
        there = [before[(piece + 1) % pieces] for piece in range(pieces)]
        left, cycles = set(range(pieces)), 0
        while left:
            piece = left.pop()
            cycles += 1
            while (piece := there[piece]) in left:
                left.remove(piece)
        numbers.add((cycles, all(there[piece] != piece for piece in range(pieces))))
    assert {cycles % 2 for cycles, _ in numbers} == {0}
    assert max(cycles for cycles, disjoint in numbers if disjoint) == pieces // 2 - pieces // 2 % 2
