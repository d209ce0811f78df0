"""A search along an order, with the numbers that the model expects."""

from dataclasses import dataclass
from math import log10

from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import Slips
from ..owen.complexity import Complexity, Estimate
from ..owen.rounding import log10_fraction
from .spread import Spread, lognormal, until_found

#: If at least this many solutions are expected, the puzzle is assumed to be solvable.
_CERTAIN = 10
#: The decimal logarithm of the nodes at which the sum over numbers of invalid joins stops.
_ENOUGH = 15.0


@dataclass(frozen=True)
class Along:
    """A search order, the model's estimate along it, and the seconds to compute the order and its tables.

    The estimate is for the search as it runs, with symmetries broken.
    """

    name: str
    order: Order
    searched: Estimate
    setup: float

    @property
    def log_nodes(self) -> float:
        """The decimal logarithm of the nodes of the whole tree, including a branch to a solution."""
        return log10_fraction(self.searched.nodes + len(self.order))

    def until_found(self, deviation: float, clustering: float) -> Spread:
        """The nodes until the first solution, given that one exists; parameters as for `spread.until_found`."""
        others = log10_fraction(self.searched.solutions)
        return until_found(self.log_nodes, 1, others, deviation, clustering).at_least(len(self.order))


def nodes_of_proof(
    model: Complexity, order: tuple[int, ...], arrays: tuple[Slips, Slips], deviation: float, clustering: float,
    *, symmetry: bool,
) -> Spread:  # fmt: skip
    """The nodes of a search for the best score that allows no invalid join, then one, and so on.

    It is not known whether the puzzle is solvable.  If it is, the first search ends with a solution; if not, the
    searches continue up to the number of invalid joins at which a board is expected.  Unless many solutions are
    expected, the interval covers both cases.

    - `model`: the puzzle's model.
    - `order`: the search order.
    - `arrays`: the slip array, and the frame slip array; of both together the search takes a longer and longer
      beginning.
    - `deviation`, `clustering`: as for `spread.until_found`.
    - `symmetry`: whether symmetries are broken.
    """
    first = model.estimate(order, None, symmetry=symmetry)
    others = log10_fraction(first.solutions)
    solvable = until_found(log10_fraction(first.nodes + len(order)), 1, others, deviation, clustering)
    # A second search, from the highest score down, runs in parallel and takes half of the nodes.
    solvable = solvable.times(log10(2)).at_least(len(order))
    if first.solutions >= _CERTAIN:
        return solvable
    nodes = first.nodes
    slips, frame_slips = arrays
    for invalid in range(1, len(slips) + len(frame_slips) + 1):
        allowing = model.estimate(order, slips[:invalid], frame_slips=frame_slips[:invalid], symmetry=symmetry)
        nodes += allowing.nodes / (1 + allowing.solutions)
        if allowing.solutions >= 1 or log10_fraction(nodes + 1) > _ENOUGH:
            break
    unsolvable = lognormal(log10_fraction(2 * nodes + len(order)), deviation)
    return Spread(
        min(solvable.low, unsolvable.low),
        (solvable.median + unsolvable.median) / 2,
        max(solvable.high, unsolvable.high),
    )
