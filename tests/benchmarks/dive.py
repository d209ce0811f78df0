"""Nodes per second and depth of dives on Eternity II, beside the plain search under the same slip array.

Run by hand:  python tests/benchmarks/dive.py [--nodes 30e6] [--seeds 8] [--run-nodes 0]

Of each seed come, one after the other, the plain search (rate and depth; it knows no seed), a dive without the quota
of early colours, one with, and one with whose lists are never thinned.  With `--run-nodes`, the scores of whole runs of
the engine follow, each of that many nodes: as it is, without quota, and under the published slips alone, with which no
dive fills the board, so that the deepest ones are completed.
"""

import argparse
import resource
import statistics
from collections.abc import Callable
from dataclasses import replace
from random import Random

from jigsat import read
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.candidates import find_candidates
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search import dive as dive
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.dive import Dive, default_slips
from jigsat.csp.search.dive_tables import Descent, DiveTables, dive_tables, early_colors, early_quota
from jigsat.csp.search.shared_tree import DEEPER

# The depth, and millions of nodes a second.
Measured = tuple[int, float]


def user_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def plain(puzzle: EdgeMatchingPuzzle, nodes: int) -> Measured:
    options = Options(order=Dive.order_of(puzzle, Options())[1], slips=default_slips(puzzle))
    result = Backtrack().run(puzzle, Goal.SOLVE, Limits(nodes=nodes), options)
    return result.best_depth or 0, result.nodes / (result.cpu_seconds - result.build_seconds) / 1e6


def one_dive(puzzle: EdgeMatchingPuzzle, tables: DiveTables, nodes: int, seed: int, *, quota: bool) -> Measured:
    early = early_colors(puzzle, Random(seed)) if quota else frozenset()
    need = early_quota(puzzle, early, dive._USED_UP) if quota else None
    descent, deep, left, started = Descent(tables, seed, early, need), 0, nodes, user_seconds()
    while left > 0 and descent.advance(left, deep) == DEEPER:
        deep = len(descent.row())
        left = nodes - int(descent.nodes.sum())
    return deep + len(puzzle.fixed), int(descent.nodes.sum()) / (user_seconds() - started) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=float, default=30e6)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--run-nodes", type=float, default=0.0)
    parser.add_argument("--puzzle", default="eternity2")
    arguments = parser.parse_args()
    puzzle, nodes = read(arguments.puzzle), int(arguments.nodes)
    candidates = find_candidates(puzzle, symmetries(puzzle).types, repeat_turns=False)
    tables = dive_tables(puzzle, candidates, Dive.order_of(puzzle, Options())[1], default_slips(puzzle))
    unthinned = replace(tables, levels=tables.levels[:1])
    ways: dict[str, Callable[[int], Measured]] = {
        "plain search": lambda seed: plain(puzzle, nodes),
        "dive, no quota": lambda seed: one_dive(puzzle, tables, nodes, seed, quota=False),
        "dive": lambda seed: one_dive(puzzle, tables, nodes, seed, quota=True),
        "dive, not thinned": lambda seed: one_dive(puzzle, unthinned, nodes, seed, quota=True),
    }
    for way in ways.values():
        way(0)
    measured = {name: [] for name in ways}
    for seed in range(arguments.seeds):
        for name, way in ways.items():
            measured[name].append(way(seed))
    print(f"{puzzle.name}, {nodes:,} nodes: depths, million nodes a second (median)")
    for name, pairs in measured.items():
        depths = sorted((depth for depth, _ in pairs), reverse=True)
        print(f"  {name:<18} {statistics.mean(depths):6.1f} {depths}  {statistics.median(r for _, r in pairs):6.1f}")
    if arguments.run_nodes:
        compare_scores(puzzle, int(arguments.run_nodes), arguments.seeds)


def compare_scores(puzzle: EdgeMatchingPuzzle, nodes: int, seeds: int) -> None:
    """Print the scores of whole runs, which take turns."""
    used_up, published = dive._USED_UP, dive._SLIPS_OF_SMALL[:10]
    ways = {"as it is": (used_up, None), "without quota": (0.0, None), "published slips": (used_up, published)}
    scores: dict[str, list[int]] = {name: [] for name in ways}
    seconds = dict.fromkeys(ways, 0.0)
    for seed in range(seeds):
        for name, (part, slips) in ways.items():
            dive._USED_UP = part
            result = Dive().run(puzzle, Goal.BEST, Limits(nodes=nodes), Options(seed=seed, slips=slips))
            scores[name].append(result.best_score or 0)
            seconds[name] += result.cpu_seconds
    for name, found in scores.items():
        print(f"  {name:<18} {statistics.mean(found):.1f} {found}, {seconds[name] / seeds:.1f} s of CPU time each")


if __name__ == "__main__":
    main()
