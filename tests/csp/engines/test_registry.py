"""An engine of another package is found, listed, refused and run."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from command_line import run
from engine_package import install
from jigsat.cli.main import build_parser
from jigsat.csp.engines import registry
from jigsat.csp.engines.registry import other_classes, others

PIECES = [[0, 5, 0, 0], [0, 5, 0, 0]]
PUZZLE = json.dumps(
    {"format": "jigsat/1", "kind": "edge-matching", "name": "two", "rows": 1, "columns": 2, "pieces": PIECES}
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with a package that offers engines."""
    return str(install(tmp_path_factory.mktemp("package")))


@pytest.fixture
def told(site, here, monkeypatch, capsys):
    """What a command prints, where the package is installed: its exit status and its output."""
    monkeypatch.syspath_prepend(site)
    (here / "two.json").write_text(PUZZLE)
    for remembered in (others, other_classes, build_parser):
        remembered.cache_clear()

    def told(*arguments):
        status, out, err = run(capsys, *arguments)
        return status, out + err

    yield told
    for remembered in (others, other_classes, build_parser):
        remembered.cache_clear()


def test_it_is_listed(told):
    status, text = told("list", "--engines", "--json")
    (found,) = [engine for engine in json.loads(text) if engine["name"] == "shuffle"]
    assert (status, found["goals"], found["options"]) == (0, ["solve"], ["seed", "symmetry", "tries"])
    assert "shuffle" in told("list", "--engines")[1]


def test_it_runs_with_its_own_option(told):
    status, text = told("solve", "two.json", "--engine", "shuffle", "--seed", "3", "--tries", "500", "--json")
    record = json.loads(text)
    assert (status, record["status"], record["engine"], record["options"]["tries"]) == (
        0,
        "satisfiable",
        "shuffle",
        500,
    )
    assert len(record["solutions"]) == 1
    status, text = told("solve", "two.json", "--engine", "shuffle", "--tries", "0")
    assert (status, "no solution found" in text) == (0, True)
    assert "--tries N" in told("solve", "--help")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["count", "two.json", "--engine", "shuffle"], "engine shuffle has no goal count"),
        (["solve", "two.json", "--engine", "shuffle", "--order", "rowscan"], "order 'rowscan': the engine shuffle"),
        (["solve", "two.json", "--engine", "beam", "--best", "--tries", "3"], "--tries: the engine beam has no such"),
        (["solve", "two.json", "--engine", "magic"], "choose from backtrack, cpsat, .*, shuffle, sleeper"),
        (["count", "tangram", "--engine", "shuffle"], "unknown engine for dissections 'shuffle'"),
    ],
)
def test_what_it_lacks_is_refused_and_so_is_its_option_elsewhere(arguments, message, told):
    status, text = told(*arguments)
    assert status == 2
    assert re.search(message, text), text


def test_a_broken_package_takes_nothing_else_with_it(told, monkeypatch):
    """A request for its engine is an error; all else works."""
    broken = EntryPoint("broken", "no_such_module:Engine", "jigsat.engines")
    known = others()
    monkeypatch.setattr(registry, "others", lambda: {**known, "broken": broken})
    assert told("solve", "two.json")[0] == 0
    status, text = told("solve", "two.json", "--engine", "broken")
    assert (status, text.count("\n")) == (2, 1)
    assert "engine broken: cannot be loaded from no_such_module:Engine" in text


def test_python_runs_it_in_a_process_of_its_own(site):
    program = (
        "import jigsat as js; puzzle = js.read('-'); result = js.solve(puzzle, engine='shuffle', seed=1, tries=500);"
        "print(result.status, [engine.name for engine in js.engines()][-7:])"
    )
    path = os.pathsep.join([site, os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run(
        [sys.executable, "-c", program], input=PUZZLE, env={**os.environ, "PYTHONPATH": path}, capture_output=True,
        text=True, timeout=120, check=True,
    )  # fmt: skip
    status, names = ran.stdout.split(" ", 1)
    listed = ["shuffle", "sleeper", "backtrack", "cpsat", "sat:cadical195", "ganak", "portfolio"]
    assert (status, names) == ("satisfiable", f"{listed}\n")


#: Ways into the program that load no module of the floor that has the table of engines.
WAYS = (
    "from jigsat.csp.engines.engine import find_engine",
    "import pickle; find_engine = pickle.loads(b'cjigsat.csp.engines.engine\\nfind_engine\\n.')",
    "import jigsat as js; js.read('clue1'); from jigsat.csp.engines.engine import find_engine",
)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_into_the_program_has_all_engines(way):
    """The table of engines stands above the registry, so something has to load it: whatever loads jigsat at all."""
    program = f"{way}\nprint(find_engine('sat').name, find_engine('sat', kind='dissection').kinds)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert ran.stdout == "sat:cadical195 frozenset({'dissection'})\n"
