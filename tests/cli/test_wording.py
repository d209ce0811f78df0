"""Results as text and as JSON."""

import json
import sys

from jigsat.cli.wording import print_json


def test_a_closed_standard_output_is_no_error(monkeypatch):
    """As for all that is printed: `jigsat info puzzle-a --json >&-` ended with a traceback."""
    monkeypatch.setattr(sys, "stdout", None)
    print_json({"pieces": 16})


def test_json_has_no_numbers_that_json_lacks(capsys):
    print_json({"nodes": float("inf"), "parts": [float("nan"), 1.5, {"a": (2, -float("inf"))}]})
    assert json.loads(capsys.readouterr().out) == {"nodes": None, "parts": [None, 1.5, {"a": [2, None]}]}
