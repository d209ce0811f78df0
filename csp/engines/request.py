"""Requests: goal, limits, and the one table of the options of searches, with why an engine may lack one.

The command line, the docstrings of public functions, the files of experiments and races, and refusals of engines
are made from the table.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, make_dataclass, replace
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import EngineError, UsageError, shortened
from ..base.notebook import Brief
from ..files.file_format import PART

if TYPE_CHECKING:
    from ..files.instances import Puzzle


@dataclass(frozen=True)
class FramesCut:
    """How the counting method `frames` cuts the inside of the board into two halves, and the predicted costs."""

    #: The columns of the inside (its rows if the board is turned).
    columns: int
    #: The squares of the upper half: the first ones, row by row.
    squares: int
    #: The predicted nodes for filling the upper and the lower half once.
    fill_nodes: tuple[float, float] = (1.0, 1.0)
    #: The predicted cost of joining two halves, in nodes.
    pair_nodes: float = 1.0


@dataclass(frozen=True)
class Prepared:
    """A count that was cut into parts before the run, and the seconds that this took."""

    piecework: Any
    seconds: float


@dataclass(frozen=True, eq=False)
class Earlier:
    """What an earlier search for the same answer has found.

    An engine may ignore it, and find everything again: what it yields a second time is then ignored.  Or it continues
    at the place, or excludes the solutions; then it counts them without yielding them.
    """

    #: The number of solutions.
    number: int = 0
    #: Iterates over them, each time from the first one.
    solutions: Callable[[], Iterator[Any]] = lambda: iter(())
    #: How far the earlier search was, in the form that its engine has given it; None if unknown.
    place: Any = None

    def continue_from(self, *what: object) -> Any:
        """The place, if the earlier search went through the same trees, as described by `what`; otherwise None."""
        if not isinstance(self.place, dict) or self.place.get("of") != json.loads(json.dumps(what)):
            return None
        return self.place


@dataclass(frozen=True)
class About:
    """The description of an option, for all places that show it."""

    #: The effect of the option.
    help: str
    #: The placeholder of its value in the help of the command line; empty if it has no value.
    metavar: str = ""
    #: The type of its value: ``text``, ``whole`` (a whole number), ``seconds``, ``switch`` (an option without a
    #: value), or ``flag`` (an option ``--no-NAME``, which turns off what is on by default).
    kind: str = "text"
    #: Why the option has no meaning for an engine that lacks it, as the end of a sentence about that engine.
    without: str = "does not have it"
    #: Its default.
    default: Any = None


def option(default: Any, about: About) -> Any:
    """A field of a dataclass of options."""
    return field(default=default, metadata={"about": replace(about, default=default)})


def about_options(options: type) -> dict[str, About]:
    """The options of a dataclass by name, with their descriptions, without those that users cannot give."""
    return {item.name: item.metadata["about"] for item in fields(options) if "about" in item.metadata}


@dataclass(frozen=True, kw_only=True, repr=False)
class Options(Brief):
    """The options of all engines of jigsat, and what a plan adds.

    None is the default of the engine.

    - `predicted`: the logarithm of the predicted number of nodes at each depth, fixed pieces included; used for
      progress only.
    - `bound`: whether a search with slips takes back pieces with which, by the colours of all sides, no board is
      complete. It is off where numbers of nodes are compared with predictions, which do not have this bound.
    - `cut`: how the counting method `frames` cuts the board, and how large its parts are; used by that method only.
      None for a cut in the middle, without predictions, and one part.
    - `halves`: the free squares of the two halves into which the counting method `halves` cuts a region: those whose
      fillings are listed, and the others.  None for a cut in the middle with few joins.
    - `prepared`: the tables of the count, if the plan has already made them, and the seconds that this took.
    - `earlier`: what an earlier search for the same answer has found.
    """

    encoding: str | None = option(
        None,
        About(
            "how the puzzle becomes a model for a solver. SAT: pairs (the default), seams, direct or diamond (the "
            "default of ganak).  CP-SAT: "
            "pairs (the default), booleans, table or element.  Options follow after a +, as in "
            "seams+sequential+color-counts: pairwise, product, sequential, bitwise, ladder, totalizer; pieces, "
            "absent-colors, color-counts, checkerboard, parity; unpruned.  Dissections: colors (the default), telling, "
            "wedges or pairs for SAT, wedges (the default) or telling for CP-SAT",
            "NAME",
            without="does not build a model, so it has no encodings",
        ),
    )
    order: str | tuple[int, ...] | None = option(
        None,
        About(
            "search order: a name such as rowscan or best, or a file of square names. Names: rowscan, colscan, "
            "rowscan2[:ROWS], spiral_in, spiral_out, frame_first, zig_zag, and best (computed for the fewest expected "
            "nodes); the default depends on the puzzle",
            "O",
            without="chooses each square during the search, so it has no search order",
        ),
    )
    slips: str | tuple[int, ...] | None = option(
        None,
        About(
            "slip array: the depths from which one more inner join may be invalid, as in 220,230,240. A depth is a "
            "number of placed pieces, fixed pieces included; 192x10 stands for ten slips from depth 192 on, best:10 "
            "for the ten with the fewest expected nodes for each expected board, along `order` or the best named order",
            "S",
            without="does not support slips",
        ),
    )
    frame_slips: str | tuple[int, ...] | None = option(
        None,
        About(
            "slip array for the joins along the frame, written like `slips`: the depths from which one more of them "
            "may be invalid. They count separately; without it all joins along the frame are valid",
            "S",
            without="does not support slips along the frame",
        ),
    )
    symmetry: bool = option(
        True,
        About(
            "find one solution of each symmetry class only; otherwise treat equal pieces and rotations as different",
            kind="flag",
        ),
    )
    proof: str | None = option(
        None,
        About(
            "write a DRAT proof that there is no solution, no further one, or no better one. The proof is in FILE, its "
            "formula in FILE.cnf, and what it states in FILE.json",
            "FILE",
            without="does not write proofs",
        ),
    )
    seed: int | None = option(None, About("random seed", "N", "whole", without="has no random seed"))
    threads: int = option(
        1,
        About(
            "number of threads; all (or 0): one for each processor core (default: 1). With more than one, the order in "
            "which solutions are found may differ from run to run",
            "N",
            "threads",
        ),
    )
    squares: tuple[int, ...] | None = option(
        None,
        About(
            "count the ways to fill these squares only, with any pieces that match. Squares (B2), ranges (A1:D4), "
            "row:N, column:N, frame and inside, separated by commas, or a file of these",
            "R",
            without="fills whole boards only",
        ),
    )
    method: str | None = option(
        None,
        About(
            "how to count: plain, frames, macros, middle, blocks or halves (default: the one of least predicted cost). "
            "plain: piece by piece along an order.  frames: for the colours that a frame shows to the inside, the "
            "number of such frames times the ways to fill the inside.  macros: half-row by half-row, for at most 64 "
            "free pieces.  middle: the rows below a middle row and those above it, which the middle row joins.  "
            "blocks: 2x2 blocks, for boards with even sides.  halves: some squares (`squares`), as two halves that "
            "are joined",
            "M",
            without="has one method only",
        ),
    )
    ledger: str | None = option(
        None,
        About(
            "a file for the parts that are counted; the same command continues from there",
            "FILE",
            without="does not keep a ledger",
        ),
    )
    part: str | None = option(
        None,
        About(
            "count part K of N only, such as 3/16, into a ledger of its own; ``jigsat merge`` joins them. For the "
            "tasks of a SLURM array",
            "K/N",
            without="does not count in parts",
        ),
    )
    cluster: str | None = option(
        None,
        About(
            "count on a Dask cluster: tls://HOST:8786 (a scheduler), or local:N (N processes of this machine)",
            "ADDRESS",
            without="counts on one machine",
        ),
    )
    cluster_security: str | None = option(
        None,
        About(
            "the certificates and keys of the cluster: a YAML or JSON file in the layout of Dask's configuration, or "
            "with tls_ca_file, tls_client_cert and tls_client_key (default: Dask's configuration)",
            "FILE",
            without="counts on one machine",
        ),
    )
    cluster_dashboard: int | None = option(
        None,
        About(
            "show Dask's dashboard for local:N on this port. Every user of this machine can open it",
            "PORT",
            "whole",
            without="counts on one machine",
        ),
    )
    width: int | None = option(
        None,
        About(
            "number of partial boards that a beam search keeps at each depth",
            "N",
            "whole",
            without="is not a beam search",
        ),
    )
    device: str | None = option(
        None,
        About(
            "search on a GPU: cuda, or cuda:N for GPU number N. It needs an NVIDIA GPU, its driver, and the extra gpu",
            "D",
            without="does not run on a GPU",
        ),
    )
    predicted: tuple[float, ...] | None = None
    bound: bool = True
    cut: FramesCut | None = None
    halves: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    prepared: Prepared | None = None
    earlier: Earlier | None = None

    def __post_init__(self) -> None:
        if self.width is not None and self.width < 1:
            raise EngineError(f"width {self.width}: a beam must keep at least 1 partial board at each depth")
        object.__setattr__(self, "threads", number_of_threads(self.threads))


def some_options(*names: str) -> type:
    """A dataclass of these options and `symmetry`, which every engine has."""
    known = {item.name: item for item in fields(Options)}
    chosen = [known[name] for name in ("symmetry", *names)]
    items = [(item.name, item.type, field(default=item.default, metadata=item.metadata)) for item in chosen]
    about = {"__doc__": "Options of an engine."}
    return make_dataclass("SomeOptions", items, frozen=True, kw_only=True, namespace=about)


def number_of_threads(threads: int | str) -> int:
    """The number of threads; 0 and ``all`` mean all processor cores that this process may use.

    Raises EngineError if it is not a number of threads.
    """
    if threads in (0, "all"):
        # Not on every system.
        allowed = getattr(os, "sched_getaffinity", lambda process: range(os.cpu_count() or 1))
        return len(allowed(0))
    if isinstance(threads, str) or threads < 0:
        raise EngineError(f"threads {threads}: at least 1 is needed; all, or 0, means all processor cores")
    return threads


#: The options that are for the plan of a search, not for its engine.
OTHERS = {
    "engine": About(
        "the engine that searches (default: the one predicted to be fastest). ``jigsat list --engines`` lists the "
        "engines with their goals and options; ``jigsat plan`` shows the predictions",
        "E",
    ),
    "pieces_only": About("ignore the fixed pieces of the puzzle", kind="switch", default=False),
    "motions": About(
        "how the pieces of a dissection may be moved. any: every rotation and translation.  lattice: quarter turns, "
        "vertices on the lattice of the puzzle's coordinates.  The default is in the puzzle's file"
    ),
    "start": About(
        "start from the partial board in this solution file. Its pieces are placed first, and count for the depths of "
        "slips",
        "BOARD",
    ),
    "time_limit": About("stop after this many seconds; on the command line also 1m30s or 2h", "TIME", "seconds"),
    "node_limit": About("stop after N nodes (pieces placed)", "N", "whole"),
    "depth_limit": About("fill only the first N squares of the order", "N", "whole"),
}


#: All options of searches by name.
OPTIONS: dict[str, About] = {**OTHERS, **about_options(Options)}
#: The slip arrays.
SLIPS = ("slips", "frame_slips")
# Options whose values may be texts or lists.
_LISTS = ("order", *SLIPS, "start", "squares")
#: The options that say which cluster is used, and how.
CLUSTER = ("cluster", "cluster_security", "cluster_dashboard")
#: The options of counts that are made in parts.
IN_PARTS = ("method", "ledger", "part", "cluster", "cluster_security", "cluster_dashboard")
#: The options of counts.
OF_COUNTS = (*IN_PARTS, "squares")


def given_slips(options: Any) -> str | None:
    """The name of the first slip array among some options; None without any."""
    return next((name for name in SLIPS if getattr(options, name, None) is not None), None)


def in_parts(options: Options) -> bool:
    """Whether a count with these options is made in parts, which can be counted in parallel or later."""
    return options.threads != 1 or any(getattr(options, name) is not None for name in (*IN_PARTS, "device"))


def checked_value(name: str, value: Any, kind: str) -> Any:
    """Convert a value to the kind of its option (see `About`); a path becomes text.

    Values of other kinds are left as they are.

    Raises UsageError if the value has another type.
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in ("flag", "switch") and not isinstance(value, bool):
        raise UsageError(f"{shortened(repr(value))} is neither True nor False", name)
    if kind == "seconds" and not number:
        raise UsageError(f"{shortened(repr(value))} is not a number of seconds", name)
    if kind == "threads" and value == "all":
        return 0
    if kind in ("whole", "threads"):
        whole = hasattr(value, "__index__") and not isinstance(value, bool)
        if not whole and not (isinstance(value, float) and value.is_integer()):
            raise UsageError(f"{shortened(repr(value))} is not a whole number", name)
        return int(value)
    if isinstance(value, Path):
        return str(value)
    if kind == "text" and not isinstance(value, str):
        if name not in _LISTS or not isinstance(value, Iterable):
            raise UsageError(f"{shortened(repr(value))} is not text", name)
        # A board keeps its type because it knows its puzzle; an order and slips become tuples of numbers.
        return value if name == "start" else tuple(value)  # pyright: ignore[reportUnknownArgumentType]
    return value


