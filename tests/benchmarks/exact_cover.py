"""Compares whole commands that count tilings: jigsat, and three general programs for exact cover.

All are Python packages: miniexact (C, dancing links), xcover (Numba), and the usual model for OR-tools' CP-SAT: one
Boolean for each placement, exactly one true for each item.  They get the placements ready-made as a file, and count
every picture; jigsat reads its puzzle, and searches one picture of each orbit if possible.  Seconds are those of the
processor and of the clock, start-up included; the best of some runs.

    python tests/benchmarks/exact_cover.py
    python tests/benchmarks/exact_cover.py --puzzles pentominoes-8x8 --runs 5
    python tests/benchmarks/exact_cover.py --puzzles partridge-8 --programs jigsat
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from usage import seconds_of_children

from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.search.tilings.lattice import members_of
from jigsat.csp.search.tilings.lattice_placements import find_placements

_XCOVER = """
import sys
from xcover import covers
options = [line.split() for line in open(sys.argv[1]).read().splitlines()[1:]]
print(sum(1 for _ in covers(options)), "solutions")
"""
_CPSAT = """
import sys
from collections import defaultdict
from ortools.sat.python import cp_model
model, of_item = cp_model.CpModel(), defaultdict(list)
for line in open(sys.argv[1]).read().splitlines()[1:]:
    placed = model.new_bool_var("")
    for item in line.split():
        of_item[item].append(placed)
for placements in of_item.values():
    model.add_exactly_one(placements)
class Counter(cp_model.CpSolverSolutionCallback):
    found = 0
    def on_solution_callback(self):
        self.found += 1
counter, solver = Counter(), cp_model.CpSolver()
solver.parameters.num_workers, solver.parameters.enumerate_all_solutions = 1, True
assert solver.solve(model, counter) == cp_model.OPTIMAL
print(counter.found, "solutions")
"""
# Seconds.
_LIMIT = 300
PROGRAMS: dict[str, Callable[[str, str], list[str]]] = {
    "jigsat": lambda name, _: [sys.executable, "-m", "jigsat", "count", name, "--engine", "backtrack"],
    "jigsat, the plan": lambda name, _: [sys.executable, "-m", "jigsat", "count", name],
    "jigsat, every picture": lambda name, _: [
        *(sys.executable, "-m", "jigsat", "count", name, "--engine", "backtrack", "--no-symmetry")
    ],
    "miniexact -c": lambda _, file: ["miniexact", "-c", "-e", file],
    "miniexact -x": lambda _, file: ["miniexact", "-x", "-e", file],
    "CP-SAT": lambda _, file: [sys.executable, "-c", _CPSAT, file],
    "xcover": lambda _, file: [sys.executable, "-W", "ignore", "-c", _XCOVER, file],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", nargs="+", default=["pentominoes-6x10", "pentominoes-8x8"])
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS))
    parser.add_argument("--runs", type=int, default=3, help="the best of this number of runs is shown")
    arguments = parser.parse_args()
    for name in arguments.puzzles:
        print(f"{name:<24}{'processor':>12}{'clock':>9}  answer")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "options")
            if any("jigsat" not in program for program in arguments.programs):
                file.write_text(options_of(name))
            for program in arguments.programs:
                print(row(program, PROGRAMS[program](name, str(file)), arguments.runs), flush=True)


def options_of(name: str) -> str:
    """The placements of a puzzle's pieces, each a line of what it covers, below a line of all that must be covered."""
    puzzle = read_puzzle(name)
    assert isinstance(puzzle, DissectionPuzzle)
    assert len(puzzle.classes) == len(puzzle.pieces), "these programs do not know equal pieces"
    placements = find_placements(puzzle)
    items: list[list[str]] = [[f"p{kind}"] for kind in placements.of_kind.tolist()]
    covers = placements.wedges.covers
    for wedge, row_of_bits in enumerate(covers):
        for placement in members_of(row_of_bits).tolist():
            items[placement].append(f"c{wedge}")
    names = [f"p{kind}" for kind in range(len(placements.kinds))] + [f"c{wedge}" for wedge in range(len(covers))]
    return "\n".join(map(" ".join, [names, *items])) + "\n"


def row(program: str, command: list[str], runs: int) -> str:
    """A line of the table: the best of some runs of a command, each of them within a limit."""
    if shutil.which(command[0]) is None:
        return f"{program:<24}{'not there':>12}"
    seconds, answer = [], ""
    for _ in range(runs):
        before, began = seconds_of_children(), time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LIMIT)
        except subprocess.TimeoutExpired:
            return f"{program:<24}{'over':>8} {_LIMIT} s"
        seconds.append((seconds_of_children() - before, time.perf_counter() - began))
        found = re.search(r"exactly .*\)|.*solutions.*", done.stdout)
        answer = " ".join(found[0].split()) if found else done.stderr.strip().splitlines()[-1:][0]
    used, clock = (min(some) for some in zip(*seconds, strict=True))
    return f"{program:<24}{used:>10.2f} s{clock:>7.2f} s  {answer}"


if __name__ == "__main__":
    main()
