"""Every lemma of docs/theory/exactly_two.md, checked on boards of every size; the page has the proofs.

Run by hand:  python tests/agreement/exactly_two.py [--up-to 201] [--draws 2] [--seed 1]

For every board of odd rows and columns from 5 on, and of even ones from 10 on that differ by a multiple of 4, the
program builds the scramble of the page's corollaries and checks that

- straight sides stay outward, no join is shared, and every connector is on two joins;
- walks around points close exactly in the ways that the lemmas permit;
- the walks that close leave two assemblies only, by propagation alone.

On squares it checks the same of scrambles that the package draws: odd ones against the closing condition, even ones
against the condition on parallel moves.  At last `exactly_two_symbols` checks the identities for all sizes at once.
The exit status is 1 if a check fails.
"""

import argparse
import sys
import time
from typing import NamedTuple

import numpy as np
from numba import njit

from exactly_two_symbols import check_identities
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.closed_form import draw_closed_form
from jigsat.csp.make.even_form import draw_even_form

#: Columns and rows from a square to the next one across its sides up, right, down, left.
ACROSS, DOWNWARDS = np.array((0, 1, 0, -1)), np.array((-1, 0, 1, 0))
#: Masks of choices around a point: all alike, and those that the even lemmas permit.
CONSTANT, ALTERNATING = 1 << 0b0000 | 1 << 0b1111, 1 << 0b0101 | 1 << 0b1010
#: An even number of choices for assembly 2.
EVENLY = sum(1 << c for c in range(16) if c.bit_count() % 2 == 0)
#: Bit i of a choice is the choice at the join number i of the walk.
CHANGING_TWICE = sum(1 << c for c in range(16) if (c ^ c >> 1) & 1 and (c >> 2 ^ c >> 3) & 1)


class Scramble(NamedTuple):
    """Where the piece of each square goes, (rows, columns) each: its new column and row, and quarter turns."""

    x: np.ndarray
    y: np.ndarray
    turns: np.ndarray


# ---- the scrambles, by the formulas of the page


