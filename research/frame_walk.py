"""The frame of a board as a walk through colours: what its pieces and squares allow.

The walk goes clockwise, from the top left corner.  A piece begins with one of its frame colours and ends with the
other one; the next piece must begin with the mate of that.  So an edge piece is an arc from one colour to another, and
a frame is a closed walk that uses each piece once.  Free edge pieces with the same arc are a *class*; a fixed inner
piece beside the frame makes different ones of those with different inner colours.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, product, repeat
from math import comb, perm, prod

from jigsat.csp.base.errors import EngineError
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides

#: From the colour that a piece begins with to the one that the next piece must begin with.
Arc = tuple[int, int]


@dataclass(frozen=True)
class Side:
    """The edge squares of one side, in the order of the walk."""

    #: For each square the arc of its fixed piece, or the classes (indices) of the free pieces that may lie there.
    steps: tuple[Arc | frozenset[int], ...]

    @property
    def free(self) -> int:
        """The number of squares without a fixed piece."""
        return sum(isinstance(step, frozenset) for step in self.steps)

    @property
    def fixed(self) -> list[Arc]:
        """The arcs of fixed pieces."""
        return [step for step in self.steps if not isinstance(step, frozenset)]


@dataclass(frozen=True)
class BoardFrame:
    """The frame of a board."""

    #: The number of frame colours.
    colors: int
    #: The arc of each class, and the number of its free pieces.
    arcs: tuple[Arc, ...]
    numbers: tuple[int, ...]
    #: The arcs of the free corner pieces, and how many there are of each.
    corners: tuple[tuple[Arc, int], ...]
    #: The four sides: top, right, bottom, left.
    sides: tuple[Side, ...]
    #: The arcs of the corners before these sides; None where no piece is fixed.
    fixed_corners: tuple[Arc | None, ...]

    def turns(self) -> list[int]:
        """The numbers of sides by which the frame can be turned onto itself; 0 is one of them."""
        around = list(zip(self.sides, self.fixed_corners, strict=True))
        return [turn for turn in range(4) if around[turn:] + around[:turn] == around]

    def laid_corners(self) -> Iterator[tuple[int, tuple[Arc, ...]]]:
        """The arcs of the four corners, and in how many ways corner pieces can be laid so."""
        available = dict(self.corners)
        choices = [available if fixed is None else (fixed,) for fixed in self.fixed_corners]
        for arcs in product(*choices):
            used = Counter(arc for arc, fixed in zip(arcs, self.fixed_corners, strict=True) if fixed is None)
            if ways := prod(perm(available[arc], number) for arc, number in used.items()):
                yield ways, arcs

    def balanced(self, corners: tuple[Arc, ...]) -> bool:
        """Whether all pieces with these corners come to each colour as often as they leave it."""
        ends = Counter[int]()
        fixed = (arc for side in self.sides for arc in side.fixed)
        for arc, number in chain(
            zip(self.arcs, self.numbers, strict=True), zip(chain(corners, fixed), repeat(1), strict=False)
        ):
            ends[arc[0]] += number
            ends[arc[1]] -= number
        return not any(ends.values())

    def without_spares(self) -> Iterator[tuple[int, "BoardFrame"]]:
        """The frames without some pieces, so that all others are needed, and in how many ways these can be left out."""
        spare = sum(self.numbers) - sum(side.free for side in self.sides)
        for left_out in _choices(self.numbers, spare):
            ways = prod(comb(number, out) for number, out in zip(self.numbers, left_out, strict=True))
            numbers = tuple(number - out for number, out in zip(self.numbers, left_out, strict=True))
            yield ways, replace(self, numbers=numbers)


def _choices(numbers: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """All ways to take `size` things, with a limit for each kind."""
    if not numbers:
        if size == 0:
            yield ()
        return
    for first in range(max(size - sum(numbers[1:]), 0), min(numbers[0], size) + 1):
        for rest in _choices(numbers[1:], size - first):
            yield first, *rest


def frame_of(puzzle: EdgeMatchingPuzzle) -> BoardFrame | None:
    """The frame of a puzzle; None if no pieces can fill it, as can be seen at once.

    Raises EngineError if the board has only one row or column, or is 2xn with n > 2.
    """
    if min(puzzle.rows, puzzle.columns) < 3 and (puzzle.rows, puzzle.columns) != (2, 2):
        raise EngineError(f"the board is {puzzle.rows}x{puzzle.columns}; it must be 3x3 or larger, or 2x2")
    return _Reader(puzzle).frame()


class _Reader:
    """Reads the frame of a puzzle."""

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self._puzzle = puzzle
        self._colors: dict[int, int] = {}
        fixed = {place.piece for place in puzzle.fixed}
        free = [(sides, puzzle.piece_classes[piece]) for piece, sides in enumerate(puzzle.pieces) if piece not in fixed]
        self._edges = [sides for sides, piece_class in free if piece_class == "edge"]
        self._corners = [sides for sides, piece_class in free if piece_class == "corner"]
        rows, columns = puzzle.rows, puzzle.columns
        top = [puzzle.board.square(0, column) for column in range(columns - 1)]
        right = [puzzle.board.square(row, columns - 1) for row in range(rows - 1)]
        bottom = [puzzle.board.square(rows - 1, column) for column in range(columns - 1, 0, -1)]
        left = [puzzle.board.square(row, 0) for row in range(rows - 1, 0, -1)]
        # Each begins with a corner.
        self._squares = top, right, bottom, left

    def frame(self) -> BoardFrame | None:
        needed = [[self._needed(side, square) for square in self._squares[side][1:]] for side in range(4)]
        told_apart = {letter for of_side in needed for letter in of_side if letter is not None}
        kinds = Counter(self._kind(sides, told_apart) for sides in self._edges)
        corners = Counter(
            self._arc(sides, 3 if sides[3] == sides[0] == 0 else sides.index(0)) for sides in self._corners
        )
        classes = sorted(kinds, key=lambda kind: (kind[0], kind[1] or 0))
        sides = []
        for side in range(4):
            steps: list[Arc | frozenset[int]] = []
            for square, letter in zip(self._squares[side][1:], needed[side], strict=True):
                shown = self._shown(square)
                if shown is None:
                    fitting = (i for i, kind in enumerate(classes) if letter in (None, kind[1]))
                    steps.append(frozenset(fitting))
                elif letter not in (None, shown[(side + 2) % 4]):
                    return None
                else:
                    steps.append(self._arc(shown, side))
            sides.append(Side(tuple(steps)))
        before = tuple(
            None if (shown := self._shown(self._squares[side][0])) is None else self._arc(shown, (side + 3) % 4)
            for side in range(4)
        )
        if kinds.total() < sum(side.free for side in sides) or corners.total() < before.count(None):
            return None
        numbers = tuple(kinds[kind] for kind in classes)
        arcs = tuple(kind[0] for kind in classes)
        return BoardFrame(len(self._colors), arcs, numbers, tuple(sorted(corners.items())), tuple(sides), before)

    def _shown(self, square: int) -> Sides | None:
        placed = self._puzzle.fixed_board[square]
        return None if placed is None else self._puzzle.shown(placed)

    def _needed(self, side: int, square: int) -> int | None:
        """The colour that a fixed inner piece beside an edge square needs there."""
        inside = self._puzzle.board.neighbour(square, (side + 2) % 4)
        shown = None if inside is None else self._shown(inside)
        return None if shown is None else self._puzzle.mate(shown[side])

    def _kind(self, sides: Sides, told_apart: set[int]) -> tuple[Arc, int | None]:
        border = sides.index(0)
        letter = sides[(border + 2) % 4]
        return self._arc(sides, border), letter if letter in told_apart else None

    def _arc(self, sides: Sides, border: int) -> Arc:
        """The arc of a piece whose first border side, clockwise, is `border`."""
        borders = sides.count(0)
        begin, end = sides[border - 1], self._puzzle.mate(sides[(border + borders) % 4])
        return self._color(begin), self._color(end)

    def _color(self, color: int) -> int:
        return self._colors.setdefault(color, len(self._colors))
