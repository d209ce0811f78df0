"""How fast commands end when they are interrupted: a table of commands and moments.

    python tests/benchmarks/interrupts.py [--cold] [--signal TERM] [--moments 0.1,1] [WORDS ...]

Only commands whose line contains one of the words, if some are given.  A line shows how long the command took to end,
its exit status, and what is wrong: it took longer than 0.5 s, printed a traceback, or left a process or a temporary
file.  A slow one is repeated twice, for the machine may have been busy, and the fastest counts.  Run by hand; it takes
about half an hour.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

MOST, PATIENCE = 0.5, 60
# On a busy machine, Python may still be starting.
EARLY = 0.3
MOMENTS = (0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.7, 1.2, 2.0, 3.0)
STATUS = {"INT": 130, "TERM": 143, "HUP": 129}
# Commands that make the files of the others.
FILES = """
make edge-matching --rows 250 --columns 250 --frame-colors 5 --inner-colors 17 --seed 1 -o large.json
make edge-matching --rows 6 --columns 6 --frame-colors 2 --inner-colors 2 --seed 1 -o easy.json
solve easy.json --no-symmetry --limit 50000 -o many.json
solve ostomachion --limit 3000 -o tilings.json
certify perfect-8x8 --solutions 2 --proof proof.drat
"""
COMMANDS = """
solve eternity2
solve eternity2 --threads 2
solve clue1 --all --no-symmetry --engine backtrack -o found.json
solve eternity2 --engine most-constrained
solve eternity2 --engine cpsat
solve eternity2 --engine sat
solve perfect-31x31 --engine sat:glucose4 --encoding direct
solve perfect-31x31 --engine balanced
solve eternity2 --best
solve eternity2 --best --engine backtrack --slips 200,210,220,230,240
solve eternity2 --best --engine beam --width 100000
solve eternity2 --best --engine dive
solve eternity2 --best --engine maxsat
solve eternity2 --best --engine cpsat
solve large.json --engine cpsat
solve ostomachion --all --no-symmetry
solve ostomachion --motions lattice --engine sat --all
solve ostomachion --motions lattice --engine cpsat --all
solve large.json --explain
count clue2
count clue2 --method plain --threads 2
count clue2 --method frames
count clue2 --method macros
count clue2 --method blocks
count clue2 --ledger clue2.ledger
count clue2 --cluster local:2
count clue2 --engine cpsat
count clue2 --engine ganak
count clue1 --verify
count puzzle-a --engine backtrack --verify
count eternity2 --squares B2:E5 --pieces-only
count eternity2 --squares frame
count eternity2 --squares H1:I16 --method plain
estimate eternity2 --squares B2:E5 --probes 3e7
count ostomachion
count ostomachion --motions lattice
count ostomachion --motions lattice --engine ganak
plan eternity2
plan eternity2 --goal best
plan ostomachion
estimate eternity2 --compare-orders
estimate eternity2 --probes 3e7
estimate clue2 --sample-solutions 10m
estimate clue2 --actual
estimate ostomachion --probes 1e7
estimate large.json
estimate clue1 --plot plot.png --probes 3e7
certify perfect-12x12 --solutions 2 --proof p.drat
certify perfect-8x8 --solutions 2 --proof p.drat
certify perfect-8x8 --verify proof.drat.json
certify ostomachion --solutions 500 --motions lattice
check easy.json many.json
check perfect-8x8 proof.drat.json
check ostomachion tilings.json
make jigsaw --rows 20 --columns 20 --method annealing --seed 1 -o made.json
make jigsaw --rows 8 --columns 8 --seed 3 --proof made.drat -o made.json
make edge-matching --rows 120 --columns 120 --frame-colors 5 --inner-colors 17 --clues 3 -o made.json
info large.json
info eternity2 --blocks
info ostomachion
list
list --engines
draw large.json --pieces -o drawn.svg
draw large.json --pieces -o drawn.png
draw ostomachion tilings.json --all -o drawn.pdf
view easy.json many.json --limit 20000 --order rowscan --actual -o page.html
view ostomachion tilings.json -o page.html
play perfect-31x31 -o page.html
cut perfect-31x31 -o cut.pdf
cut perfect-31x31 -o cut.png
photo perfect-31x31 --loose 100 -o photo.png
pictures cup ring --rows 10 --columns 10 -o made
forms ostomachion --vertices 5
forms ostomachion --vertices 6 -o forms.json
graph ostomachion --no-merge --hamiltonian -o graph.svg
graph ostomachion --moves convex
convert large.json large.csv
convert many.json many.csv
export eternity2 -o e.cnf
export eternity2 -o e.opb
export large.json --to cpsat -o l.pb.txt
compare engines -o records
compare smoke -o records --jobs 2
compare plan -o records --dry-run
schema
warm-up
--help
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended after a signal: the seconds it took, and its status; `before` means before the signal."""

    seconds: float
    status: int
    before: bool
    faults: tuple[str, ...]
    said: str


def left(group: int) -> bool:
    """Whether processes of a group still run after a second; they are killed."""
    end = time.perf_counter() + 1
    try:
        while time.perf_counter() < end:
            os.killpg(group, 0)
            time.sleep(0.05)
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def seconds_of(command: list[str]) -> float:
    """How long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - began


