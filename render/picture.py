"""Pictures of puzzles and their solutions, as notebooks and files take them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import replacing
from ..csp.base.words import several
from ..csp.files.instances import Puzzle
from ..csp.puzzles.board import Arrangement
from ..csp.puzzles.dissection import DissectionPuzzle, PuzzleTiling, Tiling
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard
from .svg.board import draw_board
from .svg.pieces import draw_pieces

#: A notebook draws puzzles of fewer pieces unasked.
MOST_UNASKED = 900

# What people call pictures that SVG is not.
_OTHER_ENDINGS = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True)
class Picture:
    """A picture, which notebooks show.

    Parameters
    ----------
    svg
        The text of an SVG, in ASCII.
    """

    svg: str = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the picture to an SVG file, whole or not at all; ``-`` is standard output.

        Raises
        ------
        UsageError
            If the ending is that of another sort of picture.
        InstanceError
            If the file cannot be written.
        """
        ending = Path(path).suffix.lower()
        if ending in _OTHER_ENDINGS:
            raise UsageError(f"{path}: the picture is an SVG, and no {ending} file; give it the ending .svg")
        with replacing(path) as file:
            file.write(self.svg)

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg


def picture_of_squares(
    puzzle: EdgeMatchingPuzzle,
    board: Arrangement | None = None,
    *,
    order: tuple[str, Sequence[int]] | None = None,
    pieces: bool = False,
    numbers: bool = True,
    legend: bool = False,
) -> Picture:
    """A board with or without a search order, named, over it; without both the fixed pieces or, if none, the set."""
    if order is not None:
        shown = (None,) * len(puzzle.board) if board is None else board
        name, squares = order
        return Picture(draw_board(puzzle, shown, order=squares, order_name=name, numbers=numbers, legend=legend))
    if board is None and puzzle.fixed and not pieces:
        board = puzzle.fixed_board
    if board is None:
        return Picture(draw_pieces(puzzle, numbers=numbers, legend=legend))
    return Picture(draw_board(puzzle, board, numbers=numbers, legend=legend))


def picture_of_dissection(
    puzzle: DissectionPuzzle, tilings: Sequence[Tiling] = (), *, sheet: bool = False, numbers: bool = True
) -> Picture:
    """The first tiling or, on a sheet, all of them; without tilings the pieces."""
    from .svg.tiling import draw_dissection_pieces, draw_sheet, draw_tiling

    if not tilings:
        return Picture(draw_dissection_pieces(puzzle, numbers=numbers))
    if sheet:
        drawn = [(puzzle, tiling) for tiling in tilings]
        return Picture(draw_sheet(drawn, puzzle.name, "tiling", numbers=numbers and len(tilings) == 1))
    return Picture(draw_tiling(puzzle, tilings[0], numbers=numbers))


def bundle_of(thing: Any) -> dict[str, str]:
    """A puzzle, board or tiling that knows its puzzle, as notebooks take it: a line of text, and a picture if small."""
    puzzle: Puzzle = thing.puzzle if isinstance(thing, PuzzleBoard | PuzzleTiling) else thing
    bundle = {"text/plain": in_words(thing)}
    if len(puzzle.pieces) < MOST_UNASKED:
        if isinstance(puzzle, DissectionPuzzle):
            picture = picture_of_dissection(puzzle, [thing] if isinstance(thing, PuzzleTiling) else [])
        else:
            picture = picture_of_squares(puzzle, thing if isinstance(thing, PuzzleBoard) else None)
        bundle["image/svg+xml"] = picture.svg
    return bundle


def in_words(thing: Any) -> str:
    """What a thing is, in a line."""
    if isinstance(thing, PuzzleTiling):
        return f"tiling of {thing.puzzle.name}, {several(len(thing), 'piece')}"
    if isinstance(thing, PuzzleBoard):
        placed = len(thing) - thing.count(None)
        return f"board of {thing.puzzle.name}, {placed} of {several(len(thing), 'piece')}"
    size = "" if isinstance(thing, DissectionPuzzle) else f"{thing.rows}x{thing.columns}, "
    return f"{thing.name}: {thing.kind} puzzle, {size}{several(len(thing.pieces), 'piece')}"
