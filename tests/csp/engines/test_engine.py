import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import COMPILING
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_puzzle, read_squares
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule

BACKTRACK = find_engine("backtrack")


def test_puzzles_of_another_kind_are_refused():
    """One line, before the search begins; also what is no puzzle at all."""
    cases = (
        (find_engine("backtrack"), read_puzzle("ostomachion"), "edge-matching and jigsaw puzzles, not for dissection"),
        (find_engine("sat"), read_puzzle("tangram"), "edge-matching and jigsaw puzzles, not for dissection"),
        (find_engine("sat", kind="dissection"), read_puzzle("clue1"), "dissection puzzles, not for edge-matching"),
        (find_engine("cpsat"), "clue1", "edge-matching and jigsaw puzzles, not for str"),
    )
    for engine, puzzle, wrong in cases:
        with pytest.raises(EngineError, match=f"^engine {engine.name}: it is for {wrong}"):
            engine.run(puzzle, Goal.SOLVE)
        with pytest.raises(EngineError, match=f"^engine {engine.name}: it is for {wrong}"):
            engine.solutions(puzzle)
    with pytest.raises(EngineError, match=r"supported by: backtrack, .*sat:NAME"):
        find_engine("backtrack").solutions(read_puzzle("ostomachion"))


@pytest.mark.slow
@pytest.mark.parametrize("order", ["spiral_in", "rowscan", "zig_zag", "spiral_out"])
def test_large_boards(order):
    """91 x 91 squares, one colour for all joins: every search succeeds at once, if it copes with the size."""
    size = 91
    corner, edge, inner = (0, 1, 1, 0), (0, 1, 1, 1), (1, 1, 1, 1)
    pieces = (corner,) * 4 + (edge,) * 4 * (size - 2) + (inner,) * (size - 2) ** 2
    result = BACKTRACK.run(EdgeMatchingPuzzle(size, size, pieces), Goal.SOLVE, options=Options(order=order))
    assert result.status == "satisfiable"
    assert result.nodes == size * size


@pytest.mark.slow
def test_many_connectors():
    """A 30 x 30 jigsaw with a connector of its own at every join has one solution, found without a wrong step."""
    size = 30
    right = {(r, c): 1 + r * size + c for r in range(size) for c in range(size - 1)}
    down = {(r, c): 2000 + r * size + c for r in range(size - 1) for c in range(size)}
    pieces = tuple(
        (-down.get((r - 1, c), 0), right.get((r, c), 0), down.get((r, c), 0), -right.get((r, c - 1), 0))
        for r in range(size)
        for c in range(size)
    )
    puzzle = EdgeMatchingPuzzle(size, size, pieces, Rule.OPPOSITE)
    for order in ("rowscan", "spiral_in"):
        result = BACKTRACK.run(puzzle, Goal.COUNT, options=Options(order=order))
        assert (result.count, result.canonical_count) == (4, 1)
        assert result.nodes == size * size


@pytest.mark.parametrize("order", ["rowscan", "spiral_out"])
def test_fullest_board_is_made_of_nodes_that_were_counted(order):
    """Wherever the budget ends, no piece is on the best board that is not among the nodes."""
    puzzle = read_squares("eternity2")
    for nodes in (1, 2, 3, 5, 9, 16, 17, 18, 33, 45, 59):
        result = BACKTRACK.run(puzzle, Goal.SOLVE, Limits(nodes=nodes), Options(order=order))
        assert result.best_depth == sum(number > 0 for number in result.nodes_by_depth)
        assert result.nodes == nodes


def test_an_unfinished_count_knows_at_least_one_orbit():
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 5)
    for nodes in range(4, 200, 7):
        result = BACKTRACK.run(puzzle, Goal.COUNT, Limits(nodes=nodes), Options(symmetry=False))
        assert result.count is not None
        assert result.canonical_count == (1 if result.count else 0)


def test_a_tree_that_dies_above_the_depth_limit_is_a_proof():
    puzzle = EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 2, 0, 2), (0, 1, 0, 0)))
    result = BACKTRACK.run(puzzle, Goal.COUNT, Limits(depth=2))
    assert (result.status, result.complete, result.ended_by) == ("unsatisfiable", True, None)


@pytest.mark.parametrize(
    ("engine", "goal", "limits", "options"),
    [
        ("backtrack", Goal.COUNT, Limits(), Options()),
        pytest.param("backtrack", Goal.COUNT, Limits(), Options(threads=2), marks=pytest.mark.slow),
        pytest.param("beam", Goal.BEST, Limits(nodes=200_000), Options(width=9), marks=pytest.mark.slow),
    ],
)
def test_what_compiling_takes_is_no_part_of_a_run(engine, goal, limits, options, monkeypatch):
    """A day of it, noted during a search, is subtracted from its seconds."""

    def note(_):
        monkeypatch.setattr(COMPILING, "_seconds", 86400.0)
        monkeypatch.setattr(COMPILING, "cpu_seconds", 86400.0)

    result = find_engine(engine).run(read_squares("puzzle-a"), goal, limits, options, report=note)
    assert -86400 <= result.seconds < 0
    assert -86400 <= result.cpu_seconds < 0
