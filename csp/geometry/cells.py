"""Cells of the plane: squares, triangles or hexagons in rows, and the polygons that are made of them.

A cell is a pair (row, column), rows from the top.  Triangles point up and down by turns: those with an even sum of row
and column point up.  Hexagons stand on a corner, and odd rows are shifted to the right by half a cell.  Squares have
sides of length 1, triangles and hexagons of length 2: so fewer coordinates are fractions.

In the basis of its lattice a cell has a *key*, the sum of its vertices: a step of the lattice adds a multiple of it.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache

from .lattices import SIXTHS, Lattice, Units
from .polygons import LATTICE_MOTIONS, edges, encloses
from .regions import outlines_of

#: A row and a column, both from 0.
Cell = tuple[int, int]

# Counter-clockwise; those of a hexagon are around its centre.
_SQUARE: Units = ((0, 0), (1, 0), (1, 1), (0, 1))
_UP: Units = ((0, 0), (1, 0), (0, 1))
_DOWN: Units = ((0, 1), (1, 0), (1, 1))
_HEXAGON: Units = ((1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))

#: The number of vertices of a cell.
CORNERS = {"squares": 4, "triangles": 3, "hexagons": 6}


@cache
def unit_lattice(kind: str) -> Lattice:
    """The lattice of the vertices of cells; that of hexagons has their centres, too."""
    one = Fraction(1), 1
    if kind == "squares":
        return Lattice(one, one, False, LATTICE_MOTIONS)
    if kind == "triangles":
        return Lattice((Fraction(2), 1), (Fraction(1), 3), True, SIXTHS)
    return Lattice((Fraction(2, 3), 3), one, True, SIXTHS)


def is_aligned(kind: str, units: Units) -> bool:
    """Whether a polygon with vertices on the lattice is made of cells; only hexagons may lie between the cells."""
    return kind != "hexagons" or all((i - j) % 3 == 0 and i % 3 for i, j in units)


def aligned(kind: str, units: Units) -> Units:
    """A polygon with the shape of cells, moved by less than a cell so that it is made of cells."""
    moves = [(i, j) for i in range(3) for j in range(3)] if kind == "hexagons" else [(0, 0)]
    return next(moved for move in moves if is_aligned(kind, moved := shifted(units, *move)))


def cell_units(kind: str, cell: Cell, height: int) -> Units:
    """The vertices of a cell in a picture of `height` rows, in units of the lattice."""
    row, column = cell
    up = height - 1 - row
    if kind == "squares":
        return shifted(_SQUARE, column, up)
    # The rows of the lattice are shifted by half a step against each other.
    across = column + (height + 1) % 2
    if kind == "triangles":
        points_up = (row + column) % 2 == 0
        i = (across - up) // 2 if points_up else (across - up - 1) // 2
        return shifted(_UP if points_up else _DOWN, i, up)
    across = 2 * column + row % 2 + (height + 1) % 2
    return shifted(_HEXAGON, 3 * (across - up) // 2, 3 * up)


def key_of(units: Units) -> tuple[int, int]:
    """The key of a cell."""
    return sum(i for i, _ in units), sum(j for _, j in units)


def keys_in(kind: str, units: Units) -> list[tuple[int, int]]:
    """The keys of the cells in a simple polygon that is made of cells."""
    number = CORNERS[kind]
    rim = tuple((i * number, j * number) for i, j in units)
    return [key for key in _keys_near(kind, units) if encloses(rim, key)]


def cells_of(kind: str, units: Units) -> list[Cell]:
    """The cells in a simple polygon that is made of cells, in the first rows and columns, in the order of rows."""
    return placed_cells(kind, keys_in(kind, units))


def placed_cells(kind: str, keys: Iterable[tuple[int, int]]) -> list[Cell]:
    """The cells with these keys, moved to the first rows and columns; triangles that point up still do so."""
    raw = list(map(_BY_KEY[kind], keys))
    top, left = min(row for row, _ in raw), min(column for _, column in raw)
    if kind == "triangles":
        # The sum of row and column stays even for those that point up.
        left -= (top + left) % 2
    elif kind == "hexagons":
        # Half steps, of which those in odd rows begin with one.
        halves = [(row - top, column - top % 2 - (row - top) % 2) for row, column in raw]
        left = min(column for _, column in halves)
        return sorted((row, (column - left) // 2) for row, column in halves)
    return sorted((row - top, column - left) for row, column in raw)


# The row and the column of a key, from any ones on; for hexagons, two columns are one step.
_BY_KEY: dict[str, Callable[[tuple[int, int]], Cell]] = {
    "squares": lambda key: (-(key[1] // 4), key[0] // 4),
    # A triangle that points down begins where the upper row of the lattice does, half a step to the right.
    "triangles": lambda key: (-(key[1] // 3), 2 * (key[0] // 3) + key[1] // 3 + key[0] % 3 // 2),
    "hexagons": lambda key: (-(key[1] // 18), 2 * (key[0] // 18) + key[1] // 18),
}


def outlines(kind: str, cells: Iterable[Cell], height: int) -> tuple[list[Units], list[Units]]:
    """The polygons around cells of a picture of `height` rows, and the holes, in units of the lattice."""
    return outlines_of(side for cell in cells for side in edges(cell_units(kind, cell, height)))  # pyright: ignore[reportReturnType]


def shifted(units: Units, i: int, j: int) -> Units:
    """A polygon moved by a vector of the lattice."""
    return tuple((x + i, y + j) for x, y in units)


def _keys_near(kind: str, units: Units) -> Iterator[tuple[int, int]]:
    """The keys of all cells in the box of a polygon in the basis of the lattice."""
    left, bottom = min(i for i, _ in units), min(j for _, j in units)
    right, top = max(i for i, _ in units), max(j for _, j in units)
    for i in range(left, right + 1):
        for j in range(bottom, top + 1):
            if kind == "squares":
                yield 4 * i + 2, 4 * j + 2
            elif kind == "triangles":
                yield 3 * i + 1, 3 * j + 1
                yield 3 * i + 2, 3 * j + 2
            elif i % 3 == j % 3 == 0:
                yield 6 * i, 6 * j