def refuse_other_types(**values: tuple[Any, str]) -> None:
    """Refuse values of a wrong type, each given with its kind; None stands for an option that is not given.

    Raises UsageError if a value has another type.
    """
    for name, (value, kind) in values.items():
        if value is not None:
            checked_value(name, value, kind)


class Goal(StrEnum):
    """The aim of a search: one solution (or a proof that none exists), all, their number, or the best score."""

    SOLVE = "solve"
    ALL = "all"
    COUNT = "count"
    BEST = "best"


@dataclass(frozen=True)
class Limits:
    """Bounds of a search; None is no bound."""

    #: Wall-clock time; infinity is no bound, too.
    seconds: float | None = None
    #: Pieces placed; the search stops after exactly this number (fixed pieces are placed in any case).  With several
    #: threads a search for the best score may stop a little earlier.
    nodes: int | None = None
    #: Solutions yielded (goals solve and all).
    solutions: int | None = None
    #: Pieces on the board, fixed ones included: only the first squares of the order are filled.  A solution can be
    #: found only if these are all squares.
    depth: int | None = None

    def __post_init__(self) -> None:
        named = {"time": self.seconds, "node": self.nodes, "solution": self.solutions, "depth": self.depth}
        for name, limit in named.items():
            if limit is not None and not limit >= 0:
                raise EngineError(f"{name} limit {limit}: a limit must be at least 0")
        if self.seconds == inf:
            object.__setattr__(self, "seconds", None)

    def towards(self, goal: Goal) -> "Limits":
        """The same limits, and for the goal solve at most one solution."""
        if goal is not Goal.SOLVE or self.solutions == 0:
            return self
        return replace(self, solutions=1)


