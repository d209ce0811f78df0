"""Approximate counting: exact where there is little to count, within its bounds elsewhere, clear where it cannot."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import brute_force as brute
from jigsat import count, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.make.edge_matching import make_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.squares import approximate
from jigsat.models.squares.approximate import approximate_count
from jigsat.models.squares.cnf import build_cnf
from property_tests import examples
from strategies import puzzles


def missing():
    """Why nothing can be counted here: the extra `approximate` has no wheels for every platform; None if it can."""
    try:
        approximate_count(build_cnf(EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),))))
    except EngineError as error:
        if "pip install" in str(error):
            return str(error)
        raise
    return None


needs_approxmc = pytest.mark.skipif((MISSING := missing()) is not None, reason=str(MISSING))


@needs_approxmc
@examples(6)
@given(
    puzzles([(1, 2), (2, 2), (2, 3), (3, 3)]),
    st.sampled_from(("direct", "pairs", "diamond", "seams+sequential+pieces")),
)
def test_few_models_are_counted_exactly(puzzle, encoding):
    """Would catch a projection onto the wrong variables: auxiliary ones would count, too."""
    try:
        exact = len(brute.all_solutions(puzzle))
    except brute.TooMuch:
        assume(False)
    found = approximate_count(build_cnf(puzzle, encoding))
    if found.hash_count == 0:
        assert found.count == exact
    else:
        # Outside of these bounds in one case of a million.
        assert exact / 10 < found.count < exact * 10


@needs_approxmc
@pytest.mark.parametrize("symmetry", [True, False])
def test_many_models_are_estimated(symmetry):
    """Would catch a count of pictures that passes for one of arrangements, and a guarantee that is not passed on."""
    puzzle = make_edge_matching(4, 4, 2, 2, seed=0).puzzle
    exact = count(puzzle).count
    found = approximate_count(build_cnf(puzzle, symmetry=symmetry), epsilon=0.5, delta=0.1, seed=3)
    assert (found.epsilon, found.delta) == (0.5, 0.1)
    assert found.count == found.cell_count * 2**found.hash_count * found.factor
    assert (found.factor > 1, symmetry or found.hash_count > 0) == (symmetry, True)
    assert exact / 1.5 <= found.count <= exact * 1.5


@needs_approxmc
def test_clauses_of_ones_own_count():
    """Would catch an estimate that overlooks what was added to the formula."""
    model = build_cnf(EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0))))
    assert approximate_count(model).count == 2
    model.cnf.append([-model.on(0, 0)])
    assert approximate_count(model).count == 1
    model.cnf.append([model.on(0, 0)])
    assert approximate_count(model).count == 0


@needs_approxmc
def test_models_that_stand_for_different_numbers_are_refused():
    """Would catch a factor applied where orbits differ: here a spare piece is identical to one on the board."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0), (0, 5, 0, 0)))
    with pytest.raises(EngineError, match="build with symmetry=False"):
        approximate_count(build_cnf(puzzle, symmetry=True))
    assert approximate_count(build_cnf(puzzle)).count == 6


def test_what_is_out_of_range_or_missing(monkeypatch):
    """Would catch tracebacks from the depths of ApproxMC, or of Python where it is not installed."""
    model = build_cnf(read("clue1"))
    for options, message in (
        ({"epsilon": 0}, "epsilon 0"),
        ({"epsilon": float("nan")}, "epsilon nan"),
        ({"delta": 1}, "delta 1"),
        ({"seed": -1}, "seed -1"),
    ):
        with pytest.raises(EngineError, match=message):
            approximate_count(model, **options)
    monkeypatch.setattr(approximate, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r'pip install "jigsat\[approximate\]"'):
        approximate_count(model)
