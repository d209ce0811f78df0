"""Compound pieces against blocks put together by trial, and against a closed count on Eternity II."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from brute_force import spin
from brute_force_blocks import all_blocks as tried_blocks
from brute_force_blocks import closed_count, turned_block
from jigsat import read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import border_class
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.counting.two_by_two import all_blocks, block_numbers, compound_board, single_candidates
from property_tests import examples
from strategies import puzzles

# The sides of a block that lie on the border in its first turn: up, right, down, left.
CLASS_OF_BORDERS = {
    (): "inner",
    (0,): "edge",
    (0, 1): "corner",
    (0, 2): "strip",
    (0, 1, 2): "end",
    (0, 1, 2, 3): "single",
}


@examples(25)
@given(puzzles(sizes=[(2, 2), (2, 4), (4, 2)]))
def test_blocks_of_narrow_boards_equal_trial(puzzle):
    """A block missed, found twice, in two turns, of a fixed piece, would differ."""
    check_blocks(puzzle)


def test_blocks_of_a_wider_board_equal_trial():
    """The same for classes corner, edge and inner, on a puzzle with symmetric and identical pieces."""
    made = deal_edge_matching(6, 6, 3, 3, seed=5).puzzle
    # Few pieces of each class, so that all can be tried; one of them twice, and one that looks alike after half a turn.
    by_class = {name: [p for p, of in zip(made.pieces, made.piece_classes, strict=True) if of == name] for name in
                ("corner", "edge", "inner")}  # fmt: skip
    inner = [*by_class["inner"][:4], by_class["inner"][0], (4, 5, 4, 5)]
    chosen = [*by_class["corner"][:2], *by_class["edge"][:5], *inner]
    unused = [(90 + i, 91 + i, 92 + i, 93 + i) for i in range(0, 4 * (36 - len(chosen)), 4)]
    puzzle = EdgeMatchingPuzzle(6, 6, (*chosen, *unused))
    numbers = check_blocks(puzzle, pieces=chosen)
    assert all(numbers[name] > 0 for name in ("corner", "edge", "inner"))


def check_blocks(puzzle, pieces=None):
    """Compare the blocks of every class; the trial may leave out pieces that fit nowhere."""
    tried = puzzle if pieces is None else replace(puzzle, rows=1, columns=1, pieces=tuple(pieces))
    board, candidates = compound_board(puzzle.board), single_candidates(puzzle)
    compound = {border_class(mask): blocks for mask, blocks in all_blocks(puzzle, candidates)}
    assert set(compound) == {board.square_class(square) for square in range(len(board))}
    for borders, name in CLASS_OF_BORDERS.items():
        if name not in compound:
            continue
        blocks = compound[name]
        expected = tried_blocks(tried, borders)
        found = set()
        for numbers, turns in zip(*pieces_and_turns(candidates, blocks), strict=True):
            shown = [tuple(spin(puzzle.pieces[n], turn)) for n, turn in zip(numbers, turns, strict=True)]
            block = tuple(zip(numbers, shown, strict=True))
            assert block in expected
            turns_of_block = [block]
            for _ in range(3):
                turns_of_block.append(turned_block(turns_of_block[-1]))
            assert not found & set(turns_of_block), "the same block in two turns, or twice"
            found.update(turns_of_block)
        assert found & expected == expected
        assert len(found) == 4 * len(blocks)
    numbers = {name: len(blocks) for name, blocks in compound.items()}
    assert block_numbers(puzzle) == numbers
    return numbers


def pieces_and_turns(candidates, blocks):
    piece_of = np.array([kind.pieces[0] for kind in candidates.kinds])[candidates.of_type]
    return piece_of[blocks].tolist(), candidates.turns[blocks].tolist()


@pytest.mark.slow
def test_numbers_of_eternity_ii():
    """A rule of which blocks there are, wrong for large sets alone (16-bit overflow, chunks), would show here."""
    puzzle = replace(read("eternity2"), fixed=())
    oriented = np.array([spin(sides, turn) for sides in puzzle.pieces for turn in range(4)])
    up, right, down, left = oriented.T
    horizontal = (right[:, None] == left) & (right[:, None] > 0)
    vertical = (down[:, None] == up) & (down[:, None] > 0)

    def bordered(*borders):
        return ((oriented == 0) == [side in borders for side in range(4)]).all(axis=1)

    inner = bordered()
    expected = {
        "corner": closed_count(horizontal, vertical, bordered(0), bordered(0, 1), bordered(1), inner),
        "edge": closed_count(horizontal, vertical, bordered(0), bordered(0), inner, inner),
        "inner": closed_count(horizontal, vertical, inner, inner, inner, inner) // 4,
    }
    assert expected == {"corner": 1312, "edge": 73003, "inner": 1014988}
    assert block_numbers(puzzle) == expected


def test_many_pieces():
    """Numbers of orientations beyond 16 bits would come out as those of other pieces."""
    puzzle = deal_edge_matching(6, 6, 4, 8).puzzle
    # With three sides on the border they lie nowhere.
    spare = ((0, 0, 0, 1),) * 20_000
    puzzles = puzzle, replace(puzzle, pieces=(*spare, *puzzle.pieces))
    assert [block_numbers(each) for each in puzzles] == 2 * [{"corner": 65, "edge": 388, "inner": 522}]
    candidates = [single_candidates(each) for each in puzzles]
    for (mask, few), (other, many) in zip(*map(all_blocks, puzzles, candidates), strict=True):
        (pieces, turns), (others, same) = map(pieces_and_turns, candidates, (few, many))
        assert mask == other
        assert turns == same
        assert (np.array(others) == np.array(pieces) + len(spare)).all()
