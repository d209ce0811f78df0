"""The shapes of a puzzle's pieces on the lattice; pieces on the two sides of a seam inside a form are one shape."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...geometry.convex_parts import overlap
from ...geometry.lattices import Lattice, Matrix, Units, is_reflection, turned
from ...puzzles.dissection import DissectionPuzzle
from .convex_forms import Slope
from .wedge_table import Group, WedgeTable


def wedge_table(puzzle: DissectionPuzzle, lattice: Lattice, seams: tuple[Slope, ...], height: int) -> WedgeTable:
    """The table of a puzzle's pieces.

    - `seams`: Seams that are not on the boundary of targets, so that their two pieces lie together.
    - `height`: the height of the largest target, in lattice points.
    """
    pairs: list[tuple[int, int]] = []
    for slope in seams:
        (one, _), (other, _) = slope.edges
        if not {one, other} & {piece for pair in pairs for piece in pair}:
            pairs.append((one, other))
    units = [lattice.units(piece) for piece in puzzle.pieces]
    slope_of = {tuple(piece for piece, _ in slope.edges): slope for slope in seams}
    joined = [_orientations(puzzle, lattice, _joined(puzzle, lattice, units, slope_of[pair])) for pair in pairs]
    left = [[piece for piece in members if not any(piece in pair for pair in pairs)] for members in puzzle.classes]
    single = [
        _orientations(puzzle, lattice, [_Together(((puzzle.class_of[members[0]], units[members[0]]),), (members[0],))])
        for members in left
        if members
    ]
    numbers = [len(members) for members in left if members] + [1] * len(pairs)
    return WedgeTable(lattice, (*single, *joined), tuple(numbers), height)


class _Together(NamedTuple):
    """Pieces that lie together: those that are not turned over, and those that are."""

    group: Group
    upright: tuple[int, ...]
    turned_over: tuple[int, ...] = ()

    def may_move(self, puzzle: DissectionPuzzle, motion: Matrix) -> bool:
        """Whether no piece that may not be turned over is, after a motion."""
        over = self.upright if is_reflection(motion) else self.turned_over
        return all(puzzle.flips[piece] for piece in over)


def _joined(puzzle: DissectionPuzzle, lattice: Lattice, units: list[Units], seam: Slope) -> Iterator[_Together]:
    """The ways in which two pieces lie on the two sides of their seam."""
    one, other = (piece for piece, _ in seam.edges)
    (start, end), step = _edge_along(lattice, units[one], seam), (0, 0)
    step = end[0] - start[0], end[1] - start[1]
    for motion in lattice.motions:
        image = turned(motion, units[other])
        for i, (x, y) in enumerate(image):
            u, v = image[(i + 1) % len(image)]
            if (u - x, v - y) == (-step[0], -step[1]):
                moved = tuple((p + start[0] - u, q + start[1] - v) for p, q in image)
                if overlap(units[one], moved):
                    continue
                group = (puzzle.class_of[one], units[one]), (puzzle.class_of[other], moved)
                yield _Together(group, (one,), (other,)) if is_reflection(motion) else _Together(group, (one, other))


def _edge_along(lattice: Lattice, units: Units, seam: Slope) -> tuple[tuple[int, int], tuple[int, int]]:
    """The edge of a piece that belongs to a seam."""
    length = seam.edges[0][1]
    steps = {(length * x, length * y) for x, y in lattice.steps(seam.step)}
    around = zip(units, (*units[1:], units[0]), strict=True)
    return next((a, b) for a, b in around if (b[0] - a[0], b[1] - a[1]) in steps)


def _orientations(puzzle: DissectionPuzzle, lattice: Lattice, groups: Iterable[_Together]) -> tuple[Group, ...]:
    """Groups after all allowed motions of the lattice, those that look alike once."""
    found: set[Group] = set()
    for together in groups:
        for motion in lattice.motions:
            if not together.may_move(puzzle, motion):
                continue
            moved = [(of, turned(motion, units)) for of, units in together.group]
            left = min(x for _, units in moved for x, _ in units)
            bottom = min(y for _, units in moved for _, y in units)
            found.add(
                tuple(sorted((of, _from_least(tuple((x - left, y - bottom) for x, y in units))) for of, units in moved))
            )
    return tuple(sorted(found))


def _from_least(units: Units) -> Units:
    first = units.index(min(units))
    return units[first:] + units[:first]
