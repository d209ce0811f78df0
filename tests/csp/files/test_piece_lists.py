"""Lists of pieces as spreadsheets, other programs and people write them: read as the same puzzle, or refused."""

import json
import warnings

import pytest

from jigsat import convert, count, read
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import parse_puzzle
from jigsat.csp.files.sides import reading
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle

#: Up, right, down and left side of the pieces of a 3x4 board, in no order, with one arrangement up to turns.
PIECES = (
    (3, 4, 0, 0), (4, 0, 0, 3), (1, 1, 0, 2), (1, 1, 0, 4), (1, 2, 2, 4), (0, 2, 2, 0), (3, 0, 3, 2), (4, 2, 2, 1),
    (4, 4, 2, 0), (2, 3, 0, 1), (1, 4, 3, 0), (1, 0, 0, 1),
)  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore:.* read as a 3x4 board:jigsat.csp.base.errors.Notice")
NAMES = ("grey", "blue", "green", "pink", "red")


def lines(order="urdl", between=" ", name=str, before=lambda number: (), after=lambda number: ()):
    """The pieces, a line each, with their sides in this order."""
    rows = (
        [*before(number), *(name(sides["urdl".index(side)]) for side in order), *after(number)]
        for number, sides in enumerate(PIECES, start=1)
    )
    return "".join(between.join(map(str, row)) + "\n" for row in rows)


def numbered(between=",", **named):
    return lines(between=between, before=lambda number: [number], **named)


HEADER = "piece,up,right,down,left\n"
SAME = {
    "numbers, text": lines("dlur", before=lambda number: [number]),
    "numbers with a colon": lines("dlur", before=lambda number: ["Piece", f"{number}:"]),
    "numbers behind": lines(between=",", after=lambda number: [number]),
    "numbers in any order": "".join(sorted(lines("dlur", before=lambda number: [number]).splitlines(keepends=True))),
    "names": lines("dlur", before=lambda number: [f"p{number}"]),
    "a leading 0": lines("dlur", before=lambda number: [0]),
    "the number of pieces": "12\n" + lines("dlur"),
    "a flag": "0\n" + lines("dlur"),
    "pieces, rows, columns, colours": "12 3 4 5\n" + lines("dlur"),
    "a size in two lines": "3\n4\n" + lines("dlur"),
    "3x4": "3x4 pieces\n" + lines("dlur"),
    "DIMACS": "c my own nice puzzle\np tile 3 4\n" + lines(),
    "no header": numbered(),
    "no header, semicolons": numbered(";"),
    "commas at the end": numbered().replace("\n", ",\n"),
    "sep=": "sep=;\r\n" + (HEADER + numbered()).replace(",", ";"),
    "sep= in quotation marks, tabs": '"sep=\t"\n' + (HEADER + numbered()).replace(",", "\t"),
    "decimals": HEADER + numbered(name="{}.0".format),
    "decimal commas": (HEADER + numbered()).replace(",", ";").replace("\n", ",0\n").replace("left,0", "left"),
    "empty rows": HEADER + numbered() + ",,,,\n" * 3 + '"","","","",""\n',
    "empty columns": (HEADER + numbered()).replace("\n", ",,\n"),
    "a header of others": "Tile ID;Top colour;Bottom colour;Left colour;Right colour\n"
    + lines("udlr", ";", before=lambda number: [number]),
    "a header in a comment": "# top bottom left right\n" + lines("udlr"),
    "a header below a number": "12\n" + HEADER + numbered(),
    "a number sign": "#,top,right,bottom,left\n" + numbered(),
    "a program's list": "{" + lines(between=", ").replace("\n", "},\n{").removesuffix(",\n{") + "};",
    "bars": "| " + lines(between=" | ").replace("\n", " |\n| ").removesuffix("| "),
    "eternity2.dev": json.dumps({"id": "a", "width": 4, "height": 3, "numColors": 4, "pieces": PIECES, "hints": []}),
    "a JSON list": json.dumps(PIECES),
    "JSON objects": json.dumps([dict(zip(("top", "right", "bottom", "left"), sides, strict=True)) for sides in PIECES]),
}


