"""Dissections on the command line: counted, solved, checked, drawn, described, converted, proved, exported."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from pysat.formula import CNF

from all_models import all_models
from command_line import run
from jigsat.csp.base.errors import grouped
from jigsat.csp.engines.request import Goal
from jigsat.csp.engines.result import Result, Status, effort_lines
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.puzzles.check_tiling import check_tiling
from solution_files import save_solutions

L_SHAPE = read_puzzle("l-shape")
#: Of the points in an exported file: what makes lists of them.
BRACKETS = str.maketrans("() ", "[],")


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
    status, out, err = run(capsys, "count", name, *motions, "--verbose")
    assert (status, err) == (0, "")
    said_first = rf"{name}: exactly {canonical} (different )?tilings?\b.* in .* s; every possibility was searched\."
    assert re.match(said_first, out)
    lines = said(out)
    assert (lines["count"], lines["canonical count"]) == ("  24", f"  {canonical}")
    assert lines["symmetry factor"] == "  not every orbit is full"
    assert "engine backtrack" in lines["effort"]


def test_what_a_search_counts_stands_below_its_effort_and_is_no_solvers():
    found = Result("x", "dissection", "backtrack", "m", Goal.COUNT, Status.SATISFIABLE, complete=True, nodes=7)
    assert len(effort_lines(found, verbose=True)) == 2
    _, effort, counted = effort_lines(
        replace(found, statistics={"signs": 12_345, "undecided by floats": 6}), verbose=True
    )
    assert effort.startswith("  effort           7 nodes in 0.00 s")
    assert counted == "  counted          12 345 signs, 6 undecided by floats"
    _, effort = effort_lines(replace(found, engine="cpsat", statistics={"conflicts": 9}), verbose=True)
    assert effort.startswith("  effort           9 conflicts in 0.00 s")


def test_all_tilings_are_found_checked_and_drawn(tmp_path, capsys):
    file, picture = str(tmp_path / "all.json"), tmp_path / "all.svg"
    status, out, _ = run(capsys, "solve", "l-shape", "--motions", "lattice", "--all", "--no-symmetry", "-o", file)
    assert (status, ": exactly 24 tilings; " in out) == (0, True)
    tilings = read_solutions(file, L_SHAPE)
    assert len(set(tilings)) == 24
    assert all(check_tiling(L_SHAPE, tiling).is_solution for tiling in tilings)
    for motions in ((), ("--motions", "lattice")):
        assert run(capsys, "check", "l-shape", file, *motions) == (0, "l-shape: 24 of 24 tilings are valid.\n", "")
    assert run(capsys, "draw", "l-shape", file, "--all", "-o", str(picture), "--quiet") == (0, "", "")
    assert "24 tilings" in "".join(ET.parse(picture).getroot().itertext())


def test_check_tells_every_fault(tmp_path, capsys):
    square, other, triangle, last = L_SHAPE.pieces
    right = tuple((x + 1, y) for x, y in last)
    file = saved(tmp_path, L_SHAPE.pieces, (square, square, triangle, right), exchanged(L_SHAPE, 1, 2))
    status, out, _ = run(capsys, "check", "l-shape", file, "--verbose")
    assert status == 1
    assert out.splitlines() == [
        "l-shape: 1 of 3 tilings are valid.",
        "  solution 1: valid",
        "  solution 2: NOT valid",
        "    pieces 1 and 2 overlap",
        "    pieces 1 and 4 overlap",
        "    pieces 2 and 4 overlap",
        "  solution 3: NOT valid",
        "    piece 2 has a different shape in the puzzle",
        "    piece 3 has a different shape in the puzzle",
    ]
    assert run(capsys, "check", "l-shape", file)[1].splitlines()[5] == "  ... and 3 more lines with --verbose"
    status, out, _ = run(capsys, "check", "l-shape", file, "--json")
    report = json.loads(out)
    assert (status, report["valid"], [entry["valid"] for entry in report["tilings"]]) == (1, 1, [True, False, False])
    assert report["tilings"][1]["problems"][0] == "pieces 1 and 2 overlap"
    outside = tuple((x + 1, y) for x, y in other)
    status, out, _ = run(capsys, "check", "l-shape", saved(tmp_path, (square, outside, triangle, last)))
    assert (status, out.splitlines()[::2]) == (
        1, ["l-shape: 0 of 1 tiling is valid.", "    piece 2 does not lie inside the target"],
    )  # fmt: skip


@pytest.mark.parametrize("encoding", [None, "telling", "wedges", "pairs+unpruned"])
def test_an_exported_formula_has_the_tilings_as_models(encoding, tmp_path, capsys):
    """What its comments say of the variables is enough to read the tilings."""
    file = tmp_path / "out.cnf"
    more = [] if encoding is None else ["--encoding", encoding]
    status, out, err = run(
        capsys, "export", "l-shape", "-o", str(file), "--motions=lattice", "--no-symmetry", "-v", *more
    )
    assert (status, err) == (0, "")
    formula = CNF(from_file=str(file))
    size = f"{grouped(formula.nv)} variables and {grouped(len(formula.clauses))} clauses"
    assert out.startswith(f"l-shape: cnf with {size}, encoding {encoding or 'colors'}, symmetry kept, in ")
    named = {}
    for variable, piece, points in re.findall(r"^c var (\d+) piece (\d) at (.*)$", file.read_text(), re.MULTILINE):
        named[int(variable)] = int(piece), tuple(json.loads(f"[{points.translate(BRACKETS)}]"))
    models = list(all_models(formula, named))
    assert len(models) == 24
    for true in models:
        pieces = {piece: tuple(map(tuple, polygon)) for piece, polygon in (named[variable] for variable in true)}
        assert check_tiling(L_SHAPE, tuple(pieces[piece] for piece in range(1, 5))).is_solution


def test_estimate(capsys):
    """So small a tree the probes see as it is."""
    status, out, err = run(capsys, "estimate", "tangram", "--actual", "--by-depth", "--verbose")
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
