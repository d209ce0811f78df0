"""The values of a variant as users write them: numbers of pieces, ratios, targets and holes."""

import json
import os
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ...base.errors import PuzzleError, UsageError, shortened
from ...geometry.exact_numbers import Number, Surd, parse
from ...geometry.polygons import Polygon
from ...puzzles.dissection import MAX_COORDINATE, DissectionPuzzle, parts_of
from ..bundled import bundled_names
from ..instances import read_dissection

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
        first = int(match[1])
        last = int(match[2] or first)
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
    """A positive number, such as 2, ``"3/2"`` or ``"sqrt(3)"``.

    Raises UsageError if it is something else.
    """
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
    if not found or None in found:
        what = "a file, a bundled dissection, a rectangle such as 24x6, nor vertices such as '0,0 2,0 0,2'"
        raise UsageError(f"{shortened(text)!r} is neither {what}", "target")
    is_rectangle = _RECTANGLE.fullmatch(text) is not None
    return Target(tuple(one for one in found if one is not None), text if is_rectangle else "another target")


def holes_of(given: Any) -> tuple[Polygon, ...]:
    """Holes, one or several: each a polygon, vertices such as ``"3,3 5,3 4,5"``, or a rectangle such as ``"2x2@3,3"``.

    Raises UsageError if one is something else.
    """
    try:
        holes = [given] if isinstance(given, str) or _is_polygon(given) else list(given)
    except TypeError as error:
        what = "is neither a polygon, a text such as 2x2@3,3, nor a list of these"
        raise UsageError(f"{shortened(str(given))} {what}", "hole") from error
    return tuple(map(_hole, holes))


def _is_polygon(given: Any) -> bool:
    """Whether something is a list of points, and not of polygons or texts."""
    return not any(isinstance(one, str) or any(isinstance(c, list | tuple) for c in one) for one in given)


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
    at = (corner or "0,0").split(",")
    if (rectangle := _rectangle(size, option)) is not None and len(at) == 2:
        dx, dy = (_coordinate(c, option) for c in at)
        return tuple((x + dx, y + dy) for x, y in rectangle)
    points = _vertices(text)
    return None if len(points) < 3 else _polygon(points, option)


def _rectangle(text: str, option: str) -> Polygon | None:
    """A rectangle such as 24x6 with a corner at the origin; None for other texts."""
    found = None if text.startswith("[") else _RECTANGLE.fullmatch(text)
    if found is None:
        return None
    width, height = (_coordinate(side, option) for side in found.groups())
    return ((0, 0), (width, 0), (width, height), (0, height))


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
