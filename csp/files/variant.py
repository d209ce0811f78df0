"""Variants of dissections."""

import json
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import PuzzleError, UsageError, plural, shortened
from ..geometry.exact_numbers import Number, Surd, parse, plain
from ..geometry.polygons import Polygon
from ..puzzles.dissection import MAX_COORDINATE, DissectionPuzzle, parts_of
from .file_format import bundled_names
from .instances import Puzzle, read_dissection, read_puzzle

# Longer numbers are no piece's; exponents of three digits and more would take memory, and no coordinate has them.
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_EXPONENT = re.compile(r"e[+-]?[0_]*[^\W0_][\d_]{2,}", re.IGNORECASE)
_RECTANGLE = re.compile(r"([-+*/.()0-9qrst]+)x([-+*/.()0-9qrst]+)")


class Target(NamedTuple):
    """A target, its name, and its holes."""

    parts: tuple[Polygon, ...]
    name: str
    holes: tuple[Polygon, ...] = ()


def piece_numbers(given: str | Iterable[int], number: int, option: str) -> tuple[int, ...]:
    """Pieces (0-based) from their numbers, such as ``"1-5,7"``, in the given order.

    Raises UsageError if the text is no list of numbers, or one of them is no piece's, or given twice.
    """
    found: list[int] = []
    for part in given.split(",") if isinstance(given, str) else map(str, given):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            raise UsageError(f"{shortened(str(part))!r} is not a piece's number; give a list such as 1-5,7", option)
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= number:
            raise UsageError(f"there is no piece {part.strip()}; pieces are numbered 1 to {number}", option)
        found += range(first - 1, last)
    twice = next((piece for piece in found if found.count(piece) > 1), None)
    if twice is not None:
        raise UsageError(f"piece {twice + 1} is given twice", option)
    return tuple(found)


def factors(given: str | Iterable[Any], option: str) -> tuple[Number, Number]:
    """The two factors of a stretch, such as ``"2:1"`` or ``"sqrt(3):1"``: of widths and of heights.

    Raises UsageError if these are not two positive numbers.
    """
    parts = given.split(":") if isinstance(given, str) else list(given)
    if len(parts) != 2:
        raise UsageError(f"{shortened(str(given))!r} is not a ratio of two numbers, such as 2:1", option)
    return factor(parts[0], option), factor(parts[1], option)


def factor(given: Any, option: str) -> Number:
    """A positive number, such as 2, ``"3/2"`` or ``"sqrt(3)"``; raises UsageError if it is something else."""
    text = str(given).strip()
    try:
        found = parse(text) if "sqrt" in text else Fraction(0 if _EXPONENT.search(text) else text)
    except (ValueError, ZeroDivisionError, PuzzleError):
        found = Fraction(0)
    is_large = isinstance(found, Fraction) and max(found.numerator, found.denominator) > MAX_COORDINATE
    if is_large or not found > 0:
        raise UsageError(f"{shortened(str(given))!r} is not a positive number, such as 2, 3/2 or sqrt(3)", option)
    return found


def target_of(given: Any) -> Target:
    """A target: polygons, rectangles such as ``"24x6"``, vertices such as ``"0,0 2,0 0,2"``, or that of a puzzle.

    Several parts have semicolons between them, and a rectangle may have a corner, as in ``"2x2@3,0"``.  A puzzle is
    given as such, or by the name of a file or of a bundled puzzle; its target's holes come with it.

    Raises UsageError if it is something else. Raises InstanceError if the file is not a dissection.
    """
    if isinstance(given, DissectionPuzzle):
        return Target(given.parts, given.name, given.holes)
    if not isinstance(given, str | Path):
        return Target(tuple(_polygon(one, "target") for one in parts_of(given)), "another target")
    text = str(given).strip()
    if text in bundled_names() or os.path.isfile(given):
        puzzle = read_dissection(given)
        return Target(puzzle.parts, puzzle.name, puzzle.holes)
    if text.startswith("["):
        found = [_polygon(one, "target") for one in parts_of(_vertices(text)) if len(one) > 2]
    else:
        found = [_rectangle_or_vertices(part.strip(), "target") for part in text.split(";")]
    parts = tuple(one for one in found if one is not None)
    if not parts or None in found:
        what = "a file, a bundled dissection, a rectangle such as 24x6, nor vertices such as '0,0 2,0 0,2'"
        raise UsageError(f"{shortened(text)!r} is neither {what}", "target")
    return Target(parts, text if _RECTANGLE.fullmatch(text) else "another target")


