"""Numbers, tables and figures of results, for notebooks and scripts."""

from fractions import Fraction

import pytest

import jigsat as js
from jigsat.csp.base.errors import InstanceError, JigsatError, UsageError


@pytest.fixture(scope="module")
def rowscan():
    return js.estimate("puzzle-a", order="rowscan", probes=640, actual=True, rate=1e7)


def test_the_numbers_of_an_estimate_are_those_of_the_search(rowscan):
    """`nodes` once were those of the theory, four times as many as a search visits."""
    assert round(rowscan.solutions) == 146
    assert rowscan.solutions_interval is None
    assert isinstance(rowscan.nodes_along_order, Fraction)
    assert rowscan.nodes == pytest.approx(float(rowscan.nodes_along_order), rel=1e-4)
    assert round(rowscan.nodes_without_symmetry / rowscan.nodes_along_order, 6) == 4
    (low, high), actual = rowscan.nodes_interval, rowscan.effort.actual
    assert low < actual.nodes < high
    assert rowscan.seconds_interval[0] < rowscan.seconds < rowscan.seconds_interval[1]
    plan = js.plan("puzzle-a", "count", order="rowscan")
    assert (plan.nodes, plan.ways[0].name) == (rowscan.nodes, rowscan.ways[0].name)
    assert float(plan.ways[0].time) == pytest.approx(plan.seconds)


def test_probes_and_random_boards_have_intervals():
    tilings = js.estimate("tangram", actual=True)
    assert tilings.solutions_interval[0] <= tilings.effort.actual.count <= tilings.solutions_interval[1]
    assert tilings.nodes_interval[0] <= tilings.effort.actual.nodes <= tilings.nodes_interval[1]
    sampled = js.estimate("clue3", sample_solutions=0.2, rate=1e8)
    low, high = sampled.solutions_interval
    assert low < sampled.solutions < high
    assert float(sampled.solutions) != float(sampled.effort.plain.solutions)


def test_tables(rowscan, tmp_path):
    pytest.importorskip("pandas", reason="pandas is an extra")
    table = rowscan.to_pandas()
    assert list(table.actual) == list(rowscan.effort.actual.nodes_by_depth)
    assert table.nodes.sum() == pytest.approx(float(rowscan.nodes_along_order))
    ways = js.explain("puzzle-a", goal="count").to_pandas()
    assert ways["chosen"].tolist() == [True] + [False] * (len(ways) - 1)
    solved = js.solve("clue3")
    board = solved.solutions[0]
    table = solved.to_pandas()
    assert table.drop(columns="solution").equals(board.to_pandas())
    named = {name: (piece, turn) for name, piece, turn in board.to_pandas().itertuples(index=False)}
    assert js.check("clue3", named).holds
    assert list(rowscan.effort.actual.to_pandas("depths").nodes) == list(rowscan.effort.actual.nodes_by_depth)
    assert js.solve("tangram").to_pandas().piece.tolist() == [1, 2, 3, 4, 5, 6, 7]
    race = js.race("clue3", tmp_path, trials=3, width=20, seed=1)
    assert len(race.to_pandas()) == race.statistics.trials.number > 0
    with pytest.raises(UsageError, match="unknown table 'x'; choose solutions or depths"):
        solved.to_pandas("x")


def test_an_extra_that_is_missing_is_named(monkeypatch, rowscan):
    monkeypatch.setattr("jigsat.csp.base.errors.find_spec", lambda name: None)
    for missing, use in (("pandas", rowscan.to_pandas), ("plots", rowscan.plot)):
        with pytest.raises(JigsatError, match=rf"pip install 'jigsat\[{missing}\]'$"):
            use()


def test_figures_are_drawn_into_axes_and_files(rowscan, tmp_path):
    """Catches a figure of our own that stays open beside the user's, so that a notebook shows two."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is an extra")
    race = js.race("clue3", tmp_path / "race", trials=3, width=20, seed=1)
    things = [rowscan, js.explain("puzzle-a"), rowscan.effort.actual, race, js.estimate("tangram")]
    for thing in things:
        _, ax = pyplot.subplots()
        open_before = pyplot.get_fignums()
        assert thing.plot(ax=ax) is ax
        assert ax.get_title()
        thing.plot(tmp_path / "figure.svg")
        assert pyplot.get_fignums() == open_before
        assert thing.plot().figure.number not in open_before
        pyplot.close("all")
    with pytest.raises(UsageError, match=r"must end in .svg, .png or .pdf"):
        rowscan.plot("nodes.xyz")
    with pytest.raises(JigsatError, match="there is no folder"):
        rowscan.plot(tmp_path / "none" / "x.svg")


def test_squares_by_name():
    """Beside a name pieces count from 1, as in files; beside an index from 0."""
    puzzle = js.read_squares("clue3")
    board = js.solve(puzzle).solutions[0]
    assert board["B1"] == board[6]
    started = js.solve(puzzle, start={"B1": (board["B1"].number, board[6].rotation)}).solutions[0]
    assert started["B1"] == board["B1"]
    for build in (js.cnf, js.cp_model):
        model = build(puzzle)
        assert str(model.on("B2", 9)) == str(model.on(7, 8))
    for start, message in (
        ({"Z9": 1}, "square Z9 is not on the 6x6 board"),
        ({"A1": 0}, "A1: there is no piece 0; pieces are numbered 1 to 36"),
        ({"A1": "x"}, "A1: 'x' is not the number of a piece, or a pair"),
    ):
        with pytest.raises(InstanceError, match=message):
            js.solve(puzzle, start=start)
