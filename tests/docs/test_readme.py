"""The README is short, and all of it can be shown elsewhere: its links and pictures are absolute."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]


def test_readme_is_short():
    assert len(README.encode()) <= 8000


def test_readme_links_lead_to_files_of_the_repository():
    home = URLS["Homepage"]
    raw = home.replace("https://github.com", "https://raw.githubusercontent.com") + "/main/"
    links = re.findall(r'^\[\w+\]: (\S+)$|src="([^"]*)"', README, re.MULTILINE)
    assert len(links) > 9
    for link in (page or picture for page, picture in links):
        start = next(start for start in (f"{home}/blob/main/", raw) if link.startswith(start))
        assert (ROOT / link.removeprefix(start)).is_file(), link
    assert not re.findall(r"\]\((?!https://)", README)


def test_readme_references_are_defined():
    used = set(re.findall(r"\[[^\]]+\]\[(\w+)\]", README))
    assert used == set(re.findall(r"^\[(\w+)\]: ", README, re.MULTILINE))