def holes_of(given: Any) -> tuple[Polygon, ...]:
    """Holes, one or several: each a polygon, vertices such as ``"3,3 5,3 4,5"``, or a rectangle such as ``"2x2@3,3"``.

    Raises UsageError if one is something else.
    """
    try:
        # A list of points is one hole, a list of polygons or texts several.
        is_one = isinstance(given, str) or not any(
            isinstance(one, str) or any(isinstance(c, list | tuple) for c in one) for one in given
        )
        return tuple(map(_hole, [given] if is_one else given))
    except TypeError as error:
        what = "is neither a polygon, a text such as 2x2@3,3, nor a list of these"
        raise UsageError(f"{shortened(str(given))} {what}", "hole") from error


def _hole(given: Any) -> Polygon:
    if not isinstance(given, str):
        return _polygon(given, "hole")
    text = given.strip()
    found = _rectangle_or_vertices(text, "hole")
    if found is None or _RECTANGLE.fullmatch(text):
        what = "a rectangle with its least corner, such as 2x2@3,3, nor vertices such as '3,3 5,3 4,5'"
        raise UsageError(f"{shortened(text)!r} is neither {what}", "hole")
    return found


def _rectangle_or_vertices(text: str, option: str) -> Polygon | None:
    """A rectangle such as 2x2@3,3, at the origin without a corner, or vertices; None for other texts."""
    size, _, corner = text.partition("@")
    sides, at = _RECTANGLE.fullmatch(size), (corner or "0,0").split(",")
    if sides is not None and len(at) == 2 and not size.startswith("["):
        (width, height), (x, y) = ([_coordinate(c, option) for c in pair] for pair in (sides.groups(), at))
        return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    points = _vertices(text)
    return None if len(points) < 3 else _polygon(points, option)


def _vertices(text: str) -> list[Any]:
    """The vertices in a text; an empty list if it is something else."""
    try:
        return (
            json.loads(text, parse_float=str) if text.startswith("[") else [point.split(",") for point in text.split()]
        )
    except (ValueError, RecursionError):
        return []


def _polygon(points: Any, option: str) -> Polygon:
    try:
        pairs = [(x, y) for x, y in points]
    except (TypeError, ValueError) as error:
        raise UsageError("a vertex is two numbers, such as 2,0", option) from error
    return tuple((_coordinate(x, option), _coordinate(y, option)) for x, y in pairs)


def _coordinate(given: Any, option: str) -> Number:
    if isinstance(given, int | Fraction | Surd) and not isinstance(given, bool):
        return given
    if isinstance(given, Decimal) and given.is_finite():
        return Fraction(given)
    try:
        if isinstance(given, str):
            return parse(given)
    except PuzzleError as error:
        raise UsageError(str(error), option) from error
    if isinstance(given, list | tuple | dict):
        raise UsageError("a vertex is two numbers, such as 2,0", option)
    raise UsageError(f"coordinate {shortened(str(given))} is not exact; give 7 or '7/2'", option)


