"""`jigsat solve`, `jigsat count` and `jigsat plan`: searches, and what they would cost."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..api.public import search_options
from ..api.solve import Found, best, count, counted, explain, found, output_of, solve
from ..csp.base.errors import JigsatError, UsageError, escaped
from ..csp.engines.request import Goal
from ..csp.puzzles.dissection import DissectionPuzzle
from .from_functions import describe, take, whole
from .options import (
    RARE,
    add_instance,
    add_json,
    add_own_options,
    add_quiet,
    given_own_options,
    options_by_name,
    read_variant,
    refuse_files,
    refuse_json_beside,
)
from .parser import FAILED, Parser

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..csp.engines.result import Result
    from ..csp.files.instances import Puzzle
    from ..estimators.plan.job import JobPlan
    from ..estimators.plan.kept_answers import Output

_EXPLAIN = "show what each possible search is predicted to cost, and run none. The output is that of `jigsat plan`"


def add_solve(parser: Parser) -> None:
    describe(parser, solve)
    parser.description = f"{parser.description}\n\n{_BEST}"
    parser.examples = (
        "jigsat solve clue3",
        "jigsat solve puzzle-a --all -o solutions.json",
        "jigsat solve eternity2 --best --engine dive --time-limit 1m -o best.url",
        "jigsat solve puzzle-a --engine sat --proof none.drat --limit 41",
    )
    add_instance(parser)
    how_many = parser.what.add_mutually_exclusive_group()
    how_many.add_argument("--all", action="store_true", help="find all solutions")
    how_many.add_argument("--best", action="store_true", help="find the highest score (number of valid joins)")
    how_many.add_argument("--limit", type=whole, metavar="N", help="find up to N solutions")
    take(parser, best, without=("output",))
    file = (
        "write the solutions to FILE: .json, or .url for viewer links; - for standard output. While the search "
        "runs, what it has found is in FILE.part; at the end it is written to FILE, unless FILE is the better answer"
    )
    take(parser, solve, ["output"], texts={"output": file})
    parser.output.add_argument(
        "--format",
        choices=("text", "dimacs"),
        default="text",
        help="dimacs: print the lines c, s and v of a SAT solver. They are about the formula that `jigsat export` "
        "writes with the same options; the exit status is 10 (satisfiable), 20 (unsatisfiable) or 0 (unknown)",
    )
    _add_common(parser, run_solve)
    parser.rare |= {"format"}


_BEST = (
    "With --best, it finds a board with the highest score: among the boards that --slips permits, or, without "
    "--slips, among all boards with a matching frame.  The engines beam and dive find high scores on large boards "
    "fast, but cannot prove that a score is the highest."
)


def add_count(parser: Parser) -> None:
    describe(parser, count)
    parser.description = f"{parser.description}\n\n{_SEVERAL}"
    parser.examples = (
        "jigsat count puzzle-a",
        "jigsat count clue1 --time-limit 1m30s --json",
        "jigsat count puzzle-a --method blocks --ledger count.ledger",
        "jigsat count clue3 --verify",
        "jigsat count boards --time-limit 10s --json",
    )
    add_instance(parser)
    take(parser, count)
    _add_common(parser, run_count)


_SEVERAL = (
    "INSTANCE may also be a folder of puzzles, a pattern such as 'boards/*.json', or a list, which is a text file with "
    "one of these, or a puzzle, in each line.  Then there is a line for each puzzle, and a total; with --json an "
    "object for each.  Limits are for each puzzle."
)


def add_plan(parser: Parser) -> None:
    describe(parser, explain)
    parser.examples = ("jigsat plan puzzle-a", "jigsat plan clue1 --goal count --threads 4")
    add_instance(parser)
    take(parser, explain, without=("goal", "solver"))
    parser.what.add_argument(
        "--goal", choices=[str(goal) for goal in Goal], default="solve", help="the goal of the search (default: solve)"
    )
    _add_common(parser, run_plan, explains=False)


def _add_common(parser: Parser, run: Any, *, explains: bool = True) -> None:
    add_own_options(parser)
    if explains:
        parser.how.add_argument("--explain", action="store_true", help=_EXPLAIN)
    add_quiet(parser)
    add_json(parser)
    parser.rare = RARE
    parser.set_defaults(run=run)


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the command line asks of a search, by the names of the Python functions."""
    return search_options({**vars(arguments), "engine_options": given_own_options(arguments)})


