"""The lemmas of docs/papers/crystals.md, checked on boards of every size; the page has the proofs.

Run by hand:  python research/crystals.py [--up-to 51] [--cuts 6] [--seed 1]

The program builds the scrambles T_S from the formulas of the page, for every odd and even size from 3 on.  It checks

- lemma A for the crystal, for each single class of lines, and for random sets of classes;
- lemmas B and C: at each point and its images by quarter turns, all choices of their joins, walks against formulas;
- lemma D and the theorem, by a formula that has walks only: in its models all joins of a class have the same choice.

The exit status is 1 if a check fails.
"""

import argparse
import sys
import time
from itertools import pairwise

import numpy as np
from numba import njit
from pysat.solvers import Solver

from exactly_two_forms import Scramble, scramble_of
from exactly_two_walks import mates, next_side
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.closed_forms import crystal

#: The power of the quarter turn for a square by the parities of cuts on its left and above it.
POWERS = np.array([[0, 3], [1, 2]])


def cut_scramble(size, classes) -> Scramble:
    """T_S for a set of classes, which are numbers from 1 on."""
    cut = np.array([line in classes or size - line in classes for line in range(size)])
    parity = np.cumsum(cut) % 2
    y, x = np.indices((size, size))
    turns = POWERS[parity[x], parity[y]]
    last = size - 1
    return Scramble(np.choose(turns, [x, last - y, last - x, y]), np.choose(turns, [y, x, last - y, last - x]), turns)


