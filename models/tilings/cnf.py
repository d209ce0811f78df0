"""Dissections as CNF: a variable for each placement, and clauses by which the true ones are a tiling.

Placements that are pairwise disjoint, one of each piece, tile the target, because their areas add up to its own.  So a
formula only has to state that each piece is placed and no two overlap, and the encodings do this in different ways.
Their other clauses, that something covers a wedge, are redundant, but solvers do not derive them.  If pieces may be
left over, they are needed; if gaps are allowed, they are left out.

Of the Ostomachion's 5952 placements (congruent pieces and the square's symmetries counted once) 949 are left to begin
with, and cadical195 enumerates the 536 tilings so fast (`tests/benchmarks/tiling_encodings.py`):

    encoding            variables   clauses   seconds
    colors                   3940     46982       0.6
    telling                  4522     49185       1.3
    pairs                    2570    163538       0.6
    wedges                  38448    288051       9.1
    wedges+sequential      111594    331116      16.5
    wedges+pairwise          1869   6608919      24.6
    colors+unpruned         28070    674184      17.7

So ``colors`` is the default: a small formula also makes proofs shorter and quicker to check.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from ...csp.engines.tallies import Rows
from ...csp.puzzles.dissection import DissectionPuzzle, PuzzleTiling, Tiling
from ..base.encodings import Encoding, tiling_encoding
from ..base.formula import Clauses, Literals, PuzzleFormula
from .domains import Indices, TilingDomains

# A wedge is worth its clauses if it shows this number of conflicts for each of its placements.
_WORTH = 3.0
# The part of the wedges, those with the fewest placements, for which a clause states that something covers them.
_NEEDED = 0.2


class DissectionCNF(PuzzleFormula):
    """A dissection on the lattice as a formula whose models are its tilings; several may be the same one.

    Attributes
    ----------
    domains, encoding
        What the formula was made of.
    clauses
        The formula.
    deciding
        The variables of the possible placements, in their order; models that differ in others only are one tiling.
    cnf
        The formula for PySAT; you may add your own clauses.

    Examples
    --------
    Two triangles make a square in four ways, by two diagonals; one way remains if symmetries are broken.

    >>> from jigsat.csp.puzzles.dissection import Motions
    >>> from pysat.solvers import Solver
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle), motions=Motions.LATTICE)
    >>> model = DissectionCNF(TilingDomains(puzzle, symmetry=False), tiling_encoding(None))
    >>> with Solver("cadical195", bootstrap_with=list(model.clauses)) as solver:
    ...     sum(1 for _ in solver.enum_models())
    4
    """

    puzzle: DissectionPuzzle

    def __init__(self, domains: TilingDomains, encoding: Encoding) -> None:
        self.domains, self.encoding, self.puzzle = domains, encoding, domains.puzzle
        self.clauses = Clauses()
        self.deciding = self.clauses.new(len(domains.of_choice))
        _every_piece(self)
        _ENCODE[encoding.name](self)

    def solution(self, model: Sequence[int]) -> PuzzleTiling:
        """The tiling of a model (true and false literals, as solvers give them)."""
        return self.domains.tiling(np.flatnonzero(np.isin(self.deciding, np.asarray(model, dtype=np.int64))))

    def rows(self, true: Literals) -> Rows:
        """Rows of placements from the true variables in `deciding`, both of shape (n, pieces)."""
        return self.domains.rows(true - 1)

    def assignments(self, tiling: Tiling, /) -> list[list[int]]:
        return [self.deciding[there].tolist() for there in self.domains.images_of(tiling)]

    def meaning(self) -> Iterator[str]:
        """What the variables mean, and what the formula leaves out."""
        yield from self.domains.meaning()
        yield "var NUMBER PLACEMENT; models that differ in other variables only are the same solution"
        for variable, what in zip(self.deciding.tolist(), self.domains.names(), strict=True):
            yield f"var {variable} {what}"


def build_tiling_cnf(puzzle: DissectionPuzzle, encoding: str | None = None, *, symmetry: bool = False) -> DissectionCNF:
    """A dissection on the lattice as a formula whose models are its tilings; several may be the same one.

    Parameters and errors are those of `jigsat.cnf`.
    """
    chosen = tiling_encoding(encoding)
    return DissectionCNF(TilingDomains(puzzle, symmetry=symmetry, prune=chosen.prune), chosen)


def _every_piece(model: DissectionCNF) -> None:
    """Of each kind there lie as many pieces as it has, or are left over."""
    for kind, size in enumerate(model.domains.sizes):
        literals = model.deciding[model.domains.of_choice == kind]
        if size == 1:
            model.clauses.add(literals[None])
            model.clauses.at_most_one(literals, model.encoding.at_most_one or "sequential")
        else:
            model.clauses.exactly(literals, size, model.encoding.at_most_one)
    # Of a kind's pieces the first ones are left over.
    before = len(model.domains.left) + np.flatnonzero(np.diff(model.domains.over) == 0)
    model.clauses.add(np.stack([model.deciding[before], -model.deciding[before + 1]], axis=1))


def _cover(model: DissectionCNF, wedges: Iterable[int]) -> None:
    """Something covers these wedges, unless gaps are allowed."""
    for wedge in wedges if model.domains.full else ():
        model.clauses.add(model.deciding[model.domains.covers[wedge]][None])


def _needed(domains: TilingDomains) -> list[int]:
    """The wedges that the fewest placements cover; all of them if the areas of pieces may exceed that of the target."""
    if len(domains.over):
        return list(range(len(domains.covers)))
    sizes = [len(members) for members in domains.covers]
    return np.argsort(sizes, kind="stable")[: round(_NEEDED * len(sizes))].tolist()


def _conflicts(model: DissectionCNF, pairs: Iterable[Indices]) -> None:
    """A clause for each two placements."""
    for some in pairs:
        model.clauses.add(-model.deciding[some])


def _encode_pairs(model: DissectionCNF) -> None:
    _cover(model, _needed(model.domains))
    _conflicts(model, model.domains.pairs_of(model.domains.conflicts()))


def _encode_wedges(model: DissectionCNF) -> None:
    """At the vertices of all placements no two pieces overlap and nothing is left open, and so nowhere.

    Along a line, sides of pieces begin and end at vertices only.  So between two vertices on it as many pieces end
    there as begin, for they do so close to either: how many pieces cover a point is the same all over the target.
    """
    _cover(model, range(len(model.domains.covers)))
    for members in model.domains.covers:
        model.clauses.at_most_one(model.deciding[members], model.encoding.at_most_one or "product")


def _encode_telling(model: DissectionCNF) -> None:
    chosen, pairs = model.domains.telling(_WORTH)
    _cover(model, sorted({*chosen, *_needed(model.domains)}))
    for wedge in chosen:
        literals = model.deciding[model.domains.covers[wedge]]
        model.clauses.at_most_one(literals, model.encoding.at_most_one or "product")
    _conflicts(model, model.domains.pairs_of(pairs))


def _encode_colors(model: DissectionCNF) -> None:
    chosen, pairs = model.domains.telling(_WORTH)
    _cover(model, sorted({*_needed(model.domains)} - {*chosen}))
    for wedge in chosen:
        _color(model, model.domains.covers[wedge])
    _conflicts(model, model.domains.pairs_of(pairs))


def _color(model: DissectionCNF, members: Indices) -> None:
    """One kind of pieces covers a wedge, and one placement of that kind; or at most one if gaps are allowed."""
    clauses, domains = model.clauses, model.domains
    if not domains.full:
        clauses.at_most_one(model.deciding[members], model.encoding.at_most_one or "product")
        return
    kinds, of_kind = np.unique(domains.of_kind[members], return_inverse=True)
    colors = clauses.new(len(kinds))
    clauses.add(colors[None])
    clauses.at_most_one(colors, "pairwise")
    literals = model.deciding[members]
    clauses.add(np.stack([-literals, colors[of_kind]], axis=1))
    clauses.imply_one_of(colors[:, None], of_kind, literals)
    for number, kind in enumerate(kinds.tolist()):
        if domains.sizes[kind] > 1:
            clauses.at_most_one(literals[of_kind == number], model.encoding.at_most_one or "product")


_ENCODE: dict[str, Callable[[DissectionCNF], None]] = {
    "colors": _encode_colors,
    "telling": _encode_telling,
    "wedges": _encode_wedges,
    "pairs": _encode_pairs,
}
