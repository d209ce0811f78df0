"""Pictures of boards with gaps, coloured rims, ends that meet, mates, and pieces that are turned over."""

import re
from xml.etree import ElementTree as ET

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.render.svg.board import draw_board
from jigsat.render.svg.palette import looks

PIECE = (1, 2, 1, 2)


def drawn(puzzle, rotation=0, **options):
    board = [Placement(piece, rotation) for piece in range(len(puzzle.board))]
    text = draw_board(puzzle, board, **options)
    ET.fromstring(text)
    return text


def lines(text, name):
    """The number of lines of a path by its class; 0 without one."""
    found = re.search(rf'class="{name}" d="([^"]*)"', text)
    return found[1].count("M") if found else 0


def test_gaps_are_left_free_and_the_rim_is_drawn_around_every_outer_side():
    puzzle = EdgeMatchingPuzzle(3, 3, (PIECE,) * 6, rim=2, squares=("##.", "###", "..#"))
    text = drawn(puzzle)
    assert lines(text, "empty") == 6
    assert lines(text, "rim") == 12
    assert lines(text, "ends") == 0
    assert f'stroke="{looks(puzzle)[2].background}"' in text
    assert "gaps in the board, rim 2" in text


@pytest.mark.parametrize(("wrap", "ends"), [("none", 0), ("columns", 6), ("both", 14)])
def test_ends_that_meet_are_dashed_and_misfits_across_them_are_marked_at_both(wrap, ends):
    puzzle = EdgeMatchingPuzzle(3, 4, ((1, 2, 3, 4),) * 12, wrap=wrap)
    text = drawn(puzzle)
    assert lines(text, "ends") == ends
    assert text.count('class="mismatch"') == puzzle.max_score + ends // 2


def test_mates_share_a_motif_and_words_stand_in_the_legend():
    names = {1: "red frog head", 2: "red frog tail", 3: "owl"}
    puzzle = EdgeMatchingPuzzle(1, 1, ((1, 2, 3, 4),), rim="any", mates={1: 2}, color_names=names)
    head, tail, owl, four = (looks(puzzle)[color] for color in (1, 2, 3, 4))
    assert (head.motif, head.background, head.ink) == (tail.motif, tail.ink, tail.background)
    assert len({head.name, tail.name, owl.name, four.name}) == 4
    legend = re.findall(r"<text[^>]*>([^<]*)</text>", drawn(puzzle, legend=True))
    assert legend[-3:] == ["red frog head/tail", "owl", "4"]


def test_pieces_that_are_turned_over_have_a_mark():
    puzzle = EdgeMatchingPuzzle(1, 2, ((1, 2, 3, 4), (1, 2, 3, 4)), flip=True)
    assert drawn(puzzle, 6).count("rotation 6, turned over, sides 3 2 1 4") == 2
    assert drawn(puzzle, 6).count("M0 14V30") == 2
    assert "M0 14V30" not in drawn(puzzle, 2)
    with pytest.raises(InstanceError, match="rotation 4; must be 0, 1, 2 or 3"):
        drawn(EdgeMatchingPuzzle(1, 2, ((1, 2, 3, 4), (1, 2, 3, 4))), 4)
