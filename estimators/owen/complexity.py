"""How many nodes a search has, before it runs: Owen's model, exact.

A partial board is a *configuration* (which piece lies where, turned how) whose joins match.  The configurations are
counted.  The chance that the joins of one of them match is that of a random redistribution of the colours: the colours
of all inner sides change places at random among the inner sides, and so do those of the frame's sides, the sides
clockwise from the border and those counter-clockwise from it each among themselves (a frame join has one of each).
The product of both is the *expected number* of partial boards, an exact rational, for any set of squares: the model's
prediction for the number of nodes at a depth.  (Brendan Owen, 2008 and 2009; the formulas are those of the theory of
edge-matching search.)

What the model takes into account, beyond framed puzzles with an even number of sides of each colour:

- *Colours with an odd number of sides*, and frame colours with unequal numbers on both hands, are counted as they are:
  the formulas hold with the falling factorials of the true numbers.
- *A colour that is a frame and an inner colour* is two colours, because its sides cannot meet.
- *Spare pieces* take part with all their sides; only classes that have no square on the board do not.
- *Boards with two rows or columns* are framed boards.  *With one* there is no clockwise hand: all sides are in one lot.
- *Connectors* (jigsaws) mate with their opposites: j joins of connector k against -k can be made in
  2^j P(n_k, j) P(n_-k, j) / j! ways instead of P(2n, 2j) / j!.
- *Fixed pieces* come first, are one node each, and keep their sides in the lots.  Joins between two of them are facts:
  the chance is that of the other joins, given these.  If the fixed pieces themselves contradict, nothing follows them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, zip_longest
from math import comb, factorial, perm
from operator import mul

from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order, find_order
from ...csp.puzzles.slips import Slips, allowed, checked_slips, inner_joins, permitted_prefix, restrict_nothing
from ...csp.puzzles.symmetry import Anchor, PieceType, find_anchors, single_pieces, symmetries

# In how many rotations a piece of a class fits on a square of that class.
ROTATIONS = {"inner": 4, "edge": 1, "corner": 1, "strip": 2, "end": 1, "single": 4}


@dataclass(frozen=True)
class Estimate:
    """Expected numbers of nodes, exact: integers over one common denominator.

    Parameters
    ----------
    order_name, order
        The search order, fixed squares first.
    slips
        The slip array.
    numerators, denominator
        At depth d (1-based) ``numerators[d - 1] / denominator`` nodes are to be expected.
    """

    order_name: str
    order: Order
    slips: Slips
    numerators: tuple[int, ...]
    denominator: int

    @cached_property
    def nodes_by_depth(self) -> tuple[Fraction, ...]:
        """The expected number of partial boards with 1, 2, ... pieces."""
        return tuple(Fraction(numerator, self.denominator) for numerator in self.numerators)

    @property
    def solutions(self) -> Fraction:
        """The expected number of solutions."""
        return Fraction(self.numerators[-1], self.denominator)

    @property
    def nodes(self) -> Fraction:
        """The expected number of nodes, solutions included."""
        return Fraction(sum(self.numerators), self.denominator)

    @property
    def peak(self) -> tuple[int, Fraction]:
        """The depth with the most nodes (the first one), and how many they are."""
        most = max(self.numerators)
        return self.numerators.index(most) + 1, Fraction(most, self.denominator)


class Complexity:
    """Owen's model of a puzzle.

    Parameters
    ----------
    puzzle
        What is to be searched.

    Examples
    --------
    >>> from jigsat import read
    >>> estimate = Complexity(read("puzzle-a")).estimate("rowscan")
    >>> round(estimate.solutions), round(estimate.nodes)
    (146, 45765882)
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self.puzzle = puzzle
        self._inner_joins = inner_joins(puzzle)
        self._frame_joins = puzzle.max_score - self._inner_joins
        squares = Counter(puzzle.board.square_class(square) for square in range(len(puzzle.board)))
        self._lots = _Lots(puzzle, frozenset(squares))

    @cached_property
    def frame(self) -> "Chances":
        """The chances of frame joins."""
        lots, mate = self._lots, self.puzzle.mate
        if min(self.puzzle.rows, self.puzzle.columns) == 1:
            return _one_lot(lots.strip, self.puzzle, self._frame_joins)
        ways = [_two_hands(number, lots.backward[mate(color)]) for color, number in lots.forward.items()]
        forward, backward = lots.forward.total(), lots.backward.total()
        return Chances(ways, self._frame_joins, lambda joins: (forward - joins) * (backward - joins))

    @cached_property
    def inner(self) -> "Chances":
        """The chances of inner joins."""
        return _one_lot(self._lots.inner, self.puzzle, self._inner_joins)

    def estimate(
        self,
        order: str | Iterable[int] | None = None,
        slips: str | Iterable[int] | None = None,
        *,
        symmetry: bool = False,
    ) -> Estimate:
        """The expected number of nodes at each depth of a search.

        Parameters
        ----------
        order
            Name of a search order, file with one, or squares; the default order if left out.
        slips
            Slip array, as text or depths.
        symmetry
            Whether the search breaks symmetries: looks at identical pieces as one type, turns symmetric ones no
            further than they change, and lets a unique piece lie on one square out of those that turning the board
            exchanges.  If not, every numbered piece in every rotation counts, as in the literature.

        Raises
        ------
        OrderError, SlipError
            If the order or the slip array is none for this puzzle.
        """
        name, squares = find_order(self.puzzle, order)
        array = checked_slips(self.puzzle, slips)
        boards = self._searched_configurations(squares, array) if symmetry else self._plain_configurations(squares)
        known = Joins(self.puzzle, squares, array)
        frame, inner = self.frame, self.inner.with_invalid(len(array))
        fixed = len(self.puzzle.fixed)
        possible = known.permitted_fixed == fixed
        # The chance of the joins between fixed pieces, which all others are given; that of contradictory ones may be 0.
        given = frame.numerators[known.frame[fixed]] * inner[known.fixed_invalid][known.inner[fixed]] if possible else 1
        numerators = [given if depth <= known.permitted_fixed else 0 for depth in range(1, fixed + 1)]
        for depth in range(fixed + 1, len(squares) + 1):
            ways = known.arrangements[depth - fixed]
            chance = sum(way * inner[i][known.inner[depth]] for i, way in ways.items())
            numerators.append(boards[depth - 1] * frame.numerators[known.frame[depth]] * chance if possible else 0)
        return Estimate(name, squares, array, tuple(numerators), given)

    def simple_solutions(self) -> Fraction:
        """The simple estimate of the number of solutions: every join matches with the chance 1 / number of colours.

        Frame and inner colours count apart; for jigsaws the signed connectors count.
        """
        boards = Fraction(self._plain_configurations(find_order(self.puzzle, "rowscan")[1])[-1])
        lots = self._lots
        frame = len(lots.strip) or len(lots.forward | lots.backward)
        return boards / (max(frame, 1) ** self._frame_joins * max(len(lots.inner), 1) ** self._inner_joins)

    def _plain_configurations(self, order: Order) -> list[int]:
        return _configurations(self.puzzle, order, single_pieces(self.puzzle))

    def _searched_configurations(self, order: Order, slips: Slips) -> list[int]:
        found = symmetries(self.puzzle, turnable=restrict_nothing(self.puzzle, slips, order))
        anchors = find_anchors(self.puzzle, found, order)
        if not anchors:
            return _configurations(self.puzzle, order, found.types)
        trees = [
            _configurations(self.puzzle, order, found.types, anchors[0], i) for i in range(len(anchors[0].squares))
        ]
        return [sum(numbers) for numbers in zip(*trees, strict=True)]


