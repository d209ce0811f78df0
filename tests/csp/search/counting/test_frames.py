"""Counting by frames against the search."""

import random
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brute_force import stretches
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import FramesCut, Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.counting import frames as frame_inside
from jigsat.csp.search.counting import frames as module
from jigsat.csp.search.counting import frames_ring as frame_halves
from jigsat.csp.search.counting.frames import Frames
from jigsat.csp.search.counting.frames_ring import Half, anchor_of, filled_together, halves_of
from jigsat.csp.search.counting.methods import Pause
from jigsat.estimators.effort.count_methods import best_plan, with_cut
from property_tests import examples
from whole_counts import count_all, never

SIZES = [(3, 4), (4, 3), (3, 6), (4, 4), (4, 5), (5, 4), (4, 6), (5, 5)]


def planned(puzzle):
    """The options with the cut of least expected cost."""
    return with_cut(puzzle, Options(method="frames"))


def counted(puzzle, cut=None):
    """Everything that the method says of a puzzle."""
    return count_all(Frames(puzzle, Options(cut=cut) if cut else planned(puzzle)))


def searched(puzzle):
    """What the search says of it, unless that takes long."""
    expected = Backtrack().run(puzzle, Goal.COUNT, Limits(nodes=1_000_000))
    assume(expected.complete)
    return expected


@st.composite
def framed(draw, sizes, least_colors=1):
    """A puzzle cut from a board of few colours, to which the method applies: duplicates and symmetric pieces abound.

    Where it would not because all pieces are in pairs, one join gets a colour of its own; so does a corner's, mostly.
    """
    rows, columns = draw(st.sampled_from(sizes))
    rule = draw(st.sampled_from(Rule))
    frame_colors, inner_colors = draw(st.integers(least_colors, 4)), draw(st.integers(1, 3))
    shared, anchored = draw(st.booleans()), draw(st.sampled_from((True, True, False)))
    chance = random.Random(draw(st.integers(0, 2**32)))

    def color(row, column, *, right):
        on_frame = row in (0, rows - 1) if right else column in (0, columns - 1)
        if (anchored and (row, column, right) == (0, 0, True)) or (row, column, right) == (1, 1, True):
            value = 9 + on_frame
        else:
            value = chance.randint(1, frame_colors if on_frame else inner_colors) + (0 if on_frame or shared else 4)
        return value * (chance.choice((1, -1)) if rule is Rule.OPPOSITE else 1)

    right = [[color(r, c, right=True) if c < columns - 1 else 0 for c in range(columns)] for r in range(rows)]
    down = [[color(r, c, right=False) if r < rows - 1 else 0 for c in range(columns)] for r in range(rows)]
    mate = rule.mate
    board = [
        (mate(down[r - 1][c]) if r else 0, right[r][c], down[r][c], mate(right[r][c - 1]) if c else 0)
        for r in range(rows)
        for c in range(columns)
    ]
    pieces = [
        sides[turns:] + sides[:turns] for sides in chance.sample(board, len(board)) for turns in [chance.randrange(4)]
    ]
    puzzle = EdgeMatchingPuzzle(rows, columns, tuple(pieces), rule)
    assume(symmetries(puzzle).regular)
    return puzzle


@examples(80)
@given(framed(SIZES))
def test_counts_equal_the_search(puzzle):
    """Wrong words, complements, mates, multiplicities or factors would show as another number."""
    expected, share = searched(puzzle), counted(puzzle)
    assert share.count == expected.count
    assert share.count == expected.canonical_count * symmetries(puzzle).product
    assert share.canonical_count is None


@examples(30)
@given(framed(SIZES))
def test_every_cut_gives_the_same_count(puzzle):
    """A step in the cut, halves of different sizes or a board on its side would show what is wrong with them."""
    expected = searched(puzzle).count
    rows, columns = puzzle.rows - 2, puzzle.columns - 2
    for width in {rows, columns}:
        for squares in range(1, rows * columns):
            assert counted(puzzle, FramesCut(width, squares)).count == expected, (width, squares)
    assert Frames(puzzle, Options()).count(0, 1, never).count == expected


