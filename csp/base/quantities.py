"""Numbers of things and times, as people read them."""

import math


def grouped(number: int) -> str:
    """Digits in threes: 115 071 633 408; of more than sixty digits the first few and the power of ten."""
    if number < 10**60:
        return f"{number:,}".replace(",", " ")
    exponent = math.log10(number)
    return f"about {10 ** (exponent % 1):.4f}e{int(exponent)}"


def several(number: int, word: str) -> str:
    """A number of things: 1 lemma, 23 lemmas."""
    return f"{grouped(number)} {word}{'' if number == 1 else 's'}"
