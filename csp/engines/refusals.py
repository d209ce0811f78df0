"""Values of a wrong type are refused."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..base.errors import UsageError, shortened
from .request import SLIPS

# Options whose values may be texts or lists.
_LISTS = ("order", *SLIPS, "start", "squares")


def checked_value(name: str, value: Any, kind: str) -> Any:
    """Convert a value to the kind of its option (see `request.About`); a path becomes text.

    Values of other kinds are left as they are.

    Raises UsageError if the value has another type.
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in ("flag", "switch") and not isinstance(value, bool):
        raise UsageError(f"{shortened(repr(value))} is neither True nor False", name)
    if kind == "seconds" and not number:
        raise UsageError(f"{shortened(repr(value))} is not a number of seconds", name)
    if kind == "threads" and value == "all":
        return 0
    if kind in ("whole", "threads"):
        whole = hasattr(value, "__index__") and not isinstance(value, bool)
        if not whole and not (isinstance(value, float) and value.is_integer()):
            raise UsageError(f"{shortened(repr(value))} is not a whole number", name)
        return int(value)
    if isinstance(value, Path):
        return str(value)
    if kind == "text" and not isinstance(value, str):
        if name not in _LISTS or not isinstance(value, Iterable):
            raise UsageError(f"{shortened(repr(value))} is not text", name)
        # A board keeps its type because it knows its puzzle; an order and slips become tuples of numbers.
        return value if name == "start" else tuple(value)  # pyright: ignore[reportUnknownArgumentType]
    return value


def refuse_other_types(**values: tuple[Any, str]) -> None:
    """Refuse values of a wrong type, each given with its kind; None stands for an option that is not given.

    Raises UsageError if a value has another type.
    """
    for name, (value, kind) in values.items():
        if value is not None:
            checked_value(name, value, kind)
