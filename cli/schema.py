"""`jigsat schema`: the JSON Schema of the files."""

import argparse
import json

from ..estimators.tasks.describing import schema
from .parts.parser import Parser


def add_options(parser: Parser) -> None:
    parser.description = "Print the JSON Schema of instance and solution files, or of experiment files."
    parser.examples = ("jigsat schema", "jigsat schema --experiments")
    parser.what.add_argument(
        "--experiments", action="store_true", help="the schema of the files that `jigsat compare` reads"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    print(json.dumps(schema(arguments.experiments), indent=2))
    return 0
