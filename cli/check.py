"""`jigsat check`: judge the solutions in a file."""

import argparse

from .common import SLIPS_HELP, add_instance, add_json, order_of, print_json


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "check",
        help="judge claimed solutions",
        description="Judge the boards of a solution file from the puzzle alone.  Exit status 1 if one is no solution.",
    )
    add_instance(parser)
    parser.add_argument(
        "solution",
        metavar="SOLUTION",
        help="a solution file, a table of boards (CSV) or a viewer link; - for standard input",
    )
    parser.add_argument("--partial", action="store_true", help="accept boards with empty squares")
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.add_argument(
        "--order", metavar="O", help="the search order by which the slips count (default: that of `jigsat solve`)"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.check import check
    from ..csp.errors import InstanceError
    from ..csp.files import escaped
    from ..csp.instances import load, load_solutions
    from ..csp.slips import checked_slips

    puzzle = load(arguments.instance)
    slips = checked_slips(puzzle, arguments.slips)
    _, order = order_of(puzzle, arguments.order, arguments.slips)
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
                }
            )
        elif not accepted:
            print(f"solution {number}: NOT valid, score {verdict.score} of {verdict.max_score}")
            print("\n".join(f"  {problem}" for problem in verdict.problems))
    if arguments.json:
        print_json({"instance": puzzle.name, "valid": valid, "boards": reports})
    else:
        name = escaped(puzzle.name)
        print(f"{name}: {valid} of {len(boards)} {'board is' if len(boards) == 1 else 'boards are'} valid")
    return 0 if valid == len(boards) else 1
