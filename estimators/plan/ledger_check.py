"""Checks a ledger by counting some of its shares again, chosen at random."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path
from typing import Any

from ...csp.base.errors import BookError, PuzzleError, escaped, grouped, plural, shortened
from ...csp.base.notebook import HasSummary
from ...csp.base.seeded_random import Chance
from ...csp.engines.engine import find_engine
from ...csp.engines.request import Goal, Options
from ...csp.files.instances import fingerprint
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.search.counting.ledger import read_ledger
from ...csp.search.counting.methods import METHODS, Pause, Piecework, Share
from ...csp.search.counting.region import find_region
from ...csp.search.counting.scheduler import cut_into_parts
from ...csp.work.run import code_version
from ..effort.count_methods import with_cut

_SURE = 0.95


@dataclass(frozen=True, repr=False)
class LedgerCheck(HasSummary):
    """The result of checking a ledger."""

    #: The ledger, the name of its puzzle, and the method of the count.
    path: str
    instance: str
    method: str
    #: The number of parts of the count, and how many of them are recorded.
    parts: int
    recorded: int
    #: The number of shares in which they are recorded.
    shares: int
    #: The sum of the counts of all shares.
    count: int
    #: The shares that were counted again by the same method, by their numbers from 1.
    again: tuple[int, ...]
    #: The number of parts, one of each of these shares, that were counted by another method as well.
    another: int
    #: What differs, one line each.
    wrong: tuple[str, ...]
    #: Whether the count ignores the fixed pieces of the puzzle.
    pieces_only: bool

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return not self.wrong

    @property
    def noticed(self) -> int:
        """The least number of wrong shares of which one would have been counted again with a probability of 95 %."""
        return next((k for k in range(1, self.shares + 1) if self.probability(k) >= _SURE), self.shares + 1)

    def probability(self, wrong: int) -> float:
        """The probability that one of that many wrong shares is among those that were counted again."""
        return 1 - comb(self.shares - wrong, len(self.again)) / comb(self.shares, len(self.again))

    def record(self) -> dict[str, Any]:
        """The object that ``jigsat check INSTANCE LEDGER --json`` prints."""
        return {
            "instance": self.instance,
            "ledger": self.path,
            "pieces_only": self.pieces_only,
            "method": self.method,
            "parts": self.parts,
            "recorded": self.recorded,
            "shares": self.shares,
            "count": self.count,
            "complete": self.recorded == self.parts,
            "again": list(self.again),
            "another_method": self.another,
            "probability_of_one": self.probability(1) if self.shares else 0.0,
            "wrong": list(self.wrong),
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The text that ``jigsat check INSTANCE LEDGER`` prints."""
        whole = "all" if self.recorded == self.parts else grouped(self.recorded)
        only = " without its fixed pieces" if self.pieces_only else ""
        lines = [
            f"{escaped(self.instance)}{only}: {escaped(self.path)}: {whole} of {grouped(self.parts)} parts in "
            f"{plural(self.shares, 'share', grouped)}, {grouped(self.count)} arrangements, method {self.method}",
            f"  counted again    {plural(len(self.again), 'share', grouped)} by the same method, "
            f"{plural(self.another, 'part', grouped)} of them by another one",
        ]
        if self.wrong:
            return "\n".join([*lines, *(f"  WRONG            {line}" for line in self.wrong)])
        if not self.shares:
            return "\n".join(lines)
        certain = f"a single wrong share would have been noticed with a probability of {self.probability(1):.1%}"
        if 1 < self.noticed <= self.shares:
            certain += f", {self.noticed} wrong ones with 95 %"
        return "\n".join([*lines, f"  all as recorded  {certain}"])


