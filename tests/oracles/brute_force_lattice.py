"""All tilings of small dissections on the lattice by plain recursion: targets with holes, pieces convex or not.

Nothing here is taken from the package: polygons are lists of integer points, overlaps are areas of intersections
(Sutherland and Hodgman 1974), where the package looks for separating axes.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise

TURNS = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
MOTIONS = [*TURNS, *((-a, b, -c, d) for a, b, c, d in TURNS)]


def double_area(polygon):
    following = [*polygon[1:], polygon[0]]
    return sum(x * v - u * y for (x, y), (u, v) in zip(polygon, following, strict=True))


def ordered(polygon):
    """The polygon counter-clockwise from its least vertex on."""
    polygon = list(polygon) if double_area(polygon) > 0 else list(reversed(polygon))
    first = polygon.index(min(polygon))
    return tuple(polygon[first:] + polygon[:first])


@cache
def overlap(one, other):
    """Twice the area that two polygons have in common.

    The other is a sum of triangles at its first vertex, those that are turned over taken off.
    """
    common = 0
    for p, q in pairwise(other[1:]):
        size = double_area([other[0], p, q])
        if size:
            part = overlap_with_convex(one, ordered([other[0], p, q]))
            common += part if size > 0 else -part
    return common


@cache
def overlap_with_convex(subject, clip):
    """Twice the area that a polygon, convex or not, has in common with a convex one."""
    points = list(subject)
    for (ax, ay), (bx, by) in zip(clip, [*clip[1:], clip[0]], strict=True):
        kept = []
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in points]
        for i, (point, side) in enumerate(zip(points, sides, strict=True)):
            (px, py), before = points[i - 1], sides[i - 1]
            if before * side < 0:
                part = Fraction(before) / (before - side)
                kept.append((px + part * (point[0] - px), py + part * (point[1] - py)))
            if side >= 0:
                kept.append(point)
        points = kept
        if not points:
            return 0
    return double_area(points)


def places(puzzle, number):
    """Where a piece can lie in the target: polygons."""
    piece = puzzle.pieces[number]
    parts = list(map(ordered, puzzle.parts))
    xs, ys = zip(*(point for part in parts for point in part), strict=True)
    found = set()
    for a, b, c, d in motions_of(puzzle, number):
        image = [(a * x + b * y, c * x + d * y) for x, y in piece]
        left, bottom = min(x for x, _ in image), min(y for _, y in image)
        for dx in range(min(xs) - left, max(xs) - left + 1):
            for dy in range(min(ys) - bottom, max(ys) - bottom + 1):
                moved = ordered([(x + dx, y + dy) for x, y in image])
                inside = moved not in found and sum(overlap(part, moved) for part in parts) == double_area(moved)
                if inside and all(overlap(ordered(hole), moved) == 0 for hole in puzzle.holes):
                    found.add(moved)
    return found


def lattice_tilings(puzzle):
    """Every tiling by numbered pieces on the integer lattice: a set of tuples with a polygon for each piece."""
    choices = [sorted(places(puzzle, number)) for number in range(len(puzzle.pieces))]
    tilings = set()

    def go_on(laid):
        if len(laid) == len(choices):
            tilings.add(tuple(laid))
            return
        for polygon in choices[len(laid)]:
            if all(overlap(polygon, other) == 0 for other in laid):
                go_on([*laid, polygon])

    go_on([])
    return tilings


def motions_of(puzzle, number):
    """The turns of a piece, and the reflections if it may be turned over."""
    return TURNS if number in puzzle.no_flip else MOTIONS


def looks(puzzle, number, mirrored):
    """What a piece can look like, or what a mirror shows of that: polygons at the origin."""
    found = set()
    for a, b, c, d in motions_of(puzzle, number):
        image = [(a * x + b * y, c * x + d * y) for x, y in puzzle.pieces[number]]
        image = ordered([(-x, y) for x, y in image] if mirrored else image)
        found.add(tuple((x - image[0][0], y - image[0][1]) for x, y in image))
    return frozenset(found)


def orbits(puzzle, tilings):
    """How many tilings there are up to the target's lattice symmetries and the exchange of congruent pieces.

    A reflection is one if the looks of the pieces are, together, those that a mirror shows.
    """
    parts = set(map(ordered, puzzle.parts))
    plain, seen = ([looks(puzzle, i, mirrored) for i in range(len(puzzle.pieces))] for mirrored in (False, True))
    motions = []
    for a, b, c, d in MOTIONS if Counter(plain) == Counter(seen) else TURNS:
        every = [point for part in parts for point in part]
        image = [(a * x + b * y, c * x + d * y) for x, y in every]
        dx = min(x for x, _ in every) - min(x for x, _ in image)
        dy = min(y for _, y in every) - min(y for _, y in image)
        same = True
        for outlines in (parts, set(map(ordered, puzzle.holes))):
            there = [[(a * x + b * y + dx, c * x + d * y + dy) for x, y in outline] for outline in outlines]
            same = same and set(map(ordered, there)) == outlines
        if same:
            motions.append((a, b, c, d, dx, dy))
    pictures = {frozenset(zip(plain, tiling, strict=True)) for tiling in tilings}
    mirror = dict(zip(plain, seen, strict=True))
    found = 0
    while pictures:
        picture = next(iter(pictures))
        found += 1
        for a, b, c, d, e, f in motions:
            moved = set()
            for look, polygon in picture:
                image = ordered([(a * x + b * y + e, c * x + d * y + f) for x, y in polygon])
                moved.add((look if a * d > b * c else mirror[look], image))
            pictures.discard(frozenset(moved))
    return found
