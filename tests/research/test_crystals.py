"""The program for docs/papers/crystals.md on small boards, and its theorem against a brute force."""

from itertools import chain, combinations

import pytest

from brute_force import all_solutions, as_brute_force
from crystals import check
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original, quality


def turned_blocks(size, cuts):
    """The board cut along lines, the blocks turned about its centre; by turns of squares one after the other."""
    board = [Placement(0, 0)] * size**2
    for y in range(size):
        for x in range(size):
            west, north = (sum(line <= at for line in cuts) % 2 for at in (x, y))
            turns = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}[west, north]
            place = x, y
            for _ in range(turns):
                place = size - 1 - place[1], place[0]
            board[place[1] * size + place[0]] = Placement(y * size + x, turns)
    return tuple(board)


def test_the_lemmas_on_small_boards():
    """Two choices for the four joins at points on a diagonal, twelve at others; one and four at middle lines."""
    found = {size: check(size, 2, Chance(1)) for size in range(3, 10)}
    assert found == {size: {1, 4, 12} if size % 2 == 0 else {2, 12} if size > 3 else {2} for size in found}


@pytest.mark.parametrize("size", range(3, 10))
def test_the_assemblies_are_those_of_the_theorem(size):
    classes = range(1, (size + 1) // 2)
    sets = chain.from_iterable(combinations(classes, number) for number in range(len(classes) + 1))
    wanted = {turned_blocks(size, {*chosen, *(size - line for line in chosen)}) for chosen in sets}
    second = turned_blocks(size, {*classes, *(size - line for line in classes)})
    jigsaw = jigsaw_from_assemblies(size, size, [original(Board(size, size)), second])
    found = all_solutions(jigsaw, most_steps=2_000_000)
    assert {board for board in found if board[0] == ((0, 0), (0, 0))} == {as_brute_force(w, size) for w in wanted}
    assert len(found) == 4 * len(wanted) == 4 * 2 ** len(classes)
    measured = quality(jigsaw)
    assert (measured.duplicates, measured.symmetric, measured.perfect) == ((), (), size % 2 == 1)