def odd_scramble(rows, columns, shift, reflections, exchange) -> Scramble:
    y, x = np.indices((rows, columns))
    (i, j), k, half = (x // 2, y // 2), columns // 2, rows // 2
    reflection, exchanged = np.array(reflections)[j], np.array([*exchange, 0])[j]
    which = [(x % 2 == 0) & (y % 2 == 0), (x % 2 == 1) & (y % 2 == 1), x % 2 == 1]
    to_x = np.select(which, [x, 2 * ((i + shift) % k) + 1, 2 * ((reflection - i) % k) + 1], 2 * (k - i))
    to_y = np.select(which, [y, y, 2 * (half - j)], 2 * exchanged + 1)
    return Scramble(to_x, to_y, np.where(which[0] | which[1], 0, 2))


def good_exchange(half):
    """The exchange of corollary 1: no j goes to half - 1 - j."""
    exchange, middle = list(range(half)), half // 2
    if half % 2:
        exchange[0], exchange[middle] = middle, 0
    return exchange


def depths(length):
    """The distances of rows or columns from the nearer border."""
    return np.minimum(np.arange(length), np.arange(length)[::-1])


def kinds(rows, columns):
    """The parity of u plus quadrant."""
    y, x = np.indices((rows, columns))
    return (depths(columns) + (x >= columns // 2) + (y >= rows // 2)) % 2


def even_scramble(rows, columns) -> Scramble:
    """The scramble of corollary 2: pieces of opposite quadrants change places as in a mirror."""
    y, x = np.indices((rows, columns))
    u, v, kind = np.broadcast_to(depths(columns), x.shape), depths(rows)[:, None] + 0 * x, kinds(rows, columns)
    even = (u + v) % 2 == 0
    turned = np.where(even, kind == 1, False)
    to_x, to_y = np.where(turned, columns - 1 - x, x), np.where(turned, rows - 1 - y, y)
    turns = np.where(turned, 2, 0)
    rest = ~even & (u < columns // 2 - 1) & (v < rows // 2 - 1)
    # A mirrored pair: the first goes to the second; the second goes back, or to the opposite of the first.
    turn = np.where(u == 0, 2, 0)
    first = (x < columns // 2) == (y < rows // 2)
    back = first | ((kind + kind[:, ::-1] + turn) % 2 == 0)
    to_x = np.where(rest, np.where(back, columns - 1 - x, x), to_x)
    to_y = np.where(rest, np.where(back, y, rows - 1 - y), to_y)
    turns = np.where(rest, np.where(back, turn, 2 - turn), turns)
    form = Scramble(to_x, to_y, turns)
    _move_middle(rows, columns, form)
    return form


def partners(rows, columns):
    """The depths of the two middles that corollary 2 pairs: the innermost one first; a single one is left alone."""
    common = [v for v in range(min(rows, columns) // 2 - 2, 0, -2)]
    if len(common) % 2:
        common.pop(1)
    pairs = list(zip(common[::2], common[1::2], strict=True))
    return dict(pairs) | {b: a for a, b in pairs}


def arms(rows, columns, depth):
    """The squares C_0 to C_3 and K_0 to K_3 of a depth in the middle columns and rows."""
    circles = []
    for beyond in (0, 1):
        top = columns // 2 - 1 + beyond, depth
        right = columns - 1 - depth, rows // 2 - 1 + beyond
        circles.append([top, right] + [(columns - 1 - x, rows - 1 - y) for x, y in (top, right)])
    return circles


def _move_middle(rows, columns, form):
    partner = partners(rows, columns)
    lengths = (rows, columns)
    for depth in range(max(lengths) // 2 - 2, -1, -2):
        near, far = arms(rows, columns, depth)
        other = arms(rows, columns, partner.get(depth, depth))[1]
        for i in range(4):
            if depth > min(lengths) // 2 - 2:
                if lengths[i % 2] == max(lengths):
                    _move(form, near[i], far[i], 2)
                    _move(form, far[i], near[(i + 2) % 4], 0)
            else:
                direction = 1 if depth in partner else -1
                _move(form, near[i], near[(i + 1) % 4], 1)
                _move(form, far[i], other[(i + direction) % 4], direction)


def _move(form, square, target, turns):
    x, y = square
    form.x[y, x], form.y[y, x], form.turns[y, x] = *target, turns % 4


def scramble_of(rows, columns, arrangement) -> Scramble:
    """An arrangement of the package."""
    form = Scramble(*(np.zeros((rows, columns), np.int64) for _ in range(3)))
    for square, (piece, turns) in enumerate(arrangement):
        y, x = divmod(square, columns)
        _move(form, (piece % columns, piece // columns), (x, y), turns)
    return form


# ---- mates and walks


def mates(form: Scramble) -> np.ndarray:
    """Shape (2, 4 squares): what each half-side meets in the assemblies 1 and 2; -1 on the border.

    Raises AssertionError if two pieces go to one square.
    """
    rows, columns = form.x.shape
    y, x = np.indices(form.x.shape)
    both = []
    for to_x, to_y, turns in ((x, y, 0 * x), form):
        shows = np.full((rows + 2, columns + 2, 4), -1, np.int32)
        for side in range(4):
            shows[to_y + 1, to_x + 1, (side + turns) % 4] = 4 * (y * columns + x) + side
        assert (shows[1:-1, 1:-1] >= 0).all()
        meets = np.empty((rows, columns, 4), np.int32)
        for side in range(4):
            seen = (side + turns) % 4
            meets[:, :, side] = shows[to_y + 1 + DOWNWARDS[seen], to_x + 1 + ACROSS[seen], (seen + 2) % 4]
        both.append(meets.ravel())
    return np.array(both)


# Half-side 4 p + s is side s of piece p.  A walk crosses a join in assembly 1 or 2 and turns to the next side clockwise.
# Bit c of the mask of a half-side is set if the four choices c, the first one lowest, lead back to it inside the board.
@njit(cache=True, nogil=True)
def closing_walks(mates):
    masks = np.zeros(mates.shape[1], np.uint16)
    for start in range(mates.shape[1]):
        if mates[0, start] < 0 or mates[0, start ^ 3 if start % 4 == 0 else start - 1] < 0:
            continue
        for choices in range(16):
            at = start
            for step in range(4):
                at = mates[choices >> step & 1, at]
                at += 1 if at % 4 < 3 else -3
                if mates[0, at] < 0:
                    break
            if at == start and step == 3:
                masks[start] |= np.uint16(1 << choices)
    return masks


# Choices are equal if every walk that closes makes them equal (union-find over connectors, until nothing changes).
# What is left is tried with the largest class in assembly 1, then in 2: a choice that only one value permits is made.
# The result is the number of classes without a decision; 1 means that all choices are alike.
@njit(cache=True, nogil=True)
def undecided_classes(mates, masks, connector, number):
    root, value = np.arange(number), np.full(number, -1)
    mixed = np.flatnonzero(masks & ~np.uint16(1 << 15 | 1))
    for start in range(len(masks)):
        if masks[start] and masks[start] & ~np.uint16(1 << 15 | 1) == 0:
            root[_root(root, connector[start])] = _root(root, connector[start - 1 if start % 4 else start + 3])
    while True:
        changed = False
        for start in mixed:
            one, other = _root(root, connector[start]), _root(root, connector[start - 1 if start % 4 else start + 3])
            if one != other and _choices(mates, masks, connector, root, value, start) & 0b0110 == 0:
                root[one] = other
                changed = True
        if not changed:
            break
    sizes = np.zeros(number, np.int64)
    for c in range(number):
        sizes[_root(root, c)] += 1
    classes = np.count_nonzero(sizes)
    left = 1
    for assembly in range(2):
        value[:] = -1
        value[np.argmax(sizes)] = assembly
        decided, changed = 1, True
        while changed:
            changed = False
            for start in mixed:
                here = _root(root, connector[start])
                if value[here] < 0:
                    seen = _choices(mates, masks, connector, root, value, start)
                    if seen & 0b1010 == 0 or seen & 0b0101 == 0:
                        value[here] = 0 if seen & 0b1010 == 0 else 1
                        decided += value[here] == assembly
                        changed = True
        left = max(left, 1 + classes - decided)
    return left


@njit(cache=True, nogil=True)
def _root(root, c):
    while root[c] != c:
        root[c] = root[root[c]]
        c = root[c]
    return c


# Bit (first choice) + 2 (last choice) is set if a walk from `start` that closes has them and contradicts nothing known.
@njit(cache=True, nogil=True)
def _choices(mates, masks, connector, root, value, start):
    seen, met = 0, np.empty(4, np.int64)
    for choices in range(16):
        possible = masks[start] >> choices & 1 == 1
        at = start
        for step in range(4):
            choice = choices >> step & 1
            met[step] = _root(root, connector[at])
            possible &= value[met[step]] in (-1, choice)
            for earlier in range(step):
                possible &= met[earlier] != met[step] or choices >> earlier & 1 == choice
            if not possible:
                break
            at = mates[choice, at]
            at += 1 if at % 4 < 3 else -3
        if possible:
            seen |= 1 << ((choices & 1) + 2 * (choices >> 3))
    return seen


# ---- the lemmas


def connectors_on_two_joins(mates):
    """Lemma 2: the number of the connector of each half-side, and how many there are.

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
    assert (np.bincount(connector) == 4).all()
    return numbers, len(names)


def two_assemblies(form: Scramble):
    """The mates and masks of a scramble of which propagation leaves two assemblies only; else an AssertionError."""
    mate = mates(form)
    masks = closing_walks(mate)
    assert undecided_classes(mate, masks, *connectors_on_two_joins(mate)) == 1, "other assemblies are not excluded"
    return mate, masks


def check_odd_walks(form: Scramble, masks, shift, reflections, exchange):
    """Lemma 3: walks close exactly in the ways of the closing condition.  Whether all of them are constant."""
    rows, columns = form.x.shape
    k, half = columns // 2, rows // 2
    by_corner = masks.reshape(rows, columns, 4)[::2, ::2].astype(np.int64)
    all_constant = True
    for side in range(4):
        for j in range(half + 1):
            low = j if side in (2, 3) else j - 1  # the index of the odd row at that corner
            wanted = CONSTANT
            if 0 <= low < half and exchange[low] == half - 1 - low:
                for alpha, gamma in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    if (reflections[j] + 1 - (gamma - alpha) * shift) % k == 0:
                        choices = (alpha, 1 - alpha, 1 - gamma, gamma)[:: 1 if side in (1, 3) else -1]
                        wanted |= 1 << sum(choice << step for step, choice in enumerate(choices))
            found = by_corner[j, :, side]
            assert (found[found > 0] == wanted).all(), f"walks of side {side} in row {2 * j}"
            all_constant &= wanted == CONSTANT or not 0 <= low < half
    return bool(all_constant)


def parallel_corners(form: Scramble):
    """Shape (rows, columns, 4): the half-sides of even squares from which a walk passes two squares that move alike.

    The two squares are the next ones across the side and across the side before it.  They move alike if a motion of the
    plane makes both moves, or would with the second followed by a half turn of the board.
    """
    rows, columns = form.x.shape
    y, x = np.indices(form.x.shape)
    found = np.zeros((rows, columns, 4), bool)
    for side in range(4):
        other = (side + 3) % 4
        squares = []
        for way in (side, other):
            squares.append((np.clip(y + DOWNWARDS[way], 0, rows - 1), np.clip(x + ACROSS[way], 0, columns - 1)))
        (x1, y1, turn1), (x2, y2, turn2) = ([part[at] for part in form] for at in squares)
        dx, dy = ACROSS[other] - ACROSS[side], DOWNWARDS[other] - DOWNWARDS[side]
        for half_turn in (0, 1):
            if half_turn:
                x2, y2, turn2 = columns - 1 - x2, rows - 1 - y2, turn2 + 2
            turn = turn1 % 4
            wanted_x = np.choose(turn, [dx, -dy, -dx, dy])
            wanted_y = np.choose(turn, [dy, dx, -dy, -dx])
            found[:, :, side] |= ((turn1 - turn2) % 4 == 0) & (x2 - x1 == wanted_x) & (y2 - y1 == wanted_y)
    return found


def check_even_walks(form: Scramble, masks):
    """Lemmas 4 to 6.  Whether all walks away from the middle lines are constant."""
    rows, columns = form.x.shape
    y, x = np.indices(form.x.shape)
    even = (depths(columns) + depths(rows)[:, None]) % 2 == 0
    masks = masks.reshape(rows, columns, 4).astype(np.int64)
    parallel, kind = parallel_corners(form), kinds(rows, columns)
    mixed_away = 0
    for side in range(4):
        corner_x, corner_y = x + (side in (1, 2)), y + (side in (2, 3))
        on_column, on_row = corner_x == columns // 2, corner_y == rows // 2
        inner, mask = masks[:, :, side] > 0, masks[:, :, side] & ~CONSTANT
        away = inner & even & ~on_column & ~on_row
        diagonal_y = np.clip(y + DOWNWARDS[side] + DOWNWARDS[side - 1], 0, rows - 1)
        diagonal_x = np.clip(x + ACROSS[side] + ACROSS[side - 1], 0, columns - 1)
        assert (kind[away] != kind[diagonal_y, diagonal_x][away]).all(), "equal kinds at a corner"
        assert (masks[:, :, side][inner] & CONSTANT == CONSTANT).all(), "an assembly does not close"
        assert (mask[away & ~parallel[:, :, side]] == 0).all(), "a mixed walk without a parallel move"
        assert (mask[away] & ~CHANGING_TWICE == 0).all()
        mixed_away += np.count_nonzero(mask[away])
        assert (masks[:, :, side][inner & on_column & on_row] == EVENLY).all(), "walks around the centre"
        assert (mask[inner & (on_column != on_row)] & ~ALTERNATING == 0).all(), "walks on a middle line"
    return mixed_away == 0


def check_paired_depths(form: Scramble, masks):
    """Lemma 6: beside a pair of odd squares of a paired depth, all walks are constant."""
    rows, columns = form.x.shape
    masks = masks.reshape(rows, columns, 4)
    pairs = partners(rows, columns)
    assert pairs
    for depth in pairs:
        for x, y in sum(arms(rows, columns, depth), []):
            found = masks[y, x]
            assert (found[found > 0] == CONSTANT).all(), f"a mixed walk at depth {depth}"


# ---- the run


def odd_of_the_corollary(rows, columns):
    exchange = good_exchange(rows // 2)
    parameters = 1, [0] * (rows // 2 + 1), exchange
    form = odd_scramble(rows, columns, *parameters)
    mate, masks = two_assemblies(form)
    assert check_odd_walks(form, masks, *parameters)
    return mate.shape[1]


def even_of_the_corollary(rows, columns):
    form = even_scramble(rows, columns)
    mate, masks = two_assemblies(form)
    assert check_even_walks(form, masks)
    check_paired_depths(form, masks)
    return mate.shape[1]


def odd_parameters(form: Scramble):
    """Shift, reflections and exchange of a scramble in closed form."""
    rows, columns = form.x.shape
    k = columns // 2
    return (form.x[1, 1] // 2) % k, (form.x[::2, 1] // 2) % k, form.y[1::2, 0] // 2


def drawn(size, chance):
    """A scramble of the package: whether its walks are constant away from middle lines, and what is proved of it."""
    draw = draw_closed_form if size % 2 else draw_even_form
    form = scramble_of(size, size, draw(size, size, chance))
    mate = mates(form)
    masks = closing_walks(mate)
    if size % 2:
        constant = check_odd_walks(form, masks, *odd_parameters(form))
    else:
        constant = check_even_walks(form, masks)
    two = undecided_classes(mate, masks, *connectors_on_two_joins(mate)) == 1
    assert two or not constant, "the theorem fails"
    return constant, two


def sizes(up_to):
    """All odd boards from 5 on, all even ones from 10 on whose sides differ by a multiple of 4."""
    odd = [(r, c) for r in range(5, up_to + 1, 2) for c in range(5, up_to + 1, 2)]
    even = [(r, c) for r in range(10, up_to + 1, 2) for c in range(10 + (r - 10) % 4, up_to + 1, 4)]
    return odd, even


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--up-to", type=int, default=201, help="the longest side (default: 201)")
    parser.add_argument("--draws", type=int, default=2, help="scrambles that the package draws for each square")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the draws")
    parser.add_argument("--squares", action="store_true", help="leave the other rectangles out")
    arguments = parser.parse_args()
    try:
        for line in check_identities():
            print(line)
        for name, boards, check in zip(
            ("odd", "even"), sizes(arguments.up_to), (odd_of_the_corollary, even_of_the_corollary), strict=True
        ):
            start, half_sides, chosen = time.process_time(), 0, [b for b in boards if b[0] == b[1] or not arguments.squares]
            for board in chosen:
                half_sides += check(*board)
            took = time.process_time() - start
            print(f"{name}: {len(chosen)} boards, {half_sides // 4} squares, two assemblies each; {took:.0f} s", flush=True)
            chance, found = Chance(arguments.seed), []
            squares = [rows for rows, columns in boards if rows == columns]
            for size in squares:
                found += [drawn(size, chance) for _ in range(arguments.draws)]
            constant, two = (sum(column) for column in zip(*found, strict=True)) if found else (0, 0)
            print(f"{name}, drawn: {len(found)} squares, {constant} by the theorem, {two} proved", flush=True)
    except AssertionError as error:
        print(f"FAILED: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
