"""The number of frames, against a search and against another method."""

import shutil
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import frame_coefficient
from frames import count_frames
from jigsat import count, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.make.edge_matching import deal_edge_matching
from property_tests import examples
from sides import count_top_rows
from strategies import puzzles, with_any_fixed

SIZES = [(2, 2), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4)]


def frames_by_search(puzzle):
    return count(puzzle, squares="frame", method="plain").count


@examples(40)
@given(st.data())
def test_small_puzzles_against_a_search(data):
    """Both rules, with identical, spare and fixed pieces, which may lie beside the frame and contradict one another."""
    puzzle = data.draw(puzzles(sizes=SIZES))
    if data.draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, data.draw)
    assert count_frames(puzzle) == frames_by_search(puzzle)


@examples(60)
@given(puzzles([(3, 3), (3, 4), (4, 3), (4, 4)]))
def test_top_rows_against_a_search(puzzle):
    try:
        found = count_top_rows(puzzle)
    except EngineError as error:
        assert "fixed pieces on other sides" in str(error)  # noqa: PT017
    else:
        assert found == count(puzzle, squares="row:1", method="plain").count


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
@examples(6)
@given(st.integers(0, 2**32), st.sampled_from([(5, 5), (4, 6), (6, 6), (7, 4)]), st.integers(2, 4))
def test_larger_frames_against_a_coefficient(seed, size, colors):
    puzzle = deal_edge_matching(*size, colors, 3, seed=seed).puzzle
    expected, modulus = frame_coefficient.count(*size, puzzle.pieces, primes_used=2)
    assert count_frames(puzzle) % modulus == expected


@pytest.mark.parametrize(
    ("name", "frames"),
    [
        ("puzzle-a", 3614976),
        pytest.param("clue2", 61812133613568, marks=pytest.mark.slow),
        pytest.param("meta10", 224984017688592384, marks=pytest.mark.slow),
        pytest.param("meta12", 14707367213454590333681664, marks=pytest.mark.slow),
    ],
)
def test_bundled_puzzles(name, frames):
    assert count_frames(read(name), threads=2) == frames


@pytest.mark.slow
def test_pieces_beside_the_frame_choose_inner_colors():
    """Fixed inner pieces leave fewer frames, the more they are; a colour that no edge piece has leaves none."""
    made = deal_edge_matching(4, 4, 2, 2, seed=1)
    inner = [square for square in range(16) if not made.puzzle.board.border_mask(square)]
    counts = []
    for number in range(len(inner) + 1):
        puzzle = made.puzzle.with_fixed([made.solution[i] if i in inner[:number] else None for i in range(16)])
        counts.append(count_frames(puzzle))
        assert counts[-1] == frames_by_search(puzzle)
    assert counts == [1728, 672, 144, 24, 24]
    pieces = list(puzzle.pieces)
    pieces[puzzle.fixed[0].piece] = (9, 9, 9, 9)
    assert count_frames(replace(puzzle, pieces=tuple(pieces))) == 0


def test_spare_edge_pieces_are_left_out_in_all_ways():
    made = deal_edge_matching(3, 3, 2, 2, seed=1).puzzle
    edges = [sides for sides in made.pieces if sides.count(0) == 1]
    puzzle = replace(made, pieces=(*made.pieces, *edges[:3]))
    assert count_frames(puzzle) == frames_by_search(puzzle) > count_frames(made)


def test_a_colour_that_begins_more_pieces_than_it_ends_leaves_no_frames():
    """Walks with eight pieces of each class must not be counted, although 8 is 2 modulo 3, the order of the roots."""
    edges = [*[(0, 2, 3, 1)] * 14, *[(0, 1, 3, 2)] * 2]
    pieces = (*[(0, 0, 1, 1)] * 4, *edges, *[(3, 3, 3, 3)] * 16)
    with pytest.raises(SystemExit, match="there are no frames"):
        frame_coefficient.count(6, 6, pieces)
    puzzle = deal_edge_matching(6, 6, 2, 1, seed=1).puzzle
    assert count_frames(replace(puzzle, pieces=pieces)) == 0


def test_very_many_spare_edge_pieces_are_refused_at_once():
    puzzle = replace(read("eternity2").pieces_only(), rows=6, columns=6)
    with pytest.raises(EngineError, match="too many ways to leave out spare edge pieces"):
        count_frames(puzzle)
