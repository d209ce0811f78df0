"""Formulas come out the same, clause by clause and name by name, in every version.

A certificate is verified by building its formula again.  So a certificate of an earlier version is accepted only if its
formula is built as it was.  That the formulas are right is for `test_cnf.py` and `tests/agreement` to say.
"""

import hashlib
import json
from collections import Counter

import pytest
from pysat.solvers import Solver

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cnf_constraints import half_of
from jigsat.models.squares.cp import build_cp
from small_puzzles import JIGSAW, MADE, RECTANGLE, SMALL_PUZZLES, SYMMETRIC, UNSOLVABLE

ALL = "absent-colors+color-counts+checkerboard+parity"
ENCODINGS = [
    "direct", "seams", "pairs", "diamond", "direct+pieces+checkerboard+parity+product", f"pairs+pieces+{ALL}",
    f"diamond+{ALL}+unpruned+ladder", "seams+parity", "seams+checkerboard", "seams+color-counts+bitwise",
    "seams+unpruned",
]  # fmt: skip
PUZZLES = {
    "symmetric": (SYMMETRIC, (5, 9), None),
    "jigsaw": (JIGSAW, (1,), (4, 0, 1, 2, 3, 5)),
    "rectangle": (RECTANGLE, (), None),
    "4x4": (MADE.puzzle, (10, 10, 12), None),
    "perfect": (read_squares("perfect-5x5"), (), None),
    "unsolvable": (UNSOLVABLE, (), None),
    "identical": (SMALL_PUZZLES["identical"], (), None),
    "anywhere": (RECTANGLE, (1, 1, 1), None),
    "many colours": (EdgeMatchingPuzzle(2, 2, tuple((0, c, c % 9 + 1, 0) for c in range(1, 10))), (), None),
    "no piece fits": (SMALL_PUZZLES["no piece fits"], (), None),
    "one square": (EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),) * 2), (), None),
}
#: Of each, with all boards and with symmetries broken: variables, clauses, and the digest of everything.
FORMULAS = """
direct symmetric: 44 264 d64fd17f8c00 42 238 073d90fcfbb3
direct jigsaw: 12 44 e81c3a9a87a7 9 32 8cf96b4049e0
direct rectangle: 60 478 f31d1d48da11 53 417 46294743a522
direct 4x4: 165 2200 79a781eabb60 161 1910 694998da9603
direct perfect: 156 1470 f3d7d58c84e8 41 218 d42c4ceeab4b
direct unsolvable: 13 63 e0149337b739 13 30 f95884c808ed
direct identical: 16 88 bb0a6855babc 4 16 481f721e5ee8
direct anywhere: 85 607 54818138e167 78 543 1ffcd7cf4320
direct many colours: 36 274 e81872a63ad8 36 274 fbf473801378
direct no piece fits: 3 6 4cca9e99c1eb 3 6 be54347ec541
direct one square: 8 41 bd9397d0038f 1 1 d0a7e3ff5e64
seams symmetric: 92 408 c2bfcf9210cd 90 390 806f7e09fac5
seams jigsaw: 22 72 9089f4e6faec 19 60 242bcb93db89
seams rectangle: 113 658 b1b7d01497bc 101 576 c251d1a0cca2
seams 4x4: 293 2400 e9a292fda0e9 289 2142 8cb911f1d1b3
seams perfect: 340 2238 c1dfa746feab 97 386 9ac14093f7f2
seams unsolvable: 17 75 245c470a229b 17 42 f90472e18a61
seams identical: 20 100 a6645c0375a1 8 28 0ba149e33a91
seams anywhere: 159 786 9f890919917d 147 704 2931dc02f9bf
seams many colours: 72 494 670eb04544e7 72 494 602b6290ff4e
seams no piece fits: 5 10 7842e0181009 5 10 561cd948f6ee
seams one square: 8 41 bd9397d0038f 1 1 d0a7e3ff5e64
pairs symmetric: 92 552 6ad6d7d3b5c7 90 534 5fd3362663c3
pairs jigsaw: 22 85 067b8105867c 19 73 adbaf643b7b4
pairs rectangle: 113 886 cc5a2bddd29c 101 775 e202cf6e3c29
pairs 4x4: 293 2856 49c67f807716 289 2598 b69ddeb44c7b
pairs perfect: 340 3682 458aa70029c6 97 530 da41c75e0bd1
pairs unsolvable: 17 79 b743b6594e68 17 46 2560d645caf1
pairs identical: 20 104 c99d0598fa4c 8 32 d19b3ac6c461
pairs anywhere: 159 1014 3e316cb655f4 147 903 029a56401c73
pairs many colours: 72 818 65d9252e3c13 72 818 790ac8907a0b
pairs no piece fits: 5 10 7842e0181009 5 10 561cd948f6ee
pairs one square: 8 41 bd9397d0038f 1 1 d0a7e3ff5e64
diamond symmetric: 90 438 394636296c0c 89 408 e8839c2cef78
diamond jigsaw: 22 72 a4457c9ca273 19 60 2c4704b41c22
diamond rectangle: 101 622 71d5cbc83e61 89 540 753b62304db4
diamond 4x4: 249 1958 784965329e5c 249 1790 3892edcb345e
diamond perfect: 313 2314 4be96a71c435 95 382 cd6be41be7b3
diamond unsolvable: 17 75 11407542c711 17 42 183a993b8061
diamond identical: 20 100 4a1c78a1f1bf 8 28 d1a2149e8c5e
diamond anywhere: 147 750 cf9b9f904d3b 135 668 4a6c52d84081
diamond many colours: 72 494 900fd36406b8 72 494 0b6b1fad65a0
diamond no piece fits: 5 10 7842e0181009 5 10 561cd948f6ee
diamond one square: 8 41 705f1e0f4583 1 1 761b5aadcb14
direct+pieces+checkerboard+parity+product symmetric: 77 327 a278743300d5 75 304 91b97b3b55ba
direct+pieces+checkerboard+parity+product jigsaw: 23 66 68224a70b032 17 48 fbe7a903b3dd
direct+pieces+checkerboard+parity+product rectangle: 265 881 c8a7b39a0c95 251 799 6688d1e70c49
direct+pieces+checkerboard+parity+product 4x4: 313 1548 ae4ac54fedde 305 1430 fb234a9d3ebd
direct+pieces+checkerboard+parity+product perfect: 608 2058 e5720c70b77e 307 843 d03c42bc4539
direct+pieces+checkerboard+parity+product unsolvable: 31 105 477c75fbe249 20 44 1b7c081a070a
direct+pieces+checkerboard+parity+product identical: 84 242 948bd4e12a54 8 28 0e92f68c51f9
direct+pieces+checkerboard+parity+product anywhere: 133 631 439dcc55ebbf 119 553 dbcc90553bf2
direct+pieces+checkerboard+parity+product many colours: 96 298 1f931c43aaae 96 298 3a1622247716
direct+pieces+checkerboard+parity+product no piece fits: 4 8 cf1bb5a60111 4 8 dbc04691780a
direct+pieces+checkerboard+parity+product one square: 10 24 11c5379fa718 2 3 53518d006137
pairs+pieces+ALL symmetric: 733 2515 c403f2369dc9 731 2500 afe8da9fbc4d
pairs+pieces+ALL jigsaw: 33 114 0436280b949c 27 95 e7d750f14d52
pairs+pieces+ALL rectangle: 546 2033 4974f38b508c 507 1793 e1e11d3dba87
pairs+pieces+ALL 4x4: 1853 7814 0b50d14428e2 1845 7716 7d285fc34575
pairs+pieces+ALL perfect: 1272 6910 25df1e857f88 427 1363 995cd3891b50
pairs+pieces+ALL unsolvable: 37 125 184a1a8ea8b1 26 64 cbe2eb1b9e76
pairs+pieces+ALL identical: 88 262 9bc66e38e3c9 12 48 5bf735990492
pairs+pieces+ALL anywhere: 1059 3734 9174a1473d64 932 3143 c3e35777cc04
pairs+pieces+ALL many colours: 108 1466 db94fd759f8f 108 1466 c57cbd45e297
pairs+pieces+ALL no piece fits: 7 14 d56f7371ea83 7 14 734e3a9ad132
pairs+pieces+ALL one square: 10 24 11c5379fa718 2 3 53518d006137
diamond+ALL+unpruned+ladder symmetric: 538 1542 094f63606e09 537 1512 728918e16599
diamond+ALL+unpruned+ladder jigsaw: 43 270 1e7b694695ee 43 190 7b375d27ce9a
diamond+ALL+unpruned+ladder rectangle: 444 1871 6440e2c9c4d4 442 1842 d409eaa0e871
diamond+ALL+unpruned+ladder 4x4: 2046 6066 d484007de887 2037 5846 323ea6b8f443
diamond+ALL+unpruned+ladder perfect: 4140 30631 a939be61b96c 4137 30565 1a35117fa1ad
diamond+ALL+unpruned+ladder unsolvable: 32 170 b47c6044a393 18 54 7ce283c435de
diamond+ALL+unpruned+ladder identical: 56 184 a6917b4ad924 8 36 2923a08c9816
diamond+ALL+unpruned+ladder anywhere: 1011 2968 3a9be3dbf781 1009 2941 0444e477b0b9
diamond+ALL+unpruned+ladder many colours: 112 1070 2cea02d94329 112 1070 94929dcb47b9
diamond+ALL+unpruned+ladder no piece fits: 7 14 d56f7371ea83 7 14 734e3a9ad132
diamond+ALL+unpruned+ladder one square: 17 45 256803f66f5f 1 1 761b5aadcb14
seams+parity symmetric: 92 408 c2bfcf9210cd 90 390 806f7e09fac5
seams+parity jigsaw: 22 72 9089f4e6faec 19 60 242bcb93db89
seams+parity rectangle: 142 793 6688f44ff896 130 704 1cb4fd9f1efa
seams+parity 4x4: 293 2400 e9a292fda0e9 289 2142 8cb911f1d1b3
seams+parity perfect: 407 2582 9182e7601db2 164 615 a136b6648a84
seams+parity unsolvable: 21 89 0c2b3b561394 18 44 81c3f8181abe
seams+parity identical: 24 116 956e26406fc0 8 28 0ba149e33a91
seams+parity anywhere: 159 786 9f890919917d 147 704 2931dc02f9bf
seams+parity many colours: 72 494 670eb04544e7 72 494 602b6290ff4e
seams+parity no piece fits: 5 10 7842e0181009 5 10 561cd948f6ee
seams+parity one square: 8 41 bd9397d0038f 1 1 d0a7e3ff5e64
seams+checkerboard symmetric: 92 408 c2bfcf9210cd 90 390 806f7e09fac5
seams+checkerboard jigsaw: 22 72 9089f4e6faec 19 60 242bcb93db89
seams+checkerboard rectangle: 253 974 328990199948 241 885 f5a2d10326e4
seams+checkerboard 4x4: 293 2400 e9a292fda0e9 289 2142 8cb911f1d1b3
seams+checkerboard perfect: 525 2714 9e2203bef65f 282 747 4a9a247ae507
seams+checkerboard unsolvable: 23 91 b653a4505dfe 20 46 781d125140c0
seams+checkerboard identical: 72 222 d372de8bbbd5 8 32 f5bef9fcafe2
seams+checkerboard anywhere: 159 786 9f890919917d 147 704 2931dc02f9bf
seams+checkerboard many colours: 72 494 670eb04544e7 72 494 602b6290ff4e
seams+checkerboard no piece fits: 6 12 bf293cabffd9 6 12 ddd7e9ca2849
seams+checkerboard one square: 8 41 bd9397d0038f 1 1 d0a7e3ff5e64
seams+color-counts+bitwise symmetric: 540 1304 da3998103652 538 1286 23c7c2bf7215
seams+color-counts+bitwise jigsaw: 22 72 9089f4e6faec 19 60 242bcb93db89
seams+color-counts+bitwise rectangle: 297 986 5dcdb6b0d407 265 864 b843f31e16c0
seams+color-counts+bitwise 4x4: 1859 4920 ef30c9f6fd65 1854 4798 18c93b2f4ee2
seams+color-counts+bitwise perfect: 994 3286 8f97907170c7 161 538 5440ddf7e700
seams+color-counts+bitwise unsolvable: 19 79 569b92788db8 14 39 349928db0056
seams+color-counts+bitwise identical: 20 104 237b1a9fa087 8 32 472f27ec633f
seams+color-counts+bitwise anywhere: 859 2146 502780f7cb8d 767 1904 9699148009c4
seams+color-counts+bitwise many colours: 88 494 11b3390f27b0 88 494 742062fc5264
seams+color-counts+bitwise no piece fits: 6 12 bf293cabffd9 6 12 ddd7e9ca2849
seams+color-counts+bitwise one square: 11 37 9eb57b6cfc51 1 1 d0a7e3ff5e64
seams+unpruned symmetric: 92 408 c2bfcf9210cd 90 390 806f7e09fac5
seams+unpruned jigsaw: 43 189 8f58a91c3e95 43 137 a8813f37764a
seams+unpruned rectangle: 129 788 5b125c894499 127 773 510334284e83
seams+unpruned 4x4: 305 2536 e93226d11aa4 301 2278 c4d94f40cf9d
seams+unpruned perfect: 1152 22438 9a7d94c1fc4e 1149 22417 428e6346df06
seams+unpruned unsolvable: 24 112 f81bd64c0c33 18 47 0c62d752957b
seams+unpruned identical: 20 100 a6645c0375a1 8 28 0ba149e33a91
seams+unpruned anywhere: 175 916 0004806fab94 173 901 ea8bd0fe9356
seams+unpruned many colours: 72 494 670eb04544e7 72 494 602b6290ff4e
seams+unpruned no piece fits: 5 10 7842e0181009 5 10 561cd948f6ee
seams+unpruned one square: 8 41 bd9397d0038f 1 1 d0a7e3ff5e64
"""


