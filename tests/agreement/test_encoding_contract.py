"""What every encoding promises, CNF or CP-SAT: its models are the solutions of a brute force, neither more nor fewer.

A new one is tested by its name in `CNF_NAMES` or `CP_NAMES`, a new option by its own in `REDUNDANT` or `AT_MOST_ONE`.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from all_models import all_models
from brute_force import TooMuch
from cp_solutions import cp_solutions
from jigsat.csp.puzzles.slips import inner_joins
from jigsat.models.base.encodings import AT_MOST_ONE, CNF_NAMES, CP_NAMES, REDUNDANT
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cp import build_cp
from property_tests import examples
from small_puzzles import SMALL_PUZZLES, boards_of, solved
from strategies import SIZES, puzzles, with_any_fixed

SOLVERS = ("cadical195", "glucose4")

# Lists of at most six literals are written pairwise whatever is asked for; these boards have longer ones.
LARGER = [(3, 4), (4, 3), (4, 4), (3, 5)]


@st.composite
def cases(draw, sizes=SIZES):
    puzzle = draw(puzzles(sizes))
    if draw(st.integers(0, 4)) == 0:
        puzzle = with_any_fixed(puzzle, draw)
    squares = len(puzzle.board)
    fixed = tuple(one.square for one in puzzle.fixed)
    order = fixed + tuple(square for square in draw(st.permutations(range(squares))) if square not in fixed)
    slips = ()
    if inner_joins(puzzle) and draw(st.booleans()):
        depths = st.lists(st.integers(1, squares), min_size=1, max_size=inner_joins(puzzle))
        slips = tuple(sorted(draw(depths)))
        if draw(st.integers(0, 3)) == 0:
            slips = (1,) * len(slips)
    try:
        return solved(puzzle, order, slips, most=100, scored=False)
    except TooMuch:
        reject()


def allowed(name):
    if name in ("table", "element"):
        return ("unpruned",)
    needs_colors = ("absent-colors", "color-counts") if name == "direct" else ()
    return tuple(option for option in (*REDUNDANT, "unpruned") if option not in needs_colors)


@st.composite
def encodings(draw, names, at_most_one=()):
    name = draw(st.sampled_from(sorted(names)))
    how = draw(st.sampled_from((None, *at_most_one)))
    options = draw(st.lists(st.sampled_from(allowed(name)), unique=True, max_size=4))
    return "+".join([name, *([how] if how else []), *options])


def rows_by_sat(model, solver):
    """All models, as rows of candidates; two that decide the same would come as two equal rows."""
    found = [sorted(true) for true in all_models(model.cnf, model.deciding, solver)]
    return model.rows(np.array(found, dtype=np.int64)) if found else None


def rows_by_cp(model):
    there = cp_solutions(model.model, model.there)
    return model.domains.rows(np.array(there)) if there else None


def compare(case, domains, rows, *, symmetry):
    """The models are the solutions: the same set, each once, and with symmetries broken the same numbers."""
    tally = domains.tally()
    boards = []
    if rows is not None:
        tally.add(rows, tally.is_canonical(rows))
        boards = boards_of(case, tally.arrangements(rows))
    assert len(set(boards)) == len(boards)
    assert set(boards) <= case.solutions
    assert symmetry or set(boards) == case.solutions
    assert (tally.count, tally.canonical_count) == (len(case.solutions), case.orbits)


def check_cnf(case, encoding, solver, *, symmetry):
    model = build_cnf(case.puzzle, encoding, order=case.order, slips=case.slips, symmetry=symmetry)
    compare(case, model.domains, rows_by_sat(model, solver), symmetry=symmetry)


def check_cp(case, encoding, *, symmetry):
    model = build_cp(case.puzzle, encoding, order=case.order, slips=case.slips, symmetry=symmetry)
    compare(case, model.domains, rows_by_cp(model), symmetry=symmetry)


CNFS = st.lists(
    st.tuples(encodings(CNF_NAMES, AT_MOST_ONE), st.sampled_from(SOLVERS), st.booleans()), min_size=3, max_size=3
)
CPS = st.lists(st.tuples(encodings(CP_NAMES), st.booleans()), min_size=3, max_size=3)


@examples(1500, quick=14)
@given(cases() | cases(LARGER), CNFS, CPS)
def test_the_models_are_the_solutions(case, cnfs, cps):
    """A constraint left out, or one too many, would show as other solutions or another number of them.

    On some boards "at most one" is said of enough literals to make a difference.
    """
    for encoding, solver, symmetry in cnfs:
        check_cnf(case, encoding, solver, symmetry=symmetry)
    for encoding, symmetry in cps:
        check_cp(case, encoding, symmetry=symmetry)


#: Few cases with a bit of everything, for the sweep over all encodings: slips, and how many solutions and orbits there
#: are, so that none becomes trivial unnoticed.
SWEPT = {
    "identical": ((), 24, 1),
    "4x4": ((), 16, 1),
    "rectangle": ((7, 9), 8, 8),
    "rectangle anywhere": ((1, 1), 14, 7),
    "jigsaw": ((), 4, 1),
    "unsolvable": ((), 0, 0),
    "no piece fits": ((), 0, 0),
    "1x1": ((), 8, 1),
    "1x3": ((), 8, 1),
}


@pytest.fixture(scope="module")
def swept():
    found = []
    for name, (slips, solutions, orbits) in SWEPT.items():
        puzzle = SMALL_PUZZLES[name.removesuffix(" anywhere")]
        fixed = [one.square for one in puzzle.fixed]
        order = (*fixed, *(square for square in reversed(range(len(puzzle.board))) if square not in fixed))
        found.append(solved(puzzle, order, slips, most=3_000, scored=False))
        assert (len(found[-1].solutions), found[-1].orbits) == (solutions, orbits)
    return found


@pytest.mark.some_cases(12)
@pytest.mark.parametrize(
    ("name", "how", "singly"),
    [
        *product(CNF_NAMES, AT_MOST_ONE, [False]),
        *product(CNF_NAMES, [None], [True]),
        *(pytest.param(*one, True, marks=pytest.mark.slow) for one in product(CNF_NAMES, AT_MOST_ONE)),
    ],
)
def test_every_cnf_encoding(name, how, singly, swept):
    """Each name with each way to say "at most one", without redundant options and with all of them together.

    With each single option, too: by default in the usual way to say "at most one", by hand in every way.
    """
    options = [(option,) for option in allowed(name)] if singly else []
    for number, redundant in enumerate([(), *options, allowed(name)]):
        encoding = "+".join([name, *([how] if how else []), *redundant])
        for index, case in enumerate(swept):
            symmetry = (number + index) % 2 == 0
            check_cnf(case, encoding, SOLVERS[(number + index // 2) % 2], symmetry=symmetry)


@pytest.mark.some_cases(3)
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("name", CP_NAMES)
def test_every_cp_sat_encoding(name, symmetry, swept):
    """Each name with each redundant option, and with all of them together."""
    options = [(option,) for option in allowed(name)]
    for redundant in [(), *options, allowed(name)]:
        for case in swept:
            check_cp(case, "+".join([name, *redundant]), symmetry=symmetry)
