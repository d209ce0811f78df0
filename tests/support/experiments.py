"""Records of a whole experiment that never ran, with something for every part of a report."""

from records import chosen, killed, record, way

COLORS = (4, 5, 6, 7, 8, 9)
HARDEST = 7
ORDERS = ("rowscan", "spiral_in", "zig_zag")


def everything():
    """Counts by several orders, first solutions with all numbers of colours, and runs that ended in every other way."""
    return [*counts(), *first_solutions(), *choices(), *failures()]


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


def choices():
    """A puzzle on which the plan took the slower of two ways, and was wrong about its time."""
    parts = {"rows": 5, "columns": 5, "predicted_by_depth": None}
    ways = {"backtrack": way(20.0, 5.0, 80.0, how="order rowscan"), "cpsat": way(0.4, 0.2, 0.8, "cpsat")}
    runs = [
        record(engine=engine, way=ways[engine], seconds=s, **parts)
        for engine, s in (("backtrack", 1.0), ("cpsat", 6.0))
    ]
    best = {"goal": "best", "outcome": "time", "status": "feasible", "best_score": 36, "seconds": 10.0}
    scores = [chosen(engine="beam", **best, **parts), record(engine="dive", **{**best, "best_score": 38}, **parts)]
    return [chosen(engine="cpsat", way=ways["cpsat"], seconds=6.5, **parts), *runs, *scores]


def failures():
    """A run out of memory, a crash, a refusal, and a search down to a depth alone."""
    return [
        killed("memory", "killed: 2143 MiB, limit 2000 MiB", engine="cpsat", rows=9, columns=9, seed=1),
        killed("crash", "the process died of signal 11", engine="cpsat", rows=9, columns=9, seed=2),
        record(outcome="refused", message="cpsat has no goal all", engine="cpsat", goal="all", seconds=None, seed=3),
        record(outcome="depth", rows=9, columns=9, seed=4, limits={"depth": 3}, nodes_by_depth=(1, 20, 300, 0)),
    ]
