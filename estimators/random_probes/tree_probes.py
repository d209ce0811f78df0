"""How many nodes a search tree has, by looking at random parts of the real tree.

A *probe* of width 1 is Knuth's (1975): go down from the root, choosing one of the children at random each time; the
product of the numbers of children on the way is, in the mean, the number of nodes at that depth.  Such products vary
wildly: a tree of sixty levels is told nothing by them beyond its middle.  A probe of width w goes down with up to w
nodes at once.  While a level has no more than w nodes all are kept, so that the count is exact; from then on w of all
children are chosen, every one with the same probability, and what is found below stands for ``children / w`` times as
much.  The children are taken at even distances from a random start, in the order of the tree, so that each part of it
is represented by its share (the stratification of Chen, 1992, by position in the tree instead of by a heuristic; the
splitting of Rubinstein's stochastic enumeration).  Probes of any width are unbiased, at every depth.

Several independent probes tell how far to believe them: the standard error is that of their mean.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.floating]

#: An estimate is trusted where its standard error is at most this part of it ...
MOST_ERROR = 0.1
#: ... and so many of the nodes chosen first, all of one weight, would still tell as much about the depth.
FEWEST_SAMPLES = 200


class Tree(Protocol):
    """A tree that can list the children of its nodes; sets of nodes are arrays with a row for each.

    `csp.search.tree.SearchTree` is one.
    """

    @property
    def depths(self) -> int:
        """The depth of the deepest leaves; the root has depth 0 and is not counted."""
        ...

    def root(self) -> NDArray[Any]:
        """The root, as a set of one node."""
        ...

    def children(self, nodes: NDArray[Any], depth: int) -> Integers:
        """How many children each node at a depth has."""
        ...

    def child(self, nodes: NDArray[Any], depth: int, parents: Integers, which: Integers) -> NDArray[Any]:
        """Child number ``which[i]`` (from 0) of node ``parents[i]``, for all i; the parents ascend."""
        ...


@dataclass(frozen=True)
class Probes:
    """What some probes say, by depth (1-based depth d at index d - 1).

    Parameters
    ----------
    nodes, errors
        The number of nodes and its standard error, which is 0 where every node was looked at (there `samples` is
        infinite) or all probes agreed.
    samples
        The effective sample size (Kish, 1965) of the nodes that were chosen first: how many of them, had they equal
        shares, would stand behind the number.  Infinite where every node was looked at.
    trusted
        Whether error and sample size are good enough to rely on both.  Where they are not, few lines of the tree were
        found that go so deep: then the number is more often too small than too large, and so is the error.
    total, total_error
        Nodes at all depths.
    width, number
        The width of a probe, and how many there were.
    """

    nodes: Floats
    errors: Floats
    samples: Floats
    trusted: NDArray[np.bool_]
    total: float
    total_error: float
    width: int
    number: int

    @property
    def trusted_depth(self) -> int:
        """Down to this depth all numbers are trusted."""
        return len(self.trusted) if self.trusted.all() else int(np.argmin(self.trusted))


def probe(
    trees: Sequence[Tree],
    width: int = 1 << 14,
    number: int = 64,
    seed: int = 0,
    report: Callable[[int], None] | None = None,
) -> Probes:
    """Estimate the number of nodes of some trees together.

    Parameters
    ----------
    trees
        The trees, all of the same depth.
    width
        The most nodes that a probe follows down each of them; 1 is Knuth's method.
    number
        How many probes; at least 2, and better 30 or more, or the standard error is not to be relied on.
    seed
        Where the random numbers start.
    report
        Called after each probe with the number of probes so far.

    Raises
    ------
    ValueError
        If `width` or `number` is too small.
    """
    if width < 1 or number < 2:
        raise ValueError(f"{number} probes of width {width}: at least 2 of width 1 are needed")
    depths = trees[0].depths
    found = np.zeros((number, depths))
    shares = _Shares(depths)
    for turn in range(number):
        chance = np.random.default_rng([seed, turn])
        for tree in trees:
            found[turn] += _go_down(tree, width, chance, shares)
        if report is not None:
            report(turn + 1)
    nodes, errors = _mean(found)
    samples = shares.effective()
    exact = np.isinf(samples)
    errors[exact] = 0
    trusted = exact | ((errors <= MOST_ERROR * nodes) & (samples >= FEWEST_SAMPLES))
    # What lies below a depth that is not known is not known either.
    trusted = np.logical_and.accumulate(trusted)
    total, total_error = _mean(found.sum(axis=1, keepdims=True))
    return Probes(nodes, errors, samples, trusted, float(total[0]), float(total_error[0]), width, number)


class _Shares:
    """What part of the nodes at each depth descends from each of the nodes that were chosen first."""

    def __init__(self, depths: int) -> None:
        self._sum, self._squares = np.zeros(depths), np.zeros(depths)
        self._first_sampled = depths

    def add(self, depth: int, weights: Floats) -> None:
        """The estimated nodes at a depth below each of the nodes first chosen."""
        self._first_sampled = min(depth, self._first_sampled)
        self._sum[depth] += weights.sum()
        self._squares[depth] += (weights**2).sum()

    def effective(self) -> Floats:
        """Kish's sample size at each depth; infinite above the first that was not looked at as a whole."""
        found = np.divide(self._sum**2, self._squares, out=np.zeros_like(self._sum), where=self._squares > 0)
        return np.where(np.arange(len(found)) >= self._first_sampled, found, np.inf)


def _go_down(tree: Tree, width: int, chance: np.random.Generator, shares: _Shares) -> Floats:
    """One probe of one tree: the estimated number of nodes at each depth."""
    found = np.zeros(tree.depths)
    nodes, weight = tree.root(), 1.0
    lines: Integers | None = None
    for depth in range(tree.depths):
        children = tree.children(nodes, depth)
        total = int(children.sum())
        found[depth] = weight * total
        if lines is not None:
            shares.add(depth, weight * np.bincount(lines, children))
        if total == 0 or depth + 1 == tree.depths:
            break
        chosen = _evenly(total, width, chance)
        ends = np.cumsum(children)
        parents = np.searchsorted(ends, chosen, side="right")
        nodes = tree.child(nodes, depth, parents, chosen - (ends - children)[parents])
        if len(chosen) < total:
            weight *= total / len(chosen)
        if lines is not None:
            lines = lines[parents]
        elif len(chosen) < total:
            lines = np.arange(len(chosen))
    return found


def _evenly(total: int, width: int, chance: np.random.Generator) -> Integers:
    """Up to `width` of `total` numbers at even distances from a random start, each with the same probability."""
    if total <= width:
        return np.arange(total)
    return np.floor((chance.random() + np.arange(width)) * (total / width)).astype(np.int64).clip(max=total - 1)


def _mean(found: Floats) -> tuple[Floats, Floats]:
    """Mean and standard error of the rows."""
    return found.mean(axis=0), found.std(axis=0, ddof=1) / sqrt(len(found))
