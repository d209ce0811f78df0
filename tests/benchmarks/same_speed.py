"""Compares the speed of two installations of jigsat: the same work by both in turn, medians of their processor time.

    python tests/benchmarks/same_speed.py BEFORE AFTER [NAME ...] [--runs 9]

BEFORE and AFTER are Python interpreters that have jigsat installed; names choose lines of the table.  The first run of
each is not counted: it compiles.  Beam search runs for a time, so that its nodes a second are compared.  The lines
that begin with "start" are short commands, most of whose time is that of loading what they need.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Sequence
from statistics import median

from usage import seconds_of_children

BEAM = ("solve", "eternity2", "--engine", "beam", "--best", "--time-limit", "20", "--seed")
WORK: dict[str, Sequence[str]] = {
    "rowscan": ("count", "puzzle-c", "--method", "plain", "--order", "rowscan", "--node-limit", "300000000"),
    "least choice": ("count", "clue1", "--engine", "most-constrained", "--node-limit", "8000000"),
    "clue1": ("count", "clue1"),
    "puzzle-a": ("count", "puzzle-a"),
    **{f"beam, seed {seed}": (*BEAM, seed) for seed in "123"},
    "ostomachion, lattice": ("count", "ostomachion", "--motions", "lattice"),
    "ostomachion, any": ("count", "ostomachion", "--motions", "any"),
    **{
        f"start: {line}": line.split()
        for line in (
            "count puzzle-a", "solve clue3", "count ostomachion", "estimate eternity2", "plan eternity2",
            "solve puzzle-a", "list", "info eternity2", "check perfect-5x5", "draw puzzle-a -o -", "--help",
        )
    },
}  # fmt: skip


def cost(python: str, command: Sequence[str], *, record: bool) -> float:
    """Processor time of a command in seconds, which prints its record or not; for beam search of a million nodes."""
    before = seconds_of_children()
    line = [python, "-m", "jigsat", *command, *["--json"] * record]
    done = subprocess.run(line, capture_output=True, check=True, text=True)
    used = seconds_of_children() - before
    return used / json.loads(done.stdout)["nodes"] * 1e6 if "beam" in command else used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}")
    for name, command in WORK.items():
        if arguments.names and not any(name.startswith(chosen) for chosen in arguments.names):
            continue
        runs = arguments.runs if "beam" not in name else -(-arguments.runs // 3)
        times: dict[str, list[float]] = {arguments.before: [], arguments.after: []}
        for run in range(runs + 1):
            for python, found in times.items():
                used = cost(python, command, record=not name.startswith("start"))
                if run:
                    found.append(used)
        before, after = (median(found) for found in times.values())
        print(f"{name:26} {before:8.3f} {after:8.3f}  {after / before - 1:+.1%}", flush=True)


if __name__ == "__main__":
    main()
