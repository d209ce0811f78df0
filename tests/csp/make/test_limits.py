"""What cannot be is refused with a reason; a complete search shows that 3x3 cannot."""

from itertools import combinations, permutations, product

import pytest
from ortools.sat.python import cp_model

from jigsaw_joins import are_plain, joins, pieces, unturned

# The squares of a 3x3 board clockwise from the top left, and the steps to the neighbours of a side.
CORNERS, EDGES, MIDDLE = (0, 2, 8, 6), (1, 5, 7, 3), 4


def test_three_solutions_of_3x3_without_a_common_join_need_equal_pieces():
    """All 576 scrambles with piece 1 at its corner, by code of its own: three disjoint ones are never enough."""
    scrambles = []
    for corners, edges, turns in product(permutations(range(4)), permutations(range(4)), range(4)):
        if corners[0] == 0:
            assembly = {MIDDLE: (MIDDLE, turns)}
            for squares, order in ((CORNERS, corners), (EDGES, edges)):
                assembly |= {squares[i]: (squares[order[i]], (i - order[i]) % 4) for i in range(4)}
            scrambles.append([assembly[square] for square in range(9)])
    assert len(scrambles) == 576
    first = unturned(3, 3)
    met = {tuple(one): joins(3, 3, one) for one in (first, *scrambles)}
    disjoint = [one for one in met if one != tuple(first) and not met[one] & met[tuple(first)]]
    pairs = [pair for pair in combinations(disjoint, 2) if not met[pair[0]] & met[pair[1]]]
    assert (len(disjoint), len(pairs)) == (47, 90)
    assert not any(are_plain(pieces(3, 3, first, *pair)) for pair in pairs)


def frames_in_threes(rows, columns):
    """Whether three frames exist with each connector on three joins and without a common join, by CP-SAT.

    Pieces and squares of the frame are numbered clockwise.  Piece p is on square p in the first assembly, so the right
    side of p meets the left one of p + 1.  In the second, `before[p + 1]` is the piece whose right side meets that left
    side; this is also the right side to which the right side of p leads.  These steps have cycles of three, and in the
    third assembly p is followed by `before[p + 1] + 1`.
    """
    size = 2 * (rows + columns - 2)
    corners = {0, columns - 1, columns + rows - 2, 2 * columns + rows - 3}
    model = cp_model.CpModel()
    next_pieces = []
    for _ in range(2):
        on = {
            (piece, square): model.new_bool_var("")
            for piece, square in product(range(size), range(size))
            if (piece in corners) == (square in corners)
        }
        after = {(one, two): model.new_bool_var("") for one, two in permutations(range(size), 2)}
        for i in range(size):
            for index in (0, 1):
                model.add_exactly_one(v for key, v in on.items() if key[index] == i)
                model.add_exactly_one(v for key, v in after.items() if key[index] == i)
        for (one, square), two in product(on, range(size)):
            follower = on.get((two, (square + 1) % size))
            if one != two and follower is not None:
                model.add_bool_or([~on[one, square], ~follower, after[one, two]])
        next_pieces.append(after)
    second, third = next_pieces
    leads = {(p, q): second[q, (p + 1) % size] for p, q in permutations(range(size), 2) if q != (p + 1) % size}
    for p in range(size):
        model.add(second[p, (p + 1) % size] == 0)
        model.add_exactly_one(leads[p, q] for q in range(size) if (p, q) in leads)
        for q, t in permutations(range(size), 2):
            steps = [leads.get(pair) for pair in ((p, q), (q, t), (t, p))]
            if steps[0] is not None and steps[1] is not None:
                model.add_bool_or([~steps[0], ~steps[1], *steps[2:][: steps[2] is not None]])
        for q in range(size):
            if (p, q) in leads and (q, p) in leads:
                model.add_bool_or([~leads[p, q], ~leads[q, p]])
            if (p, q) in leads:
                follower = third.get((p, (q + 1) % size))
                model.add(leads[p, q] == (0 if follower is None else follower))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver.status_name(solver.solve(model))


@pytest.mark.parametrize(
    ("size", "status"),
    [((4, 4), "INFEASIBLE"), ((4, 7), "OPTIMAL"), pytest.param((7, 7), "OPTIMAL", marks=pytest.mark.slow)],
)
def test_frames_in_threes_by_another_search(size, status):
    assert frames_in_threes(*size) == status
