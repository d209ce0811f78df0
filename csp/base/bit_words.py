"""The operations of `instructions`, for kernels: Numba is imported when one that uses them is compiled."""

from typing import Any

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
