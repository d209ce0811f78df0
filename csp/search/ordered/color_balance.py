"""A lower bound on the invalid joins that a partial board still needs, from the colours of its sides alone.

**Surplus.**  The sides that are not joined yet are those of the placed pieces that face an empty square, and those of
the unused pieces.  Let S be some of them, of which no two can meet, and T the others.  A side of S that is on the full
board has a join of its own, which is valid only if the other side, one of T, has the colour that fits.  So where a
colour c is more frequent in S than the colour that fits is in T, each surplus side makes an invalid join:

    invalid joins >= sum over all colours c of max(0, -balance(c)),    balance(c) = T(what fits onto c) - S(c).

S has the sides of placed pieces, because they never meet.  The larger S is, the better is the bound.  On a board with
three or more rows and columns the third side of an edge piece meets an inner piece.  So if no edge piece is spare, S
has this side of each unused edge piece, too; and T, not S, has the sides of placed inner pieces that face an empty
square on the border, because an edge piece will be there.

**Parity.**  If no piece is spare, every side will be in a join, and a valid join takes one side of a colour and one of
its mate.  If these are two colours, at least |balance(c) - balance(mate of c)| of their sides are in invalid joins,
because the one is so much more frequent than the other.  If they are one, at least its surplus is, and an odd number
of sides leaves at least one over.  An invalid join has two such sides: half their number, rounded up, is a bound.  And
if the numbers leave none over, exactly one invalid join is impossible: each of its sides would be left over.

**The frame.**  Its sides meet only each other, and only sides of the opposite direction.  So a colour counts as two
colours there, one for each direction, and as a third one elsewhere.

**Along a path.**  A valid join takes a side from S and one that fits from T: no balance changes.  A piece that is laid
beside an empty square moves its side there from T to S, unless one of the two is on the border and the join is not
along the frame.  This lowers the balances of the colour and of its mate by 1, or by 2 if they are one colour.  An
invalid join takes a side from S, which raises the balance of its colour by 1, and a side from T, which lowers that of
its mate by 1.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import inner_kernel, separate_kernel
from ...puzzles.board import BORDER, MET_WAY, Join, Placement, border_mask_of, opposite, way_along_border
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...puzzles.symmetry import Candidates
from .kernels import OrderedTables

#: How a side runs along the border, as `way_along_border` has it, and its colour.
Shade = tuple[int, int]

# The parts of a sum of costs.
_UNFIT_SHIFT, _FRAME_SHIFT = 20, 40
_PART = np.int64((1 << 20) - 1)
# From this average balance on, partial boards with a surplus are frequent enough.
_MOST_TO_SPARE = 12
# The number of the differences after those of the ways along the border.
_DIFFERENCE = 4
_1, _6, _28, _63 = (np.uint64(i) for i in (1, 6, 28, 63))
_LOW, _DEPTHS, _OFFSETS = np.uint64(0xFFFF), np.uint64((1 << 22) - 1), np.uint64((1 << 30) - 1)


class _Roles:
    """Which sides of unused pieces are in S, and which sides of placed pieces are in T."""

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self._board = puzzle.board
        pieces, squares = puzzle.class_sizes().get("edge", (0, 0))
        self._inward = min(puzzle.rows, puzzle.columns) >= 3 and pieces == squares

    def is_demand(self, borders: int, side: int) -> bool:
        """Whether the side of an unused piece with these borders is in S."""
        return self._inward and borders != 0 and way_along_border(borders, side) == 0

    def is_supply(self, square: int, side: int) -> bool:
        """Whether the side of a placed piece that faces an empty square is in T."""
        neighbour = self._board.neighbour(square, side)
        assert neighbour is not None
        return self._inward and self._board.border_mask(square) == 0 and self._board.border_mask(neighbour) != 0


def balances(puzzle: EdgeMatchingPuzzle, board: Sequence[Placement | None]) -> Counter[Shade]:
    """The balance of each colour on a partial board; see the head of this module."""
    roles, balance = _Roles(puzzle), Counter[Shade]()

    def count(way: int, color: int, *, demand: bool) -> None:
        if demand:
            balance[way, color] -= 1
        else:
            balance[MET_WAY[way], puzzle.mate(color)] += 1

    used = {placed.piece for placed in board if placed is not None}
    for sides in (sides for piece, sides in enumerate(puzzle.pieces) if piece not in used):
        borders = border_mask_of(sides)
        for side, color in enumerate(sides):
            if color != BORDER:
                count(way_along_border(borders, side), color, demand=roles.is_demand(borders, side))
    for square, placed in enumerate(board):
        for join in puzzle.board.joins_of(square):
            if placed is not None and board[join.second] is None:
                way = way_along_border(puzzle.board.border_mask(square), join.side)
                count(way, puzzle.shown(placed)[join.side], demand=not roles.is_supply(square, join.side))
    return balance


class Least(NamedTuple):
    """Lower bounds on the further invalid joins."""

    #: Those that are not along the frame, and those along it.
    inner: int
    frame: int
    #: Whether both are 0, but exactly one invalid join is impossible.
    never_one: bool


def least_invalid(puzzle: EdgeMatchingPuzzle, board: Sequence[Placement | None]) -> Least:
    """The least numbers of invalid joins that any completion of a partial board adds, by the colours of its sides.

    Examples
    --------
    >>> puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 6, 0, 0)))
    >>> least_invalid(puzzle, (None, None))
    Least(inner=0, frame=1, never_one=False)
    """
    balance, exact = balances(puzzle, board), len(puzzle.pieces) == len(puzzle.board)
    surplus, unfit = [0, 0], [0, 0]
    for way, color in {*balance}:
        this, mate = (way, color), (MET_WAY[way], puzzle.mate(color))
        if this > mate and mate in balance:
            continue  # It is counted with its mate.
        short = sum(max(0, -balance[shade]) for shade in {this, mate})
        surplus[way > 0] += short
        unfit[way > 0] += max(short, balance[this] % 2) if this == mate else abs(balance[this] - balance[mate])
    inner, frame = (max(s, -(-u // 2) if exact else 0) for s, u in zip(surplus, unfit, strict=True))
    return Least(inner, frame, exact and inner == frame == 0)


@dataclass(frozen=True)
class ColorAccounts:
    """The accounts of one search, and how each pass of a depth changes them.

    Accounts are the balances of all shades, and the differences between the balances of a colour and its mate if these
    are two.  The sum of what they cost has the surplus of S, twice the sides that do not fit, and the surplus on the
    frame, each in 20 bits.
    """

    #: The accounts with only the fixed pieces on the board, as positions in `costs`.
    accounts: NDArray[np.int64]
    #: The cost of each state of an account; the kinds of accounts one after the other.
    costs: NDArray[np.int64]
    #: The account that an entry changes, at the colour plus the offset of the entry.
    account_of: NDArray[np.uint64]
    #: Pass s has the entries ``first[s]`` to ``first[s + 1] - 1``.
    first: NDArray[np.uint64]
    #: From the lowest bit: 6 bits for the position of the colour in the word of the piece that shows it, 22 for its
    #: depth, 30 for the offset, and the rest for what the entry adds to the account.
    entries: NDArray[np.int64]
    #: Colours of fixed pieces, as words for the depths after the last one.
    constants: NDArray[np.uint64]
    #: The sum of the costs with only the fixed pieces on the board; more if not all sides on the frame fit, but must.
    start: int
    #: The depth from which the bound is used.
    pays_from: int

    @property
    def fixed(self) -> tuple[NDArray[Any], ...]:
        """The arrays that do not change during a search, for `post`."""
        return self.costs, self.account_of, self.first, self.entries


def no_accounts(depths: int) -> ColorAccounts:
    """Accounts for a search without the bound."""
    numbers, words = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
    return ColorAccounts(numbers, numbers, words, words, numbers, words, 0, depths)


def make_accounts(
    puzzle: EdgeMatchingPuzzle, candidates: Candidates, tables: OrderedTables, *, frame_slips: bool = False
) -> ColorAccounts:
    """The accounts of a search along the depths of `tables`; `frame_slips` is whether frame joins may be invalid."""
    colors, index = candidates.colors, candidates.color_index
    balance = balances(puzzle, puzzle.fixed_board)
    states = np.zeros((5, colors), dtype=np.int64)
    mates = np.zeros((5, colors), dtype=np.uint64)
    for color, number in index.items():
        mate = puzzle.mate(color)
        for way, met in enumerate(MET_WAY):
            states[way, number] = balance[way, color]
            mates[way, number] = met * colors + index[mate]
        states[_DIFFERENCE, number] = balance[0, color] - balance[0, mate]
        mates[_DIFFERENCE, number] = _DIFFERENCE * colors + index[mate]
    # No account exceeds the number of all sides of a colour and its mate.
    most = max(Counter(abs(color) for sides in puzzle.pieces for color in sides if color != BORDER).values(), default=0)
    kinds = _costs(most, puzzle.rule, exact=len(puzzle.pieces) == len(puzzle.board))
    accounts = (states + (np.arange(5) * kinds.shape[1] + most)[:, None]).ravel()
    misfit = 0 if frame_slips else least_invalid(puzzle, puzzle.fixed_board).frame << _FRAME_SHIFT
    posts = _Posts(puzzle, candidates, tables)
    first, entries = [0], list[int]()
    for depth in range(len(tables.squares)):
        for s in range(int(tables.first[depth]), int(tables.first[depth + 1])):
            entries += posts.of_pass(depth, tables.broken[s])
            first.append(len(entries))
    return ColorAccounts(
        accounts,
        kinds.ravel(),
        np.append(np.arange(5 * colors, dtype=np.uint64), mates),
        np.array(first, dtype=np.uint64),
        np.array(entries, dtype=np.int64),
        np.array(posts.constants, dtype=np.uint64),
        max(int(kinds.ravel()[accounts].sum()), misfit),
        _pays_from(puzzle, tables.squares),
    )


def _pays_from(puzzle: EdgeMatchingPuzzle, squares: Sequence[int]) -> int:
    """The depth of a search from which the bound pays: before it, no colour is likely to have a surplus."""
    board = puzzle.board
    colors = len({abs(color) for color in puzzle.inner_sides()})
    depth_of = {square: depth for depth, square in enumerate(squares)}
    empty = [
        min(depth_of[first], depth_of[second])
        for first, side, second in board.joins()
        if first in depth_of and second in depth_of and not board.is_frame_join(Join(first, side, second))
    ]
    # Each join between two empty squares adds one to the balance of a colour and to that of its mate.
    left = np.bincount(empty, minlength=len(squares))[::-1].cumsum()[::-1]
    return int(np.sum(2 * left > _MOST_TO_SPARE * colors))


def _costs(most: int, rule: Rule, *, exact: bool) -> NDArray[np.int64]:
    """What each state costs, from ``-most`` to ``most``; one row for each way along the border, and the differences."""
    state = np.arange(-most, most + 1)
    surplus, unfit = np.maximum(-state, 0), 2 * np.maximum(-state, state % 2) << _UNFIT_SHIFT
    # If a colour and its mate are two, each of them has the difference.
    difference = np.abs(state) << _UNFIT_SHIFT
    none = 0 * state
    inner = surplus + (unfit if exact and rule is Rule.EQUAL else none)
    frame = surplus << _FRAME_SHIFT
    return np.array([inner, frame, frame, frame, difference if exact and rule is Rule.OPPOSITE else none])


class _Posts:
    """The entries of all passes; colours of fixed pieces in them go to `constants`."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, candidates: Candidates, tables: OrderedTables) -> None:
        self._puzzle, self._candidates, self._squares = puzzle, candidates, tables.squares
        self._roles = _Roles(puzzle)
        self._depth_of = {square: depth for depth, square in enumerate(tables.squares)}
        self.constants: list[int] = []

    def of_pass(self, depth: int, broken: tuple[int, ...]) -> Iterator[int]:
        """The entries of the candidates of a depth whose sides `broken` make invalid joins."""
        square = self._squares[depth]
        borders = self._puzzle.board.border_mask(square)
        for join in self._puzzle.board.joins_of(square):
            demand = self._roles.is_demand(borders, join.side)
            if join.side in broken:
                yield from self._left(square, join.side, demand=demand)
                # The side that it meets is in T if this one is in S, and the other way round.
                yield from self._left(join.second, opposite(join.side), demand=not demand)
            elif self._is_empty(join.second, depth) and not demand and not self._roles.is_supply(square, join.side):
                yield from self._opened(square, join.side)

    def _is_empty(self, square: int, depth: int) -> bool:
        """Whether a square has no piece when one is laid at a depth."""
        return self._puzzle.fixed_board[square] is None and self._depth_of.get(square, depth + 1) > depth

    def _opened(self, square: int, side: int) -> Iterator[int]:
        """The entries of a side that goes from T to S."""
        way = way_along_border(self._puzzle.board.border_mask(square), side)
        if way == 0 and self._puzzle.rule is Rule.EQUAL:
            yield self._entry(square, side, way, -2)
        else:
            yield self._entry(square, side, way, -1)
            yield self._entry(square, side, 5 + way, -1)

    def _left(self, square: int, side: int, *, demand: bool) -> Iterator[int]:
        """The entries of a side that leaves S or T."""
        way = way_along_border(self._puzzle.board.border_mask(square), side)
        # The mate's accounts come after all others.
        where, amount = (0, 1) if demand else (5, -1)
        yield self._entry(square, side, where + way, amount)
        if way == 0 and self._puzzle.rule is Rule.OPPOSITE:
            yield self._entry(square, side, where + _DIFFERENCE, amount)
            yield self._entry(square, side, 5 - where + _DIFFERENCE, -amount)

    def _entry(self, square: int, side: int, accounts: int, amount: int) -> int:
        placed = self._puzzle.fixed_board[square]
        depth = self._depth_of.get(square, len(self._squares) + len(self.constants))
        if placed is not None:
            self.constants.append(self._candidates.color_index[self._puzzle.shown(placed)[side]] << 16 * side)
        return 16 * side | depth << 6 | accounts * self._candidates.colors << 28 | amount << 58


