"""How many balanced rotation sets a puzzle has: a formula, an integral and random moves; a count, where one can end.

Run by hand:  python research/balanced_sets.py [--puzzle eternity2] [--samples 1e6] [--runs 0] [--check]

Turn each piece at random, among the rotations that its class of square allows.  The sums over all pieces (right minus
left sides of each colour, up minus down sides, pieces on each side of the frame) are a walk on a lattice, whose steps
are independent.  The chance that it ends where it must is found in three ways:

- the local limit theorem, with and without its first correction;
- the integral of the product of the steps' characteristic functions over the dual torus, by points from the Gaussian
  of the limit theorem, and some from the whole torus, for what lies far from its peak;
- with `--runs`, annealing: turn pieces at random, and ever more rarely so that the sum of squares of what is missing
  rises.  Each run has a weight, whose mean is exactly that chance.

`--check` compares them with exact counts on small puzzles.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, exp, log, pi, prod

import numpy as np
from numba import njit
from numpy.typing import NDArray
from sympy import ZZ
from sympy.polys.matrices import DomainMatrix

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import BORDER
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.models.engines.balanced import _needed, _possible_stances, _vector

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
# The points of a batch of the integral: from the Gaussian, and from the whole torus.
_NORMAL, _EVEN = 4000, 1000
# The last weight of the squares in a run, the rounds (a move per piece) that lead there, and those that stay there.
_COLDEST, _COOLING, _REST = 1.4, 8000, 3000


@dataclass(frozen=True)
class BalancedRotations:
    """The numbers of rotations of all pieces, and of those that balance every colour.

    A set of rotations is balanced if every colour faces left as often as right, and up as often as down.  The rotations
    of every solution are balanced.
    """

    #: The number of sets of rotations in which the frame pieces fit around the board.
    rotations: int
    #: For each number of sides of a colour, the probability that such a colour is balanced.
    chances: dict[int, Fraction]
    #: The number of colours with that number of sides.
    colors: dict[int, int]

    @property
    def balanced(self) -> Fraction:
        """The expected number of balanced sets if the colours were independent."""
        number = Fraction(self.rotations)
        for sides, colors in self.colors.items():
            number *= self.chances[sides] ** colors
        return number


def chance_of_balance(sides: int) -> Fraction:
    """The probability that `sides` sides, each turned at random, face left as often as right, and up as often as down.

    For 2n sides it is the probability that a random walk on a grid returns after 2n steps: (C(2n, n) / 4^n)^2.
    """
    return Fraction(comb(sides, sides // 2), 2**sides) ** 2 if sides % 2 == 0 else Fraction(0)


def balanced_rotations(puzzle: EdgeMatchingPuzzle) -> BalancedRotations:
    """The expected number of balanced sets of rotations; a fixed piece has only its own rotation.

    Raises PuzzleError if the puzzle has connectors, spare pieces, or a board with a single row or column.
    """
    if puzzle.rule is not Rule.EQUAL:
        raise PuzzleError("balanced rotations: are defined for colours only, and this puzzle has connectors")
    sizes = puzzle.class_sizes()
    if min(puzzle.rows, puzzle.columns) < 2 or any(pieces != squares for pieces, squares in sizes.values()):
        raise PuzzleError("balanced rotations: need at least two rows and columns, and no spare pieces")
    # The number of free squares of a class along each side of the border.
    free: dict[str, Counter[int]] = {}
    fixed = {fixed.square for fixed in puzzle.fixed}
    for square in set(range(len(puzzle.board))) - fixed:
        free.setdefault(puzzle.board.square_class(square), Counter())[puzzle.board.border_mask(square)] += 1
    rotations = 4 ** free.get("inner", Counter()).total()
    for name in ("corner", "edge"):
        left = free.get(name, Counter()).total()
        for number in free.get(name, Counter()).values():
            rotations *= comb(left, number)
            left -= number
    colors = Counter(Counter(color for sides in puzzle.pieces for color in sides if color != BORDER).values())
    return BalancedRotations(rotations, {sides: chance_of_balance(sides) for sides in sorted(colors)}, dict(colors))


class Walk:
    """The steps of all pieces, also in coordinates in which they generate the lattice of all integer vectors."""

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        stances = _possible_stances(puzzle, checkerboard=False)
        vectors = [[_vector(puzzle, p, s, False) for s in possible] for p, possible in enumerate(stances)]
        needed = _needed(puzzle, checkerboard=False)
        names = list(dict.fromkeys([*needed, *(name for piece in vectors for step in piece for name in step)]))
        steps = [np.array([[step[name] for name in names] for step in piece]) for piece in vectors]
        needs = np.array([needed[name] for name in names])
        steps = _with_joint_corners(steps, puzzle.piece_classes, needs)
        self.target: _Integers = needs - sum(step[0] for step in steps)
        self.sets = prod(map(len, steps))
        #: What the stances of each piece add, compared with its first.
        self.moves: list[_Integers] = [step - step[0] for step in steps if len(step) > 1]
        basis = _basis(np.unique(np.concatenate(self.moves), axis=0))
        inverse = np.linalg.pinv(basis.astype(float))
        whole = [*(move @ inverse for move in self.moves), self.target @ inverse]
        assert np.allclose(whole[-1] @ basis, self.target), "the sums cannot be as needed"
        assert all(np.allclose(found, np.rint(found)) for found in whole)
        #: The steps minus their means, and the target minus the mean of the walk.
        self.steps: list[_Floats] = [step - step.mean(axis=0) for step in whole[:-1]]
        self.offset: _Floats = whole[-1] - sum(step.mean(axis=0) for step in whole[:-1])
        covariance = sum(step.T @ step / len(step) for step in self.steps)
        #: The inverse of the root of the covariance, and the logarithm of the number of sets times the Gaussian's peak.
        self.root: _Floats = np.linalg.inv(np.linalg.cholesky(covariance)).astype(float)
        self.peak = log(self.sets) - np.linalg.slogdet(2 * pi * covariance)[1] / 2

    def limit(self) -> float:
        """The logarithm of the number by the local limit theorem."""
        return float(self.peak - ((self.root @ self.offset) ** 2).sum() / 2)

    def correction(self) -> float:
        """The first correction of `limit`, from the third and fourth cumulants (McCullagh: Tensor methods, 6.3)."""
        third = np.zeros((len(self.root),) * 3)
        fourth = 0.0
        for step in self.steps:
            normal = step @ self.root.T
            third += np.einsum("ia,ib,ic->abc", normal, normal, normal) / len(step)
            covariance = normal.T @ normal / len(step)
            fourth += ((normal**2).sum(axis=1) ** 2).mean() - np.trace(covariance) ** 2 - 2 * (covariance**2).sum()
        return float(fourth / 8 - (third**2).sum() / 12 - (np.einsum("aab->b", third) ** 2).sum() / 8)

    def integral(self, samples: int, seed: int) -> tuple[float, float]:
        """The logarithm of the number, and its standard error."""
        # The pieces whose third and fourth stances undo the first two have cosines instead of complex numbers.
        opposite = [len(step) == 4 and np.allclose(step[:2], -step[2:]) for step in self.steps]
        cosines = np.concatenate([step[:2] for step, yes in zip(self.steps, opposite, strict=True) if yes])
        others = [step for step, yes in zip(self.steps, opposite, strict=True) if not yes]
        chance = np.random.default_rng(seed)
        means: list[float] = []
        for _ in range(max(samples // (_NORMAL + _EVEN), 2)):
            normal = chance.standard_normal((_NORMAL, len(self.root))) @ self.root
            points = np.concatenate([normal, chance.uniform(-pi, pi, (_EVEN, len(self.root)))])
            means.append(self._weights(points, cosines, others))
        mean = float(np.mean(means))
        return log(mean) + self.peak, float(np.std(means, ddof=1)) / mean / len(means) ** 0.5

    def _weights(self, points: _Floats, cosines: _Floats, others: Sequence[_Floats]) -> float:
        """The mean of the integrand at these points divided by their density, as a share of the Gaussian's integral."""
        values = np.exp(-1j * (points @ self.offset))
        values *= np.cos(points @ cosines.T).reshape(len(points), -1, 2).mean(axis=2).prod(axis=1)
        for step in others:
            values *= np.exp(1j * (points @ step.T)).mean(axis=1)
        gaussian = np.exp(-((points @ np.linalg.inv(self.root)) ** 2).sum(axis=1) / 2)
        density = (_NORMAL * gaussian + _EVEN * exp(self.peak - log(self.sets))) / (_NORMAL + _EVEN)
        # Each point stands for the torus only if no coordinate leaves it.
        return float(np.where((np.abs(points) < pi).all(axis=1), values.real / density, 0).mean())

    def annealed(self, runs: int, seed: int) -> tuple[float, float]:
        """The logarithm of the number by `runs` runs, and its standard error."""
        number = np.array([len(moves) for moves in self.moves])
        # What changes from one stance of a piece to another, first the quantities that do change.
        stances = np.zeros((len(number), number.max(), len(self.target)), dtype=np.int64)
        for piece, moves in enumerate(self.moves):
            stances[piece, : len(moves)] = moves
        changes = stances[:, None] - stances[:, :, None]
        where = np.argsort(changes == 0, axis=-1, kind="stable")
        length = (changes != 0).sum(axis=-1)
        amounts = np.take_along_axis(changes, where, axis=-1)
        logs = _anneal(stances, number, where, amounts, length, self.target, runs, seed)
        weights = np.exp(logs - logs.max())
        mean = weights.mean()
        return log(self.sets) + float(logs.max()) + log(mean), float(weights.std(ddof=1) / mean / runs**0.5)


