"""The fingerprint of the program: any change of what counts depend on makes it another one."""

import re
from pathlib import Path

from jigsat.csp.work.run import code_version

CSP = Path(__file__).parents[3] / "csp"


def test_the_version_is_that_of_the_installed_sources():
    code_version.cache_clear()
    assert code_version(CSP) == code_version()
    assert re.fullmatch(r"\d[\w.]*\+[0-9a-f]{12}", code_version())
