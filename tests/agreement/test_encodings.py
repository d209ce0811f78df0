"""Every encoding, of either kind, against brute force: its models are the solutions, neither more nor fewer."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.solvers import Solver

from brute_force import TooMuch, all_solutions, fillings_with_slips, number_of_orbits
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.make.edge_matching import make_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.slips import inner_joins
from jigsat.csp.search.backtrack import Backtrack
from jigsat.models.base.encodings import (
    AT_MOST_ONE,
    CNF_NAMES,
    CP_NAMES,
    REDUNDANT,
    Encoding,
    cnf_encoding,
    cp_encoding,
)
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cp import build_cp
from property_tests import examples
from strategies import SIZES, puzzles

SOLVERS = ("cadical195", "glucose4")

# Lists of at most six literals are written pairwise whatever is asked for; these boards have longer ones.
LARGER = [(3, 4), (4, 3), (4, 4), (3, 5)]


class Case(NamedTuple):
    """A puzzle, an order, a slip array, and what the brute force says."""

    puzzle: EdgeMatchingPuzzle
    order: tuple[int, ...]
    slips: tuple[int, ...]
    solutions: set
    orbits: int


def solved(puzzle, order, slips, most):
    """The case with its solutions; TooMuch if they are too many to look at in each of its models."""
    if slips:
        fillings = fillings_with_slips(puzzle, order, slips, most=5 * most)[-1]
        solutions = {tuple(sorted((at, placed[:2]) for at, placed in filling.items())) for filling in fillings}
    else:
        solutions = all_solutions(puzzle, most, 100_000)
    if len(solutions) > most:
        raise TooMuch
    if set(slips) <= {1}:
        orbits = number_of_orbits(puzzle, solutions)
    else:
        # Here turning the board makes other boards, which the brute force does not know.
        found = Backtrack().run(puzzle, Goal.COUNT, options=Options(order, slips=slips))
        assert found.count == len(solutions)
        orbits = found.canonical_count
    return Case(puzzle, order, slips, solutions, orbits)


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
        return solved(puzzle, order, slips, most=100)
    except TooMuch:
        reject()


def with_any_fixed(puzzle, draw):
    """Pieces that fit the border are fixed, whether or not they match one another."""
    fixed = []
    for square in draw(st.lists(st.integers(0, len(puzzle.board) - 1), unique=True, max_size=3)):
        outside = [bool(puzzle.board.border_mask(square) >> side & 1) for side in range(4)]
        fitting = [
            Fixed(square, piece, rotation)
            for piece, rotation in product(range(len(puzzle.pieces)), range(4))
            if [side == 0 for side in puzzle.shown(Placement(piece, rotation))] == outside
            and piece not in {one.piece for one in fixed}
        ]
        if fitting:
            fixed.append(draw(st.sampled_from(fitting)))
    return EdgeMatchingPuzzle(puzzle.rows, puzzle.columns, puzzle.pieces, puzzle.rule, tuple(fixed))


def allowed(name):
    """What an encoding of that name may have besides."""
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
    deciding = set(model.deciding.tolist())
    found = []
    with Solver(solver, bootstrap_with=model.cnf) as search:
        while search.solve():
            true = [literal for literal in search.get_model() if literal in deciding]
            found.append(true)
            if not true:
                break
            search.add_clause([-literal for literal in true])
    return model.rows(np.array(found, dtype=np.int64)) if found else None


class Collector(cp_model.CpSolverSolutionCallback):
    """Takes which placements are true in each solution of CP-SAT, and what else is asked for."""

    def __init__(self, model, *others):
        super().__init__()
        self._model, self._others = model, others
        self.there = []
        self.values = []

    def on_solution_callback(self):
        self.there.append(self._model.there(self))
        self.values.append([self.value(other) for other in self._others])


def collected(model, *others):
    """The collector of all solutions; CP-SAT says that there are no more."""
    assert model.model.validate() == ""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.linearization_level = 0
    collector = Collector(model, *others)
    status = solver.solve(model.model, collector)
    assert status == (cp_model.OPTIMAL if collector.there else cp_model.INFEASIBLE)
    return collector


def rows_by_cp(model):
    there = collected(model).there
    return model.domains.rows(np.array(there)) if there else None


def plain(board, columns):
    return tuple(sorted((divmod(square, columns), tuple(placed)) for square, placed in enumerate(board)))


def compare(case, domains, rows, *, symmetry):
    """The models are the solutions: the same set, each once, and with symmetries broken the same numbers."""
    tally = domains.tally()
    boards = []
    if rows is not None:
        tally.add(rows, tally.is_canonical(rows))
        boards = [plain(board, case.puzzle.columns) for board in tally.arrangements(rows)]
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


def check_random(case, cnfs, cps):
    for encoding, solver, symmetry in cnfs:
        check_cnf(case, encoding, solver, symmetry=symmetry)
    for encoding, symmetry in cps:
        check_cp(case, encoding, symmetry=symmetry)


@examples(40)
@given(cases(), CNFS, CPS)
def test_the_models_are_the_solutions(case, cnfs, cps):
    """A constraint left out, or one too many, would show as other solutions or another number of them."""
    check_random(case, cnfs, cps)


@examples(6)
@given(cases(LARGER), CNFS, CPS)
def test_the_models_are_the_solutions_on_larger_boards(case, cnfs, cps):
    """The same where "at most one" is said of enough literals to make a difference."""
    check_random(case, cnfs, cps)


@pytest.mark.slow
@examples(1500)
@given(cases(), CNFS, CPS)
def test_the_models_are_the_solutions_in_thousands_of_cases(case, cnfs, cps):
    check_random(case, cnfs, cps)


@pytest.mark.slow
@examples(500)
@given(cases(LARGER), CNFS, CPS)
def test_the_models_are_the_solutions_in_thousands_of_cases_on_larger_boards(case, cnfs, cps):
    check_random(case, cnfs, cps)


#: Few cases with a bit of everything, for the sweep over all encodings.
SWEPT = {
    # Four pieces that look alike: a single orbit.
    "identical": (EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4), ()),
    # Eight edge pieces and 16 placements on the inner squares: longer lists.
    "4x4": (make_edge_matching(4, 4, 3, 4, seed=1).puzzle, ()),
    # Without slips there are 2 solutions, with slips anywhere 192.
    "slips": (make_edge_matching(3, 4, 4, 3, seed=3).puzzle, (7, 9)),
    "two slips anywhere": (make_edge_matching(3, 4, 4, 3, seed=3).puzzle, (1, 1)),
    # Connectors, a fixed piece and two spare ones, one of which is the twin of another.
    "jigsaw": (
        EdgeMatchingPuzzle(
            2, 3, ((0, 1, 2, 0), (0, -1, -2, -1), (0, 0, -2, 1), (-2, 1, 0, 0), (2, 1, 0, -1), (2, 0, 0, -1),
                   (0, 1, 2, 0), (0, -1, 2, 1)),
            Rule.OPPOSITE, (Fixed(4, 4, 0),),
        ),
        (),
    ),
    # The colours do not come out even.
    "unsolvable": (EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0), (0, 1, 1, 0), (0, 1, 1, 0), (0, 1, 2, 0))), ()),
    # No piece fits any square.
    "empty": (EdgeMatchingPuzzle(1, 3, ((1, 1, 1, 1),) * 3), ()),
    "1x1": (EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0), (0, 0, 0, 0))), ()),
    "1x3": (EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 1, 0, 1), (0, 1, 0, 1), (0, 0, 0, 1))), ()),
}  # fmt: skip


@pytest.fixture(scope="module")
def swept():
    """The cases with their solutions, by name."""
    found = {}
    for name, (puzzle, slips) in SWEPT.items():
        squares = range(len(puzzle.board))
        fixed = [one.square for one in puzzle.fixed]
        order = (*fixed, *(square for square in reversed(squares) if square not in fixed))
        found[name] = solved(puzzle, order, slips, most=3_000)
    assert {name: (len(case.solutions), case.orbits) for name, case in found.items()} == KNOWN
    return found


#: How many solutions and orbits each of them has, so that none becomes trivial unnoticed.
KNOWN = {
    "identical": (24, 1),
    "4x4": (16, 1),
    "slips": (8, 8),
    "two slips anywhere": (14, 7),
    "jigsaw": (4, 1),
    "unsolvable": (0, 0),
    "empty": (0, 0),
    "1x1": (8, 1),
    "1x3": (8, 1),
}


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
        for index, case in enumerate(swept.values()):
            symmetry = (number + index) % 2 == 0
            check_cnf(case, encoding, SOLVERS[(number + index // 2) % 2], symmetry=symmetry)


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("name", CP_NAMES)
def test_every_cp_sat_encoding(name, symmetry, swept):
    """Each name with each redundant option, and with all of them together."""
    options = [(option,) for option in allowed(name)]
    for redundant in [(), *options, allowed(name)]:
        for case in swept.values():
            check_cp(case, "+".join([name, *redundant]), symmetry=symmetry)


@pytest.mark.parametrize("parse", [cnf_encoding, cp_encoding])
def test_names_of_encodings(parse):
    """An encoding's text is read as that encoding again, whatever the order of its options."""
    names, how = (CNF_NAMES, "ladder+") if parse is cnf_encoding else (CP_NAMES, "")
    assert str(parse(None)) == "pairs"
    for name in names:
        options = allowed(name)
        assert parse(name) == Encoding(name)
        encoding = parse(f"{name}+{how}{'+'.join(reversed(options))}")
        assert str(encoding) == f"{name}+{how}{'+'.join(options)}"
        assert encoding.redundant == set(options) - {"unpruned"}
        assert not encoding.prune
        assert encoding.at_most_one == (how[:-1] or None)
        assert parse(str(encoding)) == encoding == parse(encoding)


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (cnf_encoding, "table", "unknown CNF encoding 'table', choose from direct, seams, pairs, diamond"),
        (cnf_encoding, "", "unknown CNF encoding '', choose from direct, seams, pairs, diamond"),
        (cnf_encoding, "x" * 100, f"unknown CNF encoding '{'x' * 37}...', choose from direct, seams, pairs, diamond"),
        (cp_encoding, "direct", "unknown CP-SAT encoding 'direct', choose from booleans, pairs, table, element"),
        (
            cnf_encoding,
            "pairs+chess",
            f"encoding pairs: unknown option 'chess', choose from {', '.join([*AT_MOST_ONE, *REDUNDANT])}, unpruned",
        ),
        (
            cp_encoding,
            "pairs+ladder",
            f"encoding pairs: unknown option 'ladder', choose from {', '.join(REDUNDANT)}, unpruned",
        ),
        (cp_encoding, "table+pieces", "encoding table: unknown option 'pieces', choose from unpruned"),
        (cnf_encoding, "seams+ladder+bitwise", "encoding seams: ladder and bitwise exclude each other"),
        (
            cnf_encoding,
            "direct+absent-colors",
            "encoding direct: absent-colors needs seam colours; choose seams, pairs or diamond",
        ),
        (
            cnf_encoding,
            "direct+color-counts",
            "encoding direct: color-counts needs seam colours; choose seams, pairs or diamond",
        ),
        (
            cp_encoding,
            Encoding("diamond"),
            "unknown CP-SAT encoding 'diamond', choose from booleans, pairs, table, element",
        ),
    ],
)
def test_what_is_no_encoding(parse, text, message):
    """One line that says what there is to choose from."""
    with pytest.raises(EngineError) as caught:
        parse(text)
    assert str(caught.value) == message
