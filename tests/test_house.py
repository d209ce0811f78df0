"""The house: where modules and tests stand, and what they are called.  `lint-imports` checks which way they import.

A list of exceptions may only shrink: one that is needed no longer must go.
"""

import ast
import tomllib
from collections import Counter, defaultdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("csp", "models", "render", "estimators", "cli")
MODULES = sorted(
    path.relative_to(ROOT) for floor in FLOORS for path in (ROOT / floor).rglob("*.py") if path.name != "__init__.py"
)

#: Names that say nothing, or only in a metaphor.
BANNED = {
    "face", "tally", "harvest", "crew", "piecework", "lanes", "rim", "together", "claims", "exactly",
    "recognise", "surds",
}  # fmt: skip

#: Classes of one name in several modules.
NAMESAKES = {
    "Answer",
    "Artwork",
    "BestScore",
    "Layout",
    "Line",
    "Tree",
    "Values",
    "_Boards",
}


def test_every_test_file_stands_in_the_folder_of_its_subject():
    """tests/a/b/test_*.py are for what stands in a/b."""
    tests = (path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py"))
    folders = {Path(), *(path.parent for path in MODULES)}
    assert {path.parent for path in tests if path.parts[0] not in ("agreement", "benchmarks", "docs")} <= folders


def test_no_folder_is_crowded():
    """Twenty modules at most; the commands stand beside one another."""
    sizes = Counter(path.parent.as_posix() for path in MODULES)
    assert {folder: size for folder, size in sizes.items() if size > 20 and folder != "cli"} == {}


def test_modules_have_names_that_say_something():
    assert not BANNED & {path.stem for path in MODULES}


def test_classes_have_names_of_their_own():
    """A name identifies one class."""
    modules_of = defaultdict(set)
    for path in MODULES:
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.ClassDef):
                modules_of[node.name].add(path)
    assert {name for name, modules in modules_of.items() if len(modules) > 1} == NAMESAKES


def test_every_package_on_disk_is_listed_and_typed():
    """A package that is not listed is missing from an installation, though all tests of a checkout pass."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {ROOT, *(path.parent for top in (*FLOORS, "instances") for path in (ROOT / top).rglob("*.py"))}
    assert sorted(".".join(("jigsat", *folder.relative_to(ROOT).parts)) for folder in folders) == sorted(listed)
    for folder in folders:
        assert (folder / "__init__.py").exists()
        assert (folder / "py.typed").exists()


def test_kernels_are_cached_in_one_way():
    """Numba's own cache ends the program where no folder for it can be written; `base/compiled.py` does without."""
    cached = [path for path in MODULES if "cache=True" in (ROOT / path).read_text()]
    assert cached == [Path("csp/base/compiled.py")]


@pytest.mark.parametrize("folder", ["agreement", "benchmarks"])
def test_what_scripts_import_is_there(folder):
    """Catches scripts, which no test runs, that name what was renamed or deleted."""
    for script in sorted((ROOT / "tests" / folder).glob("*.py")):
        for node in ast.walk(ast.parse(script.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jigsat"):
                module = import_module(node.module)
                for name in (alias.name for alias in node.names):
                    assert hasattr(module, name) or find_spec(f"{node.module}.{name}"), f"{script.name}: {name}"
