"""Every way to be wrong: one line with file, place and cause, exit status 2, and never a traceback."""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path

import pytest

from jigsat.cli.main import main
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import fingerprint, read_puzzle, read_squares
from jigsat.csp.files.viewer_links import format_link

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]
PIECES = [[0, 1, 2, 0], [0, 0, 3, 1], [2, 4, 0, 0], [3, 0, 0, 4]]
GOOD = {"format": "jigsat/1", "kind": "edge-matching", "name": "four", "rows": 2, "columns": 2, "pieces": PIECES}
FIXED = {"square": "A1", "piece": 1, "rotation": 0}
LINK = format_link(read_squares("clue3"), None, "clue3")
PIECE_TEXT = "1 2\n0 0 0 5\n0 5 0 0\n"


CUT_SQUARE = {
    "format": "jigsat/1", "kind": "dissection", "name": "cut", "target": [[0, 0], [2, 0], [2, 2], [0, 2]],
    "pieces": [[[0, 0], [2, 0], [0, 2]], [[2, 0], [2, 2], [0, 2]]],
}  # fmt: skip
# Primes of six digits.
PRIMES = [n for n in range(10**5, 10**5 + 2000) if all(n % d for d in range(2, 320))]


def instance(**changes):
    return json.dumps({**GOOD, **changes})


def without(key):
    return json.dumps({name: value for name, value in GOOD.items() if name != key})


def fixed(*entries, **changes):
    return instance(fixed=list(entries) or [{**FIXED, **changes}])


def pieces(*changed):
    return instance(pieces=[*changed, *PIECES[len(changed) :]])


def assembly(first):
    return instance(assemblies=[[[first, [2, 0]], [[3, 0], [4, 0]]]])


def dissection(**changes):
    return json.dumps({**CUT_SQUARE, **changes})


def piece(*vertices):
    return dissection(pieces=[list(vertices), CUT_SQUARE["pieces"][1]])


def target(*vertices):
    return dissection(target=list(vertices))


def corner(x, y=2):
    """The square with another last corner of its second piece."""
    return dissection(pieces=[CUT_SQUARE["pieces"][0], [[2, 0], [2, 2], [x, y]]])


