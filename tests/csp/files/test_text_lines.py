"""Lines are those of `str.splitlines`, wherever the text is cut."""

import random

import pytest

from jigsat.csp.files.streams import lines_of


@pytest.mark.parametrize("seed", range(50))
def test_the_lines_are_those_of_the_whole_text(seed):
    chance = random.Random(seed)
    text = "".join(chance.choice(["a", "bc", "\r", "\n", "\r\n", "\x0b", "\x1c", "\u2028"]) for _ in range(30))
    for size in (1, 2, 3, 100):
        assert list(lines_of(text[at : at + size] for at in range(0, len(text), size))) == text.splitlines()
