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
from functools import cached_property, lru_cache, reduce
from math import comb, exp, expm1, inf, isfinite, lgamma, log, log10, perm, prod
from typing import NamedTuple

from ...csp.base.errors import OrderError, PuzzleError
from ...csp.base.notebook import Brief, short
from ...csp.base.words import log10_fraction, log_sum
from ...csp.puzzles.board import BORDER, Join, border_mask_of, opposite
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
from ...csp.puzzles.symmetry import PieceType, find_anchors, region_symmetries, single_pieces, symmetries
from .chances import Chances, OuterChances, RimChances, join_chances
from .lots import Lots, fits

#: The estimates that a model keeps: one task after the other asks for the same ones.
_MOST_KEPT = 24


@dataclass(frozen=True, repr=False)
class Estimate(Brief):
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
    #: The probability that the joins at depth d are as the slips allow: ``chances[d - 1] / denominator``.
    chances: tuple[int, ...] = ()
    #: The number of fixed pieces, and of boards that a search finds for each solution up to turns of the board.
    fixed: int = 0
    turns: int = 1

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
    def sure_boards(self) -> float:
        """How many boards a puzzle with a solution has beyond those that are expected of any puzzle.

        Without chance there is one, up to turns of the board.  If S are expected, and their number is Poisson
        distributed, there are S / (e^S - 1) more in puzzles that have one.
        """
        expected = float(min(self.solutions / self.turns, 500))
        return self.turns * (expected / expm1(expected) if expected > 1e-9 else 1.0)

    @cached_property
    def nodes_with_solution(self) -> tuple[float, ...]:
        """The decimal logarithms of the expected nodes by depth if the puzzle is known to have a solution.

        Puzzles are made with a solution, however few boards the model expects.  The search follows this solution to
        the full depth and leaves it at every depth: the next squares are filled as those of any other partial board.
        A partial board has r(d) = E(d) / E(d - 1) children.  Of those of the solution, one is there for sure instead of
        with the probability q(d) that its new joins are valid: N(d) = r(d) N(d - 1) + 1 - q(d).  If solutions are
        expected anyway, less is added, see `sure_boards`.
        """
        # Without reducing the fractions, which would take most of the time.
        over = log10(self.denominator)
        logs = [log10(numerator) - over if numerator else -inf for numerator in self.numerators]
        found, chance_before, sure = logs[: self.fixed], self.denominator, self.sure_boards
        before = now = 0.0
        for boards, chance in zip(logs[self.fixed :], self.chances[self.fixed :], strict=True):
            if isfinite(boards):
                beside = sure * (1 - min(chance / chance_before, 1.0))
                now = now + boards - before if isfinite(before) else boards
                now = log_sum(now, log10(beside)) if beside else now
            else:
                now = boards
            found.append(now)
            before, chance_before = boards, chance or 1
        return tuple(found)

    @cached_property
    def log_nodes_with_solution(self) -> float:
        """The decimal logarithm of the nodes at all depths if the puzzle is known to have a solution."""
        return reduce(log_sum, filter(isfinite, self.nodes_with_solution), 0.0)

    @property
    def mean_depth(self) -> float:
        """The mean depth of a node."""
        return float(
            Fraction(sum(depth * one for depth, one in enumerate(self.numerators, 1)), sum(self.numerators) or 1)
        )

    @property
    def log_beside(self) -> float:
        """How many powers of ten more nodes there are if there is a solution, apart from those of the solution itself.

        These nodes are rare: in most puzzles there are fewer than expected, and in some many times more.
        """
        return max(self.log_nodes_with_solution - log10_fraction(self.nodes + len(self.order)), 0.0)

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
        self._lots = Lots(puzzle)
        self._used = _UsedSides(puzzle, self._lots)
        self._estimates: dict[tuple[object, ...], Estimate] = {}

    def __repr__(self) -> str:
        return short(f"Complexity {self.puzzle.name}")

    @cached_property
    def _chances(self) -> tuple[Chances | OuterChances | RimChances, ...]:
        """The probabilities of the joins of each group."""
        rim, outer = self.rim, self._used.outer_of(range(len(self.puzzle.board)))
        found: list[Chances | OuterChances | RimChances] = []
        for number, group in enumerate(self._lots.groups):
            most = sum(group.joins)
            if rim and group.joins[0]:
                found.append(rim)
            elif any(outer[number]):
                found.append(OuterChances(self._used.color, group.hands, self.puzzle, (outer[number], most)))
            else:
                found.append(join_chances(group.hands, self.puzzle, most))
        return tuple(found)

    @cached_property
    def frame(self) -> Chances:
        """The probabilities of the frame joins of a framed rectangle."""
        return self._only(1)

    @cached_property
    def inner(self) -> Chances:
        """The probabilities of the inner joins of a framed rectangle."""
        return self._only(0)

    def _only(self, along_frame: int) -> Chances:
        for group in self._lots.groups:
            if group.joins[along_frame]:
                return join_chances(group.hands, self.puzzle, group.joins[along_frame])
        return Chances([], 0, lambda joins: 0)

    @cached_property
    def rim(self) -> RimChances | None:
        """The probabilities of inner joins if the rim has one colour and the inner pieces several; None otherwise."""
        puzzle = self.puzzle
        squares = puzzle.class_sizes()
        # On boards with one or two rows or columns no edge piece faces an inner one.
        if not puzzle.is_classic or not all(name in squares and squares[name][1] for name in ("edge", "inner")):
            return None
        named = [*zip(puzzle.pieces, puzzle.piece_classes, strict=True)]
        on_rim = Counter(sides[sides.index(BORDER) - 2] for sides, name in named if name == "edge")
        inside = Counter(side for sides, name in named if name == "inner" for side in sides)
        if len(on_rim) != 1 or len(inside) < 2:
            return None
        joins = squares["edge"][1]
        return RimChances(puzzle.mate(*on_rim), inside, puzzle, (joins, inner_joins(puzzle) - joins))

    @cached_property
    def kinds(self) -> "Kinds":
        """The kinds of joins that count apart."""
        return Kinds(self.puzzle, self._lots, rim_apart=self.rim is not None)

    def two_kinds(self, slips: Slips) -> tuple[Chances, Chances | RimChances, Callable[[Join], bool]]:
        """The probabilities of frame joins and of inner joins, and which joins are frame joins.

        If there is no frame but two kinds of inner joins, and no slips, one kind is taken for the frame's.  Raises
        OrderError if there are more kinds, or sides have to fit a rim.
        """
        groups = self._lots.groups
        made = [number for number, group in enumerate(groups) if sum(group.joins)]
        along = [number for number in made if groups[number].joins[1]]
        if not along and len(made) == 2 and not slips:
            along = made[1:]
        inner = [number for number in made if number not in along]
        found = [*map(self._chances.__getitem__, (*along, *inner))]
        if (
            len(along) > 1
            or len(inner) > 1
            or self._used.restrict
            or any(all(groups[number].joins) for number in made)
            or any(isinstance(each, OuterChances) for each in found)
        ):
            why = "the joins are of too many kinds, or have to fit a rim"
            raise OrderError(f"no best order or slips are found for {self.puzzle.form}: {why}; choose a named order")
        none = Chances([], 0, lambda joins: 0)
        frame, inside = (self._chances[of[0]] if of else none for of in (along, inner))
        assert isinstance(frame, Chances)
        assert not isinstance(inside, OuterChances)
        return frame, inside, lambda join: self._lots.group_of(join) in along

    @property
    def classes(self) -> list[str]:
        """The class of each square."""
        return self._lots.classes

    def class_fillings(self, kinds: Iterable[PieceType], squares: Mapping[str, int]) -> dict[str, list[int]]:
        """As the function, with the classes of this puzzle."""
        return class_fillings(kinds, squares, self._lots.class_of)

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
        asked = name, squares, arrays, symmetry, whole
        if asked not in self._estimates:
            if len(self._estimates) >= _MOST_KEPT:
                self._estimates.clear()
            self._estimates[asked] = self._estimate(*asked)
        return self._estimates[asked]

    def _estimate(
        self, name: str, squares: Order, arrays: tuple[Slips, Slips], symmetry: bool, whole: bool
    ) -> Estimate:
        if not symmetry:
            boards = self._plain_configurations(squares)
        elif whole:
            boards = self._searched_configurations(squares, *arrays)
        else:
            boards = self._configurations(squares, region_symmetries(self.puzzle).types)
        known = Joins(self.puzzle, squares, *arrays, kinds=self.kinds)
        chance = self._chance_along(squares, known)
        fixed = len(self.puzzle.fixed)
        possible = known.permitted_fixed == fixed
        # The probability of the joins between fixed pieces, the condition of all others; 0 if they contradict.
        given = chance(known.before, fixed) if possible else 1
        numerators = [given if depth <= known.permitted_fixed else 0 for depth in range(1, fixed + 1)]
        chances = [given] * fixed
        for depth in range(fixed + 1, len(squares) + 1):
            valid = sum(ways * chance(invalid, depth) for invalid, ways in known.arrangements[depth - fixed].items())
            chances.append(valid)
            numerators.append(boards[depth - 1] * valid if possible else 0)
        turns = 1 if symmetry else symmetries(self.puzzle).board
        found = tuple(numerators), given, arrays[1], tuple(chances), fixed, turns
        return Estimate(name, squares, arrays[0], *found)

    def _chance_along(self, order: Order, known: "Joins") -> Callable[[tuple[int, ...], int], int]:
        """The numerator of the probability of the joins at a depth, of which given numbers are invalid, by kind."""
        chances, members = self._chances, self.kinds.members
        used = self._used.along(order)

        def chance(invalid: tuple[int, ...], depth: int) -> int:
            found, joins = used.nonzero[depth], known.numbers[depth]
            for number, (each, kinds) in enumerate(zip(chances, members, strict=True)):
                wrong, made = tuple(invalid[k] for k in kinds), tuple(joins[k] for k in kinds)
                if isinstance(each, RimChances):
                    found *= each.numerator((wrong[0], wrong[1]), (made[0], made[1]))
                elif isinstance(each, OuterChances):
                    found *= each.rows(used.outer[depth][number], sum(wrong))[sum(made)]
                else:
                    found *= each.with_invalid(sum(wrong))[sum(wrong)][sum(made)]
            return found

        return chance

    @property
    def hardest_colors(self) -> float:
        """The number of colours that makes puzzles hardest; 0 if no rule is known.

        For framed rectangles `hardest_inner_colors`; without a frame the number for which the simple estimate is 1: the
        ways to place the pieces, to the power of 1 / (number of joins and of sides on a coloured rim).
        """
        puzzle = self.puzzle
        if puzzle.is_framed:
            return hardest_inner_colors(puzzle.rows, puzzle.columns) if puzzle.is_classic else 0.0
        squares = range(len(puzzle.board))
        fits = puzzle.max_score + sum(map(sum, self._used.outer_of(squares)))
        ways = self._plain_configurations(find_order(puzzle, "rowscan")[1])[-1]
        return exp(log(ways) / fits) if fits else 0.0

    def simple_solutions(self) -> Fraction:
        """The simple estimate of the number of solutions: each join matches with probability 1 / number of colours.

        Colours are counted separately for each group of joins, such as frame joins; for jigsaws, signed connectors are
        counted.  A coloured rim fits a side with the same probability.
        """
        solutions = Fraction(self._plain_configurations(find_order(self.puzzle, "rowscan")[1])[-1])
        outer = self._used.outer_of(range(len(self.puzzle.board)))
        for group, on_rim in zip(self._lots.groups, outer, strict=True):
            colors = {color for hand in group.hands for color in hand} - {BORDER}
            solutions /= max(len(colors), 1) ** (sum(group.joins) + sum(on_rim))
        return solutions

    def _plain_configurations(self, order: Order) -> list[int]:
        return self._configurations(order, single_pieces(self.puzzle))

    def _searched_configurations(self, order: Order, slips: Slips, frame_slips: Slips) -> list[int]:
        found = symmetries(self.puzzle, turnable=restrict_nothing(self.puzzle, slips, order, frame_slips))
        anchors = find_anchors(self.puzzle, found, order)
        if not anchors:
            return self._configurations(order, found.types)
        kind, trees = anchors[0].piece_type, []
        others = [other for other in found.types if other != kind]
        for square, turns in anchors[0].squares:
            # What the piece shows to the rim is left to chance, so all turns of each orbit count.
            still = sum(move.targets[square] == square for move in found.moves)
            ways = len(turns) if self.puzzle.is_framed else len(kind.turns) // still
            trees.append(self._configurations(order, others, {square: ways}))
        return [sum(numbers) for numbers in zip(*trees, strict=True)]

    def _configurations(
        self, order: Order, kinds: Iterable[PieceType], chosen: Mapping[int, int] | None = None
    ) -> list[int]:
        """The number of ways to place pieces of these types on the first 1, 2, ... squares of an order.

        Fixed pieces count as one way.  Other pieces lie on the `chosen` squares, in the numbers of ways given there.
        """
        known = {**{fixed.square: 1 for fixed in self.puzzle.fixed}, **(chosen or {})}
        classes = self._lots.classes
        free = Counter(classes[square] for square in order if square not in known)
        fillings = self.class_fillings(kinds, free)
        placed: Counter[str] = Counter()
        boards, on_known = [], 1
        for square in order:
            on_known *= known.get(square, 1)
            if square not in known:
                placed[classes[square]] += 1
            boards.append(on_known * prod(fillings[name][number] for name, number in placed.items()))
        return boards


