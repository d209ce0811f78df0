"""Results as text and as JSON."""

import sys

from jigsat.cli.parts.wording import print_json


def test_a_closed_standard_output_is_no_error(monkeypatch):
    """As for all that is printed: `jigsat info puzzle-a --json >&-` ended with a traceback."""
    monkeypatch.setattr(sys, "stdout", None)
    print_json({"pieces": 16})