@examples(20)
@given(framed([(4, 4), (4, 5)], least_colors=3))
def test_nodes_of_the_frame_are_its_stretches(puzzle):
    """Stretches of pieces that are all different, listed plainly, are the nodes at the depths of the frame."""
    found = symmetries(puzzle)
    frame = [kind for kind in found.types if kind.piece_class != "inner"]
    assume(all(len(kind.pieces) == 1 for kind in frame))
    frames = Frames(puzzle, planned(puzzle))
    share = count_all(frames)
    cut = best_plan(puzzle).cut
    halves = halves_of(puzzle, cut.columns, cut.squares)
    (anchor,) = anchor_of(found).pieces
    expected = [0] * len(puzzle.board)
    for number, half in enumerate(halves):
        kinds = ["edge"] * half.left + ["corner"] + ["edge"] * half.columns + ["corner"] + ["edge"] * half.right
        for depth, rows in enumerate(stretches(puzzle, kinds)):
            if number == 1:
                expected[depth] += sum(anchor not in row for row in rows)
            elif puzzle.rows == puzzle.columns:
                expected[depth] += sum(row[half.left : half.left + 1] in ((), (anchor,)) for row in rows)
            else:
                expected[depth] += len(rows)
    sizes = [half.pieces_of_frame for half in halves]
    assert list(share.nodes[: min(sizes)]) == expected[: min(sizes)]
    assert sum(share.nodes[max(sizes) + max(half.squares for half in halves) :]) == 0


def test_clue1():
    """The count of the theory.  Many frames have the same word, and tables outgrow the room they begin with."""
    puzzle = read("clue1")
    frames = Frames(puzzle, planned(puzzle))
    assert len(frames.work) == 1
    share = frames.count(0, 1, never)
    assert share.count == 115_071_633_408 == 18_729_107 * symmetries(puzzle).product
    assert share.count == puzzle.known["count"]
    # Each filling of a half is a node at the last depth, and counts once in a table.
    fillings = sum(int(tables.values[: tables.start[-1]].sum()) for tables in set(frames._tables))
    assert fillings == share.nodes[17] > 0
    assert sum(share.nodes[18:]) == 0


@pytest.mark.parametrize(
    "name", ["puzzle-a", "perfect-5x5", "perfect-5x7", "perfect-6x6", "perfect-6x8", "perfect-7x7", "jigsaw-5x6"]
)
def test_bundled_puzzles(name):
    """Puzzle A has most frames, each with a word of its own; jigsaws have connectors, which meet their opposites."""
    puzzle = read(name)
    assert counted(puzzle).count == puzzle.known["count"]


@pytest.mark.parametrize("name", ["clue3", "jigsaw-5x6"])
def test_many_colors_give_the_same(name, monkeypatch):
    """With many colours there are no lists by three, and what faces the cut is not in a table for all of them."""
    puzzle = read(name)
    by_three = counted(puzzle)
    monkeypatch.setattr(frame_inside, "_MOST_COLORS", 0)
    monkeypatch.setattr(frame_inside, "_MOST_FACINGS", 5)
    by_two = counted(puzzle)
    assert (by_two.count, by_two.nodes) == (by_three.count, by_three.nodes)
    assert by_two.count > 0


def tables_of(frames):
    """For each half of the inside and each word: the keys, with the ways to fill it."""
    return [
        [
            dict(zip(tables.keys[first:after].tolist(), tables.values[first:after].tolist(), strict=True))
            for first, after in pairwise(tables.start.tolist())
        ]
        for tables in frames._tables
    ]


