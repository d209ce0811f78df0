"""Which runs the long agreement run makes of a puzzle: a random choice among all engines, methods and options."""

from balanced_counts import count_balanced
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.puzzles.orders import NAMED_ORDERS
from jigsat.csp.puzzles.slips import frame_joins, inner_joins
from jigsat.csp.search.counting.methods import OF_REGIONS, OF_WHOLE_BOARDS
from jigsat.csp.search.counting.region import find_region
from jigsat.models.base.encodings import AT_MOST_ONE, CNF_NAMES, CP_NAMES, REDUNDANT, TILING_CNF_NAMES, TILING_CP_NAMES
from jigsat.models.base.solver_process import PROVERS, SOLVERS
from soak_runs import Run

#: What is done with puzzles of squares, and how often.
SQUARES = {
    "backtrack": 36, "count": 21, "region": 3, "most-constrained": 14, "beam": 4, "dive": 3, "cpsat": 5, "sat": 9,
    "maxsat": 1, "ganak": 1, "balanced": 1, "portfolio": 1, "ledger": 3, "public": 1.2, "estimate": 0.6, "files": 0.6,
    "check": 2, "certificate": 0.15, "list": 0.4, "book": 1, "studio": 0.1, "jobs": 0.006, "cluster": 0.006,
}  # fmt: skip
#: The same with dissections.
DISSECTIONS = {
    "backtrack": 50, "cpsat": 12, "sat": 16, "ganak": 2, "portfolio": 2, "public": 1.5, "estimate": 1, "files": 1,
    "check": 2, "certificate": 0.2, "list": 0.5, "book": 1, "studio": 0.1, "jobs": 0.006,
}  # fmt: skip
SEEDS = (None, None, 0, 1, 7)
#: Orders along which a dive may go.
DIVES = ("rowscan", "colscan", "rowscan2:1", "zig_zag")


def drawn(chance, puzzle, number):
    weights = DISSECTIONS if puzzle.kind == "dissection" else SQUARES
    draw = _of_dissection if puzzle.kind == "dissection" else _of_squares
    return [draw(chance, puzzle, what) for what in chance.choices(list(weights), list(weights.values()), k=number)]


def _of_squares(chance, puzzle, what):
    if what in _SPECIAL:
        return _SPECIAL[what](chance, puzzle)
    if what == "count":
        return Run("engine", "backtrack", "count", _method(chance))
    others = {}
    if what in ("sat", "maxsat"):
        others = {"own process": True} if chance.random() < 0.01 else {}
        what = f"sat:{chance.choice(SOLVERS)}" if what == "sat" else "maxsat:rc2"
    if what == "balanced":
        what = _balanced(chance, puzzle)
    if what == "portfolio":
        what = chance.choice(("portfolio", "portfolio:backtrack,most-constrained", "portfolio:cpsat,backtrack",
                              "portfolio:beam,backtrack", "portfolio:sat:glucose4,most-constrained"))  # fmt: skip
    engine = find_engine(what)
    goal = chance.choice(sorted(engine.goals))
    options = _options(chance, puzzle, engine, goal)
    return Run("engine", what, str(goal), options, _limits(chance, puzzle, engine, goal, options), others)


def _balanced(chance, puzzle):
    """A variant of the engine `balanced`, if the puzzle has few enough sets of rotations; otherwise another engine."""
    name = chance.choice(("balanced", "balanced:checkerboard"))
    if len(puzzle.pieces) <= 16 and count_balanced(puzzle, checkerboard=":" in name) <= 20:
        return name
    return "most-constrained"