@lru_cache(maxsize=8)
def model_of(puzzle: EdgeMatchingPuzzle) -> Complexity | None:
    """The model of a puzzle, or None if it does not apply."""
    try:
        return Complexity(puzzle)
    except PuzzleError:
        return None


class Kinds:
    """The kinds of joins that the model counts apart: those of each group, inner ones apart from those along the frame.

    - `rim_apart`: whether joins between edge pieces and inner pieces count apart from other inner joins.

    Attributes:
    - `along`: for each kind whether its joins are along the frame.
    - `members`: for each group its kinds, those between edge and inner pieces first.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, lots: Lots, *, rim_apart: bool = False) -> None:
        kind_of = puzzle.board.square_class
        every = {
            join: (
                lots.group_of(join),
                puzzle.is_frame_join(join),
                not (rim_apart and {kind_of(join.first), kind_of(join.second)} == {"edge", "inner"}),
            )
            for join in puzzle.board.joins()
        }
        # Where joins count apart, there are both kinds, even if no join is of the second one.
        kinds = sorted({*every.values(), *((group, along, True) for group, along, _ in every.values())})
        self.along = tuple(along for _, along, _ in kinds)
        self.members = tuple(
            tuple(number for number, kind in enumerate(kinds) if kind[0] == group) for group in range(len(lots.groups))
        )
        self._of: dict[tuple[int, int], int] = {}
        #: For each square the squares beside it, each with the kind of the join.
        self.around: list[list[tuple[int, int]]] = [[] for _ in range(len(puzzle.board))]
        for join, kind in every.items():
            for square, side, second in (
                (join.first, join.side, join.second),
                (join.second, opposite(join.side), join.first),
            ):
                self._of[square, side] = number = kinds.index(kind)
                self.around[square].append((second, number))

    def of(self, join: Join) -> int:
        """The kind of a join."""
        return self._of[join.first, join.side]


class _Used(NamedTuple):
    """By the number of pieces: the outer sides of each lot by group; and the chance that no inner side is a border.

    The latter is a numerator; the denominator is that without pieces.
    """

    outer: list[tuple[tuple[int, ...], ...]]
    nonzero: list[int]


class _UsedSides:
    """The sides of pieces on the board that have to show something by themselves, without a frame.

    With a coloured rim, outer sides have to show its `color`, which is 0 without one.  With any rim, sides that do not
    lie on the border of the board must not be borders, whether a piece lies next to them or not.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, lots: Lots) -> None:
        self._puzzle, self._lots = puzzle, lots
        self.color = puzzle.rim if isinstance(puzzle.rim, int) else BORDER
        #: Whether sides inside must not be borders, although they may be.
        self.restrict = not puzzle.is_framed and any(hand[BORDER] for group in lots.groups for hand in group.hands)

    def outer_of(self, squares: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """For each lot of each group, the sides of these squares that lie on a coloured rim."""
        return self._sides(squares if self.color != BORDER else (), on_border=True)

    def _sides(self, squares: Iterable[int], *, on_border: bool) -> tuple[tuple[int, ...], ...]:
        found = [[0] * len(group.hands) for group in self._lots.groups]
        for square in squares:
            mask = self._puzzle.board.border_mask(square)
            for side in range(4):
                if bool(mask >> side & 1) == on_border:
                    group, hand = self._lots.hand_of(square, side)
                    found[group][hand] += 1
        return tuple(map(tuple, found))

    def along(self, order: Order) -> _Used:
        """What the first 0, 1, 2, ... squares of an order use."""
        depths = range(len(order) + 1)
        if self.color == BORDER:
            outer = [self.outer_of(())] * len(depths)
        else:
            outer = [self.outer_of(order[:depth]) for depth in depths]
        if not self.restrict:
            return _Used(outer, [1] * len(depths))
        most = self._sides(order, on_border=False)
        return _Used(outer, [self._nonzero(self._sides(order[:depth], on_border=False), most) for depth in depths])

    def _nonzero(self, facing: tuple[tuple[int, ...], ...], most: tuple[tuple[int, ...], ...]) -> int:
        """The ways to choose sides that are no borders, and then the missing ones up to the most, of any colours."""
        ways = 1
        for group, used, all_used in zip(self._lots.groups, facing, most, strict=True):
            for hand, number, highest in zip(group.hands, used, all_used, strict=True):
                ways *= perm(hand.total() - hand[BORDER], number) * perm(hand.total() - number, highest - number)
        return ways


class Joins:
    """The joins that a search along an order makes, and the depths at which slip arrays allow them to be invalid.

    Attributes:
    - `numbers`: the number of joins of each kind with 0, 1, 2, ... pieces on the board.
    - `permitted_fixed`, `fixed_invalid`, `before`: the number of fixed pieces that may follow each other, and the
      invalid joins between them; `before` has them by kind.
    - `arrangements`: W(p, i) from p = `fixed`, the number of fixed pieces, on: ``arrangements[p - fixed][i]`` is the
      number of ways to choose i invalid joins, by kind, with p pieces on the board such that every depth satisfies the
      slip arrays.
    """

    def __init__(
        self, puzzle: EdgeMatchingPuzzle, order: Order, slips: Slips, frame_slips: Slips = (), *, kinds: Kinds
    ) -> None:
        along, self._along = kinds.along, kinds.along
        made, placed = [0] * len(along), set[int]()
        self.numbers = [tuple(made)]
        for square in order:
            for second, kind in kinds.around[square]:
                if second in placed:
                    made[kind] += 1
            self.numbers.append(tuple(made))
            placed.add(square)
        fixed = len(puzzle.fixed)
        self.permitted_fixed, self.fixed_invalid = permitted_prefix(puzzle, order[:fixed], slips, frame_slips)
        self.before = _invalid_between_fixed(puzzle, kinds)
        self.arrangements = _arrangements(self.numbers, along, self.before, fixed, (slips, frame_slips))

    @cached_property
    def frame(self) -> list[int]:
        """The number of joins along the frame with 0, 1, 2, ... pieces on the board."""
        return self._sums(on_frame=True)

    @cached_property
    def inner(self) -> list[int]:
        """The number of other joins."""
        return self._sums(on_frame=False)

    def _sums(self, *, on_frame: bool) -> list[int]:
        kinds = [kind for kind, along in enumerate(self._along) if along == on_frame]
        return [sum(made[kind] for kind in kinds) for made in self.numbers]


def _invalid_between_fixed(puzzle: EdgeMatchingPuzzle, kinds: Kinds) -> tuple[int, ...]:
    """The number of invalid joins between fixed pieces, by kind."""
    invalid = [0] * len(kinds.along)
    if puzzle.fixed:
        shown = [None if placed is None else puzzle.shown(placed) for placed in puzzle.fixed_board]
        for join in (join for fixed in puzzle.fixed for join in puzzle.board.joins_of(fixed.square)):
            here, there = shown[join.first], shown[join.second]
            if here and there and join.first < join.second:
                invalid[kinds.of(join)] += here[join.side] != puzzle.mate(there[opposite(join.side)])
    return tuple(invalid)


def _arrangements(
    numbers: Sequence[tuple[int, ...]],
    along: Sequence[bool],
    before: tuple[int, ...],
    fixed: int,
    arrays: tuple[Slips, Slips],
) -> list[dict[tuple[int, ...], int]]:
    """`Joins.arrangements`, from the number of joins at each depth and the invalid ones between fixed pieces."""
    found = [{before: 1}]
    if not any((*before, *arrays)):
        return found * (len(numbers) - fixed)
    for depth in range(fixed + 1, len(numbers)):
        most = [allowed(array, depth) for array in arrays]
        ways = found[-1]
        for kind, on_frame in enumerate(along):
            if new := numbers[depth][kind] - numbers[depth - 1][kind]:
                ways = _with_more(ways, kind, new, [on == on_frame for on in along], most[on_frame])
        found.append(ways)
    return found


def _with_more(
    ways: Mapping[tuple[int, ...], int], kind: int, new: int, together: Sequence[bool], most: int
) -> dict[tuple[int, ...], int]:
    """The ways after `new` more joins of a kind, if at most `most` joins of the kinds `together` may be invalid."""
    after: dict[tuple[int, ...], int] = {}
    for invalid, number in ways.items():
        others = sum(i for i, counts in zip(invalid, together, strict=True) if counts) - invalid[kind]
        for i, more in more_invalid({invalid[kind]: number}, new, most - others).items():
            state = (*invalid[:kind], i, *invalid[kind + 1 :])
            after[state] = after.get(state, 0) + more
    return after


def more_invalid(ways: Mapping[int, int], new: int, most: int) -> dict[int, int]:
    """The numbers of ways to have 0, 1, ..., `most` invalid joins after `new` more joins."""
    after: dict[int, int] = {}
    for before, number in ways.items():
        for more in range(min(new, most - before) + 1):
            after[before + more] = after.get(before + more, 0) + number * comb(new, more)
    return after


def class_fillings(
    kinds: Iterable[PieceType],
    squares: Mapping[str, int],
    class_of: Callable[[PieceType], str] = lambda kind: kind.piece_class,
) -> dict[str, list[int]]:
    """For each class, the numbers of ways to fill 0, 1, ... of its squares with pieces of these types."""
    by_class: dict[str, list[PieceType]] = {name: [] for name in squares}
    for kind in kinds:
        by_class.setdefault(class_of(kind), []).append(kind)
    return {name: _fillings(by_class[name], most) for name, most in squares.items()}


def _fillings(kinds: Sequence[PieceType], most: int) -> list[int]:
    """The numbers of ways to fill 0, 1, ..., `most` squares of a class with pieces of these types.

    A type of n pieces with o distinct rotations has o^k ways for k <= n; single pieces are combined.
    """
    lots = Counter((_looks(kind), len(kind.pieces)) for kind in kinds)
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


def _looks(kind: PieceType) -> int:
    """The number of distinct rotations in which a piece fits on a square of its class."""
    return fits(0 if kind.piece_class == "inner" else border_mask_of(kind.sides), kind.rotations) // kind.order


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
