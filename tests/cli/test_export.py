"""`jigsat export`, and `jigsat check` with what solvers answer about its files."""

import gzip
import json
import re
from pathlib import Path

import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

from command_line import run
from jigsat import best
from jigsat.csp.files.instances import save
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from solution_files import save_solutions
from text_solvers import meanings


@pytest.fixture
def planted(tmp_path):
    """A small puzzle with its solution; the path of its file."""
    made = deal_edge_matching(4, 4, 3, 3, seed=1)
    save(made.puzzle, tmp_path / "puzzle.json")
    return made, str(tmp_path / "puzzle.json")


def answer_of(path, tmp_path):
    """The file with what a SAT solver prints about a CNF."""
    with Solver("cadical195", bootstrap_with=CNF(from_file=path)) as solver:
        model = solver.get_model() if solver.solve() else None
    text = "s UNSATISFIABLE\n" if model is None else f"c {path}\ns SATISFIABLE\nv {' '.join(map(str, model))} 0\n"
    (tmp_path / "answer.txt").write_text(text)
    return str(tmp_path / "answer.txt")


@pytest.mark.parametrize("encoding", ["direct", "seams", "pairs", "diamond"])
@pytest.mark.parametrize("options", [[], ["--no-symmetry"]])
def test_export_solve_check(capsys, tmp_path, planted, encoding, options):
    """Would catch a file whose answers cannot be read back."""
    made, puzzle = planted
    file = str(tmp_path / "some.cnf")
    status, out, err = run(capsys, "export", puzzle, "-o", file, "--encoding", encoding, *options, "--verbose")
    assert (status, err) == (0, "")
    assert f"encoding {encoding}, symmetry {'kept' if options else 'broken'}" in out
    answer = answer_of(file, tmp_path)
    status, out, err = run(capsys, "check", puzzle, answer, "--cnf", file)
    assert (status, err) == (0, "")
    assert re.search(r"\n +A( +\d+/[0-3]){4}\n", out)
    assert "score 24 of 24" in out
    assert ": 1 of 1 board is valid" in out
    status, out, _ = run(capsys, "check", puzzle, answer, "--cnf", file, "--json")
    report = json.loads(out)["boards"][0]
    assert (status, report["valid"], len(report["board"])) == (0, True, 4)
    # The board may be kept as a solution file.
    boards = [[Placement(square[0] - 1, square[1]) for row in report["board"] for square in row]]
    save_solutions(made.puzzle, boards, tmp_path / "kept.json")
    assert len(read_solutions(tmp_path / "kept.json", made.puzzle)) == 1


def test_from_a_partial_board(capsys, tmp_path, planted):
    """Would catch answers that are refused because the exported puzzle has more fixed pieces than the one given."""
    made, puzzle = planted
    part = tuple(placed if square in (5, 0) else None for square, placed in enumerate(made.solution))
    save_solutions(made.puzzle, [part], tmp_path / "part.json")
    file = str(tmp_path / "some.cnf")
    assert run(capsys, "export", puzzle, "-o", file, "--from", str(tmp_path / "part.json"))[0] == 0
    text = (tmp_path / "some.cnf").read_text()
    assert re.search(r"^c fixed A1 piece \d+ turned \d$", text, re.MULTILINE)
    status, out, _ = run(capsys, "check", puzzle, answer_of(file, tmp_path), "--cnf", file, "--json")
    board = [square for row in json.loads(out)["boards"][0]["board"] for square in row]
    assert status == 0
    assert all(board[s] == [part[s].piece + 1, part[s].rotation] for s in (0, 5))


def test_the_best_score_by_other_solvers(capsys, tmp_path):
    """Would catch an optimum that `check` calls invalid because it does not know of the file's slips."""
    puzzle = deal_edge_matching(3, 4, 3, 3, seed=3, random=True).puzzle
    score = best(puzzle).best_score
    assert score < puzzle.max_score
    instance, file = str(tmp_path / "puzzle.json"), str(tmp_path / "some.wcnf")
    save(puzzle, instance)
    assert run(capsys, "export", instance, "-o", file)[0] == 0
    with RC2(WCNF(from_file=file)) as solver:
        bits = "".join(str(int(literal > 0)) for literal in solver.compute())
    (tmp_path / "answer.txt").write_text(f"o 5\no {puzzle.max_score - score}\ns OPTIMUM FOUND\nv {bits}\n")
    status, out, _ = run(capsys, "check", instance, str(tmp_path / "answer.txt"), "--cnf", file)
    assert status == 0
    assert f"score {score} of {puzzle.max_score}" in out
    # Boards are judged by the slips that are given.
    status, out, _ = run(capsys, "check", instance, str(tmp_path / "answer.txt"), "--cnf", file, "--slips", "12")
    assert (status, "NOT valid" in out) == (1, True)


