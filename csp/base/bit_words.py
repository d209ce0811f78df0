"""The operations of `instructions`, for kernels, without Numba, which is imported when a kernel runs."""

from typing import Any

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
