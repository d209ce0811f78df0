"""Jigsaws with few joins per connector as CNF: one bit per connector determines a whole assembly."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ...csp.base.errors import EngineError
from ...csp.puzzles.board import SIDE_NAMES, Arrangement, Placement
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...csp.puzzles.jigsaw_algebra import Integers, duplicate_pieces, mating, symmetric_pieces, unbalanced, uses
from ..base.encodings import BITS
from ..base.formula import Clauses, PuzzleFormula


def no_bits(puzzle: EdgeMatchingPuzzle) -> str | None:
    """Why the encoding ``bits`` does not support a puzzle; None if it does."""
    if puzzle.rule is not Rule.OPPOSITE:
        return f"it is for jigsaws, not for {puzzle.kind} puzzles"
    if not puzzle.is_classic:
        return f"it is {puzzle.classic_only}"
    if puzzle.fixed or len(puzzle.pieces) > len(puzzle.board):
        return "it needs a puzzle whose pieces all lie on the board, none of them fixed"
    odd = unbalanced(puzzle)
    if odd:
        return f"it needs as many positive as negative sides of each connector; connector {odd[0]} has unequal numbers"
    often = [(connector, joins) for connector, joins in sorted(uses(puzzle).items()) if joins > 2]
    if often:
        connector, joins = often[0]
        return f"it needs connectors on one or two joins; connector {connector} is on {joins}"
    if duplicate_pieces(puzzle) or symmetric_pieces(puzzle):
        return "it needs pieces that differ from each other in every rotation, and from themselves when they are turned"
    return None


class BitCNF(PuzzleFormula):
    """A jigsaw whose connectors are on one or two joins each, as a formula that every assembly satisfies.

    The two positive and two negative sides of a connector can be joined in two ways, given by one bit.  All bits
    determine which sides are joined, and so at most one assembly, up to turns of the board.  Around a point where four
    pieces meet, going from side to side (across the join, and on to the next side clockwise) leads back to the start in
    four steps and never over the border; each violation is a clause.  Every assembly satisfies this, but not only
    assemblies: the formula is a relaxation.  So if it has no model other than the known assemblies, there are no
    others.

    Attributes
    ----------
    clauses, deciding
        The formula, and its variables: the bits.
    positive, negative
        Shape (bits, 2): the darts (4 p + s is side s of piece p) of each connector that has a bit, ascending.  The bit
        is true if the first positive one is joined to the first negative one.

    Raises
    ------
    EngineError
        If the encoding does not support the jigsaw, see `no_bits`.

    Examples
    --------
    A perfect jigsaw has no third solution:

    >>> from jigsat import read
    >>> from pysat.solvers import Solver
    >>> puzzle = read("perfect-5x5")
    >>> formula = BitCNF(puzzle)
    >>> for board in puzzle.assemblies:
    ...     formula.exclude(board)
    >>> with Solver("cadical195", bootstrap_with=list(formula.clauses)) as solver:
    ...     solver.solve()
    False
    """

    encoding = BITS

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        reason = no_bits(puzzle)
        if reason is not None:
            raise EngineError(f"encoding {BITS}: {reason}")
        self.puzzle = puzzle
        self._sides = np.array(puzzle.pieces, dtype=np.int64).ravel()
        connectors, number = np.unique(self._sides[self._sides > 0], return_counts=True)
        twice = connectors[number == 2]
        self.positive, self.negative = self._halves(twice, 2), self._halves(-twice, 2)
        self.clauses = Clauses()
        self.deciding = self.clauses.new(len(twice))
        self._bit = np.zeros(len(self._sides), dtype=np.int64)
        self._bit[self.positive] = self._bit[self.negative] = self.deciding[:, None]
        once = connectors[number == 1]
        self._mates = self._ways_to_join(self._halves(once, 1)[:, 0], self._halves(-once, 1)[:, 0])
        self._close_around_points()

    def _halves(self, connectors: Integers, each: int) -> Integers:
        """Shape (n, each): the darts of these connectors, `each` for every connector."""
        order = np.argsort(self._sides, kind="stable")
        first = np.searchsorted(self._sides[order], connectors)
        return order[first[:, None] + np.arange(each)]

    def _ways_to_join(self, one: Integers, other: Integers) -> Integers:
        """Shape (2, darts): the dart that each one is joined to if its bit is false or true; -1: none."""
        mates = np.full((2, len(self._sides)), -1, dtype=np.int64)
        mates[:, one], mates[:, other] = other, one
        for bit, negative in enumerate((self.negative[:, ::-1], self.negative)):
            mates[bit, self.positive], mates[bit, negative] = negative, self.positive
        return mates

    def _close_around_points(self) -> None:
        """From every dart that lies beside another inner one, clockwise, four steps lead back to it."""
        inner = self._sides != 0
        half_sides = np.arange(len(inner))
        start = np.flatnonzero(inner & inner[_turned(half_sides, -1)])
        failures = [clauses for bits in product((0, 1), repeat=4) for clauses in self._failures(start, bits)]
        # Zeros, which are not literals, come first.
        literals = np.concatenate(failures)
        literals = np.sort(np.where(literals == 0, -len(inner), literals), axis=1)
        literals = np.unique(np.where(literals == -len(inner), 0, literals), axis=0)
        zeros = (literals == 0).sum(axis=1)
        for length in range(5):
            self.clauses.add(literals[zeros == 4 - length][:, 4 - length :])

    def _failures(self, start: Integers, bits: Sequence[int]) -> Iterator[Integers]:
        """Clauses, shape (n, 4), against the walks that fail if these are the bits of the connectors on the way."""
        at = start
        literals = np.zeros((len(start), 4), dtype=np.int64)
        for step, bit in enumerate(bits):
            variable = self._bit[at]
            literal = -variable if bit else variable
            again = (literals == literal[:, None]).any(axis=1)
            literals[:, step] = np.where(again, 0, literal)
            # A connector that is met again is joined as before.
            possible = (variable == 0) | ~(literals == -literal[:, None]).any(axis=1)
            at = _turned(self._mates[bit, at], 1)
            outside = self._sides[at] == 0
            yield literals[possible & outside]
            kept = possible & ~outside
            start, at, literals = start[kept], at[kept], literals[kept]
        yield literals[at != start]

    def assignments(self, board: Arrangement, /) -> list[list[int]]:
        """The bits of an assembly as literals, whichever way the board is turned."""
        joined = mating(self.puzzle.board, board)[self.positive[:, 0]] == self.negative[:, 0]
        return [np.where(joined, self.deciding, -self.deciding).tolist()]

    def board_of(self, true: Integers) -> Arrangement | None:
        """The assembly of a model, given its true variables; None if it is not an assembly."""
        bit = np.zeros(self.clauses.top + 1, dtype=np.int64)
        bit[true] = 1
        mates = self._mates[bit[self._bit], np.arange(len(self._bit))]
        for square, placement in self._first_placements():
            board = self._grown(mates.tolist(), square, placement)
            if check(self.puzzle, board).is_solution:
                return board
        return None

    def _first_placements(self) -> Iterator[tuple[int, Placement]]:
        """Where a piece of the class of the first square, a corner on most boards, can lie and how."""
        board, classes = self.puzzle.board, self.puzzle.piece_classes
        wanted = board.square_class(0)
        first = [piece for piece, kind in enumerate(classes) if kind == wanted][:1]
        squares = [square for square in range(len(board)) if board.square_class(square) == wanted]
        for piece, square, rotation in product(first, squares, range(4)):
            shown = self.puzzle.shown(Placement(piece, rotation))
            if all((side == 0) == (board.neighbour(square, i) is None) for i, side in enumerate(shown)):
                yield square, Placement(piece, rotation)

    def _grown(self, mates: list[int], square: int, placement: Placement) -> Arrangement:
        """The board that results from one piece by joining sides, as far as possible."""
        board = self.puzzle.board
        placed: list[Placement | None] = [None] * len(board)
        placed[square] = placement
        growing = [square]
        for here in growing:
            piece, rotation = placed[here] or (0, 0)
            for _, side, there in board.joins_of(here):
                mate = mates[4 * piece + (side - rotation) % 4]
                if placed[there] is None and mate >= 0:
                    placed[there] = Placement(mate // 4, (side + 2 - mate) % 4)
                    growing.append(there)
        return tuple(placed)

    def meaning(self) -> Iterator[str]:
        """What the variables and the clauses mean."""
        yield "a relaxation: every assembly is a model, but not every model an assembly"
        yield "the last clauses exclude the known assemblies; the others say that four steps from side to side around a"
        yield "point where pieces meet lead back to the start"
        yield "var NUMBER PAIRS that are joined if it is true; if it is false, their first sides are exchanged"
        halves = zip(self.deciding.tolist(), self.positive.tolist(), self.negative.tolist(), strict=True)
        for variable, (one, other), (first, second) in halves:
            joined = f"{_name(one)} to {_name(first)}, {_name(other)} to {_name(second)}"
            yield f"var {variable} {joined}"


def _turned(half_sides: Integers, sides: int) -> Integers:
    """The darts a number of sides further clockwise on the same pieces."""
    return half_sides // 4 * 4 + (half_sides + sides) % 4


def _name(half_side: int) -> str:
    piece, side = divmod(half_side, 4)
    return f"{SIDE_NAMES[side]} side of piece {piece + 1}"
