"""The examples in the docstrings are what a reader gets who types them."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("csp", "models", "render", "estimators", "cli")
WITH_EXAMPLES = [
    ".".join(("jigsat", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in (ROOT / "__init__.py", *sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")))
    if re.search(r"^\s*>>> ", path.read_text(), re.MULTILINE)
]
#: What examples need that is not installed everywhere.
NEEDED = {"jigsat.models.squares.approximate": "pyapproxmc"}


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_examples(name, tmp_path, monkeypatch):
    """What they write goes to a folder of its own."""
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    monkeypatch.chdir(tmp_path)
    module = import_module(name)
    assert "+SKIP" not in Path(str(module.__file__)).read_text()
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
