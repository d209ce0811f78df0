"""Counts naps on two processes: `count_on_cluster.py LEDGER PARTS NAP SECONDS`, with tasks of SECONDS seconds.

Says when there are two workers, and prints what was counted, or what ended the count.  May be killed.
"""

import sys
from functools import partial

from jigsat.csp.base.stopping import interrupts_noted
from jigsat.csp.search.counting.ledger import open_ledger
from jigsat.csp.search.counting.scheduler import Pace, count_on_cluster
from pieceworks import Naps


def main(path, parts, nap, seconds):
    make = partial(Naps, parts, nap)
    greeted = False

    def greet(standing):
        nonlocal greeted
        if standing.workers == 2 and not greeted:
            print("two workers", flush=True)
            greeted = True

    with open_ledger(path, {"instance": "made up", "parts": parts}) as ledger, interrupts_noted() as interrupted:
        totals = count_on_cluster(
            "local:2",
            make,
            make(),
            ledger=ledger,
            stop=lambda: "interrupt" if interrupted.is_set() else None,
            report=greet,
            pace=Pace(seconds, seconds, seconds),
        )
    if totals.complete:
        print(totals.count, totals.canonical_count, *totals.nodes)
    else:
        print(totals.ended_by)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *map(float, sys.argv[3:]))
