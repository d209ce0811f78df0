"""Requests: goal, limits, and what a plan hands to the engine."""

import os
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from pathlib import Path

from ..base.errors import EngineError
from ..files.file_format import PART
from .options import Options


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
        for name, limit in (
            ("time", self.seconds),
            ("node", self.nodes),
            ("solution", self.solutions),
            ("depth", self.depth),
        ):
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


def proof_files(proof: str | Path | None) -> list[str]:
    """The files that are written for a proof: the proof, its formula, its page, and what is kept while the work lasts.

    Without a proof the list is empty.
    """
    return [] if proof is None else [f"{proof}{end}" for end in ("", ".cnf", ".json", PART)]


def is_proof_file(path: str | Path, proof: str | Path | None) -> bool:
    """Whether a file, or the part of it while it is not complete, is one of those that are written for a proof."""
    own = {os.path.realpath(f"{path}{end}") for end in ("", PART)}
    return not own.isdisjoint(map(os.path.realpath, proof_files(proof)))
