"""Random boards and dissections, counted by Ganak and counted twice: the numbers are those of a brute force.

Three hundred of them: `pytest --hypothesis-profile thorough tests/agreement/test_second_witness.py`.
"""

from hypothesis import given, reject
from hypothesis import strategies as st

import jigsat as js
from brute_force import TooMuch
from brute_force_lattice import lattice_tilings, orbits
from dissections import dissections
from property_tests import examples
from small_puzzles import solved
from solver_in_process import solvers_here
from strategies import puzzles, with_any_fixed

ENCODINGS = ("pairs", "seams", "direct", "diamond", "pairs+pieces+color-counts", "seams+sequential+unpruned")
OF_TILINGS = ("colors", "telling", "wedges+sequential", "pairs+unpruned")


def agree(puzzle, numbers, **asked):
    """The counts of Ganak, and of two ways."""
    with solvers_here():
        alone = js.count(puzzle, engine="ganak", **asked)
        first = js.count(puzzle, verify=True)
    second = first.verified
    assert (alone.count, alone.canonical_count, alone.complete) == (*numbers, True)
    assert (first.count, first.canonical_count) == numbers
    assert (second["same"], second["count"], second["canonical_count"]) == (True, *numbers)


@examples(150, quick=10)
@given(puzzles(), st.booleans(), st.booleans(), st.sampled_from(ENCODINGS), st.data())
def test_boards(puzzle, fix, symmetry, encoding, data):
    """With fixed, spare, identical and symmetric pieces, of both rules, solvable or not."""
    puzzle = with_any_fixed(puzzle, data.draw) if fix else puzzle
    try:
        case = solved(puzzle, scored=False)
    except TooMuch:
        reject()
    agree(puzzle, (len(case.solutions), case.orbits), symmetry=symmetry, encoding=encoding)


@examples(150, quick=10)
@given(dissections(), st.booleans(), st.sampled_from(OF_TILINGS))
def test_dissections(puzzle, symmetry, encoding):
    """Targets with and without symmetries, congruent pieces, anchors that a symmetry leaves where they are."""
    every = lattice_tilings(puzzle)
    agree(puzzle, (len(every), orbits(puzzle, every)), symmetry=symmetry, encoding=encoding)
