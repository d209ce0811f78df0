"""The domains of all models of a dissection: the placements that can be part of a tiling, and what they cover."""

from collections.abc import Iterator
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ...csp.base.compiled import inner_kernel, kernel
from ...csp.base.errors import EngineError, PuzzleError
from ...csp.engines.tallies import Rows, TilingTally
from ...csp.geometry.exact_numbers import format_number
from ...csp.geometry.polygons import Polygon, counterclockwise
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, PuzzleTiling, Tiling, tiling_of
from ...csp.search.tilings.lattice import bits_of, exact_cover, members_of, unpacked
from ...csp.search.tilings.lattice_placements import Bits, find_placements

Indices = NDArray[np.int64]

# The number of placements that kernels process between two checks for Ctrl-C.
_SLICE = 64


class TilingDomains:
    """The placements that can be part of a tiling on the lattice, and what they cover.

    - `symmetry`: whether to leave out what symmetries make of other tilings: congruent pieces are of one kind then, and
      the *anchor*, a piece without its like, lies in one placement out of each orbit only.
    - `anchored`: whether there is an anchor if symmetries are left out.
    - `prune`: whether to leave out placements beside which something cannot be covered, or a piece has no room.

    Attributes:
    - `left`: the numbers of those that are not left out, ascending.
    - `over`: the kinds of pieces that may be left over, once for each such piece.  Models have *choices*: the
      placements that are left, and then one for each of these, so that every piece has one.
    - `kinds`, `sizes`, `anchor`: the pieces by kind, how many each kind has, and the kind that breaks the symmetries,
      if one does.
    - `of_kind`, `of_choice`: the kind of each placement that is left, and of each choice.
    - `full`: whether every wedge is covered; otherwise gaps are allowed.
    - `covers`: for each wedge the placements that cover it, as indices of `left`; wedges that the same ones cover are
      one.

    Raises EngineError if the puzzle has arbitrary motions, or is too large for the lattice model.
    """

    def __init__(self, puzzle: DissectionPuzzle, *, symmetry: bool, anchored: bool = True, prune: bool = True) -> None:
        if puzzle.motions is not Motions.LATTICE:
            raise EngineError("cpsat and sat support the lattice only; use --motions lattice, or the engine backtrack")
        self.puzzle, self.symmetry = puzzle, symmetry
        self.placements = find_placements(puzzle, by_class=symmetry, gaps=False)
        problem = exact_cover(self.placements, break_symmetry=symmetry and anchored)
        self.anchor = problem.anchor
        self.kinds = self.placements.kinds
        self.sizes = tuple(len(members) for members in self.kinds)
        # The placements of each kind; of a kind of several pieces any two may be disjoint.
        self._rows, left = problem.tables.kind_rows, problem.root.left.copy()
        self._single = np.where(np.array(self.sizes) == 1, ~np.uint64(0), np.uint64(0))[:, None] & self._rows
        wedges = self.placements.wedges.covers
        self.full = puzzle.leave is not True
        if prune:
            needed = self._rows[self.placements.needed]
            self._leave_out(np.vstack([needed, wedges]) if self.full else needed, left)
        self.left = members_of(left)
        self.of_kind = self.placements.of_kind[self.left]
        self.over = np.repeat(np.arange(len(self.kinds)), np.where(self.placements.needed, 0, self.sizes))
        self.of_choice = np.concatenate([self.of_kind, self.over])
        # Some wedges differ in nothing but what is left out.
        self._wedges = np.unique(wedges & left, axis=0)
        self._index = np.zeros(64 * len(left), dtype=np.int64)
        self._index[self.left] = np.arange(len(self.left))
        self.covers = tuple(self._index[members_of(row)] for row in self._wedges)

    def _leave_out(self, items: Bits, left: Bits) -> None:
        """Remove placements until nothing changes."""
        beside = self.placements.disjoint & ~self._single[self.placements.of_kind]
        removed = True
        while removed:
            removed = False
            for first in range(0, len(self.placements), _SLICE):
                last = min(first + _SLICE, len(self.placements))
                removed |= leave_out(first, last, items, beside, left)

    def tally(self) -> TilingTally:
        """Counts rows."""
        placements = self.placements
        return TilingTally(
            self.puzzle,
            self.kinds,
            self.anchor,
            lambda rows: placements.every_image[:, rows],
            lambda rows: placements.looks[rows],
            len(placements) if self.puzzle.spare else None,
        )

    def rows(self, there: Indices) -> Rows:
        """Rows of placements, as `tally` counts them, from choices: both of shape (n, pieces)."""
        if not len(self.over):
            return np.sort(self.left[there], axis=1)
        placed = np.where(there < len(self.left), self.left[np.minimum(there, len(self.left) - 1)], -1)
        return self.placements.completed(placed) if len(self.left) else len(self.placements) + self.of_choice[there]

    def tiling(self, there: Indices) -> PuzzleTiling:
        """The tiling of these choices, one of each piece."""
        row = self.rows(there[None])[0]
        polygons = map(self.placements.polygon, row[self.tally().slot_of_piece].tolist())
        return tiling_of(self.puzzle, polygons)

    def conflicts(self) -> Bits:
        """Which placements of different pieces exclude each other: a matrix of bits."""
        pairs = np.zeros_like(self.placements.disjoint)
        left = bits_of(self.left, pairs.shape[1])
        pairs[self.left] = ~self.placements.disjoint[self.left] & left & ~self._single[self.of_kind]
        pairs[self.left, self.left >> 6] &= ~(np.uint64(1) << (self.left & 63).astype(np.uint64))
        return pairs

    def telling(self, worth: float) -> tuple[list[int], Bits]:
        """Wedges that show conflicts of placements, and the conflicts that no wedge shows.

        Chosen greedily: the wedge with the most conflicts that no chosen one shows, as long as they are `worth` times
        as many as its placements.
        """
        pairs = self.conflicts()
        members = [self.left[indices] for indices in self.covers]

        def gain(wedge: int) -> int:
            return int(pairs_within(members[wedge], self._wedges[wedge], pairs)) // 2

        # Gains only decrease: one that is still the greatest after an update is the greatest of all.
        waiting = [(-gain(wedge), wedge) for wedge in range(len(members))]
        heapify(waiting)
        chosen = []
        while waiting:
            _, wedge = heappop(waiting)
            now = gain(wedge)
            if waiting and now < -waiting[0][0]:
                heappush(waiting, (-now, wedge))
            elif now <= worth * len(members[wedge]):
                break
            else:
                chosen.append(wedge)
                remove_pairs(members[wedge], self._wedges[wedge], pairs)
        return chosen, pairs

    def pairs_of(self, pairs: Bits) -> Iterator[Indices]:
        """The pairs in a matrix of bits as indices of `left`, in arrays of shape (n, 2)."""
        for start in range(0, len(self.left), _SLICE):
            rows = pairs[self.left[start : start + _SLICE]]
            there = unpacked(rows, len(self.placements))
            first, second = np.nonzero(there[:, self.left])
            first += start
            yield np.stack([first, second], axis=1)[first < second]

    @cached_property
    def _numbers(self) -> dict[tuple[int, Polygon], int]:
        """The placements by kind and polygon."""
        kinds = self.placements.of_kind.tolist()
        return {(kind, self.placements.polygon(placement)): placement for placement, kind in enumerate(kinds)}

    def _placements_of(self, tiling: Tiling) -> Indices:
        """The placements of a tiling, kind by kind."""
        if len(tiling) != len(self.puzzle.pieces):
            raise PuzzleError(f"the tiling has {len(tiling)} polygons, but the puzzle {len(self.puzzle.pieces)} pieces")
        found = []
        for kind, members in enumerate(self.kinds):
            for piece in members:
                if tiling[piece] is None and not self.placements.needed[kind]:
                    found.append(len(self.placements) + kind)
                    continue
                placement = self._numbers.get((kind, counterclockwise(tiling[piece])))
                if placement is None:
                    raise PuzzleError(f"piece {piece + 1} of the tiling has no such placement on the lattice")
                found.append(placement)
        return np.array(found, dtype=np.int64)

    def images_of(self, tiling: Tiling) -> list[Indices]:
        """The tilings that symmetry breaking keeps of a tiling and its equivalents, each as choices.

        Raises PuzzleError if there is not one polygon for each piece, or a polygon is not a placement on the lattice.
        """
        images = self.placements.every_image if self.symmetry else self.placements.every_image[:1]
        found = np.unique(np.sort(images[:, self._placements_of(tiling)], axis=1), axis=0)
        kept = found[(np.isin(found, self.left) | (found >= len(self.placements))).all(axis=1)]
        return [self._choices(row) for row in kept]

    def _choices(self, row: Indices) -> Indices:
        """The choices of a row of placements: of a kind's pieces that are left over, the first choices."""
        placed = self._index[row[row < len(self.placements)]]
        over = row[row >= len(self.placements)] - len(self.placements)
        first = np.searchsorted(self.over, over) + np.arange(len(over)) - np.searchsorted(over, over)
        return np.concatenate([placed, len(self.left) + first])

    def names(self) -> Iterator[str]:
        """Descriptions of the choices."""
        for placement in self.left.tolist():
            pieces = self.kinds[self.placements.of_kind[placement]]
            points = (f"({format_number(x)},{format_number(y)})" for x, y in self.placements.polygon(placement))
            yield f"piece {'/'.join(str(piece + 1) for piece in pieces)} at {' '.join(points)}"
        for kind in self.over.tolist():
            yield f"piece {'/'.join(str(piece + 1) for piece in self.kinds[kind])} left over"

    def meaning(self) -> Iterator[str]:
        """The tilings of a model, in words."""
        step = self.puzzle.lattice.across[0]
        side = f"{step.numerator}/{step.denominator}"
        yield f"lattice {side}" if self.puzzle.is_rational else f"lattice {self.puzzle.lattice.words}"
        yield f"symmetry {'broken' if self.symmetry else 'kept'}"
        if self.symmetry:
            yield "WARNING: symmetry is broken: of the tilings that the target's symmetries and exchanging congruent"
            yield f"WARNING: pieces make of each other only some are solutions of this file: {self.breaks}."

    @property
    def breaks(self) -> str:
        """How the target's symmetries are broken, in words."""
        if self.anchor is None:
            return "every placement is allowed"
        (piece,) = self.kinds[self.anchor]
        return f"piece {piece + 1} lies in one placement out of those that the target's symmetries make of each other"


