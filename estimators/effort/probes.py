"""Estimate the number of nodes of a search tree from random parts of it.

A *probe* of width 1 is Knuth's (1975): descend from the root, choosing a random child at each node; the product of the
numbers of children on the path is an unbiased estimate of the number of nodes at that depth.  Such products have a
huge variance: for a tree of sixty levels they are useless below the middle.  A probe of width w descends with up to w
nodes at once.  As long as a level has at most w nodes, all are kept, so the count is exact; below, w of all children
are chosen, each with the same probability, and everything found below them counts ``children / w`` times.  They are
chosen at equal distances from a random start, in the order of the tree, so that each part of the tree is represented in
proportion (the stratification of Chen, 1992, by position in the tree instead of by a heuristic; the splitting of
Rubinstein's stochastic enumeration).  Probes of any width are unbiased, at every depth.

Several independent probes give the standard error of their mean.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import UsageError
from ...csp.base.notebook import Brief
from ...csp.base.stop import Stop, StoppedError, watched
from ...csp.engines.request import Goal, Limits, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle

if TYPE_CHECKING:
    from ...csp.search.ordered.slip_kernel import SearchTree
    from ...csp.search.tilings.walks import TilingTree

Integers = NDArray[np.int64]
Floats = NDArray[np.floating]

#: An estimate is trusted if its relative standard error is at most this ...
MOST_ERROR = 0.1
#: ... and the effective sample size of the nodes chosen first is at least this.
FEWEST_SAMPLES = 200
#: The number of probes of a search.
PROBES = 64
# Entries of the largest set of nodes of a search on a board: half a gigabyte.
_MOST_WORDS = 2**27
# Nodes that are looked at without asking whether to stop: some hundredths of a second.
_PART = 2**14


#: A tree that can list the children of its nodes; a set of nodes is an array with a row for each node.
Tree = Union["SearchTree", "TilingTree"]


@dataclass(frozen=True, repr=False)
class Probes(Brief):
    """The results of several probes, by depth (1-based depth d at index d - 1)."""

    #: The number of nodes and its standard error, which is 0 if every node was visited (`samples` is then infinite) or
    #: all probes agree.
    nodes: Floats
    errors: Floats
    #: The effective sample size (Kish, 1965) of the nodes that were chosen first: the number of equally weighted nodes
    #: with the same information.  Infinite if every node was visited.
    samples: Floats
    #: Whether error and sample size are good enough to rely on.  If not, few branches as deep as this were found:
    #: then the number is more often too small than too large, and so is the error.
    trusted: NDArray[np.bool_]
    #: The number of nodes at all depths, and its standard error.
    total: float
    total_error: float
    #: The width of a probe, and the number of probes.
    width: int
    number: int
    #: Whether more probes were asked for.
    interrupted: bool = False

    @property
    def trusted_depth(self) -> int:
        """The depth down to which all numbers are trusted."""
        return len(self.trusted) if self.trusted.all() else int(np.argmin(self.trusted))


def probed(
    puzzle: EdgeMatchingPuzzle, options: Options, nodes: int, seed: int = 0, stop: Stop | None = None
) -> Probes | None:
    """Probe the backtracker's search tree with about `nodes` nodes a depth in total; None if there is no tree.

    Raises the errors of `probe`, and UsageError if there are too few nodes for the probes, or too many for the memory.
    """
    from ...csp.search.ordered.run import Run

    run = Run(puzzle, Goal.COUNT, Limits(), options)
    if not run.starts or run.free == 0:
        return None
    width = nodes // (PROBES * run.walks)
    most = _MOST_WORDS // (run.free + 1)
    if not 1 <= width <= most:
        least, largest = PROBES * run.walks, PROBES * run.walks * most
        raise UsageError(f"{nodes} probes: must be from {least} to {largest} on this board")
    trees = [run.tree(choice) for choice in range(run.walks)]
    return probe(trees, width, PROBES, seed, stop)


def probe(
    trees: Sequence[Tree], width: int = 1 << 14, number: int = PROBES, seed: int = 0, stop: Stop | None = None
) -> Probes:
    """Estimate the total number of nodes of several trees of the same depth.

    `number` probes, for a reliable standard error 30 or more, follow at most `width` nodes in each tree; 1 is Knuth's
    method.  If `stop` asks to stop, the result is that of the probes so far.

    Raises StoppedError if there are fewer than two probes then.
    """
    return probe_several([trees], width, number, seed, stop)[0]


def probe_several(
    forests: Sequence[Sequence[Tree]], width: int, number: int = PROBES, seed: int = 0, stop: Stop | None = None
) -> list[Probes]:
    """The same for each of several sequences of trees, with one probe of each in turn."""
    stop = Stop() if stop is None else stop
    found = [np.zeros((number, trees[0].depths)) for trees in forests]
    # The shares of the last probes count only when these are complete.
    shares = [_Shares(trees[0].depths) for trees in forests]
    turns = 0
    try:
        for turn in range(number):
            new = [
                _probe_once(trees, width, np.random.default_rng([seed, turn]), of_trees, stop)
                for trees, of_trees in zip(forests, shares, strict=True)
            ]
            for of_trees, (nodes, _) in zip(found, new, strict=True):
                of_trees[turn] = nodes
            shares, turns = [of_trees for _, of_trees in new], turn + 1
            stop.tell(f"{turns} of {number} probes", turns / number)
    except StoppedError:
        if turns < 2:
            raise
    return [
        _summed_up(nodes[:turns], of_trees, width, interrupted=turns < number)
        for nodes, of_trees in zip(found, shares, strict=True)
    ]


def _probe_once(
    trees: Sequence[Tree], width: int, chance: np.random.Generator, before: "_Shares", must_stop: Callable[[], bool]
) -> "tuple[Floats, _Shares]":
    """One probe of all trees: the estimated number of nodes at each depth, and the shares with those before."""
    shares = deepcopy(before)
    return sum((_go_down(tree, width, chance, shares, must_stop) for tree in trees), np.zeros(trees[0].depths)), shares


def _summed_up(found: Floats, shares: "_Shares", width: int, *, interrupted: bool) -> Probes:
    nodes, errors = _mean(found)
    samples = shares.effective()
    exact = np.isinf(samples)
    errors[exact] = 0
    trusted = exact | ((errors <= MOST_ERROR * nodes) & (samples >= FEWEST_SAMPLES))
    # Depths below an untrusted one are not trusted either.
    trusted = np.logical_and.accumulate(trusted)
    total, total_error = _mean(found.sum(axis=1, keepdims=True))
    total, total_error = float(total[0]), float(total_error[0])
    return Probes(nodes, errors, samples, trusted, total, total_error, width, len(found), interrupted)


class _Shares:
    """The fraction of the nodes at each depth that descends from each of the nodes chosen first."""

    def __init__(self, depths: int) -> None:
        self._sum, self._squares, self._unit = np.zeros(depths), np.zeros(depths), np.zeros(depths)
        self._first_sampled = depths

    def add(self, depth: int, weights: Floats) -> None:
        """Add the estimated nodes at a depth below each of the nodes chosen first."""
        self._first_sampled = min(depth, self._first_sampled)
        # In units of a weight, so that squares are not too large for a float.
        self._unit[depth] = self._unit[depth] or weights.max(initial=0.0) or 1.0
        scaled = weights / self._unit[depth]
        self._sum[depth] += scaled.sum()
        self._squares[depth] += (scaled**2).sum()

    def effective(self) -> Floats:
        """Kish's effective sample size at each depth; infinite above the first depth that was sampled."""
        found = np.divide(self._sum**2, self._squares, out=np.zeros_like(self._sum), where=self._squares > 0)
        return np.where(np.arange(len(found)) >= self._first_sampled, found, np.inf)


