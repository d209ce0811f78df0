"""The tables of the search of the lattice model: an exact cover problem in words of 64 bits."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...puzzles.dissection import DissectionPuzzle
from .lattice_placements import Bits, Placements, Rows, find_placements


class LatticeTables(NamedTuple):
    """The constant tables of the kernels; see `lattice_kernel.search_lattice`."""

    disjoint: Bits
    covers: Bits
    covered: Bits
    kind: Rows
    kind_rows: Bits


class Root(NamedTuple):
    """The start of a search: candidates and open wedges as bits, and the number of pieces of each kind to place."""

    left: Bits
    open_wedges: Bits
    unplaced: Bits


@dataclass(frozen=True)
class LatticeProblem:
    """A dissection as an exact cover problem."""

    #: All placements.
    placements: Placements
    #: The kind of a single piece for which the root has only one placement of each orbit; None without such a kind.
    anchor: int | None
    #: The tables of the kernels, and the start.
    tables: LatticeTables
    root: Root
    #: The number of first words of wedges that are examined as long as one of these wedges is open.
    telling_words: int


def lattice_problem(puzzle: DissectionPuzzle, *, by_class: bool, break_symmetry: bool) -> LatticeProblem:
    """A dissection as an exact cover problem.

    Parameters
    ----------
    puzzle
        The puzzle.
    by_class
        Whether congruent pieces are not distinguished.
    break_symmetry
        Whether to use only one placement of each orbit under the target's symmetries for a unique piece.

    Raises EngineError if the lattice is too fine, or the placements are too many.
    """
    return exact_cover(find_placements(puzzle, by_class=by_class), break_symmetry=break_symmetry and by_class)


def exact_cover(placements: Placements, *, break_symmetry: bool = True) -> LatticeProblem:
    """The exact cover problem of placements that have been found; parameters are those of `lattice_problem`."""
    kind_rows, wedges = _kind_rows(placements), placements.wedges
    # A single piece must be placed, just as a wedge must be covered.
    single = [kind for kind, members in enumerate(placements.kinds) if len(members) == 1]
    covers = np.vstack([kind_rows[single], wedges.covers])
    covered = transposed(covers, len(placements))
    anchor = find_anchor(placements) if break_symmetry else None
    left = np.bitwise_or.reduce(kind_rows, axis=0)
    if anchor is not None:
        rows = np.flatnonzero(placements.of_kind == anchor)
        left &= ~bits_of(rows[placements.images[:, rows].min(axis=0) != rows], len(left))
    unplaced = np.array([len(members) for members in placements.kinds], dtype=np.uint64)
    root = Root(left, bits_of(np.arange(len(covers)), covered.shape[1]), unplaced)
    tables = LatticeTables(placements.disjoint, covers, covered, placements.of_kind, kind_rows)
    # Some more wedges do no harm, and the kernel takes four words at once.
    telling_words = min((len(single) + wedges.telling + 255) // 256 * 4, covered.shape[1])
    return LatticeProblem(placements, anchor, tables, root, telling_words)


def find_anchor(placements: Placements) -> int | None:
    """The kind of one piece that has the fewest placements up to the target's symmetries; None without such a kind.

    No symmetry makes another kind of it.
    """
    if len(placements.images) == 1:
        return None
    least = placements.images.min(axis=0) == np.arange(len(placements))
    mirrored = placements.puzzle.mirror_kinds(placements.kinds)
    sizes = {
        kind: int(least[placements.of_kind == kind].sum())
        for kind, members in enumerate(placements.kinds)
        if len(members) == 1 and mirrored[kind] == kind
    }
    return min(sizes, key=sizes.__getitem__) if sizes else None


def bits_of(numbers: NDArray[np.int64], words: int) -> Bits:
    """A set of numbers as bits."""
    row = np.zeros(words, dtype=np.uint64)
    np.bitwise_or.at(row, numbers >> 6, np.uint64(1) << (numbers & 63).astype(np.uint64))
    return row


def members_of(row: Bits) -> NDArray[np.int64]:
    """The numbers in a set of bits."""
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))


def unpacked(rows: Bits, columns: int) -> NDArray[np.uint8]:
    """A matrix of bits with `columns` columns as numbers."""
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little", count=columns)


def _kind_rows(placements: Placements) -> Bits:
    """The placements of each kind as bits."""
    words = (len(placements) + 63) // 64
    kinds = range(len(placements.kinds))
    return np.array([bits_of(np.flatnonzero(placements.of_kind == kind), words) for kind in kinds])


def transposed(rows: Bits, columns: int) -> Bits:
    """The transposed matrix of bits."""
    from .lattice_kernel import transpose

    turned = np.zeros((columns, (len(rows) + 63) // 64), dtype=np.uint64)
    transpose(rows, turned)
    return turned