class _Lots:
    """The sides that the model redistributes: how many of each colour, by what they can meet.

    `inner` ones meet inner ones, `forward` ones (next to a border that is their counter-clockwise neighbour) meet
    `backward` ones, and `strip` ones, between two borders, meet each other.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, classes: frozenset[str]) -> None:
        self.inner: Counter[int] = Counter()
        self.forward: Counter[int] = Counter()
        self.backward: Counter[int] = Counter()
        self.strip: Counter[int] = Counter()
        by_borders = {
            (False, False): self.inner,
            (True, False): self.forward,
            (False, True): self.backward,
            (True, True): self.strip,
        }
        for sides, piece_class in zip(puzzle.pieces, puzzle.piece_classes, strict=True):
            if piece_class in classes:
                for side, color in enumerate(sides):
                    if color != BORDER:
                        before, after = sides[side - 1] == BORDER, sides[(side + 1) % 4] == BORDER
                        by_borders[before, after][color] += 1


class Chances:
    """The chance that the first m of some joins are valid, for m = 0, 1, ..., `most`, over one denominator.

    Parameters
    ----------
    ways
        For each colour the number of ways to make j joins of it, divided by j!: whole numbers.
    most
        The number of joins.
    pairs
        The number of ways to choose the sides of a further join, of whatever colours, when there are m already.
    """

    def __init__(self, ways: list[list[int]], most: int, pairs: Callable[[int], int]) -> None:
        self._most = most
        # V(i, m) / m! is a polynomial's coefficient, and that polynomial the product of one for each colour.
        valid = _product(ways, most)
        possible = next((joins for joins in range(most) if pairs(joins) <= 0), most)
        # Ways to make the joins that are missing up to all possible ones, of whatever colours.
        rest = [*accumulate(map(pairs, reversed(range(possible))), mul, initial=1)]
        self.denominator = rest[-1]
        numerators = [factorial(joins) * valid[joins] * rest[possible - joins] for joins in range(possible + 1)]
        self.numerators = numerators + [0] * (most - possible)
        self._with_invalid = [self.numerators]

    def with_invalid(self, invalid: int) -> list[list[int]]:
        """Row i has the numerators of the chance that the first m - i joins are valid and the last i are not."""
        rows = self._with_invalid
        while len(rows) <= invalid:
            above = rows[-1]
            rows.append([0] + [above[joins - 1] - above[joins] for joins in range(1, self._most + 1)])
        return rows


def _product(polynomials: Iterable[list[int]], most: int) -> list[int]:
    """The product of polynomials that begin with 1 (coefficients in ascending order), up to the power `most`.

    Many are alike where colours are distributed evenly.  With P the product of the different ones, p, and k their
    numbers, f'/f is the sum of k p'/p, so that P f' = Q f gives the coefficients of f one after the other.
    """
    numbers = Counter(map(tuple, polynomials))
    whole, derived = [1], [0]
    for factor, number in numbers.items():
        slope = [number * power * coefficient for power, coefficient in enumerate(factor)][1:]
        derived = _sum(_times(derived, factor), _times(slope, whole))
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


def _sum(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """The sum of two polynomials."""
    return [a + b for a, b in zip_longest(first, second, fillvalue=0)]


def _two_hands(forward: int, backward: int) -> list[int]:
    """P(n, j) P(n', j) / j! for j = 0, 1, ...: the ways to join j of n sides on one hand with j of n' on the other."""
    return [comb(forward, j) * perm(backward, j) for j in range(min(forward, backward) + 1)]


def _one_lot(sides: Counter[int], puzzle: EdgeMatchingPuzzle, most: int) -> Chances:
    """The chances of joins between any two sides of a lot."""
    ways = []
    for color, number in sides.items():
        mate = puzzle.mate(color)
        if mate == color:
            # P(n, 2j) / j!
            ways.append([comb(number, 2 * j) * perm(2 * j, j) for j in range(number // 2 + 1)])
        elif color > 0:
            ways.append([2**j * joins for j, joins in enumerate(_two_hands(number, sides[mate]))])
    total = sides.total()
    return Chances(ways, most, lambda joins: (total - 2 * joins) * (total - 2 * joins - 1))


class Joins:
    """The joins that a search along an order makes, and where a slip array lets them be invalid.

    Attributes
    ----------
    frame, inner
        How many frame and inner joins there are with 0, 1, 2, ... pieces on the board.
    permitted_fixed, fixed_invalid
        How many of the fixed pieces may follow each other, and the number of invalid joins between them.
    arrangements
        W(p, i) for p from the number of fixed pieces on: ``arrangements[p - fixed][i]`` tells in how many ways i
        joins can be the invalid ones with p pieces on the board, so that the slip array is kept at every depth.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, order: Order, slips: Slips) -> None:
        self.frame, self.inner = [0], [0]
        placed: set[int] = set()
        for square in order:
            kinds = [puzzle.board.is_frame_join(j) for j in puzzle.board.joins_of(square) if j.second in placed]
            self.frame.append(self.frame[-1] + sum(kinds))
            self.inner.append(self.inner[-1] + len(kinds) - sum(kinds))
            placed.add(square)
        fixed = len(puzzle.fixed)
        self.permitted_fixed, self.fixed_invalid = permitted_prefix(puzzle, order[:fixed], slips)
        self.arrangements: list[dict[int, int]] = [{self.fixed_invalid: 1}]
        for depth in range(fixed + 1, len(order) + 1):
            new = self.inner[depth] - self.inner[depth - 1]
            self.arrangements.append(more_invalid(self.arrangements[-1], new, allowed(slips, depth)))


