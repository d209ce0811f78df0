"""The long agreement run: random puzzles of all kinds, every engine and method, and a brute force in C.

    python tests/agreement/soak.py --hours 1

draws small puzzles, most of them edge cases, and has engines, counting methods, limits, ledgers, files and certificates
work on them.  Every answer is compared with that of a brute force in C, which is written against the definitions and
shares nothing with the package (dissections at any angle: with one in Python, or with another run).  Figures are
printed now and then, and at the end; Ctrl-C ends the run.

A difference is left in a folder: the puzzle, the run, and what differed.  The exit status is then 1.

    python tests/agreement/soak.py --again FOLDER/NAME.json

makes the run of such a file again.
"""

import argparse
import json
import random
import re
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from multiprocessing import get_context
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("oracles", "support")]

import in_c
from form_puzzles import form_document
from form_runs import form_runs
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import format_instance, parse_puzzle
from soak_draws import drawn
from soak_puzzles import any_angle, dissection_puzzle, squares_puzzle
from soak_runs import Run, TooLongError, make
from soak_truth import has_old_form, truth_of

#: How many runs are made of a puzzle, and how often figures are printed, in seconds.
RUNS, PRINT_SECONDS = 24, 60
#: How many differences are left as files; further ones are counted.
MOST_LEFT = 20
#: Refusals that are expected; any other one counts as a difference. What they begin with or contain, as regular
#: expressions.
EXPECTED = (
    r"^method (frames|macros|middle|blocks): ",
    r"^method halves: the cut has \d+ choices of colours",
    r"^engine [a-z:]+: it is for framed rectangles whose pieces turn, but",
    r"^engine ganak: cannot count tilings with spare pieces",
    r": proofs are (not )?for puzzles ",
)


def draw_puzzle(chance):
    """A puzzle of any kind and form, with what the brute force says of it; None if that takes too long."""
    if chance.random() < 0.3:
        return judged(*read(form_document(chance)))
    if chance.random() < 0.18:
        puzzle = dissection_puzzle(chance)
        return judged(any_angle(chance, puzzle) if chance.random() < 0.3 else puzzle)
    return judged(squares_puzzle(chance))


def read(document):
    # The warning that a rim is not said does not matter here.
    with warnings.catch_warnings(action="ignore"):
        return parse_puzzle(json.dumps(document), "drawn.json"), document


def judged(puzzle, document=None):
    """A puzzle with what the brute force says of it, and of its file if it has one; None if that takes too long."""
    try:
        truth = truth_of(puzzle, document)
        _ = truth.orbit_of if puzzle.kind == "dissection" else truth.boards()
    except in_c.TooMuch:
        return None
    return puzzle, truth


def difference(puzzle, truth, run, figures):
    """What differs in a run, as text; None if nothing does."""
    try:
        figures.update(make(puzzle, truth, run))
    except in_c.TooMuch:
        figures["left out: too much for the brute force"] += 1
        return None
    except TooLongError:
        figures["left out: took too long"] += 1
        return None
    except JigsatError as error:
        if not expected(error):
            return f"refused: {type(error).__name__}: {error}"
        figures[f"refused, as expected: {str(error).partition(': ')[0]}"] += 1
        return None
    except Exception as error:
        return "".join(traceback.format_exception_only(error)).strip() + _place(error)
    figures[f"run: {run.kind}"] += 1
    return None


def expected(error):
    return "\n" not in str(error) and any(re.search(one, str(error)) for one in EXPECTED)


