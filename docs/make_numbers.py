"""Makes the page of reference numbers from its data, and runs the commands that the numbers come from.

python docs/make_numbers.py                  runs the rows that take seconds, compares, and writes the page
python docs/make_numbers.py --up-to 300      runs the rows that take up to 300 seconds
python docs/make_numbers.py --all            runs all rows, which takes a day
python docs/make_numbers.py --page           writes the page and runs nothing

The data is docs/reference/numbers.toml: tables of rows, each with a command, its values by their place in the JSON that
the command prints, the source where the number was published, and the seconds that it took.  A command that has no
values is a test, whose exit status says whether the number holds, or has values that are only `shown`.
"""

import argparse
import contextlib
import io
import json
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "reference"
DATA, PAGE = FOLDER / "numbers.toml", FOLDER / "numbers.md"
#: Rows that take at most this number of seconds are quick.
QUICK = 5


def load() -> dict[str, Any]:
    """The data of the page."""
    return tomllib.loads(DATA.read_text())


def rows(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of all tables."""
    for table in data["tables"]:
        yield from table["rows"]


def commands_of(row: Mapping[str, Any]) -> list[str]:
    """The commands of a row, in the order in which they run."""
    return [row["command"]] if isinstance(row["command"], str) else row["command"]


def run(row: Mapping[str, Any]) -> list[str]:
    """Run the commands of a row in an empty folder.

    Returns
    -------
    list of str
        A line for each value that differs; empty if all agree.
    """
    *before, last = commands_of(row)
    if not last.startswith("jigsat "):
        program = last.removeprefix("python ")
        start = [] if program != last else ["-m"]
        done = subprocess.run([sys.executable, *start, *shlex.split(program)], cwd=FOLDER.parents[1], check=False)
        return [] if done.returncode == 0 else [f"exit status {done.returncode}"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for command in before:
            _output(command)
        record = json.loads(_output(f"{last} --json"))
    values = row.get("values", {})
    found = {key: _at(record, key) for key in values}
    return [f"{key} is {found[key]}, not {value}" for key, value in values.items() if not agrees(found[key], value)]


def agrees(found: Any, value: Any) -> bool:
    """Whether a value is the one that was found: an estimate to the digits that it has, all else exactly.

    Examples
    --------
    >>> agrees("1.4702270700883368979e+4", "1.470e4"), agrees(160, 161)
    (True, False)
    """
    if isinstance(found, str) and isinstance(value, str) and "e" in value:
        digits = len(value.partition("e")[0].replace(".", ""))
        return Context(prec=digits).create_decimal(found) == Decimal(value)
    return found == value


def page(data: Mapping[str, Any]) -> str:
    """The text of the page."""
    parts = [data["head"].strip()]
    for table in data["tables"]:
        parts += [f"## {table['title']}", table["about"].strip(), "\n".join(_lines(table))]
    return "\n\n".join(parts) + "\n"


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    columns = table.get("columns", {})
    yield "| " + " | ".join(["what", *columns.values(), "command", "source", "seconds"]) + " |"
    yield "|---|" + "---:|" * len(columns) + "---|---|---:|"
    for row in table["rows"]:
        values = row.get("values", {}) | row.get("shown", {})
        cells = [row["what"], *(_shown(values.get(key, "")) for key in columns)]
        called = ", then ".join(f"`{command}`" for command in commands_of(row))
        yield "| " + " | ".join([*cells, called, row.get("source", ""), f"{row['seconds']:g}"]) + " |"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    return " + ".join(map(_shown, value)) if isinstance(value, list) else str(value)


def _output(command: str) -> str:
    from jigsat.cli.main import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main(shlex.split(command)[1:])
    if status:
        raise SystemExit(f"{command}: exit status {status}")
    return out.getvalue()


def _at(record: Any, key: str) -> Any:
    """What stands at a place such as ``largest.edges`` or ``nodes_by_depth.7``."""
    for name in key.split("."):
        record = record[int(name)] if isinstance(record, list) else record[name]
    return record


def main() -> int:
    """Run, compare, write; the exit status is 1 if a number differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--up-to", type=float, default=QUICK, metavar="SECONDS", help="run the rows that take at most this time (5)"
    )
    parser.add_argument("--all", action="store_true", help="run all rows")
    parser.add_argument("--page", action="store_true", help="write the page and run nothing")
    asked = parser.parse_args()
    data, differ = load(), []
    for row in [] if asked.page else rows(data):
        if asked.all or row["seconds"] <= asked.up_to:
            started = time.process_time()
            problems = run(row)
            seconds, found = time.process_time() - started, "; ".join(problems) or "agrees"
            print(f"{seconds:8.1f} s  {commands_of(row)[-1]}: {found}", flush=True)
            differ += problems
    if differ:
        print(f"{len(differ)} values differ; the page is not written")
        return 1
    PAGE.write_text(page(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
