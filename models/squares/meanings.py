"""What the comments of exported models of squares say: how a model was built, and what its variables mean."""

from collections.abc import Iterator

import numpy as np

from ...csp.puzzles.board import SIDE_NAMES
from ...csp.puzzles.slips import format_slips
from .domains import Domains

_SQUARES_A_LINE = 50


def domains_meaning(d: Domains) -> Iterator[str]:
    """Order, slips, fixed pieces, and what became of the symmetries."""
    name = d.puzzle.board.name
    for start in range(0, len(d.order), _SQUARES_A_LINE):
        yield f"order {' '.join(map(name, d.order[start : start + _SQUARES_A_LINE]))}"
    yield f"slips {format_slips(d.slips) or 'none'}"
    if d.frame_slips:
        yield f"frame_slips {format_slips(d.frame_slips)}"
    for square, piece, rotation in d.puzzle.fixed:
        yield f"fixed {name(square)} piece {piece + 1} turned {rotation}"
    yield f"symmetry {'broken' if d.symmetry else 'kept'}"
    # For how many arrangements a solution stands, where it is the same for all.
    factor = (d.tally().regular(1)[0] if d.found.regular else None) if d.symmetry else 1
    if factor != 1:
        yield "WARNING: symmetry is broken: of the boards that turning the board, exchanging identical pieces and"
        yield "WARNING: turning symmetric ones make of each other only some are solutions of this file.  The number of"
        several = f"arrangements is {factor} times the number of solutions"
        times = several if factor else "solutions does not determine that of arrangements"
        yield f"WARNING: {times}.  Identical pieces have the number of the first."


def cp_meaning(d: Domains) -> Iterator[str]:
    """How a model was built, and what the placements, seams and colours are that its variables have as values."""
    yield from domains_meaning(d)
    name = d.puzzle.board.name
    pieces, rotations = d.name_of_piece()
    for number, what in enumerate(zip(d.square.tolist(), pieces.tolist(), rotations.tolist(), strict=True)):
        square, piece, rotation = what
        yield f"placement {number}: piece {piece + 1} on {name(square)} turned {rotation}"
    for square, side in zip(*np.nonzero((d.seam >= 0) & ~d.second), strict=True):
        yield f"seam {d.seam[square, side]}: {SIDE_NAMES[side]} side of {name(int(square))}"
    for color, index in d.candidates.color_index.items():
        yield f"colour index {index}: colour {color}"
