"""The two brute forces, one in Python and one in C, say the same; neither shares anything with the package."""

import ctypes
from dataclasses import replace

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import in_c
from brute_force import TooMuch, nodes_by_depth
from brute_force_lattice import lattice_tilings, orbits
from dissections import dissections, dissections_with_holes
from jigsat.csp.puzzles.slips import inner_joins
from property_tests import examples
from small_puzzles import SMALL_PUZZLES, solved
from strategies import puzzles, with_any_fixed

pytestmark = pytest.mark.skipif(not in_c.compiler(), reason="there is no C compiler")
SIZES = [(1, 1), (1, 2), (1, 5), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]


def in_python(board, columns):
    """A board of the oracle in C as an arrangement of that in Python."""
    return tuple(sorted((divmod(square, columns), placed) for square, placed in enumerate(board)))


def judge(case):
    """Solutions, orbits and the best score of a case, by the oracle in C."""
    puzzle = case.puzzle
    found = in_c.boards(puzzle, case.order, case.slips or (), case.frame_slips or (), turns=case.turns)
    assert len(found.solutions) == len(case.solutions)
    assert {in_python(board, puzzle.columns) for board in found.solutions} == case.solutions
    assert len(set(found.orbits)) == case.orbits
    least = in_c.least_invalid(puzzle, case.order, case.slips, case.frame_slips or ())
    assert case.best == (None if least is None else puzzle.max_score - least)


@pytest.mark.parametrize("name", SMALL_PUZZLES)
def test_both_agree_on_puzzles_of_every_sort(name):
    judge(solved(SMALL_PUZZLES[name]))


@examples(300, quick=30)
@given(st.data())
def test_both_agree_on_random_puzzles(data):
    """With slips along a random order, too."""
    puzzle = data.draw(puzzles(SIZES))
    if data.draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, data.draw)
    squares = len(puzzle.board)
    fixed = tuple(one.square for one in puzzle.fixed)
    order = (*fixed, *(one for one in data.draw(st.permutations(range(squares))) if one not in fixed))
    depths = st.lists(st.integers(1, squares), max_size=inner_joins(puzzle))
    slips = tuple(sorted(data.draw(depths))) or None
    frame_slips = tuple(sorted(data.draw(st.lists(st.integers(1, squares), max_size=2)))) or None
    try:
        judge(solved(puzzle, order, slips, frame_slips))
    except TooMuch:
        reject()
    if slips is None:
        assert list(in_c.boards(puzzle, order).nodes) == nodes_by_depth(puzzle, order)


@examples(300, quick=20)
@given(st.one_of(dissections(), dissections_with_holes()))
def test_both_agree_on_random_dissections(puzzle):
    assume(len(puzzle.parts) == 1)  # as the oracle in C needs it
    puzzle = replace(puzzle, no_flip=())  # it turns every piece over
    every = lattice_tilings(puzzle)
    assume(len(every) <= 2_000)
    found = in_c.tilings(puzzle)
    assert len(found.solutions) == len(every)
    assert set(found.solutions) == every
    assert len(set(found.orbits)) == orbits(puzzle, every)


def propagated(constraints, assumed):
    """How many variables have a value, by looking at every constraint again and again; -1 for a contradiction."""
    value, before = {one >> 1: one for one in assumed}, -1
    while before < len(value):
        before = len(value)
        for needed, literals in constraints:
            may = [one for one in literals if value.get(one >> 1, one) == one]
            if len(may) < needed:
                return -1
            value |= {one >> 1: one for one in may if len(may) == needed}
    return len(value)


@examples(300, quick=20)
@given(st.randoms(use_true_random=False), st.integers(2, 12))
def test_propagation_is_what_constraints_imply(random, variables):
    """Whatever was added, deleted and assumed before, contradictions as well."""
    library, constraints, assumed = in_c.library("propagation"), {}, []
    library.reset(variables)

    def some(most):
        literals = [2 * one + random.randrange(2) for one in random.sample(range(1, variables + 1), most)]
        return len(literals), (ctypes.c_int * len(literals))(*literals), literals

    for number in range(60):
        size, array, literals = some(random.randint(random.random() > 0.03, min(variables, 6)))
        needed = 1 if random.random() < 0.7 else random.randint(0, size)
        library.add(needed, size, array)
        constraints[number] = needed, literals
        if random.random() < 0.35:
            gone = random.choice([*constraints])
            library.delete(gone)
            del constraints[gone]
        kept = assumed[: random.randint(0, len(assumed))]
        named = {one >> 1 for one in kept}
        assumed = kept + [one for one in some(random.randint(0, min(variables, 4)))[2] if one >> 1 not in named]
        found = library.propagate(len(assumed), (ctypes.c_int * len(assumed))(*assumed), None)
        assert found == propagated(constraints.values(), assumed)


def test_too_much_is_said():
    """It never passes for a count."""
    puzzle = SMALL_PUZZLES["identical"]
    assert len(in_c.boards(puzzle, most=24).solutions) == 24
    with pytest.raises(in_c.TooMuch):
        in_c.boards(puzzle, most=23)
    with pytest.raises(in_c.TooMuch):
        in_c.boards(puzzle, steps=10)


def test_no_compiler(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(in_c.NoCompilerError, match="there is no C compiler 'no-such-compiler': install gcc or clang"):
        in_c.library.__wrapped__("boards")
