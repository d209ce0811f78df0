"""The graph of tilings: two tilings are joined if a move leads from one to the other.

Chung and Graham (2003) report 24 core tilings of the Ostomachion, from each of which at least 4 and at most 17 others
are reached by local moves; of the 936 edges of the largest component 409 join tilings of one such cluster and 527 those
of two.  They do not list these tilings.  The following definitions are one interpretation, in terms that apply to other
puzzles, which gives 24 cores, clusters of 5 to 18 tilings, and with the rule ``chung-graham`` of `moves` 409 and 527.

- The arrangement of the pieces in the puzzle is the *model*, if it tiles the target.  It is divided into as many
  congruent convex *parts* as possible, at least one of them of several pieces: the Ostomachion's four right triangles.
- A *core tiling* consists of the model's parts, in any positions.
- A core's *kernel*: the tilings, the core among them, that consist of parts of the same outline and are linked with
  each other by moves of regions no larger than a part.  (Cores with a kernel in common share a cluster.)
- A *cluster* is a kernel and the other tilings that are linked by moves of at most a third of the target's area and
  have more such moves to this kernel than to any other one; then the remaining tilings, which are linked by larger
  moves and have such moves to a cluster, the smallest regions first.
- Tilings that no moves link with a core are a cluster by component, without a core.

All symmetries of convex regions count here as moves, regardless of the rule of the graph.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from ..base.stop import never, watched
from ..geometry.exact_numbers import rational
from ..geometry.polygons import Polygon, double_area
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .layouts import figure_key, members
from .moves import RULES, Move, MoveFinder, MoveRule

#: Regions of at most this part of the target's area are small: their moves define clusters.
SMALL = Fraction(1, 3)

#: Two tilings (0-based), the one with the smaller number first.
Edge = tuple[int, int]


@dataclass(frozen=True)
class Cores:
    """The core tilings and related data."""

    cores: tuple[int, ...]  #: The core tilings (0-based), ascending
    composed: tuple[int, ...]  #: The tilings that consist of parts of the same outline, cores included; ascending
    parts: int  #: The number of parts
    outline: Polygon  #: The outline of one of them


@dataclass(frozen=True)
class _Composition:
    """A tiling as congruent convex parts: their number, the key of their outline, and the keys of their contents."""

    parts: int
    outline: tuple
    contents: tuple[tuple, ...]


def find_cores(finder: MoveFinder, *, must_stop: Callable[[], bool] = never) -> Cores | None:
    """The core tilings; None if the pieces in the puzzle are not a tiling, or not one of congruent parts.

    Raises StoppedError if `must_stop` asks to stop.
    """
    number = finder.number(finder.puzzle.pieces)
    model = None if number is None else _model(finder, number)
    if number is None or model is None:
        return None
    cores: list[int] = []
    composed: list[int] = []
    for tiling in watched(range(len(finder)), must_stop):
        group = _alike(finder, tiling).get((model.parts, model.outline), [])
        whole = (1 << len(finder.puzzle.pieces)) - 1
        if next(_exact_covers(whole, group), None) is None:
            continue
        composed.append(tiling)
        same = [part for part in group if _content(finder, tiling, part) in model.contents]
        if any(_contents(finder, tiling, cover) == model.contents for cover in _exact_covers(whole, same)):
            cores.append(tiling)
    first = _alike(finder, number)[model.parts, model.outline][0]
    return Cores(tuple(cores), tuple(composed), model.parts, finder.units.original(finder.regions(number)[first]))


def _model(finder: MoveFinder, number: int) -> _Composition | None:
    """A tiling as the largest number of congruent convex parts, not all of them single pieces; None without parts."""
    pieces = len(finder.puzzle.pieces)
    groups = _alike(finder, number)
    for parts, outline in sorted(groups, key=lambda group: -group[0]):
        cover = next(_exact_covers((1 << pieces) - 1, groups[parts, outline]), None)
        if cover is not None and parts < pieces:
            return _Composition(parts, outline, _contents(finder, number, cover))
    return None


def _alike(finder: MoveFinder, number: int) -> dict[tuple[int, tuple], list[int]]:
    """The convex regions of a tiling by their outline, with the number that would fill the target, if more than 1."""
    regions = finder.regions(number)
    areas = {pieces: int(rational(double_area(hull))) for pieces, hull in regions.items()}
    whole = sum(int(rational(double_area(polygon))) for polygon in finder.layout(number).tiling)
    found: dict[tuple[int, tuple], list[int]] = defaultdict(list)
    for pieces, hull in regions.items():
        parts, rest = divmod(whole, areas[pieces])
        if parts > 1 and not rest:
            found[parts, figure_key(frozenset([hull]), finder.units.turns)].append(pieces)
    return found


def _content(finder: MoveFinder, number: int, part: int) -> tuple:
    tiling = finder.layout(number).tiling
    return figure_key(frozenset(tiling[piece] for piece in members(part)), finder.units.turns)


def _contents(finder: MoveFinder, number: int, cover: Iterable[int]) -> tuple[tuple, ...]:
    return tuple(sorted(_content(finder, number, part) for part in cover))


def _exact_covers(left: int, sets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The ways to choose disjoint sets whose union is `left`."""
    if not left:
        yield ()
    for chosen in sets:
        if chosen & left & -left and not chosen & ~left:
            for others in _exact_covers(left & ~chosen, sets):
                yield chosen, *others


