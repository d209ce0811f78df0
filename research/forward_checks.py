"""Would it pay to check, after each piece, that the open squares beside it still have a free piece that fits?

Run by hand:  python research/forward_checks.py

A plain search counts the nodes of the whole tree without checks, with checks of the open squares with at least two
known sides, and with checks of all open squares.  A check looks up and tries pieces as a node does, so that it pays
only where nodes and checks together are fewer than the nodes without.  Checks of the square that is filled next are
left out: the search makes them anyway.
"""

import numpy as np
from numba import njit

from jigsat import make_edge_matching
from jigsat.csp.puzzles.orders import find_order
from jigsat.estimators.owen.best_order import best_order

NEVER = 5  # no square has five sides
#: Rows, frame colours, inner colours, clues and seed.
PUZZLES = (
    (6, 3, 6, 0, 2),
    (10, 5, 17, 5, 1),
    (10, 5, 17, 5, 2),
    (11, 5, 17, 5, 1),
    (11, 5, 17, 5, 2),
    (12, 5, 17, 5, 1),
)


@njit(cache=True)
def known_sides(square, beside, sides, found):
    """Writes the colours that the four neighbours show (-1 for an open one); returns how many are known."""
    known = 0
    for side in range(4):
        other = beside[square, side]
        if other < 0:
            found[side] = 0
        else:
            found[side] = sides[other, (side + 2) % 4]
            known += found[side] >= 0
    return known


@njit(cache=True)
def fits(piece, wanted):
    """Whether a turned piece fits; the border's colour 0 belongs on the border alone."""
    unlike = 0
    for side in range(4):
        unlike += wanted[side] != piece[side] and (wanted[side] >= 0 or piece[side] == 0)
    return unlike == 0


@njit(cache=True)
def first_fit(number, turned, free, wanted):
    """The first turned piece from a number on that is free and fits; their number if there is no such piece."""
    while number < len(turned) and not (free[number // 4] and fits(turned[number], wanted)):
        number += 1
    return number


@njit(cache=True)
def search(order, beside, turned, sides, free, least_known):
    """Nodes and checks of the whole tree."""
    next_one, laid = np.zeros(len(order), np.int64), np.full(len(order), -1, np.int64)
    wanted = np.zeros(4, np.int64)
    nodes = checks = depth = 0
    while depth >= 0:
        square = order[depth]
        if laid[depth] >= 0:
            free[laid[depth]], laid[depth] = True, -1
            sides[square] = -1
        known_sides(square, beside, sides, wanted)
        number = first_fit(next_one[depth], turned, free, wanted)
        if number == len(turned):
            next_one[depth] = 0
            depth -= 1
            continue
        next_one[depth], laid[depth] = number + 1, number // 4
        free[number // 4] = False
        sides[square] = turned[number]
        nodes += 1
        if depth + 1 == len(order):
            continue
        possible = True
        for side in range(4):
            other = beside[square, side]
            if not possible or other < 0 or sides[other, 0] >= 0 or other == order[depth + 1]:
                continue
            if known_sides(other, beside, sides, wanted) >= least_known:
                checks += 1
                possible = first_fit(0, turned, free, wanted) < len(turned)
        depth += possible
    return nodes, checks


def neighbours(rows, columns):
    """The squares above, right, below and left of each; -1 beyond the border."""
    numbers = np.pad(np.arange(rows * columns).reshape(rows, columns), 1, constant_values=-1)
    around = [numbers[:-2, 1:-1], numbers[1:-1, 2:], numbers[2:, 1:-1], numbers[1:-1, :-2]]
    return np.stack([part.ravel() for part in around], axis=1)


def effort(puzzle, order, least_known):
    """Nodes and checks of the search for all boards with all pieces in all rotations."""
    turned = np.array([np.roll(piece, turns) for piece in puzzle.pieces for turns in range(4)])
    sides = np.full((len(puzzle.board), 4), -1)
    free = np.ones(len(puzzle.pieces), np.bool_)
    for square, piece, rotation in puzzle.fixed:
        sides[square], free[piece] = turned[4 * piece + rotation], False
    squares = np.array([square for square in order if sides[square, 0] < 0])
    return search(squares, neighbours(puzzle.rows, puzzle.columns), turned, sides, free, least_known)


def main():
    print(f"{'puzzle':32} {'order':8} {'nodes':>9} | {'with 2 known':>12} {'checks':>9} | {'all':>9} {'checks':>9}")
    for rows, frame, inner, clues, seed in PUZZLES:
        puzzle = make_edge_matching(rows, rows, frame, inner, clues=clues, seed=seed)
        orders = {"rowscan": find_order(puzzle, "rowscan")[1], "best": best_order(puzzle).order}
        if rows > 10:
            del orders["rowscan"]  # which takes too long
        for name, order in orders.items():
            (nodes, _), some, every = (effort(puzzle, order, least) for least in (NEVER, 2, 1))
            print(
                f"{puzzle.name:32} {name:8} {nodes:9} | {some[0]:12} {some[1]:9} | {every[0]:9} {every[1]:9}",
                flush=True,
            )


if __name__ == "__main__":
    main()
