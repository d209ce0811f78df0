"""What assemblies of jigsaws force, against a worked example and against counting side by side."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles import jigsaw_algebra as algebra
from jigsat.csp.puzzles.board import Board, Placement, opposite, turned
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from property_tests import examples

# The 5x5 jigsaw that the theory prints; its second assembly was found by searching.
VECTOR_5X5 = """
    0 0 1 2 -1 0 3 4 -3 0 3 5 -3 0 6 7 -6 0 0 1 0 -2 4 -6 -4 -4 8 4 -8 -5 -7 -4 7 -7 5 5 -5 -1 0 3 0 6 4 -3 -4 -4 5 7
    -5 4 5 9 -5 -5 7 4 -7 -3 0 1 0 3 -8 -1 8 -7 -4 -7 4 -9 -9 5 9 -4 4 -5 -4 -1 0 1 0 1 -3 0 3 7 -1 0 1 -5 2 0 -2 5 -6 0
    6 -1 0 0
"""
SECOND_5X5 = """
    24.2 5.1 22.2 9.3 20.2 14.2 11.1 12.3 17.2 19.0 2.3 13.0 8.3 18.1 1.1 21.1 7.2 16.0 6.1 10.2 0.3 23.0 3.2 15.3 4.1
"""


def read(vector, assembly):
    pairs = (entry.split(".") for entry in assembly.split())
    return list(map(int, vector.split())), tuple(Placement(int(piece), int(turns)) for piece, turns in pairs)


def scramble(board, chance):
    """All pieces at random, so that border sides and only those lie on the border."""
    squares = range(len(board))
    masks = [[bool(board.border_mask(square) >> side & 1) for side in range(4)] for square in squares]
    found: list[Placement | None] = [None] * len(board)
    for name in {board.square_class(square) for square in squares}:
        members = [square for square in squares if board.square_class(square) == name]
        for square, piece in zip(members, chance.sample(members, len(members)), strict=True):
            turns = [r for r in range(4) if turned(masks[piece], r) == tuple(masks[square])]
            found[square] = Placement(piece, chance.choice(turns))
    return tuple(found)


SIZES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (3, 5), (4, 4), (5, 4)]


@st.composite
def scrambles(draw, number=1):
    board = Board(*draw(st.sampled_from(SIZES)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    return board, *(scramble(board, chance) for _ in range(number))


def meeting(board, arrangement):
    """The joins of an arrangement, each as the two darts that meet there, found side by side."""
    joins = set()
    for first, side, second in board.joins():
        here, there = arrangement[first], arrangement[second]
        one = 4 * here.piece + (side - here.rotation) % 4
        joins.add(frozenset((one, 4 * there.piece + (opposite(side) - there.rotation) % 4)))
    return joins


def test_printed_5x5_jigsaw_has_two_assemblies_of_which_no_join_is_shared():
    vector, second = read(VECTOR_5X5, SECOND_5X5)
    # There the sides are left, top, right, bottom.
    pieces = tuple((*vector[at + 1 : at + 4], vector[at]) for at in range(0, 100, 4))
    first = algebra.original(Board(5, 5))
    puzzle = EdgeMatchingPuzzle(5, 5, pieces, Rule.OPPOSITE, assemblies=(first, second))  # type: ignore[arg-type]
    found = algebra.quality(puzzle)
    assert found.shared == {(0, 1): 0}
    assert max(found.uses.values()) == 8
    assert (found.unbalanced, found.duplicates, found.perfect) == ((), (), False)
    # The classes that the two assemblies make are the nine connectors.
    classes = algebra.connector_classes(Board(5, 5), [first, second])
    assert sorted(classes.uses) == sorted(found.uses.values())


@examples(100)
@given(scrambles(2), st.integers(0, 3))
def test_shared_joins_are_those_of_both_and_turning_the_board_changes_none(case, turns):
    board, first, second = case
    expected = len(meeting(board, first) & meeting(board, second))
    turns -= turns % (4 // board.turns())
    moved = board.turned_arrangement(second, turns)
    joins = len(meeting(board, second))
    assert algebra.shared_joins_of_pairs(board, [first, second, moved]) == {
        (0, 1): expected,
        (0, 2): expected,
        (1, 2): joins,
    }


@examples(100)
@given(scrambles())
def test_two_assemblies_make_even_cycles_on_which_signs_alternate(case):
    board, second = case
    for arrangement in (algebra.original(board), second):
        mate = algebra.mating(board, arrangement).tolist()
        assert {frozenset((one, other)) for one, other in enumerate(mate) if other >= 0} == meeting(board, arrangement)
    mates = [algebra.mating(board, arrangement) for arrangement in (algebra.original(board), second)]
    classes = algebra.connector_classes(board, [algebra.original(board), second])
    assert classes.self_mating == ()
    connector = classes.connector
    lowest = []
    for start in np.flatnonzero(mates[0] >= 0).tolist():
        cycle = [start]
        while len(cycle) % 2 or mates[1][cycle[-1]] != start:
            cycle.append(int(mates[(len(cycle) + 1) % 2][cycle[-1]]))
        assert connector[cycle].tolist() == [connector[start], -connector[start]] * (len(cycle) // 2)
        assert classes.uses[abs(connector[start]) - 1] == len(cycle) // 2
        if start == min(cycle):
            lowest.append(int(connector[start]))
    assert lowest == list(range(1, len(classes.uses) + 1))
    assert not connector[mates[0] < 0].any()


@examples(50)
@given(scrambles(3), st.integers(1, 4))
def test_classes_of_several_assemblies_are_the_fewest_relations(case, number):
    """Against relations spread until nothing changes: darts alike, opposite, or both."""
    board, *arrangements = case
    arrangements = [algebra.original(board), *arrangements][:number]
    neighbours = [algebra.mating(board, arrangement).tolist() for arrangement in arrangements]
    relation = {}
    for half_side in set().union(*meeting(board, arrangements[0])):
        signs = fresh = {(half_side, 1)}
        while fresh:
            fresh = {(mate[member], -sign) for member, sign in fresh for mate in neighbours} - signs
            signs = signs | fresh
        relation[half_side] = signs
    classes = algebra.connector_classes(board, arrangements)
    connector = classes.connector.tolist()
    contradictory = {abs(connector[half_side]) for half_side, signs in relation.items() if (half_side, -1) in signs}
    assert set(classes.self_mating) == contradictory
    for one, other in combinations(relation, 2):
        together = (other, 1) in relation[one] or (other, -1) in relation[one]
        assert (abs(connector[one]) == abs(connector[other])) == together
        if together and abs(connector[one]) not in contradictory:
            assert ((other, 1) in relation[one]) == (connector[one] == connector[other])
    sizes = Counter(abs(c) for c in connector if c)
    assert all(sizes[c + 1] == 2 * use for c, use in enumerate(classes.uses))


def triangle():
    """Three assemblies of a 3x4 board in which three darts meet each other, two at a time.

    They are the right side of the inner piece 5, the left side of the inner piece 6, and the lower side of the edge
    piece 2, which never moves.
    """
    assemblies = []
    for inner in (
        (Placement(5, 0), Placement(6, 0)),
        (Placement(5, 0), Placement(6, 1)),
        (Placement(6, 0), Placement(5, 3)),
    ):
        arrangement = list(algebra.original(Board(3, 4)))
        arrangement[5:7] = inner
        assemblies.append(tuple(arrangement))
    return assemblies


def test_connector_that_must_mate_with_itself_is_refused():
    board, assemblies = Board(3, 4), triangle()
    classes = algebra.connector_classes(board, assemblies)
    assert classes.self_mating == (classes.connector[4 * 5 + 1],)
    assert len({int(classes.connector[half_side]) for half_side in (4 * 5 + 1, 4 * 6 + 3, 4 * 2 + 2)}) == 1
    message = (
        r"1 of \d+ connectors would have to mate with themselves, such as the one between the down side of piece 2 "
    )
    with pytest.raises(PuzzleError, match=message):
        algebra.jigsaw_from_assemblies(3, 4, assemblies)
    for two in combinations(assemblies, 2):
        puzzle = algebra.jigsaw_from_assemblies(3, 4, two)
        assert all(check(puzzle, arrangement).is_solution for arrangement in two)


@examples(100)
@given(scrambles(2))
def test_jigsaw_fits_together_in_both_ways_and_keeps_piece_numbers(case):
    board, first, second = case
    puzzle = algebra.jigsaw_from_assemblies(board.rows, board.columns, [first, second], "pair", "a test")
    assert all(check(puzzle, arrangement).is_solution for arrangement in (first, second))
    assert puzzle.assemblies == (first, second)
    assert (puzzle.name, puzzle.source, puzzle.rule) == ("pair", "a test", Rule.OPPOSITE)
    classes = algebra.connector_classes(board, [first, second])
    assert sorted(algebra.uses(puzzle).items()) == list(enumerate(classes.uses, start=1))
    assert algebra.quality(puzzle).shared == {(0, 1): len(meeting(board, first) & meeting(board, second))}


@examples(100)
@given(scrambles(2))
def test_staying_pieces_agree_with_boards_turned_one_by_one(case):
    board, first, second = case
    for turns, pieces in algebra.staying_pieces(board, first, second).by_turn.items():
        other = board.turned_arrangement(second, turns)
        assert set(pieces) == {one.piece for one, two in zip(first, other, strict=True) if one.piece == two.piece}


def test_quality_is_perfect_only_if_nothing_is_missing():
    """Each of the puzzles after the first lacks one thing, so that a condition left out would show."""
    board = Board(3, 3)
    first = algebra.original(board)
    _, second = read("", "6.1 1.0 0.1 5.2 4.3 3.2 8.1 7.0 2.1")
    puzzle = algebra.jigsaw_from_assemblies(3, 3, [first, second])
    found = algebra.quality(puzzle)
    assert found.perfect
    assert found.uses == dict.fromkeys(range(1, 7), 2)
    assert len({min(turned(sides, r) for r in range(4)) for sides in puzzle.pieces}) == 9
    assert (found.duplicates, found.symmetric, found.shared) == ((), (), {(0, 1): 0})
    assert found.staying[0, 1].by_turn == {0: (1, 4, 7), 1: (4,), 2: (3, 4, 5), 3: (0, 2, 4, 6, 8)}

    one_assembly = algebra.quality(replace(puzzle, assemblies=(first,)))
    assert (one_assembly.shared, one_assembly.staying, one_assembly.perfect) == ({}, {}, False)
    same_assembly = algebra.quality(replace(puzzle, assemblies=(first, first, second)))
    assert (same_assembly.shared, same_assembly.perfect) == ({(0, 1): 12, (0, 2): 0, (1, 2): 0}, False)
    assert algebra.quality(replace(puzzle, assemblies=(first, second, first))).perfect  # further ones may share joins
    joined = {2: 1, -2: -1}
    merged = replace(puzzle, pieces=tuple(tuple(joined.get(side, side) for side in sides) for sides in puzzle.pieces))
    assert algebra.quality(merged).uses == {1: 4, 3: 2, 4: 2, 5: 2, 6: 2}
    assert not algebra.quality(merged).perfect
    swapped = algebra.jigsaw_from_assemblies(2, 2, [algebra.original(Board(2, 2)), read("", "0.0 2.2 1.2 3.0")[1]])
    equal_pieces = algebra.quality(swapped)
    assert (equal_pieces.uses, equal_pieces.shared) == ({1: 2, 2: 2}, {(0, 1): 0})
    assert (equal_pieces.duplicates, equal_pieces.perfect) == (((0, 3), (1, 2)), False)


@pytest.mark.parametrize(
    ("arrangement", "message"),
    [
        ((Placement(0, 0),), "1 squares instead of a 1x2 board"),
        ((Placement(0, 0), None), "square number 1 is empty"),
        ((Placement(0, 0), Placement(0, 0)), "piece 2 is missing"),
        ((Placement(0, 0), Placement(2, 0)), "each of pieces 1 to 2 must lie on one square"),
        ((Placement(0, 0), Placement(-1, 0)), "piece 2 is missing"),
        ((Placement(0, 0), Placement(1, 4)), "every rotation must be 0, 1, 2 or 3"),
    ],
)
def test_arrangements_that_are_no_scrambles_are_refused(arrangement, message):
    with pytest.raises(PuzzleError, match=message):
        algebra.mating(Board(1, 2), arrangement)


def test_assemblies_that_cannot_be_are_refused():
    first = algebra.original(Board(2, 2))
    with pytest.raises(PuzzleError, match="assembly 2: the down side of piece 1 is on the border, but not in assem"):
        algebra.jigsaw_from_assemblies(2, 2, [first, (Placement(0, 1), *first[1:])])
    with pytest.raises(PuzzleError, match="the list is empty"):
        algebra.jigsaw_from_assemblies(2, 2, [])


def test_edge_matching_puzzles_have_no_connectors():
    puzzle = EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),), name="plain")
    for function in (algebra.uses, algebra.unbalanced, algebra.quality):
        with pytest.raises(PuzzleError, match="plain: the kind is edge-matching"):
            function(puzzle)


@pytest.mark.parametrize(
    ("name", "words"), [("perfect-5x5", ", perfect"), ("three-perfect-7x7", ", 3-perfect"), ("jigsaw-5x6", "")]
)
def test_what_is_best_possible(name, words):
    assert algebra.quality(read_squares(name)).words == words


def test_the_largest_number_of_connectors_is_named():
    """Of the 2x5 board with 13 joins: 5, where half the joins would be 6."""
    pieces, turns = (0, 2, 1, 7, 4, 9, 6, 3, 8, 5), (0, 0, 0, 2, 0, 1, 0, 2, 0, 3)
    second = tuple(map(Placement, pieces, turns))
    puzzle = algebra.jigsaw_from_assemblies(2, 5, [algebra.original(Board(2, 5)), second])
    assert algebra.most_connectors(13) == len(algebra.uses(puzzle)) == 5
    assert algebra.quality(puzzle).words == ", the largest possible number"
