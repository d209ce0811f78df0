"""The page to play a dissection: drag, turn and turn over its pieces until they fill the target."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import atan2, cos, degrees, dist, hypot, radians, sin, sqrt
from typing import Any

from ...csp.base.seeded_random import Chance
from ...csp.geometry.exact_numbers import Number
from ...csp.geometry.lattices import Lattice, is_reflection, placed, turned
from ...csp.geometry.polygons import Isometry, Polygon, counterclockwise, edges
from ...csp.geometry.regions import parts_as_indices
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..svg.tiling import (
    LARGEST_NUMBER,
    Flat,
    label_place,
    level_turn,
    piece_fills,
    place_number,
    scale_to,
    turned_point,
)
from .page import embedded, resource, self_contained

_STYLES = ("base.css", "play.css")
_SCRIPTS = (
    "svg.js", "fitting.js", "snapping.js", "tray.js", "gestures.js", "storage.js", "controls.js", "play_dissection.js",
)  # fmt: skip
# The longer side of the target on the page, decimals of coordinates, and steps per unit when pieces are cut into parts.
_SIZE, _DECIMALS, _FINE = 600, 9, 2**16
# Turns in degrees of which the directions of all edges may be multiples; the last one in any case.
_STEPS = (90, 60, 45, 30, 15)
# What the page takes for rounding is at most these parts of the target's longer side and of the thinnest piece.
_BLUR, _THIN = 1 / 1000, 1 / 4
# Up to which angles or lengths, and distances of corners, are the same.
_NEARLY, _SAME = 1e-6, 1e-4


def play_dissection_page(puzzle: DissectionPuzzle, tilings: Sequence[Tiling], *, seed: int = 0) -> str:
    """The HTML of a page to play a dissection, which recognises every tiling and keeps the progress.

    It decides by itself whether the pieces fill the target, so that it needs no tiling; it can show those that are
    given.
    """
    data = _data(puzzle, tilings, seed)
    return self_contained(
        resource("play_dissection.html"),
        title=puzzle.name,
        styles=map(resource, _STYLES),
        scripts=map(resource, _SCRIPTS),
        data={**data, "key": f"jigsat-{sha256(embedded(data).encode()).hexdigest()[:24]}"},
    )


def _data(puzzle: DissectionPuzzle, tilings: Sequence[Tiling], seed: int) -> dict[str, Any]:
    """The data of the script: lengths in units of the page, points from the corner of the target's bounding box."""
    puzzle.refuse_unless_classic("pages to play are")
    plane, chance = Plane(puzzle), Chance(seed, "deal")  # as for jigsaws, not that of a shuffle
    allowed = [piece not in puzzle.no_flip for piece in range(len(puzzle.pieces))]
    pieces = neutral_pieces(puzzle, plane)
    hull, target = plane.flat(puzzle.hull), [plane.flat(part) for part in puzzle.parts]
    step = _step(puzzle, [*pieces, *target])
    width, height = max(x for x, _ in hull), max(y for _, y in hull)
    order = chance.shuffled(range(len(pieces)))
    most = LARGEST_NUMBER * max(width, height)
    parts = [_parts(piece) for piece in pieces]
    thinnest = min(max(map(_width, convex)) for convex in parts)
    return {
        "pieces": pieces,
        "parts": parts,
        "numbers": [place_number(piece, len(str(number)), most) for number, piece in enumerate(pieces, start=1)],
        "fills": piece_fills(puzzle),
        "flips": allowed,
        "target": target,
        "holes": [plane.flat(hole) for hole in puzzle.holes],
        "size": [width, height],
        "tolerance": min(_BLUR * max(width, height), _THIN * thinnest),
        **_labels(puzzle, plane),
        "hull": hull,
        "pockets": [plane.flat(pocket) for pocket in puzzle.pockets],
        "symmetries": [plane.motion(motion) for motion in puzzle.symmetries],
        "lattice": plane.lattice(puzzle, target[0][0]) if puzzle.motions is Motions.LATTICE else None,
        "step": step,
        "deal": [
            [piece, step * chance.below(360 // step), bool(allowed[piece] and chance.below(2))] for piece in order
        ],
        "tilings": [
            [place_of(*one) for one in zip(pieces, allowed, map(plane.flat, tiling), strict=True)] for tiling in tilings
        ],
    }


def _labels(puzzle: DissectionPuzzle, plane: "Plane") -> dict[str, Any]:
    """The labels of all cells, each with the middle of its baseline and its font size; nothing without labels."""
    board = puzzle.cell_board
    if board is None or not board.labels:
        return {}
    named = [(label, plane.flat(board.polygon(cell))) for cell in board.cells if (label := board.label(cell))]
    return {"labels": [[label, *(round(number, 2) for number in label_place(label, flat, 4))] for label, flat in named]}


class Plane:
    """The plane of the page of a dissection."""

    def __init__(self, puzzle: DissectionPuzzle) -> None:
        self.scale = scale_to([(puzzle, ())], _SIZE)
        self._turn = level_turn(puzzle.hull)
        hull = [turned_point(x, y, self._turn) for x, y in puzzle.hull]
        self._left, self._top = min(x for x, _ in hull), max(y for _, y in hull)

    def flat(self, polygon: Polygon, *, turned: bool = True) -> Flat:
        """A polygon with its inside at the right hand of its edges on the page."""
        turn = self._turn if turned else (1.0, 0.0)
        points = (turned_point(x, y, turn) for x, y in reversed(counterclockwise(polygon)))
        return tuple(_rounded((x - self._left) * self.scale, (self._top - y) * self.scale) for x, y in points)

    def back(self, x: float, y: float) -> tuple[float, float]:
        """The point of the puzzle's plane for a point of the page."""
        cosine, sine = self._turn
        return turned_point(x / self.scale + self._left, self._top - y / self.scale, (cosine, -sine))

    def lattice_point(self, lattice: Lattice, x: float, y: float) -> tuple[Number, Number]:
        """The point of a lattice that is nearest to a point of the puzzle's plane."""
        (width, _), (shift, height) = lattice.vector(1, 0), lattice.vector(0, 1)
        j = round((y - float(lattice.origin[1])) / float(height))
        i = round((x - float(lattice.origin[0]) - j * float(shift)) / float(width))
        return lattice.polygon(((i, j),))[0]

    def motion(self, motion: Isometry) -> list[float]:
        """The entries of a motion of points on the page."""
        (cosine, sine), (a, b, c, d, e, f) = self._turn, map(float, motion)
        # In turned coordinates: the turn back, the motion, the turn.
        a, b, c, d = a * cosine - b * sine, a * sine + b * cosine, c * cosine - d * sine, c * sine + d * cosine
        a, b, c, d = cosine * a - sine * c, cosine * b - sine * d, sine * a + cosine * c, sine * b + cosine * d
        e, f = cosine * e - sine * f, sine * e + cosine * f
        across = a * self._left + b * self._top + e - self._left
        down = self._top - c * self._left - d * self._top - f
        return [*_rounded(a, -b), *_rounded(-c, d), *_rounded(across * self.scale, down * self.scale)]

    def lattice(self, puzzle: DissectionPuzzle, origin: tuple[float, float]) -> dict[str, Any]:
        """A point of the lattice, and the vectors to the next points in its row and in the next row."""
        across, up = (self.vector(puzzle.lattice, *step) for step in ((1, 0), (0, 1)))
        return {"origin": origin, "across": across, "up": up}

    def vector(self, lattice: Lattice, i: float, j: float) -> tuple[float, float]:
        """A vector given in the basis of a lattice."""
        across, up = (float(factor) * sqrt(root) for factor, root in (lattice.across, lattice.up))
        x, y = turned_point(i * across + (j * across / 2 if lattice.slanted else 0), j * up, self._turn)
        return _rounded(x * self.scale, -y * self.scale)


def _rounded(x: float, y: float) -> tuple[float, float]:
    return round(x, _DECIMALS) + 0.0, round(y, _DECIMALS) + 0.0


def neutral_pieces(puzzle: DissectionPuzzle, plane: Plane) -> list[Flat]:
    """The pieces as the page turns and moves them."""
    return [_neutral(puzzle, plane, piece, number not in puzzle.no_flip) for number, piece in enumerate(puzzle.pieces)]


def _neutral(puzzle: DissectionPuzzle, plane: Plane, piece: Polygon, flips: bool) -> Flat:
    """A piece about the origin, in a rotation that does not depend on the one in the file, which may be of a tiling."""
    if puzzle.motions is Motions.LATTICE:
        lattice = puzzle.lattice
        motions = [motion for motion in lattice.motions if flips or not is_reflection(motion)]
        units = min(placed(turned(motion, lattice.units(piece))) for motion in motions)
        # Turns about a point of the lattice keep the lattice.
        middle = [round(sum(corner[axis] for corner in units) / len(units)) for axis in (0, 1)]
        return tuple(plane.vector(lattice, i - middle[0], j - middle[1]) for i, j in reversed(units))
    # Turned back and forth, equal pieces would be rounded in different ways.
    flat = plane.flat(piece, turned=False)
    faces = [flat, *([tuple((-x, y) for x, y in reversed(flat))] if flips else [])]
    return min(levelled for face in faces for levelled in _levelled(face))


def _levelled(flat: Flat) -> Iterator[Flat]:
    """The polygon about the mean of its corners, from its least corner on, with each of its longest edges level."""
    middle = [sum(corner[axis] for corner in flat) / len(flat) for axis in (0, 1)]
    moved = [(x - middle[0], y - middle[1]) for x, y in flat]
    sides = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in edges(moved)]
    longest = max(hypot(*side) for side in sides)
    for across, down in sides:
        length = hypot(across, down)
        if length > longest - _NEARLY:
            cosine, sine = across / length, -down / length
            turned_corners = [_rounded(x * cosine - y * sine, x * sine + y * cosine) for x, y in moved]
            first = turned_corners.index(min(turned_corners))
            yield (*turned_corners[first:], *turned_corners[:first])


def _step(puzzle: DissectionPuzzle, polygons: Sequence[Flat]) -> int:
    """The degrees of one turn: of the lattice, or such that all edges have directions that are multiples of it."""
    if puzzle.motions is Motions.LATTICE:
        return puzzle.lattice.angle
    angles = [degrees(atan2(y1 - y0, x1 - x0)) for polygon in polygons for (x0, y0), (x1, y1) in edges(polygon)]
    return next(
        (step for step in _STEPS if all(abs(angle - step * round(angle / step)) < _NEARLY for angle in angles)),
        _STEPS[-1],
    )


def _parts(piece: Flat) -> list[Flat]:
    fine = tuple((round(x * _FINE), round(y * _FINE)) for x, y in piece)
    return [tuple(piece[corner] for corner in part) for part in parts_as_indices(fine)]


def _width(part: Flat) -> float:
    """The least distance of two parallel lines between which a convex polygon lies."""
    return min(
        max(abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) for x, y in part) / dist((x0, y0), (x1, y1))
        for (x0, y0), (x1, y1) in edges(part)
    )


