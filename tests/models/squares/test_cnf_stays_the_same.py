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
direct symmetric: 44 264 7a5886ff40cc 42 238 9db92ca00749
direct jigsaw: 12 44 6f45a3f43121 9 32 087f9d335411
direct rectangle: 60 478 9f420b830424 53 417 b2458e800b10
direct 4x4: 165 2200 e1b022b80ec6 161 1910 c70d00912a15
direct perfect: 156 1470 82dea7df9a7d 41 218 3b64c55ccf4e
direct unsolvable: 13 63 2b54c30de41c 13 30 261be1d21fa4
direct identical: 16 88 314956e026cc 4 16 ba54d0937e9c
direct anywhere: 85 607 36b6aa066179 78 543 cbb12906887c
direct many colours: 36 274 f12b3b372077 36 274 17f4130eb8ab
direct no piece fits: 3 6 35078127c068 3 6 9176ac0842df
direct one square: 8 41 134272cf3b9b 1 1 4ff6b36af0c5
seams symmetric: 92 408 457a3b5cc74f 90 390 6989bfe20a35
seams jigsaw: 22 72 beb7bd93a016 19 60 b0baac2ea67a
seams rectangle: 113 658 4df3d08716d4 101 576 1d7ea9d550ba
seams 4x4: 293 2400 7681ce216eb7 289 2142 08d7d6d8696b
seams perfect: 340 2238 7c18cc749b00 97 386 119d4112bdbd
seams unsolvable: 17 75 448fb2fb58c1 17 42 6b239f388d54
seams identical: 20 100 169aa984db93 8 28 eceb5f3c4373
seams anywhere: 159 786 3120f4e26513 147 704 2068386d8806
seams many colours: 72 494 e776a5ee440c 72 494 ee5d80b1c6fb
seams no piece fits: 5 10 c8f6e7f663c4 5 10 b9628c20d4cd
seams one square: 8 41 134272cf3b9b 1 1 4ff6b36af0c5
pairs symmetric: 92 552 04d5db27615a 90 534 944e6f8467c8
pairs jigsaw: 22 85 a143d1f17799 19 73 d26c99d97e7f
pairs rectangle: 113 886 39e38a550fb9 101 775 3604d24031e4
pairs 4x4: 293 2856 d933739626aa 289 2598 f655ef551bea
pairs perfect: 340 3682 1b49c50a55d9 97 530 088a32ccc953
pairs unsolvable: 17 79 21007db6b797 17 46 f5234227233b
pairs identical: 20 104 297d65586984 8 32 ce9b5f878729
pairs anywhere: 159 1014 60ac11f83035 147 903 f1fa1fe14dfd
pairs many colours: 72 818 bee72d5d4bfe 72 818 f40f98554891
pairs no piece fits: 5 10 c8f6e7f663c4 5 10 b9628c20d4cd
pairs one square: 8 41 134272cf3b9b 1 1 4ff6b36af0c5
diamond symmetric: 90 438 7dec7b26a932 89 408 cfaa2788c8ee
diamond jigsaw: 22 72 3d41caa7fbf8 19 60 c116d12f1cda
diamond rectangle: 101 622 384507be794e 89 540 ded97301780d
diamond 4x4: 249 1958 f460914efdc4 249 1790 7536eeb9d526
diamond perfect: 313 2314 da18d0e822be 95 382 8a113214cb20
diamond unsolvable: 17 75 5558d9983f49 17 42 174909ae9c91
diamond identical: 20 100 3aed5aab4d72 8 28 dc7d25cf3f4e
diamond anywhere: 147 750 3f2fe48b13fd 135 668 a2bd4c4b30a9
diamond many colours: 72 494 4e608b109c73 72 494 52e91df58f32
diamond no piece fits: 5 10 c8f6e7f663c4 5 10 b9628c20d4cd
diamond one square: 8 41 75eec37e4305 1 1 34469f210cc9
direct+pieces+checkerboard+parity+product symmetric: 77 327 392e725b4fa9 75 304 bd4df13c1db5
direct+pieces+checkerboard+parity+product jigsaw: 23 66 08eb7f5a70f6 17 48 16a853a4fbee
direct+pieces+checkerboard+parity+product rectangle: 265 881 4af5659829df 251 799 b95a30d12001
direct+pieces+checkerboard+parity+product 4x4: 313 1548 8e7dd543f22d 305 1430 c90d149d36a6
direct+pieces+checkerboard+parity+product perfect: 608 2058 e5fe99903d39 307 843 aa94d94735c9
direct+pieces+checkerboard+parity+product unsolvable: 31 105 c1d9a5daa52f 20 44 c0ea6c383296
direct+pieces+checkerboard+parity+product identical: 84 242 42913c6d8ecf 8 28 122558de5652
direct+pieces+checkerboard+parity+product anywhere: 133 631 da7154c2aae5 119 553 695e09b721b4
direct+pieces+checkerboard+parity+product many colours: 96 298 7129d015fe5c 96 298 416ad7cf3183
direct+pieces+checkerboard+parity+product no piece fits: 4 8 ee782f255fe9 4 8 f3681ec5a6d1
direct+pieces+checkerboard+parity+product one square: 10 24 96abe96b126e 2 3 d811bd219b43
pairs+pieces+ALL symmetric: 733 2515 8ab65a3517bc 731 2500 0f8da3c01997
pairs+pieces+ALL jigsaw: 33 114 0fa4fd26f9e1 27 95 c3d6034505bb
pairs+pieces+ALL rectangle: 546 2033 45646b4bfb39 507 1793 0576022f551f
pairs+pieces+ALL 4x4: 1853 7814 0e1449ce43d1 1845 7716 9faf4de168b6
pairs+pieces+ALL perfect: 1272 6910 f7ffcffb0d77 427 1363 d697e44565b4
pairs+pieces+ALL unsolvable: 37 125 a40be36ebac8 26 64 219cfe87f5fa
pairs+pieces+ALL identical: 88 262 a83aaad37669 12 48 0acde3db057b
pairs+pieces+ALL anywhere: 1059 3734 1b5f96c6fc38 932 3143 284ce517cbc9
pairs+pieces+ALL many colours: 108 1466 ecec787a2e32 108 1466 8e45b9d9e44b
pairs+pieces+ALL no piece fits: 7 14 22874fc15475 7 14 f9925e6051f5
pairs+pieces+ALL one square: 10 24 96abe96b126e 2 3 d811bd219b43
diamond+ALL+unpruned+ladder symmetric: 538 1542 84686382e28b 537 1512 ee515c33546c
diamond+ALL+unpruned+ladder jigsaw: 43 270 93c61aebc226 43 190 de1a6f9a0516
diamond+ALL+unpruned+ladder rectangle: 444 1871 f4890a7ecabc 442 1842 31b8d4f700fb
diamond+ALL+unpruned+ladder 4x4: 2046 6066 06fcb7663922 2037 5846 f196f3243e24
diamond+ALL+unpruned+ladder perfect: 4140 30631 5169db23910c 4137 30565 20a9cd46db75
diamond+ALL+unpruned+ladder unsolvable: 32 170 adc8a023622c 18 54 cc0fb517fa65
diamond+ALL+unpruned+ladder identical: 56 184 a73db12a00f0 8 36 7102a9bd6e1c
diamond+ALL+unpruned+ladder anywhere: 1011 2968 a80ea6f7b995 1009 2941 7a6dbb99bcba
diamond+ALL+unpruned+ladder many colours: 112 1070 fbe87ef373af 112 1070 53426494b373
diamond+ALL+unpruned+ladder no piece fits: 7 14 22874fc15475 7 14 f9925e6051f5
diamond+ALL+unpruned+ladder one square: 17 45 90db90acf5db 1 1 34469f210cc9
seams+parity symmetric: 92 408 457a3b5cc74f 90 390 6989bfe20a35
seams+parity jigsaw: 22 72 beb7bd93a016 19 60 b0baac2ea67a
seams+parity rectangle: 142 793 1f834d0bef68 130 704 068bf8c1c4a3
seams+parity 4x4: 293 2400 7681ce216eb7 289 2142 08d7d6d8696b
seams+parity perfect: 407 2582 4c2fe597a791 164 615 9fbb6c62d961
seams+parity unsolvable: 21 89 282603015e4b 18 44 e5ba215fea5b
seams+parity identical: 24 116 2f73b87a2ccb 8 28 eceb5f3c4373
seams+parity anywhere: 159 786 3120f4e26513 147 704 2068386d8806
seams+parity many colours: 72 494 e776a5ee440c 72 494 ee5d80b1c6fb
seams+parity no piece fits: 5 10 c8f6e7f663c4 5 10 b9628c20d4cd
seams+parity one square: 8 41 134272cf3b9b 1 1 4ff6b36af0c5
seams+checkerboard symmetric: 92 408 457a3b5cc74f 90 390 6989bfe20a35
seams+checkerboard jigsaw: 22 72 beb7bd93a016 19 60 b0baac2ea67a
seams+checkerboard rectangle: 253 974 1b7fa6bdb6f4 241 885 b0d36e19c3e2
seams+checkerboard 4x4: 293 2400 7681ce216eb7 289 2142 08d7d6d8696b
seams+checkerboard perfect: 525 2714 6813d2d7ee5a 282 747 ef4c57ee40bd
seams+checkerboard unsolvable: 23 91 e4325464be9c 20 46 4de1d72523aa
seams+checkerboard identical: 72 222 c0f2492f83b6 8 32 4dd032b08357
seams+checkerboard anywhere: 159 786 3120f4e26513 147 704 2068386d8806
seams+checkerboard many colours: 72 494 e776a5ee440c 72 494 ee5d80b1c6fb
seams+checkerboard no piece fits: 6 12 190830fbea5f 6 12 1760bc335e40
seams+checkerboard one square: 8 41 134272cf3b9b 1 1 4ff6b36af0c5
seams+color-counts+bitwise symmetric: 540 1304 a49e61eea35c 538 1286 6af9aff65b3d
seams+color-counts+bitwise jigsaw: 22 72 beb7bd93a016 19 60 b0baac2ea67a
seams+color-counts+bitwise rectangle: 297 986 eb06cd332057 265 864 48452ee26332
seams+color-counts+bitwise 4x4: 1859 4920 e7bf0cd2cb6c 1854 4798 7906b8cdf210
seams+color-counts+bitwise perfect: 994 3286 40ecd1dc48cf 161 538 8e3577e60adc
seams+color-counts+bitwise unsolvable: 19 79 02ec805957c3 14 39 23e20fb6f015
seams+color-counts+bitwise identical: 20 104 b795cfe93381 8 32 c14c07be6403
seams+color-counts+bitwise anywhere: 859 2146 b9ebdbfc87d5 767 1904 3742b69e2401
seams+color-counts+bitwise many colours: 88 494 7d3ee4cf57ac 88 494 37df89c05901
seams+color-counts+bitwise no piece fits: 6 12 190830fbea5f 6 12 1760bc335e40
seams+color-counts+bitwise one square: 11 37 0cfa3f6c52ae 1 1 4ff6b36af0c5
seams+unpruned symmetric: 92 408 457a3b5cc74f 90 390 6989bfe20a35
seams+unpruned jigsaw: 43 189 1170600bc09a 43 137 e115d8ca8cd3
seams+unpruned rectangle: 129 788 5fd7e740bcc8 127 773 c499ab5974b2
seams+unpruned 4x4: 305 2536 7b23c7611a00 301 2278 ad267cd59172
seams+unpruned perfect: 1152 22438 f03be975547a 1149 22417 8c40fd36bda5
seams+unpruned unsolvable: 24 112 d78985160b30 18 47 d3c97a92ef48
seams+unpruned identical: 20 100 169aa984db93 8 28 eceb5f3c4373
seams+unpruned anywhere: 175 916 f530a146072e 173 901 f6e2aa646c7e
seams+unpruned many colours: 72 494 e776a5ee440c 72 494 ee5d80b1c6fb
seams+unpruned no piece fits: 5 10 c8f6e7f663c4 5 10 b9628c20d4cd
seams+unpruned one square: 8 41 134272cf3b9b 1 1 4ff6b36af0c5
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
        "var NUMBER MEANING; the other variables follow from these",
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
