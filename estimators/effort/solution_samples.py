"""Estimate the number of solutions of a puzzle that is too large to count, with an error.

A *population* is a set of boards that are filled square by square.  At each depth all their continuations are listed
(Knuth, 1975, follows one board; Chen, 1992, and sequential Monte Carlo, several).  If there are more of them than the
population may have members, some are chosen, and their weights grow accordingly.  So a population is an unbiased
estimate of the number of solutions, whatever continuations are preferred (see the module `populations`).  As long as
all continuations fit in, the number is exact.

The number of members depends on the depth: it is larger where more of them are expected to die out later.  Several
independent populations give the error.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, floor, inf, isfinite, log, perm, prod, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ...csp.base.notebook import Brief
from ...csp.base.stop import Stop, StoppedError
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import permitted_prefix
from ...csp.puzzles.symmetry import PieceType, find_anchors, find_candidates, symmetries
from ..owen.complexity import Complexity
from .populations import Counts, Floats, Tree

#: The default number of populations.
POPULATIONS = 50
#: There is no interval for fewer populations, or a smaller effective number of them.
FEWEST = 10
_NARROWEST = 16
# The largest factor by which a population grows at depths where members are expected to die out.
_MOST_GROWTH = 1e4
# Bytes of the largest population: many populations that fit into the cache are better than a few wide ones.
_MOST_BYTES = 2**26


@dataclass(frozen=True, repr=False)
class Sample(Brief):
    """The number of solutions (the `count` of a search) according to several populations."""

    #: The logarithm of each population's estimate; -inf if it died out.
    populations: tuple[float, ...]
    #: The exact number, if a population had room for every board.
    exact: int | None
    #: The number of members of a population in each tree, averaged over the depths.
    width: int

    @cached_property
    def _scale(self) -> float:
        """The logarithm of the largest estimate."""
        return max(self.populations, default=-inf)

    @cached_property
    def _parts(self) -> Floats:
        """The estimates as fractions of the largest one."""
        return np.exp(np.array(self.populations) - self._scale)

    @property
    def died_out(self) -> int:
        """The number of populations that found no solution."""
        return sum(not isfinite(population) for population in self.populations)

    @property
    def estimate(self) -> Fraction | None:
        """The mean of the populations; None if no solution was found and some may exist."""
        if self.exact is not None:
            return Fraction(self.exact)
        return _exponential(self._scale, self._parts.mean()) if isfinite(self._scale) else None

    @property
    def error(self) -> float | None:
        """The relative standard error of the estimate; None if it is not known."""
        if self.exact is not None:
            return 0.0
        if not isfinite(self._scale) or len(self._parts) < 2:
            return None
        return float(self._parts.std(ddof=1) / self._parts.mean() / sqrt(len(self._parts)))

    @property
    def interval(self) -> tuple[Fraction, Fraction] | None:
        """The 95 % confidence interval of the number; None if the populations are too few or too different."""
        if self.exact is not None:
            return Fraction(self.exact), Fraction(self.exact)
        ends = confidence(self._parts) if isfinite(self._scale) else None
        return None if ends is None else (_exponential(self._scale, ends[0]), _exponential(self._scale, ends[1]))


def confidence(values: Floats) -> tuple[float, float] | None:
    """A 95 % confidence interval for the mean of independent non-negative estimates; None if there are too few.

    It is Student's interval for the logarithm of the mean.  Estimates are skewed: the true mean lies below and above
    this interval about equally often, but nearly always above the plain interval if that misses it.  The number of
    estimates is Kish's effective sample size: with few large ones among many small ones, the next may be larger still.
    """
    if not values.any() or values.sum() ** 2 < FEWEST * (values**2).sum():
        return None
    mean, freedom = float(values.mean()), len(values) - 1
    part = float(values.std(ddof=1)) / mean / sqrt(len(values))
    away = exp(float(stdtrit(freedom, 0.975)) * part)
    return mean / away, mean * away


class Sampler:
    """Samples populations of boards of one puzzle; search orders with fewer nodes give better estimates."""

    def __init__(
        self, puzzle: EdgeMatchingPuzzle, order: str | tuple[int, ...] | None = None, model: Complexity | None = None
    ) -> None:
        squares = find_order(puzzle, order)[1]
        fixed = len(puzzle.fixed)
        self._found = symmetries(puzzle)
        candidates = find_candidates(puzzle, self._found.types)
        anchors = find_anchors(puzzle, self._found, squares)
        self._anchor = anchors[0] if anchors else None
        self._growth = _growth(model or Complexity(puzzle), squares)
        starts = permitted_prefix(puzzle, squares[:fixed], ())[0] == fixed
        self._is_full = starts and fixed == len(squares)
        trees = len(self._anchor.squares) if self._anchor else 1
        choices = range(trees if starts and not self._is_full else 0)
        self._trees = [Tree(puzzle, self._found, candidates, squares, self._anchor, choice) for choice in choices]

    @property
    def widest(self) -> int:
        """The largest width that `sample_for` uses."""
        growth = max(self._growth, default=1.0)
        bytes_each = max((tree.bytes_each for tree in self._trees), default=1)
        return max(1, int(_MOST_BYTES / bytes_each / growth))

    def sample(self, width: int = 4096, number: int = POPULATIONS, seed: int = 0, stop: Stop | None = None) -> Sample:
        """Estimate the number of solutions from `number` populations of `width` boards, averaged over the depths.

        If `stop` asks to stop, only the populations so far are used.
        """
        stop = Stop() if stop is None else stop
        populations: list[float] = []
        for turn in range(number):
            chance = np.random.default_rng([seed, width, turn])
            try:
                exact, logarithm = self._population(width, chance, stop)
            except StoppedError:
                break
            populations.append(logarithm)
            stop.tell(f"{turn + 1} of {number} populations", (turn + 1) / number)
            if exact is not None:
                return Sample(tuple(populations), exact, width)
        return Sample(tuple(populations), None, width)

    def sample_for(self, seconds: float, seed: int = 0, stop: Stop | None = None) -> Sample:
        """Estimate the number of solutions in about `seconds` seconds, with populations as wide as the time allows.

        The time determines width and number; `sample` with these arguments makes the same populations again.
        """
        stop = Stop() if stop is None else stop
        # Trials are not reported.
        quietly = Stop(None, stop)
        width, share = _NARROWEST, seconds / POPULATIONS
        while True:
            # The first population of a width allocates memory or loads the kernels, so it is not timed.
            self.sample(width, 1, seed, quietly)
            started = time.perf_counter()
            trial = self.sample(width, 1, seed, quietly)
            each = time.perf_counter() - started
            if trial.exact is not None or stop():
                return trial if trial.exact is not None else replace(trial, populations=())
            if 2 * each > share or width >= self.widest:
                break
            width = min(4 * width, self.widest)
        wide = int(min(max(width * share / each, _NARROWEST), self.widest))
        number = max(POPULATIONS, int(seconds / (each * wide / width)))
        return self.sample(wide, number, seed, stop)

    def _population(
        self, width: int, chance: np.random.Generator, must_stop: Callable[[], bool]
    ) -> tuple[int | None, float]:
        """One population: the number of solutions if it is exact, and the logarithm of its estimate."""
        widths = [max(1, round(width * growth)) for growth in self._growth]
        exact, complete, logarithms = int(self._is_full), True, [0.0 if self._is_full else -inf]
        for tree in self._trees:
            leaves = tree.filled(widths, chance, must_stop)
            complete &= leaves.complete
            for arrangements, chosen in self._by_arrangements(leaves.available):
                exact += arrangements * int(chosen.sum())
                logarithms.append(log(arrangements) + _log_sum(leaves.logarithms[chosen]))
        return exact if complete else None, _log_sum(np.array(logarithms))

    def _by_arrangements(self, available: Counts) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Pairs: the number of arrangements that a full board represents, and the mask of the boards that have it."""
        turns = self._found.board if self._anchor else 1
        # The number of used pieces varies only for types that are not used up.
        kinds = list(enumerate(self._found.types))
        vary = [index for index, kind in kinds if kind.piece_class not in self._found.used_up]
        always = prod(_numbered(kind, 0) for index, kind in kinds if index not in vary)
        for left in {tuple(row) for row in available[:, vary].tolist()}:
            uses = prod(_numbered(self._found.types[index], rest) for index, rest in zip(vary, left, strict=True))
            yield turns * always * uses, (available[:, vary] == left).all(axis=1)