def _place(error):
    """Where an error comes from, unless the judge has raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "" if type(error).__name__ == "DifferenceError" else f" ({Path(last.filename).name}:{last.lineno})"


def soak(seed, numbers, folder, figures, is_over):
    """Draw puzzles of these numbers and compare all answers, until `is_over`, which is asked after each run."""
    for number in numbers:
        chance = random.Random(f"{seed}:{number}")
        found = draw_puzzle(chance)
        if found is None:
            figures["puzzles left out: too many solutions or steps"] += 1
            continue
        puzzle, truth = found
        figures[f"puzzles: {puzzle.kind}"] += 1
        for run in drawn(chance, puzzle, RUNS) if has_old_form(puzzle) else form_runs(chance, puzzle):
            different = difference(puzzle, truth, run, figures)
            if different is not None:
                figures["DIFFERENCES"] += 1
                if figures["DIFFERENCES"] <= MOST_LEFT:
                    print(leave(puzzle, run, different, folder, f"{seed}-{number}"), flush=True)
            if is_over():
                return


def leave(puzzle, run, different, folder, name):
    """Write a difference to a file; returns what to print."""
    folder.mkdir(parents=True, exist_ok=True)
    number = len(list(folder.glob("*.run.json")))
    path = folder / f"{name}-{number}.json"
    path.write_text(format_instance(puzzle))
    path.with_suffix(".run.json").write_text(json.dumps({**asdict(run), "difference": different}, indent=1) + "\n")
    return f"DIFFERENCE: {run.kind}: {different}\n  python tests/agreement/soak.py --again {path}"


def again(path):
    """Make the run of a file again; returns what differs."""
    fields = json.loads(path.with_suffix(".run.json").read_text())
    fields.pop("difference")
    puzzle = parse_puzzle(path.read_text(), str(path))
    return difference(puzzle, truth_of(puzzle), Run(**fields), Counter())


def shown(figures, seconds):
    runs = sum(number for name, number in figures.items() if name.startswith("run: "))
    puzzles = sum(number for name, number in figures.items() if name.startswith("puzzles: "))
    head = f"{seconds:.0f} s: {puzzles} puzzles, {runs} runs, {runs / max(seconds, 1e-9):.1f} a second, "
    return head + f"{figures['DIFFERENCES']} differences"


def table(figures):
    return "\n".join(f"{number:9} {name}" for name, number in sorted(figures.items()))


def work(asked, first):
    """One process's share: every so manieth puzzle, until the time is up or Ctrl-C; its figures."""
    figures, started = Counter(), time.monotonic()
    numbers = count(first, asked.jobs) if asked.puzzles is None else range(first, asked.puzzles, asked.jobs)
    last = started

    def is_over():
        nonlocal last
        now = time.monotonic()
        if first == 0 and now - last > PRINT_SECONDS:
            last = now
            print(shown(figures, now - started), flush=True)
        return now - started > 3600 * asked.hours

    with warnings.catch_warnings(action="error"), interruptible():
        # What the studio says of the file of a drawn puzzle; see `read`.
        warnings.filterwarnings("ignore", r".*puzzle\.json: (mates|rim)\b")
        try:
            soak(asked.seed, numbers, asked.output, figures, is_over)
        except KeyboardInterrupt:
            figures["ended by Ctrl-C"] = 1
    return figures


@contextmanager
def interruptible():
    """A context in which SIGINT and SIGTERM are Ctrl-C, also in the background of a shell, where SIGINT is ignored."""
    before = {one: signal.signal(one, signal.default_int_handler) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=1.0, help="how long (default: 1)")
    parser.add_argument("--seed", default="1", help="the seed of the puzzles (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--puzzles", type=int, metavar="N", help="end after N puzzles")
    parser.add_argument("-o", "--output", type=Path, default=Path("soak"), help="folder for differences")
    parser.add_argument("--again", type=Path, metavar="FILE", help="make the run of this file again")
    asked = parser.parse_args(arguments)
    try:
        in_c.library("boards"), in_c.library("tilings")
    except in_c.NoCompilerError as error:
        parser.error(str(error))
    if asked.again is not None:
        different = again(asked.again)
        print("no difference" if different is None else f"DIFFERENCE: {different}")
        return int(different is not None)
    started = time.monotonic()
    figures = _of_all_jobs(asked)
    seconds = time.monotonic() - started
    print(table(figures), shown(figures, seconds), sep="\n")
    return int(figures["DIFFERENCES"] > 0)


def _of_all_jobs(asked):
    if asked.jobs == 1:
        return work(asked, 0)
    # A process that dies raises an error here.
    with ProcessPoolExecutor(asked.jobs, get_context("spawn")) as processes:
        works = [processes.submit(work, asked, first) for first in range(asked.jobs)]
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the processes have it, too, and end
        return sum((one.result() for one in works), Counter())


if __name__ == "__main__":
    sys.exit(main())
