"""The brute force in C: what ``boards.c`` and ``tilings.c`` find, for Python.

They are compiled at the first use, by the compiler in the environment variable ``CC`` or else ``cc``.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

_TOO_MUCH, _LEAVES, _NO_BOARD = -1, -2, -3


class TooMuch(Exception):  # noqa: N818 - a signal for the tests, not an error
    """The puzzle has too many solutions, or takes too many steps, for a brute force."""


class NoCompilerError(Exception):
    """There is no compiler."""


def compiler():
    """The path of the C compiler, None without one."""
    return shutil.which(os.environ.get("CC", "cc"))


@cache
def library(name):
    """A compiled source of this folder.

    Raises
    ------
    NoCompilerError
        If there is no compiler.
    """
    if compiler() is None:
        name = os.environ.get("CC", "cc")
        raise NoCompilerError(f"there is no C compiler {name!r}: install gcc or clang, or name one in CC")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{name}.so"
        source = Path(__file__).with_name(f"{name}.c")
        subprocess.run([compiler(), "-std=c11", "-O2", "-shared", "-fPIC", "-o", made, source], check=True)
        return ctypes.CDLL(made)


def _ints(values):
    return np.ascontiguousarray(values, dtype=np.int32)


def _at(array):
    return ctypes.c_void_p(array.ctypes.data)


class Boards(NamedTuple):
    """The full boards of a puzzle, each ``(piece, rotation)`` by square; the orbit of each; the fillings by depth."""

    solutions: list
    orbits: list
    nodes: tuple


def _terms(puzzle):
    signed = int(puzzle.kind == "jigsaw")
    head = _ints([puzzle.rows, puzzle.columns, signed, len(puzzle.pieces)])
    pinned = np.full(puzzle.rows * puzzle.columns, -1, np.int32)
    for square, piece, rotation in puzzle.fixed:
        pinned[square] = 4 * piece + rotation
    return head, _ints(puzzle.pieces), pinned


def _allowed(squares, *arrays):
    return _ints([sum(depth <= placed for depth in array) for array in arrays for placed in range(1, squares + 1)])


def row_by_row(puzzle):
    """The fixed squares first, then row by row."""
    fixed = [square for square, _, _ in puzzle.fixed]
    return (*fixed, *(square for square in range(puzzle.rows * puzzle.columns) if square not in fixed))


def boards(puzzle, order=None, slips=(), frame_slips=(), *, turns=None, most=2_000, steps=200_000):
    """All full boards, along an order that begins with the fixed squares.

    `turns`: whether the board may be turned; by default, if no piece is fixed.

    Raises
    ------
    TooMuch
        If there are more than `most`, or it takes more than that many steps.
    """
    head, sides, pinned = _terms(puzzle)
    squares = len(pinned)
    order = _ints(row_by_row(puzzle) if order is None else order)
    found, nodes = np.empty((most, squares), np.int32), np.zeros(squares, np.int64)
    allowed = _allowed(squares, slips, frame_slips)
    arrays = [_at(array) for array in (head, sides, pinned, order, allowed)]
    number = library("boards").boards(*arrays, ctypes.c_long(steps), most, _at(found), _at(nodes))
    if number == _TOO_MUCH:
        raise TooMuch
    orbits = np.empty(number, np.int32)
    turnable = not puzzle.fixed and turns is not False
    made = library("boards").orbits(*arrays[:3], turnable, number, _at(found), _at(orbits))
    assert made >= 0, "a symmetry leads out of the solutions"
    solutions = [tuple(divmod(one, 4) for one in row) for row in found[:number].tolist()]
    return Boards(solutions, orbits.tolist(), tuple(nodes.tolist()))


def least_invalid(puzzle, order=None, slips=None, frame_slips=(), *, steps=3_000_000):
    """The fewest invalid joins of a full board that the slips allow, inside as many as may be by default; None without.

    Raises
    ------
    TooMuch
        If it takes too many steps.
    """
    head, sides, pinned = _terms(puzzle)
    squares = len(pinned)
    allowed = _allowed(squares, (1,) * (4 * squares) if slips is None else slips, frame_slips)
    order = _ints(row_by_row(puzzle) if order is None else order)
    arrays = [_at(array) for array in (head, sides, pinned, order, allowed)]
    least = library("boards").least_invalid(*arrays, ctypes.c_long(steps))
    if least == _TOO_MUCH:
        raise TooMuch
    return None if least == _NO_BOARD else least


class Tilings(NamedTuple):
    """The tilings of a dissection, each a polygon for each piece, and the orbit of each."""

    solutions: list
    orbits: list


def tilings(puzzle, *, most=2_000, steps=200_000):
    """All tilings by numbered pieces on the lattice of whole numbers; the target has one part.

    Raises
    ------
    TooMuch
        If there are more than `most`, or it takes more than that many steps.
    """
    assert len(puzzle.parts) == 1, "this oracle knows targets of one part"
    polygons = []
    for polygon in (*puzzle.outlines, *puzzle.pieces):
        polygons += [len(polygon), *(int(c) for point in polygon for c in point)]
    pieces = len(puzzle.pieces)
    found, orbits = np.empty((most, pieces), np.int32), np.empty(most, np.int32)
    counts, shapes = np.zeros(2, np.int32), np.empty(1024 * 33, np.int32)
    given = _ints(polygons)
    arrays = [_at(array) for array in (found, orbits, counts, shapes)]
    number = library("tilings").tilings(pieces, len(puzzle.holes), _at(given), ctypes.c_long(steps), most, *arrays)
    if number == _TOO_MUCH:
        raise TooMuch
    assert number >= 0, "a symmetry leads out of the tilings"
    left = iter(shapes.tolist())
    laid = [tuple((next(left), next(left)) for _ in range(next(left))) for _ in range(counts[1])]
    solutions = [tuple(laid[one] for one in row) for row in found[:number].tolist()]
    return Tilings(solutions, orbits[:number].tolist())