def described(name, encoding, symmetry):
    puzzle, slips, order = PUZZLES[name]
    model = build_cnf(puzzle, encoding, slips=slips, order=order, symmetry=symmetry)
    names = [[variable, *map(str, what)] for variable, what in model.names()]
    text = json.dumps([names, list(model.clauses), model.deciding.tolist(), list(model.meaning())])
    return f"{model.clauses.top} {len(model.clauses)} {hashlib.sha256(text.encode()).hexdigest()[:12]}"


@pytest.mark.some_cases(40)
@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_formulas_stay_the_same(name, encoding):
    found = " ".join(described(name, encoding, symmetry) for symmetry in (False, True))
    assert f"{encoding.replace(ALL, 'ALL')} {name}: {found}" in FORMULAS.splitlines()


def test_by_default_symmetries_are_kept():
    model = build_cnf(RECTANGLE)
    assert (str(model.encoding), model.domains.symmetry) == ("pairs", False)


def test_a_board_has_its_model_and_is_excluded_by_it():
    """Of SYMMETRIC all eight boards, one after the other."""
    model = build_cnf(SYMMETRIC, "diamond")
    boards = []
    while (board := model.solve()) is not None:
        assert check(SYMMETRIC, board).is_solution
        (true,) = model.assignments(board)
        found = model.model_of(board)
        assert model.solution(found) == board
        assert set(true) <= set(found)
        before = len(model.clauses)
        model.exclude(board)
        assert list(model.clauses)[before:] == [[-variable for variable in true]]
        assert model.cnf.clauses[-1] == [-variable for variable in true]
        boards.append(board)
        with pytest.raises(PuzzleError, match=r"^the board is not a solution of this formula$"):
            model.model_of(board)
    assert len(set(boards)) == 8
    fresh = build_cnf(SYMMETRIC, "diamond")
    fresh.exclude(boards[0])
    assert len(fresh.cnf.clauses) == len(fresh.clauses) == len(build_cnf(SYMMETRIC, "diamond").clauses) + 1
    with pytest.raises(PuzzleError):
        fresh.model_of((Placement(0, 0),) * 9)


