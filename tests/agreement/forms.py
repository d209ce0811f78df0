"""Puzzles of every form: all engines and methods of counting beside a brute force in C.

    python tests/agreement/forms.py --number 20000 --seed 1

draws puzzles as they stand in files: boards of any shape, with ends that meet, with any rim; pieces that may or may not
be turned and turned over; colours that fit others; tilings of squares, triangles and hexagons with gaps, copies and
spare pieces.  The brute force reads the file itself and shares nothing with the package.  Every engine solves, lists,
counts and finds the best score, by every method; what it does not know it must refuse in one line.  At the end the
runs and the refusals are shown, by engine and by reason.  Ctrl-C ends the run.

A difference is left in a folder as a puzzle and the run; the exit status is then 1.

    python tests/agreement/forms.py --again FOLDER/NAME.json

makes the run of such a file again.
"""

import argparse
import json
import random
import re
import sys
import time
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path
from unittest.mock import patch

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("oracles", "support")]

import in_c
from form_puzzles import form_document
from form_runs import form_runs
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import format_instance, parse_puzzle
from jigsat.csp.puzzles.check_tiling import TilingChecker
from soak_judges import expect
from soak_runs import Run, TooLongError, make
from soak_truth import CellsTruth, FormTruth

PRINT_SECONDS, MOST_LEFT = 60, 40
#: The judge of tilings takes long.
MOST_TILINGS = 60


@contextmanager
def judged_once():
    """A context in which a tiling of a puzzle is judged once, and not in each run: this takes most of the time."""

    @lru_cache(maxsize=1)
    def judge_of(puzzle):
        return cache(TilingChecker(puzzle))

    with (
        patch("jigsat.csp.engines.tiling_run.TilingChecker", judge_of),
        patch("soak_judges.TilingChecker", judge_of),
    ):
        yield


def read(document):
    """The puzzle of a document, and what the brute force says; None if this takes too long."""
    puzzle = parse_puzzle(json.dumps(document), "drawn.json")
    try:
        if puzzle.kind == "dissection":
            return puzzle, CellsTruth(puzzle, document, most=MOST_TILINGS)
        return puzzle, FormTruth(puzzle, document)
    except in_c.TooMuch:
        return None


def difference(puzzle, truth, run, figures):
    """What differs in a run, as text; None if nothing does."""
    try:
        make(puzzle, truth, run)
    except in_c.TooMuch:
        figures["left out: too much for the brute force"] += 1
    except TooLongError:
        figures["left out: took too long"] += 1
    except JigsatError as error:
        if "\n" in str(error):
            return f"refused in several lines: {error}"
        figures[f"refused: {run.kind}: {_reason(error)}"] += 1
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    else:
        figures[f"run: {run.kind}"] += 1
    return None


def _reason(error):
    """The words of a refusal without what belongs to one puzzle."""
    return re.sub(r"\d+(x\d+)?", "N", str(error).partition(", but this puzzle has")[0])[:150]


def kept_in_files(puzzle, truth):
    """Raise an error unless the puzzle, written by the package, is still the same for the brute force."""
    written = json.loads(format_instance(puzzle))
    expect("the puzzle from its own file", parse_puzzle(json.dumps(written), "written.json"), puzzle)
    again = type(truth)(puzzle, written)
    expect("the counts of the written puzzle", again.counts()[:3], truth.counts()[:3])


def compare(number, seed, folder, figures, most=None):
    """Draw a puzzle and make all its runs, or some of them."""
    chance = random.Random(f"{seed}:{number}")
    document = form_document(chance)
    try:
        found = read(document)
        if found is None:
            figures["puzzles left out: too much for the brute force"] += 1
            return
    except Exception as error:
        leave(document, None, f"{type(error).__name__}: {error}", folder, f"{seed}-{number}", figures)
        return
    puzzle, truth = found
    try:
        kept_in_files(puzzle, truth)
    except in_c.TooMuch:
        figures["left out: too much for the brute force"] += 1
    except Exception as error:
        leave(document, None, f"{type(error).__name__}: {error}", folder, f"{seed}-{number}", figures)
    figures[f"puzzles: {form_of(document)}"] += 1
    runs = form_runs(chance, puzzle, every_arrangement=truth.counts().orbit_of is not None)
    for run in runs if most is None else chance.sample(runs, min(most, len(runs))):
        different = difference(puzzle, truth, run, figures)
        if different is not None:
            leave(document, run, different, folder, f"{seed}-{number}", figures)


