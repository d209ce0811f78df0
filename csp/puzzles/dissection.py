"""A dissection puzzle: polygons that must tile a target without gap or overlap."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any, cast

from ..base.errors import PuzzleError, UsageError, plural, shortened, with_all
from ..base.notebook import InNotebook
from ..base.tables import data_frame
from ..geometry.cells import unit_lattice
from ..geometry.exact_numbers import Number, Surd, format_number, quotient, rational, sign, terms_of
from ..geometry.lattices import Lattice, Units, is_reflection, placed, turned
from ..geometry.polygons import (
    Isometry,
    Point,
    Polygon,
    area,
    convex_hull,
    corners,
    counterclockwise,
    cross,
    first_crossing,
    isometries,
)
from ..geometry.regions import Clash, Curves, convex_parts, rest_of_hull
from .cells import CellBoard, is_rows, label_rows, piece_polygon, piece_rows, refuse_other_polygon

#: The polygon of each piece, in the order of the pieces; None for one that is left over, which only spare pieces may
#: be.  Polygons are as `polygons.counterclockwise` makes them.
Tiling = tuple[Polygon | Any, ...]

# Reading compares every piece with every other one, and every vertex with every other one, in exact numbers: with as
# many it takes some seconds.  No engine has a limit below.
MAX_PIECES, MAX_VERTICES, MAX_COORDINATE = 2000, 2000, 10**6


class Motions(StrEnum):
    """How pieces may be moved.

    ``any``: every rotation and translation.  ``lattice``: the turns and translations that keep the coarsest lattice
    with rows along the x axis that has all vertices.  With rational coordinates these are quarter turns, and the
    lattice is square; its step is the greatest common divisor of the differences of all x coordinates and of all y
    coordinates.  The lattice is triangular, with turns by 60 degrees, if y / x is a rational multiple of sqrt(3); with
    another square root it is rectangular, with half turns.
    """

    ANY = "any"
    LATTICE = "lattice"


if TYPE_CHECKING:
    from pandas import DataFrame

# The default depends on the cells.
_BY_CELLS: Any = None


@dataclass(frozen=True, repr=False)
class DissectionPuzzle(InNotebook):
    """Pieces, and the target that they must tile: a polygon or several, with or without holes.

    Parameters
    ----------
    target
        A polygon with exact coordinates, convex or not, its vertices clockwise or counter-clockwise.  It may touch
        itself in single points, but not cross itself: inside is what it goes round an odd number of times.  Or several
        such polygons, the *parts* of the target, which may touch in single points.  Polygons and their points may be
        lists.  In the puzzle they are simple polygons, several only if the target has several parts.
    pieces
        Simple polygons with exact coordinates, convex or not; their areas add up to that of the target without its
        holes.  With any motions, their positions and rotations make no difference; with motions on the lattice, they
        determine the lattice and how the pieces can lie on it.
    motions
        How pieces may be moved; by default on the lattice if there are cells, and otherwise in any way.
    no_flip
        The pieces (0-based) that may not be turned over; all others may be.
    name, source
        The name of the puzzle and its origin.
    known
        Known results: `count`, and any others.
    holes
        Polygons in the target that no piece may cover.  They may touch the target's boundary, each other and themselves
        in single points.
    no_turn
        The pieces (0-based) that may not be turned.  If they may be turned over, they are mirrored left to right.
    spare
        The pieces (0-based) that may be left over.
    cells
        ``"squares"``, ``"triangles"`` or ``"hexagons"`` if target and pieces are rows of cells, such as
        ``["##", ".#"]``.  A triangle points up if the sum of its row and its column, both from 0, is even: the first
        one of the first row does.  Hexagons stand on a corner, and odd rows (the second, the fourth) are shifted to the
        right by half a cell.
    leave
        With cells: True if the pieces need not cover all of the target, or the names of cells that stay free, such as
        ``("A1", "B7")``, or their labels.
    labels
        With cells: a name for each cell of the target, in rows; None for a cell without a name.
    rows
        The rows of the target; they are found by themselves.

    Raises
    ------
    PuzzleError
        If a polygon is invalid or not exact, there are no such motions, a hole is not inside the target, parts or holes
        overlap, the areas differ, there is no such piece as `no_flip`, `no_turn` or `spare` names, motions on the
        lattice are allowed and no lattice contains the vertices, or something is asked for that needs the lattice.

    Examples
    --------
    Two triangles make a square in four ways: two diagonals, and which triangle lies on which side.

    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> puzzle.classes, len(puzzle.symmetries)
    (((0, 1),), 8)

    Four L-shaped pieces lie around a square hole.

    >>> corner, hole = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)), ((1, 1), (3, 1), (3, 3), (1, 3))
    >>> around = DissectionPuzzle(((0, 0), (4, 0), (4, 4), (0, 4)), (corner,) * 4, holes=(hole,))
    >>> around.area, around.is_convex
    (Fraction(12, 1), False)

    Rows of cells, of which one stays free:

    >>> three = DissectionPuzzle(["##", "##"], [["##", "#."]], cells="squares", leave="B2")
    >>> three.area, three.leave
    (Fraction(3, 1), ('B2',))
    """

    target: Polygon | tuple[Polygon, ...] | Any
    pieces: tuple[Polygon, ...] | Any
    motions: Motions = _BY_CELLS
    name: str = "puzzle"
    source: str = ""
    known: Mapping[str, Any] = field(default_factory=dict, compare=False)
    no_flip: tuple[int, ...] = ()
    holes: tuple[Polygon, ...] = ()
    no_turn: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    cells: str = ""
    leave: bool | str | tuple[str, ...] = ()
    labels: tuple[tuple[str | None, ...], ...] = ()
    rows: tuple[str, ...] = ()

    kind = "dissection"

    def __post_init__(self) -> None:
        if not 1 <= len(self.pieces) <= MAX_PIECES:
            raise PuzzleError(f"{len(self.pieces)} pieces: a dissection has 1 to {MAX_PIECES}")
        motions = self.motions or (Motions.LATTICE if self.cells else Motions.ANY)
        if motions not in tuple(Motions):
            raise PuzzleError(f"unknown motions {motions}; choose from {', '.join(Motions)}")
        object.__setattr__(self, "motions", Motions(motions))
        for name in ("no_flip", "no_turn", "spare"):
            pieces = tuple(sorted(set(getattr(self, name))))
            unknown = next((piece for piece in pieces if not 0 <= piece < len(self.pieces)), None)
            if unknown is not None:
                raise PuzzleError(f"there is no piece {unknown + 1}; pieces are numbered 1 to {len(self.pieces)}")
            object.__setattr__(self, name, pieces)
        object.__setattr__(self, "leave", self.leave or ())
        if self.cells:
            self._set_cells()
        elif self.leave or self.labels or self.rows:
            raise PuzzleError('only a target with "cells" has rows, labels and cells that stay free')
        else:
            object.__setattr__(self, "pieces", _all_sound(self.pieces))
            self._set_outlines()
        self._refuse_any_angle()
        self._refuse_areas()
        if self.motions is Motions.LATTICE and not self.is_rational:
            _ = self.lattice  # raises an error without one

    def _refuse_any_angle(self) -> None:
        """Raise PuzzleError if motions are arbitrary, but something needs the lattice."""
        asked = {"leave": self.leave is True, "spare": self.spare, "turn": self.no_turn}
        if self.motions is Motions.ANY and self.cells:
            raise PuzzleError('motions: cells move on their lattice only; leave out "motions"')
        needs = next((name for name, given in asked.items() if given), None)
        if self.motions is Motions.ANY and needs is not None:
            what = {"leave": "gaps", "spare": "spare pieces", "turn": "pieces that may not be turned"}[needs]
            raise PuzzleError(f'{needs}: {what} are possible only with "motions": "lattice"')

    def _refuse_areas(self) -> None:
        """Raise PuzzleError if the pieces are too small, or too large, for the target."""
        areas = list(map(area, self.pieces))
        most = sum(areas, Fraction(0))
        least = sum((size for piece, size in enumerate(areas) if piece not in self.spare), Fraction(0))
        if least <= self.area and (self.leave is True or self.area <= most):
            return
        has = self._size(most if least <= self.area else least)
        without = " without its holes" if self.holes else ""
        which = " that are not spare" if self.spare and least > self.area else ""
        hint = (
            '; with "leave": true in the file, gaps are allowed, or those cells that --leave names'
            if self.cells and most < self.area
            else ""
        )
        raise PuzzleError(
            f"the total area of the pieces{which} is {has}, but that of the target{without} is "
            f"{self._size(self.area)}{hint}"
        )

    def _size(self, size: Number) -> str:
        """An area in words; with cells, their number."""
        if not self.cells:
            return format_number(size)
        (cell,), _ = CellBoard(self.cells, ("#",)).outlines(())
        return plural(int(rational(quotient(size, area(cell)))), "cell")

    def _set_cells(self) -> None:
        """Make the polygons of target and pieces of their cells."""
        rows: Any = tuple(self.target) if is_rows(self.target) else self.rows
        if not rows:
            raise PuzzleError(f'target: must be rows of "#" and "." with "cells": "{self.cells}"')
        board = CellBoard(self.cells, rows, label_rows(self.labels))
        free = () if isinstance(self.leave, bool) else tuple(sorted(board.cells_named(self.leave)))
        parts, holes = board.outlines(free)
        pieces = []
        for number, piece in enumerate(self.pieces, start=1):
            what = f"piece {number}"
            polygon = _sound(piece_polygon(self.cells, piece, what) if is_rows(piece) else piece, what)
            refuse_other_polygon(self.cells, polygon, what)
            # Equal pieces are equal polygons, wherever they were given.
            pieces.append(piece_polygon(self.cells, piece_rows(self.cells, polygon), what))
        if self.holes and self.holes != holes and not self.rows:
            raise PuzzleError('holes: leave them out; a cell that no piece may cover is a "." in the target\'s rows')
        fields = {
            "rows": rows,
            "labels": board.labels,
            "leave": self.leave is True or tuple(board.label(cell) or board.name(cell) for cell in free),
            "target": parts if len(parts) > 1 else next(iter(parts)),
            "holes": holes,
            "pieces": tuple(pieces),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _set_outlines(self) -> None:
        """Check target and holes, and put them into an order of their own."""
        given = parts_of(self.target)
        labels = [f"target, part {number}" for number in range(1, len(given) + 1)] if len(given) > 1 else ["target"]
        labels += [f"hole {number}" for number in range(1, len(self.holes) + 1)]
        outlines = tuple(_curve(*one) for one in zip((*given, *self.holes), labels, strict=True))
        first, *others = outlines
        parts, holes = [first], []
        if others or first_crossing(first) is not None:
            curves = _apart(outlines, labels, len(given))
            parts, holes = list(outlines[: len(given)]), list(outlines[len(given) :])
            if curves.touch:
                parts, holes = curves.parts_and_holes()
        parts, holes = (tuple(sorted(map(counterclockwise, polygons))) for polygons in (parts, holes))
        object.__setattr__(self, "target", parts if len(parts) > 1 else next(iter(parts)))
        object.__setattr__(self, "holes", holes)

    @cached_property
    def parts(self) -> tuple[Polygon, ...]:
        """The polygons of the target: one, or several."""
        return parts_of(self.target)

    @cached_property
    def area(self) -> Number:
        """The area that the pieces fill: that of the target without its holes."""
        return sum(map(area, self.parts), Fraction(0)) - sum(map(area, self.holes), Fraction(0))

    @cached_property
    def outlines(self) -> tuple[Polygon, ...]:
        """The boundary of what the pieces fill: the parts of the target, and its holes."""
        return (*self.parts, *self.holes)

    @cached_property
    def is_classic(self) -> bool:
        """Whether pieces may be turned, all of them are needed, and they leave no gap."""
        return not self.no_turn and not self.spare and self.leave is not True

    def refuse_unless_classic(self, what: str) -> None:
        """Raise PuzzleError if it is not classic, which `what` needs."""
        if self.is_classic:
            return
        which = "gaps" if self.leave is True else "spare pieces" if self.spare else "pieces that may not be turned"
        hint = "; leave can also name the cells that stay free" if self.leave is True else ""
        named = [label for row in self.labels for label in row if label]
        if hint and (digits := [label for label in named if label.isdigit()]):
            hint = f'; name the cells that stay free, such as --leave "{named[0]} {digits[0]}"'
        raise PuzzleError(f"{self.name}: {what} for puzzles without {which} only{hint}")

    @cached_property
    def cell_board(self) -> CellBoard | None:
        """The rows of the target, with the names of its cells; None without cells."""
        return CellBoard(self.cells, self.rows, self.labels) if self.cells else None

    @cached_property
    def free_cells(self) -> tuple[tuple[int, int], ...]:
        """The cells (row, column) that stay free by `leave`."""
        board = self.cell_board
        return () if board is None or isinstance(self.leave, bool) else board.cells_named(self.leave)

    @cached_property
    def gaps(self) -> int:
        """The largest number of cells that can stay uncovered."""
        if self.leave is not True:
            return 0
        needed = sum((area(piece) for number, piece in enumerate(self.pieces) if number not in self.spare), Fraction(0))
        # The area of a hexagon is that of nine parallelograms of its lattice.
        size = (
            self.lattice.cell
            * {"squares": Fraction(1), "triangles": Fraction(1, 2), "hexagons": Fraction(9)}[self.cells]
        )
        return int(rational(quotient(self.area - needed, size)))

    @cached_property
    def is_convex(self) -> bool:
        """Whether all pieces are convex."""
        return all(len(convex_parts(piece)) == 1 for piece in self.pieces)

    @cached_property
    def is_rational(self) -> bool:
        """Whether all coordinates are rational."""
        polygons = (*self.outlines, *self.pieces)
        return not any(isinstance(c, Surd) for polygon in polygons for point in polygon for c in point)

    @cached_property
    def lattice(self) -> Lattice:
        """The lattice of the cells, or else the coarsest one with rows along the x axis that has all vertices.

        Raises PuzzleError if no lattice has them.
        """
        return unit_lattice(self.cells) if self.cells else Lattice.of((*self.outlines, *self.pieces))

    def in_lattice_units(self, polygon: Polygon) -> Units:
        """A polygon whose vertices are lattice points, in units of the lattice."""
        return self.lattice.units(polygon)

    def from_lattice_units(self, units: Units) -> Polygon:
        """The inverse of `in_lattice_units`; the polygon must be counter-clockwise."""
        polygon = self.lattice.polygon(units)
        # The least vertex is another one in the basis of slanted rows.
        return counterclockwise(polygon) if self.lattice.slanted else polygon

    @cached_property
    def hull(self) -> Polygon:
        """The target's convex hull."""
        return counterclockwise(convex_hull([point for part in self.parts for point in part]))

    @cached_property
    def pockets(self) -> tuple[Polygon, ...]:
        """Convex polygons whose union is the hull without what the pieces fill; empty if the target is convex."""
        return rest_of_hull(self.parts, self.holes)

    @cached_property
    def flips(self) -> tuple[bool, ...]:
        """For each piece whether it may lie as its mirror image does: turned over, or because they are the same."""
        return tuple(
            piece not in self.no_flip
            or any(motion.is_reflection and self._allows(motion) for motion in isometries(polygon, polygon))
            for piece, polygon in enumerate(self.pieces)
        )

    def in_words(self) -> str:
        return f"{self.name}: {self.kind} puzzle, {plural(len(self.pieces), 'piece')}"

    @property
    def moved(self) -> str:
        """What the symmetries of the target make of a tiling, in words."""
        return "turned and mirrored tilings"

    @cached_property
    def symmetries(self) -> tuple[Isometry, ...]:
        """The allowed motions that carry the target and its holes to themselves, and tilings to tilings.

        The identity is the first.

        A motion carries tilings to tilings if every piece has an image among the pieces, see `exchanges`.
        """
        return tuple(motion for motion, _ in self._symmetries)

    @cached_property
    def exchanges(self) -> tuple[tuple[int, ...], ...]:
        """For each symmetry the piece that takes the place of each piece."""
        return tuple(pieces for _, pieces in self._symmetries)

    @cached_property
    def _symmetries(self) -> tuple[tuple[Isometry, tuple[int, ...]], ...]:
        return tuple(
            (motion, pieces)
            for part in self.parts
            for motion in isometries(next(iter(self.parts)), part)
            if self._allows(motion) and (pieces := self._moved_pieces(motion)) is not None
            # They are in ascending order.
            if all(tuple(sorted(map(motion, polygons))) == polygons for polygons in (self.parts, self.holes))
        )

    def _moved_pieces(self, motion: Isometry) -> tuple[int, ...] | None:
        """The piece that takes the place of each piece when a tiling is moved; None if there is not one for each."""
        if self.no_turn:
            matrix, found = self.lattice.turns[motion[:4]], list(range(len(self.pieces)))
            for members in self.classes:
                form, is_spare = self._form_of[members[0]]
                moved = frozenset(placed(turned(matrix, units)) for units in form), is_spare
                others = next((others for others in self.classes if self._form_of[others[0]] == moved), ())
                if len(others) != len(members):
                    return None
                for piece, other in zip(members, others, strict=True):
                    found[piece] = other
            return tuple(found)
        moved = self.mirror_of if motion.is_reflection else tuple(range(len(self.pieces)))
        return None if None in moved else cast(tuple[int, ...], moved)

    def ways_to_lie(self, piece: int) -> tuple[Units, ...]:
        """A piece on the lattice after each motion that it may make, with least coordinates 0, ascending.

        Those that look alike are in it once.
        """
        motions = self.lattice.motions
        if piece in self.no_turn:
            left_to_right = (-1, -1, 0, 1) if self.lattice.slanted else (-1, 0, 0, 1)
            motions = motions[0], left_to_right
        units = self.in_lattice_units(self.pieces[piece])
        allowed = [motion for motion in motions if piece not in self.no_flip or not is_reflection(motion)]
        return tuple(sorted({placed(turned(motion, units)) for motion in allowed}))

    @cached_property
    def _form_of(self) -> tuple[tuple[frozenset[Units], bool], ...]:
        """How each piece on the lattice can lie, and whether it is spare: equal for pieces of a class."""
        found: dict[Any, frozenset[Units]] = {}
        forms = []
        for piece, polygon in enumerate(self.pieces):
            key = polygon, piece in self.no_flip, piece in self.no_turn
            if key not in found:
                found[key] = frozenset(self.ways_to_lie(piece))
            forms.append((found[key], piece in self.spare))
        return tuple(forms)

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The pieces (0-based) by class, in the order of their first pieces; pieces of a class are interchangeable.

        Two pieces are if a motion that is allowed to both makes one of the other, and both or none may be left over.
        """
        if self.motions is Motions.LATTICE:
            by_form: dict[Any, list[int]] = {}
            for piece, form in enumerate(self._form_of):
                by_form.setdefault(form, []).append(piece)
            return tuple(map(tuple, by_form.values()))
        classes: list[list[int]] = []
        for piece in range(len(self.pieces)):
            for members in classes:
                if self.flips[members[0]] == self.flips[piece] and self._congruent(members[0], piece):
                    members.append(piece)
                    break
            else:
                classes.append([piece])
        return tuple(tuple(members) for members in classes)

    @cached_property
    def mirror_of(self) -> tuple[int | None, ...]:
        """For each piece the one that takes its place when a tiling is reflected, which exchanges no others.

        That is the piece itself if it flips; otherwise a piece of the class of mirror images that do not flip, if this
        is as large as its own; otherwise None.
        """
        found: list[int | None] = [piece if flips else None for piece, flips in enumerate(self.flips)]
        rigid = [members for members in self.classes if not self.flips[members[0]]]
        for members in rigid:
            for others in rigid:
                alike = len(others) == len(members) and (members[0] in self.spare) == (others[0] in self.spare)
                if alike and self._congruent(members[0], others[0], reflected=True):
                    for piece, other in zip(members, others, strict=True):
                        found[piece] = other
        return tuple(found)

    def mirror_kinds(self, kinds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The kind that takes the place of each kind when a tiling is reflected; kinds are classes, or single pieces.

        Without a symmetry that is a reflection every kind keeps its place.
        """
        for motion, moved in zip(self.symmetries, self.moved_kinds(kinds), strict=True):
            if motion.is_reflection:
                return moved
        return tuple(range(len(kinds)))

    def moved_kinds(self, kinds: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """For each symmetry the kind that takes the place of each kind; kinds are classes, or single pieces.

        Kinds of other numbers than those of pieces keep their places.
        """
        at = {piece: kind for kind, members in enumerate(kinds) for piece in members}
        last = len(self.pieces)
        return tuple(
            tuple(at[pieces[members[0]]] if members[0] < last else kind for kind, members in enumerate(kinds))
            for pieces in self.exchanges
        )

    @cached_property
    def class_of(self) -> tuple[int, ...]:
        """The class of each piece."""
        at = {piece: number for number, members in enumerate(self.classes) for piece in members}
        return tuple(at[piece] for piece in range(len(self.pieces)))

    def _congruent(self, one: int, other: int, *, reflected: bool | None = None) -> bool:
        """Whether an allowed motion makes one piece of the other: turned over, not turned over, or by default either.

        Pieces that do not flip are by default not turned over.
        """
        if reflected is None and not self.flips[one]:
            reflected = False
        found = isometries(self.pieces[one], self.pieces[other])
        return any(self._allows(motion) and reflected in (None, motion.is_reflection) for motion in found)

    def _allows(self, motion: Isometry) -> bool:
        return self.motions is Motions.ANY or motion[:4] in self.lattice.turns

    def with_motions(self, motions: str | None) -> "DissectionPuzzle":
        """The puzzle with those motions, or with its own; raises UsageError if there are no such motions."""
        if motions is None:
            return self
        if motions not in tuple(Motions):
            raise UsageError(f"unknown motions {motions}; choose from {', '.join(Motions)}", "motions")
        if motions == Motions.ANY and self.motions is Motions.LATTICE:
            self.refuse_unless_classic("arbitrary motions are")
            return replace(self.without_cells(), motions=Motions.ANY)
        return replace(self, motions=Motions(motions))

    def without_cells(self) -> "DissectionPuzzle":
        """The puzzle as polygons; cells that stay free by `leave` are no part of it."""
        if not self.cells:
            return self
        return replace(self, target=self.parts, **dict.fromkeys(("cells", "rows", "labels", "leave"), ()))


class PuzzleTiling(InNotebook, tuple[Polygon, ...]):
    """A tiling with a reference to its puzzle; otherwise it behaves as the tuple of the polygons of the pieces.

    Parameters
    ----------
    polygons
        The polygon of each piece, in the order of the pieces.
    puzzle
        The puzzle whose tiling it is.

    Attributes
    ----------
    puzzle
        That puzzle.

    Examples
    --------
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> tiling = PuzzleTiling((triangle, ((1, 0), (1, 1), (0, 1))), puzzle)
    >>> tiling[0] == triangle, len(tiling.puzzle.pieces)
    (True, 2)
    """

    puzzle: DissectionPuzzle

    def __new__(cls, polygons: Iterable[Polygon], puzzle: DissectionPuzzle) -> "PuzzleTiling":
        tiling = super().__new__(cls, polygons)
        tiling.puzzle = puzzle
        return tiling

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.puzzle

    def in_words(self) -> str:
        return f"tiling of {self.puzzle.name}, {plural(len(self), 'piece')}"

    def rows(self) -> Iterator[dict[str, Any]]:
        """The number of each piece, from 1, with its polygon."""
        return ({"piece": number, "polygon": polygon} for number, polygon in enumerate(self, start=1))

    def to_pandas(self) -> "DataFrame":
        """The pieces as a table of pandas: `piece` (from 1) and `polygon`, a tuple of exact points.

        Raises JigsatError if pandas is not installed.
        """
        return data_frame(self.rows(), ("piece", "polygon"))


def tiling_of(puzzle: DissectionPuzzle, polygons: Iterable[Polygon]) -> PuzzleTiling:
    """A tiling that knows its puzzle; one that does already is returned as it is."""
    if isinstance(polygons, PuzzleTiling) and polygons.puzzle is puzzle:
        return polygons
    return PuzzleTiling(polygons, puzzle)


def exact_tiling(puzzle: DissectionPuzzle, polygons: Any) -> Tiling:
    """A tiling from any sequence of polygons, None for pieces that are not laid; it is not checked.

    Raises PuzzleError if there is not a polygon for each piece, or one is not exact.
    """
    if not hasattr(polygons, "__len__"):
        raise PuzzleError(f"{shortened(repr(polygons))} is not a tiling")
    if len(polygons) != len(puzzle.pieces):
        raise PuzzleError(f"a tiling must have {plural(len(puzzle.pieces), 'polygon')}, not {len(polygons)}")
    exact = tuple(
        None if polygon is None else _exact(polygon, f"piece {number}")
        for number, polygon in enumerate(polygons, start=1)
    )
    return polygons if isinstance(polygons, PuzzleTiling) else exact


def _exact(points: Any, what: str) -> Polygon:
    """A polygon from any sequence of points with exact coordinates."""
    try:
        polygon = tuple((x, y) for x, y in points)
    except (TypeError, ValueError):
        raise PuzzleError(f"{what}: {shortened(repr(points))} is not a list of points (x, y)") from None
    return tuple(
        (_number(x, f"{what}, vertex {i}"), _number(y, f"{what}, vertex {i}")) for i, (x, y) in enumerate(polygon, 1)
    )


def _number(coordinate: Any, what: str) -> Number:
    """An exact number in the types of this package, also if it is of another one, such as numpy's."""
    truth = isinstance(coordinate, bool)
    if isinstance(coordinate, Decimal) and coordinate.is_finite():
        return Fraction(coordinate)
    if isinstance(coordinate, Integral) and not truth:
        return int(coordinate)
    if isinstance(coordinate, Rational) and not truth:
        return Fraction(int(coordinate.numerator), int(coordinate.denominator))
    if isinstance(coordinate, Surd):
        return coordinate
    exact = 'coordinates must be exact, such as 3, Fraction(7, 2) or number("1/2*sqrt(3)")'
    raise PuzzleError(f"{what}: {exact}; {shortened(repr(coordinate))} is not")


def parts_of(target: Any) -> tuple[Any, ...]:
    """The polygons of a target that is given as one polygon or as a list of polygons."""
    return tuple(target) if has_parts(target) else (target,)


def has_parts(target: Any) -> bool:
    """Whether a target is a list of polygons, and not one polygon."""
    try:
        points = (point for polygon in target for point in polygon)
        return len(target) > 0 and all(hasattr(one, "__len__") and not isinstance(one, str | dict) for one in points)
    except TypeError:
        return False


def _all_sound(pieces: Iterable[Any]) -> tuple[Polygon, ...]:
    """The pieces, checked; raises PuzzleError about all that are wrong."""
    found, faults = [], []
    for number, piece in enumerate(pieces, start=1):
        try:
            found.append(_sound(piece, f"piece {number}"))
        except PuzzleError as error:
            faults.append(str(error))
    if faults:
        raise with_all(PuzzleError(faults[0]), faults[1:])
    return tuple(found)


def _sound(points: Any, what: str) -> Polygon:
    """A simple polygon of a puzzle in its own order, checked."""
    polygon = _curve(points, what)
    crossing = first_crossing(polygon)
    if crossing is not None:
        one, other = (_shown_edge((polygon[i], polygon[(i + 1) % len(polygon)])) for i in crossing)
        raise PuzzleError(f"{what}: crosses or touches itself: edge {one} meets edge {other}")
    return counterclockwise(polygon)


def _curve(points: Any, what: str) -> Polygon:
    """A polygon that may touch itself, checked apart from crossings."""
    polygon = _exact(points, what)
    if not 3 <= len(polygon) <= MAX_VERTICES:
        raise PuzzleError(f"{what}: {len(polygon)} vertices; a polygon has 3 to {MAX_VERTICES}")
    for number, point in enumerate(polygon, start=1):
        if not all(_is_moderate(c) for c in point):
            most = f"{MAX_COORDINATE:,}".replace(",", " ")
            raise PuzzleError(f"{what}: vertex {number} has a coordinate, or a denominator, beyond {most}")
    visits = Counter(polygon)
    for before, point, after in corners(polygon):
        # Where a polygon touches itself, it may go straight on.
        goes_on = visits[point] > 1 and point not in (before, after)
        if sign(cross(before, point, after)) == 0 and not goes_on:
            at = _shown(point)
            raise PuzzleError(f"{what}: degenerate at {at}, which lies on a line with its neighbours; leave it out")
    return polygon


def _apart(outlines: Sequence[Polygon], labels: Sequence[str], parts: int) -> Curves:
    """The outlines of a target, the first ones those of its parts, cut where they touch; they must do no more."""
    curves = Curves.of(outlines)
    if isinstance(curves, Clash):
        one, other = curves.curves
        if one == other:
            at = " meets edge ".join(map(_shown_edge, curves.edges))
            raise PuzzleError(f"{labels[one]}: crosses itself or runs along itself: edge {at}")
        if one >= parts or other < parts:
            raise _overlapping(labels, one, other)
        if curves.along:
            both = "has a part of an edge in common with the target"
            raise PuzzleError(f"{labels[other]}: {both}; cut it out of the target")
        raise PuzzleError(f"{labels[other]}: not inside the target")
    for number in reversed(range(len(outlines))):
        for inside in curves.insides(number):
            is_hole = number >= parts
            in_parts, in_holes = sum(inside[:parts]), sum(inside[parts:])
            if in_parts == in_holes + (not is_hole):
                continue
            others = [other for other, around in enumerate(inside) if around and other != number]
            alike = [other for other in others if (other >= parts) == is_hole]
            if alike:
                raise _overlapping(labels, *sorted((alike[0], number)))
            raise PuzzleError(f"{labels[number]}: not inside the target")
    return curves


def _overlapping(labels: Sequence[str], one: int, other: int) -> PuzzleError:
    """The error of two parts, or two holes, that are not apart."""
    first = labels[one].removeprefix("target, ")
    both = f"overlaps {first} or has a part of an edge in common with it"
    hint = "" if first == labels[one] else ", or give it in holes if it lies inside and no piece may cover it"
    return PuzzleError(f"{labels[other]}: {both}; join them{hint}")


def _is_moderate(number: Number) -> bool:
    """Whether a coordinate, or each term of one that is irrational, is small enough, and has a small denominator."""
    terms = terms_of(number)
    return all(max(abs(root), abs(factor), factor.denominator) <= MAX_COORDINATE for root, factor in terms)


def _shown(point: tuple[Number, Number]) -> str:
    return f"({format_number(point[0])}, {format_number(point[1])})"


def _shown_edge(edge: tuple[Point, Point]) -> str:
    return "-".join(map(_shown, edge))
