"""An unbiased estimate of the number of frames of a puzzle, by random walks around the frame, with its interval.

A walk lays one piece after the other, each with the same probability for all that fit; the product of their numbers is
its weight, or 0 if it does not close.  The mean of the weights is the number of frames.

Only the pieces are read, from a JSON file of the project: no fixed or spare pieces, colours that match where equal.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from frame_coefficient import frame_of

_WALKS = 100_000


def weights(rows, columns, pieces, walks, chance):
    """The weights of some walks that close; all others have the weight 0."""
    edges, corners = frame_of(pieces)
    colors = sorted({color for arc in (*edges, *corners) for color in arc})
    arcs = [*edges, *dict.fromkeys(corners)]
    begins, ends = (np.array([colors.index(arc[i]) for arc in arcs]) for i in range(2))
    is_corner = np.arange(len(arcs)) >= len(edges)
    numbers = np.array([*edges.values(), *(corners.count(arc) for arc in dict.fromkeys(corners))])
    left = np.tile(numbers, (walks, 1))
    weight, at, first = np.ones(walks), np.full(walks, -1), np.full(walks, -1)
    for length in (columns - 2, rows - 2, columns - 2, rows - 2):
        for number in range(length + 1):
            fits = is_corner == (number == 0)
            options = left * (fits & ((begins == at[:, None]) | (at[:, None] < 0)))
            total = options.sum(axis=1)
            alive = total > 0
            left, weight, first, options, total = (of[alive] for of in (left, weight, first, options, total))
            chosen = (options.cumsum(axis=1) <= (chance.random(len(total)) * total)[:, None]).sum(axis=1)
            left[np.arange(len(chosen)), chosen] -= 1
            weight *= total
            at = ends[chosen]
            first = np.where(first < 0, begins[chosen], first)
    return weight[at == first]


def main():
    parser = argparse.ArgumentParser(description="An estimate of the number of frames of a puzzle.")
    parser.add_argument("file", help="an instance file, such as instances/edge-matching/eternity2.json")
    parser.add_argument("--walks", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    puzzle = json.loads(Path(arguments.file).read_text())
    chance = np.random.default_rng(arguments.seed)
    batches, closed = -(-arguments.walks // _WALKS), 0
    total = squares = 0.0
    for _ in range(batches):
        found = weights(puzzle["rows"], puzzle["columns"], puzzle["pieces"], _WALKS, chance)
        closed += len(found)
        total += found.sum()
        squares += (found**2).sum()
    walks = batches * _WALKS
    mean = total / walks
    error = ((squares / walks - mean**2) / walks) ** 0.5
    low, high = mean - 1.96 * error, mean + 1.96 * error
    print(f"{walks} walks, {closed} closed: {mean:.6g}, 95 % between {low:.6g} and {high:.6g}")


if __name__ == "__main__":
    main()
