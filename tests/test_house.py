"""The house: where modules stand, and what they are called.  `lint-imports` checks which way they import."""

import ast
import tomllib
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("csp", "models", "render", "estimators", "api", "studio", "cli")
MODULES = sorted(
    path.relative_to(ROOT) for floor in FLOORS for path in (ROOT / floor).rglob("*.py") if path.name != "__init__.py"
)

#: Names that say nothing, or only in a metaphor.
BANNED = {
    "face", "tally", "harvest", "crew", "piecework", "lanes", "rim", "together", "claims", "exactly",
    "recognise", "surds",
}  # fmt: skip


def test_no_folder_is_crowded():
    """Twenty modules at most; the commands stand beside one another."""
    sizes = Counter(path.parent.as_posix() for path in MODULES)
    assert {folder: size for folder, size in sizes.items() if size > 20 and folder != "cli"} == {}


def test_modules_have_names_that_say_something():
    assert not BANNED & {path.stem for path in MODULES}


def test_every_package_on_disk_is_listed_and_typed():
    """A package that is not listed is missing from an installation, though all tests of a checkout pass."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {ROOT, *(path.parent for top in (*FLOORS, "instances") for path in (ROOT / top).rglob("*.py"))}
    assert sorted(".".join(("jigsat", *folder.relative_to(ROOT).parts)) for folder in folders) == sorted(listed)
    for folder in folders:
        assert (folder / "__init__.py").exists()
        assert (folder / "py.typed").exists()


def test_kernels_are_cached_in_one_way():
    """Numba's own cache ends the program where no folder for it can be written; `base/compiler.py` does without."""
    cached = [path for path in MODULES if "cache=True" in (ROOT / path).read_text()]
    assert cached == [Path("csp/base/compiler.py")]


@pytest.mark.parametrize("folder", ["tests/agreement", "tests/benchmarks", "research"])
def test_what_scripts_import_is_there(folder):
    """Catches scripts, which no test runs, that name what was renamed or deleted."""
    for script in sorted((ROOT / folder).glob("*.py")):
        for node in ast.walk(ast.parse(script.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jigsat"):
                module = import_module(node.module)
                for name in (alias.name for alias in node.names):
                    assert hasattr(module, name) or find_spec(f"{node.module}.{name}"), f"{script.name}: {name}"
