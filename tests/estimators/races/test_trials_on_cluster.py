"""Races on a Dask cluster: the boards are those of a race on one thread."""

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.estimators.races.run_race import race

PUZZLE = deal_edge_matching(7, 7, 3, 8, seed=1).puzzle


@pytest.mark.slow
def test_a_cluster_finds_the_same_boards(tmp_path):
    pytest.importorskip("distributed")
    pytest.importorskip("cryptography")
    on_cluster = race(PUZZLE, tmp_path / "cluster", width=60, trials=40, cluster="local:2")
    here = race(PUZZLE, tmp_path / "here", width=60, trials=40)
    assert on_cluster.boards == here.boards
    assert on_cluster.kept() == here.kept()
    assert on_cluster.ended_by == "trials"


def test_a_wrong_address_is_refused(tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(EngineError, match="a number of processes is expected, as in local:4"):
        race(PUZZLE, tmp_path, width=60, cluster="local:none")
