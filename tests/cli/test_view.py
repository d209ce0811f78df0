"""`jigsat view`: what it finds to show, what it counts, and what it refuses."""

import io
import json
import re
import signal
import sys
from types import SimpleNamespace

import pytest

from command_line import run
from jigsat import count
from jigsat.csp.files.instances import read_puzzle, read_squares, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.tree_run import BaseRun
from jigsat.estimators.owen.complexity import Complexity
from solution_files import save_solutions

MADE = deal_edge_matching(4, 4, 3, 3, seed=3)
L_SHAPE = read_puzzle("l-shape")


@pytest.fixture
def files(tmp_path):
    """A puzzle and its solution, which nothing is bundled for."""
    puzzle, solutions = tmp_path / "puzzle.json", tmp_path / "solutions.json"
    save(MADE.puzzle, puzzle)
    save_solutions(MADE.puzzle, [MADE.solution], solutions)
    return str(puzzle), str(solutions)


@pytest.fixture
def view(capsys, tmp_path):
    """Runs `jigsat view`; the data of the page, its facts, and what was said on stderr."""

    def made(*arguments, status=0):
        page = tmp_path / "page.html"
        found, out, err = run(capsys, "view", *arguments, "-o", str(page), "--quiet")
        assert (found, out) == (status, ""), err
        return page_of(page.read_text(), err)

    return made


def page_of(text, err=""):
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    facts = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", text))
    return SimpleNamespace(data=json.loads(data), facts=facts, err=err)


def codes(board):
    return [None if placed is None else 4 * placed.piece + placed.rotation for placed in board]


def test_solutions_alone_are_known_by_their_sha256(view, tmp_path, monkeypatch):
    """Catches puzzles that are looked for by the name in the file, and kinds that are not looked for."""
    jigsaw = read_squares("perfect-5x5")
    file = tmp_path / "solutions.json"
    save_solutions(jigsaw, jigsaw.assemblies, file)
    file.write_text(file.read_text().replace('"perfect-5x5"', '"clue3"', 1))
    page = view(str(file))
    assert (page.data["name"], page.data["kind"], page.data["word"]) == ("perfect-5x5", "jigsaw", "solution")
    assert page.data["solutions"] == [codes(board) for board in jigsaw.assemblies]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(file.read_bytes())))
    assert view("-").data["solutions"] == page.data["solutions"]
    save_solutions(L_SHAPE, [L_SHAPE.pieces], file)
    page = view(str(file))
    assert (page.data["name"], page.data["kind"], len(page.data["solutions"])) == ("l-shape", "dissection", 1)


def test_more_solutions_than_the_page_may_have(view, tmp_path, files):
    """Catches pages that grow without end, and those that do not say that something is left out."""
    save_solutions(MADE.puzzle, [MADE.solution] * 1001, files[1])
    page = view(*files)
    assert len(page.data["solutions"]) == 1000
    assert page.facts["Shown"] == "the first 1 000 of 1 001 solutions"
    assert page.err == "jigsat: the page includes the first 1 000 of 1 001 solutions; --limit N changes this\n"
    page = view(*files, "--limit", "1001")
    assert (len(page.data["solutions"]), page.err) == (1001, "")
    assert len(view(*files, "--limit", "2").data["solutions"]) == 2


@pytest.mark.parametrize("symmetry", [True, False])
def test_nodes_by_depth(view, files, symmetry):
    """Catches counts of another order or of the other search, and predictions that are not those of the model."""
    options = ["--order", "spiral_in", *([] if symmetry else ["--no-symmetry"])]
    page = view(*files, "--actual", *options)
    nodes = page.data["nodes"]
    found = count(MADE.puzzle, order="spiral_in", symmetry=symmetry)
    assert [int(text) for text in nodes["actual"]] == list(found.nodes_by_depth)
    assert nodes["complete"] is True
    assert nodes["note"] == f"{found.nodes:,} nodes in all.".replace(",", " ")
    estimate = Complexity(MADE.puzzle).estimate("spiral_in", symmetry=symmetry)
    for (log, text), expected in zip(nodes["predicted"], estimate.nodes_by_depth, strict=True):
        assert float(text) == pytest.approx(float(expected), rel=0.006)
        assert 10**log == pytest.approx(float(expected), rel=0.001)
    assert page.facts["Order"].startswith("search order spiral_in: from A1")


def test_counts_that_are_not_complete(view, files):
    """Catches lower bounds that are taken for counts, and depths that no search has reached."""
    full = view(*files, "--actual").data["nodes"]
    nodes = view(*files, "--actual", "--time-limit", "0").data["nodes"]
    assert (nodes["complete"], nodes["actual"]) == (False, [])
    assert nodes["note"].startswith("The counts are lower bounds: the time limit was reached")
    nodes = view(*files, "--actual", "--depth-limit", "7").data["nodes"]
    assert nodes["actual"] == full["actual"][:7]
    assert "down to depth 7" in nodes["note"]


def test_ctrl_c_writes_the_page(view, files, monkeypatch):
    """Catches a page that is lost when its search is interrupted."""
    asked = []
    reason_to_stop = BaseRun.reason_to_stop

    def interrupt_the_second_time(self):
        asked.append(1)
        if len(asked) == 2:
            signal.raise_signal(signal.SIGINT)
        return reason_to_stop(self)

    monkeypatch.setattr(BaseRun, "reason_to_stop", interrupt_the_second_time)
    save_solutions(read_squares("puzzle-a"), [(None,) * 36], files[1])
    # Two slices at least: twenty thousand nodes are less than this search has.
    nodes = view("puzzle-a", files[1], "--actual", status=130).data["nodes"]
    assert len(asked) == 2
    assert nodes["complete"] is False
    assert "interrupted" in nodes["note"]
    assert sum(map(int, nodes["actual"])) > 0
