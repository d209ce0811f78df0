"""Jigsaws with exactly two solutions that are made for two pictures, by annealing scrambles with their tones.

The best assignment of pieces to squares, by tones alone, makes jigsaws with a few connectors and very many solutions.
So the objective also has the uses of each connector, and both are annealed together.  A small price for each join of a
connector beyond the second makes several times as many connectors as a bound on the joins of each connector, at the
same cost, in a fraction of the time.

The kernel's arrays are those of `annealing_kernel`, without symmetries; and ``cost[4 * squares * p + u]``, the cost if
the upper side of piece p lies on slot u.  A move is made if it raises the height by less than one of `limits`, drawn at
random, divided by `STEPS`, times the temperature.  Between two moves `lies` and `at` are inverse to each other and a
scramble, `counts` are its counts, and ``total[0]`` is the sum of the costs of the pieces.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.compiled import inner_kernel, kernel, separate_kernel
from ..base.seeded_random import Chance
from ..base.stop import StoppedError, never
from ..puzzles.board import Arrangement
from ..puzzles.jigsaw_algebra import jigsaw_from_assemblies, least_use, original
from .annealing import Annealing, Wish, Wished, arrangement_of, thresholds
from .annealing_kernel import (
    EXCESS,
    KEPT,
    MAX_USE,
    OLD_PIECES,
    OLD_SLOTS,
    PAIRS,
    SHARED,
    SHARED_WEIGHT,
    UNWANTED,
    UNWANTED_WEIGHT,
    WALKS,
    below,
    changed_half_sides,
    lay,
    pieces_at_fault,
    random_slot,
    tally,
)
from .tones import Tones
from .two_boards import BoardsScramble, BoardsWishes, made_of, slots_by_class
from .two_pictures import Candidate, count_solutions

Made = TypeVar("Made")

#: The average cost of a piece: the unit of temperatures and of prices.
UNIT = 100_000
# The first temperature is at least the price of a join; above it almost nothing is decided.
_HOTTEST, _COLDEST, _PRICE = 6 * UNIT // 100, UNIT // 200, 3 * UNIT // 10
_STAGES, _SLICE, _DRAWN = 64, 1 << 14, 1 << 12
# The moves for each join; with a price their number grows with that of the squares, between two bounds.
_STEPS_PER_JOIN, _PRICED_STEPS, _FEWEST_STEPS, _MOST_STEPS = 100_000, 35, 3_500, 10_000


@dataclass(frozen=True)
class Toned:
    """A scramble and its cost."""

    arrangement: Arrangement  #: The placement on each square of the second assembly
    cost: float  #: The sum of the costs of its pieces, in the unit of the given costs
    is_as_wished: bool = True  #: Whether it meets all requirements
    excess: int = 0  #: The number of joins, over all connectors, above the required use


def anneal_tones(
    wish: Wished,
    costs: NDArray[np.float64],
    seed: int,
    *,
    price: int | None = None,
    steps: int | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[float], None] = lambda _: None,
) -> Toned:
    """Cool a random scramble once: the cheapest one that meets the requirements, or else the last one.

    `costs` has shape (squares, squares, 4): the cost if piece p, unturned on square p in the first assembly, lies on
    square q in the second one, turned clockwise by r quarter turns.  With a `price`, in parts of `UNIT`, connectors may
    be on more joins than wished, and each such join costs it.  `report` is called with the part of the moves done.
    """
    run = Annealing(wish, seed, ())
    mean = float(costs.mean()) or 1.0
    whole = np.rint(costs * (UNIT / mean)).astype(np.int64).reshape(-1)
    total = np.array([total_cost(run.scramble[0], whole)], np.int64)
    if steps is None:
        priced = min(max(_PRICED_STEPS * len(wish.board), _FEWEST_STEPS), _MOST_STEPS)
        steps = (_STEPS_PER_JOIN if price is None else priced) * wish.board.join_count
    weight = _PRICE if price is None else price
    limits, temperatures = _limits(), _temperatures(max(weight, _HOTTEST))
    best: Toned | None = None
    least = done = 0
    cost = mean * int(total[0]) / UNIT
    while done < steps and not must_stop():
        part = min(_SLICE, steps - done)
        temperature = temperatures[done * _STAGES // steps]
        anneal_on(run.board, run.scramble, run.random, whole, total, limits, temperature, weight, part)
        done += part
        cost = int(total[0]) * mean / UNIT
        excess = int(run.scramble[-1][EXCESS])
        height = int(total[0]) + weight * excess
        if (best is None or height < least) and (price is not None or not excess) and _is_as_wished(run):
            best, least = Toned(arrangement_of(run.scramble[0]), cost, True, excess), height
        report(done / steps)
    return best or Toned(arrangement_of(run.scramble[0]), cost, False, int(run.scramble[-1][EXCESS]))


def _is_as_wished(run: Annealing) -> bool:
    """Whether a scramble meets all requirements, except on the joins of a connector."""
    (mate, facing, *_), (lies, at, _, moved, counts) = run.board, run.scramble
    return counts[SHARED] == counts[UNWANTED] == 0 and pieces_at_fault(mate, facing, lies, at, moved) == 0


@cache
def _temperatures(hottest: int) -> tuple[int, ...]:
    """The temperature of each stage, each lower than the one before by the same factor."""
    with localcontext(prec=40):
        factor = (Decimal(_COLDEST) / hottest) ** (Decimal(1) / (_STAGES - 1))
        return tuple(int(hottest * factor**stage) for stage in range(_STAGES))


@cache
def _limits() -> NDArray[np.int64]:
    """The heights, in parts of the temperature (see `STEPS`), below which moves are taken: each is equally likely."""
    rising = thresholds(Fraction(STEPS))[::-1]
    drawn = np.arange(_DRAWN, dtype=np.uint64) * np.uint64(2**32 // _DRAWN) + np.uint64(2**31 // _DRAWN)
    return len(rising) - np.searchsorted(rising, drawn, "right")


# The first price of a join of a connector above the least use; in percent, the price after a jigsaw with two solutions,
# which leaves more to the tones, and the price after another one.
_FIRST_PRICE, _LOWER, _HIGHER = UNIT // 10, 70, 150
# After this number of consecutive scrambles without exactly two solutions the search gives up.
_MOST_FAILURES = 40


def jigsaws_annealed(
    tones: Tones,
    number: int,
    seed: int = 0,
    *,
    max_use: int | None = None,
    no_stay: bool = False,
    earlier: Sequence[Arrangement | None] = (),
    keep: Callable[[Arrangement | None], None] = lambda _: None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[str, float], None] = lambda *_: None,
) -> Iterator[Candidate]:
    """Up to `number` jigsaws with exactly two solutions, annealed for low cost; fewer if the search gives up.

    Without `max_use` each join above the least number has a price, found by trial, as low as two solutions allow.
    `keep` is called with what each trial has found: the second assembly of such a jigsaw, or None; `earlier` has what
    the first trials found in a run that is continued.  `report` is called with a note and the part that is done.

    Raises UsageError if it is known that there is no such jigsaw.
    """
    board = tones.board
    use = least_use(board.join_count) if max_use is None else max_use
    bound = "" if max_use is None else f", connectors on up to {max_use} joins"
    wish = Wish(board.rows, board.columns, use, no_stay)

    def made(arrangement: Arrangement, tried: int, is_known: bool) -> Candidate | None:
        source = f"scramble {tried} annealed for two pictures by seed {seed}{bound}"
        name = f"{board.rows}x{board.columns} jigsaw for two pictures"
        puzzle = jigsaw_from_assemblies(board.rows, board.columns, [original(board), arrangement], name, source)
        solutions = None if is_known else count_solutions(puzzle, 3, must_stop=must_stop)
        is_one = solutions is None or (solutions.exact and solutions.number == 2)
        return Candidate(puzzle, f"scramble {tried}") if is_one else None

    search = _Search(wish, tones.costs.astype(np.float64), seed, max_use, must_stop, report)
    yield from search.found(number, made, earlier, keep)


def boards_annealed(
    tones: Tones,
    number: int,
    seed: int = 0,
    *,
    earlier: Sequence[Arrangement | None] = (),
    keep: Callable[[Arrangement | None], None] = lambda _: None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[str, float], None] = lambda *_: None,
) -> Iterator[Candidate]:
    """Up to `number` jigsaws of two boards with one solution on each, annealed as by `jigsaws_annealed`.

    A scramble has the placement on each slot of a `BoardsScramble`.  The piece that is left over on the second board
    costs nothing.  Raises UsageError if there are no such jigsaws.
    """
    assert tones.other is not None
    board, other, slots = tones.board, tones.other, slots_by_class(tones.board, tones.other)
    sizes = " and ".join(f"{each.rows}x{each.columns}" for each in (board, other))
    wishes = BoardsWishes(board, other, None, seed, f"{sizes} jigsaw for two pictures")
    costs = np.zeros((len(board), len(board), 4))
    for slot, square in enumerate(slots):
        if square < len(other):
            costs[:, slot] = tones.costs[:, square]

    def made(arrangement: Arrangement, tried: int, is_known: bool) -> Candidate | None:
        lies = {each.piece: (slots[slot], each.rotation) for slot, each in enumerate(arrangement) if each is not None}
        source = f"scramble {tried} annealed for two pictures by seed {seed}"
        try:
            jigsaw = made_of(wishes, lies, must_stop, source)
        except StoppedError:
            return None
        return None if jigsaw is None else Candidate(jigsaw.first, f"scramble {tried}", jigsaw.second)

    wish = BoardsScramble(board, other, slots, least_use(board.join_count))
    yield from _Search(wish, costs, seed, None, must_stop, report).found(number, made, earlier, keep)


@dataclass(frozen=True)
class _Search:
    """A search for jigsaws by annealing scrambles in turn; the fields are parameters of `jigsaws_annealed`."""

    wish: Wished
    costs: NDArray[np.float64]
    seed: int
    max_use: int | None
    must_stop: Callable[[], bool]
    report: Callable[[str, float], None]

    def found(
        self,
        number: int,
        made: Callable[[Arrangement, int, bool], Made | None],
        earlier: Sequence[Arrangement | None] = (),
        keep: Callable[[Arrangement | None], None] = lambda _: None,
    ) -> Iterator[Made]:
        """Up to `number` jigsaws.

        `made` makes one of a scramble, or None if it has other solutions; it gets the number of the trial, and whether
        an earlier run has made it.
        """
        chance, tried, found, failures = Chance(self.seed), 0, 0, 0
        price = _FIRST_PRICE if self.max_use is None else None
        bound = "" if self.max_use is None else f", connectors on up to {self.max_use} joins"
        while found < number and failures < _MOST_FAILURES and not self.must_stop():
            tried += 1
            failures += 1
            what, own_seed = f"scramble {tried}{bound}", chance.below(2**53)

            def tell(note: str, part: float, what: str = what, before: int = found) -> None:
                self.report(f"{what}, {note}", (before + part) / number)

            is_known = tried <= len(earlier)
            arrangement = earlier[tried - 1] if is_known else self._annealed(own_seed, price, tell)
            jigsaw = None if arrangement is None else made(arrangement, tried, is_known)
            if not is_known:
                if jigsaw is None and self.must_stop():
                    return
                keep(None if jigsaw is None else arrangement)
            if jigsaw is not None:
                found, failures = found + 1, 0
                yield jigsaw
            price = None if price is None else price * (_HIGHER if jigsaw is None else _LOWER) // 100

    def _annealed(self, seed: int, price: int | None, tell: Callable[[str, float], None]) -> Arrangement | None:
        """A scramble annealed once; None if it does not meet the requirements."""
        toned = anneal_tones(
            self.wish, self.costs, seed, price=price, must_stop=self.must_stop,
            report=lambda part: tell(f"{100 * part:.0f} % annealed", part),
        )  # fmt: skip
        if not toned.is_as_wished:
            return None
        tell("counting solutions", 1)
        return toned.arrangement


#: Thresholds for each temperature's worth of height.
STEPS = 64

_0, _1, _2, _4, _7 = (np.uint64(i) for i in (0, 1, 2, 4, 7))
_PLUS, _MINUS = np.int64(1), np.int64(-1)


@separate_kernel
def faults(counts):
    """The distance of a scramble from an acceptable one, plus a penalty for what tends to make equal pieces."""
    return SHARED_WEIGHT * counts[SHARED] + UNWANTED_WEIGHT * counts[UNWANTED] + counts[EXCESS] + counts[PAIRS]


@kernel
def total_cost(lies, cost):
    """The cost of all pieces in their places."""
    size = np.uint64(len(lies))
    total = np.int64(0)
    for p in range(size // _4):
        total += cost[size * p + lies[_4 * p]]
    return total


@kernel
def anneal_on(board, scramble, random, cost, total, limits, temperature, weight, steps):
    """Try a number of moves: two pieces change places, or one turns; each fault costs `weight`."""
    for _ in range(steps):
        _try_move(board, scramble, random, cost, total, limits, temperature, weight)


@inner_kernel
def _try_move(board, scramble, random, cost, total, limits, temperature, weight):
    mate, facing, place, peers, unwanted, wish = board
    lies, at, marks, moved, counts = scramble
    size = np.uint64(len(mate))
    p = below(random, size // _4)
    q = peers[place[_2 * p] + below(random, place[_2 * p + _1])]
    from_p, from_q = lies[_4 * p], lies[_4 * q]
    to_p, to_q = random_slot(mate, facing, random, p, from_q >> _2), random_slot(mate, facing, random, q, from_p >> _2)
    opened = _2
    rise = cost[size * p + to_p] - cost[size * p + from_p]
    if p == q:
        if to_p == from_p:
            return
        opened, to_q = _1, to_p
    else:
        rise += cost[size * q + to_q] - cost[size * q + from_q]
    # The limit is drawn first, so that many moves are refused before their joins are counted.
    limit = limits[below(random, np.uint64(len(limits)))] * temperature // STEPS
    if rise - weight * _most_gained(counts, wish) >= limit:
        return
    moved[OLD_PIECES, _0], moved[OLD_SLOTS, _0] = p, from_p
    moved[OLD_PIECES, _1], moved[OLD_SLOTS, _1] = q, from_q
    for i in range(WALKS):
        counts[KEPT + i] = counts[i]
    before = faults(counts)
    changed = changed_half_sides(mate, facing, lies, at, moved, opened)
    tally(mate, facing, lies, at, unwanted, wish, marks, moved, opened, changed, _MINUS, counts)
    # What is left has these faults, too.
    if rise + weight * (faults(counts) - before) < limit:
        lay(lies, at, p, to_p)
        lay(lies, at, q, to_q)
        tally(mate, facing, lies, at, unwanted, wish, marks, moved, opened, changed, _PLUS, counts)
        if rise + weight * (faults(counts) - before) < limit:
            total[0] += rise
            return
        lay(lies, at, p, from_p)
        lay(lies, at, q, from_q)
    for i in range(WALKS):
        counts[i] = counts[KEPT + i]


@separate_kernel
def _most_gained(counts, wish):
    """A bound on the faults that a move can remove: its eight joins are in one to eight classes."""
    excess = min(counts[EXCESS], np.int64(_7 * wish[MAX_USE]))
    return SHARED_WEIGHT * counts[SHARED] + UNWANTED_WEIGHT * counts[UNWANTED] + counts[PAIRS] + excess