@pytest.mark.parametrize("kind", SAME)
def test_the_same_puzzle(kind):
    puzzle = parse_puzzle(SAME[kind])
    assert {puzzle.rows, puzzle.columns} == {3, 4}
    assert puzzle.pieces == PIECES


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (lines("dlur", before=lambda number: [number - 1]), "pieces are numbered from 0"),
        (json.dumps([{"id": i, "edges": sides} for i, sides in enumerate(PIECES)]), "pieces are numbered from 0"),
        (lines("dlur", name=lambda color: color or 23), "the border is '23'"),
        (lines("dlur", name=lambda color: color or "X"), "the border is 'X'"),
        ("3 4\n" + lines(between=",", name=lambda color: f"{color or 65535:016b}", after=lambda n: (0, 0, 0)), "65535"),
        (lines("dlur", name="abcde".__getitem__), "the border is 'a'"),
        (lines("dlur", "", name="abcde".__getitem__), "in the order b, c, d, e"),
        (lines("dlur"), "read as a 3x4 board; a first line `ROWS COLUMNS` gives another size"),
        (HEADER + numbered(name=NAMES.__getitem__), "in the order blue, green, pink, red"),
        (HEADER + numbered(name=lambda color: NAMES[color] if color else 0), "in the order blue, green, pink, red"),
    ],
)
def test_what_is_guessed_is_said(text, note):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert parse_puzzle(text).pieces == PIECES
    assert note in " ".join(str(warning.message) for warning in told)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(encoding, tmp_path):
    (tmp_path / "a.txt").write_bytes((HEADER + numbered()).replace(",", "\t").replace("\n", "\r\n").encode(encoding))
    assert read(tmp_path / "a.txt").pieces == PIECES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12\n" + lines()[:-8], "12 are not the number of pieces, 11, .* is the file cut short"),
        (lines(after=lambda number: [number % 3]), r"tried columns 2 to 5 as sides \(column 1 .*\) and columns 1 to 4"),
        (lines(before=lambda number: [number + 5]), "piece 6 instead of piece 1"),
        (lines().replace("4", "l", 1), "line 1: left 'l' is not a whole number"),
        (numbered().replace(",1,", ",,", 1), "line 3: up is missing"),
        ("   1/0   2/1\n ---/-   3/2\n", "looks like a board of pieces and rotations; give the puzzle"),
        (HEADER, "contains no pieces"),
        ("my pieces\n" + lines(), "unknown format"),
        ('{"width": 1, "height": "1", "pieces": [[0, 0, 0, 0]]}', "are not numbers of rows and columns"),
        ("[[0, 0, 0, [1]]]", r"piece 1: \[1\] is not a colour"),
        ('{"width": 1, "height": 1, "pieces": [[0, 0, 0, 0]], "hints": [{"pos": 5}]}', "hint 1: .* does not have pos"),
        ("3 4\n" + lines(between=",", after=lambda number: (number, 9, 0)), "row 9, rotation 0 are not on a board"),
    ],
)
def test_what_is_refused_says_why(text, message):
    with pytest.raises(JigsatError, match=message) as caught:
        parse_puzzle(text, "bad")
    assert "\n" not in str(caught.value)


def test_hints_of_others_are_fixed_pieces():
    """Both forms of eternity2.dev: positions row by row, or x and y, and clockwise quarter turns."""
    puzzle = parse_puzzle(
        json.dumps({"width": 4, "height": 3, "pieces": PIECES, "hints": [{"pos": 5, "piece": 4, "rot": 3}]})
    )
    assert puzzle.fixed == ((5, 4, 3),)
    text = lines(between=",", after=lambda number: (1, 1, 3) if number == 5 else (0, 0, 0))
    assert parse_puzzle("3 4\n" + text) == puzzle


def test_the_order_of_the_sides_and_the_border_may_be_told(tmp_path):
    """In every format, and in the same way for `convert`."""
    told = {"sides": "top,bottom,left,right", "border": 7}
    texts = {
        "a.txt": lines("udlr", name=lambda color: color or 7),
        "a.csv": "piece,a,b,c,d\n".replace("a,b,c,d", "up,right,down,left")
        + lines("udlr", ",", name=lambda color: color or 7, before=lambda number: [number]),
        "a.json": json.dumps([[color or 7 for color in (u, d, left, r)] for u, r, d, left in PIECES]),
        "b.json": json.dumps(
            {
                "format": "jigsat/1", "kind": "edge-matching", "name": "a", "rows": 3, "columns": 4,
                "pieces": [[color or 7 for color in (u, d, left, r)] for u, r, d, left in PIECES],
            }
        ),
        "a.url": "https://e2.bucas.name/#board_w=4&board_h=3&board_edges="
        + "".join("hbcde"[color] for u, r, d, left in PIECES for color in (u, d, left, r)),
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        border = "h" if name == "a.url" else 7
        assert read(tmp_path / name, **{**told, "border": border}).pieces == PIECES
        convert(tmp_path / name, tmp_path / "c.json", **{**told, "border": border})
        assert count(read(tmp_path / "c.json")).count == count(EdgeMatchingPuzzle(3, 4, PIECES)).count
    with pytest.raises(JigsatError, match=r"sides: 'top,top,left,right' does not name the four sides"):
        reading("top,top,left,right", None)
    with pytest.raises(JigsatError, match="border: no piece has the side '9'"):
        read(tmp_path / "a.txt", border=9)
    with pytest.raises(JigsatError, match="sides: is for square pieces with colours"):
        read("ostomachion", sides="tblr")
