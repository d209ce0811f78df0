"""`jigsat graph`."""

import json
from dataclasses import replace

import networkx as nx
import pytest

from command_line import run
from jigsat.csp.files.instances import read_dissection, save
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions


@pytest.fixture
def u_shape(tmp_path):
    """Five squares in a U, one of them cut along a diagonal: five tilings up to symmetry."""
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    halves = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))
    target = ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2))
    path = tmp_path / "u.json"
    save(DissectionPuzzle(target, (*[square] * 4, *halves), Motions.LATTICE, name="u"), path)
    return str(path)


def test_json(capsys, u_shape):
    """What scripts get is enough to build the graph again."""
    status, out, err = run(capsys, "graph", u_shape, "--no-merge", "--moves", "exchanges", "--hamiltonian", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert (found["vertices"], found["edges"], found["components"], found["canonical_count"]) == (5, 10, [5], 5)
    assert (found["together"], found["pieces"]) == ([[5, 6]], [[1], [2], [3], [4], [5], [6]])
    graph = nx.Graph([edge["tilings"] for edge in found["edge_list"]])
    assert graph.number_of_edges() == 10
    assert {edge["move"] for edge in found["edge_list"]} == {"symmetry", "exchange"}
    assert {edge["kind"] for edge in found["edge_list"]} == {"move"}
    assert all(len(edge["outlines"]) == 1 + (edge["move"] == "exchange") for edge in found["edge_list"])
    assert len(found["tilings"]) == 5
    assert (found["hamiltonian"]["cycle"], sorted(found["hamiltonian"]["tour"])) == (True, [1, 2, 3, 4, 5])
    assert (found["cores"], found["clusters"], found["ended_by"]) == (None, None, None)


def test_a_stopped_graph_for_standard_output(capsys, u_shape, here):
    """Catches words where a picture is expected."""
    status, out, err = run(capsys, "graph", u_shape, "--time-limit", "0", "-o", "-")
    assert "kept" not in err
    assert (status, out, err.splitlines()[0]) == (1, "", "u: no graph, the time limit was reached")


def test_without_a_graph_an_older_picture_stays(capsys, tmp_path, u_shape):
    file = tmp_path / "graph.svg"
    file.write_text("older")
    assert run(capsys, "graph", u_shape, "--time-limit", "0", "-o", str(file))[0] == 1
    assert (file.read_text(), len(list(tmp_path.iterdir()))) == ("older", 2)


def test_a_graph_that_there_cannot_be_leaves_nothing(capsys, tmp_path):
    """Its tilings, which were kept, would not help another run."""
    status, _, err = run(capsys, "graph", "decagon", "-o", str(tmp_path / "graph.json"))
    assert (status, len(err.splitlines()), list(tmp_path.iterdir())) == (2, 1, [])


def test_graphs_for_other_programs(capsys, u_shape, tmp_path):
    """The ending decides the format; the graph of DOT and GraphML is that of the record."""
    arguments = ("graph", u_shape, "--no-merge", "--moves", "exchanges")
    files = {ending: tmp_path / f"graph.{ending}" for ending in ("json", "dot", "graphml", "png", "pdf")}
    for file in files.values():
        assert run(capsys, *arguments, "-o", str(file))[0] == 0
    edges = {tuple(edge["tilings"]) for edge in json.loads(files["json"].read_text())["edge_list"]}
    graph = nx.read_graphml(files["graphml"], node_type=int)
    assert {tuple(sorted(edge)) for edge in graph.edges} == edges
    assert {data["kind"] for _, _, data in graph.edges(data=True)} == {"move"}
    lines = files["dot"].read_text().splitlines()
    assert (lines[0], lines[1], lines[-1]) == ('graph "u" {', "  1;", "}")
    save(replace(read_dissection(u_shape), name='Остомахион "2"'), tmp_path / "named.json")
    assert run(capsys, "graph", str(tmp_path / "named.json"), "-o", str(files["dot"]))[0] == 0
    assert files["dot"].read_text(encoding="utf-8").startswith('graph "Остомахион \\"2\\"" {\n')
    assert {line for line in lines if "--" in line} == {f"  {one} -- {other} [kind=move];" for one, other in edges}
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    assert files["pdf"].read_bytes().startswith(b"%PDF")
