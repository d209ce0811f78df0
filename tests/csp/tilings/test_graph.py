"""The graph of tilings: convex regions, moves, clusters, figures."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import gcd

import networkx as nx
import pytest

from dissections import L_SHAPE, box, tilings_of
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import StoppedError
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.exact_numbers import surd
from jigsat.csp.geometry.polygons import convex_hull, double_area, isometries
from jigsat.csp.puzzles.check_tiling import TilingChecker
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.always_together import merged
from jigsat.csp.tilings.graph import summarise, tiling_graph
from jigsat.csp.tilings.layouts import Layout, members
from jigsat.csp.tilings.moves import RULES, MoveFinder

LOWER, UPPER = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))


def cells(target, number, motions=Motions.LATTICE):
    """A target to be tiled by a number of unit squares, one of them cut along a diagonal; and its tilings."""
    puzzle = DissectionPuzzle(target, (*[box(0, 0)] * (number - 1), LOWER, UPPER), motions)
    return puzzle, tilings_of(puzzle)


@pytest.fixture(scope="module")
def ostomachion():
    """The puzzle of 11 pieces and its tilings."""
    puzzle = read_puzzle("ostomachion")
    found = merged(puzzle, tilings_of(puzzle))
    return found.puzzle, found.tilings


@pytest.fixture(scope="module")
def every_move(ostomachion):
    """All moves from each of the 268 tilings, exchanges included."""
    finder = MoveFinder(*ostomachion)
    return [list(finder.moves(number, exchanges=True)) for number in range(len(finder))]


@pytest.fixture(scope="module")
def published(ostomachion):
    return tiling_graph(*ostomachion)


@pytest.fixture(scope="module")
def summary(published):
    return summarise(published)


def edges_by(rule, moves):
    return {tuple(sorted((i, move.onto))) for i, found in enumerate(moves) for move in found if rule.allows(move)}


@pytest.mark.slow
def test_the_published_figures(summary):
    """268 tilings in components of 266 and 2, 936 + 1 edges, 409 local and 527 global ones; 24 cores, each with 4 to 17
    others (Chung and Graham 2003)."""
    found = summary
    assert (found.vertices, found.edges, found.components) == (268, 937, (266, 2))
    assert found.kinds == {"local": 410, "global": 527}
    assert (found.largest.edges, found.largest.kinds) == (936, {"local": 409, "global": 527})
    assert (found.cores, len(found.cluster_sizes)) == (24, 24)
    assert (min(found.cluster_sizes), max(found.cluster_sizes), sum(found.cluster_sizes)) == (5, 18, 266)


@pytest.mark.slow
def test_cores_and_clusters(ostomachion, published):
    """Each cluster with its core, in one piece; the core tilings consist of the classical arrangement's triangles."""
    puzzle, tilings = ostomachion
    cores = published.cores
    assert (cores.parts, len(cores.composed), len(cores.outline)) == (4, 120, 3)
    assert MoveFinder(puzzle, tilings).number(puzzle.pieces) in cores.cores
    assert len({published.clusters[core] for core in cores.cores}) == 24
    for cluster in set(published.clusters):
        inside = [v for v, number in enumerate(published.clusters) if number == cluster]
        assert nx.is_connected(published.graph.subgraph(inside))
    # The cluster without a core is the small component.
    assert [v for v, number in enumerate(published.clusters) if number == 24] == published.components[1]


@pytest.mark.some_cases(1)
def test_numbers_of_the_graph(published, summary):
    """Degrees, diameter and radius against networkx."""
    found = summary.largest
    largest = published.graph.subgraph(published.components[0])
    degrees = [degree for _, degree in largest.degree]
    assert (found.least_degree, found.greatest_degree) == (min(degrees), max(degrees)) == (2, 9)
    assert found.mean_degree == Fraction(2 * 936, 266)
    assert (found.diameter, found.radius) == (nx.diameter(largest), nx.radius(largest)) == (11, 6)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    ("name", "edges"), [("chung-graham", 937), ("primitive", 966), ("convex", 1142), ("exchanges", 1470)]
)
def test_rules(every_move, published, name, edges):
    """Numbers of edges by each rule, as other programs have found them, too; would catch a rule that changes."""
    found = edges_by(RULES[name], every_move)
    assert len(found) == edges
    if name == "chung-graham":
        assert found == set(published.moves)


