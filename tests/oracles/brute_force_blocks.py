"""Blocks of 2x2 pieces put together by trial, and a closed count of them; shares no code with the compound pieces."""

import numpy as np

from brute_force import fits, spin


def all_blocks(puzzle, borders):
    """Every block with these borders, as (piece, looks) clockwise from the top left; piece by piece, by trial."""
    fixed = {f.piece for f in puzzle.fixed}
    blocks = [()]
    for at in range(4):
        blocks = [
            (*block, (piece, shown))
            for block in blocks
            for piece in set(range(len(puzzle.pieces))) - fixed - {used for used, _ in block}
            for shown in {tuple(spin(puzzle.pieces[piece], turn)) for turn in range(4)}
            # Piece number `at` lies at the sides `at` and the one before; the side after faces the next piece.
            if all((shown[side] == 0) == (side in borders) for side in (at, (at + 3) % 4))
            and (not block or fits(puzzle, block[-1][1][at], shown[(at + 2) % 4]))
            and (at < 3 or fits(puzzle, shown[0], block[0][1][2]))
        ]
    return set(blocks)


def turned_block(block):
    """The block after a clockwise quarter turn."""
    return tuple((piece, tuple(spin(shown, 1))) for piece, shown in (block[3], *block[:3]))


def closed_count(horizontal, vertical, *places):
    """How many ways there are to lay four different pieces in a ring whose joins match.

    `horizontal` and `vertical` say which oriented pieces (piece x 4 + turn) fit on the left of and above which, and
    `places` which may lie on each square, clockwise from the top left.  Neighbours are different pieces from the
    start; rings that have a piece on both ends of a diagonal, or of both, are taken off by inclusion and exclusion.
    """
    a, b, c, d = places
    piece = np.arange(len(horizontal)) // 4
    same = piece[:, None] == piece
    # Products of floating-point matrices are quick, and exact as long as no entry reaches 2^24.
    ab, dc = ((horizontal & ~same & x[:, None] & y).astype(np.float32) for x, y in ((a, b), (d, c)))
    ad, bc = ((vertical & ~same & x[:, None] & y).astype(np.float32) for x, y in ((a, d), (b, c)))
    from_a_to_c = ((ab @ bc) * (ad @ dc)).astype(np.int64)
    from_b_to_d = ((ab.T @ ad) * (bc @ dc.T)).astype(np.int64)
    assert from_a_to_c.max() < 2**24
    both = 0
    for at_c in range(4):
        for at_d in range(4):
            c_of, d_of = 4 * piece + at_c, 4 * piece + at_d
            both += int((ab * bc[:, c_of].T * ad[:, d_of] * dc[np.ix_(d_of, c_of)].T).sum(dtype=np.float64))
    return int(from_a_to_c.sum() - from_a_to_c[same].sum() - from_b_to_d[same].sum()) + both
