"""Made puzzles are what was wished for, the same for ever, or refused with the reason."""

import random
import re
import shlex
from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations

import pytest

from brute_force import spin
from command_line import run
from jigsat.csp.base.errors import NotFoundError, UsageError
from jigsat.csp.files.instances import fingerprint, format_instance, parse_instance
from jigsat.csp.make.edge_matching import CLUE_PLACES, deal_edge_matching
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.check_board import check


def numbers_of_joins(rows, columns):
    """Frame joins and inner joins, by looking at every join."""
    board = Board(rows, columns)
    frame = [board.is_frame_join(join) for join in board.joins()]
    return sum(frame), len(frame) - sum(frame)


def skewed(colors, joins):
    """The k-th colour's share is in proportion to 1/k; the least are lifted to one join, the rest is rounded."""
    lifted = 0
    while True:
        harmonic = sum(Fraction(1, k) for k in range(1, colors - lifted + 1))
        shares = [(joins - lifted) / (harmonic * k) for k in range(1, colors - lifted + 1)]
        if not shares or shares[-1] >= 1:
            break
        lifted += 1
    whole = [share.numerator // share.denominator for share in shares]
    favoured = sorted(range(len(shares)), key=lambda i: (whole[i] - shares[i], i))[: joins - lifted - sum(whole)]
    return [number + (i in favoured) for i, number in enumerate(whole)] + [1] * lifted


def assert_colors(sides, first, number, joins, distribution):
    """Exactly these colours, each on as many sides as asked for."""
    assert sorted(sides) == list(range(first, first + number))
    each = [sides[color] for color in sorted(sides)]
    if distribution == "skewed":
        assert each == [2 * joins for joins in skewed(number, joins)]
    elif number:
        assert max(each) - min(each) <= 2
        assert all(sides % 2 == 0 for sides in each)
    assert sum(each) == 2 * joins


def assert_frame_is_balanced(puzzle):
    """Each frame colour lies as often before as after the border side, or the frame could never be closed."""
    left, right = Counter(), Counter()
    for sides in puzzle.pieces:
        for side, color in enumerate(sides):
            left[color] += color > 0 and sides[(side + 1) % 4] == 0
            right[color] += color > 0 and sides[side - 1] == 0
    assert left == right


def assert_as_wished(made, size, colors, wishes):
    puzzle = made.puzzle
    assert (puzzle.rows, puzzle.columns) == size
    assert all(pieces == squares for pieces, squares in puzzle.class_sizes().values())
    frame, inner = numbers_of_joins(*size)
    assert_colors(puzzle.frame_sides(), 1, colors[0], frame, wishes["distribution"])
    assert_colors(puzzle.inner_sides(), colors[0] + 1, colors[1], inner, wishes["distribution"])
    assert_frame_is_balanced(puzzle)
    if wishes["unique"]:
        looks = {min(tuple(spin(sides, turns)) for turns in range(4)) for sides in puzzle.pieces}
        assert len(looks) == len(puzzle.pieces)
    if wishes["asymmetric"]:
        assert all(spin(sides, turns) != list(sides) for sides in puzzle.pieces for turns in (1, 2, 3))
    assert len(puzzle.fixed) == wishes["clues"]
    if wishes["random"]:
        assert made.solution is None
        return
    verdict = check(puzzle, made.solution)
    assert verdict.is_solution, verdict.problems
    assert all(made.solution[square] == (piece, rotation) for square, piece, rotation in puzzle.fixed)


def any_wishes(chance):
    size = chance.choice([(1, chance.randint(1, 9)), (chance.randint(1, 9), 1), *[None] * 8])
    size = size or (chance.randint(2, 9), chance.randint(2, 9))
    colors = [chance.randint(1, min(joins, most)) if joins else 0 for joins, most in
              zip(numbers_of_joins(*size), chance.choice([(4, 4), (5, 9), (30, 100)]), strict=True)]  # fmt: skip
    planted = chance.random() < 0.6
    # Pieces of few colours can neither be unique nor asymmetric.
    many = colors[0] > 2 and (colors[1] > 2 or not numbers_of_joins(*size)[1])
    wishes = {
        "distribution": chance.choice(["flat", "skewed"]),
        "unique": many and chance.random() < 0.5,
        "asymmetric": many and chance.random() < 0.5,
        "random": not planted,
        "clues": chance.randint(0, size[0] * size[1]) if planted and chance.random() < 0.5 else 0,
        "seed": chance.randrange(2**62),
    }
    if 0 < wishes["clues"] <= max(size):
        wishes["clue_places"] = chance.choice(CLUE_PLACES)
    return size, colors, wishes


@pytest.mark.parametrize(
    ("block", "number"), [(0, 50), *(pytest.param(block, 100, marks=pytest.mark.slow) for block in range(10))]
)
def test_a_thousand_puzzles_are_as_wished(block, number):
    """Every wish is checked on the pieces themselves; only unique or asymmetric pieces may be refused, and seldom."""
    chance = random.Random(block)
    made, refusals = 0, []
    while made < number:
        size, colors, wishes = any_wishes(chance)
        try:
            puzzle = deal_edge_matching(*size, *colors, **wishes)
        except (NotFoundError, UsageError) as error:
            refusals.append(str(error))
            continue
        assert_as_wished(puzzle, size, colors, wishes)
        made += 1
    assert all(re.match("(unique|asymmetric)", reason) for reason in refusals)
    assert len(refusals) < number / 5


def has_a_board_of_unique_pieces(rows, columns, numbers):
    """Whether one is among all boards whose frame joins have the colours in those numbers, and the inside one."""
    joins = [color for color, times in enumerate(numbers, start=1) for _ in range(times)]
    edges = columns - 2
    kinds = ["end", *["strip"] * edges, "end"] if rows == 1 else [*"c", *"e" * edges, *"cc", *"e" * edges, *"c"]
    for colors in set(permutations(joins)):
        around = (0, *colors, 0) if rows == 1 else (*colors, colors[0])
        pairs = [sorted(pair) if rows == 1 else pair for pair in pairwise(around)]
        if len({(kind, *pair) for kind, pair in zip(kinds, pairs, strict=True)}) == len(kinds):
            return True
    return False


@pytest.mark.some_cases(5)
@pytest.mark.parametrize("distribution", ["flat", "skewed"])
@pytest.mark.parametrize(
    ("rows", "columns"),
    [(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), pytest.param(1, 7, marks=pytest.mark.slow), (2, 2), (2, 3), (2, 4)],
)
def test_unique_pieces_are_found_wherever_there_are_some(rows, columns, distribution):
    """Counting too strictly refuses what exists, and a search that gets stuck misses it."""
    joins, inner_joins = numbers_of_joins(rows, columns)
    for colors in range(1, joins + 1):
        numbers = [joins // colors + (k < joins % colors) for k in range(colors)]
        numbers = numbers if distribution == "flat" else skewed(colors, joins)
        wishes = {"unique": True, "distribution": distribution}
        if has_a_board_of_unique_pieces(rows, columns, numbers):
            made = deal_edge_matching(rows, columns, colors, min(inner_joins, 1), **wishes)
            assert check(made.puzzle, made.solution).is_solution
        else:
            with pytest.raises((NotFoundError, UsageError), match="unique"):
                deal_edge_matching(rows, columns, colors, min(inner_joins, 1), **wishes)


def test_more_clues_are_added_to_the_same_puzzle():
    """So that an experiment can add clues and change nothing else."""
    made = [deal_edge_matching(4, 5, 3, 4, clues=clues, seed=3) for clues in range(21)]
    assert len({one.puzzle.pieces for one in made}) == 1
    assert len({one.solution for one in made}) == 1
    for fewer, more in pairwise(made):
        assert set(fewer.puzzle.fixed) < set(more.puzzle.fixed)


def clue_squares(made):
    puzzle = made.puzzle
    return {divmod(fixed.square, puzzle.columns) for fixed in puzzle.fixed}


def flipped(squares, rows, columns):
    """The squares as seen from each of the four corners, in turn taken for the top left one."""
    for below in (False, True):
        for right in (False, True):
            yield {(rows - 1 - r if below else r, columns - 1 - c if right else c) for r, c in squares}


def test_clues_in_a_corner_are_those_nearest_to_it():
    """No square without a clue is nearer; all corners occur; everything but the clues stays as it was."""
    corners = set()
    for seed in range(20):
        plain = deal_edge_matching(5, 7, 4, 5, clues=4, seed=seed)
        made = deal_edge_matching(5, 7, 4, 5, clues=4, clue_places="corner", seed=seed)
        assert (made.puzzle.pieces, made.solution) == (plain.puzzle.pieces, plain.solution)
        (corner,) = clue_squares(made) & {(0, 0), (0, 6), (4, 0), (4, 6)}
        corners.add(corner)
        assert {(0, 0), (0, 1), (1, 0), (1, 1)} in flipped(clue_squares(made), 5, 7)
    assert len(corners) == 4
    more = [set(deal_edge_matching(4, 5, 3, 4, clues=n, clue_places="corner").puzzle.fixed) for n in range(1, 21)]
    assert all(few < many for few, many in pairwise(more))


def test_clues_on_a_diagonal_lie_at_equal_distances():
    """From one side to the other, and from top to bottom or back; the distances differ by rounding only."""
    for rows, columns in ((12, 12), (6, 9), (9, 6), (2, 8), (1, 4)):
        colors = [min(joins, 3) for joins in numbers_of_joins(rows, columns)]
        for clues in range(1, max(rows, columns) + 1):
            made = deal_edge_matching(rows, columns, *colors, clues=clues, clue_places="diagonal", seed=clues)
            long, short = zip(
                *sorted(square[:: -1 if columns > rows else 1] for square in clue_squares(made)), strict=True
            )
            assert len(long) == clues
            assert list(short) in (sorted(short), sorted(short, reverse=True))
            for places, length in ((long, max(rows, columns)), (sorted(short), min(rows, columns))):
                steps = {after - before for before, after in pairwise(places)}
                assert steps <= {length // clues, -(-length // clues)}
    made = [deal_edge_matching(12, 12, 5, 17, clues=5, clue_places="diagonal", seed=seed) for seed in range(20)]
    board = Board(12, 12)
    expected = {divmod(board.parse(name), 12) for name in ("B2", "D4", "G7", "I9", "K11")}
    assert {frozenset(clue_squares(one)) for one in made} == set(map(frozenset, flipped(expected, 12, 12)))


def test_the_instance_does_not_give_the_solution_away():
    """Pieces in the order or rotation in which they lay would; so would a field of the file."""
    made = deal_edge_matching(16, 16, 5, 17, seed=1)
    assert sum(placed.piece == square for square, placed in enumerate(made.solution)) < 8
    turns = Counter(placed.rotation for placed in made.solution)
    assert all(40 < turns[rotation] < 90 for rotation in range(4))
    assert made.puzzle.assemblies == made.puzzle.fixed == ()
    assert re.findall(r'^  "(\w+)"', format_instance(made.puzzle), re.MULTILINE) == [
        "format", "kind", "name", "source", "rows", "known", "pieces",
    ]  # fmt: skip
    assert made.puzzle.known == {"planted": 1}
    assert deal_edge_matching(3, 3, 2, 2, random=True).puzzle.known == {}


STORED = [
    ((1, 1, 0, 0), {},
     "f444da05f72e4c961b9b48f93b07eede885457fd2c7e51fc326c4ed571cba896"),
    ((1, 9, 5, 0), {"unique": True, "asymmetric": True, "seed": 5},
     "e67be265e88ac4e3b3868973ca8079823a0777fc3ad76d2605cd686e69db480e"),
    ((7, 1, 3, 0), {"random": True, "seed": 6},
     "648d7c89ce693469f01f90e6fd5baaaef602ceb5363bb9ae39eb0ad8a92158f7"),
    ((2, 2, 2, 0), {"unique": True, "clues": 1, "seed": 7},
     "ff7f76037ffd8f9c5109c87acc49ed8d68d28269a430c3df4ef72cffd14490f3"),
    ((2, 6, 3, 2), {"distribution": "skewed", "seed": 8},
     "d3d885bbaf18a7900369b8c294d3d34ec960c44338fd529d13fb262d13e8b843"),
    ((4, 4, 3, 4), {},
     "c3384f054d844e688b30dafd5054b6b3254f5266b6d29429df19a34f1d8accdf"),
    ((4, 4, 3, 4), {"seed": 2**62 - 1},
     "70a8a6819abdd18ad8fab3c411d5472b937af7ef0d931575dbb778b2e29ae98f"),
    ((6, 6, 3, 5), {"random": True, "distribution": "skewed", "seed": 7},
     "aed377e7dfb47a817df550a02d00e1d5f15f4c9e5d72c656cb73ac06a0fda355"),
    ((8, 5, 4, 6), {"unique": True, "distribution": "skewed", "clues": 5, "seed": 9},
     "bd290d27dae17ee4253bcbadf243b824ad7c7c0939291ebbd52cbbcbf4cf7b46"),
    ((10, 10, 4, 9), {"asymmetric": True, "random": True, "seed": 10},
     "5558c6be9a14c84a87ef28e586a003edb722a7b6ee8a365180de72e86c843637"),
    ((16, 16, 5, 17), {"unique": True, "asymmetric": True, "clues": 5, "seed": 2007},
     "c25780af2556dc204ead644435ca365b8f46b36c103dc619730b8244de3841ec"),
    ((16, 16, 2, 14), {"unique": True, "seed": 11},
     "9ee0704cc7335efc93c820b5d62db39690f44df19630705e916263f0dcec2b18"),
    ((32, 32, 5, 17), {"unique": True, "asymmetric": True, "random": True, "seed": 12},
     "6198569a7bea09c9ca3264b470e3f7cc4183f90619ea2aeafc3fdffb9d9ff4e5"),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "wishes", "stored"), STORED)
def test_puzzles_are_what_they_were(shape, wishes, stored):
    """Results are published for a seed: whatever changes these makes another puzzle of every published one."""
    assert fingerprint(deal_edge_matching(*shape, **wishes).puzzle) == stored


def test_unique_pieces_that_no_search_finds():
    told = "^unique pieces: no such set was found for a 2x2 board with 2 frame and 0"
    with pytest.raises(NotFoundError, match=told):
        deal_edge_matching(2, 2, 2, 0, unique=True, distribution="skewed")


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"rows": -3}, "rows must lie between"),
        ({"frame_colors": -1}, "frame_colors: a 4x4 board can have 1 to 12, its number of frame joins, but not -1"),
        ({"clues": -1}, "clues: must lie between 0 and 16, the number of squares of a 4x4 board, not -1"),
        ({"seed": -1}, "seed: must lie between 0 and 4611686018427387903, not -1"),
        ({"seed": 2**62}, "seed: must lie between"),
        ({"name": ""}, "name: must be 1 to 200 printable characters, not ''"),
        ({"name": "x" * 201}, "name: must be 1 to 200"),
        ({"name": "two\nlines"}, "name: must be 1 to 200"),
    ],
)
def test_what_no_command_can_ask_for_is_refused_too(wishes, reason):
    """What commands can ask for is in tests/cli/messages.md."""
    with pytest.raises(UsageError, match=f"^{reason}") as caught:
        deal_edge_matching(**{"rows": 4, "columns": 4, "frame_colors": 3, "inner_colors": 3, **wishes})
    assert "\n" not in str(caught.value)


