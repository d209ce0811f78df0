"""Records shares in a ledger until it is killed: `record_shares.py FILE PARTS`.  Prints the parts that are recorded."""

import sys

from jigsat.csp.search.counting.ledger import open_ledger
from pieceworks import share_of

if __name__ == "__main__":
    with open_ledger(sys.argv[1], {"instance": "made up", "parts": int(sys.argv[2])}) as ledger:
        first = len(ledger.shares)
        assert ledger.shares == [share_of(part, part + 1) for part in range(first)]
        assert ledger.seconds == first / 2
        for part in range(first, int(sys.argv[2])):
            ledger.record(share_of(part, part + 1), 0.5)
            print(part, flush=True)
