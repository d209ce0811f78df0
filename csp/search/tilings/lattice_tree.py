"""The search tree of the lattice model, with access to its nodes in any order, for estimators that sample it."""

import numpy as np

from .lattice_kernel import visit_lattice
from .lattice_placements import Rows
from .lattice_tables import LatticeProblem, bits_of


class LatticeTree:
    """The tree that a `LatticeWalk` walks through, level by level.

    A set of nodes at a depth is an array with one row per node: its placements in the order in which they were chosen.

    - `problem`: the exact cover problem.
    - `among`: placements to which the candidates of the root are restricted; all by default.

    Attributes:
    - `depths`: the number of pieces of a leaf.
    """

    def __init__(self, problem: LatticeProblem, among: Rows | None = None) -> None:
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
        visit_lattice(
            *self._tables, self._left, self._open, self._unplaced,
            nodes, depth, wanted, self._planes, numbers, children,
        )  # fmt: skip
        return numbers, children