def form_of(document):
    """A few words on the form of a puzzle."""
    if document["kind"] == "dissection":
        leave = document.get("leave")
        gaps = "gaps" if leave is True else "free cells" if leave else "full"
        return f"{document['cells']}, {gaps}{', spare' if 'spare' in json.dumps(document) else ''}"
    rim = document.get("rim", "default")
    parts = [document["kind"], f"rim {rim if rim in (0, 'any', 'default') else 'colour'}"]
    parts += [name for name in ("squares", "mates", "fixed") if name in document]
    return ", ".join([*parts, *([f"wrap {document['wrap']}"] if document.get("wrap", "none") != "none" else [])])


def leave(document, run, different, folder, name, figures):
    """Count a difference; write the first ones to files."""
    figures["DIFFERENCES"] += 1
    figures[f"DIFFERENCE: {run.kind if run else 'reading'}: {re.sub(r'[0-9]+', 'N', different)[:90]}"] += 1
    if figures["DIFFERENCES"] > MOST_LEFT:
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{len(list(folder.glob('*.run.json')))}.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
    path.with_suffix(".run.json").write_text(
        json.dumps({"run": run and asdict(run), "difference": different}, indent=1) + "\n"
    )
    print(f"DIFFERENCE: {run.kind if run else 'reading'}: {different[:300]}\n  --again {path}", flush=True)


def again(path):
    """Make the run of a file again; returns what differs."""
    run = json.loads(path.with_suffix(".run.json").read_text())["run"]
    document = json.loads(path.read_text())
    puzzle, truth = read(document)
    kept_in_files(puzzle, truth)
    return run and difference(puzzle, truth, Run(**run), Counter())


def table(figures):
    """All figures, a line each."""
    return "\n".join(f"{number:9} {name}" for name, number in sorted(figures.items()))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=100, help="how many puzzles (default: 100)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (default: 0)")
    parser.add_argument("--seed", default="1", help="the seed of the puzzles (default: 1)")
    parser.add_argument("--runs", type=int, metavar="N", help="at most N runs of each puzzle, drawn by chance")
    parser.add_argument("-o", "--output", type=Path, default=Path("forms"), help="folder for differences")
    parser.add_argument("--again", type=Path, metavar="FILE", help="make the run of this file again")
    asked = parser.parse_args(arguments)
    if in_c.compiler() is None:
        parser.error("there is no C compiler")
    if asked.again is not None:
        different = again(asked.again)
        print("no difference" if different is None else f"DIFFERENCE: {different}")
        return int(different is not None)
    figures, last = Counter(), time.monotonic()
    with warnings.catch_warnings(action="ignore"), judged_once():
        try:
            for number in range(asked.first, asked.first + asked.number):
                compare(number, asked.seed, asked.output, figures, asked.runs)
                if time.monotonic() - last > PRINT_SECONDS:
                    last = time.monotonic()
                    print(f"{number + 1 - asked.first} puzzles, {figures['DIFFERENCES']} differences", flush=True)
        except KeyboardInterrupt:
            figures["ended by Ctrl-C"] = 1
    runs = sum(number for name, number in figures.items() if name.startswith("run: "))
    print(table(figures), f"{runs} runs, {figures['DIFFERENCES']} differences", sep="\n")
    return int(figures["DIFFERENCES"] > 0)


if __name__ == "__main__":
    sys.exit(main())
