"""The geometric search: every tiling, with pieces turned by any angles, every sign decided exactly."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import atan2, hypot, lcm

import numpy as np
from numpy.typing import NDArray

from ....geometry.exact_directions import GaussianDirections
from ....geometry.exact_numbers import rational, surd
from ....geometry.polygons import Isometry, Polygon, counterclockwise, double_area, edges, isometries
from ....puzzles.dissection import DissectionPuzzle
from .exact_plane import ExactPlane, doubled
from .kernel import (
    ASKING,
    BUDGET,
    CURSOR_SIZE,
    DEPTH,
    FLOOR,
    GAPS,
    LISTS,
    POLYGONS,
    VERTICES,
    WRITTEN,
    Fittings,
    Gaps,
    Polygons,
    Stack,
    bound_polygon,
    enter_angle,
    search,
)
from .placements_met import PlacementsMet

_WORD, _OPPOSITE = 2**64, 4 << 61
_NOBODY = 2**32 - 1
_ANSWERS = 2**16

_Edge = tuple[int, int]


class GeometricWalk:
    """A search for all tilings that can be advanced by any number of nodes.

    Parameters
    ----------
    puzzle
        The puzzle.  Pieces may be turned by any angle, regardless of its motions.
    by_class
        Whether pieces of one class are not distinguished, so that each picture is found once.
    break_symmetry
        Whether one piece is placed only where no symmetry of the target moves it to an earlier position.

    Attributes
    ----------
    kinds
        The pieces by kind: classes of pieces that are not distinguished, or single pieces.
    anchor
        The class of a single piece that breaks the symmetries; None without symmetry breaking.  A tiling represents as
        many tilings as its anchor has images.
    nodes
        The number of nodes so far, by the number of placed pieces.
    method
        The method that chooses the next corner.
    slice_nodes
        The number of nodes of the next slice; set by the caller of `advance`.

    Raises
    ------
    EngineError
        If the puzzle's numbers are too large for the kernel; also while it runs.
    """

    method = "any motions, fewest children"

    def __init__(self, puzzle: DissectionPuzzle, *, by_class: bool, break_symmetry: bool) -> None:
        number = len(puzzle.pieces)
        self.kinds = puzzle.classes if by_class else tuple((piece,) for piece in range(number))
        self.slice_nodes = 1
        self._puzzle, self._broken = puzzle, {"by_class": by_class, "break_symmetry": break_symmetry}
        polygons = (puzzle.target, puzzle.hull, *puzzle.pockets)
        fixed = [_edges(puzzle.in_lattice_units(polygon)) for polygon in polygons]
        pieces = [_edges(puzzle.in_lattice_units(puzzle.pieces[members[0]])) for members in self.kinds]
        directions = GaussianDirections.of_edges(edge for polygon in (*fixed, *pieces) for edge in polygon)
        self._norms = tuple(sorted({directions.length(*edge)[1] for piece in pieces for edge in piece}))
        perimeters = (
            hypot(*edge) for piece, members in zip(pieces, self.kinds, strict=True) for edge in piece * len(members)
        )
        farthest = max(abs(c) for point in puzzle.in_lattice_units(puzzle.target) for c in point)
        self.anchor = _anchor(puzzle, self.kinds) if break_symmetry else None
        symmetries = _integral(puzzle.symmetries[1:], puzzle.scale) if self.anchor is not None else []
        flips = [puzzle.flips[members[0]] for members in self.kinds]
        self._fittings = _fittings(directions, self.kinds, pieces, flips, self._norms, symmetries, self.anchor)
        self._exact = ExactPlane(
            directions, self._norms, int(farthest + sum(perimeters)) + 2, self._fittings.symmetries
        )
        self._lay_out(polygons, fixed)
        self._rows = np.zeros((0, number, 2 + 2 * len(directions.radicands)), dtype=np.int64)
        self._placements = PlacementsMet(puzzle, self.kinds)
        self._by_row: dict[bytes, int] = {}

    def _lay_out(self, polygons: Sequence[Polygon], fixed: Sequence[Sequence[_Edge]]) -> None:
        """Set up the stacks, with the target, its hull and its pockets at their bottom."""
        number, vertices = len(self._puzzle.pieces), sum(map(len, fixed))
        first, dirs, fitting = (np.zeros(size, dtype=np.uint32) for size in (257, 1024, 256))
        self._stacked = Polygons(first, dirs, fitting, np.zeros((256, 4)))
        self._gaps = Gaps(*(np.zeros(size, dtype=np.uint32) for size in (256, 256, 256, 256, 256, 1024)))
        self._exact.need_vertices(vertices)
        self._stacked = self._stacked._replace(dirs=np.zeros(len(self._exact.plane.x), dtype=np.uint32))
        at = 0
        for c, (polygon, sides) in enumerate(zip(polygons, fixed, strict=True)):
            for point, edge in zip(self._puzzle.in_lattice_units(polygon), sides, strict=True):
                self._exact.put(at, point)
                self._stacked.dirs[at] = self._exact.direction(self._word(edge))
                at += 1
            self._stacked.first[c + 1] = at
            bound_polygon(self._exact.plane, self._stacked, np.uint64(c))
        choice, last, chosen, placed, left = np.zeros((5, number + 1), dtype=np.uint64)
        words, slots = np.zeros((2, _ANSWERS), dtype=np.uint64)
        images = 2, max(map(len, self._puzzle.pieces)), 2 * self._exact.plane.xs.shape[1]
        self._stack = Stack(
            np.zeros((number + 2, 3), dtype=np.uint64), choice, last, chosen, placed, left,
            np.zeros(number, dtype=np.int64), np.zeros(CURSOR_SIZE, dtype=np.int64),
            words, slots, np.zeros(_ANSWERS, dtype=np.bool_),
            np.zeros(images, dtype=np.int64), np.zeros(64, dtype=np.uint64), np.zeros(4, dtype=np.int64),
        )  # fmt: skip
        self._stack.tops[0, 0] = len(polygons)
        self._stack.left[0] = 2**number - 1
        self.nodes = self._stack.nodes

    def _word(self, edge: _Edge) -> int:
        directions = self._exact.directions
        return directions.word(directions.vector(*edge))

    def twin(self) -> "GeometricWalk":
        """Another walk through the same tree, from its root, with the same numbers of placements."""
        other = GeometricWalk(self._puzzle, **self._broken)
        other._placements = self._placements
        return other

    def make_room(self, solutions: int) -> None:
        """Keep the solutions of a slice, and end it after `solutions` of them; with 0 they are only counted."""
        if len(self._rows) != solutions:
            self._rows = np.zeros((solutions, *self._rows.shape[1:]), dtype=np.int64)

    def advance(self, budget: int) -> int:
        """Search for at most `budget` nodes; return the kernel's code, the reason why it stopped."""
        cursor = self._stack.cursor
        cursor[WRITTEN], cursor[BUDGET] = 0, budget
        while True:
            exact = self._exact
            code = search(exact.plane, exact.lines, self._fittings, self._stacked, self._gaps, self._stack, self._rows)
            if code != ASKING:
                return code
            self._answer()

    def _answer(self) -> None:
        """Answer the kernel's question."""
        before = self._exact.denominator
        sort = self._exact.answer()
        if self._exact.denominator != before:
            # Rows of this slice are in units of the old one.
            self._rows[:, :, 2:] *= self._exact.denominator // before
            self._by_row.clear()
        if sort == POLYGONS:
            first, fitting = doubled(self._stacked.first[:-1]), doubled(self._stacked.fitting)
            first = np.append(first, self._stacked.first[:1])
            self._stacked = self._stacked._replace(first=first, fitting=fitting, box=doubled(self._stacked.box))
        elif sort == VERTICES:
            self._exact.need_vertices(len(self._exact.plane.x) + 1)
            self._stacked = self._stacked._replace(dirs=doubled(self._stacked.dirs))
        elif sort == GAPS:
            names = ("point", "right", "until", "start", "end")
            self._gaps = self._gaps._replace(**{name: doubled(getattr(self._gaps, name)) for name in names})
        elif sort == LISTS:
            self._gaps = self._gaps._replace(lists=doubled(self._gaps.lists))

    def solutions(self) -> NDArray[np.int64]:
        """The tilings of the last slice: the placement of each piece, in the order of `kinds`, ascending in each."""
        rows = self._rows[: int(self._stack.cursor[WRITTEN])]
        return np.array([self._tiling(row) for row in rows], dtype=np.int64).reshape(len(rows), rows.shape[1])

    def _tiling(self, row: NDArray[np.int64]) -> list[int]:
        ids = []
        for placed in row:
            key = placed.tobytes()
            found = self._by_row.get(key)
            if found is None:
                found = self._by_row[key] = self._placements.number(*self._placement(placed.tolist()))
            ids.append(found)
        return sorted(ids, key=lambda placement: (self._placements.class_of[placement], placement))

    def _placement(self, placed: Sequence[int]) -> tuple[int, Polygon]:
        """The class and the polygon of a piece, from the kernel's output."""
        exact, fitting = self._exact, self._fittings
        f, d = placed[:2]
        radicands = exact.directions.radicands
        units = exact.denominator * self._puzzle.scale
        x, y = (
            defaultdict(Fraction, {r: Fraction(c, units) for r, c in zip(radicands, half, strict=True)})
            for half in (placed[2 : 2 + len(radicands)], placed[2 + len(radicands) :])
        )
        points = []
        for e in range(fitting.first_edge[f], fitting.first_edge[f + 1]):
            points.append((surd(x), surd(y)))
            vector = exact.directions.vector_of((int(exact.lines.words[d]) + int(fitting.turns[e])) % _WORD)
            p, q = exact.directions.gaussian(vector)
            grade, n, m = exact.directions.edge(vector, self._norms[fitting.kinds[e]])
            length = Fraction(n * int(fitting.times[e]), m * self._puzzle.scale)
            x[radicands[grade]] += p * length
            y[radicands[grade]] += q * length
        return int(fitting.piece_class[f]), counterclockwise(tuple(points))

    def polygon(self, placement: int) -> Polygon:
        """The polygon of a placement."""
        return self._placements.polygons[placement]

    def looks(self, placements: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers that are equal for congruent pieces in the same place."""
        return self._placements.looks(placements)

    def images(self, placements: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """The images of all placements under the target's symmetries, shape (symmetries, placements)."""
        return self._placements.images(placements)

    def split(self) -> list[int] | None:
        """Give away the untried children of the highest node that has some: a position for `begin_at`.

        That is the number of the child at each depth, from 0, and at the last one how many have been tried.
        """
        cursor, stack = self._stack.cursor, self._stack
        for depth in range(int(cursor[FLOOR]), int(cursor[DEPTH])):
            if stack.choice[depth] < stack.last[depth]:
                cursor[FLOOR] = depth + 1
                tried = (stack.choice[: depth + 1] - stack.chosen[: depth + 1]).tolist()
                return [*(number - 1 for number in tried[:-1]), tried[-1]]
        return None

    def rest(self) -> list[list[int]]:
        """All that is left to search: positions for `begin_at`, in the order of the search."""
        cursor, stack, given = self._stack.cursor, self._stack, []
        floor, depth = int(cursor[FLOOR]), int(cursor[DEPTH])
        while (place := self.split()) is not None:
            given.append(place)
        cursor[FLOOR] = floor
        tried = (stack.choice[: depth + 1] - stack.chosen[: depth + 1]).tolist()
        return [[*(number - 1 for number in tried[:-1]), tried[-1]], *reversed(given)]

    def begin_at(self, place: list[int]) -> None:
        """Go to a position of `split` or `rest`, to search only the subtrees from there on."""
        stack, nodes = self._stack, self.nodes.copy()
        stack.cursor[[DEPTH, FLOOR]] = 0
        self.advance(0)  # A new walk begins.
        for depth, child in enumerate(place):
            stack.choice[depth] = stack.chosen[depth] + np.uint64(child)
            self.advance(int(depth < len(place) - 1))
        stack.cursor[FLOOR] = len(place) - 1
        self.nodes[:] = nodes

    def done(self, place: list[int] | None = None) -> float:
        """The part of the tree that is done, counting the children of each node as equal parts.

        With a position that the walk has just given away, the part before it.
        """
        depth = int(self._stack.cursor[DEPTH]) if place is None else len(place) - 1
        done, part, stack = 0.0, 1.0, self._stack
        for d in range(depth + 1):
            behind, children = int(stack.choice[d] - stack.chosen[d]), int(stack.last[d] - stack.chosen[d])
            if children == 0:
                break
            part /= children
            done += part * (behind - (d < depth))
        return min(done, 1.0)

    @property
    def statistics(self) -> dict[str, int]:
        """The number of signs computed, and how those were decided that floats left open.

        The last of these are sums of several square roots, which are computed to as many digits as necessary.
        """
        names = ("signs", "left_open_by_floats", "decided_by_integers", "decided_by_many_digits")
        return dict(zip(names, self._exact.plane.counts.tolist(), strict=True))


def _edges(points: Sequence[tuple[int, int]]) -> list[_Edge]:
    return [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in edges(points)]


def _anchor(puzzle: DissectionPuzzle, classes: Sequence[Sequence[int]]) -> int | None:
    """The class of a single piece that breaks the target's symmetries: the least symmetric, then the smallest.

    No symmetry makes another class of it.
    """
    if len(puzzle.symmetries) == 1:
        return None
    mirrored = puzzle.mirror_kinds(classes)
    single = [
        (len(list(isometries(polygon, polygon))), _area(polygon), number)
        for number, members in enumerate(classes)
        if len(members) == 1 and mirrored[number] == number
        for polygon in (puzzle.pieces[members[0]],)
    ]
    return min(single)[2] if single else None


def _area(polygon: Polygon) -> Fraction:
    return rational(double_area(polygon))


def _integral(symmetries: Sequence[Isometry], scale: int) -> list[list[int]]:
    """The symmetries in units of the lattice, multiplied by their denominators, and these."""
    rows = []
    for a, b, c, d, e, f in symmetries:
        entries = [Fraction(entry) for entry in (a, b, c, d, e * scale, f * scale)]
        common = lcm(*(entry.denominator for entry in entries))
        rows.append([*(int(entry * common) for entry in entries), common])
    return rows


def _fittings(
    directions: GaussianDirections,
    classes: Sequence[Sequence[int]],
    pieces: Sequence[Sequence[_Edge]],
    flips: Sequence[bool],
    norms: Sequence[int],
    symmetries: list[list[int]],
    anchor: int | None,
) -> Fittings:
    """The tables of the pieces."""
    found = [
        (number, signature, width)
        for number, (piece, flip) in enumerate(zip(pieces, flips, strict=True))
        for signature, width in dict(_signatures(directions, piece, flip=flip)).items()
    ]
    flat = [edge for _, signature, _ in found for edge in signature]
    starts = np.cumsum([0, *(len(signature) for _, signature, _ in found)])
    slots = np.cumsum([0, *map(len, classes)]).tolist()
    masks = [(1 << end) - (1 << first) for first, end in pairwise(slots)]
    angles = sorted(
        {
            (-width, _angle(signature), 1 << slot)
            for number, signature, width in found
            for slot in range(slots[number], slots[number + 1])
        }
    )
    return Fittings(
        np.array([number for number, _, _ in found], dtype=np.uint32),
        starts.astype(np.uint32),
        np.array([turn for turn, _, _ in flat], dtype=np.uint64),
        np.array([norms.index(norm) for _, _, norm in flat], dtype=np.uint32),
        np.array([times for _, times, _ in flat], dtype=np.int64),
        np.array([_angle(signature) for _, signature, _ in found], dtype=np.uint64),
        np.array([width for _, _, width in found]),
        np.array(masks, dtype=np.uint64),
        np.array([word for _, word, _ in angles], dtype=np.uint64),
        np.array([-width for width, _, _ in angles]),
        np.array([slot for _, _, slot in angles], dtype=np.uint64),
        *_by_word([(word, slot) for _, word, slot in angles]),
        np.array([_NOBODY if anchor is None else anchor], dtype=np.uint32),
        np.array(symmetries, dtype=np.int64).reshape(len(symmetries), 7),
    )


def _by_word(angles: Sequence[tuple[int, int]]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """A hash table of angles' words, with the slots of the pieces that have them."""
    words, slots = np.zeros((2, 4 << len(angles).bit_length()), dtype=np.uint64)
    for word, slot in angles:
        enter_angle(words, slots, np.uint64(word), np.uint64(slot))
    return words, slots


_Signature = tuple[tuple[int, int, int], ...]


def _signatures(
    directions: GaussianDirections, piece: Sequence[_Edge], *, flip: bool
) -> Iterator[tuple[_Signature, float]]:
    """The form of the piece seen from each vertex, not turned over and, with `flip`, turned over; its angle there.

    For each edge: the word of its turn from the first one, and the n and r of its length, n sqrt(r).
    """
    # Turned over, the edges come in the opposite order; mirrored in the y axis, each goes the same way up.
    for sides in (piece, [(dx, -dy) for dx, dy in reversed(piece)])[: 1 + flip]:
        words = [directions.word(directions.vector(*edge)) for edge in sides]
        for start in range(len(sides)):
            order = [*range(start, len(sides)), *range(start)]
            signature = tuple(((words[i] - words[start]) % _WORD, *directions.length(*sides[i])) for i in order)
            (ax, ay), (bx, by) = sides[start], sides[start - 1]
            yield signature, atan2(ay * bx - ax * by, -ax * bx - ay * by)


def _angle(signature: _Signature) -> int:
    """The word of the angle between the first edge and the way back along the last one."""
    return (signature[-1][0] + _OPPOSITE) % _WORD
