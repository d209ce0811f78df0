"""The expected number of nodes of a search: Owen's model, exact.

A partial board is a *configuration* (the position and rotation of each piece) whose joins match.  The configurations
are counted.  The probability that the joins of one of them match is that of a random redistribution of the colours: the
colours of all inner sides are permuted at random among the inner sides, and so are those of the frame's sides, where
the sides clockwise from the border and those counter-clockwise from it are permuted separately (a frame join has one of
each).  The product of both is the *expected number* of partial boards, an exact rational, for any set of squares: the
model's prediction for the number of nodes at a depth.  (Brendan Owen, 2008 and 2009; the formulas are those of the
theory of edge-matching search.)

The model covers more than framed puzzles with an even number of sides of each colour:

- *Colours with an odd number of sides*, and frame colours with unequal numbers on both hands, are counted as they are:
  the formulas hold with the falling factorials of the true numbers.
- *A colour that occurs on the frame and inside* counts as two colours, because its sides cannot meet.
- *Spare pieces* take part with all their sides, except those of classes without a square on the board.
- *Boards with two rows or columns* are framed boards.  *With one* there is no clockwise hand: all sides are in one lot.
- *Connectors* (jigsaws) mate with their opposites: j joins of connector k against -k can be made in
  2^j P(n_k, j) P(n_-k, j) / j! ways instead of P(2n, 2j) / j!.
- *A rim of one colour*: if all edge pieces have the same colour towards the inside, the inner pieces beside them use up
  that colour.  The sides of edge pieces and of inner pieces are then separate lots, see `RimChances`.
- *Fixed pieces* come first, are one node each, and keep their sides in the lots.  Joins between two of them are given:
  the probability is that of the other joins, conditional on these.  If the fixed pieces contradict each other, no node
  follows them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate, zip_longest
from math import comb, exp, factorial, lgamma, log, perm
from operator import mul

from ...csp.puzzles.board import BORDER, Board, Join, opposite
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order, find_order
from ...csp.puzzles.slips import (
    Slips,
    allowed,
    checked_frame_slips,
    checked_slips,
    inner_joins,
    permitted_prefix,
    restrict_nothing,
)
from ...csp.puzzles.symmetry import Anchor, PieceType, find_anchors, region_symmetries, single_pieces, symmetries

# The number of rotations in which a piece of a class fits on a square of that class.
ROTATIONS = {"inner": 4, "edge": 1, "corner": 1, "strip": 2, "end": 1, "single": 4}


@dataclass(frozen=True)
class Estimate:
    """Expected numbers of nodes, exact: integers over one common denominator."""

    #: The search order, fixed squares first.
    order_name: str
    order: Order
    #: The slip array.
    slips: Slips
    #: At depth d (1-based) ``numerators[d - 1] / denominator`` nodes are expected.
    numerators: tuple[int, ...]
    denominator: int
    #: The slip array of the joins along the frame.
    frame_slips: Slips = ()

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
    def nodes_for_each(self) -> Fraction | None:
        """The expected nodes for each expected solution; None if no solution is expected."""
        return Fraction(sum(self.numerators), self.numerators[-1]) if self.numerators[-1] else None

    @property
    def peak(self) -> tuple[int, Fraction]:
        """The first depth with the most nodes, and their number."""
        most = max(self.numerators)
        return self.numerators.index(most) + 1, Fraction(most, self.denominator)


class Complexity:
    """Owen's model of a puzzle.

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
        # On boards with one or two rows or columns no edge piece faces an inner one.
        self._rim_joins = squares["edge"] if squares["inner"] else 0

    @cached_property
    def frame(self) -> "Chances":
        """The probabilities of frame joins."""
        lots, mate = self._lots, self.puzzle.mate
        if min(self.puzzle.rows, self.puzzle.columns) == 1:
            return _one_lot(lots.strip, self.puzzle, self._frame_joins)
        ways = [_two_hands(number, lots.backward[mate(color)]) for color, number in lots.forward.items()]
        forward, backward = lots.forward.total(), lots.backward.total()
        return Chances(ways, self._frame_joins, lambda joins: (forward - joins) * (backward - joins))

    @cached_property
    def inner(self) -> "Chances":
        """The probabilities of inner joins."""
        return _one_lot(self._lots.inner, self.puzzle, self._inner_joins)

    @cached_property
    def rim(self) -> "RimChances | None":
        """The probabilities of inner joins if the rim has one colour and the inner pieces several; None otherwise."""
        lots = self._lots
        inside = lots.inner - lots.rim
        if not self._rim_joins or len(lots.rim) != 1 or len(inside) < 2:
            return None
        most = self._rim_joins, self._inner_joins - self._rim_joins
        return RimChances(self.puzzle.mate(*lots.rim), inside, self.puzzle, most)

    def inner_chance(self, rim: int, between: int) -> float:
        """The probability that inner joins are valid: some with edge pieces, and some between inner pieces."""
        if self.rim:
            return self.rim.numerator((0, 0), (rim, between)) / self.rim.denominator
        return self.inner.numerators[rim + between] / self.inner.denominator

    def estimate(
        self,
        order: str | Iterable[int] | None = None,
        slips: str | Iterable[int] | None = None,
        *,
        frame_slips: str | Iterable[int] | None = None,
        symmetry: bool = False,
        whole: bool = True,
    ) -> Estimate:
        """The expected number of nodes at each depth of a search.

        - `symmetry`: whether the search breaks symmetries: it treats identical pieces as one type, tries only distinct
          rotations of symmetric pieces, and restricts a unique piece to one square of each orbit under rotations of the
          board.  If not, every numbered piece in every rotation counts, as in the literature.
        - `whole`: whether the whole board is filled; a search that fills some squares does not use turns of the board.

        Raises OrderError or SlipError if the order or a slip array is invalid for this puzzle.
        """
        name, squares = find_order(self.puzzle, order)
        arrays = checked_slips(self.puzzle, slips), checked_frame_slips(self.puzzle, frame_slips)
        if not symmetry:
            boards = self._plain_configurations(squares)
        elif whole:
            boards = self._searched_configurations(squares, *arrays)
        else:
            boards = _configurations(self.puzzle, squares, region_symmetries(self.puzzle).types)
        known = Joins(self.puzzle, squares, *arrays, rim_apart=self.rim is not None)
        frame, inside = self.frame.with_invalid(len(arrays[1])), self._inside(known, len(arrays[0]))
        fixed = len(self.puzzle.fixed)
        possible = known.permitted_fixed == fixed
        # The probability of the joins between fixed pieces, the condition of all others; 0 if they contradict.
        before = known.fixed_invalid
        given = frame[before.frame][known.frame[fixed]] * inside(known.before, fixed) if possible else 1
        numerators = [given if depth <= known.permitted_fixed else 0 for depth in range(1, fixed + 1)]
        for depth in range(fixed + 1, len(squares) + 1):
            within = sum(way * inside(i, depth) for i, way in known.arrangements[depth - fixed].items())
            along = known.frame_arrangements[depth - fixed]
            around = sum(way * frame[i][known.frame[depth]] for i, way in along.items())
            numerators.append(boards[depth - 1] * around * within if possible else 0)
        return Estimate(name, squares, arrays[0], tuple(numerators), given, arrays[1])

    def _inside(self, known: "Joins", most: int) -> Callable[[tuple[int, int], int], int]:
        """The numerator of the probability of the inner joins at a depth, of which given numbers are invalid."""
        if rim := self.rim:
            return lambda invalid, depth: rim.numerator(
                invalid, (known.rim[depth], known.inner[depth] - known.rim[depth])
            )
        rows = self.inner.with_invalid(most)
        return lambda invalid, depth: rows[invalid[1]][known.inner[depth]]

    def simple_solutions(self) -> Fraction:
        """The simple estimate of the number of solutions: each join matches with probability 1 / number of colours.

        Frame colours and inner colours are counted separately; for jigsaws, signed connectors are counted.
        """
        boards = Fraction(self._plain_configurations(find_order(self.puzzle, "rowscan")[1])[-1])
        lots = self._lots
        frame = len(lots.strip) or len(lots.forward | lots.backward)
        return boards / (max(frame, 1) ** self._frame_joins * max(len(lots.inner), 1) ** self._inner_joins)

    def _plain_configurations(self, order: Order) -> list[int]:
        return _configurations(self.puzzle, order, single_pieces(self.puzzle))

    def _searched_configurations(self, order: Order, slips: Slips, frame_slips: Slips) -> list[int]:
        found = symmetries(self.puzzle, turnable=restrict_nothing(self.puzzle, slips, order, frame_slips))
        anchors = find_anchors(self.puzzle, found, order)
        if not anchors:
            return _configurations(self.puzzle, order, found.types)
        trees = [
            _configurations(self.puzzle, order, found.types, anchors[0], i) for i in range(len(anchors[0].squares))
        ]
        return [sum(numbers) for numbers in zip(*trees, strict=True)]


