"""Graphs whose search was stopped or killed: what was found is there, and the end is the same."""

import json
import random
from dataclasses import replace

import pytest

from command_line import run
from jigsat.api.graph import graph
from jigsat.csp.base.errors import InstanceError, JigsatError
from jigsat.csp.files.instances import fingerprint, save
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.work.book import read_book
from jigsat.csp.work.steps import KeptSteps, keep_steps
from killed_steps import KilledError, killed_after


def box(x, y, width=1, height=1):
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


# A rectangle of two dominoes, two squares, and one cut along a diagonal; the last example has fractions.
HALVES = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))
PUZZLE = DissectionPuzzle(
    box(0, 0, 3, 3), (*[box(0, 0, 2)] * 3, *[box(0, 0)] * 2, *HALVES), Motions.LATTICE, name="nine"
)


@pytest.mark.parametrize(
    "options", [{}, pytest.param({"merge": False, "moves": "exchanges", "hamiltonian": True}, marks=pytest.mark.slow)]
)
def test_killed_searches_end_with_the_same_graph(tmp_path, options):
    output, whole = tmp_path / "graph.json", graph(PUZZLE, **options)
    steps, chance = whole.canonical_count + 1 + whole.numbers.vertices, random.Random(4)
    done = 0
    while done < steps:
        with pytest.MonkeyPatch.context() as patched:
            killed_after(patched, more := chance.randrange(1, steps // 2))
            try:
                found = graph(PUZZLE, output=output, resume=True, **options)
            except KilledError:
                done += more
                assert len(read_book(tmp_path / "graph.json.part")[1]) == done
                assert not output.exists()
            else:
                break
    assert found.record() == whole.record()
    assert output.read_text() == json.dumps(whole.record()) + "\n"
    assert [path.name for path in tmp_path.iterdir()] == ["graph.json"]


@pytest.mark.parametrize("listing", [True, False])
def test_a_stopped_search_tells_what_it_found(capsys, tmp_path, monkeypatch, listing):
    """While tilings are listed, and while edges are looked for."""
    save(PUZZLE, tmp_path / "nine.json")
    whole, output = json.loads(json.dumps(graph(PUZZLE).record())), tmp_path / "graph.json"
    tilings, vertices = whole["canonical_count"], whole["vertices"]
    steps = tilings // 2 if listing else tilings + 1 + vertices // 2
    add, kept = KeptSteps.add, []

    def add_and_count(self, entry):
        add(self, entry)
        kept.append(entry)

    monkeypatch.setattr(KeptSteps, "add", add_and_count)
    monkeypatch.setattr("jigsat.csp.base.stop.Stop.interrupted", property(_interrupted_after(kept, steps)))
    status, out, _ = run(capsys, "graph", str(tmp_path / "nine.json"), "-o", str(output))
    assert status == 130
    head, so_far, last, written = out.splitlines()
    assert head == "nine: no graph, interrupted"
    assert last == f"  kept             {output}.part, from which --resume continues"
    assert written.startswith(f"Wrote {output} (")
    record = json.loads(output.read_text())
    assert (record["complete"], record["ended_by"], record["vertices"]) == (False, "interrupt", len(record["tilings"]))
    if listing:
        assert so_far == f"  so far           at least {len(kept)} tilings"
        assert record["edges"] == 0
        assert record["tilings"] == [entry["tiling"] for entry in json.loads(json.dumps(kept))]
    else:
        assert so_far.startswith(f"  so far           {vertices} tilings, {record['edges']} edges of the first ")
        known = [{**edge, "kind": None} for edge in whole["edge_list"]]
        assert record["tilings"] == whole["tilings"]
        assert 0 < record["edges"] < whole["edges"]
        assert all(edge in known for edge in record["edge_list"])


def _interrupted_after(kept, steps):
    def interrupted(self):
        if len(kept) < steps:
            return False
        self.ended_by = "interrupt"
        return True

    return interrupted


def test_no_graph_leaves_no_files(tmp_path):
    none = replace(PUZZLE, target=((0, 0), (6, 0), (0, 3)))
    with pytest.raises(JigsatError, match="has no tilings"):
        graph(none, output=tmp_path / "graph.json")
    assert list(tmp_path.iterdir()) == []


def test_kept_steps_are_checked(tmp_path):
    """With valid checksums, as if written by another program."""
    output, whole = tmp_path / "graph.json", json.loads(json.dumps(graph(PUZZLE, merge=False).record()))
    head = {"work": "graph", "instance": "nine", "sha256": fingerprint(PUZZLE)}
    head |= {"motions": "lattice", "moves": "chung-graham", "merge": False}
    tilings = [{"tiling": tiling} for tiling in whole["tilings"]]
    listed = [*tilings, {"tilings": len(tilings)}]
    upside_down = [{"piece": 1, "vertices": [[9, 9], [9, 10], [8, 9]]}, *whole["tilings"][0][1:]]
    for entries, message in (
        ([{"tiling": upside_down}], "tiling 1 is not a solution"),
        ([tilings[1], tilings[0]], "its tilings are not those of this puzzle, in their order"),
        ([*listed, {"edges": [{"onto": 99, "share": None, "move": None}]}], "a tiling that does not exist"),
        ([*listed, {"edges": 3}], "edges"),
        ([*listed, *[{"edges": []}] * 99], "has edges of 99 tilings"),
    ):
        with keep_steps(output, head, overwrite=True) as kept:
            for entry in entries:
                kept.add(entry)
        with pytest.raises(InstanceError, match=message):
            graph(PUZZLE, merge=False, output=output, resume=True)
