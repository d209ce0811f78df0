"""What the walks on the lattice share: they keep their state depth by depth, and so can be cut, stopped and resumed."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engines.tallies import Rows
from ...geometry.polygons import Polygon
from ..shared_tree import DEPTH, FLOOR, WRITTEN, KernelWalk, done_of_levels
from .lattice_kernel import CURSOR_SIZE, FRESH
from .lattice_placements import Placements

# The state of the walk at each depth down to a position: the rows of all arrays with one row per depth.
Place = tuple[NDArray[Any], ...]


class TilingTree(ABC):
    """The tree of a walk, level by level.

    A set of nodes at a depth is an array with one row per node: its placements in the order in which they were chosen.

    Attributes:
    - `depths`: the number of pieces of a leaf.
    """

    depths: int

    @abstractmethod
    def _visited(self, nodes: Rows, depth: int, wanted: Rows) -> tuple[Rows, Rows]:
        """The number of children of each node, and the placement of child number `wanted` (-1: of none)."""

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


class LatticeSteps(KernelWalk):
    """A walk that meets all tilings on the lattice, each once.

    - `anchor`: the kind that breaks the target's symmetries, if any.

    Attributes:
    - `kinds`: the pieces by kind.
    - `first_over`: from this number on, placements are those of pieces that are left over.
    """

    def __init__(self, placements: Placements, anchor: int | None) -> None:
        self._placements, self.kinds, self.anchor = placements, placements.kinds, anchor
        self.first_over: int | None = len(placements)
        pieces = sum(map(len, self.kinds))
        self.nodes = np.zeros(pieces, dtype=np.int64)
        self.slice_nodes = 2_000
        self.statistics: dict[str, int] = {}
        self._cursor = np.zeros(CURSOR_SIZE + 1, dtype=np.uint64)
        self._cursor[FRESH] = 1
        self._rows = np.zeros((1, pieces), dtype=np.int64)
        # Set by the walks, with these three among them.
        self._levels: Any = ()
        self._untried = self._tried = self._options = np.zeros(pieces, dtype=np.uint64)

    def solutions(self) -> Rows:
        """The tilings of the last slice: a placement for each piece, the pieces kind by kind."""
        rows = self._rows[: int(self._cursor[WRITTEN])]
        # Placements are numbered kind by kind.
        return np.sort(rows, axis=1)

    def polygon(self, placement: int) -> Polygon:
        """The polygon of a placement."""
        return self._placements.polygon(placement)

    def images(self, placements: Rows) -> Rows:
        """The images of placements under the target's symmetries, shape (symmetries, placements)."""
        return self._placements.every_image[:, placements]

    def looks(self, placements: Rows) -> Rows:
        """Numbers that are equal for congruent pieces in the same place."""
        return self._placements.looks[placements]

    def split(self) -> Place | None:
        """Give away the untried candidates at the least depth that has some: a position for `begin_at`."""
        for depth in range(int(self._cursor[FLOOR]), int(self._cursor[DEPTH])):
            if self._untried[depth].any():
                self._cursor[FLOOR] = depth + 1
                return tuple(rows[: depth + 1].copy() for rows in self._levels)
        return None

    def _here(self) -> Place:
        return tuple(rows[: int(self._cursor[DEPTH]) + 1] for rows in self._levels)

    def begin_at(self, place: Place | list[Any]) -> None:
        """Go to a position of `split` or `rest`, to search only the subtrees from there on."""
        for rows, given in zip(self._levels, place, strict=True):
            rows[: len(given)] = np.asarray(given, dtype=rows.dtype)
        self._cursor[[DEPTH, FLOOR, FRESH]] = len(place[0]) - 1, len(place[0]) - 1, 0

    def done(self, place: Place | None = None) -> float:
        """The part of the tree that is done, counting the candidates at each node as equal parts.

        With a position that the walk has just given away, the part before it.
        """
        levels = int(self._cursor[DEPTH]) + 1 if place is None else len(place[0])
        return done_of_levels(self._tried[:levels], self._options[:levels])
