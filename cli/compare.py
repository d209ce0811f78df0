"""`jigsat compare`: run an experiment, engines on puzzles, and compare predicted with actual effort."""

import argparse
import sys

from ..csp.engines.request import CLUSTER
from .parts.options import add_cluster, add_quiet, options_by_name, whole
from .parts.parser import Parser
from .parts.progress import part_bar


def add_options(parser: Parser) -> None:
    parser.description = (
        "Run an experiment: every engine on every puzzle, with predicted and actual effort side by side.\n\n"
        "Each run is a process with limits of time and memory.  Each run adds its record to FOLDER/records.book when "
        "it ends; the same command, given again, runs only what is missing.  At the end, FOLDER/report.html shows the "
        "results, FOLDER/figures holds the figures, and FOLDER/records.jsonl all records for other programs; after "
        "Ctrl-C, add --report."
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
        "--part",
        metavar="K/N",
        help="make part K of N of the runs, with its records in FOLDER/part-K-of-N.book. For SLURM arrays",
    )
    add_cluster(parser)
    what = parser.how.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="print the plan with its predicted time, and run nothing")
    what.add_argument("--report", action="store_true", help="write the report of the recorded runs, and run nothing")
    parser.output.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="the folder for the records and the report"
    )
    add_quiet(parser)
    parser.rare |= {"cluster_security", "cluster_dashboard"}
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..estimators.experiments.comparison import compare

    with part_bar(arguments) as report:
        found = compare(
            arguments.experiment,
            arguments.output,
            report_only=arguments.report,
            report=report,
            **options_by_name(arguments, "jobs", "sample", "part", *CLUSTER, "dry_run"),
        )
    print(found.summary())
    if arguments.dry_run:
        return 0
    if found.ended_by == "interrupt":
        print("interrupted; repeat the command to go on", file=sys.stderr)
        return 130
    return 1 if found.disagreements else 0
