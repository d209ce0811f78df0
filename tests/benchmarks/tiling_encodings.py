"""Compares encodings and solvers on a dissection: variables, clauses, and CPU seconds until all tilings are found.

The seconds are those of the solver and of all that is done with what it finds; the model's making, which is much the
same for all, is shown apart.  A run that the limit ends is shown as `>`.

    python tests/benchmarks/tiling_encodings.py                                     # the Ostomachion, five minutes
    python tests/benchmarks/tiling_encodings.py --no-symmetry --ways cpsat=wedges sat:cadical195=colors
    python tests/benchmarks/tiling_encodings.py --proof --ways sat:cadical195=colors sat:cadical195=pairs
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from jigsat.api.certify import verify
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.models.tilings.cnf import build_tiling_cnf
from jigsat.models.tilings.cp import build_tiling_cp

WAYS = [
    *("sat:cadical195=colors", "sat:cadical195=telling", "sat:cadical195=telling+sequential"),
    *("sat:cadical195=telling+bitwise", "sat:cadical195=pairs", "sat:cadical195=wedges"),
    *("sat:cadical195=wedges+sequential", "sat:cadical195=wedges+bitwise", "sat:cadical195=wedges+pairwise"),
    *("sat:cadical195=colors+unpruned", "sat:glucose4=colors", "sat:minisat22=colors", "sat:maplechrono=colors"),
    *("cpsat=wedges", "cpsat=telling"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instance", default="ostomachion")
    parser.add_argument("--no-symmetry", action="store_true")
    parser.add_argument("--proof", action="store_true", help="have the SAT solvers prove that there is no other tiling")
    parser.add_argument("--limit", type=float, default=300, help="seconds a run")
    parser.add_argument("--ways", nargs="+", default=WAYS, metavar="ENGINE=ENCODING")
    arguments = parser.parse_args()
    puzzle = read_puzzle(arguments.instance)
    assert isinstance(puzzle, DissectionPuzzle)
    puzzle = replace(puzzle, motions=Motions.LATTICE)
    print(f"{'':36}{'variables':>10}{'clauses':>10}{'build':>8}{'seconds':>9}{'conflicts':>11}{'tilings':>9}")
    for way in arguments.ways:
        measure(puzzle, way, arguments)


def measure(puzzle: DissectionPuzzle, way: str, arguments: argparse.Namespace) -> None:
    """Print a line of the table."""
    engine, _, encoding = way.partition("=")
    symmetry = not arguments.no_symmetry
    began = time.process_time()
    if engine == "cpsat":
        proto = build_tiling_cp(puzzle, encoding or None, symmetry=symmetry).model.proto
        size = len(proto.variables), len(proto.constraints)
    else:
        clauses = build_tiling_cnf(puzzle, encoding or None, symmetry=symmetry).clauses
        size = clauses.top, len(clauses)
    build = time.process_time() - began
    options = Options(encoding=encoding or None, symmetry=symmetry)
    result = find_engine(engine, kind="dissection").run(puzzle, Goal.COUNT, Limits(seconds=arguments.limit), options)
    taken = f"{result.cpu_seconds - build:.1f}" if result.complete else f">{arguments.limit:g}"
    conflicts = (result.statistics or {}).get("conflicts", 0)
    row = f"{size[0]:>10}{size[1]:>10}{build:>8.1f}{taken:>9}{conflicts:>11}{result.canonical_count:>9}"
    print(f"{way:<36}{row}", flush=True)
    if arguments.proof and engine != "cpsat":
        prove(puzzle, engine, options)


def prove(puzzle: DissectionPuzzle, engine: str, options: Options) -> None:
    """Print what a proof takes: its size, the seconds until it is found, trimmed and checked, those to verify it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "proof")
        made = find_engine(engine, kind="dissection").run(puzzle, Goal.COUNT, options=replace(options, proof=str(path)))
        began = time.process_time()
        verdict = verify(puzzle, f"{path}.json")
        seconds = time.process_time() - began
        assert made.proof is not None
        lines, kib = made.proof["lines_before_trimming"], path.stat().st_size / 1024
        accepted = "accepted" if verdict.holds else f"REJECTED: {verdict.reason}"
        print(f"    proof: {lines} lines, trimmed {verdict.lemmas} lemmas, {kib:.0f} KiB, {made.cpu_seconds:.1f} s")
        print(f"    {accepted} in {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
