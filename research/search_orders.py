"""Whether search orders rank as predicted, and the accuracy depth by depth, from the records of an experiment.

    jigsat compare search-orders -o search-orders
    python research/search_orders.py search-orders

The same for the experiment `slips`.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite, log10, nan
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau

from jigsat.csp.base.words import log10_of
from jigsat.estimators.experiments.outcomes import Outcome, distinct, grouped_by, outcomes_of
from jigsat.estimators.experiments.records import NAME, read_records

# Pairs whose predictions differ by less than this factor are not counted.
FACTOR = 2.0
# Depths with fewer predicted nodes are not compared.
FEWEST = 1000.0


@dataclass(frozen=True)
class Ranking:
    """The pairs of orders on the puzzles of a family whose predictions differ by more than `FACTOR`."""

    family: str
    #: Pairs that rank as predicted; the others, by the name of the puzzle and the orders; and undecided ones.
    right: int
    wrong: tuple[tuple[str, str, str], ...]
    undecided: int
    #: The mean over the puzzles of Kendall's tau of all orders; nan if a run ended early.
    kendall: float


@dataclass(frozen=True)
class DepthRatio:
    """Actual over predicted nodes at one depth: geometric mean over the seeds of a family."""

    #: The family, the engine with its options, and the depth.
    family: str
    label: str
    depth: int
    #: The number of runs, of those without a node at this depth, and of those that ended before.
    runs: int
    zeros: int
    missing: int
    #: The geometric mean; 0 if no run has a node.
    ratio: float


def rankings(outcomes: Sequence[Outcome]) -> list[Ranking]:
    """Whether orders rank as predicted; runs of the goals count and all that differ only in their order are compared.

    A run that ended early has more nodes than a complete run with fewer nodes; other pairs with such a run are
    undecided, as are pairs with equal nodes.
    """
    counted = [run for run in distinct(outcomes) if run.counted and run.measure("nodes") and run.order is not None]
    runs = [run for run in counted if isfinite(run.log_of_whole("nodes") or nan)]
    rows: list[Ranking] = []
    for family, of_family in grouped_by(runs, lambda run: run.family).items():
        groups = [alike for alike in grouped_by(of_family, _but_order).values() if len(alike) > 1]
        pairs = [pair for alike in groups for pair in _pairs(alike)]
        if not pairs:
            continue
        whole = all(run.solved for alike in groups for run in alike)
        taus = [
            kendalltau([run.log_of_whole("nodes") for run in alike], [run.measure("nodes") for run in alike])[0]
            for alike in groups
        ]
        wrong = tuple((one.instance, one.order or "", other.order or "") for one, other, sign in pairs if sign < 0)
        right = sum(sign > 0 for *_, sign in pairs)
        tau = float(np.mean(taus)) if whole else nan
        rows.append(Ranking(family, right, wrong, len(pairs) - right - len(wrong), tau))
    return rows


def _but_order(run: Outcome) -> tuple[object, ...]:
    """All that two runs share that differ only in their order."""
    others = sorted((name, str(value)) for name, value in run.options.items() if name != "order")
    return run.sha256, run.engine, run.goal, *others


def _pairs(runs: Sequence[Outcome]) -> Iterator[tuple[Outcome, Outcome, int]]:
    """Pairs of runs, the one with fewer predicted nodes first, and 1 if they rank so, -1 if not, 0 if undecided."""
    for pair in combinations(runs, 2):
        cheaper, dearer = sorted(pair, key=lambda run: run.log_of_whole("nodes") or 0.0)
        if (dearer.log_of_whole("nodes") or 0.0) - (cheaper.log_of_whole("nodes") or 0.0) <= log10(FACTOR):
            continue
        few, many = cheaper.measure("nodes") or 0, dearer.measure("nodes") or 0
        decided = (cheaper.solved or few > many) and (dearer.solved or many > few)
        yield cheaper, dearer, ((many > few) - (many < few)) * decided


def depth_ratios(outcomes: Sequence[Outcome]) -> list[DepthRatio]:
    """The accuracy at each depth at which more than `FEWEST` nodes are expected for every seed.

    A run has counted all depths if it searched the whole tree, the depths down to its depth limit if that limit ended
    it, and otherwise no depth.  Depths that less than half of the runs have counted are omitted, because the few runs
    that reach them are not a sample of the family.
    """
    ordered = [run for run in distinct(outcomes) if run.outcome != "refused" and run.order is not None]
    runs = [run for run in ordered if run.record.get("predicted_by_depth")]
    rows: list[DepthRatio] = []
    for (family, label), seeds in grouped_by(runs, lambda run: (run.family, run.label)).items():
        counted = [(run, _depths_counted(run)) for run in seeds]
        for depth in range(1, max(depths for _, depths in counted) + 1):
            there = [run for run, depths in counted if depths >= depth]
            if 2 * len(there) < len(seeds):
                break
            expected = np.array([log10_of(run.record["predicted_by_depth"][depth - 1]) for run in there])
            found = np.array([float(run.record["nodes_by_depth"][depth - 1]) for run in there])
            some = found > 0
            if expected.min() > log10(FEWEST):
                ratio = 10 ** float(np.mean(np.log10(found[some]) - expected[some])) if some.any() else 0.0
                zeros, missing = int((~some).sum()), len(seeds) - len(there)
                rows.append(DepthRatio(family, label, depth, len(there), zeros, missing, ratio))
    return rows


def _depths_counted(run: Outcome) -> int:
    """The depth down to which a run has counted all nodes."""
    depths = min(len(run.record.get("nodes_by_depth") or ()), len(run.record["predicted_by_depth"]))
    if run.solved and run.counted:
        return depths
    return min(depths, run.depth_limit or 0) if run.outcome == "depth" else 0


def main() -> None:
    """Print both for a folder of records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    runs = outcomes_of(read_records(parser.parse_args().folder / NAME))
    for row in rankings(runs):
        print(f"{row.family}: {row.right} pairs as predicted, {len(row.wrong)} not, {row.undecided} undecided", end="")
        print(f", Kendall's tau {row.kendall:.3f}")
        for instance, cheaper, dearer in row.wrong:
            print(f"  {instance}: {dearer} needed fewer nodes than {cheaper}")
    for (family, label), rows in grouped_by(depth_ratios(runs), lambda row: (row.family, row.label)).items():
        ratios = [row.ratio for row in rows]
        beyond = sum(not 1 / 1.5 <= ratio <= 1.5 for ratio in ratios)
        print(f"{family}, {label}: {beyond} of {len(rows)} depths outside 1/1.5 to 1.5", end="")
        print(f", {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
