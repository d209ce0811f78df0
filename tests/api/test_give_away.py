"""Puzzles to give away have the same solutions under other numbers."""

from dataclasses import replace
from itertools import pairwise
from math import dist, hypot

from hypothesis import given
from hypothesis import strategies as st

from javascript import data_of
from jigsat import EdgeMatchingPuzzle, count, read, read_squares, solve
from jigsat.csp.make.hidden_solution import shuffled_dissection, shuffled_jigsaw, turned_polygons
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.render.html.play import play_page
from jigsat.render.html.play_dissection import play_dissection_page

JIGSAW = read_squares("perfect-5x5")


@given(st.integers(0, 10**6))
def test_boards_stay_solutions(seed):
    """Catches rotations the wrong way round, and connectors that no longer fit."""
    shuffled, boards = shuffled_jigsaw(JIGSAW, list(JIGSAW.assemblies), seed)
    assert all(check(shuffled, board).is_solution for board in boards)
    assert tuple(boards) == shuffled.assemblies
    assert boards[0] != JIGSAW.assemblies[0]


def test_colours_keep_their_names_and_pieces_their_backs():
    """Catches pieces turned over whose rotations are taken for others, and colours that are renamed like connectors."""
    sides, turns, flips = (
        ((1, 2, 3, 1), (3, 1, 2, 2), (1, 1, 3, 2), (2, 3, 1, 1)),
        (True, False) * 2,
        (True, True, False, True),
    )
    puzzle = EdgeMatchingPuzzle(2, 2, sides, rim="any", turn=turns, flip=flips)
    boards = solve(puzzle, all=True).solutions
    assert any(placed.rotation >= 4 for board in boards for placed in board)
    for seed in range(20):
        shuffled, moved = shuffled_jigsaw(puzzle, list(boards), seed)
        assert all(check(shuffled, board).is_solution for board in moved)
        assert sorted(map(sorted, shuffled.pieces)) == sorted(map(sorted, sides))


def test_numbers_tell_nothing():
    """Catches names and sources that say how to make the jigsaw again, and solutions that come or go."""
    shuffled, _ = shuffled_jigsaw(JIGSAW, [], 1)
    assert (shuffled.name, shuffled.source, dict(shuffled.known)) == ("5x5 jigsaw", "", {})
    assert shuffled == shuffled_jigsaw(JIGSAW, [], 1)[0] != shuffled_jigsaw(JIGSAW, [], 2)[0]
    small = read_squares("perfect-3x3")
    assert count(shuffled_jigsaw(small, [], 1)[0]).count == count(small).count


def test_dissections():
    tangram = read("tangram")
    shuffled, tiling = shuffled_dissection(tangram, tangram.pieces, 1)
    assert check_tiling(shuffled, tiling).is_solution
    assert sorted(shuffled.pieces) == sorted(tangram.pieces)
    assert shuffled.pieces != tangram.pieces
    assert (shuffled.name, shuffled.source, dict(shuffled.known)) == ("dissection of 7 pieces", "", {})


def dealt(page):
    """The pieces in the order in which they lie on the table of a page to play."""
    return [piece for piece, *_ in data_of(page)["deal"]]


def test_the_deal_is_not_the_renumbering():
    """Catches a table on which the number of the k-th piece is the square of piece k."""
    pentominoes, alike = read("pentominoes-8x8"), 0
    for seed in range(10):
        shuffled, boards = shuffled_jigsaw(JIGSAW, list(JIGSAW.assemblies), seed)
        squares = sorted(range(25), key=lambda square: boards[0][square].piece)
        deal = dealt(play_page(shuffled, boards, seed=seed, give_away=True))
        alike += sum(one == other for one, other in zip(squares, deal, strict=True))
        other, _ = shuffled_dissection(pentominoes, pentominoes.pieces, seed)
        old = [pentominoes.pieces.index(piece) for piece in other.pieces]
        deal = dealt(play_dissection_page(other, (), seed=seed))
        alike += sum(one == other for one, other in zip(old, deal, strict=True))
    # Two independent orders agree on about one place.
    assert alike < 50


def corners_of(polygon):
    """The lengths of the edges that meet in each corner, with the scalar product of their directions, anticlockwise."""
    steps = [(x - from_x, y - from_y) for (from_x, from_y), (x, y) in pairwise([polygon[-1], *polygon, polygon[0]])]
    turns = ((hypot(*one), hypot(*other), one[0] * other[0] + one[1] * other[1]) for one, other in pairwise(steps))
    return sorted(tuple(round(value, 6) for value in turn) for turn in turns)


def test_pieces_of_dissections_do_not_lie_as_in_a_tiling():
    """Catches turns that depend on the tiling, other shapes, and pieces that are turned over though they may not be."""
    parallelogram = 3
    laid = [tuple((float(x), float(y)) for x, y in piece) for piece in read("tangram").pieces]
    mirrored = corners_of([(-x, y) for x, y in reversed(laid[parallelogram])])
    assert mirrored != corners_of(laid[parallelogram])
    for no_flip in ((), (parallelogram,)):
        puzzle = replace(read("tangram"), no_flip=no_flip)
        found = [turned_polygons(puzzle, laid, seed) for seed in range(20)]
        for polygons in found:
            for number, (polygon, old) in enumerate(zip(polygons, laid, strict=True)):
                if number != parallelogram:
                    assert corners_of(polygon) == corners_of(old)
                (x, y), (to_x, to_y) = max(pairwise([*polygon, polygon[0]]), key=lambda edge: round(dist(*edge), 6))
                assert min(abs(to_x - x), abs(to_y - y)) < 1e-9
        sides = {tuple(corners_of(polygons[parallelogram])) for polygons in found}
        assert sides == {tuple(corners_of(laid[parallelogram])), *(() if no_flip else (tuple(mirrored),))}
        assert len({tuple(round(x, 6) for x, _ in polygons[0]) for polygons in found}) >= 4
