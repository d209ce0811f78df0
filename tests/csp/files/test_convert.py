"""The community's formats: what goes out comes back in, and what cannot be held or read is refused with its place."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import solve
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files import recolor
from jigsat.csp.files.convert import FORMATS, puzzle_text, solutions_text
from jigsat.csp.files.file_format import format_of, is_link
from jigsat.csp.files.instances import parse_puzzle, read_squares
from jigsat.csp.files.recolor import find_renamings
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.files.viewer_links import arrangement_of, format_link, parse_link
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from property_tests import examples
from strategies import puzzles

# Two pieces of clue1, one under the other in the text's order of sides: bottom, left, top, right.
TWO = "1 2\n0 0 0 5\n0 5 0 0\n"


def same_puzzle(puzzle, again):
    """Equal but for the name, which some formats have no place for."""
    return replace(again, name=puzzle.name) == puzzle


@pytest.mark.parametrize("kind", ["json", "csv", "url"])
@pytest.mark.parametrize("name", ["clue1", "clue3", "clue4", "puzzle-a"])
def test_solutions_survive_every_format_that_can_hold_them(name, kind, tmp_path):
    puzzle = read_squares(name)
    full = solve(puzzle).best_board
    boards = [full, tuple(None if square % 3 else placed for square, placed in enumerate(full))]
    file = tmp_path / "boards"
    file.write_text(solutions_text(puzzle, boards, kind, name))
    for board, again in zip(boards, read_solutions(file, puzzle), strict=True):
        if kind == "url":
            # A link shows how a piece lies, which for a symmetric one leaves its rotation open.
            assert [placed and (placed.piece, puzzle.shown(placed)) for placed in board] == [
                placed and (placed.piece, puzzle.shown(placed)) for placed in again
            ]
        else:
            assert again == board


@examples(200)
@given(puzzles(), st.sampled_from(list(FORMATS)))
def test_every_puzzle_survives_or_is_refused(puzzle, kind):
    """Nothing is dropped in silence: a format gives back the very same puzzle or says what it cannot hold."""
    too_much = puzzle.rule is Rule.OPPOSITE or bool(puzzle.fixed)
    spare, blank = len(puzzle.pieces) > len(puzzle.board), (0, 0, 0, 0) in puzzle.pieces
    if (kind in ("text", "url") and too_much) or (kind == "url" and (spare or blank)):
        with pytest.raises(InstanceError, match=r"represent|a viewer link needs|a viewer link, four"):
            puzzle_text(puzzle, kind, "made")
    else:
        assert same_puzzle(puzzle, parse_puzzle(puzzle_text(puzzle, kind, "made"), "made"))


def test_without_a_header_the_board_is_told_from_the_pieces():
    for rows, columns in ((1, 1), (1, 2), (1, 7), (2, 2), (2, 5), (3, 4), (4, 4), (6, 12)):
        sides = [
            tuple(0 if out else 1 for out in (r == 0, c == columns - 1, r == rows - 1, c == 0))
            for r in range(rows)
            for c in range(columns)
        ]
        text = "\n".join(f"{down} {left} {up} {right}" for up, right, down, left in sides)
        puzzle = parse_puzzle(text)
        assert (puzzle.rows, puzzle.columns) == (rows, columns)
    with pytest.raises(InstanceError, match="do not fill a rectangle exactly"):
        parse_puzzle("1 2 1 2\n1 2 1 2\n1 2 1 2")


@pytest.mark.parametrize("site", ["https://e2.bucas.name/#", "https://eternity2.dev/viewer?", ""])
def test_a_link_is_read_from_either_site(site):
    puzzle = read_squares("clue1")
    board = solve(puzzle).best_board
    fields = format_link(puzzle, board, "clue1").partition("#")[2]
    square = fields.replace("board_w=6&board_h=6", "puzzle_size=6") + "&motifs_order=jblackwood"
    for text in (fields, square, fields.replace("board_w=6&board_h=6&", "")):
        assert arrangement_of(parse_link(site + text, "link"), puzzle, "link") == board
    # Without piece numbers the pieces are identified by their sides; equal ones may be exchanged.
    told = arrangement_of(parse_link(site + fields.partition("&board_pieces")[0], "link"), puzzle, "link")
    assert check(puzzle, told).is_solution


def test_letters_of_a_link_are_up_right_down_left():
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 3, 0, 0), (0, 3, 0, 0)))
    link = format_link(puzzle, (Placement(1, 0), Placement(0, 2)), "two")
    assert "board_w=2&board_h=1&board_edges=adaaaaad&board_pieces=002001" in link
    assert "board_edges=adaaaaaa&board_pieces=002000" in format_link(puzzle, (Placement(1, 0), None), "two")


@examples(30)
@given(st.integers(0, 2**32))
def test_boards_of_viewers_that_number_colours_otherwise_are_read(seed):
    """Half a board of the size of Eternity II, its colours renamed at random, shows the same pieces."""
    chance, dealt = random.Random(seed), deal_edge_matching(16, 16, 5, 17, seed=seed)
    board = tuple(placed if chance.random() < 0.5 else None for placed in dealt.solution)
    link = recolored(format_link(dealt.puzzle, board, "board"), chance, 22)
    looks = [
        [placed and dealt.puzzle.shown(placed) for placed in one]
        for one in (board, board_in(unnumbered(link), dealt.puzzle))
    ]
    assert looks[0] == looks[1]


def recolored(link, chance, colors=25):
    """The same board in a link that has other letters for the colours."""
    letters = [chr(ord("a") + color) for color in range(1, colors + 1)]
    other = str.maketrans(dict(zip(letters, chance.sample(letters, colors), strict=True)))
    head, edges, rest = re.fullmatch(r"(.*board_edges=)([a-z]*)(.*)", link).groups()
    return head + edges.translate(other) + rest


def with_letter(link, place, letter):
    """The link with another letter at that place, counted from 0."""
    head, edges = link.split("board_edges=")
    return f"{head}board_edges={edges[:place]}{letter}{edges[place + 1 :]}"


def board_in(link, puzzle):
    return arrangement_of(parse_link(link, "link"), puzzle, "link")


def unnumbered(link):
    return link.partition("&board_pieces")[0]


@examples(60)
@given(st.integers(0, 2**32))
def test_a_board_in_other_colours_is_read_right_or_not_at_all(seed):
    """Few squares may leave open what the letters mean, but with numbers no other board comes out."""
    chance = random.Random(seed)
    rows, columns = chance.choice([(3, 3), (3, 4), (5, 5)])
    made = deal_edge_matching(rows, columns, chance.randint(1, 5), chance.randint(1, 4), seed=seed)
    share = chance.random()
    board = tuple(placed if chance.random() < share else None for placed in made.solution)
    link = recolored(format_link(made.puzzle, board, "made"), chance)
    try:
        read = board_in(link, made.puzzle)
    except InstanceError as error:
        assert "in more than one way; number the colours" in str(error)  # noqa: PT017
        return
    assert [placed and placed.piece for placed in read] == [placed and placed.piece for placed in board]
    looks = [tuple(placed and made.puzzle.shown(placed) for placed in one) for one in (read, board)]
    # By chance the other letters may be those of the same pieces, turned.
    assert looks[0] in (looks[1], parse_link(link, "link").sides)


def two_inner_pieces():
    """Pieces 101 and 102 of Eternity II on B2 and B3."""
    puzzle = read_squares("eternity2")
    board = tuple({17: Placement(100, 0), 18: Placement(101, 0)}.get(square) for square in range(256))
    return puzzle, board, format_link(puzzle, board, "two")


def test_a_wrong_letter_is_no_other_numbering_of_the_colours():
    puzzle, board, link = two_inner_pieces()
    assert board_in(link, puzzle) == board_in(unnumbered(link), puzzle) == board
    wrong = with_letter(link, 4 * 17, "z")
    with pytest.raises(InstanceError, match=r"square B2 \(z\w\w\w\): no remaining piece of eternity2 has these sides"):
        board_in(wrong, puzzle)
    with pytest.raises(InstanceError, match=r"in more than one way; add board_pieces"):
        board_in(unnumbered(wrong), puzzle)
    with pytest.raises(InstanceError, match=r"may mean this puzzle's colours in more than one way; add board_pieces$"):
        board_in(unnumbered(recolored(link, random.Random(3))), puzzle)


def test_numbers_that_are_not_those_of_the_pieces_shown():
    made = deal_edge_matching(3, 3, 2, 2, seed=1)
    link = format_link(made.puzzle, made.solution, "made")
    head, numbers = link.split("board_pieces=")
    for other in (numbers[3:] + numbers[:3], "901902903904905906907908909"):
        with pytest.warns(UserWarning, match="board_pieces has other numbers than .* by their sides"):
            assert check(made.puzzle, board_in(f"{head}board_pieces={other}", made.puzzle)).is_solution
    for swapped, why in (
        (numbers[3:6] + numbers[:3] + numbers[6:], r"piece \d does not have the sides of A\d in board_edges; omit"),
        ("901" + numbers[3:], "A1 has piece 901, but the pieces are numbered 1 to 9; omit"),
    ):
        with pytest.raises(InstanceError, match=f"board_pieces: {why}"):
            board_in(f"{head}board_pieces={swapped}", made.puzzle)
    assert check(made.puzzle, board_in(unnumbered(link), made.puzzle)).is_solution


@pytest.mark.parametrize("seed", [1, 2, 64, 65])
def test_fixed_pieces_stay_where_they_are_fixed(seed):
    """Another piece that looks alike does not take the square, and a symmetric one keeps its rotation."""
    for arguments, clues in (((3, 3, 1, 1), 9), ((6, 6, 2, 4), 2), ((4, 4, 1, 1), 3)):
        made = deal_edge_matching(*arguments, clues=clues, seed=seed)
        link = format_link(made.puzzle, made.solution, "made")
        for text in (link, unnumbered(link), recolored(link, random.Random(seed))):
            assert check(made.puzzle, board_in(text, made.puzzle)).is_solution
        assert [placed.piece for placed in board_in(link, made.puzzle)] == [placed.piece for placed in made.solution]


def test_a_fixed_piece_is_not_put_elsewhere_while_its_twin_is_left():
    twins = EdgeMatchingPuzzle(1, 2, ((0, 3, 0, 0), (0, 3, 0, 0)), fixed=(Fixed(0, 0, 0),))
    link = format_link(twins, (None, Placement(1, 2)), "twins")
    assert board_in(unnumbered(link), twins) == (None, Placement(1, 2))


def test_a_renaming_takes_no_piece_twice():
    """Two squares that look alike need two pieces that look alike."""
    alike = [(0, 7, 4, 0), (7, 4, 0, 0)]
    assert find_renamings(alike, [(2, 0, 0, 3), (5, 0, 0, 6)]) == ([], True)
    assert find_renamings(alike, [(5, 0, 0, 6), (2, 0, 0, 3), (0, 3, 2, 0)]) == ([{0: 0, 7: 3, 4: 2}], True)


@pytest.mark.parametrize("seed", [5, 7])
def test_a_renaming_that_is_perhaps_not_the_only_one_is_refused(seed, monkeypatch):
    """Few squares of a large puzzle: the search for renamings ends before it has tried all."""
    monkeypatch.setattr(recolor, "_MOST_STEPS", 400_000)
    chance, dealt = random.Random(seed), deal_edge_matching(16, 16, 5, 17, seed=seed)
    letters = [0, *chance.sample(range(1, 23), 22)]
    chosen = {*chance.sample(range(256), 12)}
    squares = [dealt.puzzle.shown(placed) if at in chosen else (0,) * 4 for at, placed in enumerate(dealt.solution)]
    edges = "".join(chr(ord("a") + letters[color]) for sides in squares for color in sides)
    with pytest.raises(InstanceError, match="letters may mean this puzzle's colours in more than one way"):
        board_in(f"https://e2.bucas.name/#board_w=16&board_h=16&board_edges={edges}", dealt.puzzle)


TABLE = "piece,up,right,down,left\n1,0,5,0,0\n2,0,0,0,5\n"
LINK = "https://e2.bucas.name/#puzzle=two&board_w=2&board_h=1&board_edges=afaaaaaf&board_pieces=001002"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\x00\x01", "unknown format; JSON, piece text"),
        ("1 2\n0 0 0 5\n0 x 0 0\n", "line 3: left 'x' is not a whole number; colours are all numbers, or all words"),
        ("1 2\n0 0 0 \u0665\n0 5 0 0\n", "is not a whole number"),
        ("1 2\n0 0 0 99999999999\n", "line 2: 99999999999 is larger than 2147483647"),
        (TABLE.replace("0,5\n", "0,5,5\n"), "line 3: 6 columns instead of 5"),
        ("# rows=1\n" + TABLE, "line 1: columns '' is not a number of squares"),
        ("# kind=sudoku\n" + TABLE, "line 1: kind 'sudoku' is not one of edge-matching, jigsaw"),
        (TABLE.replace("left", "left,square").replace("5\n", "5,A1\n").replace("0\n", "0,\n"), "rotation is missing"),
        (LINK.replace("afaaaaaf", ""), "board_edges is missing"),
        (LINK.replace("board_w=2", "board_w=two"), "board_w: 'two' is not a number of squares"),
        (LINK.replace("001002", "00102"), "board_pieces: 5 characters instead of 6 digits"),
        (LINK.replace("001002", "00x002"), "board_pieces: character 3 is 'x', which is not a digit"),
        (LINK.replace("001002", "001003"), "A2 has piece 3, but .* omit board_pieces to number them row by row"),
        (LINK.replace("board_w=2&board_h=1&", ""), "8 letters instead of 4, 4 for each square of a 1x1 board"),
        (LINK.replace("board_w=2&board_h=1&", "board_h=0&"), "rows must lie between 1 and 1024, not 0"),
        (LINK.replace("001002", "001000"), "A2 has letters there, but no piece"),
        (LINK.replace("afaaaaaf", "afaaaaaa").replace("002", "000"), "1 of 2 squares are empty"),
        (LINK.replace("two", "one two"), "must not contain white space"),
        (LINK + "&a=b" * 200, "more fields than any viewer uses"),
    ],
)
def test_what_cannot_be_read_gets_file_place_and_cause(text, message):
    with pytest.raises(InstanceError, match=message) as caught:
        parse_puzzle(text, "bad.txt")
    assert str(caught.value).startswith("bad.txt: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("puzzle", "kind", "message"),
    [
        (EdgeMatchingPuzzle(1, 1, ((26, 0, 0, 0),)), "url", "a viewer link can represent the colours 1 to 25"),
        (EdgeMatchingPuzzle(40, 25, ((1, 1, 1, 1),) * 1000), "url", "a viewer link can represent at most 999"),
        (EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),)), "url", "piece 1: in a viewer link, four border sides"),
        (EdgeMatchingPuzzle(1, 1, ((1, 0, 0, 0),) * 2), "url", "2 pieces for 1 squares"),
        (EdgeMatchingPuzzle(1, 1, ((1, 0, 0, 0),), Rule.OPPOSITE), "url", "cannot represent connectors"),
        (EdgeMatchingPuzzle(1, 1, ((1, 0, 0, 0),), Rule.OPPOSITE), "text", "cannot represent connectors"),
        (read_squares("eternity2"), "url", "cannot represent fixed pieces"),
        (EdgeMatchingPuzzle(1, 1, ((0,) * 4,), assemblies=((Placement(0, 0),),)), "csv", "cannot represent assemblies"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(puzzle, kind, message):
    with pytest.raises(InstanceError, match=message):
        puzzle_text(puzzle, kind, "out")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO, r"not a table of row, column, piece and rotation \(line 1: '1 2' is not"),
        ("3/0 13/3 8/3", r"not a grid of piece/rotation \(3 squares instead of the 36 of a 6x6 board\)"),
        ("solution,square,piece,rotation\n1,A7,1,0\n", "line 2: square A7 is not on the 6x6 board"),
        ("solution,square,piece,rotation\n1,,1,0\n", "line 2: '' is not the name of a square"),
        ("solution,square,piece,rotation\n1,A1,0,0\n", "line 2: pieces are numbered from 1"),
        ("solution,square,piece,rotation\n1,A1,1,4\n", "rotations are 0, 1, 2 or 3"),
        ("solution,square,piece,rotation\n1,A1,,4\n", "line 2: '' is not a number"),
    ],
)
def test_boards_that_cannot_be_read(text, message, tmp_path):
    (tmp_path / "boards").write_text(text)
    with pytest.raises(InstanceError, match=message):
        read_solutions(tmp_path / "boards", read_squares("clue1"))


EDGES = "afaaaaaf"


@pytest.mark.parametrize(
    "text",
    [
        f"https://e2.bucas.name/?board_w=2&board_h=1&board_edges={EDGES}#top",
        f"https://e2.bucas.name/?puzzle=other#board_w=2&board_h=1&board_edges={EDGES}",
        f"https://e2.bucas.name/#puzzle=what?&board_w=2&board_h=1&board_edges={EDGES}",
        f"https://e2.bucas.name/#/viewer?board_w=2&board_h=1&board_edges={EDGES}",
        f"https://e2.bucas.name/#board_w=2&amp;board_h=1&amp;board_edges={EDGES}",
        f"https://e2.bucas.name/#board%5Fw=2&board%5fh=1&board%5Fedges={EDGES}",
        f"  HTTPS://e2.bucas.name/#board_h=1&board_edges={EDGES}\r\n",
        f"\ufeff#board_w=2&amp;board_h=1&amp;board_edges={EDGES}",
        f"?board_w=2&board_h=1&board_edges={EDGES}",
    ],
)
def test_links_as_they_are_found(text):
    assert is_link(text)
    assert format_of(text, "link") == "url"
    assert parse_puzzle(text).pieces == ((0, 5, 0, 0), (0, 0, 0, 5))
