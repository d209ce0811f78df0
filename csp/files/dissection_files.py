"""Dissections and their tilings in files: reading and writing, as `square_files` has them for squares.

Coordinates are integers, or strings that `exact_numbers.parse` reads; pieces are numbered from 1, as in all files.
"""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from math import lcm
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from ..base.errors import PuzzleError, UsageError, told_of
from ..base.strict_json import ItemNames, block, header_lines, validated
from ..geometry.exact_numbers import Number, Surd, format_number, number_of
from ..geometry.polygons import Polygon, counterclockwise
from ..puzzles.cells import is_rows, piece_entry, piece_rows
from ..puzzles.check_tiling import check_tiling
from ..puzzles.dissection import (
    MAX_PIECES,
    DissectionPuzzle,
    Motions,
    PuzzleTiling,
    Tiling,
    exact_tiling,
    has_parts,
    parts_of,
    tiling_of,
)

if TYPE_CHECKING:
    from .schemas import DissectionFile, PieceEntry, PlacedPiece

# The largest common denominator of all coordinates and of all factors of roots in them.
_FINEST = 10**18
_XY = ("x", "y")
# The largest number of characters of a tiling.
_MOST_TILING = 2**20 + 2**16
#: The formats of puzzles and of tilings.
FORMATS = ("json",)
#: What errors call a solution.
SOLUTION = "a tiling"

ITEM_NAMES: ItemNames = {
    "holes": ("hole", "vertex", _XY),
    "cells": ("row",),
    "labels": ("labels, row", "label"),
    "pieces": ("piece", "vertex", _XY),
    "solutions": ("solution", "entry"),
    "vertices": ("vertex", _XY),
}


def item_names(data: Any) -> ItemNames:
    """What errors call the items of fields in these data."""
    in_parts = isinstance(data, dict) and has_parts(data.get("target"))
    return {**ITEM_NAMES, "target": ("target, part" if in_parts else ("target",), "vertex", _XY)}


def plain(data: dict[str, Any]) -> Any:
    """The file that validation returns for data that are known to be right."""
    usual = {
        "source": "", "motions": None, "cells": None, "turn": True, "flip": True, "spare": False, "leave": False,
        "labels": (), "known": {}, "holes": (),
    }  # fmt: skip
    entries = [
        SimpleNamespace(**{"copies": 1, "turn": None, "flip": None, "spare": None, **entry}, model_fields_set={*entry})
        for entry in map(piece_entry, data["pieces"])
    ]
    target = data["target"] if is_rows(data["target"]) else list(parts_of(data["target"]))
    return SimpleNamespace(**{**usual, **data, "target": target, "pieces": entries})


def puzzle_from(file: "DissectionFile", known: dict[str, Any], label: str, told: Any) -> DissectionPuzzle:
    """The puzzle in a file that was validated; it has no sides that could be read in another order."""
    for option in ("sides", "border"):
        if getattr(told, option, None) is not None:
            raise UsageError("is for square pieces with colours, but this is a dissection", option)
    target: Any = tuple(file.target) if is_rows(file.target) else tuple(map(_points, file.target))
    if is_rows(target) != (file.cells is not None):
        fault = "has rows of cells" if file.cells is None else 'must be rows of "#" and "."'
        raise PuzzleError(f'target: {fault}; only with "cells", such as "cells": "squares", it is in rows')
    holes = tuple(map(_points, file.holes))
    if holes and file.cells:
        raise PuzzleError('holes: leave them out; a cell that no piece may cover is a "." in the target\'s rows')
    if sum(piece.copies for piece in file.pieces) > MAX_PIECES:
        raise PuzzleError(f"pieces: more than {MAX_PIECES}, with all copies")
    shapes = [_shape(piece, number, file.cells) for number, piece in enumerate(file.pieces, start=1)]
    outlines = (*holes, *shapes) if file.cells else (*target, *holes, *shapes)
    _refuse_fine_lattice(*(shape for shape in outlines if not is_rows(shape)))
    entries = [entry for entry in zip(shapes, file.pieces, strict=True) for _ in range(entry[1].copies)]

    def those(name: str, wanted: bool) -> tuple[int, ...]:
        usual = getattr(file, name)
        given = (getattr(piece, name) for _, piece in entries)
        return tuple(number for number, own in enumerate(given) if (usual if own is None else own) == wanted)

    return DissectionPuzzle(
        target=target,
        pieces=tuple(shape for shape, _ in entries),
        motions=cast(Motions, file.motions),
        name=file.name,
        source=file.source,
        known=known,
        no_flip=those("flip", False),
        holes=holes,
        no_turn=those("turn", False),
        spare=those("spare", True),
        cells=file.cells or "",
        leave=file.leave if isinstance(file.leave, bool) else tuple(file.leave),
        labels=tuple(map(tuple, file.labels)),
    )


