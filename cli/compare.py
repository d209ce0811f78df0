"""`jigsat compare`: run an experiment, engines on puzzles, and compare predicted with actual effort."""

import argparse
import sys
from typing import TYPE_CHECKING

from ..csp.base.errors import UsageError
from .parts.options import options_by_name, whole
from .parts.progress import part_bar

if TYPE_CHECKING:
    from ..estimators.experiments.comparison import Comparison


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run an experiment: every engine on every puzzle, each run in a process of its own with limits of time and "
        "memory.  The record of a run is appended to FOLDER/records.jsonl as soon as the run ends.  Repeated, the "
        "command runs only what has no record.  At the end, or after Ctrl-C, it writes FOLDER/report.html and "
        "FOLDER/figures."
    )
    parser.add_argument(
        "experiment", metavar="EXPERIMENT", help="an experiment file, - for standard input, or a bundled experiment"
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="the folder for the records and the report"
    )
    parser.add_argument(
        "--jobs", type=whole, default=1, metavar="N", help="threads that run at once (default: 1, for times to compare)"
    )
    parser.add_argument(
        "--sample", type=whole, metavar="N", help="run on N of the puzzles only; a larger sample has the smaller ones"
    )
    parser.add_argument(
        "--shard", metavar="I/N", help="run shard I of N, with its records in FOLDER/shard-I-of-N; for SLURM arrays"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on the workers of a Dask cluster: tcp://host:8786, or local:N for N processes on this machine",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="print the plan with its predicted time, and run nothing")
    what.add_argument("--report", action="store_true", help="run nothing, write the report about what is recorded")
    what.add_argument(
        "--merge",
        nargs="+",
        metavar="FOLDER",
        help="run nothing, join the records of these folders, such as all shards, and write the report",
    )
    parser.add_argument(
        "--times", metavar="FILE", help="fit running times of engines to the runs, and write the fit to FILE for plans"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    found = _merged(arguments) if arguments.merge else _compared(arguments)
    if found.torn:
        print(f"jigsat: {found.folder}: removed the incomplete record at the end of records.jsonl", file=sys.stderr)
    print(found.summary())
    if arguments.dry_run:
        return 0
    if found.ended_by == "interrupt":
        print("interrupted; repeat the command to go on", file=sys.stderr)
        return 130
    return 1 if found.disagreements else 0


def _compared(arguments: argparse.Namespace) -> "Comparison":
    from ..estimators.experiments.comparison import compare

    with part_bar(arguments) as report:
        return compare(
            arguments.experiment,
            arguments.output,
            report_only=arguments.report,
            report=report,
            **options_by_name(arguments, "jobs", "sample", "shard", "cluster", "dry_run", "times"),
        )


def _merged(arguments: argparse.Namespace) -> "Comparison":
    from ..estimators.experiments.merging import merge_records

    for name in ("shard", "cluster"):
        if getattr(arguments, name) is not None:
            raise UsageError("give one of them: merging runs nothing", "merge", name)
    return merge_records(
        arguments.experiment, arguments.output, arguments.merge, **options_by_name(arguments, "sample", "times")
    )
