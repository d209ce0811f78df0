"""Jigsaws whose pieces fill three boards: n x n, (n - 1) x (n + 1) with one left over, and (n - 2) x (n + 2) with four.

    python research/three_boards.py 4 --max-use 6
    python research/three_boards.py 12 --max-use 6 --shared -o three.json

All three boards have the same perimeter.  Darts that face each other on any board have opposite connectors, so the
connectors are the components of the joins of all boards (see `jigsaw_algebra.classes_of`).  Annealing makes them small.

Without --shared it starts at random arrangements, and no join is on two boards.  With --shared the second board starts
as a `StairForm`.  On the third one the pieces above the diagonal of the second one have moved one row down and one
column to the right, with those below it in place.  So these two boards have many joins in common.

A jigsaw is kept if a search finds one solution on each board up to turns, whatever is left over.  With -o the boards
are written to FILE, FILE-2, FILE-3, for `jigsat count`.
"""

import argparse
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np

import jigsat as js
from jigsat.csp.base.compiled import copy_numbers, kernel
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.files.instances import format_instance
from jigsat.csp.make.annealing import peers_by_class, thresholds
from jigsat.csp.make.pair_kernel import (
    FAULTS,
    HEIGHT,
    LEAST,
    MARKS,
    QUEUE,
    ROWS,
    SIGNS,
    STAMP,
    label_class,
    pieces_at_fault,
    random_below,
)
from jigsat.csp.make.two_boards import StairForm
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.puzzles.jigsaw_algebra import classes_of, duplicate_pieces, mating, original

# Slots are squares of a board, and after these places of pieces that are left over.  `mate[k, u]` is the side of a slot
# that side u of a slot of board k faces, or -1; `lies[k, x]` is where dart x is on board k, and `at` its inverse.
# `flat[k, slot]` is the first straight side of a slot clockwise, 4 without such a side; pieces are slots of board 0.
# `label[x]` is twice the lowest dart of the connector of x, plus 1 if x has the other sign.
# The first entries of `state` are those of `pair_kernel`: stamp, least height, height, pieces at fault.
#: The costs of a join on two boards, of a connector without consistent signs for each of at most eight joins, and of a
#: piece that is symmetric or equal to another one.
SHARED_WEIGHT, ODD_WEIGHT, MOST_ODD, PIECE_WEIGHT = 4, 1, 8, 2
HOTTEST, WARM, COLDEST, STAGES, ROUNDS = Fraction(2), Fraction(5, 4), Fraction(2, 5), 40, 4
#: For one count.
SECONDS = 60


@kernel
def _meets(mate, lies, at, k, x):
    u = mate[k, lies[k, x]]
    return at[k, u] if u >= 0 else np.int64(-1)


@kernel
def _component(mate, lies, at, label, rows, stamp, x, limits):
    """Label the connector of a dart; return its cost."""
    marks, queue, signs = rows[MARKS], rows[QUEUE], rows[SIGNS]
    size, odd, shared, i, lowest = 1, 0, 0, 0, x
    queue[0], marks[x], signs[x] = x, stamp, 0
    while i < size:
        y = queue[i]
        i += 1
        for k in range(len(mate)):
            z = _meets(mate, lies, at, k, y)
            if z < 0:
                continue
            for j in range(k):
                shared += limits[1 if j == 0 else 2] * (_meets(mate, lies, at, j, y) == z)
            if marks[z] != stamp:
                marks[z], signs[z], queue[size] = stamp, 1 - signs[y], z
                size += 1
                lowest = min(lowest, z)
            elif signs[z] == signs[y]:
                odd += 1
    label_class(label, queue, signs, size, lowest)
    joins = size // 2
    cost = max(0, joins - limits[0]) + shared // 2
    return cost + (ODD_WEIGHT * min(joins, MOST_ODD) if odd else 0)


@kernel
def height(mate, lies, at, label, rows, limits, state, darts, number):
    """The cost of the connectors of some darts, which are labelled again."""
    state[STAMP] += 1
    total = 0
    for i in range(number):
        if rows[MARKS, darts[i]] != state[STAMP]:
            total += _component(mate, lies, at, label, rows, state[STAMP], darts[i], limits)
    return total