def _watching(arguments: argparse.Namespace, plan: JobPlan | None) -> AbstractContextManager[Report | None]:
    """The progress on standard error: of planning, then of the search."""
    from .progress import note_bar, progress_bar

    return note_bar(arguments) if plan is None else progress_bar(arguments, plan.engine, ends=plan.tells_how_far)


def run_plan(arguments: argparse.Namespace) -> int:
    return _explain(arguments, read_variant(arguments), arguments.goal, arguments.limit)


def _explain(arguments: argparse.Namespace, puzzle: Puzzle, goal: str, limit: int | None = None) -> int:
    from .wording import print_found

    # Ledgers, parts and clusters do not change which ways there are.
    asked = {name: value for name, value in _asked(arguments).items() if name not in _OF_RUNS}
    print_found(explain(puzzle, goal, limit=limit, **asked), arguments)  # pyright: ignore[reportArgumentType]
    return 0


_OF_RUNS = ("ledger", "part", "cluster", "cluster_security", "cluster_dashboard")


def run_count(arguments: argparse.Namespace) -> int:
    from ..csp.engines.result import count_summary
    from ..estimators.experiments.families import is_several
    from .wording import print_answer, print_json, status_of

    asked = _asked(arguments)
    refuse_files(asked, arguments.instance)
    if arguments.instance and is_several(arguments.instance, Path.cwd()):
        return _count_each(arguments, asked)
    puzzle = read_variant(arguments)
    if arguments.explain:
        if arguments.verify:
            raise UsageError("nothing is counted", "verify", "explain")
        return _explain(arguments, puzzle, Goal.COUNT)
    plan, result = counted(
        puzzle, asked, lambda plan: _watching(arguments, plan), verify=arguments.verify, started=arguments.started
    )
    if arguments.json:
        print_json(result.record_of(puzzle))
    else:
        print_answer(count_summary(result, plan.reasons, verbose=arguments.verbose))
    if result.verified is not None and result.verified["same"] is False:
        from ..estimators.plan.second_count import difference

        sys.stdout.flush()
        print(f"jigsat: {escaped(difference(result))}", file=sys.stderr)
    return status_of(result)


def _count_each(arguments: argparse.Namespace, asked: dict[str, Any]) -> int:
    """Count the solutions of each puzzle of a folder, a pattern or a list; all are read before the first is counted."""
    from ..csp.engines.result import count_summary
    from ..estimators.experiments.families import named_by
    from .wording import print_json, status_of

    for name in (*_OF_FILES, "explain"):
        if getattr(arguments, name):
            raise UsageError("it is for the count of one puzzle", name)
    names = list(named_by(arguments.instance, Path.cwd()))
    for place, name in names:
        _one_of(arguments, place, name)
    results: list[Result[Any]] = []
    status = 0
    for place, name in names:
        puzzle = _one_of(arguments, place, name)
        plan, result = counted(puzzle, asked, lambda plan: _watching(arguments, plan), verify=arguments.verify)
        if arguments.json:
            print_json(result.record_of(puzzle))
        else:
            text = count_summary(result, plan.reasons, verbose=arguments.verbose)
            print(text if arguments.verbose else text.partition("\n")[0], flush=True)
        results.append(replace(result, solutions=()))
        status = max(status, status_of(result))
        if result.ended_by == "interrupt":
            break
    if not arguments.json:
        print(_total(results, len(names)))
    return status


