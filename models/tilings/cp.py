"""Dissections as models of CP-SAT: a Boolean for each placement, and exactly one true for each wedge."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...csp.puzzles.dissection import DissectionPuzzle, PuzzleTiling
from ..base.encodings import Encoding, tiling_cp_encoding
from ..base.puzzle_model import PuzzleCp
from .domains import Indices, TilingDomains

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from ..base.puzzle_model import Values

# A wedge is worth its constraint if it shows this number of conflicts for each of its placements.
_WORTH = 1.0


class DissectionCp(PuzzleCp):
    """A dissection on the lattice as a model of CP-SAT whose solutions are its tilings.

    Attributes
    ----------
    domains, encoding
        What the model was made of.
    model
        The model.
    """

    puzzle: DissectionPuzzle

    def __init__(self, domains: TilingDomains, encoding: Encoding) -> None:
        from ortools.sat.python import cp_model

        self.domains, self.encoding, self.puzzle = domains, encoding, domains.puzzle
        self.model = cp_model.CpModel()
        self._there = [self.model.new_bool_var(f"p{number}") for number in range(len(domains.of_choice))]
        for kind, size in enumerate(domains.sizes):
            literals = self._of(np.flatnonzero(domains.of_choice == kind))
            if size == 1:
                self.model.add_exactly_one(literals)
            else:
                self.model.add(sum(literals) == size)
        # Of a kind's pieces the first ones are left over.
        for number in (len(domains.left) + np.flatnonzero(np.diff(domains.over) == 0)).tolist():
            self.model.add_implication(self._there[number + 1], self._there[number])
        # Pieces that may be left over could leave gaps.
        if encoding.name == "wedges" or (len(domains.over) and domains.full):
            for members in domains.covers:
                self._cover(members)
        else:
            chosen, pairs = domains.telling(_WORTH)
            for wedge in chosen:
                self._cover(domains.covers[wedge])
            for one, other in (pair for some in domains.pairs_of(pairs) for pair in some.tolist()):
                self.model.add_at_most_one(self._there[one], self._there[other])

    def _of(self, members: Indices) -> "list[cp_model.IntVar]":
        return [self._there[member] for member in members.tolist()]

    def _cover(self, members: Indices) -> None:
        """One of these placements is there, or none if gaps are allowed."""
        (self.model.add_exactly_one if self.domains.full else self.model.add_at_most_one)(self._of(members))

    def there(self, values: "Values") -> Indices:
        """The choices of a solution."""
        # All together, because reading them one by one takes longer than the search.
        return np.flatnonzero(np.array(values.response_proto.solution, dtype=np.int64)[: len(self._there)])

    def solution(self, values: "Values") -> PuzzleTiling:
        """The tiling of a solution that a solver or callback has."""
        return self.domains.tiling(self.there(values))

    def meaning(self) -> Iterator[str]:
        """What the variables mean, and what the model leaves out."""
        yield from self.domains.meaning()
        for number, what in enumerate(self.domains.names()):
            yield f"p{number}: {what}"


def build_tiling_cp(puzzle: DissectionPuzzle, encoding: str | None = None, *, symmetry: bool = False) -> DissectionCp:
    """A dissection on the lattice as a model of CP-SAT; parameters and errors are those of `build_tiling_cnf`."""
    return DissectionCp(TilingDomains(puzzle, symmetry=symmetry), tiling_cp_encoding(encoding))
