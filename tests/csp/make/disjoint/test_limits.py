"""What cannot be is refused with a reason; a complete search shows that 3x3 cannot."""

from itertools import combinations, permutations, product

import pytest

from jigsat.csp.base.errors import UsageError
from jigsat.csp.make.jigsaw_wishes import JigsawWishes

# The squares of a 3x3 board clockwise from the top left, and the steps to the neighbours of a side.
CORNERS, EDGES, MIDDLE = (0, 2, 8, 6), (1, 5, 7, 3), 4
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

BAD = [
    ({"rows": 7, "columns": 7, "max_use": 2}, "must be 3 or more, not 2: a connector on two joins has two"),
    ({"rows": 3, "columns": 3, "max_use": 6}, "no 3x3 jigsaw of different pieces has three solutions"),
    ({"rows": 2, "columns": 9, "max_use": 6}, "2x9 is too narrow"),
    ({"rows": 5, "columns": 5, "max_use": 3}, "must be 4 or more for 5x5, not 3"),
    ({"rows": 7, "columns": 9, "max_use": 3}, "must be 4 or more for 7x9, not 3"),
    ({"rows": 4, "columns": 4, "max_use": 3}, "must be 4 or more for 4x4, not 3"),
    ({"rows": 7, "columns": 7, "solutions": 4, "max_use": 6}, "at most 3 solutions without a common join"),
    ({"rows": 7, "columns": 7, "solutions": 1, "max_use": 6}, "has no meaning with one solution"),
    ({"rows": 7, "columns": 7, "types": 9}, "is not available with three or more disjoint solutions"),
    ({"rows": 8, "columns": 8, "no_stay": True}, "is not available with three or more disjoint solutions"),
    ({"rows": 7, "columns": 7, "max_use": 6, "method": "closed-form"}, "makes no three disjoint solutions"),
]


@pytest.mark.parametrize(("wishes", "message"), BAD, ids=[str(wishes) for wishes, _ in BAD])
def test_what_cannot_be_is_refused_in_a_line(wishes, message):
    with pytest.raises(UsageError) as caught:
        JigsawWishes(**{"solutions": 3, "disjoint": True, **wishes})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_what_may_be_is_not_refused():
    for rows, columns, use in ((7, 7, 3), (4, 7, 3), (10, 10, 3), (5, 5, 4), (6, 8, 6)):
        assert JigsawWishes(rows, columns, 3, use, disjoint=True).chosen == "annealing"
    assert JigsawWishes(5, 5, disjoint=True).chosen == "closed-form"


def joins(assembly):
    """The pairs of half-sides that meet, of an assembly {square: (piece, clockwise quarter turns)}."""
    found = set()
    for square, (piece, turns) in assembly.items():
        for side, (down, right) in enumerate(STEPS):
            row, column = square // 3 + down, square % 3 + right
            if 0 <= row < 3 and 0 <= column < 3:
                other, spun = assembly[3 * row + column]
                found.add(frozenset({(piece, (side - turns) % 4), (other, (side + 2 - spun) % 4)}))
    return frozenset(found)


def classes(all_joins):
    """For each half-side the smallest one that must have the same connector, and whether with the other sign."""
    least = {}
    for start in sorted(set().union(*all_joins)):
        waiting = [(start, 0)] if start not in least else []
        for half_side, sign in waiting:
            if half_side not in least:
                least[half_side] = start, sign
                meeting = set().union(*(join for join in all_joins if half_side in join)) - {half_side}
                waiting += [(other, 1 - sign) for other in meeting]
    return least


def test_three_solutions_of_3x3_without_a_common_join_need_equal_pieces():
    """All 576 scrambles with piece 1 at its corner, by code of its own: three disjoint ones are never enough."""
    scrambles = []
    for corners, edges, turns in product(permutations(range(4)), permutations(range(4)), range(4)):
        if corners[0] == 0:
            assembly = {MIDDLE: (MIDDLE, turns)}
            for squares, order in ((CORNERS, corners), (EDGES, edges)):
                assembly |= {squares[i]: (squares[order[i]], (i - order[i]) % 4) for i in range(4)}
            scrambles.append(joins(assembly))
    assert len(scrambles) == 576
    original = joins({square: (square, 0) for square in range(9)})
    disjoint = [scramble for scramble in scrambles if not scramble & original]
    pairs = [(one, other) for one, other in combinations(disjoint, 2) if not one & other]
    assert (len(disjoint), len(pairs)) == (47, 90)
    for one, other in pairs:
        connector = classes(original | one | other)
        pieces = [[connector.get((piece, side)) for side in range(4)] for piece in range(9)]
        looks = {min(tuple(sides[t:] + sides[:t]) for t in range(4)) for sides in map(str_of, pieces)}
        assert len(looks) < 9


def str_of(sides):
    return [str(side) for side in sides]


def test_no_three_frames_of_4x4_have_each_connector_on_three_joins():
    """All frames of a second assembly, with corner 0 in its place; those of a third one follow and are never frames.

    Squares of the frame are numbered clockwise, corners are 0, 3, 6, 9.  The right side of i meets the left side of
    i + 1 in the first assembly, and that of after[i] in another.
    """
    seconds = 0
    for (a, b, c), edges in product(permutations((3, 6, 9)), permutations((1, 2, 4, 5, 7, 8, 10, 11))):
        frame = (0, *edges[:2], a, *edges[2:4], b, *edges[4:6], c, *edges[6:])
        # From a right side along a join of the second assembly, then along one of the first.
        there = [0] * 12
        for i in range(12):
            there[frame[i]] = (frame[(i + 1) % 12] - 1) % 12
        if all(there[i] != i == there[there[there[i]]] for i in range(12)):
            seconds += 1
            after = [(there[there[i]] + 1) % 12 for i in range(12)]
            third = [0]
            while after[third[-1]] not in third:
                third.append(after[third[-1]])
            assert len(third) < 12 or any((piece % 3 == 0) != (i % 3 == 0) for i, piece in enumerate(third))
    assert seconds == 752