def test_equivalent_boards_are_excluded_together():
    model = build_cnf(SYMMETRIC, "seams", symmetry=True)
    board = model.solve(solver="glucose4")
    model.exclude(board)
    assert model.solve() is None
    assert len(model.assignments(board)) == 1


@pytest.mark.parametrize("encoding", ["direct", "seams", "diamond"])
def test_literals_of_a_strip(encoding):
    """The two ends and the middle of 1x3, of which the middle looks the same from both ends."""
    strip = EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 1, 0, 1), (0, 0, 0, 1)))
    model = build_cnf(strip, encoding)
    size = len(model.clauses)
    true = [model.place(0, 0, 0), model.on(1, 1), model.on(2, 2), model.color(0, 1, 1), -model.place(0, 1, 0)]
    true += [-model.color(0, 1, 2), -model.color(0, 0, 0), -model.invalid(0, 1), -model.place(1, 0, 0)]
    assert model.place(0, 0, 0) == model.place(0, 0, 0)
    assert len(model.clauses) == size
    with Solver("glucose4", bootstrap_with=model.cnf) as solver:
        boards = set()
        for literal in true:
            assert solver.solve(assumptions=true)
            assert not solver.solve(assumptions=[*true, -literal])
        while solver.solve(assumptions=true):
            board = model.solution(solver.get_model())
            boards.add(board)
            solver.add_clause([-literal for literal in model.assignments(board)[0]])
        assert boards == {((0, 0), (1, turn), (2, 0)) for turn in (0, 2)}
    literal = model.on(1, 1)
    if encoding != "diamond":
        places = [model.place(1, 1, turn) for turn in (0, 2)]
        assert len({literal, *places}) == 3
        clauses = [sorted(clause) for clause in model.cnf.clauses]
        assert sorted([-literal, *places]) in clauses
        assert all(sorted([literal, -place]) in clauses for place in places)


