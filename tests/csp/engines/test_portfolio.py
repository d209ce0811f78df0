"""What a portfolio says of itself, whom it takes, and what it refuses."""

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.portfolio import Portfolio
from jigsat.csp.engines.portfolio_members import Member, portfolio_of
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from small_puzzles import JIGSAW, MADE, RECTANGLE

PUZZLE = MADE.puzzle


@pytest.mark.parametrize(
    ("name", "goal", "limits", "options", "message"),
    [
        ("portfolio:beam,cpsat", Goal.COUNT, {}, {}, "engine beam has no goal count"),
        ("portfolio:backtrack,sat", Goal.COUNT, {"nodes": 9}, {}, "it has no node limit"),
        ("portfolio:backtrack,sat", Goal.COUNT, {"depth": 9}, {}, "has no depth limit"),
        ("portfolio:backtrack,most-constrained", Goal.COUNT, {}, {"slips": "9"}, "slips '9': the engine portfolio:"),
        ("portfolio:backtrack,most-constrained", Goal.COUNT, {}, {"frame_slips": "9"}, "frame_slips '9': the engine "),
        ("portfolio:backtrack,sat", Goal.SOLVE, {}, {"width": 9}, "width '9': the engine portfolio:backtrack,sat"),
        ("portfolio:backtrack,sat", Goal.SOLVE, {}, {"proof": "p"}, "proof 'p': the engine portfolio:"),
    ],
)
def test_what_it_lacks_is_refused(name, goal, limits, options, message):
    with pytest.raises(EngineError, match=message):
        find_engine(name).run(PUZZLE, goal, Limits(**limits), Options(**options))


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (lambda: Member("backtrack", {"frame_slips": "9"}), "frame_slips: cannot be an option of a single member"),
        (lambda: Member("backtrack", {"slips": "9"}), "slips: cannot be an option of a single member of a portfolio"),
        (lambda: Member("backtrack", head_start=0), "head start 0 of backtrack: must be more than 0 seconds"),
    ],
)
def test_members_are_asked_the_same(member, message):
    with pytest.raises(EngineError, match=message):
        member()


def prepared(portfolio, goal, puzzle=PUZZLE, **options):
    """The members at work, before they begin."""
    return portfolio.prepared(puzzle, goal, NO_LIMITS, Options(**options), None)._members


def names(*arguments, **options):
    return [member.name for member in prepared(Portfolio(), *arguments, **options)]


def test_the_usual_members_depend_on_what_is_asked():
    assert names(Goal.SOLVE) == ["backtrack", "sat:cadical195"]
    assert names(Goal.COUNT) == ["backtrack", "most-constrained"]
    assert names(Goal.COUNT, JIGSAW) == ["most-constrained", "backtrack"]
    assert names(Goal.BEST) == ["backtrack", "beam"]
    assert names(Goal.COUNT, RECTANGLE, slips="9") == ["backtrack", "sat:cadical195"]
    assert names(Goal.COUNT, seed=1) == ["backtrack", "most-constrained", "cpsat"]


def test_members_have_options_of_their_own():
    members = [Member("backtrack", {"order": order, "predicted": (1.0,)}) for order in ("rowscan", "spiral_in")]
    portfolio = portfolio_of("edge-matching", members)
    first, second = prepared(portfolio, Goal.SOLVE, order="colscan")
    assert (first.entry.options.order, second.entry.options.order) == ("rowscan", "spiral_in")
    assert second.entry.options.predicted == (1.0,)
    result = portfolio.run(PUZZLE, Goal.COUNT)
    assert result.options["members"][1] == {"engine": "backtrack", "order": "spiral_in"}
    assert result.count == find_engine("backtrack").run(PUZZLE, Goal.COUNT).count
    with pytest.raises(EngineError, match="width: the engine backtrack has no such option"):
        portfolio_of("edge-matching", [Member("backtrack", {"width": 3})]).run(PUZZLE, Goal.COUNT)


def test_slips_count_along_one_order_for_all():
    """Each engine has an order of its own otherwise, so that the question would be another one."""
    portfolio = Portfolio("backtrack,dive,sat")
    assert len({member.entry.options.order for member in prepared(portfolio, Goal.BEST, slips="9,10")}) == 1
    assert len({member.entry.options.order for member in prepared(portfolio, Goal.BEST, frame_slips="9")}) == 1
    with pytest.raises(EngineError, match="order: with slips all members share one order, so backtrack cannot have"):
        prepared(Portfolio([Member("backtrack", {"order": "rowscan"}), Member("sat")]), Goal.BEST, slips="9")
