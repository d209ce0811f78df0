"""The files to download are listed, and the commands on the page make them again."""

import re
import shlex
from pathlib import Path

import pytest

from jigsat.cli.main import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reference" / "data.md").read_text()
#: Files and the commands that make them, as the table has them.
FILES = dict(re.findall(r"^\| \[\S+\]\(\.\./data/(\S+)\) \|.*\| `(jigsat [^`]+)` \|$", PAGE, re.MULTILINE))


def test_all_files_are_listed():
    assert sorted(re.findall(r"\]\(\.\./data/(\S+)\)", PAGE)) == sorted(path.name for path in (DOCS / "data").iterdir())


@pytest.mark.parametrize("name", FILES)
def test_commands_make_the_files(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    links = re.findall(r"^grep -o '(\S+)\.\*' docs/(\S+) > (\S+)$", PAGE, re.MULTILINE)
    assert len(links) == 2
    for start, page, file in links:
        found = re.findall(f"{re.escape(start)}.*", (DOCS / page).read_text())
        Path(file).write_text("".join(f"{link}\n" for link in found))
    assert main(shlex.split(FILES[name])[1:]) == 0
    assert Path(name).read_bytes() == (DOCS / "data" / name).read_bytes()
