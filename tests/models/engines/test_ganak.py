"""Ganak as jigsat runs it: exact numbers, its process and its memory."""

import resource
import subprocess
import sys
from importlib.util import find_spec
from unittest.mock import patch

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.registry import able_engine
from jigsat.csp.engines.request import DEFAULTS, NO_LIMITS, Goal
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.estimators.plan.job import Job
from jigsat.models.engines import ganak

#: A row whose 18 inner pieces look the same.
ROW = EdgeMatchingPuzzle(1, 20, ((0, 1, 0, 0), *[(0, 1, 0, 1)] * 18, (0, 1, 0, 0)))


def test_counts_have_all_their_digits():
    """18! ways to lay the inner pieces and two turns of each; two ways to lay the ends."""
    plan = Job(ROW, Goal.COUNT, "ganak").plan()
    result = plan.run()
    assert (result.count, result.canonical_count) == (2 * 6402373705728000 * 2**18, 1)
    # The plan names the encoding that the engine takes.
    assert plan.ways[0].how == f"encoding {result.method}"


def test_without_the_library_one_line_says_what_to_install():
    with (
        patch.object(ganak, "find_spec", lambda name: None if name == "pyganak" else find_spec(name)),
        pytest.raises(
            EngineError, match=r"^engine ganak: needs pyganak: install it with pip install 'jigsat\[ganak\]'$"
        ),
    ):
        able_engine("jigsaw", "ganak", Goal.COUNT, NO_LIMITS, DEFAULTS)


def test_its_process_has_less_memory_than_is_free():
    """This process keeps its own limit."""
    program = (
        "import resource; from jigsat.models.base.solver_server import _bound_memory; _bound_memory(); "
        "print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    before = resource.getrlimit(resource.RLIMIT_AS)
    assert 0 < int(ran.stdout) < 2**50
    assert resource.getrlimit(resource.RLIMIT_AS) == before
