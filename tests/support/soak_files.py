"""Runs of the long agreement run that go through files: written, read again, checked."""

import tempfile
from pathlib import Path

import jigsat
from jigsat.csp.puzzles.board import Placement
from soak_judges import expect


def order_file(puzzle, squares, folder):
    path = Path(folder) / "order.txt"
    path.write_text(" ".join(puzzle.board.name(square) for square in squares))
    return str(path)


def files_run(puzzle, truth, run):
    """A puzzle and some of its solutions, written in a format, are read as they were and found right."""
    with tempfile.TemporaryDirectory() as folder:
        path, ending = Path(folder) / "puzzle.json", run.others["format"]
        jigsat.save(puzzle, path)
        expect("the puzzle from its file", jigsat.read(path), puzzle)
        other = path.with_name(f"other{ending}")
        jigsat.convert(path, other, pieces_only=run.others.get("pieces only", False))
        _judge_converted(puzzle, jigsat.read(other), ending, run)
        known = _solutions(puzzle, truth)[: run.others["number"]]
        if known:
            file = path.with_name("solutions.json")
            jigsat.write(puzzle, known, file)
            expect("the solutions from their file", [tuple(one) for one in jigsat.read_solutions(file, puzzle)], known)
            verdict = jigsat.check(puzzle, file)
            expect("valid solutions", (verdict.valid, verdict.total), (len(known), len(known)))


def _solutions(puzzle, truth):
    if puzzle.kind == "dissection":
        return sorted(truth.orbit_of)
    return [tuple(Placement(*one) for one in board) for board in truth.boards().solutions]


def _judge_converted(puzzle, read, ending, run):
    if puzzle.kind == "dissection" or ending == ".json":
        same = ("target", "holes", "pieces", "motions") if puzzle.kind == "dissection" else ("pieces", "rule")
    else:
        same = ("rows", "columns", "pieces") if ending == ".csv" else ("pieces",)
    for name in same:
        expect(f"{name} from the file {ending}", getattr(read, name), getattr(puzzle, name))
    if ending == ".csv" and not run.others.get("pieces only", False):
        expect("fixed pieces from the file .csv", set(read.fixed), set(puzzle.fixed))
