"""The search of the lattice model, an exact cover problem in words of 64 bits: its tables, tree, and walk in slices."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...geometry.polygons import Polygon
from ...puzzles.dissection import DissectionPuzzle
from .lattice_kernel import BUDGET, CURSOR_SIZE, DEPTH, FLOOR, FRESH, WRITTEN, search_lattice, visit_lattice
from .lattice_placements import Bits, Placements, Rows, find_placements


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


def lattice_problem(
    puzzle: DissectionPuzzle, *, by_class: bool, break_symmetry: bool, gaps: bool = True
) -> LatticeProblem:
    """A dissection as an exact cover problem.

    - `by_class`: whether congruent pieces are not distinguished.
    - `break_symmetry`: whether to use only one placement of each orbit under the target's symmetries for a unique
      piece.
    - `gaps`: whether cells that may stay free are covered by gaps, a kind of their own.

    Raises EngineError if the lattice is too fine, or the placements are too many.
    """
    placements = find_placements(puzzle, by_class=by_class, gaps=gaps)
    return exact_cover(placements, break_symmetry=break_symmetry and by_class)


def exact_cover(placements: Placements, *, break_symmetry: bool = True) -> LatticeProblem:
    """The exact cover problem of placements that have been found; parameters are those of `lattice_problem`."""
    kind_rows, wedges = _kind_rows(placements), placements.wedges
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


def find_anchor(placements: Placements) -> int | None:
    """The kind of one piece that has the fewest placements up to the target's symmetries; None without such a kind.

    No symmetry makes another kind of it.
    """
    if len(placements.images) == 1:
        return None
    least = placements.images.min(axis=0) == np.arange(len(placements))
    moved = placements.puzzle.moved_kinds(placements.kinds)
    sizes = {
        kind: int(least[placements.of_kind == kind].sum())
        for kind, members in enumerate(placements.kinds)
        if len(members) == 1 and placements.needed[kind] and all(kinds[kind] == kind for kinds in moved)
    }
    return min(sizes, key=sizes.__getitem__) if sizes else None


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


def _kind_rows(placements: Placements) -> Bits:
    """The placements of each kind as bits."""
    words = (len(placements) + 63) // 64
    kinds = range(len(placements.kinds))
    return np.array([bits_of(np.flatnonzero(placements.of_kind == kind), words) for kind in kinds])


def transposed(rows: Bits, columns: int) -> Bits:
    """The transposed matrix of bits."""
    from .lattice_kernel import transpose

    turned = np.zeros((columns, (len(rows) + 63) // 64), dtype=np.uint64)
    transpose(rows, turned)
    return turned


class LatticeTree:
    """The tree that a `LatticeWalk` walks through, level by level.

    A set of nodes at a depth is an array with one row per node: its placements in the order in which they were chosen.

    - `problem`: the exact cover problem.
    - `among`: placements to which the candidates of the root are restricted; all by default.

    Attributes:
    - `depths`: the number of pieces of a leaf.
    """

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

    def root(self) -> Rows:
        """The empty target, as a set of one node."""
        return np.zeros((1, self.depths), dtype=np.int64)

    def children(self, nodes: Rows, depth: int) -> Rows:
        """The number of children of each node at a depth."""
        return self._visited(nodes, depth, np.full(len(nodes), -1))[0]

    def child(self, nodes: Rows, depth: int, parents: Rows, which: Rows) -> Rows:
        """Child number ``which[i]`` (from 0) of node ``parents[i]``, for all i."""
        chosen = nodes[parents]
        chosen[:, depth] = self._visited(chosen, depth, which)[1]
        return chosen

    def _visited(self, nodes: Rows, depth: int, wanted: Rows) -> tuple[Rows, Rows]:
        numbers, children = np.zeros((2, len(nodes)), dtype=np.int64)
        roots = self._left, self._open, self._unplaced
        visit_lattice(self._tables, *roots, nodes, depth, wanted, self._planes, numbers, children)
        return numbers, children


# The state of the walk at each depth down to a position: the rows of all arrays with one row per depth.
_Place = tuple[NDArray[Any], ...]


class LatticeWalk:
    """A walk that meets all tilings on the lattice, each once.

    Attributes:
    - `kinds`, `anchor`: the pieces by kind, and the kind that breaks the target's symmetries, if any.
    - `first_over`: from this number on, placements are those of pieces that are left over.
    - `nodes`: pieces placed, by the number of placed pieces.
    - `slice_nodes`: the number of nodes of the next slice; set by the caller of `advance`.
    """

    method = "lattice, fewest candidates"

    def __init__(self, problem: LatticeProblem) -> None:
        self._problem = problem
        self.kinds, self.anchor = problem.placements.kinds, problem.anchor
        self.first_over: int | None = len(problem.placements)
        root, pieces = problem.root, sum(map(len, self.kinds))
        self.nodes = np.zeros(pieces, dtype=np.int64)
        self.slice_nodes = 2_000
        self.statistics: dict[str, int] = {}
        # If not all pieces are needed, what is left after the last one is looked at, too.
        levels = pieces + 1 - int(problem.tables.all_needed[0])
        self._left, self._untried = np.zeros((2, levels, len(root.left)), dtype=np.uint64)
        self._open = np.zeros((levels, len(root.open_wedges)), dtype=np.uint64)
        self._unplaced = np.zeros((levels, len(self.kinds)), dtype=np.uint64)
        self._left[0], self._open[0], self._unplaced[0] = root
        self._tried, self._options = np.zeros((2, levels), dtype=np.uint64)
        self._chosen = np.zeros(levels, dtype=np.int64)
        self._levels = (
            self._left, self._untried, self._open, self._unplaced, self._chosen, self._tried, self._options,
        )  # fmt: skip
        self._planes = np.zeros((4, problem.telling_words), dtype=np.uint64)
        self._cursor = np.zeros(CURSOR_SIZE, dtype=np.uint64)
        self._cursor[FRESH] = 1
        self._rows = np.zeros((1, pieces), dtype=np.int64)

    def twin(self) -> "LatticeWalk":
        """Another walk through the same tree, from its root, with the same numbers of placements."""
        return LatticeWalk(self._problem)

    def make_room(self, solutions: int) -> None:
        """Keep the tilings of a slice, and end it after `solutions` of them."""
        if len(self._rows) != solutions:
            self._rows = np.zeros((solutions, len(self.nodes)), dtype=np.int64)

    def advance(self, budget: int) -> int:
        """Search for at most `budget` nodes; return the kernel's code, the reason why it stopped."""
        self._cursor[WRITTEN], self._cursor[BUDGET] = 0, budget
        return search_lattice(self._problem.tables, *self._levels, self.nodes, self._planes, self._cursor, self._rows)

    def solutions(self) -> Rows:
        """The tilings of the last slice: a placement for each piece, also if it is left over, kind by kind."""
        rows = self._rows[: int(self._cursor[WRITTEN])]
        if not self._problem.tables.all_needed[0]:
            return self._problem.placements.completed(rows)
        # Placements are numbered kind by kind.
        return np.sort(rows, axis=1)

    def polygon(self, placement: int) -> Polygon:
        """The polygon of a placement."""
        return self._problem.placements.polygon(placement)

    def images(self, placements: Rows) -> Rows:
        """The images of placements under the target's symmetries, shape (symmetries, placements)."""
        return self._problem.placements.every_image[:, placements]

    def looks(self, placements: Rows) -> Rows:
        """Numbers that are equal for congruent pieces in the same place."""
        return self._problem.placements.looks[placements]

    def split(self) -> _Place | None:
        """Give away the untried candidates at the least depth that has some: a position for `begin_at`."""
        for depth in range(int(self._cursor[FLOOR]), int(self._cursor[DEPTH])):
            if self._untried[depth].any():
                self._cursor[FLOOR] = depth + 1
                return tuple(rows[: depth + 1].copy() for rows in self._levels)
        return None

    def rest(self) -> list[Any]:
        """All that is left to search: positions for `begin_at`, in the order of the search."""
        floor, given = self._cursor[FLOOR], []
        while (place := self.split()) is not None:
            given.append(place)
        self._cursor[FLOOR] = floor
        here = tuple(rows[: int(self._cursor[DEPTH]) + 1] for rows in self._levels)
        return [[rows.tolist() for rows in place] for place in (here, *reversed(given))]

    def begin_at(self, place: _Place | list[Any]) -> None:
        """Go to a position of `split` or `rest`, to search only the subtrees from there on."""
        for rows, given in zip(self._levels, place, strict=True):
            rows[: len(given)] = np.asarray(given, dtype=rows.dtype)
        self._cursor[[DEPTH, FLOOR, FRESH]] = len(place[0]) - 1, len(place[0]) - 1, 0

    def done(self, place: _Place | None = None) -> float:
        """The part of the tree that is done, counting the candidates at each node as equal parts.

        With a position that the walk has just given away, the part before it.
        """
        levels = int(self._cursor[DEPTH]) + 1 if place is None else len(place[0])
        options = np.maximum(self._options[:levels], 1).astype(np.float64)
        behind = self._tried[:levels].astype(np.float64)
        behind[:-1] -= 1
        return min(float((behind / np.cumprod(options)).sum()), 1.0)
