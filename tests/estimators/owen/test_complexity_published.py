"""The estimates that are published or were computed elsewhere, to the last digit given, and how they are rounded."""

import json
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.words import significant
from jigsat.estimators.owen.complexity import Complexity

PUBLISHED = json.loads(Path(__file__).with_name("published_estimates.json").read_text())


def puzzle_of(row):
    puzzle = read(row["puzzle"])
    return puzzle if row["fixed"] else replace(puzzle, fixed=())


def order_of(row, puzzle):
    if row["order"] != "best_known":
        return row["order"]
    return [puzzle.board.parse(name) for name in PUBLISHED["best_known"].split()]


@pytest.mark.parametrize("row", PUBLISHED["rows"], ids=lambda row: f"{row['puzzle']} {row['order']} {row['slips']}")
def test_estimates(row):
    puzzle = puzzle_of(row)
    estimate = Complexity(puzzle).estimate(order_of(row, puzzle), row["slips"] or None)
    assert Decimal(significant(estimate.solutions, 20)) == Decimal(row["solutions"])
    assert Decimal(significant(estimate.nodes, 20)) == Decimal(row["nodes"])
    by_depth = [Decimal(significant(nodes, 12)) for nodes in estimate.nodes_by_depth]
    assert by_depth == [Decimal(text) for text in row["nodes_by_depth"].split()]


@pytest.mark.parametrize(
    ("name", "solutions"), [("puzzle-a", "146"), ("clue1", "262881014825"), ("eternity2", "14702")]
)
def test_solutions_as_the_literature_rounds_them(name, solutions):
    assert str(round(Complexity(read(name)).estimate("rowscan").solutions)) == solutions


def test_the_simple_estimate_of_eternity_ii():
    model = Complexity(read("eternity2"))
    assert significant(model.simple_solutions(), 1) == "2e-2"
    assert significant(model._plain_configurations(model.estimate("rowscan").order)[-1], 3) == "1.12e+557"


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40), st.integers(1, 25))
def test_it_is_what_decimal_makes_of_it(value, digits):
    with localcontext(prec=digits, rounding=ROUND_HALF_EVEN):
        expected = Decimal(value.numerator) / Decimal(value.denominator)
    assert Decimal(significant(value, digits)) == expected
