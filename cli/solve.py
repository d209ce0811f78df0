"""`jigsat solve`: find solutions."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from ..csp.base.errors import EngineError, InstanceError
from ..csp.base.progress import Report
from ..csp.base.quantities import grouped
from ..csp.base.safe_files import escaped, replacing
from ..csp.engines.record import to_record
from ..csp.engines.request import Goal
from ..csp.engines.result import Result
from ..csp.files.community.viewer_links import format_link
from ..csp.files.convert import tilings_text
from ..csp.files.instances import Puzzle, read_puzzle
from ..csp.files.solutions import solution_writer
from ..csp.puzzles.board import Arrangement
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .parts.dissections.commands import (
    Consume,
    Search,
    refuse_motions,
    refuse_options,
    tiling_search,
    tiling_text,
)
from .parts.options import add_search, refuse_overwriting, whole
from .parts.planning import engine_of, limits_of, plan_of, start_of
from .parts.progress import progress_bar
from .parts.wording import (
    all_searched,
    effort,
    effort_lines,
    ending,
    picture,
    print_json,
    proof_lines,
    proves_its_best,
    status_of,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find a solution, or find out that there is none.  With --all, one solution of each set that "
        "turning the board, exchanging identical pieces and turning symmetric ones make of each other; with "
        "--no-symmetry as well, every single one.  With --best, a board of the highest score: with --slips, of those "
        "that the slip array permits, otherwise of all whose frame matches; the engines beam and dive are quick to "
        "find high scores on large boards, and never know that theirs is the highest.  Of a dissection, tilings: with "
        "--all, one of each set that the target's symmetries and exchanging congruent pieces make of each other."
    )
    add_search(parser)
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument("--all", action="store_true", help="find all solutions")
    how_many.add_argument("--best", action="store_true", help="find the highest score (number of valid joins)")
    how_many.add_argument("--limit", type=whole, metavar="N", help="find up to N solutions")
    parser.add_argument(
        "--width", type=whole, metavar="N", help="partial boards that the engine beam keeps at each depth"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the solutions to this file as they are found (- for standard output): as JSON, or as viewer links, "
        "one a line, if it ends in .url",
    )
    parser.add_argument(
        "--format",
        choices=("text", "dimacs"),
        default="text",
        help="dimacs: lines c, s and v as a SAT solver prints them for the formula that `jigsat export` writes with "
        "the same options, and exit status 10 (satisfiable), 20 (unsatisfiable) or 0 (unknown)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    several = arguments.all or arguments.limit is not None
    goal = Goal.BEST if arguments.best else Goal.ALL if several else Goal.SOLVE
    if arguments.json and arguments.output == "-":
        raise EngineError("--json and -o - cannot both have standard output; give -o a file")
    if arguments.format == "dimacs" and (several or arguments.best or arguments.json or arguments.output):
        raise EngineError("--format dimacs answers for one solution; leave out --all, --limit, --best, --json and -o")
    refuse_overwriting(arguments, arguments.output)
    puzzle = read_puzzle(arguments.instance)
    if isinstance(puzzle, DissectionPuzzle):
        return solve_dissection(puzzle, goal, arguments)
    refuse_motions(puzzle, arguments)
    return solve_board(puzzle, goal, arguments)


def solve_board(puzzle: EdgeMatchingPuzzle, goal: Goal, arguments: argparse.Namespace) -> int:
    """Solve a puzzle of squares and say what was found; the exit status."""
    start = start_of(puzzle, arguments)
    engine = engine_of(arguments, start, goal)
    plan = plan_of(arguments, start, goal, engine)

    def search(report: Report | None, consume: Consume | None) -> Result:
        limits = limits_of(arguments, arguments.limit)
        return plan.told(engine.run(start, goal, limits, plan.options, report=report, consume=consume))

    shown = partial(picture, columns=puzzle.columns)
    result, number = searched(puzzle, arguments, search, shown)
    if arguments.format == "dimacs":
        return print_dimacs(result, start, plan.options)
    several = arguments.all or arguments.limit is not None
    link = viewer_link(puzzle, result.best_board) if arguments.best else None
    say(puzzle, arguments, result, describe(result, number, shown, several=several, link=link))
    return status_of(result)


def viewer_link(puzzle: EdgeMatchingPuzzle, board: Arrangement | None) -> str | None:
    """A link that shows a board; None if it is not full, or has what a link cannot hold."""
    if board is None or None in board:
        return None
    try:
        return format_link(puzzle, board, puzzle.name)
    except InstanceError:
        return None


def solve_dissection(puzzle: DissectionPuzzle, goal: Goal, arguments: argparse.Namespace) -> int:
    """Find tilings and say what was found; the exit status."""
    refuse_options(puzzle, arguments, "best", "width", *(["format"] if arguments.format == "dimacs" else []))
    search = tiling_search(puzzle, goal, arguments)
    result, number = searched(puzzle, arguments, search, tiling_text)
    several = arguments.all or arguments.limit is not None
    say(puzzle, arguments, result, describe(result, number, tiling_text, several=several))
    return status_of(result)


def searched(
    puzzle: Puzzle, arguments: argparse.Namespace, search: Search, shown: Callable[[Any], str]
) -> tuple[Result, int]:
    """Search; solutions are written or printed as they are found, and counted, unless the result keeps them."""
    output = nullcontext() if arguments.output is None else opened(puzzle, arguments.output)
    number = 0
    with progress_bar(arguments) as report, output as writer:

        def consume(solution: Any) -> None:
            nonlocal number
            number += 1
            if writer is not None:
                writer(solution)
            else:
                print(f"solution {number}\n{shown(solution)}\n")

        several = arguments.all or arguments.limit is not None
        kept = writer is None and (arguments.json or not several)
        result = search(report, None if kept else consume)
    return result, number


@contextmanager
def opened(puzzle: Puzzle, output: str) -> Iterator[Consume]:
    """Open a file for solutions, one after the other; its ending tells the format."""
    if not output.lower().endswith(".url"):
        with solution_writer(puzzle, output) as writer:
            yield writer.add
        return
    if isinstance(puzzle, DissectionPuzzle):
        tilings_text(puzzle, (), "url", output)  # refuses
        return
    # What a link cannot hold is said before the search.
    format_link(puzzle, (None,) * len(puzzle.board), output)
    with replacing(output) as file:
        yield lambda board: print(format_link(puzzle, board, output), file=file, flush=True)


def say(puzzle: Puzzle, arguments: argparse.Namespace, result: Result, summary: str) -> None:
    """Print the result, for scripts or for people; not among solutions on standard output."""
    if arguments.json:
        print_json(to_record(result, puzzle))
    else:
        print(summary, file=sys.stderr if arguments.output == "-" else sys.stdout)


def print_dimacs(result, puzzle, options) -> int:
    """The answer as SAT solvers give it, and their exit status."""
    from ..models.squares.cnf import build_cnf

    print(f"c {escaped(result.instance)}: {effort(result)}")
    if not result.solutions:
        proved = result.complete and not result.ended_by
        print("s UNSATISFIABLE" if proved else "s UNKNOWN")
        return 20 if proved else 0
    encoding = options.encoding if result.engine.startswith("sat") else None
    model = build_cnf(puzzle, encoding, order=options.order, slips=options.slips, symmetry=options.symmetry)
    literals = [*model.model_of(result.solutions[0]), 0]
    print("s SATISFIABLE")
    for start in range(0, len(literals), 20):
        print("v", *literals[start : start + 20])
    return 10


def describe(result, number: int, shown: Callable[[Any], str], *, several: bool, link: str | None = None) -> str:
    """What was found, as text; `number` solutions have been printed or written already, a link shows the board."""
    board = result.best_board
    lines = [f"{escaped(result.instance)}: {result.kind} puzzle, {result.status}"]
    if several:
        every = "all of them" if result.complete else f"not all: {ending(result.ended_by)}"
        lines.append(f"  solutions        {grouped(number)}, {every}")
    elif result.solutions or number:
        if board is not None and (result.best_bound is not None or result.best_score < result.max_score):
            lines.append(f"  score            {result.best_score} of {result.max_score}{best_of(result)}")
        written = "  solutions        one, written to the file"
        lines.append(written if number else shown(result.solutions[0] if board is None else board))
        lines += [] if link is None else [f"  viewer           {link}"]
    elif result.complete:
        lines.append(f"  no solution exists: {all_searched(result)}")
    elif result.best_bound is not None and result.statistics is not None:
        lines.append(f"  no board found, at most {result.best_bound} is possible; {ending(result.ended_by)}")
    elif result.statistics is not None or board is None:
        lines.append(f"  no solution found, {ending(result.ended_by)}")
    else:
        fullest = f"the fullest board has {result.best_depth} of {len(board)} pieces"
        what = "full board" if result.goal == "best" else "solution"
        lines.append(f"  no {what} found, {ending(result.ended_by)}; {fullest}:")
        lines.append(shown(board))
    lines += proof_lines(result)
    lines += effort_lines(result)
    return "\n".join(lines)


def best_of(result) -> str:
    """How good the best score is."""
    if result.best_bound is None:
        return ""
    if not proves_its_best(result.engine):
        if result.complete:
            return ", every join that can be valid is"
        return f", more may be possible; {ending(result.ended_by)}"
    if result.complete:
        return ", no other board has more"
    return f", at most {result.best_bound} is possible; {ending(result.ended_by)}"