@njit(cache=True, nogil=True)
def _anneal(
    stances: _Integers,
    number: _Integers,
    where: _Integers,
    amounts: _Integers,
    length: _Integers,
    target: _Integers,
    runs: int,
    seed: int,
) -> _Floats:
    """The logarithms of the weights of runs whose mean is the chance that all sums are as needed (Neal, 2001)."""
    np.random.seed(seed)
    pieces = len(number)
    logs = np.zeros(runs)
    state = np.zeros(pieces, dtype=np.int64)
    for run in range(runs):
        missing = -target
        for piece in range(pieces):
            state[piece] = np.random.randint(number[piece])
            missing = missing + stances[piece, state[piece]]
        squares = (missing * missing).sum()
        beta, zeros = 0.0, 0
        for level in range(1, _COOLING + _REST + 1):
            if level <= _COOLING:
                new_beta = _COLDEST * (level / _COOLING) ** 3
                logs[run] -= (new_beta - beta) * squares
                beta = new_beta
            for _ in range(pieces):
                piece = np.random.randint(pieces)
                old = state[piece]
                new = (old + 1 + np.random.randint(number[piece] - 1)) % number[piece]
                rise = 0
                for i in range(length[piece, old, new]):
                    amount = amounts[piece, old, new, i]
                    rise += amount * (2 * missing[where[piece, old, new, i]] + amount)
                if rise <= 0 or np.random.random() < np.exp(-beta * rise):
                    state[piece] = new
                    squares += rise
                    for i in range(length[piece, old, new]):
                        missing[where[piece, old, new, i]] += amounts[piece, old, new, i]
                if level > _COOLING and squares == 0:
                    zeros += 1
        logs[run] += np.log(zeros / (_REST * pieces))
    return logs