def _shape(piece: "PieceEntry", number: int, cells: str | None) -> Any:
    """The vertices or the rows of a piece; raises PuzzleError if there are not either of them."""
    given = piece.model_fields_set & {"vertices", "cells"}
    if len(given) != 1:
        words = "both vertices and cells" if given else "neither vertices nor cells"
        raise PuzzleError(f"piece {number}: has {words}")
    if "vertices" in given:
        return _points(piece.vertices)
    if cells is None:
        raise PuzzleError(f'piece {number}: has rows of cells, but the puzzle has no "cells", such as "squares"')
    return tuple(piece.cells) or ("",)


def _refuse_fine_lattice(*polygons: Polygon) -> None:
    """Raise an error if the common denominator is too large; it could have thousands of digits."""
    scale = 1
    for c in (c for polygon in polygons for point in polygon for c in point):
        coefficients = (factor for _, factor in c.terms) if isinstance(c, Surd) else (c,)
        scale = lcm(scale, *(factor.denominator for factor in coefficients))
        if scale > _FINEST:
            raise PuzzleError("the common denominator of the coordinates is larger than 10^18")


def lines(puzzle: DissectionPuzzle) -> list[str]:
    """The lines of an instance file after those of name and source, one piece per line."""
    pieces = range(len(puzzle.pieces))
    special = {"turn": puzzle.no_turn, "flip": puzzle.no_flip, "spare": puzzle.spare}
    of_all = {name: name == "spare" for name, some in special.items() if len(some) == len(pieces)}
    head: dict[str, Any] = {"cells": puzzle.cells} if puzzle.cells else {}
    if not puzzle.cells or puzzle.motions is not Motions.LATTICE:
        head["motions"] = puzzle.motions
    head |= of_all
    if puzzle.leave:
        head["leave"] = puzzle.leave
    if puzzle.known:
        head["known"] = dict(puzzle.known)
    if not puzzle.cells:
        head["target"] = shown_target(puzzle)
        if puzzle.holes:
            head["holes"] = list(map(vertices, puzzle.holes))
    found = header_lines(head)
    if puzzle.labels:
        found.append(block("labels", [json.dumps(row, ensure_ascii=False) for row in puzzle.labels]) + ",")
    if puzzle.cells:
        found.append(block("target", list(map(json.dumps, puzzle.rows))) + ",")
    entries: list[Any] = []
    for piece in pieces:
        shape = piece_rows(puzzle.cells, puzzle.pieces[piece]) if puzzle.cells else vertices(puzzle.pieces[piece])
        own = {name: name == "spare" for name, some in special.items() if name not in of_all and piece in some}
        entries.append(({"cells" if puzzle.cells else "vertices": shape}, own))
    # Polygons are written one by one, as they always were.
    groups = groupby(entries) if puzzle.cells else ((entry, (entry,)) for entry in entries)
    texts = []
    for (shape, own), group in groups:
        copies = len(list(group))
        entry = {**shape, **({"copies": copies} if copies > 1 else {}), **own}
        texts.append(json.dumps(entry if len(entry) > 1 else next(iter(shape.values()))))
    return [*found, block("pieces", texts)]


def essence(puzzle: DissectionPuzzle) -> dict[str, Any]:
    """What defines the puzzle: the target, its holes, the pieces, and those that must not be turned over."""
    found: dict[str, Any] = {
        "kind": puzzle.kind,
        "target": shown_target(puzzle),
        "pieces": [vertices(piece) for piece in puzzle.pieces],
    }
    if puzzle.no_flip:
        found["no_flip"] = [piece + 1 for piece in puzzle.no_flip]
    if puzzle.holes:
        found["holes"] = list(map(vertices, puzzle.holes))
    for name in ("no_turn", "spare"):
        if getattr(puzzle, name):
            found[name] = [piece + 1 for piece in getattr(puzzle, name)]
    if puzzle.leave is True:
        found["gaps"] = puzzle.cells
    return found


def placed_pieces(tiling: Tiling) -> list[dict[str, Any]]:
    """A tiling in the form of files and records, pieces from 1; those that are left over are not in it."""
    return [
        {"piece": piece, "vertices": vertices(polygon)}
        for piece, polygon in enumerate(tiling, start=1)
        if polygon is not None
    ]


