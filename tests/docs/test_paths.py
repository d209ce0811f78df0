"""The pages name files and folders that there are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATH = re.compile(r"[` ]((?:api|cli|csp|estimators|instances|models|render|research|tests)(?:/[\w-]+)+(?:\.\w+)?)[` ]")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_paths_exist(page):
    names = PATH.findall(page.read_text())
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_pages_name_paths():
    assert len({name for page in PAGES for name in PATH.findall(page.read_text())}) > 20
