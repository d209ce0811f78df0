"""Jigsaws of two boards: what they promise, by a solver of a few lines, and what is refused."""

from collections import Counter, defaultdict

import pytest

import jigsat as js
from jigsat.csp.base.errors import UsageError


def plain_solutions(pieces, rows, columns):
    """All boards, square by square from the top left; any pieces may be left over."""
    fitting = defaultdict(list)
    for number, sides in enumerate(pieces):
        for turn in range(4):
            up, right, down, left = (sides[(side - turn) % 4] for side in range(4))
            fitting[up, left].append((number, turn, right, down))
    found, placed = [], []

    def go_on():
        square = len(placed)
        if square == rows * columns:
            found.append([each[:2] for each in placed])
            return
        row, column = divmod(square, columns)
        up = -placed[square - columns][3] if row else 0
        left = -placed[square - 1][2] if column else 0
        used = {each[0] for each in placed}
        for each in fitting[up, left]:
            number, _, right, down = each
            if number not in used and (right == 0) == (column == columns - 1) and (down == 0) == (row == rows - 1):
                placed.append(each)
                go_on()
                placed.pop()

    go_on()
    return found


def joins(puzzle):
    """The pairs of sides (piece, side) that meet in the assembly."""
    lies = puzzle.assemblies[0]
    for join in puzzle.board.joins():
        one, other = lies[join.first], lies[join.second]
        yield frozenset(
            {
                (one.piece, (join.side - one.rotation) % 4),
                (other.piece, (join.side + 2 - other.rotation) % 4),
            }
        )


def assert_as_promised(made, max_use):
    first, second = made.puzzles
    assert first.pieces == second.pieces
    for puzzle, turns in ((first, 4), (second, 2)):
        boards = plain_solutions(puzzle.pieces, puzzle.rows, puzzle.columns)
        assert len(boards) == turns
        assert [tuple(each) for each in puzzle.assemblies[0]] in boards
    assert {each.piece for each in second.assemblies[0]} == {*range(len(first.pieces))} - {made.spare}
    assert not {*joins(first)} & {*joins(second)}
    assert max(Counter(side for sides in first.pieces for side in sides if side > 0).values()) <= max_use
    turned = {tuple(sides[(side + turn) % 4] for side in range(4)) for sides in first.pieces for turn in range(4)}
    assert len(turned) == 4 * len(first.pieces)


@pytest.mark.parametrize(
    ("boards", "max_use", "seed"), [("4x4,3x5", 3, 2), ("7x7,6x8", 3, 1), ("8x8,7x9", 4, 1), ("11x11,10x12", 4, 1)]
)
def test_one_solution_on_each_board_whatever_is_left_over(boards, max_use, seed):
    assert_as_promised(js.make_boards_jigsaw(boards, max_use=max_use, seed=seed, time_limit=None), max_use)


@pytest.mark.slow
@pytest.mark.parametrize("boards", ["6x6,5x7", "8x8,7x9", "10x10,9x11", "20x20,19x21"])
@pytest.mark.parametrize("seed", range(1, 11))
def test_ten_seeds(boards, seed):
    assert_as_promised(js.make_boards_jigsaw(boards, seed=seed, time_limit=None), 4)


@pytest.mark.slow
@pytest.mark.parametrize("n", range(7, 20))
def test_each_size(n):
    assert_as_promised(js.make_boards_jigsaw(f"{n}x{n},{n - 1}x{n + 1}", seed=1, time_limit=None), 4)


def test_the_files_hold_both_boards(tmp_path):
    made = js.make_boards_jigsaw("4x4,3x5", seed=2, output=tmp_path / "a.json", proof=tmp_path / "a.drat")
    assert js.read(tmp_path / "a.json") == made.first
    assert js.read(tmp_path / "a-3x5.json") == made.second
    for name, puzzle in (("a", made.first), ("a-3x5", made.second)):
        assert js.verify(puzzle, tmp_path / f"{name}.drat.json").holds
        assert js.count(puzzle).canonical_count == 1


@pytest.mark.parametrize(
    ("boards", "max_use", "words"),
    [
        ("10x10", None, "is not two boards"),
        ("10x10,8x12", None, "must be n x n"),
        ("3x3,2x4", None, "between 4x4 and 32x32"),
        ("4x4,3x5", 2, "must be 3 or more"),
        ("8x8,7x9", 1, "must be 2 or more"),
    ],
)
def test_what_is_refused(boards, max_use, words):
    with pytest.raises(UsageError, match=words):
        js.make_boards_jigsaw(boards, max_use=max_use)