@kernel
def lay(lies, at, k, piece, slot, turn):
    for side in range(4):
        u = 4 * slot + ((side + turn) & 3)
        lies[k, 4 * piece + side], at[k, u] = u, 4 * piece + side


@kernel
def _turn(flat, k, piece, slot, random):
    """A rotation in which the straight sides of a piece are on the border."""
    return random_below(random, 4) if flat[0, piece] == 4 else (flat[k, slot] - flat[0, piece]) & 3


@kernel
def _aimed(mate, lies, at, k, random):
    """A dart and where to put it so that a short cycle closes, or -1.

    A dart that three joins lead to from x shall face x on board k.
    """
    x = random_below(random, mate.shape[1])
    u, y = mate[k, lies[k, x]], x
    if mate[0, x] < 0 or u < 0:
        return np.int64(-1), u
    before = -1
    for _ in range(3):
        j = random_below(random, len(mate))
        if y < 0 or j == before:
            return np.int64(-1), u
        y, before = _meets(mate, lies, at, j, y), j
    return (y, u) if y >= 0 and y >> 2 != x >> 2 else (np.int64(-1), u)


@kernel
def _alike(mate, p, q):
    """Whether two pieces have as many straight sides."""
    more = 0
    for side in range(4):
        more += (mate[0, 4 * p + side] < 0) - (mate[0, 4 * q + side] < 0)
    return more == 0


@kernel
def anneal(tables, arrangement, random, threshold, movable, place, limits, steps):
    """Try moves, or fewer if nothing is left to do: two pieces of a board are exchanged, or one is turned."""
    mate, flat = tables
    lies, at, label, rows, looks, darts, state, best = arrangement
    for _ in range(steps):
        if state[LEAST] == 0:
            return
        k = 1 + random_below(random, len(mate) - 1)
        if len(movable) == len(place) // 2 and random_below(random, 8):
            y, u = _aimed(mate, lies, at, k, random)
            p, slot, turn = y >> 2, u >> 2, (u - y) & 3
            if y < 0 or (flat[0, p] < 4 and turn != (flat[k, slot] - flat[0, p]) & 3):
                continue
        else:
            p = movable[random_below(random, len(movable))]
            begin, number = place[2 * p], place[2 * p + 1]
            slot = lies[k, 4 * movable[begin + random_below(random, number)]] >> 2
            turn = _turn(flat, k, p, slot, random)
        q, here, there = at[k, 4 * slot] >> 2, lies[k, 4 * p], lies[k, 4 * (at[k, 4 * slot] >> 2)]
        if here == 4 * slot + turn or not _alike(mate, p, q):
            continue
        number = 0
        for side in range(8):
            x = 4 * (p if side < 4 else q) + (side & 3)
            if mate[0, x] >= 0:
                darts[number] = x
                number += 1
                z = _meets(mate, lies, at, k, x)
                if z >= 0:
                    darts[number] = z
                    number += 1
        rise = -height(mate, lies, at, label, rows, limits, state, darts, number)
        if p != q:
            lay(lies, at, k, q, here >> 2, _turn(flat, k, q, here >> 2, random))
        lay(lies, at, k, p, slot, turn)
        rise += height(mate, lies, at, label, rows, limits, state, darts, number)
        faults = state[FAULTS]
        if rise - PIECE_WEIGHT * faults < len(threshold):
            faults = pieces_at_fault(mate[0], label, rows, looks, state)
            rise += PIECE_WEIGHT * (faults - state[FAULTS])
        if rise <= 0 or (rise < len(threshold) and np.uint64(random_below(random, 2**32)) < threshold[rise]):
            state[HEIGHT] += rise
            state[FAULTS] = faults
            if state[HEIGHT] < state[LEAST]:
                state[LEAST] = state[HEIGHT]
                for board in range(len(lies)):
                    copy_numbers(best[board], lies[board])
        else:
            lay(lies, at, k, p, here >> 2, here & 3)
            if p != q:
                lay(lies, at, k, q, there >> 2, there & 3)
            height(mate, lies, at, label, rows, limits, state, darts, number)


