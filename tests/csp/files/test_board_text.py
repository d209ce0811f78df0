"""Boards as other programs print them: as grids and tables, under other numbers, in other turns."""

import json
import warnings

import pytest

from jigsat import best, read, read_solutions, write
from jigsat.csp.files.piece_lists import parse_pieces
from jigsat.csp.puzzles.board import Board, Placement, board_text, turned
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle

PIECES = """piece,up,right,down,left
1,0,3,4,1\n2,6,3,0,1\n3,0,1,1,0\n4,0,0,1,3\n5,6,6,5,6\n6,0,1,5,3\n7,0,0,3,1\n8,1,0,2,4
9,4,4,4,6\n10,3,0,3,4\n11,3,6,2,0\n12,0,2,6,3\n13,1,0,1,5\n14,6,5,4,4\n15,4,6,6,4\n16,3,2,0,0
"""
PUZZLE = parse_pieces(PIECES, "pieces", "four")
BOARD = (
    ((3, 0), (13, 3), (8, 3), (16, 2)),
    ((2, 1), (14, 3), (9, 3), (10, 0)),
    ((1, 3), (15, 0), (5, 3), (6, 1)),
    ((4, 2), (11, 3), (12, 2), (7, 1)),
)
WANTED = tuple(Placement(piece - 1, rotation) for row in BOARD for piece, rotation in row)


def grid(square, mark=" "):
    return "\n".join(mark.join(square(*placed) for placed in row) for row in BOARD) + "\n"


def table(line, head=""):
    return head + "".join(line(i, j, *placed) + "\n" for i, row in enumerate(BOARD) for j, placed in enumerate(row))


PLAIN = grid("{}/{}".format)
TEXTS = {
    "slashes": (PLAIN, ""),
    "colons, byte order mark, tabs": ("\ufeff" + grid("{:03}:{}".format, "\t").replace("\n", "\r\n"), ""),
    "as solve prints it": (
        f"four: satisfiable\n{board_text(WANTED, Board(4, 4))}\n  effort   59 nodes in 0.04 s\n",
        "",
    ),
    "parentheses": (grid("({}, {})".format, ", "), ""),
    "a frame": ("+----+\n" + grid("{:>2} / {}".format, " | ").replace("\n", " |\n+----+\n"), ""),
    "one line": (PLAIN.replace("\n", " "), ""),
    "below a log": (f"# mine\nscore: 24\nBoard:\n{PLAIN}elapsed 3.5 s\n", ""),
    "degrees": (grid(lambda piece, rotation: f"{piece}/{90 * rotation}"), ""),
    "pieces from 0": (grid(lambda piece, rotation: f"{piece - 1}/{rotation}"), "numbered from 0"),
    "rotations from 1": (grid(lambda piece, rotation: f"{piece}/{rotation + 1}"), "from 1 to 4"),
    "counter-clockwise": (grid(lambda piece, rotation: f"{piece}/{-rotation % 4}"), "counter-clockwise"),
    "lists": (json.dumps(BOARD), ""),
    "what solve --json prints": (json.dumps({"engine": "backtrack", "best_board": BOARD}), ""),
    "table": (table("{},{},{},{}".format, "row,col,piece,rot\n"), ""),
    "table from 1": (table(lambda i, j, p, r: f"{i + 1};{j + 1};{p};{r}", "Row;Column;Piece;Rotation\n"), ""),
    "table without names": (table("{} {} {} {}".format), ""),
    "table of x and y": (table(lambda i, j, p, r: f"{j}\t{i}\t{p}\t{r}", "x\ty\ttile\torientation\n"), ""),
    "table of squares": (table(lambda i, j, p, r: f"{'ABCD'[i]}{j + 1} {p} {r}"), ""),
}


@pytest.mark.parametrize(("text", "note"), TEXTS.values(), ids=TEXTS)
def test_a_board_in_any_form(text, note, tmp_path):
    (tmp_path / "board").write_text(text, encoding="utf-8", newline="")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert read_solutions(tmp_path / "board", PUZZLE) == [WANTED]
    assert [note in str(one.message) for one in said] == [True] * bool(note)


def test_several_boards_and_empty_squares(tmp_path):
    (tmp_path / "boards").write_text(f"solution 1\n{PLAIN}\nsolution 2\n{PLAIN.replace('14/3', ' --  ')}")
    first, second = read_solutions(tmp_path / "boards", PUZZLE)
    assert (first, second) == (WANTED, (*WANTED[:5], None, *WANTED[6:]))


@pytest.mark.parametrize("name", ["clue1", "meta10"])
def test_a_known_set_under_other_numbers_is_recognised_by_its_pieces(name, tmp_path):
    """Numbers, turns and colours of the pieces differ; the board, a solution file and a link have those of the set."""
    known = read(name)
    board = best(known, engine="beam", width=100, node_limit=50_000, seed=1).best_board
    colors = {color: color % 11 * 2 + color // 11 + 1 if color else 0 for sides in known.pieces for color in sides}
    assert len(set(colors.values())) == len(colors)
    pieces = [turned(tuple(map(colors.get, sides)), number % 4) for number, sides in enumerate(known.pieces)]
    puzzle = EdgeMatchingPuzzle(known.rows, known.columns, tuple(pieces[::-1]), name="other")
    (tmp_path / "board.txt").write_text(board_text(board, known.board))
    write(known, [board], tmp_path / "board.json")
    write(known, [board], tmp_path / "board.url")
    link = (tmp_path / "board.url").read_text()
    (tmp_path / "board.url").write_text(f"# found in 2020\n// by me\n{link}")
    for source in ("board.txt", "board.json", "board.url"):
        with pytest.warns(UserWarning, match=rf"{source}.*(as in {name}|same pieces|by their sides)"):
            (found,) = read_solutions(tmp_path / source, puzzle)
        assert puzzle.score(found) == known.score(board)
