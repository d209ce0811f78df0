"""Pages: the function makes what the command makes."""

import re
from dataclasses import replace
from html import unescape

import pytest

from jigsat import read, read_squares, view
from jigsat.csp.base.errors import InstanceError, UsageError
from solved_clue import BOARD, CLUE

JIGSAW = read_squares("perfect-5x5")


def test_notebooks_show_a_frame(tmp_path):
    """Catches a page that ends at its first quotation mark."""
    page = view(CLUE, BOARD)
    (source,) = re.findall(r'srcdoc="([^"]*)"', page._repr_html_())
    assert unescape(source) == page.html
    assert page._repr_html_().startswith('<iframe title="clue3" sandbox="allow-scripts" ')
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html
    named = view(replace(CLUE, name='5" & <more>'), BOARD)._repr_html_()
    assert named.startswith('<iframe title="5&quot; &amp; &lt;more&gt;" sandbox="allow-scripts" ')


def test_progress_is_reported_and_limits_hold():
    seen = []
    page = view(read("eternity2"), [read("eternity2").fixed_board], actual=True, time_limit=0.5, report=seen.append)
    assert page.ended_by == "time"
    assert seen


@pytest.mark.parametrize(
    ("puzzle", "solutions", "options", "error", "message"),
    [
        (CLUE, None, {"time_limit": 0}, InstanceError, "clue3: there is no solution to show"),
        (CLUE, [], {}, InstanceError, "holds no solutions to show"),
        (CLUE, [None], {}, UsageError, "there is no board"),
        (CLUE, BOARD, {"image": "x.png"}, UsageError, "image: it is for a page to play with"),
        (JIGSAW, None, {"play": True, "symmetry": False}, UsageError, "symmetry: it is for the page to step"),
    ],
)
def test_what_cannot_be_shown(tmp_path, puzzle, solutions, options, error, message):
    with pytest.raises(error, match=message):
        view(puzzle, solutions, tmp_path / "page.html", **options)
    assert list(tmp_path.iterdir()) == []
