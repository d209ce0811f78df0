"""A target and pieces that are given as rows of cells: their polygons, the names of cells, and cells that stay free."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..base.errors import PuzzleError, plural, shortened, suggestion
from ..geometry.cells import CORNERS, Cell, cell_units, cells_of, is_aligned, key_of, outlines, unit_lattice
from ..geometry.lattices import Units
from ..geometry.polygons import Polygon, counterclockwise
from .board import letters

#: The kinds of cells.
KINDS = tuple(CORNERS)
#: The largest number of rows, and of cells in a row.
MOST_CELLS = 1000
_THERE, _NOT_THERE = "#", "."


def is_rows(given: Any) -> bool:
    """Whether something is given as rows of text, and not as points."""
    return isinstance(given, list | tuple) and len(given) > 0 and isinstance(given[0], str)


def piece_entry(given: Any) -> Any:
    """A piece as a mapping: its rows begin with a text, its vertices with a list."""
    if isinstance(given, dict):
        return given
    return {"cells" if is_rows(given) else "vertices": given}


def cells_in_rows(rows: Any, what: str) -> list[Cell]:
    """The cells of a picture such as ``["##", ".#"]``; raises PuzzleError if it is something else, or is empty."""
    if not (isinstance(rows, list | tuple) and rows and all(isinstance(row, str) for row in rows)):
        raise PuzzleError(f'{what}: must be rows of "#" and ".", such as ["##", ".#"]')
    if len(rows) > MOST_CELLS or max(map(len, rows)) > MOST_CELLS:
        raise PuzzleError(f"{what}: at most {MOST_CELLS} rows of {MOST_CELLS} cells are possible")
    for number, row in enumerate(rows, start=1):
        other = row.strip(_THERE + _NOT_THERE)
        if other:
            raise PuzzleError(f'{what}: row {number}: a cell is "#" or ".", not {shortened(other[0])!r}')
    cells = [(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == _THERE]
    if not cells:
        raise PuzzleError(f"{what}: has no cell")
    return cells


def rows_of(cells: Iterable[Cell]) -> list[str]:
    """The picture of cells, as short as possible below and on the right."""
    there = set(cells)
    height, width = (max(one[axis] for one in there) + 1 for axis in (0, 1))
    return ["".join(_THERE if (i, j) in there else _NOT_THERE for j in range(width)) for i in range(height)]


def piece_polygon(kind: str, rows: Any, what: str) -> Polygon:
    """The polygon around the cells of a piece; raises PuzzleError if there is not exactly one, without a hole."""
    parts, holes = outlines(kind, cells_in_rows(rows, what), len(rows))
    if len(parts) > 1 or holes:
        fault = "has a hole" if len(parts) == 1 else "is in several parts, or holds together in a corner only"
        raise PuzzleError(f"{what}: {fault}; the cells of a piece must be connected by their sides and leave no hole")
    return counterclockwise(unit_lattice(kind).polygon(parts[0]))


def piece_rows(kind: str, polygon: Polygon) -> list[str]:
    """The rows of a piece."""
    return rows_of(cells_of(kind, unit_lattice(kind).units(polygon)))


def refuse_other_polygon(kind: str, polygon: Polygon, what: str) -> None:
    """Raise PuzzleError if a polygon is not made of cells."""
    lattice = unit_lattice(kind)
    units = lattice.units(polygon)
    if lattice.polygon(units) != polygon or not is_aligned(kind, units):
        raise PuzzleError(f"{what}: is not made of {kind}; give its cells as rows")


@dataclass(frozen=True)
class CellBoard:
    """A target that is made of cells, in rows.

    - `kind`: squares, triangles or hexagons.
    - `rows`: a picture of `#` and `.`.
    - `labels`: names of cells, as rows of texts; None for a cell without a name.

    Raises PuzzleError if something is invalid.

    >>> board = CellBoard("squares", ("##", "##"), (("Jan", "Feb"), ("1", None)))
    >>> board.cells_named("Feb, B1"), board.name((1, 1))
    (((0, 1), (1, 0)), 'B2')
    """

    kind: str
    rows: tuple[str, ...]
    labels: tuple[tuple[str | None, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise PuzzleError(f"unknown cells {shortened(str(self.kind))}; choose from {', '.join(KINDS)}")
        there = set(self.cells)
        found: dict[str, Cell] = {}
        for i, row in enumerate(self.labels):
            for j, label in enumerate(row):
                if label is None:
                    continue
                if (i, j) not in there:
                    what = f"labels: {label!r} stands where the target has no cell, at {self.name((i, j))}"
                    raise PuzzleError(f"{what}; give null there")
                if label in found:
                    both = f"{self.name(found[label])} and {self.name((i, j))}"
                    raise PuzzleError(f"labels: {label!r} is given to two cells, {both}")
                found[label] = i, j

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells in reading order."""
        return tuple(cells_in_rows(self.rows, "target"))

    def name(self, cell: Cell) -> str:
        """The name of a cell: the letter of its row and the number of its column."""
        return f"{letters(cell[0])}{cell[1] + 1}"

    def label(self, cell: Cell) -> str | None:
        """The label of a cell."""
        row, column = cell
        return self.labels[row][column] if row < len(self.labels) and column < len(self.labels[row]) else None

    @cached_property
    def _by_name(self) -> dict[str, Cell]:
        """The cells by their names and labels; labels come first."""
        names = {self.name(cell): cell for cell in self.cells}
        return names | {label: cell for cell in self.cells if (label := self.label(cell)) is not None}

    def cells_named(self, given: str | Iterable[str]) -> tuple[Cell, ...]:
        """The cells with these labels or names: a list, or a text with blanks or commas between them.

        Raises PuzzleError if there is no such cell, or one is given twice.
        """
        if isinstance(given, str):
            # Labels may have blanks: then the whole text, or what stands between commas, is one.
            given = [given] if given in self._by_name else self._split(given)
        found: list[Cell] = []
        for name in given:
            cell = self._by_name.get(name) if isinstance(name, str) else None
            if cell is None:
                hint = suggestion(str(name), list(self._by_name))
                names = "cells have the names A1 (top left), A2, ..., B1, ..."
                labels = ", or their labels" if self.labels else ""
                raise PuzzleError(f"there is no cell {shortened(repr(name))}{hint}; {names}{labels}")
            if cell in found:
                raise PuzzleError(f"cell {shortened(repr(name))} is given twice")
            found.append(cell)
        return tuple(found)

    def _split(self, text: str) -> list[str]:
        parts = [part.strip() for part in text.split(",")]
        return [word for part in parts for word in ([part] if part in self._by_name else part.split())]

    def outlines(self, free: Iterable[Cell] = ()) -> tuple[tuple[Polygon, ...], tuple[Polygon, ...]]:
        """The parts and the holes of the target without some cells; raises PuzzleError if no cell is left."""
        left = set(self.cells).difference(free)
        if not left:
            raise PuzzleError(f"leave: none of {plural(len(self.cells), 'cell', str)} would be left to cover")
        lattice = unit_lattice(self.kind)
        parts, holes = outlines(self.kind, left, len(self.rows))
        return tuple(
            tuple(sorted(counterclockwise(lattice.polygon(units)) for units in polygons)) for polygons in (parts, holes)
        )  # pyright: ignore[reportReturnType]

    def units(self, cell: Cell) -> Units:
        """The vertices of a cell in units of the lattice."""
        return cell_units(self.kind, cell, len(self.rows))

    def key(self, cell: Cell) -> tuple[int, int]:
        """The key of a cell, see `geometry.cells`."""
        return key_of(self.units(cell))

    def polygon(self, cell: Cell) -> Polygon:
        """The polygon of a cell."""
        return counterclockwise(unit_lattice(self.kind).polygon(self.units(cell)))


def label_rows(given: Sequence[Sequence[str | None]]) -> tuple[tuple[str | None, ...], ...]:
    """Labels in the form of `CellBoard`; raises PuzzleError if they are not rows of texts."""
    for row in given:
        if isinstance(row, str) or not all(label is None or (isinstance(label, str) and label) for label in row):
            raise PuzzleError(
                'labels: must be rows of texts, or null for a cell without a label: [["Jan", "Feb", null]]'
            )
    return tuple(map(tuple, given))
