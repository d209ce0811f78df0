"""What is said of puzzles: the functions return what the commands print."""

import subprocess
import sys

from command_line import run
from jigsat import EdgeMatchingPuzzle, info, save
from jigsat.csp.puzzles.edge_matching import Rule


def test_assemblies_of_a_jigsaw_with_spare_pieces(capsys, tmp_path):
    """They are judged as `check` does, and the text says why they are not compared."""
    pieces = ((0, 5, 0, 0), (0, 7, 0, 0), (0, 0, 0, -5), (0, 0, 0, -7))
    assemblies = ((0, 0), (2, 0)), ((1, 0), (3, 0))
    puzzle = EdgeMatchingPuzzle(1, 2, pieces, Rule.OPPOSITE, assemblies=assemblies)  # type: ignore[arg-type]
    facts = info(puzzle)
    assert (facts["fault"], facts["assemblies"], facts["pairs_of_assemblies"], facts["perfect"]) == (None, 2, [], False)
    save(puzzle, tmp_path / "spare.json")
    text = run(capsys, "info", str(tmp_path / "spare.json"), "--verbose")[1]
    assert "  assemblies       2, not compared because there are spare pieces\n" in text


def test_importing_loads_nothing_but_the_table_of_engines():
    """All else is loaded by what needs it."""
    script = (
        "import sys, jigsat\n"
        "loaded = {name for name in sys.modules if name.startswith('jigsat.')}\n"
        "assert loaded == {'jigsat.csp', 'jigsat.csp.engines', 'jigsat.models', 'jigsat.models.engines'}, loaded"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
