"""Sets of numbers as bits of words; and the operations of `instructions`, for kernels.

Numba is imported when a kernel that uses one of the latter is compiled.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A branch for each six bits would take longer than looking up some without need.
FEWEST_GROUPS = 8


class _Instruction:
    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def _numba_type_(self) -> Any:
        """What Numba's compiler sees."""
        from numba.core.registry import cpu_target

        from . import instructions

        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(getattr(instructions, self._name))


def _instruction(name: str) -> Any:
    return _Instruction(name)


lowest = _instruction("lowest")
ones = _instruction("ones")
write_unions = _instruction("write_unions")
union_of_groups = _instruction("union_of_groups")
which = _instruction("which")
count_union = _instruction("count_union")
write_union = _instruction("write_union")
prefetch = _instruction("prefetch")
shared_word = _instruction("shared_word")
share_word = _instruction("share_word")
replace_word = _instruction("replace_word")


def as_words(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of truth values as rows of bits in words, at least one word each."""
    room = -members.shape[1] % 64 if members.shape[1] else 64
    bits = np.packbits(np.pad(members, ((0, 0), (0, room))), axis=1, bitorder="little")
    return bits.view(np.uint64)


def set_bits(words: NDArray[np.uint64], row: NDArray[Any], bit: NDArray[Any]) -> None:
    """Set a bit of each of these rows of words."""
    np.bitwise_or.at(words, (row, bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))
