"""The table of what the ways to a count have in common."""

import pytest

from jigsat.csp.engines.portfolio_members import Member
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import Motions
from jigsat.csp.search.counting.methods import METHODS
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan.second_count import OF_DISSECTIONS, OF_SQUARES, code_of
from jigsat.estimators.ways.way import Way
from jigsat.models.engines import ENGINES


def way(engine, *members, **options):
    return Way(engine, Plan(None, Options(**options)), members=members)


def test_every_way_to_a_count_is_in_the_table():
    """A new engine or method can neither verify nor be verified before it is known what it is made of."""
    counting = {name for name in ENGINES["edge-matching"] if Goal.COUNT in find_engine(name).goals}
    assert OF_SQUARES.keys() == counting - {"backtrack", "portfolio"} | METHODS.keys()
    tiling = {name for name in ENGINES["dissection"] if Goal.COUNT in find_engine(name, kind="dissection").goals}
    assert OF_DISSECTIONS.keys() == tiling - {"backtrack", "portfolio"} | set(Motions)


@pytest.mark.parametrize(
    ("one", "other", "method"),
    [
        (way("sat:glucose4"), way("ganak"), "formulas"),
        (way("cpsat"), way("balanced"), "CP-SAT"),
        (way("cpsat"), way("sat:cadical195"), "domains of models"),
        (way("backtrack"), way("balanced"), "search along an order"),
        (way("backtrack"), way("backtrack", order="colscan"), "search along an order"),
        (way("backtrack"), way("backtrack", method="frames"), None),
        (way("backtrack", method="macros"), way("backtrack", method="blocks"), None),
        (way("most-constrained"), way("backtrack", method="plain"), None),
        (way("backtrack"), way("ganak"), None),
        (way("portfolio:x", Member("most-constrained"), Member("sat:glucose4")), way("ganak"), "domains of models"),
        (way("portfolio:x", Member("backtrack", {"method": "blocks"})), way("backtrack"), None),
    ],
)
def test_a_witness_has_no_method_in_common(one, other, method):
    puzzle = read_puzzle("puzzle-a")
    common = code_of(puzzle, one).methods & code_of(puzzle, other).methods
    assert (method in common) if method else not common


def test_aids_are_named_and_programs_of_others_are_outside():
    puzzle = read_puzzle("puzzle-a")
    macros, blocks = (code_of(puzzle, way("backtrack", method=name)) for name in ("macros", "blocks"))
    assert macros.aids & blocks.aids == {
        "pieces in their rotations", "symmetries of the board", "the sum of parts", "which sides match",
    }  # fmt: skip
    alone, several = (code_of(puzzle, way("backtrack", threads=threads)) for threads in (1, 2))
    assert several.aids - alone.aids == {"the sum of parts"}
    assert [name for name, code in OF_SQUARES.items() if code.outside] == ["cpsat", "sat", "ganak"]


def test_what_is_not_known_is_no_witness():
    puzzle = read_puzzle("puzzle-a")
    assert code_of(puzzle, way("of another package")) is None
    assert code_of(puzzle, way("portfolio:backtrack,cpsat")) is None
    assert code_of(puzzle, way("portfolio:x", Member("backtrack"), Member("unknown"))) is None
    assert code_of(read_puzzle("tangram"), way("backtrack")) == OF_DISSECTIONS["lattice"]
    assert code_of(read_puzzle("four-triangles"), way("backtrack")) == OF_DISSECTIONS["any"]