class Annealing:
    """Arrangements of the same pieces on some boards; `start` has for each board after the first where pieces lie."""

    def __init__(self, boards, max_use, seed, *, shared=False, start=None):
        self.boards, self.pieces, chance = boards, len(boards[0]), Chance(seed)
        size = 4 * self.pieces
        mate, self.flat = np.full((len(boards), size), -1), np.full((len(boards), self.pieces), 4)
        self.classes = [["inner"] * self.pieces for _ in boards]
        for k, board in enumerate(boards):
            mate[k, : 4 * len(board)] = mating(board, original(board))
            for square in range(len(board)):
                self.classes[k][square] = board.square_class(square)
                straight = [side for side in range(4) if board.border_mask(square) >> side & 1]
                if straight:
                    self.flat[k, square] = next(s for s in straight if len(straight) == 1 or (s + 1) % 4 in straight)
        self.tables = mate, self.flat
        lies, at = np.zeros_like(mate), np.zeros_like(mate)
        self.random = np.array([2 * chance.below(2**53) + 1], np.uint64)
        self.limits = np.array([max_use, SHARED_WEIGHT, 0 if shared else SHARED_WEIGHT])
        label, darts = np.zeros((2, size), np.int64)
        rows, looks, state = np.zeros((ROWS, size), np.int64), np.zeros(self.pieces, np.uint64), np.zeros(4, np.int64)
        self.arrangement = lies, at, label, rows, looks, darts, state, lies.copy()
        for k in range(len(boards)):
            known = {p: (p, 0) for p in range(self.pieces)} if k == 0 else dict(start[k - 1]) if start else {}
            self._lay_all(k, known, chance)
        self.measure()

    def _lay_all(self, k, known, chance):
        """Lay the other pieces of a board at random."""
        taken = {slot for slot, _ in known.values()}
        for name in ("corner", "edge", "inner"):
            slots = [s for s in range(self.pieces) if self.classes[k][s] == name and s not in taken]
            for p in range(self.pieces):
                if self.classes[0][p] == name and p not in known:
                    slot = slots.pop(chance.below(len(slots)))
                    known[p] = slot, int(_turn(self.flat, k, p, slot, self.random))
        for p, (slot, turn) in known.items():
            lay(*self.arrangement[:2], k, p, slot, turn)

    def measure(self):
        """Measure everything from scratch."""
        mate = self.tables[0]
        lies, at, label, rows, looks, darts, state, best = self.arrangement
        inside = np.flatnonzero(mate[0] >= 0)
        darts[: len(inside)] = inside
        cost = height(mate, lies, at, label, rows, self.limits, state, darts, len(inside))
        state[FAULTS] = pieces_at_fault(mate[0], label, rows, looks, state)
        state[HEIGHT] = state[LEAST] = cost + PIECE_WEIGHT * state[FAULTS]
        best[:] = lies

    @property
    def least(self):
        return int(self.arrangement[6][LEAST])

    def cool(self, steps, hottest=HOTTEST, coldest=COLDEST, movable=None):
        """Lower the temperature; only some pieces move, if they are named."""
        movable = sorted(range(self.pieces) if movable is None else movable, key=lambda p: self.classes[0][p])
        kinds = [self.classes[0][p] for p in movable]
        places, _ = peers_by_class(kinds)
        place = np.zeros(2 * self.pieces, np.int64)
        for i, p in enumerate(movable):
            place[2 * p : 2 * p + 2] = places[2 * i : 2 * i + 2]
        for stage in range(STAGES):
            threshold = thresholds(hottest - (hottest - coldest) * stage / (STAGES - 1))
            args = self.tables, self.arrangement, self.random, threshold, np.array(movable), place, self.limits
            anneal(*args, steps // STAGES)

    def back(self):
        """Return to the best arrangements."""
        lies, at, *_, best = self.arrangement
        lies[:] = best
        for k in range(len(self.boards)):
            at[k, lies[k]] = np.arange(4 * self.pieces)
        self.measure()

    def matings(self):
        """What each dart faces on each board, in the best arrangements."""
        found = []
        for mate, lies in zip(self.tables[0], self.arrangement[7], strict=True):
            at = np.argsort(lies)
            found.append(np.where(mate[lies] >= 0, at[mate[lies]], -1))
        return found

    def assemblies(self):
        """The boards of the best arrangements."""
        found = []
        for board, lies in zip(self.boards, self.arrangement[7], strict=True):
            at = {int(u) >> 2: Placement(p, int(u) & 3) for p, u in enumerate(lies[::4])}
            found.append(tuple(at[square] for square in range(len(board))))
        return found


def slid(board, by):
    """Where squares go if those above the diagonal move `by` rows down and columns to the right, and those below stay;
    the new board has rows from `by` on.  Squares without an image that fits the border are left out."""
    rows, columns = board.rows, board.columns
    other = Board(rows - by, columns + by)
    images = {}
    for square in range(len(board)):
        row, column = divmod(square, columns)
        if column > row:
            to = (row, column + by)
        elif row >= by + 1:
            to = (row - by, column)
        else:
            continue
        if to[0] < other.rows and other.border_mask(there := other.square(*to)) == board.border_mask(square):
            images[square] = there
    return images


def form(n, seed):
    """Where pieces lie on the second and the third board, as far as it is known."""
    chance = Chance(seed)
    stairs = StairForm(n, chance)
    while not stairs.choose_kinds():
        stairs = StairForm(n, chance)
    second = stairs.moves()
    slide = slid(Board(n - 1, n + 1), 1)
    return second, {p: (slide[square], turns) for p, (square, turns) in second.items() if square in slide}


def made(n, max_use, seed, shared, steps, report=print):
    """Pieces and assemblies, with the least height; connectors are as small as wished if that is 0."""
    boards = [Board(n - k, n + k) for k in range(3)]
    run = Annealing(boards, max_use, seed, shared=shared, start=form(n, seed) if shared else None)
    report(f"seed {seed}: {run.least} at the start")
    if not shared:
        run.cool(steps)
        report(f"{run.least} after annealing")
    for _ in range(ROUNDS if shared else 0):
        if run.least == 0:
            break
        classes = classes_of(run.matings())
        large = {c for c, joins in enumerate(classes.uses, start=1) if joins > 4}
        movable = {x // 4 for x in range(4 * run.pieces) if abs(classes.connector[x]) in large}
        run.cool(steps // ROUNDS, WARM, COLDEST, movable)
        run.back()
        report(f"{len(movable)} pieces moved: {run.least}")
    return run


def jigsaw(run):
    """The jigsaw as three puzzles; None if pieces are equal, or signs contradict each other."""
    classes = classes_of(run.matings())
    pieces = tuple(map(tuple, classes.connector.reshape(-1, 4).tolist()))
    puzzles = [
        EdgeMatchingPuzzle(
            *(board.rows, board.columns, pieces, Rule.OPPOSITE),
            name=f"three boards, {board.rows}x{board.columns}",
            source="research/three_boards.py",
            assemblies=(assembly,),
        )
        for board, assembly in zip(run.boards, run.assemblies(), strict=True)
    ]
    return None if classes.self_mating or duplicate_pieces(puzzles[0]) else puzzles


def shared_joins(run):
    """The numbers of joins that boards 1 and 2, 1 and 3, 2 and 3 have in common."""
    return [int(np.sum((one == other) & (one >= 0))) // 2 for one, other in combinations(run.matings(), 2)]


def search(n, max_use, seeds, shared, steps, report=print):
    """The first jigsaw with one solution on each board, and its annealing."""
    for seed in seeds:
        run = made(n, max_use, seed, shared, steps, report)
        puzzles = jigsaw(run) if run.least == 0 else None
        if puzzles is None:
            continue
        counts: list[int | None] = []
        while len(counts) < 3 and all(count == 1 for count in counts):
            counted = js.count(puzzles[len(counts)], engine="most-constrained", time_limit=SECONDS)
            counts.append(counted.canonical_count)
        report(f"seed {seed}: solutions {counts}")
        if counts == [1, 1, 1]:
            return puzzles, run
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int)
    parser.add_argument("--max-use", type=int, default=20)
    parser.add_argument("--shared", action="store_true", help="boards 2 and 3 may share joins; from 8x8 on")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--steps", type=int, default=400_000)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.seeds)
    found = search(given.n, given.max_use, seeds, given.shared, given.steps)
    if found is None:
        print("not found")
        return 1
    puzzles, run = found
    uses = Counter(classes_of(run.matings()).uses)
    print(f"one solution on each board; connectors by joins {sorted(uses.items())}; shared joins {shared_joins(run)}")
    for number, puzzle in enumerate(puzzles, start=1):
        if given.output:
            name = given.output if number == 1 else given.output.with_stem(f"{given.output.stem}-{number}")
            name.write_text(format_instance(puzzle), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
