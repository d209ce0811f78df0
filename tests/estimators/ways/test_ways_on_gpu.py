"""Ways on a GPU: `jigsat plan` shows them where there is one, and a search takes one only if it is asked for."""

import pytest

from jigsat.csp.engines.request import DEFAULTS, NO_LIMITS, Goal, Limits, Options
from jigsat.csp.files.instances import read_squares
from jigsat.csp.search import gpu
from jigsat.estimators.plan.job import Job
from jigsat.estimators.ways import ways
from jigsat.estimators.ways.times import GPU_RATES

PUZZLE = read_squares("puzzle-c")
ETERNITY = read_squares("eternity2")


@pytest.fixture(autouse=True)
def h200(monkeypatch):
    monkeypatch.setattr(ways, "_has_gpu", lambda: True)
    monkeypatch.setattr(gpu, "find_gpu", lambda device: gpu.Gpu(0, "NVIDIA H200", 132, simulated=False))


def on_gpu(puzzle, goal, limits=NO_LIMITS, options=DEFAULTS, engine=None):
    return ways.ways_on_gpu(puzzle, goal, limits, options, engine)


def test_a_count_is_offered_along_the_best_order():
    """The count of puzzle-c took 126 seconds on an H200."""
    (way,) = on_gpu(PUZZLE, Goal.COUNT)
    assert way.name == "backtrack, order rowscan, device cuda"
    assert way.plan.options.device == "cuda"
    rate = GPU_RATES["backtrack"] * 132
    assert way.nodes.at_median / rate == pytest.approx(way.search.at_median)
    assert way.search.interval[0] < 126 < way.search.interval[1]
    assert 5 < way.setup < 10


def test_a_beam_on_a_gpu_is_expected_to_come_higher():
    """Its score is that of about fifty threads."""
    (way,) = on_gpu(ETERNITY, Goal.BEST, Limits(seconds=15.0))
    there = next(
        way for way in ways.ways_to(ETERNITY, Goal.BEST, Limits(seconds=15.0), DEFAULTS) if way.engine == "beam"
    )
    assert (way.name, way.races) == ("beam, device cuda", True)
    assert there.score + 1 < way.score < 480


@pytest.mark.parametrize(
    ("goal", "limits", "options"),
    [
        (Goal.SOLVE, NO_LIMITS, DEFAULTS),
        (Goal.ALL, NO_LIMITS, DEFAULTS),
        (Goal.COUNT, Limits(nodes=9), DEFAULTS),
        (Goal.COUNT, Limits(depth=9), DEFAULTS),
        (Goal.COUNT, NO_LIMITS, Options(slips="9")),
        (Goal.COUNT, NO_LIMITS, Options(threads=2)),
        (Goal.COUNT, NO_LIMITS, Options(method="macros")),
        (Goal.COUNT, NO_LIMITS, Options(cluster="local:2")),
        (Goal.COUNT, NO_LIMITS, Options(device="cuda")),
        (Goal.COUNT, NO_LIMITS, Options(squares=(0, 1))),
        (Goal.BEST, NO_LIMITS, Options(threads=2)),
        (Goal.BEST, NO_LIMITS, Options(frame_slips="9")),
        (Goal.BEST, NO_LIMITS, Options(encoding="pairs")),
        (Goal.BEST, NO_LIMITS, Options(proof="x")),
        (Goal.BEST, Limits(depth=3), DEFAULTS),
        (Goal.COUNT, NO_LIMITS, Options(encoding="diamond")),
    ],
)
def test_nothing_is_offered_that_a_gpu_does_not_do(goal, limits, options):
    assert on_gpu(PUZZLE, goal, limits, options) == ()


def test_a_region_is_predicted_at_the_rate_of_the_gpu():
    squares = tuple(range(40))
    here, there = (
        ways.ways_to(PUZZLE, Goal.COUNT, NO_LIMITS, Options(squares=squares, order="rowscan", device=device))[0]
        for device in (None, "cuda")
    )
    assert there.name == "backtrack, order rowscan, device cuda"
    assert there.setup > 5
    assert 20 * there.search.at_median < here.search.at_median


def test_the_plan_shows_it_but_does_not_take_it():
    explained = Job(PUZZLE, Goal.COUNT).explained()
    assert [way.name for way in explained.ways][:2] == [
        "backtrack, method macros",
        "backtrack, order rowscan, device cuda",
    ]
    assert explained.summary(verbose=True).endswith("a GPU is used only if you ask for it: --device cuda")
    assert all("device" not in way.name for way in ways.ways_to(PUZZLE, Goal.COUNT, NO_LIMITS, DEFAULTS, every=True))
