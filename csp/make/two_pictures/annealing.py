"""Scrambles of a jigsaw that lay its pieces where their tones fit, by annealing.

The best assignment of pieces to squares, by tones alone, makes jigsaws with a few connectors and very many solutions.
So few uses of each connector are wished for at the same time, and the two wishes are cooled down together: a scramble
of 10x10 pieces with connectors on up to 12 joins often has no third solution, and costs a sixth of a random one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...base.stopping import never
from ...puzzles.board import Arrangement
from ..annealing import Annealing, Wish, thresholds
from ..annealing_kernel import EXCESS, SHARED, UNWANTED, pieces_at_fault
from . import annealing_kernel as kernels

# A piece anywhere costs about so much; temperatures and the price of a fault are parts of that.
_UNIT = 100_000
_HOTTEST, _COLDEST, _PRICE = _UNIT // 2, _UNIT // 200, 3 * _UNIT // 10
_STAGES, _SLICE = 64, 1 << 14
_STEPS_PER_JOIN = 100_000


@dataclass(frozen=True)
class Toned:
    """A scramble, and what it costs.

    Parameters
    ----------
    arrangement
        What lies on each square of the second assembly.
    cost
        The sum of what its pieces cost, in the unit of the costs that were given.
    is_as_wished
        Whether it has all that was wished for.
    excess
        How many joins, over all connectors, are above the use that was wished for.
    """

    arrangement: Arrangement
    cost: float
    is_as_wished: bool = True
    excess: int = 0


def anneal_tones(
    wish: Wish,
    costs: NDArray[np.float64],
    seed: int,
    *,
    steps: int | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[float], None] = lambda _: None,
) -> Toned:
    """Cool a random scramble down once: the cheapest that has all that is wished for, or the last one if none has.

    Parameters
    ----------
    wish
        The size, on how many joins a connector may be, and whether pieces may stay; a number of types is not looked at.
    costs
        What it costs when piece p, unturned on square p in the first assembly, lies on square q in the second one,
        turned clockwise by r quarter turns; shape (squares, squares, 4).
    seed
        What the random choices are made by.
    steps
        The number of moves to try; 100 000 for each join if left out.
    must_stop
        Asked several times a second whether to stop.
    report
        Told the part of the moves that are done each time.
    """
    run = Annealing(wish, seed, ())
    mean = float(costs.mean()) or 1.0
    whole = np.rint(costs * (_UNIT / mean)).astype(np.int64).reshape(-1)
    total = np.array([kernels.total_cost(run.scramble[0], whole)], np.int64)
    steps = _STEPS_PER_JOIN * wish.joins if steps is None else steps
    taken = thresholds(Fraction(kernels.STEPS))
    best: Toned | None = None
    done, cost = 0, mean * int(total[0]) / _UNIT
    while done < steps and not must_stop():
        part = min(_SLICE, steps - done)
        temperature = _temperatures()[done * _STAGES // steps]
        kernels.anneal_on(run.board, run.scramble, run.random, whole, total, taken, temperature, _PRICE, part)
        done += part
        cost = int(total[0]) * mean / _UNIT
        if (best is None or cost < best.cost) and _is_as_wished(run):
            best = Toned(run.arrangement(), cost)
        report(done / steps)
    return best or Toned(run.arrangement(), cost, False, int(run.scramble[-1][EXCESS]))


def _is_as_wished(run: Annealing) -> bool:
    lies, at, _, _, counts = run.scramble
    return counts[EXCESS] == counts[SHARED] == counts[UNWANTED] == 0 and pieces_at_fault(run.board[0], lies, at) == 0


@cache
def _temperatures() -> tuple[int, ...]:
    """The temperature of each stage, each lower than the one before by the same factor."""
    with localcontext(prec=40):
        factor = (Decimal(_COLDEST) / _HOTTEST) ** (Decimal(1) / (_STAGES - 1))
        return tuple(int(_HOTTEST * factor**stage) for stage in range(_STAGES))