SMALL = "--rows 4 --columns 5 --frame-colors 3 --inner-colors 4"


@pytest.mark.parametrize(
    "options",
    [
        f"{SMALL} --seed 3",
        f'{SMALL} --unique --asymmetric --clues 3 --name "it\'s -- mine"',
        f"{SMALL} --clues 3 --clue-places corner",
        f"{SMALL} --random --distribution skewed --seed 1e3 --name=--seed",
        "--rows 3 --columns 4 --colors 6 --rim any --no-turn --squares ####,#.##,#### --wrap columns --flip --seed 2",
    ],
)
def test_source_is_the_command_that_makes_the_puzzle_again(capsys, options):
    """An option that the source leaves out or quotes wrongly makes another puzzle, or none."""
    status, out, err = run(capsys, "make", "edge-matching", *shlex.split(options), "-o", "-")
    assert status == 0
    puzzle = parse_instance(out)
    assert puzzle.source.startswith(f"jigsat make edge-matching --rows {puzzle.rows} ")
    if "--flip" in options:
        assert err.count("\n") == 1
        forms = puzzle.turn, puzzle.flip, puzzle.rim, puzzle.wrap, len(puzzle.board)
        assert forms == (False, True, "any", "columns", 11)
    assert run(capsys, *shlex.split(puzzle.source)[1:], "-o", "-")[:2] == (0, out)


