"""Scores and nodes per second of the engine `beam`, or `dive`, seed by seed.

Run by hand:  python tests/benchmarks/beam.py [--puzzle eternity2] [--seeds 4] [--seconds 30] [--engine dive]

A node of the beam is a partial board that is kept: children that are looked at and dropped are not nodes.  Peak memory
is that of the process so far, so that only the first seed's shows what one run needs.
"""

import argparse
import statistics

from usage import user_seconds

from jigsat.csp.engines.engine import find_engine, peak_rss_mib
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_squares
from jigsat.csp.files.viewer_links import link_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzle", default="eternity2", help="bundled instance or file")
    parser.add_argument("--engine", default="beam", choices=("beam", "dive"))
    parser.add_argument("--seeds", type=int, default=4, help="how many")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each run")
    parser.add_argument("--nodes", type=float, help="of each run, for runs that can be compared exactly")
    parser.add_argument("--width", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", help="a GPU, such as cuda")
    arguments = parser.parse_args()
    engine, puzzle = find_engine(arguments.engine, Goal.BEST), read_squares(arguments.puzzle)
    limits = Limits(arguments.seconds, None if arguments.nodes is None else int(arguments.nodes))
    engine.run(puzzle, Goal.BEST, Limits(seconds=2.0, nodes=100_000), Options(device=arguments.device))  # compiles
    print(f"{puzzle.name}, {arguments.engine}, {limits.seconds:g} s a run, best of {puzzle.max_score}")
    print(f"  {'seed':>4} {'score':>6} {'nodes':>14} {'M nodes/s':>9} {'user s':>7} {'peak MiB':>8}")
    scores, rates, links = [], [], []
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        options = Options(seed=seed, threads=arguments.threads, width=arguments.width, device=arguments.device)
        started = user_seconds()
        result = engine.run(puzzle, Goal.BEST, limits, options)
        user = user_seconds() - started
        rates.append(result.nodes / max(user, 1e-9) / 1e6)
        scores.append((result.best_score or 0) if result.solutions else 0)
        if result.solutions and scores[-1] == max(scores):
            links.append(link_of(puzzle, result.solutions[0]))
        shown = scores[-1] if result.solutions else "none"
        row = f"  {seed:>4} {shown:>6} {result.nodes:>14,} {rates[-1]:>9.2f} {user:>7.1f} {peak_rss_mib():>8.0f}"
        print(row, flush=True)
    if scores:
        print(
            f"  mean score {statistics.mean(scores):.1f}, best {max(scores)}; median {statistics.median(rates):.2f} M/s"
        )
        print(*links[-1:])


if __name__ == "__main__":
    main()
