"""Refusals that the long agreement run expects; any other one counts as a difference."""

import re

#: What the messages begin with or contain, as regular expressions.
EXPECTED = (
    r"^method (frames|macros|blocks): ",
    r"^method halves: the cut has \d+ choices of colours",
    r"^engine [a-z:]+: it is for framed rectangles whose pieces turn, but",
    r"^engine ganak: cannot count tilings with spare pieces",
)


def expected(error):
    """Whether a run may be refused in these words."""
    return "\n" not in str(error) and any(re.search(one, str(error)) for one in EXPECTED)
