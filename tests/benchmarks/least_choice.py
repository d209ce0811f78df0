"""MacMahon's squares by three programs, and planted boards of unturned pieces: CPU and wall seconds of whole commands.

Run by hand:  python tests/benchmarks/least_choice.py [--sizes 8 10] [--seeds 10] [--time-limit 60]

MacMahon: all arrangements of the 24 squares of three colours on 4 x 6 with one colour along the border, as counted by
`jigsat count`, and, where they are installed, `miniexact -c -e` and `xcover` on the exact cover problem (squares and
pieces as items, joins as items with colours).  The others have ten colours, any rim, and a solution to be found.
"""

import argparse
import itertools
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from usage import seconds_of_children

from jigsat.csp.puzzles.board import turned

ROWS, COLUMNS, COLORS, PICTURES = 4, 6, 3, 106_624
OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def macmahon():
    """The 24 squares."""
    every = itertools.product(range(1, COLORS + 1), repeat=4)
    return sorted({min(turned(sides, rotation) for rotation in range(4)) for sides in every})


def options(pieces):
    """The options of the exact cover problem: a square, a piece, and the colours of the joins; border sides show 1."""
    for row, column in itertools.product(range(ROWS), range(COLUMNS)):
        for number, piece in enumerate(pieces):
            for sides in sorted({turned(piece, rotation) for rotation in range(4)}):
                joins, fits = [], True
                for color, (down, right) in zip(sides, OFFSETS, strict=True):
                    if 0 <= row + down < ROWS and 0 <= column + right < COLUMNS:
                        joins.append((f"j{2 * row + down}_{2 * column + right}", color))
                    else:
                        fits &= color == 1
                if fits:
                    yield f"s{row}_{column}", f"p{number}", joins


def exact_cover(pieces):
    """The problem in Knuth's format."""
    found = list(options(pieces))
    joins = sorted({join for _, _, several in found for join, _ in several})
    items = [*dict.fromkeys(square for square, _, _ in found), *dict.fromkeys(piece for _, piece, _ in found)]
    rows = [" ".join([square, piece, *(f"{join}:{color}" for join, color in of)]) for square, piece, of in found]
    return "\n".join([" ".join([*items, "|", *joins]), *rows, ""])


def planted(size, colors, seed):
    """A board of unturned pieces with random colours, and any rim."""
    chance = random.Random(seed)
    across = [[chance.randint(1, colors) for _ in range(size)] for _ in range(size + 1)]
    along = [[chance.randint(1, colors) for _ in range(size + 1)] for _ in range(size)]
    pieces = [(across[r][c], along[r][c + 1], across[r + 1][c], along[r][c]) for r in range(size) for c in range(size)]
    chance.shuffle(pieces)
    return {"rows": size, "columns": size, "rim": "any", "turn": False, "pieces": pieces}


def write(path, puzzle):
    path.write_text(json.dumps({"format": "jigsat/1", "kind": "edge-matching", "name": path.stem, **puzzle}))
    return str(path)


def run(command):
    """Wall and CPU seconds of a command, and what it printed."""
    before, started = seconds_of_children(), time.perf_counter()
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return time.perf_counter() - started, seconds_of_children() - before, printed


XCOVER = """
import json, sys, xcover
found, items = json.load(open(sys.argv[1]))
print(sum(1 for _ in xcover.covers(found, primary=items, colored=True)))
"""


def compare_macmahon(folder):
    pieces = macmahon()
    puzzle = write(folder / "macmahon.json", {"rows": ROWS, "columns": COLUMNS, "rim": 1, "pieces": pieces})
    (folder / "macmahon.dlx").write_text(exact_cover(pieces))
    commands = {"jigsat": [sys.executable, "-m", "jigsat", "count", puzzle, "--json"]}
    if shutil.which("miniexact"):
        commands["miniexact"] = ["miniexact", "-c", "-e", str(folder / "macmahon.dlx")]
    if find_spec("xcover"):
        found = list(options(pieces))
        rows = [[square, piece, *(f"{join}:{color}" for join, color in joins)] for square, piece, joins in found]
        primary = sorted({item for square, piece, _ in found for item in (square, piece)})
        (folder / "rows.json").write_text(json.dumps([rows, primary]))
        commands["xcover"] = [sys.executable, "-c", XCOVER, str(folder / "rows.json")]
    for name, command in commands.items():
        wall, cpu, printed = run(command)
        assert str(PICTURES) in printed, f"{name}: {printed[-300:]}"
        print(f"macmahon  {name:10} {wall:8.2f} s  {cpu:8.2f} s of CPU", flush=True)


def solve_planted(folder, size, seeds, limit):
    each, solved = [], 0
    for seed in range(seeds):
        puzzle = write(folder / f"planted-{size}-{seed}.json", planted(size, 10, seed))
        wall, cpu, printed = run(
            [sys.executable, "-m", "jigsat", "solve", puzzle, "--json", "--time-limit", str(limit)]
        )
        record = json.loads(printed)
        solved += record["status"] == "satisfiable"
        each.append((cpu, wall, record["nodes"]))
        print(f"planted {size}x{size} seed {seed}: {record['status']}, {wall:.2f} s, {cpu:.2f} s of CPU", flush=True)
    cpu, wall, nodes = (statistics.median(column) for column in zip(*each, strict=True))
    print(
        f"planted {size}x{size}: {solved} of {seeds} solved; medians {wall:.2f} s, {cpu:.2f} s of CPU, {nodes:,} nodes"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[8, 10])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--time-limit", type=float, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare_macmahon(folder)
        for size in given.sizes:
            solve_planted(folder, size, given.seeds, given.time_limit)


if __name__ == "__main__":
    main()
