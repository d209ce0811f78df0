"""Graphs of tilings from Python: the same as from the shell, and what there is without a graph."""

from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from jigsat.api.graph import graph, graph_text
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.base.stop import Stop
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.graph import TilingGraph

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
HALVES = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))
# Five squares in a U, one of them cut along a diagonal: five tilings up to symmetry.
U = DissectionPuzzle(
    ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)),
    (*[SQUARE] * 4, *HALVES),
    Motions.LATTICE,
    name="u",
)


def test_what_was_found_can_be_read_and_drawn():
    told = []
    found = graph(U, merge=False, hamiltonian=True, report=told.append)
    assert (found.canonical_count, found.numbers.vertices, found.ended_by) == (5, 5, None)
    assert found.graph.graph.number_of_nodes() == len(found.whole.tilings) == 5
    assert found.tour.has_cycle
    assert ET.fromstring(found._picture() or "").tag.endswith("svg")
    assert len(found.draw(thumbnails=True)) > len(found.draw())
    assert told[-1].note == "Hamiltonian cycle"


def test_without_a_graph_everything_says_so():
    found = graph(U, time_limit=0)
    assert (found.parts, found.ended_by, found._picture()) == (None, "time", None)
    for name in ("canonical_count", "whole", "graph", "numbers", "tour"):
        with pytest.raises(JigsatError, match=r"^u: there is no graph, the time limit was reached$"):
            getattr(found, name)


def test_stopped_while_the_tour_is_sought(monkeypatch):
    """The graph is there; of the tour nothing is claimed."""
    monkeypatch.setattr(Stop, "tell", lambda self, note, done=0.0: _end_at_the_tour(self, note))
    found = graph(U, merge=False, hamiltonian=True)
    assert (found.ended_by, found.tour.has_cycle, found.numbers.vertices) == ("time", None, 5)
    assert "undecided: the time limit was reached" in found.summary()


def _end_at_the_tour(stop, note):
    if note.startswith("Hamiltonian"):
        stop.limit = 0


@pytest.mark.parametrize("name", ["\x00\x1b[31m\ufffe", '<b>&"--></b>', "a\nb\\"])
def test_any_name_can_be_written(tmp_path, name):
    """XML cannot hold control characters."""
    made = TilingGraph("primitive", nx.empty_graph(2), {}, None, ())
    path = tmp_path / "graph.graphml"
    path.write_text(graph_text(made, "graphml", name))
    assert len(nx.read_graphml(path)) == 2
    head, *_ = graph_text(made, "dot", name).splitlines()
    assert head.startswith('graph "')
    assert head.endswith('" {')
    assert head.isprintable()
