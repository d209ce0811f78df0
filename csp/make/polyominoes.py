"""Polyominoes of a number of cells as a puzzle: all of them fill a target once."""

from collections.abc import Iterable
from typing import Literal

from ..base.errors import PuzzleError, UsageError
from ..puzzles.cells import cells_in_rows, rows_of
from ..puzzles.dissection import DissectionPuzzle

#: Which polyominoes are the same: with turns and reflections, with turns only, or none but equal ones.
Kind = Literal["free", "one-sided", "fixed"]
#: The largest number of cells; there are 369 free polyominoes of 8.
MOST_CELLS = 8
_NAMES = {
    1: "monomino", 2: "domino", 3: "trominoes", 4: "tetrominoes", 5: "pentominoes", 6: "hexominoes", 7: "heptominoes",
    8: "octominoes",
}  # fmt: skip

_Cells = frozenset[tuple[int, int]]


def polyominoes(cells: int, kind: Kind = "free") -> list[list[str]]:
    """All polyominoes of a number of cells, as rows, in a fixed order; those that are not simple polygons, too.

    >>> len(polyominoes(5)), len(polyominoes(5, "one-sided")), len(polyominoes(5, "fixed"))
    (12, 18, 63)
    """
    found: set[_Cells] = {frozenset([(0, 0)])}
    for _ in range(cells - 1):
        found = {_in_corner({*one, new}) for one in found for new in _beside(one)}
    least = {min(_images(one, kind), key=sorted) for one in found}
    return [rows_of(one) for one in sorted(least, key=sorted)]


def polyominoes_puzzle(
    cells: int, target: str | Iterable[str], *, one_sided: bool = False, fixed: bool = False, name: str | None = None
) -> DissectionPuzzle:
    """The puzzle of `jigsat.make_polyominoes`; parameters and errors are those of this function."""
    if not 1 <= cells <= MOST_CELLS:
        raise UsageError(f"must lie between 1 and {MOST_CELLS}, not {cells}", "cells")
    if one_sided and fixed:
        raise UsageError("a fixed piece is one-sided, too; give one of both", "one_sided", "fixed")
    rows, size = _target(target)
    kind: Kind = "fixed" if fixed else "one-sided" if one_sided else "free"
    pieces = polyominoes(cells, kind)
    every = tuple(range(len(pieces)))
    try:
        return DissectionPuzzle(
            tuple(rows),
            tuple(map(tuple, pieces)),
            cells="squares",
            name=name or f"{'' if kind == 'free' else f'{kind} '}{_NAMES[cells]} in {size}",
            source=f"the {len(pieces)} {kind} polyominoes of {cells} cells",
            no_flip=() if kind == "free" else every,
            no_turn=every if kind == "fixed" else (),
        )
    except PuzzleError as error:
        raise UsageError(str(error), "target") from error


def _target(given: str | Iterable[str]) -> tuple[list[str], str]:
    """The rows of a target that is given as a size or as rows, and its name."""
    if isinstance(given, str):
        height, by, width = given.partition("x")
        if not (by and height.isascii() and height.isdigit() and width.isascii() and width.isdigit()):
            raise UsageError(f"{given!r} is not rows x columns, such as 6x10", "target")
        if not (1 <= int(height) <= 1000 and 1 <= int(width) <= 1000):
            raise UsageError(f"{given}: rows and columns must lie between 1 and 1000", "target")
        return ["#" * int(width)] * int(height), given
    rows = list(given)
    try:
        return rows, f"{len(cells_in_rows(rows, 'target'))} cells"
    except PuzzleError as error:
        raise UsageError(str(error), "target") from error


def _beside(cells: _Cells) -> set[tuple[int, int]]:
    """The cells that share a side with some of these."""
    around = {(i + di, j + dj) for i, j in cells for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    return around - cells


def _in_corner(cells: Iterable[tuple[int, int]]) -> _Cells:
    """The cells moved to the first row and the first column."""
    there = list(cells)
    top, left = min(i for i, _ in there), min(j for _, j in there)
    return frozenset((i - top, j - left) for i, j in there)


def _images(cells: _Cells, kind: Kind) -> list[_Cells]:
    """The polyominoes that are the same."""
    images = [cells]
    if kind != "fixed":
        for _ in range(3):
            images.append(_in_corner((j, -i) for i, j in images[-1]))
    return images if kind != "free" else [*images, *(_in_corner((i, -j) for i, j in one) for one in images)]
