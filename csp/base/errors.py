"""The errors that a user can cause, one line each with what would be right, and the wording of results."""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice

# Longer texts are no misspelt names, and of more known names not all are compared.
_LONGEST_NAME, _MOST_KNOWN = 80, 1000
# From 0 to 1: that of what is suggested, and that of a name that has the unknown one as a part.
_LEAST_LIKENESS, _PART_OF = 0.6, 0.9


def escaped(text: str) -> str:
    """A text from a file or an option, safe for a terminal: control characters are shown by their numbers."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class JigsatError(Exception):
    """An error that the user can correct; the command line exits with status 2.

    Its message is one line, whatever the text holds that it quotes.
    """

    def __str__(self) -> str:
        return escaped(super().__str__())

    def add_note(self, note: str) -> None:
        super().add_note(escaped(note))


class InstanceError(JigsatError):
    """An instance or solution file that cannot be used; the message names the file and the position in it."""


class PuzzleError(JigsatError):
    """An inconsistent puzzle: a wrong number of pieces, or fixed pieces that do not fit their squares."""


class OrderError(JigsatError):
    """A search order that is unknown or does not name every square once."""


class SlipError(JigsatError):
    """An invalid slip array, or one with a depth that the board does not have."""


class Notice(UserWarning):
    """What a function says before it does more than it was asked for, such as to solve a puzzle that is drawn."""


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


def suggestion(name: str, known: Iterable[str], least: float = _LEAST_LIKENESS) -> str:
    """The end of a message about an unknown name: the most similar known name, of several the first one; or nothing.

    - `least`: the least likeness, from 0 to 1, of a name that is suggested.

    >>> suggestion("spiral", ["rowscan", "spiral_in"])
    " (did you mean 'spiral_in'?)"
    >>> suggestion("CaDiCaL", ["cpsat", "sat:cadical195", "sat:cadical103"])
    " (did you mean 'sat:cadical195'?)"
    >>> suggestion("diagonal", ["rowscan", "spiral_in"])
    ''
    """
    from difflib import SequenceMatcher

    # The dashes of options are no likeness, and capital letters no difference.
    plain = name.strip("-").lower()

    def likeness(one: str) -> float:
        other = one.strip("-").lower()
        return _PART_OF if len(plain) >= 4 and plain in other else SequenceMatcher(None, plain, other).ratio()

    some = [one for one in islice(known, _MOST_KNOWN) if len(one) <= _LONGEST_NAME >= len(name)]
    best = max(some, key=likeness, default="")
    return f" (did you mean {best!r}?)" if best and likeness(best) >= least else ""


def misspelt(name: str, known: Iterable[str], least: float = _LEAST_LIKENESS) -> str:
    """Quote an unknown name, followed by a suggestion if there is one."""
    return f"{shortened(name)!r}{suggestion(name, known, least)}"


@contextmanager
def told_of(source: object, kinds: type[Exception] | tuple[type[Exception], ...] = PuzzleError) -> Iterator[None]:
    """A context that turns errors of these kinds into `InstanceError`, with the file or position named first."""
    try:
        yield
    except kinds as error:
        found = InstanceError(f"{source}: {error}")
        for note in getattr(error, "__notes__", ()):
            found.add_note(note)
        raise found from error


# The most faults in one message.
_MOST_FAULTS = 6


def with_all(error: JigsatError, others: Sequence[str]) -> JigsatError:
    """An error about the first of several faults, with the others as notes, which the command line also shows."""
    for fault in others[: _MOST_FAULTS - 1]:
        error.add_note(fault)
    if len(others) >= _MOST_FAULTS:
        error.add_note(f"and {plural(len(others) - _MOST_FAULTS + 1, 'other fault')}")
    return error


@contextmanager
def told_if_done() -> Iterator[None]:
    """A context whose warnings are given when it ends without an error; otherwise they are about nothing."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        yield
    for one in noted:
        warnings.warn(one.message, stacklevel=3)


def need_extra(*modules: str, extra: str = "pictures", what: str = "pictures need") -> None:
    """Raise JigsatError if a module of an extra is not installed; `what` begins the message."""
    for module in modules:
        if find_spec(module) is None:
            name = {"PIL": "Pillow", "skimage": "scikit-image"}.get(module, module)
            raise JigsatError(f"{what} {name}: install it with pip install 'jigsat[{extra}]'")


#: The most characters in the name of a puzzle that is made.
MAX_NAME = 200


def grouped(number: int) -> str:
    """Digits in groups of three: 115 071 633 408; with more than sixty digits, the first few and the power of ten."""
    if number < 10**60:
        return f"{number:,}".replace(",", " ")
    exponent = math.log10(number)
    return f"about {10 ** (exponent % 1):.4f}e{int(exponent)}"


def plural(number: int, word: str, digits: Callable[[int], str] = grouped) -> str:
    """A number of things: 1 lemma, 23 lemmas, 2 assemblies, 0 vertices."""
    many = f"{word[:-1]}ies" if word.endswith("y") else f"{word[:-2]}ices" if word.endswith("ex") else f"{word}s"
    return f"{digits(number)} {word if number == 1 else many}"


def listed(words: Sequence[str]) -> str:
    """Words in one phrase.

    >>> listed(["1", "2", "3"])
    '1, 2 and 3'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def refuse_name(name: str | None) -> None:
    """Raise UsageError if a puzzle that is made cannot have this name."""
    if name is not None and not (1 <= len(name) <= MAX_NAME and name.isprintable()):
        raise UsageError(f"must be 1 to {MAX_NAME} printable characters, not {shortened(name)!r}", "name")


def ending(ended_by: str | None) -> str:
    """Why a search stopped early, in words, for a value of `Result.ended_by`."""
    return {
        "time": "the time limit was reached",
        "nodes": "the node limit was reached",
        "depth": "the depth limit kept the search from full boards",
        "solutions": "the number of solutions asked for was reached",
        "interrupt": "interrupted",
        "part": "this part is done",
        "restarts": "many attempts brought no improvement",
    }.get(ended_by or "", "")
