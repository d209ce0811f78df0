"""What stands at the foot of each sheet: its title, and a rule to measure."""

from collections.abc import Iterator

from ...svg.svg import fitting, harmless
from ..paper.paper import NOTES, Item, Path, Spot, Text
from ..paper.sizes import Measures

#: The length of the rule, which each page must have room for.
RULE = 100
#: How high a foot is, with what keeps it away from what is above.
FOOT = 24.0
#: Font sizes, and from one line to the next.
TITLE, FACT, LINE = 4.0, 3.0, 4.5
_GAP, _TICKS = 5.0, {10: 4.0, 5: 2.5}


def foot(name: str, facts: str, corner: Spot, width: float) -> Iterator[Item]:
    """The foot of a sheet whose upper left corner is there."""
    left, top = corner
    top += _GAP + TITLE * 0.75
    yield Text(NOTES, (left, top), fitting(harmless(name), width, TITLE), TITLE, bold=True)
    yield Text(NOTES, (left, top + LINE), fitting(harmless(facts), width, FACT), FACT)
    yield from _rule(left, top + LINE + 3.0)


def _rule(left: float, top: float) -> Iterator[Item]:
    yield Path(NOTES, ((left, top), (left + RULE, top)), straight=True)
    for at in range(0, RULE + 1, 5):
        height = _TICKS[10 if at % 10 == 0 else 5]
        yield Path(NOTES, ((left + at, top), (left + at, top + height)), straight=True)
    bottom = top + _TICKS[10] + FACT
    yield Text(NOTES, (left, bottom), "0", FACT)
    yield Text(NOTES, (left + RULE, bottom), f"{RULE} mm: measure it", FACT, "end")


def least_width(measures: Measures) -> float:
    """The narrowest sheet that has room for the rule."""
    return RULE + 2 * measures.margin