def more_invalid(ways: Mapping[int, int], new: int, most: int) -> dict[int, int]:
    """The ways to have 0, 1, ... up to `most` invalid joins after some new ones."""
    after: dict[int, int] = {}
    for before, number in ways.items():
        for more in range(min(new, most - before) + 1):
            after[before + more] = after.get(before + more, 0) + number * comb(new, more)
    return after


def _configurations(
    puzzle: EdgeMatchingPuzzle, order: Order, kinds: Iterable[PieceType], anchor: Anchor | None = None, choice: int = 0
) -> list[int]:
    """In how many ways pieces of these types lie on the first 1, 2, ... squares of an order; fixed ones in one way.

    With an anchor, its piece lies on its square number `choice` and nowhere else.
    """
    anchor_square, turns = (None, ()) if anchor is None else anchor.squares[choice]
    fixed = {fixed.square for fixed in puzzle.fixed}
    classes = [puzzle.board.square_class(square) for square in order]
    free = Counter(
        name for name, square in zip(classes, order, strict=True) if square not in fixed and square != anchor_square
    )
    fillings = class_fillings((kind for kind in kinds if anchor is None or kind != anchor.piece_type), free)
    placed: Counter[str] = Counter()
    boards = []
    on_anchor = 1
    for square, name in zip(order, classes, strict=True):
        if square == anchor_square:
            on_anchor = len(turns)
        elif square not in fixed:
            placed[name] += 1
        ways = on_anchor
        for kind, number in placed.items():
            ways *= fillings[kind][number]
        boards.append(ways)
    return boards


