"""The search on the skyline against plain recursion, against the exact cover, and published numbers of squares."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissections import box
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.engines.tallies import TilingTally
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.search.shared_tree import EXHAUSTED
from jigsat.csp.search.tilings import rectangles
from jigsat.csp.search.tilings.engine import Tiler
from jigsat.csp.search.tilings.lattice import LatticeWalk, exact_cover
from jigsat.csp.search.tilings.lattice_placements import find_placements
from jigsat.csp.search.tilings.on_lattice import walk_on_lattice
from jigsat.csp.search.tilings.rectangles import RectangleWalk
from property_tests import examples


@st.composite
def cut_rectangles(draw, most):
    """A rectangle that is cut into rectangles, again and again."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    pieces = [(width, height)]
    for _ in range(draw(st.integers(0, most - 1))):
        w, h = pieces.pop(draw(st.integers(0, len(pieces) - 1)))
        if draw(st.booleans()):
            w, h = h, w
        at = draw(st.integers(1, w - 1)) if w > 1 else 0
        pieces += [(at, h), (w - at, h)] if at else [(w, h)]
    # Every corner on the lattice of unit squares.
    unit = [(w, h) for w, h in pieces]
    return DissectionPuzzle(box(0, 0, width, height), tuple(box(0, 0, *one) for one in unit), Motions.LATTICE)


def tally_of(walk, puzzle):
    walk.make_room(100_000)
    walk.advance(10**9)
    tally = TilingTally(puzzle, walk.kinds, walk.anchor, walk.images, walk.looks)
    tally.add(walk.solutions())
    return tally.count, tally.canonical_count


@examples(60)
@given(cut_rectangles(8), st.booleans())
def test_rectangles_as_an_exact_cover(puzzle, symmetry):
    walk = walk_on_lattice(puzzle, symmetry=symmetry)
    other = LatticeWalk(exact_cover(find_placements(puzzle, by_class=symmetry), break_symmetry=symmetry))
    assert isinstance(walk, RectangleWalk)
    assert tally_of(walk, puzzle) == tally_of(other, puzzle)


@pytest.fixture
def always_remembers(monkeypatch):
    """Small puzzles are remembered, too, and most skylines have to share a place."""
    monkeypatch.setattr(rectangles, "_FEWEST_PIECES", 1)
    monkeypatch.setattr(rectangles, "_REMEMBERED_SKYLINES", 8)


@given(puzzle=cut_rectangles(9), nodes=st.integers(1, 20))
@examples(40)
def test_memory_and_parts_lose_nothing(always_remembers, puzzle, nodes):
    """Walks that share a memory, stop often and give away what they can, against an exact cover."""
    first = walk_on_lattice(puzzle, symmetry=True)
    waiting, found = [first], []
    while waiting:
        walk = waiting.pop()
        walk.make_room(5)
        code = walk.advance(nodes)
        found += walk.solutions().tolist()
        if code == EXHAUSTED:
            continue
        if nodes % 2:
            # As a search that is kept in a file and goes on later.
            places = json.loads(json.dumps(walk.rest()))
        else:
            waiting.append(walk)
            place = walk.split()
            places = [] if place is None else [place]
        for place in places:
            waiting.append(first.twin())
            waiting[-1].begin_at(place)
    other = LatticeWalk(exact_cover(find_placements(puzzle), break_symmetry=True))
    tally = TilingTally(puzzle, first.kinds, first.anchor, first.images, first.looks)
    tally.add(np.array(found, dtype=np.int64).reshape(-1, len(puzzle.pieces)))
    assert (tally.count, tally.canonical_count) == tally_of(other, puzzle)


def partridge(size):
    side = size * (size + 1) // 2
    pieces = tuple(box(0, 0, k, k) for k in range(1, size + 1) for _ in range(k))
    return DissectionPuzzle(box(0, 0, side, side), pieces, Motions.LATTICE)


@pytest.mark.parametrize("size", [3, 6])
def test_small_partridge_squares_cannot_be_tiled(size):
    found = Tiler().run(partridge(size), Goal.COUNT, options=Options(threads=2))
    assert (found.complete, found.count) == (True, 0)


@pytest.mark.slow
def test_the_partridge_square():
    """The published number: 2332 up to symmetry; none of them has a symmetry."""
    found = Tiler().run(read_puzzle("partridge-8"), Goal.COUNT, options=Options(threads=2))
    assert (found.complete, found.canonical_count, found.picture_count) == (True, 2332, 18656)
