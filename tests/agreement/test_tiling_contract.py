"""What every engine for dissections promises, and every encoding: the tilings of plain recursion, each of them once.

An engine is tested by its name in `ENGINES`, an encoding by its own in `CNF_NAMES` or `CP_NAMES`.
"""

import signal
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force_lattice import lattice_tilings, orbits
from dissections import L_SHAPE, dissections, dissections_with_holes
from engine_checks import record_is_in_order, refuses_what_it_lacks
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.models.base.encodings import TILING_CNF_NAMES as CNF_NAMES
from jigsat.models.base.encodings import TILING_CP_NAMES as CP_NAMES
from jigsat.models.engines import ENGINES
from jigsat.models.tilings import cnf
from jigsat.models.tilings.cnf import build_tiling_cnf
from jigsat.models.tilings.cp import build_tiling_cp
from property_tests import examples
from soak_judges import judge_tilings
from soak_truth import KnownTilings
from tiling_models import counted, cp_rows, models, tilings

#: Engines that start a process for each run, which takes longer than the run.
COSTLY = {"ganak", "sat"}
#: Engines that find the tilings that they count.
NAMES = list(ENGINES["dissection"])
SHOWING = [name for name in NAMES if Goal.ALL in find_engine(name, kind="dissection").goals]
CNFS = [*CNF_NAMES, "wedges+sequential", "telling+bitwise", "colors+ladder", "colors+unpruned", "pairs+unpruned"]

UNIT, DOMINO, HALF = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
TWINS = tuple(((x, y), (1, 0), (1, 3)) for x in (0, 2) for y in (0, 3))
PUZZLES = {
    "l-shape": replace(read_puzzle("l-shape"), motions=Motions.LATTICE),
    "four triangles": replace(read_puzzle("four-triangles"), motions=Motions.LATTICE),
    # Targets that are not convex, and pieces of one kind, of which no single one must lie anywhere.
    "three squares": DissectionPuzzle(L_SHAPE, (UNIT,) * 3, Motions.LATTICE),
    "domino": DissectionPuzzle(L_SHAPE, (DOMINO, UNIT), Motions.LATTICE),
    "halves": DissectionPuzzle(L_SHAPE, (UNIT, UNIT, HALF, HALF), Motions.LATTICE),
    "two pairs": DissectionPuzzle(
        ((0, 0), (4, 0), (4, 2), (0, 2)),
        (*[((0, 0), (2, 0), (0, 1))] * 2, *[((0, 0), (1, 0), (1, 2), (0, 2))] * 2, ((0, 0), (2, 0), (2, 1), (0, 1))),
        Motions.LATTICE,
    ),
    # The areas are right, but beside the square there is no room for so long a piece.
    "none": DissectionPuzzle(((0, 0), (3, 0), (3, 2), (0, 2)), (SQUARE, ((0, 0), (4, 0), (0, 1))), Motions.LATTICE),
    # Two pieces and their mirror images, so that a reflection of the target exchanges pieces that do not flip.
    "twins": DissectionPuzzle(((0, 0), (2, 0), (2, 3), (0, 3)), TWINS, Motions.LATTICE, no_flip=(0, 1, 2, 3)),
    "one without a twin": DissectionPuzzle(((0, 0), (2, 0), (2, 3), (0, 3)), TWINS, Motions.LATTICE, no_flip=(0, 1, 2)),
    # Pieces that are not convex round a hole; in two, a hole that touches the rim.
    "frame": DissectionPuzzle(
        ((0, 0), (4, 0), (4, 4), (0, 4)), (L_SHAPE,) * 4, Motions.LATTICE, holes=(((1, 1), (3, 1), (3, 3), (1, 3)),)
    ),
    "touching hole": DissectionPuzzle(
        ((0, 0), (3, 0), (3, 2), (0, 2)),
        (L_SHAPE, DOMINO, HALF),
        Motions.LATTICE,
        no_flip=(0,),
        holes=(((1, 1), (2, 1), (1, 2)),),
    ),
    # As large as its only piece, which has no room in it.
    "too long": DissectionPuzzle(SQUARE, (((0, 0), (4, 0), (4, 1), (0, 1)),), Motions.LATTICE),
}

#: Convex pieces, or also others and holes.
ANY_DISSECTION = st.one_of(dissections(), dissections_with_holes())

#: Twelve congruent squares, each by itself: 12! tilings, which no one waits for.
ENDLESS = DissectionPuzzle(((0, 0), (4, 0), (4, 3), (0, 3)), (UNIT,) * 12, Motions.LATTICE)


pytestmark = pytest.mark.usefixtures("nothing_is_left")


@cache
def expected(name):
    """The tilings of a puzzle, and how many there are up to symmetries."""
    found = lattice_tilings(PUZZLES[name])
    return found, orbits(PUZZLES[name], found)


def run(name, puzzle, goal=Goal.ALL, limits=NO_LIMITS, **options):
    return find_engine(name, goal, kind="dissection").run(puzzle, goal, limits, Options(**options))


def judge_all(name, puzzle, every, number):
    """Whether results without limits are what plain recursion says, whatever the goal."""
    truth = KnownTilings(puzzle, every)
    assert truth.counts()[:2] == (len(every), number)
    for goal in sorted(find_engine(name, kind="dissection").goals):
        for symmetry in (True, False) if goal is Goal.ALL or name not in COSTLY else (True,):
            result = run(name, puzzle, goal, symmetry=symmetry)
            record_is_in_order(result, puzzle)
            judge_tilings(truth, result, symmetry=symmetry)


