"""Three assemblies of the same pieces without a common join, by annealing.

Assembly 1 has piece p on square p, unturned; the other two are scrambles of it.  The joins of all three determine which
sides must have the same connector (see `connector_classes`).  Each class has at least three joins.  As in `annealing`,
the scrambles have prescribed symmetries, and a seed gives the same scrambles on every machine.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ..base.errors import PuzzleError
from ..base.seeded_random import Chance
from ..base.stop import never
from ..puzzles.board import Board
from ..puzzles.jigsaw_algebra import mating, original
from . import pair_kernel as kernels
from .annealing import (
    COLDEST,
    HOTTEST,
    SCATTERINGS,
    STAGES,
    Annealed,
    Permutation,
    Wish,
    arrangement_of,
    composed,
    cool,
    generated,
    parsed_symmetry,
    peers_by_class,
    thresholds,
)
from .annealing_kernel import ROWS as MOVED

# Moves between two checks whether to stop.
SLICE = 8_192
# The moves for each join if rows and columns are odd, and on other boards.
STEPS_PER_JOIN, STEPS_PER_JOIN_OF_EVEN = 2_500, 13_000
# The joins of 7x7; more of them need slower cooling.
JOINS = 84
# The cost of a piece that is equal to another one or symmetric, in joins above the use that costs nothing.
PIECE_WEIGHT = 2


class PairElement(NamedTuple):
    """A symmetry of a pair of scrambles: it makes out of piece side a on slot u of scramble k the side first[a] on slot
    second[k][u] of scramble k, or of the other one if it is swapping."""

    swapping: bool
    first: Permutation
    second: tuple[Permutation, Permutation]

    def after(self, other: "PairElement") -> "PairElement":
        """The symmetry that does `other` first, and then this one."""
        seconds = (self.second[k ^ other.swapping] for k in range(2))
        one, two = (composed(then, before) for then, before in zip(seconds, other.second, strict=True))
        return PairElement(self.swapping != other.swapping, composed(self.first, other.first), (one, two))


@cache
def group(board: Board, generators: tuple[str, ...]) -> tuple[PairElement, ...]:
    """All symmetries that the generators make, the identity first.

    A generator has four characters, see `parsed_symmetry`: the first is ``s`` if it exchanges the two scrambles, and
    then follow the symmetry of the board that moves pieces, and the two that move slots.
    """
    parsed = (parsed_symmetry(board, text, "s", 3, "pairs of scrambles") for text in generators)
    made = [PairElement(swapping, first, (one, two)) for swapping, (first, one, two) in parsed]
    identity = tuple(range(4 * len(board)))
    return generated(PairElement(False, identity, (identity, identity)), made)


class PairAnnealing:
    """One annealing: the arrays of the kernel."""

    def __init__(self, board: Board, max_use: int, seed: int, symmetry: tuple[str, ...] = ()) -> None:
        self._symmetry = symmetry
        elements = group(board, symmetry)
        size = 8 * len(board)
        self._group = tuple(np.array(part, np.uint64).ravel() for part in zip(*map(_on_both, elements), strict=True))
        squares = range(len(board))
        place, peers = peers_by_class([(k, *_kind(board, square)) for k in range(2) for square in squares])
        joined = mating(board, original(board))
        both = np.concatenate([np.where(joined < 0, size, joined), np.where(joined < 0, size, joined + size // 2)])
        numbers = (np.array(each, np.uint64) for each in (both, place, peers))
        self._tables = (*numbers, joined.astype(np.int64), np.array([max_use, PIECE_WEIGHT], np.int64))
        # A move opens at most two pieces for each element, and the four darts of each may get new partners.
        moved = np.zeros((MOVED, max(size, 16 * len(elements))), np.uint64)
        lies, at, marks = (np.zeros(length, np.uint64) for length in (size, size, size + size // 2))
        self._state = np.zeros(4, np.int64)
        rows, looks = np.zeros((kernels.ROWS, size // 2), np.int64), np.zeros(len(board), np.uint64)
        self._scrambles = (lies, at, marks, moved, np.zeros(size // 2, np.int64), rows, looks, self._state)
        # The state must not be 0.
        self._random = np.array([2 * Chance(seed).below(2**53) + 1], np.uint64)
        self._order = len(elements)
        self.steps = 0
        if not any(
            kernels.scatter(self._tables, self._group, self._scrambles, self._random) for _ in range(SCATTERINGS)
        ):
            size_, names = f"{board.rows}x{board.columns}", ",".join(symmetry)
            raise PuzzleError(f"no scrambles of {size_} with the symmetry {names} were found")
        self._state[kernels.LEAST] = self._state[kernels.HEIGHT]
        self._best = lies.copy()

    @property
    def energy(self) -> int:
        """The least height so far: 0 if all requirements are met."""
        return int(self._state[kernels.LEAST])

    def go_on_at(self, stage: int, steps: int) -> None:
        """Try moves at the temperature of a stage, or fewer if all requirements are met."""
        temperature = HOTTEST - (HOTTEST - COLDEST) * stage / (STAGES - 1)
        self.steps += kernels.anneal_on(
            *(self._tables, self._group, self._scrambles, self._random),
            *(thresholds(self._order * temperature), self._best, steps),
        )

    def best(self) -> Annealed:
        """The best scrambles so far."""
        size = len(self._best) // 2
        one, two = (arrangement_of(lies % size) for lies in self._best.reshape(2, size))
        return Annealed(one, self.energy, self.steps, self._symmetry, two)


def anneal_pair(
    wish: Wish,
    seed: int,
    *,
    symmetry: tuple[str, ...] = (),
    steps: int | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
) -> Annealed:
    """Cool two random scrambles once; return the best ones met, which are the last if they meet all requirements.

    Of the wish, `max_use` and the size of the board count; the parameters are those of `anneal`.  Raises PuzzleError if
    scrambles with that symmetry cannot be found.
    """
    run = PairAnnealing(wish.board, wish.max_use, seed, symmetry)
    if steps is None:
        per_join = STEPS_PER_JOIN if wish.rows % 2 and wish.columns % 2 else STEPS_PER_JOIN_OF_EVEN
        steps = per_join * wish.joins * -(-(wish.joins**2) // JOINS**2)
    return cool(run, steps, SLICE, must_stop, report)


def _on_both(element: PairElement) -> tuple[bool, Permutation, Permutation]:
    """A symmetry of the two scrambles as the kernel has them: side by side on a board of twice as many squares."""
    size = len(element.first)
    there = [size * (k ^ element.swapping) for k in range(2)]
    first = tuple(there[k] + a for k in range(2) for a in element.first)
    return False, first, tuple(there[k] + u for k in range(2) for u in element.second[k])


def _kind(board: Board, square: int) -> tuple[str, int, int]:
    """The squares of one kind exchange their pieces.

    Neighbours are of different kinds in every assembly, so that the signs of connectors never contradict each other:
    the kind has the colour of the square on a checkerboard.  If rows and columns are odd, it has the parities of the
    distances from the border, which make good scrambles dense.
    """
    row, column = divmod(square, board.columns)
    if board.rows % 2 == 0 or board.columns % 2 == 0:
        return board.square_class(square), (row + column) % 2, 0
    depths = (min(row, board.rows - 1 - row), min(column, board.columns - 1 - column))
    return board.square_class(square), depths[0] % 2, depths[1] % 2
