"""Makes pieces unique or asymmetric by exchanging colours, without changing the number of each colour."""

from collections import Counter, OrderedDict
from collections.abc import Sequence

from ..base.seeded_random import Chance
from ..puzzles.board import BORDER

#: The sides that have one colour together: both of a join, or a single one.  Side s of square q is number 4q + s.
Slot = tuple[int, ...]

# When to give up.  More attempts would not change puzzles that are found now; fewer would lose some.
ATTEMPTS, ATTEMPTS_PER_PIECE = 50_000, 50


class _Faults:
    """Counts the faults: every further copy of a piece, every piece that a turn maps to itself."""

    def __init__(self, sides: list[int], *, unique: bool, asymmetric: bool) -> None:
        self._sides, self._unique, self._asymmetric = sides, unique, asymmetric
        self._copies: Counter[tuple[int, ...]] = Counter()
        self._looks: list[tuple[int, ...]] = [()] * (len(sides) // 4)
        self.number = 0
        for square in range(len(self._looks)):
            self.add(square)

    def add(self, square: int) -> None:
        """Count the piece on a square as it is now."""
        up, right, down, left = self._sides[4 * square : 4 * square + 4]
        look = min((up, right, down, left), (right, down, left, up), (down, left, up, right), (left, up, right, down))
        self._looks[square] = look
        self.number += self._symmetric(look) + (self._unique and self._copies[look] > 0)
        self._copies[look] += 1

    def remove(self, square: int) -> None:
        """Remove the piece on a square from the counts, as it was when it was added."""
        look = self._looks[square]
        self._copies[look] -= 1
        self.number -= self._symmetric(look) + (self._unique and self._copies[look] > 0)

    def at(self, square: int) -> bool:
        """Whether the piece on a square has a fault."""
        look = self._looks[square]
        return self._symmetric(look) or (self._unique and self._copies[look] > 1)

    def _symmetric(self, look: tuple[int, ...]) -> bool:
        # A quarter turn that changes nothing is, done twice, a half turn that changes nothing.
        return self._asymmetric and look[:2] == look[2:]


def repair(sides: list[int], pools: Sequence[Sequence[Slot]], chance: Chance, *, unique: bool, asymmetric: bool) -> int:
    """Exchange colours until no two pieces are equal, or none is symmetric, or both.

    A local search: a slot of a faulty piece and another slot of the same pool exchange their colours, unless this
    increases the number of faults.  It gives up after a number of attempts that depends only on the number of pieces,
    so that the outcome is the same on every machine.

    - `sides`: the colour of each side, four per square; changed in place.
    - `pools`: Slots that may exchange colours among each other.
    - `chance`: the source of the random choices.
    - `unique`, `asymmetric`: the requirements.

    Returns
    -------
    The number of remaining faults; 0 is success.
    """
    faults = _Faults(sides, unique=unique, asymmetric=asymmetric)
    homes = {place: (pool, slot) for pool in pools for slot in pool for place in slot}
    # Of equal pieces at most one is not in the queue: faulty pieces are not removed, and changed pieces are added
    # again.
    waiting = OrderedDict.fromkeys(range(len(sides) // 4))
    attempts = ATTEMPTS + ATTEMPTS_PER_PIECE * len(waiting)
    while waiting and attempts:
        square, _ = waiting.popitem(last=False)
        if not faults.at(square):
            continue
        attempts -= 1
        waiting[square] = None
        places = [place for place in range(4 * square, 4 * square + 4) if sides[place] != BORDER]
        pool, slot = homes[places[chance.below(len(places))]]
        waiting.update(dict.fromkeys(_attempt(sides, faults, slot, pool[chance.below(len(pool))])))
    return faults.number


def _attempt(sides: list[int], faults: _Faults, one: Slot, other: Slot) -> list[int]:
    """Exchange the colours of two slots unless this makes more faults; return the squares that have changed."""
    if sides[one[0]] == sides[other[0]]:
        return []
    squares = list(dict.fromkeys(place // 4 for place in one + other))
    before = faults.number
    _exchange(sides, faults, one, other, squares)
    if faults.number > before:
        _exchange(sides, faults, one, other, squares)
        return []
    return squares


def _exchange(sides: list[int], faults: _Faults, one: Slot, other: Slot, squares: list[int]) -> None:
    for square in squares:
        faults.remove(square)
    color_of_one, color_of_other = sides[one[0]], sides[other[0]]
    for place in one:
        sides[place] = color_of_other
    for place in other:
        sides[place] = color_of_one
    for square in squares:
        faults.add(square)
