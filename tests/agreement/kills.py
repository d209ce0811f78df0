"""Kills commands at random moments after their first find, continues them, and compares the answers.

    python tests/agreement/kills.py [--kills 200] [--seed 0] [--jobs 2] [--program "jigsat"] [WORDS ...]

Only commands whose line contains one of the words, in the order of the words, if some are given.  Every command is
first run to its end.  Then it is killed, by SIGTERM, SIGHUP or SIGKILL in turn, once or several times, and continued
until it ends by itself.  After each kill, what had been found must be in its files, no process and after SIGTERM and
SIGHUP no temporary file may be left, and the exit status must be right.  At the end, the answer must be that of the
first run.  Prints a line for each command; a fault ends with exit status 1.  Run by hand; on two idle cores, two jobs
make 500 kills in about a quarter of an hour.
"""

import argparse
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jigsat.csp.base.errors import BookError, InstanceError
from jigsat.csp.work.book import read_book
from jigsat.estimators.races.race_book import read_race

STATUS = {"TERM": 143, "HUP": 129, "KILL": -9}
PATIENCE = 300
# Puzzles and an experiment for the commands.
PUZZLES = (
    "make edge-matching --rows 6 --columns 6 --frame-colors 2 --inner-colors 2 --seed 1 -o easy.json",
    "make edge-matching --rows 5 --columns 5 --frame-colors 3 --inner-colors 4 --random --seed 4 -o random.json",
    "make edge-matching --rows 5 --columns 5 --frame-colors 3 --inner-colors 3 --seed 2 -o five.json",
    "make edge-matching --rows 6 --columns 6 --frame-colors 3 --inner-colors 4 --seed 4 -o six.json",
    "make edge-matching --rows 6 --columns 6 --frame-colors 3 --inner-colors 5 --seed 4 -o few.json",
)
EXPERIMENT = {
    "format": "jigsat-experiment/1",
    "name": "kills",
    "parts": [
        {
            "name": "all",
            "goal": "count",
            "instances": [{"family": "edge-matching", "rows": 4, "inner_colors": 4, "seeds": "1..4"}],
            "engines": [{"engine": "backtrack"}],
            "limits": {"seconds": 20, "memory_mib": 2048},
        }
    ],
}


@dataclass(frozen=True)
class Command:
    """A command, how much it has found so far, its answer in the end, what continues it, and whether it is complete.

    - `renews`: whether it may be repeated when it is complete; otherwise it refuses that.
    - `share`: how often it is killed, beside others; less often if it takes longer.
    - `script`: a program in ``tests/support`` that is run instead of jigsat.
    - `begun`: what counts as found when the command has only begun, and need not be kept.
    """

    line: str
    kept: Callable[[Path], int]
    answer: Callable[[Path, str], Any]
    resume: str = "--resume"
    ends: bool = True
    renews: bool = True
    share: float = 1.0
    script: str = ""
    begun: int = 0


@dataclass
class Figures:
    """What the kills of a command have shown."""

    kills: Counter[str] = field(default_factory=Counter)
    found: list[int] = field(default_factory=list)
    resumed: int = 0
    faults: list[str] = field(default_factory=list)


def lines_in(name: str, pattern: str = r"^    [\[{]") -> Callable[[Path], int]:
    """Counts the entries of a file that has one in each line."""

    def count(folder: Path) -> int:
        try:
            return len(re.findall(pattern, (folder / name).read_text(), re.M))
        except FileNotFoundError:
            return 0

    return count


def solutions_in(name: str) -> Callable[[Path], int]:
    """Counts the solutions in a journal, and in the file that is written from it."""
    return lambda folder: max(entries_in(f"{name}.part")(folder), lines_in(name)(folder))


def steps_in(name: str) -> Callable[[Path], int]:
    """Counts the steps in a journal, which is gone when the file itself is complete."""
    entries = entries_in(f"{name}.part")

    def count(folder: Path) -> int:
        done = (folder / name).exists() and not (folder / f"{name}.part").exists()
        return sys.maxsize if done else entries(folder)

    return count


