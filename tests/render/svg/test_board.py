"""The pictures: what is drawn where, read back from the SVG."""

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest

from jigsat.cli.main import main
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_squares, save
from jigsat.csp.puzzles.board import Placement, turned
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.orders import NAMED_ORDERS, named_order
from jigsat.render.svg.board import draw_board, draw_pieces
from jigsat.render.svg.palette import BORDER_LOOK, DISTINCT, look, looks
from jigsat.render.svg.svg import CELL
from solution_files import save_solutions

SVG = "{http://www.w3.org/2000/svg}"


def puzzle_and_board(rows, columns, colors, rule=Rule.EQUAL, seed=1, **fields):
    """A random puzzle, its pieces shuffled and turned, and a solution."""
    generator = random.Random(seed)

    def side():
        return generator.choice(colors) * (generator.choice((1, -1)) if rule is Rule.OPPOSITE else 1)

    across = [[side() for _ in range(columns - 1)] for _ in range(rows)]
    down = [[side() for _ in range(columns)] for _ in range(rows - 1)]
    shown = [
        (
            rule.mate(down[row - 1][column]) if row else 0,
            across[row][column] if column < columns - 1 else 0,
            down[row][column] if row < rows - 1 else 0,
            rule.mate(across[row][column - 1]) if column else 0,
        )
        for row in range(rows)
        for column in range(columns)
    ]
    numbers = generator.sample(range(len(shown)), len(shown))
    board = tuple(Placement(number, generator.randrange(4)) for number in numbers)
    pieces = {placed.piece: turned(sides, -placed.rotation) for placed, sides in zip(board, shown, strict=True)}
    in_order = tuple(pieces[number] for number in range(len(shown)))
    return EdgeMatchingPuzzle(rows, columns, in_order, rule=rule, **fields), board


def layers(picture, name):
    """The elements of that class."""
    return [element for element in ET.fromstring(picture).iter() if element.get("class") == name]


def texts(picture, name):
    return [text.text for layer in layers(picture, name) for text in layer.iter(f"{SVG}text")]


def caption(picture):
    return texts(picture, "caption")


def drawn_pieces(picture):
    """For each piece its centre, its tooltip, and the names of the looks of its sides: up, right, down, left."""
    pieces = []
    for piece in layers(picture, "pieces")[0].findall(f"{SVG}g"):
        if piece.find(f"{SVG}use") is None:
            continue
        x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", piece.get("transform")).groups())
        sides = {int(use.get("transform", "rotate(0)")[7:-1]): use.get("href")[1:] for use in piece.iter(f"{SVG}use")}
        assert sorted(sides) == [0, 90, 180, 270]
        pieces.append(((x, y), piece.find(f"{SVG}title").text, tuple(sides[turn] for turn in sorted(sides))))
    return pieces


