"""What the commands share: options, numbers as people read them, and the progress bar."""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import threading

    from tqdm import tqdm

    from ...csp.engines.engine import Engine, Goal, Limits, Options, Progress, Result
    from ...csp.files.instances import Puzzle
    from ...csp.puzzles.board import Arrangement
    from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
    from ...csp.puzzles.orders import Order
    from ...estimators.owen.complexity import Complexity
    from ...estimators.plan.effort import Plan

INSTANCE_HELP = (
    "a file (instance, piece text, CSV or viewer link), - for standard input, a viewer link, or the name of a bundled "
    "puzzle"
)
ORDER_HELP = (
    "search order: rowscan, colscan, rowscan2[:ROWS], spiral_in, spiral_out, frame_first, zig_zag, best (the fewest "
    "nodes to be expected, worked out), or a file of square names (default: a named one, by a rule of thumb)"
)
SLIPS_HELP = (
    "slip array: depths (pieces placed, fixed ones included) from which on one more inner join may be invalid, as in "
    "220,230,240 or 192x10"
)
ENGINE_HELP = (
    "the engine that searches: backtrack (the default for edge matching), most-constrained (the default for jigsaws), "
    "cpsat, sat:NAME (a solver of PySAT: sat:cadical195, sat:glucose4, ...), for --best maxsat:rc2, beam (beam "
    "searches) or dive (depth-first searches with restarts; both find high scores and prove nothing), balanced or "
    "balanced:checkerboard (for study); for dissections backtrack (the default), cpsat or sat:NAME; auto takes the one "
    "that did best on the nearest puzzles of the bundled experiments, and says why"
)
MOTIONS_HELP = (
    "of a dissection: how its pieces may be moved, any (every rotation and translation) or lattice (quarter turns, "
    "vertices on the lattice of the puzzle's coordinates); default: as its file says"
)
ENCODING_HELP = (
    "how the puzzle becomes a model: pairs (the default), seams, direct or diamond for SAT, pairs, booleans, table or "
    "element for CP-SAT, and options after a +, as in seams+sequential+color-counts (pairwise, product, sequential, "
    "bitwise, ladder, totalizer; pieces, absent-colors, color-counts, checkerboard, parity; unpruned); for "
    "a dissection colors (the default), telling, wedges or pairs for SAT, wedges (the default) or telling for CP-SAT"
)


def add_instance(parser: argparse.ArgumentParser) -> None:
    """The puzzle that a command is about."""
    parser.add_argument("instance", metavar="INSTANCE", help=INSTANCE_HELP)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Output for scripts."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def add_motions(parser: argparse.ArgumentParser) -> None:
    """How the pieces of a dissection may be moved."""
    parser.add_argument("--motions", choices=("any", "lattice"), help=MOTIONS_HELP)


def add_search(parser: argparse.ArgumentParser) -> None:
    """How a search runs, and what bounds it."""
    add_instance(parser)
    parser.add_argument("--engine", metavar="E", help=ENGINE_HELP)
    parser.add_argument("--encoding", metavar="NAME", help=ENCODING_HELP)
    parser.add_argument(
        "--order",
        metavar="O",
        help=ORDER_HELP,
    )
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    add_motions(parser)
    parser.add_argument(
        "--from",
        dest="start",
        metavar="BOARD",
        help="start from the partial board in this solution file; its pieces are placed first, and slips count them so",
    )
    parser.add_argument("--no-symmetry", action="store_true", help="look at every numbered piece in every rotation")
    parser.add_argument("--time-limit", type=seconds, metavar="SECONDS", help="stop after so many seconds")
    parser.add_argument("--node-limit", type=whole, metavar="N", help="stop after so many nodes (pieces placed)")
    parser.add_argument("--depth-limit", type=whole, metavar="N", help="fill only the first N squares of the order")
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="prove that there is no solution, none besides those found, or none better: a DRAT proof in FILE, its "
        "formula and what it states beside it (engines sat:NAME)",
    )
    parser.add_argument("--seed", type=whole, metavar="N", help="what an engine makes random choices by")
    parser.add_argument("--threads", type=whole, default=1, metavar="N", help="number of threads (default: 1)")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)