class _Lots:
    """The sides that the model redistributes: the number of each colour, by what they can meet.

    `inner` sides meet inner sides, `forward` sides (next to a border that is their counter-clockwise neighbour) meet
    `backward` sides, and `strip` sides, between two borders, meet each other.  `rim` sides are those of edge pieces
    among the inner sides.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, classes: frozenset[str]) -> None:
        self.inner: Counter[int] = Counter()
        self.forward: Counter[int] = Counter()
        self.backward: Counter[int] = Counter()
        self.strip: Counter[int] = Counter()
        self.rim: Counter[int] = Counter()
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
                        self.rim[color] += piece_class == "edge" and not before and not after
        self.rim = +self.rim


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


class RimChances:
    """The probability that inner joins are valid if all edge pieces have the same colour towards the inside.

    Let T sides of inner pieces be dealt, n of which fit onto the rim.  Then a joins of the rim are valid with
    probability P(n, a) / P(T, a), and the joins between inner pieces with that of a lot without a of the n sides.

    - `fitting`: the colour that fits onto the rim.
    - `inside`: the number of sides of each colour on inner pieces.
    - `most`: the numbers of joins of the rim and between inner pieces.
    """

    def __init__(self, fitting: int, inside: Counter[int], puzzle: EdgeMatchingPuzzle, most: tuple[int, int]) -> None:
        near = Counter({color: inside[color] for color in (fitting, puzzle.mate(fitting))})
        others = _product(_ways(inside - near, puzzle), most[1])
        self._valid: list[list[int]] = []
        for joins in range(min(most[0], inside[fitting]) + 1):
            left = near - Counter({fitting: joins})
            valid = _times(others, _product(_ways(left, puzzle), most[1]))
            self._valid.append([perm(inside[fitting], joins) * number for number in valid[: most[1] + 1]])
        self._joins, self._sides, self._used = most, inside.total(), min(most[0] + 2 * most[1], inside.total())
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
        if between:
            return self.numerator((0, between - 1), (rim, inner - 1)) - self.numerator((0, between - 1), joins)
        used = rim + 2 * inner
        if rim >= len(self._valid) or used > self._used:
            return 0
        return self._valid[rim][inner] * factorial(inner) * perm(self._sides - used, self._used - used)

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


def _product(polynomials: Iterable[list[int]], most: int) -> list[int]:
    """The product of polynomials that begin with 1 (coefficients in ascending order), up to the power `most`.

    Many are equal if colours are distributed evenly.  Let P be the product of the distinct polynomials p, and k their
    multiplicities.  Then f'/f is the sum of k p'/p, and P f' = Q f gives the coefficients of f one after the other.
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


