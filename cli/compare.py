"""`jigsat compare`: run an experiment, engines on puzzles, and compare predicted with actual effort."""

import argparse
import sys
from typing import TYPE_CHECKING

from ..csp.base.errors import UsageError
from ..csp.engines.request import CLUSTER
from .parts.options import add_cluster, add_quiet, options_by_name, whole
from .parts.parser import Parser
from .parts.progress import part_bar

if TYPE_CHECKING:
    from ..estimators.experiments.comparison import Comparison


def add_options(parser: Parser) -> None:
    parser.description = (
        "Run an experiment: every engine on every puzzle, with predicted and actual effort side by side.\n\n"
        "Each run is a process with limits of time and memory.  Each run adds a line to FOLDER/records.jsonl when it "
        "ends; the same command, given again, runs only what is missing.  At the end, "
        "FOLDER/report.html shows the results, and FOLDER/figures holds the figures; after Ctrl-C, add --report."
    )
    parser.examples = ("jigsat compare smoke -o results --dry-run", "jigsat compare smoke -o results")
    parser.what.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        help="an experiment file (JSON), the name of a bundled experiment, or - for standard input",
    )
    parser.what.add_argument(
        "--sample",
        type=whole,
        metavar="N",
        help="run on N of the puzzles only. A larger sample contains every smaller one",
    )
    parser.how.add_argument(
        "--jobs", type=whole, default=1, metavar="N", help="number of threads that run at once (default: 1)"
    )
    parser.how.add_argument(
        "--shard", metavar="I/N", help="run shard I of N, with its records in FOLDER/shard-I-of-N. For SLURM arrays"
    )
    add_cluster(parser)
    what = parser.how.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="print the plan with its predicted time, and run nothing")
    what.add_argument("--report", action="store_true", help="write the report of the recorded runs, and run nothing")
    what.add_argument(
        "--merge",
        nargs="+",
        metavar="FOLDER",
        help="join the records of these folders, such as all shards, write the report, and run nothing",
    )
    parser.how.add_argument(
        "--repair",
        action="store_true",
        help="if records.jsonl is damaged, rewrite it with the intact records, and make the other runs again",
    )
    parser.output.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="the folder for the records and the report"
    )
    add_quiet(parser)
    parser.rare |= {"cluster_security", "cluster_dashboard", "repair"}
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    found = _merged(arguments) if arguments.merge else _compared(arguments)
    if found.torn:
        print(f"jigsat: {found.folder}: removed the incomplete record at the end of records.jsonl", file=sys.stderr)
    if found.damaged:
        print(
            f"jigsat: {found.folder}: repaired records.jsonl; it was damaged, and is kept as {found.damaged.name}",
            file=sys.stderr,
        )
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
            **options_by_name(arguments, "jobs", "sample", "shard", *CLUSTER, "dry_run", "repair"),
        )


def _merged(arguments: argparse.Namespace) -> "Comparison":
    from ..estimators.experiments.merging import merge_records

    for name in ("shard", *CLUSTER):
        if getattr(arguments, name) is not None:
            raise UsageError("give one of them: merging runs nothing", "merge", name)
    if arguments.repair:
        raise UsageError("repair each folder by itself before they are merged", "merge", "repair")
    return merge_records(
        arguments.experiment, arguments.output, arguments.merge, **options_by_name(arguments, "sample")
    )