def whole(text: str) -> int:
    """A whole number that is not negative; 1e9 will do."""
    try:
        number = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            number = -1
    if not (0 <= number < 2**62 and number == int(number)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2^62")
    return int(number)


def seconds(text: str) -> float:
    """A number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return number


def order_of(
    puzzle: "EdgeMatchingPuzzle",
    spec: "str | tuple[str, Order] | None",
    slips: str | None,
    model: "Complexity | None" = None,
) -> "tuple[str, Order]":
    """The order that a user means, with its name; `best` is found by what it is expected to cost.

    `model` is the puzzle's, if there is one already.
    """
    from ...csp.puzzles.orders import find_order

    if isinstance(spec, tuple):
        return spec
    if spec != "best":
        return find_order(puzzle, spec)
    from ...estimators.owen.best_order import best_order

    return "best", best_order(puzzle, slips, model=model).order


def proof_files(proof: str | None) -> list[str]:
    """The files that are written for a proof: the proof itself, its formula, its page; none if there is no proof."""
    return [] if proof is None else [f"{proof}{end}" for end in ("", ".cnf", ".json")]


def refuse_overwriting(arguments: argparse.Namespace, *outputs: str | None) -> None:
    """Keep what a search reads from being replaced by what it writes."""
    from ...csp.base.errors import EngineError
    from ...csp.base.safe_files import refuse_same_file

    proof = proof_files(arguments.proof)
    others = [output for output in outputs if output is not None]
    for output in (*others, *proof):
        refuse_same_file(output, arguments.instance, arguments.start, arguments.order)
    for output in others:
        if os.path.realpath(output) in map(os.path.realpath, proof):
            raise EngineError(f"{output}: --proof writes this file, too; give -o another one")


def engine_of(arguments: argparse.Namespace, puzzle: "EdgeMatchingPuzzle", goal: "Goal") -> "Engine":
    """The engine that is named, or the one that suits the puzzle and what is asked for; `arguments` get its name."""
    from ...csp.engines.engine import default_engine, find_engine

    if arguments.engine is None:
        options = replace(options_of(arguments, arguments.order), **parts_of(arguments))
        arguments.engine = default_engine(puzzle, goal, limits_of(arguments), options)
    take_advice(arguments, puzzle, goal)
    return find_engine(arguments.engine, goal)


def take_advice(arguments: argparse.Namespace, puzzle: "Puzzle", goal: "Goal") -> None:
    """Where the engine is to be chosen by what experiments taught: give `arguments` its name, and say why."""
    if arguments.engine != "auto":
        return
    from ...estimators.experiments.advice import advice

    taken = advice(puzzle, goal, limits_of(arguments), options_of(arguments, arguments.order))
    arguments.engine, arguments.order = taken.engine, arguments.order or taken.order
    if not arguments.quiet:
        along = f", order {taken.order}" if taken.order else ""
        print(f"engine auto: {taken.engine}{along}: {taken.why}", file=sys.stderr)


def plan_of(arguments: argparse.Namespace, puzzle: "EdgeMatchingPuzzle", goal: "Goal", engine: "Engine") -> "Plan":
    """How to search, and what to expect where that is known in no time."""
    from ...csp.base.errors import EngineError
    from ...csp.engines.engine import Goal
    from ...csp.puzzles.slips import checked_slips
    from ...estimators.plan.effort import MOST_PREDICTED, Plan, planned

    slips = arguments.slips
    checked_slips(puzzle, slips)
    if arguments.proof is not None and arguments.start is not None:
        raise EngineError("--proof and --from: a proof is about the whole puzzle; fix the pieces in its file instead")
    # Some engines have none, some have their own.
    without_order = arguments.order is None and ("order" in engine.lacks or not proves_its_best(engine.name))
    name, order = (None, None) if without_order else order_of(puzzle, arguments.order, slips)
    options = options_of(arguments, order)
    if name is None or goal is Goal.BEST or len(puzzle.board) > MOST_PREDICTED:
        return Plan(name, options)
    return planned(puzzle, name, options)


def options_of(arguments: argparse.Namespace, order: "str | Order | None") -> "Options":
    """The options of a search that the command line gives, with that order."""
    from ...csp.engines.engine import Options

    return Options(
        order,
        not arguments.no_symmetry,
        arguments.threads,
        arguments.slips,
        encoding=arguments.encoding,
        seed=arguments.seed,
        proof=arguments.proof,
        width=getattr(arguments, "width", None),
    )


def parts_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of counts in parts that the command line gives, if it is that of a count."""
    from ...csp.engines.engine import IN_PARTS

    return {name: getattr(arguments, name, None) for name in IN_PARTS}


def limits_of(arguments: argparse.Namespace, solutions: int | None = None) -> "Limits":
    from ...csp.engines.engine import Limits

    return Limits(
        seconds=arguments.time_limit, nodes=arguments.node_limit, solutions=solutions, depth=arguments.depth_limit
    )


def start_of(puzzle: "EdgeMatchingPuzzle", arguments: argparse.Namespace) -> "EdgeMatchingPuzzle":
    """The puzzle with the pieces of the partial board to start from fixed, if there is one."""
    from ...csp.base.errors import InstanceError, PuzzleError
    from ...csp.files.instances import load_solutions
    from ...csp.puzzles.orders import fixed_first

    if arguments.start is None:
        return puzzle
    boards = load_solutions(arguments.start, puzzle)
    if not boards:
        raise InstanceError(f"{arguments.start}: holds no board to start from")
    try:
        if arguments.slips is None:
            return puzzle.with_fixed(boards[0])
        # Slips count along an order: that by which the board was made, not what suits the rest of it best.
        name, order = order_of(puzzle, arguments.order, arguments.slips)
        start = puzzle.with_fixed(boards[0], order)
        arguments.order = name, fixed_first(start, order)
        return start
    except PuzzleError as error:
        raise InstanceError(f"{arguments.start}: {error}") from error


def print_json(data: Any) -> None:
    """One JSON object on a line."""
    with _all_digits():
        readable = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        print(json.dumps(data, ensure_ascii=not readable))


@contextmanager
def _all_digits() -> Iterator[None]:
    """Lets numbers of any length be printed; Python's limit is for reading, and there it stays."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def grouped(number: int) -> str:
    """Digits in threes: 115 071 633 408; of more than sixty digits the first few and the power of ten."""
    if number < 10**60:
        return f"{number:,}".replace(",", " ")
    exponent = math.log10(number)
    return f"about {10 ** (exponent % 1):.4f}e{int(exponent)}"


def several(number: int, word: str) -> str:
    """A number of things: 1 lemma, 23 lemmas."""
    return f"{grouped(number)} {word}{'' if number == 1 else 's'}"


@contextmanager
def progress_bar(arguments: argparse.Namespace) -> Iterator["Callable[[Progress], None] | None"]:
    """A bar on stderr that shows the part of the search tree that is done; None where nobody would see it."""
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    solver, proves = is_solver(arguments.engine), proves_its_best(arguments.engine)
    # A solver does not tell how far it is, and a search that proves nothing has no end but its limits.
    endless = not proves and arguments.time_limit is None and arguments.node_limit is None
    layout = "{percentage:5.1f}% |{bar}| {elapsed}<{remaining}{postfix}"
    layout = "{elapsed} {desc}" if solver else "{elapsed}{postfix}" if endless else layout
    with tqdm(total=1.0, bar_format=layout, leave=False, file=sys.stderr) as bar:

        def show(progress: "Progress") -> None:
            # What an earlier search has done tells nothing of how quick this one is.
            nodes_now = max(progress.nodes - progress.found_nodes, 0)
            rate = nodes_now / progress.seconds / 1e6 if progress.seconds else 0
            found = f"count {grouped(progress.solutions)}"
            if progress.scores is not None:
                found = (scores if proves else score_of)(*progress.scores)
            if solver:
                bar.set_description_str(found)
                return
            note = "" if progress.note is None else f", {progress.note}"
            about = f" of about {progress.nodes / progress.done:.2g}" if proves and 0 < progress.done < 1 else ""
            bar.set_postfix_str(f"{progress.nodes:.3g}{about} nodes, {rate:.0f} M/s, {found}{note}", refresh=False)
            bar.initial = progress.found
            bar.n = max(progress.done, bar.n)
            bar.refresh()

        yield show


class Patience:
    """Tells long work that it must stop, at a time limit or Ctrl-C, and shows that it goes on.

    Attributes
    ----------
    ended_by
        What has ended the work, as `ending` knows it; None so far.
    """

    def __init__(self, limit: float | None, interrupted: "threading.Event", bar: "tqdm | None") -> None:
        self._until = None if limit is None else time.monotonic() + limit
        self._interrupted, self._bar = interrupted, bar
        self.ended_by: str | None = None

    def __call__(self) -> bool:
        if self._bar is not None:
            self._bar.refresh()
        if self._interrupted.is_set():
            self.ended_by = "interrupt"
        elif self._until is not None and time.monotonic() >= self._until:
            self.ended_by = "time"
        return self.ended_by is not None

    def is_interrupted(self) -> bool:
        """Whether Ctrl-C was pressed, whatever the time limit says."""
        if self._interrupted.is_set():
            self.ended_by = "interrupt"
        return self._interrupted.is_set()

    def tell(self, what: str) -> None:
        """Show what is being done."""
        if self._bar is not None:
            self._bar.set_description_str(what)

    def clear(self) -> None:
        """Show nothing until there is something new to show."""
        if self._bar is not None:
            self._bar.clear()


@contextmanager
def patience(arguments: argparse.Namespace) -> Iterator[Patience]:
    """The patience that the user has with a command."""
    from ...csp.base.stopping import interrupts_noted

    with interrupts_noted() as interrupted:
        if arguments.quiet or not sys.stderr.isatty():
            yield Patience(arguments.time_limit, interrupted, None)
            return
        from tqdm import tqdm

        with tqdm(bar_format="{elapsed} {desc}", leave=False, file=sys.stderr) as bar:
            yield Patience(arguments.time_limit, interrupted, bar)


def scores(best: int | None, bound: int) -> str:
    """The best score so far, and what is not excluded yet."""
    return f"score {'none yet' if best is None else best}, at most {bound}"


def score_of(best: int | None, most: int) -> str:
    """The best score so far, and the number of joins."""
    return f"score {'none yet' if best is None else best} of {most}"


def effort(result: "Result") -> str:
    """What a search cost, in a line."""
    searching = result.seconds - result.build_seconds
    nodes_now = result.nodes - (result.statistics or {}).get("nodes from the ledger", 0)
    rate = nodes_now / searching / 1e6 if searching > 0 else 0.0
    slips = f", slips {result.options['slips']}" if result.options.get("slips") else ""
    if is_solver(result.engine):
        counted = _counted(result)
        return (
            f"{counted or 'the solver told nothing of it:'} {'in ' if counted else ''}{result.seconds:.2f} s "
            f"({result.build_seconds:.2f} s to build the model){slips}, "
            f"engine {result.engine}, encoding {result.method}"
        )
    width = f", width {grouped(int(str(result.options['width'])))}" if "width" in result.options else ""
    order = f"order {result.options['order']}{slips}{width}, " if "order" in result.options else ""
    speed = f"{rate:.1f} million" if rate >= 0.1 else f"{1000 * rate:.1f} thousand"
    return (
        f"{several(result.nodes, 'node')} in {result.seconds:.2f} s ({speed} a second), "
        f"{order}engine {result.engine} ({result.method})"
    )


def _counted(result: "Result") -> str:
    return ", ".join(
        f"{grouped(number)} {what.replace('_', ' ')}" for what, number in (result.statistics or {}).items()
    )


def effort_lines(result: "Result") -> list[str]:
    """What a search cost, and what else it counted."""
    lines = [f"  effort           {effort(result)}"]
    if result.statistics and not is_solver(result.engine):
        lines.append(f"  counted          {_counted(result)}")
    return lines


def is_given(arguments: argparse.Namespace, attribute: str) -> bool:
    """Whether the user has given an option; a number that is 0 is given, too."""
    value = getattr(arguments, attribute)
    return value is not None and value is not False


def numbered_board(boards: "Sequence[Arrangement]", number: int | None, source: str) -> "Arrangement":
    """The board of that number, the first one if none is given, out of those that a source holds.

    Raises
    ------
    InstanceError
        If it holds fewer.
    """
    from ...csp.base.errors import InstanceError

    wanted = 1 if number is None else number
    if 1 <= wanted <= len(boards):
        return boards[wanted - 1]
    held = f"holds {len(boards)} {'board' if len(boards) == 1 else 'boards'}"
    raise InstanceError(f"{source}: there is no board {wanted}; the file {held}")


def is_solver(engine: str) -> bool:
    """Whether an engine hands a model to a solver, instead of searching itself."""
    from ...csp.engines.engine import RACING

    return engine.partition(":")[0] not in ("backtrack", *RACING, "balanced", "most-constrained")


def proves_its_best(engine: str) -> bool:
    """Whether an engine that is asked for the best score goes on until nothing better is possible."""
    from ...csp.engines.engine import RACING

    return engine not in RACING


def known_lines(known: Mapping[str, Any]) -> list[str]:
    """Known results, one a line."""
    from ...csp.base.safe_files import escaped

    lines: list[str] = []
    for key, value in known.items():
        shown = grouped(value) if isinstance(value, int) else escaped(str(value))
        lines.append(f"  known {escaped(key):<10} {shown}" if len(key) <= 10 else f"  known {escaped(key)}: {shown}")
    return lines


def proof_lines(result: "Result") -> list[str]:
    """What became of the proof that was asked for."""
    from ...csp.base.safe_files import escaped

    if result.options.get("proof") is None:
        return []
    if result.proof is not None and not result.proof["lemmas"]:
        return [f"  proof            none: {escaped(str(result.proof['reason']))}"]
    if result.proof is None:
        why = "there is a solution" if result.best_bound is None else "no board can have more than all joins valid"
        why = why if result.complete else ending(result)
        return [f"  proof            none: {why}"]
    page = f"{result.proof['file']}.json"
    if "stopped" in result.proof:
        again = f"`jigsat check INSTANCE {page}` does it"
        return [f"  proof            {escaped(str(result.proof['file']))}, NOT CHECKED to its end: {escaped(again)}"]
    states = f"  {escaped(page)} states: {escaped(str(result.proof['states']))}"
    return [proof_line(result.proof, "NOT ACCEPTED"), states]


def proof_line(proof: Mapping[str, Any], otherwise: str) -> str:
    """A proof in a line: where it is, how long, whether it was checked (or what to say otherwise), by whom, and why."""
    from ...csp.base.safe_files import escaped

    where = f"{escaped(str(proof['file']))}, " if "file" in proof else ""
    verdict = "checked" if proof["checked"] else otherwise
    by = f" by {', '.join(proof['checkers'])}" if proof["checkers"] else ""
    return (
        f"  proof            {where}{several(proof['lemmas'], 'lemma')}, {verdict}{by}: {escaped(str(proof['reason']))}"
    )


def status_of(result: "Result") -> int:
    """The exit status of a search."""
    if result.ended_by == "interrupt" or (result.proof is not None and result.proof.get("stopped") == "interrupt"):
        return 130
    return 0 if result.proof is None or result.proof["checked"] else 1


def all_searched(result: "Result") -> str:
    """How a search knows that there is nothing more."""
    return "the solver excluded everything else" if is_solver(result.engine) else "every branch was searched"


def ending(result: "Result | Patience") -> str:
    """Why a search stopped early, in words."""
    return {
        "time": "the time limit was reached",
        "nodes": "the node limit was reached",
        "depth": "the depth limit kept the search from full boards",
        "solutions": "the number of solutions asked for was reached",
        "interrupt": "interrupted",
        "restarts": "many attempts led to nothing better",
    }.get(result.ended_by or "", "")