def _options(chance, puzzle, engine, goal):
    """Values for the options that an engine takes, each given now and then."""
    known, options = engine.options, {"symmetry": chance.random() < 0.6}
    if "order" in known and chance.random() < 0.8:
        options["order"] = _order(chance, puzzle, DIVES if engine.name == "dive" else None)
    if "slips" in known and chance.random() < (0.6 if goal is Goal.BEST else 0.3):
        options |= _slips(chance, puzzle, options)
        if engine.name == "backtrack" and chance.random() < 0.4:
            options["bound"] = False
    if "seed" in known and (seed := chance.choice(SEEDS)) is not None:
        options["seed"] = seed
    if "width" in known and engine.name == "beam" and chance.random() < 0.3:
        options["width"] = chance.choice((1, 2, 10, 1000))
    if "threads" in known and chance.random() < 0.12 and not (engine.name == "cpsat" and goal is not Goal.SOLVE):
        options["threads"] = 2
    if "encoding" in known and not engine.name.startswith("portfolio") and chance.random() < 0.85:
        options["encoding"] = _encoding(chance, CP_NAMES if engine.name == "cpsat" else CNF_NAMES)
    return options


def _order(chance, puzzle, names=None):
    """A named order, or the squares as they come, the fixed ones first."""
    if names is not None or chance.random() < 0.5:
        return chance.choice(names or (*NAMED_ORDERS, "rowscan2:1"))
    fixed = [one.square for one in puzzle.fixed]
    squares = chance.sample(range(len(puzzle.board)), len(puzzle.board))
    return [*fixed, *(square for square in squares if square not in fixed)]


def _slips(chance, puzzle, options):
    """A slip array, one for the frame now and then; without an order, arrays that allow as many everywhere."""
    drawn = {}
    for name, most, part in (("slips", inner_joins(puzzle), 0.9), ("frame_slips", frame_joins(puzzle), 0.3)):
        if most and chance.random() < part:
            number = chance.randint(1, min(most, 4 if name == "slips" else 2))
            anywhere = options.get("order") is None or chance.random() < 0.3
            depths = [1] * number if anywhere else chance.choices(range(1, len(puzzle.board) + 1), k=number)
            drawn[name] = sorted(depths)
    return drawn


def encoding_of(chance, puzzle):
    """The name of an encoding as a formula of a puzzle of squares, or of a dissection."""
    return _tiling_encoding(chance, "sat") if puzzle.kind == "dissection" else _encoding(chance, CNF_NAMES)


def _encoding(chance, names):
    name = chance.choice(list(names))
    if name in ("table", "element"):
        return name + chance.choice(("", "+unpruned"))
    lacks = ("absent-colors", "color-counts") if name == "direct" else ()
    options = [one for one in (*REDUNDANT, "unpruned") if one not in lacks and chance.random() < 0.2]
    if names is CNF_NAMES and chance.random() < 0.5:
        options.append(chance.choice(AT_MOST_ONE))
    return "+".join([name, *options])


def _limits(chance, puzzle, engine, goal, options):
    """Now and then a limit; always one for engines that would go on forever."""
    limits = {"nodes": 3_000} if engine.name in ("beam", "dive") else {}
    if chance.random() > 0.25:
        return limits
    which = chance.choice(("nodes", "solutions", "depth"))
    if which == "nodes" and engine.counts_nodes and not (goal is Goal.COUNT and options.get("threads", 1) > 1):
        limits["nodes"] = chance.choice((0, 1, 2, 5, 10, 30, 100, 300))
    if which == "solutions" and goal in (Goal.ALL, Goal.SOLVE):
        limits["solutions"] = chance.choice((0, 1, 2, 3, 5, 10))
    if which == "depth" and engine.follows_order:
        limits["depth"] = chance.randint(0, len(puzzle.board))
    return limits


def _method(chance):
    rates = [1 if name in ("macros", "middle") else 6 for name in OF_WHOLE_BOARDS]  # its tables take the longest
    options = {"method": chance.choices(OF_WHOLE_BOARDS, rates)[0], "symmetry": chance.random() < 0.6}
    if chance.random() < 0.15:
        options["threads"] = 2
    return options


