"""A brute force for puzzles of cells, with a geometry of its own: cells are pairs of whole numbers.

They are the centres of cells in some units, so that turns and reflections of the plane are exact.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import product

#: For each kind of cells: the centre of a cell, a turn to the left, and twelve times the square of a distance, up to
#: a factor; cells are neighbours at the last number.
SQUARES = (lambda r, c: (c, -r), lambda x, y: (-y, x), lambda x, y: x * x + y * y, 1)
TRIANGLES = (
    lambda r, c: (c, -3 * r - 2 + (r + c) % 2),
    lambda x, y: ((x - y) // 2, (3 * x + y) // 2),
    lambda x, y: 3 * x * x + y * y,
    4,
)
HEXAGONS = (
    lambda r, c: (2 * c + r % 2, -r),
    lambda x, y: ((x - 3 * y) // 2, (x + y) // 2),
    lambda x, y: x * x + 3 * y * y,
    4,
)
GRIDS = {"squares": SQUARES, "triangles": TRIANGLES, "hexagons": HEXAGONS}


def centres(kind, rows):
    """The centres of the cells in rows of ``#``."""
    centre = GRIDS[kind][0]
    return frozenset(centre(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")


def motions(kind, turn=True, flip=True):
    """Functions of a set of cells: its turns, then those of its mirror image from left to right."""
    turned, number = GRIDS[kind][1], 4 if kind == "squares" else 6

    def motion(turns, mirrored):
        def moved(cells):
            for _ in range(turns):
                cells = [turned(*cell) for cell in cells]
            return frozenset(cells)

        return lambda cells: moved([(-x, y) for x, y in cells] if mirrored else cells)

    return [motion(turns, mirrored) for mirrored in range(1 + flip) for turns in range(number if turn else 1)]


def moves_to(kind, cells, place):
    """All sets of cells that a translation makes of some, such that the least one comes into a place."""
    x, y = min(cells)
    for u, v in place:
        # A triangle that points up is moved to others that do.
        if kind != "triangles" or (v - y) % 3 == 0:
            yield frozenset((a + u - x, b + v - y) for a, b in cells)


def shape(kind, cells):
    """What all translations of some cells have in common."""
    x, y = min(cells)
    return frozenset((a - x, b - y) for a, b in cells), y % 3 if kind == "triangles" else 0


@dataclass(frozen=True)
class Piece:
    """A piece of cells, and what may be done with it."""

    rows: tuple
    turn: bool = True
    flip: bool = True
    spare: bool = False

    def entry(self, copies=1):
        """The piece in an instance file."""
        return {"cells": self.rows, "copies": copies, "turn": self.turn, "flip": self.flip, "spare": self.spare}


def answers(kind, target, pieces, leave=False):
    """Count, canonical count and picture count of a puzzle; `target` has centres of cells."""
    ways, forms = [], []
    for piece in pieces:
        images = [motion(centres(kind, piece.rows)) for motion in motions(kind, piece.turn, piece.flip)]
        forms.append((frozenset(shape(kind, image) for image in images), piece.spare))
        placed = {move for image in images for move in moves_to(kind, image, target) if move <= target}
        ways.append([*placed, *([None] if piece.spare else [])])
    pictures = Counter()

    def place(number, free, placed):
        if number < len(pieces):
            for way in ways[number]:
                if way is None or way <= free:
                    place(number + 1, free - (way or frozenset()), [*placed, (forms[number], way)])
        elif leave or not free:
            pictures[frozenset(Counter(placed).items())] += 1

    place(0, target, [])
    sizes = Counter(forms)
    orbits = set()
    symmetries = [
        symmetry
        for symmetry in _symmetries(kind, target)
        if all(sizes[_moved(kind, symmetry, form)] == sizes[form] for form in forms)
    ]
    for picture in pictures:
        orbits.add(
            frozenset(
                frozenset(
                    ((_moved(kind, s, form), None if way is None else frozenset(map(s, way))), number)
                    for (form, way), number in picture
                )
                for s in symmetries
            )
        )
    return sum(pictures.values()), len(orbits), len(pictures)


def _symmetries(kind, target):
    """The motions of single cells that carry the target to itself."""
    for motion in motions(kind):
        image = motion(target)
        for moved in moves_to(kind, image, target):
            if moved == target:
                (x, y), (u, v) = min(image), min(moved)

                def symmetry(cell, motion=motion, dx=u - x, dy=v - y):
                    ((a, b),) = motion([cell])
                    return a + dx, b + dy

                yield symmetry


def _moved(kind, symmetry, form):
    """The form of pieces that a symmetry makes of one of a form."""
    shapes, spare = form
    found = set()
    for cells, level in shapes:
        # Back to a place where the turn is exact.
        place = {"squares": (0, 0), "hexagons": (0, 0), "triangles": (level % 2, level)}[kind]
        found.add(shape(kind, frozenset(symmetry((a + place[0], b + place[1])) for a, b in cells)))
    return frozenset(found), spare


def neighbours(kind, height, width):
    """For each cell of some rows those beside it."""
    centre, _, distance, beside = GRIDS[kind]
    cells = list(product(range(height), range(width)))

    def apart(one, other):
        (a, b), (c, d) = centre(*one), centre(*other)
        return distance(a - c, b - d)

    return {one: [other for other in cells if apart(one, other) == beside] for one in cells}