def _ways(sides: Counter[int], puzzle: EdgeMatchingPuzzle) -> list[list[int]]:
    """For each colour of a lot, the number of ways to make j = 0, 1, ... joins of it, divided by j!."""
    ways = []
    for color, number in sides.items():
        mate = puzzle.mate(color)
        if mate == color:
            # P(n, 2j) / j!
            ways.append([comb(number, 2 * j) * perm(2 * j, j) for j in range(number // 2 + 1)])
        elif color > 0:
            ways.append([2**j * joins for j, joins in enumerate(_two_hands(number, sides[mate]))])
    return ways


def _one_lot(sides: Counter[int], puzzle: EdgeMatchingPuzzle, most: int) -> Chances:
    """The probabilities of joins between any two sides of a lot."""
    total = sides.total()
    return Chances(_ways(sides, puzzle), most, lambda joins: (total - 2 * joins) * (total - 2 * joins - 1))


class Joins:
    """The joins that a search along an order makes, and the depths at which slip arrays allow them to be invalid.

    Attributes:
    - `frame`, `inner`, `rim`: the numbers of frame joins, of inner joins and of those inner joins that count apart,
      with 0, 1, 2, ... pieces on the board.  With `rim_apart`, joins between edge pieces and inner pieces count apart;
      otherwise none do.
    - `permitted_fixed`, `fixed_invalid`, `before`: the number of fixed pieces that may follow each other, and the
      invalid joins between them; `before` has their inner joins: those that count apart, and the others.
    - `arrangements`: W(p, i) from p = `fixed`, the number of fixed pieces, on: ``arrangements[p - fixed][i]`` is the
      number of ways to choose i = (apart, others) invalid inner joins with p pieces on the board such that every depth
      satisfies the slip array.
    - `frame_arrangements`: the same for joins along the frame and their slip array, by their number.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        order: Order,
        slips: Slips,
        frame_slips: Slips = (),
        *,
        rim_apart: bool = False,
    ) -> None:
        self.frame, self.inner, self.rim = [0], [0], [0]
        board = puzzle.board
        placed: set[int] = set()
        for square in order:
            joins = [join for join in board.joins_of(square) if join.second in placed]
            along = sum(map(board.is_frame_join, joins))
            apart = sum(rim_apart and _joins_rim(board, join) for join in joins)
            for numbers, new in ((self.frame, along), (self.inner, len(joins) - along), (self.rim, apart)):
                numbers.append(numbers[-1] + new)
            placed.add(square)
        fixed = len(puzzle.fixed)
        self.permitted_fixed, self.fixed_invalid = permitted_prefix(puzzle, order[:fixed], slips, frame_slips)
        apart = _invalid_on_rim(puzzle) if rim_apart and self.permitted_fixed == fixed else 0
        self.before = apart, self.fixed_invalid.inner - apart
        others = [all_joins - on_rim for all_joins, on_rim in zip(self.inner, self.rim, strict=True)]
        self.arrangements = _arrangements(self.rim, others, self.before, fixed, slips)
        none = [0] * len(self.frame)
        along_frame = _arrangements(none, self.frame, (0, self.fixed_invalid.frame), fixed, frame_slips)
        self.frame_arrangements = [{i: way for (_, i), way in ways.items()} for ways in along_frame]


def _joins_rim(board: Board, join: Join) -> bool:
    """Whether a join is between an edge square and an inner square."""
    return {board.square_class(square) for square in (join.first, join.second)} == {"edge", "inner"}


def _invalid_on_rim(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of invalid joins between fixed edge pieces and fixed inner pieces."""
    shown = [None if placed is None else puzzle.shown(placed) for placed in puzzle.fixed_board]
    invalid = 0
    for join in puzzle.board.joins():
        here, there = shown[join.first], shown[join.second]
        if here and there and _joins_rim(puzzle.board, join):
            invalid += here[join.side] != puzzle.mate(there[opposite(join.side)])
    return invalid


def _arrangements(
    apart: Sequence[int], others: Sequence[int], before: tuple[int, int], fixed: int, slips: Slips
) -> list[dict[tuple[int, int], int]]:
    """`Joins.arrangements`, from the number of joins at each depth and the invalid ones between fixed pieces."""
    found = [{before: 1}]
    for depth in range(fixed + 1, len(others)):
        most, after = allowed(slips, depth), Counter[tuple[int, int]]()
        for (on_rim, between), number in found[-1].items():
            for i, more in more_invalid({on_rim: number}, apart[depth] - apart[depth - 1], most - between).items():
                for j, ways in more_invalid({between: more}, others[depth] - others[depth - 1], most - i).items():
                    after[i, j] += ways
        found.append(after)
    return found


def more_invalid(ways: Mapping[int, int], new: int, most: int) -> dict[int, int]:
    """The numbers of ways to have 0, 1, ..., `most` invalid joins after `new` more joins."""
    after: dict[int, int] = {}
    for before, number in ways.items():
        for more in range(min(new, most - before) + 1):
            after[before + more] = after.get(before + more, 0) + number * comb(new, more)
    return after


def _configurations(
    puzzle: EdgeMatchingPuzzle, order: Order, kinds: Iterable[PieceType], anchor: Anchor | None = None, choice: int = 0
) -> list[int]:
    """The number of ways to place pieces of these types on the first 1, 2, ... squares of an order.

    Fixed pieces count as one way.  With an anchor, its piece lies only on its square number `choice`.
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
    """For each class, the numbers of ways to fill 0, 1, ... of its squares with pieces of these types."""
    kinds = tuple(kinds)
    return {
        name: _fillings([kind for kind in kinds if kind.piece_class == name], name, most)
        for name, most in squares.items()
    }


def _fillings(kinds: Sequence[PieceType], name: str, most: int) -> list[int]:
    """The numbers of ways to fill 0, 1, ..., `most` squares of a class with pieces of these types.

    A type of n pieces with o distinct rotations has o^k ways for k <= n; single pieces are combined.
    """
    lots = Counter((ROTATIONS[name] // kind.order, len(kind.pieces)) for kind in kinds)
    singles = {looks: number for (looks, pieces), number in lots.items() if pieces == 1}
    several = [(looks, pieces) for (looks, pieces), number in lots.items() for _ in range(number) if pieces > 1]
    parts = [[perm(number, k) * looks**k for k in range(min(number, most) + 1)] for looks, number in singles.items()]
    parts += [[looks**k for k in range(min(pieces, most) + 1)] for looks, pieces in several]
    # The longest list first, because the others are traversed for each of its entries.
    first, *others = sorted(parts, key=len, reverse=True) or [[1]]
    ways = first + [0] * (most + 1 - len(first))
    for part in others:
        ways = mixed(ways, part)
    return ways


def mixed(ways: list[int], more: list[int]) -> list[int]:
    """The numbers of ways to fill k squares if any j of them are filled by `more` and the others by `ways`."""
    return [sum(ways[k - j] * more[j] * comb(k, j) for j in range(min(k, len(more) - 1) + 1)) for k in range(len(ways))]


def hardest_inner_colors(rows: int, columns: int) -> float:
    """Owen's number of inner colours for the hardest puzzles: (P! 4^P)^(1 / 2P) for P inner pieces.

    With fewer colours there are many solutions; with more colours the search is short.  Returns 0 without inner pieces.

    Examples
    --------
    >>> round(hardest_inner_colors(16, 16), 2), round(hardest_inner_colors(8, 8), 2)
    (17.14, 7.56)
    """
    pieces = max(rows - 2, 0) * max(columns - 2, 0)
    return exp((lgamma(pieces + 1) + pieces * log(4)) / (2 * pieces)) if pieces else 0.0
