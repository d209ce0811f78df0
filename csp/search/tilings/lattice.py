"""The search of the lattice model, an exact cover problem in words of 64 bits: its tables, tree, and walk in slices."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from .lattice_kernel import WRITTEN, search_lattice, visit_lattice
from .lattice_placements import Bits, Placements, Rows, find_anchor
from .walks import LatticeSteps, TilingTree


class LatticeTables(NamedTuple):
    """The constant tables of the kernels; see `lattice_kernel.search_lattice`."""

    disjoint: Bits
    covers: Bits
    covered: Bits
    kind: Rows
    kind_rows: Bits
    #: Of which kinds all pieces must be placed, as 0 and 1; and whether this is so of all kinds.
    needed: Bits
    all_needed: Bits


class Root(NamedTuple):
    """The start of a search: candidates and open wedges as bits, and the number of pieces of each kind to place."""

    left: Bits
    open_wedges: Bits
    unplaced: Bits


@dataclass(frozen=True)
class LatticeProblem:
    """A dissection as an exact cover problem."""

    #: All placements.
    placements: Placements
    #: The kind of a single piece for which the root has only one placement of each orbit; None without such a kind.
    anchor: int | None
    #: The tables of the kernels, and the start.
    tables: LatticeTables
    root: Root
    #: The number of first words of wedges that are examined as long as one of these wedges is open.
    telling_words: int


def exact_cover(placements: Placements, *, break_symmetry: bool) -> LatticeProblem:
    """The exact cover problem of some placements.

    With `break_symmetry`, only one placement of each orbit under the target's symmetries is used for a unique piece.
    """
    wedges, words = placements.wedges, (len(placements) + 63) // 64
    of_each = (np.flatnonzero(placements.of_kind == kind) for kind in range(len(placements.kinds)))
    kind_rows = np.array([bits_of(of_kind, words) for of_kind in of_each])
    # A single piece must be placed, just as a wedge must be covered.
    needed = placements.needed
    single = [kind for kind, members in enumerate(placements.kinds) if len(members) == 1 and needed[kind]]
    covers = np.vstack([kind_rows[single], wedges.covers])
    covered = transposed(covers, len(placements))
    anchor = find_anchor(placements) if break_symmetry else None
    left = np.bitwise_or.reduce(kind_rows, axis=0)
    if anchor is not None:
        rows = np.flatnonzero(placements.of_kind == anchor)
        left &= ~bits_of(rows[placements.images[:, rows].min(axis=0) != rows], len(left))
    unplaced = np.array([len(members) for members in placements.kinds], dtype=np.uint64)
    root = Root(left, bits_of(np.arange(len(covers)), covered.shape[1]), unplaced)
    all_needed = np.array([needed.all()], dtype=np.uint64)
    tables = LatticeTables(
        placements.disjoint, covers, covered, placements.of_kind, kind_rows, needed.astype(np.uint64), all_needed
    )
    # Some more wedges do no harm, and the kernel takes four words at once.
    telling_words = min((len(single) + wedges.telling + 255) // 256 * 4, covered.shape[1])
    return LatticeProblem(placements, anchor, tables, root, telling_words)


def bits_of(numbers: NDArray[np.int64], words: int) -> Bits:
    """A set of numbers as bits."""
    row = np.zeros(words, dtype=np.uint64)
    np.bitwise_or.at(row, numbers >> 6, np.uint64(1) << (numbers & 63).astype(np.uint64))
    return row


def members_of(row: Bits) -> NDArray[np.int64]:
    """The numbers in a set of bits."""
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))


def unpacked(rows: Bits, columns: int) -> NDArray[np.uint8]:
    """A matrix of bits with `columns` columns as numbers."""
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little", count=columns)


def transposed(rows: Bits, columns: int) -> Bits:
    """The transposed matrix of bits."""
    from .lattice_kernel import transpose

    turned = np.zeros((columns, (len(rows) + 63) // 64), dtype=np.uint64)
    transpose(rows, turned)
    return turned


class LatticeTree(TilingTree):
    """The tree that a `LatticeWalk` walks through; the root has the candidates `among`, by default all placements."""

    def __init__(self, problem: LatticeProblem, among: Rows | None = None) -> None:
        if not problem.tables.all_needed[0]:
            raise EngineError("the tree of a search with spare pieces cannot be probed")
        self.depths = sum(map(len, problem.placements.kinds))
        left, open_wedges, unplaced = problem.root
        if among is not None:
            left = left & bits_of(among, len(left))
        # The second row is scratch space for the kernel.
        self._left, self._open, self._unplaced = (np.stack([row, row]) for row in (left, open_wedges, unplaced))
        self._tables = problem.tables
        self._planes = np.zeros((4, problem.telling_words), dtype=np.uint64)

    def _visited(self, nodes: Rows, depth: int, wanted: Rows) -> tuple[Rows, Rows]:
        numbers, children = np.zeros((2, len(nodes)), dtype=np.int64)
        roots = self._left, self._open, self._unplaced
        visit_lattice(self._tables, *roots, nodes, depth, wanted, self._planes, numbers, children)
        return numbers, children


class LatticeWalk(LatticeSteps):
    """A walk through the tilings of a problem of exact cover."""

    method = "lattice, fewest candidates"

    def __init__(self, problem: LatticeProblem) -> None:
        super().__init__(problem.placements, problem.anchor)
        self._problem = problem
        root, pieces = problem.root, len(self.nodes)
        # If not all pieces are needed, what is left after the last one is looked at, too.
        levels = pieces + 1 - int(problem.tables.all_needed[0])
        left, self._untried = np.zeros((2, levels, len(root.left)), dtype=np.uint64)
        open_wedges = np.zeros((levels, len(root.open_wedges)), dtype=np.uint64)
        unplaced = np.zeros((levels, len(self.kinds)), dtype=np.uint64)
        left[0], open_wedges[0], unplaced[0] = root
        self._tried, self._options = np.zeros((2, levels), dtype=np.uint64)
        chosen = np.zeros(levels, dtype=np.int64)
        self._levels = left, self._untried, open_wedges, unplaced, chosen, self._tried, self._options
        self._planes = np.zeros((4, problem.telling_words), dtype=np.uint64)

    def twin(self) -> "LatticeWalk":
        """Another walk through the same tree, from its root, with the same numbers of placements."""
        return LatticeWalk(self._problem)

    def _search(self) -> int:
        left, untried, open_wedges, unplaced, chosen, tried, options = self._levels
        return search_lattice(
            self._problem.tables, left, untried, open_wedges, unplaced, chosen, tried, options,
            self.nodes, self._planes, self._cursor, self._rows,
        )  # fmt: skip

    def solutions(self) -> Rows:
        """The tilings of the last slice: a placement for each piece, also if it is left over, kind by kind."""
        rows = self._rows[: int(self._cursor[WRITTEN])]
        return super().solutions() if self._problem.tables.all_needed[0] else self._placements.completed(rows)
