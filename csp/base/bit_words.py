"""Sets of numbers as bits of words; and the operations of `instructions`, for kernels.

Numba is imported when a kernel runs, not here.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A branch for each six bits would take longer than looking up some without need.
FEWEST_GROUPS = 8


class Instruction:
    """An operation, which only kernels can call."""

    #: What Numba makes of it; None before Numba is imported.
    made: Any = None

    @property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        context: Any = cpu_target.typing_context
        context.refresh()
        return context.resolve_value_type(self.made)


lowest: Any = Instruction()
ones: Any = Instruction()
write_unions: Any = Instruction()
union_of_groups: Any = Instruction()
which: Any = Instruction()
count_union: Any = Instruction()
write_union: Any = Instruction()
prefetch: Any = Instruction()
shared_word: Any = Instruction()
share_word: Any = Instruction()
replace_word: Any = Instruction()


def as_words(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of truth values as rows of bits in words, at least one word each."""
    room = -members.shape[1] % 64 if members.shape[1] else 64
    bits = np.packbits(np.pad(members, ((0, 0), (0, room))), axis=1, bitorder="little")
    return bits.view(np.uint64)


def set_bits(words: NDArray[np.uint64], row: NDArray[Any], bit: NDArray[Any]) -> None:
    """Set a bit of each of these rows of words."""
    np.bitwise_or.at(words, (row, bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))
