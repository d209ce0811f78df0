"""Pictures of puzzles, boards, tilings and search orders."""

from collections.abc import Sequence
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import label_of
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import Solutions, numbered_one, solutions_given
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...render.picture import Picture, picture_of_dissection, picture_of_squares
from ..effort.asked import OrderSpec, named_order, refuse_given, refuse_of_others


def draw(
    puzzle: Puzzle,
    solution: Solutions | None = None,
    *,
    order: OrderSpec = None,
    pieces: bool = False,
    all: bool = False,  # noqa: A002 (the name of the option)
    number: int | None = None,
    numbers: bool = True,
    legend: bool = False,
) -> Picture:
    """Draw a puzzle or a solution, as ``jigsat draw`` does.

    Without a solution, draw the fixed pieces on the board, or the set of pieces if no piece is fixed.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.
    solution : board, tiling, list of these, str or Path, optional
        One or several boards or tilings, which may be invalid, boards also partial; or a file or a link that holds
        some.
    order : str, Path or iterable of int, optional
        A search order, drawn as a path over the board: a name, ``best``, a file, or all squares.
    pieces : bool, default False
        Whether to draw the set of pieces instead.
    all : bool, default False
        Whether to draw all tilings of a dissection on one sheet.
    number : int, optional
        Which of several solutions to draw, from 1; without a solution, which assembly of a jigsaw.
    numbers : bool, default True
        Whether to show the numbers of pieces and depths.
    legend : bool, default False
        Whether to show the colours of squares with their numbers.

    Returns
    -------
    Picture
        An SVG.  Notebooks display it; its method `save` writes it.

    Raises
    ------
    InstanceError
        If the solution cannot be read, or does not fit the puzzle.
    UsageError
        If options exclude each other, or do not apply to the puzzle.
    OrderError
        If the order does not exist.

    Examples
    --------
    >>> from jigsat import read
    >>> draw(read("clue1"), order="best").save("order.svg")
    >>> str(draw(read("tangram")))[:4]
    '<svg'
    """
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, legend=legend)
        return _drawn_dissection(puzzle, solution, pieces=pieces, sheet=all, number=number, numbers=numbers)
    refuse_of_others(puzzle, all=all)
    if pieces:
        refuse_given("cannot be drawn with the pieces; give only one of them", order=order)
        refuse_given("chooses a board, and the pieces are drawn; give only one of them", number=number)
        if solution is not None:
            raise UsageError("draws the pieces, not a board; omit SOLUTION", "pieces")
    board = _board(puzzle, solution, number)
    path = None if order is None else named_order(puzzle, order)
    return picture_of_squares(puzzle, board, order=path, pieces=pieces, numbers=numbers, legend=legend)


def _board(puzzle: EdgeMatchingPuzzle, solution: Solutions | None, number: int | None) -> Any:
    """The board to draw, if any."""
    if solution is not None:
        return numbered_one(solutions_given(puzzle, solution), number, _label(solution))
    if number is None:
        return None
    if not puzzle.assemblies:
        raise UsageError("needs a SOLUTION, or a jigsaw with assemblies, to choose a board from", "number")
    return numbered_one(puzzle.assemblies, number, puzzle.name)


def _drawn_dissection(
    puzzle: DissectionPuzzle,
    solution: Solutions | None,
    *,
    pieces: bool,
    sheet: bool,
    number: int | None,
    numbers: bool,
) -> Picture:
    """The pieces, one tiling, or all of them."""
    if solution is None:
        refuse_given("needs a SOLUTION with tilings", number=number, all=sheet)
        return picture_of_dissection(puzzle, numbers=numbers)
    refuse_given("draws the pieces, not a tiling; omit SOLUTION", pieces=pieces)
    if number is not None:
        refuse_given("draws all tilings; omit the number", all=sheet)
    tilings: Sequence[Any] = solutions_given(puzzle, solution)
    if not (sheet and tilings):
        tilings = [numbered_one(tilings, number, _label(solution), "tiling")]
    return picture_of_dissection(puzzle, tilings, sheet=sheet, numbers=numbers)


def _label(solution: Any) -> str:
    return label_of(solution) if not isinstance(solution, list | tuple) else "solution"
