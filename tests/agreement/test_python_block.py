"""What a researcher writes in Python: it runs as it stands, in a program and in a notebook, whose pictures it shows."""

import re

import nbformat
import pytest
from nbclient import NotebookClient

import jigsat as js

BLOCK = """
import jigsat as js

puzzle = js.read("clue1")                     # path, "-", viewer link or bundled name, every kind
plan = js.plan(puzzle, goal="count")          # what the command line would choose, and why
result = js.count(puzzle, threads=2, time_limit=600)      # the same as `jigsat count`
print(result.summary(), result.count)
for board in js.solutions(puzzle, engine="sat:cadical195", limit=3):
    js.draw(puzzle, board).save("board.svg")
top = js.best(js.read("eternity2"), time_limit=60, seed=1)
js.write(puzzle, [top.best_board], "best.json")
jigsaw = js.make_jigsaw(rows=6, columns=6, seed=1)
certificate = js.certify(jigsaw, solutions=2, proof="jigsaw.drat")
assert js.verify(jigsaw, "jigsaw.drat.json").holds
model = js.cnf(puzzle); model.cnf.append([-model.on(0, 0)])
cp = js.cp_model(puzzle)
tilings = js.count(js.read("ostomachion"), motions="any")
frame = js.compare("smoke", "out").to_pandas()            # pandas only here
for engine in js.engines(): print(engine.name, engine.goals)
try: js.solve(puzzle, engine="x")
except js.JigsatError as error: print(error)
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_the_block_runs(tmp_path, capsys):
    """Its quick sibling is the one of the README, in `test_project`."""
    # The board is of another puzzle than the one that is named; it is written as what it is, and that is said.
    with pytest.warns(UserWarning, match="clue1"):
        exec(compile(BLOCK, "block", "exec"), found := {})
    told = capsys.readouterr().out
    assert "count            115 071 633 408" in told
    assert "unknown engine 'x'" in told
    assert "sat:cadical195 frozenset" in told
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert js.check(js.read("eternity2"), "best.json", slips="1x480").total == 1
    assert found["tilings"].count == 17152
    frame = found["frame"]
    assert set(frame["outcome"]) == {"solved"}
    assert len(frame) == len(set(frame["fingerprint"])) >= 2
    assert (len(found["certificate"].solutions), found["certificate"].proved) == (2, True)


#: What a notebook shows, and what it shows it as.
CELLS = {
    'import jigsat as js; puzzle = js.read("clue1"); puzzle': "image/svg+xml",
    'js.plan(puzzle, goal="count")': "text/plain",
    'js.explain(puzzle, goal="count")': "text/plain",
    "result = js.solve(puzzle); result": "text/html",
    "result.solutions[0]": "image/svg+xml",
    "js.draw(puzzle, result.best_board, legend=True)": "image/svg+xml",
    'js.read("ostomachion")': "image/svg+xml",
    'js.solve(js.read("ostomachion"), motions="lattice").solutions[0]': "image/svg+xml",
    "js.make_jigsaw(rows=5, columns=5, seed=1)": "image/svg+xml",
    'js.forms(js.read("tangram"), 3)': "image/svg+xml",
    "js.view(puzzle, result.solutions)": "text/html",
}


@pytest.mark.slow
def test_a_notebook_shows_them(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    nbformat.write(notebook, tmp_path / "shown.ipynb")
    for cell, kind in zip(notebook.cells, CELLS.values(), strict=True):
        (shown,) = [output for output in cell.outputs if output.output_type == "execute_result"]
        assert kind in shown.data, cell.source
        assert re.search(r"\S", shown.data["text/plain"])
        assert not shown.data["text/plain"].startswith(("<jigsat", "(Placement", "EdgeMatchingPuzzle("))