def find_clusters(shares: Mapping[Edge, Fraction], vertices: int, cores: Cores) -> tuple[int, ...]:
    """The cluster of each tiling; those with a core come first, in the order of their first cores.

    - `shares`: the pairs of tilings that are related by a symmetry of a convex region, with the least share of such a
      region in the target's area.
    """
    within_part = [edge for edge, share in shares.items() if share <= Fraction(1, cores.parts)]
    kernels = {vertex: kernel for kernel in _hanging_together(within_part, cores.composed) for vertex in kernel}
    cluster: dict[int, int] = {}
    for core in cores.cores:
        if core not in cluster:
            cluster |= dict.fromkeys(kernels[core], len(set(cluster.values())))
    for most in (SMALL, *sorted({share for share in shares.values() if share > SMALL})):
        usable = [edge for edge, share in shares.items() if share <= most]
        while won := dict(_won(usable, [v for v in range(vertices) if v not in cluster], cluster)):
            cluster |= won
    left = [v for v in range(vertices) if v not in cluster]
    for number, component in enumerate(_hanging_together(shares, left), start=len(set(cluster.values()))):
        cluster |= dict.fromkeys(component, number)
    return tuple(cluster[v] for v in range(vertices))


def _won(usable: Sequence[Edge], left: Sequence[int], cluster: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """The remaining tilings that are linked with a cluster, and which one: that with the most links, or the first."""
    part_of = {vertex: number for number, part in enumerate(_hanging_together(usable, left)) for vertex in part}
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for a, b in usable:
        for vertex, other in ((a, b), (b, a)):
            if vertex in part_of and other in cluster:
                votes[part_of[vertex]][cluster[other]] += 1
    for vertex, part in part_of.items():
        if votes[part]:
            yield vertex, min(votes[part], key=lambda number: (-votes[part][number], number))


def _hanging_together(edges: Iterable[Edge], vertices: Collection[int]) -> list[set[int]]:
    """The components of the subgraph of some vertices, in the order of their least ones."""
    graph = nx.Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(edge for edge in edges if edge[0] in graph and edge[1] in graph)
    return sorted(nx.connected_components(graph), key=min)


@dataclass(frozen=True)
class TilingEdges:
    """The edges from a tiling to later ones."""

    moves: dict[int, Move]  #: For each of these tilings a move to it that moves the least area, of those that count
    #: The least part of the target's area that some symmetry moves, whether it counts or not.
    shares: dict[int, Fraction]


@dataclass(frozen=True)
class TilingGraph:
    """Tilings and moves."""

    rule: MoveRule  #: Which moves count
    graph: nx.Graph  #: The tilings, numbered from 0 in the order of the given list
    #: For each edge a move from its first tiling to its second one that moves the least area, of those that count.
    moves: dict[Edge, Move]
    cores: Cores | None  #: The core tilings, if the puzzle has any; see the head of the module
    clusters: tuple[int, ...]  #: The cluster of each tiling; empty without cores

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
    """Properties of the largest component."""

    vertices: int
    edges: int
    #: The number of edges of each kind.
    kinds: dict[str, int]
    least_degree: int
    greatest_degree: int
    mean_degree: Fraction  #: Twice the edges by the vertices, exactly
    #: The largest and the least eccentricity, the distance to the furthest tiling in moves.
    diameter: int
    radius: int


@dataclass(frozen=True)
class GraphSummary:
    """A graph in numbers."""

    vertices: int
    edges: int
    kinds: dict[str, int]  #: The number of edges of each kind
    #: The number of vertices of each component, descending.
    components: tuple[int, ...]
    largest: LargestComponent
    cores: int | None  #: The number of core tilings; None if not defined
    cluster_sizes: tuple[int, ...]  #: The number of tilings of each cluster with a core, ascending


def tiling_graph(
    puzzle: DissectionPuzzle,
    tilings: Sequence[Tiling],
    rule: MoveRule = RULES["chung-graham"],
    *,
    known: Sequence[TilingEdges] = (),
    keep: Callable[[TilingEdges], object] = lambda _: None,
    must_stop: Callable[[], bool] = never,
) -> TilingGraph:
    """The graph of a puzzle's tilings, one of each orbit.

    - `known`: the edges of the first tilings, if they are known; `keep` is called with those of each other tiling.

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
