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


def test_the_version_is_that_of_the_installed_sources():
    assert version_of(CSP) == code_version()
    assert re.fullmatch(r"\d[\w.]*\+[0-9a-f]{12}", code_version())
