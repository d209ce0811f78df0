"""The number of frames, against a brute force over the squares of the frame and against another method."""

import shutil
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import frame_coefficient
from jigsat import count, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement, opposite
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.counting.ledger import open_ledger
from jigsat.csp.search.counting.parts import Pause
from jigsat.csp.search.counting.regions import frame_halves as module
from jigsat.csp.search.counting.regions.frame_classes import FrameClasses, count_frames
from jigsat.csp.search.counting.scheduler import count_together
from property_tests import examples
from strategies import puzzles, with_any_fixed

SIZES = [(2, 2), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4)]
MOST = 50_000


def go_on():
    return Pause.NO


def frames_by_brute_force(puzzle):
    """The ways to fill the border squares next to one another and to the fixed pieces; None if they are too many.

    Fixed pieces that contradict one another leave none, wherever they lie.
    """
    board, on_board = puzzle.board, list(puzzle.fixed_board)
    squares = [square for square in range(len(board)) if board.border_mask(square)]
    visited = 0

    def matches(square, placed):
        shown = puzzle.shown(placed)
        return all(
            on_board[other] is None or shown[side] == puzzle.mate(puzzle.shown(on_board[other])[opposite(side)])
            for _, side, other in board.joins_of(square)
        )

    def fits(square, placed):
        outside = [bool(board.border_mask(square) >> side & 1) for side in range(4)]
        return [side == 0 for side in puzzle.shown(placed)] == outside and matches(square, placed)

    def fill(number, free):
        nonlocal visited
        visited += 1
        if visited > MOST:
            return 0
        if number == len(squares):
            return 1
        square = squares[number]
        if on_board[square] is not None:
            return fill(number + 1, free) if fits(square, on_board[square]) else 0
        total = 0
        for piece, rotation in product(free, range(4)):
            placed = Placement(piece, rotation)
            if fits(square, placed):
                on_board[square] = placed
                total += fill(number + 1, free - {piece})
                on_board[square] = None
        return total

    if not all(matches(fixed.square, on_board[fixed.square]) for fixed in puzzle.fixed):
        return 0
    total = fill(0, frozenset(range(len(puzzle.pieces))) - {fixed.piece for fixed in puzzle.fixed})
    return None if visited > MOST else total


@examples(40)
@given(st.data())
def test_small_puzzles_against_a_brute_force(data):
    """Both rules, with identical, spare and fixed pieces, which may lie beside the frame and contradict one another."""
    puzzle = data.draw(puzzles(sizes=SIZES))
    if data.draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, data.draw)
    expected = frames_by_brute_force(puzzle)
    assume(expected is not None)
    assert count_frames(puzzle) == expected


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
@examples(6)
@given(st.integers(0, 2**32), st.sampled_from([(5, 5), (4, 6), (6, 6), (7, 4)]), st.integers(2, 4))
def test_larger_frames_against_a_coefficient(seed, size, colors):
    puzzle = deal_edge_matching(*size, colors, 3, seed=seed).puzzle
    expected, modulus = frame_coefficient.count(*size, puzzle.pieces, primes_used=2)
    assert count_frames(puzzle) % modulus == expected


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(
    ("name", "frames"),
    [
        ("clue1", 21504),
        ("clue2", 61812133613568),
        ("clue3", 3344),
        ("clue4", 342010085376),
        ("puzzle-a", 3614976),
        ("puzzle-c", 15170510684160),
        ("puzzle-d", 18874365050880),
        ("meta10", 224984017688592384),
        ("meta12", 14707367213454590333681664),
    ],
)
def test_bundled_puzzles(name, frames):
    assert count_frames(read(name)) == frames


def test_threads_change_nothing():
    puzzle = deal_edge_matching(8, 8, 3, 3, seed=1).puzzle
    assert count_frames(puzzle, threads=2) == count_frames(puzzle) > 0


def test_parts_add_up():
    puzzle = deal_edge_matching(6, 5, 3, 3, seed=1).puzzle
    method = FrameClasses(puzzle, Options())
    parts = [method.count(part, part + 1, go_on) for part in range(len(method.work))]
    assert len(parts) > 3
    whole = method.count(0, len(parts), go_on)
    assert sum(part.count for part in parts) == whole.count == count_frames(puzzle)
    assert [sum(of_depth) for of_depth in zip(*(part.nodes for part in parts), strict=True)] == list(whole.nodes)


def test_a_part_is_dropped_or_ends_the_count():
    method = FrameClasses(deal_edge_matching(6, 5, 3, 3, seed=1).puzzle, Options())
    assert method.count(0, 3, lambda: Pause.NOW).last == 0
    assert method.count(0, 3, lambda: Pause.AFTER_PART).last == 1


