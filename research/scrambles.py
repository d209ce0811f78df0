"""Counts the scrambles of a board that put each connector on exactly two joins and share no join, in two ways.

Run by hand:  python research/scrambles.py --rows 4 --columns 4 [--method search|formula] [--list FILE.csv]

In the first assembly piece p lies unturned on square p.  A scramble is a second assembly of the same pieces; it is
counted here if every cycle of the two matchings of darts has two joins of either assembly (docs/theory/jigsaw_algebra.md).
Three numbers are printed:

total     second assemblies
scrambles second assemblies up to turns of the whole board: four of a square board and two of another one are the same
classes   up to turns of the first or second assembly, mirror images, and exchange of the two assemblies

A scramble and its inverse (the exchanged assemblies) are two scrambles but one class; so are mirror images.

Two methods that share no code find them:

search    squares are filled one after another (`scramble_kernel`).  With at least four rows and columns the frame is
          filled first, and only one frame of each class is completed.
formula   the models of a formula, found by a SAT solver.  With at least four rows and columns, too, first those of the
          formula of the frame, then those of the whole board with each frame as assumptions.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
from pysat.solvers import Solver

from scramble_kernel import search, tables

#: Frames that are completed at once, and the most scrambles that all of them may have.
BATCH, ROOM = 400, 2_000_000


def starts(rows, columns):
    """The squares of piece 0 in one scramble of those that are equal up to turns of the board."""
    return [0] if rows == columns else sorted({0, columns - 1 if columns < rows else (rows - 1) * columns})


# ---- symmetries


def images(rows, columns, boards):
    """For boards (some, squares), their images under turns, mirror and exchange: (images, some, squares).

    Open squares are -1; they must be the same ones as the pieces that are not laid.  The images are turned so that piece
    0 is where `starts` wants it.
    """
    squares = np.arange(rows * columns).reshape(rows, columns)
    quarters = 1 if rows == columns else 2
    onto = np.rot90(squares, quarters).ravel()  # where each square goes by a turn clockwise
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


def names(rows, columns, boards):
    """Shape (images, some): the images of each board as byte strings, which can be compared."""
    found = np.ascontiguousarray(images(rows, columns, boards).astype(">i2"))
    return found.view(f"V{2 * rows * columns}")[..., 0]


def stabilizers(rows, columns, boards):
    """How many of the symmetries leave each board the same."""
    every = images(rows, columns, boards)
    return (every == boards).all(axis=2).sum(axis=0)


def representatives(rows, columns, boards):
    """One board of each class, and how many boards its class has."""
    first, sizes = {}, {}
    for number, column in enumerate(names(rows, columns, boards).T.tolist()):
        name = min(map(bytes, column))
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
