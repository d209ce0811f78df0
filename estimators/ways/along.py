"""A search along an order, and what the model expects of it."""

from dataclasses import dataclass
from math import log10

from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import inner_joins
from ..owen.complexity import Complexity, Estimate
from ..owen.rounding import log10_fraction
from .spread import Spread, lognormal, until_found

#: So many solutions are expected where one is taken for certain.
_CERTAIN = 10
#: The decimal logarithm of nodes beyond which nothing is worked out.
_ENOUGH = 15.0


@dataclass(frozen=True)
class Along:
    """A search order, what the model expects along it, and the seconds to work it out and to make tables for it.

    What is expected is of the search as it runs, symmetries broken.
    """

    name: str
    order: Order
    searched: Estimate
    setup: float

    @property
    def log_nodes(self) -> float:
        """The decimal logarithm of the nodes of the whole tree, along one of whose branches a solution lies."""
        return log10_fraction(self.searched.nodes + len(self.order))

    def until_found(self, deviation: float, clustering: float) -> Spread:
        """The nodes until the first solution, one of which there is; parameters are as for `spread.until_found`."""
        others = log10_fraction(self.searched.solutions)
        return until_found(self.log_nodes, 1, others, deviation, clustering).at_least(len(self.order))


def nodes_of_proof(
    model: Complexity, order: tuple[int, ...], deviation: float, clustering: float, *, symmetry: bool
) -> Spread:
    """The nodes until the best score is known, of a search that allows no invalid join, then one, and so on.

    Nobody knows whether the pieces fit without an invalid join.  If they do, the first search ends with a solution; if
    not, all searches are gone through up to the one in which a board is to be expected.  Unless many solutions are
    expected the interval holds both cases.

    Parameters
    ----------
    model
        The puzzle's model.
    order
        The search order.
    deviation, clustering
        As for `spread.until_found`.
    symmetry
        Whether symmetries are broken.
    """
    first = model.estimate(order, None, symmetry=symmetry)
    others = log10_fraction(first.solutions)
    solvable = until_found(log10_fraction(first.nodes + len(order)), 1, others, deviation, clustering)
    # Half the nodes are those of the search from above that goes on beside it.
    solvable = solvable.times(log10(2)).at_least(len(order))
    if first.solutions >= _CERTAIN:
        return solvable
    nodes = first.nodes
    for invalid in range(1, inner_joins(model.puzzle) + 1):
        allowing = model.estimate(order, (1,) * invalid, symmetry=symmetry)
        nodes += allowing.nodes / (1 + allowing.solutions)
        if allowing.solutions >= 1 or log10_fraction(nodes + 1) > _ENOUGH:
            break
    unsolvable = lognormal(log10_fraction(2 * nodes + len(order)), deviation)
    return Spread(
        min(solvable.low, unsolvable.low),
        (solvable.median + unsolvable.median) / 2,
        max(solvable.high, unsolvable.high),
    )