def class_fillings(kinds: Iterable[PieceType], squares: Mapping[str, int]) -> dict[str, list[int]]:
    """For each class, in how many ways 0, 1, ... of so many squares can be filled with pieces of these types."""
    kinds = tuple(kinds)
    return {
        name: _fillings([kind for kind in kinds if kind.piece_class == name], name, most)
        for name, most in squares.items()
    }


def _fillings(kinds: Sequence[PieceType], name: str, most: int) -> list[int]:
    """In how many ways 0, 1, ..., `most` squares of a class can be filled with pieces of these types.

    For a type of n pieces that show o different turns there are o^k ways for k <= n; single pieces are taken together.
    """
    lots = Counter((ROTATIONS[name] // kind.order, len(kind.pieces)) for kind in kinds)
    singles = {looks: number for (looks, pieces), number in lots.items() if pieces == 1}
    several = [(looks, pieces) for (looks, pieces), number in lots.items() for _ in range(number) if pieces > 1]
    parts = [[perm(number, k) * looks**k for k in range(min(number, most) + 1)] for looks, number in singles.items()]
    parts += [[looks**k for k in range(min(pieces, most) + 1)] for looks, pieces in several]
    # The longest first, because the others are run through for each of its entries.
    first, *others = sorted(parts, key=len, reverse=True) or [[1]]
    ways = first + [0] * (most + 1 - len(first))
    for part in others:
        ways = mixed(ways, part)
    return ways


def mixed(ways: list[int], more: list[int]) -> list[int]:
    """The ways to fill k squares when j of them, any, are filled in the one way and the others in the other."""
    return [sum(ways[k - j] * more[j] * comb(k, j) for j in range(min(k, len(more) - 1) + 1)) for k in range(len(ways))]
