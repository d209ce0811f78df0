"""Puzzles to give away: the numbers of pieces and of connectors say nothing about a solution."""

from dataclasses import replace

from ....csp.base.seeded_random import Chance
from ....csp.puzzles.board import BORDER, Arrangement, Placement
from ....csp.puzzles.dissection import DissectionPuzzle, Tiling
from ....csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides


def shuffled_jigsaw(
    puzzle: EdgeMatchingPuzzle, boards: list[Arrangement], seed: int
) -> tuple[EdgeMatchingPuzzle, list[Arrangement]]:
    """The same jigsaw with other numbers and rotations of its pieces, and other numbers and signs of its connectors.

    Parameters
    ----------
    puzzle
        The jigsaw.
    boards
        Boards of it, which are renumbered, too.
    seed
        The random seed of the numbers.

    Returns
    -------
    tuple
        The jigsaw, and the boards.  Its name and source, which may say how to make it again, are left out.
    """
    chance = Chance(seed)
    order = chance.shuffled(range(len(puzzle.pieces)))
    turns = [chance.below(4) for _ in order]
    types = sorted({abs(side) for sides in puzzle.pieces for side in sides} - {BORDER})
    signed = {old: (1 - 2 * chance.below(2)) * new for old, new in zip(types, chance.shuffled(types), strict=True)}
    named = {BORDER: BORDER, **signed, **{-old: -new for old, new in signed.items()}}
    number = {old: new for new, old in enumerate(order)}

    def renamed(old: int, turn: int) -> Sides:
        up, right, down, left = (named[puzzle.pieces[old][(side + turn) % 4]] for side in range(4))
        return up, right, down, left

    def renumbered(board: Arrangement) -> Arrangement:
        return tuple(None if placed is None else moved(*placed) for placed in board)

    def moved(piece: int, rotation: int) -> Placement:
        return Placement(number[piece], (rotation + turns[number[piece]]) % 4)

    pieces = tuple(renamed(old, turn) for old, turn in zip(order, turns, strict=True))
    fixed = tuple(one._replace(**moved(one.piece, one.rotation)._asdict()) for one in puzzle.fixed)
    assemblies = tuple(renumbered(board) for board in puzzle.assemblies)
    plain = f"{puzzle.rows}x{puzzle.columns} jigsaw"
    shuffled = replace(puzzle, pieces=pieces, fixed=fixed, assemblies=assemblies, name=plain, source="", known={})
    return shuffled, [renumbered(board) for board in boards]


def shuffled_dissection(puzzle: DissectionPuzzle, tiling: Tiling, seed: int) -> tuple[DissectionPuzzle, Tiling]:
    """The same dissection and tiling with other numbers of the pieces."""
    order = Chance(seed).shuffled(range(len(puzzle.pieces)))
    pieces = tuple(puzzle.pieces[old] for old in order)
    no_flip = tuple(new for new, old in enumerate(order) if old in puzzle.no_flip)
    shuffled = replace(puzzle, pieces=pieces, no_flip=no_flip, source="", known={})
    return shuffled, tuple(tiling[old] for old in order)
