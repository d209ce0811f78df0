"""Counts by method, by threads and with a ledger, through the engine: every way to a count gives the same one."""

import pytest

from jigsat import count, read
from jigsat.csp.base.errors import BookError, EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.search.counting import plain

ENGINE = find_engine("backtrack")


@pytest.fixture
def few_parts(monkeypatch):
    """The plain search is cut into hundreds of parts instead of ten thousands."""
    monkeypatch.setattr(plain, "_ENOUGH_PARTS", 300)


@pytest.mark.some_cases(2)
@pytest.mark.usefixtures("few_parts")
@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"puzzle": "clue3"}, "instance"),
        ({"order": "colscan"}, "give --order rowscan"),
        ({"symmetry": False}, "omit --no-symmetry"),
        ({"method": "blocks", "order": None}, "give --method"),
    ],
)
def test_a_ledger_of_another_count_is_refused(tmp_path, changed, what):
    ledger = str(tmp_path / "ledger")
    count(read("puzzle-a"), order="rowscan", ledger=ledger)
    given_options = {"puzzle": "puzzle-a", "order": "rowscan", "ledger": ledger} | changed
    with pytest.raises(BookError, match=what) as error:
        count(read(given_options.pop("puzzle")), time_limit=60, **given_options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("goal", "options", "message"),
    [
        (Goal.COUNT, {"threads": -1}, "threads -1: at least 1 is needed"),
        (Goal.SOLVE, {"method": "frames"}, "method 'frames': this option is for counts, not for the goal solve"),
        (Goal.ALL, {"ledger": "x"}, "ledger 'x': this option is for counts, not for the goal all"),
        (Goal.BEST, {"cluster": "local:1"}, "cluster 'local:1': this option is for counts"),
    ],
)
def test_what_cannot_be_asked_for(goal, options, message):
    """Besides what commands can ask for, which is in tests/cli/messages.md."""
    with pytest.raises(EngineError, match=message) as error:
        ENGINE.run(read("puzzle-a"), goal, options=Options(**options))
    assert "\n" not in str(error.value)
