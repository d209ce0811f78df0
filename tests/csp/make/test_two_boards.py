"""Jigsaws of two boards: what they promise, by a solver of a few lines, and what is refused."""

from collections import Counter, defaultdict, deque

import pytest

import jigsat as js
from jigsat.csp.base.errors import UsageError


def plain_solutions(pieces, rows, columns):
    """All boards, from each piece that fits in the first corner; any pieces may be left over.

    What fits on a square follows from what fits beside it, and from the pieces whose square is known; if several are
    left, one of the squares with the fewest is tried.
    """
    turned = {
        (number, turn): tuple(sides[(side - turn) % 4] for side in range(4))
        for number, sides in enumerate(pieces)
        for turn in range(4)
    }
    fitting, beside, border = defaultdict(set), [], []
    for each, sides in turned.items():
        for side in range(4):
            fitting[tuple(not value for value in sides), side, sides[side]].add(each)
    for square in range(rows * columns):
        row, column = divmod(square, columns)
        there = (row, -columns), (columns - 1 - column, 1), (rows - 1 - row, columns), (column, -1)
        beside.append([(side, square + step) for side, (far, step) in enumerate(there) if far])
        border.append(tuple(not far for far, _ in there))
    squares_of = defaultdict(set)

    def concluded(fits, changed):
        """What fits on each square, after that on some squares has changed; None if nothing fits on one."""
        queue = deque(changed)
        while queue:
            square = queue.popleft()
            new = {}
            if len(fits[square]) == 1:
                ((number, _),) = fits[square]
                own = {(number, turn) for turn in range(4)}
                new = {other: fits[other] - own for other in squares_of[number] & fits.keys() - {square}}
            for side, other in beside[square]:
                values, facing = {-turned[each][side] for each in fits[square]}, (side + 2) % 4
                if other in fits:
                    new[other] = {each for each in new.get(other, fits[other]) if turned[each][facing] in values}
                else:
                    new[other] = set().union(*(fitting[border[other], facing, value] for value in values))
            for other, left in new.items():
                if not left:
                    return None
                if other not in fits or len(left) < len(fits[other]):
                    fits[other] = left
                    queue.append(other)
                    for number, _ in left:
                        squares_of[number].add(other)
        return fits

    first = [({0: {each}}, [0]) for each, sides in turned.items() if border[0] == tuple(not side for side in sides)]
    # All squares are reached; pieces that were known before a square was reached are left to be used up there.
    stack = [(fits, range(rows * columns)) for fits in (concluded(*each) for each in first) if fits is not None]
    found = []
    while stack:
        fits = concluded(*stack.pop())
        if fits is None:
            continue
        square = min(range(rows * columns), key=lambda square: (len(fits[square]) == 1, len(fits[square])))
        if len(fits[square]) == 1:
            found.append([next(iter(fits[square])) for square in range(rows * columns)])
        else:
            stack += [({**fits, square: {each}}, [square]) for each in fits[square]]
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


@pytest.mark.parametrize(("name", "boards"), [("perfect-5x5", 8), ("perfect-5x7", 4), ("three-perfect-7x7", 12)])
def test_the_plain_solver_finds_all(name, boards):
    """Turned ones, too."""
    puzzle = js.read(name)
    found = plain_solutions(puzzle.pieces, puzzle.rows, puzzle.columns)
    assert (len(found), len({*map(tuple, found)})) == (boards, boards)
    assert {tuple(map(tuple, each)) for each in puzzle.assemblies} <= {*map(tuple, found)}


def assert_no_other_is_left_over(made):
    """The second board cannot be filled without any other piece."""
    for piece in {*range(len(made.first.pieces))} - {made.spare}:
        left = made.first.pieces[:piece] + made.first.pieces[piece + 1 :]
        assert not plain_solutions(left, made.second.rows, made.second.columns)


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
    made = js.make_boards_jigsaw(boards, max_use=max_use, seed=seed, time_limit=None)
    assert_as_promised(made, max_use)
    assert_no_other_is_left_over(made)


@pytest.mark.slow
@pytest.mark.parametrize("boards", ["6x6,5x7", "8x8,7x9", "10x10,9x11", "20x20,19x21", "31x31,30x32"])
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
    assert {path.name for path in tmp_path.iterdir()} == {
        "a.json", "a-3x5.json", "a.drat.json", "a.drat", "a.drat.cnf", "a-3x5.drat", "a-3x5.drat.cnf",
    }  # fmt: skip
    for puzzle in made.puzzles:
        assert js.verify(puzzle, tmp_path / "a.drat.json").holds
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
