"""The values of a variant as users write them: numbers of pieces, ratios and targets."""

import json
import os
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ...base.errors import PuzzleError, UsageError, shortened
from ...geometry.exact_numbers import Number, Surd, parse
from ...geometry.polygons import Polygon
from ...puzzles.dissection import MAX_COORDINATE, DissectionPuzzle
from ..bundled import bundled_names
from ..instances import read_dissection

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_RECTANGLE = re.compile(r"([^\s,;x]+)x([^\s,;x]+)")


class Target(NamedTuple):
    """A target, and its name."""

    polygon: Polygon
    name: str


def piece_numbers(given: str | Iterable[int], number: int, option: str) -> tuple[int, ...]:
    """Pieces (0-based) from their numbers, such as ``"1-5,7"``, in the given order.

    Raises
    ------
    UsageError
        If the text is no list of numbers, or one of them is no piece's, or given twice.
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


def factors(given: str | Iterable[Any], option: str) -> tuple[Fraction, Fraction]:
    """The two factors of a stretch, such as ``"2:1"``: of widths and of heights.

    Raises
    ------
    UsageError
        If these are not two positive fractions.
    """
    parts = given.split(":") if isinstance(given, str) else list(given)
    if len(parts) != 2:
        raise UsageError(f"{shortened(str(given))!r} is not a ratio of two numbers, such as 2:1", option)
    return factor(parts[0], option), factor(parts[1], option)


def factor(given: Any, option: str) -> Fraction:
    """A positive fraction, such as 2 or ``"3/2"``.

    Raises
    ------
    UsageError
        If it is something else.
    """
    try:
        found = Fraction(str(given).strip())
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not found > 0 or max(found.numerator, found.denominator) > MAX_COORDINATE:
        raise UsageError(f"{shortened(str(given))!r} is not a positive fraction, such as 2 or 3/2", option)
    return found


def target_of(given: Any) -> Target:
    """A target: a polygon, a rectangle such as ``"24x6"``, vertices such as ``"0,0 2,0 0,2"``, or that of a puzzle.

    A puzzle is given as such, or by the name of a file or of a bundled puzzle.

    Raises
    ------
    UsageError
        If it is something else.
    InstanceError
        If the file is not a dissection.
    """
    if isinstance(given, DissectionPuzzle):
        return Target(given.target, given.name)
    if not isinstance(given, str | Path):
        return Target(_polygon(given), "another target")
    text = str(given).strip()
    if text in bundled_names() or os.path.isfile(given):
        puzzle = read_dissection(given)
        return Target(puzzle.target, puzzle.name)
    rectangle = _RECTANGLE.fullmatch(text)
    if rectangle is not None and not text.startswith("["):
        width, height = (_coordinate(side) for side in rectangle.groups())
        return Target(((0, 0), (width, 0), (width, height), (0, height)), text)
    try:
        points = json.loads(text) if text.startswith("[") else [point.split(",") for point in text.split()]
    except ValueError:
        points = []
    if len(points) < 3:
        what = "a file, a bundled dissection, a rectangle such as 24x6, nor vertices such as '0,0 2,0 0,2'"
        raise UsageError(f"{shortened(text)!r} is neither {what}", "target")
    return Target(_polygon(points), "another target")


def _polygon(points: Any) -> Polygon:
    try:
        pairs = [(x, y) for x, y in points]
    except (TypeError, ValueError) as error:
        raise UsageError("a vertex is two numbers, such as 2,0", "target") from error
    return tuple((_coordinate(x), _coordinate(y)) for x, y in pairs)


def _coordinate(given: Any) -> Number:
    if isinstance(given, int | Fraction | Surd) and not isinstance(given, bool):
        return given
    try:
        if isinstance(given, str):
            return parse(given)
    except PuzzleError as error:
        raise UsageError(str(error), "target") from error
    raise UsageError(f"coordinate {shortened(str(given))} is not exact; give 7 or '7/2'", "target")