def corners_at(piece: Sequence[tuple[float, float]], x: float, y: float, turn: float, flip: int) -> Flat:
    """The corners of a piece at a place, counter-clockwise as seen on the page if it lies on its other side."""
    cosine, sine, sign = cos(radians(turn)), sin(radians(turn)), -1 if flip else 1
    return tuple((x + cosine * sign * px - sine * py, y + sine * sign * px + cosine * py) for px, py in piece)


def place_of(piece: Flat, flips: bool, polygon: Flat) -> list[float]:
    """Where a piece lies in a tiling: its origin, its turn in degrees, and 1 if it is turned over."""
    for flip in (False, True) if flips else (False,):
        face = tuple((-x, y) for x, y in reversed(piece)) if flip else piece
        (x0, y0), (x1, y1) = face[0], face[1]
        for first in range(len(polygon)):
            corners = (*polygon[first:], *polygon[:first])
            (u0, v0), (u1, v1) = corners[0], corners[1]
            turn = round(degrees(atan2(v1 - v0, u1 - u0) - atan2(y1 - y0, x1 - x0)), _DECIMALS) % 360
            cosine, sine = cos(radians(turn)), sin(radians(turn))
            at = _rounded(u0 - x0 * cosine + y0 * sine, v0 - x0 * sine - y0 * cosine)
            image = corners_at(face, *at, turn, 0)
            if all(dist(one, other) < _SAME for one, other in zip(image, corners, strict=True)):
                return [*at, turn, int(flip)]
    raise AssertionError("a piece in a tiling is another polygon")
