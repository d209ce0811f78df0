"""The foot of each sheet: its title, and a ruler to check the scale."""

from collections.abc import Iterator

from ...svg.svg import fitting, harmless
from ..paper.paper import NOTES, Item, Path, Spot, Text
from ..paper.sizes import Measures

#: The length of the ruler, for which each page must have room.
RULE = 100
#: The height of a foot, including the gap above it.
FOOT = 24.0
#: Font sizes, and the distance between lines.
TITLE, FACT, LINE = 4.0, 3.0, 4.5
_GAP, _TICKS = 5.0, {10: 4.0, 5: 2.5}


def foot(name: str, facts: str, corner: Spot, width: float) -> Iterator[Item]:
    """The foot of a sheet, with its upper left corner at `corner`."""
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
    """The width of the narrowest sheet that has room for the ruler."""
    return RULE + 2 * measures.margin
