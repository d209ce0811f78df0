"""A search for the second assemblies of a board that put each connector on two joins and repeat no join.

Squares, pieces and darts have numbers as in `jigsat.csp.puzzles.jigsaw_algebra`: piece p lies unturned on square p in
the first assembly, and dart 4 p + s is its side s.  A place is 4 square + turns, and `at` of a square 4 piece + turns.
`first` is the dart that each dart meets in the first assembly, -1 on the border.

The search fills one square after another.  Each join brings others:

- the cycle of its connector closes: if a meets b, then first[a] meets first[b];
- around a point inside the board four joins close a walk, so that three of them give the fourth;
- a piece whose dart meets a dart of a laid piece is laid, too.
"""

from typing import NamedTuple

import numpy as np
from numba import njit


class Tables(NamedTuple):
    """The board: for each square and side the next square, for each dart its first mate, and which places fit."""

    beside: np.ndarray
    first: np.ndarray
    fits: np.ndarray


def tables(rows: int, columns: int) -> Tables:
    """The tables of a board."""
    squares = rows * columns
    beside = np.full((squares, 4), -1)
    for square in range(squares):
        row, column = divmod(square, columns)
        for side, (y, x) in enumerate(((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))):
            if 0 <= y < rows and 0 <= x < columns:
                beside[square, side] = y * columns + x
    first = np.where(beside < 0, -1, 4 * beside + (2, 3, 0, 1)).ravel()
    straight = beside < 0
    fits = np.zeros((squares, 4 * squares), bool)
    for turns in range(4):
        turned = np.roll(straight, turns, axis=1)
        fits[:, turns::4] = (turned[:, None] == straight[None]).all(axis=2)
    return Tables(beside, first, fits)


@njit(cache=True, nogil=True)
def after(dart):
    return (dart & ~3) | ((dart + 1) & 3)


@njit(cache=True, nogil=True)
def before(dart):
    return (dart & ~3) | ((dart + 3) & 3)


@njit(cache=True, nogil=True)
def closes(a, b, first, mate, forced):
    """Whether the walk around the point after dart a can close, now that a meets b; writes a fourth join to `forced`.

    The walk crosses a join and goes on to the next side of the piece that it comes to.
    """
    forced[0] = -1
    end, begin, known = after(b), a, 1
    if first[end] < 0:
        return True
    while known < 4 and end != a and mate[end] >= 0:
        end = after(mate[end])
        known += 1
    if end == a or known == 4:
        return end == a and known == 4
    while known < 4 and mate[before(begin)] >= 0:
        begin = mate[before(begin)]
        known += 1
    if known == 3:
        forced[0], forced[1] = before(begin), end
    return known < 4


@njit(cache=True, nogil=True)
def joins(a, b, board, mate, trail, sizes):
    """Let darts a and b meet; whether that contradicts nothing that is near."""
    _, first, _ = board
    if mate[a] >= 0 or mate[b] >= 0 or first[a] < 0 or first[b] < 0 or first[a] == b or a >> 2 == b >> 2:
        return False
    if (first[after(a)] < 0) != (first[before(b)] < 0) or (first[before(a)] < 0) != (first[after(b)] < 0):
        return False
    mate[a], mate[b] = b, a
    trail[1, sizes[1]] = a
    sizes[1] += 1
    return True


@njit(cache=True, nogil=True)
def propagate(piece, place, board, at, placed, mate, trail, sizes, work):
    """Lay a piece and all that follows from it; whether there is no contradiction.  `undo` takes it back."""
    beside, first, fits = board
    work[0, 0], work[0, 1], work[0, 2] = 1, piece, place
    size, forced = 1, np.empty(2, np.int64)
    while size:
        size -= 1
        what, a, b = work[size]
        if what:
            piece, square, turns = a, b >> 2, b & 3
            if placed[piece] >= 0 or at[square] >= 0:
                if placed[piece] != b:
                    return False
                continue
            if not fits[piece, b]:
                return False
            placed[piece], at[square] = b, 4 * piece + turns
            trail[0, sizes[0]] = piece
            sizes[0] += 1
            for side in range(4):
                other, dart = beside[square, side], 4 * piece + ((side - turns) & 3)
                if other < 0:
                    continue
                if at[other] >= 0:
                    facing = (at[other] & ~3) | ((side + 2 - at[other]) & 3)
                    work[size] = 0, dart, facing
                    size += 1
                elif mate[dart] >= 0:
                    work[size] = 1, mate[dart] >> 2, 4 * other + ((side + 2 - mate[dart]) & 3)
                    size += 1
            continue
        if mate[a] == b:
            continue
        if not joins(a, b, board, mate, trail, sizes):
            return False
        work[size] = 0, first[a], first[b]
        size += 1
        for _ in range(2):
            a, b = b, a
            if not closes(a, b, first, mate, forced):
                return False
            if forced[0] >= 0:
                work[size] = 0, forced[0], forced[1]
                size += 1
            place = placed[a >> 2]
            if place >= 0:
                side = (a + place) & 3
                if beside[place >> 2, side] < 0:
                    return False
                work[size] = 1, b >> 2, 4 * beside[place >> 2, side] + ((side + 2 - b) & 3)
                size += 1
    return True


