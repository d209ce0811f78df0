"""`jigsat warm-up`: what it compiles."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import COMMAND
from jigsat.cli.warm_up import STEPS

ROOT = Path(__file__).parents[2]
FLOORS = ("csp", "models", "render", "estimators")
#: Commands whose kernels are compiled by then; each prints how long it has compiled.
LATER = ["solve clue3", "count puzzle-a", "solve perfect-5x5 --all", "certify perfect-6x6 --solutions 2"]

_COMPILED = """
import sys
from jigsat.cli.main import main
from jigsat.csp.base.stop import COMPILING
assert main(sys.argv[1].split()) == 0
print(COMPILING.seconds)
"""


@pytest.mark.slow
def test_no_later_command_compiles(tmp_path):
    """In an empty cache: all kernels of the package are there afterwards."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([*COMMAND, "warm-up"], env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line[:30].strip() for line in lines] == [
        *(name for works in STEPS.values() for name in works),
        "all kernels",
    ]
    assert "compiled in" in lines[0]
    assert "compiled in" in lines[-1]
    for command in LATER:
        later = subprocess.run(
            [sys.executable, "-c", _COMPILED, command], env=environment, capture_output=True, text=True, check=True
        )
        assert later.stdout.splitlines()[-1] == "0.0", command
    sources = (path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))
    with_kernels = {
        path.stem for path in sources if re.search(r"^@(inner_|inlined_)?kernel$", path.read_text(), re.MULTILINE)
    }
    assert {path.name.split(".")[0] for path in Path(tmp_path).rglob("*.nbc")} == with_kernels
