"""Graphs of tilings as text for other programs: DOT for Graphviz, GraphML for Gephi, yEd and others."""

import json

import networkx as nx

from ...csp.base.safe_files import escaped
from ...csp.tilings.graph import TilingGraph


def graph_text(graph: TilingGraph, kind: str, name: str) -> str:
    """The graph in a format, ``"dot"`` or ``"graphml"``.

    Tilings are numbered from 1.  An edge has the attributes ``kind`` (local, global or move) and, where the graph has
    clusters, a vertex the attribute ``cluster``, also numbered from 1.
    """
    plain = nx.Graph(name=escaped(name))
    for vertex in sorted(graph.graph):
        plain.add_node(vertex + 1, **({"cluster": graph.clusters[vertex] + 1} if graph.clusters else {}))
    for one, other in sorted(graph.moves):
        plain.add_edge(one + 1, other + 1, kind=graph.kind((one, other)))
    if kind == "graphml":
        return "\n".join(nx.generate_graphml(plain)) + "\n"
    lines = [f"graph {json.dumps(escaped(name), ensure_ascii=False)} {{"]
    lines += [f"  {vertex}{_attributes(data)};" for vertex, data in plain.nodes(data=True)]
    lines += [f"  {one} -- {other}{_attributes(data)};" for one, other, data in plain.edges(data=True)]
    return "\n".join([*lines, "}"]) + "\n"


def _attributes(data: dict[str, object]) -> str:
    return "".join(f" [{key}={value}]" for key, value in data.items())