@njit(cache=True, nogil=True)
def undo(laid, joined, at, placed, mate, trail, sizes):
    """Take back all but the given numbers of pieces and joins."""
    while sizes[0] > laid:
        sizes[0] -= 1
        piece = trail[0, sizes[0]]
        at[placed[piece] >> 2] = placed[piece] = -1
    while sizes[1] > joined:
        sizes[1] -= 1
        dart = trail[1, sizes[1]]
        mate[mate[dart]] = mate[dart] = -1


@njit(cache=True, nogil=True)
def may_lie(piece, place, board, at, placed, mate):
    """A quick test: whether the joins of a piece at a place and those of the same connectors contradict nothing."""
    beside, first, fits = board
    square, turns = place >> 2, place & 3
    for side in range(4):
        other, a = beside[square, side], 4 * piece + ((side - turns) & 3)
        if other < 0:
            continue
        if at[other] < 0:
            b = mate[a]
            if b >= 0 and (placed[b >> 2] >= 0 or not fits[b >> 2, 4 * other + ((side + 2 - b) & 3)]):
                return False
            continue
        b = (at[other] & ~3) | ((side + 2 - at[other]) & 3)
        c, d = first[a], first[b]
        if mate[a] >= 0 or mate[b] >= 0 or c == b or c >> 2 == d >> 2:
            return False
        if (mate[c] >= 0 or mate[d] >= 0) and mate[c] != d:
            return False
        if placed[d >> 2] >= 0:
            c, d = d, c
        there = placed[c >> 2]
        if there >= 0:
            side_there = (c + there) & 3
            near = beside[there >> 2, side_there]
            if near < 0:
                return False
            wanted = 4 * near + ((side_there + 2 - d) & 3)
            if d >> 2 == piece:
                if wanted != place:
                    return False
            elif placed[d >> 2] >= 0:
                if placed[d >> 2] != wanted:
                    return False
            elif at[near] >= 0 or not fits[d >> 2, wanted]:
                return False
    return True


@njit(cache=True, nogil=True)
def choose(order, ahead, board, at, placed, mate, found, some):
    """Of the first open squares in the order, at most `ahead`, the one with the fewest candidates; they are in `found`.

    Returns the square, -1 if none is open, and their number.
    """
    beside, _, fits = board
    best, fewest, seen = -1, 4 * len(at) + 1, 0
    for square in order:
        if at[square] >= 0:
            continue
        near = False
        for other in beside[square]:
            near |= other >= 0 and at[other] >= 0
        if not near:
            continue
        number = 0
        for piece in range(len(placed)):
            if placed[piece] >= 0:
                continue
            for turns in range(4):
                place = 4 * square + turns
                if fits[piece, place] and number < fewest and may_lie(piece, place, board, at, placed, mate):
                    some[number] = 4 * piece + turns
                    number += 1
        if number < fewest:
            best, fewest = square, number
            found[:number] = some[:number]
        seen += 1
        if seen == ahead or not number:
            break
    return best, fewest


@njit(cache=True, nogil=True)
def search(begun, order, ahead, board, counts, found):
    """For each board of `begun` count the ways to fill the squares of `order`, and write as many as there is room for.

    Returns the number of nodes.
    """
    squares = begun.shape[1]
    at, placed, mate = np.full(squares, -1), np.full(squares, -1), np.full(4 * squares, -1)
    trail, sizes, work = (
        np.empty((2, 4 * squares), np.int64),
        np.zeros(2, np.int64),
        np.empty((64 * squares, 3), np.int64),
    )
    candidates, some = np.empty((squares + 1, 4 * squares + 1), np.int64), np.empty(4 * squares + 1, np.int64)
    number, square, next_one = np.zeros((3, squares + 1), np.int64)
    marks, total, nodes = np.zeros((squares + 1, 2), np.int64), 0, 0
    for which in range(len(begun)):
        possible = True
        for there in range(squares):
            value = begun[which, there]
            if possible and value >= 0:
                possible = propagate(value >> 2, 4 * there + (value & 3), board, at, placed, mate, trail, sizes, work)
        depth, fresh = 0, True
        while possible and depth >= 0:
            if fresh:
                nodes += 1
                square[depth], number[depth] = choose(order, ahead, board, at, placed, mate, candidates[depth], some)
                next_one[depth], fresh = 0, False
                marks[depth] = sizes
                if square[depth] < 0:
                    if total < len(found):
                        found[total] = at
                    total += 1
                    counts[which] += 1
                    number[depth] = 0
            if next_one[depth] == number[depth]:
                depth -= 1
            else:
                value = candidates[depth, next_one[depth]]
                next_one[depth] += 1
                place = 4 * square[depth] + (value & 3)
                if propagate(value >> 2, place, board, at, placed, mate, trail, sizes, work):
                    depth += 1
                    fresh = True
                    continue
            if depth >= 0:
                undo(marks[depth, 0], marks[depth, 1], at, placed, mate, trail, sizes)
        undo(0, 0, at, placed, mate, trail, sizes)
    return nodes