def centre(square, columns):
    return CELL * (square % columns) + CELL / 2, CELL * (square // columns) + CELL / 2


def bars(picture, name="mismatch"):
    """The places of the marks on joins: the middles of the bars."""
    places = set()
    for bar in layers(picture, name):
        x, y, way, length = re.fullmatch(r"M(\S+) (\S+)([hv])(\S+)", bar.get("d")).groups()
        half = float(length) / 2
        places.add((float(x) + half, float(y)) if way == "h" else (float(x), float(y) + half))
    return places


def test_every_side_of_every_piece_has_the_look_of_its_colour():
    """Catches pieces that are turned the wrong way, lie on the wrong square or show another colour."""
    puzzle, board = puzzle_and_board(4, 6, [3, 5, 10**6, 2**31 - 1])
    pieces = drawn_pieces(draw_board(puzzle, board))
    look_of = looks(puzzle)
    assert len(pieces) == 24
    for square, (place, title, sides) in enumerate(pieces):
        shown = puzzle.shown(board[square])
        assert place == centre(square, 6)
        assert sides == tuple(look_of[side].name for side in shown)
        number, turn = board[square].piece + 1, board[square].rotation
        assert (
            title == f"{puzzle.board.name(square)}: piece {number}, rotation {turn}, sides {' '.join(map(str, shown))}"
        )
        for side in (side for side in range(4) if puzzle.board.neighbour(square, side) is not None):
            assert sides[side] == pieces[puzzle.board.neighbour(square, side)][2][(side + 2) % 4]


def test_each_look_that_is_used_is_defined_once():
    """Catches references to nothing, and definitions that a large board would repeat."""
    puzzle, board = puzzle_and_board(3, 3, [1, 2, 3, 4])
    partial = (board[0], *[None] * 8)
    for picture in (draw_board(puzzle, board), draw_board(puzzle, partial, legend=True), draw_pieces(puzzle)):
        root = ET.fromstring(picture)
        defined = [group.get("id") for group in root.find(f"{SVG}defs")]
        used = {use.get("href")[1:] for use in root.iter(f"{SVG}use")}
        assert len(defined) == len(set(defined))
        assert used <= set(defined)


def test_looks_differ():
    """Catches a palette that runs out too early: 432 colours differ, 144 of them in background or motif."""
    assert DISTINCT == 432
    drawn = [(found.background, found.ink, found.motif) for found in map(look, range(DISTINCT))]
    assert len(set(drawn)) == DISTINCT
    assert len({(background, motif) for background, _, motif in drawn[:144]}) == 144
    negative = [look(rank, negative=True) for rank in range(DISTINCT)]
    assert len({*drawn, *((found.background, found.ink, found.motif) for found in negative)}) == 2 * DISTINCT
    assert len({found.name for found in (*map(look, range(DISTINCT)), *negative, BORDER_LOOK)}) == 2 * DISTINCT + 1
    assert look(DISTINCT) == look(0)


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_looks_can_be_told_apart():
    """Catches motifs that fade into their background, and two of the first 24 looks that share motif and lightness."""
    assert min(contrast(found.background, found.ink) for found in map(look, range(DISTINCT))) > 3
    for first, second in combinations(map(look, range(24)), 2):
        if first.motif == second.motif:
            assert contrast(first.background, second.background) > 2


def test_looks_follow_the_rank_of_a_colour():
    """Catches looks that depend on how a puzzle numbers its colours."""
    puzzle, board = puzzle_and_board(4, 4, [1, 2, 3, 4])
    other = replace(puzzle, pieces=tuple(tuple(side * 1000 for side in sides) for sides in puzzle.pieces))
    assert [piece[2] for piece in drawn_pieces(draw_board(puzzle, board))] == [
        piece[2] for piece in drawn_pieces(draw_board(other, board))
    ]


def test_jigsaw_signs_are_told_apart():
    """Catches connectors and sockets that look alike: the two sides of a join have exchanged colours."""
    puzzle, board = puzzle_and_board(5, 5, [1, 2, 3], Rule.OPPOSITE)
    look_of = looks(puzzle)
    for color in (1, 2, 3):
        plus, minus = look_of[color], look_of[-color]
        assert (plus.background, plus.ink, plus.motif) == (minus.ink, minus.background, minus.motif)
    picture = draw_board(puzzle, board, legend=True)
    assert not bars(picture)
    assert texts(picture, "legend") == ["±1", "±2", "±3"]
    for square, (_, _, sides) in enumerate(drawn_pieces(picture)):
        assert sides == tuple(look_of[side].name for side in puzzle.shown(board[square]))


def test_numbers_can_be_left_out():
    puzzle, board = puzzle_and_board(3, 4, [1, 2])
    assert texts(draw_board(puzzle, board), "numbers") == [str(placed.piece + 1) for placed in board]
    assert texts(draw_board(puzzle, board, numbers=False), "numbers") == []
    assert texts(draw_board(puzzle, board), "names") == ["1", "2", "3", "4", "A", "B", "C"]


def test_empty_squares_show_their_names():
    """Catches empty squares that are drawn as pieces, and names on the wrong ones."""
    puzzle, board = puzzle_and_board(3, 4, [1, 2])
    partial = (*board[:5], *[None] * 6, board[11])
    picture = draw_board(puzzle, partial)
    assert texts(picture, "squares") == ["B2", "B3", "B4", "C1", "C2", "C3"]
    assert [place for place, _, _ in drawn_pieces(picture)] == [centre(square, 4) for square in (0, 1, 2, 3, 4, 11)]
    assert caption(picture) == ["puzzle", "6 of 12 pieces, score 4 of 17, no invalid joins"]
    assert texts(draw_board(puzzle, partial, numbers=False), "squares") == []


def test_captions_with_spare_pieces():
    """Catches squares that are called pieces where the numbers differ."""
    puzzle, board = puzzle_and_board(3, 4, [1, 2])
    puzzle = replace(puzzle, pieces=(*puzzle.pieces, (1, 2, 2, 1)))
    assert caption(draw_board(puzzle, board))[1] == "12 of 12 squares filled, score 17 of 17, no invalid joins"


@pytest.mark.parametrize("rule", list(Rule))
def test_marks_are_the_invalid_joins_of_the_checker(rule):
    """Catches marks that are missing, misplaced or too many, on boards that are partial and wrong in every way."""
    generator = random.Random(3)
    for seed in range(8):
        puzzle, board = puzzle_and_board(4, 5, [1, 2], rule, seed)
        squares = list(board)
        for _ in range(2):
            first, second = generator.sample(range(20), 2)
            squares[first], squares[second] = squares[second], squares[first]
        squares[generator.randrange(20)] = None
        squares[generator.randrange(20)] = Placement(0, generator.randrange(4))
        picture = draw_board(puzzle, squares)
        verdict = check(puzzle, squares)
        expected = set()
        for fault in verdict.invalid_joins:
            second = re.search(r" on ([A-Z]+\d+):", fault.what)[1]
            ends = [centre(puzzle.board.parse(name), 5) for name in (fault.square, second)]
            expected.add(tuple(sum(values) / 2 for values in zip(*ends, strict=True)))
        assert bars(picture) == bars(picture, "casing") == expected
        assert len(expected) == len(layers(picture, "mismatch"))
        titles = Counter(fault.find(f"{SVG}title").text for fault in layers(picture, "fault"))
        assert titles == Counter(map(str, verdict.faults))
        joins, faults = len(expected), len(verdict.faults)
        assert f"score {verdict.score} of 31" in caption(picture)[1]
        problems = list(layers(picture, "problem"))
        assert bool(problems) == bool(joins or faults)
        if joins:
            assert f"{joins} invalid join" in problems[0].text


def test_border_sides_inside_are_drawn_and_marked():
    """Two border sides that face each other are equal, but no valid join."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 0, 0, 4), (0, 4, 0, 0)))
    picture = draw_board(puzzle, [Placement(0, 0), Placement(1, 0)])
    assert bars(picture) == {(CELL, CELL / 2)}
    assert caption(picture)[2] == "1 invalid join, 4 faults"
    assert drawn_pieces(picture)[0][2] == ("border", "border", "border", "look0")


def test_fixed_pieces_are_marked():
    """Catches marks on other squares, and a mark on a piece that lies where another one is fixed."""
    puzzle, board = puzzle_and_board(3, 3, [1, 2, 3])
    puzzle = replace(puzzle, fixed=(Fixed(4, *board[4]), Fixed(0, *board[0])))
    starter = puzzle.fixed_board
    assert starter == (board[0], None, None, None, board[4], None, None, None, None)
    picture = draw_board(puzzle, starter)
    assert [mark.find(f"{SVG}title").text for mark in layers(picture, "fixed")] == ["B2: fixed", "A1: fixed"]
    assert len(layers(draw_pieces(puzzle), "fixed")) == 2
    turned_one = (*board[:4], Placement(board[4].piece, (board[4].rotation + 1) % 4), *board[5:])
    picture = draw_board(puzzle, turned_one)
    assert [mark.find(f"{SVG}title").text for mark in layers(picture, "fixed")] == ["A1: fixed"]
    assert layers(picture, "fault")


def steps_of(picture, name):
    """The steps of a path, solid or dashed, as pairs of places."""
    steps = []
    for line in (path for layer in layers(picture, name) for path in layer.iter(f"{SVG}path")):
        points = [tuple(map(float, point.split())) for point in line.get("d")[1:].split("L")]
        steps += pairwise(points)
    return steps


def on_the_empty_board(puzzle, order, name="as given"):
    return draw_board(puzzle, (None,) * len(puzzle.board), order=order, order_name=name)


@pytest.mark.parametrize("name", NAMED_ORDERS)
def test_an_order_is_a_path_through_its_squares(name):
    """Catches steps that are missing or run to other squares, and jumps that are drawn as steps to neighbours."""
    puzzle = read_squares("eternity2-hints")
    order = named_order(puzzle, name)
    picture = on_the_empty_board(puzzle, order, name)
    path = order[5:]
    expected = [(centre(first, 16), centre(second, 16)) for first, second in pairwise(path)]
    solid, dashed = steps_of(picture, "steps"), steps_of(picture, "jumps")
    assert sorted(solid + dashed) == sorted(expected)
    assert solid == [step for step in expected if step in set(solid)]
    for near, steps in ((True, solid), (False, dashed)):
        for (x, y), (next_x, next_y) in steps:
            assert (max(abs(x - next_x), abs(y - next_y)) <= CELL) == near
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in layers(picture, "fixed")]
    assert dots == [centre(square, 16) for square in order[:5]]
    (start,), (end,) = layers(picture, "start"), layers(picture, "end")
    assert (float(start.get("cx")), float(start.get("cy"))) == centre(path[0], 16)
    side = float(end.get("width"))
    assert (float(end.get("x")) + side / 2, float(end.get("y")) + side / 2) == centre(path[-1], 16)
    assert texts(picture, "depths") == [str(depth) for depth in range(1, 257)]
    assert not drawn_pieces(picture)
    first, last = puzzle.board.name(path[0]), puzzle.board.name(path[-1])
    said = f"search order {name}: from {first} (circle) to {last} (square) after 5 fixed squares (dots)"
    assert caption(picture) == ["eternity2-hints", said]


def test_depths_stand_in_their_squares():
    puzzle, board = puzzle_and_board(2, 3, [1, 2])
    order = (5, 0, 4, 1, 3, 2)
    picture = draw_board(puzzle, board, order=order)
    for depth in layers(picture, "depths")[0]:
        x, y = float(depth.get("x")), float(depth.get("y"))
        assert int(y // CELL) * 3 + int(x // CELL) == order[int(depth.text) - 1]
    assert len(drawn_pieces(picture)) == 6
    assert texts(picture, "numbers") == []
    assert texts(draw_board(puzzle, board, order=order, numbers=False), "depths") == []


def test_an_order_of_fixed_squares_alone():
    """A path of no square or one square has no steps, and nothing to fall over."""
    one = EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),))
    assert steps_of(on_the_empty_board(one, (0,)), "steps") == []
    fixed = replace(one, fixed=(Fixed(0, 0, 0),))
    picture = on_the_empty_board(fixed, (0,), "rowscan")
    assert (len(layers(picture, "fixed")), layers(picture, "start")) == (1, [])
    assert caption(picture)[1] == "search order rowscan: after 1 fixed square (dot)"


def test_the_sheet_shows_all_pieces_in_the_order_of_their_numbers():
    """Catches spare pieces left out, pieces that touch, and sheets that are one long row."""
    puzzle, _ = puzzle_and_board(2, 3, [1, 2, 3])
    puzzle = replace(puzzle, pieces=(*puzzle.pieces, (1, 2, 3, 7)))
    picture = draw_pieces(puzzle, legend=True)
    pieces = drawn_pieces(picture)
    look_of = looks(puzzle)
    assert [sides for _, _, sides in pieces] == [tuple(look_of[side].name for side in piece) for piece in puzzle.pieces]
    assert texts(picture, "numbers") == list("1234567")
    assert texts(picture, "legend") == ["1", "2", "3", "7"]
    places = [place for place, _, _ in pieces]
    assert places == sorted(places, key=lambda place: (place[1], place[0]))
    assert len({x for x, _ in places}) == len({y for _, y in places}) == 3
    for (x, y), (next_x, next_y) in combinations(places, 2):
        assert max(abs(x - next_x), abs(y - next_y)) > CELL
    assert caption(picture) == ["puzzle", "7 pieces, 4 colours"]
    assert texts(draw_pieces(puzzle, numbers=False), "numbers") == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ('<script>&"]]>', '<script>&"]]>'),
        ("two\nlines\tand\r more", "two lines and more"),
        ("bell\x07 null\x00 half\ud800 \ufffe \u202eback", "bell� null� half� � �back"),
        ("é ∞ 🧩", "é ∞ 🧩"),
    ],
)
def test_names_are_harmless(name, shown):
    """Catches names that break the XML, smuggle markup in, or turn text around."""
    puzzle, board = puzzle_and_board(4, 4, [1], name=name)
    picture = draw_board(puzzle, board)
    assert picture.isascii()
    assert ET.fromstring(picture).find(f"{SVG}title").text == shown
    assert caption(picture)[0] == shown


def test_long_captions_are_cut():
    puzzle, board = puzzle_and_board(2, 2, [1], name="x" * 200)
    picture = on_the_empty_board(puzzle, range(4), "y" * 5000)
    for line in caption(picture):
        assert len(line) <= 80
        assert line.endswith("…")
    assert caption(draw_board(puzzle, board))[1] == "4 of 4 pieces, score 4 of 4, no invalid joins"


def test_nothing_comes_from_outside():
    puzzle, board = puzzle_and_board(4, 4, [1, 2])
    root = ET.fromstring(draw_board(puzzle, board, order=range(16), legend=True))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg",
        "title",
        "rect",
        "defs",
        "g",
        "path",
        "use",
        "text",
        "circle",
    }
    assert all(use.get("href").startswith("#") for use in root.iter(f"{SVG}use"))


def test_a_large_board_makes_a_small_file():
    """Catches triangles that are drawn again for each piece: 32x32 pieces of 96 colours stay well below a megabyte."""
    puzzle, board = puzzle_and_board(32, 32, range(1, 97))
    picture = draw_board(puzzle, board, legend=True)
    assert len(picture) < 500_000
    assert "AF32: piece" in picture
    width, height = (float(ET.fromstring(picture).get(name)) for name in ("width", "height"))
    assert width / 34 > 35
    assert height > width


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (5, 1), (3, 16), (40, 2)])
def test_everything_lies_inside_the_picture(rows, columns):
    """Catches pictures that cut off a board, its caption or its legend, whatever the shape."""
    puzzle, board = puzzle_and_board(rows, columns, range(1, 30))
    root = ET.fromstring(draw_board(puzzle, board, legend=True))
    width, height = map(float, root.get("viewBox").split()[2:])
    frame = next(element for element in root if element.get("class") == "board")
    left, top = map(float, re.findall(r"[\d.]+", frame.get("transform")))
    assert left + CELL * columns < width
    assert top + CELL * rows < height
    for text in (
        text for group in root if group.get("class") in ("caption", "legend") for text in group.iter(f"{SVG}text")
    ):
        assert 0 < float(text.get("x")) < width
        assert top + CELL * rows < float(text.get("y")) < height
    assert abs(float(root.get("width")) / float(root.get("height")) - width / height) < 0.02


@pytest.mark.parametrize(
    ("arrangement", "message"),
    [
        ([Placement(4, 0), None, None, None], "A1: there is no piece 5; pieces are numbered 1 to 4"),
        ([None, Placement(-1, 0), None, None], "A2: there is no piece 0"),
        ([None, None, Placement(0, 5), None], "B1: rotation 5; must be 0, 1, 2 or 3"),
        ([None, None, None, Placement(0, -1)], "B2: rotation -1; must be"),
        ([None] * 5, "5 squares given for a 2x2 board"),
    ],
)
def test_boards_that_cannot_be_drawn(arrangement, message):
    puzzle, _ = puzzle_and_board(2, 2, [1])
    with pytest.raises(InstanceError, match=re.escape(message)):
        draw_board(puzzle, arrangement)


@pytest.fixture
def files(tmp_path):
    """An instance file, and a solution file with a solution and an empty board."""
    puzzle, board = puzzle_and_board(3, 4, [1, 2, 3], name="small")
    instance, solutions = tmp_path / "small.json", tmp_path / "boards.json"
    save(puzzle, instance)
    save_solutions(puzzle, [board, (None,) * 12], solutions)
    return str(instance), str(solutions), tmp_path


def test_the_command_draws_what_it_is_asked_for(files, capsys):
    instance, solutions, folder = files
    output = folder / "picture.svg"

    def drawn(*arguments):
        assert main(["draw", *arguments, "-o", str(output)]) == 0
        return output.read_text()

    assert "12 of 12 pieces" in caption(drawn(instance, solutions))[1]
    assert "0 of 12 pieces" in caption(drawn(instance, solutions, "--number", "2"))[1]
    assert caption(drawn(instance))[1] == "12 pieces, 3 colours"
    assert "5 of 256 pieces" in caption(drawn("eternity2-hints"))[1]
    assert caption(drawn("eternity2-hints", "--pieces"))[1] == "256 pieces, 22 colours"
    assert caption(drawn("perfect-5x5", "--pieces"))[1] == "25 pieces, 20 connectors"
    assert not drawn_pieces(drawn(instance, "--order", "spiral_in"))
    over = drawn(instance, solutions, "--order", "zig_zag", "--no-numbers", "--legend")
    assert len(drawn_pieces(over)) == 12
    assert (texts(over, "depths"), texts(over, "legend")) == ([], ["1", "2", "3"])
    assert sorted(path.name for path in folder.iterdir()) == ["boards.json", "picture.svg", "small.json"]
    assert main(["draw", instance, solutions, "-o", "-"]) == 0
    assert capsys.readouterr().out == drawn(instance, solutions)
