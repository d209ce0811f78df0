from functools import cache

import matplotlib
import pytest

from experiments import COLORS, everything
from jigsat.estimators.experiments.analysis.analysis import analysed
from jigsat.estimators.experiments.report.chart_style import FORMATS, style
from jigsat.estimators.experiments.report.charts import CAPTIONS, CHARTS, drawn
from records import record

NAMES = list(CHARTS)


@pytest.fixture(scope="module")
def analysis():
    return analysed(everything())


@pytest.fixture(scope="module")
def files(analysis):
    """Draws a chart of them once, as a file of each format."""
    return cache(lambda name: drawn(name, analysis))


def figure(name, analysis):
    with style():
        return CHARTS[name](analysis)


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_drawn_where_there_is_something_for_it(files, name):
    found = files(name)
    assert found is not None
    assert {ending: file[:4] for ending, file in found.items()} == {"svg": b"<?xm", "pdf": b"%PDF", "png": b"\x89PNG"}
    assert b"<svg" in found["svg"]


def test_every_figure_has_a_caption_of_whole_sentences():
    assert list(CAPTIONS) == NAMES
    assert all(caption.endswith(".") and "\n" not in caption for caption in CAPTIONS.values())


@pytest.mark.parametrize("name", NAMES)
def test_no_runs_make_no_chart(name):
    assert drawn(name, analysed([])) is None


def test_runs_of_one_kind_leave_out_what_they_tell_nothing_of():
    analysis = analysed([record(goal="solve", predicted_by_depth=None)])
    assert [name for name in NAMES if drawn(name, analysis)] == ["cactus"]


@pytest.mark.parametrize(
    "name", ["calibration", *(pytest.param(n, marks=pytest.mark.slow) for n in ("cactus", "peak"))]
)
def test_the_same_runs_make_the_same_file_whatever_the_reader_has_set(files, name):
    once = files(name)
    with matplotlib.rc_context({"font.size": 3, "svg.hashsalt": "other", "axes.facecolor": "red"}):
        assert drawn(name, analysed(everything())) == once


@pytest.mark.parametrize(
    ("ending", "words"),
    [("svg", (b"<dc:date>", b"Matplotlib v")), ("pdf", (b"CreationDate", b"Producer")), ("png", (b"Software",))],
)
def test_files_have_no_date_and_no_version(files, ending, words):
    """Of matplotlib, which would make a new file of the same figure."""
    assert set(FORMATS) == {"svg", "pdf", "png"}
    file = files("winners")[ending]
    assert not [word for word in words if word in file]


def test_pictures_have_pixels_enough_to_be_printed(files):
    """200 an inch, of a figure 4.9 or 7.6 inches wide."""
    png = files("cactus")["png"]
    assert int.from_bytes(png[16:20]) in (980, 1520)


def test_drawing_changes_no_setting_of_the_reader(analysis):
    before = dict(matplotlib.rcParams)
    drawn("transfer", analysis)
    assert dict(matplotlib.rcParams) == before


def test_ended_runs_are_hollow_marks_in_predicted_and_actual():
    """A run that a limit ended would look like a fact."""
    runs = [record(seed=1), record(seed=2, outcome="nodes", nodes_by_depth=(1, 20, 300, 100))]
    axes = figure("predicted-actual", analysed(runs)).axes[0]
    fills = {line.get_fillstyle(): len(line.get_xdata()) for line in axes.lines if line.get_marker() == "o"}
    assert fills == {"full": 1, "none": 1}


def test_runs_that_found_nothing_are_at_the_lower_edge():
    runs = [record(seed=1, count=0), record(seed=2, count=4)]
    axes = figure("predicted-actual", analysed(runs)).axes[1]
    [marks] = [line for line in axes.lines if line.get_marker() == "o"]
    assert axes.get_ylim()[0] < min(marks.get_ydata()) < axes.get_ylim()[0] + 0.2


def test_the_peak_shows_how_many_runs_are_not_solved(analysis):
    nodes, conflicts = figure("peak", analysis).axes
    assert [text.get_text() for text in nodes.texts] == ["1/5"]
    assert [text.get_text() for text in conflicts.texts] == ["1/5"]
    assert list(nodes.get_xticks()) == list(COLORS)


def test_depths_beyond_the_band_are_drawn_apart(analysis):
    """The last depth has twice the nodes predicted in four of five puzzles."""
    found = figure("depths", analysis).axes[0]
    drawn_apart = {bars.get_label(): list(bars.lines[0].get_xdata()) for bars in found.containers}
    assert drawn_apart == {"within 1/1.5 .. 1.5": [3], "beyond 1/1.5 .. 1.5": [4]}


def test_orders_the_wrong_way_round_are_drawn_in_red(analysis):
    [axes] = figure("ranking", analysis).axes
    wrong = [line for line in axes.lines if line.get_label() == "not as predicted"]
    assert wrong
    assert all(line.get_ydata()[0] > line.get_ydata()[1] for line in wrong)


def test_puzzles_with_one_order_are_in_no_ranking():
    runs = [record(seed=seed, options={"order": "rowscan"}) for seed in range(3)]
    other = record(seed=1, options={"order": "zig_zag"}, predicted_by_depth=(1, 90_000), nodes_by_depth=(1, 80_000))
    [axes] = figure("ranking", analysed([*runs, other])).axes
    marks = {line.get_label(): len(line.get_xdata()) for line in axes.lines if line.get_marker() != "None"}
    assert marks == {"rowscan": 1, "zig_zag": 1}


def test_cells_without_a_winner_say_so():
    solved = [record(goal="solve", inner_colors=colors) for colors in (4, 5)]
    runs = [*solved, record(goal="solve", inner_colors=6, outcome="time")]
    [axes] = figure("winners", analysed(runs)).axes
    assert [text.get_text() for text in axes.texts] == ["1.5", "1.5", "none"]


def test_figures_have_at_most_two_panels_in_a_row():
    """More would be too small to read."""
    runs = [record(seed=seed, options={"order": order}) for seed in (1, 2) for order in "abcde"]
    found = figure("depths", analysed(runs))
    columns = {round(axes.get_subplotspec().colspan.start) for axes in found.axes}
    assert len(found.axes) == 5
    assert columns == {0, 1}