#: What stands in a puzzle file, and what is said of it: place and cause.
BAD_PUZZLES = {
    "not JSON": ("{rows: 2}", "line 1, column 2: not JSON"),
    "JSON cut short": (instance()[:-20], "line 1, column .*: not JSON"),
    "two objects": (instance() * 2, "line 1, column 157: not JSON: Extra data"),
    "a list": ("[1, 2]", "a JSON object is expected, not list"),
    "empty": ("", "is empty"),
    "blank": ("\n \t\r\n", "is empty"),
    "UTF-16": (instance().encode("utf-16")[:-1], "not a text file: byte .* is not UTF-16"),
    "nested": ("[" * 100_000, "not usable JSON: nested too deeply"),
    "a number of 10 000 digits": (instance().replace("2", "2" * 10_000, 1), "line 1, column .*: a number of more than"),
    "not a number": (instance(known={"a": "NaN", "b": float("nan")}), "line 1, column 185: NaN is not a number"),
    "a number that overflows": (instance(known={"a": 7}).replace("7", "1e999"), "1e999 is not a number that JSON can"),
    "a name twice": ('{"name": "x", "name": "y"}', "'name' is given 2 times in one object"),
    "too many names": (instance(known=dict.fromkeys(map(str, range(10_001)))), "an object of 10001 names"),
    "half a character in the source": (instance(source="\ud83d"), r"holds '\\ud83d', half of a UTF-16 surrogate pair"),
    "wrong format": (instance(format="jigsat/9"), "format: must be 'jigsat/1', not 'jigsat/9'"),
    "unknown kind": (instance(kind="sudoku"), "kind: must be .*, not 'sudoku'"),
    "a number for a name": (instance(name=7), "name: "),
    "unknown field": (instance(colours=4), "colours: is not a field of this format"),
    "a misspelt field": (instance().replace("columns", "coluns"), r"coluns: is not a field .*did you mean 'columns'\?"),
    "words for a switch": (instance(turn="yes"), "turn: must be true or false, not 'yes'"),
    "a line of control characters": ("\n\x1f", "contains only comments"),
    "no pieces": (without("pieces"), "pieces: is missing"),
    "pieces no list": (instance(pieces=4), "pieces: "),
    "too few pieces": (instance(pieces=PIECES[:3]), "pieces: 3 are too few for the 4 squares of a 2x2 board"),
    "three sides": (pieces([0, 1, 2]), "piece 1: has 3 entries"),
    "negative colour": (pieces([0, -1, 2, 0]), "piece 1: colour -1 is negative"),
    "fractional colour": (pieces([0, 1.5, 2, 0]), "piece 1, right side: must be a whole number, not 1.5"),
    "huge colour": (pieces([0, 10**12, 2, 0]), "piece 1, right side: .* 2147483647 or less"),
    "huge connector": (
        instance(kind="jigsaw", pieces=[[0, -(2**31), 2, 0], *PIECES[1:]]),
        "piece 1, right side: .* -2147483647 or more",
    ),
    "rows 0": (instance(rows=0), "rows: must be 1 or more, not 0"),
    "rows 10^9": (instance(rows=10**9), "rows: must be 1024 or less"),
    "fixed twice": (fixed(FIXED, {"square": "A2", "piece": 1, "rotation": 1}), "piece 1 is on two squares"),
    "two on one square": (fixed(FIXED, {**FIXED, "piece": 2}), "fixed: two pieces on A1"),
    "fixed off the board": (fixed(square="C1"), "square C1 is not on the 2x2 board, whose last square is B2"),
    "square 1": (fixed(square=1), "fixed 1, square: "),
    "border inside": (fixed(rotation=2), "fixed on A1: side up of piece 1 must be a border side there"),
    "rotation 4": (fixed(rotation=4), "fixed on A1: rotation 4 is not 0, 1, 2 or 3"),
    "piece 5": (fixed(piece=5), "fixed on A1: there is no piece 5; pieces are numbered 1 to 4"),
    "known count true": (instance(known={"count": True}), "known count: "),
    "assembly of another size": (instance(assemblies=[[[[1, 0]]]]), "assembly 1: 1 rows of 1 squares instead of a 2x2"),
    "assembly with piece 5": (assembly([5, 0]), "assembly 1, A1: there is no piece 5; pieces are numbered 1 to 4"),
    "assembly with a hole": (assembly(None), "assembly 1: A1 is empty; an assembly must be a full board"),
    "assembly with a piece twice": (assembly([2, 0]), "assembly 1: piece 2 is used twice, on A1 and on A2"),
    "comments": ("# Dear Sir,\n", "contains only comments"),
    "a megabyte of comments": ("# Dear Sir,\n" * 2**16 + PIECE_TEXT, "only comments in its first 262144 char"),
    "piece text with a word": ("2 2\n0 0 1 two\n", "line 2: right 'two' is not a whole number"),
    "piece text with three sides": ("2 2\n0 0 1\n", "line 2: 3 numbers instead of 4"),
    "piece text with rows 10^9": ("1000000000 2\n0 0 1 2\n", "rows must lie between 1 and 1024"),
    "CSV without left": ("up,right,down\n1,2,3\n", "line 1: .* the column 'left' is missing"),
    "CSV with a hole": ("up,right,down,left\n1,,3,4\n", "line 2: right is missing"),
    "CSV with a rotation alone": ("up,right,down,left,rotation\n1,2,3,4,0\n", "line 2: rotation '0' without a square"),
    "CSV with a place alone": (
        "up,right,down,left,square,fixed\n1,2,3,4,,7\n",
        "line 2: fixed '7' without a square",
    ),
    "CSV with short lines": ("up,right,down,left\n1,2,3\n", "line 2: 3 columns instead of 4"),
    "link cut short": (LINK[:150], "board_edges: .* letters instead of 144, .* is the link cut short"),
    "link with digits": (LINK.replace("board_edges=", "board_edges=7"), "board_edges: character 1 is '7'"),
    "link with a piece twice": (LINK.replace("001002", "002002"), "piece 2 is used twice, on A1 and on A2"),
    "a self-crossing target": (
        target([0, 0], [2, 2], [2, 0], [0, 2]), r"target: crosses itself or .*: edge \(0, 0\)-\(2, 2\) meets"),
    "a target that touches itself": (target([0, 0], [4, 0], [4, 4], [4, 2], [0, 4]), "target: degenerate at"),
    "a self-crossing piece": (piece([0, 0], [2, 2], [2, 0], [0, 2]), "piece 1: crosses or touches itself"),
    "a straight vertex": (target([0, 0], [1, 0], [2, 0], [2, 2], [0, 2]), r"target: degenerate at \(1, 0\)"),
    "a piece without area": (piece([0, 0], [1, 1], [2, 2]), r"piece 1: degenerate at \(0, 0\)"),
    "a piece of two vertices": (piece([0, 0], [2, 0]), "piece 1: 2 vertices; a polygon has 3 to 2000"),
    "too many vertices": (piece(*([i, i * i] for i in range(2001))), "piece 1, vertices: has 2001 entries"),
    "wrong area": (piece([0, 0], [1, 0], [0, 2]), "the total area of the pieces is 3, but that of the target is 4"),
    "a decimal of many digits": (corner(1e-300), "piece 2, vertex 3, x: 1e-300 has too many digits"),
    "a coordinate of 41 digits": (corner(10**40), "piece 2, vertex 3, x: a coordinate may have at most 40 digits"),
    "a huge coordinate": (corner(10**39), "piece 2: vertex 3 has a coordinate, or a denominator, beyond 1 000 000"),
    "denominators without end": (
        dissection(pieces=[[[f"1/{p}", 0], [1, f"1/{q}"], [0, 1]] for p, q in pairwise(PRIMES[:9])]),
        "the common denominator of the coordinates is larger than 10\\^18"),
    "a null coordinate": (corner(None), "piece 2, vertex 3, x: coordinates must be exact: .*; None is not"),
    "division by 0": (corner("1/0"), "piece 2, vertex 3, x: '1/0' is not an exact number such as 3, -7/2 or"),
    "braces": (corner("{why}{0}"), "piece 2, vertex 3, x: '{why}.0.' is not an exact number"),
    "a root": (corner("sqrt(2)"), r"the total area of the pieces is 4-sqrt\(2\), but that of the target is 4"),
    "a vertex of three coordinates": (piece([0, 0, 0], [2, 0], [0, 2]), "piece 1, vertex 1: has 3 entries"),
    "a dissection without pieces": (dissection(pieces=[]), "0 pieces: a dissection has 1 to 2000"),
    "too many pieces": (dissection(pieces=CUT_SQUARE["pieces"] * 1001), "pieces: has 2002 entries; give at most 2000"),
    "unknown motions": (dissection(motions="sideways"), "motions: must be 'any' or 'lattice', not 'sideways'"),
    "a target of squares": (instance(target=[]), "target: is not a field of this format"),
}  # fmt: skip