def board_in(name: str) -> Callable[[Path], int]:
    """Whether a board is in the file; there are more while it is improved."""
    return lambda folder: min(solutions_in(name)(folder), 1)


def entries_in(name: str) -> Callable[[Path], int]:
    """Counts the entries of a book, which may be in use; 0 while it cannot be read."""

    def count(folder: Path) -> int:
        try:
            return len(read_book(folder / name, sound=lambda: lambda number, entry: True)[1])
        except BookError:
            return 0

    return count


def trials_recorded(folder: Path) -> int:
    """The number of beams of a race that are recorded; 0 while its book cannot be read."""
    try:
        return len(read_race(folder / "race").trials)
    except InstanceError:
        return 0


def boards_of_race(folder: Path, out: str) -> Any:
    """Each beam with its order, score and nodes, and each board with the first beam that found it."""
    book = read_race(folder / "race")
    trials = [(one.number, one.way, one.score, one.nodes) for one in book.trials.values()]
    return sorted(trials), [kept for kept, _ in book.kept()]


def solutions_of(name: str) -> Callable[[Path, str], Any]:
    return lambda folder, out: sorted(map(json.dumps, json.loads((folder / name).read_text())["solutions"]))


def content_of(name: str, *without: str) -> Callable[[Path, str], Any]:
    def answer(folder: Path, out: str) -> Any:
        record = json.loads((folder / name).read_text())
        return {key: value for key, value in record.items() if key not in without}

    return answer


def solutions_excluded(folder: Path) -> Any:
    """The solutions of a certificate, which may be found in any order."""
    return sorted(map(json.dumps, json.loads((folder / "proof.drat.json").read_text())["excluded"]))


def printed(pattern: str) -> Callable[[Path, str], Any]:
    return lambda folder, out: re.findall(pattern, out, re.M)


def recorded(folder: Path, out: str) -> Any:
    """Each run is recorded once, with its outcome."""
    records = read_book(folder / "records" / "records.book")[1]
    return sorted((record["fingerprint"], record["outcome"], record["count"]) for record in records)


def steps_of_photos(folder: Path) -> int:
    """Counts the steps of a jigsaw of photos, and the folder that holds them until all its files are there."""
    if (folder / "photo" / "jigsaw.json").exists():
        return sys.maxsize
    unfinished = folder / "photo" / "unfinished"
    return unfinished.exists() + sum(entries_in(str(kept))(folder) for kept in unfinished.glob("*.part"))


COMMANDS = (
    Command("solve ostomachion --all -o all.json", solutions_in("all.json"), solutions_of("all.json")),
    Command(
        "solve easy.json --no-symmetry --limit 8000 -o limit.json",
        solutions_in("limit.json"),
        lambda folder, out: len(set(solutions_of("limit.json")(folder, out))),
    ),
    Command(
        "solve easy.json --no-symmetry --engine most-constrained --limit 8000 -o most.json",
        solutions_in("most.json"),
        lambda folder, out: len(set(solutions_of("most.json")(folder, out))),
    ),
    Command(
        "solve random.json --best --engine backtrack --slips 10,15,20 -o slips.json",
        board_in("slips.json"),
        printed(r"^  score +(.*)$"),
    ),
    Command(
        "solve eternity2-hints --best --engine beam --width 64 --node-limit 400000 --seed 2 -o beam.json",
        board_in("beam.json"),
        solutions_of("beam.json"),
        ends=False,
    ),
    Command(
        "solve eternity2 --best --engine dive --node-limit 20000000 --seed 3 -o dive.json",
        board_in("dive.json"),
        solutions_of("dive.json"),
        ends=False,
    ),
    *(
        Command(
            f"count few.json --method {method} --ledger kept.ledger",
            entries_in("kept.ledger"),
            printed(r"^(?:  (?:canonical )?count +| *.* exactly )(.*?)(?: different|$)"),
            resume="",
        )
        for method in ("plain --order rowscan", "blocks", "macros")
    ),
    Command(
        "certify five.json --solutions 30 --proof proof.drat",
        steps_in("proof.drat"),
        lambda folder, out: (printed(r"^5x5.*$")(folder, out), solutions_excluded(folder)),
    ),
    Command(
        "forms ostomachion-11 --vertices 4 -o forms.json",
        steps_in("forms.json"),
        content_of("forms.json", "seconds"),
        share=0.4,
    ),
    Command(
        "graph ostomachion --no-merge -o graph.json",
        steps_in("graph.json"),
        content_of("graph.json", "seconds"),
        share=0.4,
    ),
    Command(
        "make jigsaw --rows 12 --columns 12 --method annealing --seed 1 -o jigsaw.json",
        steps_in("jigsaw.json"),
        content_of("jigsaw.json"),
    ),
    Command(
        "make photo-jigsaw cup ring --rows 4 --columns 4 --scrambles 2 -o photo",
        steps_of_photos,
        content_of("photo/jigsaw.json"),
        resume="",
        renews=False,
        share=0.4,
        begun=1,
    ),
    Command("race eternity2 -o race --trials 24 --width 400 --threads 2", trials_recorded, boards_of_race, resume=""),
    Command("compare kills.json -o records", entries_in("records/records.book"), recorded, resume="", share=0.6),
    Command(
        "studio ../easy.json found.json",
        solutions_in("studio/found.json"),
        lambda folder, out: len(set(solutions_of("studio/found.json")(folder, out))),
        resume="",
        script="studio_run.py",
    ),
)


