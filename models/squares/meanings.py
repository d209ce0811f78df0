"""What the comments of exported models of squares say: how a model was built, and what its variables mean."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...csp.base.safe_files import escaped
from ...csp.puzzles.board import SIDE_NAMES
from ...csp.puzzles.slips import format_slips
from ..base.formula import size_of
from .domains import Domains

if TYPE_CHECKING:
    from .cnf import EdgeMatchingCNF

_SQUARES_A_LINE = 50


def domains_meaning(d: Domains) -> Iterator[str]:
    """Order, slips, fixed pieces, and what became of the symmetries."""
    name = d.puzzle.board.name
    for start in range(0, len(d.order), _SQUARES_A_LINE):
        yield f"order {' '.join(map(name, d.order[start : start + _SQUARES_A_LINE]))}"
    yield f"slips {format_slips(d.slips) or 'none'}"
    for square, piece, rotation in d.puzzle.fixed:
        yield f"fixed {name(square)} piece {piece + 1} turned {rotation}"
    yield f"symmetry {'broken' if d.symmetry else 'kept'}"
    # Of how many arrangements a model is one, where it is the same for all.
    factor = (d.tally().regular(1)[0] if d.found.regular else None) if d.symmetry else 1
    if factor != 1:
        yield "WARNING: symmetry is broken: of the boards that turning the board, exchanging identical pieces and"
        yield "WARNING: turning symmetric ones make of each other only some are solutions of this file.  The number of"
        several = f"arrangements is {factor} times the number of models"
        times = several if factor else "models tells none of arrangements"
        yield f"WARNING: {times}.  Identical pieces have the number of the first."


def cnf_meaning(model: "EdgeMatchingCNF") -> Iterator[str]:
    """How a formula was built, and what its variables mean."""
    d, v = model.domains, model.variables
    yield from domains_meaning(d)
    square_name = model.puzzle.board.name
    variables, _ = size_of(model)
    yield f"variables {variables}"
    yield "var NUMBER MEANING; the other variables follow from these"
    rotations: dict[int, list[int]] = {}
    if model.encoding.name == "diamond":
        for unit, rotation in zip(v.unit[v.unit_of].tolist(), d.name_of_piece()[1].tolist(), strict=True):
            rotations.setdefault(unit, []).append(rotation)
    for variable, (word, *numbers) in model.names():
        if word in ("place", "on"):
            piece, square, *rest = (int(number) for number in numbers)
            found = rest if word == "place" else sorted(rotations.get(variable, ()))
            turns = f" turned {'/'.join(map(str, found))}" if found else ""
            yield f"var {variable} piece {piece + 1} on {square_name(square)}{turns}"
        else:
            square, side, *color = (int(number) for number in numbers)
            place = f"{square_name(square)} {SIDE_NAMES[side]}"
            what = f"square {place} side has colour {color[0]}" if color else f"join {place} is invalid"
            yield f"var {variable} {what}"
    if "pool" in vars(model):
        for variable, named in sorted(model.pool.id2obj.items()):
            if variable > model.clauses.top:
                yield f"own {variable} {escaped(str(named)).encode('ascii', 'backslashreplace').decode()}"


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
