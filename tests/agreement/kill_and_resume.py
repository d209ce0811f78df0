"""Kill commands at random moments, continue them, and compare what they end with.

Each round runs a command without a stop, then again with signals (TERM, HUP, INT or KILL) at random moments after the
first thing that it has found, each time continued with --resume.  What was found must be there after each signal, and
the answer in the end must be that of the run without a stop.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from jigsat.csp.files.growing.growing_file import read_grown

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
#: Commands, and the file of the answer of each; `{}` stands for the folder.
COMMANDS = {
    "certify": ("certify {}/many.json --solutions 22 --proof {}/answer", "answer.json"),
    "forms": ("forms ostomachion --vertices 3 -o {}/answer.json", "answer.json"),
    "graph": ("graph ostomachion -o {}/answer.json", "answer.json"),
    "make": ("make jigsaw --rows 5 --columns 5 --solutions 3 --seed 6 -o {}/answer.json", "answer.json"),
    "beam": (
        "solve {}/large.json --best --engine beam --seed 1 --width 2000 --node-limit 20000000 -o {}/answer.json",
        "answer.json",
    ),
    "dive": (
        "solve {}/large.json --best --engine dive --seed 1 --node-limit 60000000 -o {}/answer.json",
        "answer.json",
    ),
}
PUZZLES = {
    "many.json": "make edge-matching --rows 3 --columns 5 --frame-colors 2 --inner-colors 2 --seed 1",
    "large.json": "make edge-matching --rows 10 --columns 10 --frame-colors 3 --inner-colors 9 --seed 1",
}


def run(line: str, folder: Path) -> int:
    """Run a command to its end; returns its exit status."""
    arguments = line.replace("{}", str(folder)).split()
    return subprocess.run([*COMMAND, *arguments], capture_output=True, check=False).returncode


def answer_of(name: str, path: Path) -> object:
    """The part of an answer that must be the same."""
    data = json.loads(path.read_text())
    if name == "certify":
        return sorted(map(str, data["excluded"])), data["checked"]["accepted"]
    return data["solutions"] if name in ("beam", "dive") else data


def found_in(path: Path) -> list[object]:
    """What a file has so far."""
    for name in ("steps", "solutions"):
        grown = read_grown(path, name) if path.exists() else None
        if grown is not None:
            return list(grown.lines())
    return []


def ended_by(line: str, part: Path, end: signal.Signals, wait: float, known: int) -> bool:
    """Run a command and send a signal some time after it has found something more; False if it ended before."""
    process = subprocess.Popen(
        [*COMMAND, *line.split(), "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None and (not part.exists() or len(found_in(part)) <= known):
            time.sleep(0.02)
        time.sleep(wait)
        ended = process.poll() is None
        process.send_signal(end)
        process.wait(120)
        return ended
    finally:
        process.kill()


def round_of(name: str, whole: object, folder: Path, kills: int, chance: random.Random) -> tuple[int, str | None]:
    """One round; returns the number of signals, and what went wrong (None if nothing did)."""
    line, file = COMMANDS[name]
    answer, part = folder / file, folder / ("answer.part" if name == "certify" else "answer.json.part")
    line = line.replace("{}", str(folder))
    done, before = 0, list[object]()
    for path in folder.glob("answer*"):
        path.unlink()
    for _ in range(kills):
        end = chance.choice(SIGNALS)
        if not ended_by(f"{line} --resume", part, end, chance.random() * 0.8, len(before)):
            break
        done += 1
        if name not in ("beam", "dive") and not part.exists():
            # It came to its end before the signal did.
            same = answer.exists() and answer_of(name, answer) == whole
            return done, None if same else f"{end.name}: what was found is lost"
        found = found_in(part) or found_in(answer)
        if name not in ("beam", "dive") and found[: len(before)] != before:
            return done, f"{end.name}: what was found before is lost"
        if name in ("beam", "dive") and len(found) < min(len(before), 1):
            return done, f"{end.name}: the best board is lost"
        before = found
    status = run(f"{line} --resume --quiet", folder)
    if status not in (0, 1) or not answer.exists():
        return done, f"exit status {status}"
    return done, None if answer_of(name, answer) == whole else "another answer than without a stop"


def main() -> int:
    """Print a line for each round, and the totals; the exit status is 1 if something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60, help="number of signals in all (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    parser.add_argument("--only", choices=COMMANDS, help="one of the commands")
    options = parser.parse_args()
    chance, total, wrong = random.Random(options.seed), Counter[str](), 0
    with tempfile.TemporaryDirectory() as name:
        folder, wholes = Path(name), dict[str, object]()
        for file, line in PUZZLES.items():
            run(f"{line} -o {folder / file}", folder)
        while sum(total.values()) < options.kills:
            for command in [options.only] if options.only else COMMANDS:
                if command not in wholes:
                    for path in folder.glob("answer*"):
                        path.unlink()
                    run(COMMANDS[command][0], folder)
                    wholes[command] = answer_of(command, folder / COMMANDS[command][1])
                kills, fault = round_of(command, wholes[command], folder, chance.randrange(1, 5), chance)
                total[command] += kills
                wrong += fault is not None
                print(f"{command:8} {kills} signals, {fault or 'the same answer'}", flush=True)
    print(f"{sum(total.values())} signals: {dict(total)}; {wrong} rounds went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
