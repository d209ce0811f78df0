"""The program for docs/papers/exactly_two.md on small boards, and its theorems against a search that shares no code.

The search below knows pieces by the connectors on their sides, and fills the board row by row.
"""

from collections import Counter, defaultdict
from itertools import permutations, product
from math import gcd

import networkx as nx
import pytest

from exactly_two import even_of_the_corollary, even_studied, main, odd_of_the_corollary
from exactly_two_forms import even_scramble, scramble_of
from exactly_two_symbols import check_identities
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.closed_forms import closed_form, draw_even_form
from jigsaw_joins import pieces, unturned

# ---- a search of its own


def assemblies(rows, columns, sides_of_pieces, most=200):
    """The number of assemblies without piece numbers, up to turns of the board, and of pieces that are not unique.

    A piece is unique if no other one equals it, and it looks different in all rotations.
    """
    spun = [[sides[-turns:] + sides[:-turns] for turns in range(4)] for sides in sides_of_pieces]
    left, at_corner = Counter(min(turns) for turns in spun), defaultdict(set)
    for turns in spun:
        for sides in turns:
            at_corner[sides[0], sides[3]].add((min(turns), sides))
    board, found = [], 0

    def fill():
        nonlocal found
        if len(board) == rows * columns:
            found += 1
            return
        y, x = divmod(len(board), columns)
        up, before = -board[-columns][2] if y else 0, -board[-1][1] if x else 0
        for piece, sides in at_corner[up, before]:
            if left[piece] and (sides[1] == 0) == (x == columns - 1) and (sides[2] == 0) == (y == rows - 1):
                left[piece] -= 1
                board.append(sides)
                if found < most:
                    fill()
                board.pop()
                left[piece] += 1

    equal = sum(left[min(turns)] > 1 or len(set(turns)) < 4 for turns in spun)
    fill()
    turns = 4 if rows == columns else 2
    assert found % turns == 0 or found >= most
    return found // turns, equal


def pieces_of(rows, columns, arrangement):
    """The pieces that fit together as they are numbered, and so."""
    return pieces(rows, columns, unturned(rows, columns), arrangement)


def laid(rows, columns, form):
    """The piece on each square, and its turns."""
    board = [(0, 0)] * rows * columns
    for y, x in product(range(rows), range(columns)):
        board[form.y[y, x] * columns + form.x[y, x]] = y * columns + x, int(form.turns[y, x])
    return board


# ---- the program


def test_the_identities_for_all_sizes():
    assert len(list(check_identities())) == 5


@pytest.mark.parametrize(("rows", "columns"), [(5, 9), (9, 7)])
def test_the_lemmas_on_odd_boards(rows, columns):
    assert odd_of_the_corollary(rows, columns) == rows * columns


@pytest.mark.parametrize("size", [(10, 14), (12, 12)])
def test_the_lemmas_on_even_boards(size):
    assert even_of_the_corollary(*size) == size[0] * size[1]


@pytest.mark.slow
def test_the_lemmas_up_to_61_rows_and_columns(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["exactly_two.py", "--up-to", "61"])
    assert main() == 0
    assert "FAILED" not in capsys.readouterr().out


# ---- the theorems


def odd_forms(rows, columns):
    """All parameters of closed forms of a size."""
    k, half = columns // 2, rows // 2
    shifts = [shift for shift in range(1, k + 1) if gcd(shift, k) == 1]
    fronts = product(range(k), repeat=half // 2 + 1)
    reflections = [front + front[: half + 1 - len(front)][::-1] for front in fronts]
    exchanges = [e for e in permutations(range(half)) if all(e[e[j]] == j for j in range(half))]
    return product(shifts, reflections, exchanges)


def has_two(rows, columns, shift, reflections, exchange):
    """The conditions of theorem 1, the second one as: the rows are connected."""
    k, half = columns // 2, rows // 2
    graph = nx.path_graph(rows)
    graph.add_edges_from((y, rows - 1 - y) for y in range(rows))
    graph.add_edges_from((2 * low + 1, 2 * exchange[low] + 1) for low in range(half))
    for low, step in product(range(half), (0, 1)):
        if exchange[low] == half - 1 - low:
            residue = (reflections[low + step] + 1) % k
            if residue in (shift % k, -shift % k):
                return False
            if residue == 0:
                graph.remove_edge(2 * low + step, 2 * low + step + 1)
    return nx.is_connected(graph)


ODD = [(5, 5), (5, 7), (7, 5)]
MORE_ODD = [(5, 9), (9, 5), (7, 7), (5, 11), (7, 9), (11, 5)]


@pytest.mark.parametrize("size", [*ODD, *(pytest.param(size, marks=pytest.mark.slow) for size in MORE_ODD)])
def test_odd_forms_have_two_assemblies_just_under_the_conditions(size):
    """All of a size; pieces are numbered, so that no two may be equal."""
    found = Counter()
    for parameters in odd_forms(*size):
        condition = has_two(*size, *parameters)
        sides = pieces_of(*size, closed_form(*size, *parameters))
        assert (assemblies(*size, sides, most=20) == (2, 0)) == condition
        found[condition] += 1
    assert set(found) == {True, False}


@pytest.mark.parametrize("size", [(10, 10), *(pytest.param(s, marks=pytest.mark.slow) for s in [(10, 14), (12, 12)])])
def test_even_forms_of_the_corollary_have_two_assemblies(size):
    assert assemblies(*size, pieces_of(*size, laid(*size, even_scramble(*size)))) == (2, 0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(4, 4), (4, 8), (8, 4), (6, 6), (6, 10), (8, 8), (8, 12), (12, 8), (10, 10)])
def test_even_forms_that_are_drawn(size):
    """As many assemblies as the program says."""
    for seed in range(12):
        arrangement = draw_even_form(*size, Chance(seed))
        what = even_studied(scramble_of(*size, arrangement))
        found, equal = assemblies(*size, pieces_of(*size, arrangement), most=500)
        if what.startswith("with two"):
            assert (found, equal) == (2, 0)
        elif what == "with four by theorem 2":
            assert (found, equal) == (4, 0)
        elif what.startswith("with four"):
            assert found >= 4 or equal
