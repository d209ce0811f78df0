"""The fingerprint of the program: any change of what counts depend on makes it another one."""

import re
import shutil
from pathlib import Path

import pytest

from jigsat.csp.work.run import code_version

CSP = Path(__file__).parents[3] / "csp"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the sources."""
    return shutil.copytree(CSP, tmp_path_factory.mktemp("copy") / "csp")


def version_of(tree):
    code_version.cache_clear()
    return code_version(tree)


def test_names_and_places_of_modules_count(tree):
    """Neither a module that moves nor one that is added may go unnoticed; other files do not count."""
    module, other = tree / "puzzles" / "slips.py", tree / "base" / "slips.py"
    module.rename(other)
    moved = version_of(tree)
    other.rename(module)
    (tree / "more.py").touch()
    added = version_of(tree)
    (tree / "more.py").rename(tree / "more.txt")
    text = module.read_bytes()
    module.write_bytes(text[:-1] + b"#")
    changed = version_of(tree)
    module.write_bytes(text)
    assert len({moved, added, changed, version_of(tree)}) == 4
    assert version_of(tree) == version_of(CSP)


def test_the_version_is_that_of_the_installed_sources():
    assert version_of(CSP) == code_version()
    assert re.fullmatch(r"\d[\w.]*\+[0-9a-f]{12}", code_version())