def _region(chance, puzzle):
    """The ways to fill some squares, of a block or anywhere."""
    squares = len(puzzle.board)
    region = sorted(chance.sample(range(squares), chance.randint(1, squares)))
    lines = [find_region(puzzle.board, name) for name in ("frame", "row:1", "column:1")]
    region = list(chance.choice(lines)) if chance.random() < 0.3 else region
    free = len({*region} - {one.square for one in puzzle.fixed})
    method = chance.choice((None, *OF_REGIONS)) if free > 1 else None
    options = {"squares": region, "symmetry": chance.random() < 0.6, "method": method}
    if options["method"] != "halves" and chance.random() < 0.5:
        options["order"] = _order(chance, puzzle)
    if chance.random() < 0.15:
        options["threads"] = 2
    return Run("region", "backtrack", "count", {name: value for name, value in options.items() if value is not None})


def _ledger(chance, puzzle):
    stops = [chance.choice((0, 1, 1, 2, 3, 5, 8, 13, 30)) for _ in range(chance.randint(1, 3))]
    options = _method(chance)
    if options["method"] == "plain" and chance.random() < 0.5:
        options["order"] = _order(chance, puzzle)
    return Run("ledger", "backtrack", "count", options, others={"stops": stops})


def _public(chance, puzzle):
    goal, options, others = chance.choice(list(Goal)), {"symmetry": chance.random() < 0.7}, {}
    fixed = {one.square for one in puzzle.fixed}
    if chance.random() < 0.3:
        pieces = [i for i in range(len(puzzle.pieces)) if i not in {one.piece for one in puzzle.fixed}]
        start = [None] * len(puzzle.board)
        for one in puzzle.fixed:
            start[one.square] = [one.piece, one.rotation]
        square = chance.randrange(len(puzzle.board))
        outside = [bool(puzzle.board.border_mask(square) >> side & 1) for side in range(4)]
        fitting = [
            [piece, turn] for piece in pieces for turn in range(4)
            if [puzzle.pieces[piece][(side - turn) % 4] == 0 for side in range(4)] == outside
        ]  # fmt: skip
        if fitting and square not in fixed:
            start[square] = chance.choice(fitting)
            others["start"] = start
    elif chance.random() < 0.4:
        others["order"] = _order(chance, puzzle)
        others = others if isinstance(others["order"], list) else {}
    if chance.random() < 0.3 and inner_joins(puzzle):
        options["slips"] = [1] * chance.randint(1, min(3, inner_joins(puzzle)))
    if chance.random() < 0.1 and frame_joins(puzzle):
        options["frame_slips"] = [1]
    return Run("public", goal=str(goal), options=options, others=others)


def _estimate(chance, puzzle):
    options = {"rate": 1e7}
    if chance.random() < 0.5:
        options["order"] = chance.choice((*NAMED_ORDERS, "best"))
    if chance.random() < 0.3 and inner_joins(puzzle):
        options["slips"] = [1] * chance.randint(1, min(3, inner_joins(puzzle)))
    return Run("estimate", options=options)


def _files(chance, puzzle):
    formats = {"dissection": (".json",), "jigsaw": (".json", ".csv"), "edge-matching": (".json", ".csv", ".txt")}
    others = {"format": chance.choice(formats[puzzle.kind]), "number": chance.choice((1, 3, 1000))}
    if others["format"] == ".txt" or (puzzle.kind != "dissection" and chance.random() < 0.2):
        others["pieces only"] = True
    return Run("files", options={}, others=others)


def _certificate(chance, puzzle):
    options = {"solver": chance.choice(PROVERS)}
    if puzzle.kind == "dissection":
        options["encoding"] = _tiling_encoding(chance, "sat")
    elif chance.random() < 0.6:
        options["encoding"] = _encoding(chance, CNF_NAMES)
    others = {"more": chance.choice((0, 0, 0, 0, 1, -1)), "forgeries": 12, "seed": chance.randrange(2**32)}
    return Run("certificate", options=options, others=others)


