"""How long a command takes to refuse a bad file, and how much memory: the worst of all files of the tests.

Run by hand:  python tests/benchmarks/bad_input.py

Every file of ``tests/agreement/test_bad_input.py`` and some of 100 MB go to a process of their own.
"""

import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]
# A million bytes, and how often they stand in the file.
LARGE = {
    "100 MB of random bytes": (random.Random(1).randbytes(10**6), 100),
    "100 MB of zeros": (bytes(10**6), 100),
    "100 MB of digits": (b"12 3 4 5\n\n" * 10**5, 100),
    "100 MB of brackets": (b"[" * 10**6, 100),
    "60 MB of brackets": (b"[" * 10**6, 60),
    "60 MB of names": (b'{"name": "' * 10**5, 60),
}


def files() -> Iterator[tuple[str, bytes, int, list[str]]]:
    """Name, content and how often it is repeated, and the command before the file."""
    path = Path(__file__).parents[1] / "agreement" / "test_bad_input.py"
    spec = importlib.util.spec_from_file_location("test_bad_input", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tables = (
        (module.BAD_PUZZLES, ["info"]),
        (module.BAD_SOLUTIONS, ["check", "clue3"]),
        (module.BAD_TILINGS, ["check", "l-shape"]),
    )
    for table, command in tables:
        for name, (content, _) in table.items():
            yield name, content if isinstance(content, bytes) else content.encode(), 1, command
    for name, (text, unit, _) in module.MANY.items():
        content = text.replace("[7]", f"[{','.join([unit] * module.MOST_NESTED)}]").encode()
        yield name, content, 1, ["check", "clue3"] if "sha256" in text else ["info"]
    for name, (content, times) in LARGE.items():
        for command in (["info"], ["check", "clue3"], ["check", "l-shape"]):
            yield name, content, times, command


def main() -> None:
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bad"
        for name, content, times, command in files():
            with file.open("wb") as written:
                # Piece by piece: a process begins with the peak memory of the one that starts it.
                for _ in range(times):
                    written.write(content)
            started = time.perf_counter()
            process = subprocess.Popen([*COMMAND, *command, str(file)], stderr=subprocess.PIPE, text=True)
            assert process.stderr is not None
            error = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.perf_counter() - started
            assert process.returncode == 2, name
            assert error.count("\n") == 1, name
            measured.append((seconds, usage.ru_maxrss / 1024, name, command[0]))
    print(f"{len(measured)} files, each refused in one line with status 2")
    for title, key in (("slowest", 0), ("most memory", 1)):
        for seconds, memory, name, command in sorted(measured, key=lambda entry: -entry[key])[:5]:
            print(f"{title:<12} {seconds:6.2f} s {memory:7.0f} MiB  {command}: {name}")


if __name__ == "__main__":
    main()
