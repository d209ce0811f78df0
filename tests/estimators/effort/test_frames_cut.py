"""The cut of counts by frames: what it is expected to cost, and that it is passed to every count by frames."""

import re
from dataclasses import replace

import pytest

from jigsat import count, read
from jigsat.cli.main import main
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import FramesCut, Options
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.search import backtrack as counting
from jigsat.csp.search.counting.frames import Frames
from jigsat.csp.search.counting.methods import Pause
from jigsat.estimators.effort.count_methods import prepared
from jigsat.estimators.effort.frames_cut import best_plan, with_cut

FRAMES = Options(method="frames")


@pytest.mark.parametrize("puzzle", [read("puzzle-a"), deal_edge_matching(5, 5, 2, 3, seed=1).puzzle], ids=["a", "5x5"])
def test_predicted_cost_is_of_the_right_size(puzzle):
    """A prediction that is off by orders of magnitude would choose the wrong method."""
    frames = Frames(puzzle, with_cut(puzzle, FRAMES))
    nodes = sum(frames.count(0, len(frames.work), lambda: Pause.NO).nodes)
    assert nodes / 10 < best_plan(puzzle).cost < nodes * 30


def test_tables_that_are_expected_to_outgrow_the_memory_are_refused():
    """They would be filled for hours before that is noticed."""
    with pytest.raises(EngineError, match=r"^method frames: the tables would take about 2\.62e\+05 GiB"):
        with_cut(read("puzzle-c"), FRAMES)


def test_connectors_that_never_match_on_a_long_board():
    """Powers of a number of connectors that is a guess may be more than any float."""
    corners = ((0, 0, 2, 3), (0, 0, 3, 2), (0, 0, 2, -3), (0, 0, -3, 2))
    pieces = (*corners, *[(0, 2, 1, -2)] * 78, *[(1, 1, 1, 1)] * 38)
    assert best_plan(EdgeMatchingPuzzle(3, 40, pieces, Rule.OPPOSITE)).cost > 0


def test_other_counts_and_a_cut_that_is_given_stay():
    for options in (Options(), Options(method="macros"), replace(FRAMES, cut=FramesCut(4, 9))):
        assert with_cut(read("puzzle-a"), options) is options


def test_every_count_by_frames_is_told_of_the_cut(tmp_path, monkeypatch):
    """Python, the command line and the plan; the cut is not the middle here, for the lower half should be smaller."""
    puzzle = deal_edge_matching(5, 7, 1, 3, seed=1).puzzle
    cut = with_cut(puzzle, FRAMES).cut
    assert (cut.columns, cut.squares) == (3, 9)
    assert prepared(puzzle, Options(method="frames")).cut == cut
    file, ledger = tmp_path / "puzzle.json", tmp_path / "ledger"
    save(puzzle, file)
    counts = [
        lambda: count(puzzle, method="frames", ledger=str(ledger)),
        lambda: main(["count", str(file), "--method=frames", f"--ledger={ledger}"]),
    ]
    whole = counting.count_together
    monkeypatch.setattr(
        counting, "count_together", lambda *work, **how: whole(*work, **{**how, "stop": lambda: "time"})
    )
    for run in counts:
        run()
        assert re.search(rb'"columns": ?3, ?"upper_squares": ?9}', ledger.read_bytes())
        ledger.unlink()