def test_squares_filled_together_make_the_same_tables(monkeypatch):
    """Rows that use a piece too often, have a wrong key or are in a wrong list would show."""
    puzzle = deal_edge_matching(5, 6, 2, 2, seed=4).puzzle
    assert {len(kind.pieces) for kind in symmetries(puzzle).types if kind.piece_class == "inner"} == {1, 3, 4}
    together = set()
    for cut in (FramesCut(4, 8), FramesCut(4, 7), FramesCut(4, 6), FramesCut(3, 8), FramesCut(3, 7)):
        at_once = Frames(puzzle, Options(cut=cut))
        share = count_all(at_once)
        with monkeypatch.context() as patch:
            patch.setattr(frame_halves, "_MOST_ROWS", 0)
            single = Frames(puzzle, Options(cut=cut))
            expected = count_all(single)
        assert tables_of(at_once) == tables_of(single), cut
        assert share.count == expected.count > 0
        assert sum(share.nodes) < sum(expected.nodes)
        together |= {filled_together(half, 40, 2) for half in halves_of(puzzle, cut.columns, cut.squares)}
    assert together == {0, 2, 3}


@pytest.mark.parametrize(("colors", "seed"), [((5, 8), 1), ((4, 8), 2)])
def test_larger_boards(colors, seed):
    """Halves of unequal sizes, with a step between them: that the planted solution is found is not luck."""
    puzzle = deal_edge_matching(7, 7, *colors, seed=seed).puzzle
    search = Backtrack().run(puzzle, Goal.COUNT, Limits(nodes=30_000_000))
    share = counted(puzzle)
    assert share.count >= 4
    assert not search.complete or search.count == share.count


def several_parts(monkeypatch, puzzle):
    monkeypatch.setattr(module, "_PART_NODES", 2000)
    frames = Frames(puzzle, planned(puzzle))
    assert len(frames.work) > 5
    assert (frames.work > 0).all()
    return frames


@pytest.fixture(scope="module")
def made():
    return deal_edge_matching(5, 5, 2, 4, seed=3).puzzle


def test_it_pauses_between_parts_and_goes_on(monkeypatch, made):
    """A share with half a part in it, or a fill that starts again and counts twice, would not add up."""
    monkeypatch.setattr(frame_inside, "_SLICE_NODES", 500)
    monkeypatch.setattr(frame_inside, "_SLICE_ENTRIES", 100)
    frames = several_parts(monkeypatch, made)
    parts = len(frames.work)
    expected = Frames(made, planned(made)).count(0, parts, never)
    chance = random.Random(2)
    answers = [Pause.NO] * 20 + [Pause.NOW] * 2 + [Pause.AFTER_PART]
    done = count = shares = 0
    nodes = np.zeros(len(made.board), dtype=int)
    while done < parts:
        share = frames.count(done, parts, lambda: chance.choice(answers))
        assert share.first == done
        assert share.last > done or (share.count, sum(share.nodes)) == (0, 0)
        done, count, shares = share.last, count + share.count, shares + 1
        nodes += share.nodes
    assert shares > 5
    assert (count, tuple(nodes)) == (expected.count, expected.nodes)
    assert frames.count(0, parts, lambda: Pause.NOW).last == 0
    assert frames.count(0, parts, lambda: Pause.AFTER_PART).last == 1


def test_threads_share_one_piecework(monkeypatch, made):
    """Threads that fill the same tables, or share a buffer, would spoil each other's counts."""
    frames = several_parts(monkeypatch, made)
    monkeypatch.setattr(frame_inside, "_SLICE_NODES", 500)
    parts = len(frames.work)
    with ThreadPoolExecutor(3) as pool:
        shares = list(pool.map(lambda part: frames.count(part, part + 1, never), range(parts)))
    assert [(share.first, share.last) for share in shares] == [(part, part + 1) for part in range(parts)]
    assert sum(share.count for share in shares) == counted(made).count


def test_a_frame_that_cannot_be_laid():
    """No half, no word and no pair: the count is 0, without an error about empty arrays."""
    puzzle = deal_edge_matching(4, 4, 3, 3, seed=1).puzzle
    corner = puzzle.piece_classes.index("corner")
    sides = tuple(side and 99 for side in puzzle.pieces[corner])
    spoiled = EdgeMatchingPuzzle(4, 4, (*puzzle.pieces[:corner], sides, *puzzle.pieces[corner + 1 :]))
    share = counted(spoiled)
    assert (share.first, share.last, share.count) == (0, 1, 0)