def solution(**changes):
    puzzle = read_squares("clue3")
    rows = [[None] * 6 for _ in range(6)]
    head = {"format": "jigsat-solution/1", "instance": "clue3", "sha256": fingerprint(puzzle), "solutions": [rows]}
    return json.dumps({**head, **changes})


def board(first):
    return solution(solutions=[[[first, *[None] * 5], *[[None] * 6 for _ in range(5)]]])


BAD_SOLUTIONS = {
    "for another puzzle": (solution(sha256="0" * 64, instance="clue9"), "sha256: the solutions are for another puzzle"),
    "an instance file": (instance(), "format: must be 'jigsat-solution/1'"),
    "a number for solutions": ('{"engine": "sat", "solutions": 7}', "solutions: 7 is not a list of boards"),
    "no solutions": (solution(solutions=[]), "holds no board"),
    "too few rows": (solution(solutions=[[[None] * 6] * 5]), "solution 1: 5 rows of 6 squares instead of a 6x6 board"),
    "rotation 4": (board([1, 4]), "solution 1, A1: rotation 4; rotations are 0 to 3"),
    "piece 99": (board([99, 0]), "solution 1, A1: there is no piece 99; pieces are numbered 1 to 36"),
    "2000 rows": (solution(solutions=[[[]] * 2000]), "solution 1: has 2000 entries"),
    "a rotation too many": (board([1, 0, 0]), "solution 1, "),
    "noise": (bytes(range(255, 0, -1)), "not a text file: byte 32 is not UTF-16"),
    "a link to another board": (format_link(read_squares("clue2"), None, "clue2"), "6x12 board instead of a 6x6 board"),
    "a link with other pieces": (format_link(read_squares("puzzle-a"), None, "a"), r"A1 \(.*\): no remaining piece"),
    "a table without rotations": ("square,piece\nA1,1\n", "the column 'rotation' is missing"),
    "a table with a square twice": ("square,piece,rotation\nA1,1,0\nA1,2,0\n", "line 3: second piece on A1"),
    "a table with piece 99": ("square,piece,rotation\nA1,99,0\n", "line 2: there is no piece 99"),
    "a table with a gap": (
        "solution,square,piece,rotation\n5,A1,1,0\n1,A1,1,0\n",
        "line 2: solution 5 instead of solution 2",
    ),
}  # fmt: skip


