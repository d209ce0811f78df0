"""Jigsaws for two pictures: candidates are as wished, costs are right, and the best one is laid out the best way."""

from dataclasses import replace
from itertools import islice, permutations, product

import numpy as np
import pytest

from jigsat import count
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.tones import best_fits, tones
from jigsat.csp.make.two_pictures import (
    assigned,
    choose,
    count_solutions,
    given,
    jigsaws_made,
    mirrored,
    with_mirrored,
)
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.edge_matching import Fixed
from jigsat.csp.puzzles.jigsaw_algebra import quality
from jigsat.render.photo.pixels import artwork_of, shown, transfer


def noise(rows, columns, seed, colors=3):
    """A picture of random tones."""
    return np.random.default_rng(seed).integers(0, 256, (4 * rows, 4 * columns, colors), np.uint8)


def costs(rows, columns):
    return tones(noise(rows, columns, 1), noise(rows, columns, 2), Board(rows, columns))


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-5x7", "three-solutions-6x6"])
def test_a_mirrored_jigsaw_is_one_with_as_many_solutions(name):
    """Its assemblies fit, and twice mirrored it is what it was."""
    puzzle = read_squares(name)
    other = mirrored(puzzle)
    assert quality(other).uses == quality(puzzle).uses
    assert count(other).canonical_count == count(puzzle).canonical_count == len(puzzle.assemblies)
    assert other.pieces != puzzle.pieces
    back = mirrored(other)
    assert (back.pieces, back.assemblies) == (puzzle.pieces, puzzle.assemblies)


def test_the_best_candidate_is_chosen():
    found = costs(5, 5)
    candidates = list(with_mirrored(jigsaws_made(5, 5, 4)))
    assert [candidate.origin for candidate in candidates[:3]] == ["seed 0", "seed 0, in a mirror", "seed 1"]
    fits = [best_fits(candidate.puzzle, found)[0].cost for candidate in candidates]
    told = []
    choice = choose(candidates, found, report=told.append)
    assert (choice.fit.cost, choice.number) == (min(fits), 8)
    assert choice.origin == candidates[fits.index(min(fits))].origin
    assert [each.fit.cost for each in told] == [min(fits[:n]) for n in range(1, 9)]


def test_what_asks_to_stop_leaves_the_best_so_far():
    """Asked after each candidate; would catch a choice that is lost, or goes on."""
    found = costs(5, 5)
    answers = iter([False, True])
    choice = choose(with_mirrored(jigsaws_made(5, 5, 10**9)), found, must_stop=lambda: next(answers))
    assert choice.number == 2
    assert choose(jigsaws_made(5, 5, 10**9), found, must_stop=lambda: True).number == 1
    assert choose([], found) is None
    assert list(islice(jigsaws_made(5, 5, 10**9, must_stop=lambda: True), 1)) == []


def test_solutions_are_counted_or_said_not_to_be(monkeypatch):
    """Exactly those of a perfect jigsaw; at least those known where a search is not brought to its end."""
    puzzle = read_squares("three-solutions-6x6")
    found = count_solutions(puzzle)
    assert (found.number, found.exact, found.ended_by) == (3, True, None)
    searches = "jigsat.csp.make.two_pictures._SEARCHES"
    monkeypatch.setattr(searches, (("most-constrained", 10), ("backtrack", 10**7)))
    found = count_solutions(puzzle)
    assert (found.number, found.exact, found.ended_by) == (3, True, None)
    monkeypatch.setattr(searches, (("most-constrained", 10), ("backtrack", 10)))
    found = count_solutions(puzzle)
    assert (found.number, found.exact, found.ended_by) == (3, False, "nodes")
    monkeypatch.setattr(searches, (("most-constrained", 10**6),))
    found = count_solutions(replace(puzzle, assemblies=puzzle.assemblies[:1]), 2)
    assert (found.number, found.exact, found.ended_by) == (2, False, "solutions")
    found = count_solutions(puzzle, must_stop=lambda: True)
    assert (found.exact, found.ended_by) in ((False, "interrupt"), (True, None))


@pytest.mark.parametrize("turns", [0, 1])
def test_an_assignment_with_the_same_solution_twice_is_refused(turns):
    """The best assignment leaves all pieces where they are, or turns all together."""
    picture = noise(5, 5, 5, 1)
    with pytest.raises(
        PuzzleError, match=r"^the best assignment: its two assemblies are the same solution; give more squares"
    ):
        assigned(tones(picture, np.rot90(picture, turns), Board(5, 5)))


PERFECT = read_squares("perfect-5x5")
FIRST, SECOND = PERFECT.assemblies
TURNED = PERFECT.board.turned_arrangement(FIRST, 1)


