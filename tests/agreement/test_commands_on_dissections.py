"""Dissections on the command line: counted, solved, checked, drawn, described, converted, proved, exported."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from xml.etree import ElementTree as ET

import pytest
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

from command_line import COMMAND, run
from cp_solutions import cp_solutions
from jigsat.csp.base.words import grouped
from jigsat.csp.engines.request import Goal
from jigsat.csp.engines.result import Result, Status, effort_lines
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.puzzles.check_tiling import check_tiling
from solution_files import save_solutions

L_SHAPE = read_puzzle("l-shape")
#: Of the points in an exported file: what makes lists of them.
BRACKETS = str.maketrans("() ", "[],")
SVG = "{http://www.w3.org/2000/svg}"


def said(out):
    """The lines of an output by their first words."""
    return {line[:17].strip(): line[17:] for line in out.splitlines()[1:]}


def saved(tmp_path, *tilings, puzzle=L_SHAPE):
    file = tmp_path / "tilings.json"
    save_solutions(puzzle, tilings, file)
    return str(file)


def exchanged(puzzle, one, other):
    tiling = list(puzzle.pieces)
    tiling[one], tiling[other] = tiling[other], tiling[one]
    return tuple(tiling)


@pytest.mark.parametrize("motions", [(), ("--motions", "lattice")])
@pytest.mark.parametrize(("name", "canonical"), [("l-shape", "4"), ("four-triangles", "1")])
def test_count(name, canonical, motions, capsys):
    status, out, err = run(capsys, "count", name, *motions)
    assert (status, err) == (0, "")
    assert out.startswith(f"{name}: dissection puzzle, satisfiable\n")
    lines = said(out)
    assert (lines["count"], lines["canonical count"]) == ("  24", f"  {canonical}")
    assert lines["symmetry factor"] == "  none: not every orbit is full"
    assert lines["complete"] == "  yes, every branch was searched"
    assert "engine backtrack" in lines["effort"]


def test_count_as_json(capsys):
    status, out, _ = run(capsys, "count", "ostomachion", "--json")
    record = json.loads(out)
    assert (status, record["count"], record["canonical_count"], record["symmetry_factor"]) == (0, 17152, 536, 32)
    assert (record["kind"], record["complete"], record["solutions"]) == ("dissection", True, [])


def test_what_a_search_counts_stands_below_its_effort_and_is_no_solvers():
    found = Result("x", "dissection", "backtrack", "m", Goal.COUNT, Status.SATISFIABLE, complete=True, nodes=7)
    assert len(effort_lines(found)) == 1
    effort, counted = effort_lines(replace(found, statistics={"signs": 12_345, "undecided by floats": 6}))
    assert effort.startswith("  effort           7 nodes in 0.00 s")
    assert counted == "  counted          12 345 signs, 6 undecided by floats"
    (effort,) = effort_lines(replace(found, engine="cpsat", statistics={"conflicts": 9}))
    assert effort.startswith("  effort           9 conflicts in 0.00 s")


def test_all_tilings_are_found_checked_and_drawn(tmp_path, capsys):
    file, picture = str(tmp_path / "all.json"), tmp_path / "all.svg"
    status, out, _ = run(capsys, "solve", "l-shape", "--motions", "lattice", "--all", "--no-symmetry", "-o", file)
    assert (status, said(out)["solutions"]) == (0, "  24, all of them")
    tilings = read_solutions(file, L_SHAPE)
    assert len(set(tilings)) == 24
    assert all(check_tiling(L_SHAPE, tiling).is_solution for tiling in tilings)
    for motions in ((), ("--motions", "lattice")):
        assert run(capsys, "check", "l-shape", file, *motions) == (0, "l-shape: 24 of 24 tilings are valid\n", "")
    assert run(capsys, "draw", "l-shape", file, "--all", "-o", str(picture)) == (0, "", "")
    assert "24 tilings" in "".join(ET.parse(picture).getroot().itertext())


def test_solve_shows_the_vertices_of_each_piece(capsys):
    status, out, _ = run(capsys, "solve", "four-triangles", "--motions", "lattice")
    assert status == 0
    lines = out.splitlines()
    assert [line[:9] for line in lines[1:5]] == [f"  piece {piece}" for piece in range(1, 5)]
    triangles = {"(0, 0) (2, 0) (1, 1)", "(1, 1) (2, 0) (2, 2)", "(0, 2) (1, 1) (2, 2)", "(0, 0) (1, 1) (0, 2)"}
    assert {line[11:] for line in lines[1:5]} == triangles
    status, out, _ = run(capsys, "solve", "four-triangles", "--motions", "lattice", "--limit", "3", "--no-symmetry")
    assert [line for line in out.splitlines() if line.startswith("solution ")] == [f"solution {n}" for n in (1, 2, 3)]
    assert said(out)["solutions"] == "  3, not all: the number of solutions asked for was reached"


def test_a_dissection_without_a_tiling(tmp_path, capsys):
    """Two triangles make the square of the same area, but not the rectangle."""
    triangle = [[0, 0], [2, 0], [0, 2]]
    puzzle = {"format": "jigsat/1", "kind": "dissection", "name": "no", "motions": "lattice"}
    file = tmp_path / "no.json"
    file.write_text(json.dumps({**puzzle, "target": [[0, 0], [4, 0], [4, 1], [0, 1]], "pieces": [triangle] * 2}))
    status, out, _ = run(capsys, "solve", str(file))
    assert (status, out.splitlines()[0]) == (0, "no: dissection puzzle, unsatisfiable")
    assert "  no solution exists: every branch was searched" in out
    _, out, _ = run(capsys, "count", str(file), "--json")
    assert (json.loads(out)["count"], json.loads(out)["complete"]) == (0, True)


def test_check_tells_every_fault(tmp_path, capsys):
    square, other, triangle, last = L_SHAPE.pieces
    right = tuple((x + 1, y) for x, y in last)
    file = saved(tmp_path, L_SHAPE.pieces, (square, square, triangle, right), exchanged(L_SHAPE, 1, 2))
    status, out, _ = run(capsys, "check", "l-shape", file)
    assert status == 1
    assert out.splitlines() == [
        "solution 2: NOT valid",
        "  pieces 1 and 2 overlap",
        "  pieces 1 and 4 overlap",
        "  pieces 2 and 4 overlap",
        "solution 3: NOT valid",
        "  piece 2 has a different shape in the puzzle",
        "  piece 3 has a different shape in the puzzle",
        "l-shape: 1 of 3 tilings are valid",
    ]
    status, out, _ = run(capsys, "check", "l-shape", file, "--json")
    report = json.loads(out)
    assert (status, report["valid"], [entry["valid"] for entry in report["tilings"]]) == (1, 1, [True, False, False])
    assert report["tilings"][1]["problems"][0] == "pieces 1 and 2 overlap"
    outside = tuple((x + 1, y) for x, y in other)
    status, out, _ = run(capsys, "check", "l-shape", saved(tmp_path, (square, outside, triangle, last)))
    assert (status, out.splitlines()[1:]) == (
        1, ["  piece 2 does not lie inside the target", "l-shape: 0 of 1 tiling is valid"],
    )  # fmt: skip


def test_draw_one_tiling_or_the_pieces(tmp_path, capsys):
    file, picture = saved(tmp_path, L_SHAPE.pieces, exchanged(L_SHAPE, 0, 1)), tmp_path / "out.svg"
    drawn = set()
    for more in ((file,), (file, "--number", "2"), (file, "--no-numbers"), (), ("--pieces",), ("--no-numbers",)):
        assert run(capsys, "draw", "l-shape", *more, "-o", str(picture)) == (0, "", "")
        root = ET.parse(picture).getroot()
        assert len(root.findall(f".//{SVG}polygon")) >= 4
        drawn.add(picture.read_text())
    assert len(drawn) == 5
    status, _, err = run(capsys, "draw", "l-shape", file, "--number", "3", "-o", str(picture))
    assert (status, err) == (2, f"jigsat: {file}: there is no tiling 3; the file contains 2 tilings\n")


def test_info(capsys):
    status, out, _ = run(capsys, "info", "ostomachion")
    assert status == 0
    assert out.startswith("ostomachion: dissection puzzle, 14 pieces\n")
    lines = said(out)
    assert lines["piece  8"] == "  area 6: (4, 8) (6, 6) (6, 12)"
    assert lines["target"] == "  area 144, convex: (0, 0) (12, 0) (12, 12) (0, 12)"
    assert lines["congruent"] == "  6 7; 8 9"
    assert "target 8 x congruent pieces 4" in out
    assert "known count      17 152" in out
    _, out, _ = run(capsys, "info", "l-shape", "--json")
    facts = json.loads(out)
    assert facts["symmetries"] == {"target": 2, "congruent_pieces": 4, "product": 8}
    assert (facts["target"]["convex"], facts["target"]["area"], facts["pieces"][2]["area"]) == (False, 3, "1/2")
    assert facts["congruent"] == [[1, 2], [3, 4]]


def test_convert_writes_a_dissection_and_tilings_anew(tmp_path, capsys):
    puzzle = json.loads(run(capsys, "convert", "l-shape", "-")[1])
    turned = {**puzzle, "pieces": [[*vertices[2:], *vertices[:2]][::-1] for vertices in puzzle["pieces"]]}
    (tmp_path / "in.json").write_text(json.dumps(turned))
    out = tmp_path / "out.json"
    assert run(capsys, "convert", str(tmp_path / "in.json"), str(out)) == (0, "", "")
    assert read_puzzle(out) == L_SHAPE
    file = saved(tmp_path, *(tuple(order) for order in permutations(read_puzzle("four-triangles").pieces)),
                 puzzle=read_puzzle("four-triangles"))  # fmt: skip
    assert run(capsys, "convert", "--puzzle", "four-triangles", file, str(out)) == (0, "", "")
    assert out.read_text() == (tmp_path / "tilings.json").read_text()


def test_a_dissection_from_standard_input(capsys):
    text = run(capsys, "convert", "ostomachion", "-")[1]
    done = subprocess.run([*COMMAND, "info", "-"], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == run(capsys, "info", "ostomachion")[1]


def test_info_and_check_load_no_compiler(tmp_path):
    """What makes a short command slow is Numba, and the solvers."""
    file = saved(tmp_path, L_SHAPE.pieces)
    script = (
        "import sys; from jigsat.cli.main import main\n"
        f"assert main(['info', 'l-shape']) == main(['check', 'l-shape', {file!r}]) == 0\n"
        "heavy = {'numpy', 'numba', 'ortools', 'pysat', 'networkx', 'sympy', 'tqdm'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)


def test_count_by_solvers(capsys):
    for name, engine in (("l-shape", "cpsat"), ("four-triangles", "sat:cadical195")):
        status, out, err = run(capsys, "count", name, "--motions", "lattice", "--engine", engine)
        assert (status, err) == (0, "")
        assert said(out)["count"] == "  24"
        assert said(out)["complete"] == "  yes, the solver excluded everything else"
        assert f"engine {engine}, encoding " in said(out)["effort"]


def models_of(formula, deciding):
    """Every assignment to the deciding variables: a set of tuples of the true ones."""
    found = set()
    with Solver("glucose4", bootstrap_with=formula) as solver:
        while solver.solve():
            true = tuple(literal for literal in solver.get_model() if literal in deciding)
            found.add(true)
            solver.add_clause([-literal for literal in true])
    return found


@pytest.mark.parametrize("encoding", [None, "telling", "wedges", "pairs+unpruned"])
def test_an_exported_formula_has_the_tilings_as_models(encoding, tmp_path, capsys):
    """What its comments say of the variables is enough to read the tilings."""
    file = tmp_path / "out.cnf"
    more = [] if encoding is None else ["--encoding", encoding]
    status, out, err = run(capsys, "export", "l-shape", "-o", str(file), "--motions=lattice", "--no-symmetry", *more)
    assert (status, err) == (0, "")
    formula = CNF(from_file=str(file))
    size = f"{grouped(formula.nv)} variables and {grouped(len(formula.clauses))} clauses"
    assert out.startswith(f"l-shape: cnf with {size}, encoding {encoding or 'colors'}, symmetry kept, in ")
    named = {}
    for variable, piece, points in re.findall(r"^c var (\d+) piece (\d) at (.*)$", file.read_text(), re.MULTILINE):
        named[int(variable)] = int(piece), tuple(json.loads(f"[{points.translate(BRACKETS)}]"))
    models = models_of(formula, named)
    assert len(models) == 24
    for true in models:
        pieces = {piece: tuple(map(tuple, polygon)) for piece, polygon in (named[variable] for variable in true)}
        assert check_tiling(L_SHAPE, tuple(pieces[piece] for piece in range(1, 5))).is_solution


def test_export_breaks_symmetry_and_says_so(tmp_path, capsys):
    file = tmp_path / "out.cnf"
    status, out, _ = run(capsys, "export", "four-triangles", "-o", str(file), "--motions=lattice", "--json")
    record = json.loads(out)
    assert (status, record["symmetry"], record["format"], record["encoding"]) == (0, True, "cnf", "colors")
    text = file.read_text()
    (deciding,) = re.findall("^c ind (.*) 0$", text, re.MULTILINE)
    assert "WARNING: symmetry is broken" in text
    assert len(models_of(CNF(from_string=text), set(map(int, deciding.split())))) == 1


def clause_of(line):
    """The clause that a pseudo-Boolean constraint is."""
    terms, least = line.removesuffix(" ;").split(" >= ")
    clause = [int(sign + variable) for sign, variable in re.findall(r"([+-])1 x(\d+)", terms)]
    assert int(least) == 1 - sum(literal < 0 for literal in clause)
    return clause


def test_export_as_pseudo_boolean_constraints(tmp_path, capsys):
    """They are the clauses of the formula."""
    files = tmp_path / "out.cnf", tmp_path / "out.opb"
    for file in files:
        assert run(capsys, "export", "tangram", "-o", str(file), "--encoding=telling")[0] == 0
    first, second, *lines = files[1].read_text().splitlines()
    formula = CNF(from_file=str(files[0]))
    assert first == f"* #variable= {formula.nv} #constraint= {len(formula.clauses)}"
    assert "(OPB) whose models are solutions, written by jigsat" in second
    assert [clause_of(line) for line in lines if not line.startswith("*")] == formula.clauses


@pytest.mark.parametrize(("symmetry", "number"), [((), 6), (("--no-symmetry",), 24)])
def test_export_for_cp_sat(symmetry, number, tmp_path, capsys):
    """CP-SAT reads the file and finds every tiling; of each picture one, as the file says."""
    file = tmp_path / "out.pbtxt"
    status, out, _ = run(capsys, "export", "l-shape", "-o", str(file), "--motions=lattice", *symmetry)
    assert status == 0
    assert f"constraints, encoding wedges, symmetry {'kept' if symmetry else 'broken'}, in " in out
    model = cp_model.CpModel()
    model.proto.parse_text_format(file.read_text())
    assert len(cp_solutions(model, lambda _: None)) == number


def test_estimate(capsys):
    """So small a tree the probes see as it is."""
    status, out, err = run(capsys, "estimate", "tangram", "--actual", "--by-depth")
    assert (status, err) == (0, "")
    lines = said(out)
    assert lines["tilings"] == "  32 expected, standard error 0"
    expected, _, _ = lines["to search"].partition(" nodes with symmetries broken")
    assert f" 32 tilings, {expected.strip()} nodes in " in lines["actual"]
    rows = [line.split() for line in out.splitlines()[-7:]]
    assert [row[0] for row in rows] == list("1234567")
    assert all(row[1] == row[3] for row in rows)
    _, out, _ = run(capsys, "estimate", "tangram", "--probes=3000", "--no-symmetry", "--json")
    record = json.loads(out)
    assert record["kind"] == "dissection"
    assert abs(record["tilings"] - 32) < 4 * record["tilings_error"] < 32
