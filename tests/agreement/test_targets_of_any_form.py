"""Targets that touch themselves, of several parts, in pixels and in decimals: every engine against cells."""

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import factorial

import pytest

import jigsat as js
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.csp.puzzles.dissection import Motions


def box(x, y, width, height):
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


DOMINO, UNIT, BAR = box(0, 0, 2, 1), box(0, 0, 1, 1), box(0, 0, 3, 1)
CORNER = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
#: Target, pieces, holes.
CASES = {
    "one outline of two squares": (
        [[0, 0], [2, 0], [2, 2], [4, 2], [4, 4], [2, 4], [2, 2], [0, 2]], [DOMINO] * 4, []),
    "a loop that is a hole": (
        [[0, 0], [4, 0], [4, 3], [3, 3], [3, 2], [2, 2], [2, 3], [3, 3], [3, 4], [0, 4]], [BAR] * 4 + [DOMINO], []),
    "a hole that cuts a target": (
        [[2, 0], [4, 0], [4, 2], [6, 2], [6, 4], [4, 4], [4, 6], [2, 6], [2, 4], [0, 4], [0, 2], [2, 2]],
        [DOMINO] * 8, [box(2, 2, 2, 2)]),
    "a hole of two squares": (
        box(0, 0, 5, 5), [DOMINO] * 11 + [UNIT], [[[1, 1], [2, 1], [2, 2], [3, 2], [3, 3], [2, 3], [2, 2], [1, 2]]]),
    "a part in a hole": ([box(0, 0, 5, 5), box(2, 2, 1, 1)], [BAR] * 4 + [DOMINO] * 2 + [UNIT], [box(1, 1, 3, 3)]),
    "parts far apart": ([box(0, 0, 2, 2), box(5, 1, 3, 2), box(0, 7, 1, 2)], [DOMINO] * 3 + [CORNER] * 2, []),
    "pixels beside a target": (box(17, 23, 80, 80), [box(17, 23, 40, 20)] * 8, []),
    "decimals": (box(0.5, 0.1, 0.6, 0.4), [box(0, 0, 0.1, 0.2)] * 8 + [box(0, 0, 0.2, 0.2)] * 2, []),
}  # fmt: skip


def cells(outlines, unit):
    """The cells whose middles lie on the left of an odd number of upward sides."""
    exact = [[[Fraction(Decimal(str(c))) for c in point] for point in outline] for outline in outlines]
    left, low = (min(point[axis] for outline in exact for point in outline) for axis in (0, 1))
    sides = [
        (p, q) for outline in exact for p, q in zip(outline, outline[1:] + outline[:1], strict=True) if p[0] == q[0]
    ]
    found = set()
    for (x, p), (_, q) in sides:
        for row in range(int((min(p, q) - low) / unit), int((max(p, q) - low) / unit)):
            found ^= {(column, row) for column in range(int((x - left) / unit))}
    return found


def looks(shape):
    found = set()
    for turned in (shape, {(-x, y) for x, y in shape}):
        for _ in range(4):
            turned = {(-y, x) for x, y in turned}
            least = min(turned)
            found.add(frozenset((x - least[0], y - least[1]) for x, y in turned))
    return frozenset(found)


def brute_force(target, pieces, holes, unit):
    parts = target if isinstance(target[0][0], list) else [target]
    kinds = Counter(looks(cells([piece], unit)) for piece in pieces)

    def ways(free, left):
        if not free:
            return 1
        x, y = min(free)
        places = [(kind, {(x + i, y + j) for i, j in look}) for kind in left for look in kind if left[kind]]
        return sum(ways(free - place, left - Counter([kind])) for kind, place in places if place <= free)

    exchanges = 1
    for number in kinds.values():
        exchanges *= factorial(number)
    return exchanges * ways(frozenset(cells([*parts, *holes], unit)), kinds)


@pytest.mark.parametrize("name", CASES)
def test_every_engine_counts_as_cells_do(name, tmp_path):
    target, pieces, holes = CASES[name]
    unit = {"pixels beside a target": Fraction(20), "decimals": Fraction(1, 10)}.get(name, Fraction(1))
    file = tmp_path / "puzzle.json"
    head = {"format": "jigsat/1", "kind": "dissection", "name": "p", "motions": "lattice"}
    file.write_text(json.dumps({**head, "target": target, "holes": holes, "pieces": pieces}))
    puzzle = js.read(file)
    expected = brute_force(target, pieces, holes, unit)
    ways = ({}, {"motions": "any"}, {"engine": "cpsat"}, {"engine": "sat:cadical195"})
    results = [js.count(puzzle, **way) for way in ways]
    assert [result.count for result in results] == [expected] * 4
    assert len({result.canonical_count for result in results}) == 1
    if expected:
        assert check_tiling(puzzle, js.solve(puzzle, motions="any").solutions[0]).is_solution
    js.convert(file, tmp_path / "again.json")
    assert js.read(tmp_path / "again.json") == puzzle


def test_more_pieces_than_bits_in_a_word():
    """72 dominoes, and an outline of 80 vertices, with any motions, too."""
    square = ((0, 0), (12, 0), (12, 12), (0, 12))
    dominoes = js.DissectionPuzzle(square, (((0, 0), (2, 0), (2, 1), (0, 1)),) * 72, motions=Motions.LATTICE)
    stairs = [
        (0, 0),
        (20, 0),
        *(point for i in range(19) for point in ((20 - i, i + 1), (19 - i, i + 1))),
        (1, 20),
        (0, 20),
    ]
    mirrored = tuple((21 - x, 20 - y) for x, y in stairs)
    rectangle = js.DissectionPuzzle(
        ((0, 0), (21, 0), (21, 20), (0, 20)), (tuple(stairs), mirrored), motions=Motions.LATTICE
    )
    for puzzle in (dominoes, rectangle):
        for motions in ("lattice", "any"):
            found = js.solve(puzzle, motions=motions)
            assert check_tiling(puzzle.with_motions("any"), found.solutions[0]).is_solution
