"""The walk that keeps the set of candidates of each square: for boards that are small enough."""

import numpy as np
from numpy.typing import NDArray

from ..base.bit_words import as_words
from ..puzzles.board import Board, opposite
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.symmetry import Candidates, Fits
from .free_walk import FreeWalk
from .least_choice_kernel import CandidateSets, Choices, Places, search_least_choice

# The sets of all squares are copied with each piece; with more words than this, lists are quicker.
_MOST_WORDS = 512
# With at most this number of candidates of the same colour on a side, as in most jigsaws, lists find the solution as
# soon as they have been made.
_FEW_ALIKE = 3
# Joins are made consistent if at most this number of candidates have the same colour on a side, beside squares with at
# most this number of candidates.  With more of them it takes more time than it saves.
_MOST_ALIKE, _FEW = 16, 8


def _words(candidates: Candidates) -> int:
    """The number of words of a set of candidates."""
    return max(-(-len(candidates.of_type) // 64), 1)


def _alike(candidates: Candidates) -> float:
    """The mean number of candidates that have the same colour on a side."""
    return len(candidates.of_type) / max(candidates.colors, 1)


def use_sets(puzzle: EdgeMatchingPuzzle, candidates: Candidates) -> bool:
    """Whether a search by sets of candidates is quicker than one by lists."""
    return len(puzzle.board) * _words(candidates) <= _MOST_WORDS and _alike(candidates) > _FEW_ALIKE


class LeastChoiceTables:
    """The tables of all walks of a run.

    Attributes:
    - `fitting`: for each square its candidates, as rows of truth values.
    - `available`: the number of pieces of each type.
    - `free`: the squares without a fixed piece.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, candidates: Candidates) -> None:
        board, fits, self.candidates = puzzle.board, Fits(puzzle, candidates), candidates
        self.board, self.free = board, np.array(puzzle.free_squares, dtype=np.uint32)
        self.fitting = np.zeros((len(board), len(candidates.of_type)), dtype=bool)
        for square in puzzle.free_squares:
            self.fitting[square] = fits.fitting(fits.asked(square))
        self.available = np.array([len(kind.pieces) for kind in candidates.kinds], dtype=np.uint32)
        types = np.append(np.arange(len(candidates.kinds)), -1)
        across, beside = _across(candidates)
        self.sets = CandidateSets(
            np.array([_words(candidates)], dtype=np.uint64),
            np.array([_FEW if _alike(candidates) <= _MOST_ALIKE else 0], dtype=np.uint64),
            candidates.of_type.astype(np.uint32),
            across,
            beside,
            as_words(candidates.of_type != types[:, None]).ravel(),
        )
        neighbours = [board.neighbour(square, side) for square in range(len(board)) for side in range(4)]
        column = np.zeros(len(board), dtype=np.uint32)
        column[self.free] = np.arange(len(self.free))
        self.places = Places(
            np.array([len(board) if square is None else square for square in neighbours], dtype=np.uint32), column
        )


def _across(candidates: Candidates) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """The sets of what may lie across the sides, by side and colour, and where the set of each side begins."""
    colors = candidates.colors
    found = np.zeros((4, colors + 1, len(candidates.of_type)), dtype=bool)
    for side in range(4):
        # Nothing fits onto a border side inside: the last set.
        found[side, :colors] = candidates.mates[:, opposite(side)] == np.arange(colors)[:, None]
    shown = np.where(candidates.sides < 0, colors, candidates.sides)
    begin = (np.arange(4) * (colors + 1) + shown) * _words(candidates)
    return as_words(found.reshape(4 * (colors + 1), -1)).ravel(), begin.ravel().astype(np.uint32)


class LeastChoiceWalk(FreeWalk):
    """A walk that keeps the set of candidates of each square.

    - `root`: the type of the piece that comes first, its square, and its turns; None for any pieces.
    """

    def __init__(self, tables: LeastChoiceTables, root: tuple[int, int, int] | None) -> None:
        super().__init__(len(tables.free))
        self._tables = tables
        candidates, board, words = tables.candidates, tables.board, int(tables.sets.words[0])
        counts, first = tables.fitting.sum(axis=1), 0
        if root is None:
            square = min(tables.free.tolist(), key=lambda square: (counts[square], _from_centre(board, square)))
            options = int(counts[square])
        else:
            of_type, square, turns = root
            first = int(np.flatnonzero((candidates.of_type == of_type) & (candidates.turns == turns))[0])
            options = int(tables.fitting[square, first])
        self._begin(square, first, options)
        sets = np.zeros((len(tables.free), len(board) * words), dtype=np.uint64)
        sets[0] = as_words(tables.fitting).ravel()
        numbers = np.zeros((len(tables.free), len(board)), dtype=np.uint32)
        numbers[0] = counts
        empty = np.zeros(len(board) + 1, dtype=np.uint8)
        empty[tables.free] = 1
        self._choices = Choices(
            sets.ravel(),
            numbers.ravel(),
            tables.available.copy(),
            empty,
            np.zeros(len(board) + 1, dtype=np.uint8),
            tables.free.copy(),
            tables.places.column.copy(),
            np.zeros(len(board), dtype=np.uint32),
            np.zeros(len(board), dtype=np.uint32),
            np.zeros(_FEW, dtype=np.uint32),
        )

    def _search(self) -> int:
        tables = self._tables
        state = self._choices, self._stack, self.nodes, self._fullest, self._cursor
        return search_least_choice(tables.sets, tables.places, *state, self._rows)


def _from_centre(board: Board, square: int) -> float:
    """How far a square is from the centre: pieces around it are confirmed on more sides than along the border."""
    row, column = board.place(square)
    return abs(row - (board.rows - 1) / 2) + abs(column - (board.columns - 1) / 2)
