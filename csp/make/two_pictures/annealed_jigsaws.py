"""Jigsaws with exactly two solutions that are made for two pictures, by annealing scrambles with their tones.

The best assignment of pieces to squares, by tones alone, makes jigsaws with a few connectors and very many solutions.
So the objective also has the uses of each connector, and both are annealed together.  A small price for each join of a
connector beyond the second makes several times as many connectors as a bound on the joins of each connector, at the
same cost, in a fraction of the time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...base.seeded_random import Chance
from ...base.stop import never
from ...puzzles.board import Arrangement, Board
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.jigsaw_algebra import jigsaw_from_assemblies, least_use, original
from ..annealing import Annealing, Wish, thresholds
from ..annealing_kernel import EXCESS, SHARED, UNWANTED, pieces_at_fault
from . import annealing_kernel as kernels
from .choice import Candidate, count_solutions
from .tones import Tones

#: The average cost of a piece: the unit of temperatures and of prices.
UNIT = 100_000
_HOTTEST, _COLDEST, _PRICE = UNIT // 2, UNIT // 200, 3 * UNIT // 10
_STAGES, _SLICE = 64, 1 << 14
_STEPS_PER_JOIN, _PRICED_STEPS_PER_JOIN = 100_000, 10_000


@dataclass(frozen=True)
class Toned:
    """A scramble and its cost."""

    #: The placement on each square of the second assembly.
    arrangement: Arrangement
    #: The sum of the costs of its pieces, in the unit of the given costs.
    cost: float
    #: Whether it meets all requirements.
    is_as_wished: bool = True
    #: The number of joins, over all connectors, above the required use.
    excess: int = 0


def anneal_tones(
    wish: Wish,
    costs: NDArray[np.float64],
    seed: int,
    *,
    price: int | None = None,
    steps: int | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[float], None] = lambda _: None,
) -> Toned:
    """Cool a random scramble once: the cheapest one that meets the requirements, or else the last one.

    With a price, the cheapest one includes the price of its joins.

    - `wish`: the size, the largest number of joins of a connector, and whether pieces may stay; the number of types is
      ignored.
    - `costs`: the cost if piece p, unturned on square p in the first assembly, lies on square q in the second one,
      turned clockwise by r quarter turns; shape (squares, squares, 4).
    - `seed`: the random seed.
    - `price`: the cost of each join of a connector above that largest number, where `UNIT` is the average cost of a
      piece; then there may be such joins.
    - `steps`: the number of moves to try; by default 100 000 for each join, or 10 000 with a price.
    - `must_stop`: is called several times a second; returns whether to stop.
    - `report`: is called with the done part of the moves each time.
    """
    run = Annealing(wish, seed, ())
    mean = float(costs.mean()) or 1.0
    whole = np.rint(costs * (UNIT / mean)).astype(np.int64).reshape(-1)
    total = np.array([kernels.total_cost(run.scramble[0], whole)], np.int64)
    if steps is None:
        steps = (_STEPS_PER_JOIN if price is None else _PRICED_STEPS_PER_JOIN) * wish.joins
    weight = _PRICE if price is None else price
    taken = thresholds(Fraction(kernels.STEPS))
    best: Toned | None = None
    least = done = 0
    cost = mean * int(total[0]) / UNIT
    while done < steps and not must_stop():
        part = min(_SLICE, steps - done)
        temperature = _temperatures()[done * _STAGES // steps]
        kernels.anneal_on(run.board, run.scramble, run.random, whole, total, taken, temperature, weight, part)
        done += part
        cost = int(total[0]) * mean / UNIT
        excess = int(run.scramble[-1][EXCESS])
        height = int(total[0]) + weight * excess
        if (best is None or height < least) and (price is not None or not excess) and _is_as_wished(run):
            best, least = Toned(run.arrangement(), cost, True, excess), height
        report(done / steps)
    return best or Toned(run.arrangement(), cost, False, int(run.scramble[-1][EXCESS]))


def _is_as_wished(run: Annealing) -> bool:
    """Whether a scramble meets all requirements, except on the joins of a connector."""
    lies, at, _, _, counts = run.scramble
    return counts[SHARED] == counts[UNWANTED] == 0 and pieces_at_fault(run.board[0], lies, at) == 0


@cache
def _temperatures() -> tuple[int, ...]:
    """The temperature of each stage, each lower than the one before by the same factor."""
    with localcontext(prec=40):
        factor = (Decimal(_COLDEST) / _HOTTEST) ** (Decimal(1) / (_STAGES - 1))
        return tuple(int(_HOTTEST * factor**stage) for stage in range(_STAGES))


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
    must_stop: Callable[[], bool] = never,
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[Candidate]:
    """Up to `number` jigsaws with exactly two solutions, annealed for low cost; fewer if the search gives up.

    Parameters
    ----------
    tones
        The costs of pieces.
    number
        The number of jigsaws.
    seed
        The random seed.
    max_use
        The largest number of joins of a connector.  By default each join above the least number has a price, found by
        trial, as low as two solutions allow.
    no_stay
        Whether no piece may have the same square in both assemblies, for any turn of one of them.
    must_stop
        Is called several times a second; returns whether to give up.
    report
        Is called with the progress in words.

    Raises UsageError if it is known that there is no such jigsaw.
    """
    board, chance = tones.board, Chance(seed)
    price = _FIRST_PRICE if max_use is None else None
    use = least_use(board.join_count) if max_use is None else max_use
    bound = "" if max_use is None else f", connectors on up to {max_use} joins"
    tried = found = failures = 0
    while found < number and failures < _MOST_FAILURES and not must_stop():
        tried += 1
        failures += 1
        what = f"scramble {tried}{bound}"
        toned = anneal_tones(
            Wish(board.rows, board.columns, use, no_stay),
            tones.costs.astype(np.float64),
            chance.below(2**53),
            price=price,
            must_stop=must_stop,
            report=lambda part, what=what: report(f"{what}, {100 * part:.0f} % annealed"),
        )
        change = _HIGHER
        if toned.is_as_wished:
            source = f"scramble {tried} annealed for two pictures by seed {seed}{bound}"
            puzzle = _jigsaw(board, toned.arrangement, source)
            report(f"{what}, counting solutions")
            solutions = count_solutions(puzzle, 3, must_stop=must_stop)
            if solutions.exact and solutions.number == 2:
                found, failures, change = found + 1, 0, _LOWER
                yield Candidate(puzzle, f"scramble {tried}")
        price = None if price is None else price * change // 100


def _jigsaw(board: Board, scramble: Arrangement, source: str) -> EdgeMatchingPuzzle:
    name = f"{board.rows}x{board.columns} jigsaw for two pictures"
    return jigsaw_from_assemblies(board.rows, board.columns, [original(board), scramble], name, source)