NO_LIMITS = Limits()
DEFAULTS = Options()


def refuse_given(why: str, *because_of: str, **options: Any) -> None:
    """Refuse options that would otherwise be ignored silently, perhaps because of others.

    Raises UsageError if the value of an option is neither None nor False.
    """
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError(why, *because_of, name)


def refuse_of_others(puzzle: "Puzzle", **options: Any) -> None:
    """Refuse options that do not apply to the puzzle's kind, as `refuse_given` does."""
    others = {"dissection": "puzzles of squares"}.get(puzzle.kind, "dissections")
    refuse_given(f"it is for {others}; {puzzle.name} is of the kind {puzzle.kind}", **options)


def proof_files(proof: str | Path | None) -> list[str]:
    """The files that may be written for a proof: it, its formula, its page, and what is kept while the work lasts.

    Without a proof the list is empty.
    """
    if proof is None:
        return []
    beside = [os.path.splitext(proof)[0] + ".opb"] if is_enumeration(proof) else []
    return [*(f"{proof}{end}" for end in ("", ".cnf", ".json", PART)), *beside]


def is_enumeration(proof: str | Path | None) -> bool:
    """Whether the name of a proof is that of a pseudo-Boolean one: that a list of solutions is complete."""
    return proof is not None and str(proof).lower().endswith(".pbp")


def is_proof_file(path: str | Path, proof: str | Path | None) -> bool:
    """Whether a file, or the part of it while it is not complete, is one of those that are written for a proof."""
    own = {os.path.realpath(f"{path}{end}") for end in ("", PART)}
    return not own.isdisjoint(map(os.path.realpath, proof_files(proof)))