def test_moves_lead_to_tilings_and_back(ostomachion, every_move):
    """Every move, with the polygons that it names, makes the tiling that it names; the way back is a move, too."""
    puzzle, tilings = ostomachion
    judge, finder = TilingChecker(puzzle), MoveFinder(puzzle, tilings)
    kinds: Counter = Counter()
    for number, moves in enumerate(every_move):
        for move in moves:
            after = list(tilings[number])
            for piece, image in zip(move.pieces, move.images, strict=True):
                after[piece] = image
            assert judge(tuple(after)).is_solution
            assert finder.number(tuple(after)) == move.onto != number
            moved = sum(double_area(tilings[number][piece]) for piece in move.pieces)
            assert move.share == Fraction(moved, 288)
            kind = move.share, move.primitive, len(move.outlines[0]), move.is_exchange
            kinds[number, move.onto, *kind] = 1
    assert all((onto, number, *kind) in kinds for number, onto, *kind in kinds)


def boundary(polygons):
    """The unit steps of the boundaries, those that occur twice left out: of disjoint polygons, that of their union."""
    steps: Counter = Counter()
    for polygon in polygons:
        for (x, y), (u, v) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            parts = gcd(u - x, v - y)
            dx, dy = (u - x) // parts, (v - y) // parts
            for k in range(parts):
                steps[frozenset([(x + k * dx, y + k * dy), (x + k * dx + dx, y + k * dy + dy)])] += 1
    return {step for step, times in steps.items() if times % 2}


def test_primitive_by_all_subsets(ostomachion, every_move):
    """Against the definition: some proper part of the pieces has the same union before and after, or none has."""
    _, tilings = ostomachion
    every = [(number, move) for number, moves in enumerate(every_move) for move in moves if len(move.pieces) < 8]
    seen = set()
    for number, move in random.Random(1).sample(every, 120):
        before, after = [tilings[number][piece] for piece in move.pieces], move.images
        parts = (part for size in range(1, len(before)) for part in combinations(range(len(before)), size))
        splits = any(boundary(before[i] for i in part) == boundary(after[i] for i in part) for part in parts)
        assert move.primitive is not splits
        seen.add(splits)
    assert seen == {True, False}


def test_convex_regions_by_all_subsets(ostomachion):
    """Against the definition: the hull has the area of the pieces."""
    _, tilings = ostomachion
    for tiling in tilings[::67]:
        areas = [double_area(polygon) for polygon in tiling]
        convex = set()
        for pieces in range(1, 1 << len(tiling)):
            hull = convex_hull([point for piece in members(pieces) for point in tiling[piece]])
            if double_area(hull) == sum(areas[piece] for piece in members(pieces)):
                convex.add(pieces)
        layout = Layout(tiling)
        found = list(layout.convex_regions())
        assert (len(found), set(found)) == (len(convex), convex)


def moves_by_definition(puzzle, tilings):
    """The pairs of tilings between which a symmetry of the hull of some pieces leads, if they fill it."""
    numbers, found = {}, set()
    for number, tiling in enumerate(tilings):
        for motion in puzzle.symmetries:
            numbers[frozenset(map(motion, tiling))] = number
    for number, tiling in enumerate(tilings):
        for pieces in range(1, 1 << len(tiling)):
            some = [tiling[piece] for piece in members(pieces)]
            hull = convex_hull([point for polygon in some for point in polygon])
            if double_area(hull) == sum(map(double_area, some)):
                left = [tiling[piece] for piece in range(len(tiling)) if not pieces >> piece & 1]
                for motion in (m for m in isometries(hull, hull) if m[:4] in puzzle.lattice.turns):
                    onto = numbers.get(frozenset([*left, *map(motion, some)]))
                    if onto not in (None, number):
                        found.add((min(number, onto), max(number, onto)))
    return found


@pytest.mark.parametrize(
    ("target", "pieces", "size"),
    [
        (box(0, 0, 4, 2), (L_SHAPE, L_SHAPE, box(0, 0), box(0, 0)), (7, 11)),
        (box(0, 0, 3, 3), (L_SHAPE, box(0, 0, 2), box(0, 0, 3), box(0, 0)), (6, 7)),
        # A dart and two triangles make a square.
        (
            box(0, 0, 6, 3),
            (((0, 0), (3, 0), (1, 1), (0, 3)), ((3, 0), (3, 3), (0, 3)), ((3, 0), (0, 3), (1, 1)), box(0, 0, 3, 3)),
            (2, 1),
        ),
    ],
)
def test_pieces_that_are_not_convex(target, pieces, size):
    """All moves and nothing else, against the definition."""
    puzzle = DissectionPuzzle(target, pieces, Motions.LATTICE)
    tilings = tilings_of(puzzle)
    graph = tiling_graph(puzzle, tilings, RULES["convex"])
    assert set(graph.moves) == moves_by_definition(puzzle, tilings)
    assert (len(tilings), len(graph.moves)) == size
    finder = MoveFinder(puzzle, tilings)
    for number, tiling in enumerate(tilings):
        for move in finder.moves(number):
            before, after = [tiling[piece] for piece in move.pieces], move.images
            moved = dict(enumerate(tiling)) | dict(zip(move.pieces, after, strict=True))
            assert TilingChecker(puzzle)(tuple(moved.values())).is_solution
            parts = (part for count in range(1, len(before)) for part in combinations(range(len(before)), count))
            assert move.primitive is not any(
                boundary(before[i] for i in part) == boundary(after[i] for i in part) for part in parts
            )


