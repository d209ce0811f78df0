"""Drawings on squared or triangular paper, as the editor of the studio has them: as SVG, and of a dissection.

A point of the paper is [i, j]: steps to the right, and down; on triangular paper down at 60 degrees to the right.
"""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..base.errors import InstanceError, PuzzleError
from ..geometry.lattices import Lattice
from ..geometry.polygons import Polygon
from ..puzzles.check_tiling import check_tiling
from ..puzzles.dissection import DissectionPuzzle

#: The names of pieces, in order.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#: The length of a step in the SVG: a square, or a triangle, has the area 1.
STEPS = {"squares": 1.0, "triangles": 2 / sqrt(sqrt(3))}
# The largest coordinate that is read, the widest paper that is drawn, and the longest text that is kept.
_LARGEST, _WIDEST, _LONGEST = 1000, 60, 200_000
# The paper is as wide as this at least, without its margin.
_WIDTH = 14

_Point = Annotated[list[Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]], Field(min_length=2, max_length=2)]
_Corners = Annotated[list[_Point], Field(min_length=3, max_length=500)]
_Steps = list[list[int]]


class PaperDrawing(BaseModel):
    """What is drawn: polygons of points of the paper."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    paper: Literal["squares", "triangles"]
    #: By their letters.
    pieces: Annotated[dict[Annotated[str, Field(pattern="^[A-Za-z]$")], _Corners], Field(max_length=len(LETTERS))]
    #: None if it is the union of the pieces.
    target: _Corners | None
    no_flip: bool
    #: What distinguishes this drawing, also after changes, from others.
    mark: Annotated[str, Field(pattern="^[0-9a-z]{8,40}$")]

    @classmethod
    def read(cls, given: Any, kept: Any = "") -> "PaperDrawing":
        """The drawing in JSON values from elsewhere, with a text that is kept with it.

        Raises InstanceError if they are something else, or too large.
        """
        try:
            if not isinstance(kept, str) or len(kept) > _LONGEST:
                raise ValueError
            return cls.model_validate(given)
        except ValueError as error:  # also those of pydantic
            raise InstanceError("This drawing is too large, or is no drawing.") from error

    def may_take(self, files: Sequence[Path]) -> bool:
        """Whether files are free for an SVG, the puzzle that is made of it, and others.

        They are if none of them is there, or if they hold an earlier state of this drawing.
        """
        drawn, made = (path.read_text("utf-8", "replace") if path.is_file() else "" for path in files[:2])
        is_own = f'data-drawing="{self.mark}"' in drawn and (not made or f'"drawn in {files[0].name}"' in made)
        return is_own or not any(path.exists() for path in files)

    @property
    def svg(self) -> str:
        """The drawing with a polygon for each piece, whose id is its letter, and perhaps one with the id target."""
        step, slant, up = STEPS[self.paper], *((0.5, sqrt(0.75)) if self.paper == "triangles" else (0.0, 1.0))
        shapes = {**self.pieces, **({"target": self.target} if self.target else {})}
        placed = {
            name: [(step * (i + slant * j), step * up * j) for i, j in corners] for name, corners in shapes.items()
        }
        width, height = (
            max((point[axis] for points in placed.values() for point in points), default=0) + 1 for axis in (0, 1)
        )
        size = f'viewBox="0 0 {width:.6f} {height:.6f}" width="{10 * width:.6f}mm" height="{10 * height:.6f}mm"'
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} data-drawing="{self.mark}">']
        for name, points in placed.items():
            corners = " ".join(f"{x:.6f},{y:.6f}" for x, y in points)
            lines.append(f'<polygon id="{name}" points="{corners}" fill="none" stroke="black" stroke-width="0.05"/>')
        return "\n".join([*lines, "</svg>\n"])


def paper_of(puzzle: DissectionPuzzle) -> dict[str, Any]:
    """A dissection as JSON values of a `PaperDrawing` without a mark: its pieces as a tiling, or beside the target.

    Raises PuzzleError if it does not lie on a lattice of squares or triangles, or has what a drawing does not have.
    """
    name, count = puzzle.name, len(puzzle.pieces)
    if not puzzle.is_classic or puzzle.leave or len(puzzle.no_flip) not in (0, count):
        raise PuzzleError(
            f"{name}: has rules that a drawing does not have, such as spare pieces or cells that stay free"
        )
    if count > len(LETTERS):
        raise PuzzleError(f"{name}: has {count} pieces; a drawing has at most {len(LETTERS)}")
    lattice = Lattice.of([*puzzle.outlines, *puzzle.pieces])
    if not lattice.slanted and lattice.across != lattice.up:
        raise PuzzleError(f"{name}: lies on {lattice.words}, but paper has squares or triangles")

    def steps(polygon: Polygon) -> _Steps:
        return [[i + j if lattice.slanted else i, -j] for i, j in lattice.units(polygon)]

    pieces, target = [*map(steps, puzzle.pieces)], None
    if check_tiling(puzzle, puzzle.pieces).is_solution:
        pieces = _moved(pieces, lattice.slanted, 1, 1)
    elif len(puzzle.outlines) > 1:
        raise PuzzleError(f"{name}: its target has holes or several parts; a drawing has those only as its pieces lie")
    else:
        target, *pieces = _beside([steps(puzzle.parts[0]), *pieces], lattice.slanted)
    return _laid(name, pieces, target, lattice.slanted, no_flip=bool(puzzle.no_flip))


def paper_of_polygons(name: str, pieces: Sequence[_Steps], targets: Sequence[_Steps], slanted: bool) -> dict[str, Any]:
    """Polygons of points of the paper as JSON values of a `PaperDrawing` without a mark, whatever they are.

    Raises PuzzleError if they are too large, or too many.
    """
    if len(pieces) > len(LETTERS) or len(targets) > 1:
        raise PuzzleError(f"{name}: a drawing has at most {len(LETTERS)} pieces and one target")
    moved = _moved([*targets, *pieces], slanted, 1, 1)
    return _laid(name, moved[len(targets) :], moved[0] if targets else None, slanted, no_flip=False)


def _laid(
    name: str, pieces: Sequence[_Steps], target: _Steps | None, slanted: bool, *, no_flip: bool
) -> dict[str, Any]:
    if max(_size([*pieces, *([target] if target else [])], slanted, whole=True)) > _WIDEST:
        raise PuzzleError(f"{name}: is larger than the paper, {_WIDEST} steps")
    return {
        "paper": "triangles" if slanted else "squares",
        "pieces": dict(zip(LETTERS, pieces, strict=False)),
        "target": target,
        "no_flip": no_flip,
    }


def _beside(shapes: Sequence[_Steps], slanted: bool) -> list[_Steps]:
    """The first shape at the upper left, and the others in rows to its right, and then below."""
    target, *pieces = shapes
    right, bottom = (size + 2 for size in _size([target], slanted))
    placed, most = _moved([target], slanted, 1, 1), max(_WIDTH, right)
    left, top, low = right, 1, 1
    for piece in pieces:
        width, height = _size([piece], slanted)
        if left + width > most:
            is_beside = low + 1 < bottom and right + width <= most
            left, top = (right, low + 1) if is_beside else (1, max(low + 1, bottom))
        placed += _moved([piece], slanted, left, top)
        left, low = left + width + 1, max(low, top + height)
    return placed


def _moved(shapes: Sequence[_Steps], slanted: bool, left: int, top: int) -> list[_Steps]:
    """Shapes moved together to where they begin."""
    down = top - min(j for shape in shapes for _, j in shape)
    least = min(2 * i + slanted * (j + down) for shape in shapes for i, j in shape)
    across = left + -(least // 2)
    return [[[i + across, j + down] for i, j in shape] for shape in shapes]


def _size(shapes: Sequence[_Steps], slanted: bool, *, whole: bool = False) -> tuple[int, int]:
    """Width and height of shapes, or with `whole` how far they reach on the paper, rounded up to steps."""
    halves = [2 * i + slanted * j for shape in shapes for i, j in shape]
    downs = [j for shape in shapes for _, j in shape]
    left, top = (0, 0) if whole else (min(halves) // 2 * 2, min(downs))
    return -((left - max(halves)) // 2), max(downs) - top
