"""Exported models: the same as in memory, for every program that reads them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

import brute_force as brute
from jigsat import best, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.slips import anywhere, frame_joins
from jigsat.models.base import formula
from jigsat.models.base.encodings import CNF_NAMES, CP_NAMES
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cp import build_cp
from jigsat.models.squares.export import export_cnf, export_cpsat, export_opb, export_wcnf
from jigsat.models.squares.read_answers import load_answer
from property_tests import examples
from strategies import puzzles

ENCODINGS = [*CNF_NAMES, "pairs+sequential+pieces", "direct+unpruned", "diamond+absent-colors+color-counts"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("export")


def sampling_set(path):
    """The variables of the line `c ind`; there must be one such line."""
    (line,) = [line for line in path.read_text().splitlines() if line.startswith("c ind ")]
    *variables, end = map(int, line.split()[2:])
    assert end == 0
    return variables


def projected_models(clauses, variables, most=500):
    """Every assignment to the variables that some model has, as its true ones; None if there are too many."""
    found = []
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        while solver.solve():
            true = set(solver.get_model()) & set(variables)
            found.append(solver.get_model())
            if len(found) > most:
                return None
            solver.add_clause([-v if v in true else v for v in variables])
            if not variables:
                break
    return found


def answer_file(folder, model, form):
    """What a solver prints about a model, in one of the forms that are current."""
    bits = "".join("1" if literal > 0 else "0" for literal in model)
    words = [str(literal) for literal in model]
    lines = {
        "literals": ["v " + " ".join([*words, "0"])],
        "lines": [*(f"v {word}" for word in words), "v 0"],
        "bits": [f"v {bits}"],
        "pseudo-Boolean": ["v " + " ".join(f"-x{-v}" if v < 0 else f"x{v}" for v in model)],
        "true ones": ["v " + " ".join(str(v) for v in model if v > 0) + " 0"],
    }[form]
    path = folder / "answer.txt"
    path.write_text("\n".join(["c a solver", "o 3", "s SATISFIABLE", *lines, "c done"]))
    return path


@examples(60)
@given(
    puzzles(),
    st.sampled_from(ENCODINGS),
    st.booleans(),
    st.sampled_from(("literals", "lines", "bits", "pseudo-Boolean", "true ones")),
)
def test_a_cnf_goes_out_and_its_answers_come_back(folder, puzzle, encoding, symmetry, form):
    """Would catch clauses that get lost, a wrong sampling set, and comments that misname a variable."""
    path = folder / "puzzle.cnf"
    model = build_cnf(puzzle, encoding, symmetry=symmetry)
    export_cnf(model, path)
    read = CNF(from_file=str(path))
    assert read.clauses == list(model.clauses)
    assert f"p cnf {model.clauses.top} {len(model.clauses)}\n" in path.read_text()
    models = projected_models(read.clauses, sampling_set(path), most=150)
    assume(models is not None)
    boards = [load_answer(answer_file(folder, found, form), path, puzzle).board for found in models]
    assert all(check(puzzle, board).is_solution for board in boards)
    assert len(set(boards)) == len(models)
    if not symmetry:
        try:
            assert len(boards) == len(brute.all_solutions(puzzle))
        except brute.TooMuch:
            assume(False)


@examples(20)
@given(puzzles(), st.sampled_from(list(CNF_NAMES)), st.booleans())
def test_the_optimum_of_a_wcnf_is_the_best_score(folder, puzzle, encoding, symmetry):
    """Would catch soft clauses of the wrong sign, and answers that are judged without the slips of their file."""
    path = folder / "puzzle.wcnf"
    frame_slips = (1,) if symmetry else ()
    model = build_cnf(puzzle, encoding, slips=anywhere(puzzle), frame_slips=frame_slips, symmetry=symmetry)
    export_wcnf(model, path)
    expected = best(puzzle, frame_slips=frame_slips or None)
    with RC2(WCNF(from_file=str(path))) as solver:
        found = solver.compute()
        assert (found is None) == (expected.best_score is None or not expected.solutions)
        if found is not None:
            answer = load_answer(answer_file(folder, found, "literals"), path, puzzle)
            assert answer.frame_slips == frame_slips[: frame_joins(puzzle)]
            verdict = check(puzzle, answer.board, answer.slips, answer.order, answer.frame_slips)
            assert verdict.is_solution
            assert verdict.score == expected.best_score == puzzle.max_score - solver.cost


def read_opb(path):
    """Objective and constraints of an OPB file: lists of (coefficient, variable), with the bound."""
    objective, constraints = None, []
    head, *lines = path.read_text().splitlines()
    for line in lines:
        if line.startswith("*"):
            continue
        assert line.endswith(";")
        words = line[:-1].split()
        if words[0] == "min:":
            words, objective = words[1:], []
        least = int(words[words.index(">=") + 1]) if ">=" in words else None
        words = words[: words.index(">=")] if ">=" in words else words
        terms = [(int(words[i]), int(words[i + 1].removeprefix("x"))) for i in range(0, len(words), 2)]
        if least is None:
            objective = terms
        else:
            constraints.append((terms, least))
    return head, objective, constraints


def solve_opb(path):
    """By CP-SAT: the objective's value (0 without one) and the model, or None if there is no model."""
    head, objective, constraints = read_opb(path)
    assert head.split()[:2] == ["*", "#variable="]
    assert int(head.split()[4]) == len(constraints)
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(int(head.split()[2]))]
    for terms, least in constraints:
        model.add(sum(coefficient * x[variable - 1] for coefficient, variable in terms) >= least)
    if objective:
        model.minimize(sum(coefficient * x[variable - 1] for coefficient, variable in objective))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    literals = [number if solver.boolean_value(one) else -number for number, one in enumerate(x, start=1)]
    return round(solver.objective_value) if objective else 0, literals


