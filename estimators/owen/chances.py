"""The probabilities that joins are valid if the colours of a lot of sides are dealt at random, exact."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, zip_longest
from math import comb, factorial, perm, prod
from operator import mul

from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle

#: The number of sides of each colour: in one lot, if its sides meet each other, or in two lots that meet.
Hands = tuple[Counter[int], ...]


class Chances:
    """The probability that the first m of some joins are valid, for m = 0, 1, ..., `most`, over one denominator.

    - `ways`: for each colour, the integers (number of ways to make j joins of it) / j!.
    - `most`: the number of joins.
    - `pairs`: the number of ways to choose the sides of a further join, of any colours, after m joins.
    """

    def __init__(self, ways: list[list[int]], most: int, pairs: Callable[[int], int]) -> None:
        self._most = most
        # V(i, m) / m! is a coefficient of the product of one polynomial for each colour.
        valid = _product(ways, most)
        possible = next((joins for joins in range(most) if pairs(joins) <= 0), most)
        # The number of ways to make the missing joins, up to all possible ones, of any colours.
        rest = [*accumulate(map(pairs, reversed(range(possible))), mul, initial=1)]
        self.denominator = rest[-1]
        numerators = [factorial(joins) * valid[joins] * rest[possible - joins] for joins in range(possible + 1)]
        self.numerators = numerators + [0] * (most - possible)
        self._with_invalid = [self.numerators]

    def with_invalid(self, invalid: int) -> list[list[int]]:
        """Row i holds the numerators of the probability that the first m - i joins are valid and the last i are not."""
        rows = self._with_invalid
        while len(rows) <= invalid:
            above = rows[-1]
            rows.append([0] + [above[joins - 1] - above[joins] for joins in range(1, self._most + 1)])
        return rows


class OuterChances:
    """The probability that some sides that meet no other show a colour, and that joins of other sides are valid.

    Let S sides be dealt, n of which have the colour.  Then a outer sides show it with probability P(n, a) / P(S, a),
    and the joins are valid with the probability of a lot without a of the n sides; with two lots, so for each of them.

    - `color`: the colour of the outer sides.
    - `hands`: the number of sides of each colour.
    - `most`: the numbers of outer sides of each lot, and of joins.
    """

    def __init__(self, color: int, hands: Hands, puzzle: EdgeMatchingPuzzle, most: tuple[tuple[int, ...], int]) -> None:
        outer, self._joins = most
        self._color, self._hands, self._puzzle = color, hands, puzzle
        # A join has one side of each of two lots, or both of one.
        self._each = 2 // len(hands)
        totals = [hand.total() for hand in hands]
        self._most = [min(a + self._each * self._joins, sides) for a, sides in zip(outer, totals, strict=True)]
        near = {color, puzzle.mate(color)}
        self._near = tuple(Counter({each: hand[each] for each in near}) for hand in hands)
        far = tuple(hand - own for hand, own in zip(hands, self._near, strict=True))
        self._far = _product(join_ways(far, puzzle), self._joins)
        self.denominator = prod(map(perm, totals, self._most))
        self.rows = cache(self._rows)

    def _rows(self, outer: tuple[int, ...], invalid: int) -> list[int]:
        """For 0, 1, ... joins, the numerator of the probability that the last `invalid` of them are not valid."""
        if invalid:
            above = self.rows(outer, invalid - 1)
            return [0] + [above[joins - 1] - above[joins] for joins in range(1, self._joins + 1)]
        shown = prod(perm(hand[self._color], a) for hand, a in self._with(outer))
        if not shown:
            return [0] * (self._joins + 1)
        left = tuple(near - Counter({self._color: a}) for near, a in zip(self._near, outer, strict=True))
        near = _product(join_ways(left, self._puzzle), min(self._joins, max(hand.total() for hand in left)))
        valid = _times(self._far, near)
        return [shown * valid[joins] * factorial(joins) * self._rest(outer, joins) for joins in range(self._joins + 1)]

    def _with(self, outer: tuple[int, ...]) -> Iterable[tuple[Counter[int], int]]:
        return zip(self._hands, outer, strict=True)

    def _rest(self, outer: tuple[int, ...], joins: int) -> int:
        """The ways to choose the missing sides, up to the most, of any colours; 0 if there are too few sides."""
        ways = 1
        for (hand, a), most in zip(self._with(outer), self._most, strict=True):
            used = a + self._each * joins
            ways *= perm(hand.total() - used, most - used) if used <= most else 0
        return ways


class RimChances:
    """The probability that inner joins are valid if all edge pieces have the same colour towards the inside.

    The sides of inner pieces are dealt.  Those that meet the rim have to show the colour that fits onto it.

    - `fitting`: the colour that fits onto the rim.
    - `inside`: the number of sides of each colour on inner pieces.
    - `most`: the numbers of joins of the rim and between inner pieces.
    """

    def __init__(self, fitting: int, inside: Counter[int], puzzle: EdgeMatchingPuzzle, most: tuple[int, int]) -> None:
        self._joins = most
        self._between = OuterChances(fitting, (inside,), puzzle, ((most[0],), most[1]))
        self.numerator = cache(self._numerator)
        self.denominator = self.numerator((0, 0), (0, 0))

    def _numerator(self, invalid: tuple[int, int], joins: tuple[int, int]) -> int:
        """The numerator of the probability that the last `invalid` joins of each kind are invalid, the others valid."""
        (on_rim, between), (rim, inner) = invalid, joins
        if not on_rim <= rim <= self._joins[0] or not between <= inner <= self._joins[1]:
            return 0
        if on_rim:
            before = on_rim - 1, between
            return self.numerator(before, (rim - 1, inner)) - self.numerator(before, joins)
        return self._between.rows((rim,), between)[inner]

    def with_invalid(self, invalid: int) -> list[list[int]]:
        """As for `Chances`, the least numerators of all ways to divide the joins between the two kinds."""
        rim, inner = self._joins
        rows = [[0] * (rim + inner + 1) for _ in range(invalid + 1)]
        for i, row in enumerate(rows):
            for joins in range(i, rim + inner + 1):
                row[joins] = min(
                    self.numerator((j, i - j), (on_rim, joins - on_rim))
                    for on_rim in range(max(0, joins - inner), min(rim, joins) + 1)
                    for j in range(max(0, i - joins + on_rim), min(i, on_rim) + 1)
                )
        return rows


def join_chances(hands: Hands, puzzle: EdgeMatchingPuzzle, most: int) -> Chances:
    """The probabilities of up to `most` joins between the sides of one lot, or of two lots that meet."""
    totals = [sum(number for color, number in hand.items() if color != BORDER) for hand in hands]
    first, last = totals[0], totals[-1]
    if len(hands) == 1:
        return Chances(join_ways(hands, puzzle), most, lambda joins: (first - 2 * joins) * (first - 2 * joins - 1))
    return Chances(join_ways(hands, puzzle), most, lambda joins: (first - joins) * (last - joins))


def join_ways(hands: Hands, puzzle: EdgeMatchingPuzzle) -> list[list[int]]:
    """For each colour but the border, which joins nothing, the number of ways to make j = 0, 1, ... joins, over j!."""
    ways = []
    for color, number in hands[0].items():
        mate = puzzle.mate(color)
        if color == BORDER:
            continue
        if len(hands) == 2:
            ways.append(_two_hands(number, hands[1][mate]))
        elif mate == color:
            # P(n, 2j) / j!
            ways.append([comb(number, 2 * j) * perm(2 * j, j) for j in range(number // 2 + 1)])
        elif color > mate:
            ways.append([2**j * joins for j, joins in enumerate(_two_hands(number, hands[0][mate]))])
    return ways


def _product(polynomials: Iterable[list[int]], most: int) -> list[int]:
    """The product of polynomials that begin with 1 (coefficients in ascending order), up to the power `most`.

    Many are equal if colours are distributed evenly.  Let P be the product of the distinct polynomials p, and k their
    multiplicities.  Then f'/f is the sum of k p'/p, and P f' = Q f gives the coefficients of f one after the other.
    """
    numbers = Counter(map(tuple, polynomials))
    whole, derived = [1], [0]
    for factor, number in numbers.items():
        slope = [number * power * coefficient for power, coefficient in enumerate(factor)][1:]
        sums = zip_longest(_times(derived, factor), _times(slope, whole), fillvalue=0)
        derived = [one + other for one, other in sums]
        whole = _times(whole, factor)
    product = [1]
    for power in range(1, most + 1):
        new = sum(derived[i] * product[power - 1 - i] for i in range(min(power, len(derived))))
        new -= sum(whole[i] * (power - i) * product[power - i] for i in range(1, min(power, len(whole))))
        product.append(new // power)
    return product


def _times(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """The product of two polynomials."""
    product = [0] * max(len(first) + len(second) - 1, 0)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    return product


def _two_hands(forward: int, backward: int) -> list[int]:
    """P(n, j) P(n', j) / j! for j = 0, 1, ...: the ways to join j of n sides on one hand with j of n' on the other."""
    return [comb(forward, j) * perm(backward, j) for j in range(min(forward, backward) + 1)]
