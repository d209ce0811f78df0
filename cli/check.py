"""`jigsat check`: judge the solutions in a file."""

import argparse

from ..csp.base.errors import InstanceError
from ..csp.base.safe_files import escaped
from ..csp.files.board_rows import board_rows
from ..csp.files.instances import read_puzzle
from ..csp.files.solutions import load_solutions
from ..csp.puzzles.check_board import check
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.slips import checked_slips
from ..models.proofs.recognise_file import is_answer, is_certificate
from ..models.squares.read_answers import load_answer
from .parts.certificates import judge_certificate
from .parts.dissections.commands import check_tilings, refuse_motions
from .parts.options import SLIPS_HELP, add_instance, add_json, add_motions, refuse_given
from .parts.planning import order_of
from .parts.wording import picture, print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Judge the boards or tilings of a solution file from the puzzle alone.  Exit status 1 if one is no "
        "solution.  With --cnf, SOLUTION is what a SAT, MaxSAT or pseudo-Boolean solver printed (s, v and o lines); "
        "the slips of the exported file hold unless others are given.  If the solver found no solution, or says that "
        "there is none (which it takes a proof to check), there is nothing to judge, and the exit status is 1.  A "
        "certificate, the page beside a proof, is judged by building its formula again and checking the proof."
    )
    add_instance(parser)
    parser.add_argument(
        "solution",
        metavar="SOLUTION",
        help="a solution file, a table of boards (CSV), a viewer link, a certificate or, with --cnf, a solver's "
        "output; - for standard input",
    )
    parser.add_argument(
        "--cnf", metavar="FILE", help="the file of `jigsat export` (CNF, WCNF or OPB) that the solver's output is about"
    )
    parser.add_argument("--partial", action="store_true", help="accept boards with empty squares")
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.add_argument(
        "--order", metavar="O", help="the search order by which the slips count (default: that of `jigsat solve`)"
    )
    add_motions(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if arguments.cnf is None and is_certificate(arguments.solution):
        refuse_given(arguments, ("slips", "order", "partial", "motions"), "a certificate says itself what it is about")
        return judge_certificate(puzzle, arguments.solution, json=arguments.json)
    if isinstance(puzzle, DissectionPuzzle):
        return check_tilings(puzzle, arguments)
    refuse_motions(puzzle, arguments)
    return check_boards(puzzle, arguments)


def check_boards(puzzle: EdgeMatchingPuzzle, arguments: argparse.Namespace) -> int:
    """Judge boards; the exit status."""
    slips = checked_slips(puzzle, arguments.slips)
    _, order = order_of(puzzle, arguments.order, arguments.slips)
    answer = None
    if arguments.cnf is not None:
        answer = load_answer(arguments.solution, arguments.cnf, puzzle)
        if answer.board is None:
            return _say_no_board(answer.status, puzzle, arguments)
        boards = [answer.board]
        if arguments.slips is None:
            slips, order = answer.slips, answer.order
    elif is_answer(arguments.solution):
        raise InstanceError(f"{arguments.solution}: is a solver's output; name the file that it solved with --cnf FILE")
    else:
        boards = load_solutions(arguments.solution, puzzle)
    if not boards:
        raise InstanceError(f"{arguments.solution}: holds no board to check")
    valid = 0
    reports = []
    for number, board in enumerate(boards, start=1):
        verdict = check(puzzle, board, slips, order)
        accepted = verdict.is_solution or (arguments.partial and not verdict.faults and not verdict.invalid_joins)
        valid += accepted
        if arguments.json:
            reports.append(
                {
                    "valid": accepted,
                    "placed": verdict.placed,
                    "score": verdict.score,
                    "max_score": verdict.max_score,
                    "slips": [str(fault) for fault in verdict.slips],
                    "problems": list(verdict.problems),
                    **({} if answer is None else {"board": board_rows(board, puzzle.columns)}),
                }
            )
            continue
        if answer is not None:
            print(picture(board, puzzle.columns))
            print(f"  score {verdict.score} of {verdict.max_score}")
        if not accepted:
            print(f"solution {number}: NOT valid, score {verdict.score} of {verdict.max_score}")
            print("\n".join(f"  {problem}" for problem in verdict.problems))
    if arguments.json:
        print_json({"instance": puzzle.name, "valid": valid, "boards": reports})
    else:
        name = escaped(puzzle.name)
        if answer is not None and answer.status == "OPTIMUM FOUND":
            print("  that no board is better is the solver's word, which is not verified")
        print(f"{name}: {valid} of {len(boards)} {'board is' if len(boards) == 1 else 'boards are'} valid")
    return 0 if valid == len(boards) else 1


def _say_no_board(status: str, puzzle: EdgeMatchingPuzzle, arguments: argparse.Namespace) -> int:
    """The solver's output has no board that could be judged."""
    if arguments.json:
        print_json({"instance": puzzle.name, "valid": 0, "boards": [], "claim": status.lower()})
    elif status == "UNSATISFIABLE":
        print(
            f"{escaped(puzzle.name)}: the solver says that there is no solution; without a proof that is not verified"
        )
    else:
        print(f"{escaped(puzzle.name)}: the solver says {status}, and has no board to check")
    return 1
