"""How many solutions a puzzle has, where nobody can count them: an estimate with its error.

A *population* is a set of boards that are filled square by square.  At each depth all their continuations are listed
(Knuth, 1975, follows one board; Chen, 1992, and sequential Monte Carlo, several).  Where these are more than the
population may have members, some are chosen, and each of them stands for as many as had to go.  So a population
estimates the number of solutions, and it does so without bias, whatever continuations are preferred (which are, the
module `populations` tells).  While all fit in, the number is exact.

How many members there may be is another matter at each depth: as many more as the members are expected to dwindle
later.  Several independent populations tell how far to believe them.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, floor, inf, isfinite, log, perm, prod, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ...csp.base.stopping import StoppedError, never
from ...csp.puzzles.candidates import find_candidates
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import permitted_prefix
from ...csp.puzzles.symmetry import PieceType, find_anchors, symmetries
from ..owen.complexity import Complexity
from .populations import Counts, Floats, Tree

#: How many populations there are, unless something stops them.
POPULATIONS = 50
#: With fewer populations than this, or an estimate that rests on fewer of them, there is no interval.
FEWEST = 10
_NARROWEST = 16
# Members of a population grow at most so much where they are expected to dwindle.
_MOST_GROWTH = 1e4
# Bytes of the largest population: many that stay near the processor are better than a few wide ones.
_MOST_BYTES = 2**26

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Sample:
    """What some populations say of the number of solutions, which is `count` of a search.

    Parameters
    ----------
    populations
        The logarithm of the number that each population estimates; -inf where it died out.
    exact
        The number itself, where a population had room for every board.
    width
        How many members a population had, in the mean of the depths, in each tree.
    """

    populations: tuple[float, ...]
    exact: int | None
    width: int

    @cached_property
    def _scale(self) -> float:
        """The logarithm of the greatest estimate."""
        return max(self.populations, default=-inf)

    @cached_property
    def _parts(self) -> Floats:
        """The estimates as parts of the greatest."""
        return np.exp(np.array(self.populations) - self._scale)

    @property
    def died_out(self) -> int:
        """How many populations found no solution."""
        return sum(not isfinite(population) for population in self.populations)

    @property
    def estimate(self) -> Fraction | None:
        """The mean of the populations; None if no solution was found and some may exist."""
        if self.exact is not None:
            return Fraction(self.exact)
        return _exponential(self._scale, self._parts.mean()) if isfinite(self._scale) else None

    @property
    def error(self) -> float | None:
        """The standard error as a part of the estimate; None where that cannot be told."""
        if self.exact is not None:
            return 0.0
        if not isfinite(self._scale) or len(self._parts) < 2:
            return None
        return float(self._parts.std(ddof=1) / self._parts.mean() / sqrt(len(self._parts)))

    @property
    def interval(self) -> tuple[Fraction, Fraction] | None:
        """Where the number lies with 95 % confidence; None where the populations are too few or too unlike to tell."""
        if self.exact is not None:
            return Fraction(self.exact), Fraction(self.exact)
        ends = confidence(self._parts) if isfinite(self._scale) else None
        return None if ends is None else (_exponential(self._scale, ends[0]), _exponential(self._scale, ends[1]))


def confidence(values: Floats) -> tuple[float, float] | None:
    """A 95 % interval for the mean of independent estimates that are never negative; None if too few tell of it.

    It is Student's, carried over to the logarithm of the mean: estimates are skewed, and both ends of this interval
    are missed about equally often, where the plain one is nearly always missed above.  How many estimates tell is
    Kish's effective size of a sample: with few large ones among many small ones the next may be larger still.
    """
    if not values.any() or values.sum() ** 2 < FEWEST * (values**2).sum():
        return None
    mean, freedom = float(values.mean()), len(values) - 1
    part = float(values.std(ddof=1)) / mean / sqrt(len(values))
    away = exp(_student(freedom) * part)
    return mean / away, mean * away


def _student(freedom: int) -> float:
    """The 97.5th percentile of Student's distribution, to three digits from nine degrees of freedom on (Fisher)."""
    z = NormalDist().inv_cdf(0.975)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