def shown_target(puzzle: DissectionPuzzle) -> Any:
    """The target in the form of files: its vertices, or a list of those of its parts."""
    parts = list(map(vertices, puzzle.parts))
    return parts if len(parts) > 1 else parts[0]


@lru_cache(maxsize=2**16)
def vertices(polygon: Polygon) -> tuple[tuple[int | str, int | str], ...]:
    """A polygon in the form of files."""
    return tuple((shown(x), shown(y)) for x, y in polygon)


def polygon_of(points: list[Any], label: str) -> Polygon:
    """A polygon from vertices that were validated; `label` names the file in errors.

    Raises InstanceError if a coordinate is not a number.
    """
    with told_of(label):
        return _points(points)


def solution_data(puzzle: DissectionPuzzle) -> Callable[[Any], list[Any]]:
    """The function that converts a tiling to the data of files and records."""
    return placed_pieces


def most_of_entry(puzzle: DissectionPuzzle) -> int:
    """The largest number of characters of a tiling in a file."""
    return _MOST_TILING


def solution_reader(puzzle: DissectionPuzzle, label: str) -> Callable[..., PuzzleTiling]:
    """A function that reads an entry of a solution file, given its number; `label` names the file in errors.

    The function raises InstanceError if the entry is no tiling, or a piece is missing, unknown, or repeated.
    """
    head = {"format": "jigsat-solution/1", "instance": "", "sha256": "0" * 64}

    def read(entry: Any, number: int, plain: bool = False) -> PuzzleTiling:
        from .schemas import TilingFile

        what = f"solution {number}"
        names: ItemNames = {**ITEM_NAMES, "solutions": ((what,), "entry")}
        (placed,) = validated(TilingFile, {**head, "solutions": [entry]}, label, names).solutions
        with told_of(label):
            return tiling_of(puzzle, _tiling(placed, puzzle, what))

    return read


#: A tiling from any sequence.
exact_solution = exact_tiling


def is_one(puzzle: DissectionPuzzle, items: list[Any]) -> bool:
    """Whether these are the polygons of a tiling, and not several tilings.

    Raises LookupError or TypeError if they are something else, such as texts or empty lists.
    """
    if all(item is None for item in items):
        # No piece is laid; a single None is what a search without success has found.
        return len(items) == len(puzzle.pieces) and (puzzle.leave is True or len(items) > 1)
    firsts = [item[0] for item in items if item is not None]
    if any(isinstance(first, str) for first in firsts):
        raise TypeError
    return bool(firsts) and not hasattr(firsts[0][0], "__len__")


def own_solutions(puzzle: DissectionPuzzle) -> Sequence[Tiling]:
    """The pieces as they lie in their file, if they tile the target."""
    return (puzzle.pieces,) if check_tiling(puzzle, puzzle.pieces).is_solution else ()


def numbering(other: DissectionPuzzle, puzzle: DissectionPuzzle) -> None:
    """Pieces of dissections are not recognised under other numbers."""


def _tiling(placed: "list[PlacedPiece]", puzzle: DissectionPuzzle, what: str) -> Tiling:
    pieces = len(puzzle.pieces)
    polygons: dict[int, Polygon] = {}
    for entry in placed:
        if entry.piece > pieces:
            none = f"there is no piece {entry.piece}; pieces are numbered 1 to {pieces}"
            raise PuzzleError(f"{what}: {none}")
        if entry.piece in polygons:
            raise PuzzleError(f"{what}: piece {entry.piece} is given twice")
        polygons[entry.piece] = _placement(tuple(map(tuple, entry.vertices)))
    for piece in range(1, pieces + 1):
        if piece not in polygons and piece - 1 not in puzzle.spare:
            raise PuzzleError(f"{what}: piece {piece} is missing")
    return tuple(polygons.get(piece) for piece in range(1, pieces + 1))


# Thousands of tilings share placements.
@lru_cache(maxsize=2**16)
def _placement(points: tuple[tuple[int | str, ...], ...]) -> Polygon:
    return counterclockwise(_points(points))


def _points(points: Any) -> Polygon:
    return tuple((number_of(x), number_of(y)) for x, y in points)


def shown(number: Number) -> int | str:
    """A number in the form of files: an integer, or else a string."""
    if isinstance(number, Surd) or number.denominator != 1:
        return format_number(number)
    return int(number)
