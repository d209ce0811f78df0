"""`jigsat schema`: the JSON Schema of the files."""

import argparse
import json


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "schema",
        help="print the JSON Schema of the files",
        description="Print the JSON Schema of instance and solution files.",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.instances import json_schema

    print(json.dumps(json_schema(), indent=2))
    return 0
