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

#: Parts that many a subject has; the folder says which subject it is.
ROLES = {
    "engine", "method", "kernel", "kernels", "tables", "walk", "plan", "page", "cnf", "cp", "domains", "commands",
    "estimate", "info",
}  # fmt: skip

#: Subjects that have a room on several floors, and what each floor does with them.
SUBJECTS = {
    "annealing": "making jigsaws, and making jigsaws for two pictures",
    "annealing_kernel": "the kernels of both",
    "board": "what a board is, and its picture",
    "convert": "files into others, and the command",
    "edge_matching": "what the puzzle is, and making one",
    "export": "models as files, and the command",
    "graph": "the graph of tilings, and the command",
    "orders": "search orders, and those that a beam follows",
    "photo": "how a jigsaw is rendered, and the command",
    "play": "the page to play a jigsaw, and the command for all pages to play",
    "tilings": "the engines that solve models of them, and their pages",
    "wording": "how commands put things, and how reports of experiments do",
}

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


def test_every_test_file_stands_beside_its_module():
    """tests/a/b/test_c.py or tests/a/b/test_c_of_some_aspect.py are for a/b/c.py."""
    tests = (path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py"))
    strays = []
    for path in tests:
        words = path.stem.split("_")[1:]
        names = ("_".join(words[:number]) for number in range(len(words), 0, -1))
        if len(path.parts) > 1 and path.parts[0] not in ("agreement", "benchmarks", "docs"):
            strays += [] if any(path.with_name(f"{name}.py") in MODULES for name in names) else [str(path)]
    assert strays == []


def test_no_folder_is_crowded():
    """Twenty modules at most; the commands stand beside one another."""
    sizes = Counter(path.parent.as_posix() for path in MODULES)
    assert {folder: size for folder, size in sizes.items() if size > 20 and folder != "cli"} == {}


def test_modules_have_names_of_their_own():
    """Unless the name is that of a part that many subjects have, or of a subject that several floors deal with."""
    numbers = Counter(path.stem for path in MODULES)
    repeated = {name for name, number in numbers.items() if number > 1}
    assert repeated - ROLES == set(SUBJECTS)
    assert not BANNED & numbers.keys()


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
