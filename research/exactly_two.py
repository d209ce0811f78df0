"""The lemmas of docs/papers/exactly_two.md, checked on boards of every size; the page has the proofs.

Run by hand:  python research/exactly_two.py [--up-to 201] [--from 4] [--draws 2] [--seed 1] [--squares]

The program builds the scrambles of the page's corollaries from its formulas, for every board of the sizes given: odd
rows and columns from 5 on, and even ones from 10 on that differ by a multiple of 4.  It checks that

- straight sides stay outward, no join is shared, and every connector is on two joins;
- walks around points close exactly in the ways that the lemmas list;
- by propagation alone, the walks that close leave two assemblies only.

Of squares it also checks scrambles that the package draws: walks against the lemmas, and the result of propagation
against the conditions of the theorems.  `exactly_two_symbols` checks the identities for all sizes at once.  The exit
status is 1 if a check fails.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from math import gcd
from typing import NamedTuple

import numpy as np

from exactly_two_forms import (
    ACROSS,
    DOWNWARDS,
    OddParameters,
    Scramble,
    arms,
    depths,
    even_scramble,
    geometry,
    good_parameters,
    odd_scramble,
    partners,
    scramble_of,
)
from exactly_two_symbols import check_identities
from exactly_two_walks import closing_walks, forced_connectors, mates
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.closed_forms import draw_closed_form, draw_even_form


def masks_of(permits) -> int:
    """The mask of the choices (a, b, c, d) that are permitted; bit i of a choice is the one at join number i."""
    return sum(1 << c for c in range(16) if permits(*(c >> step & 1 for step in range(4))))


CONSTANT = masks_of(lambda a, b, c, d: a == b == c == d)
ALTERNATING = masks_of(lambda a, b, c, d: a == c != b == d)
#: Two changes at odd squares: what parallel corners permit, with a + c even or odd.
TWISTED = [masks_of(lambda a, b, c, d, e=e: a != b and c != d and (a + c) % 2 == e) for e in (0, 1)]


# ---- the lemmas that all families share


def connectors_on_two_joins(mates):
    """The premise of lemma 1: the number of the connector of each dart, and how many there are.

    Raises AssertionError if a straight side turns inward, a join is shared, or a connector is not on two joins.
    """
    first, second = mates
    inner = np.flatnonzero(first >= 0)
    assert ((first >= 0) == (second >= 0)).all(), "a straight side inside"
    assert (first[inner] != second[inner]).all(), "a shared join"
    assert (second[first[second[first[inner]]]] == inner).all(), "a connector on more than two joins"
    lowest = np.arange(len(first))
    lowest[inner] = np.min([inner, first[inner], second[inner], second[first[inner]]], axis=0)
    names, connector = np.unique(lowest[inner], return_inverse=True)
    numbers = np.full(len(first), -1)
    numbers[inner] = connector
    assert (np.bincount(connector) == 4).all(), "a connector that is not on two joins"
    return numbers, len(names)


def studied(form: Scramble):
    """The masks of a scramble, and whether propagation leaves two assemblies only."""
    mate = mates(form)
    masks = closing_walks(mate)
    inner = masks > 0
    assert (masks[inner] & CONSTANT == CONSTANT).all(), "one of the two assemblies does not close"
    return masks, bool(forced_connectors(mate, masks, *connectors_on_two_joins(mate)).all())


# ---- odd forms


def check_odd_walks(form: Scramble, masks, parameters):
    """Lemma 5: walks from pieces that stay close exactly in the ways listed."""
    rows, columns = form.x.shape
    k, half = columns // 2, rows // 2
    by_corner = masks.reshape(rows, columns, 4)[::2, ::2]
    for side in range(4):
        for j in range(half + 1):
            low = j if side in (2, 3) else j - 1  # the index of the odd row at that corner
            wanted = CONSTANT
            if 0 <= low < half and parameters.exchange[low] == half - 1 - low:
                # Walks that start across a vertical side have the sign +, the others -.
                needed = (parameters.reflections[j] + 1) * (1 if side in (1, 3) else -1)
                wanted |= masks_of(
                    lambda a, b, c, d, needed=needed: (
                        a != b and c != d and (needed + (c - b) * parameters.shift) % k == 0
                    )
                )
            found = by_corner[j, :, side]
            assert (found[found > 0] == wanted).all(), f"walks of side {side} in row {2 * j}"


def has_two(rows, columns, parameters) -> bool:
    """The conditions (1) and (2) of theorem 1."""
    (shift, reflections, exchange), k, half = parameters, columns // 2, rows // 2
    critical = [(low, j) for low in range(half) if exchange[low] == half - 1 - low for j in (low, low + 1)]
    residues = {low + j: (reflections[j] + 1) % k for low, j in critical}
    if {shift % k, -shift % k} & set(residues.values()):
        return False
    seams = [y for y, residue in residues.items() if residue == 0 and y < half]
    seams += [rows - 2 - y for y, residue in residues.items() if residue == 0 and y >= half]
    band = [sum(seam < min(y, rows - 1 - y) for seam in set(seams)) for y in range(rows)]
    reached = {0}
    for _ in range(half):
        for low in range(half):
            two = {band[2 * low + 1], band[2 * exchange[low] + 1]}
            if two & reached:
                reached |= two
    return reached == set(band)


def odd_of_the_corollary(rows, columns) -> int:
    parameters = good_parameters(rows)
    form = odd_scramble(rows, columns, parameters)
    masks, two = studied(form)
    check_odd_walks(form, masks, parameters)
    assert has_two(rows, columns, parameters), "the parameters of corollary 1"
    assert two, "other assemblies are not excluded"
    return rows * columns


def _odd_studied(form: Scramble) -> str:
    masks, two = studied(form)
    k = form.x.shape[1] // 2
    parameters = OddParameters((form.x[1, 1] // 2) % k, (form.x[::2, 1] // 2) % k, form.y[1::2, 0] // 2)
    check_odd_walks(form, masks, parameters)
    condition = has_two(*form.x.shape, parameters)
    assert two == condition, "theorem 1 fails"
    return "with two assemblies" if condition else "with more"


def odd_drawn(size, chance) -> str:
    return _odd_studied(scramble_of(size, size, draw_closed_form(size, size, chance)))


def odd_with_seams(rows, columns, chance) -> str:
    """A scramble with many rows at which mixed walks close, which random parameters seldom have."""
    k, half = columns // 2, rows // 2
    shift = chance.sample([number for number in range(1, k + 1) if gcd(number, k) == 1], 1)[0]
    front = [chance.below(k) if chance.below(4) else k - 1 for _ in range(half // 2 + 1)]
    exchange, free = list(range(half)), []
    for low in range((half + 1) // 2):
        if chance.below(3) == 0:
            exchange[low], exchange[half - 1 - low] = half - 1 - low, low
        else:
            free += {low, half - 1 - low}
    free = chance.shuffled(free)
    for one, other in zip(free[::2], free[1::2], strict=False):
        exchange[one], exchange[other] = other, one
    reflections = np.array(front + front[: half + 1 - len(front)][::-1])
    return _odd_studied(odd_scramble(rows, columns, OddParameters(shift, reflections, np.array(exchange))))


# ---- even forms


class Corners(NamedTuple):
    """Shape (rows, columns, 4) each: the corners between a side and the one before it, of even squares with walks."""

    #: Away from the middle lines.
    away: np.ndarray
    #: Away from the middle lines, between two odd squares that are parallel.
    parallel: np.ndarray
    #: On a middle line, but not the centre; and the depth of the odd squares there.
    on_line: np.ndarray
    odd_depth: np.ndarray
    centre: np.ndarray


def corners(form: Scramble, masks) -> Corners:
    rows, columns = form.x.shape
    y, x = np.indices((rows, columns))
    u, v, _ = geometry(rows, columns)
    walks = (masks.reshape(rows, columns, 4) > 0) & ((u + v) % 2 == 0)[:, :, None]
    parallel, on_column, on_row = np.zeros((3, rows, columns, 4), bool)
    odd_depth = np.zeros((rows, columns, 4), int)
    for side in range(4):
        east, south = side in (1, 2), side in (2, 3)
        on_column[:, :, side], on_row[:, :, side] = x + east == columns // 2, y + south == rows // 2
        beside_x, beside_y = (x + 2 * east - 1) % columns, (y + 2 * south - 1) % rows
        odd_depth[:, :, side] = np.where(on_column[:, :, side], depths(rows)[beside_y], depths(columns)[beside_x])
        parallel[:, :, side] = _alike(form, side)
    away = walks & ~on_column & ~on_row
    return Corners(away, away & parallel, walks & (on_column ^ on_row), odd_depth, walks & on_column & on_row)


def _alike(form: Scramble, side):
    """Whether one motion moves the squares across a side and the one before; or if h follows for one of them."""
    rows, columns = form.x.shape
    y, x = np.indices((rows, columns))
    other, moved = (side + 3) % 4, []
    for way in (side, other):
        at = np.clip(y + DOWNWARDS[way], 0, rows - 1), np.clip(x + ACROSS[way], 0, columns - 1)
        moved.append((form.x[at], form.y[at], form.turns[at]))
    (x1, y1, turn1), (x2, y2, turn2) = moved
    dx, dy = ACROSS[other] - ACROSS[side], DOWNWARDS[other] - DOWNWARDS[side]
    wanted_x, wanted_y = np.choose(turn1 % 4, [dx, -dy, -dx, dy]), np.choose(turn1 % 4, [dy, dx, -dy, -dx])
    found = ((turn1 - turn2) % 4 == 0) & (x2 - x1 == wanted_x) & (y2 - y1 == wanted_y)
    x2, y2, turn2 = columns - 1 - x2, rows - 1 - y2, turn2 + 2
    return found | (((turn1 - turn2) % 4 == 0) & (x2 - x1 == wanted_x) & (y2 - y1 == wanted_y))


def paired_depths(form: Scramble) -> set[int]:
    """The depths that both middles have and of which C or K goes to another depth."""
    rows, columns = form.x.shape
    found = set()
    for depth in range(min(rows, columns) // 2 - 2, -1, -2):
        for x, y in (circle[0] for circle in arms(rows, columns, depth)):
            if depths(columns)[form.x[y, x]] != depth:
                found |= {depth, int(depths(columns)[form.x[y, x]])}
    return found


def check_even_walks(form: Scramble, masks) -> Corners:
    """Lemma 8: walks from even squares close exactly in the ways listed, around points of every sort."""
    at = corners(form, masks)
    masks = masks.reshape(*form.x.shape, 4).astype(int)
    assert (masks[at.away & ~at.parallel] == CONSTANT).all(), "a mixed walk without parallel squares"
    mixed = masks[at.parallel] & ~CONSTANT
    assert ((mixed & ~TWISTED[0] == 0) | (mixed & ~TWISTED[1] == 0)).all(), "walks at parallel squares"
    constant = np.isin(at.odd_depth, list(paired_depths(form)))
    assert (masks[at.on_line & constant] == CONSTANT).all(), "walks at paired depths"
    assert (masks[at.on_line & ~constant] == CONSTANT | ALTERNATING).all(), "walks on a middle line"
    assert (masks[at.centre] == CONSTANT).all(), "walks around the centre"
    return at


def harmless(form: Scramble, parallel) -> bool:
    """Whether each parallel corner has an inner odd square outside the middle that has no other parallel corner."""
    rows, columns = form.x.shape
    u, v, _ = geometry(rows, columns)
    inner = (u > 0) & (v > 0) & (u < columns // 2 - 1) & (v < rows // 2 - 1)
    # Each parallel corner is seen from both of its even squares, so that it is counted twice.
    seen, pairs = Counter(), []
    for y, x, side in np.argwhere(parallel):
        two = [(y + DOWNWARDS[way], x + ACROSS[way]) for way in (side, (side + 3) % 4)]
        pairs.append(two)
        seen.update(two)
    return all(any(inner[square] and seen[square] == 2 for square in two) for two in pairs)


def even_of_the_corollary(rows, columns) -> int:
    form = even_scramble(rows, columns)
    masks, two = studied(form)
    assert not check_even_walks(form, masks).parallel.any(), "lemma 9 fails"
    assert paired_depths(form) == set(partners(rows, columns)), "the pairs of depths"
    assert two, "other assemblies are not excluded"
    return rows * columns


def even_drawn(size, chance) -> str:
    return even_studied(scramble_of(size, size, draw_even_form(size, size, chance)))


def even_studied(form: Scramble) -> str:
    """What is known of a scramble of the second family."""
    masks, two = studied(form)
    at, paired = check_even_walks(form, masks), paired_depths(form)
    all_harmless = harmless(form, at.parallel)
    assert two or not (paired and all_harmless), "theorem 2 fails"
    assert paired or not two, "theorem 2 fails: two without a pair of depths"
    if all_harmless:
        return "with two by theorem 2" if paired else "with four by theorem 2"
    return "with two by propagation only" if two else "not decided" if paired else "with four or more by theorem 2"


# ---- the run


def families(low, high, squares) -> Iterator[tuple]:
    """Name, sizes, check of one size, and check of a drawn square, of each family."""
    odd, even = range(max(5, low + 1 - low % 2), high + 1, 2), range(low + low % 2, high + 1, 2)
    every = [(r, c) for r in odd for c in odd], [(r, c) for r in even for c in even]
    odd_sizes, even_sizes = ([size for size in sizes if size[0] == size[1] or not squares] for sizes in every)
    from_ten = [(r, c) for r, c in even_sizes if min(r, c) >= 10 and (r - c) % 4 == 0]
    yield "odd", odd_sizes, odd_of_the_corollary, odd_drawn
    yield "even", from_ten, even_of_the_corollary, even_drawn


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the lemmas on jigsaws with exactly two assemblies.")
    parser.add_argument("--from", dest="low", type=int, default=4, help="the shortest side (default: 4)")
    parser.add_argument("--up-to", type=int, default=201, help="the longest side (default: 201)")
    parser.add_argument("--draws", type=int, default=2, help="scrambles that the package draws for each square")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the draws")
    parser.add_argument("--squares", action="store_true", help="leave the other rectangles out")
    arguments = parser.parse_args()
    try:
        for line in check_identities():
            print(line)
        for name, boards, check, draw in families(arguments.low, arguments.up_to, arguments.squares):
            start, squares = time.process_time(), sum(check(*board) for board in boards)
            took = time.process_time() - start
            print(f"{name}: {len(boards)} boards, {squares} squares: all lemmas hold; {took:.0f} s", flush=True)
            chance = Chance(arguments.seed)
            if name == "odd":
                seams = [(rows, columns) for rows in range(5, 32, 2) for columns in range(5, 32, 2)]
                found = Counter(odd_with_seams(*size, chance) for size in seams for _ in range(arguments.draws))
                print("odd, with seams: " + ", ".join(f"{found[what]} {what}" for what in sorted(found)), flush=True)
            if draw:
                sizes = [rows for rows, columns in boards if rows == columns]
                found = Counter(draw(size, chance) for size in sizes for _ in range(arguments.draws))
                print(f"{name}, drawn: " + ", ".join(f"{found[what]} {what}" for what in sorted(found)), flush=True)
    except AssertionError as error:
        print(f"FAILED: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