def _go_down(
    tree: Tree, width: int, chance: np.random.Generator, shares: _Shares, must_stop: Callable[[], bool]
) -> Floats:
    """One probe of one tree: the estimated number of nodes at each depth."""
    found = np.zeros(tree.depths)
    nodes, weight = tree.root(), 1.0
    lines: Integers | None = None
    for depth in watched(range(tree.depths), must_stop):
        children = _children(tree, nodes, depth, must_stop)
        total = int(children.sum())
        found[depth] = weight * total
        if lines is not None:
            shares.add(depth, weight * np.bincount(lines, children))
        if total == 0 or depth + 1 == tree.depths:
            break
        chosen = np.arange(total)
        if total > width:
            # At equal distances from a random start, so that each has the same probability.
            chosen = np.floor((chance.random() + np.arange(width)) * (total / width)).astype(np.int64)
            chosen = chosen.clip(max=total - 1)
        ends = np.cumsum(children)
        parents = np.searchsorted(ends, chosen, side="right")
        which = chosen - (ends - children)[parents]
        nodes = _chosen(tree, nodes, depth, parents, which, must_stop)
        if len(chosen) < total:
            weight *= total / len(chosen)
        if lines is not None:
            lines = lines[parents]
        elif len(chosen) < total:
            lines = np.arange(len(chosen))
    return found


def _children(tree: Tree, nodes: NDArray[Any], depth: int, must_stop: Callable[[], bool]) -> Integers:
    return _joined(lambda part: tree.children(nodes[part], depth), len(nodes), must_stop)


def _chosen(
    tree: Tree, nodes: NDArray[Any], depth: int, parents: Integers, which: Integers, must_stop: Callable[[], bool]
) -> NDArray[Any]:
    return _joined(lambda part: tree.child(nodes, depth, parents[part], which[part]), len(which), must_stop)


def _joined(make: Callable[[slice], NDArray[Any]], number: int, must_stop: Callable[[], bool]) -> NDArray[Any]:
    """An array of this length, made in parts, so that it can be stopped."""
    first = make(slice(0, _PART))
    if number <= _PART:
        return first
    whole = np.empty((number, *first.shape[1:]), first.dtype)
    whole[:_PART] = first
    for start in watched(range(_PART, number, _PART), must_stop):
        part = slice(start, start + _PART)
        whole[part] = make(part)
    return whole


def _mean(found: Floats) -> tuple[Floats, Floats]:
    """Mean and standard error of the rows."""
    return found.mean(axis=0), found.std(axis=0, ddof=1) / sqrt(len(found))
