"""`jigsat plan`, and --explain of the commands that search: the same table, and nothing is searched."""

import json

import pytest

from command_line import run

SEARCHES = ("jigsat.csp.engines.engine.SearchEngine.run", "jigsat.models.proofs.certify_exactly.certify_exactly")


@pytest.fixture
def nothing_is_searched(monkeypatch):
    def search(*_, **__):
        raise AssertionError("a search")

    for name in SEARCHES:
        monkeypatch.setattr(name, search)


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(
    ("command", "plan"),
    [
        ("solve clue1", "plan clue1"),
        ("solve clue1 --all", "plan clue1 --goal all"),
        ("solve clue1 --limit 5", "plan clue1 --goal all --limit 5"),
        ("solve clue1 --best", "plan clue1 --goal best"),
        ("solve clue1 --order rowscan --slips 30", "plan clue1 --order rowscan --slips 30"),
        ("count clue1", "plan clue1 --goal count"),
        ("count puzzle-a --method blocks", "plan puzzle-a --goal count --method blocks"),
        ("count tangram --motions any", "plan tangram --goal count --motions any"),
    ],
)
@pytest.mark.usefixtures("nothing_is_searched")
def test_the_same_table(capsys, monkeypatch, here, command, plan):
    # The first command of a process may load kernels, so that the second one would need less time.
    monkeypatch.setattr("jigsat.estimators.ways.square_ways.any_loaded", lambda: True)
    explained = run(capsys, *command.split(), "--explain")
    assert explained == run(capsys, *plan.split())
    assert (explained[0], explained[2]) == (0, "")
    assert explained[1].splitlines()[2].startswith("> ")
    status, out, _ = run(capsys, *command.split(), "--explain", "--json")
    assert (status, json.loads(out)["ways"][0]["chosen"]) == (0, True)
    assert list(here.iterdir()) == []