@dataclass(frozen=True)
class Ended:
    """A program that has ended: its status and output, and the seconds from the start to the first find and the end."""

    status: int
    out: str
    first: float
    last: float
    before: int
    ready: bool


def run(
    program: list[str], command: Command, folder: Path, again: bool, kill: tuple[str, float] | None = None
) -> Ended:
    """Run a command to its end, or send it a signal some seconds after it has found something."""
    script = Path(__file__).parents[1] / "support" / command.script
    words = [sys.executable, str(script)] if command.script else program
    words = [*words, *shlex.split(command.line), *(shlex.split(command.resume) if again else [])]
    began, first, before = time.monotonic(), None, 0
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(words, cwd=folder, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        while process.poll() is None:
            if kill is not None or first is None:
                before = max(before, command.kept(folder))
            now = time.monotonic() - began
            first = now if first is None and before else first
            if kill is not None and first is not None and now >= first + kill[1]:
                before = max(before, command.kept(folder))
                process.send_signal(getattr(signal, f"SIG{kill[0]}"))
                process.wait(PATIENCE)
                break
            if now > PATIENCE:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.02)
        last = time.monotonic() - began
        output.seek(0)
        found = Ended(process.wait(), output.read(), last if first is None else first, last, before, first is not None)
    end = time.monotonic() + (PATIENCE / 10 if command.script else 2)
    while time.monotonic() < end:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return found
        time.sleep(0.05)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:  # it has just ended
        return found
    raise AssertionError(f"a process was left after {kill}")


def hidden(folder: Path) -> set[str]:
    """The temporary files in a folder."""
    return {path.name for path in folder.iterdir() if path.name.startswith(".")}


def check_kill(command: Command, folder: Path, name: str, ended: Ended, before: set[str], figures: Figures) -> None:
    """What was found is there, and nothing else is left."""
    after = command.kept(folder)
    figures.kills[name] += 1
    figures.found.append(after)
    # While Python starts, it handles no signals.
    early = ended.last < 1 and ended.status == -getattr(signal, f"SIG{name}")
    if ended.status not in (STATUS[name], 0) and not early:
        figures.faults.append(f"SIG{name}: exit status {ended.status}: {ended.out[-300:]}")
    if after < ended.before - command.begun:
        figures.faults.append(f"SIG{name}: {after} kept of {ended.before}")
    left = sorted(hidden(folder) - before)
    if left and name != "KILL":
        figures.faults.append(f"SIG{name}: left {left}")
    if "Traceback" in ended.out:
        figures.faults.append(f"SIG{name}: traceback: {ended.out[-600:]}")


