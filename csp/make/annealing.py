"""Jigsaws with two solutions, by annealing.

Assembly A has piece p on square p, unturned.  A *scramble* is a second assembly of the same pieces.  The joins of both
determine which sides must have the same connector, and so define the jigsaw.  Connector classes are the cycles of
darts that meet alternately in A and in the scramble; a class with two joins of each is a connector that is used
twice.  Perfect jigsaws have only such classes.  Among scrambles with well-chosen symmetries these are dense enough to
be found within seconds: a change at one place is made at all places of its orbit.

A scramble sends each dart a of assembly A to a slot u of the second assembly; both are numbered 4 * square + side.
A board symmetry g acts on darts and on slots alike.  A scramble T can have a *direct* symmetry, T g = h T, and an
*inverse* one, h = T g T.  Either makes another pair out of each pair (a, u) of T: (g(a), h(u)), or (g(u), h(a)).

A seed gives the same scramble on every machine: all decisions use integers only, and time only stops the work.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import cycle, product
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..base.errors import PuzzleError, UsageError, shortened
from ..base.seeded_random import Chance
from ..base.stop import never
from ..puzzles.board import Arrangement, Board, Placement
from ..puzzles.jigsaw_algebra import mating, most_connectors, original
from . import annealing_kernel as kernels

Numbers = npt.NDArray[np.uint64]

# The first and the last temperature of a run, and the number of stages.  The unit is the kernel's height times the
# number of symmetries, because a move changes that number of places in the same way.
HOTTEST, COLDEST, STAGES = Fraction(2), Fraction(4, 5), 32
# The same for runs that start at a form (see `starting_form`), which melts at about 3/2; and the moves for each join.
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

# The groups to try in turn, by their generators (see `parsed_symmetry`): those that gave jigsaws with
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

#: The image of each dart.
Permutation = tuple[int, ...]


class Element(NamedTuple):
    """A symmetry: it makes (first[a], second[u]), or if it is inverse (first[u], second[a]), out of (a, u)."""

    inverse: bool
    first: Permutation
    second: Permutation

    def after(self, other: "Element") -> "Element":
        """The symmetry that does `other` first, and then this one."""
        then = (other.second, other.first) if self.inverse else (other.first, other.second)
        return Element(self.inverse != other.inverse, composed(self.first, then[0]), composed(self.second, then[1]))


def composed(then: Permutation, before: Permutation) -> Permutation:
    """The permutation that does `before` first, and then `then`."""
    return tuple(then[x] for x in before)


def board_symmetry(board: Board, quarter_turns: int, *, mirrored: bool) -> Permutation:
    """Where darts go when the board is mirrored left to right, if it is to be, and then turned clockwise."""
    images: list[int] = []
    for square, side in product(range(len(board)), range(4)):
        if mirrored:
            row, column = divmod(square, board.columns)
            square, side = board.square(row, board.columns - 1 - column), -side
        images.append(4 * board.turned_square(square, quarter_turns) + (side + quarter_turns) % 4)
    return tuple(images)


def parsed_symmetry(board: Board, text: str, letter: str, number: int, what: str) -> tuple[bool, list[Permutation]]:
    """A symmetry from text: whether it begins with the letter, and that number of symmetries of the board.

    The first character is the letter or ``d``; each of the others is a number of quarter turns, plus 4 if the board is
    mirrored left to right before.  Either all are mirrored or none is.  `what` names such symmetries in errors.
    """
    is_one = re.fullmatch(f"[d{letter}]([0-3]{{{number}}}|[4-7]{{{number}}})", text)
    if not is_one or (board.turns() == 2 and re.search("[1357]", text)):
        raise PuzzleError(f"{shortened(text)} is not a symmetry of {what} of a {board.rows}x{board.columns} board")
    return text[0] == letter, [board_symmetry(board, int(code) % 4, mirrored=int(code) >= 4) for code in text[1:]]


@cache
def group(board: Board, generators: tuple[str, ...]) -> tuple[Element, ...]:
    """All symmetries that the generators make, the identity first; ``d`` is a direct one, ``i`` an inverse one."""
    parsed = (parsed_symmetry(board, text, "i", 2, "scrambles") for text in generators)
    identity = tuple(range(4 * len(board)))
    return generated(Element(False, identity, identity), [Element(inverse, *both) for inverse, both in parsed])


def generated(identity: Any, made: Sequence[Any]) -> tuple[Any, ...]:
    """All elements of the group that some elements make, the identity first."""
    elements, waiting = {identity: None}, [identity]
    while waiting:
        known = waiting.pop()
        for more in (each.after(known) for each in made):
            if more not in elements:
                elements[more] = None
                waiting.append(more)
    return tuple(elements)


@dataclass(frozen=True)
class Wish:
    """The requirements on a scramble.  No join may be in both assemblies, and no piece equal to another or symmetric.

    Raises UsageError if it is known that there is no such scramble.
    """

    #: The size of the board.
    rows: int
    columns: int
    max_use: int = 2  #: The largest number of joins of an assembly with the same connector
    #: Whether no piece may lie on the same square in both assemblies, however the second one is turned as a whole.  On
    #: a square board this is impossible for corners, each of which returns to its place by some turn; the scramble is
    #: turned so that no corner stays.
    no_stay: bool = False
    types: int | None = None  #: The number of connectors; `max_use` is ignored then

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

    def group(self, generators: tuple[str, ...]) -> tuple[Element, ...]:
        """All symmetries that the generators make, the identity first."""
        return group(self.board, generators)

    def tables(self) -> tuple[Numbers, ...]:
        """The kernel's data of the board and the requirements."""
        board, squares = self.board, range(len(self.board))
        mate = inner_mates(board)
        classes = [board.square_class(square) for square in squares]
        unwanted = np.zeros((len(board), len(board)), dtype=np.uint64)
        for square in squares:
            if self.no_stay and not (classes[square] == "corner" and board.turns() == 4):
                for quarter_turns in board.quarter_turns():
                    unwanted[square, board.turned_square(square, quarter_turns)] = 1
        # The use up to which a connector costs nothing is the average use if a number of types is required.
        limits = [self.max_use if self.types is None else -(-self.joins // self.types), self.types or 0]
        place, peers, limits = (np.array(each, dtype=np.uint64) for each in (*peers_by_class(classes), limits))
        return mate, mate, place, peers, unwanted.reshape(-1), limits


@dataclass(frozen=True)
class Annealed:
    """A scramble, and how it was found."""

    arrangement: Arrangement  #: The placement on each square of the second assembly
    energy: int  #: The distance from the requirements; 0 is success
    steps: int  #: The number of moves tried
    #: The generators of its symmetry group, before it was turned as a whole in case no piece may stay.
    symmetry: tuple[str, ...]
    third: Arrangement = ()  #: The placement on each square of a third assembly; empty where only two are made


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
    """Cool a random scramble, or `start`, once; return the best one met, which is the last if it is as wished.

    It has the symmetries that `symmetry` generates, as has `start`, which is warmed a little, so that the result
    differs from it.  Raises PuzzleError if scrambles with that symmetry cannot be found.
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


def starting_form(wish: Wish) -> Callable[[int, int, Chance], Arrangement] | None:
    """What draws the scramble at which annealings for a large board start; None if they start at random ones."""
    if wish.no_stay or wish.types is not None or len(wish.board) <= MOST_FROM_SCRATCH:
        return None
    from .closed_forms import draw_column_form, draw_row_form, has_column_form, has_row_form

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

    `earlier` are the outcomes of the first annealings, if they are known; `keep` is called with those of the others,
    and `report` with the best scramble so far, whose steps are those of all attempts.  `attempt` anneals once.  Raises
    PuzzleError if scrambles with the symmetries that are tried cannot be found.
    """
    chance = Chance(seed)
    done, best = 0, None

    def tell(now: Annealed) -> None:
        nonlocal best
        if best is None or now.energy < best.energy:
            best = now
        report(replace(best, steps=done + now.steps))

    known = iter(earlier)
    draw = starting_form(wish) if groups is None else None
    for symmetry in cycle(groups or (FORM_SYMMETRIES if draw else symmetries(wish))):
        own_seed, found = chance.below(2**53), next(known, None)
        if found is None:
            starting = {"start": draw(wish.rows, wish.columns, Chance(own_seed))} if draw else {}
            found = attempt(wish, own_seed, symmetry=symmetry, must_stop=must_stop, report=tell, **starting)
            if found.energy == 0 or not must_stop():
                keep(found)
        tell(found)
        done += found.steps
        if found.energy == 0:
            yield replace(found, steps=done)
        if must_stop():
            return


class Wished(Protocol):
    """What an annealing needs to know of the requirements on a scramble, as a `Wish` has it."""

    @property
    def board(self) -> Board: ...

    @property
    def no_stay(self) -> bool: ...

    def group(self, generators: tuple[str, ...]) -> tuple[Element, ...]: ...

    def tables(self) -> tuple[Numbers, ...]: ...


class Annealing:
    """One annealing; `board`, `scramble` and `random` are the kernels' parameters of these names."""

    def __init__(self, wish: Wished, seed: int, symmetry: tuple[str, ...], start: Arrangement | None = None) -> None:
        self._wish, self._symmetry = wish, symmetry
        size = 4 * len(wish.board)
        elements = wish.group(symmetry)
        self._group = tuple(np.array(part, dtype=np.uint64).reshape(-1) for part in zip(*elements, strict=True))
        hottest, coldest = (HOTTEST, COLDEST) if start is None else (FORM_HOTTEST, FORM_COLDEST)
        temperatures = (hottest - (hottest - coldest) * stage / (STAGES - 1) for stage in range(STAGES))
        self.stages = [thresholds(len(elements) * temperature) for temperature in temperatures]
        self.board = wish.tables()
        # A move opens at most two pieces for each element, and the four darts of each may get new partners.
        moved = np.zeros((kernels.ROWS, max(size, 16 * len(elements))), dtype=np.uint64)
        counts = np.zeros(kernels.COUNTS, dtype=np.int64)
        lies, at, marks = (np.zeros(length, dtype=np.uint64) for length in (size, size, size + size // 2))
        self.scramble = lies, at, marks, moved, counts
        # The state must not be 0.
        self.random = np.array([2 * Chance(seed).below(2**53) + 1], dtype=np.uint64)
        self.steps = 0
        if start is not None:
            self._lay(start)
        elif not any(kernels.scatter(self.board, self._group, self.scramble, self.random) for _ in range(SCATTERINGS)):
            size, names = f"{wish.board.rows}x{wish.board.columns}", ",".join(symmetry)
            raise PuzzleError(f"no scramble of {size} with the symmetry {names} was found")
        self._best, self._least = lies.copy(), np.zeros(1, dtype=np.int64)
        self._forget()

    def _lay(self, start: Arrangement) -> None:
        lies, at, marks, moved, counts = self.scramble
        for square, placed in enumerate(start):
            if placed is not None:
                kernels.lay(lies, at, np.uint64(placed.piece), np.uint64(4 * square + placed.rotation))
        mate, facing, _, _, unwanted, wish = self.board
        kernels.tally_all(mate, facing, lies, at, unwanted, wish, marks, moved, counts)

    def _forget(self) -> None:
        """Make the current scramble the best so far."""
        lies, at, _, moved, counts = self.scramble
        self._best[:] = lies
        mate, facing, *_, wish = self.board
        self._least[0] = kernels.energy(wish, counts) + kernels.pieces_at_fault(mate, facing, lies, at, moved)

    def warm(self, steps: int) -> None:
        """Try `steps` moves at the hottest temperature, whatever scrambles are met."""
        end = self.steps + steps
        while self.steps < end:
            self._least[0] = MOST_SQUARES**2
            self.go_on_at(0, end - self.steps)
        self._forget()

    @property
    def energy(self) -> int:
        """The least energy so far."""
        return int(self._least[0])

    def go_on_at(self, stage: int, steps: int) -> None:
        """Try `steps` moves at the temperature of a stage, or fewer if all requirements are met."""
        self.steps += kernels.anneal_on(
            *(self.board, self._group, self.scramble, self.random),
            *(self.stages[stage], self._best, self._least, steps),
        )

    def best(self) -> Annealed:
        """The best scramble so far."""
        board, found = self._wish.board, arrangement_of(self._best)
        if self._wish.no_stay:
            # Turned as a whole so that as few pieces as possible lie on their squares of assembly A.
            turned = (board.turned_arrangement(found, turns) for turns in board.quarter_turns())
            found = min(turned, key=lambda each: sum(bool(one and one.piece == q) for q, one in enumerate(each)))
        return Annealed(found, self.energy, self.steps, self._symmetry)


def arrangement_of(lies: npt.NDArray[np.integer]) -> Arrangement:
    """The placement on each square, by the slots of all darts."""
    slots = [divmod(int(slot), 4) for slot in lies[::4]]
    arrangement: list[Placement | None] = [None] * len(slots)
    for piece, (square, rotation) in enumerate(slots):
        arrangement[square] = Placement(piece, rotation)
    return tuple(arrangement)


def inner_mates(board: Board) -> Numbers:
    """The dart that each one meets on the board, if each piece is on the square of its number; else their number."""
    faced = mating(board, original(board))
    return np.where(faced < 0, faced.size, faced).astype(np.uint64)


def peers_by_class(classes: Sequence[Any]) -> tuple[list[int], list[int]]:
    """For each square where its class begins among the peers, and the size of the class; and the squares by class."""
    ordered = sorted(classes)
    place = [number for each in classes for number in (ordered.index(each), classes.count(each))]
    return place, sorted(range(len(classes)), key=lambda square: classes[square])


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
    return np.array(row, dtype=np.uint64)
