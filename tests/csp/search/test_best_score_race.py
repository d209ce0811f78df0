"""Races for the best score that were stopped continue, and end as if they had not been."""

import json
import random

import pytest

from jigsat.csp.base.errors import UsageError
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.request import Earlier, Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.beam.engine import BeamSearch
from jigsat.csp.search.dive import Dive

ENGINES = {"beam": (BeamSearch(), {"width": 300}, 200_000), "dive": (Dive(), {}, 800_000)}
PUZZLE = deal_edge_matching(8, 8, 3, 7, seed=1).puzzle


@pytest.fixture(autouse=True)
def short_dives(monkeypatch):
    """Dives that are given up soon, so that there are many."""
    monkeypatch.setattr("jigsat.csp.search.dive._PATIENCE", 20_000)


def run(name, nodes, place=None, *, puzzle=PUZZLE, **options):
    """The end of a race with a node limit: its result, and its place as a file keeps it."""
    engine, usual, _ = ENGINES[name]
    earlier = None if place is None else Earlier(place=place)
    options = Options(seed=3, earlier=earlier, **{**usual, **options})
    race = engine.race(puzzle, Limits(nodes=nodes), options, Stop())
    assert earlier is None or json.loads(json.dumps(race.place())) == place
    result = race.result(tuple(race.steps(None)))
    return result, json.loads(json.dumps(race.place()))


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ENGINES)
def test_a_stopped_race_ends_with_the_same_board(name, threads):
    """Stopped where a number of nodes is reached, within a beam or dive, again and again."""
    nodes, chance, place = ENGINES[name][2], random.Random(1), None
    whole, _ = run(name, nodes, threads=threads)
    for limit in sorted(chance.sample(range(nodes), 3)):
        _, place = run(name, limit, place, threads=threads)
    assert all(runner.get("beams", runner.get("dives")) > 3 for runner in place["runners"])
    again, _ = run(name, nodes, place, threads=threads)
    assert again.goal is Goal.BEST
    assert (again.best_board, again.best_score) == (whole.best_board, whole.best_score)
    assert (again.nodes_by_depth, again.ended_by) == (whole.nodes_by_depth, whole.ended_by)


@pytest.mark.parametrize("name", ENGINES)
def test_damaged_states_are_refused(name):
    """One line that says what to do, whatever is wrong; a board that does not fit the puzzle is refused, too."""
    _, place = run(name, ENGINES[name][2])
    (state,) = place["runners"]
    assert state["best"] is not None
    first, second, *others = state["best"]
    wrong = [[], [{}, {}], *([{**state, key: "x"}] for key in state), *([{**state, key: [[]]}] for key in state)]
    wrong += [[{**state, "best": [second, first, *others]}], [{**state, "fullest": [[999, 0]] * 64}]]
    wrong += [[{**state, "nodes": [-1] * len(state["nodes"])}], [{**state, "nodes": [1]}]]
    for runners in wrong:
        with pytest.raises(UsageError, match="resume: the state of the earlier search is damaged; start over"):
            run(name, 1, {**place, "runners": runners})
