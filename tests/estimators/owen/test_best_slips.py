"""The best slips: nodes are those of the exact model, no change of a depth is better, and every command has them."""

import json
from itertools import product
from math import exp

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jigsat as js
from jigsat import read
from jigsat.cli.main import main
from jigsat.csp.base.errors import SlipError
from jigsat.csp.puzzles.orders import NAMED_ORDERS, named_order
from jigsat.csp.puzzles.slips import fixed_pieces_agree, inner_joins
from jigsat.estimators.owen.best_order import OrderCosts
from jigsat.estimators.owen.best_slips import MOST_SLIPS, _Tree, best_slips, first_slips
from jigsat.estimators.owen.complexity import Complexity
from property_tests import examples
from strategies import puzzles


@examples(60)
@given(puzzles(), st.sampled_from([*NAMED_ORDERS]), st.data())
def test_nodes_are_those_of_the_exact_model(puzzle, order, data):
    """For any array, along any order."""
    if not fixed_pieces_agree(puzzle) or not inner_joins(puzzle):
        return
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), min_size=1, max_size=4)))
    slips = tuple(slips[: inner_joins(puzzle)])
    model = Complexity(puzzle)
    assume(not model.rim)
    exact = model.estimate(order, slips)
    fixed = sum(exact.nodes_by_depth[: len(puzzle.fixed)])
    found = _Tree(OrderCosts(model, slips), named_order(puzzle, order)).nodes(slips)
    if exact.solutions and len(puzzle.fixed) < len(puzzle.board):
        assert exp(found) == pytest.approx(float((exact.nodes - fixed) / exact.solutions), rel=1e-9)


@pytest.mark.parametrize(("name", "number"), [("puzzle-a", 2), ("perfect-6x6", 3), ("clue1", 4)])
def test_no_change_of_one_depth_is_better(name, number):
    puzzle = read(name)
    model, found = Complexity(puzzle), best_slips(puzzle, number)
    assert len(found.slips) == number
    assert found.estimate == model.estimate(found.order_name, found.slips) or found.estimate.order == found.order
    least = found.estimate.nodes_for_each
    for changed, depth in product(range(number), range(1, len(puzzle.board) + 1)):
        other = sorted((*found.slips[:changed], depth, *found.slips[changed + 1 :]))
        assert model.estimate(found.order, other).nodes_for_each >= least * (1 - 1e-8)
    for order in NAMED_ORDERS:
        assert model.estimate(order, found.slips).nodes_for_each >= least * (1 - 1e-8)


def test_ten_slips_on_eternity_ii():
    """The array that led to 470 needs 9.0e22 nodes for each board along `rowscan`, 3.1e22 along `rowscan2`."""
    found = best_slips(read("eternity2"), 10)
    assert found.order_name == "rowscan2"
    assert found.slips == (186, 202, 208, 213, 218, 222, 226, 230, 233, 237)
    assert 2.02e22 < found.estimate.nodes_for_each < 2.03e22
    along = best_slips(read("eternity2"), 10, named_order(read("eternity2"), "rowscan"))
    assert 2.8e22 < along.estimate.nodes_for_each < 2.9e22


@pytest.mark.parametrize("number", [0, MOST_SLIPS + 1])
def test_too_many_slips_are_refused(number):
    with pytest.raises(SlipError, match=f"best:{number} is not between best:1 and best:64"):
        first_slips(read("puzzle-a"), number)


SLIPS, ORDER = "28,31,33", "rowscan2:4"


def test_every_command_and_function_finds_them(tmp_path, monkeypatch, capsys):
    """With the order that belongs to them, and along a given one."""
    monkeypatch.chdir(tmp_path)
    puzzle = read("puzzle-a")
    assert js.estimate(puzzle, order="best", slips="best:3", rate=1e7).record()["slips"] == SLIPS
    along = js.estimate(puzzle, order="rowscan", slips="best:3", rate=1e7).record()
    assert (along["order"], along["slips"]) == ("rowscan", "27,30x2")
    for engine in ("backtrack", "cpsat"):
        assert js.solve(puzzle, engine=engine, slips="best:3").options["slips"] == SLIPS
    assert js.best(puzzle, engine="dive", slips="best:10", node_limit=1000).options["order"].startswith("rowscan")
    assert js.plan(puzzle, slips="best:3").options.slips == (28, 31, 33)
    assert js.explain(puzzle, slips="best:3").ways[0].name == f"backtrack, order {ORDER}"
    by_name = js.cnf(puzzle, slips=SLIPS, order=ORDER).cnf.clauses
    assert js.cnf(puzzle, slips="best:3").cnf.clauses == by_name
    assert main(["export", "puzzle-a", "-o", "a.cnf", "--slips", "best:3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["order"] == ORDER
    assert main(["solve", "puzzle-a", "--slips", "best:3", "-o", "a.json", "--quiet"]) == 0
    assert main(["check", "puzzle-a", "a.json", "--slips", "best:3"]) == 0
    assert js.view(puzzle, "a.json", slips="best:3").html == js.view(puzzle, "a.json", slips=SLIPS, order=ORDER).html