def ended(words: list[str], moment: float, name: str, folder: Path, cold: bool) -> Ended:
    """Run a command in the folder, and send it the signal at a moment in seconds."""
    kept = {path.name for path in folder.iterdir()}
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cold else {})
        process = subprocess.Popen(
            ["jigsat", *words], cwd=folder, env=environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            out, err = process.communicate(timeout=moment)
            before, started = True, time.perf_counter()
        except subprocess.TimeoutExpired:
            before, started = False, time.perf_counter()
            process.send_signal(getattr(signal, f"SIG{name}"))
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
        seconds = time.perf_counter() - started
    # While Python starts, and the script is read, signals are not for jigsat to handle.
    early = process.returncode not in (STATUS[name], 0) and f"{os.sep}cli{os.sep}" not in err and moment < EARLY
    faults = [
        *(["traceback"] if not early and "Traceback" in err + out else []),
        *(["slow"] if seconds > MOST and not before else []),
        *([f"status, not {STATUS[name]}"] if not early and process.returncode not in (STATUS[name], 0) else []),
        *(["a process was left"] if left(process.pid) else []),
    ]
    for path in folder.iterdir():
        if path.name not in kept:
            if path.name.startswith("."):
                faults.append(f"left {path.name}")
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    said = (err.strip() or out.strip()).splitlines() or [""]
    return Ended(seconds, process.returncode, before, tuple(faults), said[-1][:100])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--cold", action="store_true", help="with no compiled kernels")
    parser.add_argument("--signal", choices=STATUS, default="INT")
    parser.add_argument("--moments", default=",".join(map(str, MOMENTS)), help="in seconds, separated by commas")
    arguments = parser.parse_args()
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_DFL)  # what is ignored here, in the background, is ignored by the commands, too
    # Signals that come before Python has started are not for jigsat to handle.
    begins = min(seconds_of([sys.executable, "-c", "pass"]) for _ in range(5))
    print(f"moments count from {begins:.2f} s on, when Python has started", flush=True)
    wrong = runs = 0
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for line in filter(None, FILES.splitlines()):
            subprocess.run(["jigsat", *line.split()], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        for line in filter(None, COMMANDS.splitlines()):
            if arguments.words and not any(word in line for word in arguments.words):
                continue
            for moment in map(float, arguments.moments.split(",")):
                found = ended(line.split(), begins + moment, arguments.signal, folder, arguments.cold)
                for _ in range(2):
                    if "slow" in found.faults:
                        again = ended(line.split(), begins + moment, arguments.signal, folder, arguments.cold)
                        found = min(found, again, key=lambda one: one.seconds)
                runs += 1
                if found.before:
                    print(f"{moment:5.2f} s  {line:<70} had ended with {found.status}", flush=True)
                    break
                wrong += bool(found.faults)
                slowest = max(slowest, found.seconds)
                fault = ", ".join(found.faults).upper()
                print(
                    f"{moment:5.2f} s  {line:<70} {found.seconds:5.2f} s  {found.status:4}  {fault}  {found.said}",
                    flush=True,
                )
    print(f"{runs} runs, {wrong} with a fault; the slowest took {slowest:.2f} s")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
