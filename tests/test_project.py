"""The project as a whole: what it installs, and that the README tells the truth."""

import re
import tomllib
from pathlib import Path

import pytest

from jigsat.cli.main import main
from jigsat.csp.check import check
from jigsat.csp.engine import Goal, find_engine
from jigsat.csp.instances import parse_instance

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_every_package_on_disk_is_listed_and_typed():
    """A package that is not listed is missing from an installation, though all tests of a checkout pass."""
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    tops = ("csp", "models", "estimators", "cli", "instances")
    folders = {path.parent for top in tops for path in (ROOT / top).rglob("*.py")}
    assert {".".join(("jigsat", *folder.relative_to(ROOT).parts)) for folder in folders} == listed
    for folder in folders:
        assert (folder / "__init__.py").exists()
        assert (folder / "py.typed").exists()


def test_arrows_run_downward():
    """csp imports none of the floors above it, models none above theirs, and so on."""
    floors = ["csp", "models", "estimators", "cli"]
    for level, floor in enumerate(floors):
        for path in (ROOT / floor).rglob("*.py"):
            depth = len(path.relative_to(ROOT).parts)
            above = "|".join(floors[level + 1 :]) or "none"
            assert not re.search(
                rf"^\s*from {'[.]' * depth}({above})\b|jigsat\.({above})", path.read_text(), re.MULTILINE
            )


def test_readme_instance_is_one_and_has_a_solution():
    (text,) = blocks("json")
    puzzle = parse_instance(text)
    (solution,) = find_engine("backtrack").run(puzzle, Goal.ALL).solutions
    assert check(puzzle, solution).is_solution


def test_readme_pictures_are_what_its_commands_draw(tmp_path, monkeypatch):
    """A picture that no command makes any more would mislead; they are drawn anew and compared."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for line in re.findall(r"^\$ jigsat (solve \S+ -o \S+|draw .* docs/\S+)$", README, re.MULTILINE):
        assert main(line.split()) == 0
    pictures = re.findall(r"!\[.*\]\((.*)\)", README)
    assert pictures
    for picture in pictures:
        assert (tmp_path / picture).read_text() == (ROOT / picture).read_text()


def test_readme_best_score_is_found(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    block = next(block for block in blocks("text") if "--best" in block)
    *commands, shown = re.split(r"^\$ jigsat ", block, flags=re.MULTILINE)[1:]
    last, _, shown = shown.partition("\n")
    for command in (*commands, last):
        capsys.readouterr()
        assert main(command.split()) == 0
    assert capsys.readouterr().out.startswith(shown)


def test_readme_python_runs(capsys):
    (code,) = blocks("python")
    exec(code, {})  # the README is ours
    assert capsys.readouterr().out.startswith("40\n")


@pytest.mark.parametrize(
    "path",
    [
        *("csp/__init__.py", "csp/face.py", "csp/board.py", "csp/check.py", "csp/slips.py"),
        *("csp/formats/piece_text.py", "csp/formats/recolor.py", "csp/draw/svg.py"),
        *("csp/make/chance.py", "csp/make/edge_matching.py"),
    ],
)
def test_docstring_examples(path):
    import doctest
    from importlib import import_module

    module = import_module("jigsat." + path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
