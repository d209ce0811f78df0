"""The search of the lattice model in slices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...geometry.polygons import Polygon
from .lattice_kernel import BUDGET, CURSOR_SIZE, DEPTH, FLOOR, FRESH, WRITTEN, search_lattice
from .lattice_placements import Rows
from .lattice_tables import LatticeProblem

# The state of the walk at each depth down to a position: the rows of all arrays with one row per depth.
_Place = tuple[NDArray[Any], ...]


class LatticeWalk:
    """A walk that meets all tilings on the lattice, each once.

    Attributes:
    - `kinds`, `anchor`: the pieces by kind, and the kind that breaks the target's symmetries, if any.
    - `nodes`: pieces placed, by the number of placed pieces.
    - `slice_nodes`: the number of nodes of the next slice; set by the caller of `advance`.
    """

    method = "lattice, fewest candidates"

    def __init__(self, problem: LatticeProblem) -> None:
        self._problem = problem
        self.kinds, self.anchor = problem.placements.kinds, problem.anchor
        root, pieces = problem.root, sum(map(len, self.kinds))
        self.nodes = np.zeros(pieces, dtype=np.int64)
        self.slice_nodes = 2_000
        self.statistics: dict[str, int] = {}
        self._left, self._untried = np.zeros((2, pieces, len(root.left)), dtype=np.uint64)
        self._open = np.zeros((pieces, len(root.open_wedges)), dtype=np.uint64)
        self._unplaced = np.zeros((pieces, len(self.kinds)), dtype=np.uint64)
        self._left[0], self._open[0], self._unplaced[0] = root
        self._tried, self._options = np.zeros((2, pieces), dtype=np.uint64)
        self._chosen = np.zeros(pieces, dtype=np.int64)
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
        return search_lattice(*self._problem.tables, *self._levels, self.nodes, self._planes, self._cursor, self._rows)

    def solutions(self) -> Rows:
        """The tilings of the last slice: a placement for each piece, the pieces kind by kind."""
        rows = self._rows[: int(self._cursor[WRITTEN])]
        # Placements are numbered kind by kind.
        return np.sort(rows, axis=1)

    def polygon(self, placement: int) -> Polygon:
        """The polygon of a placement."""
        return self._problem.placements.polygon(placement)

    def images(self, placements: Rows) -> Rows:
        """The images of placements under the target's symmetries, shape (symmetries, placements)."""
        return self._problem.placements.images[:, placements]

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
