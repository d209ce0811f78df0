"""The wording of numbers and results."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import UsageError, shortened
from .safe_files import escaped

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


def proof_line(proof: Mapping[str, Any], otherwise: str) -> str:
    """A proof in one line: file, length, whether it was checked (or the given alternative), by what, and a reason."""
    where = f"{escaped(str(proof['file']))}, " if "file" in proof else ""
    verdict = "checked" if proof["checked"] else otherwise
    by = f" by {', '.join(proof['checkers'])}" if proof["checkers"] else ""
    return (
        f"  proof            {where}{plural(proof['lemmas'], 'lemma')}, {verdict}{by}: {escaped(str(proof['reason']))}"
    )