def _total(results: Sequence[Result[Any]], puzzles: int) -> str:
    """How many solutions these puzzles have; `puzzles` is the number of all that were to be counted."""
    from ..csp.base.errors import grouped, plural

    different = [result.canonical_count for result in results if result.canonical_count is not None]
    are_different = len(different) == len(results)
    total = sum(different) if are_different else sum(result.count or 0 for result in results)
    least = "" if all(result.complete for result in results) else "at least "
    counted_ones = "" if len(results) == puzzles else f"{grouped(len(results))} of "
    what = "different solution" if are_different else "solution"
    return f"{counted_ones}{plural(puzzles, 'puzzle')}: {least}{plural(total, what)} in all."


def _one_of(arguments: argparse.Namespace, place: str, name: str) -> Puzzle:
    """A puzzle of several; `place` is the line of the list that names it."""
    try:
        return read_variant(argparse.Namespace(**{**vars(arguments), "instance": name}))
    except JigsatError as error:
        raise type(error)(f"{place}: {error}") if place else error from error


# The options of counts that keep something in files, or are about one board.
_OF_FILES = ("ledger", "part", "proof", "start")


def run_solve(arguments: argparse.Namespace) -> int:
    from ..csp.engines.request import refuse_given, refuse_of_others
    from ..csp.engines.result import link_lines, solve_summary
    from .wording import print_answer, print_json, status_of

    several = arguments.all or arguments.limit is not None
    goal = Goal.BEST if arguments.best else Goal.ALL if several else Goal.SOLVE
    refuse_json_beside(arguments.output, arguments)
    if arguments.format == "dimacs" and (several or arguments.best or arguments.json or arguments.output):
        why = "prints one solution; omit --all, --limit, --best, --json and -o"
        raise UsageError(why, "format")
    refuse_files({**_asked(arguments), "output": arguments.output, "target": arguments.target}, arguments.instance)
    output = output_of(arguments.output, "with -o", resume=arguments.resume, overwrite=arguments.overwrite)
    puzzle = read_variant(arguments)
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, **options_by_name(arguments, "best", "width"), format=arguments.format == "dimacs")
    if arguments.explain:
        refuse_given("with --explain nothing is searched; omit the option", output=arguments.output)
        return _explain(arguments, puzzle, goal, arguments.limit)
    answer, number = _search(puzzle, goal, arguments, output)
    result, kept = answer.result, answer.kept
    why_not = None if kept is None else kept.why_not
    if arguments.format == "dimacs":
        return print_dimacs(result, answer.plan)
    if arguments.json:
        print_json(result.record_of(puzzle))
    else:
        # Without a picture: the solutions are printed or written already.
        shown = arguments.output is None and not several
        notes = link_lines(puzzle, result.best_board) if arguments.best else []
        where = None if why_not is None else escaped(f"{arguments.output}.part")
        text = solve_summary(result, None if shown else number, notes, where, verbose=arguments.verbose)
        text += "" if kept is None or kept.kept is None else f"\n  Kept: {escaped(kept.kept)}"
        print_answer(text, arguments.output)
    if why_not is not None:
        why = f"{why_not}; --overwrite replaces it"
        print(f"jigsat: {escaped(f'{arguments.output} is not replaced: it {why}')}", file=sys.stderr)
    return status_of(result) or (FAILED if why_not else 0)


def _search(puzzle: Puzzle, goal: Goal, arguments: argparse.Namespace, output: Output | None) -> tuple[Found, int]:
    """Search; solutions are written or printed as they are found, or kept in the result."""
    from ..csp.engines.result import picture_of

    number, shown = 0, picture_of(puzzle.kind)

    def consume(solution: Any) -> None:
        nonlocal number
        number += 1
        print(f"solution {number}\n{shown(solution)}\n")

    prints = goal is Goal.ALL and output is None and not arguments.json
    answer = found(
        puzzle, goal, _asked(arguments), lambda plan: _watching(arguments, plan), limit=arguments.limit,
        output=output, consume=consume if prints else None, started=arguments.started,
    )  # fmt: skip
    return answer, number if answer.kept is None else answer.kept.number


def print_dimacs(result: Result[Any], plan: JobPlan) -> int:
    """Print the answer in the format of SAT solvers; returns their exit status."""
    from ..csp.engines.result import effort
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
