"""How long `jigsat make jigsaw` takes, certificate included: wall and CPU seconds of a fresh process, over five seeds.

Run by hand:  python tests/benchmarks/jigsaws.py [--sizes 5 5x7 5x6:3 8:no-stay] [--seeds 5] [--time-limit 300]

A size is a number (a square) or ROWSxCOLUMNS, then, after colons, the use that a connector may have and `no-stay`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from usage import seconds_of_children

from jigsat import read

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]
SQUARES = [*map(str, range(5, 14)), *["14", "15", "16", "17", "20", "21", "31", "51", "101"]]
RECTANGLES = [
    "5x7", "6x8", "7x9", "9x11", "5x6", "6x7", "7x8", "8x9", "9x10", "5x6:3", "6x7:3",
    "7x8:3", "10x12", "12x14", "14x16", "14x20", "10x11", "13x14", "20x21",
]  # fmt: skip
SIZES = [*SQUARES, *RECTANGLES, "6:no-stay", "8:no-stay", "10:no-stay"]


def options_of(size: str) -> list[str]:
    """Those of a size as the table calls it."""
    board, *more = size.split(":")
    rows, _, columns = board.partition("x")
    options = ["--rows", rows, "--columns", columns or rows]
    for word in more:
        options += ["--no-stay"] if word == "no-stay" else ["--max-use", word]
    return options


def measured(arguments: list[str]) -> tuple[int, float, float]:
    """The exit status of a command, and its wall and CPU seconds, those of its own processes included."""
    before, started = seconds_of_children(), time.perf_counter()
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    wall = time.perf_counter() - started
    if done.returncode not in (0, 1):
        print(done.stderr, file=sys.stderr)
    return done.returncode, wall, seconds_of_children() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", default=SIZES)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=300, help="of each command, in seconds")
    arguments = parser.parse_args()
    row = "{:<14}{:<14}{:>10}{:>10}{:>10}{:>10}  {:<12}{}"
    print(row.format("size", "method", "wall", "CPU", "max wall", "proved", "connectors", "staying"), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file, proof = str(Path(folder, "made.json")), str(Path(folder, "proof"))
        for size in ("5", "6:no-stay"):  # compiles what is not cached
            measured(["make", "jigsaw", *options_of(size), "--seed=1", "-o", file])
        for size in arguments.sizes:
            walls, processor, statuses, connectors, staying, method = [], [], [], set(), set(), "?"
            for seed in range(1, arguments.seeds + 1):
                limit = ["--time-limit", str(arguments.time_limit), "--seed", str(seed)]
                Path(file).unlink(missing_ok=True)
                Path(f"{file}.part").unlink(missing_ok=True)
                Path(f"{proof}.json").unlink(missing_ok=True)
                status, wall, cpu = measured(
                    ["make", "jigsaw", *options_of(size), *limit, "-o", file, "--proof", proof, "--quiet"]
                )
                walls.append(wall)
                processor.append(cpu)
                proved = status == 0 and json.loads(Path(f"{proof}.json").read_text())["checked"]["accepted"]
                statuses.append(proved)
                if not Path(file).exists():
                    continue
                puzzle = read(file)
                words = (puzzle.source or "").split()
                method = words[words.index("--method") + 1] if "--method" in words else method
                connectors.add(len({abs(side) for piece in puzzle.pieces for side in piece if side}))
                first, second = puzzle.assemblies[:2]
                staying.add(sum(a.piece == b.piece for a, b in zip(first, second, strict=True)))
            numbers = [f"{statistics.median(n):.2f} s" for n in (walls, processor)] + [f"{max(walls):.2f} s"]
            spans = [f"{min(n)}..{max(n)}" if len(n) > 1 else f"{min(n, default='')}" for n in (connectors, staying)]
            print(row.format(size, method, *numbers, f"{sum(statuses)} of {len(statuses)}", *spans), flush=True)


if __name__ == "__main__":
    main()