@inner_kernel
def post(s, shown, accounts, costs, account_of, first, entries):
    """Make the entries of a pass, and return what they add to the sum of the costs."""
    added = np.int64(0)
    n = first[s]
    while n < first[s + _1]:
        entry = entries[n]
        bits = np.uint64(entry)
        k = account_of[(shown[bits >> _6 & _DEPTHS] >> (bits & _63) & _LOW) + (bits >> _28 & _OFFSETS)]
        before = accounts[k]
        after = before + (entry >> 58)
        added += costs[after] - costs[before]
        accounts[k] = after
        n += _1
    return added


@separate_kernel
def take_back(s, shown, accounts, costs, account_of, first, entries):
    """Undo the entries of a pass."""
    n = first[s]
    while n < first[s + _1]:
        entry = entries[n]
        bits = np.uint64(entry)
        k = account_of[(shown[bits >> _6 & _DEPTHS] >> (bits & _63) & _LOW) + (bits >> _28 & _OFFSETS)]
        accounts[k] -= entry >> 58
        n += _1


@inner_kernel
def least_of(total):
    """The least numbers of invalid joins by a sum of costs: those that are not along the frame, and those along it."""
    unfit = total >> _UNFIT_SHIFT & _PART
    return np.uint64(max(total & _PART, unfit + 3 >> 2)), np.uint64(total >> _FRAME_SHIFT)
