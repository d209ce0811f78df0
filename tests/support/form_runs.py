"""Which runs are made of a puzzle of any form: every engine with every goal, and every method of counting."""

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.registry import engine_names
from jigsat.csp.engines.request import Goal
from jigsat.csp.search.counting.methods import OF_WHOLE_BOARDS
from jigsat.models.base.encodings import CNF_NAMES, CP_NAMES, TILING_CNF_NAMES, TILING_CP_NAMES
from jigsat.models.base.solver_process import SOLVERS
from soak_draws import other_run
from soak_runs import Run

#: Engines that take long to start or to stop: one of their runs is made of each puzzle, in turn.
SLOW = ("cpsat", "ganak", "maxsat", "portfolio", "beam", "dive")


def form_runs(chance, puzzle, *, every_arrangement=True):
    """All runs of a puzzle; of the slow engines only one.

    Arrangements are listed one by one only if `every_arrangement` is true: otherwise there are too many.
    """
    runs, slow = [], []
    for name in engine_names(puzzle.kind):
        engine = find_engine(name, kind=puzzle.kind)
        made = [_run(chance, puzzle, engine, goal, every_arrangement) for goal in sorted(engine.goals)]
        (slow if name in SLOW else runs).extend(made)
    if puzzle.kind != "dissection":
        runs += [Run("engine", "balanced:checkerboard", "count", {"symmetry": True})]
        runs += [Run("engine", "backtrack", "count", {"method": name, "symmetry": True}) for name in OF_WHOLE_BOARDS]
    others = [other_run(chance, puzzle)] if every_arrangement and chance.random() < 0.2 else []
    return [*runs, chance.choice(slow), *others]


def _run(chance, puzzle, engine, goal, every_arrangement):
    name, options, limits = engine.name, {"symmetry": not every_arrangement or chance.random() < 0.7}, {}
    if name in ("beam", "dive"):
        limits = {"nodes": 3_000}
    if name.startswith("sat"):
        # This one takes long to start.
        name = f"sat:{chance.choice([one for one in SOLVERS if one != 'lingeling'])}"
    if "encoding" in engine.options and name != "portfolio":
        dissection = puzzle.kind == "dissection"
        cp, cnf = (TILING_CP_NAMES, TILING_CNF_NAMES) if dissection else (CP_NAMES, CNF_NAMES)
        options["encoding"] = chance.choice(list(cp if name == "cpsat" else cnf))
    if name == "backtrack" and goal is not Goal.SOLVE and chance.random() < 0.1:
        options["threads"] = 2
    return Run("engine", name, str(goal), options, limits)
