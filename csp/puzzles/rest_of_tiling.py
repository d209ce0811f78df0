"""What is left to tile when some pieces of a dissection lie on its target."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from ..base.errors import PuzzleError
from ..geometry.cells import keys_in
from ..geometry.lattices import Lattice
from ..geometry.polygons import Polygon, counterclockwise
from ..geometry.regions import region_without
from .check_tiling import TilingChecker
from .dissection import DissectionPuzzle, Motions, Tiling


@dataclass(frozen=True, repr=False)
class _Rest(DissectionPuzzle):
    """A dissection whose pieces move on a lattice that may be finer than the coarsest one of its vertices."""

    finer: Lattice | None = None

    @cached_property
    def lattice(self) -> Lattice:
        assert self.finer is not None
        return self.finer


def rest_of_tiling(puzzle: DissectionPuzzle, tiling: Tiling) -> DissectionPuzzle | None:
    """The loose pieces, in their order, and what is left of the target; None if nothing has to be laid.

    Its tilings are exactly those of the puzzle that have the pieces of `tiling` where they are, without these.

    Parameters
    ----------
    puzzle
        The puzzle.
    tiling
        The polygon of each piece, None for those that are loose.

    Raises
    ------
    PuzzleError
        If pieces overlap, do not lie on the target or where the puzzle allows them, or leave too little of the target.

    Examples
    --------
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> rest = rest_of_tiling(puzzle, (triangle, None))
    >>> rest.target, len(rest.pieces)
    (((0, 1), (1, 0), (1, 1)), 1)
    """
    checker = TilingChecker(puzzle)
    if faults := checker(tiling, partial=True).problems:
        raise PuzzleError(faults[0])
    if checker(tiling).is_solution:
        return None
    laid = [counterclockwise(polygon) for polygon in tiling if polygon is not None]
    if not laid:
        return puzzle
    loose = [piece for piece, polygon in enumerate(tiling) if polygon is None]
    if not loose:
        raise PuzzleError("all pieces are laid, and they leave gaps")
    fields = {
        "pieces": tuple(puzzle.pieces[piece] for piece in loose),
        "known": {},
        "labels": (),
        **{
            name: tuple(number for number, piece in enumerate(loose) if piece in getattr(puzzle, name))
            for name in ("no_flip", "no_turn", "spare")
        },
    }
    if puzzle.cells:
        return replace(puzzle, **fields, **_rows_without(puzzle, laid))
    parts, holes = region_without(puzzle.parts, puzzle.holes, laid)
    if not parts:
        raise PuzzleError("nothing of the target is left for the loose pieces")
    fields |= {"target": tuple(parts), "holes": tuple(holes)}
    if puzzle.motions is Motions.ANY:
        return replace(puzzle, **fields)
    whole = {name: getattr(puzzle, name) for name in ("motions", "name", "source")}
    return _Rest(**whole, **fields, finer=puzzle.lattice)


def _rows_without(puzzle: DissectionPuzzle, laid: Iterable[Polygon]) -> dict[str, object]:
    """The fields of a target of cells without some polygons; cells keep their rows and columns."""
    board = puzzle.cell_board
    assert board is not None
    covered = {key for polygon in laid for key in keys_in(puzzle.cells, puzzle.in_lattice_units(polygon))}
    left = {cell for cell in board.cells if board.key(cell) not in covered}
    if left <= {*puzzle.free_cells}:
        raise PuzzleError("no cell is left for the loose pieces")
    rows = tuple("".join("#" if (i, j) in left else "." for j in range(len(row))) for i, row in enumerate(board.rows))
    leave = puzzle.leave is True or tuple(map(board.name, puzzle.free_cells))
    return {"target": rows, "rows": (), "holes": (), "leave": leave}