# Kernels.  Sets of placements are rows of bits: bit p % 64 of word p // 64.

_1, _6, _63 = np.uint64(1), np.uint64(6), np.uint64(63)


@inner_kernel
def _has(row, member):
    return row[member >> _6] >> (member & _63) & _1 != 0


# `items` has for each item, of which every tiling has at least one, its placements; `beside` for each placement those
# that may lie beside it.  Invariant: every tiling is made of placements of `left`.
@kernel
def leave_out(first, last, items, beside, left):
    """Take those of the placements from first to last that leave an item nothing out of `left`; whether any do."""
    removed = False
    for p in range(first, last):
        at = np.uint64(p)
        if not _has(left, at):
            continue
        for i in range(len(items)):
            if _has(items[i], at):
                continue
            rest = False
            for word in range(len(left)):
                if items[i, word] & beside[p, word] & left[word]:
                    rest = True
                    break
            if not rest:
                left[at >> _6] &= ~(_1 << (at & _63))
                removed = True
                break
    return removed


@inner_kernel
def _ones(word):
    """The number of ones in a word, by adding up neighbours (Warren 2003)."""
    word -= word >> _1 & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (word >> np.uint64(2) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return word * np.uint64(0x0101010101010101) >> np.uint64(56)


@kernel
def pairs_within(members, row, pairs):
    """How many of the pairs are pairs of these members, which `row` has as bits; each is counted from both sides."""
    number = np.uint64(0)
    for member in members:
        for word in range(len(row)):
            number += _ones(row[word] & pairs[member, word])
    return number


@kernel
def remove_pairs(members, row, pairs):
    """Take the pairs of these members out of the pairs."""
    for member in members:
        for word in range(len(row)):
            pairs[member, word] &= ~row[word]
