"""Jigsaws with two solutions, by annealing.

Assembly A has piece p on square p, unturned.  A *scramble* is a second assembly of the same pieces.  The joins of both
determine which sides must have the same connector, and so define the jigsaw.  Connector classes are the cycles of
darts that meet alternately in A and in the scramble; a class with two joins of each is a connector that is used
twice.  Perfect jigsaws have only such classes.  Among scrambles with well-chosen symmetries (see `scramble_symmetry`)
these are dense enough to be found within seconds.

A seed gives the same scramble on every machine: all decisions use integers only, and time only stops the work.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import cycle
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..base.errors import PuzzleError, UsageError
from ..base.seeded_random import Chance
from ..base.stop import never
from ..puzzles.board import Arrangement, Board, Placement
from ..puzzles.jigsaw_algebra import mating, most_connectors, original
from . import annealing_kernel as kernels
from .closed_forms.column_form import draw_column_form, has_column_form
from .closed_forms.row_form import draw_row_form, has_row_form
from .scramble_symmetry import group, tables

Numbers = npt.NDArray[np.uint64]

# The first and the last temperature of a run, and the number of stages.  The unit is the kernel's height times the
# number of symmetries, because a move changes that number of places in the same way.
HOTTEST, COLDEST, STAGES = Fraction(2), Fraction(4, 5), 32
# The same for runs that start at a form (see `form_of`), which melts at about 3/2; and the moves for each join.
FORM_HOTTEST, FORM_COLDEST = Fraction(6, 5), Fraction(4, 5)
FORM_STEPS_PER_JOIN = 5000
# Boards with more squares start at a form: annealings from random scrambles take long there.
MOST_FROM_SCRATCH = 100
# Moves between two checks whether to stop: less than a tenth of a second.
SLICE = 16_384
STEPS_PER_JOIN = 1000
# The kernel has 16 bits for a dart, and a table of all pairs of squares.
MOST_SQUARES = 1024
# After this number of failed random scrambles there is probably no scramble.
SCATTERINGS = 200

# The groups to try in turn, by their generators (see `scramble_symmetry.generator`): those that gave jigsaws with
# exactly two solutions most quickly, for boards that are square or not, with even (0) or odd (1) rows and columns.
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
# The symmetries of all forms.
FORM_SYMMETRIES = (("d22",),)

# Before these, if a number of types is wanted: in large groups classes have large orbits, so not every number of
# classes is possible.
TYPES_SYMMETRIES = (("d22", "i00"), ("d22",), ("i00",), ())


@dataclass(frozen=True)
class Wish:
    """The requirements on a scramble.  No join may be in both assemblies, and no piece equal to another or symmetric.

    Raises UsageError if it is known that there is no such scramble.
    """

    #: The size of the board.
    rows: int
    columns: int
    #: The largest number of joins of an assembly with the same connector.
    max_use: int = 2
    #: Whether no piece may lie on the same square in both assemblies, however the second one is turned as a whole.  On
    #: a square board this is impossible for corners, each of which returns to its place by some turn; the scramble is
    #: turned so that no corner stays.
    no_stay: bool = False
    #: The number of connectors; `max_use` is ignored then.
    types: int | None = None

    def __post_init__(self) -> None:
        size = f"a {self.rows}x{self.columns} board"
        if min(self.rows, self.columns) < 2:
            raise UsageError(
                f"{size} is too narrow for jigsaws with two solutions; rows and columns must be at least 2"
            )
        if self.rows * self.columns > MOST_SQUARES:
            raise UsageError(f"{size} is too large for annealing; at most {MOST_SQUARES} squares are supported")
        if self.types is None and self.max_use < 2:
            raise UsageError(f"must be 2 or more, not {self.max_use}: no join may be in both assemblies", "max_use")
        most = most_connectors(self.joins)
        if self.types is None and self.max_use == 2 and self.joins % 2:
            raise UsageError(
                f"must be 3 or more, not 2: {size} has {self.joins} joins, an odd number; at most {most} connectors "
                "are possible, of which three are on 3 joins, or one is and another on 4",
                "max_use",
            )
        if self.types is not None and not 1 <= self.types <= most:
            why = ", and the joins of the frame are on an even number of connectors" if self.joins % 2 else ""
            raise UsageError(f"must lie between 1 and {most}, as {size} has {self.joins} joins{why}", "types")
        if self.no_stay and self.rows % 2 and self.columns % 2:
            raise UsageError(f"on {size} the piece in the middle stays for every turn of the board", "no_stay")
        if self.no_stay and self.rows == self.columns == 4:
            raise UsageError(f"on {size} every inner piece returns to its square by some turn of the board", "no_stay")

    @property
    def board(self) -> Board:
        return Board(self.rows, self.columns)

    @property
    def joins(self) -> int:
        """The number of joins of an assembly."""
        return self.board.join_count

    @property
    def free_use(self) -> int:
        """The use up to which a connector costs nothing; with a required number of types, their average."""
        return self.max_use if self.types is None else -(-self.joins // self.types)


@dataclass(frozen=True)
class Annealed:
    """A scramble, and how it was found."""

    #: The placement on each square of the second assembly.
    arrangement: Arrangement
    #: The distance from the requirements; 0 is success.
    energy: int
    #: The number of moves tried.
    steps: int
    #: The generators of its symmetry group, before it was turned as a whole in case no piece may stay.
    symmetry: tuple[str, ...]
    #: The placement on each square of a third assembly; empty where only two are made.
    third: Arrangement = ()


def anneal(
    wish: Wish,
    seed: int,
    *,
    symmetry: tuple[str, ...] = (),
    start: Arrangement | None = None,
    steps: int | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
) -> Annealed:
    """Cool a random scramble once; return the best one met, which is the last one if it meets all requirements.

    - `wish`: the requirements on the scramble.
    - `seed`: the random seed.
    - `symmetry`: generators of the group whose symmetries the scramble has.
    - `start`: the scramble to begin with, which has these symmetries; by default a random one.  It is warmed a little,
      so that the result differs from it even if it meets all requirements.
    - `steps`: the number of moves to try; the default is chosen so that with fewer moves most attempts fail, and with
      more moves another attempt would be quicker.
    - `must_stop`: is called several times a second; returns whether to stop.
    - `report`: is called with the best so far each time.

    Raises PuzzleError if scrambles with that symmetry cannot be found.
    """
    run = Annealing(wish, seed, symmetry, start)
    if steps is None:
        steps = wish.joins * (STEPS_PER_JOIN if start is None else FORM_STEPS_PER_JOIN)
    if start is not None:
        run.warm(steps // STAGES)
    return cool(run, steps, SLICE, must_stop, report)


class Cooling(Protocol):
    """A run that is cooled: its moves so far, its least energy, and the best that it has met."""

    steps: int

    @property
    def energy(self) -> int: ...

    def go_on_at(self, stage: int, steps: int) -> None: ...

    def best(self) -> Annealed: ...


def cool(
    run: Cooling, steps: int, most: int, must_stop: Callable[[], bool], report: Callable[[Annealed], None]
) -> Annealed:
    """Lower the temperature until `steps` moves are done; report after `most` moves or fewer; return the best."""
    while run.steps < steps and run.energy and not must_stop():
        stage = run.steps * STAGES // steps
        end = -(-steps * (stage + 1) // STAGES)
        run.go_on_at(stage, min(most, end - run.steps))
        report(run.best())
    return run.best()


def symmetries(wish: Wish) -> tuple[tuple[str, ...], ...]:
    """Groups that work well for such boards and requirements, by their generators."""
    square = wish.rows == wish.columns
    usual = SYMMETRIES[square, wish.rows % 2, wish.columns % 2]
    groups = NO_STAY_SYMMETRIES if wish.no_stay and square else usual
    return groups if wish.types is None else (*TYPES_SYMMETRIES, *groups)


def form_of(wish: Wish, seed: int) -> Arrangement | None:
    """The scramble at which annealings for a large board start; None if they start at random scrambles."""
    draw = _drawn_form(wish)
    return None if draw is None else draw(wish.rows, wish.columns, Chance(seed))


def _drawn_form(wish: Wish) -> Callable[[int, int, Chance], Arrangement] | None:
    """What draws such a scramble."""
    if wish.no_stay or wish.types is not None or len(wish.board) <= MOST_FROM_SCRATCH:
        return None
    if has_row_form(wish.rows, wish.columns):
        return draw_row_form if wish.max_use == 3 else None
    return draw_column_form if wish.max_use == 2 and has_column_form(wish.rows, wish.columns) else None


def scrambles(
    wish: Wish,
    seed: int,
    *,
    groups: Sequence[tuple[str, ...]] | None = None,
    earlier: Iterable[Annealed] = (),
    keep: Callable[[Annealed], None] = lambda _: None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
    attempt: Callable[..., Annealed] = anneal,
) -> Iterator[Annealed]:
    """Scrambles that meet all requirements, one after the other, until `must_stop` returns true.

    - `wish`: the requirements on the scrambles.
    - `seed`: the random seed.
    - `groups`: symmetry groups to try in turn, by their generators; by default those of `symmetries`, or with a form to
      start at (see `form_of`) the half turn of the board.
    - `earlier`: the outcomes of the first annealings, if they are known.
    - `keep`: is called with the outcome of each of the other annealings.
    - `must_stop`: is called several times a second; returns whether to stop.
    - `report`: is called with the best scramble so far each time; its steps are those of all attempts.
    - `attempt`: what anneals once: `anneal`, or a function with these parameters.

    Raises PuzzleError if scrambles with the symmetries that are tried cannot be found.
    """
    chance = Chance(seed)
    done, best = 0, None

    def tell(now: Annealed) -> None:
        nonlocal best
        if best is None or now.energy < best.energy:
            best = now
        report(replace(best, steps=done + now.steps))

    known = iter(earlier)
    has_form = groups is None and _drawn_form(wish) is not None
    for symmetry in cycle(groups or (FORM_SYMMETRIES if has_form else symmetries(wish))):
        own_seed, found = chance.below(2**53), next(known, None)
        if found is None:
            starting = {"start": form_of(wish, own_seed)} if has_form else {}
            found = attempt(wish, own_seed, symmetry=symmetry, must_stop=must_stop, report=tell, **starting)
            if found.energy == 0 or not must_stop():
                keep(found)
        tell(found)
        done += found.steps
        if found.energy == 0:
            yield replace(found, steps=done)
        if must_stop():
            return


class Annealing:
    """One annealing: the arrays of the kernel.

    `board`, `scramble` and `random` are the kernels' parameters of these names.
    """

    def __init__(self, wish: Wish, seed: int, symmetry: tuple[str, ...], start: Arrangement | None = None) -> None:
        self._wish, self._symmetry = wish, symmetry
        size = 4 * len(wish.board)
        elements = group(wish.board, symmetry)
        self._group = tuple(tables(elements))
        self.stages = _thresholds(len(elements), start is not None)
        self.board = _board_tables(wish)
        # A move opens at most two pieces for each element, and the four darts of each may get new partners.
        moved = np.zeros((kernels.ROWS, max(size, 16 * len(elements))), dtype=np.uint64)
        counts = np.zeros(kernels.COUNTS, dtype=np.int64)
        lies, at, marks = (np.zeros(length, dtype=np.uint64) for length in (size, size, size + size // 2))
        self.scramble = lies, at, marks, moved, counts
        # The state must not be 0.
        self.random = _array([2 * Chance(seed).below(2**53) + 1])
        self.steps = 0
        if start is None:
            self._scatter()
        else:
            self._lay(start)
        self._best, self._least = lies.copy(), np.zeros(1, dtype=np.int64)
        self._forget()

    def _scatter(self) -> None:
        for _ in range(SCATTERINGS):
            if kernels.scatter(self.board, self._group, self.scramble, self.random):
                return
        size, symmetry = f"{self._wish.rows}x{self._wish.columns}", ",".join(self._symmetry)
        raise PuzzleError(f"no scramble of {size} with the symmetry {symmetry} was found")

    def _lay(self, start: Arrangement) -> None:
        lies, at, marks, moved, counts = self.scramble
        for square, placed in enumerate(start):
            if placed is not None:
                kernels.lay(lies, at, np.uint64(placed.piece), np.uint64(4 * square + placed.rotation))
        mate, _, _, unwanted, wish = self.board
        kernels.tally_all(mate, lies, at, unwanted, wish, marks, moved, counts)

    def _forget(self) -> None:
        """Make the current scramble the best so far."""
        lies, at, _, _, counts = self.scramble
        self._best[:] = lies
        self._least[0] = kernels.energy(self.board[-1], counts) + kernels.pieces_at_fault(self.board[0], lies, at)

    def warm(self, steps: int) -> None:
        """Try `steps` moves at the hottest temperature, whatever scrambles are met."""
        end = self.steps + steps
        while self.steps < end:
            self._least[0] = MOST_SQUARES**2
            self.go_on(self.stages[0], end - self.steps)
        self._forget()

    @property
    def energy(self) -> int:
        """The least energy so far."""
        return int(self._least[0])

    def go_on(self, thresholds: Numbers, steps: int) -> None:
        """Try `steps` moves, or fewer if all requirements are met."""
        self.steps += kernels.anneal_on(
            self.board, self._group, self.scramble, self.random, thresholds, self._best, self._least, steps
        )

    def go_on_at(self, stage: int, steps: int) -> None:
        """The same at the temperature of a stage."""
        self.go_on(self.stages[stage], steps)

    def best(self) -> Annealed:
        """The best scramble so far."""
        found = arrangement_of(self._best)
        scramble = _without_stays(self._wish.board, found) if self._wish.no_stay else found
        return Annealed(scramble, self.energy, self.steps, self._symmetry)

    def arrangement(self) -> Arrangement:
        """The current scramble."""
        return arrangement_of(self.scramble[0])


def arrangement_of(lies: npt.NDArray[np.integer]) -> Arrangement:
    """The placement on each square, by the slots of all darts."""
    slots = [divmod(int(slot), 4) for slot in lies[::4]]
    arrangement: list[Placement | None] = [None] * len(slots)
    for piece, (square, rotation) in enumerate(slots):
        arrangement[square] = Placement(piece, rotation)
    return tuple(arrangement)


def _without_stays(board: Board, arrangement: Arrangement) -> Arrangement:
    """The assembly, turned as a whole so that as few pieces as possible lie on their squares of assembly A."""
    turned = [board.turned_arrangement(arrangement, quarter_turns) for quarter_turns in board.quarter_turns()]
    return min(turned, key=lambda each: sum(lies is not None and lies.piece == q for q, lies in enumerate(each)))


def _array(numbers: list[int]) -> Numbers:
    return np.array(numbers, dtype=np.uint64)


def _board_tables(wish: Wish) -> tuple[Numbers, ...]:
    """The kernel's data of the board and the requirements."""
    board = wish.board
    squares = range(len(board))
    faced = mating(board, original(board))
    mate = np.where(faced < 0, faced.size, faced).astype(np.uint64)
    classes = [board.square_class(square) for square in squares]
    place, peers = peers_by_class(classes)
    unwanted = np.zeros((len(board), len(board)), dtype=np.uint64)
    for square in squares:
        if wish.no_stay and not (classes[square] == "corner" and board.turns() == 4):
            for quarter_turns in board.quarter_turns():
                unwanted[square, board.turned_square(square, quarter_turns)] = 1
    limits = [wish.free_use, wish.types or 0]
    return mate, _array(place), _array(peers), unwanted.reshape(-1), _array(limits)


def peers_by_class(classes: Sequence[Any]) -> tuple[list[int], list[int]]:
    """For each square where its class begins among the peers, and the size of the class; and the squares by class."""
    ordered = sorted(classes)
    place = [number for each in classes for number in (ordered.index(each), classes.count(each))]
    return place, sorted(range(len(classes)), key=lambda square: classes[square])


@cache
def _thresholds(symmetries: int, has_form: bool) -> tuple[Numbers, ...]:
    """The kernel's acceptance thresholds of each stage."""
    hottest, coldest = (FORM_HOTTEST, FORM_COLDEST) if has_form else (HOTTEST, COLDEST)
    temperatures = (hottest - (hottest - coldest) * stage / (STAGES - 1) for stage in range(STAGES))
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
