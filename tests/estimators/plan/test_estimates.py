"""Estimates from Python: the same as from the shell, and exact where probes are as wide as the tree."""

import json
import re
from itertools import product

import pytest

from command_line import run
from jigsat import count, estimate, plan, read
from jigsat.csp.base.errors import UsageError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.estimators.plan.tiling_estimates import PROBES, probed_tilings

RATE = {"rate": 1e7}, ["--rate=1e7"]


CASES = {
    "probes": ("puzzle-a", {**RATE[0], "probes": 10_000, "seed": 3}, [*RATE[1], "--probes=1e4", "--seed=3"]),
    "orders": ("puzzle-a", {**RATE[0], "compare_orders": True}, [*RATE[1], "--compare-orders"]),
    "all tilings": ("tangram", {"actual": True, "symmetry": False}, ["--actual", "--no-symmetry"]),
}


def _without_times(text):
    return re.sub(r"[\d.]+ s\b", "", re.sub(r'"seconds": [\d.e-]+', "", text))


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(("puzzle", "options", "words"), CASES.values(), ids=CASES.keys())
def test_the_command_says_what_the_function_finds(capsys, puzzle, options, words):
    # The first kernel of a process takes time to load, which is part of predictions.
    count(read("clue3"), engine="backtrack", node_limit=1)
    found = estimate(read_puzzle(puzzle), **options)
    status, out, err = run(capsys, "estimate", puzzle, *words, "--json")
    assert (status, err, found.ended_by) == (0, "", None)
    assert _without_times(out) == _without_times(f"{json.dumps(found.record())}\n")
    _, out, _ = run(capsys, "estimate", puzzle, *words, "--by-depth")
    assert _without_times(out) == _without_times(f"{found.summary(by_depth=True)}\n")
    assert found.summary().splitlines()[0] in found._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("puzzle", ["puzzle-a", "tangram"])
def test_progress_is_told(puzzle):
    told = []
    options = {"order": "rowscan", **RATE[0]} if puzzle == "puzzle-a" else {}
    estimate(read_puzzle(puzzle), probes=64_000, actual=True, report=told.append, **options)
    assert all(0 <= progress.done <= 1 for progress in told)
    assert re.fullmatch(r"\d+ of 64 probes", told[0].note)
    assert puzzle == "tangram" or re.fullmatch(r"[\d.e+]+ nodes, count [\d ]+", told[-1].note)


def test_a_region_is_predicted_and_probed():
    """Probes as wide as the tree count it exactly."""
    puzzle = read("clue1")
    found = estimate(puzzle, squares="A1:B2", probes=10**6, actual=True, rate=1e6)
    exact = count(puzzle, squares="A1:B2").count
    record = found.record()
    assert record["squares"][: len(puzzle.fixed)] == [puzzle.board.name(fixed.square) for fixed in puzzle.fixed]
    assert {*record["squares"]} >= {"A1", "A2", "B1", "B2"}
    assert len(record["by_depth"]) == len(record["squares"]) == 4 + len(puzzle.fixed)
    assert record["actual"]["count"] == exact
    assert exact / 3 < float(record["solutions"]) < exact * 3
    assert "method halves" in [way["how"] for way in record["ways"]]
    text = found.summary(by_depth=True)
    assert f"ways to fill {len(record['squares'])} squares are expected" in text


@pytest.mark.parametrize("symmetry", [True, False])
def test_identical_pieces_of_a_region_are_placed_once(symmetry):
    """With one colour all joins are valid, so the expected numbers are exact."""
    pieces = ((0, 1, 1, 0),) * 4 + ((0, 1, 1, 1),) * 8 + ((1, 1, 1, 1),) * 4
    found = estimate(EdgeMatchingPuzzle(4, 4, pieces), squares="A1:B2", symmetry=symmetry, actual=True, rate=1e6)
    nodes = tuple(map(int, found.effort.searched.nodes_by_depth))
    assert nodes == found.effort.actual.nodes_by_depth[:4] == ((1, 1, 1, 1) if symmetry else (4, 32, 224, 3584))
    order = found.record()["order"]
    asked = {"squares": "A1:B2", "symmetry": symmetry, "method": "plain", "order": order}
    (way,) = plan(found.model.puzzle, "count", **asked).ways
    assert 10**way.nodes.median == pytest.approx(sum(nodes) + 1)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"seed": 1.5}, "seed: 1.5 is not a whole number"),
        ({"seed": -1}, "seed: -1: must be a finite number of at least 0"),
        ({"rate": -1}, "rate: -1: must be a finite number of at least 0"),
        ({"sample_solutions": float("inf")}, "sample_solutions: inf: must be a finite number of at least 0"),
        ({"probes": "5"}, "probes: '5' is not a whole number"),
        ({"rate": "a"}, "rate: 'a' is not a number"),
        ({"sample_solutions": "1"}, "sample_solutions: '1' is not a number"),
        ({"squares": 5}, "squares: 5 is no region"),
        ({"depth_limit": 2.5, "actual": True}, "depth_limit: 2.5 is not a whole number"),
    ],
)
def test_values_that_no_command_takes_are_refused(option, message):
    with pytest.raises(UsageError, match=message) as error:
        estimate(read("clue3"), **option)
    assert error.value.options == (next(iter(option)),)


@pytest.mark.filterwarnings("error")
def test_probes_of_very_large_trees_are_weighed():
    """The squares of their weights would be too large for a float."""
    squares = product(range(10), repeat=2)
    sides = tuple((int(row > 0), int(column < 9), int(row < 9), int(column > 0)) for row, column in squares)
    found = estimate(EdgeMatchingPuzzle(10, 10, sides), symmetry=False, probes=64 * 200, rate=1e7)
    assert found.record()["probes"]["trusted_depth"] > 90


def test_wide_probes_are_exact():
    """A probe that keeps all nodes counts them."""
    tangram = read_puzzle("tangram")
    actual = find_engine("backtrack", kind="dissection").run(tangram, Goal.COUNT)
    found = probed_tilings(tangram, PROBES * 500)
    assert found.probes.nodes.tolist() == list(actual.nodes_by_depth)
    assert (found.tilings, found.tilings_error, found.probes.total) == (actual.count, 0, actual.nodes)


@pytest.mark.slow
def test_the_stated_error_over_many_seeds():
    """An error that is stated too small or too large shows here."""
    puzzle, off = read_puzzle("ostomachion"), []
    actual = find_engine("backtrack", kind="dissection").run(puzzle, Goal.COUNT)
    for seed in range(40):
        found = probed_tilings(puzzle, PROBES * 64, seed)
        assert found.tilings_error > 0
        off.append(abs(found.tilings - actual.count) / found.tilings_error)
        off.append(abs(found.probes.total - actual.nodes) / found.probes.total_error)
    assert max(off) < 5
    assert 0.5 < sum(value < 1 for value in off) / len(off) < 0.85
    assert sum(value < 2 for value in off) / len(off) > 0.85


def test_orbits_of_different_sizes():
    """An anchor on the target's axis, and beside it: leaves stand for one tiling or for two."""
    target = ((0, 0), (6, 0), (6, 1), (0, 1))
    pieces = tuple(((0, 0), (w, 0), (w, 1), (0, 1)) for w in (2, 1, 1, 1, 1))
    puzzle = DissectionPuzzle(target, pieces, Motions.LATTICE)
    actual = find_engine("backtrack", kind="dissection").run(puzzle, Goal.COUNT)
    found = probed_tilings(puzzle)
    assert (found.tilings, found.tilings_error) == (actual.count, 0) == (5 * 24, 0)
    assert found.probes.total == actual.nodes
