"""All tilings of small dissection puzzles by plain recursion in exact numbers.

The lowest uncovered point, of several the leftmost one, is a vertex of a piece with an edge along another edge there:
every piece is tried on every edge through that point.
"""

from math import atan2, pi

from jigsat.csp.geometry.exact_numbers import quotient, root, sign
from jigsat.csp.geometry.polygons import corners, counterclockwise, cross, edges
from jigsat.csp.geometry.regions import convex_parts


def all_tilings(puzzle):
    """The tilings of numbered pieces: for each piece its polygon."""
    found, seen = set(), set()
    _extend(puzzle, {}, found, seen)
    return found


def _extend(puzzle, placed, found, seen):
    state = frozenset(placed.items())
    if state in seen:
        return
    seen.add(state)
    if len(placed) == len(puzzle.pieces):
        found.add(tuple(placed[piece] for piece in range(len(placed))))
        return
    lying = [*puzzle.pockets, *placed.values()]
    point = next(p for p in _points(puzzle, lying) if not _is_covered(p, puzzle, lying))
    for ray in _rays(point, [*puzzle.parts, *lying]):
        for piece, polygon in enumerate(puzzle.pieces):
            if piece not in placed:
                for laid in _laid(polygon, point, ray, flip=piece not in puzzle.no_flip):
                    if _is_inside(laid, puzzle.hull) and all(_disjoint(laid, other) for other in lying):
                        _extend(puzzle, {**placed, piece: laid}, found, seen)


def _points(puzzle, lying):
    """All vertices, from the lowest one on, those at one height from the left."""
    return sorted({p for polygon in (*puzzle.parts, *lying) for p in polygon}, key=lambda p: (p[1], p[0]))


def _is_covered(point, puzzle, lying):
    """Whether the angles of the polygons round a point, and what lies outside the hull, make a full turn."""
    turned, total = (1, 0), 0.0
    for polygon, inside in ((puzzle.hull, False), *((polygon, True) for polygon in lying)):
        for start, end in _wedge(point, polygon):
            (ax, ay), (bx, by) = (start, end) if inside else (end, start)
            by_real, by_imaginary = ax * bx + ay * by, ax * by - ay * bx
            total += atan2(float(by_imaginary), float(by_real)) % (2 * pi)
            turned = (
                turned[0] * by_real - turned[1] * by_imaginary,
                turned[0] * by_imaginary + turned[1] * by_real,
            )
    return total > 6 and sign(turned[1]) == 0 and sign(turned[0]) > 0


def _wedge(point, polygon):
    """The directions between which a polygon covers the neighbourhood of a point of its boundary."""
    for before, corner, after in corners(polygon):
        if corner == point:
            return [(_minus(after, corner), _minus(before, corner))]
    for a, b in edges(polygon):
        if _is_on(point, a, b):
            return [(_minus(b, a), _minus(a, b))]
    return []


def _rays(point, polygons):
    """The directions of edges that begin or end in a point or pass through it, away from it."""
    rays = []
    for polygon in polygons:
        for a, b in edges(polygon):
            if point in (a, b) or _is_on(point, a, b):
                rays += [_minus(end, start) for start, end in ((a, b), (b, a)) if end != point]
    return rays


def _laid(polygon, point, ray, *, flip):
    """A piece with each vertex, with `flip` also turned over, in a point, the edge from there in a direction."""
    for shape in (polygon, tuple((-x, y) for x, y in reversed(polygon)))[: 1 + flip]:
        for corner, after in edges(shape):
            ex, ey = _minus(after, corner)
            # The rotation is (ray / |ray|) / (edge / |edge|), as complex numbers.
            a, b = ray[0] * ex + ray[1] * ey, ray[1] * ex - ray[0] * ey
            square = (ray[0] * ray[0] + ray[1] * ray[1]) * (ex * ex + ey * ey)
            shrink = quotient(root(square), square)
            a, b = a * shrink, b * shrink
            offsets = [_minus(vertex, corner) for vertex in shape]
            yield counterclockwise(tuple((point[0] + a * x - b * y, point[1] + b * x + a * y) for x, y in offsets))


def _minus(p, q):
    return p[0] - q[0], p[1] - q[1]


def _is_on(point, a, b):
    """Whether a point lies inside the segment from a to b."""
    if point in (a, b) or sign(cross(a, b, point)):
        return False
    (ux, uy), (vx, vy) = _minus(a, point), _minus(b, point)
    return sign(ux * vx + uy * vy) < 0


def _is_inside(polygon, hull):
    return all(sign(cross(a, b, p)) >= 0 for a, b in edges(hull) for p in polygon)


def _disjoint(one, other):
    return all(_are_apart(part, second) for part in convex_parts(one) for second in convex_parts(other))


def _are_apart(one, other):
    return any(
        all(sign(cross(a, b, p)) <= 0 for p in second)
        for first, second in ((one, other), (other, one))
        for a, b in edges(first)
    )