ANSWERS = {
    "empty": ("", "contains no solver's answer"),
    "prose": ("s SATISFIABLE\nhello\n", "line 2: 'hello' is not one of the lines"),
    "two answers": ("s UNKNOWN\ns SATISFIABLE\n", "line 2: a second s line"),
    "a status of its own": ("s MAYBE\n", "unknown status 'MAYBE'; expected"),
    "no assignment": ("s SATISFIABLE\n", "but no v line"),
    "words": ("v 1 two 0\n", "'two' in a v line is not a literal"),
    "a variable too many": ("v 1 99999999 0\n", "'99999999' in a v line is not a literal: .* has the variables 1 to"),
    "a huge number": (f"v {'9' * 9000}\n", "is not a literal"),
    "contradiction": ("v 1 2 -1 0\n", "variable 1 is both true and false"),
    "two assignments": ("v 1 0\nv 2 0\n", "continues after its 0"),
    "nothing true": ("v 0\n", "puts no piece on A1"),
    "too much on a square": ("v 1 2 0\n", "puts pieces [0-9]+ and [0-9]+ on A1"),
    "bits of another length": ("v 0101\n", "is not a literal"),
    "null characters": ("\0\0\0", "is not one of the lines"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_bad_answers_are_one_line_and_status_2(capsys, tmp_path, name):
    """Would catch tracebacks, and boards made of rubbish."""
    text, message = ANSWERS[name]
    answer, file = tmp_path / "answer.txt", str(tmp_path / "clue3.cnf")
    answer.write_text(text)
    run(capsys, "export", "clue3", "-o", file)
    status, out, err = run(capsys, "check", "clue3", str(answer), "--cnf", file)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.search(message, err)
    assert "answer.txt" in err


def test_the_colours_must_tell_the_rotations(capsys, tmp_path):
    """Would catch a rotation that is guessed where the colours of an assignment contradict the piece."""
    file, answer = tmp_path / "clue3.cnf", tmp_path / "answer.txt"
    run(capsys, "export", "clue3", "-o", str(file), "--encoding", "diamond")
    true = {int(word) for word in (tmp_path / answer_of(str(file), tmp_path)).read_text().split("v ")[1].split()}
    colors = {int(number) for number in re.findall(r"^c var (\d+) square", file.read_text(), re.MULTILINE)}
    answer.write_text(f"v {' '.join(map(str, sorted(v for v in true - colors if v > 0)))} 0\n")
    status, _, err = run(capsys, "check", "clue3", str(answer), "--cnf", str(file))
    assert (status, err.count("\n")) == (2, 1)
    assert re.search(r"the colours around \w+ belong to no rotation of piece", err)


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: re.sub(r"(?m)^c .*\n", "", text), "there are no comments about the variables"),
        (lambda text: text.replace("sha256 ", "sha256 0"), "line 3: .*another puzzle than clue3"),
        (lambda text: re.sub(r"c order \w+", "c order", text), "order: does not name every"),
        (lambda text: re.sub(r"c order \w+", "c order ZZ9", text), "square ZZ9 is not on the 6x6 board"),
        (lambda text: text.replace("c slips none", "c slips many"), "slips: 'many'"),
        (lambda text: text.replace("c var 1 piece ", "c var 1 peace "), "is not a description of a variable"),
        (lambda text: text.replace("c var 1 piece ", "c var 1 piece 99"), "there is no piece 99"),
        (lambda text: re.sub("c variables .*", "c variables many", text), "'variables many': invalid literal"),
        (lambda text: "\0" * 9, "there are no comments about"),
    ],
)
def test_a_changed_file_is_refused(capsys, tmp_path, change, message):
    """Would catch an answer that is read by the comments of another puzzle, or by none."""
    file = tmp_path / "clue3.cnf"
    run(capsys, "export", "clue3", "-o", str(file))
    answer = answer_of(str(file), tmp_path)
    file.write_text(change(file.read_text()))
    status, out, err = run(capsys, "check", "clue3", answer, "--cnf", str(file))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.search(message, err)
    assert "clue3.cnf" in err


def test_answers_and_proofs_of_any_solver(capsys, tmp_path, planted):
    """As MiniSat, Z3 and PySAT write an assignment, packed or not; and a proof in the binary form."""
    _, puzzle = planted
    cnf = tmp_path / "some.cnf"
    run(capsys, "export", puzzle, "-o", str(cnf))
    (tmp_path / "some.cnf.gz").write_bytes(gzip.compress(cnf.read_bytes()))
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(cnf))) as solver:
        solver.solve()
        literals = list(map(str, solver.get_model()))
    whole = f"SAT\n{' '.join(literals)} 0\n".encode()
    texts = (
        whole,
        gzip.compress(whole),
        f"sat\n{' '.join(literals)}\n".encode(),
        f"[{', '.join(literals)}]\n".encode(),
        b"WARNING: for repeatability\n====\n|  Number of variables:  9 |\nCPU time    : 0.1 s\n\n" + whole,
    )
    for text in texts:
        (tmp_path / "answer").write_bytes(text)
        status, out, err = run(capsys, "check", puzzle, str(tmp_path / "answer"), "--cnf", f"{cnf}.gz")
        assert (status, err) == (0, "")
        assert ": 1 of 1 board is valid" in out
    for text, status, message in (
        (b"UNSAT\n", 1, "claims that there is no solution"),
        (b"INDET\n", 1, "reports UNKNOWN"),
        (b"|  Variables: 9 |\nSATISFIABLE\n", 2, "the one that MiniSat writes its result to"),
        (gzip.compress(whole)[:-9], 2, "Compressed file ended"),
    ):
        (tmp_path / "answer").write_bytes(text)
        ended, out, err = run(capsys, "check", puzzle, str(tmp_path / "answer"), "--cnf", str(cnf))
        assert ended == status
        assert message in out + err


