"""A beam becomes narrower if it would not end in time, and only then."""

from types import SimpleNamespace

import pytest

from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_squares
from jigsat.csp.search.beam import engine
from jigsat.csp.search.beam.engine import BeamPace, BeamSearch
from jigsat.csp.search.beam.routes import BeamTables
from jigsat.csp.search.beam.setting import Setting

WIDTH = 10_000


@pytest.fixture(scope="module")
def setting():
    puzzle = read_squares("meta10")
    return Setting(puzzle, BeamTables(puzzle), range(100))


def simulated(setting, limit, *, early, late):
    """The seconds of a beam, and its widths, if a board takes `early` seconds in the first half and `late` after."""
    stop = SimpleNamespace(used=0.0, seconds_left=limit)
    pace, widths = BeamPace(setting, WIDTH, stop), []
    for depth in range(100):
        planned = setting.width_at(setting.part(depth), WIDTH)
        most = pace.most(depth)
        widths.append(planned if most is None else most)
        assert widths[-1] <= planned
        stop.used += widths[-1] * (early if depth < 50 else late)
        stop.seconds_left = None if limit is None else max(limit - stop.used, 0.0)
    return stop.used, widths


@pytest.mark.parametrize("factor", [1.0, 1.3, 2.0, 2.5])
def test_a_slow_beam_ends_in_time(setting, factor):
    """The limit is the time that the planned beam would take if boards took as long as planned."""
    limit, planned = simulated(setting, None, early=1e-6, late=2e-6)
    seconds, widths = simulated(setting, limit, early=factor * 1e-6, late=factor * 2e-6)
    assert 0.9 * limit < seconds < limit
    assert widths[: 55 + 8] == planned[: 55 + 8]
    assert sum(widths) < sum(planned)


def test_a_search_asks_before_each_square_unless_it_still_needs_a_board(monkeypatch):
    puzzle, asked = read_squares("meta10"), []

    class Narrow:
        is_narrowed = True

        def __init__(self, setting, width, stop):
            asked.append([])

        def most(self, depth):
            asked[-1].append(depth)
            return 3

    monkeypatch.setattr(engine, "BeamPace", Narrow)
    found = BeamSearch().run(puzzle, Goal.BEST, Limits(nodes=40_000), Options(seed=1, width=300))
    first, second, *_ = asked
    assert (first, second[:3]) == ([], [0, 1, 2])
    assert all(depths == list(range(len(depths))) for depths in asked)
    assert 1000 < found.nodes <= 250 * 100 + 3 * 100 * (len(asked) - 1)
    assert found.best_score is not None
