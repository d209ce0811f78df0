"""The formula of each encoding on two small dissections: its models, its size, and what can be asked of it."""

from hashlib import sha256

import pytest
from pysat.solvers import Solver

from brute_force_lattice import lattice_tilings
from jigsat.csp.base.errors import EngineError, PuzzleError
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.models.base.encodings import TILING_CNF_NAMES as NAMES
from jigsat.models.base.encodings import Encoding, tiling_encoding
from jigsat.models.tilings.cnf import build_tiling_cnf
from tiling_models import counted, models, tilings

DOMINO, SQUARE = ((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 0), (1, 0), (1, 1), (0, 1))
#: Three congruent pieces and two others; then two congruent ones and three that differ.
DOMINOES = DissectionPuzzle(((0, 0), (4, 0), (4, 2), (0, 2)), (DOMINO, SQUARE, DOMINO, SQUARE, DOMINO), Motions.LATTICE)
MIXED = DissectionPuzzle(
    ((0, 0), (3, 0), (3, 2), (0, 2)),
    (*[((0, 0), (2, 0), (0, 1))] * 2, DOMINO, ((2, 0), (3, 0), (3, 1), (2, 2)), ((3, 1), (3, 2), (2, 2))),
    Motions.LATTICE,
)
PUZZLES = {"dominoes": (DOMINOES, 312, 10), "mixed": (MIXED, 288, 36)}
#: Variables and clauses of MIXED with all tilings, and with symmetries broken; the beginning of a digest of both.
SIZES = {
    "colors": (287, 1190, 227, 839, "bd541861b4f8"),
    "colors+product": (229, 1196, 206, 841, "1253e5720dda"),
    "colors+unpruned": (295, 1234, 267, 1079, "85e1b60e2d43"),
    "telling": (353, 1547, 260, 907, "166036dc1a97"),
    "telling+bitwise": (204, 2404, 201, 1162, "d9a94bdc7ffa"),
    "telling+unpruned": (361, 1600, 305, 1164, "e1d8ee5d7df0"),
    "wedges": (857, 4408, 652, 2588, "1f3e4136d31a"),
    "wedges+sequential": (1533, 4266, 922, 2475, "8fb25d6f22e6"),
    "pairs": (217, 2391, 197, 1089, "bce48884cf98"),
    "pairs+pairwise": (111, 3423, 157, 1400, "10b09f6f87ab"),
    "pairs+unpruned": (225, 2507, 237, 1471, "b976ef66411f"),
}


@pytest.fixture(scope="module")
def expected():
    return {name: lattice_tilings(puzzle) for name, (puzzle, _, _) in PUZZLES.items()}


@pytest.mark.some_cases(15)
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("encoding", SIZES)
@pytest.mark.parametrize("name", PUZZLES)
def test_the_models_are_the_tilings(name, encoding, symmetry, expected):
    puzzle, count, orbits = PUZZLES[name]
    formula = build_tiling_cnf(puzzle, encoding, symmetry=symmetry)
    rows = models(formula)
    assert len(expected[name]) == count
    assert counted(formula.domains, rows) == (count, orbits)
    assert set(tilings(formula.domains, rows)) <= set(expected[name])


@pytest.mark.parametrize("encoding", SIZES)
def test_formulas_stay_the_same(encoding):
    """What is left out of a formula, or repeated in it, may leave the models as they are; proofs need the same one."""
    found, digest = [], sha256()
    for symmetry in (False, True):
        formula = build_tiling_cnf(MIXED, encoding, symmetry=symmetry)
        found += [formula.clauses.top, len(formula.clauses)]
        digest.update(repr(list(formula.clauses)).encode())
    assert (*found, digest.hexdigest()[:12]) == SIZES[encoding]


def test_by_default_symmetries_are_kept_and_kinds_excluded_by_wedge():
    assert tiling_encoding(None) == Encoding("colors") == tiling_encoding("colors")
    formula = build_tiling_cnf(MIXED)
    assert (str(formula.encoding), formula.clauses.top, len(formula.clauses)) == ("colors", 287, 1190)
    assert str(Encoding("pairs", "product", prune=False)) == "pairs+product+unpruned"
    # Texts that follow the names in a list.
    assert [text.split()[0] for text in NAMES.values()] == ["of", "at", "exactly", "a"]


def test_an_unknown_name():
    with pytest.raises(EngineError) as caught:
        tiling_encoding("color")
    said, names = str(caught.value).split(", choose from ")
    assert said == "unknown CNF encoding of dissections 'color' (did you mean 'colors'?)"
    assert names == "colors, telling, wedges, pairs"


TRIANGLE = ((0, 0), (1, 0), (0, 1))
HALVES = DissectionPuzzle(SQUARE, (TRIANGLE, TRIANGLE), Motions.LATTICE)


@pytest.mark.parametrize(
    ("puzzle", "symmetry", "number"), [(HALVES, False, 4), (HALVES, True, 1), (DOMINOES, True, 10)]
)
@pytest.mark.parametrize("asked_before", [False, True])
def test_solutions_are_excluded_one_by_one(puzzle, symmetry, number, asked_before):
    """Whether or not the formula has been given to a solver already; with symmetries broken, with their images."""
    formula = build_tiling_cnf(puzzle, symmetry=symmetry)
    for _ in range(number):
        if asked_before:
            assert len(formula.cnf.clauses) == len(formula.clauses)
        with Solver("glucose4", bootstrap_with=list(formula.clauses)) as solver:
            assert solver.solve()
            tiling = formula.solution(solver.get_model())
        assert check_tiling(puzzle, tiling).is_solution
        true, before = formula.assignments(tiling), len(formula.clauses)
        formula.exclude(tiling)
        assert list(formula.clauses)[before:] == [[-variable for variable in one] for one in true]
    assert formula.cnf.clauses == list(formula.clauses)
    with Solver("glucose4", bootstrap_with=formula.cnf) as solver:
        assert not solver.solve()


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    ("tiling", "message"),
    [
        ((TRIANGLE,), "the tiling has 1 polygons, but the puzzle 2 pieces"),
        ((), "the tiling has 0 polygons, but the puzzle 2 pieces"),
        ((TRIANGLE, SQUARE), "piece 2 of the tiling has no such placement on the lattice"),
        ((((5, 0), (6, 0), (5, 1)), TRIANGLE), "piece 1 of the tiling has no such placement on the lattice"),
    ],
)
def test_what_is_not_on_the_lattice_is_not_excluded(tiling, message, symmetry):
    formula = build_tiling_cnf(HALVES, symmetry=symmetry)
    before = len(formula.clauses)
    with pytest.raises(PuzzleError, match=f"^{message}$"):
        formula.exclude(tiling)
    assert len(formula.clauses) == before


def test_polygons_may_begin_at_any_vertex():
    formula = build_tiling_cnf(HALVES)
    with Solver("glucose4", bootstrap_with=list(formula.clauses)) as solver:
        assert solver.solve()
        tiling = formula.solution(solver.get_model())
    turned = tuple((*polygon[1:], polygon[0]) for polygon in tiling)
    assert formula.assignments(turned) == formula.assignments(tiling)


def test_the_meaning_of_variables():
    formula = build_tiling_cnf(DOMINOES)
    lines = list(formula.meaning())
    same = "models that differ in other variables only are the same solution"
    assert lines[:3] == ["lattice 1/1", "symmetry kept", f"var NUMBER PLACEMENT; {same}"]
    names = formula.domains.names()
    assert lines[3:] == [f"var {number} {name}" for number, name in enumerate(names, start=1)]
    assert len(lines) == 3 + len(formula.deciding)
