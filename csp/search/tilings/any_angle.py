"""The geometric search: every tiling, with pieces turned by any angles, every sign decided exactly."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import atan2, lcm, log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...geometry.directions import GaussianDirections, RegularDirections
from ...geometry.exact_numbers import Number, quotient, rational
from ...geometry.lattices import Lattice
from ...geometry.polygons import Isometry, Point, Polygon, counterclockwise, double_area, edges, isometries, points_text
from ...geometry.regions import convex_parts, parts_as_indices
from ...puzzles.dissection import DissectionPuzzle
from .any_angle_kernel import (
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
from .planes import ExactPlane, PlaneArrays, RegularPlane, SymmetryRows, doubled

_Numbers = Sequence[int] | NDArray[np.int64]


class PlacementsMet:
    """Polygons with their classes; safe for use by several threads.

    - `kinds`: its pieces by the classes of the search.

    Attributes:
    - `polygons`, `class_of`: the polygon and the class of each placement.
    """

    def __init__(self, puzzle: DissectionPuzzle, kinds: Sequence[Sequence[int]]) -> None:
        self.polygons: list[Polygon] = []
        self.class_of: list[int] = []
        self._puzzle = puzzle
        self._mirror_kinds = puzzle.mirror_kinds(kinds)
        self._puzzle_classes = [puzzle.class_of[members[0]] for members in kinds]
        self._numbers: dict[tuple[int, Polygon], int] = {}
        self._looks: list[int] = []
        self._first_look: dict[tuple[int, Polygon], int] = {}
        self._texts: dict[int, tuple[int, str]] = {}
        self._images: dict[int, list[int]] = {}
        self._lock = threading.Lock()

    def number(self, piece_class: int, polygon: Polygon) -> int:
        """The number of a placement."""
        with self._lock:
            found = self._numbers.setdefault((piece_class, polygon), len(self.polygons))
            if found == len(self.polygons):
                look = self._puzzle_classes[piece_class], polygon
                self._looks.append(self._first_look.setdefault(look, found))
                self.polygons.append(polygon)
                self.class_of.append(piece_class)
            return found

    def looks(self, placements: _Numbers) -> NDArray[np.int64]:
        """Numbers that are equal for congruent pieces in the same place.

        They are valid for this call only.  Their order depends on the polygons alone: the order in which a search
        meets its placements changes when it is resumed.
        """
        met = np.array([self._looks[number] for number in np.ravel(placements)], dtype=np.int64)
        different, which = np.unique(met, return_inverse=True)
        ranks = np.empty(len(different), dtype=np.int64)
        ranks[sorted(range(len(different)), key=lambda at: self._text(int(different[at])))] = np.arange(len(different))
        return ranks[which].reshape(np.shape(placements))

    def _text(self, look: int) -> tuple[int, str]:
        """The class and the vertices of a look."""
        if look not in self._texts:
            of_class = self._puzzle_classes[self.class_of[look]]
            self._texts[look] = of_class, points_text(self.polygons[look])
        return self._texts[look]

    def images(self, placements: _Numbers) -> NDArray[np.int64]:
        """The images of all placements under the target's symmetries, shape (symmetries, placements)."""
        symmetries = self._puzzle.symmetries
        for placement in {int(placement) for placement in placements} - self._images.keys():
            piece_class, polygon = self.class_of[placement], self.polygons[placement]
            reflected = self._mirror_kinds[piece_class]
            self._images[placement] = [
                self.number(reflected if motion.is_reflection else piece_class, motion(polygon))
                for motion in symmetries
            ]
        columns = [self._images[int(placement)] for placement in placements]
        return np.array(columns, dtype=np.int64).reshape(len(columns), len(symmetries)).T


_NOBODY = 2**32 - 1
_ANSWERS = 2**16

# Integers in units of the lattice, or exact numbers.
_Edge = tuple[Any, Any]
_Points = tuple[tuple[Any, Any], ...]


