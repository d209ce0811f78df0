"""Jigsaws with two solutions, by annealing.

Assembly A has piece p on square p, unturned.  A *scramble* is a second assembly of the same pieces; what meets what in
the two decides which sides must have the same connector, and so makes the jigsaw.  Connector classes are the cycles of
half-sides that meet alternately in A and in the scramble; a class that passes two joins of each is a connector that is
used twice.  Among scrambles with well-chosen symmetries (see `scramble_symmetry`) those with such classes alone, which
make perfect jigsaws, are dense enough to be found within seconds.

The same seed gives the same scramble on every machine: all decisions are made by whole numbers, and time only stops the
work.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import cycle

import numpy as np
import numpy.typing as npt

from ..base.errors import PuzzleError, UsageError
from ..base.seeded_random import Chance
from ..base.stopping import never
from ..puzzles.board import Arrangement, Board, Placement
from ..puzzles.jigsaw_algebra import mating, original
from . import annealing_kernel as kernels
from .scramble_symmetry import group, tables

Numbers = npt.NDArray[np.uint64]

# A run cools from the one temperature to the other in so many stages.  The unit is the kernel's height times the
# number of symmetries, because a move does the same at as many places.
HOTTEST, COLDEST, STAGES = Fraction(2), Fraction(4, 5), 32
# Moves between two looks at whether to stop: less than a tenth of a second.
SLICE = 16_384
STEPS_PER_JOIN = 1000
# The kernel has 16 bits for a half-side, and a table of all pairs of squares.
MOST_SQUARES = 1024
# With so many random scrambles failing there is hardly one.
SCATTERINGS = 200

# The groups to try in turn, by their generators (see `scramble_symmetry.generator`): those that were soonest to give
# jigsaws with exactly two solutions, for boards that are square or not, with even (0) or odd (1) rows and columns.
SYMMETRIES = {
    (True, 0, 0): (("d77", "i46"), ("d75", "i00"), ("d13", "i00"), ("d13", "i75"), ("d46", "i00")),
    (True, 1, 1): (("d22", "d77", "i00"), ("d22", "d75", "i44"), ("d22", "i00"), ("d77", "i00")),
    (False, 0, 0): (
        *(("d22", "i44"), ("d22", "i00"), ("d44", "i00"), ("i46",)),
        *(("d22", "i00", "d64"), ("d22", "i00", "d46")),
    ),
    (False, 0, 1): (("d22", "i44"), ("d22", "i66"), ("d22", "d44")),
    (False, 1, 0): (("d22", "i44"), ("d22", "i66"), ("d22", "d44")),
    (False, 1, 1): (("d22", "d44"), ("d22", "d44", "i00"), ("d44", "i66"), ("d66", "i44"), ("d22", "i00")),
}
# Instead of these, on square boards, if no piece may stay.
NO_STAY_SYMMETRIES = (("d77", "i46"), ("d13", "i77"), ("d13", "i75"), ("i75",))
# Before these, if a number of types is wanted: in large groups classes come in large orbits, and not every number of
# classes is to be had.
TYPES_SYMMETRIES = (("d22", "i00"), ("d22",), ("i00",), ())


@dataclass(frozen=True)
class Wish:
    """What a scramble should be like.  No join may be in both assemblies, no two pieces equal, and none symmetric.

    Parameters
    ----------
    rows, columns
        The size of the board.
    max_use
        How many joins of an assembly may have the same connector.
    no_stay
        Whether no piece may lie on the same square in both assemblies, however the second one is turned as a whole.  On
        a square board this cannot hold for corners, each of which comes to its old place by one turn or another; the
        scramble is turned so that none is there.
    types
        The number of connectors; `max_use` is not looked at then.

    Raises
    ------
    UsageError
        If it is known beforehand that there is no such scramble.
    """

    rows: int
    columns: int
    max_use: int = 2
    no_stay: bool = False
    types: int | None = None

    def __post_init__(self) -> None:
        size = f"a {self.rows}x{self.columns} board"
        if min(self.rows, self.columns) < 2:
            raise UsageError(f"{size} is too narrow for jigsaws with two solutions; rows and columns start at 2")
        if self.rows * self.columns > MOST_SQUARES:
            raise UsageError(f"{size} is too large to be annealed; it may have {MOST_SQUARES} squares")
        if self.types is None and self.max_use < 2:
            raise UsageError(
                f"must be 2 or more, not {self.max_use}: a join in both assemblies adds nothing", "max_use"
            )
        if self.types is None and self.max_use == 2 and self.joins % 2:
            raise UsageError(f"{size} has {self.joins} joins, an odd number: one connector needs a use of 3")
        if self.types is not None and not 1 <= self.types <= self.joins // 2:
            raise UsageError(f"must lie between 1 and {self.joins // 2}, as {size} has {self.joins} joins", "types")
        if self.no_stay and self.rows % 2 and self.columns % 2:
            raise UsageError(f"on {size} the piece in the middle stays, however the board is turned", "no_stay")
        if self.no_stay and self.rows == self.columns == 4:
            raise UsageError(f"on {size} every inner piece comes to its old square by one turn or another", "no_stay")

    @property
    def board(self) -> Board:
        return Board(self.rows, self.columns)

    @property
    def joins(self) -> int:
        """The number of joins of an assembly."""
        return self.board.join_count

    @property
    def free_use(self) -> int:
        """The use up to which a connector costs nothing; with a wanted number of types, their average."""
        return self.max_use if self.types is None else -(-self.joins // self.types)


@dataclass(frozen=True)
class Annealed:
    """A scramble, and how it came about.

    Parameters
    ----------
    arrangement
        What lies on each square of the second assembly.
    energy
        How far it is from what was wished for; 0 is success.
    steps
        The number of moves tried.
    symmetry
        The generators of its symmetry group; before it was turned as a whole, if no piece was to stay.
    """

    arrangement: Arrangement
    energy: int
    steps: int
    symmetry: tuple[str, ...]


def anneal(
    wish: Wish,
    seed: int,
    *,
    symmetry: tuple[str, ...] = (),
    steps: int | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
) -> Annealed:
    """Cool a random scramble down once; the best one on the way, which is the last if nothing is left to wish for.

    Parameters
    ----------
    wish
        What the scramble should be like.
    seed
        What the random choices are made by.
    symmetry
        Generators of the group whose symmetries the scramble has.
    steps
        The number of moves to try; if left out, so many that with fewer most attempts fail, and with more the next one
        would be sooner there.
    must_stop
        Asked several times a second whether to stop.
    report
        Told the best so far each time.

    Raises
    ------
    PuzzleError
        If scrambles with that symmetry cannot be found.
    """
    run = Annealing(wish, seed, symmetry)
    steps = STEPS_PER_JOIN * wish.joins if steps is None else steps
    while run.steps < steps and run.energy and not must_stop():
        stage = run.steps * STAGES // steps
        end = -(-steps * (stage + 1) // STAGES)
        run.go_on(run.stages[stage], min(SLICE, end - run.steps))
        report(run.best())
    return run.best()


def symmetries(wish: Wish) -> tuple[tuple[str, ...], ...]:
    """Groups that have proved themselves for boards and wishes like this one, by their generators."""
    square = wish.rows == wish.columns
    usual = SYMMETRIES[square, wish.rows % 2, wish.columns % 2]
    groups = NO_STAY_SYMMETRIES if wish.no_stay and square else usual
    return groups if wish.types is None else (*TYPES_SYMMETRIES, *groups)


def scrambles(
    wish: Wish,
    seed: int,
    *,
    groups: Sequence[tuple[str, ...]] | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
) -> Iterator[Annealed]:
    """Scrambles that leave nothing to wish for, one after the other, until told to stop.

    Parameters
    ----------
    wish
        What the scrambles should be like.
    seed
        What the random choices are made by.
    groups
        Symmetry groups to try in turn, by their generators; those of `symmetries` if left out.
    must_stop
        Asked several times a second whether to stop.
    report
        Told the best scramble so far each time; its steps are those of all attempts.

    Raises
    ------
    PuzzleError
        If scrambles with the symmetries that are tried cannot be found.
    """
    chance = Chance(seed)
    done, best = 0, None

    def tell(now: Annealed) -> None:
        nonlocal best
        if best is None or now.energy < best.energy:
            best = now
        report(replace(best, steps=done + now.steps))

    for symmetry in cycle(groups or symmetries(wish)):
        found = anneal(wish, chance.below(2**53), symmetry=symmetry, must_stop=must_stop, report=tell)
        tell(found)
        done += found.steps
        if found.energy == 0:
            yield replace(found, steps=done)
        if must_stop():
            return


class Annealing:
    """One annealing: the arrays of the kernel.

    `board`, `scramble` and `random` are what kernels take as that.
    """

    def __init__(self, wish: Wish, seed: int, symmetry: tuple[str, ...]) -> None:
        self._wish, self._symmetry = wish, symmetry
        size = 4 * len(wish.board)
        elements = group(wish.board, symmetry)
        self._group = tuple(tables(elements))
        self.stages = _thresholds(len(elements))
        self.board = _board_tables(wish)
        # A move opens at most two pieces for each element, and four half-sides of each may leave what they met.
        moved = np.zeros((kernels.ROWS, max(size, 16 * len(elements))), dtype=np.uint64)
        counts = np.zeros(kernels.COUNTS, dtype=np.int64)
        lies, at, marks = (np.zeros(length, dtype=np.uint64) for length in (size, size, size + size // 2))
        self.scramble = lies, at, marks, moved, counts
        # The state must not be 0.
        self.random = _array([2 * Chance(seed).below(2**53) + 1])
        self.steps = 0
        self._scatter()
        self._best = lies.copy()
        least = kernels.energy(self.board[-1], counts) + kernels.pieces_at_fault(self.board[0], lies, at)
        self._least = np.array([least], dtype=np.int64)

    def _scatter(self) -> None:
        for _ in range(SCATTERINGS):
            if kernels.scatter(self.board, self._group, self.scramble, self.random):
                return
        size, symmetry = f"{self._wish.rows}x{self._wish.columns}", ",".join(self._symmetry)
        raise PuzzleError(f"no scramble of {size} with the symmetry {symmetry} was found")

    @property
    def energy(self) -> int:
        """The least so far."""
        return int(self._least[0])

    def go_on(self, thresholds: Numbers, steps: int) -> None:
        """Try so many moves, or fewer if nothing is left to wish for."""
        self.steps += kernels.anneal_on(
            self.board, self._group, self.scramble, self.random, thresholds, self._best, self._least, steps
        )

    def best(self) -> Annealed:
        """The best scramble so far."""
        found = _arrangement(self._best)
        scramble = _without_stays(self._wish.board, found) if self._wish.no_stay else found
        return Annealed(scramble, self.energy, self.steps, self._symmetry)

    def arrangement(self) -> Arrangement:
        """The scramble as it is now."""
        return _arrangement(self.scramble[0])


def _arrangement(lies: Numbers) -> Arrangement:
    """What lies on each square, by the slots of all half-sides."""
    slots = [divmod(int(slot), 4) for slot in lies[::4]]
    arrangement: list[Placement | None] = [None] * len(slots)
    for piece, (square, rotation) in enumerate(slots):
        arrangement[square] = Placement(piece, rotation)
    return tuple(arrangement)


def _without_stays(board: Board, arrangement: Arrangement) -> Arrangement:
    """The assembly, turned as a whole so that as few pieces as can be lie on their squares of assembly A."""
    turned = [board.turned_arrangement(arrangement, quarter_turns) for quarter_turns in board.quarter_turns()]
    return min(turned, key=lambda each: sum(lies is not None and lies.piece == q for q, lies in enumerate(each)))


def _array(numbers: list[int]) -> Numbers:
    return np.array(numbers, dtype=np.uint64)


def _board_tables(wish: Wish) -> tuple[Numbers, ...]:
    """What the kernel must know about the board and the wish."""
    board = wish.board
    squares = range(len(board))
    faced = mating(board, original(board))
    mate = np.where(faced < 0, faced.size, faced).astype(np.uint64)
    classes = [board.square_class(square) for square in squares]
    peers = sorted(squares, key=lambda square: classes[square])
    sorted_classes = sorted(classes)
    place = [number for each in classes for number in (sorted_classes.index(each), classes.count(each))]
    unwanted = np.zeros((len(board), len(board)), dtype=np.uint64)
    for square in squares:
        if wish.no_stay and not (classes[square] == "corner" and board.turns() == 4):
            for quarter_turns in board.quarter_turns():
                unwanted[square, board.turned_square(square, quarter_turns)] = 1
    limits = [wish.free_use, wish.types or 0]
    return mate, _array(place), _array(peers), unwanted.reshape(-1), _array(limits)


@cache
def _thresholds(symmetries: int) -> tuple[Numbers, ...]:
    """What the kernel takes moves by in each stage."""
    temperatures = (HOTTEST - (HOTTEST - COLDEST) * stage / (STAGES - 1) for stage in range(STAGES))
    return tuple(thresholds(symmetries * temperature) for temperature in temperatures)


@cache
def thresholds(temperature: Fraction) -> Numbers:
    """2^32 times the probability of a move that raises the height by 0, 1, 2, ...

    Decimal's exponential function is rounded correctly, so that these numbers are the same everywhere.
    """
    row = [2**32]
    with localcontext(prec=40):
        while row[-1]:
            exponent = -len(row) / temperature
            row.append(int(2**32 * (Decimal(exponent.numerator) / exponent.denominator).exp()))
    return _array(row)