def test_a_count_is_stopped():
    with pytest.raises(EngineError, match="the count of frames was stopped: enough"):
        count_frames(read("puzzle-a"), stop=lambda: "enough")


def test_a_count_reports_its_progress():
    done = []
    count_frames(read("puzzle-c"), report=done.append)
    assert done == sorted(done)
    assert (len(done), done[-1]) == (len(FrameClasses(read("puzzle-c"), Options()).work), 1.0)


def test_a_ledger_continues(tmp_path):
    method = FrameClasses(deal_edge_matching(6, 5, 3, 3, seed=1).puzzle, Options())
    whole = method.count(0, len(method.work), go_on)
    key = {"method": method.method, "options": method.options, "parts": len(method.work)}
    with open_ledger(tmp_path / "frames.ledger", key) as ledger:
        ledger.record(method.count(1, 3, go_on), 1.0)
    with open_ledger(tmp_path / "frames.ledger", key) as ledger:
        totals = count_together(method, 2, ledger=ledger)
    assert (totals.count, totals.found_parts, totals.nodes) == (whole.count, 2, whole.nodes)


@pytest.mark.slow
def test_pieces_beside_the_frame_choose_inner_colors():
    """Fixed inner pieces leave fewer frames, the more they are; a colour that no edge piece has leaves none."""
    made = deal_edge_matching(4, 4, 2, 2, seed=1)
    inner = [square for square in range(16) if not made.puzzle.board.border_mask(square)]
    counts = []
    for number in range(len(inner) + 1):
        puzzle = made.puzzle.with_fixed([made.solution[i] if i in inner[:number] else None for i in range(16)])
        counts.append(count_frames(puzzle))
        assert counts[-1] == frames_by_brute_force(puzzle)
    assert counts == [1728, 672, 144, 24, 24]
    pieces = list(puzzle.pieces)
    pieces[puzzle.fixed[0].piece] = (9, 9, 9, 9)
    assert count_frames(replace(puzzle, pieces=tuple(pieces))) == 0


def test_spare_edge_pieces_are_left_out_in_all_ways():
    made = deal_edge_matching(3, 3, 2, 2, seed=1).puzzle
    edges = [sides for sides in made.pieces if sides.count(0) == 1]
    puzzle = replace(made, pieces=(*made.pieces, *edges[:3]))
    assert count_frames(puzzle) == frames_by_brute_force(puzzle) > count_frames(made)


def test_very_many_spare_edge_pieces_are_refused_at_once():
    puzzle = replace(read("eternity2").pieces_only(), rows=6, columns=6)
    with pytest.raises(EngineError, match="too many ways to leave out spare edge pieces"):
        count_frames(puzzle)


@pytest.mark.parametrize("squares", [(7,), (0, 7, 9), tuple(range(1, 20))])
def test_additions_come_after_fixed_pieces(squares):
    """They lie inside, on the frame, and on all squares but a corner; the numbers by depth have room for both."""
    made = deal_edge_matching(5, 4, 3, 3, seed=1)
    puzzle = made.puzzle.with_fixed([made.solution[i] if i in squares else None for i in range(20)])
    method = FrameClasses(puzzle, Options())
    share = method.count(0, len(method.work), go_on)
    assert share.count > 0
    assert share.nodes[: len(squares)] == (0,) * len(squares)
    assert (sum(share.nodes) > 0) == (len(squares) < 19)
    counted = count(puzzle, squares="frame", method="frame_classes")
    assert (counted.count, counted.nodes) == (share.count, sum(share.nodes) + len(squares))


def test_inner_pieces_do_not_matter():
    puzzle = read("puzzle-a")
    inner = [i for i, name in enumerate(puzzle.piece_classes) if name == "inner"]
    pieces = [(1, 1, 1, 1) if i in inner else sides for i, sides in enumerate(puzzle.pieces)]
    assert count_frames(replace(puzzle, pieces=tuple(pieces))) == count_frames(puzzle)


@pytest.mark.parametrize("size", [(1, 4), (2, 3), (5, 2)])
def test_boards_without_an_inside_are_refused(size):
    with pytest.raises(EngineError, match="it must be 3x3 or larger, or 2x2"):
        count_frames(EdgeMatchingPuzzle(*size, ((0, 1, 1, 0),) * (size[0] * size[1])))


@pytest.mark.parametrize("options", [Options(order="rowscan"), Options(slips="5")])
def test_options_without_meaning_are_refused(options):
    with pytest.raises(EngineError, match="method frame_classes"):
        FrameClasses(read("clue1"), options)


def test_too_much_memory_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)
    with pytest.raises(EngineError, match="at most 1 MiB"):
        count_frames(read("meta10"))
