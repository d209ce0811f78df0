"""Mixed forms (rows + columns odd): the lemmas 11 and 12 of docs/papers/exactly_two.md, checked for scrambles as drawn.

Run by hand:  python research/exactly_two_mixed.py [--from 7] [--up-to 51] [--draws 1] [--seed 1]

Here h is the half turn of the board, which the page calls H for squares and eta for darts.  For n x (n + 1) of the
sizes given it checks the premises of lemma 11, that the connectors are as many as lemma 11 says, and whether lemma 12
leaves two assemblies only.  The exit status is 1 if lemma 11 fails.
"""

import argparse
import sys
import time
from collections import Counter

import networkx as nx
import numpy as np

from exactly_two_forms import Scramble, scramble_of
from exactly_two_walks import closing_walks, forced_connectors, mates
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.mixed_form import draw_mixed_form


def components(mate):
    """The number of the component of each dart, -1 on the border, and the joins of each component."""
    first, second = mate
    inner = np.flatnonzero(first >= 0)
    assert ((first >= 0) == (second >= 0)).all(), "a straight side inside"
    assert (first[inner] != second[inner]).all(), "a shared join"
    graph = nx.Graph()
    graph.add_edges_from((int(side), int(other)) for row in mate for side, other in zip(inner, row[inner], strict=True))
    numbers, joins = np.full(len(first), -1), []
    for number, component in enumerate(nx.connected_components(graph)):
        numbers[list(component)] = number
        joins.append(len(component) // 2)
    return numbers, np.array(joins)


def check_premises(form: Scramble, mate):
    """The premises of lemma 11: the numbers of darts between two busy squares, and of those that fail.

    That these are in the frame, but for the join at the centre, follows from lemma 10.  If only `there` is between two
    busy squares, the condition on T T is that of the bit.
    """
    columns, last = form.x.shape[1], form.x.size - 1
    square, goes, turns = np.arange(form.x.size), (form.y * columns + form.x).ravel(), form.turns.ravel() % 4
    assert (goes[::-1] == last - goes).all(), "T and h do not commute"
    assert (turns[::-1] == turns).all(), "T and h do not commute"
    kind = np.select([(goes == square) & (turns == 0), (goes == last - square) & (turns == 2)], [0, 1], -1)

    def moved(half_side):
        piece, side = divmod(half_side, 4)
        return 4 * int(goes[piece]) + (side + int(turns[piece])) % 4

    def opposite(half_side):
        return 4 * (last - half_side // 4) + (half_side + 2) % 4

    bits, failures = {}, 0
    for f in np.flatnonzero(mate[0] >= 0).tolist():
        here, across = kind[f // 4], kind[mate[0, f] // 4]
        if here >= 0:
            assert across != here, "calm neighbours of one kind"
            continue
        there = moved(f)
        assert kind[there // 4] < 0, "a busy square goes to a calm one"
        assert there not in (f, opposite(f)), "a busy square stays, or goes as by h"
        assert moved(there) in (f, opposite(f)), "T T is neither 1 nor h"
        odd, beyond = moved(there) != f, kind[mate[0, there] // 4]
        if across < 0:
            assert beyond >= 0, "a dart between two busy squares goes to such a one"
            bits[f] = beyond ^ odd
        elif beyond >= 0:
            failures += odd != across ^ beyond
    for f, bit in bits.items():
        assert {bit} == {bits[int(mate[0, f])], bits[opposite(f)]}, "the bit of a join between two busy squares"
    return len(bits), failures


# The most clusters that are put together in all ways, and the most steps of this.
MOST_CLUSTERS, MOST_STEPS = 16, 300


def has_two(form: Scramble, mate, numbers, joins) -> bool | None:
    """Whether lemma 12 leaves two assemblies only; None if there are too many clusters, or too many ways to try."""
    on_two = np.flatnonzero(joins == 2)
    renamed = np.full(len(joins), -1)
    renamed[on_two] = np.arange(len(on_two))
    connector = np.where(numbers >= 0, renamed[numbers], -1)
    masks = closing_walks(mate)
    masks[_may_meet((numbers >= 0) & (connector < 0), mate)] = 0
    forced = forced_connectors(mate, masks, connector, len(on_two))
    y, x = np.indices(form.x.shape)
    signs = _signs(mate)
    for meets, alike, places in zip(mate, forced, (Scramble(x, y, 0 * x), form), strict=True):
        graph = nx.Graph()
        graph.add_nodes_from(range(x.size))
        kept = np.flatnonzero((connector >= 0) & alike[connector])
        graph.add_edges_from((int(side) // 4, int(meets[side]) // 4) for side in kept)
        clusters = sorted(map(sorted, nx.connected_components(graph)), key=len, reverse=True)
        if len(clusters) > MOST_CLUSTERS:
            return None
        # The half turn of the board makes another of each assembly.
        ways = _ways(clusters, places, mate[0].reshape(-1, 4) < 0, signs * (numbers + 1))
        if ways != 2:
            return None if ways is None else False
    return True


def _signs(mate):
    """Plus and minus of each dart, opposite ones for those that face each other in assembly 1 or 2."""
    signs = np.zeros(mate.shape[1], int)
    for start in np.flatnonzero(mate[0] >= 0):
        at = start
        while signs[at] == 0:
            signs[at], signs[mate[0, at]] = 1, -1
            at = mate[1, mate[0, at]]
    return signs


def _ways(clusters, places: Scramble, straight, colors) -> int | None:
    """In how many ways clusters, each as in one assembly, fill the board so that all sides fit; None if unknown."""
    rows, columns = places.x.shape
    y, x = np.indices((rows, columns))
    border = np.stack([y == 0, x == columns - 1, y == rows - 1, x == 0], axis=-1).reshape(-1, 4)
    sides = np.arange(4)

    def placements(cluster):
        for turn in range(4):
            px, py = places.x.flat[cluster], places.y.flat[cluster]
            for _ in range(turn):
                px, py = -py, px
            px, py = px - px.min(), py - py.min()
            # Side s of the board shows side s - turns of the piece.
            shown = 4 * np.array(cluster)[:, None] + (sides - places.turns.flat[cluster][:, None] - turn) % 4
            for down in range(rows - py.max()):
                for across in range(columns - px.max()):
                    # Most places of single pieces are covered by larger clusters.
                    if len(cluster) < 3 and board[(py[0] + down) * columns + px[0] + across, 0] >= 0:
                        continue
                    squares = (py + down) * columns + px + across
                    if (straight.ravel()[shown] == border[squares]).all():
                        yield squares, shown

    found, steps, board = 0, 0, np.full((rows * columns, 4), -1)

    def fits():
        both = board.reshape(rows, columns, 4)
        for one, other in ((both[:, :-1, 1], both[:, 1:, 3]), (both[:-1, :, 2], both[1:, :, 0])):
            known = (one >= 0) & (other >= 0)
            if (colors[one[known]] + colors[other[known]]).any():
                return False
        return True

    def fill(number):
        nonlocal found, steps
        steps += 1
        if number == len(clusters):
            found += 1
            return
        for squares, shown in placements(clusters[number]):
            if steps <= MOST_STEPS and (board[squares, 0] < 0).all():
                board[squares] = shown
                if fits():
                    fill(number + 1)
                board[squares] = -1

    fill(0)
    return None if steps > MOST_STEPS else found


def _may_meet(special, mate):
    """The darts from which a walk with some choices crosses a join of a special connector."""
    following = np.arange(mate.shape[1])
    following = following - following % 4 + (following + 1) % 4
    found = special
    for _ in range(3):
        found = special | np.any([(meets >= 0) & found[following[meets]] for meets in mate], axis=0)
    return found


def studied(rows, columns, chance) -> bool | None:
    """Whether a drawn scramble has two assemblies only; None if that stays open."""
    form = scramble_of(rows, columns, draw_mixed_form(rows, columns, chance))
    mate = mates(form)
    numbers, joins = components(mate)
    odd, even = (rows, columns) if rows % 2 else (columns, rows)
    three = (odd // 2 + even // 2 - 1) % 2 == 1
    assert check_premises(form, mate) == ((6, 0) if three else (2, 4)), "the premises of lemma 11"
    assert len(joins) == (2 * rows * columns - rows - columns - 3) // 2, "the number of connectors"
    assert sorted(joins[joins > 2]) == ([3, 3, 3] if three else [3, 4]), "connectors on more than two joins"
    return has_two(form, mate, numbers, joins)


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the lemmas on jigsaws with rows + columns odd.")
    parser.add_argument("--from", dest="low", type=int, default=7, help="the shortest side (default: 7)")
    parser.add_argument("--up-to", type=int, default=51, help="the longest side (default: 51)")
    parser.add_argument("--draws", type=int, default=1, help="scrambles for each size (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the draws")
    arguments = parser.parse_args()
    start, chance, total = time.process_time(), Chance(arguments.seed), Counter()
    names = {True: "with two assemblies", False: "with more", None: "not decided"}
    try:
        for rows in range(arguments.low, arguments.up_to):
            found = Counter(names[studied(rows, rows + 1, chance)] for _ in range(arguments.draws))
            total += found
            if names[True] not in found:
                print(f"{rows}x{rows + 1}: no draw with two assemblies")
    except AssertionError as error:
        print(f"FAILED: {error}")
        return 1
    took = time.process_time() - start
    print("mixed, drawn: " + ", ".join(f"{total[what]} {what}" for what in sorted(total)) + f"; {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
