"""The second encoder's formulas with linear constraints, as pseudo-Boolean proofs have them.

Each constraint says that at least a number of its literals are true; a clause is one with the bound 1.  Bounds on the
number of true literals need no further variables then.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from ...csp.puzzles.exchanges import Exchange, exchanges
from .define_boards import BoardDefinition, Look, rotations, turned
from .define_tilings import Flags, TilingDefinition, different
from .plain_formula import PlainFormula

#: At least how many of which literals are true.
Linear = tuple[int, Sequence[int]]


class LinearFormula(PlainFormula):
    """A formula that keeps bounds as they are."""

    @cached_property
    def _bounds(self) -> list[Linear]:
        return []

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

    _broken: Sequence[Exchange] = ()

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
        board, used = dict(self._fixed), set[int]()
        for square, look in map(self.choices.__getitem__, true):
            if square not in board:
                board[square] = next(placed for placed in showing[look].items() if placed[0] not in used)
                used.add(board[square][0])
        return [board[square] for square in range(len(self.looks))]

    def images(self, true: Iterable[int]) -> Iterator[list[int]]:
        """What the symmetries that are broken make of a solution, itself included."""
        for symmetry in self._broken or [None]:
            yield [variable if symmetry is None else self._image(variable, symmetry) for variable in true]

    def _keep_anchor(self, anchor: int) -> None:
        """Mirror images and exchanges of colours are broken, too, if some piece can be in one place of each orbit.

        It is a piece without its like that is in every solution and stays itself, but never in its place.
        """
        symmetries = exchanges(self.puzzle)
        if len(symmetries) > len(self._moves) + 1:
            own: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for variable, (_, look) in self.choices.items():
                own[self._set_of(look)].append(variable)
            before = _in_any_order(self.constraints(), {})
            for places in own.values():
                orbits = [[self._image(place, symmetry) for symmetry in symmetries] for place in places]
                alone = (1, frozenset(places)) in before and (
                    len(places) - 1,
                    frozenset(-one for one in places),
                ) in before
                if alone and all(len({*orbit}) == len(orbit) and {*places} >= {*orbit} for orbit in orbits):
                    for symmetry in symmetries:
                        moved = {one: self._image(one, symmetry) for one in range(1, self.top + 1)}
                        assert _in_any_order(self.constraints(), moved) == before, "no symmetry of the formula"
                    self._broken = symmetries
                    for orbit in orbits:
                        if orbit[0] != min(orbit):
                            self.add(-orbit[0])
                    return
        super()._keep_anchor(anchor)

    def _image(self, variable: int, symmetry: Exchange) -> int:
        """The variable that a symmetry makes of one."""
        move, new = symmetry.move, symmetry.new
        kind, *where = self._names[variable]
        if kind == "look":
            square, look = where
            sides = turned(look[:4], move.rotation)
            shown = tuple(new[abs(side)] if side >= 0 else -new[abs(side)] for side in sides)
            return self.known("look", move.targets[square], shown + look[4:]) or 0
        _, square, side, color = where
        there = turned((0, 1, 2, 3), move.rotation).index(side)
        shown = new[abs(color)] if color >= 0 else -new[abs(color)]
        return self.color(move.targets[square], there, shown) or 0

    @cached_property
    def _names(self) -> dict[int, tuple]:
        return {variable: name for name, variable in self._named.items()}

    def implied(self) -> Iterator[list[int]]:
        """Clauses that follow by unit propagation: a colour at a join needs a look that shows it, on either square."""
        for square, looks in enumerate(self.looks):
            for side in range(4):
                if self._neighbour(square, side) is None:
                    continue
                join = ("join", *self._join(square, side))
                shown: dict[int | None, list[int]] = {
                    self.known("color", *join, color): [] for color in sorted(self._colors[join])
                }
                for look in looks:
                    shown[self.color(square, side, look[side])].append(self.variable("look", square, look))
                yield from ([-color, *some] for color, some in shown.items() if color is not None)


def _in_any_order(constraints: Iterable[Linear], new: Mapping[int, int]) -> set[tuple[int, frozenset[int]]]:
    """The constraints, where variables may have become others."""
    return {
        (least, frozenset(new.get(abs(one), abs(one)) * (1 if one > 0 else -1) for one in literals))
        for least, literals in constraints
    }


class LinearTilings(LinearFormula, TilingDefinition):
    """The tilings of a claim."""

    @cached_property
    def choices(self) -> dict[int, tuple[int, tuple]]:
        """The tile of each variable that decides on a solution."""
        return {self.variable("tile", *tile): tile for tile, left in zip(self.tiles, self._left, strict=True) if left}

    def implied(self) -> Iterator[list[int]]:
        """No clauses: the definition has them all."""
        return iter(())

    def images(self, true: Sequence[int]) -> Iterator[Sequence[int]]:
        """The solution itself."""
        yield true

    def _exclude_pairs(self, overlap: Flags) -> None:
        """Of the tiles that cover a spot, which overlap each other, at most one is there; then the pairs that are left.

        That is what the definition says, in far fewer constraints.
        """
        numbers = np.flatnonzero(self._left)
        covering = different(self._spots & self._left)
        for tiles in covering[:, numbers]:
            rest = overlap[np.ix_(tiles, tiles)]
            assert not self._apart[np.ix_(numbers[tiles], numbers[tiles])].any()
            if rest.any():
                overlap[np.ix_(tiles, tiles)] = False
                self.at_most(self._variables(np.isin(np.arange(len(self.tiles)), numbers[tiles])), 1)
        super()._exclude_pairs(overlap)
