"""The page on the board suite is that of its tables, and the expected exchanges on a frame are those of all frames."""

from itertools import combinations, product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "research" / "board_suite"


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(SUITE)


@pytest.mark.skipif(not (SUITE / "boards.jsonl.gz").exists(), reason="the sdist has no boards")
def test_the_page_is_what_the_script_writes():
    """A number that is changed on the page alone would be lost."""
    from page import page

    assert (ROOT / "docs" / "reference" / "board_suite.md").read_text(encoding="utf-8") == page()


def test_expected_exchanges_are_the_mean_of_all_frames():
    """Of a 3x3 board, whose frame has four corners (even places) and four edge pieces."""
    from relatives import exchanges

    frames = [*product(product(range(2), repeat=8), product(range(2), repeat=4))]
    assert exchanges(3, 2, 2) == pytest.approx(sum(_exchanges(*frame) for frame in frames) / len(frames))


def _exchanges(joins, inside):
    """The pairs of stretches that can change places; join i is before piece i."""
    stretches = [tuple((start + step) % 8 for step in range(length)) for length in range(2, 5) for start in range(8)]
    shown = {stretch: _shown(stretch, joins, inside) for stretch in stretches}
    return sum(
        shown[one] == shown[other] and not {*one} & {*other} and _all_differ(one, other, joins)
        for one, other in combinations(stretches, 2)
    )


def _shown(stretch, joins, inside):
    ends = joins[stretch[0]], joins[(stretch[-1] + 1) % 8]
    return ends, [inside[place // 2] if place % 2 else "corner" for place in stretch]


def _all_differ(one, other, joins):
    return all(joins[this] != joins[that] for this, that in zip(one[1:], other[1:], strict=True))
