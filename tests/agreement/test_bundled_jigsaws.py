"""The bundled jigsaws: that they are what their names say, by search and by certificate."""

import json
from importlib.resources import files

import pytest

from command_line import run
from jigsat.api.certify import verify
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.file_format import bundled_certificate, bundled_names
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.check_board import check, same_solutions
from jigsat.csp.puzzles.jigsaw_algebra import quality

JIGSAWS = bundled_names("jigsaw")
CERTIFIED = [name for name in JIGSAWS if bundled_certificate(name)]
SLOW = "perfect-8x8", "perfect-10x10", "crystal-7x7", "three-perfect-7x7"


def test_all_but_the_large_ones_have_certificates():
    assert set(JIGSAWS) - set(CERTIFIED) == {"perfect-31x31", "cup-and-ring"}
    pages = [path for path in files("jigsat.instances").joinpath("jigsaw/certificates").iterdir() if path.suffix]
    assert len(pages) == 3 * len(CERTIFIED)


@pytest.mark.parametrize("name", JIGSAWS)
def test_a_search_finds_the_solutions_that_the_file_lists(name):
    """As many as are known, and the same ones; a perfect one is perfect, a 3-perfect one 3-perfect."""
    puzzle = read_squares(name)
    result = find_engine("most-constrained").run(puzzle, Goal.ALL)
    assert result.complete
    assert (result.count, result.canonical_count) == (puzzle.known["count"], puzzle.known["canonical_count"])
    assert all(check(puzzle, board).is_solution for board in puzzle.assemblies)
    assert len(puzzle.assemblies) == result.canonical_count
    assert same_solutions(puzzle, puzzle.assemblies) is None
    assert all(same_solutions(puzzle, [*puzzle.assemblies, board]) for board in result.solutions)
    assert quality(puzzle).perfect == name.startswith(("perfect", "crystal", "three-solutions"))
    if name.startswith("three-perfect"):
        found = quality(puzzle)
        assert (set(found.uses.values()), found.unbalanced, found.duplicates, found.symmetric) == ({3}, (), (), ())
        assert found.shared == {(0, 1): 0, (0, 2): 0, (1, 2): 0}


@pytest.mark.some_cases(5)
@pytest.mark.parametrize("name", CERTIFIED)
def test_the_certificate_is_accepted_for_its_jigsaw_alone(name):
    puzzle = read_squares(name)
    verdict = verify(puzzle, bundled_certificate(name))
    assert verdict.holds, verdict.reason
    number = puzzle.known["canonical_count"]
    assert f"has exactly {number} solutions: the {number} that are listed" in verdict.states
    page = json.loads(bundled_certificate(name).read_text())
    assert (page["encoding"] == "bits") == name.startswith(("perfect", "crystal"))


@pytest.mark.some_cases(4)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in JIGSAWS
        if read_squares(name).source.startswith("jigsat make")
    ],
)
def test_the_source_makes_the_jigsaw_again(name, tmp_path, capsys):
    """The same options and seed make the same file, in this version as in that which made it."""
    if name == "perfect-31x31":
        return
    command = read_squares(name).source.removeprefix("jigsat ").split()
    assert run(capsys, *command, "-o", str(tmp_path / "again.json"))[0] == 0
    assert (tmp_path / "again.json").read_text() == files("jigsat.instances").joinpath(
        f"jigsaw/{name}.json"
    ).read_text()
