"""The fingerprint of the program: any change of what counts depend on makes it another one."""

import re
import shutil
from pathlib import Path

import pytest

from jigsat.csp.work.code_version import code_version

CSP = Path(__file__).parents[3] / "csp"
KERNELS = sorted(
    path.relative_to(CSP).as_posix()
    for path in CSP.rglob("*.py")
    if re.search(r"^\s*@(lean_)?kernel\b|\bnjit\b", path.read_text(), re.MULTILINE)
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the sources."""
    return shutil.copytree(CSP, tmp_path_factory.mktemp("copy") / "csp")


def version_of(tree):
    code_version.cache_clear()
    return code_version(tree)


def test_the_kernels_are_found():
    """So that none of them goes untested because its decorator is written in another way."""
    assert len(KERNELS) >= 15
    assert {f"search/counting/{method}_kernel.py" for method in ("macros", "blocks")} < set(KERNELS)


@pytest.mark.some_cases(8)
@pytest.mark.parametrize("name", KERNELS)
def test_one_byte_of_a_kernel_makes_another_version(name, tree):
    path = tree / name
    text = path.read_bytes()
    path.write_bytes(text[:-1] + b"#")
    try:
        assert version_of(tree) != version_of(CSP)
    finally:
        path.write_bytes(text)
    assert version_of(tree) == version_of(CSP)


def test_names_and_places_of_modules_count(tree):
    """Neither a module that moves nor one that is added may go unnoticed; other files do not count."""
    module, other = tree / "puzzles" / "slips.py", tree / "base" / "slips.py"
    module.rename(other)
    moved = version_of(tree)
    other.rename(module)
    (tree / "more.py").touch()
    added = version_of(tree)
    (tree / "more.py").rename(tree / "more.txt")
    assert len({moved, added, version_of(tree)}) == 3
    assert version_of(tree) == version_of(CSP)


def test_the_version_is_that_of_the_installed_sources():
    assert version_of(CSP) == code_version()
    assert re.fullmatch(r"\d[\w.]*\+[0-9a-f]{12}", code_version())