def _check(chance, puzzle):
    options = {}
    if puzzle.kind != "dissection" and chance.random() < 0.4 and inner_joins(puzzle):
        fixed = [one.square for one in puzzle.fixed]
        squares = chance.sample(range(len(puzzle.board)), len(puzzle.board))
        options["order"] = [*fixed, *(square for square in squares if square not in fixed)]
        options |= _slips(chance, puzzle, options)
    return Run("check", options=options, others={"seed": chance.randrange(2**32)})


def _stops(chance):
    return [chance.choice((0, 1, 2, 5, 10, 20, 50)) for _ in range(chance.randint(1, 3))]


def _book(chance, puzzle):
    return Run("book", options={"symmetry": chance.random() < 0.6}, others={"stops": _stops(chance)})


def _list(chance, puzzle):
    return Run("list")


def _studio(chance, puzzle):
    goals = ("solve", "all", "count", "best")[: 4 if puzzle.kind != "dissection" else 3]
    others = {"way": chance.choice((0, 0, 0, chance.randrange(20))), "kept": chance.random() < 0.1}
    return Run("studio", goal=chance.choice(goals), others=others)


def _jobs(chance, puzzle):
    names = ("cpsat", "sat:cadical195", "backtrack", *(("most-constrained",) if puzzle.kind != "dissection" else ()))
    return Run("jobs", others={"engines": chance.sample(names, 2)})


def _cluster(chance, puzzle):
    return Run("cluster", "backtrack", "count", {"method": "plain"})


def other_run(chance, puzzle):
    """A run of the book, the studio or a list with a proof."""
    return chance.choice((_book, _book, _list, _list, _studio))(chance, puzzle)


_SPECIAL = {
    "check": _check,
    "ledger": _ledger,
    "region": _region,
    "public": _public,
    "estimate": _estimate,
    "files": _files,
    "certificate": _certificate,
    "list": _list,
    "book": _book,
    "studio": _studio,
    "jobs": _jobs,
    "cluster": _cluster,
}


def _tiling_encoding(chance, what):
    if what == "cpsat":
        return chance.choice(sorted(TILING_CP_NAMES))
    options = [chance.choice(("sequential", "ladder", "bitwise"))] if chance.random() < 0.4 else []
    return "+".join([chance.choice(list(TILING_CNF_NAMES)), *options, *(["unpruned"] * (chance.random() < 0.2))])


def _of_dissection(chance, puzzle, what):
    if puzzle.motions != "lattice" and what not in ("public", "files", "check", "book", "studio"):
        what = "backtrack"
    if what in ("public", "estimate"):
        goal = chance.choice(("solve", "all", "count"))
        options = {"symmetry": chance.random() < 0.6} if what == "public" else {"probes": 64}
        return Run(what, goal=goal if what == "public" else "", options=options)
    if what in ("files", "check", "certificate", "list", "book", "studio", "jobs"):
        return _SPECIAL[what](chance, puzzle)
    others = {"own process": True} if what == "sat" and chance.random() < 0.01 else {}
    options = {"symmetry": chance.random() < 0.6}
    if what in ("sat", "cpsat", "ganak"):
        options["encoding"] = _tiling_encoding(chance, what)
    what = f"sat:{chance.choice(SOLVERS)}" if what == "sat" else what
    engine = find_engine(what, kind="dissection")
    goal = chance.choice(sorted(engine.goals))
    if what == "backtrack" and chance.random() < 0.25:
        options["threads"] = 2
    limits = {}
    if chance.random() < 0.2:
        limits = {"solutions": chance.choice((0, 1, 2, 5))} if goal is not Goal.COUNT else {}
        if engine.counts_nodes and chance.random() < 0.5:
            limits = {"nodes": chance.choice((0, 1, 3, 10, 50))}
    return Run("engine", what, str(goal), options, limits, others)
