"""Wall-clock seconds of commands with `--time-limit 2`: every engine on four bundled puzzles, children included.

    python tests/benchmarks/time_limits.py [WORDS ...]

Only lines that have one of the words, if some are given.  Kernels should have been compiled before, for compiling does
not count.  A command that takes longer than 2.5 s is marked.
"""

import os
import signal
import subprocess
import sys
import time

PUZZLES = ("eternity2", "puzzle-c", "perfect-31x31", "ostomachion")
SOLVE = (
    "backtrack",
    "most-constrained",
    "cpsat",
    "sat:cadical195",
    "sat:glucose4",
    "balanced",
    "balanced:checkerboard",
)
BEST = ("backtrack", "beam", "dive", "maxsat:rc2", "cpsat", "sat:cadical195")
COUNT = ("backtrack", "most-constrained", "cpsat", "sat:cadical195", "balanced")
LIMIT, MOST = 2, 2.5


def commands():
    """What is run: the arguments of each command."""
    for puzzle in PUZZLES:
        yield from (["solve", puzzle, "--engine", engine] for engine in (*SOLVE, "auto"))
        yield from (["solve", puzzle, "--best", "--engine", engine] for engine in BEST)
        yield from (["count", puzzle, "--engine", engine] for engine in COUNT)
        yield from (["count", puzzle], ["count", puzzle, "--threads", "2"], ["certify", puzzle, "--solutions", "2"])
        if puzzle != "ostomachion":
            yield from (["count", puzzle, "--method", method] for method in ("plain", "frames", "macros", "blocks"))


def measured(arguments):
    """The seconds of a command, its exit status, and the last line that it prints."""
    on_lattice = arguments[1] == "ostomachion" and any(word.startswith(("cpsat", "sat")) for word in arguments)
    command = ["jigsat", *arguments, *(["--motions", "lattice"] if on_lattice else []), "--time-limit", str(LIMIT)]
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    out, _ = process.communicate()
    seconds = time.perf_counter() - started
    try:
        os.killpg(process.pid, signal.SIGKILL)
        print("  a process was left")
    except ProcessLookupError:
        pass
    return seconds, process.returncode, (out.strip().splitlines() or [""])[-1]


def main():
    late = 0
    for arguments in commands():
        line = " ".join(arguments)
        if len(sys.argv) == 1 or any(word in line for word in sys.argv[1:]):
            seconds, status, said = measured(arguments)
            late += seconds > MOST
            mark = "  TOO LATE" if seconds > MOST else ""
            print(f"{seconds:5.2f} s  status {status}  {line:<48} {said[:90]}{mark}", flush=True)
    print(f"{late} later than {MOST} s")


if __name__ == "__main__":
    main()