def trial(
    program: list[str],
    command: Command,
    files: Path,
    reference: Ended,
    wanted: Any,
    chance: random.Random,
    figures: Figures,
) -> None:
    """Kill a command up to three times, let it end, and compare its answer."""
    with tempfile.TemporaryDirectory() as name:
        folder, again, excused = Path(name), False, set[str]()
        shutil.copytree(files, folder, dirs_exist_ok=True)
        for _ in range(chance.randint(1, 3)):
            signal_name = chance.choice(list(STATUS))
            moment = chance.uniform(0, 0.9 * (reference.last - reference.first))
            before = hidden(folder)
            ended = run(program, command, folder, again, (signal_name, moment))
            again = True
            if ended.status == 0 or not ended.ready:
                break
            check_kill(command, folder, signal_name, ended, before, figures)
            # A file that was being written when it was killed.
            excused |= hidden(folder) if signal_name == "KILL" else set()
            if figures.found[-1] == sys.maxsize:  # it was complete already, and the next run would begin again
                break
        is_complete = ended.status == 0 or (bool(figures.found) and figures.found[-1] == sys.maxsize)
        if command.renews or not is_complete:
            ended = run(program, command, folder, again)
        figures.resumed += 1
        try:
            answer = command.answer(folder, ended.out)
        except (OSError, ValueError, KeyError) as error:
            answer = error
        if (ended.status != 0 and (command.renews or not is_complete)) or answer != wanted:
            figures.faults.append(f"ended with {ended.status} and {str(answer)[:200]}: {ended.out[-300:]}")
        ends = (".part",) if command.ends else ()
        left = [path.name for path in folder.iterdir() if path.name.startswith(".") or path.name.endswith(ends)]
        left = [name for name in left if name not in excused]
        if left:
            figures.faults.append(f"left at the end: {left}")


def prepare(program: list[str], folder: Path) -> None:
    """Make the files that the commands read."""
    for line in PUZZLES:
        subprocess.run([*program, *shlex.split(line)], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "kills.json").write_text(json.dumps(EXPERIMENT))


def killed(program: list[str], command: Command, files: Path, kills: float, seed: str) -> Figures:
    """Kill a command so often, and print what this has shown."""
    figures, chance, began = Figures(), random.Random(seed), time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(files, folder, dirs_exist_ok=True)
        reference = run(program, command, folder, False)
        wanted = command.answer(folder, reference.out) if reference.status == 0 else None
    if wanted is None:
        figures.faults.append(f"not killed, it ended with {reference.status}: {reference.out[-300:]}")
    # Some trials end before they can be killed.
    while (
        wanted is not None and figures.kills.total() < kills and len(figures.faults) < 5 and figures.resumed < 2 * kills
    ):
        try:
            trial(program, command, files, reference, wanted, chance, figures)
        except AssertionError as error:
            figures.faults.append(str(error))
    each = ", ".join(f"{number} SIG{name}" for name, number in sorted(figures.kills.items()))
    most = "all" if sys.maxsize in figures.found else max(figures.found, default=0)
    span = f"{min(figures.found, default=0)} to {most} found"
    ended = f"{figures.resumed} ended, {len(figures.faults)} faults, {time.monotonic() - began:.0f} s"
    lines = [
        f"{command.script or command.line}",
        f"  {each}; {span}; {ended}",
        *(f"    {one}" for one in figures.faults),
    ]
    print("\n".join(lines), flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="commands that are killed side by side (default: 1)")
    parser.add_argument("--program", default="jigsat", help="the program that is run")
    arguments = parser.parse_args()
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_DFL)  # what is ignored here, in the background, is ignored by the commands, too
    program = shlex.split(arguments.program)
    commands = list(dict.fromkeys(c for word in arguments.words or [""] for c in COMMANDS if word in c.line))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        files = Path(name)
        prepare(program, files)
        each = arguments.kills / sum(command.share for command in commands)
        with ThreadPoolExecutor(arguments.jobs) as jobs:
            done = [
                jobs.submit(killed, program, command, files, each * command.share, f"{arguments.seed} {command.line}")
                for command in commands
            ]
            figures = [one.result() for one in done]
    total, bad = sum(one.kills.total() for one in figures), sum(len(one.faults) for one in figures)
    print(f"{total} kills, {bad} faults; {time.monotonic() - began:.0f} s")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
