"""Compares two installations of jigsat: the same commands must give the same text, records and files, times apart.

    python tests/benchmarks/same_behaviour.py BEFORE AFTER [NUMBER ...]

BEFORE and AFTER are Python interpreters that have jigsat installed; numbers choose lines of ``commands.txt``.  Each
line is run in a folder of its own by both.  Times, rates, memory and the program's version are masked; anything else
that differs is printed, and the exit status is 1.
"""

import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = Path(__file__).with_name("commands.txt").read_text().splitlines()

#: What differs from run to run and from version to version.
MASKS = [
    (r'"((?:build_|plan_|cpu_|work_|predicted_)?seconds|peak_rss_mib|rate)": [\d.e+-]+', r'"\1": #'),
    (r'"(seconds of work)": \d+', r'"\1": #'),
    (r"[\d.]+ (million|thousand|billion)? ?(nodes )?a second", "# a second"),
    (r"\d+ seconds of work", "# seconds of work"),
    (r"(about )?[\d. ]*\d(e\+?\d+)? (ms|s|seconds?|minutes?|hours?|days?|years?|centuries|M/s)\b", "# s"),
    (r"0\.1\.0\+[0-9a-f]{12}", "VERSION"),
    (r"chosen .*predicted.*", "chosen #"),
]


def masked(text):
    for pattern, to in MASKS:
        text = re.sub(pattern, to, text)
    return text


def outcome(python, line):
    """Status, output and files of a line, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        shell = f'jigsat() {{ "{python}" -m jigsat.cli.main "$@"; }}; {line}'
        done = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
        found = {"status": str(done.returncode), "stdout": done.stdout, "stderr": done.stderr}
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix != ".ledger":
                found[str(path.relative_to(folder))] = path.read_bytes()
    shown = {}
    for name, data in found.items():
        text = data if isinstance(data, str) else data.decode("utf-8", "backslashreplace")
        shown[name] = masked(text.replace(folder, "FOLDER"))
    return shown


def main(before, after, *numbers):
    differing = 0
    chosen = [int(number) for number in numbers] or range(1, len(COMMANDS) + 1)
    for number in chosen:
        line = COMMANDS[number - 1]
        one, other = outcome(before, line), outcome(after, line)
        same = one == other
        print(f"{number:3} {'same' if same else 'DIFFERS'}  [{one['status']}] {line}", flush=True)
        if same:
            continue
        differing += 1
        for name in sorted(one.keys() | other.keys()):
            lines = (text.get(name, "").splitlines() for text in (one, other))
            for difference in list(difflib.unified_diff(*lines, f"{name} before", f"{name} after", n=0, lineterm=""))[
                :12
            ]:
                print("      ", difference[:300])
    print(f"{len(chosen)} commands, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