def _numbered(kind: PieceType, left: int) -> int:
    """The number of ways to assign all but `left` pieces of a type to the places of that type."""
    used = len(kind.pieces) - left
    return perm(len(kind.pieces), used) * kind.order**used


def _growth(model: Complexity, order: tuple[int, ...]) -> list[float]:
    """The number of members of a population at each depth, relative to the mean.

    If the boards of a depth outnumber those of a later depth by the factor `dwindling`, the relative variance of a
    member's estimate is about that factor; for members of equal cost, numbers proportional to its square root are best.
    """
    estimate = model.estimate(order, None)
    logs = [log(n) - log(estimate.denominator) if n else -inf for n in estimate.numerators][len(model.puzzle.fixed) :]
    growth: list[float] = []
    least = inf
    for here in reversed(logs):
        dwindling = exp(min(here - least, log(_MOST_GROWTH))) if isfinite(here) and isfinite(least) else 1.0
        growth.append(sqrt(1 + dwindling))
        least = min(least, here)
    mean = sum(growth) / max(len(growth), 1)
    return [part / mean for part in reversed(growth)]


def _log_sum(logarithms: Floats) -> float:
    """The logarithm of a sum, given those of its terms."""
    return float(np.logaddexp.reduce(logarithms, initial=-inf))


def _exponential(logarithm: float, factor: float = 1.0) -> Fraction:
    """``factor * exp(logarithm)``, however large."""
    exponent = floor(logarithm / log(10))
    return Fraction(factor * exp(logarithm - exponent * log(10))) * Fraction(10) ** exponent
