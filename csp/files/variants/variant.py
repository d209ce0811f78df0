"""Variants of dissections."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...base.errors import PuzzleError, UsageError
from ...base.words import several
from ...geometry.exact_numbers import Number, Surd
from ...geometry.polygons import Polygon
from ...puzzles.dissection import DissectionPuzzle
from ..instances import Puzzle
from .asked_values import factor, factors, holes_of, piece_numbers, target_of


def variant(
    puzzle: Puzzle,
    *,
    pieces: str | Iterable[int] | None = None,
    target: Any = None,
    scale: int | Fraction | str | None = None,
    stretch: str | Iterable[Any] | None = None,
    no_flip: bool | str | Iterable[int] | None = None,
    hole: Any = None,
) -> DissectionPuzzle:
    """A variant of a dissection: some of its pieces, another target, other sizes, or pieces that are not turned over.

    Parameters
    ----------
    puzzle : DissectionPuzzle
        The dissection.
    pieces : str or iterable of int, optional
        The pieces of the variant, numbered from 1, such as ``"1-5,7"``.  In the variant they are numbered from 1 in
        this order.
    target : str, Path, polygon or DissectionPuzzle, optional
        The target: a rectangle such as ``"24x6"``, vertices such as ``"0,0 2,0 0,2"``, several of these with
        semicolons between them, a polygon or a list of polygons, or a file, a bundled puzzle or a puzzle, whose target
        it is, with its holes.
    scale : int, Fraction or str, optional
        A factor of all coordinates of the puzzle, but not of `target` or `hole`.  The lattice is scaled, too.
    stretch : str or pair, optional
        The factors of all widths and of all heights, such as ``"2:1"`` or ``"sqrt(3):1"``; not of `target` or `hole`.
    no_flip : bool, str or iterable of int, optional
        The pieces that may not be turned over, by their numbers in `puzzle`; True for all.
    hole : str, or iterable of str or polygon, optional
        One hole or several that the target has besides its own: a rectangle with its least corner such as
        ``"2x2@3,3"``, vertices such as ``"3,3 5,3 4,5"``, or a polygon.

    Returns
    -------
    DissectionPuzzle
        The variant.  It has no known results, and its name says what it is.

    Raises
    ------
    UsageError
        If the puzzle is not a dissection, a value is malformed, a hole is not inside the target, or the areas of pieces
        and target differ.
    InstanceError
        If the target's file is not a dissection.

    Examples
    --------
    >>> import jigsat as js
    >>> flat = js.variant(js.read("tangram"), no_flip=True)
    >>> flat.name, js.count(flat).count
    ('tangram (no piece turned over)', 16)

    The hole of a square elsewhere:

    >>> elsewhere = js.variant(js.read("pentominoes-8x8"), target="8x8", hole="2x2@1,4")
    >>> elsewhere.name, elsewhere.area
    ('pentominoes-8x8 (target 8x8; 1 hole more)', Fraction(60, 1))
    """
    asked = {
        "pieces": pieces, "target": target, "hole": hole, "scale": scale, "stretch": stretch, "no_flip": no_flip,
    }  # fmt: skip
    given = [name for name, value in asked.items() if value is not None and value is not False]
    if not isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"for dissections, but {puzzle.name} is of the kind {puzzle.kind}", *given[:1])
    if not given:
        return puzzle
    number = len(puzzle.pieces)
    chosen = tuple(range(number)) if pieces is None else piece_numbers(pieces, number, "pieces")
    width, height = (Fraction(1), Fraction(1)) if stretch is None else factors(stretch, "stretch")
    size = Fraction(1) if scale is None else factor(scale, "scale")
    rigid = _not_flipped(puzzle, no_flip)
    other = None if target is None else target_of(target)
    more_holes = () if hole is None else holes_of(hole)
    names = [] if pieces is None else [f"{several(len(chosen), 'piece')}: {_numbers(chosen)}"]
    names += [] if stretch is None else [f"stretched {width}:{height}"]
    names += [] if scale is None else [f"scaled by {size}"]
    names += [] if other is None else [f"target {other.name}"]
    names += [f"{several(len(more_holes), 'hole')} more"] if more_holes else []
    if rigid != puzzle.no_flip:
        names.append("no piece turned over" if len(rigid) == number else f"not turned over: {_numbers(rigid)}")
    if other is None:
        target, own_holes = (
            tuple(_stretched(polygon, width * size, height * size) for polygon in polygons)
            for polygons in (puzzle.parts, puzzle.holes)
        )
    else:
        target, own_holes = other.parts, other.holes
    try:
        return replace(
            puzzle,
            pieces=tuple(_stretched(puzzle.pieces[piece], width * size, height * size) for piece in chosen),
            target=target,
            holes=(*own_holes, *more_holes),
            no_flip=tuple(place for place, piece in enumerate(chosen) if piece in rigid),
            name=f"{puzzle.name} ({'; '.join(names)})"[:200] if names else puzzle.name,
            known={},
        )
    except PuzzleError as error:
        missing = "; also give a target" if pieces is not None and other is None else ""
        raise UsageError(f"{error}{missing}", *(name for name in given if name != "no_flip")) from error


def _not_flipped(puzzle: DissectionPuzzle, no_flip: bool | str | Iterable[int] | None) -> tuple[int, ...]:
    """The pieces that must not be turned over: those of the puzzle, and those that are given."""
    number = len(puzzle.pieces)
    if no_flip is None or no_flip is False:
        return puzzle.no_flip
    if no_flip is True or no_flip == "all":
        return tuple(range(number))
    return tuple(sorted({*puzzle.no_flip, *piece_numbers(no_flip, number, "no_flip")}))


def _stretched(polygon: Polygon, width: Number, height: Number) -> Polygon:
    """A polygon with other widths and heights; integers where possible."""
    return tuple((_plain(x * width), _plain(y * height)) for x, y in polygon)


def _plain(number: Number) -> Number:
    return number if isinstance(number, Surd) or number.denominator != 1 else int(number)


def _numbers(pieces: tuple[int, ...]) -> str:
    return ", ".join(str(piece + 1) for piece in pieces)