@pytest.mark.parametrize("to", ["mzn", "dlx", "xml"])
def test_answers_about_texts(capsys, tmp_path, planted, to):
    """As MiniZinc, miniexact and ACE print them."""
    made, puzzle = planted
    file, answer = tmp_path / f"some.{to}", tmp_path / "answer"
    assert run(capsys, "export", puzzle, "-o", str(file), "--no-symmetry")[0] == 0
    names = {names: number for number, names in meanings(file.read_text()).items()}
    name = made.puzzle.board.name
    board = [(placed.piece, name(square), placed.rotation) for square, placed in enumerate(made.solution)]
    files = [] if to == "mzn" else ["--cnf", str(file)]
    if to == "mzn":
        lines = "".join(f"{square},{piece + 1},{rotation}\n" for piece, square, rotation in board)
        texts = [f"{lines}----------\n==========\n"]
    elif to == "dlx":
        texts = [f"{' '.join(str(names[placed]) for placed in reversed(board))} \n\nFound 1 solutions!\n"]
    else:
        values = " ".join(str(names[placed]) for placed in board)
        first, rest = values.split(" ", 1)
        where = f"<list> placed[] color[] </list> <values> {first} {{}}{rest}   0x4 -1 </values>"
        found = f"<instantiation id='sol1'> {where} </instantiation>"
        lines = f"s OPTIMUM FOUND\nv {found}\n".format("\nv ")
        texts = [f"ACE v2.6\n\x1b[92mv\x1b[0m  {found.format('')}\n\x1b[92ms SATISFIABLE\x1b[0m", lines]
    for text in texts:
        answer.write_text(text)
        status, out, err = run(capsys, "check", puzzle, str(answer), *files)
        assert (status, err) == (0, "")
        assert ": 1 of 1 board is valid" in out
    for text, expected, message in {
        "mzn": [("=====UNSATISFIABLE=====\n", 2, "unknown format of boards")],
        "dlx": [("", 1, "claims that there is no solution"), ("s SATISFIABLE\n", 2, "is not a list of the numbers")],
        "xml": [("s UNSATISFIABLE\n", 1, "claims that"), ("c\n", 2, "neither <values> nor an s line"),
                ("<values> 1 two </values>", 2, "'two' among the values")],
    }[to]:  # fmt: skip
        answer.write_text(text)
        status, out, err = run(capsys, "check", puzzle, str(answer), *files)
        assert status == expected
        assert message in out + err


def test_a_proof_of_another_solver(capsys, tmp_path):
    puzzle = deal_edge_matching(4, 4, 2, 3, seed=2, random=True).puzzle
    save(puzzle, tmp_path / "puzzle.json")
    cnf, answer, proof = (str(tmp_path / name) for name in ("some.cnf", "answer", "proof"))
    run(capsys, "export", str(tmp_path / "puzzle.json"), "-o", cnf)
    with Solver("cadical153", bootstrap_with=CNF(from_file=cnf), with_proof=True) as solver:
        assert not solver.solve()
        lines = solver.get_proof()
    Path(answer).write_text("s UNSATISFIABLE\n")
    binary = b"".join(map(_binary, lines))
    for written, status, said in (
        ("\n".join(lines).encode() + b"\n", 0, "is proved to have no solution: every lemma is RUP"),
        (binary, 0, "is proved to have no solution: every lemma is RUP"),
        (gzip.compress(binary), 0, "is proved"),
        (binary[:-3], 1, "is NOT proved to have no solution: "),
        (b"a\0", 1, "the lemma of line 1 is neither RUP nor RAT"),
    ):
        Path(proof).write_bytes(written)
        ended, out, _ = run(capsys, "check", str(tmp_path / "puzzle.json"), answer, "--cnf", cnf, "--proof", proof)
        assert ended == status
        assert said in out


def _binary(line):
    words = line.split()
    deletes = words[0] == "d"
    parts = bytearray(b"d" if deletes else b"a")
    for literal in map(int, words[deletes:]):
        number = 2 * abs(literal) + (literal < 0)
        while number > 127:
            parts.append(number & 127 | 128)
            number >>= 7
        parts.append(number)
    return bytes(parts)
