"""`jigsat warm-up`: compile all kernels now."""

import argparse
import os
from collections.abc import Callable
from contextlib import suppress

from .. import (
    DissectionPuzzle,
    EdgeMatchingPuzzle,
    best,
    certify,
    count,
    draw_print,
    estimate,
    forms,
    improve,
    make_edge_matching,
    make_jigsaw,
    pictures,
    read,
    solve,
)
from ..csp.base.compiled import begins_aside
from ..csp.base.errors import JigsatError, NotFoundError
from ..csp.base.safe_files import temporary_folder
from ..csp.base.stop import COMPILING, INTERRUPTS
from .parser import Parser


def _small() -> EdgeMatchingPuzzle:
    """A puzzle whose solutions all methods count at once."""
    return make_edge_matching(rows=4, columns=4, frame_colors=3, inner_colors=4, seed=1)


def _improved() -> object:
    """A few windows of a bad board."""
    puzzle = make_edge_matching(rows=10, columns=10, frame_colors=5, inner_colors=8, seed=1, random=True)
    board = best(puzzle, engine="beam", width=50, node_limit=5_000, seed=1).best_board
    return None if board is None else improve(puzzle, board, node_limit=9)


def _rectangles() -> object:
    """Two rectangles in a third one."""
    box = [[[0, 0], [x, 0], [x, 2], [0, 2]] for x in (3, 1, 2)]
    puzzle = DissectionPuzzle(box[0], box[1:])
    return count(puzzle, motions="lattice", engine="backtrack"), estimate(puzzle, motions="lattice", probes=100)


def _three() -> None:
    """A search for a jigsaw with three solutions, which it does not find in a second."""
    with suppress(NotFoundError):
        make_jigsaw(rows=5, columns=5, solutions=3, disjoint=True, max_use=8, method="annealing", seed=1, time_limit=1)


#: Small pieces of work by name, which together use all kernels: for puzzles of squares, for dissections, and to make
#: jigsaws; what the usual commands need comes first.
STEPS: dict[str, dict[str, Callable[[], object]]] = {
    "squares": {
        "counting by frames": lambda: count(_small(), method="frames"),
        "search along an order": lambda: (
            solve(read("clue3"), engine="backtrack", order="rowscan"),
            count(read("clue1"), engine="backtrack", depth_limit=10),
            solve(read("perfect-5x5"), engine="backtrack", all=True),
        ),
        "search orders": lambda: estimate(read("clue1"), compare_orders=True, rate=1_000_000),
        "search with slips": lambda: solve(read("clue1"), slips="30,32", node_limit=10_000),
        "search for the highest score": lambda: best(read("clue1"), engine="backtrack", node_limit=10_000),
        "most constrained square first": lambda: solve(read("perfect-5x5"), engine="most-constrained", limit=3),
        "counting by half-rows": lambda: count(_small(), method="macros"),
        "counting by a middle row": lambda: count(_small(), method="middle"),
        "counting by blocks": lambda: count(_small(), method="blocks"),
        "counting some squares": lambda: count(_small(), method="halves", squares="A1:B2"),
        "probes": lambda: estimate(read("clue1"), probes=1_000, rate=1_000_000),
        "proofs": lambda: certify(read("perfect-6x6"), 2),
        "proofs of complete lists": lambda: certify(read("perfect-3x3"), proof="complete.pbp"),
        "dives": lambda: best(read("clue1"), engine="dive", node_limit=2_000, seed=1),
        "beam search": lambda: best(read("clue1"), engine="beam", width=16, node_limit=2_000, seed=1),
        "windows": _improved,
        "random boards": lambda: estimate(read("clue1"), sample_solutions=0.1, rate=1_000_000),
    },
    "dissections": {
        "dissections on the lattice": lambda: count(read("tangram"), motions="lattice"),
        "dissections into rectangles": _rectangles,
        "dissections at any angle": lambda: count(read("tangram"), motions="any"),
        "models of dissections": lambda: solve(read("l-shape"), motions="lattice", engine="sat"),
        "probes of dissections": lambda: estimate(read("tangram"), probes=100),
        "convex forms": lambda: forms(read("tangram"), 4),
    },
    "making": {
        "making jigsaws": lambda: make_jigsaw(rows=5, columns=5, method="annealing", seed=1),
        "jigsaws with three solutions": _three,
        "curves of jigsaws": lambda: draw_print(read("perfect-3x3"), sheets="cut"),
        "jigsaws for two pictures": lambda: pictures(
            "cup", "ring", "pictures", rows=4, columns=4, pixels=16, scrambles=1, time_limit=5
        ),
    },
}


def add_options(parser: Parser) -> None:
    parser.description = (
        "Compile all kernels now, so that no later command has to.\n\n"
        "Kernels are otherwise compiled when they are first used, and kept for all later commands on this machine.  "
        "This takes a minute or two after an installation, and seconds if it was done before.  On a terminal, the "
        "first command that compiles has the kernels for puzzles of its kind compiled in the background, at a low "
        "priority; not where CI or JIGSAT_NO_WARM_UP is set in the environment."
    )
    parser.examples = ("jigsat warm-up", "jigsat warm-up --only dissections")
    parser.what.add_argument("--only", choices=STEPS, help="compile only the kernels for these puzzles")
    parser.how.add_argument(
        "--aside", action="store_true", help="at a priority that falls, and only if no other process does this"
    )
    parser.rare = frozenset({"aside"})
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.aside and not begins_aside():
        return 0
    before, noted = COMPILING.seconds, INTERRUPTS.noted
    steps = {
        name: work for kind, works in STEPS.items() if arguments.only in (None, kind) for name, work in works.items()
    }
    here = os.getcwd()
    with temporary_folder() as folder:
        os.chdir(folder)
        try:
            for name, work in steps.items():
                began = COMPILING.seconds
                try:
                    work()
                    result = _shown(COMPILING.seconds - began)
                except JigsatError as error:  # a library of an extra is missing
                    result = f"not compiled: {error}"
                if arguments.aside and hasattr(os, "nice"):
                    os.nice(4)  # others wait for what they need first
                if INTERRUPTS.noted != noted:
                    raise KeyboardInterrupt
                print(f"{name:<30} {result}", flush=True)
        finally:
            os.chdir(here)
    print(f"{'all kernels':<30} {_shown(COMPILING.seconds - before)}")
    return 0


def _shown(seconds: float) -> str:
    return f"compiled in {seconds:.1f} s" if seconds else "compiled before"