def matrix():
    """Every engine with every puzzle, or with few of them."""
    for name in NAMES:
        for puzzle in PUZZLES:
            by_hand = name in COSTLY and puzzle != "two pairs"
            yield pytest.param(name, puzzle, marks=[pytest.mark.slow] if by_hand else [])


@pytest.mark.some_cases(13)
@pytest.mark.parametrize(("name", "puzzle"), list(matrix()))
def test_answers_equal_plain_recursion(name, puzzle):
    """Each goal, with and without symmetry breaking."""
    judge_all(name, PUZZLES[puzzle], *expected(puzzle))


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in COSTLY)) for n in NAMES])
@examples(60, quick=14)
@given(ANY_DISSECTION)
def test_answers_on_random_dissections_equal_plain_recursion(name, puzzle):
    """Placements, overlaps, wedges, congruent pieces, anchors that a symmetry keeps: whatever is wrong shows here."""
    every = lattice_tilings(puzzle)
    judge_all(name, puzzle, every, orbits(puzzle, every))


@pytest.mark.parametrize("name", NAMES)
def test_limits_and_interrupts(name):
    """Before it begins, while it searches, and by Ctrl-C."""
    for seconds in (0.0, 0.3):
        result = run(name, ENDLESS, Goal.COUNT, Limits(seconds=seconds), symmetry=False)
        assert (result.complete, result.ended_by) == (False, "time")
    before, seen = signal.getsignal(signal.SIGINT), []

    def interrupt(progress):
        if not seen:
            signal.raise_signal(signal.SIGINT)
        seen.append(progress)

    engine = find_engine(name, Goal.COUNT, kind="dissection")
    result = engine.run(ENDLESS, Goal.COUNT, Limits(seconds=600), Options(symmetry=False), report=interrupt)
    assert (result.complete, result.ended_by) == (False, "interrupt")
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("name", SHOWING)
def test_so_many_tilings(name):
    some = run(name, ENDLESS, limits=Limits(solutions=7), symmetry=False)
    assert (len(set(some.solutions)), some.complete, some.ended_by) == (7, False, "solutions")
    # The wanted number may be complete with the last tilings that are found, all at once.
    for most in (1, 5, 6) if name not in COSTLY else ():
        few = run(name, PUZZLES["three squares"], limits=Limits(solutions=most), symmetry=False)
        assert (len(few.solutions), few.complete, few.ended_by) in [(most, False, "solutions"), (most, True, None)]


@pytest.mark.parametrize("name", SHOWING)
def test_tilings_are_yielded_one_by_one(name):
    """A closed search does not go on; an error of the caller ends it."""
    found = find_engine(name, kind="dissection").solutions(ENDLESS, options=Options(symmetry=False))
    assert len({next(found) for _ in range(5)}) == 5
    found.close()
    assert list(found) == []

    def refuse(tiling):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        find_engine(name, kind="dissection").run(ENDLESS, Goal.ALL, consume=refuse)


@pytest.mark.parametrize("name", NAMES)
def test_what_an_engine_lacks_is_refused(name):
    engine = find_engine(name, kind="dissection")
    refuses_what_it_lacks(engine, PUZZLES["l-shape"])
    with pytest.raises(EngineError, match="no goal best; it has "):
        find_engine(name, Goal.BEST, kind="dissection")
    with pytest.raises(EngineError, match="depth limit"):
        run(name, PUZZLES["l-shape"], min(engine.goals), limits=Limits(depth=3))


def judge_encoding(domains, rows, puzzle, *, symmetry):
    every = lattice_tilings(puzzle)
    assert counted(domains, rows) == (len(every), orbits(puzzle, every))
    found = tilings(domains, rows)
    assert len(set(found)) == len(found)
    assert set(found) == every or (symmetry and set(found) <= every)


@pytest.mark.some_cases(5)
@pytest.mark.parametrize("encoding", CNFS)
@examples(40, quick=8)
@given(ANY_DISSECTION, st.booleans(), st.booleans())
def test_every_cnf_encoding_has_the_tilings_as_models(encoding, puzzle, symmetry, bare):
    """A conflict left out or a placement pruned too many would show, also where nothing is said that follows.

    Bare: every wedge that excludes anything is used, and nothing is said that follows from the rest.
    """
    worth, needed = (0.0, 0.0) if bare else (cnf._WORTH, cnf._NEEDED)
    with patch.object(cnf, "_WORTH", worth), patch.object(cnf, "_NEEDED", needed):
        formula = build_tiling_cnf(puzzle, encoding, symmetry=symmetry)
    judge_encoding(formula.domains, models(formula), puzzle, symmetry=symmetry)


@pytest.mark.parametrize("encoding", sorted(CP_NAMES))
@examples(40, quick=12)
@given(ANY_DISSECTION, st.booleans())
def test_every_cp_sat_encoding_has_the_tilings_as_solutions(encoding, puzzle, symmetry):
    model = build_tiling_cp(puzzle, encoding, symmetry=symmetry)
    judge_encoding(model.domains, cp_rows(model), puzzle, symmetry=symmetry)
