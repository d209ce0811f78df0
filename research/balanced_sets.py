"""How many balanced rotation sets a puzzle has, by a Fourier integral; and by a count, where one can end.

Run by hand:  python research/balanced_sets.py [--puzzle eternity2] [--samples 1e6] [--check]

Turn each piece at random, among the rotations that its class of square allows.  The sums over all pieces (right minus
left sides of each colour, up minus down sides, pieces on each side of the frame) are a walk on a lattice, whose steps
are independent.  The chance that it ends where it must is an integral of the product of the steps' characteristic
functions over the dual torus.  The integrand is nearly a Gaussian, whose integral is the local limit theorem; samples
from Gaussians of several widths give the integral itself, with an interval.  `--check` compares the estimates with
exact counts on small puzzles.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, log, log10, pi, prod

import numpy as np
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
# The widths of the Gaussians relative to that of the integrand, and their shares of the samples.
_WIDTHS, _SHARES = (0.97, 1.08), (0.7, 0.3)
_BATCH = 20_000


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
    """The steps of all pieces, in coordinates in which they generate the lattice of all integer vectors."""

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        stances = _possible_stances(puzzle, checkerboard=False)
        vectors = [[_vector(puzzle, p, s, False) for s in possible] for p, possible in enumerate(stances)]
        needed = _needed(puzzle, checkerboard=False)
        names = list(dict.fromkeys([*needed, *(name for piece in vectors for step in piece for name in step)]))
        steps = [np.array([[step[name] for name in names] for step in piece]) for piece in vectors]
        target = np.array([needed[name] for name in names]) - sum(step[0] for step in steps)
        self.sets = prod(map(len, steps))
        basis = _basis(np.unique(np.concatenate([step - step[0] for step in steps]), axis=0))
        inverse = np.linalg.pinv(basis.astype(float))
        self.steps: list[_Floats] = [(step - step[0]) @ inverse for step in steps if len(step) > 1]
        self.target = target @ inverse
        assert np.allclose(self.target @ basis, target), "the sums cannot be as needed"
        assert all(np.allclose(found, np.rint(found)) for found in (*self.steps, self.target))
        mean = sum(step.mean(axis=0) for step in self.steps)
        self.covariance = sum(np.cov(step.T, bias=True).reshape(len(basis), len(basis)) for step in self.steps)
        self.offset: _Floats = self.target - mean

    def limit(self) -> float:
        """The logarithm of the number by the local limit theorem."""
        _, size = np.linalg.slogdet(2 * pi * self.covariance)
        return log(self.sets) - (size + self.offset @ np.linalg.solve(self.covariance, self.offset)) / 2

    def integral(self, samples: int, seed: int) -> tuple[float, float]:
        """The number in units of `limit`, and its standard error."""
        chance = np.random.default_rng(seed)
        root = np.linalg.inv(np.linalg.cholesky(self.covariance))
        found = np.concatenate([self._weights(chance, root) for _ in range(max(samples // _BATCH, 2))])
        scale = np.exp(self.offset @ np.linalg.solve(self.covariance, self.offset) / 2)
        return float(found.mean() * scale), float(found.std() / len(found) ** 0.5 * scale)

    def _weights(self, chance: np.random.Generator, root: _Floats) -> _Floats:
        """The integrand at random points, divided by their density."""
        widths = chance.choice(_WIDTHS, size=_BATCH, p=_SHARES)
        normal = chance.standard_normal((_BATCH, len(root))) * widths[:, None]
        points = normal @ root
        square = (normal**2).sum(axis=1)
        density = sum(
            share * np.exp(-square / width**2 / 2) / width ** len(root)
            for width, share in zip(_WIDTHS, _SHARES, strict=True)
        )
        values = np.exp(-1j * (points @ self.target))
        for step in self.steps:
            values *= np.exp(1j * (points @ step.T)).mean(axis=1)
        # Each point stands for the torus only if no coordinate leaves it.
        inside = (np.abs(points) < pi).all(axis=1)
        return np.where(inside, values.real, 0) / density


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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    puzzles: Sequence[EdgeMatchingPuzzle] = [read_squares(arguments.puzzle)]
    if arguments.check:
        sizes = [(4, 4, 2, 3), (5, 5, 2, 2), (5, 5, 3, 4), (6, 6, 2, 2)]
        puzzles = [deal_edge_matching(*size, seed=seed).puzzle for size in sizes for seed in (1, 2)]
    for puzzle in puzzles:
        walk = Walk(puzzle)
        limit, (factor, error) = walk.limit() / log(10), walk.integral(int(arguments.samples), arguments.seed)
        line = f"{puzzle.name}: dimension {len(walk.covariance)}, limit theorem {power(limit)}, integral "
        line += f"{power(limit + log10(factor))}, standard error {100 * error / factor:.2g} %"
        of_each = balanced_rotations(puzzle)
        line += f", {float(of_each.rotations):.3g} rotations, independent colours {float(of_each.balanced):.3g}"
        if arguments.check:
            from balanced_counts import count_balanced

            line += f", exact {count_balanced(puzzle):.4g}"
        print(line, flush=True)


def power(exponent: float) -> str:
    """Ten to that power."""
    return f"{10 ** (exponent % 1):.3f}e{int(exponent // 1)}"


if __name__ == "__main__":
    main()
