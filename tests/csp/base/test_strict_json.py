"""Reading JSON can be interrupted: Python handles signals where it calls a function, and not within a library."""

import gc
import sys

from jigsat.csp.base.strict_json import parsed, validated
from jigsat.csp.files.schemas import InstanceFile, SolutionFile

ROWS = [[[1, 0], [2, 0]], [[3, 1], None]]


def functions_called(work):
    """How many functions in Python are called."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event == "call"

    # Libraries are called back when garbage is collected.
    gc.disable()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


def test_every_number_of_a_text_calls_a_function():
    def numbers(number):
        return functions_called(lambda: parsed(str([1] * number), "text"))

    assert numbers(1001) - numbers(1) == 1000


def test_every_piece_and_board_of_a_file_calls_a_function():
    def pieces(number):
        data = {
            "format": "jigsat/1",
            "kind": "jigsaw",
            "name": "x",
            "rows": 1,
            "columns": 1,
            "pieces": [[0] * 4] * number,
        }
        return functions_called(lambda: validated(InstanceFile, data, "data", {}))

    def boards(number):
        data = {"format": "jigsat-solution/1", "instance": "x", "sha256": "0" * 64, "solutions": [ROWS] * number}
        return functions_called(lambda: validated(SolutionFile, data, "data", {}))

    pieces(1), boards(1)  # The first call does what is done once.
    assert (pieces(1001) - pieces(1), boards(1001) - boards(1)) == (1000, 1000)
