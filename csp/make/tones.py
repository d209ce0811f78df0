"""The cost of using a piece on one square of the first picture and on another one of the second.

The cost is the sum of the squared differences between the two tiles, the second turned back with the piece; all costs
are whole numbers.  Artwork that shares the difference has an error in proportion to the sum over all pieces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.picture_files import Picture
from ..puzzles.board import Arrangement, Board, Placement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.jigsaw_algebra import Integers

#: Costs are kept for all pairs of squares.
MOST_SQUARES = 1024
# The number of entries of one picture that are multiplied at a time.
_CHUNK = 2**23
# Costs in proportion to shares are whole numbers; a share has this many parts, and at least one, so that a picture
# without a share is still laid out.
_PARTS = 1000


@dataclass(frozen=True, eq=False)
class Tones:
    """The costs of all pairs of tiles."""

    board: Board
    #: For a square of the first picture, a square of the second and a rotation: the cost of a piece that is unturned
    #: on the first square, and in that rotation on the second.
    costs: Integers
    numbers: int  #: The number of entries of a picture
    other: Board | None = None  #: The board of the second picture, if it is another one: then a piece may be left over

    def cost(self, first: Arrangement, second: Arrangement) -> int:
        """The total cost of two assemblies."""
        return self._cost(_lies(first), _lies(second, len(first)))

    @cached_property
    def best_assignment(self) -> tuple[Arrangement, int]:
        """The cheapest second assembly for a first one with piece p unturned on square p; and its cost.

        Straight sides lie on the border; there are no other constraints, so no jigsaw of plain squares costs less.
        """
        from scipy.optimize import linear_sum_assignment

        other = self.other or self.board
        costs = np.where(_allowed(self.board, other), self.costs, np.inf)
        rotations = costs.argmin(axis=2)
        pieces, squares = linear_sum_assignment(costs.min(axis=2))
        arrangement: list[Placement | None] = [None] * len(other)
        for piece, square in zip(pieces.tolist(), squares.tolist(), strict=True):
            arrangement[square] = Placement(piece, int(rotations[piece, square]))
        return tuple(arrangement), int(self.costs[pieces, squares, rotations[pieces, squares]].sum())

    def _cost(self, one: Integers, other: Integers) -> int:
        is_there = other[0] >= 0
        return int(self.costs[one[0], other[0], (other[1] - one[1]) % 4][is_there].sum())


@dataclass(frozen=True)
class Fit:
    """A jigsaw with its first assembly for the first picture, its second one for the second, and the cost."""

    puzzle: EdgeMatchingPuzzle
    cost: int
    second: EdgeMatchingPuzzle | None = None  #: The second board with its assembly, if it is another one


def tones(first: Picture, second: Picture, board: Board, other: Board | None = None) -> Tones:
    """The costs for two pictures, for a board with at most `MOST_SQUARES` squares; the second may have another one."""
    costs = tile_differences(tiles(first, board), tiles(second, other or board))
    return Tones(board, costs.astype(np.int64), first.size, other)


def tile_differences(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.float64]:
    """The sum of squared differences of each tile of one picture and each of the other one, for each turn back."""
    pixels = one.shape[1]
    found = np.zeros((len(one), len(other), 4))
    rows = max(1, _CHUNK // (one.size // pixels))
    for rotation in range(4):
        turned = np.rot90(other, rotation, axes=(1, 2))
        for start in range(0, pixels, rows):
            # Sums of integers below 2^53 are exact in this type, in any order.
            a, b = (part[:, start : start + rows].reshape(len(part), -1).astype(np.float64) for part in (one, turned))
            squared = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)
            found[..., rotation] += squared - 2 * (a @ b.T)
    return found


def tiles(picture: NDArray[Any], board: Board) -> NDArray[Any]:
    """The part of a picture on each square: square, row, column, colour."""
    pixels = len(picture) // board.rows
    cells = picture.reshape(board.rows, pixels, board.columns, pixels, -1)
    return cells.transpose(0, 2, 1, 3, 4).reshape(len(board), pixels, pixels, -1)


def random_cost(tones: Tones) -> float:
    """The average cost of a random scramble: its pieces have straight sides on the border and are independent."""
    allowed = _allowed(tones.board, tones.other or tones.board)
    return float(np.average(tones.costs, axis=(1, 2), weights=allowed).sum())


def _allowed(board: Board, other: Board) -> NDArray[np.bool_]:
    """Whether the straight sides of a piece that fits on one square fit on one of a board, by squares and rotation."""
    masks, fitting = (np.array([each.border_mask(square) for square in range(len(each))]) for each in (board, other))
    turned = np.stack([(masks << r | masks >> (4 - r)) & 15 for r in range(4)], axis=-1)
    return turned[:, None, :] == fitting[:, None]


def best_fits(puzzle: EdgeMatchingPuzzle, tones: Tones) -> list[Fit]:
    """The cheapest ways to show two pictures: either assembly may show either picture, turned as a whole.

    Returns the jigsaw with these two assemblies turned and in order, and further ones unchanged: one way, or several if
    a symmetry of the scramble makes them equally cheap.
    """
    return best_fits_of_all(puzzle, {(0, 1): tones}, 2)


def best_fits_of_all(
    puzzle: EdgeMatchingPuzzle,
    tones: Mapping[tuple[int, int], Tones],
    number: int,
    second: EdgeMatchingPuzzle | None = None,
) -> list[Fit]:
    """The cheapest ways to show that many pictures, as by `best_fits`; `tones` has the costs of each pair of them.

    With a `second` board each picture belongs to a board, and only turns are to be chosen.
    """
    board = tones[0, 1].board
    if second is not None:
        ones = [board.turned_arrangement(puzzle.assemblies[0], turns) for turns in board.quarter_turns()]
        others = [
            second.board.turned_arrangement(second.assemblies[0], turns) for turns in second.board.quarter_turns()
        ]
        costs_of = {(one, other): tones[0, 1].cost(one, other) for one, other in product(ones, others)}
        one, other = min(costs_of, key=costs_of.__getitem__)
        there = replace(second, assemblies=(other, *second.assemblies[1:]))
        return [Fit(replace(puzzle, assemblies=(one, *puzzle.assemblies[1:])), costs_of[one, other], there)]
    turned = {
        (assembly, turns): board.turned_arrangement(puzzle.assemblies[assembly], turns)
        for assembly, turns in product(range(number), board.quarter_turns())
    }
    lies = {way: _lies(assembly) for way, assembly in turned.items()}
    pairs = {
        (*pair, one, other): costs._cost(lies[one], lies[other])
        for pair, costs in tones.items()
        for one, other in permutations(turned, 2)
        if one[0] != other[0]
    }
    costs = {
        ways: sum(pairs[i, j, ways[i], ways[j]] for i, j in tones)
        for ways in permutations(turned, number)
        if len({assembly for assembly, _ in ways}) == number
    }
    least = min(costs.values())
    rest = puzzle.assemblies[number:]
    best = [(*(turned[way] for way in ways), *rest) for ways, cost in costs.items() if cost == least]
    return [Fit(replace(puzzle, assemblies=assemblies), least) for assemblies in best]


def shared_costs(tones: Mapping[tuple[int, int], Tones], shares: Sequence[float]) -> dict[tuple[int, int], Tones]:
    """The costs of pairs of pictures in proportion to the products of their shares.

    Their sum is in proportion to the weighted sum of the squared errors of a mean with these shares as weights.
    """
    parts = [max(round(_PARTS * share), 1) for share in shares]
    return {(i, j): replace(pair, costs=parts[i] * parts[j] * pair.costs) for (i, j), pair in tones.items()}


def _lies(arrangement: Arrangement, pieces: int | None = None) -> Integers:
    """The square and the rotation of each piece, in two rows; -1 for pieces that are not there."""
    lies = np.full((2, pieces or len(arrangement)), -1)
    for square, placed in enumerate(arrangement):
        assert placed is not None
        lies[:, placed.piece] = square, placed.rotation
    return lies