def check_ledger(puzzle: EdgeMatchingPuzzle, path: str | Path, *, sample: int = 10, seed: int = 1) -> LedgerCheck:
    """Count some of the shares of a ledger again, chosen at random, and compare.

    Each is counted again by the method of the ledger, and compared with its counts and nodes.  Of a count by the method
    ``plain`` that breaks symmetries, one random part of each is also counted by the engine ``most-constrained``, which
    has another kernel and no order.

    The ledger may be incomplete or in use, and of a count that ignores the fixed pieces of the puzzle.

    Raises BookError if the file is not a ledger of this puzzle, or another version of the package has written it.
    """
    key, shares = read_ledger(path)
    pieces_only = key.get("instance") == fingerprint(puzzle.pieces_only()) != fingerprint(puzzle)
    puzzle = puzzle.pieces_only() if pieces_only else puzzle
    if key.get("instance") != fingerprint(puzzle):
        raise BookError(f"{path}: is the ledger of another puzzle")
    if key.get("code") != code_version():
        written = shortened(str(key.get("code")))
        raise BookError(f"{path}: was written by version {written}; only that version can count its parts again")
    piecework = _piecework(puzzle, key, str(path))
    chance = Chance(seed)
    again = sorted(chance.sample(range(len(shares)), min(sample, len(shares))))
    wrong: list[str] = []
    another = 0
    for number in again:
        recorded = shares[number]
        wrong += _differences(number + 1, recorded, piecework.count(recorded.first, recorded.last, lambda: Pause.NO))
        part = recorded.first + chance.below(recorded.last - recorded.first)
        counts = _both_counts(puzzle, piecework, part)
        if counts is not None:
            another += 1
            if counts[0] != counts[1]:
                wrong.append(f"part {part}: {counts[0]} arrangements by this method, {counts[1]} by most-constrained")
    return LedgerCheck(
        str(path),
        puzzle.name,
        piecework.method,
        len(piecework.work),
        sum(share.last - share.first for share in shares),
        len(shares),
        sum(share.count for share in shares),
        tuple(number + 1 for number in again),
        another,
        tuple(wrong),
        pieces_only,
    )


def _piecework(puzzle: EdgeMatchingPuzzle, key: Mapping[str, Any], label: str) -> Piecework:
    """The count of a ledger, cut into the same parts."""
    method = key["method"] if key["method"] in METHODS else "plain"
    made, board = key["options"], puzzle.board
    region = find_region(board, made["squares"]) if "squares" in made else None
    options = Options(method=method, squares=region, symmetry=made.get("symmetry", True))
    if method == "plain":
        named = tuple(map(board.parse, made["path"]))
        # The count of a region has the squares of the region only.
        order = (*named, *(square for square in range(len(board)) if square not in named))
        options = replace(options, order=order)
    elif method == "halves":
        listed, joined = (tuple(map(board.parse, made[half])) for half in ("listed", "joined"))
        options = replace(options, halves=(listed, joined))
    piecework = cut_into_parts(puzzle, with_cut(puzzle, options))
    same = (piecework.method, dict(piecework.options), len(piecework.work))
    if same != (key["method"], key["options"], key["parts"]):
        raise BookError(f"{label}: its count is cut in another way than by default; it cannot be counted again")
    return piecework


def _differences(number: int, recorded: Share, counted: Share) -> list[str]:
    """What differs between a recorded share and the same parts counted again."""
    fields: tuple[tuple[str, Callable[[Share], object]], ...] = (
        ("count", lambda share: share.count),
        ("canonical count", lambda share: share.canonical_count),
        ("nodes", lambda share: sum(share.nodes)),
        ("nodes by depth", lambda share: [*share.nodes]),
    )
    for name, value in fields:
        if value(recorded) != value(counted):
            there, here = (shortened(str(value(share))) for share in (recorded, counted))
            parts = f"parts {recorded.first} to {recorded.last - 1}"
            return [f"share {number} ({parts}): {name} {there} in the ledger, {here} counted again"]
    return []


def _both_counts(puzzle: EdgeMatchingPuzzle, piecework: Piecework, part: int) -> tuple[int, int] | None:
    """The arrangements of a part by its method and by another engine; None if that is not possible."""
    boards_of = getattr(piecework, "boards_of", None)
    found = None if boards_of is None else boards_of(part)
    if found is None:
        return None
    boards, times = found
    other = 0
    for board in boards:
        try:
            fixed = puzzle.with_fixed(board)
        except PuzzleError:  # a piece cannot lie beside those that are there
            continue
        counted = find_engine("most-constrained").run(fixed, Goal.COUNT).count
        assert counted is not None
        other += counted
    return piecework.count(part, part + 1, lambda: Pause.NO).count, times * other