def refused(what):
    """The message with which it is refused: one line."""
    with pytest.raises(EngineError) as caught:
        what()
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("method frames: ")
    assert "backtrack" not in str(caught.value)
    return str(caught.value)


def traced(what):
    """Its result, and the bytes that were held while it was computed."""
    tracemalloc.start()
    try:
        return what(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_tables_that_outgrow_their_prediction_are_refused(monkeypatch):
    """Memory must not run out because a prediction was too low, nor because old and new are held at once."""
    monkeypatch.setattr(frame_inside, "MOST_BYTES", 16 << 20)
    message, held = traced(lambda: refused(lambda: counted(read("clue1"))))
    assert "exceed the limit" in message
    assert held < 18 << 20


def test_a_table_too_large_to_be_looked_up_is_refused(monkeypatch, made):
    """Each thread looks up in a table of its own, of which the filling knows nothing."""
    frames = Frames(made, Options())
    assert frames._fill(never)
    monkeypatch.setattr(frame_inside, "MOST_BYTES", 100)
    assert "lookup table" in refused(lambda: frames.count(0, 1, never))


def test_sums_beyond_64_bits():
    """Products that overflow, in the kernel or when frames are weighed, would be cut short in silence."""
    inside = SimpleNamespace(
        colors=np.uint64(1), mates=np.zeros(1, np.uint64), cuts=np.uint64(1), all_used=np.uint64(4)
    )
    most, frames = 2**32 - 1, 2**40
    upper, lower = (
        SimpleNamespace(
            start=np.array([0, 5], dtype=np.uint64),
            keys=np.array(keys, dtype=np.uint64),
            values=np.full(5, most, dtype=np.uint32),
        )
        for keys in ([0, 1, 2, 3, 4], [4, 3, 7, 1, 0])
    )
    found = frame_inside.join_tables(
        inside, (upper, lower), Half(1, 1, 1, 1), np.zeros((2, 2), np.uint64),
        np.array([frames, 3], dtype=np.uint64), never,
    )  # fmt: skip
    assert found == 4 * most**2 * (frames + 3)


PLAIN = ((0, 1, 1, 1),) * 8 + ((1, 1, 1, 1),) * 4
REFUSED = [
    (deal_edge_matching(3, 3, 2, 2, seed=1).puzzle, Options(), "3x3"),
    (deal_edge_matching(2, 9, 2, 2, seed=1).puzzle, Options(), "2x9"),
    (deal_edge_matching(4, 4, 2, 3, clues=1, seed=1).puzzle, Options(), "fixed"),
    (deal_edge_matching(14, 14, 5, 17, seed=1).puzzle, Options(), "144 squares"),
    (read("perfect-8x8"), Options(), "64 bits"),
    (EdgeMatchingPuzzle(4, 4, ((0, 0, 1, 1),) * 4 + PLAIN), Options(), "orbits"),
    (EdgeMatchingPuzzle(4, 4, ((0, 0, 1, 1),) * 5 + PLAIN), Options(), "corner"),
    (read("puzzle-a"), Options(order="rowscan"), "order"),
    (read("puzzle-a"), Options(slips=(3,)), "slips"),
    (read("puzzle-a"), Options(symmetry=False), "symmetries"),
    (read("puzzle-a"), Options(cut=FramesCut(3, 8)), "4x4 squares"),
    (read("puzzle-a"), Options(cut=FramesCut(4, 16)), "4x4 squares"),
]


@pytest.mark.parametrize(("puzzle", "options", "reason"), REFUSED, ids=[reason for *_, reason in REFUSED])
def test_what_it_cannot_count_is_refused_in_one_line(puzzle, options, reason):
    """A puzzle that the method miscounts, or an option that it ignores, must not pass in silence."""
    assert reason in refused(lambda: Frames(puzzle, options))
    if options.cut is None:
        assert reason in refused(lambda: with_cut(puzzle, replace(options, method="frames")))
