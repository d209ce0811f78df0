"""The convex polygons that pieces with rational vertices can tile when any motions move them.

    python research/off_lattice_forms.py ostomachion 4

The second argument is the number of vertices.  Pieces may be turned over.  As in `jigsat forms`, a seam must not be on
the boundary.  Prints how many corners, cycles of corners and outlines are possible, and the forms that cannot be tiled
on the lattice, with their tilings (of numbered pieces) and what a second search on a finer lattice counts; `--all`
counts the tilings of the other forms as well, on the lattice and with any motions.  The page *Off the
lattice* has the proof that none is missed:

1. A direction is a vector of integers (`GaussianDirections`).  Two edges can lie along each other only if their vectors
   are equal modulo 2: they are of one *kind*.
2. Only corners of pieces fill a corner of the outline, one beside the other.  So the corners that occur are finitely
   many (`corner_fillings`), and so are the sequences of corners of a convex polygon (`outline_directions`).
3. A side consists of whole edges of one kind, which leaves finitely many lengths (`outlines`).
4. The search with any motions decides which outlines can be tiled.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import lcm
from typing import NamedTuple

import numpy as np
from numba import njit

import jigsat as js
from jigsat.csp.base.errors import UsageError
from jigsat.csp.geometry.directions import GaussianDirections, Vector
from jigsat.csp.geometry.exact_numbers import rational
from jigsat.csp.geometry.lattices import Lattice, Units, placed, turned, unit_edges
from jigsat.csp.geometry.polygons import (
    LATTICE_MOTIONS,
    Polygon,
    counterclockwise,
    double_area,
    first_reflex,
    points_text,
)
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.shared_tree import EXHAUSTED
from jigsat.csp.tilings.convex_forms import Slope
from jigsat.csp.tilings.layouts import figure_key
from jigsat.csp.tilings.tile_forms import WedgeTable
from jigsat.csp.tilings.wedge_kernel import BUDGET, WRITTEN, search_by_wedges

#: A turn at a corner of an outline: the kinds of the sides before and after it, and the change of direction.
Turn = tuple[Vector, Vector, Vector]
_ROWS, _NODES = 4096, 1_000_000


class Side(NamedTuple):
    """A side of an outline."""

    direction: Vector
    #: Its length in units of the square root that belongs to its kind.
    length: int


class Outline(NamedTuple):
    """A convex polygon, and its sides in order."""

    polygon: Polygon
    sides: tuple[Side, ...]


class AnyMotions:
    """The corners and edges of the pieces of a puzzle whose coordinates are whole numbers.

    With `seams`, seams may be on the boundary of forms.
    """

    def __init__(self, puzzle: DissectionPuzzle, *, seams: bool = False) -> None:
        self.puzzle, self._seams = replace(puzzle, motions=Motions.ANY), seams
        numbers = [[(rational(x), rational(y)) for x, y in piece] for piece in puzzle.pieces]
        if any(entry.denominator > 1 for piece in numbers for point in piece for entry in point) or puzzle.no_flip:
            raise UsageError(f"{puzzle.name}: pieces must have whole coordinates, and all may be turned over")
        self.pieces: list[Units] = [tuple((int(x), int(y)) for x, y in piece) for piece in numbers]
        self.area = int(rational(2 * puzzle.area))
        self.directions = GaussianDirections.of_edges(edge for piece in self.pieces for edge in unit_edges(piece))

    def kind(self, vector: Vector) -> Vector:
        """A direction modulo 2."""
        return tuple(entry % 2 for entry in vector)

    def sum(self, *vectors: Vector) -> Vector:
        """The direction after several turns."""
        first, *rest = (sum(entries) for entries in zip(*vectors, strict=True))
        return first % 8, *rest

    def reverse(self, vector: Vector) -> Vector:
        """The inverse of a turn."""
        return -vector[0] % 8, *(-entry for entry in vector[1:])

    @cached_property
    def slopes(self) -> dict[Vector, Slope]:
        """The edges of each kind, with their lengths in units of one square root."""
        found = defaultdict(list)
        for number, piece in enumerate(self.pieces):
            for edge in unit_edges(piece):
                found[self.kind(self.directions.vector(*edge))].append((number, self.directions.length(*edge)[0]))
        repeated = frozenset(number for number, piece in enumerate(self.pieces) if first_reflex(piece) is not None)
        return {kind: Slope(self.directions.gaussian(kind), tuple(found[kind]), repeated) for kind in sorted(found)}

    @cached_property
    def half(self) -> Vector:
        """Half a turn."""
        return 4, *(0 for _ in self.directions.primes)

    @cache  # noqa: B019 (there is one object)
    def is_upper(self, vector: Vector) -> bool:
        """Whether a direction is at 0 degrees or more, and less than 180."""
        x, y = self.directions.gaussian(vector)
        return y > 0 or (y == 0 and x > 0)

    @cached_property
    def piece_corners(self) -> dict[Vector, list[tuple[int, int, Vector, Vector]]]:
        """For each kind the corners that can begin with it: the piece, the corner, the kind at its end, the angle."""
        found = defaultdict(list)
        rays = [
            (piece, (-back[0], -back[1]), edge)
            for piece, polygon in enumerate(self.pieces)
            for back, edge in zip([unit_edges(polygon)[-1], *unit_edges(polygon)], unit_edges(polygon), strict=False)
        ]
        for number, (piece, (x, y), (u, v)) in enumerate(rays):
            if u * y > v * x:
                one, other = self.directions.vector(u, v), self.directions.vector(x, y)
                angle, ends = self.sum(other, self.reverse(one)), (self.kind(one), self.kind(other))
                # The piece as it is, and turned over.
                for start, end in {ends, ends[::-1]}:
                    found[start].append((piece, number, end, angle))
        return found

    @cached_property
    def corner_fillings(self) -> dict[Turn, list[int]]:
        """The turns at corners that corners of different pieces fill, with the sets of corners that do."""
        found: dict[Turn, set[int]] = defaultdict(set)
        met = set()
        free = [kind for kind, slope in self.slopes.items() if self._seams or not slope.is_seam]

        def grow(start: Vector, kind: Vector, angle: Vector, pieces: int, used: int) -> None:
            if (start, kind, angle, used) in met:
                return
            met.add((start, kind, angle, used))
            if used and kind in free:
                # The ray of the side after the corner comes first, counter-clockwise.
                found[kind, start, self.sum(self.half, self.reverse(angle))].add(used)
            for piece, corner, end, more in self.piece_corners[kind]:
                wider = self.sum(angle, more)
                if not pieces >> piece & 1 and self.is_upper(wider):
                    grow(start, end, wider, pieces | 1 << piece, used | 1 << corner)

        nothing = self.sum(self.half, self.half)
        for start in free:
            grow(start, start, nothing, 0, 0)
        return {turn: _least_sets(sets) for turn, sets in sorted(found.items())}

    @cache  # noqa: B019
    def outline_directions(self, vertices: int) -> set[tuple[Turn, ...]]:
        """The turns around convex polygons whose corners different corners of the pieces can fill."""
        turns = list(self.corner_fillings)
        after = defaultdict(list)
        for number, (before, _, _) in enumerate(turns):
            after[before].append(number)
        nothing, found, met = self.sum(self.half, self.half), set(), set()

        def grow(chain: tuple[int, ...], direction: Vector) -> None:
            """Direction is that of the next side, relative to the first one, before less than a full turn."""
            if len(chain) == vertices - 1:
                closing = turns[chain[-1]][1], turns[chain[0]][0], self.reverse(direction)
                if closing in self.corner_fillings:
                    outline = _least_cycle((*(turns[number] for number in chain), closing))
                    if outline not in met:
                        met.add(outline)
                        if _disjoint(sorted((self.corner_fillings[turn] for turn in outline), key=len), 0):
                            found.add(outline)
                return
            for number in after[turns[chain[-1]][1]]:
                wider = self.sum(direction, turns[number][2])
                # A step from the lower half to the upper one is more than a full turn.
                if number >= chain[0] and (self.is_upper(direction) or not self.is_upper(wider)):
                    grow((*chain, number), wider)

        for first, turn in enumerate(turns):
            grow((first,), self.sum(nothing, turn[2]))
        return found

    def target(self, outline: Outline) -> DissectionPuzzle:
        """The puzzle with an outline as its target."""
        return replace(self.puzzle, target=outline.polygon)

    def can_be_tiled(self, outline: Outline) -> bool:
        """Whether the pieces can tile an outline when any motions move them."""
        return bool(js.solve(self.target(outline)).solutions)

    def outlines(self, vertices: int) -> dict[tuple, Outline]:
        """The outlines that corners and lengths allow, up to any motions."""
        found = {}
        for turns in sorted(self.outline_directions(vertices)):
            directions = [turns[0][0]]
            for _, _, turn in turns[:-1]:
                directions.append(self.sum(directions[-1], turn))
            for lengths in self._lengths(directions):
                points = [(Fraction(0), Fraction(0))]
                for direction, length in zip(directions, lengths, strict=True):
                    x, y = self.step(direction)
                    points.append((points[-1][0] + length * x, points[-1][1] + length * y))
                polygon = counterclockwise(tuple(points[:-1]))
                assert points[-1] == points[0]
                assert double_area(polygon) == self.area
                sides = tuple(map(Side, directions, lengths))
                found.setdefault(key_of(polygon), Outline(polygon, sides))
        return found

    @cache  # noqa: B019
    def step(self, direction: Vector) -> tuple[Fraction, Fraction]:
        """The vector in a direction whose length is the square root of its kind."""
        _, above, below = self.directions.edge(direction, self.directions.norm(self.kind(direction)))
        x, y = self.directions.gaussian(direction)
        return Fraction(above * x, below), Fraction(above * y, below)

    def _lengths(self, directions: Sequence[Vector]) -> Iterator[list[int]]:
        """The lengths of sides with which they close to a polygon of the right area."""
        kinds = list(self.slopes)
        own = [kinds.index(self.kind(direction)) for direction in directions]
        lengths = [sorted(self.slopes[kinds[kind]].lengths()) for kind in own]
        # The kernel finds the last two sides from the others.
        first = max(range(len(own)), key=lambda at: len(lengths[at - 1]) * len(lengths[at - 2]))
        order = [*range(first, len(own)), *range(first)]
        steps = [self.step(directions[at]) for at in order]
        scale = lcm(*(entry.denominator for step in steps for entry in step))
        x, y = (np.array([int(step[axis] * scale) for step in steps]) for axis in (0, 1))
        longest = max(map(max, lengths))
        assert 8 * (longest * len(own) * scale * 8) ** 2 < 2**63
        table, is_length = np.zeros((len(own), longest + 1), np.int64), np.zeros((len(own), longest + 1), np.bool_)
        for row, at in enumerate(order):
            table[row, : len(lengths[at])], is_length[row, lengths[at]] = lengths[at], True
        totals = np.array([slope.total for slope in self.slopes.values()])
        area = self.area * scale**2
        rows = np.zeros((_ROWS, len(own)), np.int64)
        number = close_outlines(x, y, table, is_length, np.array([own[at] for at in order]), totals, area, rows)
        assert number < _ROWS
        for row in rows[:number].tolist():
            yield [length for _, length in sorted(zip(order, row, strict=True))]

    def count_on_finer_lattice(self, sides: Sequence[Side]) -> int:
        """The tilings of an outline by pieces at the levels that its sides need, by a search that covers wedges.

        A *level* says for each prime p how often a piece is turned by twice the angle of u_p.  If all levels are from 0
        to some number, then a Gaussian integer makes all coordinates whole numbers.
        """
        exponents = list(zip(*(side.direction[1:] for side in sides), strict=True))
        # An edge of an odd exponent e belongs to a piece at the level (e - 1) / 2 or (e + 1) / 2.
        lowest = [min((e + 1) // 2 for e in own) for own in exponents]
        highest = [max(0, *(e // 2 - low for e in own)) for own, low in zip(exponents, lowest, strict=True)]
        back = 0, *(-2 * low for low in lowest)
        factors = list(self._factors(highest))
        kinds = []
        for units in self.pieces:
            images = [
                tuple(_times(point, factor) for point in image)
                for image in (units, tuple((x, -y) for x, y in units[::-1]))
                for factor in factors
            ]
            found = {placed(turned(motion, image)) for image in images for motion in LATTICE_MOTIONS[:4]}
            kinds.append(tuple(((0, image),) for image in sorted(found)))
        at, points = (Fraction(0), Fraction(0)), []
        for direction, length in sides:
            points.append((int(at[0]), int(at[1])))
            assert at == points[-1]
            x, y = _times(self.step(self.sum(direction, back)), factors[0])
            at = at[0] + length * x, at[1] + length * y
        assert at == (0, 0)
        target = placed(tuple(points))
        grid = Lattice.of([((0, 0), (1, 0), (0, 1))])
        table = WedgeTable(grid, tuple(kinds), (1,) * len(kinds), max(map(max, target)))
        level, rows, count, code = table.begun(target), np.zeros((_ROWS, len(kinds), 2), np.int64), 0, None
        while code != EXHAUSTED:
            level.cursor[BUDGET], level.cursor[WRITTEN] = _NODES, 0
            code = search_by_wedges(table.shapes, level, rows)
            count += int(level.cursor[WRITTEN])
        return count

    def _factors(self, highest: Sequence[int]) -> Iterator[tuple[int, int]]:
        """For each level the Gaussian integer that turns a piece there, all of one length; the lowest level first."""
        primes = [
            self.directions.gaussian((0, *(p == q for q in self.directions.primes))) for p in self.directions.primes
        ]
        for level in product(*(range(high + 1) for high in highest)):
            factor = 1, 0
            for (a, b), own, high in zip(primes, level, highest, strict=True):
                for step in range(high):
                    factor = _times(factor, (a, b if step < own else -b))
            yield factor


@njit(cache=True, nogil=True)
def close_outlines(x, y, lengths, is_length, kinds, totals, double_area, rows):
    """Write the lengths of sides along steps (x, y) that close to a polygon of this area; return how many there are.

    The edges of a kind that are not on the boundary have an even total length, as they lie edge to edge.
    """
    n, written, depth = len(x), 0, 0
    # The end of the chain of sides, twice the area between it and its chord, the next length, the lengths of a kind.
    end_x, end_y, area, following = np.zeros((4, n), np.int64)
    used, row = np.zeros((n, len(totals)), np.int64), np.zeros(n, np.int64)
    determinant = x[n - 2] * y[n - 1] - y[n - 2] * x[n - 1]
    while depth >= 0:
        kind = kinds[depth]
        if depth == n - 2:
            one = y[n - 1] * -end_x[depth] + x[n - 1] * end_y[depth]
            other = y[n - 2] * end_x[depth] - x[n - 2] * end_y[depth]
            if one % determinant == 0 and other % determinant == 0:
                row[n - 2], row[n - 1] = one // determinant, other // determinant
                if min(row[n - 2], row[n - 1]) > 0 and max(row[n - 2], row[n - 1]) < is_length.shape[1]:
                    fits = is_length[n - 2, row[n - 2]] and is_length[n - 1, row[n - 1]]
                    last = end_x[depth] * y[n - 2] - end_y[depth] * x[n - 2]
                    fits = fits and area[depth] + row[n - 2] * last == double_area
                    for k in range(len(totals)):
                        own = used[depth, k] + (row[n - 2] if kinds[n - 2] == k else 0)
                        own += row[n - 1] if kinds[n - 1] == k else 0
                        fits = fits and own <= totals[k] and (totals[k] - own) % 2 == 0
                    if fits and written < len(rows):
                        rows[written] = row
                        written += 1
            depth -= 1
            continue
        length = lengths[depth, following[depth]] if following[depth] < lengths.shape[1] else 0
        following[depth] += 1
        wider = area[depth] + length * (end_x[depth] * y[depth] - end_y[depth] * x[depth])
        # A length of 0 is after the last one, and longer ones do not fit, either.
        if length == 0 or wider >= double_area or used[depth, kind] + length > totals[kind]:
            depth -= 1
            continue
        row[depth] = length
        end_x[depth + 1], end_y[depth + 1] = end_x[depth] + length * x[depth], end_y[depth] + length * y[depth]
        area[depth + 1], used[depth + 1] = wider, used[depth]
        used[depth + 1, kind] += length
        depth += 1
        following[depth] = 0
    return written


def key_of(polygon: Polygon) -> tuple:
    """A key that is equal for congruent polygons."""
    return figure_key(frozenset({polygon}), None)


def _times(z, w):
    """The product of two complex numbers."""
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def _least_sets(sets: Iterable[int]) -> list[int]:
    """The sets that contain no other one."""
    least: list[int] = []
    for one in sorted(sets, key=int.bit_count):
        if not any(one & other == other for other in least):
            least.append(one)
    return least


def _disjoint(choices: Sequence[Sequence[int]], used: int) -> bool:
    """Whether one set of each choice can be taken so that they are disjoint."""
    return not choices or any(not one & used and _disjoint(choices[1:], used | one) for one in choices[0])


def _least_cycle(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The turns of an outline in an order that does not depend on the first one, or on which side is up."""
    mirrored = tuple((after, before, turn) for before, after, turn in reversed(turns))
    return min(cycle[at:] + cycle[:at] for cycle in (turns, mirrored) for at in range(len(turns)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("puzzle")
    parser.add_argument("vertices", type=int)
    parser.add_argument("--all", action="store_true", help="count the tilings of the forms on the lattice, too")
    parser.add_argument("--seams", action="store_true", help="seams may be on the boundary")
    options = parser.parse_args()
    puzzle = js.read(options.puzzle)
    if not isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"{puzzle.name}: forms are for dissections")
    search = AnyMotions(puzzle, seams=options.seams)
    found = js.forms(puzzle, options.vertices, seams=options.seams, decide=not options.all).forms
    on_lattice = {key_of(counterclockwise(form.target)): form for form in found}
    cycles, outlines = search.outline_directions(options.vertices), search.outlines(options.vertices)
    print(f"{len(search.corner_fillings)} corners, {len(cycles)} cycles of them, {len(outlines)} outlines", flush=True)
    forms = {key: outline for key, outline in outlines.items() if search.can_be_tiled(outline)}
    assert on_lattice.keys() <= forms.keys()
    for key, outline in sorted(forms.items()):
        form = on_lattice.get(key)
        if form is None or options.all:
            result, again = js.count(search.target(outline)), search.count_on_finer_lattice(outline.sides)
            where = "off the lattice" if form is None else f"{form.count} on the lattice"
            counts = f"count {result.count}, canonical {result.canonical_count}, again {again}"
            print(f"{points_text(outline.polygon)}  {counts}; {where}", flush=True)
    print(f"{len(forms)} forms with {options.vertices} vertices, {len(forms) - len(on_lattice)} off the lattice")


if __name__ == "__main__":
    main()
