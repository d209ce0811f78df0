"""Which pieces are used, as numbers: half-rows of boards with identical pieces."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ....puzzles.symmetry import PieceType, Symmetries

_CLASSES = ("inner", "strip", "edge", "end", "single", "corner")


class Uses:
    """How the pieces that are used are written into one number, so that those of disjoint sets can be added.

    A single piece has a bit.  Two identical pieces share two bits, a lower and an upper one: how many of them are used.

    - `kinds`: the types, of one or two pieces each; the bits are in this order.

    Attributes:
    - `of_kind`: the number that stands for one piece of each type.
    - `lower`, `others`: the lower bits of pairs, and all other bits.
    """

    def __init__(self, kinds: Sequence[PieceType]) -> None:
        sizes = np.array([len(kind.pieces) for kind in kinds], dtype=np.uint64)
        first = np.cumsum(sizes) - sizes
        self.of_kind = np.uint64(1) << first
        self.lower = np.bitwise_or.reduce(self.of_kind[sizes == 2], initial=np.uint64(0))
        self.others = np.uint64((1 << int(sizes.sum())) - 1) & ~self.lower

    @property
    def exchanges(self) -> int:
        """The number of ways to exchange the pieces of pairs, all of which are used."""
        return 2 ** int(self.lower).bit_count()

    def apart(self, one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Whether there are enough pieces for both."""
        both = one + other
        return ((one & other & self.others) | (both & both >> np.uint64(1) & self.lower)) == 0

    def excluded(self, pieces: NDArray[np.uint64], bit: int) -> NDArray[np.bool_]:
        """Which of some sets of pieces need a piece that is no longer there if `bit` is set in what is used."""
        place = np.uint64(bit)
        if self.lower >> place & np.uint64(1):
            return (pieces >> place & np.uint64(2)) != 0
        if bit and self.lower >> place - np.uint64(1) & np.uint64(1):
            return (pieces >> place - np.uint64(1) & np.uint64(3)) != 0
        return (pieces >> place & np.uint64(1)) != 0


def in_pairs(found: Symmetries, *, paired: bool) -> Iterator[PieceType]:
    """The free pieces as types of one piece or, where `paired`, of two identical ones."""
    most = 2 if paired else 1
    for name in _CLASSES:
        for kind in found.types:
            if kind.piece_class == name:
                for at in range(0, len(kind.pieces), most):
                    some = slice(at, at + most)
                    yield PieceType(kind.sides, kind.pieces[some], kind.offsets[some], kind.order)
