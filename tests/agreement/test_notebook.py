"""What a researcher writes in a notebook: it runs as it stands, and the notebook shows its pictures."""

import re

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


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