@examples(20)
@given(puzzles(), st.sampled_from(list(CNF_NAMES)), st.booleans())
def test_an_opb_has_the_same_solutions_and_optima(folder, puzzle, encoding, to_optimum):
    """Would catch negated literals that count the wrong way, and an objective that is maximised."""
    path = folder / "puzzle.opb"
    slips = anywhere(puzzle) if to_optimum else None
    export_opb(build_cnf(puzzle, encoding, slips=slips), path, best=to_optimum)
    expected = best(puzzle)
    found = solve_opb(path)
    if to_optimum:
        assert (found is None) == (not expected.solutions)
    else:
        assert (found is None) == (not expected.solutions or expected.best_score < puzzle.max_score)
    if found is not None:
        answer = load_answer(answer_file(folder, found[1], "pseudo-Boolean"), path, puzzle)
        assert check(puzzle, answer.board, answer.slips, answer.order).is_solution
        assert puzzle.score(answer.board) == puzzle.max_score - found[0] == expected.best_score


@pytest.mark.parametrize("encoding", CP_NAMES)
@pytest.mark.parametrize("ending", ["pb", "pbtxt"])
def test_a_model_of_cp_sat_can_be_loaded_and_solved(tmp_path, encoding, ending):
    """Would catch text in a binary file, or comments that the reader of text does not know."""
    puzzle = deal_edge_matching(3, 4, 3, 3, seed=3, random=True).puzzle
    path = tmp_path / f"puzzle.{ending}"
    export_cpsat(build_cp(puzzle, encoding, slips=anywhere(puzzle)), path, best=True)
    model = cp_model.CpModel()
    if ending == "pbtxt":
        text = path.read_text()
        assert "# placement 0: piece " in text
        model.proto.parse_text_format(text)
    else:
        other = tmp_path / "again.pb"
        export_cpsat(build_cp(puzzle, encoding, slips=anywhere(puzzle)), other, best=True)
        assert path.read_bytes() == other.read_bytes()
        assert b"placement 0:" not in path.read_bytes()
        return
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    assert puzzle.max_score - round(solver.objective_value) == best(puzzle).best_score


def test_clauses_and_names_of_ones_own_go_out_too(tmp_path):
    """Would catch an export of what was built instead of what the formula has become."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)))
    model = build_cnf(puzzle, "diamond")
    mine = model.pool.id("is it\nmine?")
    model.cnf.extend([[-model.place(0, 0, 0), mine], [-mine], []])
    for path, write in ((tmp_path / "own.cnf", export_cnf), (tmp_path / "own.opb", export_opb)):
        write(model, path)
        assert f" own {mine} is it\\nmine?\n" in path.read_text()
    read = CNF(from_file=str(tmp_path / "own.cnf"))
    assert read.clauses == model.cnf.clauses
    assert f"p cnf {model.pool.top} {len(read.clauses)}" in (tmp_path / "own.cnf").read_text()
    # The empty clause has no solution in either format.
    assert solve_opb(tmp_path / "own.opb") is None


def test_large_blocks_are_written_in_parts(tmp_path, monkeypatch):
    """Would catch clauses that get lost or doubled where one part ends and the next begins."""
    model = build_cnf(read("clue3"))
    export_cnf(model, tmp_path / "whole.cnf")
    monkeypatch.setattr(formula, "_CHUNK", 7)
    export_cnf(model, tmp_path / "parts.cnf")
    assert (tmp_path / "parts.cnf").read_bytes() == (tmp_path / "whole.cnf").read_bytes()
    _ = model.cnf
    export_cnf(model, tmp_path / "lists.cnf")
    assert (tmp_path / "lists.cnf").read_bytes() == (tmp_path / "whole.cnf").read_bytes()


def test_the_best_score_needs_slips(tmp_path):
    """Would catch a MaxSAT problem without soft clauses, which any solution solves."""
    puzzle = read("clue1")
    model, cp = build_cnf(puzzle), build_cp(puzzle)
    for write in (
        lambda path: export_wcnf(model, path),
        lambda path: export_opb(model, path, best=True),
        lambda path: export_cpsat(cp, path, best=True),
    ):
        with pytest.raises(EngineError, match="build the model with slips"):
            write(tmp_path / "some")
    assert list(tmp_path.iterdir()) == []


def test_an_objective_without_a_term(tmp_path):
    """A strip has no join that may be invalid; readers refuse an objective that is empty."""
    path = tmp_path / "strip.opb"
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)))
    export_opb(build_cnf(puzzle, slips=anywhere(puzzle)), path, best=True)
    assert "\nmin: +0 x1 ;\n" in path.read_text()
    assert solve_opb(path) is not None
