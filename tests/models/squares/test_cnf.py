"""A puzzle as a formula: what its variables mean, and constraints of one's own."""

from functools import cache

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from pysat.solvers import Solver

from brute_force import TooMuch, all_solutions, fillings_with_slips, fits, spin
from jigsat.csp.base.errors import EngineError, OrderError, PuzzleError, SlipError
from jigsat.csp.make.edge_matching import make_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.slips import anywhere
from jigsat.models.base.encodings import CNF_NAMES, REDUNDANT, cnf_encoding
from jigsat.models.squares.cnf import EdgeMatchingCNF, build_cnf
from jigsat.models.squares.domains import Domains
from property_tests import examples
from strategies import puzzles

SMALL = [(1, 1), (1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
ENCODINGS = [*CNF_NAMES, "direct+pieces", "pairs+pieces+absent-colors", "diamond+unpruned", "direct+unpruned"]
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

#: The inner piece may lie in any rotation, and looks the same in each other one.
SYMMETRIC = EdgeMatchingPuzzle(
    3, 3, ((5, 6, 5, 6), (0, 1, 2, 0), (0, 3, 1, 0), (0, 4, 3, 0), (0, 2, 4, 0),
           (0, 1, 5, 1), (0, 3, 6, 3), (0, 4, 5, 4), (0, 2, 6, 2)),
)  # fmt: skip

#: A jigsaw with a fixed piece and two spare ones, one of which is the twin of another.
JIGSAW = EdgeMatchingPuzzle(
    2, 3, ((0, 1, 2, 0), (0, -1, -2, -1), (0, 0, -2, 1), (-2, 1, 0, 0), (2, 1, 0, -1), (2, 0, 0, -1),
           (0, 1, 2, 0), (0, -1, 2, 1)),
    Rule.OPPOSITE, (Fixed(4, 4, 0),),
)  # fmt: skip


def models_of(model):
    """Every model, as the set of true variables, with its board; two differ in a variable that has a name."""
    decided = set(model.pool.id2obj)
    with Solver("glucose4", bootstrap_with=model.cnf) as solver:
        while solver.solve():
            found = solver.get_model()
            yield {literal for literal in found if literal > 0}, model.solution(found)
            solver.add_clause([-literal for literal in found if abs(literal) in decided])


def brute_force(puzzle, slips=(), order=None):
    try:
        if slips:
            fillings = fillings_with_slips(puzzle, order, slips, most=2_000)[-1]
            found = {tuple(sorted((at, what[:2]) for at, what in filling.items())) for filling in fillings}
        else:
            found = all_solutions(puzzle, 100, 50_000)
    except TooMuch:
        reject()
    if len(found) > 100:
        reject()
    return found


def plain(board, columns):
    return tuple(sorted((divmod(square, columns), tuple(placed)) for square, placed in enumerate(board)))


def statements(model):
    """All there is to say about a board: the literal, and a function of the sides shown that tells whether it holds."""
    puzzle = model.puzzle
    pinned = {f.piece for f in puzzle.fixed}
    alike = model.domains.symmetry

    def is_there(piece, at, rotation):
        """The piece itself or, where identical pieces share their variables, one that looks the same there."""
        sides = spin(puzzle.pieces[piece], rotation)
        if not alike or piece in pinned:
            return lambda board: board[at] == (piece, rotation)
        return lambda board: board[at][0] not in pinned and shown(puzzle, board, at) == sides

    for square in range(len(puzzle.board)):
        at = divmod(square, puzzle.columns)
        for piece in range(len(puzzle.pieces)):
            turns = [is_there(piece, at, rotation) for rotation in range(4)]
            for rotation in range(4):
                yield model.place(piece, square, rotation), turns[rotation]
            yield model.on(piece, square), lambda board, turns=turns: any(turn(board) for turn in turns)
        for side in range(4):
            # A colour that no piece has is none that a square shows, and neither is the border.
            for color in {side for sides in puzzle.pieces for side in sides} | {77, -77, 0}:
                yield (
                    model.color(square, side, color),
                    lambda board, at=at, side=side, color=color: color != 0 and shown(puzzle, board, at)[side] == color,
                )
            yield model.invalid(square, side), lambda board, at=at, side=side: mismatch(puzzle, board, at, side)


def shown(puzzle, board, at):
    piece, rotation = board[at]
    return spin(puzzle.pieces[piece], rotation)


def mismatch(puzzle, board, at, side):
    """Whether the join on that side is invalid; on the border there is none."""
    there = (at[0] + STEPS[side][0], at[1] + STEPS[side][1])
    if there not in board:
        return False
    return not fits(puzzle, shown(puzzle, board, at)[side], shown(puzzle, board, there)[(side + 2) % 4])


def check_statements(puzzle, encoding, slips=(), *, symmetry=False):
    order = tuple(f.square for f in puzzle.fixed)
    order += tuple(square for square in range(len(puzzle.board)) if square not in order)
    expected = brute_force(puzzle, slips, order)
    model = build_cnf(puzzle, encoding, order=order, slips=slips, symmetry=symmetry)
    said = list(statements(model))
    assert [literal for literal, _ in statements(model)] == [literal for literal, _ in said]
    for literal, _ in said:
        assert literal != 0
        assert abs(literal) <= max(model.cnf.nv, model.pool.top)
    boards = []
    for true, solution in models_of(model):
        boards.append(plain(solution, puzzle.columns))
        board = dict(boards[-1])
        for literal, holds in said:
            assert ((literal in true) if literal > 0 else (-literal not in true)) == holds(board)
        check_names(model, true, board)
    assert len(set(boards)) == len(boards)
    assert set(boards) <= expected
    assert symmetry or set(boards) == expected
    assert bool(boards) == bool(expected)


def check_names(model, true, board):
    """What the names say of a model is what is on the board; several of one name differ by a number."""
    puzzle, pinned = model.puzzle, {f.piece for f in model.puzzle.fixed}
    several = {}
    for variable, (word, *numbers) in model.names():
        match word, numbers:
            case "place", (piece, square, rotation):
                at = divmod(square, puzzle.columns)
                looks = shown(puzzle, board, at) == spin(puzzle.pieces[piece], rotation)
                alike = model.domains.symmetry and {piece, board[at][0]}.isdisjoint(pinned)
                assert (variable in true) == (looks if alike else board[at] == (piece, rotation))
            case "on", (piece, square, *_):
                several.setdefault((piece, square), []).append(variable in true)
            case "color", (square, side, color):
                assert (variable in true) == (shown(puzzle, board, divmod(square, puzzle.columns))[side] == color)
            case "invalid", (square, side):
                assert (variable in true) == mismatch(puzzle, board, divmod(square, puzzle.columns), side)
            case _:
                raise AssertionError(word)
    for (piece, square), values in several.items():
        own = board[divmod(square, puzzle.columns)][0]
        turns = [spin(puzzle.pieces[piece], rotation) for rotation in range(4)]
        alike = model.domains.symmetry and {piece, own}.isdisjoint(pinned)
        assert sum(values) == (list(puzzle.pieces[own]) in turns if alike else own == piece)


@examples(150, quick=25)
@given(puzzles(SMALL), st.sampled_from(ENCODINGS), st.booleans(), st.data())
def test_literals_mean_what_they_say(puzzle, encoding, symmetry, data):
    """For every solution and everything that can be said; a literal that is free would make two models of one."""
    slips = ()
    if data.draw(st.booleans()):
        slips = anywhere(puzzle)[: data.draw(st.integers(1, 2))]
    check_statements(puzzle, encoding, slips, symmetry=symmetry)


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    ("puzzle", "slips"),
    [
        *(pytest.param(SYMMETRIC, slips, id=f"symmetric {slips}") for slips in ((), (1, 1), (5, 9))),
        *(pytest.param(JIGSAW, slips, id=f"jigsaw {slips}") for slips in ((), (1,))),
    ],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_literals_of_symmetric_fixed_and_spare_pieces(encoding, puzzle, slips, symmetry):
    """These are where a variable stands for several placements, or several variables for one."""
    assert brute_force(puzzle, slips, (4, 0, 1, 2, 3, 5) if puzzle is JIGSAW else tuple(range(9)))
    check_statements(puzzle, encoding, slips, symmetry=symmetry)


@pytest.mark.parametrize("redundant", [(), tuple(REDUNDANT)])
@pytest.mark.parametrize("encoding", CNF_NAMES)
def test_names_are_unique_and_those_of_the_pool(encoding, redundant):
    """A new variable of the pool that took a number of the formula's own would change its meaning."""
    puzzle = make_edge_matching(5, 6, 3, 4, seed=1).puzzle
    options = [one for one in redundant if encoding != "direct" or one not in ("absent-colors", "color-counts")]
    model = build_cnf(puzzle, "+".join([encoding, *options]), slips="20x2", symmetry=True)
    named = list(model.names())
    assert len({variable for variable, _ in named}) == len({name for _, name in named}) == len(named)
    assert all(0 < variable <= model.clauses.top for variable, _ in named)
    assert all(model.pool.id(name) == variable and model.pool.obj(variable) == name for variable, name in named)
    assert model.pool.id("mine") == model.clauses.top + 1
    assert model.pool.id("mine") == model.clauses.top + 1
    assert model.cnf.nv == model.clauses.top == max(abs(literal) for clause in model.clauses for literal in clause)
    every = [*model.variables.unit, *model.variables.witness.ravel(), *model.variables.invalid]
    every += [variable for variable in model.variables.color.ravel() if variable]
    assert {variable for variable, _ in named} == set(every)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_piece_off_the_rim(encoding):
    """An inner piece of a 4x4 board is kept from half of its squares."""
    puzzle, solutions = load_4x4()
    piece = puzzle.pieces.index(next(sides for sides in puzzle.pieces if 0 not in sides))
    away = [square for square in (5, 6, 9, 10) if square % 4 == 1]
    expected = {s for s in solutions if all(dict(s)[divmod(square, 4)][0] != piece for square in away)}
    assert set() < expected < solutions
    model = build_cnf(puzzle, encoding)
    for square in away:
        model.cnf.append([-model.on(piece, square)])
    assert {plain(board, 4) for _, board in models_of(model)} == expected


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_two_pieces_side_by_side(encoding):
    """A constraint with variables of one's own, which the pool numbers."""
    puzzle, solutions = load_4x4()
    edges = [piece for piece, sides in enumerate(puzzle.pieces) if sides.count(0) == 1]
    one, other = next(
        (a, b) for a in edges for b in edges if a < b and 0 < sum(adjacent(s, a, b) for s in solutions) < len(solutions)
    )
    model = build_cnf(puzzle, encoding)
    pairs = []
    for first, _, second in puzzle.board.joins():
        for a, b in ((one, other), (other, one)):
            both = model.pool.id(("both", a, first, b, second))
            here, there = model.on(a, first), model.on(b, second)
            model.cnf.extend([[-both, here], [-both, there], [both, -here, -there]])
            pairs.append(both)
    model.cnf.append(pairs)
    found = [plain(board, 4) for _, board in models_of(model)]
    assert len(set(found)) == len(found)
    assert set(found) == {s for s in solutions if adjacent(s, one, other)}


def adjacent(solution, one, other):
    place = {piece: at for at, (piece, _) in solution}
    return abs(place[one][0] - place[other][0]) + abs(place[one][1] - place[other][1]) == 1


@cache
def load_4x4():
    """A puzzle with several solutions, and these."""
    puzzle = make_edge_matching(4, 4, 2, 3, seed=2).puzzle
    return puzzle, frozenset(all_solutions(puzzle))


def test_arrays_and_clauses_are_the_same_formula():
    """The engine takes the arrays, a user the clauses."""
    model = build_cnf(SYMMETRIC, "pairs+pieces", slips="1x2")
    assert model.cnf.clauses == [row for block in model.clauses.blocks() for row in block.tolist()]
    assert len(model.clauses) == len(model.cnf.clauses)
    (_, board), *_ = models_of(model)
    assert check(SYMMETRIC, board, (1, 1), tuple(range(9))).is_solution


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_numbers_out_of_range(encoding):
    """They are refused, not taken from the other end."""
    model = build_cnf(JIGSAW, encoding)
    for call in (
        lambda: model.place(8, 0, 0),
        lambda: model.place(-1, 0, 0),
        lambda: model.place(0, 6, 0),
        lambda: model.place(0, 0, 4),
        lambda: model.on(8, 0),
        lambda: model.on(0, -1),
        lambda: model.color(6, 0, 1),
        lambda: model.color(0, 4, 1),
        lambda: model.invalid(0, -1),
        lambda: model.invalid(-1, 0),
    ):
        with pytest.raises(PuzzleError):
            call()
    assert len(model.cnf.clauses) == len(model.clauses)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"encoding": "none"}, EngineError),
        ({"order": "none"}, OrderError),
        ({"order": (0, 1)}, OrderError),
        ({"slips": "x"}, SlipError),
        ({"slips": (3, 2)}, SlipError),
        ({"slips": (7,)}, SlipError),
    ],
)
def test_what_cannot_be_built(options, error):
    with pytest.raises(error) as caught:
        build_cnf(JIGSAW, **options)
    assert "\n" not in str(caught.value)


def test_a_formula_without_solutions_is_announced_with_its_own_number_of_clauses():
    """Where no piece fits a clause would be empty, and a checker of proofs compares the numbers."""
    model = build_cnf(EdgeMatchingPuzzle(1, 1, ((0, 1, 0, 0),)))
    assert len(model.clauses) == len(model.cnf.clauses) == len(list(model.clauses))
    assert all(model.cnf.clauses)
    assert not list(models_of(model))


def test_identical_pieces_are_numbered_along_the_board():
    """They share their variables; a board names each of them once."""
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4)
    model = build_cnf(puzzle, symmetry=True)
    ((_, board),) = models_of(model)
    assert [placed.piece for placed in board] == [0, 1, 2, 3]
    assert model.on(0, 3) == model.on(3, 3)


def test_domains_can_be_shared():
    """An engine makes them once and asks them for its tally."""
    domains = Domains(SYMMETRIC, tuple(range(9)))
    formulas = [EdgeMatchingCNF(domains, cnf_encoding(name)) for name in ("pairs", "diamond", "pairs")]
    assert formulas[0].cnf.clauses == formulas[2].cnf.clauses
    assert len({plain(board, 3) for _, board in models_of(formulas[1])}) == 8
