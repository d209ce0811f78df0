"""`jigsat compare`: run an experiment, engines on puzzles, and set predicted and actual effort side by side."""

import argparse
import sys

from .parts.options import whole
from .parts.progress import part_bar


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run an experiment: every engine on every puzzle, each run in a process of its own with limits of "
        "time and memory.  Each run is a line of FOLDER/records.jsonl as soon as it has ended; given again, the same "
        "command runs only what is missing.  At the end, or after Ctrl-C, FOLDER/report.html shows what came of it, "
        "and FOLDER/figures holds its figures."
    )
    parser.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        help="an experiment file, - for standard input, or a bundled experiment's name",
    )
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="where the records and the page go")
    parser.add_argument(
        "--jobs", type=whole, default=1, metavar="N", help="threads that run at once (default: 1, for times to compare)"
    )
    parser.add_argument(
        "--sample", type=whole, metavar="N", help="run on N of the puzzles only; a larger sample holds the smaller ones"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="print the plan with its predicted time, and run nothing")
    what.add_argument("--report", action="store_true", help="run nothing, write the page about what is recorded")
    parser.add_argument(
        "--times", metavar="FILE", help="fit how long solvers take to the runs, and write it to FILE, as plans use it"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..estimators.experiments.comparison import compare

    with part_bar(arguments) as report:
        found = compare(
            arguments.experiment,
            arguments.output,
            jobs=arguments.jobs,
            sample=arguments.sample,
            report_only=arguments.report,
            dry_run=arguments.dry_run,
            times=arguments.times,
            report=report,
        )
    if found.torn:
        print(f"jigsat: {found.folder}: a record that was not written to its end was taken away", file=sys.stderr)
    print(found.summary())
    if arguments.dry_run:
        return 0
    if found.ended_by == "interrupt":
        print("interrupted; the same command goes on where it was", file=sys.stderr)
        return 130
    return 1 if found.disagreements else 0