class GeometricWalk:
    """A search for all tilings that can be advanced by any number of nodes.

    Pieces may be turned by any angle, regardless of the puzzle's motions.  With `by_class`, `kinds` are the classes of
    pieces, which are not distinguished.  With `break_symmetry`, a single piece, the `anchor`, is placed only where no
    symmetry of the target moves it to an earlier position; a tiling represents as many tilings as it has images.

    Raises EngineError if the puzzle's numbers are too large for the kernel; also while it runs.
    """

    method = "any motions, fewest children"
    first_over: int | None = None

    def __init__(self, puzzle: DissectionPuzzle, *, by_class: bool, break_symmetry: bool) -> None:
        number = len(puzzle.pieces)
        self.kinds = puzzle.classes if by_class else tuple((piece,) for piece in range(number))
        self.slice_nodes = 1
        self._puzzle, self._broken = puzzle, {"by_class": by_class, "break_symmetry": break_symmetry}
        plain, self._unit, self._origin = similar_searched(puzzle)
        # What the pieces fill is on the left of its boundary.
        outlines = (*plain.parts, *(hole[::-1] for hole in plain.holes))
        in_units = plain.in_lattice_units if plain.is_rational else tuple
        polygons = [in_units(polygon) for polygon in (*outlines, plain.hull, *plain.pockets)]
        shapes = [in_units(plain.pieces[members[0]]) for members in self.kinds]
        self.anchor = _anchor(plain, self.kinds) if break_symmetry else None
        self._exact, lengths = _plane(plain, self.kinds, polygons, shapes, breaks_symmetry=self.anchor is not None)
        flips = [puzzle.flips[members[0]] for members in self.kinds]
        directions = self._exact.directions
        symmetries = self._exact.symmetries
        self._fittings = _fittings(directions, self.kinds, shapes, flips, lengths, symmetries, self.anchor)
        self._lay_out(polygons, list(map(_edges, polygons)), len(outlines))
        self._rows = np.zeros((0, number, 2 + 2 * len(directions.radicands)), dtype=np.int64)
        self._placements = PlacementsMet(puzzle, self.kinds)
        self._by_row: dict[bytes, int] = {}

    def _lay_out(self, polygons: Sequence[_Points], fixed: Sequence[Sequence[_Edge]], outlines: int) -> None:
        """Set up the stacks, with the outlines, the target's hull and its pockets at their bottom."""
        number, vertices, room = len(self._puzzle.pieces), sum(map(len, fixed)), 256 + 2 * len(polygons)
        first, dirs, fitting, parts = (np.zeros(size, dtype=np.uint32) for size in (room + 1, 1024, room, room))
        hull = np.array([outlines], dtype=np.uint32)
        self._stacked = Polygons(first, dirs, fitting, parts, hull, np.zeros((room, 4)))
        self._exact.need_vertices(vertices)
        self._stacked = self._stacked._replace(dirs=np.zeros(len(self._exact.plane.x), dtype=np.uint32))
        at = 0
        for c, (polygon, sides) in enumerate(zip(polygons, fixed, strict=True)):
            for point, edge in zip(polygon, sides, strict=True):
                self._exact.put(at, point)
                self._stacked.dirs[at] = self._exact.direction(self._exact.directions.word_of(*edge))
                at += 1
            self._stacked.first[c + 1] = at
            bound_polygon(self._exact.plane, self._stacked, np.uint64(c))
        point, right, until, start, end = np.zeros((5, 256), dtype=np.uint32)
        lists = np.zeros(1024, dtype=np.uint32)
        self._gaps = Gaps(point, right, until, start, end, lists, self._corners(polygons[:outlines]))
        choice, last, chosen, placed = np.zeros((4, number + 1), dtype=np.uint64)
        words, slots = np.zeros(_ANSWERS, dtype=np.uint64), -(-number // 64)
        longest = max(map(len, self._puzzle.pieces))
        left, asked = (np.zeros((rows, slots), dtype=np.uint64) for rows in (number + 1, _ANSWERS))
        images = 2, longest, 2 * self._exact.plane.xs.shape[1]
        self._stack = Stack(
            np.zeros((number + 2, 3), dtype=np.uint64), choice, last, chosen, placed, left,
            np.zeros(number, dtype=np.int64), np.zeros(CURSOR_SIZE, dtype=np.int64),
            words, asked, np.zeros(_ANSWERS, dtype=np.bool_),
            np.zeros(images, dtype=np.int64), np.zeros(number + 1, dtype=np.uint64), np.zeros(slots, dtype=np.uint64),
            np.zeros(longest, dtype=np.bool_), np.zeros(4, dtype=np.int64),
        )  # fmt: skip
        self._stack.tops[0, 0] = len(polygons)
        self._stack.left[0] = _slots_of(range(number), slots)
        self.nodes = self._stack.nodes

    def _corners(self, outlines: Sequence[_Points]) -> NDArray[np.uint32]:
        """The sectors round the vertices of the outlines that are to be filled: a vertex and two directions each."""
        dirs, theta = self._stacked.dirs, self._exact.lines.theta
        numbered = [(v, point) for v, point in enumerate(point for outline in outlines for point in outline)]
        # What is to be filled is on the left of its boundary.  For each point: the directions of the boundary onwards,
        # and back.  From one of the first ones to the next one of the second ones there is a sector to be filled.
        away: dict[_Edge, list[int]] = {point: [] for _, point in numbered}
        back: dict[_Edge, list[int]] = {point: [] for _, point in numbered}
        for point in away:
            first = 0
            for outline in outlines:
                for i, (a, b) in enumerate(edges(outline)):
                    if point == a or (point != b and _is_between(point, a, b)):
                        before = first + ((i - 1) % len(outline) if point == a else i)
                        away[point].append(int(dirs[first + i]))
                        back[point].append(int(dirs[before]) ^ 1)
                first += len(outline)
        found = [
            (v, right, min(back[point], key=lambda until, right=right: (theta[until] - theta[right]) % (2 * pi)))
            for point, v in {point: v for v, point in numbered}.items()
            for right in sorted(away[point], key=lambda right: theta[right])
        ]
        return np.array(found, dtype=np.uint32)

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
            first = np.append(doubled(self._stacked.first[:-1]), self._stacked.first[:1])
            others = {name: doubled(getattr(self._stacked, name)) for name in ("fitting", "parts", "box")}
            self._stacked = self._stacked._replace(first=first, **others)
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
        grades = len(exact.directions.radicands)
        x, y = (exact.number(half) for half in (placed[2 : 2 + grades], placed[2 + grades :]))
        points = []
        for e in range(fitting.first_edge[f], fitting.first_edge[f + 1]):
            points.append((x * self._unit + self._origin[0], y * self._unit + self._origin[1]))
            word = (int(exact.lines.words[d]) + int(fitting.turns[e])) % exact.directions.full
            dx, dy = exact.edge(word, int(fitting.kinds[e]), int(fitting.times[e]))
            x, y = x + dx, y + dy
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
            # At the last depth all children may have been tried; the kernel would go back from there.
            if depth < len(place) - 1:
                self.advance(1)
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


def similar_searched(puzzle: DissectionPuzzle) -> tuple[DissectionPuzzle, Number, Point]:
    """The puzzle itself, or a similar one with rational coordinates; and the search's unit and origin in the puzzle's.

    Raises EngineError if the search supports neither of them.
    """
    if puzzle.is_rational:
        return puzzle, puzzle.lattice.across[0], puzzle.lattice.origin
    polygons = (*puzzle.outlines, puzzle.hull, *puzzle.pockets, *puzzle.pieces)
    try:
        RegularDirections.of([part for polygon in polygons for part in (polygon, *convex_parts(polygon))])
        return puzzle, 1, (0, 0)
    except EngineError as error:
        # Near 1, to keep the quotients small.
        numbers = [c for polygon in polygons for point in polygon for c in point if c != 0]
        size = min(numbers, key=lambda c: abs(log(abs(float(c)))))
        try:
            parts, holes, pieces = (
                tuple(
                    tuple((rational(quotient(x, size)), rational(quotient(y, size))) for x, y in polygon)
                    for polygon in polygons
                )
                for polygons in (puzzle.parts, puzzle.holes, puzzle.pieces)
            )
        except ValueError:
            needs = "rational coordinates, or rational multiples of one number, or edges at multiples of 3 degrees"
            raise EngineError(f"{puzzle.name}: the search with any motions needs {needs}") from error
        plain = replace(puzzle, target=parts, holes=holes, pieces=pieces)
        left, bottom = plain.lattice.origin
        return plain, size * plain.lattice.across[0], (size * left, size * bottom)


def _plane(
    puzzle: DissectionPuzzle,
    kinds: Sequence[Sequence[int]],
    polygons: Sequence[Polygon],
    shapes: Sequence[Polygon],
    *,
    breaks_symmetry: bool,
) -> tuple[PlaneArrays, list[Any]]:
    """The arrays of the exact kernel, and the kinds of edges that pieces have."""
    parts = [tuple(shape[vertex] for vertex in part) for shape in shapes for part in parts_as_indices(shape)]
    symmetries = puzzle.symmetries[1:] if breaks_symmetry else ()
    every = [*polygons, *shapes, *parts]
    if puzzle.is_rational:
        directions = GaussianDirections.of_edges(edge for polygon in every for edge in _edges(polygon))
    else:
        directions = RegularDirections.of(every)
    along = [
        directions.length(*edge)
        for shape, members in zip(shapes, kinds, strict=True)
        for edge in _edges(shape) * len(members)
    ]
    lengths: list[Any] = sorted({length for _, length in along})
    if isinstance(directions, RegularDirections):
        points = [point for polygon in polygons for point in polygon]
        perimeter = [lengths.index(length) for _, length in along]
        return RegularPlane(directions, lengths, points, perimeter, symmetries), lengths
    perimeter = sum(times * sqrt(norm) for times, norm in along)
    farthest = max(abs(c) for point in puzzle.in_lattice_units(puzzle.hull) for c in point)
    rows = np.array(_integral(symmetries, puzzle.lattice), dtype=np.int64).reshape(len(symmetries), 7)
    return ExactPlane(directions, tuple(lengths), int(farthest + perimeter) + 2, rows), lengths


def _edges(points: Sequence[tuple[Any, Any]]) -> list[_Edge]:
    return [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in edges(points)]


def _is_between(point: _Edge, a: _Edge, b: _Edge) -> bool:
    """Whether a point lies inside a segment."""
    (ux, uy), (vx, vy) = (a[0] - point[0], a[1] - point[1]), (b[0] - point[0], b[1] - point[1])
    return ux * vy == uy * vx and ux * vx + uy * vy < 0


def _anchor(puzzle: DissectionPuzzle, classes: Sequence[Sequence[int]]) -> int | None:
    """The class of a single piece that breaks the target's symmetries: the least symmetric, then the smallest.

    No symmetry makes another class of it.
    """
    if len(puzzle.symmetries) == 1:
        return None
    mirrored = puzzle.mirror_kinds(classes)
    single = [
        (len(list(isometries(polygon, polygon))), double_area(polygon), number)
        for number, members in enumerate(classes)
        if len(members) == 1 and mirrored[number] == number
        for polygon in (puzzle.pieces[members[0]],)
    ]
    return min(single)[2] if single else None


def _integral(symmetries: Sequence[Isometry], lattice: Lattice) -> list[list[int]]:
    """The symmetries in units of the lattice, multiplied by their denominators, and these."""
    rows = []
    for motion in symmetries:
        moved = motion.of_point(lattice.origin)
        away = [rational(c - own) / lattice.across[0] for c, own in zip(moved, lattice.origin, strict=True)]
        entries = [*map(rational, motion[:4]), *away]
        common = lcm(*(entry.denominator for entry in entries))
        rows.append([*(int(entry * common) for entry in entries), common])
    return rows


def _fittings(
    directions: GaussianDirections | RegularDirections,
    classes: Sequence[Sequence[int]],
    shapes: Sequence[_Points],
    flips: Sequence[bool],
    lengths: Sequence[Any],
    symmetries: SymmetryRows,
    anchor: int | None,
) -> Fittings:
    """The tables of the pieces."""

    def angle(signature: _Signature) -> int:
        """The word of the angle between the first edge and the way back along the last one."""
        return (signature[-1][0] + directions.full // 2) % directions.full

    every = [
        (number, signature, width, parts)
        for number, (shape, flip) in enumerate(zip(shapes, flips, strict=True))
        for signature, (width, parts) in dict(_signatures(directions, shape, flip=flip)).items()
    ]
    found = [(number, signature, width) for number, signature, width, _ in every]
    flat = [edge for _, signature, _ in found for edge in signature]
    starts = np.cumsum([0, *(len(signature) for _, signature, _ in found)])
    cut = [part for *_, parts in every for part in parts]
    entries = [entry for part in cut for entry in part]
    slots = np.cumsum([0, *map(len, classes)]).tolist()
    masks = [_slots_of(range(first, end), -(-slots[-1] // 64)) for first, end in pairwise(slots)]
    angles = sorted(
        {
            (-width, angle(signature), slot)
            for number, signature, width in found
            for slot in range(slots[number], slots[number + 1])
        }
    )
    return Fittings(
        np.array([number for number, _, _ in found], dtype=np.uint32),
        starts.astype(np.uint32),
        np.array([turn for turn, _, _ in flat], dtype=np.uint64),
        np.array([lengths.index(length) for _, _, length in flat], dtype=np.uint32),
        np.array([times for _, times, _ in flat], dtype=np.int64),
        np.array([angle(signature) for _, signature, _ in found], dtype=np.uint64),
        np.array([width for _, _, width in found]),
        np.cumsum([0, *(len(parts) for *_, parts in every)]).astype(np.uint32),
        np.cumsum([0, *map(len, cut)]).astype(np.uint32),
        np.array([vertex for vertex, _ in entries], dtype=np.uint32),
        np.array([turn for _, turn in entries], dtype=np.uint64),
        np.array(masks, dtype=np.uint64),
        np.array([word for _, word, _ in angles], dtype=np.uint64),
        np.array([-width for width, _, _ in angles]),
        np.array([slot for _, _, slot in angles], dtype=np.uint64),
        *_by_word([(word, slot) for _, word, slot in angles], -(-slots[-1] // 64)),
        np.array([_NOBODY if anchor is None else anchor], dtype=np.uint32),
        *symmetries,
    )


def _slots_of(pieces: Iterable[int], words: int) -> NDArray[np.uint64]:
    """The slots of pieces as a row of words."""
    row = sum(1 << piece for piece in pieces)
    return np.frombuffer(row.to_bytes(8 * words, "little"), dtype="<u8").astype(np.uint64)


def _by_word(
    angles: Sequence[tuple[int, int]], words: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint64]]:
    """A hash table of angles' words, with the rows of the slots of the pieces that have them."""
    having: dict[int, list[int]] = {}
    for word, slot in angles:
        having.setdefault(word, []).append(slot)
    size = 4 << len(having).bit_length()
    table, rows = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint32)
    for row, word in enumerate(having):
        enter_angle(table, rows, np.uint64(word), np.uint32(row))
    return table, rows, np.array([_slots_of(set(slots), words) for slots in having.values()], dtype=np.uint64)


_Signature = tuple[tuple[int, int, Any], ...]
#: For each convex part its vertices, counted from the first one, with the word of the turn of the edge from there.
_Parts = tuple[tuple[tuple[int, int], ...], ...]


def _signatures(
    directions: GaussianDirections | RegularDirections, shape: _Points, *, flip: bool
) -> Iterator[tuple[_Signature, tuple[float, _Parts]]]:
    """The form of a piece seen from each vertex below 180 degrees, not turned over and, with `flip`, turned over.

    For each edge: the word of its turn from the first one, and the n and r of its length, n sqrt(r).  Then the angle at
    the vertex, and the convex parts of a piece that is not convex.
    """
    n, parts = len(shape), parts_as_indices(shape)
    parts = () if len(parts) == 1 else parts
    # In the mirror the vertices come in the opposite order.
    mirrored = tuple((-x, y) for x, y in (shape[0], *reversed(shape[1:])))
    in_mirror = tuple(tuple(-vertex % n for vertex in reversed(part)) for part in parts)
    for points, cut in ((shape, parts), (mirrored, in_mirror))[: 1 + flip]:
        sides = _edges(points)
        words = [directions.word_of(*edge) for edge in sides]
        for start in range(n):
            (ax, ay), (bx, by) = sides[start], sides[start - 1]
            if ay * bx < ax * by:
                continue
            order = [*range(start, n), *range(start)]
            lengths = [directions.length(*sides[i]) for i in order]
            signature = tuple(
                ((words[i] - words[start]) % directions.full, times, length)
                for i, (times, length) in zip(order, lengths, strict=True)
            )
            turned = tuple(
                tuple(
                    ((i - start) % n, (directions.word_of(*edge) - words[start]) % directions.full)
                    for i, edge in zip(part, _edges([points[vertex] for vertex in part]), strict=True)
                )
                for part in cut
            )
            yield signature, (atan2(ay * bx - ax * by, -ax * bx - ay * by), turned)
