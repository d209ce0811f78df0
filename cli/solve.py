"""`jigsat solve`: find solutions."""

import argparse
import sys
from typing import Any

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import escaped
from ..csp.engines.request import OF_COUNTS, Goal
from ..csp.engines.result import Result, effort, link_lines, picture_of, solve_summary
from ..csp.files.instances import Puzzle
from ..csp.puzzles.dissection import DissectionPuzzle
from ..estimators.effort.asked import refuse_given, refuse_of_others
from ..estimators.plan.job import JobPlan
from ..estimators.plan.kept_answers import Kept, Output, run_kept
from .parts.jobs import add_explain, explain_ways, plan_of
from .parts.options import (
    add_resume,
    add_search,
    options_by_name,
    read_variant,
    refuse_json_beside,
    refuse_overwriting,
    whole,
)
from .parts.parser import FAILED, Parser
from .parts.progress import progress_bar
from .parts.wording import print_json, status_of


def add_options(parser: Parser) -> None:
    parser.description = (
        "Find a solution, all solutions or the highest score, or show that there is no solution.\n\n"
        "With --all, it finds one solution of each symmetry class: solutions are equivalent if they result from each "
        "other by turning the board, exchanging identical pieces or turning symmetric pieces.  With --no-symmetry, it "
        "finds every single solution.  For a dissection, the symmetries are those of the target and the exchange of "
        "congruent pieces.\n\n"
        "With --best, it finds a board with the highest score: among the boards that --slips permits, or, without "
        "--slips, among all boards with a matching frame.  The engines beam and dive find high scores on large boards "
        "fast, but cannot prove that a score is the highest."
    )
    parser.examples = (
        "jigsat solve clue3",
        "jigsat solve puzzle-a --all -o solutions.json",
        "jigsat solve eternity2 --best --engine dive --time-limit 1m -o best.url",
        "jigsat solve puzzle-a --engine sat --proof none.drat --limit 41",
    )
    how_many = parser.what.add_mutually_exclusive_group()
    how_many.add_argument("--all", action="store_true", help="find all solutions")
    how_many.add_argument("--best", action="store_true", help="find the highest score (number of valid joins)")
    how_many.add_argument("--limit", type=whole, metavar="N", help="find up to N solutions")
    parser.output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the solutions to FILE: .json, or .url for viewer links; - for standard output. While the search "
        "runs, what it has found is in FILE.part; at the end it is written to FILE, unless FILE is the better answer",
    )
    add_resume(parser)
    add_search(parser, without=(*OF_COUNTS, "pieces_only"))
    parser.output.add_argument(
        "--format",
        choices=("text", "dimacs"),
        default="text",
        help="dimacs: print the lines c, s and v of a SAT solver. They are about the formula that `jigsat export` "
        "writes with the same options; the exit status is 10 (satisfiable), 20 (unsatisfiable) or 0 (unknown)",
    )
    add_explain(parser)
    parser.rare |= {"format", "overwrite"}
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    several = arguments.all or arguments.limit is not None
    goal = Goal.BEST if arguments.best else Goal.ALL if several else Goal.SOLVE
    refuse_json_beside(arguments.output, arguments)
    if arguments.format == "dimacs" and (several or arguments.best or arguments.json or arguments.output):
        why = "prints one solution; omit --all, --limit, --best, --json and -o"
        raise UsageError(why, "format")
    refuse_overwriting(arguments, arguments.output)
    output = output_of(arguments)
    puzzle = read_variant(arguments)
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, **options_by_name(arguments, "best", "width"), format=arguments.format == "dimacs")
    if arguments.explain:
        refuse_given("with --explain nothing is searched; omit the option", output=arguments.output)
        return explain_ways(arguments, puzzle, goal, arguments.limit)
    plan = plan_of(arguments, puzzle, goal, arguments.limit)
    found = searched(puzzle, plan, arguments, output)
    result, number = found.result, found.number
    if arguments.format == "dimacs":
        return print_dimacs(result, plan)
    if arguments.json:
        print_json(result.record_of(puzzle))
    else:
        # Without a picture: the solutions are printed or written already.
        kept = arguments.output is None and not several
        notes = link_lines(puzzle, result.best_board) if arguments.best else []
        where = "the file" if found.why_not is None else escaped(f"{arguments.output}.part")
        text = solve_summary(result, None if kept else number, notes, where)
        text += "" if found.kept is None else f"\n  kept             {escaped(found.kept)}"
        print(text, file=sys.stderr if arguments.output == "-" else sys.stdout)
    if found.why_not is not None:
        why = f"{found.why_not}; --overwrite replaces it"
        print(f"jigsat: {escaped(f'{arguments.output} is not replaced: it {why}')}", file=sys.stderr)
    return status_of(result) or (FAILED if found.why_not else 0)


def output_of(arguments: argparse.Namespace) -> Output | None:
    """The file for the answer; None if it is printed."""
    if arguments.output is None:
        for name in ("resume", "overwrite"):
            if getattr(arguments, name):
                raise UsageError("it is for a file of solutions; give its name with -o", name)
        return None
    return Output(arguments.output, arguments.resume, arguments.overwrite)


def searched(puzzle: Puzzle, plan: JobPlan, arguments: argparse.Namespace, output: Output | None) -> Kept:
    """Search; solutions are written or printed as they are found, or kept in the result."""
    with progress_bar(arguments, plan.engine, ends=plan.tells_how_far) as report:
        if output is not None:
            return run_kept(plan, output, report)
        number, shown = 0, picture_of(puzzle.kind)

        def consume(solution: Any) -> None:
            nonlocal number
            number += 1
            print(f"solution {number}\n{shown(solution)}\n")

        several = arguments.all or arguments.limit is not None
        return Kept(plan.run(report, None if arguments.json or not several else consume), number)


def print_dimacs(result: Result[Any], plan: JobPlan) -> int:
    """Print the answer in the format of SAT solvers; returns their exit status."""
    from ..models.squares.cnf import build_cnf

    print(f"c {escaped(result.instance)}: {effort(result)}")
    if not result.solutions:
        proved = result.complete and not result.ended_by
        print("s UNSATISFIABLE" if proved else "s UNKNOWN")
        return 20 if proved else 0
    puzzle, options = plan.puzzle, plan.options
    assert not isinstance(puzzle, DissectionPuzzle)
    encoding = options.encoding if result.engine.startswith("sat") else None
    model = build_cnf(
        puzzle,
        encoding,
        order=options.order,
        slips=options.slips,
        frame_slips=options.frame_slips,
        symmetry=options.symmetry,
    )
    literals = [*model.model_of(result.solutions[0]), 0]
    print("s SATISFIABLE")
    for start in range(0, len(literals), 20):
        print("v", *literals[start : start + 20])
    return 10
