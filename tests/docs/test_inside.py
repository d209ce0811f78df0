"""The pages for contributors name files and folders that there are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "inside").glob("*.md"))
PATH = re.compile(r"`((?:cli|csp|docs|estimators|instances|models|render|tests)(?:/[\w.-]+)+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_paths_exist(page):
    names = PATH.findall(page.read_text())
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_pages_name_paths():
    assert len({name for page in PAGES for name in PATH.findall(page.read_text())}) > 20
