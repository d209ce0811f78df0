"""Damage ledgers of counts: each file is refused in one line, or read exactly.

    python tests/agreement/damaged_files.py --number 1000 --seed 1

What is read of a damaged file must have been written as it is read.  Some damage is forged: its checksums are right.
Then what is read must be what the file says.  Prints how many files of each kind were refused, were read exactly, took
more than two seconds of processor time (SLOW), were read WRONG, or ended in a TRACEBACK; the status is 1 if there are
any of the last three.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from damage import KINDS, VERDICTS, verdict_on


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=1000, help="damaged files (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    options = parser.parse_args()
    found: dict[str, Counter[str]] = {}
    for number in range(options.number):
        kind, seed = [*KINDS][number % len(KINDS)], options.seed + number // len(KINDS)
        with tempfile.TemporaryDirectory() as folder:
            found.setdefault(kind, Counter())[verdict_on(kind, seed, Path(folder))] += 1
    print(f"{'':26}" + "".join(f"{word:>11}" for word in VERDICTS))
    for kind, numbers in found.items():
        print(f"{kind:<26}" + "".join(f"{numbers[word]:>11}" for word in VERDICTS))
    total = sum(found.values(), Counter())
    print(f"{f'{options.number} files':<26}" + "".join(f"{total[word]:>11}" for word in VERDICTS))
    return 1 if any(total[word] for word in VERDICTS[2:]) else 0


if __name__ == "__main__":
    sys.exit(main())
