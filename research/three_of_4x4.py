"""All jigsaws of 4x4 with three assemblies that share no join, if no connector is on more than a few joins.

Run by hand:  python research/three_of_4x4.py [--max-use 5]

By frames first, then by what is inside; the program shares no code with `refinement`.  A frame is a cycle of twelve
pieces, and a second one joins the right sides of pieces into the cycles of a permutation.  Frames of assemblies 2 and 3
go together if their cycles can be merged into connectors on at most --max-use joins.  One pair of frames of each orbit
is filled in all ways.  It prints how many jigsaws have pieces that are unique, and how many solutions these have.
"""

import argparse
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
from numba import njit

# Squares of the frame clockwise; the pieces of the frame have the numbers of their places, 0 to 11.
RING = (0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4)
CORNERS, EDGES, INNER = (0, 3, 6, 9), (1, 2, 4, 5, 7, 8, 10, 11), (5, 6, 9, 10)
STEPS = (-4, 1, 4, -1)
FIRST = tuple((piece + 1) % 12 for piece in range(12))


# ---- frames: which piece follows each piece


def frames(most):
    """The frames of a second assembly that share no join with the first one, with the sets of joins that they connect.

    The right side of p meets the left side of p + 1 first, and that then meets the right side of another piece.
    """
    for corners, edges in product(permutations(CORNERS[1:]), permutations(EDGES)):
        ring = [0, *edges[:2], corners[0], *edges[2:4], corners[1], *edges[4:6], corners[2], *edges[6:]]
        after = dict(zip(ring, ring[1:] + ring[:1], strict=True))
        before = {two: one for one, two in after.items()}
        cycles, left = [], set(range(12))
        while left:
            cycle, piece = 0, min(left)
            while piece in left:
                left.remove(piece)
                cycle |= 1 << piece
                piece = before[(piece + 1) % 12]
            cycles.append(cycle)
        if all(1 < cycle.bit_count() <= most for cycle in cycles):
            yield tuple(after[piece] for piece in range(12)), tuple(sorted(cycles))


def pairs_of_frames(most):
    """The pairs of frames of assemblies 2 and 3; the three assemblies share no join."""

    @cache
    def merged(cycles):
        """The ways to merge cycles into connectors on 3 or more joins."""
        if not cycles:
            return [()]
        (one, *rest), found = cycles, []
        for others in (set(more) for number in range(len(rest) + 1) for more in combinations(rest, number)):
            connector = one + sum(others)
            if 3 <= connector.bit_count() <= most:
                left = tuple(cycle for cycle in rest if cycle not in others)
                found += [tuple(sorted((connector, *way))) for way in merged(left)]
        return found

    by_connectors = defaultdict(list)
    for frame, cycles in frames(most):
        for way in merged(cycles):
            by_connectors[way].append(frame)
    return {
        (min(one, two), max(one, two))
        for alike in by_connectors.values()
        for one, two in combinations(alike, 2)
        if all(a != b for a, b in zip(one, two, strict=True))
    }


def ring_of(after):
    ring = [0]
    while len(ring) < 12:
        ring.append(after[ring[-1]])
    return ring


def images(one, two):
    """The same pair of frames with another assembly as the first one, and with the board turned or reflected."""
    for base, *others in ((FIRST, one, two), (one, FIRST, two), (two, FIRST, one)):
        places = {piece: place for place, piece in enumerate(ring_of(base))}
        for turn in CORNERS:
            name = [(places[piece] + turn) % 12 for piece in range(12)]
            renamed = [[0] * 12 for _ in others]
            mirrored = [[0] * 12 for _ in others]
            for frame, new, flipped in zip(others, renamed, mirrored, strict=True):
                for piece, follower in enumerate(frame):
                    new[name[piece]] = name[follower]
                    flipped[-name[follower] % 12] = -name[piece] % 12
            for pair in (renamed, mirrored):
                yield tuple(sorted(map(tuple, pair)))


def one_of_each_orbit(pairs):
    left = set(pairs)
    while left:
        pair = left.pop()
        left -= set(images(*pair))
        yield pair


# ---- inside: darts 4 i + s of inner piece i, and 16 + e, the inward side of an edge piece


def fillings():
    """What each dart meets, for all ways to lay the inner pieces in the first frame; the first is assembly 1."""
    edge_at = {RING[piece]: 16 + e for e, piece in enumerate(EDGES)}
    found = []
    for order, turns in product(permutations(range(4)), product(range(4), repeat=4)):
        laid = dict(zip(INNER, zip(order, turns, strict=True), strict=True))
        meets = [0] * 24
        for square, (piece, turn) in laid.items():
            for side in range(4):
                there, dart = square + STEPS[side], 4 * piece + (side - turn) % 4
                if there in laid:
                    meets[dart] = 4 * laid[there][0] + (side + 2 - laid[there][1]) % 4
                else:
                    meets[dart], meets[edge_at[there]] = edge_at[there], dart
        found.append(meets)
    return np.array(found)


