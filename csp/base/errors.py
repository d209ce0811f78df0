"""The errors that a user can cause: one line each, saying what, where, and what would be right."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec

# Longer texts are no misspelt names.
_LONGEST_NAME = 80


class JigsatError(Exception):
    """An error that the user can correct; the command line exits with status 2."""


class InstanceError(JigsatError):
    """An instance or solution file that cannot be used; the message names the file and the position in it."""


class PuzzleError(JigsatError):
    """An inconsistent puzzle: a wrong number of pieces, or fixed pieces that do not fit their squares."""


class OrderError(JigsatError):
    """A search order that is unknown or does not name every square once."""


class SlipError(JigsatError):
    """An invalid slip array, or one with a depth that the board does not have."""


class UsageError(JigsatError):
    """Misused options: unknown, contradictory, or without meaning for the puzzle.

    The message says what is wrong, and what would be right.  It begins with the options concerned, by their Python
    names, such as ``time_limit``; the command line shows them as command-line options: ``--time-limit``.

    >>> str(UsageError("it is for dissections", "motions"))
    'motions: it is for dissections'
    """

    def __init__(self, why: str, *options: str) -> None:
        super().__init__(f"{' and '.join(options)}: {why}" if options else why)
        self.why, self.options = why, options


class EngineError(UsageError):
    """An unknown engine, or one asked for what it cannot do."""


class NotFoundError(JigsatError):
    """What was requested was not found: the search was stopped, or there is nothing left to try.

    `ended_by` is what ended the search early, ``"time"`` or ``"interrupt"``; None if nothing did.
    """

    def __init__(self, why: str, ended_by: str | None = None) -> None:
        super().__init__(why)
        self.ended_by = ended_by


class BookError(InstanceError):
    """A book of long work that cannot be used: it is missing, in use, or belongs to other work."""


class DifferentCountsError(JigsatError):
    """Two ways to count disagree, so that one of them is wrong.

    `result` is that of the first count; its `verified` has the second one.
    """

    def __init__(self, why: str, result: object) -> None:
        super().__init__(why)
        self.result = result


def shortened(text: str, most: int = 40) -> str:
    """User input, shortened to be shown in a message."""
    return text if len(text) <= most else text[: most - 3] + "..."


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known name, or nothing.

    >>> suggestion("spiral", ["rowscan", "spiral_in"])
    " (did you mean 'spiral_in'?)"
    >>> suggestion("diagonal", ["rowscan", "spiral_in"])
    ''
    """
    # The dashes of options are no likeness.
    compared = {one.lstrip("-"): one for one in known}
    close = get_close_matches(name.lstrip("-"), compared, 1) if len(name) <= _LONGEST_NAME else []
    return f" (did you mean {compared[close[0]]!r}?)" if close else ""


def misspelt(name: str, known: Iterable[str]) -> str:
    """Quote an unknown name, followed by a suggestion if there is one."""
    return f"{shortened(name)!r}{suggestion(name, known)}"


@contextmanager
def told_of(source: object, kinds: type[Exception] | tuple[type[Exception], ...] = PuzzleError) -> Iterator[None]:
    """A context that turns errors of these kinds into `InstanceError`, with the file or position named first."""
    try:
        yield
    except kinds as error:
        raise InstanceError(f"{source}: {error}") from error


def need_extra(*modules: str, extra: str = "pictures", what: str = "pictures need") -> None:
    """Raise JigsatError if a module of an extra is not installed; `what` begins the message."""
    for module in modules:
        if find_spec(module) is None:
            raise JigsatError(f"{what} {module}: install it with pip install 'jigsat[{extra}]'")