class Sampler:
    """Makes populations of boards of one puzzle.

    Parameters
    ----------
    puzzle
        The puzzle.
    order
        A search order; None for the default one.  The fewer nodes it has, the better is the estimate.
    model
        That of the puzzle, if there is one already.
    """

    def __init__(
        self, puzzle: EdgeMatchingPuzzle, order: str | tuple[int, ...] | None = None, model: Complexity | None = None
    ) -> None:
        squares = find_order(puzzle, order)[1]
        fixed = len(puzzle.fixed)
        self._found = symmetries(puzzle)
        candidates = find_candidates(puzzle, self._found.types, repeat_turns=False)
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
        """The greatest width that `sample_for` takes."""
        growth = max(self._growth, default=1.0)
        bytes_each = max((tree.bytes_each for tree in self._trees), default=1)
        return max(1, int(_MOST_BYTES / bytes_each / growth))

    def sample(
        self,
        width: int = 4096,
        number: int = POPULATIONS,
        seed: int = 0,
        report: Report | None = None,
        must_stop: Callable[[], bool] = never,
    ) -> Sample:
        """Estimate the number of solutions.

        Parameters
        ----------
        width
            How many boards a population has at a depth, in the mean of the depths.
        number
            How many populations there are.
        seed
            Where the random numbers start; populations of other widths have others.
        report
            Called after each population with the number of populations so far, and how many there are to be.
        must_stop
            Asked now and then; if it says so, the populations so far are all.

        Raises
        ------
        ValueError
            If there is to be no population, or none of any width.
        """
        if width < 1 or number < 1:
            raise ValueError(f"{number} populations of width {width}: at least 1 of width 1 is needed")
        populations: list[float] = []
        for turn in range(number):
            chance = np.random.default_rng([seed, width, turn])
            try:
                exact, logarithm = self._population(width, chance, must_stop)
            except StoppedError:
                break
            populations.append(logarithm)
            if report is not None:
                report(turn + 1, number)
            if exact is not None:
                return Sample(tuple(populations), exact, width)
        return Sample(tuple(populations), None, width)

    def sample_for(
        self, seconds: float, seed: int = 0, report: Report | None = None, must_stop: Callable[[], bool] = never
    ) -> Sample:
        """Estimate the number of solutions in about so many seconds, by populations as wide as these allow.

        The clock decides on width and number; `sample` makes the same populations again when it is told these.
        """
        width, share = _NARROWEST, seconds / POPULATIONS
        while True:
            # The first one of a width makes room, or loads the kernels.
            self.sample(width, 1, seed, must_stop=must_stop)
            started = time.perf_counter()
            trial = self.sample(width, 1, seed, must_stop=must_stop)
            each = time.perf_counter() - started
            if trial.exact is not None or must_stop():
                return trial if trial.exact is not None else replace(trial, populations=())
            if 2 * each > share or width >= self.widest:
                break
            width = min(4 * width, self.widest)
        wide = int(min(max(width * share / each, _NARROWEST), self.widest))
        number = max(POPULATIONS, int(seconds / (each * wide / width)))
        return self.sample(wide, number, seed, report, must_stop)

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
        """Pairs: how many arrangements a full board stands for, and which of those that leave these types do."""
        turns = self._found.board if self._anchor else 1
        # What varies is how many pieces are used of the types that are not used up.
        kinds = list(enumerate(self._found.types))
        vary = [index for index, kind in kinds if kind.piece_class not in self._found.used_up]
        always = prod(_numbered(kind, 0) for index, kind in kinds if index not in vary)
        for left in {tuple(row) for row in available[:, vary].tolist()}:
            uses = prod(_numbered(self._found.types[index], rest) for index, rest in zip(vary, left, strict=True))
            yield turns * always * uses, (available[:, vary] == left).all(axis=1)


def _numbered(kind: PieceType, left: int) -> int:
    """In how many ways all pieces of a type but so many can lie where pieces of that type lie."""
    used = len(kind.pieces) - left
    return perm(len(kind.pieces), used) * kind.order**used


def _growth(model: Complexity, order: tuple[int, ...]) -> list[float]:
    """How many members a population has at each depth, as a part of the mean.

    Of a member that stands for `dwindling` boards of a later depth each of those it is expected to find one; its
    relative variance is about as great, and members that cost the same are best in proportion to its square root.
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
