"""What a search is asked for and what bounds it: goal, limits, options."""

from dataclasses import dataclass, replace
from enum import StrEnum

from ..base.errors import EngineError


class Goal(StrEnum):
    """What a search is for: one solution or a proof that there is none, all of them, their number, the best score."""

    SOLVE = "solve"
    ALL = "all"
    COUNT = "count"
    BEST = "best"


@dataclass(frozen=True)
class Limits:
    """Bounds of a search; None is no bound.

    Parameters
    ----------
    seconds
        Wall-clock time.
    nodes
        Pieces placed; the search stops after exactly so many (fixed pieces are placed in any case).
    solutions
        Solutions yielded (goals solve and all).
    depth
        Pieces on the board, fixed ones included: only the first squares of the order are filled, and no solution is
        found unless these are all.
    """

    seconds: float | None = None
    nodes: int | None = None
    solutions: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, limit in (
            ("time", self.seconds),
            ("node", self.nodes),
            ("solution", self.solutions),
            ("depth", self.depth),
        ):
            if limit is not None and not limit >= 0:
                raise EngineError(f"{name} limit {limit}: a limit is at least 0")

    def towards(self, goal: Goal) -> "Limits":
        """The same limits, and for the goal solve at most one solution."""
        if goal is not Goal.SOLVE or self.solutions == 0:
            return self
        return replace(self, solutions=1)


@dataclass(frozen=True)
class FramesCut:
    """How a count by the method `frames` cuts the inside of the board into two halves, and what they cost.

    Parameters
    ----------
    columns
        The columns of the inside (its rows if the board is turned).
    squares
        The squares of the upper half: the first ones, row by row.
    fill_nodes
        The nodes predicted for filling the upper and the lower half once.
    pair_nodes
        What joining two halves is predicted to cost, in nodes.
    """

    columns: int
    squares: int
    fill_nodes: tuple[float, float] = (1.0, 1.0)
    pair_nodes: float = 1.0


@dataclass(frozen=True)
class Options:
    """How to search.

    Parameters
    ----------
    order
        Name of a search order, path of a file with one, or the squares themselves; None for the default.
    symmetry
        Whether to break symmetries.  A search without looks at every numbered piece in every rotation.
    threads
        Number of threads.
    slips
        A slip array, as text or depths: from each of its depths on a further inner join may be invalid.  None is no
        slips, or for the goal best as many as there are inner joins, from the first depth on.
    predicted
        The logarithm of the number of nodes to be expected at each depth, fixed pieces included: what the progress
        goes by, and nothing else.
    encoding
        How the puzzle becomes a model, for engines that solve models; None for what is best on most puzzles.
    seed
        What an engine that makes random choices makes them by.
    proof
        The file that a proof is to be written to, for engines that can prove.
    method
        Which of the algorithms of `search.methods` counts, for engines that have several; None for the plain search.
    cut
        Where counts by the method `frames` cut the board, and how large their parts are; nothing else heeds it.  None
        for a cut in the middle, of which nothing is predicted, and one part.
    ledger
        The file in which a count notes what it has counted, to go on from there another time.
    cluster
        The address of a Dask scheduler on whose workers to count, or ``local:N`` for N processes on this machine.
    width
        How many partial boards a beam search keeps at each depth; None for what suits the limits.
    """

    order: str | tuple[int, ...] | None = None
    symmetry: bool = True
    threads: int = 1
    slips: str | tuple[int, ...] | None = None
    predicted: tuple[float, ...] | None = None
    encoding: str | None = None
    seed: int | None = None
    proof: str | None = None
    method: str | None = None
    cut: FramesCut | None = None
    ledger: str | None = None
    cluster: str | None = None
    width: int | None = None

    def __post_init__(self) -> None:
        if self.width is not None and self.width < 1:
            raise EngineError(f"width {self.width}: a beam keeps at least 1 partial board at each depth")


#: The options of counts that are made in parts, which `backtrack` alone has.
IN_PARTS = ("method", "ledger", "cluster")
#: Options that one engine alone has: all others refuse them without naming them among what they lack.
OF_ONE_ENGINE = {"width": "beam"}


def in_parts(options: Options) -> bool:
    """Whether a count with these options is made in parts, some of which are counted at a time, or another day."""
    return options.threads != 1 or any(getattr(options, name) is not None for name in IN_PARTS)


NO_LIMITS = Limits()
DEFAULTS = Options()