@pytest.mark.parametrize(
    ("puzzle", "told"),
    [
        (read_squares("clue1"), "file: is an edge-matching puzzle, but two pictures need a jigsaw"),
        (replace(PERFECT, assemblies=(FIRST,)), "file: has one assembly, but two pictures need"),
        (replace(PERFECT, assemblies=()), "file: has no assembly, but two pictures need two"),
        (replace(PERFECT, fixed=(Fixed(0, *FIRST[0]),)), "file: has fixed pieces"),
        (replace(PERFECT, pieces=(*PERFECT.pieces, (0, 1, 0, 1))), "file: has 26 pieces for 25 squares"),
        (replace(PERFECT, assemblies=(FIRST, FIRST[::-1])), "file: assembly 2 does not fit"),
        (replace(PERFECT, assemblies=(FIRST, TURNED)), "file: its first two assemblies are the same solution"),
    ],
)
def test_jigsaws_that_cannot_show_two_pictures_are_refused(puzzle, told):
    assert given(PERFECT, "file").puzzle == PERFECT
    with pytest.raises(PuzzleError) as caught:
        given(puzzle, "file")
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def tile(picture, square, columns, pixels=4):
    row, column = divmod(square, columns)
    return picture[row * pixels : (row + 1) * pixels, column * pixels : (column + 1) * pixels].astype(int)


def cost(first, second, arrangement, columns):
    """Worked out here, tile by tile: piece p lies unturned on square p of the first picture."""
    return sum(
        ((tile(first, piece, columns) - np.rot90(tile(second, square, columns), rotation)) ** 2).sum()
        for square, (piece, rotation) in enumerate(arrangement)
    )


def arrangements(rows, columns):
    """All that have no straight side inside and no other side on the border."""

    def straight(square):
        row, column = divmod(square, columns)
        return [row == 0, column == columns - 1, row == rows - 1, column == 0]

    ways = {}
    for piece, square in product(range(rows * columns), repeat=2):
        own, needed = straight(piece), straight(square)
        ways[piece, square] = [r for r in range(4) if [own[(side - r) % 4] for side in range(4)] == needed]
    for pieces in permutations(range(rows * columns)):
        for rotations in product(*(ways[piece, square] for square, piece in enumerate(pieces))):
            yield tuple(map(Placement, pieces, rotations))


@pytest.mark.parametrize(("rows", "columns", "number"), [(2, 3, 48), (3, 2, 48), (2, 2, 24), (1, 3, 4)])
def test_the_least_is_what_trying_everything_finds(rows, columns, number):
    """On boards so small that every arrangement can be tried."""
    first, second = noise(rows, columns, 1), noise(rows, columns, 2)
    everything = list(arrangements(rows, columns))
    found = tones(first, second, Board(rows, columns))
    best, least = found.best_assignment
    assert len(everything) == number
    assert least == min(cost(first, second, each, columns) for each in everything) == cost(first, second, best, columns)


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-5x7"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_picture_that_the_jigsaw_makes_of_another_one_is_found(name, swapped):
    """The jigsaw's own scramble of a picture, turned as a whole, costs nothing in one way, and that one is taken."""
    puzzle = read_squares(name)
    picture = noise(puzzle.rows, puzzle.columns, 9)
    there = transfer(puzzle, *puzzle.assemblies[:2], 4, None)
    for turns in puzzle.board.quarter_turns():
        pair = picture, np.rot90(shown(picture, there), -turns)
        first, second = pair[::-1] if swapped else pair
        fit, *_ = best_fits(puzzle, tones(first, second, puzzle.board))
        drawn = artwork_of(fit.puzzle, (first, second), (0.5, 0.5), None)
        assert (fit.cost, drawn.errors) == (0, (0.0, 0.0))
        assert np.array_equal(drawn.shown[0], first)
        assert np.array_equal(drawn.shown[1], second)


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-5x7", "three-solutions-6x6"])
def test_the_best_fit_is_the_least_of_all_ways(name):
    """Each way is laid out by hand; would catch a turn or an exchange that is left out or priced wrongly."""
    puzzle = read_squares(name)
    board = puzzle.board
    first, second = (noise(board.rows, board.columns, seed) for seed in (11, 12))
    found = tones(first, second, board)
    fit, *_ = best_fits(puzzle, found)
    ways = []
    for one, other in (puzzle.assemblies[:2], puzzle.assemblies[1::-1]):
        for turns in product(board.quarter_turns(), repeat=2):
            both = (board.turned_arrangement(one, turns[0]), board.turned_arrangement(other, turns[1]))
            there = transfer(puzzle, *both, 4, None)
            ways.append(((first.reshape(-1, 3).astype(int) - second.reshape(-1, 3)[there]) ** 2).sum())
    assert fit.cost == min(ways) == found.cost(*fit.puzzle.assemblies[:2])
    assert fit.puzzle.assemblies[2:] == puzzle.assemblies[2:]
    assert fit.cost >= found.best_assignment[1]