def filled(after, ways):
    """The same for another frame."""
    moved, ring = np.arange(24), ring_of(after)
    moved[16:] = [16 + EDGES.index(ring[place]) for place in EDGES]
    meets = np.empty_like(ways)
    meets[:, moved] = moved[ways]
    return meets


# Whether assemblies (rows of `meets`) connect at most `most` joins and share none.
@njit(cache=True)
def is_possible(meets, most):
    for dart in range(24):
        for k in range(len(meets)):
            for i in range(k):
                if meets[k, dart] == meets[i, dart]:
                    return False
    seen, waiting = np.zeros(24, np.bool_), np.empty(24, np.int64)
    for start in range(24):
        if seen[start]:
            continue
        waiting[0], seen[start], size, i = start, True, 1, 0
        while i < size:
            for k in range(len(meets)):
                there = meets[k, waiting[i]]
                if not seen[there]:
                    seen[there], waiting[size] = True, there
                    size += 1
            i += 1
        if size > 2 * most:
            return False
    return True


@njit(cache=True)
def possible_pairs(first, ones, others, most):
    found, meets = [(0, 0)][:0], np.empty((3, 24), np.int64)
    meets[0] = first
    alone = np.zeros(len(others), np.bool_)
    for j in range(len(others)):
        meets[1] = others[j]
        alone[j] = is_possible(meets[:2], most)
    for i in range(len(ones)):
        meets[1] = ones[i]
        if is_possible(meets[:2], most):
            for j in np.flatnonzero(alone):
                meets[2] = others[j]
                if is_possible(meets, most):
                    found.append((i, j))
    return found


def jigsaw(frame_pair, inside, first):
    """The sides of the 16 pieces, with signs: each joined set of darts is a connector."""
    frames_, meets = (FIRST, *frame_pair), (first, *inside)
    graph = defaultdict(list)
    for after, inner in zip(frames_, meets, strict=True):
        for piece, follower in enumerate(after):
            graph["right", piece].append(("left", follower))
            graph["left", follower].append(("right", piece))
        for dart, other in enumerate(inner):
            graph[dart].append(int(other))
    label, number = {}, 0
    for start in graph:
        if start in label:
            continue
        number += 1
        waiting = [(start, number)]
        for dart, value in waiting:
            if dart not in label:
                label[dart] = value
                waiting += [(other, -value) for other in graph[dart]]
            elif label[dart] != value:
                return None  # an odd cycle
    pieces = []
    for piece in range(12):
        left, right = label["left", piece], label["right", piece]
        inward = [] if piece in CORNERS else [label[16 + EDGES.index(piece)]]
        pieces.append((0, *([0] if piece in CORNERS else []), right, *inward, left))
    return pieces + [tuple(label[4 * i + side] for side in range(4)) for i in range(4)]


def solutions(pieces, most=4):
    """The number of solutions, row by row, at most `most`; 0 if two pieces are equal or one is symmetric."""
    spun = [[sides[-turn:] + sides[:-turn] for turn in range(4)] for sides in pieces]
    if len({min(turns) for turns in spun}) < 16 or any(len(set(turns)) < 4 for turns in spun):
        return 0
    at_corner = defaultdict(list)
    for piece, turns in enumerate(spun):
        for sides in turns:
            at_corner[sides[0], sides[3]].append((piece, sides))
    board, found = [], 0

    def fill():
        nonlocal found
        y, x = divmod(len(board), 4)
        if y == 4:
            found += 1
            return
        up, left = -board[-4][1][2] if y else 0, -board[-1][1][1] if x else 0
        laid = {piece for piece, _ in board}
        for piece, sides in at_corner[up, left]:
            fits = (sides[1] == 0) == (x == 3) and (sides[2] == 0) == (y == 3)
            if fits and piece not in laid and (board or piece == 0) and found < most:
                board.append((piece, sides))
                fill()
                board.pop()

    fill()
    return found


def study(most) -> tuple[int, Counter]:
    """How many pairs of frames there are up to symmetry, and how many jigsaws by solutions, 4 for more than three."""
    ways, counts = fillings(), Counter()
    pairs = sorted(one_of_each_orbit(pairs_of_frames(most)))
    for one, two in pairs:
        second, third = filled(one, ways), filled(two, ways)
        for i, j in possible_pairs(ways[0], second, third, most):
            pieces = jigsaw((one, two), (second[i], third[j]), ways[0])
            counts["contradictory" if pieces is None else solutions(pieces)] += 1
    return len(pairs), counts


def main() -> int:
    parser = argparse.ArgumentParser(description="Three assemblies of 4x4 that share no join, by a complete search.")
    parser.add_argument("--max-use", type=int, default=5, help="the most joins of a connector, up to 6 (default: 5)")
    most = parser.parse_args().max_use
    number, counts = study(most)
    print(f"{number} pairs of frames up to symmetry; jigsaws by solutions (0: pieces that are not unique): {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
