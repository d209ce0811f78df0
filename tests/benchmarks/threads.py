"""How much quicker complete searches are on several threads than on one.

Run by hand:  python tests/benchmarks/threads.py [--threads 2] [--runs 5] [--cases "puzzle-c to depth 18" ...]

One thread and several alternate in one run; of each the quickest run counts, because whatever else the machine does
makes runs slower.  Processor time shows what sharing costs, whatever the load.  The nodes of every depth are checked to
be equal.
"""

import argparse
from functools import partial

from jigsat import make_edge_matching, read, read_dissection
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.estimators.owen.best_order import best_order


def clued(threads: int):
    puzzle = make_edge_matching(rows=12, columns=12, frame_colors=5, inner_colors=17, clues=5, seed=1)
    options = Options(order=best_order(puzzle).order, threads=threads)
    return find_engine("backtrack").run(puzzle, Goal.ALL, options=options)


def squares(engine: str, name: str, limits: Limits, threads: int, **options):
    return find_engine(engine).run(read(name), Goal.ALL, limits, Options(threads=threads, **options))


def tilings(motions: str, threads: int):
    puzzle = read_dissection("ostomachion").with_motions(motions)
    return find_engine("backtrack", kind="dissection").run(
        puzzle, Goal.COUNT, options=Options(threads=threads, symmetry=False)
    )


CASES = {
    "puzzle-c to depth 17": partial(squares, "backtrack", "puzzle-c", Limits(depth=17), order="rowscan"),
    "puzzle-c to depth 18": partial(squares, "backtrack", "puzzle-c", Limits(depth=18), order="rowscan"),
    "12x12 with five clues": clued,
    "puzzle-a, a slip": partial(squares, "backtrack", "puzzle-a", Limits(), slips="33"),
    "puzzle-a, most constrained": partial(squares, "most-constrained", "puzzle-a", Limits()),
    "ostomachion on the lattice": partial(tilings, "lattice"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES), metavar="CASE")
    arguments = parser.parse_args()
    for case in arguments.cases:
        CASES[case](threads=1)  # compiles
        seconds, cpu = {}, {}
        for _ in range(arguments.runs):
            alone, together = (CASES[case](threads=threads) for threads in (1, arguments.threads))
            assert alone.nodes_by_depth == together.nodes_by_depth
            for result in (alone, together):
                taken = result.seconds - result.build_seconds
                seconds[result.threads] = min(taken, seconds.get(result.threads, taken))
                cpu[result.threads] = min(result.cpu_seconds, cpu.get(result.threads, result.cpu_seconds))
        one, several = seconds[1], seconds[arguments.threads]
        print(
            f"{case:<28} {one:6.2f} s on one thread, {several:6.2f} s on {arguments.threads}: {one / several:.2f} times"
            f" as fast; processor time {cpu[1]:.2f} and {cpu[arguments.threads]:.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
