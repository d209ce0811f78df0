"""How well probes of puzzles C and D keep their word: errors in standard errors, over ten seeds.

Run by hand:  python research/probing.py [--probes 4e6] [--seeds 10]

The nodes at each depth are known (see `tests/estimators/effort/search_trees_8x8.json`).
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from jigsat import read
from jigsat.csp.engines.request import Options
from jigsat.estimators.effort.probes import probed

TREES = Path(__file__).parents[1] / "tests" / "estimators" / "effort" / "search_trees_8x8.json"
TRUE = json.loads(TREES.read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--probes", type=float, default=4e6)
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    options = Options(order="rowscan", symmetry=False)
    probed(read("puzzle-c"), options, 1000)
    for name in ("puzzle-c", "puzzle-d"):
        true = np.array(TRUE[name], dtype=float)
        within, worst, depths = [], 0.0, []
        for seed in range(arguments.seeds):
            started = time.process_time()
            probes = probed(read(name), options, int(arguments.probes), seed)
            seconds = time.process_time() - started
            good = probes.trusted
            off = np.abs(probes.nodes - true)[good] / np.maximum(probes.errors[good], 1e-9 * true[good])
            error = (probes.errors / np.maximum(probes.nodes, 1))[good].max()
            within += (off <= 2).tolist()
            worst = max(worst, off.max())
            depths.append(probes.trusted_depth)
            at_40 = abs(probes.nodes[39] / true[39] - 1)
            print(
                f"{name} seed {seed}: {seconds:.1f} s, trusted to {probes.trusted_depth}, largest stated error "
                f"{error:.1%}, off by up to {off.max():.2f} errors, at depth 40 by {at_40:.2%}; total "
                f"{probes.total:.4g} +- {probes.total_error:.2g}, true {true.sum():.4g}",
                flush=True,
            )
        print(
            f"{name}: {np.mean(within):.1%} of {len(within)} trusted depths within two standard errors, the worst "
            f"{worst:.2f}; trusted to {min(depths)}..{max(depths)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
