"""Which way counts a region."""

import pytest

import jigsat as js
from jigsat import read
from jigsat.csp.engines.request import NO_LIMITS, Options
from jigsat.csp.search.counting.region import find_region
from jigsat.estimators.ways.region_ways import RegionWays

PUZZLE = read("eternity2")


def names(spec, **asked):
    return [way.name for way in js.explain(PUZZLE, "count", squares=spec, **asked).ways]


def test_large_blocks_are_counted_by_halves():
    first, second, *_ = names("B2:D4")
    assert first == "backtrack, method halves"
    assert second.startswith("backtrack, order ")


@pytest.mark.parametrize("asked", [{"node_limit": 10}, {"depth_limit": 5}, {"order": "rowscan"}, {"method": "plain"}])
def test_some_options_need_the_plain_search(asked):
    assert all(name.startswith("backtrack, order ") for name in names("B2:D4", **asked))


def test_orders_that_fill_the_region_alike_are_one_way():
    assert names("A1")[0] == "backtrack, order rowscan"
    assert len([name for name in names("A1:A3") if "order" in name]) < 4


def test_the_order_begins_with_fixed_squares_and_the_region():
    region = find_region(PUZZLE.board, "C3:D4")
    name, order = RegionWays(PUZZLE, NO_LIMITS, Options(squares=region)).best_order()
    assert order[0] == PUZZLE.fixed[0].square
    assert {*order[1:5]} == {*region}
    assert sorted(order) == [*range(256)]
    assert name in ("rowscan", "colscan", "rowscan2")


def test_the_whole_board_is_no_region():
    result = js.count(read("puzzle-a"), squares="frame,inside")
    assert (result.count, result.canonical_count) == (160, 40)
    assert "squares" not in result.options


def test_the_record_says_what_was_counted():
    result = js.count(PUZZLE, squares=["B1", "A1:A2"], pieces_only=True)
    assert (result.options["squares"], result.options["pieces_only"]) == ("A1:A2,B1", True)
