"""Graphs of tilings as text that other programs read, whatever the name of the puzzle."""

import networkx as nx
import pytest

from jigsat.csp.tilings.graph import TilingGraph
from jigsat.models.tilings.graph_of_tilings import graph_text


@pytest.mark.parametrize("name", ["\x00\x1b[31m\ufffe", '<b>&"--></b>', "a\nb\\"])
def test_any_name_can_be_written(tmp_path, name):
    """XML cannot hold control characters."""
    graph = TilingGraph("primitive", nx.empty_graph(2), {}, None, ())
    path = tmp_path / "graph.graphml"
    path.write_text(graph_text(graph, "graphml", name))
    assert len(nx.read_graphml(path)) == 2
    head, *_ = graph_text(graph, "dot", name).splitlines()
    assert head.startswith('graph "')
    assert head.endswith('" {')
    assert head.isprintable()
