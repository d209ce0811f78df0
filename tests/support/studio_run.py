"""Lists thousands of solutions in a run of a studio, `studio_run.py FOLDER PUZZLE FILE`, to its end.

May be killed; the run is then continued.  Prints what was found.
"""

import signal
import sys
import time

from jigsat.api.public import Act
from jigsat.csp.base.folder import Folder
from jigsat.csp.work.kept_runs import Runs

#: A process whose server was killed needs a moment to end.
PATIENCE = 30


def ended(number, frame):
    raise SystemExit(128 + number)


def main(folder, puzzle, file):
    for one in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, ended)
    runs, last = Runs(Folder(folder), Act), time.monotonic() + PATIENCE
    runs.start()
    try:
        act = Act("solve", (puzzle,), {"symmetry": False, "limit": 8000, "output": file})
        run = next(iter(runs.all), None) or runs.add(act, "", [file])
        while run.state != "done":
            if run.over:
                if run.state == "failed" and time.monotonic() > last:
                    raise SystemExit(f"failed: {run.words}")
                time.sleep(0.2)
                runs.go_on(run)
            time.sleep(0.02)
        print(run.words)
    finally:
        runs.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
