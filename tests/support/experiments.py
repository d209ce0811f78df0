"""Records of a whole experiment that never ran, with something for every part of a report."""

from records import killed, record

COLORS = (4, 5, 6, 7, 8, 9)
HARDEST = 7
ORDERS = ("rowscan", "spiral_in", "zig_zag")


def everything():
    """Counts by several orders, first solutions with all numbers of colours, and runs that ended in every other way."""
    return [*counts(), *first_solutions(), *failures()]


def counts(seeds=5):
    """Searches along three orders: all but the last depth as predicted, the orders of one puzzle wrong."""
    runs = []
    for seed in range(1, seeds + 1):
        for place, order in enumerate(ORDERS):
            last = 3000 * 3**place
            actual = 2 * last if seed > 1 else 60_000 // (place + 1)
            runs.append(
                record(
                    seed=seed, options={"order": order}, predicted_by_depth=(1, 20, 2000, last), count=4 * seed,
                    nodes_by_depth=(1, 20, 2000 + seed, actual), seconds=0.5 * seed + place, predicted_solutions=8,
                )
            )  # fmt: skip
        for engine, statistics in (("sat:cadical195", {"conflicts": 10 * seed}), ("cpsat", {"branches": 7 * seed})):
            runs.append(record(seed=seed, engine=engine, count=4 * seed, statistics=statistics, seconds=2.0 * seed))
    return runs


def first_solutions():
    """Planted puzzles, hardest with seven colours, where one run in five is not solved in time."""
    runs = []
    for colors in COLORS:
        for seed in range(5):
            nodes = 10 ** (6 - abs(colors - HARDEST)) * (seed + 1)
            parts = {"goal": "solve", "rows": 8, "columns": 8, "inner_colors": colors, "seed": seed}
            expected = (1, 20, 300, 10 ** (6 - abs(colors - HARDEST)))
            late = colors == HARDEST and seed == 4
            runs.append(
                record(
                    outcome="time" if late else "solved", seconds=10.01 if late else nodes / 1e6,
                    nodes_by_depth=(1, 20, 300, nodes), predicted_by_depth=expected, **parts,
                )
            )  # fmt: skip
            if late:
                runs.append(killed("time", engine="sat:cadical195", predicted_by_depth=expected, **parts))
                continue
            statistics = {"conflicts": nodes // 10}
            solver = {"engine": "sat:cadical195", "statistics": statistics, "seconds": nodes / 1e5}
            runs.append(record(predicted_by_depth=expected, **solver, **parts))
    return runs


def failures():
    """A run out of memory, a crash, a refusal, and a search down to a depth alone."""
    return [
        killed("memory", "killed: 2143 MiB, limit 2000 MiB", engine="cpsat", rows=9, columns=9, seed=1),
        killed("crash", "the process died of signal 11", engine="cpsat", rows=9, columns=9, seed=2),
        record(outcome="refused", message="cpsat has no goal all", engine="cpsat", goal="all", seconds=None, seed=3),
        record(outcome="depth", rows=9, columns=9, seed=4, limits={"depth": 3}, nodes_by_depth=(1, 20, 300, 0)),
    ]
