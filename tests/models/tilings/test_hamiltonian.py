"""Hamiltonian cycles and paths."""

from itertools import pairwise, permutations

import networkx as nx
import pytest

from jigsat.models.tilings.graph_steps import Hamiltonian, find_hamiltonian

NEITHER = Hamiltonian(has_cycle=False, has_path=False, tour=None)


def kind_of(found):
    return found.tour and ("cycle" if found.has_cycle else "path")


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (nx.petersen_graph(), "path"),
        (nx.complete_graph(5), "cycle"),
        (nx.cycle_graph(7), "cycle"),
        (nx.path_graph(6), "path"),
        (nx.path_graph(2), "path"),
        (nx.path_graph(1), "path"),
        (nx.dodecahedral_graph(), "cycle"),
        (nx.complete_bipartite_graph(3, 4), "path"),
        (nx.complete_bipartite_graph(3, 5), None),
        (nx.star_graph(3), None),
        (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), None),
    ],
)
def test_known_graphs(graph, kind):
    """The Petersen graph has paths, but no cycle; two vertices have no cycle, though there is a way and back."""
    graph = nx.relabel_nodes(graph, {vertex: 3 * vertex + 5 for vertex in graph})
    found = find_hamiltonian(graph)
    assert kind_of(found) == kind
    if kind is None:
        assert found == NEITHER
        return
    assert (found.has_cycle, found.has_path) == (kind == "cycle", True)
    steps = list(pairwise(found.tour))
    assert sorted(found.tour) == sorted(graph)
    assert all(graph.has_edge(*step) for step in steps)
    if kind == "cycle":
        assert graph.has_edge(found.tour[-1], found.tour[0])


def test_small_graphs_against_all_orders():
    """Every answer, yes or no, against all orders of the vertices."""
    kinds = set()
    for seed in range(40):
        graph = nx.gnm_random_graph(6, 6 + seed % 5, seed=seed)
        tours = [tour for tour in permutations(graph) if all(graph.has_edge(*step) for step in pairwise(tour))]
        cycle = any(graph.has_edge(tour[-1], tour[0]) for tour in tours)
        found = find_hamiltonian(graph)
        assert (found.has_cycle, found.has_path) == (cycle, bool(tours))
        kinds.add(kind_of(found))
    assert kinds == {"cycle", "path", None}


def test_stopped():
    """Would catch a search that takes its being stopped for a proof."""
    assert find_hamiltonian(nx.petersen_graph(), must_stop=lambda: True) == Hamiltonian(None, None, None)