def tilings(*placed, **changes):
    head = {"format": "jigsat-solution/1", "instance": "l-shape", "sha256": fingerprint(read_puzzle("l-shape"))}
    return json.dumps({**head, "solutions": [list(placed)], **changes})


def placed(number, *vertices):
    return {"piece": number, "vertices": list(vertices) or [[0, 0], [1, 0], [0, 1]]}


FOUR = [placed(number) for number in range(1, 5)]

BAD_TILINGS = {
    "for another puzzle": (tilings(*FOUR, sha256="0" * 64), r"sha256: .* for another puzzle \(l-shape\)"),
    "boards": (tilings(solutions=[[[[1, 0], [2, 0]]]]), r"solution 1, entry 1: a JSON object is expected, not \[\[1"),
    "no solutions": (tilings(solutions=[]), "holds no tiling|no tiling 1; the file contains 0 tilings"),
    "a piece missing": (tilings(*FOUR[:2], FOUR[3]), "solution 1: piece 3 is missing"),
    "a piece twice": (tilings(*FOUR, FOUR[1]), "solution 1: piece 2 is given twice"),
    "piece 5": (tilings(*FOUR, placed(5)), "solution 1: there is no piece 5; pieces are numbered 1 to 4"),
    "piece 0": (tilings(*FOUR, placed(0)), "solution 1, entry 5, piece: must be 1 or more"),
    "too many vertices": (tilings(placed(1, *[[0, 0]] * 2001)), "solution 1, entry 1, vertices: has 2001 entries"),
    "a root cut short": (tilings(placed(1, [0, 0], [1, 0], [0, "sqrt(2"])), "'sqrt.2' is not an exact number"),
    "a table": ("square,piece,rotation\nA1,1,0\n", "is not JSON, the only format for tilings"),
}  # fmt: skip


def outcome(capsys, *arguments):
    """Status, and standard error; nothing is written to standard output."""
    status = main(arguments)
    captured = capsys.readouterr()
    assert captured.out == ""
    return status, captured.err


def certificate(**changes):
    puzzle = read_squares("clue3")
    file = {"file": "formula", "sha256": "0" * 64}
    states = "The edge-matching puzzle 'clue3' (6x6 board, 36 pieces) has no solution."
    page = {
        "format": "jigsat-certificate/1", "states": states, "instance": "clue3", "sha256": fingerprint(puzzle),
        "jigsat": "0.1.0", "encoding": "direct", "symmetry": True, "slips": "",
        "order": " ".join(puzzle.board.name(square) for square in range(len(puzzle.board))), "excluded": [],
        "score": None, "formula": file, "proof": {**file, "file": "proof"}, "solver": "cadical195", "checked": {},
    }  # fmt: skip
    return json.dumps({**page, **changes})


def excluded(first):
    return certificate(excluded=[[[[piece, 0] for piece in range(6 * row + 1, 6 * row + 7)] for row in range(5)]
                                 + [[[31, 0], [32, 0], [33, 0], [34, 0], [35, 0], first]]])  # fmt: skip