def variant(
    puzzle: Puzzle | str | Path,
    *,
    pieces: str | Iterable[int] | None = None,
    target: Any = None,
    scale: int | Fraction | str | None = None,
    stretch: str | Iterable[Any] | None = None,
    no_flip: bool | str | Iterable[int] | None = None,
    hole: Any = None,
    leave: bool | str | Iterable[str] | None = None,
) -> DissectionPuzzle:
    """A variant of a dissection: some of its pieces, another target, other sizes, or pieces that are not turned over.

    If the target is made of cells, some of them may stay free; other changes of the target make polygons of them.

    Parameters
    ----------
    puzzle : DissectionPuzzle, str or Path
        The dissection, or where it is.
    pieces : str or iterable of int, optional
        The pieces of the variant, numbered from 1, such as ``"1-5,7"``.  In the variant they are numbered from 1 in
        this order.
    target : str, Path, polygon or DissectionPuzzle, optional
        The target: a rectangle such as ``"24x6"``, vertices such as ``"0,0 2,0 0,2"``, several of these with
        semicolons between them, a polygon or a list of polygons, or a file, a bundled puzzle or a puzzle, whose target
        it is, with its holes.  For the tangram, ``"cat"`` is the target of ``"tangram-cat"``.
    scale : int, Fraction or str, optional
        A factor of all coordinates of the puzzle, but not of `target` or `hole`.  The lattice is scaled, too.
    stretch : str or pair, optional
        The factors of all widths and of all heights, such as ``"2:1"`` or ``"sqrt(3):1"``; not of `target` or `hole`.
    no_flip : bool, str or iterable of int, optional
        The pieces that may not be turned over, by their numbers in `puzzle`; True for all.
    hole : str, or iterable of str or polygon, optional
        One hole or several that the target has besides its own: a rectangle with its least corner such as
        ``"2x2@3,3"``, vertices such as ``"3,3 5,3 4,5"``, or a polygon.
    leave : bool, str or iterable of str, optional
        The cells of a target of cells that stay free, by their labels or names, such as ``"Jan 1"`` or ``"A1 B7"``;
        True if any may, False if none may.

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

    The calendar on a day:

    >>> js.count(js.variant(js.read("calendar"), leave="Oct 6")).count
    7
    """
    if isinstance(puzzle, str | Path):
        puzzle = read_puzzle(puzzle)
    asked = {
        "pieces": pieces, "target": target, "hole": hole, "scale": scale, "stretch": stretch, "no_flip": no_flip,
        "leave": leave,
    }  # fmt: skip
    given = [n for n, value in asked.items() if value is not None and (value is not False or n == "leave")]
    if not isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"for dissections, but {puzzle.name} is of the kind {puzzle.kind}", *given[:1])
    if not given:
        return puzzle
    number = len(puzzle.pieces)
    chosen = tuple(range(number)) if pieces is None else piece_numbers(pieces, number, "pieces")
    width, height = (Fraction(1), Fraction(1)) if stretch is None else factors(stretch, "stretch")
    size = Fraction(1) if scale is None else factor(scale, "scale")
    rigid = _not_flipped(puzzle, no_flip)
    # A silhouette such as tangram-cat is the cat of the tangram.
    own = f"{puzzle.name}-{target}"
    other = None if target is None else target_of(own if own in bundled_names("dissection") else target)
    more_holes = () if hole is None else holes_of(hole)
    free = _free_cells(puzzle, leave)
    not_turned = "no piece turned over" if len(rigid) == number else f"not turned over: {_numbers(rigid)}"
    names = {
        f"{plural(len(chosen), 'piece')}: {_numbers(chosen)}": pieces is not None,
        f"stretched {width}:{height}": stretch is not None,
        f"scaled by {size}": scale is not None,
        f"target {other and other.name}": other is not None,
        f"{plural(len(more_holes), 'hole')} more": bool(more_holes),
        not_turned: rigid != puzzle.no_flip,
        "leave " + (("gaps" if free else "nothing") if isinstance(free, bool) else " ".join(free or ())): free
        is not None,
    }
    changes = "; ".join(name for name, is_given in names.items() if is_given)

    def resized(polygons: Iterable[Polygon]) -> tuple[Polygon, ...]:
        return tuple(
            tuple((plain(x * width * size), plain(y * height * size)) for x, y in polygon) for polygon in polygons
        )

    fields: dict[str, Any] = {
        "pieces": resized(puzzle.pieces[piece] for piece in chosen),
        "name": f"{puzzle.name} ({changes})"[:200] if changes else puzzle.name,
        "known": {},
    }
    for name, some in {"no_flip": rigid, "no_turn": puzzle.no_turn, "spare": puzzle.spare}.items():
        fields[name] = tuple(place for place, piece in enumerate(chosen) if piece in some)
    if free is not None:
        fields["leave"] = free
    if {"target", "hole", "scale", "stretch"}.intersection(given):
        if puzzle.leave is True or free is not None:
            gaps = "a target of cells in which cells may stay free keeps its cells"
            raise UsageError(gaps, *(name for name in given if name in ("target", "hole", "scale", "stretch")))
        fields |= {
            "target": resized(puzzle.parts) if other is None else other.parts,
            "holes": (*(resized(puzzle.holes) if other is None else other.holes), *more_holes),
        }
        puzzle = puzzle.without_cells()
    try:
        return replace(puzzle, **fields)
    except PuzzleError as error:
        missing = "; also give a target" if pieces is not None and other is None else ""
        raise UsageError(f"{error}{missing}", *(name for name in given if name != "no_flip")) from error


def _free_cells(puzzle: DissectionPuzzle, leave: bool | str | Iterable[str] | None) -> bool | tuple[str, ...] | None:
    """The labels or names of the cells that stay free; raises UsageError if there are no such cells."""
    board = puzzle.cell_board
    if leave is None or isinstance(leave, bool):
        if leave and board is None:
            raise UsageError(_NO_CELLS, "leave")
        return leave
    if board is None:
        raise UsageError(_NO_CELLS, "leave")
    try:
        return tuple(board.label(cell) or board.name(cell) for cell in board.cells_named(leave))
    except PuzzleError as error:
        raise UsageError(str(error), "leave") from error


_NO_CELLS = "only a target that is made of cells can have cells that stay free"


def _not_flipped(puzzle: DissectionPuzzle, no_flip: bool | str | Iterable[int] | None) -> tuple[int, ...]:
    """The pieces that must not be turned over: those of the puzzle, and those that are given."""
    number = len(puzzle.pieces)
    if no_flip is None or no_flip is False:
        return puzzle.no_flip
    if no_flip is True or no_flip == "all":
        return tuple(range(number))
    return tuple(sorted({*puzzle.no_flip, *piece_numbers(no_flip, number, "no_flip")}))


def _numbers(pieces: tuple[int, ...]) -> str:
    return ", ".join(str(piece + 1) for piece in pieces)
