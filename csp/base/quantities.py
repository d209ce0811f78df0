"""Numbers of things and times, as people read them."""

import math
from collections.abc import Callable


def grouped(number: int) -> str:
    """Digits in threes: 115 071 633 408; of more than sixty digits the first few and the power of ten."""
    if number < 10**60:
        return f"{number:,}".replace(",", " ")
    exponent = math.log10(number)
    return f"about {10 ** (exponent % 1):.4f}e{int(exponent)}"


def several(number: int, word: str, told: Callable[[int], str] = grouped) -> str:
    """A number of things: 1 lemma, 23 lemmas, 2 assemblies, 0 vertices; `told` makes the text of the number."""
    many = f"{word[:-1]}ies" if word.endswith("y") else f"{word[:-2]}ices" if word.endswith("ex") else f"{word}s"
    return f"{told(number)} {word if number == 1 else many}"