#: What stands in the page of a certificate, and what is said of it.
BAD_CERTIFICATES = {
    "not JSON": ("{states: 2}", "not a certificate"),
    "empty": ("", "not a certificate|is empty"),
    "UTF-16": (certificate().encode("utf-16")[:-1], "not a text file: byte .* is not UTF-16"),
    "nested in a field": ('{"excluded": ' + "[" * 100_000, "not a certificate"),
    "a puzzle": (instance(), "not a certificate: format: "),
    "unknown field": (certificate(colours=4), "not a certificate: colours: "),
    "a short hash": (certificate(sha256="0" * 63), "not a certificate: sha256: "),
    "another puzzle": (certificate(sha256="0" * 64), r"sha256: the certificate is of another puzzle \(clue3\)"),
    "another puzzle that steers": (certificate(sha256="0" * 64, instance="a\x1b[31m\nb"), "another puzzle"),
    "an unknown encoding": (certificate(encoding="runes"), "unknown CNF encoding 'runes'"),
    "bits for edge matching": (certificate(encoding="bits"), "bits: it is for jigsaws"),
    "an order too short": (certificate(order="A1 A2"), "order: "),
    "an order off the board": (certificate(order="Z99"), "square Z99 is not on the 6x6 board"),
    "slips too deep": (certificate(slips="999"), "slips: depth 999"),
    "a board too small": (certificate(excluded=[[[[1, 0]]]]), "excluded board 1 has 1 of 36 squares"),
    "piece 37": (excluded([37, 0]), "excluded"),
    "rotation 4": (excluded([36, 4]), "excluded"),
    "a hole": (excluded(None), "not a certificate: excluded"),
    "a formula elsewhere": (
        certificate(formula={"file": "../formula", "sha256": "0" * 64}),
        "the formula and the proof must be in the same folder",
    ),
    "a formula without a name": (certificate(formula={"file": "", "sha256": "0" * 64}), "formula|cannot be read"),
    "a formula with a null": (certificate(formula={"file": "a\0b", "sha256": "0" * 64}), "must be in the same folder"),
    "a hash of other letters": (certificate(proof={"file": "proof", "sha256": "x" * 64}), "proof.sha256: "),
}


BACKTRACK, SMALL = {"engine": "backtrack"}, {"family": "edge-matching", "rows": 3, "frame_colors": 2, "inner_colors": 2}
TANGRAM = {"instance": "tangram"}


def experiment(**changes):
    return json.dumps({"format": "jigsat-experiment/1", "name": "e", "parts": [json.loads(part())], **changes})


def part(**changes):
    return json.dumps({"goal": "count", "instances": [SMALL], "engines": [BACKTRACK], **changes})


def asking(**changes):
    return experiment(parts=[json.loads(text) for text in (part(), part(**changes))])


def engine(name="backtrack", puzzle=SMALL, goal="count", **changes):
    """The same, with the second engine changed."""
    return asking(engines=[BACKTRACK, {"engine": name, **changes}], instances=[puzzle], goal=goal)


def family(*without, **changes):
    """The same, with the second puzzle changed."""
    data = {**SMALL, **changes}
    return asking(instances=[SMALL, {key: value for key, value in data.items() if key not in without}])


def jigsaws(**changes):
    return asking(instances=[SMALL, {"family": "jigsaw", "rows": 5, **changes}])


def limits(name="backtrack", puzzle=SMALL, goal="count", **changes):
    return asking(limits=changes, engines=[{"engine": name}], instances=[puzzle], goal=goal)


