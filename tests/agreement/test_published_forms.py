"""Sets of pieces made of 16 right isosceles triangles, and how many of the 20 convex polygons they make.

Fox-Epstein, Katsumata and Uehara 2016: exactly four sets of seven pieces make 19; no seven make 20, no six make 19;
eleven pieces are needed for 20.
"""

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest

from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.polygons import edges
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.convex_forms import FormClass
from jigsat.csp.tilings.find_forms import forms
from jigsat.csp.tilings.tile_forms import solved_forms

TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
MOTIONS = (*TURNS, *((a, -b, c, -d) for a, b, c, d in TURNS))


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("tangram", 13),
        ("sei-shonagon", 16),
        ("nineteen-forms-1", 19),
        *(pytest.param(f"nineteen-forms-{number}", 19, marks=pytest.mark.slow) for number in (2, 3, 4)),
        ("twenty-forms", 20),
    ],
)
def test_published_numbers_of_convex_forms(name, number):
    puzzle = read_puzzle(name)
    found = forms(puzzle, decide=True, any_lengths=True)
    assert (len(found.forms), found.candidates) == (number, 20)


def octagon(width, height, cuts):
    """A rectangle with cut corners, from the lower left one on; None if they overlap."""
    a, b, c, d = cuts
    if a + b > width or c + d > width or a + d > height or b + c > height:
        return None
    points = (
        (a, 0), (width - b, 0), (width, b), (width, height - c),
        (width - c, height), (d, height), (0, height - d), (0, a),
    )  # fmt: skip
    return tuple(dict.fromkeys(points))


def convex_polygons(triangles):
    """The convex polygons made of that many right isosceles triangles, up to congruence."""
    found = {}
    for width in range(1, triangles + 1):
        for height in range(1, width + 1):
            for cuts in product(range(height + 1), repeat=4):
                if 2 * width * height - sum(cut * cut for cut in cuts) == triangles:
                    polygon = octagon(width, height, cuts)
                    if polygon is not None and len(polygon) > 2:
                        found.setdefault(min(map(placed, images(polygon))), polygon)
    return list(found.values())


def images(polygon):
    for a, b, c, d in MOTIONS:
        yield [(a * x + b * y, c * x + d * y) for x, y in polygon]


def placed(points):
    left, bottom = min(x for x, _ in points), min(y for _, y in points)
    return tuple(sorted((x - left, y - bottom) for x, y in points))


def partitions(total, number, least=1):
    if number == 0:
        if total == 0:
            yield ()
        return
    for size in range(least, total // number + 1):
        for rest in partitions(total - size, number - 1, size):
            yield size, *rest


def sets_that_make(least, number):
    """The sets of a number of convex pieces that make at least that many of the polygons, and how many they make."""
    polygons = {size: convex_polygons(size) for size in range(1, 17)}
    targets = polygons[16]
    assert len(targets) == 20
    fails = Counter()
    for sizes in partitions(16, number):
        choices = [combinations_with_replacement(polygons[size], times) for size, times in Counter(sizes).items()]
        for chosen in product(*map(list, choices)):
            pieces = tuple(piece for some in chosen for piece in some)
            sides = (side for piece in pieces for side in edges(piece))
            if all(x == u or y == v for (x, y), (u, v) in sides):
                continue  # rectangles alone make only rectangles
            form_class = FormClass(DissectionPuzzle(targets[0], pieces, Motions.LATTICE), seams=True)
            failed = 0
            for target in sorted(targets, key=lambda target: -fails[target]):
                [form] = solved_forms(form_class, [target], decide=True)
                if form.tiling is None:
                    fails[target] += 1
                    failed += 1
                    if failed > 20 - least:
                        break
            else:
                yield sorted(map(len, pieces)), 20 - failed


@pytest.mark.slow
@pytest.mark.parametrize(("number", "least", "made"), [(6, 19, []), (7, 19, [19] * 4), (10, 20, []), (11, 20, [20])])
def test_no_other_sets_make_so_many(number, least, made):
    assert [forms for _, forms in sets_that_make(least, number)] == made