def _with_joint_corners(steps: list[_Integers], classes: Sequence[str], needs: _Integers) -> list[_Integers]:
    """One step for all corners, their turns that fill the corners: four steps would be far from a Gaussian."""
    corners = [step for step, name in zip(steps, classes, strict=True) if name == "corner"]
    sums = np.array([sum(choice) for choice in product(*corners)])
    squares = (needs > 0) & np.any([step.any(axis=0) for step in corners], axis=0)
    rest = [step for step, name in zip(steps, classes, strict=True) if name != "corner"]
    return [*rest, sums[(sums[:, squares] == needs[squares]).all(axis=1)]]


def _basis(vectors: NDArray[np.int64]) -> NDArray[np.int64]:
    """A basis of short vectors of the lattice that integer vectors generate."""
    rows = [list(map(int, row)) for row in vectors if row.any()]
    basis: list[list[int]] = []
    for column in range(len(rows[0])):
        while len(some := [row for row in rows if row[column]]) > 1:
            least = min(some, key=lambda row: abs(row[column]))
            for row in some:
                if row is not least:
                    factor = row[column] // least[column]
                    row[:] = [a - factor * b for a, b in zip(row, least, strict=True)]
            rows = [row for row in rows if any(row)]
        if some:
            basis.append(some[0])
            rows = [row for row in rows if row is not some[0]]
    return np.array(DomainMatrix(basis, (len(basis), len(basis[0])), ZZ).lll().to_list(), dtype=np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzle", default="eternity2")
    parser.add_argument("--samples", type=float, default=1e6)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    puzzles: Sequence[EdgeMatchingPuzzle] = [read_squares(arguments.puzzle)]
    if arguments.check:
        sizes = [(4, 4, 2, 3), (5, 5, 2, 2), (5, 5, 3, 4), (6, 6, 2, 2)]
        puzzles = [deal_edge_matching(*size, seed=seed).puzzle for size in sizes for seed in (1, 2)]
    for puzzle in puzzles:
        walk = Walk(puzzle)
        print(f"{puzzle.name}: {len(walk.root)} dimensions, limit theorem {power(walk.limit())}", end="")
        print(f", corrected {power(walk.limit() + walk.correction())}", end="")
        print(f", integral {interval(*walk.integral(int(arguments.samples), arguments.seed))}", end="")
        if arguments.runs:
            print(f", annealing {interval(*walk.annealed(arguments.runs, arguments.seed))}", end="")
        of_each = balanced_rotations(puzzle)
        print(f", {float(of_each.rotations):.3g} rotations, independent colours {float(of_each.balanced):.3g}", end="")
        if arguments.check:
            from balanced_counts import count_balanced

            print(f", exact {count_balanced(puzzle):.4g}", end="")
        print(flush=True)


def interval(logarithm: float, error: float) -> str:
    """A number with its 95 % interval."""
    low, high = (power(logarithm + log(1 + sign * 1.96 * error)) for sign in (-1, 1))
    return f"{power(logarithm)} ({low} to {high})"


def power(logarithm: float) -> str:
    """The number with that natural logarithm."""
    exponent = logarithm / log(10)
    return f"{10 ** (exponent % 1):.4f}e{int(exponent // 1)}"


if __name__ == "__main__":
    main()