#: What stands in an experiment file, and what is said of it: part, entry and cause.
BAD_EXPERIMENTS = {
    "not JSON": ("{parts: 2}", "line 1, column 2: not JSON"),
    "a list": ("[1, 2]", "a JSON object is expected, not list"),
    "empty": ("", "line 1, column 1: not JSON"),
    "two megabytes": (" " * 2**21, "larger than 1 MiB, the limit for such a file"),
    "a solution": ('{"format": "jigsat-solution/1"}', "format: must be 'jigsat-experiment/1', not 'jigsat-solution/1'"),
    "no name": (experiment().replace('"name"', '"about"'), "name: is missing"),
    "half a character": (experiment(name="\ud83d"), "name: "),
    "unknown field": (experiment(colour=3), "colour: is not a field of this format"),
    "no parts": (experiment(parts=[]), "parts: has 0 entries"),
    "a part in words": (experiment(parts=["all"]), "part 1: a JSON object is expected, not str"),
    "an instance in words": (asking(instances=["clue1"]), "part 2, instance 1: a JSON object is expected, not str"),
    "no engine": (asking(engines=[{"order": "rowscan"}]), "part 2: engine 1, engine: is missing"),
    "unknown motions": (engine(motions="sideways"), "part 2: engine 2, motions 1: must be 'any' or 'lattice'"),
    "a time limit below 0": (limits(seconds=-1), "part 2: limits seconds: must be 0 or more"),
    "half a node": (limits(nodes=0.5), "part 2: limits nodes: 0.5 is no whole number"),
    "nodes beyond 2^62": (limits(nodes=1e30), "part 2: limits nodes: must be less than"),
    "limits in a list": (asking(limits=[60]), r"part 2: limits: a JSON object is expected, not \[60\]"),
    "no such instance": (asking(instances=[SMALL, {"instance": "nowhere"}]), "part 2, instance 2: nowhere: there is"),
    "the experiment itself": (asking(instances=[{"instance": "bad"}]), "part 2, instance 1: .*bad: format: must be"),
    "files that are not there": (asking(instances=[{"files": "x/*.json"}]), r"instance 1: files 'x/\*.json': no file"),
    "neither instance nor family": (asking(instances=[{}]), r"part 2, instance 1: instance \(a file or a bundled name"),
    "unknown family": (family(family="sudoku"), "part 2, instance 2: instance .* is expected, not family 'sudoku'"),
    "rows 9..3": (family(rows="9..3"), "part 2, instance 2: rows: '9..3' is no range of at most 10000 numbers"),
    "rows 0": (family(rows=0), "part 2, instance 2: rows must lie between 1 and 1024, not 0"),
    "colours in words": (family(inner_colors="lots"), "part 2, instance 2: inner_colors: 'lots': numbers, a range"),
    "too many colours": (family(inner_colors="hardest+99"), "part 2, instance 2: inner_colors: a 3x3 board can have"),
}  # fmt: skip


#: What is bad, and the commands that read it.
BAD_FILES = {
    "puzzle": (BAD_PUZZLES, ["solve BAD", "info BAD", "draw BAD -o OUT.svg", "certify BAD --solutions 1"]),
    "solutions": (
        BAD_SOLUTIONS, ["check clue3 BAD", "count clue3 --from BAD", "convert --puzzle clue3 BAD OUT.csv"]
    ),
    "tilings": (
        BAD_TILINGS, ["check l-shape BAD", "draw l-shape BAD -o OUT.svg", "convert --puzzle l-shape BAD OUT.json"]
    ),
    "experiment": (BAD_EXPERIMENTS, ["compare BAD -o OUT --quiet", "compare BAD -o OUT --dry-run"]),
}  # fmt: skip


@pytest.fixture
def written(tmp_path):
    """Writes the file that is bad."""

    def write(content):
        file = tmp_path / "bad"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


@pytest.mark.parametrize(
    ("kind", "what", "command"),
    [
        (kind, what, command)
        for kind, (contents, commands) in BAD_FILES.items()
        for what, command in product(contents, commands)
        # To convert no solutions is no error.
        if what != "no solutions" or "convert" not in command
    ],
)
def test_bad_files(kind, what, command, written, tmp_path, capsys):
    """Nothing is run, and nothing is written."""
    content, message = BAD_FILES[kind][0][what]
    file = written(content)
    words = command.replace("BAD", str(file)).replace("OUT", str(tmp_path / "out")).split()
    assert_one_line(*outcome(capsys, *words), file, message)
    assert [path.name for path in tmp_path.iterdir()] == ["bad"]


def test_good_experiments_are_good(tmp_path, capsys):
    """Otherwise what is said of the bad ones would be of what they have in common."""
    for content in (experiment(), asking(), engine(), engine(puzzle=TANGRAM), family(), jigsaws(), limits()):
        file = tmp_path / "good"
        file.write_text(content)
        assert main(["compare", str(file), "-o", str(tmp_path / "out"), "--dry-run"]) == 0
        assert " 0 recorded; " in capsys.readouterr().out


