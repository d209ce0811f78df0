"""Values of options: durations and whole numbers."""

import argparse

import pytest

from jigsat.cli.from_functions import seconds, whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90", 90), ("0", 0), ("1.5", 1.5), ("1e3", 1000), ("90s", 90), ("1m30s", 90), ("1M", 60), ("2h", 7200),
        ("1h0.5m", 3630), ("1d", 86400), ("1d2h3m4s", 93784), (" 5 ", 5),
    ],
)  # fmt: skip
def test_durations(text, expected):
    assert seconds(text) == expected


@pytest.mark.parametrize(
    "text", ["", " ", "-1", "-1m", "nan", "inf", "1e999", "soon", "30s1m", "1m1m", "m", "1h30", "2w"]
)
def test_what_is_not_a_duration(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time; give seconds, or a time such as 1m30s or 2h"):
        seconds(text)


def test_whole_numbers():
    assert [whole(text) for text in ("0", "12", "1e9", "2.0")] == [0, 12, 10**9, 2]
