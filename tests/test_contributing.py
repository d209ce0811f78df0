"""The engine that CONTRIBUTING.md shows is found, listed, run and tested."""

import json
import os
import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
FILES = dict(re.findall(r"^`(\w+\.\w+)`:\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture
def package(tmp_path):
    """The folder of the package with the metadata that pip makes from its `pyproject.toml`."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    info = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    points = "".join(f"{name} = {place}\n" for name, place in project["entry-points"]["jigsat.engines"].items())
    (info / "entry_points.txt").write_text(f"[jigsat.engines]\n{points}")
    return tmp_path


def test_the_engine_has_three_files():
    assert list(FILES) == ["shuffle_engine.py", "pyproject.toml", "test_shuffle_engine.py"]


@pytest.mark.parametrize("command", re.findall(r"^(jigsat list.*|jigsat solve.*|pytest test.*)$", PAGE, re.MULTILINE))
def test_the_engine_is_listed_run_and_tested(command, package):
    program, *arguments = command.split()
    module = "jigsat.cli.main" if program == "jigsat" else "pytest"
    # Without the options that pytest has in this repository.
    own = ["--json"] if program == "jigsat" else ["-c", os.devnull, "-q"]
    script = f"import sys; from {module} import main; sys.exit(main({[*arguments, *own]}))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=package, env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    if program == "pytest":
        assert "2 passed" in done.stdout
    elif arguments[0] == "solve":
        assert (json.loads(done.stdout)["engine"], json.loads(done.stdout)["nodes"]) == ("shuffle", 36_000)
    else:
        assert "shuffle" in [engine["name"] for engine in json.loads(done.stdout)]


VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_changelog_has_the_version():
    """Its latest release is the one in pyproject.toml, or all changes are unreleased."""
    headings = re.findall(r"^## \[(\S+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1:2] in ([], [VERSION])


def test_the_citation_has_the_version_and_a_date():
    """As the schema of CFF 1.2.0 writes them."""
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [VERSION]
    (released,) = re.findall(r"^date-released: (.+)$", citation, re.MULTILINE)
    assert date.fromisoformat(released).isoformat() == released
