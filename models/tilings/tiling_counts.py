"""The number of tilings and of their orbits, from numbers of models.

With congruent pieces as one kind, a model stands for a tiling without piece numbers.  Where the target has symmetries,
the orbits are counted by Burnside's lemma: their number is the mean, over all symmetries, of the number of tilings that
the symmetry does not change.
"""

from collections.abc import Iterator
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from ...csp.puzzles.dissection import DissectionPuzzle
from ..base.model_counter import ModelCounter
from .cnf import DissectionCNF, TilingEncoding
from .domains import TilingDomains


def tiling_counts(
    puzzle: DissectionPuzzle, encoding: TilingEncoding, counter: ModelCounter, *, symmetry: bool
) -> Iterator[tuple[int, int]]:
    """Yield the number of tilings and that of orbits: lower bounds at first, at last the numbers themselves.

    Parameters
    ----------
    puzzle, encoding
        The puzzle and the encoding.
    counter
        Counts models.
    symmetry
        Whether congruent pieces are of one kind; otherwise a model is counted for each tiling of numbered pieces.

    Raises StoppedError if the counter must stop.
    """

    def domains(*, symmetry: bool = True, anchored: bool = False) -> TilingDomains:
        prune = encoding.prune
        return counter.build(lambda: TilingDomains(puzzle, symmetry=symmetry, anchored=anchored, prune=prune))

    def models(of: TilingDomains, row: int = 0) -> int:
        model = counter.build(lambda: _unchanged_by(DissectionCNF(of, encoding), row))
        return counter.count(model.clauses, model.deciding)

    labellings = prod(factorial(len(members)) for members in puzzle.classes)
    symmetries = len(puzzle.symmetries)
    if symmetry:
        anchored = domains(anchored=True)
        # An anchor that a symmetry leaves where it is does not break that symmetry.
        if anchored.anchor is not None and not _unmoved(anchored)[1:, anchored.of_kind == anchored.anchor].any():
            number = models(anchored)
            yield number * symmetries * labellings, number
            return
    by_class = domains()
    number = models(by_class)
    count = number * labellings if symmetry else models(domains(symmetry=False))
    yield count, -(-number // symmetries)
    unchanged, single = number, [kind for kind, size in enumerate(by_class.sizes) if size == 1]
    mirrored = puzzle.mirror_kinds(by_class.kinds)
    for row, same in enumerate(_unmoved(by_class)[1:] if number else (), start=1):
        # A tiling that a symmetry does not change has every piece without its like where it is, unless the symmetry
        # makes a piece of another kind of it.
        reflected = puzzle.symmetries[row].is_reflection
        kept = [kind for kind in single if not (reflected and mirrored[kind] != kind)]
        if all(same[by_class.of_kind == kind].any() for kind in kept):
            unchanged += models(by_class, row)
    orbits, left = divmod(unchanged, symmetries)
    assert left == 0
    yield count, orbits


def _unmoved(domains: TilingDomains) -> NDArray[np.bool_]:
    """Shape (symmetries, placements that are left): which symmetry leaves which placement unchanged."""
    return domains.placements.images[:, domains.left] == domains.left


def _unchanged_by(model: DissectionCNF, row: int) -> DissectionCNF:
    """The model of tilings, if a symmetry is given of those that it does not change: they have its images."""
    if row:
        domains = model.domains
        images = domains.placements.images[row, domains.left]
        kept = np.isin(images, domains.left)
        model.clauses.add(-model.deciding[~kept][:, None])
        there, moved = model.deciding[kept], model.deciding[np.searchsorted(domains.left, images[kept])]
        model.clauses.add(np.stack([-there, moved], axis=1)[there != moved])
    return model