def test_own_variables_are_listed_last():
    model = build_cnf(EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0),) * 2), "seams")
    lines = list(model.meaning())
    assert lines == [
        "order A1 A2",
        "slips none",
        "symmetry kept",
        f"variables {model.clauses.top}",
        "var NUMBER MEANING; models that differ in other variables only are the same solution",
        "var 1 piece 1 on A1 turned 0",
        "var 2 piece 2 on A1 turned 0",
        "var 3 piece 1 on A2 turned 2",
        "var 4 piece 2 on A2 turned 2",
        "var 5 square A1 right side has colour 1",
    ]
    own = model.pool.id("mine \u2713\n")
    assert list(model.meaning())[-1] == rf"own {own} mine \u2713\n"
    assert list(model.meaning())[3] == f"variables {own}"
    assert len(list(model.meaning())) == len(lines) + 1


@pytest.mark.parametrize(
    ("sides", "half"),
    [({5: 4}, 2), ({5: 3}, -1), ({5: 0}, 0), ({1: 2, 2: 2}, 2), ({1: 3, 2: 1}, -1), ({1: 3, 2: 3}, 3)],
)
def test_half_of_the_sides_of_a_colour_and_its_mate(sides, half):
    """A colour that is its own mate has an even number of sides; a colour and its mate have as many as each other."""
    assert half_of(Counter(sides)) == half


