"""The graph of tilings: two tilings are joined if a move leads from one to the other."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from ..base.stopping import never, watched
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .clusters import Cores, Edge, find_clusters, find_cores
from .moves import RULES, Move, MoveFinder, MoveRule


@dataclass(frozen=True)
class TilingEdges:
    """The edges from a tiling to later ones."""

    #: For each of these tilings a move to it that moves the least area, of those that count.
    moves: dict[int, Move]
    #: The least part of the target's area that some symmetry moves, whether it counts or not.
    shares: dict[int, Fraction]


@dataclass(frozen=True)
class TilingGraph:
    """Tilings and moves."""

    #: Which moves count.
    rule: MoveRule
    #: The tilings, numbered from 0 in the order of the given list.
    graph: nx.Graph
    #: For each edge a move from its first tiling to its second one that moves the least area, of those that count.
    moves: dict[Edge, Move]
    #: The core tilings, if the puzzle has any; see `tiling_clusters`.
    cores: Cores | None
    #: The cluster of each tiling; empty without cores.
    clusters: tuple[int, ...]

    def kind(self, edge: Edge) -> str:
        """``local`` if an edge stays in its cluster, ``global`` if not; ``move`` without clusters."""
        if not self.clusters:
            return "move"
        return "local" if self.clusters[edge[0]] == self.clusters[edge[1]] else "global"

    @property
    def components(self) -> list[list[int]]:
        """The vertices of each component, ascending; the largest component first, then those of the first vertices."""
        found = [sorted(component) for component in nx.connected_components(self.graph)]
        return sorted(found, key=lambda component: (-len(component), component[0]))


@dataclass(frozen=True)
class LargestComponent:
    """Properties of the largest component.

    - `kinds`: the number of edges of each kind.
    - `mean_degree`: Twice the edges by the vertices, exactly.
    - `diameter`, `radius`: the largest and the least eccentricity, the distance to the furthest tiling in moves.
    """

    vertices: int
    edges: int
    kinds: dict[str, int]
    least_degree: int
    greatest_degree: int
    mean_degree: Fraction
    diameter: int
    radius: int


@dataclass(frozen=True)
class GraphSummary:
    """A graph in numbers.

    - `kinds`: the number of edges of each kind.
    - `components`: the number of vertices of each component, descending.
    - `cores`: the number of core tilings; None if not defined.
    - `cluster_sizes`: the number of tilings of each cluster with a core, ascending.
    """

    vertices: int
    edges: int
    kinds: dict[str, int]
    components: tuple[int, ...]
    largest: LargestComponent
    cores: int | None
    cluster_sizes: tuple[int, ...]


def tiling_graph(
    puzzle: DissectionPuzzle,
    tilings: Sequence[Tiling],
    rule: MoveRule = RULES["chung-graham"],
    *,
    known: Sequence[TilingEdges] = (),
    keep: Callable[[TilingEdges], object] = lambda _: None,
    must_stop: Callable[[], bool] = never,
) -> TilingGraph:
    """The graph of a puzzle's tilings.

    Parameters
    ----------
    puzzle
        The puzzle.
    tilings
        Its tilings, one of each orbit.
    rule
        Which moves count.
    known
        The edges of the first tilings, if they are known.
    keep
        Is called with the edges of each of the other tilings, in their order.
    must_stop
        Is called from time to time.

    Raises ValueError if two of the tilings are the same up to symmetry. Raises EngineError if pieces may be turned by
    any angle, and a coordinate of a tiling is irrational. Raises StoppedError if `must_stop` asks to stop.
    """
    finder = MoveFinder(puzzle, tilings)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(tilings)))
    moves: dict[Edge, Move] = {}
    shares: dict[Edge, Fraction] = {}
    for number in watched(range(len(tilings)), must_stop):
        if number < len(known):
            edges = known[number]
        else:
            edges = _edges_from(finder, number, rule)
            keep(edges)
        moves |= {(number, onto): move for onto, move in edges.moves.items()}
        shares |= {(number, onto): share for onto, share in edges.shares.items()}
    graph.add_edges_from(moves)
    cores = find_cores(finder, must_stop=must_stop)
    clusters = () if cores is None else find_clusters(shares, len(tilings), cores)
    return TilingGraph(rule, graph, moves, cores, clusters)


def _edges_from(finder: MoveFinder, number: int, rule: MoveRule) -> TilingEdges:
    edges = TilingEdges({}, {})
    for move in finder.moves(number, exchanges=rule.exchanges):
        onto = move.onto
        # A move in one direction also exists in the other.
        if number > onto:
            continue
        if not move.is_exchange:
            edges.shares[onto] = min(move.share, edges.shares.get(onto, move.share))
        if rule.allows(move) and (onto not in edges.moves or move.share < edges.moves[onto].share):
            edges.moves[onto] = move
    return edges


def summarise(found: TilingGraph, *, must_stop: Callable[[], bool] = never) -> GraphSummary:
    """The graph, with at least one vertex, in numbers; raises `StoppedError` if `must_stop` asks to stop."""
    components = found.components
    largest = found.graph.subgraph(components[0])
    eccentricities = [
        max(nx.single_source_shortest_path_length(largest, vertex).values()) for vertex in watched(largest, must_stop)
    ]
    degrees = [degree for _, degree in largest.degree]
    sizes = Counter(found.clusters)
    with_core = set() if found.cores is None else {found.clusters[core] for core in found.cores.cores}
    return GraphSummary(
        vertices=len(found.graph),
        edges=len(found.moves),
        kinds=_kinds(found, found.moves),
        components=tuple(map(len, components)),
        largest=LargestComponent(
            vertices=len(largest),
            edges=largest.number_of_edges(),
            kinds=_kinds(found, [edge for edge in found.moves if edge[0] in largest]),
            least_degree=min(degrees),
            greatest_degree=max(degrees),
            mean_degree=Fraction(sum(degrees), len(degrees)),
            diameter=max(eccentricities),
            radius=min(eccentricities),
        ),
        cores=None if found.cores is None else len(found.cores.cores),
        cluster_sizes=tuple(sorted(sizes[cluster] for cluster in with_core)),
    )


def _kinds(found: TilingGraph, edges) -> dict[str, int]:
    kinds = {"local": 0, "global": 0} if found.clusters else {"move": 0}
    return kinds | dict(Counter(map(found.kind, edges)))
