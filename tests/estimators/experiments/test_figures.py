"""The figures of reports: what is in them, and files that are the same everywhere."""

from functools import cache

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import everything
from jigsat.estimators.experiments.figures import CAPTIONS, FIGURES, FORMATS, drawn, duration, power, shown, style
from records import outcomes, record

NAMES = list(FIGURES)


@pytest.fixture(scope="module")
def files():
    """Draws a figure of everything once, as a file of each format."""
    return cache(lambda name: drawn(name, outcomes(*everything())))


def axes_of(name, *runs):
    with style():
        return FIGURES[name](outcomes(*runs)).axes


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_drawn_where_there_is_something_for_it(files, name):
    found = files(name)
    assert {ending: file[:4] for ending, file in found.items()} == {"svg": b"<?xm", "pdf": b"%PDF", "png": b"\x89PNG"}
    assert isinstance(drawn(name, []), str)
    assert CAPTIONS[name].endswith(".")
    assert "\n" not in CAPTIONS[name]


def test_the_same_runs_make_the_same_file_whatever_the_reader_has_set(files):
    """Without a date or a version of matplotlib, which would make a new file of the same figure."""
    once, before = files("cactus"), dict(matplotlib.rcParams)
    assert dict(matplotlib.rcParams) == before
    with matplotlib.rc_context({"font.size": 3, "svg.hashsalt": "other", "axes.facecolor": "red"}):
        assert drawn("cactus", outcomes(*everything())) == once
    words = {"svg": (b"<dc:date>", b"Matplotlib v"), "pdf": (b"CreationDate", b"Producer"), "png": (b"Software",)}
    assert words.keys() == FORMATS.keys()
    assert not [word for ending, those in words.items() for word in those if word in once[ending]]
    # 200 pixels an inch, of a figure 7.6 inches wide.
    assert int.from_bytes(once["png"][16:20]) == 1520


def test_ended_runs_are_hollow_marks_in_predicted_and_actual():
    """A run that a limit ended would look like a fact."""
    runs = [record(seed=1), record(seed=2, outcome="nodes", nodes_by_depth=(1, 20, 300, 100))]
    nodes = axes_of("predicted-actual", *runs)[0]
    fills = {line.get_fillstyle(): len(line.get_xdata()) for line in nodes.lines if line.get_marker() == "o"}
    assert fills == {"full": 1, "none": 1}


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"), (None, "–"), (float("inf"), "–"), (999, "999"), (1000, "1\u202f000"), (-12345678, "-1.23e7"),
        (0.000123456, "1.23e-4"), (10**400, "1.00e400"), (1234.5, "1\u202f234"), (12.0, "12"),
    ],
)  # fmt: skip
def test_numbers_have_three_digits_or_all(number, text):
    assert shown(number) == text


@given(st.floats(min_value=1e-300, max_value=1e6, allow_subnormal=False))
def test_numbers_are_off_by_half_a_percent_at_most(number):
    assert float(shown(number).replace("\u202f", "")) == pytest.approx(number, rel=0.00501)


def test_powers_and_times():
    assert [power(log) for log in (0.0, 6.9, 400.999999, -5.0)] == ["1", "7\u202f943\u202f282", "1.00e401", "1.00e-5"]
    assert [duration(seconds) for seconds in (None, 0.00001, 0.25, 7199, 7200)] == [
        "–", "< 0.0001 s", "0.25 s", "7\u202f199 s", "2 h"
    ]  # fmt: skip
