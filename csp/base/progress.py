"""How far work is: what long work reports on its way, whatever kind of work it is."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far work is.

    Parameters
    ----------
    nodes, solutions
        Pieces placed and solutions found so far.
    done
        The part of the work that lies behind, from 0 to 1.
    seconds
        The time since the work began.
    scores
        For the goal best: the best score so far (None before the first full board), and the highest score that is not
        excluded.
    found, found_nodes
        The part that an earlier search had done already when this one began, and its nodes.
    note
        What else is to be said; for work that is no search, what is being done.
    """

    nodes: int = 0
    solutions: int = 0
    done: float = 0.0
    seconds: float = 0.0
    scores: tuple[int | None, int] | None = None
    found: float = 0.0
    found_nodes: int = 0
    note: str | None = None


#: Is called now and then during long work.
Report = Callable[[Progress], None]
