"""Scrambles with the largest possible number of connectors for boards with rows + columns odd.

Half of the squares, nearly, do not move or go to their images by the half turn of the board; the others are exchanged
in pairs.  So all connectors are on two joins, except for those that must be on more.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from ..base.errors import PuzzleError
from ..base.seeded_random import Chance
from ..base.stop import never
from ..puzzles.board import Arrangement, Board, Placement
from .closed_forms import quarter_turned

# After this number of draws without a form there is probably none; and the changes of kinds in each of them, for each
# group of squares whose kinds change together.
DRAWS, CHANGES = 200, 20
# Where a change may add a fault, one in this many may.
CLIMB = 16
# On boards of more squares a draw takes too long, and hardly any gives a form.
MOST_SQUARES = 2600

# The shapes of the kinds around a square, each less the first, and the same after rotations.  Equal kinds all around
# are of no use: such pieces look like others.
FLAT, ONE_ODD, CORNER, _OPPOSITE = "flat", "one odd", "corner", "opposite"
_INNER = {0: FLAT, 1: ONE_ODD, 2: ONE_ODD, 4: ONE_ODD, 7: ONE_ODD, 3: CORNER, 6: CORNER, 5: _OPPOSITE}
_EDGE = {0: FLAT, 3: "first", 1: "inside", 2: "last"}


def has_mixed_form(rows: int, columns: int) -> bool:
    """Whether rows + columns is odd, both are at least 5, and there are not too many squares."""
    return (rows + columns) % 2 == 1 and min(rows, columns) >= 5 and rows * columns <= MOST_SQUARES


def draw_mixed_form(
    rows: int, columns: int, chance: Chance, must_stop: Callable[[], bool] = never
) -> Arrangement | None:
    """A scramble with the largest number of connector classes, with random choices; None if stopped.

    Let the number of rows be odd, 2m + 1, and that of columns be even, 2a + 2 (else the board is turned), and h be the
    half turn of the board about its centre, with which the scramble commutes.

    - Squares are *calm* or *busy*.  In column a + 1 all squares above row m are calm.  In the other squares above row m
      and in row m, calm and busy ones alternate; so do they to the left of that column, and to its right; the two
      squares beside the centre are busy.  Below row m h gives the same.  If m + a is odd, the square in row 0 of
      column a + 1 is busy, too, like one of its neighbours.
    - Each calm square has a *kind*, 0 or 1, the same as its image by h.  Calm neighbours have different kinds.  Kind 0
      stays, and kind 1 goes to h of its square with a half turn.
    - Busy squares P and Q exchange places, P with a turn by k and Q with -k, or Q goes to h(P) with 2 - k: as the kinds
      of the neighbours at side s of P and at side s + k of Q are equal or different.  They must be so for all s.  A
      square where the kinds of opposite neighbours are equal, and others not, may turn by half in its place.

    Then all connectors are on two joins, except that of the join at the centre, which is on three, and some in the
    frame.  If m + a is odd, the join between the two busy neighbours there and its image by h have connectors on three
    joins.  If it is even, all busy squares in the frame have partners only if the condition fails at one side of one
    pair, and there is a connector on four joins.  That is the largest possible number of connectors (theorem 3 in
    docs/papers/exactly_two.md).

    Raises PuzzleError if the board has no such form, see `has_mixed_form`.
    """
    if not has_mixed_form(rows, columns):
        needs = f"five rows and columns or more, an odd sum of both, and at most {MOST_SQUARES} squares"
        raise PuzzleError(f"{rows}x{columns}: a mixed form needs {needs}")
    if rows % 2 == 0:
        turned = draw_mixed_form(columns, rows, chance, must_stop)
        return None if turned is None else quarter_turned(turned, columns, rows)
    for _ in range(DRAWS):
        if must_stop():
            return None
        form = MixedForm(Board(rows, columns), chance)
        if form.choose_kinds():
            return form.scramble()
    raise PuzzleError(f"no mixed form of {rows}x{columns} was found")


class MixedForm:
    """A scramble under construction.  Squares stand for themselves and their images by h: they are from the first half.

    Where two busy squares meet, a *ghost* is between them, -1 at the centre and -2 in row 0; it has a kind as calm
    squares have.
    """

    _climbs = False  #: Whether a change of kinds may add a fault; all draws of a seed depend on it

    def __init__(self, board: Board, chance: Chance) -> None:
        self._board, self._chance = board, chance
        self._half = len(board) // 2
        self._middle = board.square(board.rows // 2, board.columns // 2 - 1)
        self._has_ghost = (board.rows // 2 + board.columns // 2 - 1) % 2 == 1
        busy = [square for square in range(self._half) if self._is_busy(square)]
        self._around = {square: self._neighbours(square, set(busy)) for square in busy}
        self._kind: dict[int, int] = {}
        self._groups = list(self._draw_kinds(set(busy)))
        self._shape = {square: self._shape_of(square) for square in busy}

    def choose_kinds(self) -> bool:
        """Change kinds until all busy squares have partners; return whether this succeeded."""
        beside = [[p for p, around in self._around.items() if not group.isdisjoint(around)] for group in self._groups]
        counts = Counter(self._shape.values())
        faults = self._faults(counts)
        for _ in range(CHANGES * len(self._groups)):
            if not faults:
                return True
            number = self._chance.below(len(self._groups))
            self._flip(number)
            shapes = {square: self._shape_of(square) for square in beside[number]}
            after = counts.copy()
            after.subtract(self._shape[square] for square in shapes)
            after.update(shapes.values())
            most = faults + (self._climbs and self._chance.below(CLIMB) == 0)
            if (faults_after := self._faults(after)) <= most:
                faults, counts = faults_after, after
                self._shape.update(shapes)
            else:
                self._flip(number)
        return False

    def scramble(self) -> Arrangement:
        """The scramble, with random pairs."""
        arrangement: list[Placement | None] = [None] * len(self._board)
        for square, (to, turns) in self._moves():
            arrangement[to] = Placement(square, turns % 4)
            arrangement[self._opposite(to)] = Placement(self._opposite(square), turns % 4)
        return tuple(arrangement)

    def _opposite(self, square: int) -> int:
        return len(self._board) - 1 - square

    def _is_busy(self, square: int) -> bool:
        y, x = divmod(square, self._board.columns)
        m, a = divmod(self._middle, self._board.columns)
        if x == a + 1 and y < m:
            return y == 0 and self._has_ghost
        return (y + x - m - a) % 2 == (x > a)

    def _neighbours(self, square: int, busy: set[int]) -> tuple[int | None, ...]:
        """What has a kind at each side of a square; None at straight sides, and a ghost where a neighbour is busy."""

        def seen(side: int) -> int | None:
            neighbour = self._board.neighbour(square, side)
            if neighbour is None:
                return None
            neighbour = min(neighbour, self._opposite(neighbour))
            return neighbour if neighbour not in busy else -1 if neighbour == square else -2

        return tuple(seen(side) for side in range(4))

    def _draw_kinds(self, busy: set[int]) -> Iterator[set[int]]:
        """Choose all kinds; yield the groups of calm squares whose kinds depend on each other."""
        for first in (-1, -2, *range(self._half)):
            if first in busy or first in self._kind:
                continue
            self._kind[first] = self._chance.below(2)
            group, waiting = {first}, [first] if first >= 0 else []
            while waiting:
                square = waiting.pop()
                for neighbour in self._neighbours(square, busy):
                    if neighbour is not None and neighbour >= 0 and neighbour not in group:
                        self._kind[neighbour] = 1 - self._kind[square]
                        group.add(neighbour)
                        waiting.append(neighbour)
            yield group

    def _flip(self, group: int) -> None:
        for square in self._groups[group]:
            self._kind[square] ^= 1

    def _kinds(self, square: int) -> list[int | None]:
        return [None if other is None else self._kind[other] for other in self._around[square]]

    def _shape_of(self, square: int) -> tuple[int, str]:
        """The number of inner sides of a busy square, and what must be equal for partners."""
        kinds = self._kinds(square)
        straight = kinds.index(None) if None in kinds else -1
        around = [kind for kind in kinds[straight + 1 :] + kinds[: straight + 1] if kind is not None]
        less = sum((kind ^ around[0]) << i for i, kind in enumerate(around[1:]))
        if len(around) == 2:
            return 2, "different" if less else FLAT
        return len(around), (_INNER if len(around) == 4 else _EDGE)[less]

    def _faults(self, counts: Counter[tuple[int, str]]) -> int:
        """The squares of no use, and the shapes that leave squares without partners."""
        flat = sum(counts[sides, FLAT] for sides in (2, 3, 4))
        odd = {shape: counts[3, shape] % 2 for shape in ("first", "inside", "last")}
        # Only one pair in the frame may be of two shapes, and only if there is no ghost.
        mixed = sum(odd.values()) if self._has_ghost else (1 - odd["inside"]) + (odd["first"] == odd["last"])
        # The square beside the centre must have a partner; it must not turn in its place.
        is_alone = counts[4, _OPPOSITE] == 1 and self._shape_of(self._middle) == (4, _OPPOSITE)
        return flat + mixed + counts[4, ONE_ODD] % 2 + counts[4, CORNER] % 2 + is_alone

    def _moves(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The target of each square, and its turns."""
        for square, kind in self._kind.items():
            if square >= 0:
                yield square, (self._opposite(square), 2) if kind else (square, 0)
        waiting: dict[tuple[int, str], list[int]] = {}
        for square in [self._middle, *self._chance.shuffled(p for p in self._shape if p != self._middle)]:
            waiting.setdefault(self._shape[square], []).append(square)
        alone: list[int] = []
        for squares in waiting.values():
            for one, other in zip(squares[::2], squares[1::2], strict=False):
                yield from self._exchange(one, other)
            alone += squares[len(squares) // 2 * 2 :]
        in_frame = [square for square in alone if self._shape[square][0] == 3]
        if in_frame:
            yield from self._exchange(*in_frame)
        for square in alone:
            if square not in in_frame:
                yield square, (square, 2)

    def _exchange(self, one: int, other: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """Exchange a busy square with another one, or with its image by h."""
        is_mixed = self._shape[one] != self._shape[other]
        turned = [(turns, self._differences(one, other, turns)) for turns in range(4)]
        fitting = [(turns, found) for turns, found in turned if found and (is_mixed or len(set(found)) == 1)]
        turns, found = fitting[self._chance.below(len(fitting))]
        # In a mixed pair one side on the frame differs from the other two.
        back = (one, -turns) if sorted(found)[1] == 0 else (self._opposite(one), 2 - turns)
        if self._chance.below(2):
            yield one, (other, turns)
            yield other, back
        else:
            yield one, (self._opposite(other), turns + 2)
            yield other, (self._opposite(back[0]), back[1] + 2)

    def _differences(self, one: int, other: int, turns: int) -> list[int]:
        """Whether kinds differ at each inner side, if a square is turned to another; empty if straight sides do."""
        kinds, others = self._kinds(one), self._kinds(other)
        pairs = [(kinds[side], others[(side + turns) % 4]) for side in range(4)]
        if any((kind is None) != (there is None) for kind, there in pairs):
            return []
        return [kind ^ there for kind, there in pairs if kind is not None and there is not None]