@pytest.mark.parametrize(
    "form",
    [
        {"colors": 10, "rim": "any", "turn": False},
        {"colors": 4, "rim": 2, "flip": True},
        {"colors": 4, "rim": "any", "flip": True, "turn": False, "wrap": "columns"},
        {"colors": 5, "rim": "any", "squares": ("#####", "##.##", "####.", "#####")},
        {"frame_colors": 3, "inner_colors": 4, "turn": False},
    ],
)
@pytest.mark.parametrize("random", [False, True])
def test_other_rims_and_pieces(form, random):
    """The pieces have the colours, the rim and the rotations that were wished for; the command makes them again."""
    made = deal_edge_matching(4, 5, **form, unique=True, random=random, seed=5)
    puzzle = made.puzzle
    sides = Counter(side for piece in puzzle.pieces for side in piece)
    outer = sum(
        puzzle.board.neighbour(square, side) is None for square in range(len(puzzle.board)) for side in range(4)
    )
    if "colors" in form:
        assert sorted(sides) == list(range(1, form["colors"] + 1))
        if form["rim"] != "any":
            assert sides[form["rim"]] >= outer
    assert puzzle.rim == form.get("rim", 0)
    looks = [frozenset(puzzle.looks(piece)) for piece in range(len(puzzle.pieces))]
    assert len({*looks}) == len(looks) == len(puzzle.board)
    if not random:
        assert check(puzzle, made.solution).is_solution
        if not form.get("turn", True):
            assert {placed.rotation for placed in made.solution} <= ({0, 4} if form.get("flip") else {0})
    again = shlex.split(puzzle.source)
    assert ("--no-turn" in again, "--flip" in again) == (not form.get("turn", True), form.get("flip", False))


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({}, "frame_colors: with rim 0 the puzzle has frame and inner colours; give a number"),
        ({"rim": "any", "frame_colors": 3}, "frame_colors: with rim any the puzzle has no frame; omit the option"),
        ({"rim": "all", "colors": 3}, "rim: must be 0, a colour, or any, not all"),
        ({"rim": 4, "colors": 3}, "rim: must be any, 0 or one of the colours 1 to 3, not 4"),
        (
            {"rim": "any", "colors": 41},
            "colors: a 4x4 board can have 1 to 40, its number of joins and outer sides, but",
        ),
        ({"rim": 1, "colors": 25}, "colors: a 4x4 board can have 1 to 24, its number of joins, but not 25"),
        ({"rim": "any", "colors": 1, "unique": True}, "unique: a 4x4 board needs 16 such inner pieces, but only 1 can"),
    ],
)
def test_forms_that_cannot_be(wishes, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        deal_edge_matching(4, 4, **wishes)