@pytest.mark.parametrize("what", BAD_CERTIFICATES)
def test_bad_certificates(what, written, tmp_path, capsys):
    """An error is one line, and a page that is read but claims what is not so is said to prove nothing."""
    content, message = BAD_CERTIFICATES[what]
    file = written(content)
    status = main(["certify", "clue3", "--verify", str(file)])
    captured = capsys.readouterr()
    if status == 1:
        assert re.search(f": NOT proved: .*({message})", captured.out)
        assert captured.err == ""
        return
    assert captured.out == ""
    about = re.match("jigsat: (.*): cannot be read: ", captured.err)
    assert_one_line(status, captured.err, about[1] if about else file, message)
    assert str(tmp_path) in captured.err


def test_an_assembly_that_is_no_solution_names_its_file(written, capsys):
    pieces, assembly = (
        [[0, 1, 2, 0], [0, 0, 3, -1], [-2, 4, 0, 0], [-3, 0, 0, -4]],
        [[[1, 0], [2, 0]], [[3, 0], [4, 1]]],
    )
    file = written(instance(kind="jigsaw", pieces=pieces, assemblies=[assembly]))
    message = "assembly 1 is not a solution"
    assert_one_line(*outcome(capsys, "certify", str(file), "--solutions", "1"), file, message)


def assert_one_line(status, line, file, message):
    assert status == 2
    assert line.startswith(f"jigsat: {file}: ")
    assert line.count("\n") == 1
    assert len(line) < len(str(file)) + 300
    assert re.search(message, line), line


def test_what_is_no_file_to_read(tmp_path, capsys):
    folder = tmp_path / "folder"
    folder.mkdir()
    for command in (("solve",), ("info",), ("check", "clue1")):
        assert_one_line(*outcome(capsys, *command, str(folder)), folder, "cannot be read: Is a directory")
    result = outcome(capsys, "compare", str(folder), "-o", str(tmp_path / "out"))
    assert_one_line(*result, folder, "there is no puzzle in this folder")
    nowhere = tmp_path / "nowhere"
    assert_one_line(*outcome(capsys, "info", str(nowhere)), nowhere, "no such file, nor a bundled puzzle")
    assert_one_line(*outcome(capsys, "check", "clue1", str(nowhere)), nowhere, "cannot be read: No such file")
    result = outcome(capsys, "compare", str(nowhere), "-o", str(tmp_path / "out"))
    assert_one_line(*result, nowhere, r"there is no such file, nor a bundled experiment or puzzle \(.*smoke")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert_one_line(*outcome(capsys, "check", "clue1", str(loop)), loop, "cannot be read: ")
    with pytest.raises(SystemExit):
        main(["info"])


def test_a_file_that_may_not_be_read(tmp_path, capsys):
    file = tmp_path / "secret.json"
    file.write_text(instance())
    file.chmod(0)
    outcome(capsys, "info", str(tmp_path))  # loads everything, also for a user who may read nothing
    user = os.geteuid()
    if user == 0:
        for folder in (tmp_path, *(above for above in tmp_path.parents if "pytest-of" in str(above))):
            folder.chmod(0o755)
        os.seteuid(65534)
    try:
        result = outcome(capsys, "info", str(file))
    finally:
        os.seteuid(user)
    assert_one_line(*result, file, "cannot be read: Permission denied")


def test_standard_input_that_is_closed_or_bad():
    closed = subprocess.run(
        ["bash", "-c", f"{' '.join(COMMAND)} info - <&-"], capture_output=True, text=True, check=False
    )
    assert closed.returncode == 2
    assert re.fullmatch("jigsat: standard input: .*\n", closed.stderr)
    noise = subprocess.run([*COMMAND, "info", "-"], input=b"\xff\xff", capture_output=True, check=False)
    assert noise.returncode == 2
    assert noise.stderr == b"jigsat: standard input: not a text file: byte 0 is not UTF-8\n"