ROOT_2, HALF_OF_ROOT_3 = surd({2: 1}), surd({3: Fraction(1, 2)})
STRIP = box(0, 0, 2, ROOT_2 * Fraction(1, 2))


def in_triangles(*points):
    """A polygon from coordinates along two sides of a triangle."""
    return tuple((x + Fraction(y, 2), y * HALF_OF_ROOT_3) for x, y in points)


@pytest.mark.parametrize(
    ("target", "pieces"),
    [
        # A large triangle: two trapezia, a lozenge and a triangle.
        (
            in_triangles((0, 0), (3, 0), (0, 3)),
            (
                in_triangles((0, 0), (2, 0), (1, 1), (0, 1)),
                in_triangles((0, 0), (2, 0), (1, 1), (0, 1)),
                in_triangles((0, 0), (1, 0), (1, 1), (0, 1)),
                in_triangles((0, 0), (1, 0), (0, 1)),
            ),
        ),
        # A rectangle on a lattice whose only turns are half turns: two strips, a box, and a part cut along a diagonal.
        (
            box(0, 0, 4, ROOT_2),
            (((0, 0), (1, 0), (1, ROOT_2)), ((0, 0), (1, ROOT_2), (0, ROOT_2)), STRIP, STRIP, box(0, 0, 1, ROOT_2)),
        ),
    ],
)
def test_square_roots_on_a_lattice(target, pieces):
    """Against the definition; polygons of moves have square roots again."""
    puzzle = DissectionPuzzle(target, pieces, Motions.LATTICE)
    tilings = tilings_of(puzzle)
    found = tiling_graph(puzzle, tilings, RULES["convex"])
    assert set(found.moves) == moves_by_definition(puzzle, tilings) != set()
    for (number, onto), move in found.moves.items():
        after = dict(enumerate(tilings[number])) | dict(zip(move.pieces, move.images, strict=True))
        assert TilingChecker(puzzle)(tuple(after.values())).is_solution
        assert MoveFinder(puzzle, tilings).number(tuple(after.values())) == onto


def test_exchanges():
    """A U of five squares: the cut one comes from an arm to the middle only by an exchange."""
    puzzle, tilings = cells(((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)), 5)
    assert len(tilings) == 5
    without, with_exchanges = (tiling_graph(puzzle, tilings, RULES[name]) for name in ("convex", "exchanges"))
    assert sorted(degree for _, degree in without.graph.degree) == [2, 3, 3, 4, 4]
    assert nx.utils.graphs_equal(with_exchanges.graph, nx.complete_graph(5))
    new = set(with_exchanges.moves) - set(without.moves)
    assert all(with_exchanges.moves[edge].is_exchange for edge in new)
    assert {with_exchanges.moves[edge].share for edge in new} == {Fraction(2, 5)}
    # The pieces as they are given lie upon each other: there is no model, hence no core.
    assert without.cores is None
    assert {without.kind(edge) for edge in without.moves} == {"move"}
    assert summarise(without).kinds == {"move": 8}


def test_refusals():
    """Would catch a graph with a tiling twice, or one of tilings that cannot be compared."""
    puzzle = DissectionPuzzle(box(0, 0), (LOWER, UPPER))
    with pytest.raises(ValueError, match="the same"):
        MoveFinder(puzzle, [(LOWER, UPPER), (UPPER, LOWER)])
    half = surd({2: Fraction(1, 2)})
    with pytest.raises(EngineError, match="irrational"):
        tiling_graph(puzzle, [(LOWER, ((1, 0), (1, 1), (half, half)))])
    with pytest.raises(StoppedError):
        tiling_graph(puzzle, [(LOWER, UPPER)], must_stop=lambda: True)