@pytest.mark.parametrize("encoding", ["direct", "seams", "diamond", "diamond+unpruned"])
def test_own_literals_have_names_that_say_what_they_mean(encoding):
    """A variable of the formula's own where one means the same; a new one has the name of what was asked for."""
    model = build_cnf(JIGSAW, encoding, slips=(1,), order=(4, 0, 1, 2, 3, 5))
    for ask, name in (
        (lambda: model.place(0, 0, 0), ("place", 0, 0, 0)),
        (lambda: model.place(2, 3, 2), ("place", 2, 3, 2)),
        (lambda: model.on(2, 3), ("not", "on", 2, 3)),
        (lambda: model.on(5, 0), ("not", "on", 5, 0)),
        (lambda: model.color(1, 2, 2), ("not", "color", 1, 2, 2)),
        (lambda: model.color(1, 2, 1), ("never",)),
        (lambda: model.place(0, 1, 0), ("never",)),
        (lambda: model.invalid(1, 2), None),
        (lambda: model.invalid(0, 1), ("never",)),
    ):
        literal = ask()
        clauses = len(model.cnf.clauses)
        assert ask() == literal
        assert len(model.cnf.clauses) == clauses
        found = model.pool.obj(abs(literal))
        if abs(literal) > model.clauses.top:
            assert found == name
        else:
            assert found == (name[1:] if name and name[0] == "not" else name or ("invalid", 1, 2)) or len(found) == 4
    assert model.invalid(1, 2) == model.variables.invalid[0] > 0
    lines = [line for line in model.meaning() if line.startswith("own ")]
    own = [variable for variable in model.pool.id2obj if variable > model.clauses.top]
    assert lines == [f"own {variable} {model.pool.obj(variable)}" for variable in sorted(own)]
    assert len(own) > 0


def test_a_board_that_cannot_be_placed_has_no_model():
    """A piece off its squares, and a board that a slip would allow but the formula does not."""
    model = build_cnf(SYMMETRIC, "seams")
    board = list(model.solve())
    with pytest.raises(PuzzleError, match="not a solution of this formula"):
        model.model_of((Placement(board[0].piece, (board[0].rotation + 1) % 4), *board[1:]))
    assert set(model.model_of(tuple(board))) >= set(model.assignments(tuple(board))[0])
    assert all(isinstance(literal, int) for literal in model.model_of(tuple(board)))


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("build", [build_cnf, build_cp])
def test_only_full_boards_are_excluded(build, symmetry):
    """A board with an empty square has no clause; one of another size would have a wrong one."""
    model = build(SYMMETRIC, symmetry=symmetry)
    board = build_cnf(SYMMETRIC).solve()
    for other, message in (
        (board[:8], "the board has 8 squares, but that of the puzzle 9"),
        ((*board, board[0]), "the board has 10 squares, but that of the puzzle 9"),
        ((*board[:4], None, *board[5:]), "the board is not full: B2 is empty"),
    ):
        with pytest.raises(PuzzleError, match=f"^{message}$"):
            model.exclude(other)
        with pytest.raises(PuzzleError, match=f"^{message}$"):
            model.domains.placements_on(other)
        with pytest.raises(PuzzleError, match=f"^{message}$"):
            model.domains.placements_of_solution(other)