def all_classes(size) -> range:
    return range(1, (size - 1) // 2 + 1)


def quarter_turned(size, darts, turns=1):
    """R to a power, of darts."""
    y, x, side = darts // 4 // size, darts // 4 % size, darts % 4
    for _ in range(turns % 4):
        x, y, side = size - 1 - y, x, (side + 1) % 4
    return 4 * (y * size + x) + side


def line_classes(size):
    """For each dart the class of the line across which it lies in assembly 1; 0 for a middle line, -1 on the border."""
    darts = np.arange(4 * size * size)
    y, x, side = darts // 4 // size, darts // 4 % size, darts % 4
    line = np.choose(side, [y, x + 1, y + 1, x])
    line = np.minimum(line, size - line)
    return np.where(line == 0, -1, np.where(2 * line == size, 0, line))


def check_cuts(size, classes, first):
    """Lemma A for a set of classes."""
    form = cut_scramble(size, classes)
    found, goes = mates(form)[1], (form.y * size + form.x).ravel()
    turns = form.turns.ravel()
    assert (goes[goes] == np.arange(size * size)).all(), "T_S is not its own inverse"
    assert ((turns + turns[goes]) % 4 == 0).all(), "T_S is not its own inverse"
    darts = np.arange(4 * size * size)
    sideways = quarter_turned(size, first), quarter_turned(size, first, 3)
    moved = np.where(darts % 2 == 1, *sideways)
    crosses = np.isin(line_classes(size), list(classes))
    assert (found == np.where(first < 0, -1, np.where(crosses, moved, first))).all(), "lemma A fails"


def connectors(first, second):
    """The number of the connector of each dart, -1 on the border."""
    lowest = np.arange(len(first))
    for _ in range(2):
        for mate in (first, second):
            lowest = np.where(first < 0, -1, np.minimum(lowest, lowest[mate]))
    assert (lowest[first] == lowest)[first >= 0].all()
    assert (lowest[second] == lowest)[first >= 0].all()
    return lowest


# The choice of a dart; bit i of `choices` is that of the connector known[i].
@njit(cache=True, nogil=True)
def choice(connector, known, choices, dart):
    number = 0
    while known[number] != connector[dart]:
        number += 1
    return choices >> number & 1


@njit(cache=True, nogil=True)
def closes(mate, connector, known, choices, start):
    at = start
    for _ in range(4):
        at = next_side(mate[choice(connector, known, choices, at), at])
    return at == start


# Lemma C at a point: of all choices of its connectors, walks close for those that fit the formulas, and no others.
# `darts[i]` are the four darts of the i-th image of the point, in the order of tau; the bits in `fixed` must be 0.
# Returns for how many choices all walks close, -1 if the lemma fails.
@njit(cache=True, nogil=True)
def choices_that_close(mate, connector, known, number, fixed, darts):
    count = 0
    for choices in range(1 << number):
        if choices & fixed:
            continue
        walks = formulas = True
        for image in range(4):
            for i in range(4):
                walks &= closes(mate, connector, known, choices, darts[image, i])
                here = choice(connector, known, choices, darts[image, i])
                one, other = darts[image, (i + 1) % 4], darts[image, (i + 3) % 4]
                far_one, far_other = darts[(image + 2) % 4, (i + 1) % 4], darts[(image + 2) % 4, (i + 3) % 4]
                if here == 0:
                    far_one, far_other = one, other
                formulas &= choice(connector, known, choices, one) == choice(connector, known, choices, far_other)
                formulas &= choice(connector, known, choices, other) == choice(connector, known, choices, far_one)
        if walks != formulas:
            return -1
        count += walks
    return count


def good_darts(size, first):
    before = np.arange(4 * size * size)
    before = np.where(before % 4 == 0, before + 3, before - 1)
    return np.flatnonzero((first >= 0) & (first[before] >= 0))


def check_points(size, mate, connector):
    """Lemma C at every point; returns the numbers of choices that close."""
    middle, counts = line_classes(size) == 0, set()
    for start in good_darts(size, mate[0]):
        around = [start]
        for _ in range(3):
            around.append(next_side(mate[0, around[-1]]))
        assert next_side(mate[0, around[-1]]) == start, "a walk in assembly 1"
        darts = np.array([quarter_turned(size, np.array(around), turns) for turns in range(4)])
        if start != darts.min():
            continue
        known, fixed = np.unique(connector[darts]), 0
        for number, one in enumerate(known):
            fixed |= int(middle[one]) << number
        count = choices_that_close(mate, connector, known, len(known), fixed, darts)
        assert count > 0, "lemma C fails"
        counts.add(count)
    return counts


def check_theorem(size, mate, connector):
    """No choices for which all walks close differ at two joins of a class.

    The formula has walks only.  A solver proves from it, step by step, what lemma D says of a class: if a join differs
    from its image by a half turn, so do the next ones across the same line; those at the diagonal do not; and two joins
    that follow one another across the line have the same choice.
    """
    names, variable = np.unique(connector, return_inverse=True)  # the first name, -1, is that of the border
    with Solver("glucose4") as solver:
        for name in names[1:][line_classes(size)[names[1:]] == 0]:
            solver.add_clause([-int(variable[name])])
        add_walks(solver, size, mate, variable)
        for number in all_classes(size):
            across = np.array([4 * (row * size + number) + 3 for row in range(size)])
            joins, images = variable[across].tolist(), variable[quarter_turned(size, across, 2)].tolist()
            differs = [len(names) + number * size + row for row in range(size)]
            for one, other, new in zip(joins, images, differs, strict=True):
                for a, b in ((one, other), (-one, -other)):
                    solver.append_formula([[-new, a, b], [new, a, -b]])
            for one, other in pairwise(differs):
                prove(solver, one, other)
                prove(solver, other, one)
            prove(solver, differs[number], -differs[number])
            for one, other in pairwise(joins):
                prove(solver, one, other)
                prove(solver, other, one)
            assert not any(solver.solve(assumptions=[joins[0], -image]) for image in images)
            assert not any(solver.solve(assumptions=[-joins[0], image]) for image in images)


def add_walks(solver, size, mate, variable):
    """A clause for each choice of four joins with which a walk does not close."""
    for start in good_darts(size, mate[0]):
        for choices in range(16):
            at, clause = start, set()
            for i in range(4):
                value = choices >> i & 1
                clause.add(int(variable[at]) * (1 - 2 * value))
                at = next_side(mate[value, at])
            if at != start and not any(-literal in clause for literal in clause):
                solver.add_clause(sorted(clause))


def prove(solver, one, other):
    """Add that one literal implies another, which must follow."""
    assert not solver.solve(assumptions=[one, -other]), "there are other assemblies, or walks do not exclude them"
    solver.add_clause([-one, other])


def check(size, cuts, chance) -> set[int]:
    every = all_classes(size)
    first, second = mate = mates(cut_scramble(size, every))
    if size >= 5 and size % 2:
        drawn = scramble_of(size, size, crystal(size))
        built = cut_scramble(size, every)
        assert all((one == other).all() for one, other in zip(drawn, built, strict=True)), "not the package's crystal"
    sets = [set(), set(every), *({number} for number in every)]
    sets += [{number for number in every if chance.below(2)} for _ in range(cuts)]
    for classes in sets:
        check_cuts(size, classes, first)
    connector = connectors(first, second)
    counts = check_points(size, mate, connector)
    check_theorem(size, mate, connector)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the lemmas on crystals.")
    parser.add_argument("--up-to", type=int, default=51, help="the largest size (default: 51)")
    parser.add_argument("--cuts", type=int, default=6, help="random sets of lines for each size")
    parser.add_argument("--seed", type=int, default=1, help="random seed of these sets")
    arguments = parser.parse_args()
    chance, start = Chance(arguments.seed), time.process_time()
    try:
        for size in range(3, arguments.up_to + 1):
            counts = check(size, arguments.cuts, chance)
            took = time.process_time() - start
            print(f"{size}x{size}: all lemmas hold; choices at points: {sorted(counts)}; {took:.1f} s", flush=True)
    except AssertionError as error:
        print(f"FAILED: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
