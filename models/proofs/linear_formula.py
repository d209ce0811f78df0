"""The second encoder's formulas with linear constraints, as pseudo-Boolean proofs have them.

Each constraint says that at least so many of its literals are true; a clause is one with the bound 1.  Bounds on the
number of true literals need no further variables then.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from .define_boards import BoardDefinition, Look, rotations
from .define_tilings import TilingDefinition, different
from .plain_formula import PlainFormula

#: At least how many of which literals are true.
Linear = tuple[int, Sequence[int]]


class LinearFormula(PlainFormula):
    """A formula that keeps bounds as they are."""

    def __init__(self, *given: Hashable) -> None:
        self._bounds: list[Linear] = []
        super().__init__(*given)

    def at_most(self, literals: Sequence[int], most: int) -> None:
        if most < len(literals):
            self._bounds.append((len(literals) - most, [-literal for literal in literals]))

    def exactly(self, literals: Sequence[int], number: int) -> None:
        self.at_most(literals, number)
        if number > 0:
            self._bounds.append((number, list(literals)))

    def constraints(self) -> list[Linear]:
        """All constraints."""
        return [*((1, clause) for clause in self.clauses), *self._bounds]


class LinearBoards(LinearFormula, BoardDefinition):
    """The boards of a claim without slips."""

    @cached_property
    def choices(self) -> dict[int, tuple[int, Look]]:
        """The square and the look of each variable that decides on a solution."""
        looks = ((square, look) for square, some in enumerate(self.looks) for look in some)
        return {self.variable("look", square, look): (square, look) for square, look in looks}

    def board(self, true: Iterable[int]) -> list[tuple[int, int]]:
        """A piece and its rotation for each square, where these variables are true."""
        showing: dict[Look, dict[int, int]] = defaultdict(dict)
        for piece in self._free:
            for rotation in rotations(*self._may(piece)):
                showing[self.look(piece, rotation)].setdefault(piece, rotation)
        board, used = dict(self._fixed), set()
        for square, look in map(self.choices.__getitem__, true):
            if square not in board:
                board[square] = next(placed for placed in showing[look].items() if placed[0] not in used)
                used.add(board[square][0])
        return [board[square] for square in range(len(self.looks))]

    def implied(self) -> Iterator[list[int]]:
        """Clauses that follow by unit propagation: a colour at a join needs a look that shows it, on either square."""
        for square, looks in enumerate(self.looks):
            for side in range(4):
                if self._neighbour(square, side) is None:
                    continue
                join = ("join", *self._join(square, side))
                shown = {self.known("color", *join, color): [] for color in sorted(self._colors[join])}
                for look in looks:
                    shown[self.color(square, side, look[side])].append(self.variable("look", square, look))
                yield from ([-color, *some] for color, some in shown.items() if color is not None)


class LinearTilings(LinearFormula, TilingDefinition):
    """The tilings of a claim."""

    @cached_property
    def choices(self) -> dict[int, tuple[int, tuple]]:
        """The tile of each variable that decides on a solution."""
        return {self.variable("tile", *tile): tile for tile, left in zip(self.tiles, self._left, strict=True) if left}

    def implied(self) -> Iterator[list[int]]:
        """No clauses: the definition has them all."""
        return iter(())

    def _no_overlap(self) -> None:
        """Of the tiles that cover a spot, which overlap each other, at most one is there; then the pairs that are left.

        That is what the definition says, in far fewer constraints.
        """
        numbers = np.flatnonzero(self._left)
        overlap = np.triu(~self._apart[np.ix_(numbers, numbers)], 1)
        covering = different(self._spots & self._left)
        for tiles in covering[:, numbers]:
            rest = overlap[np.ix_(tiles, tiles)]
            assert not self._apart[np.ix_(numbers[tiles], numbers[tiles])].any()
            if rest.any():
                overlap[np.ix_(tiles, tiles)] = False
                self.at_most(self._variables(np.isin(np.arange(len(self.tiles)), numbers[tiles])), 1)
        variables = self._variables(self._left)
        for one, other in zip(*(found.tolist() for found in np.nonzero(overlap)), strict=True):
            self.add(-variables[one], -variables[other])