JIGSAW = ("make", "jigsaw", "--rows=5", "--columns=5", "--seed=1")
MAKE = ("make", "edge-matching", "--rows=2", "--columns=2", "--frame-colors=2", "--inner-colors=0", "--seed=1")


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    "command", ["convert clue3 -", "solve clue3 -o -", " ".join([*MAKE, "-o -"]), " ".join([*JIGSAW, "-o -"])]
)
def test_standard_output_that_is_closed(command):
    shell = ["bash", "-c", f"{' '.join(COMMAND)} {command} >&-"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "jigsat: standard output: cannot be written: it is closed\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("n" * 254 + ".json", "cannot be written: File name too long"),
        ("file/out.json", "cannot be written: Not a directory"),
        ("nowhere/out.json", "cannot be written: No such file or directory"),
        ("folder", "cannot be written: Is a directory"),
        ("loop", "cannot be written: Too many levels of symbolic links"),
    ],
)
def test_what_is_no_file_to_write(name, message, tmp_path, capsys):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    file = tmp_path / name
    for command in (
        ("convert", "clue1", str(file), "--to=json"),
        ("solve", "clue3", "-o", str(file)),
        (*JIGSAW, "-o", str(file)),
    ):
        assert_one_line(*outcome(capsys, *command), file, message)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "loop"]


def test_a_puzzle_and_its_solution_are_both_written_or_neither(tmp_path, capsys):
    good, bad, full = tmp_path / "good.json", tmp_path / "no" / "such.json", "/dev/full"
    for file, solution_file in ((bad, good), (good, bad), ("-", bad), (full, good), (good, full)):
        result = outcome(capsys, *MAKE, "-o", str(file), "--solution", str(solution_file))
        of, why = (full, "No space left") if full in (file, solution_file) else (bad, "No such file")
        assert_one_line(*result, of, f"cannot be written: {why}")
        assert list(tmp_path.iterdir()) == []
    assert main([*MAKE, "-o", str(good), "--solution", str(tmp_path / "s.json")]) == 0
    assert main(["check", str(good), str(tmp_path / "s.json")]) == 0


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("option", ["", "--from=", "--order="])
def test_what_is_read_is_not_overwritten(option, tmp_path, capsys):
    file, link = tmp_path / "p.json", tmp_path / "link"
    file.write_text(instance())
    link.symlink_to(file)
    read = ["clue1", option + str(file)] if option else [str(file)]
    for output in (file, link):
        assert_one_line(*outcome(capsys, "solve", *read, "-o", str(output)), output, "is also the input file")
    assert file.read_text() == instance()
    with file.open() as standard_input:
        done = subprocess.run([*COMMAND, "solve", "-", "-o", str(file)], stdin=standard_input, capture_output=True)
    assert done.returncode == 2
    assert file.read_text() == instance()
    assert main(["convert", str(file), str(file)]) == main(["solve", "clue3", "-o", "/dev/null"]) == 0


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31mb", "a\u202eb", "a\x7fb", "a\x85b"])
def test_no_text_of_a_file_or_an_option_steers_the_terminal(text, tmp_path, capsys):
    shown = text.encode("unicode_escape").decode()
    assert_one_line(*outcome(capsys, "info", text), shown, "there is no such file")
    file = tmp_path / "p.json"
    file.write_text(instance(name=text, source=text, known={text: text}))
    for command in (["info", str(file)], ["solve", str(file)]):
        main(command)
        out = capsys.readouterr().out
        assert shown in out
        assert text not in out


def test_a_list_for_a_mate_is_refused(tmp_path, capsys):
    """Both forms that a mate may have are mentioned, each in a line."""
    (tmp_path / "bad").write_text(instance(mates={"1": [2]}))
    status, error = outcome(capsys, "info", str(tmp_path / "bad"))
    assert status == 2
    assert "mates 1" in error


def test_no_error_has_control_characters():
    """Messages and notes quote what is wrong, also for those who call from Python."""
    error = JigsatError("a\nb")
    error.add_note("c\x1bd")
    assert (str(error), error.__notes__) == ("a\\nb", ["c\\x1bd"])


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="peak memory is read from /proc")
@pytest.mark.parametrize(
    "words",
    [["--maker", "instances", "deep list", "many pieces", "piece text line"], pytest.param([], marks=pytest.mark.slow)],
)
def test_hostile_files_take_little_time_and_memory(words):
    """A wrong file is refused before the machine starts to swap."""
    command = [sys.executable, Path(__file__).with_name("hostile_files.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all files meet the goals" in done.stdout
